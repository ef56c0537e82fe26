"""`talion ladder`: how often a bot beats one that thinks half as long. It is the luck-or-skill curve of a game.

Every match that is done is a line of a file, so a ladder can be interrupted and taken up again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from talion import games

from .kept import RunFile
from .playing import Job, Played, Task
from .simulate import play
from .statistics import Share

LOWEST = 8
"""Iterations of the weakest bot on a ladder."""


@dataclass(frozen=True)
class Rung:
    """Some iterations a decision, against half of them."""

    budget: int
    job: Job

    @property
    def name(self) -> str:
        return f"search:{self.budget}"


def rungs(game: str, seed: str, top: int | None = None) -> list[Rung]:
    """From the top budget (by default that of `hard`) down by halves."""
    budget = top or games.find(game).strength.hard
    found = []
    while budget // 2 >= LOWEST:
        found.append(Rung(budget, Job(game, (f"search:{budget}", f"search:{budget // 2}"), seed)))
        budget //= 2
    return found[::-1]


class Enough(Exception):  # noqa: N818
    """The time that was given is over."""


class Ladder:
    """A ladder and the file that keeps it."""

    def __init__(self, rungs: Sequence[Rung], matches: int, path: Path) -> None:
        self.rungs = rungs
        self.matches = matches
        head = {"ladder": [rung.budget for rung in rungs], "game": Path(rungs[0].job.game).name, "seed": rungs[0].job.seed,
                "cards": rungs[0].job.content().fingerprint}  # fmt: skip
        self.kept = RunFile(path, head, "ladder", "another game, seed, cards or budgets")
        self.done: dict[tuple[int, int], float] = self.kept.read(
            lambda lines: {(line["budget"], line["match"]): line["won"] for line in lines}
        )
        """What the stronger bot got of a match, by budget and number: 1 if it won alone, a half if nobody did."""

    def climb(self, workers: int, minutes: float, tell: Callable[[int], None] = lambda done: None) -> None:
        """Plays what is still to be played, for so many minutes at most."""
        todo = [(rung, number) for rung, number in self._order() if (rung.budget, number) not in self.done]
        end = time.monotonic() + 60 * minutes
        with self.kept.adding() as add:

            def heard(at: int, played: Played) -> None:
                rung, number = todo[at]
                line = {"budget": rung.budget, "match": number, "won": _share(rung, number, played.row)}
                self.done[rung.budget, number] = line["won"]
                add(line)
                tell(len(self.done))
                if time.monotonic() > end:
                    raise Enough

            tasks: list[Task] = [(rung.job, number) for rung, number in todo]
            try:
                play(tasks, heard, workers=workers, largest=1)  # a quick match says nothing of the next one
            except (Enough, KeyboardInterrupt):
                return

    def _order(self) -> list[tuple[Rung, int]]:
        """All matches, so that wherever one stops the same time was spent on each rung: the low ones, which are quick,
        have the more matches."""

        def spent_before(match: tuple[Rung, int]) -> int:
            rung, number = match
            return rung.budget * _round(number, len(rung.job.bots)).start

        return sorted(product(self.rungs, range(self.matches)), key=spent_before)

    def shares(self) -> Iterator[tuple[int, Share]]:
        """How often each budget won against half of it, over pairs of matches in which both sat at each seat."""
        for rung in self.rungs:
            seats = len(rung.job.bots)
            found = [
                self.done[rung.budget, number]
                for number in range(self.matches)
                if all((rung.budget, other) in self.done for other in _round(number, seats))
            ]
            yield rung.budget, Share(sum(found), len(found))

    def lines(self) -> Iterator[str]:
        for budget, share in self.shares():
            yield f"{budget} iterations against {budget // 2}: won {share}"


def _round(number: int, seats: int) -> range:
    """The matches in which everybody sits at each seat once, this one among them."""
    start = number - number % seats
    return range(start, start + seats)


def _share(rung: Rung, number: int, row: dict[str, Any]) -> float:
    """What the stronger bot got of a match."""
    winners = row["winners"]
    if not winners:
        return 0.5
    seat = rung.job.seated(number).index(rung.name)
    return 1 / len(winners) if seat in winners else 0.0
