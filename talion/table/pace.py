"""When the server answers for somebody. Times are made of public facts alone: what a seat holds is in none of them."""

from __future__ import annotations

import hashlib
import math
import random
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talion.table.live import Live

HOLD = 30.0
FIRST_GUESS = 0.3
REMEMBERED = 50
MOST = 3.0


def beat(live: Live) -> float:
    """How long a reaction window is open for everybody, in seconds; 0 where it waits for people, or only bots are there
    to see it."""
    chosen = live.row.clock.get("beat")
    seconds = live.house.settings.beat if chosen is None else float(chosen)
    return seconds if any(seat.holders for seat in live.seats) or live.row.open else 0.0


def window_ends(live: Live, besides: int | None = None) -> float | None:
    """When the open reaction window closes by itself: with its beat, later if somebody asked for more time, at once if
    everybody who plays needs none (and `besides` neither). None if none is open, or it waits for people."""
    if live.play is None or live.row.status != "running" or not live.play.windows:
        return None
    length = beat(live)
    if length <= 0:
        return None
    if live.playing and live.playing <= {*live.gone, *_passing_always(live), besides}:
        return live.public_at
    return max(live.public_at + length, *live.held.values(), 0.0)


def _passing_always(live: Live) -> set[int]:
    return {seat.number for seat in live.seats if seat.order in ("pass", "until my turn")}


def slot(live: Live) -> float:
    """How long a bot's move takes, or a whole number of times as long: drawn from what everybody can see."""
    public = f"{live.row.id} {live.seen[0].number if live.seen else 0}"
    draw = hashlib.sha256(public.encode()).digest()[0] / 255
    return live.house.settings.pace * (0.7 + 0.6 * draw)


def next_slot(live: Live, earliest: float) -> float:
    """The first moment of a table's pace that is not before `earliest`."""
    each = slot(live)
    if each <= 0:
        return earliest
    return live.public_at + each * max(1, math.ceil((earliest - live.public_at) / each))


class Allowance:
    """How long thoughts of one kind take, as seen lately. A bot's answer waits for as long as nearly any thought of its kind
    would; and one that needs no thought pretends to one that was seen, so that neither tells anything."""

    def __init__(self) -> None:
        self._lately: dict[tuple[str, str], deque[float]] = {}

    def of(self, game: str, strength: str) -> float:
        lately = sorted(self._lately.get((game, strength), ()))
        return min(MOST, lately[len(lately) * 9 // 10]) if lately else FIRST_GUESS

    def took(self, game: str, strength: str, seconds: float) -> None:
        self._lately.setdefault((game, strength), deque(maxlen=REMEMBERED)).append(seconds)

    def pretended(self, game: str, strength: str) -> float:
        return random.choice(self._lately.get((game, strength)) or (FIRST_GUESS,))
