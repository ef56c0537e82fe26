"""Bots think in processes of their own, which end when their server ends, however it ends."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

from talion import bots
from talion.processes import Processes, WorkerDied

STRENGTHS = bots.names()


class Workers:
    """Processes, started when the first bot is asked."""

    def __init__(self, count: int, games: tuple[str, ...] = ()) -> None:
        self._count = max(1, count)
        self._games = games
        self._pool: Processes | None = None
        self.failing = False
        """Whether the bot that was asked last could not think."""

    async def think(
        self, match: str, seat: int, strength: str, seed: str, job: Callable[..., Any] | None = None
    ) -> Any:
        """A bot's option, as it goes into the record; or what another job of this module gives, such as `weigh`."""
        try:
            option = await self._ask(job or think, self._games, match, seat, strength, seed)
        except Exception:
            self.failing = True
            raise
        self.failing = False
        return option

    async def _ask(self, *question: Any) -> Any:
        """Asked twice if need be: a process may die of what another bot did in it."""
        try:
            return await self._ask_once(*question)
        except WorkerDied:
            return await self._ask_once(*question)

    async def _ask_once(self, *question: Any) -> Any:
        pool = self._pool = self._pool or Processes(self._count, people_first)
        try:
            return await asyncio.wrap_future(pool.submit(*question))
        except WorkerDied:
            if self._pool is pool:
                self._pool = None
                await asyncio.to_thread(pool.shutdown, wait=False)
            raise

    def stop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False)


def people_first() -> None:
    """Bots think when nobody needs the processor."""
    if hasattr(os, "nice"):
        os.nice(5)


def think(games: tuple[str, ...], text: str, seat: int, strength: str, seed: str) -> Any:
    """Runs in the worker: the bot gets what its seat may know, nothing else."""
    from talion.kernel.fields import write_plain
    from talion.table.catalogue import Catalogue
    from talion.table.play import Play

    match = Play.resume(text, Catalogue(games).find).match
    return write_plain(bots.make(strength, seed).choose(bots.Seen(match, seat)))


def weigh(
    games: tuple[str, ...], text: str, seat: int, strength: str, seed: str
) -> list[tuple[Any, float, int]]:
    """Runs in the worker: the best options, how each did in the matches the bot imagined, and in how many."""
    from talion.bots.levels import Thinker
    from talion.kernel.fields import write_plain
    from talion.table.catalogue import Catalogue
    from talion.table.play import Play

    bot = bots.make(strength, seed)
    if not isinstance(bot, Thinker):
        return [(think(games, text, seat, strength, seed), 0.0, 0)]
    match = Play.resume(text, Catalogue(games).find).match
    found = bot.estimates(bots.Seen(match, seat))[:3]
    return [(write_plain(one.option), one.value, one.tried) for one in found]
