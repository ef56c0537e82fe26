"""A test that stops as soon as it knows: which of two players is the stronger, from rounds of matches of one deal.

In a round the first player sits at each seat once, always with the same deal, so luck of the deal falls to both; only the
round as a whole counts as one observation. With two seats a round is a pair of matches and has five outcomes. The test is
a sequential probability ratio test (Wald's) on the mean of these outcomes, whose likelihood is taken at the best
distribution that has the mean in question, as the testers of chess engines do it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log, log10

from .statistics import wilson

MISTAKES = 0.05
"""How often the test may name the weaker player, if they are as far apart as its margin."""
BOUND = log((1 - MISTAKES) / MISTAKES)
"""The log-likelihood ratio at which it knows."""
GHOST = 1e-3
"""Each outcome is taken to have been seen at least this often, so that nothing is ruled out after a few rounds."""


def score(elo: float, seats: int = 2) -> float:
    """The share of wins of a player who is so much stronger than the others, who are alike."""
    odds = 10 ** (elo / 400) / (seats - 1)
    return odds / (1 + odds)


def elo(share: float, seats: int = 2) -> float:
    """How much stronger a player is who gets this share of the wins."""
    if not 0 < share < 1:
        return -inf if share <= 0 else inf
    return 400 * log10(share / (1 - share) * (seats - 1))


@dataclass(frozen=True)
class Rounds:
    """What the first player got in each round, from 0 to 1."""

    outcomes: tuple[float, ...]
    seats: int = 2

    @property
    def mean(self) -> float:
        return sum(self.outcomes) / len(self.outcomes) if self.outcomes else 1 / self.seats

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share of wins. Rounds that differ little are worth more matches than they have."""
        count, mean = len(self.outcomes), self.mean
        if not count:
            return 0.0, 1.0
        spread = sum((outcome - mean) ** 2 for outcome in self.outcomes) / max(1, count - 1)
        single = mean * (1 - mean)
        worth = count * self.seats if not spread or not single else count * single / spread
        return wilson(mean * worth, worth)

    @property
    def in_elo(self) -> tuple[float, float, float]:
        """How much stronger the first is, and the ends of the interval."""
        low, high = self.interval
        return elo(self.mean, self.seats), elo(low, self.seats), elo(high, self.seats)

    def log_likelihood_ratio(self, low: float, high: float) -> float:
        """How much more likely these rounds are if the mean is `high` than if it is `low`."""
        seen = Counter(self.outcomes)
        counts = {value: seen[value] + GHOST for value in {0.0, 1 / self.seats, 1.0, *seen}}
        total = sum(counts.values())
        shares = {value: count / total for value, count in counts.items()}
        return total * (_fit(shares, high) - _fit(shares, low))

    def verdict(self, margin: float) -> int:
        """1 if the first is the stronger, -1 if the weaker, 0 if that is not known yet: `margin` is in Elo."""
        ratio = self.log_likelihood_ratio(score(-margin, self.seats), score(margin, self.seats))
        return (ratio >= BOUND) - (ratio <= -BOUND)


def _fit(shares: dict[float, float], mean: float) -> float:
    """The mean log-likelihood of outcomes with these shares, up to a constant, under the likeliest distribution that
    has this mean."""
    tilt = _tilt(shares, mean)
    return -sum(share * log(1 + tilt * (value - mean)) for value, share in shares.items())


def _tilt(shares: dict[float, float], mean: float) -> float:
    """How the shares are bent so that their mean becomes the wanted one: found by halving, since it falls all the way."""
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(60):
        middle = (low + high) / 2
        bent = sum(share * (value - mean) / (1 + middle * (value - mean)) for value, share in shares.items())
        low, high = (middle, high) if bent > 0 else (low, middle)
    return (low + high) / 2


def first_verdict(outcomes: Iterable[float], seats: int, margin: float) -> tuple[int, int]:
    """The verdict and after how many rounds it was reached; 0 and all of them if it was not."""
    seen: list[float] = []
    for outcome in outcomes:
        seen.append(outcome)
        if verdict := Rounds(tuple(seen), seats).verdict(margin):
            return verdict, len(seen)
    return 0, len(seen)
