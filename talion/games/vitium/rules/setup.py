"""VT-5: decks, characters, starting hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from talion.kernel import Asking, Card, Content, Face, Option, Together
from talion.kernel.tables import nearest

from .table import HOUSES, Table, printed
from .turn import start_of_turn

DECK = 40
COPIES = 3


def named_list(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def build(t: Table) -> None:
    """VT-5.1 Each player has a deck and a character."""
    decks = {deck["name"]: deck for deck in t.content.other_things("deck")}
    names = named_list(t.options["decks"]) or list(decks)
    for boss in t.bosses:
        deck = decks[names[boss.seat % len(names)]]
        boss.character = deck["character"]
        for name, copies in deck["cards"].items():
            for _ in range(copies):
                t.create(t.content.named[name], boss.hand)
    for seat, character in enumerate(named_list(t.options["characters"])):
        t.bosses[seat].character = character


def set_up(t: Table) -> Asking:
    """VT-5.3 Everybody looks through the whole deck and secretly picks the first cards of the hand."""
    for boss in t.bosses:
        t.shuffle(boss.hand)
        t.look(boss.seat, boss.hand)
    draw_turn_order(t)
    picks = yield Together(pick_hand, t.seat_numbers, reveals=False)
    for place, seat in enumerate(t.order):
        boss = t.bosses[seat]
        character = character_of(t, seat)
        t.log("VT-5.1", "{who} is {name}.", who=boss, name=boss.character)
        boss.income = character["income"]
        boss.wealth = character["wealth"] + t.options["later_seats_wealth"] * place
        boss.influence.update(character["influence"])
        t.move_all([card for card in boss.hand if card not in picks[seat]], boss.deck)
        t.shuffle(boss.deck)
        for _ in range(character["drawn"]):
            t.draw(boss.deck, boss.hand)
    t.log("VT-5.2", "{who} begins.", who=t.active_boss)
    return start_of_turn


def draw_turn_order(t: Table) -> None:
    """VT-5.2 The order of turns is drawn at random."""
    seats = list(t.seat_numbers)
    t.chance.shuffle(seats)
    t.order = tuple(seats)
    t.active = seats[0]


def character_of(t: Table, seat: int) -> dict[str, Any]:
    name = t.bosses[seat].character
    return next(one for one in t.content.other_things("character") if one["name"] == name)


def pick_hand(t: Table, seat: int) -> Asking:
    """VT-5.3 As many cards as the character may choose."""
    chosen = character_of(t, seat)["chosen"]
    picked = []
    for n in range(chosen):
        prompt = f"Pick a card for your hand ({n + 1} of {chosen})"
        _, card = yield t.ask(seat, still_to_pick(tuple(picked)), prompt, "VT-5.3", secret=True)
        picked.append(card)
    return tuple(picked)


def still_to_pick(picked: tuple[Card, ...]) -> Callable[[Table, int], list[Option]]:
    def options(t: Table, seat: int) -> list[Option]:
        left = {t.faces[card]: card for card in reversed(t.bosses[seat].hand) if card not in picked}
        return [("pick", card) for card in sorted(left.values(), key=lambda card: t.face(card).name)]

    return options


# What decks must keep -------------------------------------------------------------------------------------------------


def deck_problem(deck: dict[str, Any], content: Content) -> str | None:
    """VT-B17 Forty cards, three of a name, one of a Unique name."""
    cards = deck["cards"]
    for name, copies in cards.items():
        if name not in content.named:
            return f"the deck {deck['name']} has {name}, which is no card{nearest(name, content.named)}"
        most = 1 if printed(content.named[name]).unique else COPIES
        if not 0 < copies <= most:
            return f"the deck {deck['name']} has {copies} of {name}; it may have 1 to {most}"
    if sum(cards.values()) != DECK:
        return f"the deck {deck['name']} has {sum(cards.values())} cards; a deck has {DECK}"
    return None


def check_names(kind: str) -> Callable[[Any, Content, int], str | None]:
    """An option that names one printed thing of a kind for each seat."""

    def check(value: Any, content: Content, seats: int) -> str | None:
        known = [thing["name"] for thing in content.other_things(kind)]
        names = named_list(str(value))
        for name in names:
            if name not in known:
                return f"there is no {kind} {name}; there are: {', '.join(known)}."
        if names and len(names) != seats:
            return f"name one {kind} for each of the {seats} seats, with commas between them."
        return None

    return check


def check_money(value: Any, content: Content, seats: int) -> str | None:
    return None if isinstance(value, int) and 0 <= value <= 5000 else "it is an amount of Ç from 0 to 5000."


def problems(content: Content) -> Iterator[str]:
    """What is wrong with printed cards, decks and characters beyond their sentences."""
    for face in content.faces:
        yield from card_problems(face)
    for character in content.other_things("character"):
        odd = [house for house in character["influence"] if house not in HOUSES]
        if odd:
            yield f"{character['name']}: there is no House {odd[0]}."
    known = {character["name"] for character in content.other_things("character")}
    for deck in content.other_things("deck"):
        if problem := deck_problem(deck, content):
            yield f"{problem}."
        if deck["character"] not in known:
            yield f"the deck {deck['name']} needs a character, one of: {', '.join(sorted(known))}."


def card_problems(face: Face) -> Iterator[str]:
    face_printed = printed(face)
    if face_printed.alters and face.kind == "job":
        yield f"{face.name}: a job does not alter."
    for line in face_printed.lines:
        if line.sneak and face_printed.is_event:
            yield f"{face.name}: only assets sneak."
        if line.by_pawn and not face_printed.is_pawn:
            yield f"{face.name}: only pawns act and seduce."
