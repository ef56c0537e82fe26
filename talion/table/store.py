"""What is read and written, in the table's words. Every write goes through the one writer."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.exc import IntegrityError

from talion.table import database
from talion.table.database import insert_into
from talion.table.forgetting import Forgetting
from talion.table.refusal import Refusal
from talion.table.rows import ChatLine, EntryRow, SeatRow, Stored, TableRow, read_seats, read_table
from talion.table.schema import (
    bans,
    chat,
    contents,
    entries,
    holders,
    house,
    reports,
    seats,
    snapshots,
    tables,
)
from talion.table.seating import Seating, held_by
from talion.table.settings import Limits
from talion.table.tokens import new_id
from talion.table.writer import Writer

T = TypeVar("T")
DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": psycopg.dialect()}  # type: ignore[no-untyped-call]
OUTSIDE = "changed from outside"
MOST_REPORTS = 50
TRIED = "tried to write"
MAKING = "making a table"
"""What makers of tables wait in line for. It comes before the name of any table: see the writer on deadlocks."""


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
        self.seating = Seating(self)
        self.forgetting = Forgetting(self)

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
            connection.execute(insert_into(connection, house).values(fresh).on_conflict_do_nothing())
            return str(
                connection.execute(select(house.c.value).where(house.c.name == "signing key")).scalar()
            )

    async def try_writing(self, now: float) -> None:
        """Write something that means nothing."""
        values = {"name": TRIED, "value": str(now)}

        def work(connection: Connection) -> None:
            statement = insert_into(connection, house).values(values)
            connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=values))

        await self.write("", work)

    async def tell_counts(self, texts: list[str]) -> None:
        """Hand what was counted here to the other processes."""
        await self.write("", lambda connection: database.tell_counts(connection, texts))

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
            connection.execute(select(tables.c.id).where(tables.c.id == table).with_for_update())
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

    async def make(
        self,
        row: TableRow,
        places: list[SeatRow],
        cards: str | None = None,
        person: str = "",
        limits: Limits | None = None,
    ) -> None:
        """A new table with its seats, and the text of its content, if that person and the house may have one more."""

        def work(connection: Connection) -> None:
            if limits is not None:
                database.alone(connection, MAKING)
                _has_room(connection, person, limits)
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

        await self.writer.write(MAKING, work)

    async def append(
        self, table: str, entry: EntryRow, changes: dict[str, Any] | None = None, snapshot: str | None = None
    ) -> bool:
        """Write one entry under its number. False: another process wrote that number, or that key, first."""

        return await self.write(table, lambda c: _append(c, table, entry, changes, snapshot))

    async def begin(self, table: str, entry: EntryRow, changes: dict[str, Any], snapshot: str) -> bool:
        """Write the first entry. False: the match has begun already, or somebody has got up meanwhile."""

        def work(connection: Connection) -> bool:
            status = select(tables.c.status).where(tables.c.id == table).with_for_update()
            if connection.execute(status).scalar() != "seating":
                return False
            if not all(place.taken for place in read_seats(connection, table)):
                return False
            return _append(connection, table, entry, changes, snapshot)

        return await self.write(table, work)

    async def write_out(self, table: str, number: int, snapshot: str) -> None:
        """Keep the state of a match as it was after an entry."""
        await self.write(table, lambda connection: _write_out(connection, table, number, snapshot))

    async def change_table(self, table: str, while_: tuple[str, ...] = (), **values: Any) -> None:
        """Change what is said of a table; only while its status is one of these, if any are given."""

        def work(connection: Connection) -> None:
            where = tables.c.id == table
            if while_:
                where = and_(where, tables.c.status.in_(while_))
            connection.execute(update(tables).where(where).values(values))
            database.notify(connection, table, 0)

        await self.write(table, work)

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
        return await self.read(_count_tables)

    # ------------------------------------------------------------------ what was said

    async def say(self, table: str, line: ChatLine, keep: int = 500) -> ChatLine:
        """Keep what was said, under the next number of that table; and of what was said before so many lines."""

        def work(connection: Connection) -> ChatLine:
            last = select(func.max(chat.c.number)).where(chat.c.table_id == table)
            row = {n: getattr(line, n) for n in ChatLine.__dataclass_fields__}
            while True:
                row["number"] = (connection.execute(last).scalar() or 0) + 1
                statement = (
                    insert_into(connection, chat).values({**row, "table_id": table}).on_conflict_do_nothing()
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

    async def release_all(self) -> None:
        """Whoever claimed anything is gone."""
        claimed = update(tables).where(tables.c.lease_by.is_not(None))
        await self.write("", lambda c: c.execute(claimed.values(lease_by=None, lease_until=None)))

    async def release(self, table: str, who: str) -> None:
        mine = and_(tables.c.id == table, tables.c.lease_by == who)
        freed = update(tables).where(mine).values(lease_by=None, lease_until=None)
        await self.write(table, lambda connection: connection.execute(freed))


# ---------------------------------------------------------------------- small things


def _count_tables(connection: Connection) -> int:
    query = select(func.count()).select_from(tables).where(tables.c.status.in_(("seating", "running")))
    return connection.execute(query).scalar_one()


def _has_room(connection: Connection, person: str, limits: Limits) -> None:
    """Whoever counts here is alone: of many tables asked for at once none is counted too late."""
    if held_by(connection, person) >= limits.tables_per_person:
        raise Refusal(
            f"You are at {limits.tables_per_person} tables that are not over; finish or leave one first.",
            status=429,
        )
    if _count_tables(connection) >= limits.tables:
        raise Refusal("The house is full; try again when a match has ended.", status=429)


def _append(
    connection: Connection, table: str, entry: EntryRow, changes: dict[str, Any] | None, snapshot: str | None
) -> bool:
    if not _insert_entry(connection, table, entry):
        return False
    if changes:
        _change_table(connection, table, changes)
    if snapshot is not None:
        _write_out(connection, table, entry.number, snapshot)
    database.notify(connection, table, entry.number)
    return True


_OFTEN = ("due", "lease_by", "lease_until")
_UPDATE_OFTEN = {
    name: str(
        update(tables)
        .where(tables.c.id == bindparam("table"))
        .values({column: bindparam(f"new_{column}") for column in _OFTEN})
        .compile(dialect=words)
    )
    for name, words in DIALECTS.items()
}


def _change_table(connection: Connection, table: str, changes: dict[str, Any]) -> None:
    """What nearly every answer changes is put into the database's own words once and for all."""
    if changes.keys() != set(_OFTEN):
        connection.execute(update(tables).where(tables.c.id == table).values(changes))
        return
    given: Any = (*(changes[column] for column in _OFTEN), table)
    if connection.dialect.name != "sqlite":
        given = {"table": table, **{f"new_{column}": changes[column] for column in _OFTEN}}
    connection.exec_driver_sql(_UPDATE_OFTEN[connection.dialect.name], given)


