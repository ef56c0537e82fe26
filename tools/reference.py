"""Write docs/kernel.md, the kernel's reference for authors, from its docstrings: `python -m tools.reference`.

What an author may use stands in CHAPTERS, each name with an example; signatures and words come from the code. A test sees to it
that the page is as this writes it, that nothing a game imports is missing, and that every example is Python.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from talion import kernel
from talion.kernel import Game, Match, Phrasebook, Play, State, View

PAGE = Path(__file__).parent.parent / "docs" / "kernel.md"
OF = {"t": State, "book": Phrasebook, "play": Play, "view": View, "match": Match, "game": Game}
"""By which name an author holds a thing."""

CHAPTERS: list[tuple[str, str, dict[str, str]]] = [
    (
        "State",
        "Declared once, in a class for the table and one for each kind of part. Copies, files, views, redeals and checks follow from it. "
        "A field has an audience, `seen_by`: `EVERYONE` (the usual), `OWNER` or `NOBODY`; of a zone also `TOP`, its top card seen by all. A name "
        "that the kernel uses itself is refused when the class is made.",
        {
            "State": "class Table(State):\n    deck = Zone(seen_by=NOBODY)",
            "Part": "class Player(Part):\n    points = Counter()",
            "Seats": "players = Seats(Player)\nt.players[seat].points += 1",
            "Parts": "dens = Parts(Den, 3)        # a fixed number: may hold zones\nmarks = Parts(Mark)         # come and go: Mark.new(kind='bruise')",
            "Named": 'expeditions = Named(Expedition, ("red", "blue"))\nt.expeditions["red"].cards\nboard = Named(Square, rows=("a1 b1 c1", "a2 b2 c2"))',
            "PartList": 'for name, expedition in t.expeditions.items(): ...\nt.board["b1"], t.board.rows, t.board.beside("b1")',
            "Counter": "corpus = Counter(20, low=None)\nround = Counter(1, high=3)",
            "Counters": 'influence = Counters(("Ysmere", "Drauth"))\nt.influence["Ysmere"] += 1',
            "Flag": "alive = Flag(True)",
            "Word": 'phase = Word("draft")',
            "Seat": "active = Seat(0)\nholder = Seat.maybe()       # begins as None",
            "Value": "order = Value(())\nt.order = (*t.order, card)  # replaced, never changed in place",
            "Bag": 'dice = Bag({"red": 2})\nt.dice["red"] -= 1',
            "Zone": "hand = Zone(seen_by=OWNER)\nplayed = Zone(seen_by=EVERYONE, in_force=True)",
            "PerCard": "rotation = PerCard(0)\nt.rotation[card] = 90",
            "Pile": "t.deck.top\nlen(t.players[0].hand)",
            "shown": "@shown\ndef total(self): return sum(self.influence.values())",
        },
    ),
    (
        "Steps and asks",
        "A step is a generator function: it yields asks, changes the state, and returns the next step, alone or with its arguments. One that "
        "asks nobody is a plain function. While it waits it holds card numbers, seats and public numbers in its variables, never a face. Whether "
        "and in what order seats are asked depends on public facts only.",
        {
            "t.ask": '_, card = yield t.ask(seat, hand, "Play a card", "MG-2")',
            "t.choose": 'card = yield from t.choose(seat, "Discard one", t.players[seat].hand)\nvictim = yield from t.choose(seat, "Rob whom?", t.after(seat)[:-1], players=True)',
            "Together": 'def row(t, seat):\n    return (yield t.ask(seat, bids, "Bid"))\nbids = yield Together(row, t.seat_numbers)',
            "First": "seat, option = yield First([t.ask(seat, grabs, \"Grab\") for seat in t.seat_numbers])",
            "Window": 'acts = yield Window([t.ask(seat, calls, "Call?", default=PASS) for seat in others])\nif acts:\n    seat, option = acts[0]',
            "Standing": "def standing(t):\n    yield Standing(t.ask(0, [(\"concede\",)], \"Concede\"), concede)",
            "No": 'if t.explaining:\n    found.append(No(("raise",), "LH-3", "This round has had its two raises."))',
            "t.go": "t.go(end_of_turn)           # from any depth",
            "t.again": "t.again()                   # the present step anew",
            "t.over": 't.over([seat], f"@{seat} has ten points.", "MG-3", points)',
            "t.log": 't.log("MG-2", "{who} plays {card}.", who=seat, card=card)',
            "t.after": "t.active = t.after(t.active)[0]",
            "t.seat_numbers": "for seat in t.seat_numbers:\n    deal_to(seat)",
            "t.options": 't.options["draw_rule"] == "refill"',
            "t.seats_taken": "hands = 7 if t.seats_taken < 4 else 5",
            "t.explaining": "if t.explaining:\n    found.append(No(('pass',), 'MG-4', 'You must play if you can.'))",
            "default_of": "default_of(ask, t)          # what a seat that is gone answers",
            "Illegal": 'raise Illegal("There is nothing to take back.")',
        },
    ),
    (
        "Cards",
        "A card is a number; what is printed on it is its face. Everybody's knowledge follows by itself from the moves below. A hidden card is named in "
        "an option by its place.",
        {
            "t.create_all": "t.create_all(t.deck)        # in game.build",
            "t.create": "t.create(t.content.named['Token'], t.box)",
            "t.face": "t.face(card).name\nt.face(card).said['text']   # its sentences",
            "Face": "face.cost                   # a printed field\nface.get('cost', 0)",
            "Content": "t.content.faces\nt.content.named['WRATH']",
            "t.content": "for face in t.content.faces: ...",
            "t.faces": "t.faces[one] == t.faces[other]",
            "t.piles": "everywhere = [card for pile in t.piles for card in pile]",
            "t.box": "t.move(card, t.box)",
            "t.move": "t.move(card, t.played)",
            "t.move_all": "t.move_all(t.discard, t.deck)",
            "t.draw": "card = t.draw(t.deck, t.players[seat].hand)",
            "t.shuffle": "t.shuffle(t.deck)",
            "t.bury": "t.bury(cards, t.deck, by=seat)",
            "t.exchange": "t.exchange([(list(a.hand), b.hand), (list(b.hand), a.hand)])",
            "t.turn_to": "t.turn_to(card, t.face(card).other)",
            "t.look": "t.look(seat, [t.deck.top])  # in private",
            "t.reveal": "t.reveal(t.players[seat].hand)",
            "t.tell": 't.tell(card, "complete at", 6)',
            "t.knows": "t.knows(seat, card)",
            "t.place": '("sabotage", t.place(card))',
            "t.at": "card = t.at(option[1])",
            "t.pile_of": "t.pile_of(card) is t.played",
            "t.distinct": "for card in t.distinct(t.players[seat].hand):\n    yield ('play', card)",
            "t.roll": "t.roll(6)",
            "t.chance": "t.chance.pick(faces_of_the_die)",
            "Chance": "t.chance.below(6)           # 0 to 5",
        },
    ),
    (
        "Phrases",
        "A pattern is words and holes: `take {n:amount} card(s) from {who:target}`. What may stand in a hole is a closed vocabulary (`book.words`), a number "
        "(`number`, `numeral`, `amount`), the `name` of a card, or any other kind of phrase, which makes phrases nest. `card(s)` and `[Quarry|Quarries]` agree with "
        "the number before them, `a(n)` with the word after it, `{parts:cost+\", \"}` is a list. Which field of a card is read as which kind stands in "
        "`Game.texts`. Further keywords of a phrase are hints, for bots and for the game: `said.phrase.hints`. The docstring begins with the rule.",
        {
            "Phrasebook": "book = Phrasebook()",
            "book.words": 'book.words("resource", ["corpus", "tick(s)"])',
            "book.effect": '@book.effect("gain {n:amount} {what:resource}")\ndef gain(play, n, what): ...',
            "book.target": '@book.target("one opponent", prompt="Choose an opponent", players=True)\ndef opponent(play): return play.t.after(play.you)[:-1]',
            "book.amount": '@book.amount("the number of your cards")\ndef cards(play): return len(play.t.players[play.you].hand)',
            "book.condition": '@book.condition("you have no card")\ndef empty(play): return not play.t.players[play.you].hand',
            "book.cost": '@book.cost("pay {n:amount}", payable=lambda play, n: play.t.money >= n)\ndef pay(play, n): ...',
            "book.ability": '@book.ability("{price:cost}: {does:effect}")\ndef activated(play, price, does): ...',
            "book.static": '@book.static("your hand size is {n:amount} larger", question="hand size")\ndef larger(play, n, about): return Add(n) if about.seat == play.you else None',
            "book.trigger": '@book.trigger("whenever you draw a card, {does:effect}", event="draw")\ndef drawn(play, does, about): return about.seat == play.you',
            "book.replacement": '@book.replacement("you lose {n:amount} less", event="lose")\ndef less(play, n, about): return {"n": about.n - n}',
            "book.phrase": '@book.phrase("share", "{n:amount} {what:resource}")\ndef share(play, n, what): return what, n',
            "Play": "play = Play(t, seat, card, t.face(card), X=x)\nplay.you, play.this, play[\"X\"]",
            "play.carry_out": "yield from play.carry_out(t.face(card).said['text'])",
            "play.reading": "said.read(Play.reading(X=2))",
            "Said": "yield from said.run(play)\nsaid.read(play)             # where nothing is asked",
            "t.modified": 't.modified("hand size", 4, seat=seat)',
            "Add": "return Add(2)",
            "Set": "return Set(0)",
            "Floor": "return Floor(1)",
            "CANNOT": "return CANNOT",
            "t.happened": 't.happened("draw", seat=seat, card=card)\nfor waiting in t.queue: yield from t.resolve(waiting)',
            "t.queue": "while t.queue:\n    yield from t.resolve(t.queue[0])",
            "t.gather": 'for change in t.gather("what holds", looks_at_others): apply(change)',
            "t.lasting": "if not t.lasting: return",
            "t.resolve": "yield from t.resolve(t.queue[0])",
            "t.would": 'loss = yield from t.would("lose", seat, offer, n=3)\nif loss is None: return       # prevented',
            "PREVENT": "return PREVENT",
            "t.later": 't.later("this round", said, play)',
            "t.due": 'for entry in t.due("at your next turn", seat): yield from t.fulfil(entry)',
            "t.fulfil": "yield from t.fulfil(entry)",
            "t.expire": 't.expire("this round")',
            "t.in_force": 't.in_force("static", "hand size")',
            "About": "about.seat, about.card      # what t.modified, t.happened or t.would were told",
            "Source": "yield Source(t.players[seat].before_her, seat)   # in game.sources",
        },
    ),
    (
        "Views, and what bots see",
        "A view is what one seat may know: `view.players[0].points` reads a field, a zone is a `ZoneView`. `value(view, seat)` judges a view from 0 (lost) "
        "to 1 (won); without one, bots play every imagined match to its end, which costs as many decisions as a match has. `hint(view, option)` says how promising an option looks at first "
        "sight: 0 is neutral, -1 is never tried. The terminal's table is `picture(view, names)`; in the browser a game has `views/table.html` "
        "with its `table.css`, `emblems.toml` and `guide.html`, and without them a table that lists everything.",
        {
            "View": "def value(view: View, seat: int) -> float:\n    return view.players[seat].points / 10",
            "ZoneView": "view.players[0].hand.count\n[card.name for card in view.played]",
            "CardView": "card.name, card.face.cost\ncard.rotation",
            "HiddenCard": "card.place                  # it lies there, face down",
            "view.offers": "[offer.name for offer in match.view(seat).offers()]",
            "view.data": "match.view(seat).data()     # all of it, as plain data",
        },
    ),
    (
        "A match",
        "What plays a game: the terminal, the table, bots and tests.",
        {
            "match.new": "match = Match.new(game, 2, seed=1)",
            "match.pending": "match.pending               # {seat: Ask}",
            "match.answer": 'match.answer(0, ("mark", 4))',
            "match.options": "match.options(0)",
            "match.default": "match.default(0)",
            "match.apply": 'match.apply(("answer", 0, ("mark", 4)))',
            "match.view": "match.view(0)",
            "match.log": "[line.text for line in match.log(None)]",
            "match.copy": "twin = match.copy()",
            "match.redeal": "imagined = match.redeal(0, Chance.of(1))",
            "match.undo": "match.undo()",
            "match.save": "text = match.save()",
            "match.load": "match = Match.load(text, games.find)",
            "match.listen": "heard = match.listen(Moments())",
            "match.window": "match.window                # the Window that is open, or None",
            "match.without_log": "match.without_log().save(written_out=True)",
            "Moments": "for moment in heard.seen_by(0):\n    moment.view(0).data()",
            "Moment": "moment.line(0).text",
            "Listener": "class Rolls(Listener):\n    def rolled(self, t, sides, value): print(value)",
            "Change": "for change in match.content.changes():\n    print(change.words())",
            "BadRecord": "except BadRecord as problem: print(problem)",
            "Outdated": "except Outdated as problem: print(problem)",
            "Result": "match.result.winners, match.result.why",
            "winners_payoff": "game = Game(payoff=winners_payoff)",
        },
    ),
]  # fmt: skip

NOT_FOR_AUTHORS = {
    "Ask", "Asking", "BadCards", "BadOption", "Card", "Choice", "Game", "Hidden", "Line", "Match", "Option", "Step", "Strength", "Unreadable",
    "EVERYONE", "NOBODY", "OWNER", "TOP", "listed", "who",
}  # fmt: skip
"""What the kernel exports besides: types for annotations, and what stands in the chapters' own words."""


