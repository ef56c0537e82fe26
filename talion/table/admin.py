"""For hosts: backup and restore, close a table, mute somebody, forget what is old."""

from __future__ import annotations

import gzip
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    MetaData,
    and_,
    delete,
    func,
    insert,
    inspect,
    or_,
    select,
    text,
    true,
    update,
)

from talion.table import database
from talion.table.bans import of_address, of_person
from talion.table.forgetting import remove_tables
from talion.table.refusal import Unusable
from talion.table.schema import bans, entries, holders, house, metadata, reports, seats, snapshots, tables
from talion.table.store import OUTSIDE

KIND = "talion backup"
FIRST_SHAPE = "0002"  # of backups of format 1, which did not say
BATCH = 500


def backup(where: str, file: Path, force: bool = False) -> int:
    """Everything into one compressed file, as it was at one moment; the server may go on. Returns the rows."""
    if file.exists() and not force:
        raise Unusable(f"{file} is there already; name another file, or say --force to write over it.")
    rows = 0
    partial = file.with_name(file.name + ".part")
    with (
        database.visited(where) as engine,
        database.private_file(partial, os.O_WRONLY | os.O_TRUNC) as written,
        gzip.open(written, "wt", encoding="utf-8") as out,
        engine.connect() as connection,
    ):
        if engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        else:
            connection.exec_driver_sql("BEGIN")
        out.write(json.dumps({KIND: 2, "shape": database.revision(connection)}) + "\n")
        for table in metadata.sorted_tables:
            names = [column.name for column in table.columns]
            for row in connection.execute(select(table)):
                out.write(json.dumps([table.name, dict(zip(names, row, strict=True))]) + "\n")
                rows += 1
    partial.replace(file)
    return rows


def restore(file: Path, where: str) -> int:
    """A backup into an empty database, of either kind: in the shape it was made in, which is then brought to this
    release's like any older database. Returns the rows."""
    try:
        lines = gzip.open(file, "rt", encoding="utf-8")  # noqa: SIM115 - closed below, with the database
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}.") from None
    try:
        with lines, database.visited(where, new=True) as engine:
            shape = _shape(json.loads(next(lines)), file)
            _empty(engine, shape)
            with engine.begin() as connection:
                there = MetaData()
                there.reflect(connection)
                rows = sum(_insert(connection, there.tables, batch) for batch in _batches(lines))
            database.migrate(engine)
    except (OSError, EOFError, ValueError, StopIteration, KeyError):
        raise Unusable(f"{file} is not a backup of Talion's, or is damaged.") from None
    return rows


def _shape(first: Any, file: Path) -> str:
    """The shape a backup is in, by its first line."""
    if first == {KIND: 1}:
        return FIRST_SHAPE
    if not isinstance(first, dict) or KIND not in first:
        raise Unusable(f"{file} is not a backup of Talion's.")
    if first[KIND] != 2:
        raise Unusable(f"{file} was made by a newer release of Talion.")
    return str(first["shape"])


def _empty(engine: Engine, shape: str) -> None:
    """Bring an empty database into a shape."""
    with engine.begin() as connection:
        if connection.execute(select(func.count()).select_from(tables)).scalar():
            raise Unusable("There are tables in that database already; restore into an empty one.")
        metadata.drop_all(connection)
        connection.execute(text("DROP TABLE alembic_version"))
    try:
        database.migrate(engine, shape)
    except database.UnknownShape:
        database.migrate(engine)
        raise Unusable("That backup was made by a newer release of Talion.") from None
    with engine.begin() as connection:  # nothing that the new shape brought along itself
        for table in reversed(metadata.sorted_tables):
            if inspect(connection).has_table(table.name):
                connection.execute(text(f"DELETE FROM {table.name}"))


def _batches(lines: Any) -> Any:
    """Rows of one table at a time, not too many."""
    batch: list[Any] = []
    for line in lines:
        name, values = json.loads(line)
        if batch and (batch[0][0] != name or len(batch) == BATCH):
            yield batch
            batch = []
        batch.append((name, values))
    if batch:
        yield batch


def _insert(connection: Connection, there: Any, batch: list[Any]) -> int:
    table = there[batch[0][0]]
    names = [column.name for column in table.columns]
    rows = [
        values if isinstance(values, dict) else dict(zip(names, values, strict=False)) for _, values in batch
    ]
    connection.execute(insert(table), rows)
    return len(batch)


@dataclass(frozen=True)
class Wanted:
    """Which tables: of one state, of one game, at which nothing has happened for so many days."""

    status: str = ""
    game: str = ""
    idle_days: float = 0.0

    def where(self) -> ColumnElement[bool]:
        found = [tables.c.status == self.status] if self.status else []
        found += [tables.c.game == self.game] if self.game else []
        if self.idle_days:
            since = time.time() - self.idle_days * 86400
            lately = select(entries.c.table_id).where(entries.c.at >= since)
            found += [tables.c.made < since, tables.c.id.not_in(lately)]
        return and_(true(), *found)


