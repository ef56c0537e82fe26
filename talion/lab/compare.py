"""What a change does: the same matches with the cards before and after it, compared pair by pair.

A pair is one shuffle, played with both sets of cards by the same bots in the same seats. Everything is reckoned by pairs: the
seats of one match are not two samples, and luck that falls to both sides of a pair cancels out. All intervals may be looked
at as often as one likes, and together they are wrong on at most one page of twenty (see `anytime`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

from talion.kernel.changes import Change

from .anytime import ERROR, FEWEST, half_width, needed, rounded, spread_of
from .playing import Row

Measure = Callable[[Row], tuple[float, float]]
"""What a match adds to a figure: to its count, and to what it is counted of (1 for a plain mean)."""

POINTS, NUMBER = "points", ""
FOREMOST = 0.6
"""How much of the error that a page may make is spent on the few figures one looks at first."""
SAME_SHARE = 0.05
"""Shares that surely differ by less than this are called the same."""
SAME_LENGTH = 0.1
"""And numbers, as a share of what they were."""


@dataclass(frozen=True)
class Figure:
    """One figure before and after, and how far it moved."""

    group: str
    """What it is about: seats, roles, length, endings, cards, phrases."""
    name: str
    before: float
    after: float
    half: float
    """How far the interval reaches to each side."""
    margin: float
    """A difference smaller than this makes no difference."""
    unit: str
    pairs: int
    spread: float
    error: float
    about: str = ""
    seen: int = FEWEST
    """In how many matches there was anything to count, on the side that has fewer of them."""
    only: str = ""
    """`before` or `after`, if there is nothing to compare with: the card is gone, or new."""

    @property
    def change(self) -> float:
        return self.after - self.before

    @property
    def low(self) -> float:
        return max(self.change - self.half, -self._most)

    @property
    def high(self) -> float:
        return min(self.change + self.half, self._most)

    @property
    def _most(self) -> float:
        """No share changes by more than all of it."""
        return 1.0 if self.unit == POINTS else inf

    @property
    def changed(self) -> bool:
        """For certain."""
        return self.half < inf and (self.low > 0 or self.high < 0)

    @property
    def same(self) -> bool:
        """For certain, up to the margin."""
        return self.half < inf and -self.margin < self.low and self.high < self.margin

    @property
    def verdict(self) -> str:
        """In a word."""
        if self.only:
            return "alone"
        return "changed" if self.changed else "same" if self.same else "unknown"

    @property
    def still_needed(self) -> int:
        """How many more pairs it would take to know, if things go on as they are."""
        if self.changed or self.same or self.only or self.pairs < FEWEST:
            return 0
        if self.seen < FEWEST:
            return self.pairs * FEWEST // max(1, self.seen) - self.pairs
        away = abs(abs(self.change) - self.margin)
        return max(
            0, needed(self.spread, max(abs(self.change), away, self.margin / 2), self.error) - self.pairs
        )

    def words(self) -> str:
        """`seat 0 wins: 48.0 % to 55.5 %, +7.5 points (+2.1 to +12.9)`"""
        if self.unit == POINTS:
            before, after, change = f"{100 * self.before:.1f} %", f"{100 * self.after:.1f} %", "points "
            return f"{self.name}: {before} to {after}, {100 * self.change:+.1f} {change}({self.interval()})"
        return f"{self.name}: {self.before:.1f} to {self.after:.1f}, {self.change:+.1f} ({self.interval()})"

    def interval(self) -> str:
        """`+2.1 to +12.9`, in points or as a number: how wide it is tells how much is known."""
        if self.half == inf:
            return f"seen in {self.seen} matches"
        k = 100 if self.unit == POINTS else 1
        return f"{k * self.low:+.1f} to {k * self.high:+.1f}"

    def within(self) -> str:
        """The interval with its unit, to stand alone: `-2.1 to +12.9 points`."""
        return self.interval() + (" points" if self.unit == POINTS and self.half < inf else "")


@dataclass(frozen=True)
class Question:
    """A figure that can be asked of any match."""

    group: str
    name: str
    measure: Measure
    unit: str = POINTS
    about: str = ""
    """The card, if it is about one."""


class Comparison:
    """Pairs of matches, each played with the cards before and after."""

    def __init__(self, pairs: Sequence[tuple[Row, Row]], changes: Sequence[Change] = ()) -> None:
        self.pairs = pairs
        self.touched = list(dict.fromkeys(change.name for change in changes))
        """The cards that were changed, which come first."""
        self._only = {
            change.name: "after" if _is_there(change.after) else "before"
            for change in changes
            if _is_there(change.before) != _is_there(change.after)
        }
        """Those of which there are any on one side alone."""

    @cached_property
    def figures(self) -> list[Figure]:
        """Every figure, in the order of the page."""
        questions = list(asked([row for side in self._sides for row in side], self.touched))
        foremost = [self._is_foremost(question) for question in questions]
        share = {True: FOREMOST * ERROR / max(1, sum(foremost)),
                 False: (1 - FOREMOST) * ERROR / max(1, len(questions) - sum(foremost))}  # fmt: skip
        return [
            self._answered(question, share[first])
            for question, first in zip(questions, foremost, strict=True)
        ]

    @cached_property
    def _sides(self) -> tuple[list[Row], list[Row]]:
        """The matches with the cards before, and those after, with their lines filed: hundreds of questions look for them."""
        return [filed(before) for before, _ in self.pairs], [filed(after) for _, after in self.pairs]

    def _is_foremost(self, question: Question) -> bool:
        """Whether one looks at a figure first: of the game as a whole, or of a card that was changed."""
        return question.group in ("seats", "length") or question.about in self.touched

    def _answered(self, question: Question, error: float) -> Figure:
        was, now = ([question.measure(row) for row in side] for side in self._sides)
        (before, one), (after, two) = _ratio(was), _ratio(now)
        moved = [b - a for a, b in zip(one, two, strict=True)]
        shared = (
            1 / min(_usual(was), _usual(now)) if question.unit == POINTS else 0.0
        )  # what one match can move a share by
        spread, pairs = spread_of(moved, error, shared), len(self.pairs)
        seen = min(sum(base > 0 for _, base in side) for side in (was, now))
        margin = SAME_SHARE if question.unit == POINTS else SAME_LENGTH * max(abs(before), 1.0)
        only = self._only.get(question.about, "")
        few = seen < FEWEST  # few that are alike prove nothing
        half = inf if few or only else half_width(pairs, spread, error)
        return Figure(
            question.group,
            question.name,
            before,
            after,
            half,
            margin,
            question.unit,
            pairs,
            spread,
            error,
            question.about,
            seen,
            only,
        )

    @property
    def changed(self) -> list[Figure]:
        """What changed for certain, the farthest first."""
        found = [figure for figure in self.figures if figure.changed]
        return sorted(found, key=lambda figure: abs(figure.change) / figure.margin, reverse=True)

    @property
    def same(self) -> list[Figure]:
        return [figure for figure in self.figures if figure.same and not figure.changed]

    @property
    def open(self) -> list[Figure]:
        """What is not known yet."""
        return [figure for figure in self.figures if not (figure.same or figure.changed or figure.only)]

    def verdict(self) -> list[str]:
        """What changed for certain, what did not, and what is not known yet: a sentence each."""
        count = len(self.pairs)
        if count < FEWEST:
            are = "is" if count == 1 else "are"
            return [f"{pairs_of(count)} {are} too few to say anything; {FEWEST} are the least."]
        lines = [f"In {count} pairs of matches nothing changed for certain."]
        if self.changed:
            surely = "; ".join(figure.words() for figure in self.changed[:8])
            lines = [f"Changed for certain in {count} pairs of matches: {surely}."]
        of_the_game = [figure for figure in self.same if figure.group not in ("cards", "phrases")]
        if of_the_game:
            lines.append(
                f"Not changed, within {100 * SAME_SHARE:.0f} points or {100 * SAME_LENGTH:.0f} %: "
                f"{'; '.join(figure.name for figure in of_the_game[:12])}."
            )
        lines += self._of_new()
        unknown = [figure for figure in self.open if figure.about in self.touched]
        unknown += [figure for figure in self.open if figure.group not in ("cards", "phrases")]
        return [*lines, _not_known(unknown)] if unknown else lines

    def _of_new(self) -> Iterator[str]:
        """What became of cards with which nothing can be compared."""
        found = counted([after for _, after in self.pairs])
        for name in [name for name, side in self._only.items() if side == "after" and name in found]:
            n = found[name]
            came_of_it = (
                f"{n['held']} held it, {n['played']} of them played it, and {n['won_played']} of those won"
                if n["held"]
                else f"{n['had']} had it, and {n['won']} of those won"
            )
            yield f"{name} is new: {came_of_it}."

    def data(self) -> dict[str, Any]:
        """The same, for scripts and pages."""
        return {
            "pairs": len(self.pairs),
            "touched": list(self.touched),
            "verdict": self.verdict(),
            "cards": counted([row for _, row in self.pairs]),
            "figures": [
                {
                    "group": figure.group,
                    "name": figure.name,
                    "about": figure.about,
                    "before": figure.before if figure.only != "after" else None,
                    "after": figure.after if figure.only != "before" else None,
                    "low": figure.low if figure.half < inf else None,
                    "high": figure.high if figure.half < inf else None,
                    "unit": figure.unit,
                    "verdict": figure.verdict,
                    "needed": figure.still_needed and rounded(figure.still_needed),
                }
                for figure in self.figures
            ],
        }


def _not_known(figures: Sequence[Figure]) -> str:
    """What is not known yet, and how many more pairs would tell of the first and of the last of it."""
    said = "; ".join(f"{figure.name} ({figure.within()})" for figure in figures[:8])
    soonest = min(figures, key=lambda figure: figure.still_needed)
    most = rounded(max(figure.still_needed for figure in figures))
    fewest = rounded(soonest.still_needed)
    of_the_first = f" of “{soonest.name}”, {most} of all" if fewest < most else ""
    return f"Not known yet: {said}. About {fewest} more pairs would tell{of_the_first}."


def _is_there(printed: Mapping[str, Any] | None) -> bool:
    """Whether there are any of a card."""
    return printed is not None and printed.get("count", 1) > 0


def pairs_of(count: int) -> str:
    return f"{count} pair{'s' if count != 1 else ''} of matches"


def counted(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """For each card how often a seat had it in a match and won, held it in its hand, played it, and won then."""
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        for line in row["cards"]:
            card = found.setdefault(
                line["card"], dict.fromkeys(("had", "won", "held", "played", "won_played"), 0)
            )
            card["had"] += 1
            card["won"] += bool(line["won"])
            card["held"] += bool(line["held"])
            card["played"] += bool(line["held"] and line["played"])
            card["won_played"] += bool(line["held"] and line["played"] and line["won"])
    return found


def _usual(values: Sequence[tuple[float, float]]) -> float:
    """What a match usually has of what is counted of."""
    return sum(base for _, base in values) / max(1, len(values)) or inf


def _ratio(values: Sequence[tuple[float, float]]) -> tuple[float, list[float]]:
    """A count over what it is counted of, and how far each match pulls at it (its influence)."""
    count, of = sum(value for value, _ in values), sum(base for _, base in values)
    if not of:
        return 0.0, [0.0] * len(values)
    ratio, usual = count / of, of / len(values)
    return ratio, [(value - ratio * base) / usual for value, base in values]


# What is asked of matches -------------------------------------------------------------------------------------------------


def asked(rows: Sequence[Row], touched: Sequence[str] = ()) -> Iterator[Question]:
    """Every question that these matches, with their lines filed, can answer."""
    if not rows:
        return
    for seat in range(len(rows[0]["seats"])):
        yield Question("seats", f"seat {seat} wins", _seat_wins(seat))
    yield Question("seats", "nobody wins", lambda row: (float(not row["winners"]), 1.0))
    for role in _all(rows, "seats"):
        yield Question("roles", f"{role} wins", _share_of("seats", role, "won"))
    if any(row["turns"] for row in rows):
        yield Question("length", "turns a match", lambda row: (float(row["turns"]), 1.0), NUMBER)
    yield Question("length", "decisions a match", lambda row: (float(row["decisions"]), 1.0), NUMBER)
    for rule in sorted({row["rule"] for row in rows}):
        yield Question("endings", f"ends by {rule or 'no rule'}", _ends_by(rule))
    names = _all(rows, "cards")
    for name in [
        *(name for name in names if name in touched),
        *(name for name in names if name not in touched),
    ]:
        if name in touched:
            yield Question("cards", f"somebody has {name}", _had(name), about=name)
        yield Question("cards", f"{name} is played when held", _played_when_held(name), about=name)
        yield Question("cards", f"{name} wins when held", _share_of("cards", name, "won"), about=name)
        yield Question("cards", f"{name} wins when played", _won_when_played(name), about=name)
    for phrase in _all(rows, "phrases"):
        yield Question("phrases", f"“{phrase}” is carried out", _fired(phrase), NUMBER)


BY = {"seats": "plays_as", "cards": "card", "phrases": "phrase"}
"""What the lines of each part of a row are about."""


def filed(row: Row) -> Row:
    """A row whose lines are found by what they are about."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for table, column in BY.items():
        for line in row[table]:
            found.setdefault((table, line[column]), []).append(line)
    return {**row, "filed": found}


