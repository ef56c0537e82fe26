"""What a game promises of its balance, and whether it keeps it.

A game's `balance.toml` says who plays and holds promises, each a sentence of a few fixed shapes:

    bots = "normal"
    options = { decks = "Iron and Gold,Silk and Shadow,Star and Static" }
    promises = [
        "No seat wins more than 58 % of the matches.",
        "No role wins more than 1.3 times its share.",
        "No role wins more than 60 % of its matches against another.",
        "At least 60 % of the matches have a winner.",
        "At least 5 % of the matches end by VT-1.8.",
        "Matches last 15 to 30 turns.",
        "At least 50 % of the matches are over within 25 turns.",
        "No end is more common than 90 %.",
        "No card is played in less than 2 % of the matches in which it was held.",
    ]

Each promise holds, is broken, or is not known yet; the intervals may be looked at as often as one likes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, permutations, takewhile
from pathlib import Path
from typing import Any

from talion.kernel import Game

from . import BadInput
from .anytime import ERROR, rounded, share_between
from .kept import RunFile
from .playing import Job, Played, Row
from .simulate import play

HOLDS, BROKEN, UNKNOWN = "holds", "broken", "not known yet"
MOST = 10_000_000
"""Beyond so many matches nobody asks how many it would take."""


@dataclass(frozen=True)
class Sample:
    """Something that is counted: how often, of how many."""

    name: str
    count: float
    total: int

    @property
    def value(self) -> float:
        return self.count / self.total if self.total else 0.0

    def between(self, error: float) -> tuple[float, float]:
        """Where the true share lies."""
        return share_between(self.count, self.total, error)

    def needed(self, limit: float, error: float, matches: int) -> int:
        """How many more matches it would take to know on which side of a limit it lies, if things go on as they are: so many were
        played, and in some of them there was nothing to count."""
        total = max(self.total, 1)
        while total < MOST and _lies_in(limit, share_between(self.value * total, total, error)):
            total = total * 11 // 10 + 1
        return (total - self.total) * matches // max(self.total, 1)

    def data(self, error: float) -> dict[str, Any]:
        low, high = self.between(error)
        return {"about": self.name, "share": self.value, "low": low, "high": high, "of": self.total}

    def figures(self, error: float) -> str:
        low, high = self.between(error)
        return f"{self.name}: {self.value:.1%} ({low:.1%} to {high:.1%}) of {self.total}."


def _lies_in(value: float, between: tuple[float, float]) -> bool:
    return between[0] <= value <= between[1]


@dataclass(frozen=True)
class Finding:
    """A promise and how it stands."""

    promise: str
    verdict: str
    sample: Sample | None
    """What speaks loudest: for it, against it, or for not knowing. None if nothing of the kind was seen."""
    error: float
    """How often the interval of the sample may be wrong."""
    more: int = 0
    """About how many more matches it would take to know."""

    @property
    def figures(self) -> str:
        return self.sample.figures(self.error) if self.sample else "Nothing of the kind was seen."

    def words(self, pace: float = 0.0) -> str:
        """In a sentence; with the `pace`, the seconds that a match takes, it says how long it would take to know."""
        more = ""
        if self.verdict == UNKNOWN and self.more:
            long = f", {lasting(self.more * pace)} here," if pace else ""
            more = f" About {rounded(self.more)} more matches{long} would tell."
        return f"{self.verdict}: {self.promise} {self.figures}{more}"

    def data(self) -> dict[str, Any]:
        return {
            "promise": self.promise,
            "verdict": self.verdict,
            "figures": self.figures,
            "more": rounded(self.more) if self.more else 0,
            **(self.sample.data(self.error) if self.sample else {}),
        }


def lasting(seconds: float) -> str:
    """How long something takes, as one says it."""
    if seconds < 90:
        return f"{rounded(round(seconds))} seconds"
    return f"{rounded(round(seconds / 60))} minutes" if seconds < 5400 else f"{seconds / 3600:.0f} hours"


@dataclass(frozen=True)
class Contract:
    """Who plays, and what is promised of it."""

    bots: str
    promises: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    """How it is played: who begins, which decks."""

    @classmethod
    def of(cls, game: Game) -> Contract:
        path = game.folder / "balance.toml" if game.folder else None
        if path is None or not path.is_file():
            raise BadInput(
                f"{game.title} promises nothing of its balance: there is no balance.toml in its folder."
            )
        found = cls.read(path)
        for promise in found.promises:
            if re.search(r"\b(turns|rounds)\b", promise) and not game.turns:
                raise BadInput(
                    f"{path}: “{promise}” cannot be checked, for {game.title} does not say what counts its turns: name the counter "
                    "of its state as `turns` of its Game, or promise a length in decisions."
                )
        return found

    @classmethod
    def read(cls, path: Path) -> Contract:
        try:
            written = tomllib.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as problem:
            raise BadInput(f"{path} cannot be read: {problem}.") from None
        promises = written.get("promises", [])
        if not isinstance(promises, list) or not all(isinstance(one, str) for one in promises):
            raise BadInput(f"{path}: promises is a list of sentences.")
        for promise in promises:
            shape_of(promise)
        options = written.get("options", {})
        if not isinstance(options, dict):
            raise BadInput(f"{path}: options is a table of names and values.")
        return cls(str(written.get("bots", "normal")), tuple(promises), options)

    def job(self, game: str, seats: int, seed: str, cards: Path | None = None) -> Job:
        """The matches by which the promises are judged."""
        return Job(game, (self.bots,) * seats, seed, self.options, cards)

    def judged(self, rows: Sequence[Row]) -> list[Finding]:
        """How each promise stands after these matches."""
        error = ERROR / max(1, len(self.promises))
        return [shape_of(promise)(promise, rows, error) for promise in self.promises]


class Evidence:
    """The matches by which promises are judged, and the file that keeps them if there is one: they can be taken up again."""

    def __init__(self, job: Job, path: Path | None = None) -> None:
        self.job = job
        head = {"balance": list(job.bots), "game": Path(job.game).name, "seed": job.seed, "options": dict(job.options),
                "cards": job.content().fingerprint}  # fmt: skip
        self.kept = RunFile(path, head, "row of matches", "other bots, or of another game, seed or cards")
        self.done: dict[int, Row] = self.kept.read(lambda lines: {line["match"]: line for line in lines})

    def gather(self, matches: int, workers: int, tell: Callable[[int], None] = lambda done: None) -> int:
        """Plays what is missing of so many matches; an interrupt keeps what was played. How many were played now."""
        missing = [number for number in range(matches) if number not in self.done]
        before = len(self.done)
        with self.kept.adding() as add:

            def heard(at: int, played: Played) -> None:
                self.done[missing[at]] = played.row
                add(played.row)
                tell(len(self.done))

            with suppress(KeyboardInterrupt):
                play([(self.job, number) for number in missing], heard, workers=workers)
        return len(self.done) - before

    @property
    def rows(self) -> list[Row]:
        """Those before the first that is missing: which ones were done sooner must not choose."""
        return [self.done[number] for number in takewhile(self.done.__contains__, count())]


Judge = Callable[[str, Sequence[Row], float], Finding]


def shape_of(promise: str) -> Judge:
    """What a promise's sentence asks of the matches."""
    for pattern, judge in SHAPES.items():
        if found := re.fullmatch(pattern, promise.strip().rstrip(".")):
            return judge(*found.groups())
    raise BadInput(
        f"“{promise}” is no promise that can be checked; there are: {'; '.join(map(_plainly, SHAPES))}."
    )


