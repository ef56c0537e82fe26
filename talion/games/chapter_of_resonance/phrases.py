"""What the cards' sentences mean."""

from __future__ import annotations

from collections.abc import Callable

from talion.kernel import About, Asking, Card, Face, Option, Phrasebook, Play, Said, Set

from .rules import drawing, resolution, solo
from .rules.table import (
    END,
    PILES,
    RIVAL,
    ROMAN,
    TYPES,
    Rival,
    Witch,
    distinct,
    put,
    remove,
    stands_for,
    witch_at,
)
from .words import as_words

Who = Callable[[Play], list[Witch | Rival]]

DONE = ("Spell", "Solo card", "arrival")
LASTS = ("Demon", "passive")

book = Phrasebook(most=20)

WORDS = {"Herb(s)": "Herb", "Mineral(s)": "Mineral", "Crystal(s)": "Mineral", "Potion(s)": "Potion"}
"""CR-1.6 A Crystal is a Mineral."""
book.words("type", WORDS)
THINGS = {
    "Ritual Object(s)": TYPES,
    **{word: (sort,) for word, sort in WORDS.items()},
    "Artifact(s)": ("Artifact",),
    "Incantation(s)": ("Incantation",),
    "card(s)": tuple(PILES),
}
book.words("thing", THINGS)
book.words("lying", THINGS | {"Transient Object(s)": ("Transient",)})
book.words("way", {"clockwise": 1, "counterclockwise": -1})
book.words("gambit", {"Quarry": "Quarry", "Quarries": "Quarry", "Artifact(s)": "Artifact"})
book.synonyms("Witch player opponent", "center table middle", "Mineral crystal")


# Lines -----------------------------------------------------------------------------------------------------------------


@book.ability('{then:effect+". "}', said_in=DONE)
def in_order(play: Play, then: list[Said]) -> Asking:
    """CR-A51 Sentence by sentence, as far as each can be done."""
    for effect in then:
        yield from effect.run(play)


@book.ability("{when:trigger}, {then:effect}", said_in=LASTS)
def triggered(play: Play, when: Said, then: Said) -> Asking:
    """CR-11.1 What happens by itself."""
    yield from then.run(play)


@book.ability("{rule:static}", said_in=LASTS)
def changed_rule(play: Play, rule: Said) -> None:
    """CR-15.2 A rule that reads differently."""


# Who -------------------------------------------------------------------------------------------------------------------


def everybody(play: Play) -> list[Witch | Rival]:
    return play.t.everyone()


def others(play: Play) -> list[Witch | Rival]:
    return [witch for witch in play.t.everyone() if witch.seat != play.you]


def chosen(play: Play) -> list[Witch | Rival]:
    """CR-A51 Nobody, if she who may choose a Witch chose none: then what is said of that Witch is skipped."""
    return [] if play["that"] is None else [witch_at(play.t, play["that"])]


def furthest_behind(play: Play) -> list[Witch | Rival]:
    """CR-16.8 The tokens of the Rival count too."""
    witches = play.t.everyone()
    fewest = min(len(witch.tokens) for witch in witches)
    return [witch for witch in witches if len(witch.tokens) == fewest]


book.words(
    "who",
    {
        "each Witch": everybody,
        "each other Witch": others,
        "that Witch": chosen,
        "each Witch with the fewest tokens": furthest_behind,
    },
)
book.words("whom", {"a Witch": everybody, "another Witch": others})


@book.target("{whom:whom}", prompt="Choose a Witch")
def a_witch(play: Play, whom: Who) -> list[int]:
    """CR-A52 A Witch may be the caster, another Witch may not."""
    return sorted(RIVAL if witch.seat is None else witch.seat for witch in whom(play))


@book.effect("choose {whom:target}")
def choose(play: Play, whom: int) -> None:
    """CR-A40 She is “that Witch” in what follows."""
    play["that"] = whom


# How many --------------------------------------------------------------------------------------------------------------


book.words("count", {"the": (1, 1)})


@book.phrase("count", "{n:number}")
def exactly(play: Play, n: int) -> tuple[int, int]:
    return n, n


