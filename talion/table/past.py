"""What has been played, from its beginning: as a file, to take back what lies before the last written state, and to be looked
back at, played out once for everybody, with any moment soon at hand."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from talion.kernel import Match
from talion.table.play import MATCH_KINDS, Illegal, ServedMatch, unplayed
from talion.table.refusal import Refusal
from talion.table.rows import EntryRow, read_entries

if TYPE_CHECKING:
    from talion.table.live import Live

EVERY = 25
MOST_SEEN = 400
MOST_KEPT = 12


async def whole_file(live: Live) -> str:
    """The match file, once the match is over."""
    if not live.ended or live.row.start is None:
        raise Refusal("The match file holds the seed; it is there when the match is over.")
    record = await _record(live)

    def written() -> str:
        try:
            return _played(live, record).file()
        except (Refusal, Illegal):
            assert live.row.start is not None
            entries = [(entry.kind, entry.seat, entry.body) for entry in record]
            return unplayed(live.row.start, entries, live.cards)

    return await asyncio.to_thread(written)


async def whole_match(live: Live) -> ServedMatch | None:
    """A match under way with all its past: after a restart it is known from the last state that was written out. None if
    these rules, played from the beginning, lead elsewhere."""
    assert live.play is not None
    record = [entry for entry in await _record(live) if entry.number <= live.course.number]
    with contextlib.suppress(Refusal, Illegal):
        play = await asyncio.to_thread(_played, live, record)
        if play.match.t.write() == live.play.match.t.write():
            return play
    return None


async def _record(live: Live) -> list[EntryRow]:
    """Every entry that plays on."""
    record = await live.house.store.read(lambda connection: read_entries(connection, live.row.id))
    return [entry for entry in record if entry.kind in MATCH_KINDS]


def _played(live: Live, record: list[EntryRow]) -> ServedMatch:
    assert live.row.start is not None
    play = ServedMatch.resume(live.row.start, live.house.catalogue.find, live.cards)
    for entry in record:
        play.apply(entry.kind, entry.seat, entry.body)
    return play


class Past:
    """A whole match, with a copy of it every so many entries. Used by threads, one at a time."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.number = match.number
        self._entries = list(match.record or ())
        self._copies = [match.before(0)]
        self._seen: OrderedDict[tuple[int, int | None], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def at(self, number: int) -> Match:
        """The match when its record had this many entries."""
        with self._lock:
            return self._at(number)

    def seen(self, number: int, seat: int | None) -> bytes:
        """What an audience saw then, the same for everybody who looks."""
        with self._lock:
            if (number, seat) not in self._seen:
                self._seen[number, seat] = ServedMatch(self._at(number)).seen(seat)
                if len(self._seen) > MOST_SEEN:
                    self._seen.popitem(last=False)
            return self._seen[number, seat]

    def _at(self, number: int) -> Match:
        while len(self._copies) <= number // EVERY:
            self._copies.append(self._played(len(self._copies) - 1, EVERY))
        return self._played(number // EVERY, number % EVERY)

    def _played(self, copy: int, entries: int) -> Match:
        going = self._copies[copy].copy()
        for entry in self._entries[copy * EVERY : copy * EVERY + entries]:
            going.apply(entry)
        return going


class Pasts:
    """Matches that were looked back at lately, each under a key of its own."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Past] = OrderedDict()
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __contains__(self, key: str) -> bool:
        """Whether a match need not be read first."""
        return key in self._kept

    async def of(self, key: str, read: Callable[[], Awaitable[ServedMatch]]) -> Past:
        """A match's past, which is read if it was not looked at lately."""
        async with self._reading.setdefault(key, asyncio.Lock()):
            if key not in self._kept:
                self._kept[key] = Past((await read()).match)
            self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return self._kept.get(key) or await self.of(key, read)

    async def of_table(self, live: Live) -> Past:
        """The past of a table whose match is over. Refused while it is not."""

        async def read() -> ServedMatch:
            text = await whole_file(live)
            return await asyncio.to_thread(ServedMatch.resume, text, live.house.catalogue.find, live.cards)

        return await self.of(live.row.id, read)
