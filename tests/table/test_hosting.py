"""For hosts: behind a proxy, metrics, backup and restore, closing, old databases, the command line."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from talion import cli
from talion.table import admin, commands
from talion.table import database as migrations
from talion.table.catalogue import Catalogue
from talion.table.refusal import Unusable
from talion.table.serve import Launch, lan_address, serve
from talion.table.settings import Settings
from talion.table.store import Store

from .serving import GAMES, Browser, Events, Player, Process, at_play, play_out, served, wait_for

ROOT = Path(__file__).parents[2]


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "talion.cli", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd="/",
        timeout=60,
    )


def test_under_a_sub_path_behind_a_proxy(tmp_path: Path) -> None:
    server = Process(
        str(tmp_path / "x.sqlite3"), tmp_path / "one", "--sub-path", "/games", "--trust", "127.0.0.1"
    )
    forwarded = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}
    with httpx.Client(base_url=server.url, headers=forwarded, timeout=20) as client:
        for prefix in ("/games", ""):  # a proxy may cut the sub-path off, or not
            page = client.get(f"{prefix}/")
            assert page.status_code == 200
            assert 'href="/games/static/talion.css"' in page.text
            assert client.get(f"{prefix}/static/talion.css").status_code == 200
        cookie = client.get("/games/", headers={"cookie": ""}).headers["set-cookie"]
        assert "; Secure" in cookie
        assert "Path=/games;" in cookie
        assert client.get("/games/watch").status_code == 200
        # Limits are those of the address that the proxy forwards for.
        plan = {"game": "tic-tac-toe", "seats": ["me", "me"]}
        opened: list[int] = []
        while 429 not in opened and len(opened) < 60:  # on a slow machine some are allowed again meanwhile
            opened.append(client.post("/api/tables", json=plan).status_code)
        assert opened[:20] == [201] * 20
        assert opened[-1] == 429
        elsewhere = {"x-forwarded-for": "203.0.113.10"}
        assert client.post("/api/tables", json=plan, headers=elsewhere).status_code == 201
    plain = httpx.get(f"{server.url}/games/").headers["set-cookie"]
    assert "Secure" not in plain


def test_forwarded_headers_of_a_stranger_are_not_believed(tmp_path: Path) -> None:
    server = Process(str(tmp_path / "x.sqlite3"), tmp_path / "one")
    reply = httpx.get(f"{server.url}/", headers={"x-forwarded-proto": "https"})
    assert "Secure" not in reply.headers["set-cookie"]


def test_metrics_count_what_happens(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "random"])
        play_out(ann)
        page = httpx.get(f"{server.url}/metrics").text
        numbers = dict(line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#"))
        accepted = int(numbers['talion_answers_total{reply="accepted"}'])
        assert accepted >= 3
        assert int(numbers["talion_answer_seconds_count"]) == accepted
        assert int(numbers["talion_entries_total"]) == accepted + int(numbers["talion_bot_moves_total"])
        assert numbers["talion_errors_total"] == "0"


def test_metrics_time_a_click_too(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann = Browser(server.url)
        ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
        ann.clicks(ann.choices()[0])
        page = server.house.metrics.page()
        assert 'talion_answers_total{reply="accepted"} 1\n' in page
        assert float(re.findall(r"talion_answer_seconds_sum (\S+)", page)[0]) > 0


def test_metrics_add_up_over_the_workers_of_one_server(postgres: str, tmp_path: Path) -> None:
    server = Process(postgres, tmp_path / "one", "--workers", "2")
    made = 0
    for _ in range(12):  # each connection may reach either worker
        Player(server.url).opens("tic-tac-toe", ["me", "me"])
        made += 1

    def counted() -> int:
        page = httpx.get(f"{server.url}/metrics").text
        line = next(line for line in page.splitlines() if line.startswith("talion_requests_total "))
        return int(line.split()[1])

    assert counted() >= made
    assert min(counted() for _ in range(6)) >= made


def test_backup_and_restore_from_one_kind_of_database_to_the_other(postgres: str, tmp_path: Path) -> None:
    here, file = str(tmp_path / "x.sqlite3"), tmp_path / "house.backup"
    with served(here) as server:
        ann = Player(server.url)
        ann.opens("sealed", ["me", "me"])
        ann.moves()
        ann.post(f"/api/seats/{ann.seat}/chat", json={"words": "see you there"})
        before = ann.sees()
        assert admin.backup(here, file) > 5  # while the server runs
    assert admin.restore(file, postgres) > 5
    with served(postgres) as server:
        there = Player(server.url, ann.headers["authorization"].removeprefix("Bearer "))
        there.seat = ann.seat
        assert there.sees() == before
        assert there.moves() is not None
    with pytest.raises(Unusable, match="already"):
        admin.restore(file, postgres)
    back = str(tmp_path / "y.sqlite3")
    second = tmp_path / "second.backup"
    admin.backup(postgres, second)
    admin.restore(second, back)
    (tmp_path / "junk").write_text("junk")
    with pytest.raises(Unusable, match="not a backup"):
        admin.restore(tmp_path / "junk", str(tmp_path / "z.sqlite3"))


def test_a_house_keeper_closes_and_mutes_while_the_server_runs(database: str) -> None:
    with served(database) as server:
        ann = Player(server.url)
        ann.opens("sealed", ["me", "me"])
        admin.mute(database, ann.table, 1)
        said = {"words": "still talking"}
        wait_for(lambda: ann.post(f"/api/seats/{ann.seat}/chat", json=said).status_code == 403, "the mute")
        admin.close(database, ann.table)
        wait_for(lambda: ann.sees()["table"]["status"] == "closed", "the table to close")
        reply = ann.answers(ann.sees()["number"], ["lay"])
        assert reply.json()["reply"] == "refused"
        with pytest.raises(Unusable, match="no such table"):
            admin.close(database, "t00")


NEXT_RELEASE = """
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{last}"


