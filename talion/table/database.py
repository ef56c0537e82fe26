"""Opening a database: SQLite in one file, or PostgreSQL by URL. Durable before told, migrated before used."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Any

import alembic.command
import alembic.config
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url

from talion.table.refusal import Unusable

CHANNEL = "talion"
MIGRATION_LOCK = 0x74616C69
MIGRATIONS = Path(__file__).with_name("migrations")


def address(database: str) -> URL:
    """A database given as a URL, or as the path of an SQLite file."""
    if "://" not in database:
        return make_url(f"sqlite:///{database}")
    url = make_url(database)
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise Unusable(f"Talion keeps its tables in SQLite or PostgreSQL, not in {url.drivername}.")
    return url


def connect(url: URL) -> Engine:
    """An engine whose every connection writes through to the disk before a commit returns, and whose errors do not
    tell the log what people wrote."""
    if url.drivername == "sqlite":
        engine = create_engine(
            url, hide_parameters=True, connect_args={"timeout": 10, "isolation_level": "IMMEDIATE"}
        )
        event.listen(engine, "connect", _prepare_sqlite)
        return engine
    return create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        connect_args={"options": "-c synchronous_commit=on -c timezone=UTC", "connect_timeout": 5},
    )


def _prepare_sqlite(connection: Any, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def migrate(engine: Engine) -> None:
    """Bring the database to this release. Several servers may start at once: one migrates, the others wait."""
    config = alembic.config.Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
            connection.commit()
        try:
            config.attributes["connection"] = connection
            alembic.command.upgrade(config, "head")
            connection.commit()
        finally:
            if engine.dialect.name == "postgresql":
                connection.rollback()
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": MIGRATION_LOCK})
                connection.commit()


def claim_file(url: URL) -> int | None:
    """One server to an SQLite file: hold its lock until this process ends, however it ends."""
    if url.drivername != "sqlite" or not url.database:
        return None
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(f"{url.database}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise Unusable(
            f"Another server is using {url.database}; SQLite serves one process, PostgreSQL serves several."
        ) from None
    return lock


def notify(connection: Connection, table: str, number: int) -> None:
    """Tell the other servers, in the transaction that writes: they hear of it if and when it is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": f"{table} {number}"}
        )
