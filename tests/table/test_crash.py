"""Nothing acknowledged is lost: servers killed at random moments, two servers on one database, cut connections."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import json
import multiprocessing
import os
import random
import socket
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import create_engine, select

from talion import games
from talion.table.catalogue import Catalogue
from talion.table.database import address
from talion.table.play import MATCH_KINDS, ServedMatch
from talion.table.rows import EntryRow, read_entries
from talion.table.schema import tables
from talion.table.serve import run_worker
from talion.table.settings import Settings

from .serving import GAMES, NO_LIMITS, Player, Process, play_out, served, wait_for


class Pair:
    """A match whose two people are this program, or one beside a bot; it remembers everything it was told."""

    def __init__(self, urls: list[str], game: str, seed: int, other: str = "me") -> None:
        self.urls = urls
        self.game = game
        self.other = other
        self.random = random.Random(seed)
        self.accepted: list[tuple[str, str]] = []  # seat and key, in the order of the replies
        self.table = ""
        self.seats: list[str] = []
        self.over = False
        self.replies = 0
        self.seen: dict[tuple[str, int], Any] = {}  # what each seat was shown at each number
        # Everybody comes from a house of their own, through a proxy: so many at one address would be held back.
        self.headers = {"x-forwarded-for": f"198.18.{seed // 256 % 256}.{seed % 256}"}

    async def play(self, client: httpx.AsyncClient) -> None:
        wanted = {"game": self.game, "seats": ["me", self.other]}
        opened = await self._send(client, "POST", "/api/tables", wanted)
        body = opened.json()
        self.table, self.seats = body["table"], body["seats"]
        self.headers["authorization"] = f"Bearer {body['token']}"
        following = asyncio.create_task(self._follow(client))
        while not self.over:
            for seat in self.random.sample(self.seats, len(self.seats)):
                await self._move(client, seat)
        following.cancel()

    async def _follow(self, client: httpx.AsyncClient) -> None:
        """What the stream tells is remembered too."""
        while True:
            try:
                url = f"{self.random.choice(self.urls)}/api/events?states=true"
                async with client.stream("GET", url, headers=self.headers) as stream:
                    async for line in stream.aiter_lines():
                        news = json.loads(line[6:]) if line.startswith("data: {") else {}
                        if news.get("of") in self.seats and news.get("state", {}).get("match"):
                            self._remember(news["of"], news["state"])
            except httpx.HTTPError:
                await asyncio.sleep(0.1)

    def _remember(self, seat: str, state: Any) -> None:
        before = self.seen.setdefault((seat, state["number"]), state["match"])
        assert before == state["match"], "one number, two states"

    async def _move(self, client: httpx.AsyncClient, seat: str) -> None:
        state = (await self._send(client, "GET", f"/api/seats/{seat}")).json()
        self._remember(seat, state)
        if state["table"]["status"] != "running":
            self.over = True
            return
        ask = state["match"].get("ask")
        if ask is None:
            await asyncio.sleep(0.02)
            return
        option = self.random.choice(ask["options"])["option"]
        answer = {"key": uuid.uuid4().hex, "number": state["number"], "option": option}
        reply = (await self._send(client, "POST", f"/api/seats/{seat}/answers", answer)).json()
        assert reply["reply"] in ("accepted", "duplicate", "stale"), reply
        if reply["reply"] != "stale":
            self.accepted.append((seat, answer["key"]))

    async def _send(
        self, client: httpx.AsyncClient, method: str, path: str, body: Any = None
    ) -> httpx.Response:
        """Again and again, under the same key, until there is a reply."""
        until = time.monotonic() + 180
        while time.monotonic() < until:
            try:
                url = self.random.choice(self.urls)
                reply = await client.request(method, url + path, json=body, headers=self.headers)
                if reply.status_code < 500 and reply.status_code != 429:
                    self.replies += 1
                    return reply
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.02)
        raise AssertionError("the server did not come back")


def verify(database: str, pairs: list[Pair]) -> int:
    """Everything acknowledged is on the disk once, in order; the record played again is what the clients saw."""
    engine = create_engine(address(database))
    entries = 0
    with engine.connect() as connection:
        for pair in pairs:
            record = read_entries(connection, pair.table)
            assert [entry.number for entry in record] == list(range(1, len(record) + 1))
            numbers = {seat: n for n, seat in enumerate(pair.seats)}
            written = [(entry.seat, entry.key) for entry in record if entry.key]
            assert len(written) == len(set(written)), "an answer twice"
            told = [(numbers[seat], key) for seat, key in pair.accepted]
            assert written == told, "what was acknowledged and what is written differ"
            start = connection.execute(select(tables.c.start).where(tables.c.id == pair.table)).scalar()
            replay(pair, str(start), record)
            entries += len(record)
    engine.dispose()
    return entries


def replay(pair: Pair, start: str, record: list[EntryRow]) -> None:
    """Every state that a client was shown is a state of the record, and the match ends."""
    play = ServedMatch.resume(start, Catalogue(GAMES).find)
    compared = set()
    for entry in record:
        if entry.kind in MATCH_KINDS:
            play.apply(entry.kind, entry.seat, entry.body)
        for number, seat in enumerate(pair.seats):
            state = (seat, entry.numbers[number + 1])
            if state in pair.seen:
                assert pair.seen[state] == json.loads(play.seen(number))
                compared.add(state)
    assert play.over
    assert compared == pair.seen.keys(), "somebody was shown what never was"
    assert len(compared) >= len(pair.accepted), "every answer was given to a state that was shown"


async def all_play(pairs: list[Pair], trouble: Any) -> None:
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=60)
    async with httpx.AsyncClient(timeout=30, limits=limits) as client:
        playing = asyncio.gather(*(pair.play(client) for pair in pairs))
        await asyncio.gather(playing, trouble())


def killed_while_playing(database: str, folder: Path, matches: int, large: Iterable[str] = ()) -> None:
    """Many matches, some of them of large games, three kills."""
    server = Process(database, folder, "--trust", "127.0.0.1")
    small = ["tic-tac-toe" if n % 5 else "sealed" for n in range(matches)]
    pairs = [Pair([server.url], game, n) for n, game in enumerate([*large, *small][:matches])]
    chance = random.Random(7)
    kills = 0

    async def kill() -> None:
        nonlocal kills
        while kills < 3 and not all(pair.over for pair in pairs):
            await asyncio.sleep(0.3 + chance.random())
            await asyncio.to_thread(server.kill)
            kills += 1
            await asyncio.to_thread(server.start)

    asyncio.run(all_play(pairs, kill))
    assert kills >= 2
    server.kill()
    assert verify(database, pairs) > matches * 5


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(database: str, tmp_path: Path) -> None:
    killed_while_playing(database, tmp_path, 20)


@pytest.mark.deep
def test_nothing_of_any_game_is_lost_when_the_server_is_killed(database: str, tmp_path: Path) -> None:
    killed_while_playing(database, tmp_path, 50, games.keys())


KILLS = int(os.environ.get("TALION_KILLS", "1000"))
PARTS = 4
"""So many houses share them, each with its own database, servers and people: a house that starts again keeps no other waiting."""
PEOPLE = 12
BESIDE_BOTS = 4
"""So many of them play with bots, the others with each other."""
MOST_BETWEEN = 16
"""Answers that are accepted from one kill to the next, at most."""
WITH_BOTS = 5
"""Of so many kills, one waits until somebody beside a bot was answered: kills that come too soon leave bots no time to think."""


class Nursery:
    """Server processes that start in no time: forked from one in which all is read that a server reads. To be killed by
    the hundred."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.table.warm"])
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.start()

    def start(self) -> None:
        self.process = self._context.Process(
            target=run_worker, args=(self._settings, "CRITICAL", self._listening)
        )
        self.process.start()
        wait_for(self.is_up, "a server", 600)  # a busy machine takes its time

    def is_up(self) -> bool:
        with contextlib.suppress(httpx.HTTPError):
            return httpx.get(f"{self.url}/health", timeout=30).status_code == 200
        return False

    def kill(self) -> None:
        """Without a word; those who knock meanwhile wait for the next one."""
        self.process.kill()
        self.process.join()

    def close(self) -> None:
        self.kill()
        self._listening.close()


