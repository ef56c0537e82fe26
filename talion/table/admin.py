"""For hosts: backup and restore, close a table, mute somebody, forget what is old."""

from __future__ import annotations

import gzip
import json
import os
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from talion.table import database
from talion.table.refusal import Unusable
from talion.table.schema import house, metadata, seats, tables
from talion.table.store import OUTSIDE, remove_tables

FIRST_LINE = {"talion backup": 1}
BATCH = 500


def backup(where: str, file: Path) -> int:
    """Everything into one compressed file, as it was at one moment; the server may go on. Returns the rows."""
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
        out.write(json.dumps(FIRST_LINE) + "\n")
        for table in metadata.sorted_tables:
            for row in connection.execute(select(table)):
                out.write(json.dumps([table.name, list(row)]) + "\n")
                rows += 1
    partial.replace(file)
    return rows


def restore(file: Path, where: str) -> int:
    """A backup into an empty database, of either kind. Returns the rows."""
    try:
        lines = gzip.open(file, "rt", encoding="utf-8")  # noqa: SIM115 - closed below, with the database
    except OSError as error:
        raise Unusable(f"{file} cannot be read: {error.strerror}.") from None
    by_name = {table.name: table for table in metadata.sorted_tables}
    rows = 0
    try:
        with lines, database.visited(where, new=True) as engine, engine.begin() as connection:
            if json.loads(next(lines)) != FIRST_LINE:
                raise Unusable(f"{file} is not a backup of Talion's.")
            if connection.execute(select(func.count()).select_from(tables)).scalar():
                raise Unusable("There are tables in that database already; restore into an empty one.")
            for table in reversed(metadata.sorted_tables):
                connection.execute(delete(table))
            for batch in _batches(lines):
                rows += _insert(connection, by_name, batch)
    except (OSError, EOFError, ValueError, StopIteration):
        raise Unusable(f"{file} is not a backup of Talion's, or is damaged.") from None
    return rows


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


def _insert(connection: Connection, by_name: dict[str, Any], batch: list[Any]) -> int:
    table = by_name[batch[0][0]]
    names = [column.name for column in table.columns]
    connection.execute(insert(table), [dict(zip(names, values, strict=False)) for _, values in batch])
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
