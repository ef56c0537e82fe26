"""Trials that are under way: one process each, one after the other, gone when the server is."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PAIRS = 1000
"""How many pairs of matches a run plays at most; one may stop it before."""
LINE = 1 << 22


@dataclass
class Run:
    """One trial of a set: what it was asked, and what it has found so far."""

    number: int
    """The revision of the set that is tried."""
    pairs: int
    state: str = "waiting"
    """waiting, running, done, stopped or failed."""
    found: dict[str, Any] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None

    @property
    def going(self) -> bool:
        return self.state in ("waiting", "running")

    def data(self) -> dict[str, Any]:
        """What a page shows."""
        return {
            "revision": self.number,
            "state": self.state,
            "pairs_wanted": self.pairs,
            "going": self.going,
            "found": self.found,
        }


class Runs:
    """The latest run of each set. One plays at a time; the others wait."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}
        self._turn = asyncio.Semaphore(1)

    def of(self, set_id: str) -> Run | None:
        return self._runs.get(set_id)

    async def start(
        self, set_id: str, number: int, toml: str, job: dict[str, Any], pairs: int = PAIRS
    ) -> Run:
        """Begin a run of a set; one that was going on is stopped."""
        await self.halt(set_id)
        run = self._runs[set_id] = Run(number, pairs)
        run.task = asyncio.create_task(self._play(run, toml, {**job, "pairs": pairs}))
        return run

    async def halt(self, set_id: str) -> None:
        """Stop a run. What it has found stays."""
        run = self._runs.get(set_id)
        if run is None or run.task is None or not run.going:
            return
        run.state = "stopped"
        run.task.cancel()
        await asyncio.gather(run.task, return_exceptions=True)

    async def stop(self) -> None:
        for set_id in list(self._runs):
            await self.halt(set_id)

    async def _play(self, run: Run, toml: str, job: dict[str, Any]) -> None:
        async with self._turn:
            run.state = "running"
            folder = Path(tempfile.mkdtemp(prefix="talion-run-"))
            try:
                (folder / "set.toml").write_text(toml, "utf-8")
                await self._follow(run, {**job, "cards": str(folder / "set.toml")})
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    async def _follow(self, run: Run, job: dict[str, Any]) -> None:
        """Start the process and hear what it tells, until it is done or somebody stops it."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "talion.workshop.running",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LINE,
        )  # fmt: skip
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps(job).encode() + b"\n")
            await process.stdin.drain()
            async for line in process.stdout:
                run.found = json.loads(line)
            await process.wait()
            run.state = "done" if run.found.get("over") else "failed"
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
