"""Sealed: a little game for the table's tests, with everything that could leak.

Hands are hidden; each round all choose in secret, one card or two, so the rows differ in length; then everybody in turn
gets a reaction window, which those who hold a Guard can use.
"""

import sys
from pathlib import Path

from talion.kernel import EVERYONE, NOBODY, OWNER, Counter, Game, Part, Seats, State, Together, Zone

ROUNDS = 4


class Fencer(Part):
    hand = Zone(seen_by=OWNER)
    score = Counter()


class Bout(State):
    deck = Zone(seen_by=NOBODY)
    shown = Zone(seen_by=EVERYONE)
    round = Counter()
    fencers = Seats(Fencer)


def build(t):
    t.create_all(t.deck)


def deal(t):
    """SE-1 Five cards each."""
    t.shuffle(t.deck)
    for fencer in t.fencers:
        for _ in range(5):
            t.draw(t.deck, fencer.hand)
    return round_begins


def row(t, seat):
    """SE-2 Choose a card, and perhaps a second one."""
    hand = t.fencers[seat].hand
    first = yield t.ask(
        seat, lambda t, seat: [("lay", card) for card in hand], "Lay a card face down", "SE-2"
    )
    more = yield t.ask(seat, [("enough",), ("more",)], "Another one?", "SE-2", default=("enough",))
    if more == ("enough",):
        return [first[1]]
    rest = [card for card in hand if card != first[1]]
    second = yield t.ask(seat, [("lay", card) for card in rest], "Lay the second card", "SE-2")
    return [first[1], second[1]]


def round_begins(t):
    """SE-2 All lay cards in secret, then show them."""
    if t.round == ROUNDS:
        best = max(fencer.score for fencer in t.fencers)
        winners = [fencer.seat for fencer in t.fencers if fencer.score == best]
        t.over(winners, "The best score wins.", "SE-5", [fencer.score for fencer in t.fencers])
    t.round += 1
    laid = yield Together(row, t.seat_numbers)
    for seat, cards in laid.items():
        for card in cards:
            t.move(card, t.shown)
            t.fencers[seat].score += t.face(card).worth - (len(cards) - 1)
        t.log("SE-2", "{who} shows {cards}.", who=t.fencers[seat], cards=cards)
    return window, 0


def reactions(t, seat):
    yield ("pass",)
    for card in t.fencers[seat].hand:
        if t.face(card).name == "Guard":
            yield ("react", card)


def window(t, seat):
    """SE-3 Each in turn may react with a Guard."""
    answer = yield t.ask(seat, reactions, "React?", "SE-3", default=("pass",), window=True)
    if answer != ("pass",):
        t.move(answer[1], t.shown)
        t.fencers[seat].score += 1
        t.log("SE-3", "{who} reacts with {card}.", who=t.fencers[seat], card=answer[1])
    return (window, seat + 1) if seat + 1 < t.seats_taken else refill


def refill(t):
    """SE-4 Back to five cards."""
    for fencer in t.fencers:
        while len(fencer.hand) < 5 and t.deck:
            t.draw(t.deck, fencer.hand)
    if any(len(fencer.hand) < 2 for fencer in t.fencers):
        t.round = ROUNDS
    return round_begins


game = Game(
    key="sealed",
    title="Sealed",
    about="Lay cards in secret.",
    seats=(2, 3),
    state=Bout,
    start=deal,
    rules=sys.modules[__name__],
    longest=400,
    folder=Path(__file__).parent,
    build=build,
)
