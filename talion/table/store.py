"""What is read and written, in the table's words. Every write goes through the one writer."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.exc import IntegrityError

from talion.table import database
from talion.table.refusal import Refusal
from talion.table.schema import (
    bans,
    chat,
    contents,
    entries,
    holders,
    house,
    links,
    reports,
    seats,
    snapshots,
    tables,
)
from talion.table.tokens import new_id
from talion.table.writer import Writer

T = TypeVar("T")
OUTSIDE = "changed from outside"
MOST_REPORTS = 50
TRIED = "tried to write"


@dataclass(frozen=True)
class EntryRow:
    """One line of a table's record."""

    number: int
    kind: str
    seat: int | None
    body: Any
    key: str | None
    at: float
    numbers: list[int]
    clocks: list[float] | None = None


@dataclass(frozen=True)
class SeatRow:
    """A seat: who or what plays it, and the hashes of the tokens that open it."""

    id: str
    number: int
    name: str | None = None
    bot: str | None = None
    host: bool = False
    muted: bool = False
    orders: dict[str, Any] = field(default_factory=dict)
    conceded: bool = False
    holders: frozenset[str] = frozenset()

    @property
    def taken(self) -> bool:
        return self.name is not None or self.bot is not None

    @property
    def order(self) -> str:
        """The standing order for reaction windows. By default the server passes when the beat is over."""
        return str(self.orders.get("windows", "auto"))


@dataclass(frozen=True)
class TableRow:
    """A table, apart from its record."""

    id: str
    game: str
    options: dict[str, Any]
    title: str
    open: bool
    status: str
    clock: dict[str, Any]
    seed: str
    made: float
    start: str | None = None
    result: dict[str, Any] | None = None
    ended: float | None = None
    due: float | None = None
    invites: int = 0
    content: str | None = None
    version: int | None = None
    card_set: str = ""


@dataclass(frozen=True)
class ChatLine:
    """Something said at a table."""

    number: int
    room: str
    seat: int | None
    name: str
    words: str
    at: float


@dataclass(frozen=True)
class Stored:
    """Everything about one table, as it is on the disk."""

    table: TableRow
    seats: list[SeatRow]
    snapshot: tuple[int, str] | None
    entries: list[EntryRow]  # from the one at which the snapshot was made
    keys: dict[tuple[int, str], int]  # submissions already accepted, and the number each seat was told
    chat: list[ChatLine]
    links: set[str]  # the hashes of their secrets
    cards: str | None = None  # the text of its content


_TABLE_COLUMNS = [tables.c[name] for name in TableRow.__dataclass_fields__]
_ENTRY_COLUMNS = [entries.c[name] for name in EntryRow.__dataclass_fields__]
_LINE_COLUMNS = [chat.c[name] for name in ChatLine.__dataclass_fields__]


