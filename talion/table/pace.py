"""When the server answers for somebody. Times are made of public facts alone: what a seat holds is in none of them."""

from __future__ import annotations

import hashlib
import math
import random
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talion.table.live import Live
    from talion.table.sights import Sight

FIRST_GUESS = 0.3
REMEMBERED = 50
MOST = 3.0
ServerAct = tuple[float, str, int]
"""When, what, for which seat."""


def beat(live: Live, seen: list[Sight]) -> float:
    """How long the window that is seen is open for everybody, in seconds; 0 where it waits for people, or only bots are there
    to see it."""
    return 0.0 if only_bots_see(live) else _told(live) * max(sight.beats for sight in seen)


def _told(live: Live) -> float:
    chosen = live.row.clock.get("beat")
    return live.house.settings.beat if chosen is None else float(chosen)


def only_bots_see(live: Live) -> bool:
    """Whether nobody but bots could learn anything from when a window closes: one person plays, and nobody watches."""
    if live.row.open or live.house.hub.watched(live.row.id):
        return False
    return all(live.seats.playing <= live.seats.spoken_for(seat) for seat in live.seats.playing)


def passes_at_once(live: Live, seat: int) -> bool:
    """Whether the server passes for somebody who cannot react, without a beat: where nobody is there to learn it."""
    alone = _told(live) > 0 and only_bots_see(live)
    return alone and live.play is not None and live.play.only_option(seat) is not None


def window_ends(live: Live, seen: list[Sight], besides: int | None = None) -> float | None:
    """When the reaction window that is seen closes by itself: with its beat, later if somebody asked for more time, at once if
    everybody who plays needs none (and `besides` neither). None if none is open, or it waits for people."""
    if live.row.status != "running" or not any(sight.beats for sight in seen):
        return None
    length = beat(live, seen)
    if length <= 0:
        return None
    if live.seats.playing and live.seats.playing <= {*live.course.gone, *_passing_always(live), besides}:
        return live.course.public_at
    return max(live.course.public_at + length, *live.course.held.values(), 0.0)


def waits_for_people(live: Live, seen: list[Sight]) -> bool:
    """Whether bots hold back in the window that is seen until people have answered, who would else never come first."""
    asked = (seat for seat, sight in zip(live.seats, seen[1:], strict=True) if sight.beats)
    return window_ends(live, seen) is None and any(seat.bot is None for seat in asked)


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
    return live.course.public_at + each * max(1, math.ceil((earliest - live.course.public_at) / each))


def next_act(live: Live, seen: list[Sight], left: list[float] | None, since: float) -> ServerAct | None:
    """What the server itself must do next if nobody else does anything after what is seen since then, with so much left on the
    clocks."""
    return min(_acts(live, seen, left, since), default=None) if live.row.status == "running" else None


def _acts(live: Live, seen: list[Sight], left: list[float] | None, since: float) -> Iterator[ServerAct]:
    for seat, sight in enumerate(seen[1:]):
        if not sight.asked:
            continue
        if live.seats[seat].bot is not None:
            if not (sight.beats and waits_for_people(live, seen)):
                yield since, "bot", seat
            continue
        if left is not None:
            yield since + left[seat], "clock", seat
        if sight.beats and (live.seats[seat].order != "ask" or seat in live.course.gone):
            closes = window_ends(live, seen)
            if closes is not None:
                yield closes, "pass", seat
            elif live.seats[seat].order != "auto" or passes_at_once(live, seat):
                yield next_slot(live, live.course.public_at), "pass", seat


class Allowance:
    """How long thoughts of one kind take, as seen lately. A bot's answer waits for as long as nearly any thought of its kind
    would; and one that needs no thought pretends to one that was seen, so that neither tells anything."""

    def __init__(self) -> None:
        self._lately: dict[tuple[str, str], deque[float]] = {}

    def of(self, game: str, strength: str) -> float:
        lately = sorted(self._of(game, strength))
        return min(MOST, lately[(len(lately) - 1) * 17 // 20])

    def took(self, game: str, strength: str, seconds: float) -> None:
        self._of(game, strength).append(seconds)

    def pretended(self, game: str, strength: str) -> float:
        return random.choice(self._of(game, strength))

    def _of(self, game: str, strength: str) -> deque[float]:
        """It begins with guesses, so that the first thought, for which a process had to start, does not slow all others."""
        return self._lately.setdefault((game, strength), deque([FIRST_GUESS] * 5, maxlen=REMEMBERED))