@book.phrase("count", "up to {n:number}")
def up_to(play: Play, n: int) -> tuple[int, int]:
    return 0, n


# Transforming, playing, removing ---------------------------------------------------------------------------------------


@book.phrase("shape", "{n:number} {type:type}")
def objects(play: Play, n: int, type: str) -> tuple[str, int]:  # noqa: A002 - the word on the cards
    """CR-14.3 One card that counts as several."""
    return type, n


@book.phrase("shape", "an Artifact")
def an_artifact(play: Play) -> tuple[str, int]:
    """CR-14.4 It acts with its own value."""
    return "Artifact", 1


@book.effect('transform this card into {shapes:shape+" or "}', said_in=("Spell",))
def transform(play: Play, shapes: list[tuple[str, int]]) -> Asking:
    """CR-14.1 The Incantation becomes what the Spell says."""
    t, shape = play.t, shapes[0]
    if len(shapes) > 1:
        options = [("become", *shape) for shape in shapes]
        option = yield from put(t, t.witches[play.you], options, "Transform the card", "CR-14.1")
        shape = option[1:]
    t.shape[play.this] = shape
    t.log(
        "CR-14.1",
        "{card} becomes {shape}.",
        card=play.this,
        shape=as_words(*shape),
    )


@book.effect("play {n:count} {what:thing} from your hand")
def play_cards(play: Play, n: tuple[int, int], what: tuple[str, ...]) -> Asking:
    """CR-14.5 From the caster's hand."""
    yield from drawing.play_from_hand(play.t, play.t.witches[play.you], *n, what)


@book.effect("remove {n:count} {what:lying} from the center")
def remove_cards(play: Play, n: tuple[int, int], what: tuple[str, ...]) -> Asking:
    """CR-14.7 Anything but an Incantation that is still one."""
    least, most = n
    for i in range(most):
        yield from remove_one(play, what, may_stop=i >= least)


def remove_one(play: Play, what: tuple[str, ...], may_stop: bool) -> Asking:
    t = play.t
    lying = [card for card in t.centre if is_one_of(play, card, what)]
    options: list[Option] = [("remove", card) for card in distinct(t, lying)]
    if not options:
        return
    if may_stop:
        options.append(("remove", "nothing"))
    option = options[0]
    if len(options) > 1:
        option = yield from put(t, t.witches[play.you], options, "Remove a card from the centre", "CR-14.7")
    if option[1] != "nothing":
        remove(t, option[1])
        t.log("CR-14.7", "{card} is removed.", card=option[1])


def is_one_of(play: Play, card: Card, what: tuple[str, ...]) -> bool:
    """CR-A25 Whether a card in the centre may be removed as one of these."""
    sort = stands_for(play.t, card)[0]
    return sort != "Incantation" and (sort in what or play.t.face(card).kind.capitalize() in what)


# Drawing, discarding, changing -----------------------------------------------------------------------------------------


@book.effect("draw {n:number} {what:thing}")
def draw(play: Play, n: int, what: tuple[str, ...]) -> Asking:
    """CR-14.12 From the open piles."""
    yield from drawing.draw(play.t, play.t.witches[play.you], n, what)


@book.effect("draw {n:number} additional {what:thing}")
def draw_additional(play: Play, n: int, what: tuple[str, ...]) -> Asking:
    """CR-A26 It does not bring another."""
    yield from drawing.draw_plainly(play.t, play.t.witches[play.you], n, what, "CR-A26")


@book.effect("{who:who} draws {n:number} {what:thing}")
def each_draws(play: Play, who: Who, n: int, what: tuple[str, ...]) -> Asking:
    """CR-12.2 Each player of this round's order; the Rival draws nothing."""
    for witch in who(play):
        if isinstance(witch, Witch):
            yield from drawing.draw(play.t, witch, n, what, "CR-12.2")


@book.effect("{who:who} discards {n:number} {what:thing}")
def each_discards(play: Play, who: Who, n: int, what: tuple[str, ...]) -> Asking:
    """CR-12.3 Each chooses for herself."""
    for witch in who(play):
        if isinstance(witch, Witch):
            yield from drawing.discard(play.t, witch, n, what)
        elif play.this in play.t.centre:  # a Spell; what a Gate does passes her by
            solo.rival_pays(play.t, play)