def page() -> str:
    return "\n".join(_lines()).rstrip() + "\n"


def _lines() -> Iterator[str]:
    yield "# The kernel"
    yield ""
    yield "Every name an author of a game may use. Steps get the state as `t`; phrases get a `play`. This page is written by `python -m tools.reference`"
    yield "from the docstrings. How it works inside, and why, stands in [the design](design.md)."
    for title, prose, names in CHAPTERS:
        yield from ("", f"## {title}", "", prose)
        for name, example in names.items():
            yield from ("", f"### `{name}`", "", *_entry(name, example))
    yield from ("", "## The game", "", "A file or a package makes one of these and calls it `game`.", "")
    yield from (f"- `{name}`: {words}" for name, words in _fields(Game))


def _entry(name: str, example: str) -> Iterator[str]:
    thing = _thing(name)
    if call := _signature(name, thing):
        yield from ("```python", call, "```", "")
    holder, _, member = name.rpartition(".")
    if words := _said(thing) or (holder and dict(_fields(OF[holder])).get(member, "")):
        yield from (words, "")
    yield from ("```python", example, "```")


def _thing(name: str) -> Any:
    holder, _, member = name.rpartition(".")
    return inspect.getattr_static(OF[holder], member) if holder else getattr(kernel, name)


def _plain(thing: Any) -> Any:
    return thing.fget if isinstance(thing, property) else getattr(thing, "__func__", thing)