class Store:
    """The database of one server process."""

    def __init__(self, where: str, serving: bool = True) -> None:
        self.url = database.address(where)
        self._lock = database.claim_file(self.url) if serving else None
        try:
            self.engine = database.opened(self.url)
        except BaseException:
            self._unlock()
            raise
        self.writer = Writer(self.engine)

    @property
    def shared(self) -> bool:
        """Whether other processes may write the same tables."""
        return self.engine.dialect.name == "postgresql"

    def close(self) -> None:
        self.writer.stop()
        self.engine.dispose()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a query off the event loop."""

        def run() -> T:
            with self.engine.connect() as connection:
                return work(connection)

        return await asyncio.to_thread(run)

    async def write(self, table: str, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction; what belongs to a table that was removed meanwhile cannot be written."""
        try:
            return await self.writer.write(table, work)
        except IntegrityError:
            there = select(tables.c.id).where(tables.c.id == table)
            if await self.read(lambda connection: connection.execute(there).first()):
                raise
            raise Refusal("This table is gone.", status=404) from None

    # ------------------------------------------------------------------ the house

    def present(self) -> float:
        """The time by the database, which all processes share."""
        if not self.shared:
            return time.time()
        with self.engine.connect() as connection:
            return float(
                connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one()
            )

    def signing_key(self) -> str:
        """Made at the first start, the same ever after and for every process."""
        with self.engine.begin() as connection:
            fresh = {"name": "signing key", "value": secrets.token_hex(32)}
            connection.execute(_insert(connection, house).values(fresh).on_conflict_do_nothing())
            return str(
                connection.execute(select(house.c.value).where(house.c.name == "signing key")).scalar()
            )

    async def try_writing(self, now: float) -> None:
        """Write something that means nothing."""
        values = {"name": TRIED, "value": str(now)}

        def work(connection: Connection) -> None:
            statement = _insert(connection, house).values(values)
            connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=values))

        await self.write("", work)

    async def last_number(self, table: str) -> int:
        """The number of a table's latest entry."""
        query = select(func.max(entries.c.number)).where(entries.c.table_id == table)
        return await self.read(lambda connection: connection.execute(query).scalar()) or 0

    async def bans(self) -> list[tuple[str, str]]:
        """Who is kept out, and what they are told."""
        rows = await self.read(lambda connection: connection.execute(select(bans.c.whom, bans.c.why)).all())
        return [(whom, why) for whom, why in rows]

    async def report(self, table: str, seat: int, about: int | None, words: str, now: float) -> None:
        """Keep what somebody tells the host; not more of one table than a host would read."""
        values = {"table_id": table, "seat": seat, "about": about, "words": words, "at": now}

        def work(connection: Connection) -> None:
            mine = select(func.count()).where(reports.c.table_id == table)
            if connection.execute(mine).scalar_one() >= MOST_REPORTS:
                raise Refusal("Enough was reported of this table; the host will look at it.", status=429)
            connection.execute(insert(reports).values(id=new_id(), **values))

        await self.write(table, work)

    async def outside(self) -> str | None:
        """When somebody last changed something from outside the server."""
        query = select(house.c.value).where(house.c.name == OUTSIDE)
        return await self.read(lambda connection: connection.execute(query).scalar())

    # ------------------------------------------------------------------ tables

    async def load(self, table: str) -> Stored | None:
        return await self.read(lambda connection: read_table(connection, table))

    async def make(self, row: TableRow, places: list[SeatRow], cards: str | None = None) -> None:
        """A new table with its seats, and the text of its content."""

        def work(connection: Connection) -> None:
            if row.content is not None and cards is not None:
                _keep_content(connection, row, cards)
            connection.execute(
                insert(tables).values({n: getattr(row, n) for n in TableRow.__dataclass_fields__})
            )
            for place in places:
                connection.execute(insert(seats).values({**_seat_values(place), "table_id": row.id}))
                for token in place.holders:
                    connection.execute(insert(holders).values(seat_id=place.id, token_hash=token))
            database.notify(connection, row.id, 0)

        await self.write(row.id, work)

    async def append(
        self, table: str, entry: EntryRow, changes: dict[str, Any] | None = None, snapshot: str | None = None
    ) -> bool:
        """Write one entry under its number. False: another process wrote that number, or that key, first."""

        def work(connection: Connection) -> bool:
            if not _insert_entry(connection, table, entry):
                return False
            if changes:
                connection.execute(update(tables).where(tables.c.id == table).values(changes))
            if snapshot is not None:
                _write_out(connection, table, entry.number, snapshot)
            database.notify(connection, table, entry.number)
            return True

        return await self.write(table, work)

    async def write_out(self, table: str, number: int, snapshot: str) -> None:
        """Keep the state of a match as it was after an entry."""
        await self.write(table, lambda connection: _write_out(connection, table, number, snapshot))

    async def change_table(self, table: str, unless: str | None = None, **values: Any) -> bool:
        """Change what is said of a table. False if its status was `unless` by then."""

        def work(connection: Connection) -> bool:
            where = tables.c.id == table
            if unless is not None:
                where = and_(where, tables.c.status != unless)
            changed = connection.execute(update(tables).where(where).values(values)).rowcount > 0
            database.notify(connection, table, 0)
            return changed

        return await self.write(table, work)

    async def remove(self, table: str) -> None:
        await self.write(table, lambda connection: remove_tables(connection, tables.c.id == table))

    async def forget_old(self, before: float, idle_since: float) -> list[str]:
        """Remove tables that ended before a time, and unfinished ones at which nothing has happened since another. Returns
        which."""
        lately = select(entries.c.table_id).where(entries.c.at >= idle_since)
        idle = and_(tables.c.ended.is_(None), tables.c.made < idle_since, tables.c.id.not_in(lately))
        stale = or_(tables.c.ended < before, idle)
        return await self.write("", lambda connection: remove_tables(connection, stale))

    async def forget_untouched(self, before: float, but: set[str]) -> list[str]:
        """Remove tables made before a time, unfinished or called off, at which no person has answered or spoken. Returns
        which."""
        played = entries.c.kind.in_(("answer", "go on"))
        answered = select(entries.c.table_id).where(entries.c.key.is_not(None), played)
        spoken = select(chat.c.table_id)
        stale = and_(
            or_(tables.c.ended.is_(None), tables.c.status == "aborted"),
            tables.c.made < before,
            tables.c.id.not_in(answered),
            tables.c.id.not_in(spoken),
            tables.c.id.not_in(but),
        )
        return await self.write("", lambda connection: remove_tables(connection, stale))

    async def held_by(self, token_hash: str) -> int:
        """How many unfinished tables somebody sits at."""
        query = (
            select(func.count(func.distinct(tables.c.id)))
            .select_from(tables.join(seats, seats.c.table_id == tables.c.id).join(holders))
            .where(holders.c.token_hash == token_hash, tables.c.ended.is_(None))
        )
        return await self.read(lambda connection: connection.execute(query).scalar()) or 0

    async def forget_contents(self, before: float) -> None:
        """Remove contents that no table names, unless somebody is just opening one."""
        named = select(tables.c.content).where(tables.c.content.is_not(None))
        unused = and_(contents.c.made < before, contents.c.fingerprint.not_in(named))
        await self.write("", lambda connection: connection.execute(delete(contents).where(unused)))

    # ------------------------------------------------------------------ seats

    async def take_seat(
        self, table: str, token_hash: str, name: str, number: int | None = None
    ) -> str | None:
        """Sit down at a free seat: the first, or the one of that number. Who holds one here already is led to it,
        unless they name another. None: there is none to be had."""

        def work(connection: Connection) -> str | None:
            # The table's row is held until this is written: whoever asks twice at once does not get two seats.
            row = select(tables.c.status, tables.c.turned_away).where(tables.c.id == table).with_for_update()
            status, turned_away = connection.execute(row).first() or (None, None)
            if token_hash in (turned_away or ()):
                raise Refusal("The host has sent you away from this table.", status=403)
            seating = status == "seating"
            places = [p for p in _read_seats(connection, table) if number in (None, p.number)]
            if held := [place.id for place in places if token_hash in place.holders]:
                return held[0]
            for place in places if seating else ():
                free = and_(seats.c.id == place.id, seats.c.name.is_(None), seats.c.bot.is_(None))
                fresh = {"name": name or f"Guest {place.number + 1}", "muted": False, "orders": {}}
                if connection.execute(update(seats).where(free).values(fresh)).rowcount:
                    _hold(connection, table, place.id, token_hash)
                    return place.id
            return None

        return await self.write(table, work)

    async def hold_seat(self, table: str, seat: str, token_hash: str) -> None:
        """Let another device of the same person open the seat."""
        await self.write(table, lambda connection: _hold(connection, table, seat, token_hash))

    async def add_links(
        self, table: str, seat: str, token_hash: str, secrets_of_links: dict[str, str | None]
    ) -> None:
        """Links for whoever holds a seat, if they still do; the hash of a link's secret leads to a seat, or to the
        table."""

        def work(connection: Connection) -> None:
            holds = and_(holders.c.seat_id == seat, holders.c.token_hash == token_hash)
            if connection.execute(select(holders).where(holds)).first() is None:
                return
            for link, of_seat in secrets_of_links.items():
                row = {"hash": link, "table_id": table, "seat_id": of_seat}
                connection.execute(_insert(connection, links).values(row).on_conflict_do_nothing())

        await self.write(table, work)

    async def renew_invitation(self, table: str) -> None:
        """The links that invited to a table lead nowhere any more; the next one shown is another."""

        def work(connection: Connection) -> None:
            connection.execute(delete(links).where(links.c.table_id == table, links.c.seat_id.is_(None)))
            more = {"invites": tables.c.invites + 1}
            connection.execute(update(tables).where(tables.c.id == table).values(more))
            database.notify(connection, table, 0)

        await self.write(table, work)

    async def change_seat(self, table: str, seat: str, forget: bool = False, **values: Any) -> None:
        """Change a seat; `forget` makes every token and private link to it worthless."""

        def work(connection: Connection) -> None:
            connection.execute(update(seats).where(seats.c.id == seat).values(values))
            if forget:
                connection.execute(delete(holders).where(holders.c.seat_id == seat))
                connection.execute(delete(links).where(links.c.seat_id == seat))
            database.notify(connection, table, 0)

        await self.write(table, work)

    async def turn_away(self, table: str, people: frozenset[str]) -> None:
        """These people cannot sit down here any more."""

        def work(connection: Connection) -> None:
            mine = tables.c.id == table
            known = connection.execute(select(tables.c.turned_away).where(mine).with_for_update()).scalar()
            all_of_them = sorted({*(known or ()), *people})
            connection.execute(update(tables).where(mine).values(turned_away=all_of_them))

        await self.write(table, work)

    async def link(self, secret_hash: str) -> tuple[str, str | None] | None:
        """The table, and the seat if it is a private link, that a link opens."""
        query = select(links.c.table_id, links.c.seat_id).where(links.c.hash == secret_hash)
        row = await self.read(lambda connection: connection.execute(query).first())
        return (row[0], row[1]) if row else None

    async def seats_of(self, token_hash: str, limit: int = 100) -> list[tuple[str, str]]:
        """The tables, newest first, and seats that a token opens."""
        query = (
            select(seats.c.table_id, seats.c.id)
            .join(holders, holders.c.seat_id == seats.c.id)
            .join(tables, tables.c.id == seats.c.table_id)
            .where(holders.c.token_hash == token_hash)
            .order_by(tables.c.made.desc(), seats.c.number)
            .limit(limit)
        )
        rows = await self.read(lambda connection: connection.execute(query).all())
        return [(row[0], row[1]) for row in rows]

    async def are_here(self, people: set[str], now: float) -> None:
        """Note that these people have streams open."""
        noted = update(holders).where(holders.c.token_hash == bindparam("person")).values(here=now)
        rows = [{"person": person} for person in sorted(people)]
        if rows:
            await self.write("", lambda connection: connection.execute(noted, rows))

    async def lately_here(self, seat: str, since: float) -> bool:
        """Whether anybody who holds a seat has had a stream open since then."""
        query = select(holders.c.seat_id).where(holders.c.seat_id == seat, holders.c.here >= since)
        return await self.read(lambda connection: connection.execute(query).first()) is not None

    async def holders_of(self, table: str) -> set[str]:
        """The hashes of the tokens that open a seat of a table."""
        query = select(holders.c.token_hash).join(seats, seats.c.id == holders.c.seat_id)
        mine = query.where(seats.c.table_id == table)
        return set(await self.read(lambda connection: connection.execute(mine).scalars().all()))

    async def listed(self, status: str, limit: int = 50) -> list[str]:
        """Open tables for everyone to see, newest first."""
        query = (
            select(tables.c.id)
            .where(tables.c.open, tables.c.status == status)
            .order_by(tables.c.made.desc())
            .limit(limit)
        )
        return [row[0] for row in await self.read(lambda connection: connection.execute(query).all())]

    async def count_tables(self) -> int:
        """Tables that are not over."""
        query = select(func.count()).select_from(tables).where(tables.c.status.in_(("seating", "running")))
        return await self.read(lambda connection: connection.execute(query).scalar()) or 0

    # ------------------------------------------------------------------ what was said

    async def say(self, table: str, line: ChatLine, keep: int = 500) -> ChatLine:
        """Keep what was said, under the next number of that table; and of what was said before so many lines."""

        def work(connection: Connection) -> ChatLine:
            last = select(func.max(chat.c.number)).where(chat.c.table_id == table)
            row = {n: getattr(line, n) for n in ChatLine.__dataclass_fields__}
            while True:
                row["number"] = (connection.execute(last).scalar() or 0) + 1
                statement = (
                    _insert(connection, chat).values({**row, "table_id": table}).on_conflict_do_nothing()
                )
                if connection.execute(statement.returning(chat.c.number)).first():
                    old = and_(chat.c.table_id == table, chat.c.number <= row["number"] - keep)
                    connection.execute(delete(chat).where(old))
                    database.notify(connection, table, 0)
                    return replace(line, number=row["number"])

        return await self.write(table, work)

    # ------------------------------------------------------------------ what the server must do itself

    async def due(self, now: float, limit: int = 200) -> list[str]:
        """Tables that wait for the server and that no process has claimed."""
        query = (
            select(tables.c.id)
            .where(tables.c.due <= now, or_(tables.c.lease_until.is_(None), tables.c.lease_until <= now))
            .order_by(tables.c.due)
            .limit(limit)
        )
        return [row[0] for row in await self.read(lambda connection: connection.execute(query).all())]

    async def claim(self, table: str, who: str, seconds: float, now: float) -> bool:
        """Take the lease of a table's next server act. It runs out by itself if the process dies."""
        free = or_(tables.c.lease_until.is_(None), tables.c.lease_until <= now, tables.c.lease_by == who)
        claimed = (
            update(tables).where(tables.c.id == table, free).values(lease_by=who, lease_until=now + seconds)
        )
        return await self.write(table, lambda connection: connection.execute(claimed).rowcount > 0)

    async def release(self, table: str, who: str) -> None:
        mine = and_(tables.c.id == table, tables.c.lease_by == who)
        freed = update(tables).where(mine).values(lease_by=None, lease_until=None)
        await self.write(table, lambda connection: connection.execute(freed))