def _lines(row: Row, table: str, about: str) -> Sequence[Mapping[str, Any]]:
    lines: Sequence[Mapping[str, Any]] = row["filed"].get((table, about), ())
    return lines


def _all(rows: Sequence[Row], table: str) -> list[str]:
    return sorted({about for row in rows for part, about in row["filed"] if part == table} - {""})


def _seat_wins(seat: int) -> Measure:
    return lambda row: (float(seat in row["winners"]), 1.0)


def _ends_by(rule: str) -> Measure:
    return lambda row: (float(row["rule"] == rule), 1.0)


def _share_of(table: str, about: str, what: str) -> Measure:
    def measure(row: Row) -> tuple[float, float]:
        lines = _lines(row, table, about)
        return float(sum(bool(line[what]) for line in lines)), float(len(lines))

    return measure


def _had(name: str) -> Measure:
    return lambda row: (float(bool(_lines(row, "cards", name))), 1.0)


def _played_when_held(name: str) -> Measure:
    def measure(row: Row) -> tuple[float, float]:
        lines = [line for line in _lines(row, "cards", name) if line["held"]]
        return float(sum(bool(line["played"]) for line in lines)), float(len(lines))

    return measure


def _won_when_played(name: str) -> Measure:
    def measure(row: Row) -> tuple[float, float]:
        lines = [line for line in _lines(row, "cards", name) if line["played"]]
        return float(sum(line["won"] for line in lines)), float(len(lines))

    return measure


def _fired(phrase: str) -> Measure:
    return lambda row: (float(sum(line["fired"] for line in _lines(row, "phrases", phrase))), 1.0)
