"""A table as it lies on the disk: its rows, and how they are read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from talion.table.schema import chat, contents, entries, holders, links, seats, snapshots, tables


class EntryRow(msgspec.Struct, frozen=True, gc=False):
    """One line of a table's record. There are many, and the collector has nothing to find in them."""

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
    entries: list[EntryRow]  # since everybody last saw something new before the snapshot
    keys: dict[tuple[int, str], int]  # submissions already accepted, and the number each seat was told
    chat: list[ChatLine]
    links: set[str]  # the hashes of their secrets
    cards: str | None = None  # the text of its content


READ_AT_ONCE = 20
_TABLE_COLUMNS = [tables.c[name] for name in TableRow.__dataclass_fields__]
_ENTRY_COLUMNS = [entries.c[name] for name in EntryRow.__struct_fields__]
_LINE_COLUMNS = [chat.c[name] for name in ChatLine.__dataclass_fields__]


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
    after = _seen_by_all(connection, table, snapshot[0]) - 1 if snapshot else 0
    return Stored(
        table=TableRow(*row),
        seats=read_seats(connection, table),
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


def _seen_by_all(connection: Connection, table: str, number: int) -> int:
    """The entry by which everybody last saw something new, at the time of this one. Clocks, windows and who is away are shown as
    of then: from a later one they would tell who has chosen in secret since."""
    row = select(entries.c.number, entries.c.numbers).order_by(entries.c.number.desc()).limit(READ_AT_ONCE)
    found, seen = number, None
    while some := connection.execute(
        row.where(entries.c.table_id == table, entries.c.number < found + (seen is None))
    ).all():
        for earlier, numbers in some:
            if seen is not None and numbers[0] != seen:
                return found
            found, seen = earlier, numbers[0]
    return found


def read_entries(connection: Connection, table: str, after: int = 0) -> list[EntryRow]:
    query = (
        select(*_ENTRY_COLUMNS)
        .where(entries.c.table_id == table, entries.c.number > after)
        .order_by(entries.c.number)
    )
    return [EntryRow(*row) for row in connection.execute(query)]


def read_seats(connection: Connection, table: str) -> list[SeatRow]:
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
