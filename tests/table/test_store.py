"""What is written is on the disk before anybody is told, once, in order; and every process sees the same."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace
from sqlalchemy import event, text

from talion.table.database import address
from talion.table.listener import NoticeListener
from talion.table.refusal import Refusal, Unusable
from talion.table.rows import ChatLine, EntryRow, SeatRow, TableRow
from talion.table.settings import Limits
from talion.table.store import Store
from talion.table.tokens import Signer


def row(table: str, **more: object) -> TableRow:
    values = {
        "game": "g",
        "options": {},
        "title": "",
        "open": True,
        "status": "running",
        "clock": {"kind": "none"},
    }
    return TableRow(id=table, seed="s", **{"made": time.time(), **values, **more})  # type: ignore[arg-type]


def entry(number: int, key: str | None = None) -> EntryRow:
    return EntryRow(number, "answer", 0, ["do", number], key or f"k{number}", time.time(), [number, number])


def place(table: str, **more: object) -> SeatRow:
    return SeatRow(f"{table}-0", 0, **more)  # type: ignore[arg-type]


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = Store(database)
    yield opened
    opened.close()


def test_appends_in_order_and_reads_back(store: Store) -> None:
    async def run() -> None:
        await store.make(row("t1"), [place("t1", name="Ann", holders=frozenset({"h"}))])
        for number in range(1, 8):
            assert await store.append("t1", entry(number), snapshot="text" if number == 5 else None)
        stored = await store.load("t1")
        assert stored is not None
        assert stored.snapshot == (5, "text")
        assert [e.number for e in stored.entries] == [5, 6, 7]
        assert stored.entries[-1].body == ["do", 7]
        assert stored.keys[0, "k2"] == 2
        assert stored.seats[0].holders == {"h"}

    asyncio.run(run())


def test_a_number_and_a_key_are_written_once(store: Store) -> None:
    async def run() -> None:
        await store.make(row("t1"), [])
        assert await store.append("t1", entry(1, "a"))
        assert not await store.append("t1", entry(1, "b")), "the number is taken"
        assert not await store.append("t1", entry(2, "a")), "the key is used"
        tries = await asyncio.gather(*(store.append("t1", entry(2, f"c{i}")) for i in range(20)))
        assert sum(tries) == 1

    asyncio.run(run())


async def thirty_tables(store: Store) -> list[str]:
    tables = [f"t{n}" for n in range(30)]
    await asyncio.gather(*(store.make(row(table), []) for table in tables))
    return tables


def test_all_that_waits_is_written_in_few_commits(store: Store) -> None:
    commits: list[object] = []

    async def run() -> None:
        tables = await thirty_tables(store)
        event.listen(store.engine, "commit", commits.append)
        assert all(await asyncio.gather(*(store.append(table, entry(1)) for table in tables)))

    asyncio.run(run())
    assert len(commits) < 15


def test_a_refusal_makes_nobody_elses_answer_a_commit_of_its_own(store: Store) -> None:
    """Else whoever is refused often enough slows everybody down."""
    commits: list[object] = []

    async def run() -> None:
        tables = await thirty_tables(store)
        event.listen(store.engine, "commit", commits.append)
        full = Limits(tables=0)
        refused = [store.make(row(f"x{n}"), [], None, "", full) for n in range(30)]
        written = [store.append(table, entry(1)) for table in tables]
        found = await asyncio.gather(*refused, *written, return_exceptions=True)
        assert all(isinstance(one, Refusal) for one in found[:30])
        assert found[30:] == [True] * 30

    asyncio.run(run())
    assert len(commits) < 15


def test_one_bad_job_does_not_spoil_the_others(store: Store) -> None:
    def bad(_connection: object) -> None:
        raise ValueError("bad")

    async def run() -> None:
        await store.make(row("t1"), [])
        results = await asyncio.gather(
            store.append("t1", entry(1)),
            store.write("t0", bad),
            store.append("t1", entry(2)),
            return_exceptions=True,
        )
        assert results[0] is True
        assert results[2] is True
        assert isinstance(results[1], ValueError)

    asyncio.run(run())


def test_commits_wait_for_the_disk_on_every_connection(store: Store) -> None:
    """A killed process cannot show a missing fsync, so the settings are read where they matter."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        for _ in range(4):
            connection = stack.enter_context(store.engine.connect())
            if store.shared:
                assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"
            else:
                assert connection.execute(text("PRAGMA synchronous")).scalar() == 2  # FULL
                assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"

    async def of_the_writer() -> object:
        question = "SHOW synchronous_commit" if store.shared else "PRAGMA synchronous"
        return await store.write("", lambda connection: connection.execute(text(question)).scalar())

    assert asyncio.run(of_the_writer()) in ("on", 2)


def test_a_seat_is_taken_by_one(store: Store) -> None:
    async def run() -> None:
        await store.make(row("t1", status="seating"), [place("t1")])
        taken = await asyncio.gather(*(store.seating.take("t1", f"h{i}", f"P{i}") for i in range(5)))
        assert sorted(filter(None, taken)) == ["t1-0"]
        stored = await store.load("t1")
        assert stored is not None
        assert len(stored.seats[0].holders) == 1
        holder = next(iter(stored.seats[0].holders))
        assert await store.seating.seats_of(holder) == [("t1", "t1-0")]
        assert await store.seating.change("t1", "seating", stored.seats[0], forget=True, name=None)
        assert not await store.seating.change("t1", "seating", stored.seats[0], name="X"), (
            "it was another seat"
        )
        assert await store.seating.seats_of(holder) == []

    asyncio.run(run())


