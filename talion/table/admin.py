"""For hosts: backup and restore, close a table, mute somebody, forget what is old."""

from __future__ import annotations

import gzip
import json
import os
import time
from pathlib import Path
from typing import Any

from alembic.util import CommandError
from sqlalchemy import Connection, Engine, MetaData, delete, func, insert, inspect, select, text, update

from talion.table import database
from talion.table.refusal import Unusable
from talion.table.schema import house, metadata, seats, tables
from talion.table.store import OUTSIDE, remove_tables

KIND = "talion backup"
FIRST_SHAPE = "0002"  # of backups of format 1, which did not say
BATCH = 500


def _open(where: str, new: bool = False) -> Any:
    """The database, beside a server that may be running."""
    return database.opened(database.address(where), new)


def backup(where: str, file: Path, force: bool = False) -> int:
    """Everything into one compressed file, as it was at one moment; the server may go on. Returns the rows."""
    if file.exists() and not force:
        raise Unusable(f"{file} is there already; name another file, or say --force to write over it.")
    engine = _open(where)
    rows = 0
    partial = file.with_name(file.name + ".part")
    with (
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
    engine.dispose()
    partial.replace(file)
    return rows


def restore(file: Path, where: str) -> int:
    """A backup into an empty database, of either kind: in the shape it was made in, which is then brought to this
    release's like any older database. Returns the rows."""
    try:
        lines = gzip.open(file, "rt", encoding="utf-8")  # noqa: SIM115 - closed below, with the database
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}.") from None
    engine = _open(where, new=True)
    try:
        with lines:
            shape = _shape(json.loads(next(lines)), file)
            _empty(engine, shape)
            with engine.begin() as connection:
                there = MetaData()
                there.reflect(connection)
                rows = sum(_insert(connection, there.tables, batch) for batch in _batches(lines))
        database.migrate(engine)
    except (OSError, EOFError, ValueError, StopIteration, KeyError):
        raise Unusable(f"{file} is not a backup of Talion's, or is damaged.") from None
    finally:
        engine.dispose()
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
    except CommandError:
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


def close(where: str, table: str) -> None:
    """End a table, whatever its state; those at it are told so."""
    values = {"status": "closed", "ended": time.time(), "due": None}
    _change(where, table, update(tables).where(tables.c.id == table).values(values))


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


def forget(where: str, days: float) -> int:
    """Remove tables that ended more than so many days ago. Returns how many."""
    with database.visited(where) as engine, engine.begin() as connection:
        removed = remove_tables(connection, tables.c.ended < time.time() - days * 86400)
        _mark(connection)
    return len(removed)
