"""Runs that are under way: matches in pairs, and matches to break a set. One process each, gone when their server is.

What a run has found is kept in the database, so every server process can show it, and stop it: whoever plays it writes only while
it is still the run of its set.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from talion.table.clocks import Now
from talion.table.schema import runs
from talion.table.store import Store
from talion.table.tokens import new_id
from talion.table.writer import Busy

log = logging.getLogger("talion.workshop")
PAIRS = 1000
"""How many pairs of matches a run plays at most; one may stop it before."""
SECONDS = 60
"""How long bots try to break a set."""
LINE = 1 << 24
BEAT = 2.0
"""Seconds from one sign of life to the next."""
SILENT = 20.0
"""A run without a sign of life for so long is gone with its server."""
GOING = ("waiting", "running")
KINDS = ("compare", "break")
"""Of which a set has one run each: the latest."""


@dataclass(frozen=True)
class Run:
    """One run of a set: what it was asked, and what it has found so far."""

    set_id: str
    kind: str
    id: str
    number: int
    wanted: int
    state: str
    found: dict[str, Any]
    at: float

    @property
    def going(self) -> bool:
        return self.state in GOING

    def data(self) -> dict[str, Any]:
        """What a page shows."""
        return {
            "kind": self.kind,
            "revision": self.number,
            "state": self.state,
            "wanted": self.wanted,
            "going": self.going,
            "found": self.found,
        }


class Runs:
    """The latest runs of each set. Each server process plays one at a time; others wait."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store = store
        self._now = now
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Semaphore(1)

    async def of(self, set_id: str, kind: str) -> Run | None:
        """The latest run. One whose server is gone has stopped."""
        query = select(runs).where(runs.c.set_id == set_id, runs.c.kind == kind)
        row = await self._store.read(lambda connection: connection.execute(query).first())
        if row is None:
            return None
        run = Run(*row)
        silent = run.going and self._now() - run.at > SILENT
        return replace(run, state="stopped") if silent else run

    async def start(
        self, set_id: str, kind: str, number: int, wanted: int, job: dict[str, Any], toml: str
    ) -> None:
        """Begin a run of a set, in the place of the one before."""
        await self.halt(set_id, kind)
        new = new_id()
        values = {
            "set_id": set_id, "kind": kind, "id": new, "number": number, "wanted": wanted, "state": "waiting", "found": {}, "at": self._now()
        }  # fmt: skip

        def work(connection: Connection) -> None:
            connection.execute(delete(runs).where(runs.c.set_id == set_id, runs.c.kind == kind))
            connection.execute(insert(runs).values(values))

        await self._store.write("", work)
        task = asyncio.create_task(self._play(new, toml, {**job, "do": kind, "wanted": wanted}))
        self._tasks[new] = task
        task.add_done_callback(lambda done: self._ended(new, done))

    def _ended(self, run: str, task: asyncio.Task[None]) -> None:
        """A run that broke off is noted; its page says that it stopped as soon as it gives no more signs of life."""
        self._tasks.pop(run, None)
        if not task.cancelled() and (problem := task.exception()):
            log.error("a run of the workshop broke off", exc_info=problem)

    async def halt(self, set_id: str, kind: str) -> None:
        """Stop a run, whichever process plays it. What it has found stays."""
        run = await self.of(set_id, kind)
        if run is not None and run.going:
            await self._say(run.id, state="stopped")
            await self._cancel(run.id)

    async def stop(self) -> None:
        """The server closes, and its runs end."""
        for one in list(self._tasks):
            await self._cancel(one)
            await self._say(one, state="stopped")

    async def _cancel(self, run: str) -> None:
        if task := self._tasks.get(run):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _say(self, run: str, **values: Any) -> bool:
        """Write down how a run stands. False if it has been stopped, or another is in its place."""
        change = (
            update(runs).where(runs.c.id == run, runs.c.state.in_(GOING)).values(at=self._now(), **values)
        )
        return await self._store.write("", lambda connection: connection.execute(change).rowcount > 0)

    async def _play(self, run: str, toml: str, job: dict[str, Any]) -> None:
        beating = asyncio.create_task(self._beat(run, asyncio.current_task()))
        found: dict[str, Any] = {}
        try:
            async with self._turn:
                if not await self._say(run, state="running"):
                    return
                async with contextlib.aclosing(told(job, toml)) as lines:
                    async for found in lines:
                        if not await self._say(run, found=found):
                            return
            await self._say(run, state="done" if found.get("over") else "failed")
        finally:
            beating.cancel()

    async def _beat(self, run: str, task: asyncio.Task[None] | None) -> None:
        """Give signs of life while it waits or plays; end it when somebody has stopped it elsewhere."""
        going = True
        while going:
            with contextlib.suppress(DBAPIError, Busy):  # not now, but perhaps the next time
                going = await self._say(run)
            await asyncio.sleep(BEAT if going else 0)
        if task is not None:
            task.cancel()


async def told(job: dict[str, Any], toml: str) -> AsyncGenerator[dict[str, Any]]:
    """What a process tells that does a job with the cards of a set. It ends when nobody listens any more."""
    folder = Path(tempfile.mkdtemp(prefix="talion-run-"))
    (folder / "set.toml").write_text(toml, "utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "talion.workshop.running",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LINE,
    )  # fmt: skip
    assert process.stdin and process.stdout
    try:
        process.stdin.write(json.dumps({**job, "cards": str(folder / "set.toml")}).encode() + b"\n")
        await process.stdin.drain()
        async for line in process.stdout:
            yield json.loads(line)
        await process.wait()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await _see_off(process.stdin, process.stdout)
        await process.wait()
        shutil.rmtree(folder, ignore_errors=True)


async def _see_off(given: asyncio.StreamWriter, told: asyncio.StreamReader) -> None:
    """Wait until nobody holds the other ends of the pipes, the process's own workers neither: the server's loop cannot close
    over an open pipe."""
    given.close()
    with contextlib.suppress(TimeoutError, ConnectionError):
        async with asyncio.timeout(5):
            await told.read()
            await given.wait_closed()
