"""The one way to an audience: a seat, or those who watch. It is told what is new to it, when it is new, and nothing else.

That something is told at all, how often and when is knowledge too. So whatever happens at a table, each audience's own
part of it is compared with what it was told last; who did what in secret reaches nobody, not even as an empty message.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from talion.table import frame

if TYPE_CHECKING:
    from talion.table.live import Live
    from talion.table.rows import SeatRow


class Told(msgspec.Struct, frozen=True, gc=False):
    """What an audience knows of a table: how often its match changed, what is around it, what was said."""

    number: int
    around: bytes
    line: int  # the number of the latest one
    holders: frozenset[str]


class Audiences:
    """All audiences of one table, and what each was told last. Those who come later look for themselves first."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._told = [self._now(place) for place in self._places()]

    def _places(self) -> list[SeatRow | None]:
        """The watchers, then each seat."""
        return [None, *self._live.seats]

    def _now(self, place: SeatRow | None) -> Told:
        live = self._live
        number = live.seen[place.number + 1 if place else 0].number if live.seen else -1
        holders = place.holders if place else frozenset()
        lines = frame.heard(live, place)
        return Told(number, frame.steady(live, place), lines[-1].number if lines else 0, holders)

    def tell(self, anew: bool = False) -> None:
        """News for each audience, if there are any; `anew`, as if it had seen nothing of this table before."""
        for index, place in enumerate(self._places()):
            before, now = self._told[index], self._now(place)
            self._told[index] = now
            if now.number >= 0 and (anew or now.number != before.number):
                news, state = self.news(place)
                self._send("match", place, now.holders, news, state)
            if anew or now.around != before.around or now.holders != before.holders:
                self._send("table", place, now.holders | before.holders)
            if now.line != before.line:
                self._send("chat", place, now.holders)

    def news(self, place: SeatRow | None) -> tuple[dict[str, Any], Callable[[], bytes]]:
        """What a stream is told of the match, and what it is sent besides if it wants to see the state at once."""
        live = self._live
        seen = live.seen[place.number + 1 if place else 0]
        topic = place.id if place else live.row.id
        return {"of": topic, "number": seen.number, "asked": seen.asked}, lambda: frame.state(live, place)

    def _send(
        self,
        kind: str,
        place: SeatRow | None,
        people: frozenset[str],
        news: dict[str, Any] | None = None,
        state: Callable[[], bytes] | None = None,
    ) -> None:
        topic = place.id if place else self._live.row.id
        listeners = people if place else None
        self._live.house.hub.tell(kind, topic, news or {"of": topic}, state, listeners)