def _plainly(pattern: str) -> str:
    return (
        pattern.replace(_NUMBER, "…")
        .replace(r"(\d+)", "…")
        .replace("(turns|rounds|decisions)", "turns (or rounds, or decisions)")
        .replace(_RULE, "RULE")
    )


# Shapes of promises ---------------------------------------------------------------------------------------------------


Samples = Callable[[Sequence[Row]], Iterator[Sample]]


def _at_most(samples: Samples, limit: Callable[[int], float]) -> Judge:
    """No sample's share may lie above the limit, which may depend on the number of seats."""

    def judge(promise: str, rows: Sequence[Row], error: float) -> Finding:
        most = limit(len(rows[0]["seats"]))
        return _judged(promise, list(samples(rows)), most, error, len(rows), above=False)

    return judge


def _at_least(samples: Samples, least: float) -> Judge:
    """No sample's share may lie below the limit."""
    return lambda promise, rows, error: _judged(
        promise, list(samples(rows)), least, error, len(rows), above=True
    )


def _judged(
    promise: str, found: list[Sample], limit: float, error: float, matches: int, *, above: bool
) -> Finding:
    """Whether all shares of so many matches lie above a limit, or all below it.

    To say wrongly that it holds, one must be mistaken about the very share that breaks it: each has the whole error. To say
    wrongly that it is broken, it is enough to be mistaken about any: they divide the error among them.
    """
    if not found:
        return Finding(promise, UNKNOWN, None, error)
    each = error / len(found)

    def kept(sample: Sample) -> float:
        low, high = sample.between(error)
        return low - limit if above else limit - high

    def broken(sample: Sample) -> float:
        low, high = sample.between(each)
        return limit - high if above else low - limit

    worst, nearest = max(found, key=broken), min(found, key=kept)
    if broken(worst) > 0:
        return Finding(promise, BROKEN, worst, each)
    if kept(nearest) > 0:
        return Finding(promise, HOLDS, nearest, error)
    more = max(sample.needed(limit, error, matches) for sample in found if kept(sample) <= 0)
    return Finding(promise, UNKNOWN, nearest, error, more)


