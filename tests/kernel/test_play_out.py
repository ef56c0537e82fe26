"""Matches that are only played out: sealed rows go straight into the steps, and choose as rows do."""

import random
import sys
from collections import Counter as Tally
from typing import Any

import pytest

from talion.kernel import Asking, Counter, Game, Match, Seats, State, Together, Value
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


class Thrice(State):
    begun = Counter()


def begin_thrice(t: Thrice) -> Any:
    t.begun += 1
    if t.begun < 3:
        t.again()
    yield t.ask(0, [("go",)], "Go on", "T-1")
    t.over([0], f"Begun {t.begun} times.", "T-9")


@pytest.mark.parametrize("fast", [True, False])
def test_a_step_begins_anew(fast: bool):
    """`t.again()` leaves a step and begins it again, with what has changed since."""
    game = Game(
        key="thrice",
        title="Thrice",
        seats=(1,),
        state=Thrice,
        start=begin_thrice,
        rules=sys.modules[__name__],
        longest=5,
    )
    match = Match.new(game, 1, 1, fast=fast)
    assert match.play_out(lambda options: options[0]) == 1
    assert match.result is not None
    assert match.result.why == "Begun 3 times."
