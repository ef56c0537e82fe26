"""The served table: what a second of the server's CPU is good for, with two seats and one who watches at every table.

`python -m bench.table` starts a server of its own on loopback with an SQLite file, durable before told, and plays two-seat
matches on it from the middle of the game on: by the API, each with one connection to answer by and one event stream to see
by, and by browsers, which fetch a page at each news and what happened to play it out. Then it counts what a table at rest
keeps in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from talion.table.load import Browser, Playing, Server, Tally, Visitor, quantiles

ROOT = Path(__file__).parents[1]
TIC_TAC_TOE = "tic-tac-toe"
LARGE = ("personal-vendetta", "vengeance")
MID_GAME = 12
"""A match of a larger game is measured from so many answers on."""
SHORTEST = 4
"""So many answers a match of the small game has at least: opening tables is not measured."""
WANTED = {"answers": {TIC_TAC_TOE: 2000}, "moves with browsers": {TIC_TAC_TOE: 150}}
ANSWERS, MOVES, KILOBYTES = 500, 150, 60
AT_REST = 200
"""So many tables are counted at rest."""
FEW = 8
RESTING = 12.0
"""The server that is counted lets a table rest after so many seconds, not after ten minutes."""


@asynccontextmanager
async def server(folder: Path, rest: float = 600.0) -> AsyncIterator[Server]:
    """A server process without limits on rates."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    code = (
        "import socket; from talion.table.serve import run_worker; from talion.table.settings import *;"
        "limits = Limits(answers_per_second=0, requests_per_second=0, tables_per_minute=0, tables_per_day=0, acts_per_minute=0, tables=10**6,"
        "heavy_per_minute=0, tables_per_person=10**6, streams_per_address=10**6);"
        f"settings = Settings({str(folder / 'bench.sqlite3')!r}, games=({str(ROOT / 'examples/tic_tac_toe.py')!r},),"
        "limits=limits, trusted=('127.0.0.1',), pace=0.1, beat=0.0, bot_workers=2, rest=REST);"
        f"run_worker(settings, 'ERROR', socket.create_server(('127.0.0.1', {port}), backlog=1024)) if __name__ == '__main__' else 0"
    )
    (folder / "run.py").write_text(code.replace("REST", str(rest)))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*os.environ.get("BENCH_UNDER", "").split(), sys.executable, str(folder / "run.py")]
    process = subprocess.Popen(command, env=environment, cwd=folder)
    found = Server(f"http://127.0.0.1:{port}")
    try:
        for _ in range(600):
            try:
                (await found.connect())[1].close()
                break
            except OSError:
                await asyncio.sleep(0.05)
        yield found
    finally:
        process.terminate()
        process.wait()


async def opened(where: Server, kind: type[Visitor], game: str, matches: int, skip: int) -> list[Playing]:
    """So many matches with everybody at them, played into the middle."""
    tables = []
    for number in range(matches):
        three = [kind(where) for _ in range(3)]
        for visitor in three:
            if isinstance(visitor, Browser):
                await visitor.come_in()
        table = Playing(three[:2], three[2], {"key": game}, Tally(), number)
        await table.open()
        tables.append(table)
    await asyncio.gather(*(table.play(0, time.monotonic() + 300, skip) for table in tables))
    return tables


async def measure(
    where: Server, kind: type[Visitor], game: str, matches: int, seconds: float
) -> dict[str, Any]:
    """The matches go on for so long, as fast as they can."""
    small = game == TIC_TAC_TOE
    tables = await opened(where, kind, game, matches * 8 if small else matches, 0 if small else MID_GAME)
    tally = Tally()
    for table in tables:
        table.tally = tally
    before, began = await where.uses(), time.perf_counter()
    until, most = time.monotonic() + seconds, SHORTEST if small else 10**9
    await asyncio.gather(*(table.play(0, until, most) for table in tables))
    after, took = await where.uses(), time.perf_counter() - began
    for table in tables:
        table.close()
    assert before and after
    what = "moves with browsers" if kind is Browser else "answers"
    wanted = WANTED[what].get(game, MOVES if kind is Browser else ANSWERS)
    return {
        "bench": f"{game}: {what}",
        "tables": len(tables),
        "per_cpu_second": round(len(tally.replies) / (after[0] - before[0])),
        "wanted": wanted,
        "per_second": round(len(tally.replies) / took),
        "reply_ms": quantiles(tally.replies),
        "seen_ms": quantiles(tally.seen),
        "errors": tally.errors,
    }


async def at_rest(where: Server, game: str) -> dict[str, Any]:
    """What tables in the middle of their matches keep in memory. Twice as many come and go: the first leave room behind that
    Python does not give back, and the next use it, so only the second show what one more table at rest costs."""
    await came_and_went(where, game, FEW)  # what is loaded at a first table is no table's
    empty, looked_at, kept = await came_and_went(where, game, AT_REST)
    _, _, after = await came_and_went(where, game, AT_REST)
    return {
        "bench": f"{game}: kB a table at rest",
        "tables": AT_REST,
        "kB": round((after - kept) / AT_REST / 1024, 1),
        "wanted": KILOBYTES,
        "kB_while_three_look": round((looked_at - empty) / AT_REST / 1024),
        "MB_kept_once_by_the_process": round((kept - empty) / 2**20, 1),
    }


async def came_and_went(where: Server, game: str, matches: int) -> tuple[int, int, int]:
    """The server's memory before so many matches, while three look at each, and when all of them rest."""
    before = await memory(where)
    tables = await opened(where, Visitor, game, matches, 0 if game == TIC_TAC_TOE else MID_GAME)
    looked_at = await memory(where)
    for table in tables:
        table.close()
    await all_gone(where)
    return before, looked_at, await memory(where)


async def all_gone(where: Server) -> None:
    """Wait until every table has left memory, and what it took was given back."""
    asking = Visitor(where)
    while b"\ntalion_live_tables 0" not in (await asking.request("GET", "/metrics"))[1]:
        await asyncio.sleep(1)
    asking.close()
    await asyncio.sleep(2)


async def memory(where: Server) -> int:
    uses = await where.uses()
    assert uses
    return int(uses[1])


async def all_of_it(seconds: float, matches: int, games: list[str], only: str) -> None:
    for game in games:
        for what in ("rest", "answers", "browsers"):
            if only and what != only:
                continue
            with tempfile.TemporaryDirectory() as folder:
                async with server(Path(folder), RESTING if what == "rest" else 600.0) as where:
                    if what == "rest":
                        found = await at_rest(where, game)
                    else:
                        kind = Browser if what == "browsers" else Visitor
                        found = await measure(where, kind, game, matches, seconds)
            print(json.dumps(found), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.table", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each measurement lasts")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--game", nargs="+", default=[TIC_TAC_TOE, *LARGE])
    parser.add_argument("--only", default="", help="answers, browsers or rest")
    wanted = parser.parse_args()
    asyncio.run(all_of_it(wanted.seconds, wanted.matches, wanted.game, wanted.only))


if __name__ == "__main__":
    main()
