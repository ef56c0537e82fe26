"""Matches that are only played out: sealed rows go straight into the steps, and choose as rows do."""

import random
import sys
from collections import Counter as Tally

from talion.kernel import Asking, Game, Match, Seats, State, Together, Value
from talion.kernel.fields import Part


class Side(Part):
    chosen = Value(())


class Table(State):
    sides = Seats(Side)
    rounds = Value(0)


def row(t: Table, seat: int) -> Asking:
    """Rows of unequal length: seat 1 is asked twice, seat 2 not at all."""
    chosen = []
    for _ in range((1, 2, 0)[seat]):
        chosen.append((yield t.ask(seat, [("a",), ("b",)], "Choose"))[0])
    return tuple(chosen)


def sealed(t: Table) -> Asking:
    chosen = yield Together(row, t.seat_numbers)
    for side in t.sides:
        side.chosen += chosen[side.seat]
    t.rounds += 1
    return single if t.rounds < 10 else end


def single(t: Table) -> Asking:
    yield t.ask(0, [("on",)], "Go on")
    return sealed


def end(t: Table) -> Asking:
    t.over([0], "It ends.")
    yield from ()


game = Game(
    key="rows", title="Rows", seats=(3,), state=Table, start=sealed, rules=sys.modules[__name__], longest=99
)


def test_a_fast_match_answers_all_rows_of_a_together() -> None:
    match = Match.new(game, 3, fast=True)
    assert match.play_out(random.Random(1).choice) == 10 * 3 + 9
    assert [len(side.chosen) for side in match.t.sides] == [10, 20, 0]
    assert set(Tally(match.t.sides[1].chosen)) == {"a", "b"}


def test_it_stops_at_its_limit_and_goes_on() -> None:
    match = Match.new(game, 3, fast=True)
    some = match.play_out(random.Random(1).choice, 8)
    assert 8 <= some <= 10
    assert some + match.play_out(random.Random(2).choice) == 39
    assert match.over
