"""One server process: its store, its tables in memory, those who listen, and the keeper."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from sqlalchemy.exc import DBAPIError

from talion.bots.personas import personas
from talion.kernel import Content
from talion.table import memory, people
from talion.table.bans import KEPT_OUT, Bans
from talion.table.catalogue import Catalogue
from talion.table.clocks import DAY, Clock, Now
from talion.table.keeper import Keeper
from talion.table.limits import Gate
from talion.table.listener import NoticeListener
from talion.table.live import Live
from talion.table.metrics import Metrics
from talion.table.past import Pasts
from talion.table.refusal import Refusal
from talion.table.rows import SeatRow, TableRow
from talion.table.settings import Settings
from talion.table.sharing import Sharing
from talion.table.store import Store
from talion.table.stream import Hub
from talion.table.tokens import Person, Signer, derived, hashed, new_id, new_token
from talion.table.writer import Busy

log = logging.getLogger("talion.table")
AT_REST = 10.0
FEW = 20


@dataclass(frozen=True)
class WantedTable:
    """A table as somebody wants it: each seat is "me", "open" or a bot's strength."""

    game: str
    seats: list[str]
    options: dict[str, Any]
    clock: Clock
    title: str = ""
    open: bool = False
    card_set: str = ""
    content: Content | None = None  # none: that of the set


