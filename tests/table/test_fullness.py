"""Nobody fills the house, keeps its bots for themselves, or breaks it by odd requests: attacked from outside."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import socket
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from talion.table import admin, database
from talion.table.people import ranked
from talion.table.settings import Limits
from talion.table.turns import Claim, Turns

from .serving import NO_LIMITS, Browser, Events, Player, at_play, served, wait_for


def test_a_person_holds_some_dozens_of_tables(tmp_path: Path) -> None:
    limits = Limits(**{**vars(NO_LIMITS), "tables_per_person": 3})
    with served(str(tmp_path / "x.sqlite3"), limits=limits) as server:
        ann = Player(server.url)
        for _ in range(3):
            ann.opens("tic-tac-toe", ["me", "me"])
        refused = ann.post("/api/tables", json={"game": "tic-tac-toe", "seats": ["me", "me"]})
        assert refused.status_code == 429
        assert "finish or leave one first" in refused.json()["why"]
        assert ann.post(f"/api/seats/{ann.seat}/concede").status_code == 200
        ann.opens("tic-tac-toe", ["me", "me"])


def test_tables_that_nobody_touched_make_room(tmp_path: Path) -> None:
    """Whoever opens tables by the thousand and never plays shuts nobody out: they go when room is needed."""
    limits = Limits(**{**vars(NO_LIMITS), "tables": 3})
    with served(str(tmp_path / "x.sqlite3"), limits=limits) as server:
        played = Player(server.url)
        played.opens("tic-tac-toe", ["me", "me"])
        played.moves()
        for _ in range(2):
            Player(server.url).opens("tic-tac-toe", ["me", "open"])
        ann = Player(server.url)
        body = {"game": "tic-tac-toe", "seats": ["me", "me"]}
        assert ann.post("/api/tables", json=body).status_code == 429, "they are an hour's"
        with server.house.store.engine.begin() as connection:
            connection.execute(text("UPDATE tables SET made = made - 7200"))
        assert ann.post("/api/tables", json=body).status_code == 201
        assert played.sees()["table"]["status"] == "running"


def test_tables_are_counted_by_the_day(tmp_path: Path) -> None:
    """Those that are over too, and those called off: whoever opens and leaves all day fills no disk."""
    limits = Limits(**{**vars(NO_LIMITS), "tables_per_day": 3})
    with served(str(tmp_path / "x.sqlite3"), limits=limits) as server:
        ann = Player(server.url)
        for _ in range(1 + 3):  # the first by somebody without a token
            ann.opens("tic-tac-toe", ["me", "me"])
            assert ann.post(f"/api/seats/{ann.seat}/concede").status_code == 200
        refused = ann.post("/api/tables", json={"game": "tic-tac-toe", "seats": ["me", "me"]})
        assert (refused.status_code, int(refused.headers["retry-after"]) > 3600) == (429, True)
        assert ann.post(f"/api/seats/{ann.seat}/rematch").status_code == 429
        Player(server.url).opens("tic-tac-toe", ["me", "me"])


def test_a_table_called_off_before_anybody_played_is_not_kept(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann, bob = Player(server.url), Player(server.url)
        for player in (ann, bob):
            player.opens("tic-tac-toe", ["me", "me"])
        bob.moves()
        for player in (ann, bob):
            assert player.proposes("abort").status_code == 200
        with server.house.store.engine.begin() as connection:
            connection.execute(text("UPDATE tables SET made = made - 864000"))
        server.in_loop(server.house.forget_old)
        assert ann.get(f"/api/tables/{ann.table}").status_code == 404
        assert bob.get(f"/api/tables/{bob.table}").status_code == 200


def more_than(heard: Events, told: int) -> bool:
    return len(heard.told) > told


def test_of_what_was_said_the_latest_is_kept(tmp_path: Path) -> None:
    """Whoever talks all day fills neither disk nor memory; and everybody still hears the next word."""
    limits = Limits(**{**vars(NO_LIMITS), "lines": 5})
    with served(str(tmp_path / "x.sqlite3"), limits=limits) as server:
        ann, bob = at_play(server.url, "tic-tac-toe")
        heard = Events(bob)
        for number in range(9):
            told = len(heard.told)
            ann.post(f"/api/seats/{ann.seat}/chat", json={"words": f"word {number}"})
            wait_for(functools.partial(more_than, heard, told), "it to be heard")
        assert [line["words"] for line in bob.sees()["table"]["chat"]] == [f"word {n}" for n in range(4, 9)]
        with server.house.store.engine.begin() as connection:
            assert connection.execute(text("SELECT count(*) FROM chat")).scalar() == 5


def test_nobody_fills_a_record_with_offers(tmp_path: Path) -> None:
    limits = Limits(**{**vars(NO_LIMITS), "acts_per_minute": 4})
    with served(str(tmp_path / "x.sqlite3"), limits=limits) as server:
        ann, bob = at_play(server.url, "tic-tac-toe")
        ann.moves()
        replies = [ann.proposes("abort").status_code for _ in range(9)]
        assert replies.count(200) in (4, 5)  # one more, if it took fifteen seconds
        assert set(replies) == {200, 429}
        assert bob.moves() is not None


def test_streams_are_counted_by_address(tmp_path: Path) -> None:
    """Without a token too: each such request is not a new person."""
    limits = Limits(**{**vars(NO_LIMITS), "streams_per_address": 6})
    with served(str(tmp_path / "x.sqlite3"), limits=limits) as server, contextlib.ExitStack() as held:
        codes, lines = [], []

        def open_stream(headers: dict[str, str]) -> None:
            url = f"{server.url}/api/events"
            stream = held.enter_context(httpx.stream("GET", url, headers=headers, timeout=20))
            codes.append(stream.status_code)
            if stream.status_code == 200:
                lines.append(stream.iter_lines())
                next(lines[-1])

        for _ in range(10):
            open_stream({})
        assert len(server.house.hub) == 4, "those without a token are one person"
        for number in range(10):
            open_stream({"authorization": f"Bearer token-{number}"})
        assert len(server.house.hub) == 6
        assert 429 in codes


@pytest.mark.parametrize("host", ["a" * 3000, "a:99999999", "a b", "a/b", "[::1", "é"])
def test_odd_hosts_are_refused(tmp_path: Path, host: str) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        reply = asked_raw(server.port, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        assert reply.startswith("HTTP/1.1 400"), reply[:200]


@pytest.mark.parametrize(
    "half",
    [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "POST /name HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\nab",
    ],
)
def test_half_sent_requests_are_dropped(tmp_path: Path, half: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talion.table.patience.SECONDS", 0.5)
    with served(str(tmp_path / "x.sqlite3")) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            connection.sendall(half.encode())
            found = b""
            while part := connection.recv(4096):
                found += part
                if b"\r\n\r\n" in found:
                    break
        assert found[:12] in (b"", b"HTTP/1.1 408")
        whole = asked_raw(server.port, "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert whole.startswith("HTTP/1.1 200")


def test_two_hosts_are_refused(tmp_path: Path) -> None:
    """Else the one would be looked at, and links be made of the other."""
    with served(str(tmp_path / "x.sqlite3")) as server:
        for hosts in ("Host: a\r\nHost: a:99999999", "Host: a\r\nHost: evil.example", "Host: a\r\nHost: a"):
            reply = asked_raw(server.port, f"GET / HTTP/1.1\r\n{hosts}\r\nConnection: close\r\n\r\n")
            assert reply.startswith("HTTP/1.1 400"), reply[:200]


def test_a_request_that_trickles_in_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However soon each letter follows the one before: a body has its time as a whole."""
    monkeypatch.setattr("talion.table.patience.SECONDS", 1.0)
    head = "POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
    with served(str(tmp_path / "x.sqlite3")) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            connection.sendall(head.encode())
            connection.settimeout(0.1)
            found = b""
            for _ in range(150):
                connection.sendall(b"x")
                with contextlib.suppress(TimeoutError):
                    found = connection.recv(4096)
                    break
        assert found.startswith(b"HTTP/1.1 408")


