"""Clocks: none, live with an increment, or days a move. What is left to each seat is part of the record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

DAY = 86400.0
KINDS = ("none", "live", "days")


def checked(clock: dict[str, Any]) -> dict[str, Any]:
    """A clock as a table keeps it; a ValueError says what is wrong with the one given."""
    kind = clock.get("kind", "none")
    if kind not in KINDS:
        raise ValueError("A clock is one of none, live, days.")
    if kind == "live":
        seconds, more = float(clock.get("seconds", 900)), float(clock.get("increment", 10))
        if not (10 <= seconds <= 86400 and 0 <= more <= 3600):
            raise ValueError("A live clock has 10 seconds to a day, and an increment of up to an hour.")
        return {"kind": kind, "seconds": seconds, "increment": more}
    if kind == "days":
        days = float(clock.get("days", 3))
        if not 0.01 <= days <= 60:
            raise ValueError("A clock by days gives up to 60 days a move.")
        return {"kind": kind, "days": days}
    return {"kind": "none"}


def at_start(clock: dict[str, Any], seats: int) -> list[float] | None:
    """What every seat has at first; none without a clock."""
    if clock["kind"] == "live":
        return [clock["seconds"]] * seats
    if clock["kind"] == "days":
        return [clock["days"] * DAY] * seats
    return None


def after(
    clock: dict[str, Any], left: list[float] | None, asked: Iterable[int], seat: int | None, spent: float
) -> list[float] | None:
    """What is left after `spent` seconds in which `asked` had to decide, and `seat` then did."""
    if left is None:
        return None
    asked = set(asked)
    left = [max(0.0, have - spent) if place in asked else have for place, have in enumerate(left)]
    if seat is not None:
        if clock["kind"] == "days":
            left[seat] = clock["days"] * DAY
        else:
            left[seat] += clock["increment"]
    return left


def worded(seconds: int) -> str:
    """What is left, as a page shows it before its script lets it run."""
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if days:
        return f"{days} {'day' if days == 1 else 'days'} {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60:02} min"
    return f"{minutes}:{seconds % 60:02}"


def runs_out(left: list[float] | None, asked: Iterable[int], since: float) -> float | None:
    """When the first of those asked is out of time."""
    if left is None:
        return None
    return min((since + left[seat] for seat in asked), default=None)