# ---------------------------------------------------------------------- reading one table


def read_table(connection: Connection, table: str) -> Stored | None:
    """Everything about one table, read in one transaction."""
    row = connection.execute(select(*_TABLE_COLUMNS).where(tables.c.id == table)).first()
    if row is None:
        return None
    mine = entries.c.table_id == table
    snapshot = connection.execute(
        select(snapshots.c.number, snapshots.c.match)
        .where(snapshots.c.table_id == table)
        .order_by(snapshots.c.number.desc())
        .limit(1)
    ).first()
    after = snapshot[0] - 1 if snapshot else 0
    return Stored(
        table=TableRow(*row),
        seats=_read_seats(connection, table),
        snapshot=(snapshot[0], snapshot[1]) if snapshot else None,
        entries=read_entries(connection, table, after),
        keys={
            (key_row.seat, key_row.key): key_row.numbers[key_row.seat + 1]
            for key_row in connection.execute(
                select(entries.c.seat, entries.c.key, entries.c.numbers).where(
                    mine, entries.c.key.is_not(None)
                )
            )
        },
        chat=[
            ChatLine(*line)
            for line in connection.execute(
                select(*_LINE_COLUMNS).where(chat.c.table_id == table).order_by(chat.c.number)
            )
        ],
        links=set(connection.execute(select(links.c.hash).where(links.c.table_id == table)).scalars()),
        cards=read_content(connection, TableRow(*row).content),
    )


