"""`talion calibrate`: what a game's judgement said of positions, against what came of them.

A judgement that says 0.8 is right if eight of ten such positions are won. What is wrong with it comes to two numbers, in
logarithms of odds: what it sees as a lead has to be multiplied (below 1, it is too sure of itself), and something added
(below 0, it flatters whoever looks). A game keeps them as `sober` of its strength, and hints speak accordingly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Any

from .playing import Job, Judged
from .simulate import Interrupted, simulate
from .statistics import Share

CLASSES = 10
STEPS = 25
TINY = 1e-9
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
    def sober(self) -> tuple[float, float]:
        """What has to be added to a lead, and by what it has to be multiplied before, to fit what came of positions best:
        a logistic regression, by Newton's method. A match weighs as much as any other."""
        found = [(_logit(one.said), one.got, 1 / len(match)) for match in self.matches for one in match]
        add, times = 0.0, 1.0
        for _ in range(STEPS):
            a = b = aa = ab = bb = 0.0
            for lead, got, weight in found:
                likely = 1 / (1 + exp(-add - times * lead))
                off, spread = weight * (got - likely), weight * likely * (1 - likely)
                a, b = a + off, b + off * lead
                aa, ab, bb = aa + spread, ab + spread * lead, bb + spread * lead * lead
            apart = aa * bb - ab * ab
            if apart < TINY:
                break
            add, times = add + (bb * a - ab * b) / apart, times + (aa * b - ab * a) / apart
        return add, times

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
        add, times = self.sober
        yield f"In logarithms of odds, {times:.2f} times what it says, and {add:+.2f}, would be right."

    def data(self) -> dict[str, Any]:
        """The same, for scripts."""
        return {
            "matches": len(self.matches),
            "positions": len(self.positions),
            "sober": [round(number, 3) for number in self.sober],
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
    """Plays some matches, and compares what was said of their positions with their ends. Whoever interrupts it gets what
    was played so far."""
    try:
        played = simulate(replace(job, judged=True), matches, workers=workers, tell=tell)
    except Interrupted as stop:
        played = stop.played
    return Calibration([match.judged for match in played])


def _logit(said: float) -> float:
    said = min(SURE, max(1 - SURE, said))
    return log(said / (1 - said))