def _keep_content(connection: Connection, row: TableRow, cards: str) -> None:
    """Keep a content once. Whoever wants it again says when, so that nobody removes it meanwhile."""
    values = {"fingerprint": row.content, "game": row.game, "text": cards, "made": row.made}
    again = {"made": row.made}
    statement = insert_into(connection, contents).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=["fingerprint"], set_=again))


def _write_out(connection: Connection, table: str, number: int, snapshot: str) -> None:
    """Keep a state; what was kept before it is not needed any more."""
    values = {"table_id": table, "number": number, "match": snapshot}
    connection.execute(insert_into(connection, snapshots).values(values).on_conflict_do_nothing())
    connection.execute(delete(snapshots).where(snapshots.c.table_id == table, snapshots.c.number < number))


def _seat_values(seat: SeatRow) -> dict[str, Any]:
    return {n: getattr(seat, n) for n in SeatRow.__dataclass_fields__ if n != "holders"}


_INSERT_ENTRY = {
    "sqlite": str(sqlite.insert(entries).on_conflict_do_nothing().compile(dialect=DIALECTS["sqlite"])),
    "postgresql": str(
        postgresql.insert(entries).on_conflict_do_nothing().compile(dialect=DIALECTS["postgresql"])
    ),
}
_ENTRY_COLUMNS = entries.c.keys()
_to_json = msgspec.json.Encoder().encode


def _insert_entry(connection: Connection, table: str, entry: EntryRow) -> bool:
    """Every answer does this, so it is put into the database's own words once and for all. False: the number or the key is there
    already."""
    body, numbers, clocks = (_to_json(part).decode() for part in (entry.body, entry.numbers, entry.clocks))
    row = table, entry.number, entry.kind, entry.seat, body, entry.key, entry.at, numbers, clocks
    given: Any = row if connection.dialect.name == "sqlite" else dict(zip(_ENTRY_COLUMNS, row, strict=True))
    return connection.exec_driver_sql(_INSERT_ENTRY[connection.dialect.name], given).rowcount > 0