def upgrade() -> None:
    op.add_column("tables", sa.Column("remark", sa.Text))
    op.execute("UPDATE tables SET remark = title")
"""


def test_a_database_of_an_older_release_is_upgraded_and_its_match_goes_on(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Today's release is the older one: a release to come brings one migration more."""
    with served(database) as server:
        ann = Player(server.url)
        ann.opens("sealed", ["me", "me"], title="A long evening")
        ann.moves()
        before = ann.sees()
        with server.house.store.engine.connect() as connection:
            last = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    newer = tmp_path / "migrations"
    shutil.copytree(migrations.MIGRATIONS, newer, ignore=shutil.ignore_patterns("__pycache__"))
    (newer / "versions" / "r9999_next.py").write_text(NEXT_RELEASE.format(last=last))
    monkeypatch.setattr(migrations, "MIGRATIONS", newer)
    with served(database) as server:
        with server.house.store.engine.connect() as connection:
            assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"
            assert connection.execute(text("SELECT remark FROM tables")).scalar() == "A long evening"
        again = Player(server.url, ann.headers["authorization"].removeprefix("Bearer "))
        again.seat = ann.seat
        assert again.sees() == before
        assert again.moves() is not None


@pytest.fixture
def newer_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Called, it makes every game's rules those of a version to come."""
    find = Catalogue.find
    newer: dict[str, Any] = {}

    def find_newer(self: Catalogue, key: str) -> Any:
        if key not in newer:
            newer[key] = replace(find(self, key), version=99)
        return newer[key]

    return lambda: monkeypatch.setattr(Catalogue, "find", find_newer)


@pytest.mark.parametrize("answers", [0, 1, 8])
def test_a_match_goes_on_under_a_newer_version_of_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, newer_rules: Callable[[], None], answers: int
) -> None:
    """A table goes on from its state written out, at its beginning or later, whatever the fingerprint says."""
    where = str(tmp_path / "x.sqlite3")
    monkeypatch.setattr("talion.table.live.SNAPSHOT_EVERY", 5)
    with served(where) as server:
        ann = Player(server.url)
        ann.opens("sealed", ["me", "random"])
        wait_for(lambda: ann.sees()["number"] >= answers or not ann.moves(), "some answers")
    newer_rules()
    with served(where) as server:
        again = Player(server.url, ann.headers["authorization"].removeprefix("Bearer "))
        again.seat = ann.seat
        assert again.sees()["table"]["status"] == "running"
        play_out(again)
        assert again.sees()["table"]["status"] == "over"


