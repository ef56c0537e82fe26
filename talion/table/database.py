"""Opening a database: SQLite in one file, or PostgreSQL by URL. Durable before told, migrated before used."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psycopg
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError

from talion.table.refusal import Unusable

CHANNEL = "talion"
COUNTS = "talion_counts"
MIGRATION_LOCK = 0x74616C69
LONGEST_LOCK = 10.0
"""Seconds for which a write waits while somebody else, a backup perhaps, has the file."""
TRUSTED = 2.0
"""Seconds for which a connection that worked is taken to work still."""
MIGRATIONS = Path(__file__).with_name("migrations")


def address(database: str) -> URL:
    """A database given as a URL, or as the path of an SQLite file."""
    try:
        url = make_url(database if "://" in database else f"sqlite:///{database}")
    except (ArgumentError, ValueError):
        raise Unusable(
            "The database's URL cannot be read; it looks like postgresql://user@host/name."
        ) from None
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise Unusable(f"Talion keeps its tables in SQLite or PostgreSQL, not in {url.drivername}.")
    return url


def opened(url: URL, new: bool = True) -> Engine:
    """A database in this release's shape; one that is not there yet only if it may be `new`."""
    if path := _file_of(url):
        if not new and not path.exists():
            raise Unusable(f"There is no database at {path}.")
        _make_private(path)
    engine = connect(url)
    try:
        migrate(engine)
    except (UnknownShape, DBAPIError) as error:
        engine.dispose()
        why = str(error.orig) if isinstance(error, DBAPIError) else "it was made by a newer release of Talion"
        first = why.partition("\n")[0].rstrip(".")
        raise Unusable(f"The database at {_worded(url)} cannot be used: {first}.") from None
    return engine


@contextmanager
def visited(where: str, new: bool = False) -> Iterator[Engine]:
    """A database beside a server that may be running, for as long as one works with it: closed however that ends."""
    engine = opened(address(where), new)
    try:
        yield engine
    finally:
        engine.dispose()


def private_file(path: Path, mode: int) -> IO[bytes]:
    """A file to write. If it is new, nobody else can read it: databases and backups hold the key that signs cookies."""
    try:
        binary = getattr(os, "O_BINARY", 0)  # Windows would change the ends of lines
        return os.fdopen(os.open(path, os.O_CREAT | binary | mode, 0o600), "wb")
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror}.") from None


def _make_private(path: Path) -> None:
    """Make a database's file if there is none. One that is there is not opened: closing it again would loosen the locks that
    this process holds on it, and two writers at once spoil it."""
    if not path.exists() or path.is_dir():
        private_file(path, os.O_RDWR).close()
    elif not os.access(path, os.R_OK | os.W_OK):
        raise Unusable(f"{path} cannot be written: permission denied.")


def _file_of(url: URL) -> Path | None:
    return Path(url.database) if url.drivername == "sqlite" and url.database else None


def _worded(url: URL) -> str:
    return str(_file_of(url) or url.set(drivername="postgresql").render_as_string(hide_password=True))


def connect(url: URL) -> Engine:
    """An engine whose every connection writes through to the disk before a commit returns, and whose errors do not
    tell the log what people wrote."""
    if url.drivername == "sqlite":
        engine = create_engine(
            url, hide_parameters=True, connect_args={"timeout": LONGEST_LOCK, "isolation_level": "IMMEDIATE"}
        )
        event.listen(engine, "connect", _prepare_sqlite)
        return engine
    engine = create_engine(
        url,
        hide_parameters=True,
        connect_args={"options": "-c synchronous_commit=on -c timezone=UTC", "connect_timeout": 5},
    )
    event.listen(engine, "checkin", _note_its_use)
    event.listen(engine, "checkout", _see_that_it_is_there)
    return engine


def _note_its_use(_connection: object, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _see_that_it_is_there(connection: Any, record: Any, _proxy: object) -> None:
    """Ask a connection that was left alone for a while whether it still leads somewhere; to ask every time would cost a way
    there and back for each question. Raises what makes the pool give another."""
    if time.monotonic() - record.info.get("used", math.inf) <= TRUSTED:
        return
    try:
        connection.execute("SELECT 1")
        connection.rollback()
    except psycopg.Error as error:
        raise DisconnectionError from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


class UnknownShape(Exception):  # noqa: N818 - a fact about a database
    """A database or a backup is in a shape that this release does not know."""


def newest() -> str:
    """The shape of this release's databases: the number of the last migration, which its file begins with."""
    return max(file.name[1:5] for file in (MIGRATIONS / "versions").glob("r????_*.py"))


def migrate(engine: Engine, shape: str = "") -> None:
    """Bring the database to this release, or to an earlier shape that a backup is of. Several servers may start at once:
    one migrates, the others wait."""
    shape = shape or newest()
    with engine.connect() as connection:
        known = engine.dialect.has_table(connection, "alembic_version") and revision(connection)
    if known != shape:
        _migrate(engine, shape)


def _migrate(engine: Engine, shape: str) -> None:
    # Most starts find nothing to do, and are spared the time to read all this.
    import alembic.command
    import alembic.config
    from alembic.util import CommandError

    config = alembic.config.Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
            connection.commit()
        try:
            config.attributes["connection"] = connection
            alembic.command.upgrade(config, shape)
            connection.commit()
        except CommandError:
            raise UnknownShape from None
        finally:
            if engine.dialect.name == "postgresql":
                connection.rollback()
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": MIGRATION_LOCK})
                connection.commit()


def revision(connection: Connection) -> str:
    """Which shape a database is in."""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())


def claim_file(url: URL) -> int | None:
    """One server to an SQLite file: hold its lock until this process ends, however it ends."""
    path = _file_of(url)
    if path is None:
        return None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"{path.parent} cannot be made: {error.strerror}.") from None
    _make_private(path)
    lock = os.open(_lock_of(path), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        _lock(lock)
    except OSError:
        os.close(lock)
        raise InUse(path, _lock_of(path).read_text("utf-8").strip()) from None
    return lock


class InUse(Unusable):
    """Another server has this file. If it said so, one knows where to find it."""

    def __init__(self, path: Path, served_at: str) -> None:
        where = f", at {served_at}," if served_at else ""
        super().__init__(
            f"Another server{where} is using {path}; SQLite serves one process, PostgreSQL serves several."
        )
        self.served_at = served_at


def say_where_served(url: URL, served_at: str) -> None:
    """Leave the address for whoever finds the file in use."""
    if path := _file_of(url):
        _lock_of(path).write_text(served_at, "utf-8")


def _lock_of(path: Path) -> Path:
    return Path(f"{path}.lock")


def _lock(file: int) -> None:
    """Take an open file's lock, or raise OSError. It is given back by closing, and by dying."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(file, 1 << 20, os.SEEK_SET)  # behind what is written there, which stays readable
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def alone(connection: Connection, what: str) -> None:
    """Be the only one to do something until the transaction ends. On SQLite whoever writes is alone anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:what))"), {"what": what})


def notify(connection: Connection, table: str, number: int) -> None:
    """Tell the other servers, in the transaction that writes: they hear of it if and when it is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": f"{table} {number}"}
        )


def tell_counts(connection: Connection, texts: list[str]) -> None:
    """Tell the other servers what was counted here; see `sharing`."""
    for payload in texts:
        connection.execute(
            text("SELECT pg_notify(:channel, :payload)"), {"channel": COUNTS, "payload": payload}
        )


def insert_into(connection: Connection, table: Any) -> Any:
    """An insert that can be told to do nothing when the row is there already."""
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