def listed(where: str, wanted: Wanted, limit: int = 1000) -> list[dict[str, Any]]:
    """Tables, the largest first: what they are, how old, how long idle, how many entries and bytes they have."""
    count = select(func.count()).where(entries.c.table_id == tables.c.id).scalar_subquery()
    last = select(func.max(entries.c.at)).where(entries.c.table_id == tables.c.id).scalar_subquery()
    written = select(func.sum(func.length(snapshots.c.match))).where(snapshots.c.table_id == tables.c.id)
    size = func.coalesce(func.length(tables.c.start), 0) + func.coalesce(written.scalar_subquery(), 0)
    query = select(
        tables.c.id, tables.c.game, tables.c.status, tables.c.made, last, count, size + count * 120
    )
    now = time.time()
    with database.visited(where) as engine, engine.connect() as connection:
        rows = connection.execute(
            query.where(wanted.where()).order_by((size + count * 120).desc()).limit(limit)
        ).all()
    return [
        {
            "table": table,
            "game": game,
            "status": status,
            "days_old": round((now - made) / 86400, 1),
            "days_idle": round((now - (at or made)) / 86400, 1),
            "entries": entries_there,
            "bytes": int(bytes_there),
        }
        for table, game, status, made, at, entries_there, bytes_there in rows
    ]


def close(where: str, table: str) -> None:
    """End a table, whatever its state; those at it are told so."""
    values = {"status": "closed", "ended": time.time(), "due": None}
    _change(where, table, update(tables).where(tables.c.id == table).values(values))


def close_all(where: str, wanted: Wanted) -> int:
    """End all such tables that are not over yet. Returns how many."""
    values = {"status": "closed", "ended": time.time(), "due": None}
    going = and_(tables.c.ended.is_(None), wanted.where())
    with database.visited(where) as engine, engine.begin() as connection:
        closed = connection.execute(update(tables).where(going).values(values).returning(tables.c.id)).all()
        _mark(connection)
        for (table,) in closed:
            database.notify(connection, table, 0)
    return len(closed)


def mute(where: str, table: str, seat: int, muted: bool = True) -> None:
    """Silence a seat, counted from 1, or let it speak again."""
    at = (seats.c.table_id == table, seats.c.number == seat - 1)
    _change(where, table, update(seats).where(*at).values(muted=muted))


def _change(where: str, table: str, statement: Any) -> None:
    with database.visited(where) as engine, engine.begin() as connection:
        changed = connection.execute(statement).rowcount
        _mark(connection)
        database.notify(connection, table, 0)
    if not changed:
        raise Unusable("There is no such table or seat.")


def _mark(connection: Connection) -> None:
    """Say that something was changed from outside; without PostgreSQL's notices a server looks for this mark."""
    connection.execute(delete(house).where(house.c.name == OUTSIDE))
    connection.execute(insert(house).values(name=OUTSIDE, value=str(time.time())))


def forget(where: str, days: float, unfinished: bool = False) -> int:
    """Remove tables that ended more than so many days ago; `unfinished`, also those at which nothing has happened for as
    long. Returns how many."""
    stale = tables.c.ended < time.time() - days * 86400
    if unfinished:
        stale = or_(stale, and_(tables.c.ended.is_(None), Wanted(idle_days=max(days, 1e-9)).where()))
    with database.visited(where) as engine, engine.begin() as connection:
        removed = remove_tables(connection, stale)
        _mark(connection)
    return len(removed)


# ---------------------------------------------------------------------- who is kept out, and what is told


def ban(where: str, whom: str, seat: int | None = None, why: str = "") -> list[str]:
    """Keep an address out, or a network; or whoever holds a seat, counted from 1, of a table. Returns their names."""
    with database.visited(where) as engine, engine.begin() as connection:
        names = [of_address(whom)] if seat is None else _holders(connection, whom, seat)
        if not names:
            raise Unusable("There is no such table or seat, or nobody holds it.")
        connection.execute(delete(bans).where(bans.c.whom.in_(names)))
        rows = [{"whom": name, "why": why[:200], "made": time.time()} for name in names]
        connection.execute(insert(bans), rows)
        _mark(connection)
    return names


def _holders(connection: Connection, table: str, seat: int) -> list[str]:
    query = (
        select(holders.c.token_hash)
        .join(seats, seats.c.id == holders.c.seat_id)
        .where(seats.c.table_id == table, seats.c.number == seat - 1)
    )
    return [of_person(token) for token in connection.execute(query).scalars()]


def unban(where: str, whom: str) -> int:
    """Let somebody in again: an address, or a person by the beginning of what `bans` calls them. Returns how many."""
    if len(whom) < 4:
        raise Unusable(
            "Say more of it: an address, or the first signs of a person's name as `bans` shows it."
        )
    is_address = "." in whom or ":" in whom
    which = (
        bans.c.whom == of_address(whom)
        if is_address
        else bans.c.whom.startswith(f"person {whom}", autoescape=True)
    )
    with database.visited(where) as engine, engine.begin() as connection:
        gone = connection.execute(delete(bans).where(which)).rowcount
        _mark(connection)
    if not gone:
        raise Unusable("Nobody of that name is kept out.")
    return gone


def banned(where: str) -> list[dict[str, Any]]:
    """Who is kept out, the latest first."""
    with database.visited(where) as engine, engine.connect() as connection:
        rows = connection.execute(select(bans).order_by(bans.c.made.desc())).all()
    return [{"whom": row.whom, "why": row.why, "at": int(row.made)} for row in rows]


def reported(where: str, table: str = "") -> list[dict[str, Any]]:
    """What players told, the latest first; of one table, or of all. Seats are counted from 1, as `ban` and `mute` do."""
    query = select(reports).order_by(reports.c.at.desc())
    with database.visited(where) as engine, engine.connect() as connection:
        rows = connection.execute(query.where(reports.c.table_id == table) if table else query).all()
    return [
        {
            "table": row.table_id,
            "seat": row.seat + 1,
            "about": None if row.about is None else row.about + 1,
            "words": row.words,
            "at": int(row.at),
        }
        for row in rows
    ]
