"""Measuring: how often per second of CPU time, best of several rounds.

Machines slow down and speed up while they measure, the more so when they are shared. So all measurements take turns,
round after round, and each is measured right after the yardstick: the median of those ratios holds although the
absolute figures, of which the best is kept, may not.
"""

import gc
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

YARDSTICK = "tic-tac-toe by hand"


@dataclass
class Measure:
    """One thing to count: `run` does a little of it and says how much."""

    name: str
    unit: str
    run: Callable[[], int]


@dataclass
class Rate:
    """How many of a unit in a second of CPU time, and how that compares with the yardstick of the same process."""

    name: str
    unit: str
    per_second: float
    ratio: float


def rates(
    measures: Sequence[Measure], yardstick: Callable[[], int], rounds: int, seconds: float
) -> list[Rate]:
    """The best round of each as a rate, and the median of its ratios to the yardstick measured beside it."""
    best = {measure.name: 0.0 for measure in measures}
    ratios: dict[str, list[float]] = {measure.name: [] for measure in measures}
    gc.collect()
    gc.freeze()  # what all the others have loaded is nobody's to look through
    for _ in range(rounds):
        for measure in measures:
            beside = one_round(yardstick, seconds / 3)
            rate = one_round(measure.run, seconds)
            beside = (beside + one_round(yardstick, seconds / 3)) / 2
            best[measure.name] = max(best[measure.name], rate)
            ratios[measure.name].append(rate / beside)
    return [Rate(m.name, m.unit, best[m.name], median(ratios[m.name])) for m in measures]


def one_round(run: Callable[[], int], seconds: float) -> float:
    count = 0
    start = now = time.process_time()
    while now - start < seconds:
        count += run()
        now = time.process_time()
    return count / (now - start)


def table(found: Sequence[Rate]) -> str:
    """The rates as lines of a table, for people."""
    width = max(len(rate.name) for rate in found)
    unit = max(len(rate.unit) for rate in found)
    head = f"{'':{width}}  {'':{unit}}  {'per CPU second':>14}  {'ratio':>8}"
    lines = [f"{r.name:{width}}  {r.unit:{unit}}  {r.per_second:14,.0f}  {r.ratio:8.4f}" for r in found]
    return "\n".join([head, *lines])


def json_lines(found: Sequence[Rate]) -> str:
    """The rates as JSON, one a line, for machines."""
    return "\n".join(json.dumps(asdict(rate)) for rate in found)
