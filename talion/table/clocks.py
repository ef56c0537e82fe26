"""Clocks: none, live with an increment, or days a move. What is left to each seat is part of the record."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec

DAY = 86400.0
SHORTEST_PATIENCE = 60.0


class Now:
    """The present time: the database's when this process began, and from then on as a clock goes that is never set. Who
    sets a machine's clock charges nobody for it."""

    def __init__(self, began: float) -> None:
        self._ahead = began - time.monotonic()

    def __call__(self) -> float:
        return time.monotonic() + self._ahead


class Clock(msgspec.Struct, forbid_unknown_fields=True):
    """None; live, with so many seconds for each seat and some more after each of its answers; or so many days for each
    answer. Who lets the others wait for longer than their patience, in seconds, may be played by a bot. The beat is how
    long a reaction window is open, in seconds, for who reacts and who cannot alike; 0: until each has answered."""

    kind: Literal["none", "live", "days"] = "none"
    seconds: Annotated[float, msgspec.Meta(ge=10, le=DAY)] = 900.0
    increment: Annotated[float, msgspec.Meta(ge=0, le=3600)] = 10.0
    days: Annotated[float, msgspec.Meta(ge=0.01, le=60)] = 3.0
    patience: Annotated[float, msgspec.Meta(ge=SHORTEST_PATIENCE, le=60 * DAY)] | None = None
    beat: Annotated[float, msgspec.Meta(ge=0, le=30)] | None = None


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


def in_words(seconds: float) -> str:
    """A length of time as one says it, in the largest measure that fits it."""
    for each, name in ((DAY, "day"), (3600.0, "hour"), (60.0, "minute")):
        if seconds >= each and seconds % each == 0:
            return f"{seconds / each:g} {name}{'' if seconds == each else 's'}"
    return f"{seconds:g} seconds"


def runs_out(left: list[float] | None, asked: Iterable[int], since: float) -> float | None:
    """When the first of those asked is out of time."""
    if left is None:
        return None
    return min((since + left[seat] for seat in asked), default=None)
