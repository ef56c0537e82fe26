"""What a judgement said against what came of it."""

import pytest

from talion.lab.calibrate import Calibration
from talion.lab.playing import Judged


def test_a_judgement_that_is_too_sure_is_told_by_how_much() -> None:
    """It says nine to one where it is three to one: its leads, in logarithms of odds, are twice too large."""
    won = [[Judged(0.9, 1.0)]] * 75 + [[Judged(0.1, 0.0)]] * 75
    found = Calibration(won + [[Judged(0.9, 0.0)]] * 25 + [[Judged(0.1, 1.0)]] * 25)
    assert found.sober == pytest.approx((0.0, 0.5), abs=0.001)
    _, (begins, said, share, count) = found.classes()
    assert (begins, round(said, 6), share.value, share.total, count) == (0.9, 0.9, 0.75, 100, 100)


def test_a_judgement_that_flatters_is_told_so() -> None:
    """It says 0.8 and 0.5 to whoever looks, and half and a fifth of them win."""
    said = {0.8: 0.5, 0.5: 0.2}
    found = Calibration([[Judged(s, float(n < 100 * came))] for s, came in said.items() for n in range(100)])
    assert found.sober == pytest.approx((-1.386, 1.0), abs=0.001)


def test_a_match_counts_once_in_an_interval() -> None:
    """A hundred positions of one match have one end."""
    found = Calibration([[Judged(0.55, 1.0)] * 100])
    ((_, _, share, count),) = found.classes()
    assert (share.total, count) == (1, 100)
