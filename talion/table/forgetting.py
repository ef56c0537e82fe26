"""What is removed from the disk: tables that were kept for long enough, and what nobody needs after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select

from talion.table import database
from talion.table.schema import chat, contents, entries, tables

if TYPE_CHECKING:
    from talion.table.store import Store


class Forgetting:
    """Removes for good."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def remove(self, table: str) -> None:
        await self._store.write(table, lambda connection: remove_tables(connection, tables.c.id == table))

    async def old(self, before: float, idle_since: float) -> list[str]:
        """Remove tables that ended before a time, and unfinished ones at which nothing has happened since another. Returns
        which."""
        lately = select(entries.c.table_id).where(entries.c.at >= idle_since)
        idle = and_(tables.c.ended.is_(None), tables.c.made < idle_since, tables.c.id.not_in(lately))
        stale = or_(tables.c.ended < before, idle)
        return await self._store.write("", lambda connection: remove_tables(connection, stale))

    async def untouched(self, before: float, but: set[str]) -> list[str]:
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
        return await self._store.write("", lambda connection: remove_tables(connection, stale))

    async def contents(self, before: float) -> None:
        """Remove contents that no table names, unless somebody is just opening one."""
        named = select(tables.c.content).where(tables.c.content.is_not(None))
        unused = and_(contents.c.made < before, contents.c.fingerprint.not_in(named))
        await self._store.write("", lambda connection: connection.execute(delete(contents).where(unused)))


def remove_tables(connection: Connection, which: ColumnElement[bool]) -> list[str]:
    """Remove tables for good, and tell the other servers to forget them."""
    removed = list(connection.execute(delete(tables).where(which).returning(tables.c.id)).scalars())
    for table in removed:
        database.notify(connection, table, 0)
    return removed