@pytest.mark.deep
@pytest.mark.parametrize("part", range(PARTS))
def test_a_thousand_kills(database: str, part: int) -> None:
    """Under load, bots included; on PostgreSQL two servers serve the same tables. Nothing acknowledged is lost, nothing is
    written twice, and no seat was told a state that the record does not have."""
    settings = Settings(
        database, games=GAMES, pace=0.0, beat=0.0, limits=NO_LIMITS, bot_workers=1, trusted=("127.0.0.1",)
    )
    servers = [Nursery(settings) for _ in range(2 if database.startswith("postgresql") else 1)]
    urls, chance, kills, pairs = [server.url for server in servers], random.Random(part), 0, []
    wanted, numbers = KILLS // PARTS, itertools.count()

    async def people(client: httpx.AsyncClient, other: str) -> None:
        while kills < wanted:
            number = next(numbers)
            pairs.append(
                Pair(urls, ("tic-tac-toe", "sealed", "echo", "tic-tac-toe")[number % 4], number, other)
            )
            await pairs[-1].play(client)

    def accepted(*others: str) -> int:
        return sum(len(pair.accepted) for pair in pairs if pair.other in others)

    async def kill() -> None:
        nonlocal kills
        while kills < wanted:
            # Not by the clock: on a busy machine nothing would have happened between two kills.
            enough = accepted("me", "random") + chance.randrange(MOST_BETWEEN)
            beside_bots = accepted("random") + (kills % WITH_BOTS == 0)
            while accepted("me", "random") < enough or accepted("random") < beside_bots:
                await asyncio.sleep(0.05 * chance.random())
            server = chance.choice(servers)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            kills += 1

    async def all_of_it() -> None:
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=60)
        async with httpx.AsyncClient(timeout=30, limits=limits) as client:
            others = ["random"] * BESIDE_BOTS + ["me"] * (PEOPLE - BESIDE_BOTS)
            await asyncio.gather(kill(), *(people(client, other) for other in others))

    asyncio.run(all_of_it())
    for server in servers:
        server.close()
    entries = verify(database, pairs)
    print(
        f"{kills} kills, {len(pairs)} matches, {entries} entries, {accepted('me', 'random')} answers acknowledged, "
        f"{accepted('random')} of them beside bots"
    )
    assert accepted("random") >= kills // WITH_BOTS
    assert accepted("me") > kills


