"""Intervals that stay right though one looks all the time.

An ordinary 95 % interval is right in 95 of 100 looks, so whoever looks after every match finds something in the end. These are
confidence sequences: in 95 of 100 runs the true value lies inside at *every* look, so one may stop as soon as one likes what one
sees. They are wider by about a half, which is the price. Those of a share are exact; those of a mean are a mixture over normal
ones, with a spread that is never taken from a few values that happen to be alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, lgamma, log, log1p, sqrt

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


def share_between(count: float, total: int, error: float = ERROR) -> tuple[float, float]:
    """The least and the greatest share under which it is not too unlikely to have counted so many of so many. Parts of one may be
    counted, too (a win of two is a half for each): the interval is then wider than it need be."""
    if not total:
        return 0.0, 1.0
    ways = lgamma(total + 2) - lgamma(count + 1) - lgamma(total - count + 1)

    def likely(share: float) -> bool:
        chance = (count and count * log(share)) + (total - count and (total - count) * log1p(-share))
        return bool(ways + chance > log(error))

    return _last(likely, count / total, 0.0), _last(likely, count / total, 1.0)


def _last(likely: Callable[[float], bool], here: float, end: float) -> float:
    """How far from here to the end something stays likely: found by halving."""
    beyond = end
    for _ in range(40):
        middle = (here + beyond) / 2
        here, beyond = (middle, beyond) if likely(middle) else (here, middle)
    return end if abs(here - end) < 1e-9 else here


def rounded(number: int) -> int:
    """Two figures are enough for an estimate."""
    if number < 100:
        return max(number, 1)
    size: int = 10 ** (len(str(number)) - 2)
    return -(-number // size) * size


def spread_of(values: Sequence[float], error: float = ERROR, size: float = 0.0) -> float:
    """The standard deviation of some values and of a few more that have not been seen yet, as far from the middle as one can be:
    twenty alike do not prove that all are. The smaller the error, the more of these."""
    count = len(values)
    if count < 2:
        return inf
    middle = sum(values) / count
    size = max([size, *(abs(value) for value in values)]) or 1.0
    unseen = -log(error)
    return sqrt((sum((value - middle) ** 2 for value in values) + unseen * size**2) / (count - 1 + unseen))
