"""A load test that a host can run: many matches at once, on a house that is there or on one started for it."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from talion.table.load import Browser, Playing, Server, Tally, Trouble, Visitor
from talion.table.refusal import Unusable

STARTING = 60.0


@dataclass(frozen=True)
class Load:
    """What is played: at how many tables, how fast, for how long, which games, with browsers or by the API."""

    tables: int
    rate: float
    minutes: float
    games: tuple[str, ...] = ()
    bot: str = ""
    browsers: bool = False


async def run(server: Server, plan: Load) -> dict[str, Any]:
    """Play as planned, and say how it went."""
    tally, asking = Tally(), Visitor(server)
    known = {game["key"]: game for game in await asking.ask("GET", "/api/games")}
    asking.close()
    if gone := [key for key in plan.games if key not in known]:
        raise Trouble(f"there is no {gone[0]} there, but {', '.join(known)}")
    games = [known[key] for key in plan.games or known]
    playing = []
    for number in range(plan.tables):
        three = [(Browser if plan.browsers else Visitor)(server) for _ in range(2 if plan.bot else 3)]
        for visitor in three:
            if isinstance(visitor, Browser):
                await visitor.come_in()
        game = games[number % len(games)]
        playing.append(Playing(three[:-1], three[-1], game, tally, number, plan.bot))
        await playing[-1].open()
    before, began = await server.uses(), time.monotonic()
    until = began + plan.minutes * 60
    await asyncio.gather(*(table.play(plan.rate, until) for table in playing))
    after, took = await server.uses(), time.monotonic() - began
    for table in playing:
        table.close()
        tally.held_back += sum(person.held_back for person in table.people)
    found = {"tables": plan.tables, "seconds": round(took, 1), **tally.data()}
    found["answers_per_second"] = round(len(tally.replies) / took, 1)
    if before and after:
        used = after[0] - before[0]
        found["cpu_percent"] = round(100 * used / took)
        found["answers_per_cpu_second"] = round(len(tally.replies) / used) if used > 0 else 0
        found["memory_mb"] = round(after[1] / 2**20)
    return found


@dataclass(frozen=True)
class Own:
    """A server started for it."""

    workers: int = 1
    database: str = ""


def loaded(address: str, plan: Load, own: Own) -> dict[str, Any]:
    """Play as planned, at an address or on a server of one's own. Raises Unusable, with a sentence."""
    try:
        if address:
            return asyncio.run(run(Server(address), plan))
        with tempfile.TemporaryDirectory() as folder, _served(own, Path(folder)) as url:
            return asyncio.run(run(Server(url), plan))
    except (OSError, Trouble) as problem:
        raise Unusable(
            f"The house at {address or 'an address of its own'} cannot be played on: {problem}."
        ) from None


@contextmanager
def _served(own: Own, folder: Path) -> Iterator[str]:
    """A server that takes us for a proxy, so that everybody at it comes from an address of their own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "talion.table", "serve", "--port", str(port), "--trust", "127.0.0.1"]
    command += ["--workers", str(own.workers), "--database", own.database or str(folder / "load.sqlite3")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        for _ in range(int(STARTING / 0.1)):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if process.poll() is not None:
                    raise Unusable("The server did not start; it has said why.") from None
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def worded(found: dict[str, Any]) -> str:
    """What was found, for people."""
    lines = [
        f"{found['tables']} tables for {found['seconds']:g} seconds: {found['answers']} answers, "
        f"{found['answers_per_second']:g} a second; {found['matches_over']} matches ended."
    ]
    for what, key in (("A reply came after", "reply_ms"), ("The others saw it after", "seen_ms")):
        times = found[key]
        lines.append(
            f"{what} {times['p50']:g} ms, at 95 of 100 within {times['p95']:g}, at 99 within {times['p99']:g}."
        )
    if "cpu_percent" in found:
        lines.append(
            f"The server used {found['cpu_percent']} % of one core ({found['answers_per_cpu_second']} answers for a second of "
            f"CPU) and {found['memory_mb']} MB."
        )
    else:
        lines.append("The server does not say what it uses: /metrics cannot be read from here.")
    faults = ", ".join(f"{count} × {what}" for what, count in found["errors"].items())
    lines.append(f"Errors: {faults or 'none'}. Held back: {found['held_back']}.")
    return "\n".join(lines)
