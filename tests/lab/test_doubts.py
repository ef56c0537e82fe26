"""How far first sight is off, from turns that were played to their end."""

import pytest

from talion.bots.turns import Contender
from talion.lab.doubts import Doubts, LookedInto


def option(at: int, seen: float, *turns: float) -> Contender:
    one = Contender(at, 0.0)
    one.glances, one.turns = [seen] * 2, list(turns)
    return one


def test_what_luck_explains_is_no_doubt() -> None:
    """The turns scatter around what was seen at first."""
    found = LookedInto.of(
        frozenset({"go"}), [option(0, 0.6, 0.7, 0.5, 0.7, 0.5), option(1, 0.5, 0.3, 0.7, 0.3, 0.7)]
    )
    ((_, _, off, _, _),) = Doubts([found]).rows()
    assert off == 0


def test_what_turns_out_otherwise_each_time_is_doubtful_and_a_gain() -> None:
    go = LookedInto.of(frozenset({"go", "stay"}), [option(0, 0.6, *[0.5] * 4), option(1, 0.5, *[0.7] * 4)])
    stay = LookedInto.of(frozenset({"stay"}), [option(0, 0.6, *[0.6] * 4), option(1, 0.5, *[0.5] * 4)])
    (word, decisions, off, gain, _), (other, both, less, half, _) = Doubts([go, stay]).rows()
    assert (word, decisions, other, both) == ("go", 1, "stay", 2)
    assert off == pytest.approx(0.3)
    assert gain == pytest.approx(0.2)
    assert less == pytest.approx(0.3 / 2**0.5)
    assert half == pytest.approx(0.1)


def test_a_gain_is_measured_on_turns_that_did_not_decide() -> None:
    """The second option was lucky in the first half only."""
    found = LookedInto.of(frozenset({"go"}), [option(0, 0.6, *[0.6] * 4), option(1, 0.5, 0.9, 0.9, 0.5, 0.5)])
    assert found.gain == pytest.approx(-0.1)
