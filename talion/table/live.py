"""A table in memory: a cache of its record. An answer is written first, and told afterwards."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from talion.table import clocks, frame, pace, people
from talion.table.audience import Audiences
from talion.table.course import Course
from talion.table.play import MATCH_KINDS, Illegal, ServedMatch
from talion.table.refusal import CONCEDED, Refusal
from talion.table.resuming import taken_up, why_it_stands
from talion.table.rows import ChatLine, EntryRow, SeatRow, Stored, read_entries
from talion.table.seats import Places
from talion.table.sights import Sight, look

if TYPE_CHECKING:
    from talion.table.house import House

log = logging.getLogger("talion.table")
SNAPSHOT_EVERY = 50
JUST_SHOWN = 60.0
CHANGED = "The table has changed meanwhile; look again."


@dataclass(frozen=True)
class Reply:
    """What became of a submission."""

    kind: str  # accepted, duplicate, refused, stale
    number: int
    why: str = ""
    rule: str = ""


class Live:
    """One table."""

    def __init__(self, house: House, stored: Stored) -> None:
        self.house = house
        self.lock = asyncio.Lock()
        self.touched = time.monotonic()
        self.shown_at = -JUST_SHOWN
        """When a page of it was last fetched."""
        self.waits_for = ""  # a sentence for everybody, while bots are long in coming
        self.around: dict[int, frame.Around] = {}
        self._rebuild(stored)
        self.audiences = Audiences(self)

    # ------------------------------------------------------------------ memory follows the record

    def _rebuild(self, stored: Stored) -> None:
        """Take everything from the disk."""
        self._take_frame(stored)
        self.course = Course(self.row, len(self.seats), stored.keys)
        for entry in stored.entries:
            self.course.note(entry)
        self.play: ServedMatch | None = None
        self.seen: list[Sight] = []
        self.spoilt = False
        self.halted = ""
        self._written_at = stored.snapshot[0] if stored.snapshot else 0
        if self.row.start is None:
            return
        try:
            self.play = taken_up(stored, self.cards, self.house.catalogue.find)
            self._listen()
            self.seen = look(self.play, self.course.numbers)
        except Exception as problem:
            self.play, self.seen = None, []
            self.course.offer = None  # nobody can agree to it here
            self.halted = why_it_stands(self.row, problem)

    def _listen(self) -> None:
        """Whoever follows with a page is shown what happened, one thing after the other. A page is fetched before it follows."""
        if self.play is not None:
            shown = time.monotonic() - self.shown_at < JUST_SHOWN
            self.play.hear(shown or self.house.hub.has_pages(self.row.id, self.seats.people))

    def _take_frame(self, stored: Stored) -> None:
        """What is on the disk of a table besides its match."""
        self.row, self.seats = stored.table, Places(stored.seats)
        self.chat, self.links = stored.chat, stored.links
        self.cards = self.house.one_text(self.row.content, stored.cards)

    async def settled(self) -> ServedMatch | None:
        """The match when nothing of it is being written: whoever looks into it, and not at what is seen, asks for it here,
        and is done with it before anything else is waited for."""
        async with self.lock:
            if self.spoilt:
                await self.reload()
            return self.play

    async def reload(self) -> None:
        """Forget everything and take it from the disk again."""
        self._rebuild(await self._stored())

    async def _stored(self) -> Stored:
        stored = await self.house.store.load(self.row.id)
        if stored is None:
            self.house.drop(self)
            raise Refusal("This table is gone.", status=404)
        return stored

    async def refresh(self) -> None:
        """Seats, status or chat have changed, here or in another process: read them, and tell."""
        async with self.lock:
            await self._read_again()

    async def _read_again(self) -> None:
        stored = await self._stored()
        fresh = [entry for entry in stored.entries if entry.number > self.course.number]
        if self._can_follow(fresh):
            self._take_frame(stored)
            self._follow(fresh)
        else:
            self._rebuild(stored)
        self.audiences.tell()
        self.house.keeper.consider(self)

    def _can_follow(self, fresh: list[EntryRow]) -> bool:
        """Whether the match in memory, with its whole past, can go on with these entries."""
        if self.play is None or self.spoilt or any(entry.kind == "undo" for entry in fresh):
            return False
        return not fresh or fresh[0].number == self.course.number + 1

    async def catch_up(self, number: int) -> None:
        """Another process has written up to `number`."""
        async with self.lock:
            if self.course.number >= number and not self.spoilt:
                return
            fresh = await self.house.store.read(lambda c: read_entries(c, self.row.id, self.course.number))
            if self._can_follow(fresh):
                self._follow(fresh)
            else:
                await self.reload()
            if self.play is not None and self.play.over and self.row.status == "running":
                await self.reload()
            self.audiences.tell()
            self.house.keeper.consider(self)

    def _follow(self, fresh: list[EntryRow]) -> None:
        """Entries that are written already."""
        assert self.play is not None
        self._listen()
        for entry in fresh:
            if entry.kind in MATCH_KINDS:
                self.play.apply(entry.kind, entry.seat, entry.body)
            self.course.note(entry)
        if fresh:
            self.seen = look(self.play, self.course.numbers)

    def hear(self, line: ChatLine) -> None:
        """Something was said."""
        if all(line.number != known.number for known in self.chat):
            self.chat.append(line)
            del self.chat[: -self.house.settings.limits.lines]
        self.audiences.tell()

    # ------------------------------------------------------------------ answers

    def stands(self, seat: int) -> Sight:
        """What a seat sees."""
        if not self.seen:
            raise Refusal(self.halted or "The match has not begun.")
        return self.seen[seat + 1]

    async def submit(self, seat: int, key: str, number: int, option: Any) -> Reply:
        """A seat's answer. Every submission gets a reply that says what became of it."""
        async with self.lock:
            if self.spoilt:
                await self.reload()
            if (seat, key) in self.course.keys:
                return Reply("duplicate", self.course.keys[seat, key])
            self.seats.still_held(seat)
            if self.play is None:
                return Reply("refused", 0, self.halted or "The match has not begun.")
            if number != self.stands(seat).number:
                return Reply("stale", self.stands(seat).number)
            if self.row.status != "running":
                return Reply("refused", number, "The match is not running.")
            if self.seats[seat].conceded:
                return Reply("refused", number, CONCEDED)
            try:
                body = self.play.read(seat, option)
                if self.seats[seat].bot is not None:  # whoever answers is back, and plays themselves
                    known = await self._change(self.seats[seat], bot=None)
                    if not known or number != self.stands(seat).number:  # other processes write too
                        return Reply("stale", self.stands(seat).number)
                if self._needs_no_time(seat, body):
                    # A pass counts when the window closes: how soon somebody clicked tells nothing.
                    written = seat in self.course.gone or await self.record("go on", seat, None, key)
                else:
                    written = await self.record("answer", seat, body, key)
            except Illegal as refusal:
                return Reply("refused", number, str(refusal), getattr(refusal, "rule", ""))
            if written:
                return Reply("accepted", self.stands(seat).number)
            # Somebody else's entry was first; or this very one, sent twice through two servers.
            if (seat, key) in self.course.keys:
                return Reply("duplicate", self.course.keys[seat, key])
            return Reply("stale", self.stands(seat).number)

    def _needs_no_time(self, seat: int, body: Any) -> bool:
        """Whether an answer is to let a reaction window pass that is still open for others."""
        assert self.play is not None
        ends = pace.window_ends(self, self.seen, besides=seat)
        if ends is None or ends <= self.house.now() or not self.stands(seat).beats:
            return False
        return bool(body == self.play.passing(seat))

    async def act(self, kind: str, seat: int, number: int, body: Any = None) -> bool:
        """An act of the server for a seat (a bot's answer, a default), if the seat still stands at `number`."""
        async with self.lock:
            if self.spoilt:
                await self.reload()
            if self.row.status != "running" or self.stands(seat).number != number:
                return False
            return await self.record(kind, seat, body)

    async def record(
        self, kind: str, seat: int | None, body: Any, key: str | None = None, **changes: Any
    ) -> bool:
        """Do it in memory, write it, then tell. Nothing of it is seen by anybody before it is on the disk."""
        play = self.play
        now, asked = self.house.now(), play.asked if play else set()
        if kind in MATCH_KINDS:
            assert play is not None
            self._listen()
            if kind == "default" and seat is not None:
                body = play.default(seat)
            play.apply(kind, seat, body)  # raises Illegal, and then nothing has changed
        try:
            seen = self.seen
            if play is not None and kind in MATCH_KINDS:
                seen = look(play, [sight.number for sight in self.seen], self.seen, seat)
            left = clocks.after(
                self.row.clock,
                self.course.clocks,
                asked,
                seat if kind in MATCH_KINDS else None,
                max(0.0, now - self.course.at),
            )
            numbers = [sight.number for sight in seen] or self.course.numbers
            entry = EntryRow(self.course.number + 1, kind, seat, body, key, now, numbers, left)
            changes = (self._changes(entry, seen) if play else {}) | changes
            snapshot = play.snapshot() if play and self._writes_out(entry) else None
            written = await self.house.store.append(self.row.id, entry, changes, snapshot)
        except BaseException:
            self.spoilt = True
            raise
        if not written:
            await self.reload()
        else:
            self.course.note(entry)
            self.seen = seen
            if snapshot is not None:
                self._written_at = entry.number
            if changes:
                self.row = replace(
                    self.row, **{k: v for k, v in changes.items() if not k.startswith("lease")}
                )
            self.house.metrics.add("talion_entries_total")
        self.audiences.tell()
        self.house.keeper.consider(self)
        return written

    def _writes_out(self, entry: EntryRow) -> bool:
        """Whether the state is to be written out now: once in a while, so that no long past has to be played again;
        at the end, which is looked at for years, by newer rules too; and after an undo, since a match resumed from a
        later state than the one gone back to could not follow it."""
        assert self.play is not None
        if entry.kind == "undo" or self.play.over:
            return True
        return entry.kind in MATCH_KINDS and entry.number % SNAPSHOT_EVERY == 0

    def _changes(self, entry: EntryRow, seen: list[Sight]) -> dict[str, Any]:
        """What an entry changes about its table: that it is over, and when the server must act next."""
        assert self.play is not None
        changes: dict[str, Any] = {}
        due = None
        if self.play.over and self.row.status == "running":
            given_up = {seat.number for seat in self.seats if seat.conceded}
            changes |= {
                "status": "over",
                "result": people.ranked(self.play.result(), given_up),
                "ended": entry.at,
            }
        elif act := pace.next_act(self, seen, entry.clocks, entry.at):
            due = act[0]
        # What this process remembers to be due may be out of date where others write the same tables.
        known = due == self.row.due and not self.house.store.shared
        if not known or entry.kind == "default" or self._is_bot(entry.seat):
            changes |= {"due": due, "lease_by": None, "lease_until": None}
        return changes

    def next_act(self) -> pace.ServerAct | None:
        """What the server itself must do next here."""
        return pace.next_act(self, self.seen, self.course.clocks, self.course.at)

    def _is_bot(self, seat: int | None) -> bool:
        return seat is not None and self.seats[seat].bot is not None

    # ------------------------------------------------------------------ the match as a whole

    async def begin(self, start: str | None = None) -> None:
        """Everybody sits: deal, or go on with a match that began elsewhere."""
        async with self.lock:
            if self.house.store.shared:  # who sat down through another process may not have been heard of yet
                await self._read_again()
            if self.row.status != "seating":
                raise Refusal("This match has begun already.")
            if not all(seat.taken for seat in self.seats):
                raise Refusal("There are empty seats: wait for somebody, or seat a bot.")
            now, game = self.house.now(), self.house.catalogue.find(self.row.game)
            content = game.content_of(self.cards) if self.cards is not None else game.content()
            if start is None:
                play = ServedMatch.begin(game, len(self.seats), self.row.seed, self.row.options, content)
                start = play.start()
            else:
                play = ServedMatch.resume(start, self.house.catalogue.find, self.cards)
            due = now if any(seat.bot for seat in self.seats) or self.course.clocks else None
            begun = EntryRow(
                1, "begin", None, None, None, now, [0] * (len(self.seats) + 1), self.course.clocks
            )
            changes = {"status": "running", "start": start, "due": due, "version": game.version}
            written = await self.house.store.begin(self.row.id, begun, changes, play.snapshot())
            await self._read_again()
            if not written:
                raise Refusal(CHANGED)

    def under_way(self, seat: int) -> ServedMatch:
        """The match, if it runs and is still this seat's to play."""
        if self.row.status != "running" or self.play is None:
            raise Refusal(self.halted or "The match is not running.")
        if self.seats.still_held(seat).conceded:
            raise Refusal(CONCEDED)
        return self.play

    async def write_out(self) -> None:
        """Write the state down, so that also other rules can go on from here. A table at rest is one step from it."""
        if self.lock.locked():
            return
        async with self.lock:
            if self.spoilt and not await self._as_on_disk():
                return
            if self.play is None or self.row.status != "running" or self._written_at >= self.course.number:
                return
            await self.house.store.write_out(self.row.id, self.course.number, self.play.snapshot())
            self._written_at = self.course.number

    async def _as_on_disk(self) -> bool:
        """An answer was cut short, and may be written all the same: wait for whatever is being written, and read. Whether the
        table is still there."""
        await self.house.store.write(self.row.id, lambda connection: None)
        try:
            await self.reload()
        except Refusal:
            return False
        return True

    @property
    def ended(self) -> bool:
        return self.row.status not in ("seating", "running")

    # ------------------------------------------------------------------ the seats

    @property
    def changes(self) -> list[dict[str, Any]]:
        """What is different in this table's cards from what its game prints now."""
        if self.play is not None:
            return self.house.catalogue.changes(self.play.content)
        if self.cards is None or self.halted:
            return []
        return self.house.catalogue.changes(self.house.catalogue.find(self.row.game).content_of(self.cards))

    def explain(self, sentence: str) -> None:
        """Say to everybody why nothing happens, or no more."""
        if sentence != self.waits_for:
            self.waits_for = sentence
            self.audiences.tell()

    async def change(self, seat: SeatRow, forget: bool = False, **values: Any) -> None:
        """Change a seat, and let everybody know. Whoever does it holds the lock since before they looked whether it may be
        done; and no entry comes between: it would know the seat as it was, and say when the server must act next as if
        nothing had changed."""
        assert self.lock.locked()
        if not await self._change(seat, forget, **values):
            raise Refusal(CHANGED)

    async def _change(self, seat: SeatRow, forget: bool = False, **values: Any) -> bool:
        """False: on the disk the table or the seat is another than was known here."""
        store = self.house.store
        changed = await store.seating.change(self.row.id, self.row.status, seat, forget, **values)
        await self._read_again()
        if act := self.next_act():
            self.row = replace(self.row, due=act[0])
            await store.change_table(self.row.id, due=act[0])
        return changed

    async def call_off(self) -> None:
        """Nobody is left: the table is closed, unless its match has just ended."""
        ended = {"status": "aborted", "ended": self.house.now(), "due": None}
        await self.house.store.change_table(self.row.id, ("seating", "running"), **ended)
        await self._read_again()