@book.effect("you discard {n:number} {what:thing}")
def you_discard(play: Play, n: int, what: tuple[str, ...]) -> Asking:
    """CR-14.14 You choose which."""
    yield from drawing.discard(play.t, play.t.witches[play.you], n, what)


@book.effect("{who:who} changes her Spell card")
def each_changes(play: Play, who: Who) -> Asking:
    """CR-14.10 Each picks for herself."""
    for witch in who(play):
        if isinstance(witch, Witch):
            yield from drawing.change_spell(play.t, witch)
        else:
            solo.rival_pays(play.t, play)


@book.effect("change your Spell card")
def change(play: Play) -> Asking:
    """CR-14.10 You pick a new one."""
    yield from drawing.change_spell(play.t, play.t.witches[play.you])


# The Demon and the Rival -----------------------------------------------------------------------------------------------


@book.effect("the Demon recovers {n:number} Chain(s)")
def recover(play: Play, n: int) -> None:
    """CR-12.4 Three at most."""
    resolution.recover_chains(play.t, n)


@book.effect("the Demon loses {n:number} Chain(s)")
def lose(play: Play, n: int) -> Asking:
    """CR-A43 As far as it has any."""
    yield from resolution.lose_chains(play.t, n)


@book.effect("the Demon moves {n:number} card(s) {way:way}")
def move(play: Play, n: int, way: int) -> Asking:
    """CR-10.3 A move that is an arrival, not an activation."""
    t = play.t
    t.demon = (t.demon - 1 + n * way) % len(t.ring) + 1
    t.log("CR-10.3", "The Demon moves to {number}.", number=ROMAN[t.demon])
    yield from resolution.arrival(t, play.depth)


@book.effect("the Rival plays {n:number} {what:gambit}")
def rival(play: Play, n: int, what: str) -> None:
    """CR-16.5 From the piles."""
    if play.t.solo:
        solo.rival_plays(play.t, n, what)


# When ------------------------------------------------------------------------------------------------------------------


@book.effect("you may {then:effect}")
def may(play: Play, then: Said) -> Asking:
    """CR-14.7 She may also leave it."""
    witch = play.t.witches[play.you]
    question = f"{then.text[0].upper()}{then.text[1:]}?"
    option = yield from put(play.t, witch, [("yes",), ("no",)], question, "CR-14.7", ("no",))
    if option == ("yes",):
        yield from then.run(play)


@book.effect("at the end of the round, {then:effect}", opens="end of the round")
def at_the_end(play: Play, then: Said) -> None:
    """CR-14.18 After the Demon's action."""
    play.t.later(END, then, play)


@book.trigger("whenever you draw a(n) {what:thing}", event="draw")
def drawn(play: Play, what: tuple[str, ...], about: About) -> bool:
    """CR-11.3 Once for each draw."""
    return about.seat == play.you and any(sort in what for sort in about.taken)


book.words(
    "occasion",
    {
        "whenever you complete a Vengeance": "vengeance",
        "whenever the Demon loses a Chain": "chain",
        "if no Ritual Object prevails": "nothing prevails",
    },
)


@book.trigger("{name:occasion}", event="occasion")
def occasion(play: Play, name: str, about: About) -> bool:
    """CR-11.6 Your Vengeance, anybody's Chain, or nothing at all."""
    return about.name == name and about.seat in (None, play.you)


def not_each_type(said: Said) -> str | None:
    return None if len(set(said.constant.values())) == len(TYPES) else "must name each type once (CR-9.4)."


@book.static(
    "ties are broken in the order {first:type}, {second:type}, {third:type}",
    question="tie rank",
    wrong=not_each_type,
)
def tie_order(play: Play, first: str, second: str, third: str, about: About) -> Set:
    """CR-9.4 The first named prevails over the others."""
    return Set(3 - (first, second, third).index(about.sort))


def said_in(face: Face, field: str) -> tuple[str]:
    """In which occasion a field of a card is said."""
    return ({"texts": "Spell", "text": "Demon" if face.kind == "demon" else "Solo card"}.get(field, field),)
