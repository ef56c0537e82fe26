"""Bots think in processes of their own, which end when their server ends, however it ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from talion import bots
from talion.bots.named import scaled
from talion.table.turns import Claim, Turns

log = logging.getLogger("talion.table.workers")
STRENGTHS = bots.names()
LONGEST_THOUGHT = 30.0
THIN = 0.2  # the part of its budget that a bot has when many wait
CROWDED = 8  # waiting for each worker


class CannotThink(Exception):  # noqa: N818 - a refusal
    """No process could be started to think in; the message says why."""


@dataclass(frozen=True)
class Thought:
    """A decision to think about: the match written out, whose decision, by which bot."""

    match: str
    seat: int
    strength: str
    seed: str
    claim: Claim


class Workers:
    """A pool, started when the first bot is asked."""

    def __init__(self, count: int, games: tuple[str, ...] = ()) -> None:
        self._games = games
        self._pool: ProcessPoolExecutor | None = None
        self.turns = Turns(max(1, count))
        self.trouble = ""
        """Why nobody can think here, if nobody can."""

    async def think(self, thought: Thought) -> tuple[Any, float]:
        """A bot's option, as it goes into the record, and how long it thought: waiting for a turn is not thinking. Where
        many wait, each thinks for less long."""
        turns = self.turns
        await turns.take(thought.claim)
        crowded = turns.waiting > CROWDED * turns.places
        strength = scaled(thought.strength, THIN) if crowded else thought.strength
        began = time.monotonic()
        try:
            async with asyncio.timeout(LONGEST_THOUGHT):
                option = await self._in_a_process(thought, strength)
            return option, time.monotonic() - began
        finally:
            turns.give_back(thought.claim, time.monotonic() - began)

    async def _in_a_process(self, thought: Thought, strength: str) -> Any:
        for attempt in (1, 2):
            try:
                pool = self._pool = self._pool or self._new_pool()
                given = (self._games, thought.match, thought.seat, strength, thought.seed)
                option = await asyncio.wrap_future(pool.submit(think, *given))
            except (BrokenProcessPool, OSError, RuntimeError) as problem:
                self._pool = None
                if attempt == 2:
                    self._cannot(problem)
            else:
                self.trouble = ""
                return option
        raise AssertionError("unreachable")

    def _cannot(self, problem: Exception) -> None:
        if not self.trouble:
            log.error("bots cannot think here", extra={"why": f"{type(problem).__name__}: {problem}"})
        self.trouble = "The bots cannot think here now; whoever keeps this house has been told."
        raise CannotThink(self.trouble) from problem

    def stop(self) -> None:
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                with contextlib.suppress(ValueError):  # it has ended already
                    process.terminate()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.turns.places,
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
