"""What the sentences of the cards mean.

A resource means the field of a clone that holds it, so `3 corpus` is `("corpus", 3)` to the rules. A sentence is said in
an attack, in a reaction or in a state, or in a turn that one of its phrases opens.
"""

from __future__ import annotations

from typing import Any

from talion.kernel import CANNOT, About, Add, Asking, Card, Face, Phrasebook, Play, Said, Set

from . import rules

LASTING = ("state", "this turn")
BURDEN = ("their next turn",)

book = Phrasebook(most=99)

# Vocabulary -------------------------------------------------------------------------------------------------------

MEASURES = {"tick(s)": "ticks", "corpus": "corpus", "cerebrium": "cerebrium"}
book.words("measure", MEASURES)
book.words(
    "resource",
    {**MEASURES, "card(s)": "hand", "state(s)": "states", "forgotten card(s)": "forgotten"},
)
book.words("group", ("each opponent", "each clone", "that clone", "the active clone"))
book.words("part", {"that action": "action", "its benefit": "benefit", "its penalty": "penalty"})
book.words("edge", ("beginning", "end"))
book.words("way", ("pop", "push"))
book.synonyms(
    "leech steal drain siphon",
    "pop reveal flip",
    "clone player opponent",
    "corpus life health",
    "cerebrium mind",
)

TYPES = {"card": None, "attack": "attack", "action card": "attack", "reaction": "reaction", "state": "state"}
book.words(
    "sort",
    {
        f"{discipline} {word}(s)".strip(): (discipline or None, kind)
        for discipline in ("", "physical", "mental")
        for word, kind in TYPES.items()
    },
)

ATTACK = ("attack", None)
book.words(
    "action",
    {
        "action": None,
        "attack": ATTACK,
        "action card": ATTACK,
        "physical attack": ("attack", "physical"),
        "mental attack": ("attack", "mental"),
        "state": ("state", None),
        "take": ("take", None),
        "activated ability": ("activate", None),
    },
)

DEEDS = {
    "play an attack": ("attack",),
    "play an action card": ("attack",),
    "play a reaction": ("reaction",),
    "play a state": ("state",),
    "play a card": ("attack", "reaction", "state"),
    "activate an ability": ("ability",),
    "take a card": ("take",),
    "draw a card": ("draw",),
    "add a card to your hand": ("add",),
    "discard a card": ("discard",),
}
THEIR_DEEDS = {words.replace(" ", "s ", 1).replace("your", "their"): deeds for words, deeds in DEEDS.items()}
book.words("arrow", {"[down]": "down", "[up]": "up", "[double]": "double"})
book.words("whose", {"your": "down", "each opponent's": "up", "each clone's": "double"})
book.words(
    "deed",
    {f"you {words}": ("down", deeds) for words, deeds in DEEDS.items()}
    | {f"an opponent {words}": ("up", deeds) for words, deeds in THEIR_DEEDS.items()}
    | {f"a clone {words}": ("double", deeds) for words, deeds in THEIR_DEEDS.items()},
)


# Costs and amounts ------------------------------------------------------------------------------------------------


@book.amount("X", x=True)
def chosen_number(play: Play) -> int:
    """PV-4.11 The number chosen for X; 0 where nobody chose one."""
    return play["X"] or 0


@book.amount("X+{k:number}", x=True)
def chosen_number_and_more(play: Play, k: int) -> int:
    """PV-4.11 X inside a sum."""
    return (play["X"] or 0) + k


@book.phrase("share", "{n:amount} {what:resource}")
def share(play: Play, n: int, what: str) -> tuple[str, int]:
    """PV-4.9 One resource of a cost."""
    return what, n


