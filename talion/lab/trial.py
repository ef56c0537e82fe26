"""A trial of changed cards: matches in pairs of one shuffle, with the cards before and after, on all cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from talion.kernel.changes import Change

from .compare import Comparison
from .playing import Job, Played, Row, Task
from .simulate import play


class Trial:
    """Two jobs that differ in their cards alone, and what was played of them."""

    def __init__(self, before: Job, after: Job) -> None:
        self.before = before
        self.after = after
        self._played: dict[int, Row] = {}
        """Match number n with the cards before it at 2n, with those after it at 2n + 1."""

    @cached_property
    def changes(self) -> list[Change]:
        """What is printed otherwise in the two."""
        return self.after.content().changes(self.before.content())

    @classmethod
    def of(cls, job: Job, cards: Path) -> Trial:
        """This job against the same one with other cards."""
        return cls(job, replace(job, cards=cards.resolve()))

    def run(self, pairs: int, *, workers: int, tell: Callable[[int], None] = lambda done: None) -> None:
        """Plays so many pairs. `tell` hears how many matches are done; an interrupt keeps them."""
        numbers = [n for n in range(2 * pairs) if n not in self._played]
        tasks: list[Task] = [(self.after if n % 2 else self.before, n // 2) for n in numbers]

        def heard(at: int, played: Played) -> None:
            self._played[numbers[at]] = played.row
            tell(len(self._played))

        play(tasks, heard, workers=workers, largest=4)

    @property
    def comparison(self) -> Comparison:
        """Of all pairs up to the first that is not done: which ones are done sooner must not choose."""
        done = takewhile(
            lambda n: 2 * n in self._played and 2 * n + 1 in self._played, range(len(self._played))
        )
        return Comparison([(self._played[2 * n], self._played[2 * n + 1]) for n in done], self.changes)
