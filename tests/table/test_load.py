"""The load test that hosts run: it plays real matches, by the API and by pages, and says how the house bears it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from talion.table.load import Server, _lines
from talion.table.loading import Load, run, worded

from .serving import GAMES, served


@pytest.mark.parametrize("browsers", [False, True], ids=["api", "browsers"])
@pytest.mark.parametrize("bot", ["", "random"], ids=["two people", "a bot"])
def test_matches_are_played_from_outside(tmp_path: Path, browsers: bool, bot: str) -> None:
    with served(str(tmp_path / "x.sqlite3"), trusted=("127.0.0.1",)) as server:
        plan = Load(2, 0, 0.02, ("tic-tac-toe",), bot, browsers)
        found = asyncio.run(run(Server(server.url), plan))
    assert not found["errors"], found
    assert found["answers"] >= 2
    assert found["reply_ms"]["p50"] > 0
    assert found["memory_mb"] > 0
    assert "Errors: none" in worded(found)


def test_who_watches_is_somebody_too(tmp_path: Path) -> None:
    """On a house that takes us for no proxy all come from one address: their streams are not one person's."""
    with served(str(tmp_path / "x.sqlite3")) as server:
        found = asyncio.run(run(Server(server.url), Load(6, 1, 0.02, ("tic-tac-toe",))))
    assert not found["errors"], found


def test_a_stream_is_read_wherever_a_proxy_cuts_it() -> None:
    sent = b'retry: 1500\n\nevent: match\ndata: {"of":"t1"}\n\n'

    async def cut(length: int) -> list[bytes]:
        async def parts() -> AsyncIterator[bytes]:
            for begin in range(0, len(sent), length):
                yield sent[begin : begin + length]

        return [line async for line in _lines(parts())]

    for length in (1, 7, len(sent)):
        assert asyncio.run(cut(length)) == sent.split(b"\n")[:-1]


def test_every_answer_that_was_counted_is_written(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database, games=GAMES) as server:
        found = asyncio.run(run(Server(server.url), Load(3, 0, 0.02, ("tic-tac-toe", "sealed"))))
        with server.house.store.engine.connect() as connection:
            kept = connection.exec_driver_sql("SELECT count(*) FROM entries WHERE key IS NOT NULL").scalar()
    assert kept == found["answers"]
