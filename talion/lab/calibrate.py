"""`talion calibrate`: what a game's judgement said of positions, against what came of them.

A judgement that says 0.8 is right if eight of ten such positions are won. Whether it is too sure of itself is one number:
by what its leads would have to be multiplied to fit the results best. Below 1 it makes too much of a lead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Any

from .playing import Job, Judged
from .simulate import simulate
from .statistics import Share

CLASSES = 10
SURE = 0.995
"""A judgement is never taken to be surer than this."""


@dataclass(frozen=True)
class Calibration:
    """Positions of some matches: what was said of each, and what the seat got in the end."""

    matches: Sequence[Sequence[Judged]]

    @property
    def positions(self) -> list[Judged]:
        return [judged for match in self.matches for judged in match]

    def classes(self) -> Iterator[tuple[float, float, Share, int]]:
        """For each tenth of what can be said: what was said on average, what came of it, and in how many positions. The
        share counts every match once, for the positions of one have one end."""
        for tenth in range(CLASSES):
            found = [
                [one for one in match if min(CLASSES - 1, int(one.said * CLASSES)) == tenth]
                for match in self.matches
            ]
            inside = [match for match in found if match]
            count = sum(map(len, inside))
            if inside:
                said = sum(one.said for match in inside for one in match) / count
                got = sum(sum(one.got for one in match) / len(match) for match in inside)
                yield tenth / CLASSES, said, Share(got, len(inside)), count

    @property
    def trust(self) -> float:
        """By what the leads of the judgement would have to be multiplied: found by halving."""
        positions = [(_logit(one.said), one.got) for one in self.positions]
        low, high = 0.0, 4.0
        for _ in range(30):
            middle = (low + high) / 2
            slope = sum(lead * (got - 1 / (1 + exp(-middle * lead))) for lead, got in positions)
            low, high = (middle, high) if slope > 0 else (low, middle)
        return (low + high) / 2

    def lines(self) -> Iterator[str]:
        positions = self.positions
        yield "said       on average   came of it, with its interval      positions"
        for begins, said, share, count in self.classes():
            low, high = share.interval
            yield (
                f"{begins:.1f} to {begins + 1 / CLASSES:.1f} {said:10.2f}   {share.value:10.2f} ({low:.2f} to {high:.2f})"
                f" in {share.total:4} matches {count:9}"
            )
        usual = sum(one.said for one in positions) / max(1, len(positions))
        got = sum(one.got for one in positions) / max(1, len(positions))
        yield f"On average it said {usual:.2f} to whoever was asked, and {got:.2f} came of it."
        yield f"Its leads are right if they are multiplied by {self.trust:.2f}."

    def data(self) -> dict[str, Any]:
        """The same, for scripts."""
        return {
            "matches": len(self.matches),
            "positions": len(self.positions),
            "trust": round(self.trust, 3),
            "classes": [
                {
                    "from": begins,
                    "said": round(said, 3),
                    "got": round(share.value, 3),
                    "interval": [round(end, 3) for end in share.interval],
                    "matches": share.total,
                    "positions": count,
                }
                for begins, said, share, count in self.classes()
            ],
        }


def calibrate(job: Job, matches: int, *, workers: int, tell: Any = lambda done: None) -> Calibration:
    """Plays some matches, and compares what was said of their positions with their ends."""
    played = simulate(replace(job, judged=True), matches, workers=workers, tell=tell)
    return Calibration([match.judged for match in played])


def _logit(said: float) -> float:
    said = min(SURE, max(1 - SURE, said))
    return log(said / (1 - said))