def test_a_match_goes_on_whose_last_answer_was_written_and_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, newer_rules: Callable[[], None]
) -> None:
    """A server that closes cuts answers short. What is on the disk counts, and its state is written down too."""
    where = str(tmp_path / "x.sqlite3")
    append = Store.append

    async def written_and_cut_short(*given: Any) -> bool:
        await append(*given)
        raise asyncio.CancelledError

    with served(where) as server:
        ann, bob = at_play(server.url, "sealed")
        ann.moves()
        before = bob.sees()["number"]
        monkeypatch.setattr(Store, "append", written_and_cut_short)
        with contextlib.suppress(httpx.HTTPError):
            bob.moves()
        monkeypatch.setattr(Store, "append", append)
    newer_rules()
    with served(where) as server:
        people = []
        for one in (ann, bob):
            again = Player(server.url, one.headers["authorization"].removeprefix("Bearer "))
            again.seat = one.seat
            people.append(again)
        assert people[1].sees()["number"] > before
        play_out(*people)
        assert people[0].sees()["table"]["status"] == "over"


def test_the_end_of_a_match_is_seen_under_newer_rules_and_its_file_can_be_had(
    tmp_path: Path, newer_rules: Callable[[], None]
) -> None:
    where = str(tmp_path / "x.sqlite3")
    with served(where) as server:
        ann = Player(server.url)
        ann.opens("sealed", ["me", "random"])
        play_out(ann)
        before = ann.sees()
    newer_rules()
    with served(where) as server:
        again = Player(server.url, ann.headers["authorization"].removeprefix("Bearer "))
        again.seat = ann.seat
        assert again.sees() == before
        assert again.get("/api/seats").status_code == 200
        file = again.get(f"/tables/{ann.table}/file")
        assert file.status_code == 200, "for a release that can play it"
        replay = again.get(f"/tables/{ann.table}/replay")
        assert replay.status_code == 409
        assert "here is version 99" in replay.text


def test_the_command_line_says_what_cannot_be(tmp_path: Path) -> None:
    where = str(tmp_path / "x.sqlite3")
    several = command("serve", "--workers", "2", "--database", where)
    assert (several.returncode, several.stdout) == (2, "")
    assert several.stderr == "SQLite serves one worker; for several, give a PostgreSQL database by its URL.\n"
    other = command("serve", "--database", "mysql://here/there")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)
    mistyped = command("house", "backup", str(tmp_path / "file"), "--database", where)
    assert (mistyped.returncode, mistyped.stderr) == (2, f"There is no database at {where}.\n")
    assert list(tmp_path.iterdir()) == []
    Store(where).close()
    assert refused(lambda: admin.close(where, "t00")) == "There is no such table or seat."


def refused(work: Callable[[], Any]) -> str:
    """The one sentence by which something is refused."""
    with pytest.raises(Unusable) as refusal:
        work()
    said = str(refusal.value)
    assert said.endswith(".")
    assert "\n" not in said
    return said


def test_what_cannot_be_served_is_said_in_a_sentence(tmp_path: Path) -> None:
    no_database = tmp_path / "letter"
    no_database.write_text("Dear Ann, " * 200)
    for where, why in (
        (str(tmp_path), "Is a directory"),
        (str(no_database), "not a database"),
        (str(no_database / "x"), "cannot be made"),
        ("postgresql://ann:secret@127.0.0.1:1/talion", "refused"),
        ("postgresql://here:port/talion", "cannot be read"),
    ):
        said = refused(lambda where=where: Store(where))  # type: ignore[misc]
        assert why in said
        assert "secret" not in said
    here = str(tmp_path / "x.sqlite3")
    Store(here).close()
    assert "No such file" in refused(lambda: admin.backup(here, tmp_path / "nowhere" / "file"))
    assert "no log level LOUD" in refused(lambda: serve(Settings(database=here), Launch(log_level="LOUD")))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 65535))
        taken.listen()
        said = refused(lambda: serve(Settings(database=here), Launch(port=65535)))
    assert said == "No port from 65535 to 65535 is free."


