"""The keeper does what nobody else does: moves for bots, answers for those whose clock ran out.

Several processes may serve one table. Whoever claims its lease acts; if that process dies, the lease runs out and
another one finds the table by the time it was due.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import socket
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from talion.table import people
from talion.table.play import Illegal
from talion.table.refusal import No
from talion.table.tokens import new_id
from talion.table.workers import Workers, weigh

if TYPE_CHECKING:
    from talion.table.house import House
    from talion.table.live import Live

log = logging.getLogger("talion.table.keeper")
LEASE = 6.0
LOOK_EVERY = 1.0
LONGEST_PAUSE = 60.0
CLEAN_EVERY = 3600.0
LONGEST_THOUGHT = 30.0
COUNTED = {"bot": "talion_bot_moves_total", "clock": "talion_defaults_total"}


class Keeper:
    """One for each process."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._who = f"{socket.gethostname()[:16]}-{os.getpid()}-{new_id(3)}"
        self._acting: dict[str, asyncio.Task[None]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._small: set[asyncio.Task[None]] = set()
        self._look = asyncio.Event()
        self._hinting = asyncio.Lock()
        self._stopping = False
        self._failures: dict[str, int] = {}
        self._outside: str | None = None
        self._next_cleaning = 0.0
        self.workers = Workers(house.settings.bot_workers, house.settings.games)

    async def run(self) -> None:
        """Look every second for tables that wait for a server, also those left behind by one that died."""
        pause = LOOK_EVERY
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), pause)
            self._look.clear()
            try:
                await self._look_around()
                pause = LOOK_EVERY
            except Exception:
                log.exception("the keeper could not look after the tables")
                pause = min(pause * 2, LONGEST_PAUSE)

    async def _look_around(self) -> None:
        house = self._house
        for table in await house.store.due(time.time()):
            if live := await house.openable(table):
                self.consider(live)
            else:
                await house.store.claim(table, self._who, self._pause_after_failing(table))
        outside = await house.store.outside()
        if outside != self._outside:
            await house.read_again()
            self._outside = outside
        if time.monotonic() > self._next_cleaning:
            await house.forget_old()
            self._next_cleaning = time.monotonic() + CLEAN_EVERY

    def _pause_after_failing(self, table: str) -> float:
        """How long to leave alone a table that fails: longer each time. Its lease keeps other processes off as long."""
        self._failures[table] = self._failures.get(table, 0) + 1
        return float(min(LONGEST_PAUSE, 2 ** min(self._failures[table], 10)))

    def look_soon(self) -> None:
        self._look.set()

    def consider(self, live: Live) -> None:
        """A table has changed: see that what the server must do there is done in time."""
        table = live.row.id
        if timer := self._timers.pop(table, None):
            timer.cancel()
        for seat in people.fulfilled(live):
            self._later(people.give_order(live, seat, "auto"))
        act = live.next_act()
        if act is None or self._stopping or table in self._acting:
            return
        loop = asyncio.get_running_loop()
        self._timers[table] = loop.call_later(max(0.0, act[0] - time.time()), self._start, live)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._small.add(task)
        task.add_done_callback(self._small.discard)

    def _start(self, live: Live) -> None:
        table = live.row.id
        self._timers.pop(table, None)
        if table in self._acting or self._stopping:
            return
        task = asyncio.create_task(self._act(live))
        self._acting[table] = task
        self._house.metrics.set("talion_bot_queue", len(self._acting))
        task.add_done_callback(lambda _: self._done(live))

    def _done(self, live: Live) -> None:
        self._acting.pop(live.row.id, None)
        self._house.metrics.set("talion_bot_queue", len(self._acting))
        self.consider(live)

    async def _act(self, live: Live) -> None:
        """Claim the table's next act and do it."""
        act = live.next_act()
        if act is None or act[0] > time.time():
            return
        _, what, seat = act
        number = live.stands(seat).number
        if not await self._house.store.claim(live.row.id, self._who, LEASE):
            await asyncio.sleep(LOOK_EVERY)  # another process has it; look again in case it dies
            return
        renewing = asyncio.create_task(self._renew(live.row.id))
        try:
            done = await self._do(live, what, seat, number)
            self._failures.pop(live.row.id, None)
            if done and what in COUNTED:
                self._house.metrics.add(COUNTED[what])
            elif not done:
                await self._house.store.release(live.row.id, self._who)
        except Exception:
            if live.row.id not in self._failures:
                log.exception("an act of the server failed", extra={"table": live.row.id, "act": what})
            await asyncio.sleep(self._pause_after_failing(live.row.id))
            await self._house.store.release(live.row.id, self._who)
        finally:
            renewing.cancel()

    async def _do(self, live: Live, what: str, seat: int, number: int) -> bool:
        if what == "bot":
            return await self._move(live, seat, number)
        if what == "clock":
            return await live.act("default", seat, number)
        option = live.play.passing(seat, live.seats[seat].order) if live.play else None
        return option is not None and await live.act("answer", seat, number, option)

    async def _renew(self, table: str) -> None:
        """Keep the lease while a bot thinks; it runs out soon after this process dies."""
        while True:
            await asyncio.sleep(LEASE / 3)
            await self._house.store.claim(table, self._who, LEASE)

    async def _move(self, live: Live, seat: int, number: int) -> bool:
        """A bot's answer, thought out in another process, and played at a pace that tells nothing."""
        assert live.play is not None
        strength = live.seats[seat].bot or self._house.settings.stand_in
        seed = f"{live.row.seed} {number} {seat}"
        try:
            thought = self._think(live.play.snapshot(), seat, strength, seed)
            option = await asyncio.wait_for(thought, LONGEST_THOUGHT)
        except TimeoutError:
            return await live.act("default", seat, number)
        # A thought that took longer waits for the next beat: how long it took tells nothing of what was held.
        beat, spent = self.pace(live), time.time() - live.public_at
        if beat > 0:
            await asyncio.sleep(beat - spent % beat)
        try:
            return await live.act("answer", seat, number, option)
        except Illegal:
            log.error("a bot answered against the rules", extra={"table": live.row.id, "bot": strength})
            return await live.act("default", seat, number)

    async def _think(self, snapshot: str, seat: int, strength: str, seed: str, job: Any = None) -> Any:
        """A bot's option, or what it thinks of several. That bots cannot think is told to whoever watches the server."""
        try:
            return await self.workers.think(snapshot, seat, strength, seed, job)
        except Exception:
            self._house.metrics.add("talion_bot_failures_total")
            raise
        finally:
            self._house.metrics.set("talion_bots_failing", self.workers.failing)

    async def hint(self, live: Live, seat: int) -> Any:
        """What the stand-in bot thinks of the best answers in this seat now, the best first. One hint at a time: the bots that play come first."""
        assert live.play is not None
        seed = f"{live.row.seed} hint {live.number}"
        try:
            async with asyncio.timeout(LONGEST_THOUGHT), self._hinting:
                bot = self._house.settings.stand_in
                return await self._think(live.play.snapshot(), seat, bot, seed, weigh)
        except TimeoutError:
            raise No("The bots are too busy to give a hint now; ask again in a moment.", status=503) from None

    def pace(self, live: Live) -> float:
        """How long a move takes: drawn from what everybody can see, so that it tells nothing else."""
        draw = (
            hashlib.sha256(f"{live.row.id} {live.seen[0].number if live.seen else 0}".encode()).digest()[0]
            / 255
        )
        return self._house.settings.pace * (0.7 + 0.6 * draw)

    async def stop(self) -> None:
        self._stopping = True
        for timer in self._timers.values():
            timer.cancel()
        tasks = [*self._acting.values(), *self._small]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.workers.stop()
