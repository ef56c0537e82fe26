"""Bots play matches against each other, and what came of each is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from talion import bots
from talion.bots import Seen
from talion.kernel import Game, Match


@dataclass(frozen=True)
class Outcome:
    """One match: who sat where, who won, and why it ended."""

    number: int
    seed: str
    bots: tuple[str, ...]
    """By seat."""
    winners: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    decisions: int
    why: str
    rule: str

    def data(self) -> dict[str, Any]:
        return asdict(self)

    def won(self) -> tuple[int, ...]:
        """Which of the given bots won, by their place in the list that `simulate` was given."""
        return tuple((seat - self.number) % len(self.bots) for seat in self.winners)


def simulate(
    game: Game,
    players: Sequence[str],
    matches: int,
    seed: int | str,
    options: Mapping[str, Any] | None = None,
    cards: Path | None = None,
) -> Iterator[Outcome]:
    """One outcome a match. Bots change seats from match to match, so that they meet on equal terms."""
    for number in range(matches):
        seated = tuple(players[(seat - number) % len(players)] for seat in range(len(players)))
        yield play_match(game, seated, number, f"{seed}:{number}", options, cards)


def play_match(
    game: Game,
    seated: tuple[str, ...],
    number: int,
    seed: str,
    options: Mapping[str, Any] | None = None,
    cards: Path | None = None,
) -> Outcome:
    """The same seed and bots give the same match."""
    match = Match.new(game, len(seated), seed, options, cards=cards)
    thinkers = [bots.make(name, f"{seed}:{seat}") for seat, name in enumerate(seated)]
    while not match.over:
        seat = min(match.pending)
        match.answer(seat, thinkers[seat].choose(Seen(match, seat)))
    result = match.result
    assert result is not None
    return Outcome(
        number,
        seed,
        seated,
        result.winners,
        result.places,
        result.scores,
        match.number,
        result.why,
        result.rule,
    )


def summary(players: Sequence[str], outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Who won how often, with 95 % intervals; how long matches were; why they ended."""
    total = len(outcomes)
    yield f"{total} matches."
    for place, name in enumerate(players):
        yield f"{name}, bot {place + 1}: won {share(sum(place in outcome.won() for outcome in outcomes), total)}"
    for seat in range(len(players)):
        yield f"seat {seat}: won {share(sum(seat in outcome.winners for outcome in outcomes), total)}"
    yield f"nobody won: {share(sum(not outcome.winners for outcome in outcomes), total)}"
    lengths = sorted(outcome.decisions for outcome in outcomes)
    yield f"decisions: {lengths[0]} to {lengths[-1]}, half of the matches at most {lengths[(total - 1) // 2]}"
    for rule, count in Counter(outcome.rule for outcome in outcomes).most_common():
        yield f"ended by {rule or 'no rule'}: {share(count, total)}"


def share(count: int, total: int) -> str:
    """A part of a whole with its Wilson interval: `60 of 100, 60.0 % (50.2 to 69.1)`."""
    low, high = wilson(count, total)
    return f"{count} of {total}, {count / total:.1%} ({low:.1%} to {high:.1%})"


def wilson(count: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share."""
    middle = (count + z * z / 2) / (total + z * z)
    half = z / (total + z * z) * sqrt(count * (total - count) / total + z * z / 4)
    return max(0.0, middle - half), min(1.0, middle + half)