@book.phrase("price", '{shares:share+", "}')
def price(play: Play, shares: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """PV-4.3 The whole of a cost."""
    return shares


# Losing and gaining -----------------------------------------------------------------------------------------------


@book.effect("inflict {n:amount} {what:resource}", chooses=True, worth=1)
def inflict(play: Play, n: int, what: str) -> Asking:
    """PV-12.1 One opponent loses that much."""
    if play["attack"]:
        n = play.t.modified("inflicts", n, seat=play.you, what=what)
    victim = yield from rules.opponent(play)
    if victim is not None:
        yield from rules.lose(play, victim, what, n)


@book.effect("leech {n:amount} {what:measure}", chooses=True, worth=2)
def leech(play: Play, n: int, what: str) -> Asking:
    """PV-12.2 One opponent loses that much, and you gain it."""
    victim = yield from rules.opponent(play)
    if victim is not None:
        lost = yield from rules.lose(play, victim, what, n)
        rules.look_for_deaths(play.t)
        if play.t.clones[play.you].alive:
            rules.gain(play.t, play.you, what, n if play.t.options["leech_gain"] == "printed" else lost)


@book.effect("lose {n:amount} {what:resource}", worth=-1)
def lose(play: Play, n: int, what: str) -> Asking:
    """PV-3.7 You lose that much."""
    yield from rules.lose(play, play.you, what, n)


@book.effect("gain {n:amount} {what:measure}", worth=1)
def gain(play: Play, n: int, what: str) -> None:
    """PV-R6 You gain that much."""
    rules.gain(play.t, play.you, what, n)


@book.effect("{who:group} loses {n:amount} {what:resource}", worth=1)
def others_lose(play: Play, who: str, n: int, what: str) -> Asking:
    """PV-14.1 Everybody named loses that much before anybody looks for the dead."""
    for seat in those(play, who):
        yield from rules.lose(play, seat, what, n)


@book.effect("discard {n:amount} card(s)", worth=-1)
def discard(play: Play, n: int) -> Asking:
    """PV-4.5 You discard cards of your choice."""
    yield from rules.lose(play, play.you, "hand", n)


@book.effect("{who:group} discards {n:amount} card(s)", worth=1)
def others_discard(play: Play, who: str, n: int) -> Asking:
    """PV-R17 Whoever discards chooses."""
    for seat in those(play, who):
        yield from rules.lose(play, seat, "hand", n)


@book.effect("choose a clone", chooses=True, names_clone=True)
def choose_a_clone(play: Play) -> Asking:
    """PV-13.4 Later sentences speak of that clone."""
    play["that clone"] = yield from rules.opponent(play)


def those(play: Play, who: str) -> list[int]:
    """The living clones that are meant, clockwise from the active one."""
    t: rules.Vendetta = play.t
    seats = [t.active, *t.after(t.active)[:-1]]
    meant = {
        "each opponent": [seat for seat in seats if seat != play.you],
        "each clone": seats,
        "that clone": [seat for seat in seats if seat == play["that clone"]],
        "the active clone": [t.active],
    }
    return [seat for seat in meant[who] if t.clones[seat].alive]


# Cards ------------------------------------------------------------------------------------------------------------


@book.effect("draw {n:amount} card(s)", worth=1.2)
def draw(play: Play, n: int) -> None:
    """PV-13.6 From the top of the head to your hand."""
    rules.draw(play.t, play.you, n)


@book.effect("{who:group} draws {n:amount} card(s)", worth=-1.2)
def others_draw(play: Play, who: str, n: int) -> None:
    """PV-13.6 From the top of the head to their hands."""
    for seat in those(play, who):
        rules.draw(play.t, seat, n)


@book.effect("{way:way} {n:amount}")
def pop_or_push(play: Play, way: str, n: int) -> Asking:
    """PV-12.3 PV-12.4 From the head into headspace, or back under the head in an order of your choice."""
    t = play.t
    if way == "pop":
        rules.turn_up(t, n)
        return
    clone = t.clones[play.you]
    cards = yield from rules.pick_to_bury(t, clone, t.headspace, n, "push", "PV-12.4")
    rules.bury(t, clone, cards)


@book.effect("add {n:amount} {what:sort} from your forgotten pile to your hand", worth=1)
def add_forgotten(play: Play, n: int, what: tuple[str | None, str | None]) -> Asking:
    """PV-13.5 From your forgotten pile to your hand."""
    clone = play.t.clones[play.you]
    fitting = [card for card in clone.forgotten if is_a(play.t.face(card), what)]
    cards = yield from rules.pick_from(play.t, clone, fitting, n, "add", "PV-13.5")
    for card in cards:
        rules.add(play.t, clone, card)
        play.t.log("PV-13.5", "{clone} adds {card} from the forgotten pile.", clone=clone, card=card)


@book.effect("put {n:amount} {what:sort} from your forgotten pile on the bottom of your head")
def bury_forgotten(play: Play, n: int, what: tuple[str | None, str | None]) -> Asking:
    """PV-4.7 From your forgotten pile under the head, in an order of your choice."""
    clone = play.t.clones[play.you]
    fitting = [card for card in clone.forgotten if is_a(play.t.face(card), what)]
    cards = yield from rules.pick_to_bury(play.t, clone, fitting, n, "bury", "PV-4.7")
    rules.bury(play.t, clone, cards)


@book.effect("add {n:amount} card(s) at random from that clone's hand to your hand", worth=2)
def add_at_random(play: Play, n: int) -> None:
    """PV-13.5 Chance picks the cards; only the two clones see which."""
    t = play.t
    for seat in those(play, "that clone"):
        for _ in range(min(n, len(t.clones[seat].hand))):
            card = t.chance.pick(t.clones[seat].hand)
            rules.add(t, t.clones[play.you], card)
            t.log(
                "PV-13.5",
                "{thief} picks {card} from the hand of {clone}.",
                thief=t.clones[play.you],
                card=card,
                clone=t.clones[seat],
            )


@book.effect("set aside the top card of your head", names_it=True)
def set_aside(play: Play) -> None:
    """PV-13.1 Face down, unseen by anyone."""
    card = rules.top_card(play.t)
    play["it"] = card
    if card is not None:
        play.t.move(card, play.t.clones[play.you].aside)
        play.t.log("PV-13.1", "{clone} sets a card aside.", clone=play.t.clones[play.you])


@book.effect("add it to your hand", worth=1)
def add_it(play: Play) -> None:
    """PV-13.2 The card that this effect set aside."""
    clone = play.t.clones[play.you]
    if play["it"] is not None and play["it"] in clone.aside:
        rules.add(play.t, clone, play["it"])
        play.t.log("PV-13.2", "{clone} adds {card}, set aside before.", clone=clone, card=play["it"])


def is_a(face: Face, sort: tuple[str | None, str | None]) -> bool:
    discipline, kind = sort
    return face.discipline == (discipline or face.discipline) and face.type == (kind or face.type)


# Later, and for a while -------------------------------------------------------------------------------------------


@book.effect("at the beginning of your next turn, {does:effect}", opens="your next turn")
def at_your_next_turn(play: Play, does: Said) -> None:
    """PV-8.4 Comes with the beginning triggers of your next turn."""
    play.t.later("your next turn", does, remembered(play, play.you))


@book.effect("on their next turn, {burden:static}", opens="their next turn")
def on_their_next_turn(play: Play, burden: Said) -> None:
    """PV-R39 Rests on that clone, whatever becomes of you."""
    for seat in those(play, "that clone"):
        play.t.later("their next turn", burden, remembered(play, seat))


@book.effect("{rule:static} this turn", opens="this turn")
def this_turn(play: Play, rule: Said) -> None:
    """PV-7.4 Holds until the turn is over."""
    play.t.later("this turn", rule, remembered(play, play.you))


def remembered(play: Play, you: int) -> Play:
    """What later sentences may still speak of. The action is over by then: its pools and bonuses are not among it."""
    names = {name: play[name] for name in ("X", "it", "that clone") if play[name] is not None}
    return Play(play.t, you, play.this, play.face, since=play.t.turn, **names)


# What reactions do to the action ------------------------------------------------------------------------------------


@book.effect("resolve the benefit of that attack", said_in=("reaction",), worth=4)
def copy_that_benefit(play: Play) -> Asking:
    """PV-R48 Not played, only done again, with the X announced."""
    t: rules.Vendetta = play.t
    if is_action(t, ATTACK) and t.clones[t.active].alive:
        yield from copied(play, t.subject, t.x)


@book.effect("resolve the benefit of an attack in your forgotten pile", worth=4)
def copy_benefit(play: Play) -> Asking:
    """PV-R48 Not played, only done again, with X at 0."""
    t: rules.Vendetta = play.t
    clone = t.clones[play.you]
    attacks = [card for card in clone.forgotten if t.face(card).type == "attack"]
    for card in (yield from rules.pick_from(t, clone, attacks, 1, "resolve", "PV-R48")):
        t.log("PV-R48", "The benefit of {card} is resolved again.", card=card)
        yield from copied(play, card, None)


def copied(play: Play, card: Card, x: int | None) -> Asking:
    """PV-R48 The copying clone is `you`; bonuses and reductions count if an attack copies."""
    t = play.t
    copy = Play(t, play.you, play.this, play.face, X=x, action=play["action"], attack=play["attack"])
    copy.depth = play.depth
    yield from rules.carry_out(copy, t.face(card).said.get("benefit", ()))


@book.effect("lose {n:amount} {what:resource} fewer than printed", said_in=("reaction",), worth=0.7)
def lose_fewer(play: Play, n: int, what: str) -> None:
    """PV-R15 A pool against the losses from the action reacted to."""
    spared = play.t.clones[play.you].spared
    spared[what] = spared.get(what, 0) + n


@book.effect("negate {part:part}", said_in=("reaction",), worth=4)
def negate(play: Play, part: str) -> None:
    """PV-R34 The action, or one part of its effect, will not happen."""
    play.t.negated = (*play.t.negated, part)


@book.condition("a(n) {action:action}")
def any_action(play: Play, action: Any) -> bool:
    """PV-6.6 Whoever acts."""
    return is_action(play.t, action)


@book.condition("an opponent's {action:action}")
def opponents_action(play: Play, action: Any) -> bool:
    """PV-6.6 An opponent acts."""
    return play.t.active != play.you and is_action(play.t, action)


@book.condition("your own {action:action}")
def own_action(play: Play, action: Any) -> bool:
    """PV-6.6 You act."""
    return play.t.active == play.you and is_action(play.t, action)


def is_action(t: rules.Vendetta, wanted: tuple[str, str | None] | None) -> bool:
    """PV-R32 Whether the action in progress is what a condition speaks of."""
    if wanted is None:
        return True
    kind, discipline = wanted
    if t.action != "play":
        return t.action == kind
    return is_a(t.face(t.subject), (discipline, kind))


# Abilities of states ------------------------------------------------------------------------------------------------


@book.ability('{when:trigger}, {does:effect+". "}')
def triggered(play: Play, when: Said, does: list[Said]) -> Asking:
    """PV-7.2 Happens when its event does."""
    yield from rules.carry_out(play, does)


@book.ability('{price:price}: {does:effect+". "}')
def activated(play: Play, price: Any, does: list[Said]) -> Asking:
    """PV-7.3 Used by the activate action."""
    yield from rules.carry_out(play, does)


@book.ability("{rule:static}")
def static(play: Play, rule: Said) -> None:
    """PV-7.4 Holds while the state is in play."""


@book.trigger("{arrow:arrow} at the {edge:edge} of {whose:whose} turn", event="turn")
def edge_of_a_turn(play: Play, arrow: str, edge: str, whose: str, about: About) -> bool:
    """PV-8.4 At the beginning or the end of a turn."""
    return about.edge == edge and concerns(play, whose, about.seat)


@book.trigger("{arrow:arrow} whenever {deed:deed}", event="deed")
def whenever(play: Play, arrow: str, deed: tuple[str, tuple[str, ...]], about: About) -> bool:
    """PV-7.2 Whenever somebody does something."""
    who, deeds = deed
    return about.deed in deeds and concerns(play, who, about.seat)


def concerns(play: Play, arrow: str, seat: int) -> bool:
    """PV-7.5 Down: yourself. Up: opponents. Double: everybody. Whoever it is becomes `that clone`."""
    play["that clone"] = seat
    return arrow == "double" or (arrow == "down") == (seat == play.you)


# Rules that states change -------------------------------------------------------------------------------------------


@book.static("your hand size is {n:amount}", question="hand size", said_in=LASTING, worth=3)
def hand_size(play: Play, n: int, about: About) -> Any:
    """PV-R37 Of several, the largest counts."""
    return Set(n) if about.seat == play.you else None


@book.static(
    "attacks you play inflict {n:amount} additional {what:resource}",
    question="inflicts",
    said_in=LASTING,
    worth=3,
)
def inflict_more(play: Play, n: int, what: str, about: About) -> Any:
    """PV-R45 Added to each inflict of that resource."""
    return Add(n) if (about.seat, about.what) == (play.you, what) else None


@book.static(
    "you lose {n:amount} {what:resource} fewer from each opponent's attack",
    question="shield",
    said_in=LASTING,
    worth=3,
)
def lose_fewer_from_attacks(play: Play, n: int, what: str, about: About) -> Any:
    """PV-R45 So much less from one attack in all."""
    return Add(n) if (about.seat, about.what) == (play.you, what) else None


@book.static(
    "you gain {n:amount} additional tick(s) at the start of your turn",
    question="ticks gained",
    said_in=("state",),
    worth=3,
)
def gain_more_ticks(play: Play, n: int, about: About) -> Any:
    """PV-8.2 More ticks at the beginning of your turn."""
    return Add(n) if about.seat == play.you else None


@book.static(
    "reactions cost you {n:amount} {what:resource} less", question="reaction cost", said_in=LASTING, worth=3
)
def cheaper_reactions(play: Play, n: int, what: str, about: About) -> Any:
    """PV-R20 Down to 0."""
    return Add(-n) if (about.seat, about.what) == (play.you, what) else None


@book.static(
    "takes cost opponents {n:amount} additional {what:resource}",
    question="take cost",
    said_in=LASTING,
    worth=3,
)
def dearer_takes(play: Play, n: int, what: str, about: About) -> Any:
    """PV-5.3 On top of the tick."""
    return Add(n) if about.seat != play.you and about.what == what else None


@book.static(
    "opponents cannot play reactions during your turn", question="may react", said_in=LASTING, worth=3
)
def no_reactions(play: Play, about: About) -> Any:
    """PV-R45 Cannot beats can."""
    return CANNOT if about.seat != play.you and play.t.active == play.you else None


@book.static("ignore the penalties of attacks you play", question="penalties", said_in=LASTING, worth=3)
def no_penalties(play: Play, about: About) -> Any:
    """PV-3.7 Benefits alone."""
    return CANNOT if about.seat == play.you else None


@book.static("that clone gains {n:amount} fewer tick(s)", question="ticks gained", said_in=BURDEN, worth=2)
def gain_fewer_ticks(play: Play, n: int, about: About) -> Any:
    """PV-8.2 Fewer ticks at the beginning of the turn that follows."""
    return Add(-n) if rests_on(play, about) else None


@book.static(
    "that clone cannot take while they can spend a tick to play or activate",
    question="may take",
    said_in=BURDEN,
    worth=1,
)
def must_play(play: Play, about: About) -> Any:
    """PV-15.1 The rules say what counts as able to."""
    return CANNOT if rests_on(play, about) else None


def rests_on(play: Play, about: About) -> bool:
    """Whether a burden weighs on this clone now: from its next turn on, until that is over."""
    return about.seat == play.you and play.t.turn > play["since"]


def said_in(face: Face, field: str) -> tuple[str]:
    """In which occasion a field of a card is said: what a card does is said in a card of its type."""
    return (field,) if field in ("cost", "reacts_to") else (face.type,)