def read_content(connection: Connection, fingerprint: str | None) -> str | None:
    """The text of a content."""
    text = select(contents.c.text).where(contents.c.fingerprint == fingerprint)
    return connection.execute(text).scalar() if fingerprint is not None else None


def remove_tables(connection: Connection, which: ColumnElement[bool]) -> list[str]:
    """Remove tables for good, and tell the other servers to forget them."""
    removed = list(connection.execute(delete(tables).where(which).returning(tables.c.id)).scalars())
    for table in removed:
        database.notify(connection, table, 0)
    return removed


def read_entries(connection: Connection, table: str, after: int = 0) -> list[EntryRow]:
    query = (
        select(*_ENTRY_COLUMNS)
        .where(entries.c.table_id == table, entries.c.number > after)
        .order_by(entries.c.number)
    )
    return [EntryRow(*row) for row in connection.execute(query)]


def _read_seats(connection: Connection, table: str) -> list[SeatRow]:
    held: dict[str, set[str]] = {}
    query = (
        select(holders.c.seat_id, holders.c.token_hash)
        .join(seats, seats.c.id == holders.c.seat_id)
        .where(seats.c.table_id == table)
    )
    for seat, token in connection.execute(query):
        held.setdefault(seat, set()).add(token)
    columns = [seats.c[n] for n in SeatRow.__dataclass_fields__ if n != "holders"]
    rows = connection.execute(select(*columns).where(seats.c.table_id == table).order_by(seats.c.number))
    return [SeatRow(**row._mapping, holders=frozenset(held.get(row.id, ()))) for row in rows]


