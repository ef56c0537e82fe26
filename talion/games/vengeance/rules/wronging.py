"""VG-2: the Wronging."""

from __future__ import annotations

from typing import Any

from talion.kernel import Asking, Card, Together

from .attributes import current
from .grudges import put_in_play
from .table import Vengeance
from .turns import next_turn

DEALT = 9
KEPT = 7
SUFFERED = 3


def deal(t: Vengeance) -> Any:
    """VG-2.2, VG-2.3 Nine cards each; with two players the others stay in the deck."""
    for hero in t.heroes:
        for _ in range(DEALT):
            t.draw(t.vengeance_deck, hero.draft)
    return handed_out if t.options["quickstart"] else keep


def keep(t: Vengeance) -> Asking:
    """VG-2.4, VG-2.5 All keep one card, unseen, and pass the others on."""
    kept = yield Together(keep_one, t.seat_numbers, reveals=False)
    for seat, card in kept.items():
        t.move(card, t.heroes[seat].hand)
    t.log("VG-2.4", "Everybody keeps a card.")
    if len(t.heroes[0].hand) < KEPT:
        pass_hands(t)
        return keep
    return leave_over


def keep_one(t: Vengeance, seat: int) -> Asking:
    answer = yield t.ask(seat, keepable, "Keep one card and pass the others on", "VG-2.4", secret=True)
    return answer[1]


def keepable(t: Vengeance, seat: int) -> list[tuple[str, Card]]:
    return [("keep", card) for card in t.heroes[seat].draft]


def pass_hands(t: Vengeance) -> None:
    """VG-2.6 All hands go to the next seat at the same moment."""
    t.exchange((list(hero.draft), t.heroes[t.after(seat)[0]].draft) for seat, hero in enumerate(t.heroes))


def leave_over(t: Vengeance) -> Any:
    """VG-2.7 What nobody kept becomes the Vengeance deck, with the cards set aside."""
    for hero in t.heroes:
        t.move_all(hero.draft, t.vengeance_deck)
    t.shuffle(t.vengeance_deck)
    return wrong


def wrong(t: Vengeance) -> Asking:
    """VG-2.9, VG-2.10, VG-Q7 All choose three cards at once; then they are shown and suffered."""
    chosen = yield Together(choose_wrongs, t.seat_numbers)
    for seat, cards in chosen.items():
        for card in cards:
            put_in_play(t, seat, card)
    return first_order


def choose_wrongs(t: Vengeance, seat: int) -> Asking:
    chosen: list[Card] = []
    while len(chosen) < SUFFERED:
        left = [("suffer", card) for card in t.heroes[seat].hand if card not in chosen]
        prompt = f"Who has wronged you? ({len(chosen) + 1} of {SUFFERED})"
        answer = yield t.ask(seat, left, prompt, "VG-2.9", secret=True)
        chosen.append(answer[1])
    return chosen


def handed_out(t: Vengeance) -> Any:
    """VG-1.24, VG-Q70 Quickstart: the first seven cards dealt are kept, three of them at random are in play."""
    for hero in t.heroes:
        t.move_all(hero.draft[:KEPT], hero.hand)
        t.move_all(hero.draft, t.vengeance_deck)
    t.shuffle(t.vengeance_deck)
    for seat, hero in enumerate(t.heroes):
        cards = list(hero.hand)
        t.chance.shuffle(cards)
        for card in cards[:SUFFERED]:
            put_in_play(t, seat, card)
    return first_order


def first_order(t: Vengeance) -> Any:
    """VG-2.12, VG-2.13, VG-Q8 By Mind value, the highest first; ties by chance."""
    seats = list(t.seat_numbers)
    t.chance.shuffle(seats)
    t.order = tuple(sorted(seats, key=lambda seat: -current(t, t.heroes[seat], "Mind").value))
    t.log("VG-2.12", "The order is {order}.", order=[t.heroes[seat] for seat in t.order])
    return next_turn