def test_a_dead_servers_claim_keeps_no_bot_from_its_turn(tmp_path: Path) -> None:
    """Nobody else serves an SQLite file: whoever starts there need not wait for what was claimed before to run out."""
    database = str(tmp_path / "x.sqlite3")
    with served(database) as server:
        server.house.keeper._stopping = True  # it dies with the bot's turn in its hands
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "random"])
        ann.moves()
        store, now = server.house.store, server.house.now()
        assert server.in_loop(lambda: store.claim(ann.table, "the dead one", 10_000.0, now))
    with served(database) as server:
        bob = Player(server.url, ann.headers["authorization"].removeprefix("Bearer "))
        bob.seat = ann.seat
        wait_for(lambda: bob.sees()["number"] == 2, "the bot")


def test_bots_go_on_after_a_kill_and_chat_survives(database: str, tmp_path: Path) -> None:
    server = Process(database, tmp_path / "one")
    ann = Player(server.url)
    ann.opens("sealed", ["me", "random"])
    ann.post(f"/api/seats/{ann.seat}/chat", json={"words": "still here?"})
    ann.moves()
    server.kill()
    server.start()
    assert [line["words"] for line in ann.sees()["table"]["chat"]] == ["still here?"]
    wait_for(lambda: ann.moves() or ann.sees()["table"]["status"] == "over", "the bot to go on", 90)
    play_out(ann)
    server.kill()


def test_two_servers_on_one_database_agree(postgres: str, tmp_path: Path) -> None:
    """Clients of one match on both; the listeners' connections are cut again and again."""
    servers = [Process(postgres, tmp_path / name, "--trust", "127.0.0.1") for name in ("one", "two")]
    urls = [server.url for server in servers]
    pairs = [Pair(urls, "tic-tac-toe" if n % 3 else "sealed", n) for n in range(12)]
    cuts = 0

    async def cut() -> None:
        nonlocal cuts
        while not all(pair.over for pair in pairs):
            await asyncio.sleep(0.4)
            async with await psycopg.AsyncConnection.connect(postgres, autocommit=True) as connection:
                cursor = await connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'talion listener'"
                )
                cuts += len(await cursor.fetchall())

    asyncio.run(all_play(pairs, cut))
    assert cuts >= 2
    for url in urls:
        wait_for(functools.partial(is_healthy, url), "the listener to come back")
    for server in servers:
        server.kill()
    verify(postgres, pairs)


def is_healthy(url: str) -> bool:
    return httpx.get(f"{url}/health").status_code == 200


def test_news_cross_from_one_server_to_the_other(postgres: str, tmp_path: Path) -> None:
    one, two = (Process(postgres, tmp_path / name) for name in ("one", "two"))
    ann = Player(one.url)
    ann.opens("tic-tac-toe", ["me", "me"])
    mine = ann.get("/api/seats").json()
    token = ann.headers["authorization"].removeprefix("Bearer ")
    bob = Player(two.url, token)
    bob.seat = next(line["seat"] for line in mine if line["seat"] != ann.seat)
    with httpx.stream("GET", f"{two.url}/api/events?states=true", headers=bob.headers, timeout=20) as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("retry:")  # from here on it is listened to
        wait_for(lambda: ann.moves() is not None, "Ann to be asked")
        began = time.monotonic()
        for line in lines:  # heartbeats come too, so this ends
            if line.startswith("data:") and f'"of":"{bob.seat}","number":1' in line:
                break
            assert time.monotonic() - began < 30, "Bob's stream did not hear of Ann's answer"
    assert bob.sees()["number"] == 1
    assert bob.moves() is not None
    wait_for(lambda: ann.sees()["number"] == 2, "Bob's answer to reach Ann's server")
    one.kill()
    two.kill()


@pytest.mark.parametrize("workers", [1, 2])
def test_who_listens_is_told_when_a_server_stops(workers: int, tmp_path: Path, request: Any) -> None:
    database = request.getfixturevalue("postgres") if workers > 1 else str(tmp_path / "x.sqlite3")
    server = Process(database, tmp_path / "one", "--workers", str(workers))
    ann = Player(server.url)
    ann.opens("sealed", ["me", "random"])
    with httpx.stream("GET", f"{server.url}/api/events", headers=ann.headers, timeout=20) as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("retry:")
        server.stop()
        assert "event: bye" in lines
    assert "Traceback" not in server.log()