def _seats(rows: Sequence[Row]) -> Iterator[Sample]:
    for seat in range(len(rows[0]["seats"])):
        yield Sample(f"seat {seat}", sum(seat in row["winners"] for row in rows), len(rows))


def _roles(rows: Sequence[Row]) -> Iterator[Sample]:
    """Of matches that somebody won: a role's share is of the wins there are, and who wins with others has a part of one."""
    won: dict[str, list[float]] = {}
    for row in rows:
        if row["winners"]:
            for seat in row["seats"]:
                won.setdefault(seat["plays_as"], []).append(seat["won"] / len(row["winners"]))
    for role, wins in sorted(won.items()):
        if role:
            yield Sample(role, sum(wins), len(wins))


def _against(rows: Sequence[Row]) -> Iterator[Sample]:
    """Of matches in which both played and just one of them won."""
    won: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        for one, other in permutations(row["seats"], 2):
            if one["won"] != other["won"] and one["plays_as"] != other["plays_as"]:
                won.setdefault((one["plays_as"], other["plays_as"]), []).append(one["won"])
    for (one, other), wins in sorted(won.items()):
        yield Sample(f"{one} against {other}", sum(wins), len(wins))


def _ending(rule: str) -> Samples:
    def ended(rows: Sequence[Row]) -> Iterator[Sample]:
        yield Sample(f"ended by {rule}", sum(row["rule"] == rule for row in rows), len(rows))

    return ended


def _decided(rows: Sequence[Row]) -> Iterator[Sample]:
    yield Sample("won by somebody", sum(bool(row["winners"]) for row in rows), len(rows))


def _ends(rows: Sequence[Row]) -> Iterator[Sample]:
    for rule in sorted({row["rule"] for row in rows}):
        yield Sample(f"ended by {rule}", sum(row["rule"] == rule for row in rows), len(rows))


def _plays(rows: Sequence[Row]) -> Iterator[Sample]:
    held: dict[str, list[bool]] = {}
    for row in rows:
        by_name: dict[str, bool] = {}
        for line in row["cards"]:
            if line["held"]:
                by_name[line["card"]] = by_name.get(line["card"], False) or line["played"] > 0
        for name, played in by_name.items():
            held.setdefault(name, []).append(played)
    for name, plays in sorted(held.items()):
        yield Sample(name, sum(plays), len(plays))


def _lasting(low: str, high: str, unit: str) -> Judge:
    """Half of the matches lie within these lengths: judged by the share that are shorter and the share that are longer."""
    column = _column(unit)

    def outside(rows: Sequence[Row]) -> Iterator[Sample]:
        lengths = [row[column] for row in rows]
        yield Sample(f"shorter than {low}", sum(length < int(low) for length in lengths), len(lengths))
        yield Sample(f"longer than {high}", sum(length > int(high) for length in lengths), len(lengths))

    return _at_most(outside, lambda seats: 0.25)


def _within(most: str, unit: str) -> Samples:
    column = _column(unit)

    def over(rows: Sequence[Row]) -> Iterator[Sample]:
        yield Sample(f"over within {most} {unit}", sum(row[column] <= int(most) for row in rows), len(rows))

    return over


def _column(unit: str) -> str:
    return "decisions" if unit == "decisions" else "turns"


def _percent(words: str) -> float:
    return float(words) / 100


_NUMBER = r"(\d+(?:\.\d+)?)"
_RULE = r"([A-Z]+-[\w.]+)"
SHAPES: dict[str, Callable[..., Judge]] = {
    rf"No seat wins more than {_NUMBER} % of the matches": lambda n: _at_most(
        _seats, lambda seats: _percent(n)
    ),
    rf"No role wins more than {_NUMBER} times its share": lambda n: _at_most(
        _roles, lambda seats: min(1.0, float(n) / seats)
    ),
    rf"No role wins more than {_NUMBER} % of its matches against another": lambda n: _at_most(
        _against, lambda seats: _percent(n)
    ),
    rf"At least {_NUMBER} % of the matches end by {_RULE}": lambda n, rule: _at_least(
        _ending(rule), _percent(n)
    ),
    rf"At least {_NUMBER} % of the matches have a winner": lambda n: _at_least(_decided, _percent(n)),
    r"Matches last (\d+) to (\d+) (turns|rounds|decisions)": _lasting,
    rf"At least {_NUMBER} % of the matches are over within (\d+) (turns|rounds|decisions)": lambda n, most, unit: (
        _at_least(_within(most, unit), _percent(n))
    ),
    rf"No end is more common than {_NUMBER} %": lambda n: _at_most(_ends, lambda seats: _percent(n)),
    rf"No card is played in less than {_NUMBER} % of the matches in which it was held": lambda n: _at_least(
        _plays, _percent(n)
    ),
}
"""The sentences a promise can be, and how each is judged. `Matches last 20 to 60 turns` speaks of the middle half."""