@pytest.mark.parametrize(
    ("said", "bots"), [((), 3), (("--workers", "2"), 1), (("--bots", "5"), 5), (("--workers", "9"), 1)]
)
def test_as_many_bots_think_at_once_as_there_are_cores(
    said: tuple[str, ...], bots: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Settings] = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 5}, raising=False)
    monkeypatch.setattr("talion.table.serve.serve", lambda settings, place: started.append(settings))
    assert CliRunner().invoke(cli.app, ["serve", *said]).exit_code == 0
    assert started[0].bot_workers == bots, "shared among the workers"


def test_a_database_of_a_newer_release_is_left_alone(database: str) -> None:
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'next'"))
    store.close()
    assert "newer release" in refused(lambda: Store(database))


def test_addresses_are_written_as_urls_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lan_address("fd00::2") == "[fd00::2]"
    assert lan_address("192.0.2.1") == "192.0.2.1"
    given: list[Settings] = []
    monkeypatch.setattr("talion.table.serve.serve", lambda settings, place: given.append(settings))
    for path in ("games", "/games", "/games/", "", "/"):
        commands.serve(sub_path=path)
    assert [settings.root_path for settings in given] == ["/games", "/games", "/games", "", ""]


def test_a_host_is_told_where_people_find_the_table(tmp_path: Path) -> None:
    """What stands before the server is known by `--url` alone; a host also wants to know where to point it at."""
    alone = Process(str(tmp_path / "a.sqlite3"), tmp_path / "a")
    behind = Process(str(tmp_path / "b.sqlite3"), tmp_path / "b", "--url", "https://club.example/games")
    for server in (alone, behind):
        server.stop()
    inside = f"http://localhost:{behind.port}/"
    assert "Only this machine can join." in alone.log()
    assert behind.log().startswith(
        f"The table is at https://club.example/games\nOn this machine it is at {inside}\n"
    )
    assert "Only this machine" not in behind.log()


def test_nobody_else_reads_a_database_or_its_backup(tmp_path: Path) -> None:
    where, file = tmp_path / "x.sqlite3", tmp_path / "backup"
    with served(str(where)) as server:
        Player(server.url).opens("tic-tac-toe", ["me", "me"])
        admin.backup(str(where), file)
        assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == dict.fromkeys(
            ("x.sqlite3", "x.sqlite3-wal", "x.sqlite3-shm", "x.sqlite3.lock", "backup"), 0o600
        )


