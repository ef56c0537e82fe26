"""Bots think in processes of their own, which end when their server ends, however it ends."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from talion import bots

STRENGTHS = bots.names()


class Workers:
    """A pool, started when the first bot is asked."""

    def __init__(self, count: int, games: tuple[str, ...] = ()) -> None:
        self._count = max(1, count)
        self._games = games
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, match: str, seat: int, strength: str, seed: str) -> Any:
        """A bot's option, as it goes into the record."""
        for attempt in (1, 2):
            pool = self._pool = self._pool or self._new_pool()
            try:
                return await asyncio.wrap_future(pool.submit(think, self._games, match, seat, strength, seed))
            except BrokenProcessPool:
                if self._pool is pool:
                    self._pool = None
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def stop(self) -> None:
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._count,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_end_with,
            initargs=(os.getpid(),),
        )


def _end_with(server: int) -> None:
    """End this process soon after its server has: a killed one cannot say goodbye."""

    def watch() -> None:
        while os.getppid() == server:
            time.sleep(0.5)
        os._exit(0)

    os.nice(5)  # people come before bots
    threading.Thread(target=watch, daemon=True).start()


def think(games: tuple[str, ...], text: str, seat: int, strength: str, seed: str) -> Any:
    """Runs in the worker: the bot gets what its seat may know, nothing else."""
    from talion.kernel.fields import write_plain
    from talion.table.catalogue import Catalogue
    from talion.table.play import Play

    match = Play.resume(text, Catalogue(games).find).match
    return write_plain(bots.make(strength, seed).choose(bots.Seen(match, seat)))
