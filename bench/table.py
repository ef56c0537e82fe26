"""The served table: answers a second, and the time from submitting an answer to the other seat seeing it.

`python -m bench.table` starts a server of its own on loopback with an SQLite file, durable before told, and plays two-seat
matches on it: both people are this program, each with one connection to answer by and one event stream to see by.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TIC_TAC_TOE = "tic-tac-toe"
MID_GAME = 12
"""A match of the larger game is measured from so many of a person's answers on."""


@dataclass
class Tally:
    """What was measured."""

    answers: int = 0
    seen_after: list[float] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0

    def line(self, name: str, matches: int) -> dict[str, Any]:
        waits = sorted(self.seen_after) or [0.0]
        return {
            "bench": name,
            "matches": matches,
            "answers": self.answers,
            "answers_per_second": round(self.answers / max(0.001, self.ended - self.began)),
            "p50_ms": round(1000 * waits[len(waits) // 2], 1),
            "p99_ms": round(1000 * waits[min(len(waits) - 1, int(len(waits) * 0.99))], 1),
        }


class Person:
    """One person: a connection for requests, a stream for news."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = ""
        self.seats: dict[str, Match] = {}

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: bench\r\ncontent-length: {len(data)}\r\n"
        head += "content-type: application/json\r\n"
        if self.token:
            head += f"authorization: Bearer {self.token}\r\n"
        self.writer.write(head.encode() + b"\r\n" + data)
        reply = await self.reader.readuntil(b"\r\n\r\n")
        size = next(
            int(line[15:]) for line in reply.split(b"\r\n") if line.lower().startswith(b"content-length:")
        )
        text = await self.reader.readexactly(size)
        return json.loads(text) if text else None

    async def follow(self) -> None:
        """Read news, with the state, and hand each piece to its match."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        head = f"GET /api/events?states=true HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {self.token}\r\n\r\n"
        writer.write(head.encode())
        while line := await reader.readline():
            if line.startswith(b"data: {"):
                news = json.loads(line[6:])
                if match := self.seats.get(news["of"]):
                    match.news.put_nowait((time.perf_counter(), self, news))


class Match:
    """A table of two people."""

    def __init__(self, people: tuple[Person, Person], seed: int) -> None:
        self.people = people
        self.random = random.Random(seed)
        self.news: asyncio.Queue[tuple[float, Person, Any]] = asyncio.Queue()
        self.seat_of: dict[Person, str] = {}

    async def prepare(self, game: str) -> None:
        ann, bob = self.people
        opened = await ann.ask("POST", "/api/tables", {"game": game, "seats": ["me", "open"]})
        ann.token = opened["token"]
        seated = await bob.ask("POST", f"/api/tables/{opened['table']}/seats", {"invite": opened["invite"]})
        bob.token = seated["token"]
        self.seat_of = {ann: opened["seats"][0], bob: seated["seat"]}
        for person, seat in self.seat_of.items():
            person.seats[seat] = self
        await ann.ask("POST", f"/api/seats/{opened['seats'][0]}/start")

    async def play(self, tally: Tally, seconds: float, skip: int) -> None:
        """Play; every answer after the first `skip` is timed until the other one's stream shows it."""
        given, sent, by = 0, 0.0, None
        while not tally.began or time.perf_counter() < tally.began + seconds:
            arrived, person, news = await asyncio.wait_for(self.news.get(), 30)
            if by is not None and person is not by and arrived > sent:
                if given > skip:
                    tally.seen_after.append(arrived - sent)
                by = None
            state = news.get("state") or await person.ask("GET", f"/api/seats/{news['of']}")
            if state["table"]["status"] == "over":
                return
            ask = (state["match"] or {}).get("ask")
            if ask is None:
                continue
            option = self.random.choice(ask["options"])["option"]
            given, sent, by = given + 1, time.perf_counter(), person
            answer = {"key": f"k{given}", "number": state["number"], "option": option}
            reply = await person.ask("POST", f"/api/seats/{news['of']}/answers", answer)
            if reply.get("reply") != "accepted":
                by = None
                self.news.put_nowait((sent, person, {"of": news["of"]}))  # look again
            elif given > skip:
                tally.began = tally.began or sent
                tally.answers += 1


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[int]:
    """A server process without limits on rates."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    code = (
        "import uvicorn, sys; from talion.table.app import build; from talion.table.settings import *;"
        "limits = Limits(answers_per_second=0, requests_per_second=0, tables_per_minute=0, tables=10**6,"
        "tables_per_person=10**6, streams_per_address=10**6);"
        f"settings = Settings({str(folder / 'bench.sqlite3')!r}, games=({str(ROOT / 'examples/tic_tac_toe.py')!r},),"
        "limits=limits, pace=0.1, beat=0.0, bot_workers=2);"
        f"uvicorn.run(build(settings), port={port}, log_level='error', access_log=False, timeout_keep_alive=600) if __name__ == '__main__' else 0"
    )
    (folder / "run.py").write_text(code)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, str(folder / "run.py")], env=environment, cwd=folder)
    try:
        for _ in range(600):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


async def measure(port: int, game: str, matches: int, seconds: float, skip: int) -> Tally:
    """So many matches at once, for so long; whoever ends goes on to the next one, dealt beforehand."""
    tally = Tally()
    pairs = [(Person(port), Person(port)) for _ in range(matches)]
    streams = []
    tables: list[list[Match]] = []
    rounds = 1 if skip else max(1, min(40, 2400 // matches // 7))
    for number, pair in enumerate(pairs):
        mine = [Match(pair, 1000 * number + n) for n in range(rounds)]
        for person in pair:
            await person.open()
        for match in mine:
            await match.prepare(game)
        streams += [asyncio.create_task(person.follow()) for person in pair]
        tables.append(mine)
    await asyncio.sleep(0.5)

    async def pair_plays(mine: list[Match]) -> None:
        for match in mine:
            await match.play(tally, seconds, skip)

    await asyncio.gather(*(pair_plays(mine) for mine in tables))
    tally.ended = time.perf_counter()
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return tally


async def keep_thinking(port: int, game: str, bot: str) -> None:
    """A table at which a strong bot thinks again and again."""
    person = Person(port)
    await person.open()
    chance = random.Random(1)
    while True:
        opened = await person.ask("POST", "/api/tables", {"game": game, "seats": ["me", bot]})
        person.token = opened["token"]
        seat = opened["seats"][0]
        state: Any = {"table": {"status": "running"}}
        while state["table"]["status"] == "running":
            state = await person.ask("GET", f"/api/seats/{seat}")
            if ask := (state["match"] or {}).get("ask"):
                option = chance.choice(ask["options"])["option"]
                answer = {"key": f"k{state['number']}", "number": state["number"], "option": option}
                await person.ask("POST", f"/api/seats/{seat}/answers", answer)
            await asyncio.sleep(0.05)


async def all_of_it(seconds: float, sizes: list[int], large: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with server(Path(folder)) as port:
            for game, skip in ((TIC_TAC_TOE, 0), (large, MID_GAME)):
                for matches in sizes:
                    tally = await measure(port, game, matches, seconds, skip)
                    name = game if not skip else f"{game}, from answer {skip} on"
                    print(json.dumps(tally.line(name, matches)), flush=True)
            thinking = [asyncio.create_task(keep_thinking(port, large, "hard")) for _ in range(2)]
            await asyncio.sleep(2)
            tally = await measure(port, TIC_TAC_TOE, sizes[len(sizes) // 2], seconds, 0)
            print(json.dumps(tally.line(f"{TIC_TAC_TOE}, two hard bots thinking", sizes[len(sizes) // 2])))
            for task in thinking:
                task.cancel()
            await asyncio.gather(*thinking, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.table", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="the longest each measurement lasts")
    parser.add_argument("--matches", type=int, nargs="+", default=[1, 50, 200])
    parser.add_argument("--large", default="vengeance", help="the larger game")
    wanted = parser.parse_args()
    asyncio.run(all_of_it(wanted.seconds, wanted.matches, wanted.large))


if __name__ == "__main__":
    main()