def test_a_taken_port_is_passed_over_and_said(tmp_path: Path) -> None:
    first = Process(str(tmp_path / "x.sqlite3"), tmp_path / "one")
    second = subprocess.Popen(
        [*first.command[:-6], "--port", str(first.port), "--database", str(tmp_path / "y.sqlite3")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert second.stdout is not None
    said = second.stdout.readline() + second.stdout.readline()
    second.kill()
    second.communicate()
    assert f"Port {first.port} is taken; using {first.port + 1}." in said
    assert f"http://localhost:{first.port + 1}/" in said


def test_a_table_says_that_only_this_machine_can_join(tmp_path: Path) -> None:
    for local in (True, False):
        folder = tmp_path / str(local)
        folder.mkdir()
        with served(str(folder / "x.sqlite3"), local=local) as server:
            ann = Browser(server.url)
            ann.posts("/tables", game="sealed", seat0="me", seat1="open")
            assert ("only browsers on this machine" in ann.page.text) == local


def test_an_invitation_names_an_address_that_phones_can_open(tmp_path: Path) -> None:
    """Though the host browses by a name of their own machine."""
    with served(str(tmp_path / "x.sqlite3"), local=False, reached_at="192.0.2.7:8000") as server:
        for name, shown in (("localhost", "192.0.2.7:8000"), ("house.test", "house.test:8000")):
            ann = Browser(server.url)
            ann.headers["host"] = f"{name}:8000"
            ann.posts("/tables", game="sealed", seat0="me", seat1="open")
            links = re.findall(r'href="http://([^/"]+)/join/', ann.go(f"/seats/{ann.seat}").text)
            assert links == [shown, shown]


def test_who_asks_for_the_head_alone_gets_it(tmp_path: Path) -> None:
    """As probes and link checkers do."""
    with served(str(tmp_path / "x.sqlite3")) as server:
        for path in ("/", "/health", "/mine"):
            reply = httpx.head(server.url + path)
            assert (reply.status_code, reply.content) == (200, b"")
        assert httpx.head(f"{server.url}/api/events").status_code == 405


def test_health_is_red_while_the_listener_is_cut_off(cluster: str, postgres: str) -> None:
    name = migrations.address(postgres).database
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'talion listener'"

    def health() -> int:
        return httpx.get(f"{server.url}/health").status_code

    with served(postgres) as server, psycopg.connect(cluster, autocommit=True) as connection:
        wait_for(lambda: health() == 200, "the listener")
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        connection.execute(cut)
        wait_for(lambda: health() == 503, "the cut to be noticed")
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        wait_for(lambda: health() == 200, "the listener to come back")


def test_a_second_start_opens_the_server_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a browser to open; without one it is refused, and told where the other is. Ctrl-C ends in peace."""
    where = str(tmp_path / "x.sqlite3")
    server = Process(where, tmp_path / "one")
    at = f"http://localhost:{server.port}/"
    visited: list[str] = []
    monkeypatch.setattr("talion.table.serve._has_screen", lambda: True)
    monkeypatch.setattr("webbrowser.open", visited.append)
    serve(Settings(database=where), Launch(browser=True))
    assert visited == [at]
    assert at in capsys.readouterr().out
    assert f"Another server, at {at}, is using" in refused(lambda: serve(Settings(database=where), Launch()))
    assert server.process is not None
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(20) == 0
    assert server.log().splitlines()[-1] == "The table is closed; what was played is kept."
    assert "Traceback" not in server.log()


def test_bots_that_cannot_think_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """People can go on, so health stays green; whoever watches the server sees it there and among its numbers."""
    thinking = monkeypatch.context()

    def health() -> tuple[int, bool]:
        reply = httpx.get(f"{server.url}/health")
        return reply.status_code, reply.json()["bots"]

    def failing() -> bool:
        return "\ntalion_bots_failing 1\n" in httpx.get(f"{server.url}/metrics").text

    with served(str(tmp_path / "x.sqlite3")) as server:
        with thinking as broken:
            broken.setattr("talion.table.workers.Processes", no_processes)
            Player(server.url).opens("tic-tac-toe", ["random", "me"])
            wait_for(lambda: health() == (200, False), "the trouble to show")
            wait_for(failing, "the numbers to say so")
        wait_for(lambda: health() == (200, True), "the bots to think again")
        assert not failing()


def no_processes(*_: object) -> None:
    raise OSError("No more processes can be started here.")


def test_no_connection_outlives_a_visit_that_failed(tmp_path: Path) -> None:
    """Neither a backup that cannot be written, nor a table that is not there, though the refusal is still at hand."""
    where = str(tmp_path / "x.sqlite3")
    Store(where).close()
    with pytest.raises(Unusable) as unwritable:
        admin.backup(where, tmp_path / "nowhere" / "file")
    with pytest.raises(Unusable) as unknown:
        admin.close(where, "none")
    open_files = (os.path.realpath(file) for file in Path("/proc/self/fd").iterdir())
    assert not [file for file in open_files if file.startswith(str(tmp_path))], (unwritable, unknown)


def test_ten_tables_of_one_browser_stay_live_on_one_stream(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "me"])
        seats = [line["seat"] for line in ann.get("/api/seats").json()]
        with httpx.stream("GET", f"{server.url}/api/events", headers=ann.headers, timeout=20) as stream:
            lines = stream.iter_lines()
            for _ in range(9):  # opened after the stream: it follows them too
                body = {"game": "tic-tac-toe", "seats": ["me", "me"]}
                seats += ann.post("/api/tables", json=body).json()["seats"]
            firsts = set(seats)
            for seat in seats:
                ann.seat = seat
                ann.moves()
            told: dict[str, int] = {}
            until = time.monotonic() + 20
            while time.monotonic() < until and not all(told.get(seat, 0) >= 1 for seat in firsts):
                line = next(lines)
                if line.startswith("data:"):
                    news = json.loads(line.removeprefix("data:"))
                    told[news["of"]] = max(told.get(news["of"], 0), news.get("number", 0))
            assert all(told.get(seat, 0) >= 1 for seat in firsts)


def test_the_database_address_may_be_a_path_or_a_url() -> None:
    assert migrations.address("/tmp/x.sqlite3").drivername == "sqlite"
    assert migrations.address("postgresql://u:p@h/d").drivername == "postgresql+psycopg"


def test_one_table_that_cannot_be_opened_holds_up_nobody_else(tmp_path: Path, caplog: Any) -> None:
    """Its game is served no more: its people keep their other tables, its bots wait, and the log says so once."""
    where = str(tmp_path / "x.sqlite3")
    with served(where) as server:
        ann = Player(server.url)
        ann.opens("sealed", ["me", "random"], open=True)
        dead = ann.table
        ann.opens("tic-tac-toe", ["random", "me"])
    engine = migrations.connect(migrations.address(where))
    with engine.begin() as connection:
        connection.execute(text("UPDATE tables SET due = 1, lease_until = NULL"))
    engine.dispose()
    without_sealed = tuple(game for game in GAMES if "sealed" not in game)
    with served(where, games=without_sealed) as server:
        again = Player(server.url, ann.headers["authorization"].removeprefix("Bearer "))
        again.seat = ann.seat
        assert [line["table"] for line in again.get("/api/seats").json()] == [ann.table]
        assert again.get("/api/tables").json()["running"] == []
        assert Events(again).told is not None
        reply = again.get(f"/api/tables/{dead}")
        assert (reply.status_code, reply.json()["why"]) == (
            404,
            "This table's game, sealed, is not served here now.",
        )
        play_out(again)
        wait_for(lambda: server.house.keeper._failures.get(dead), "the keeper to have tried")
    noted = [line for line in caplog.records if line.levelname in ("WARNING", "ERROR")]
    assert [line.getMessage() for line in noted] == ["a table cannot be opened"]


def test_a_table_that_is_gone_is_forgotten_and_others_are_still_looked_after(database: str) -> None:
    with served(database) as server:
        ann, bob = Player(server.url), Player(server.url)
        ann.opens("sealed", ["me", "me"])
        bob.opens("tic-tac-toe", ["me", "me"])
        bob.post(f"/api/seats/{bob.seat}/concede")
        server.house.read_again = never  # type: ignore[method-assign]
        with server.house.store.engine.begin() as connection:
            connection.execute(text("DELETE FROM tables WHERE id = :table"), {"table": bob.table})
        said = {"words": "anybody?"}
        assert bob.post(f"/api/seats/{bob.seat}/chat", json=said).status_code == 404
        assert bob.post(f"/api/seats/{bob.seat}/rematch").status_code == 404
        del server.house.read_again
        admin.forget(database, 0)
        admin.close(database, ann.table)
        wait_for(lambda: ann.sees()["table"]["status"] == "closed", "the table to close")
        wait_for(lambda: bob.get(f"/api/tables/{bob.table}").status_code == 404, "the other to be gone")
        assert bob.table not in server.house._tables


async def never() -> None:
    """Nothing is read again."""


def test_old_tables_are_forgotten_in_memory_too(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3"), keep_days=1) as server:
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "me"])
        ann.post(f"/api/seats/{ann.seat}/concede")
        with server.house.store.engine.begin() as connection:
            connection.execute(text("UPDATE tables SET ended = 1"))
        server.in_loop(server.house.forget_old)
        assert ann.get(f"/api/seats/{ann.seat}").status_code == 404
        assert not server.house._tables


def test_an_act_of_the_server_that_fails_is_tried_again_after_a_pause(
    tmp_path: Path, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        keeper = server.house.keeper
        monkeypatch.setattr("talion.table.keeper.LONGEST_PAUSE", 0.2)
        think, tries = keeper.workers.think, 0

        async def stumble(*given: Any) -> Any:
            nonlocal tries
            tries += 1
            if tries < 4:
                raise RuntimeError("no thought came")
            return await think(*given)

        monkeypatch.setattr(keeper.workers, "think", stumble)
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["random", "me"])
        wait_for(lambda: ann.sees()["match"].get("ask"), "the bot's first move")
    failed = [line for line in caplog.records if line.getMessage() == "an act of the server failed"]
    assert len(failed) == 1