def test_who_asks_twice_at_once_gets_one_seat(store: Store) -> None:
    async def run() -> None:
        places = [SeatRow(f"t1-{number}", number) for number in range(4)]
        await store.make(row("t1", status="seating"), places)
        assert set(await asyncio.gather(*(store.seating.take("t1", "h", "Ann") for _ in range(4)))) == {
            "t1-0"
        }
        assert await store.seating.take("t1", "h", "Ann", 2) == "t1-2", "a second one on purpose"
        assert await store.seating.take("t1", "h", "Ann", 2) == "t1-2"
        await store.change_table("t1", status="closed")
        assert await store.seating.take("t1", "other", "Bob") is None

    asyncio.run(run())


def test_links_are_for_who_holds_the_seat(store: Store) -> None:
    async def run() -> None:
        await store.make(row("t1", status="seating"), [place("t1", name="Ann", holders=frozenset({"h"}))])
        await store.seating.add_links("t1", "t1-0", "stranger", {"stolen": "t1-0"}, 0)
        await store.seating.add_links("t1", "t1-0", "h", {"mine": "t1-0", "invite": None}, 0)
        assert [await store.seating.link(link) for link in ("stolen", "mine", "invite")] == [
            None,
            ("t1", "t1-0"),
            ("t1", None),
        ]
        await store.seating.renew_invitation("t1")
        assert [await store.seating.link(link) for link in ("mine", "invite")] == [("t1", "t1-0"), None]
        stored = await store.load("t1")
        assert stored is not None
        assert (stored.links, stored.table.invites) == ({"mine"}, 1)

    asyncio.run(run())


def test_a_lease_has_one_holder_and_runs_out(store: Store) -> None:
    async def run() -> None:
        await store.make(row("t1", due=1.0), [])
        assert await store.due(100.0) == ["t1"]
        assert await store.claim("t1", "one", 6, now=100.0)
        assert not await store.claim("t1", "two", 6, now=101.0)
        assert await store.due(105.0) == []
        assert await store.due(106.0) == ["t1"]
        assert await store.claim("t1", "two", 5, now=106.0)
        await store.release("t1", "two")
        assert await store.claim("t1", "one", 5, now=107.0)

    asyncio.run(run())


def test_what_is_said_is_kept_in_order(store: Store) -> None:
    async def run() -> None:
        await store.make(row("t1"), [])
        lines = [ChatLine(0, "table", 0, "Ann", f"word {i}", time.time()) for i in range(10)]
        await asyncio.gather(*(store.say("t1", line) for line in lines))
        stored = await store.load("t1")
        assert stored is not None
        assert [line.number for line in stored.chat] == list(range(1, 11))

    asyncio.run(run())


def test_old_tables_are_forgotten(store: Store) -> None:
    """Those that ended long ago, and those at which nothing has happened for as long; not one that is still played."""

    async def run() -> None:
        await store.make(row("ended", status="over", ended=100.0), [place("ended")])
        await store.make(row("new"), [])
        await store.make(row("left", made=50.0, status="running"), [])
        await store.make(row("played", made=50.0, status="running"), [])
        await store.append("ended", entry(1))
        await store.append("left", replace(entry(1), at=60.0))
        await store.append("played", replace(entry(1), at=250.0))
        await store.forgetting.old(200.0, 200.0)
        kept = [name for name in ("ended", "new", "left", "played") if await store.load(name)]
        assert kept == ["new", "played"]

    asyncio.run(run())


def test_the_signing_key_survives_restarts(database: str) -> None:
    keys = []
    for _ in range(2):
        store = Store(database)
        keys.append(store.signing_key())
        store.close()
    assert keys[0] == keys[1]
    assert len(keys[0]) == 64
    assert Signer(keys[0])._mac("a", "b") == Signer(keys[1])._mac("a", "b")


def test_a_second_server_on_one_sqlite_file_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "x.sqlite3")
    code = f"from talion.table.store import Store; Store({path!r}); print('open', flush=True); input()"
    other = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "open\n"
    with pytest.raises(Unusable, match="Another server"):
        Store(path)
    other.kill()
    other.communicate()
    Store(path).close()


def test_other_databases_are_refused_in_a_sentence() -> None:
    with pytest.raises(Unusable, match="SQLite or PostgreSQL, not in mysql"):
        address("mysql://somewhere/talion")


def test_two_servers_migrate_one_database(postgres: str) -> None:
    code = f"from talion.table.store import Store; Store({postgres!r}).close()"
    starts = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [start.wait(60) for start in starts] == [0, 0, 0]


def test_the_listener_hears_and_comes_back_after_a_cut(postgres: str) -> None:
    heard: list[tuple[str, int]] = []
    missed = 0

    async def hear(table: str, number: int) -> None:
        heard.append((table, number))

    async def miss() -> None:
        nonlocal missed
        missed += 1

    async def until(condition: object) -> None:
        for _ in range(200):
            if condition():  # type: ignore[operator]
                return
            await asyncio.sleep(0.05)
        raise AssertionError("waited in vain")

    async def run() -> None:
        store = Store(postgres)
        listener = NoticeListener(store.url, hear, miss)
        task = asyncio.create_task(listener.run())
        await until(lambda: listener.up)
        await store.make(row("t1"), [])
        await store.append("t1", entry(1))
        await until(lambda: ("t1", 1) in heard)
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'talion listener'"
            )
        await until(lambda: not listener.up)
        await until(lambda: listener.up)
        assert missed == 2
        await store.append("t1", entry(2))
        await until(lambda: ("t1", 2) in heard)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        store.close()

    asyncio.run(run())
