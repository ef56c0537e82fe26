"""Shares and means with their 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

Z = 1.96


@dataclass(frozen=True)
class Share:
    """A part of a whole, with its Wilson interval."""

    count: float
    total: int

    @property
    def value(self) -> float:
        return self.count / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.count, self.total)

    def __str__(self) -> str:
        """`60 of 100, 60.0% (50.2% to 69.1%)`"""
        low, high = self.interval
        return f"{self.count:g} of {self.total}, {self.value:.1%} ({low:.1%} to {high:.1%})"


def wilson(count: float, total: float, z: float = Z) -> tuple[float, float]:
    """The interval of a share; everything is possible where nothing was counted."""
    if total == 0:
        return 0.0, 1.0
    middle = (count + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Difference:
    """How far a second figure lies above a first, with its interval."""

    value: float
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0

    @property
    def weight(self) -> float:
        """How far from zero it surely lies: what the biggest difference is judged by."""
        return max(self.low, -self.high, 0.0)


def between_shares(first: Share, second: Share) -> Difference:
    """The difference of two shares of separate wholes, after Newcombe."""
    value = second.value - first.value
    (low1, high1), (low2, high2) = first.interval, second.interval
    return Difference(
        value,
        value - sqrt((second.value - low2) ** 2 + (high1 - first.value) ** 2),
        value + sqrt((high2 - second.value) ** 2 + (first.value - low1) ** 2),
    )


def mean(values: Sequence[float]) -> Difference:
    """The mean of some values: of the differences of pairs, say."""
    count = len(values)
    middle = sum(values) / count
    spread = sum((value - middle) ** 2 for value in values) / (count - 1) if count > 1 else 0.0
    half = Z * sqrt(spread / count) if count > 1 else float("inf")
    return Difference(middle, middle - half, middle + half)
