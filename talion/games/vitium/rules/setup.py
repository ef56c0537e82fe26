"""VT-5: decks, characters, starting hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from talion.kernel import Asking, Card, Option, Together

from .table import Table
from .turn import start_of_turn


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


def named_list(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


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
        left = t.distinct([card for card in t.bosses[seat].hand if card not in picked])
        return [("pick", card) for card in sorted(left, key=lambda card: t.face(card).name)]

    return options
