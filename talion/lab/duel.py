"""`talion duel`: which of two bots is the stronger, found with as few matches as it takes.

Matches come in rounds of one deal, in which the first bot sits at each seat once; the others are the second bot. Every
match that is done is a line of a file, so a duel can be interrupted and taken up again. What is said at the end depends
on the rounds in their order alone, however many workers played them and whichever was done first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from .kept import KeptLine, RunFile
from .playing import Job, Played, Task
from .sequential import Rounds, first_verdict
from .simulate import play


class Known(Exception):  # noqa: N818
    """There is a verdict."""


class Duel:
    """Two bots, and the file that keeps their matches."""

    def __init__(self, job: Job, margin: float, rounds: int, path: Path) -> None:
        self.job = job
        self.seats = len(job.bots)
        self.margin = margin
        """In Elo: a difference twice as large is told from none in nineteen of twenty duels; larger ones sooner."""
        self.most = rounds
        head = {"duel": list(job.bots), "game": Path(job.game).name, "seed": job.seed, "options": dict(job.options),
                "cards": job.content().fingerprint}  # fmt: skip
        self.kept = RunFile(path, head, "duel", "other bots, or of another game, seed or cards")
        self.done: dict[int, KeptLine] = self.kept.read(
            lambda lines: {line["match"]: line for line in lines if line["won"] >= 0 and line["ms"]}
        )
        """What came of each match, by its number."""

    def fight(self, workers: int, tell: Callable[[str], None] = lambda words: None) -> None:
        """Plays until it is known who is the stronger, or as many rounds as there may be."""
        if self.verdict:
            return
        todo = [number for number in range(self.most * self.seats) if number not in self.done]
        with self.kept.adding() as add:

            def heard(at: int, played: Played) -> None:
                line = self._line(todo[at], played)
                self.done[todo[at]] = line
                add(line)
                tell(self.sentence())
                if self.verdict:
                    raise Known

            tasks: list[Task] = [(self.job, number) for number in todo]
            try:
                play(tasks, heard, workers=workers, largest=1)
            except (Known, KeyboardInterrupt):
                return

    def _line(self, number: int, played: Played) -> KeptLine:
        seat = number % self.seats  # where the first bot sits
        winners = played.row["winners"]
        won = 1 / self.seats if not winners else (seat in winners) / len(winners)
        thought = {
            name: [len(seconds), round(1000 * sum(seconds), 1)] for name, seconds in played.seconds.items()
        }
        return {"match": number, "won": won, "nobody": not winners, "ms": thought}

    # What came of it ----------------------------------------------------------------------------------------------

    @property
    def rounds(self) -> Rounds:
        """The rounds up to the verdict, or up to the first that is not done."""
        outcomes = self._outcomes()
        _, count = first_verdict(outcomes, self.seats, self.margin)
        return Rounds(tuple(outcomes[:count]), self.seats)

    @property
    def verdict(self) -> int:
        """1 if the first bot is the stronger, -1 if the second is, 0 if that is not known."""
        return first_verdict(self._outcomes(), self.seats, self.margin)[0]

    def _outcomes(self) -> list[float]:
        def complete(number: int) -> bool:
            return all(number * self.seats + match in self.done for match in range(self.seats))

        return [
            sum(self.done[number * self.seats + match]["won"] for match in range(self.seats)) / self.seats
            for number in takewhile(complete, range(self.most))
        ]

    def sentence(self) -> str:
        """`hard is stronger by 34 Elo (12 to 57) after 212 pairs.`"""
        first, second = self.job.bots[0], self.job.bots[-1]
        rounds, verdict = self.rounds, self.verdict
        count = len(rounds.outcomes)
        if not count:
            return "No pair of matches is done yet."
        middle, low, high = rounds.in_elo
        if verdict < 0:
            first, middle, low, high = second, -middle, -high, -low
        found = (
            f"{_signed(middle)} Elo ({_signed(low)} to {_signed(high)}) after {_counted(count, self.seats)}"
        )
        if verdict:
            return f"{first} is stronger by {found}."
        return f"Not known yet: {first} against {second} stands at {found}."

    def lines(self) -> Iterator[str]:
        """The answer, what it is made of, and how long each bot thought."""
        yield self.sentence()
        rounds = self.rounds
        matches = [self.done[number] for number in range(len(rounds.outcomes) * self.seats)]
        if not matches:
            return
        undecided = sum(line["nobody"] for line in matches)
        low, high = rounds.interval
        yield (
            f"{self.job.bots[0]} got {rounds.mean:.1%} of the wins ({low:.1%} to {high:.1%}; {1 / self.seats:.0%} would be its share); "
            f"nobody won {undecided} of {len(matches)} matches."
        )
        for name, (decisions, spent) in _thinking(matches).items():
            yield f"{name} thought {spent / max(1, decisions):.0f} ms a decision."

    def data(self) -> dict[str, Any]:
        """The same, for scripts."""
        rounds = self.rounds
        middle, low, high = rounds.in_elo
        return {
            "bots": list(self.job.bots),
            "rounds": len(rounds.outcomes),
            "verdict": self.verdict,
            "elo": [_finite(middle), _finite(low), _finite(high)],
            "share": [rounds.mean, *rounds.interval],
            "sentence": self.sentence(),
        }


def _thinking(matches: list[KeptLine]) -> Mapping[str, tuple[int, float]]:
    spent: dict[str, tuple[int, float]] = {}
    for line in matches:
        for name, (decisions, ms) in line["ms"].items():
            before = spent.get(name, (0, 0.0))
            spent[name] = (before[0] + decisions, before[1] + ms)
    return spent


def _counted(rounds: int, seats: int) -> str:
    what = "pair" if seats == 2 else "round"
    return f"{rounds} {what}" if rounds == 1 else f"{rounds} {what}s"


def _finite(number: float) -> float | None:
    return round(number, 1) if abs(number) < 1e6 else None


def _signed(number: float) -> str:
    return ("-" if number < 0 else "") + (f"{abs(number):.0f}" if abs(number) < 1e6 else "∞")