def asked_raw(port: int, words: str) -> str:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(words.encode("utf-8"))
        found = b""
        while part := connection.recv(4096):
            found += part
    return found.decode("utf-8", "replace")


def test_links_begin_with_the_address_the_server_was_told(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3"), url="https://table.example/talion") as server:
        ann = Browser(server.url)
        ann.posts("/tables", game="sealed", seat0="me", seat1="open")
        assert 'href="https://table.example/talion/join/' in ann.page.text


def test_numbers_of_thousands_of_digits_are_refused(tmp_path: Path) -> None:
    digits = "9" * 5000
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann = Browser(server.url)
        ann.posts("/tables", game="sealed", seat0="me", seat1="open", open="on")
        seat, table = ann.seat, ann.seat.partition("-")[0]
        forms = [
            (f"/tables/{table}/sit", {"seat": digits}),
            (f"/seats/{seat}/remove", {"other": digits}),
            (f"/seats/{seat}/answer", {"number": digits, "option": "[]"}),
            (f"/seats/{seat}/propose", {"number": digits, "what": "undo"}),
        ]
        for path, form in forms:
            ann.go(f"/seats/{seat}")
            assert ann.posts(path, **form).status_code == 400, path
        for path in (f"/tables/{table}/replay?at={digits}", f"/tables/{table}/replay?seat={digits}"):
            assert ann.get(path).status_code in (400, 409), path
        ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
        assert ann.get(f"/seats/{ann.seat}?since={digits}").status_code == 200, "as if it had not been said"


def test_a_full_disk_is_said_and_the_move_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann, bob = at_play(server.url, "tic-tac-toe")
        writer = server.house.store.writer
        honest = writer._commit

        def full(_: Any) -> Any:
            raise OperationalError("insert", {}, Exception("database or disk is full"))

        monkeypatch.setattr(writer, "_commit", full)
        before = ann.sees()
        option = before["match"]["ask"]["options"][0]["option"]
        refused = ann.answers(before["number"], option, key="again")
        assert refused.status_code == 503
        assert "try again" in refused.json()["why"]
        monkeypatch.setattr(server.house, "_tried_at", -10.0)
        health = ann.get("/health")
        assert (health.status_code, health.json()["writes"]) == (503, False)
        monkeypatch.setattr(writer, "_commit", honest)
        assert ann.answers(before["number"], option, key="again").json()["reply"] == "accepted"
        assert bob.sees()["match"]["ask"]
        server.house._tried_at = -10.0
        assert ann.get("/health").status_code == 200


def test_while_the_file_is_locked_all_are_told_soon_and_keep_their_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who wait together are refused together, not one after the other."""
    monkeypatch.setattr(database, "LONGEST_LOCK", 0.2)
    where = tmp_path / "x.sqlite3"
    with served(str(where)) as server:
        people = [Player(server.url) for _ in range(6)]
        for player in people:
            player.opens("tic-tac-toe", ["me", "random"])
        stands = [player.sees() for player in people]
        writer = server.house.store.writer
        tries: list[Any] = []
        honest = writer._commit

        def counted(batch: list[Any]) -> Any:
            tries.extend(batch)
            return honest(batch)

        monkeypatch.setattr(writer, "_commit", counted)

        def answer(number: int) -> httpx.Response:
            option = stands[number]["match"]["ask"]["options"][0]["option"]
            return people[number].answers(stands[number]["number"], option, key="k")

        with closing(sqlite3.connect(where, isolation_level=None)) as other, ThreadPoolExecutor(6) as at_once:
            other.execute("BEGIN IMMEDIATE")
            replies = list(at_once.map(answer, range(6)))
            other.execute("ROLLBACK")
        assert {reply.status_code for reply in replies} == {503}
        assert len(tries) >= 6
        assert len({id(job) for job in tries}) == len(tries), "nothing was tried twice"
        assert [answer(number).json()["reply"] for number in range(6)] == ["accepted"] * 6


def test_whoever_gave_up_has_not_won(tmp_path: Path) -> None:
    result = {"winners": [1], "places": [2, 1, 3], "scores": [5, 9, 1], "why": "Most points.", "rule": "X-1"}
    assert ranked(result, set()) == result
    told = ranked(result, {1})
    assert (told["winners"], told["places"], told["conceded"]) == ([0], [1, 3, 2], [1])


# ---------------------------------------------------------------------- bots for everybody


def test_turns_are_shared_among_people_then_tables_quick_ones_first() -> None:
    """One person's eighteen tables keep nobody waiting: whoever had least is next."""

    async def run() -> list[str]:
        turns, order = Turns(1), []
        await turns.take(Claim("ann", "a0"))

        async def think(claim: Claim, seconds: float) -> None:
            await turns.take(claim)
            order.append(f"{claim.person} {claim.table} {claim.weight}")
            turns.give_back(claim, seconds)

        claims = [Claim("ann", f"a{n}", 2) for n in range(1, 5)]
        claims += [Claim("bob", "b1", 2), Claim("bob", "b2", 0), Claim("cid", "c1", 1)]
        tasks = [asyncio.create_task(think(claim, 1.0)) for claim in claims]
        await asyncio.sleep(0)
        turns.give_back(Claim("ann", "a0"), 5.0)
        await asyncio.gather(*tasks)
        return order

    order = asyncio.run(run())
    assert order[:3] == ["bob b2 0", "cid c1 1", "bob b1 2"]
    assert [line.split()[0] for line in order[3:]] == ["ann"] * 4


def test_a_turn_that_nobody_waits_for_any_more_goes_to_the_next() -> None:
    async def run() -> None:
        turns = Turns(1)
        await turns.take(Claim("a", "a"))
        gone = asyncio.create_task(turns.take(Claim("b", "b")))
        waits = asyncio.create_task(turns.take(Claim("c", "c")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        turns.give_back(Claim("a", "a"), 0.1)
        await asyncio.wait_for(waits, 1)

    asyncio.run(run())


def test_many_tables_of_one_person_do_not_make_bots_play_defaults(tmp_path: Path) -> None:
    """Eighteen tables wait for bots; the bot of somebody else is next all the same, and nobody's move is a default."""
    with served(str(tmp_path / "x.sqlite3"), bot_workers=1) as server:
        many = Player(server.url)
        for _ in range(18):
            many.opens("sealed", ["me", "greedy", "greedy"])
        one = Player(server.url)
        one.opens("tic-tac-toe", ["me", "greedy"])
        one.moves()
        wait_for(lambda: one.sees()["match"].get("ask"), "the bot's move", 60)
        page = server.house.metrics.page()
        assert "talion_bot_defaults_total 0" in page


# ---------------------------------------------------------------------- for whoever keeps the house


def test_the_keeper_lists_closes_and_forgets(tmp_path: Path) -> None:
    where = str(tmp_path / "x.sqlite3")
    with served(where) as server:
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "me"])
        ann.moves()
        idle = Player(server.url)
        idle.opens("sealed", ["me", "open"])
        idle.post(f"/api/seats/{idle.seat}/chat", json={"words": "Is anybody there?"})
        with server.house.store.engine.begin() as connection:
            connection.execute(
                text("UPDATE tables SET made = made - 864000 WHERE id = :id"), {"id": idle.table}
            )
        found = admin.listed(where, admin.Wanted())
        assert {one["table"] for one in found} == {ann.table, idle.table}
        assert [one["table"] for one in admin.listed(where, admin.Wanted(idle_days=5))] == [idle.table]
        shown = subprocess.run(
            [sys.executable, "-m", "talion", "house", "list", "--json", "--database", where, "--status", "running"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        (one,) = json.loads(shown.stdout)
        assert (one["table"], one["entries"]) == (ann.table, 2)
        assert one["bytes"] > 100
        assert admin.close_all(where, admin.Wanted(idle_days=5)) == 1
        wait_for(lambda: idle.sees()["table"]["status"] == "closed", "the server to hear of it")
        assert admin.forget(where, 0, unfinished=True) >= 1


def test_a_table_that_nobody_looks_at_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3"), rest=0.0) as server:
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "me"])
        ann.moves()
        before = ann.sees()
        wait_for(lambda: not server.house._tables, "the table to be forgotten")
        assert ann.sees() == before
        assert ann.proposes("undo").status_code == 200
        assert len(ann.sees()["match"]["ask"]["options"]) == 9