# ---------------------------------------------------------------------- small things


def _hold(connection: Connection, table: str, seat: str, token_hash: str) -> None:
    values = {"seat_id": seat, "token_hash": token_hash}
    connection.execute(_insert(connection, holders).values(values).on_conflict_do_nothing())
    database.notify(connection, table, 0)


def _keep_content(connection: Connection, row: TableRow, cards: str) -> None:
    """Keep a content once. Whoever wants it again says when, so that nobody removes it meanwhile."""
    values = {"fingerprint": row.content, "game": row.game, "text": cards, "made": row.made}
    again = {"made": row.made}
    statement = _insert(connection, contents).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=["fingerprint"], set_=again))


def _write_out(connection: Connection, table: str, number: int, snapshot: str) -> None:
    """Keep a state; what was kept before it is not needed any more."""
    values = {"table_id": table, "number": number, "match": snapshot}
    connection.execute(_insert(connection, snapshots).values(values).on_conflict_do_nothing())
    connection.execute(delete(snapshots).where(snapshots.c.table_id == table, snapshots.c.number < number))


def _seat_values(seat: SeatRow) -> dict[str, Any]:
    return {n: getattr(seat, n) for n in SeatRow.__dataclass_fields__ if n != "holders"}


def _insert(connection: Connection, table: Any) -> Any:
    """An insert that can be told to do nothing when the row is there already."""
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)


_INSERT_ENTRY = {
    name: str(kind.insert(entries).on_conflict_do_nothing().compile(dialect=words))
    for name, kind, words in (
        ("sqlite", sqlite, sqlite.dialect()),
        ("postgresql", postgresql, psycopg.dialect()),  # type: ignore[no-untyped-call]
    )
}
_to_json = msgspec.json.Encoder().encode


def _insert_entry(connection: Connection, table: str, entry: EntryRow) -> bool:
    """Every answer does this, so it is put into the database's own words once and for all. False: the number or the key is there
    already."""
    values = {"table_id": table, **vars(entry)}
    for name in ("body", "numbers", "clocks"):
        values[name] = _to_json(values[name]).decode()
    sqlite_ = connection.dialect.name == "sqlite"
    given: Any = tuple(values[column.name] for column in entries.c) if sqlite_ else values
    return connection.exec_driver_sql(_INSERT_ENTRY[connection.dialect.name], given).rowcount > 0