def _signature(name: str, thing: Any) -> str:
    if (
        isinstance(thing, property)
        or not callable(_plain(thing))
        or (isinstance(thing, type) and issubclass(thing, Exception | SimpleNamespace))
    ):
        return ""
    try:
        words = str(inspect.signature(_plain(thing)))
    except (ValueError, TypeError):
        return ""
    words = re.sub(r"\((?:self|cls|t)\b(?:: [^,)]+)?(?:, )?", "(", words).replace("'", "")
    words = re.sub(r"ForwardRef\(([^()]*)\)", r"\1", words)
    words = re.sub(r"<Audience\.(\w+): [^>]*>", r"\1", words)
    words = re.sub(r"<function .*? at 0x\w+>", "…", words)
    return f"{name}{words.removesuffix(' -> None')}"


def _said(thing: Any) -> str:
    """A docstring, its code kept as code."""
    if not callable(_plain(thing)):
        return ""
    words = inspect.getdoc(_plain(thing)) or ""
    return "" if words.startswith(f"{getattr(thing, '__name__', '')}(") else words


def _fields(kind: type) -> Iterator[tuple[str, str]]:
    """The fields of a class, each with the text that stands below it."""
    body = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(body, ast.ClassDef)
    for node, after in zip(body.body, [*body.body[1:], None], strict=True):
        text = (
            after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        )
        if isinstance(node, ast.AnnAssign):
            name, kind_of_it = ast.unparse(node.target), f"`{ast.unparse(node.annotation)}`"
        elif isinstance(node, ast.Assign) and text:
            name, kind_of_it = ast.unparse(node.targets[0]), ""
        else:
            continue
        if not name.startswith("_"):
            yield name, " ".join(str(text).split()) or kind_of_it


def main() -> None:
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