class House:
    """What the pages, the API and the keeper share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.catalogue = Catalogue(settings.games, settings.cards)
        self.store = Store(settings.database)
        self.now = Now(self.store.present())
        self.signer = Signer(self.store.signing_key())
        limits, shared = settings.limits, self.store.shared
        self.hub = Hub(limits.streams_per_person, limits.streams_per_address, shared)
        self.metrics = Metrics(settings.metrics)
        self._left = 0
        """How many tables have left memory since it was given back."""
        self.gate = Gate(limits, shared)
        self.bans = Bans()
        self.keeper = Keeper(self)
        self._tables: OrderedDict[str, Live] = OrderedDict()
        self._held: WeakValueDictionary[str, Live] = WeakValueDictionary()
        """Those, and such as have left memory while somebody was still at work with them."""
        self.pasts = Pasts()
        self._tried_at, self._writes = -10.0, True
        self._texts: dict[str, str] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._troubled: set[str] = set()  # tables that cannot be opened here, as noted in the log
        self._tasks: list[asyncio.Task[None]] = []
        self.sharing = Sharing(self.gate, self.hub, self.store.tell_counts) if shared else None
        self.listener = (
            NoticeListener(self.store.url, self._heard, self.read_again, self.sharing.hear)
            if self.sharing
            else None
        )

    # ------------------------------------------------------------------ coming and going

    async def start(self) -> None:
        await self.read_bans()
        if not self.store.shared:  # what was claimed by the server before this one is nobody's now
            await self.store.release_all()
        self._tasks = [asyncio.create_task(self.keeper.run())]
        if self.listener and self.sharing:
            self._tasks.append(asyncio.create_task(self.listener.run()))
            self._tasks.append(asyncio.create_task(self.sharing.run()))

    async def stop(self) -> None:
        self.hub.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.keeper.stop()
        if self.sharing:
            await self.sharing.tell_goodbye()
        for live in list(self._tables.values()):  # the next release may have other rules
            await live.write_out()
        await asyncio.to_thread(self.store.close)

    async def read_bans(self) -> None:
        """Know who is kept out; their streams end."""
        self.bans = Bans(await self.store.bans())
        self.hub.end_those(lambda person, address: self.bans.why(person, address) is not None, KEPT_OUT)

    @property
    def healthy(self) -> bool:
        return self.listener is None or self.listener.up

    async def can_write(self) -> bool:
        """Whether the database takes a write; tried, but not more often than every few seconds."""
        if time.monotonic() - self._tried_at > 5.0:
            self._tried_at = time.monotonic()
            try:
                async with asyncio.timeout(5):
                    await self.store.try_writing(self.now())
                self._writes = True
            except (DBAPIError, TimeoutError, Busy):
                self._writes = False
        return self._writes

    # ------------------------------------------------------------------ tables

    async def table(self, table: str) -> Live:
        """A table, from memory or from the disk."""
        live = self._tables.get(table)
        if live is None:
            async with self._opening.setdefault(table, asyncio.Lock()):  # there while anybody waits for it
                live = self._tables.get(table) or await self._open(table)
        live.touched = time.monotonic()
        self._tables.move_to_end(table)
        return live

    async def openable(self, table: str) -> Live | None:
        """One table of several. If it cannot be opened here now, the others are none the worse, and it is noted once."""
        try:
            live = await self.table(table)
        except Exception as problem:
            if table not in self._troubled:
                self._troubled.add(table)
                trace = None if isinstance(problem, Refusal) else problem
                log.warning("a table cannot be opened", exc_info=trace, extra={"table": table})
            return None
        self._troubled.discard(table)
        return live

    async def listed(self, status: str) -> list[Live]:
        """Tables open to all, newest first."""
        lives = [await self.openable(table) for table in await self.store.listed(status)]
        return [live for live in lives if live is not None]

    async def _open(self, table: str) -> Live:
        # PostgreSQL cannot even be asked about a NUL.
        stored = await self.store.load(table) if table.isalnum() else None
        if stored is None:
            raise Refusal("There is no such table.", status=404)
        if not self.catalogue.serves(stored.table.game):
            raise Refusal(f"This table's game, {stored.table.game}, is not served here now.", status=404)
        # There is never a second one, which would not hear of what the first one writes.
        if live := self._held.get(table):
            await live.refresh()
        else:
            live = self._held[table] = Live(self, stored)
        self._tables[table] = live
        self.keeper.consider(live)
        self._make_room()
        self.metrics.set("talion_live_tables", len(self._tables))
        return live

    def drop(self, live: Live) -> None:
        """Forget a table that is gone from the disk, or that memory could not follow; those at it are told to look."""
        for known in (self._tables, self._held):
            if known.get(live.row.id) is live:
                del known[live.row.id]
        live.row = replace(live.row, status="gone")
        live.audiences.tell()

    async def forget_old(self) -> None:
        """Remove what was kept for long enough."""
        now, settings = self.now(), self.settings
        self._drop_all(
            await self.store.forgetting.old(now - settings.keep_days * DAY, now - settings.idle_days * DAY)
        )
        await self._forget_untouched(settings.untouched_days * DAY)
        await self.store.forgetting.contents(self.now() - 86400)

    async def _forget_untouched(self, seconds: float) -> None:
        """Tables opened so long ago at which no person ever answered, and nobody looks."""
        listened = {table for table, live in self._tables.items() if self._listened(live)}
        self._drop_all(await self.store.forgetting.untouched(self.now() - seconds, listened))

    def _drop_all(self, gone: list[str]) -> None:
        for table in gone:
            if table in self._tables:
                self.drop(self._tables[table])

    async def let_rest(self) -> None:
        """See that every table at rest has its state written down; one that nobody looks at any more leaves memory, and
        is read again when somebody comes."""
        for live in list(self._tables.values()):
            if self.now() - live.course.at > AT_REST:
                await self._write_out(live)
            tired = time.monotonic() - live.touched > self.settings.rest
            # It may have gone while it was written down, and have come back as another.
            if tired and self._can_go(live) and self._tables.get(live.row.id) is live:
                self.keeper.leave(live)
                del self._tables[live.row.id]
                self._left += 1
        if self._left >= max(
            FEW, len(self._tables) // 4
        ):  # the more there are to look through, the less often
            self._left = 0
            memory.give_back()
        self.metrics.set("talion_live_tables", len(self._tables))

    async def _write_out(self, live: Live) -> None:
        """One table that cannot be written down is no reason to leave the others alone."""
        try:
            await live.write_out()
        except DBAPIError:
            raise
        except Exception:
            if live.row.id not in self._troubled:
                self._troubled.add(live.row.id)
                log.exception("a table's state could not be written down", extra={"table": live.row.id})

    def one_text(self, fingerprint: str | None, text: str | None) -> str | None:
        """The text of a content, the same one for all tables that are played with it."""
        if fingerprint is None or text is None:
            return None
        return self._texts.setdefault(fingerprint, text)

    def _make_room(self) -> None:
        """Forget tables nobody has looked at for longest; the disk has them."""
        for table in list(self._tables):
            if len(self._tables) <= self.settings.limits.live_tables:
                break
            live = self._tables[table]
            if self._can_go(live):
                self.keeper.later(live.write_out())
                self.keeper.leave(live)
                del self._tables[table]

    def _can_go(self, live: Live) -> bool:
        """Whether a table could leave memory: nobody looks at it, and nothing is being done there."""
        return not (live.lock.locked() or self._listened(live) or self.keeper.acts_at(live))

    def _listened(self, live: Live) -> bool:
        """Whether anybody with a stream here watches this table or sits at it."""
        return self.hub.watched(live.row.id) or not live.seats.people.isdisjoint(self.hub.people)

    async def seat(self, seat_id: str, person: Person) -> tuple[Live, SeatRow]:
        """A seat's table and place, for somebody who holds it."""
        live = await self.table(seat_id.partition("-")[0])
        if self.store.shared:
            # What somebody has just been told through another process is read here too.
            await live.catch_up(await self.store.last_number(live.row.id))
        return live, live.seats.held(seat_id, person.hash)

    async def seats_of(self, token_hash: str) -> list[tuple[Live, SeatRow]]:
        """Everywhere the holder of a token sits, newest first."""
        found = []
        for table, seat in await self.store.seating.seats_of(
            token_hash, self.settings.limits.listed_per_person
        ):
            if live := await self.openable(table):
                found += [
                    (live, place) for place in live.seats if place.id == seat and token_hash in place.holders
                ]
        return found

    async def make(self, person: Person, plan: WantedTable) -> Live:
        """Open a table as planned; the first seat marked "me" is the host's."""
        if "me" not in plan.seats:
            raise Refusal("One of the seats must be yours.", status=400)
        if await self.store.count_tables() >= self.settings.limits.tables:
            await self._forget_untouched(3600.0)
        content = plan.content or self.catalogue.content(plan.game, plan.card_set)
        table = new_id()
        places: list[SeatRow] = []
        for number, who in enumerate(plan.seats):
            place = SeatRow(f"{table}-{new_id(4)}", number, host=number == plan.seats.index("me"))
            if who == "me":
                place = _with(
                    place, name=_numbered(person, plan.seats, number), holders=frozenset({person.hash})
                )
            elif who != "open":
                here = [other.name for other in places]
                place = _with(place, name=personas(self.catalogue.find(plan.game))[who].name(here), bot=who)
            places.append(place)
        row = TableRow(
            id=table,
            game=plan.game,
            options=plan.options,
            title=plan.title,
            open=plan.open,
            status="seating",
            clock=msgspec.to_builtins(plan.clock),
            seed=new_token(),
            made=self.now(),
            content=content.fingerprint,
            card_set=plan.card_set,
        )
        await self.store.make(row, places, content.text, person.hash, self.settings.limits)
        return await self._meet(table)

    async def _meet(self, table: str) -> Live:
        """A table is new to those who sit there, and whose streams are here."""
        live = await self.table(table)
        live.audiences.tell(anew=True)
        return live

    async def sit(self, live: Live, person: Person, number: int | None = None) -> SeatRow:
        """Take the first free seat, or the one named; who sits here already keeps their seat unless they name one."""
        if live.ended:
            raise Refusal(
                "This table takes nobody any more: its match is over, or was called off.", status=410
            )
        seat_id = await self.store.seating.take(live.row.id, person.hash, person.name, number)
        if seat_id is None:
            raise Refusal("Every seat at this table is taken; you may watch.")
        await live.refresh()
        return live.seats.held(seat_id, person.hash)

    async def continue_on(self, live: Live, seat_id: str, person: Person) -> SeatRow:
        """A private link was opened on another device: that browser holds the seat too."""
        await self.store.seating.hold(live.row.id, seat_id, person.hash)
        await live.refresh()
        return live.seats.held(seat_id, person.hash)

    async def links_of(self, live: Live, place: SeatRow, person: Person) -> dict[str, str]:
        """The secrets of the links that only this person is shown: to their seat, and a host's invitation while seats
        may be free. Made of their token, they are good from the first time they are shown."""
        links = {"seat": derived(person.token, f"seat {place.id}")}
        wanted: dict[str, str | None] = {hashed(links["seat"]): place.id}
        if live.row.status == "seating" and any(seat.host for seat in live.seats.of(person.hash)):
            links["invite"] = derived(person.token, f"invite {live.row.id} {live.row.invites}")
            wanted[hashed(links["invite"])] = None
        if wanted.keys() <= live.links:
            return links
        if await self.store.seating.add_links(live.row.id, place.id, person.hash, wanted, live.row.invites):
            live.links |= wanted.keys()
            return links
        await live.refresh()  # the seat is not theirs any more, or the invitation was renewed meanwhile
        return await self.links_of(live, live.seats.held(place.id, person.hash), person)

    async def rematch(self, live: Live, seat: SeatRow, person: Person) -> str:
        """The same people, bots and options at a new table; the loser's seats move round by one."""
        if live.row.status == "closed":
            raise Refusal("The house has closed this table.")
        if not live.ended:
            raise Refusal("The match is not over.")
        if live.course.next_table is not None:
            return live.course.next_table
        # With the cards it was played with, unless these rules cannot read them.
        content = live.play.content if live.play else self.catalogue.content(live.row.game)
        table = new_id()
        count = len(live.seats)
        places = [
            SeatRow(
                f"{table}-{new_id(4)}", (old.number + 1) % count, old.name, None if old.conceded else old.bot,
                old.id == seat.id, holders=old.holders,
            )
            for old in live.seats
        ]  # fmt: skip
        row = TableRow(
            id=table, game=live.row.game, options=live.row.options, title=live.row.title, open=live.row.open,
            status="seating", clock=live.row.clock, seed=new_token(), made=self.now(),
            content=content.fingerprint, card_set=live.row.card_set,
        )  # fmt: skip
        places.sort(key=lambda place: place.number)
        await self.store.make(row, places, content.text, person.hash, self.settings.limits)
        chosen = await people.moved_on(live, seat.number, table)
        if chosen != table:
            await self.store.forgetting.remove(table)
        await self._meet(chosen)
        return chosen

    # ------------------------------------------------------------------ other processes

    async def _heard(self, table: str, number: int) -> None:
        """Another process wrote something, or this one did, which hears itself too. Each table follows for itself: one that is
        busy keeps the news of no other waiting."""
        live = self._tables.get(table)
        if live is not None:
            if not number:
                self.keeper.later(self._follow(live, live.refresh()))
            elif live.course.number < number or live.spoilt:
                self.keeper.later(self._follow(live, live.catch_up(number)))
        elif number:
            self.keeper.look_soon()
        elif await self._sits_there(table) and await self.openable(table):
            await self._meet(table)

    async def _sits_there(self, table: str) -> bool:
        """Whether somebody whose stream is here holds a seat at a table."""
        here = self.hub.people
        return bool(here) and not here.isdisjoint(await self.store.seating.holders_of(table))

    async def read_again(self) -> None:
        """Something may have been missed: read every table in memory again, and those where somebody sat down."""
        for live in list(self._tables.values()):
            await self._follow(live, live.refresh())
        known = set(self._tables)
        for person in self.hub.people:
            for live, _ in await self.seats_of(person):
                if live.row.id not in known:
                    live.audiences.tell(anew=True)

    async def _follow(self, live: Live, reading: Coroutine[Any, Any, None]) -> None:
        """Memory follows the disk. A table that cannot is dropped: it is opened anew when somebody asks for it."""
        try:
            await reading
        except Exception as problem:
            if not isinstance(problem, Refusal):  # which says that the table is gone
                log.exception("a table could not be read again", extra={"table": live.row.id})
            self.drop(live)


def _with(place: SeatRow, **values: Any) -> SeatRow:
    return SeatRow(**{**vars(place), **values})


def _numbered(person: Person, seats: list[str], number: int) -> str:
    """Somebody's name; with a number if they play several seats."""
    name = person.name or "Guest"
    return name if seats.count("me") == 1 else f"{name} {seats[: number + 1].count('me')}"
