"""Intervals that stay right though one looks all the time.

An ordinary 95 % interval is right in 95 of 100 looks, so whoever looks after every match finds something in the end. These are
confidence sequences (a mixture over normal ones): in 95 of 100 runs the true value lies inside at *every* look, so one
may stop as soon as one likes what one sees. They are wider by about a half, which is the price.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

ERROR = 0.05
"""How often a whole page may mark anything that is not there."""
TUNED = 300
"""The number of matches at which the intervals are narrowest beside what they could be."""
FEWEST = 20
"""Below this many nothing is said: the spread of so few cannot be known."""


def half_width(count: int, spread: float, error: float = ERROR) -> float:
    """How far the interval of a mean reaches to each side, for so many values with this standard deviation."""
    if count < FEWEST:
        return inf
    weight = _weight(error)
    grown = count * weight + 1
    return spread * sqrt(2 * grown / (count * count * weight) * log(sqrt(grown) / error))


def _weight(error: float) -> float:
    """Where the mixture is centred, so that it is best at the tuned number."""
    twice = -2 * log(error)
    return (twice + log(twice + 1)) / TUNED


def needed(spread: float, width: float, error: float = ERROR) -> int:
    """How many values it takes until the interval reaches no farther than this."""
    if width <= 0:
        return 0
    count = FEWEST
    while half_width(count, spread, error) > width and count < 10_000_000:
        count = int(count * 1.1) + 1
    return count


def rounded(number: int) -> int:
    """Two figures are enough for an estimate."""
    if number < 100:
        return max(number, 1)
    size: int = 10 ** (len(str(number)) - 2)
    return -(-number // size) * size


def spread_of(values: Sequence[float]) -> float:
    """The standard deviation of some values, never quite none: twenty alike do not prove that all are."""
    count = len(values)
    if count < 2:
        return inf
    middle = sum(values) / count
    found = sqrt(sum((value - middle) ** 2 for value in values) / (count - 1))
    size = max((abs(value) for value in values), default=0.0) or 1.0
    return max(found, size / count)
