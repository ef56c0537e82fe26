"""Bots think in processes of their own, which end when their server ends, however it ends."""

from __future__ import annotations

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from talion import bots
from talion.bots.named import scaled
from talion.processes import Processes, WorkerDied
from talion.table.turns import Claim, Turns

STRENGTHS = bots.names()
LONGEST_THOUGHT = 30.0
THIN = 0.2  # the part of its budget that a bot has when many wait
CROWDED = 8  # waiting for each worker


class CannotThink(Exception):  # noqa: N818 - a refusal
    """No process could be started to think in, or none stays alive."""


@dataclass(frozen=True)
class Thought:
    """A decision to think about: the match written out, whose decision, by which bot."""

    match: str
    seat: int
    strength: str
    seed: str
    claim: Claim
    cards: str | None
    job: Callable[..., Any]
    """Which of this module's three: to think of an option, to weigh several, or to reconsider one."""
    number: int = 0
    """Of the table's latest entry."""


class Workers:
    """Processes, started when the first bot is asked."""

    def __init__(self, count: int, games: tuple[str, ...] = ()) -> None:
        self._games = games
        self._pool: Processes | None = None
        self.turns = Turns(max(1, count))
        self.failing = False
        """Whether the bot that was asked last could not think."""

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
                given = self._games, thought.match, thought.cards, thought.seat, strength, thought.seed
                table = thought.claim.table
                more = (table, thought.number) if thought.job is think else ()
                option = await self._ask(table, thought.job, *given, *more)
        except Exception:
            self.failing = True
            raise
        finally:
            turns.give_back(thought.claim, time.monotonic() - began)
        self.failing = False
        return option, time.monotonic() - began

    async def _ask(self, *question: Any) -> Any:
        """Asked twice if need be: a process may die of what another bot did in it."""
        try:
            return await self._ask_once(*question)
        except WorkerDied:
            pass
        try:
            return await self._ask_once(*question)
        except (WorkerDied, OSError) as problem:
            raise CannotThink from problem

    async def _ask_once(self, *question: Any) -> Any:
        try:
            pool = self._pool = self._pool or Processes(self.turns.places, people_first)
        except OSError as problem:
            raise CannotThink from problem
        try:
            return await asyncio.wrap_future(pool.submit_for(*question))
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


MINDS = 64
_minds: OrderedDict[tuple[str, int, str], bots.Bot] = OrderedDict()


def _mind(table: str, seat: int, strength: str, seed: str) -> bots.Bot:
    """The bot that thought for this seat last, if that was in this process: in a row of choices, what it learned by the first
    still holds for the next."""
    key = table, seat, strength
    bot = _minds.pop(key, None) or bots.make(strength, seed)
    if hasattr(bot, "resumed"):  # the others learn nothing
        _minds[key] = bot
    if len(_minds) > MINDS:
        _minds.popitem(last=False)
    return bot


def think(
    games: tuple[str, ...],
    text: str,
    cards: str | None,
    seat: int,
    strength: str,
    seed: str,
    table: str,
    number: int,
) -> tuple[Any, bool]:
    """Runs in the worker: the bot gets what its seat may know, nothing else. Its option, and whether it went on with what it
    had thought before."""
    from talion.kernel.fields import write_plain
    from talion.table.catalogue import Catalogue
    from talion.table.play import ServedMatch

    match = ServedMatch.resume(text, Catalogue(games).find, cards).match
    bot = _mind(table, seat, strength, seed)
    before = getattr(bot, "resumed", 0)
    option = write_plain(bots.choice(bot, match, seat, number))
    return option, getattr(bot, "resumed", 0) > before


def reconsider(
    games: tuple[str, ...], text: str, cards: str | None, seat: int, strength: str, seed: str
) -> str:
    """Runs in the worker: what the bot would have done in place of the last answer of a match."""
    from talion.bots.advice import second_thought
    from talion.table.catalogue import Catalogue
    from talion.table.play import ServedMatch

    match = ServedMatch.resume(text, Catalogue(games).find, cards).match
    assert match.record
    seen = bots.Seen(match.before(match.number - 1), seat)
    try:
        return second_thought(seen, match.record[-1][2], strength, seed)
    except bots.UnknownBot:  # one that plays and does not think
        return ""


def weigh(
    games: tuple[str, ...], text: str, cards: str | None, seat: int, strength: str, seed: str
) -> dict[str, Any]:
    """Runs in the worker: the best options, how each did in the matches the bot imagined, in how many, and why."""
    from talion.bots.advice import advise
    from talion.kernel.fields import write_plain
    from talion.table.catalogue import Catalogue
    from talion.table.play import ServedMatch

    match = ServedMatch.resume(text, Catalogue(games).find, cards).match
    try:
        found = advise(bots.Seen(match, seat), strength, seed)
    except bots.UnknownBot:  # one that plays and does not think
        return {
            "considered": [(think(games, text, cards, seat, strength, seed, "", 0)[0], 0.0, 0)],
            "says": [],
        }
    best = [(write_plain(one.option), one.value, one.tried) for one in found.considered[:3]]
    return {"considered": best, "says": list(found.sentences())}
