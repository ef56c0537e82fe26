"""The keeper does what nobody else does: moves for bots, answers for those whose clock ran out.

Several processes may serve one table. Whoever claims its lease acts; if that process dies, the lease runs out and
another one finds the table by the time it was due.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

from talion.table import pace, people
from talion.table.play import Illegal
from talion.table.refusal import Refusal
from talion.table.tokens import new_id
from talion.table.turns import Claim
from talion.table.workers import STRENGTHS, CannotThink, Thought, Workers, reconsider, think, weigh
from talion.table.writer import Busy

if TYPE_CHECKING:
    from talion.table.house import House
    from talion.table.live import Live

log = logging.getLogger("talion.table.keeper")
LEASE = 6.0
LOOK_EVERY = 1.0
LONGEST_PAUSE = 60.0
CLEAN_EVERY = 3600.0
PRESENCE_EVERY = 30.0
LONG_WAIT = 3.0
HINT_WAIT = 30.0
NO_BOTS = "The bots cannot think here now; whoever keeps this house can see it in the log."
BOTS_FAIL = "A bot could not think of anything, and its move was the plain one."
NOT_WRITTEN = (DBAPIError, Busy)
COUNTED = {"bot": "talion_bot_moves_total", "clock": "talion_defaults_total"}


@dataclass(frozen=True)
class ReadyMove:
    """What a bot has thought of, and when it is ready to be told."""

    option: Any
    ready: float


class Keeper:
    """One for each process."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._who = f"{socket.gethostname()[:16]}-{os.getpid()}-{new_id(3)}"
        self._acting: dict[str, asyncio.Task[None]] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._thoughts: dict[tuple[str, int, int], asyncio.Task[ReadyMove]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._small: set[asyncio.Task[None]] = set()
        self._look = asyncio.Event()
        self._hinting = asyncio.Lock()
        self._stopping = False
        self._failures: dict[str, int] = {}
        self._outside: str | None = None
        self._next_cleaning = self._next_presence = 0.0
        self.allowance = pace.Allowance()
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
        for table in await house.store.due(self._house.now()):
            live = await house.openable(table)
            if live and not live.halted:
                self.consider(live)
            else:
                await house.store.claim(table, self._who, self._pause_after_failing(table), self._house.now())
        outside = await house.store.outside()
        if outside != self._outside:
            await house.read_bans()
            await house.read_again()
            self._outside = outside
        await house.let_rest()
        house.metrics.measure()
        if time.monotonic() > self._next_presence:
            await house.store.seating.are_here(house.hub.people, house.now())
            self._next_presence = time.monotonic() + PRESENCE_EVERY
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
        if people.fulfilled(live):
            self.later(people.end_orders(live))
        if table in self._acting:
            self._changed[table].set()
            return
        act = live.next_act()
        if act is None or self._stopping:
            return
        loop = asyncio.get_running_loop()
        self._timers[table] = loop.call_later(max(0.0, act[0] - self._house.now()), self._start, live)

    def acts_at(self, live: Live) -> bool:
        """Whether something is being done at a table now."""
        return live.row.id in self._acting

    def leave(self, live: Live) -> None:
        """A table leaves memory. What is due there is found on the disk when its time has come."""
        if timer := self._timers.pop(live.row.id, None):
            timer.cancel()

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something small beside everything else. If it fails, that is noted."""
        task = asyncio.create_task(work)
        self._small.add(task)
        task.add_done_callback(self._done_later)

    def _done_later(self, task: asyncio.Task[None]) -> None:
        self._small.discard(task)
        problem = None if task.cancelled() else task.exception()
        if problem is not None and not isinstance(problem, Refusal):
            log.error("something small could not be done", exc_info=problem)

    def _start(self, live: Live) -> None:
        table = live.row.id
        self._timers.pop(table, None)
        if table in self._acting or self._stopping:
            return
        task = asyncio.create_task(self._act(live))
        self._acting[table] = task
        self._changed[table] = asyncio.Event()
        self._house.metrics.set("talion_bot_queue", len(self._acting))
        task.add_done_callback(lambda _: self._done(live))

    def _done(self, live: Live) -> None:
        self._acting.pop(live.row.id, None)
        self._changed.pop(live.row.id, None)
        for key in [key for key in self._thoughts if key[0] == live.row.id]:
            if not live.seen or live.stands(key[1]).number != key[2]:  # nobody will ask for it any more
                self._thoughts.pop(key).cancel()
        self._house.metrics.set("talion_bot_queue", len(self._acting))
        self.consider(live)

    async def _act(self, live: Live) -> None:
        """Claim the table's next act and do it. Whatever fails is tried again, after a pause: longer each time."""
        act = live.next_act()
        if act is None or act[0] > self._house.now():
            return
        table, (_, what, seat) = live.row.id, act
        try:
            number = live.stands(seat).number
            if await self._house.store.claim(table, self._who, LEASE, self._house.now()):
                await self._act_claimed(live, what, seat, number)
            else:
                await asyncio.sleep(LOOK_EVERY)  # another process has it; look again in case it dies
        except Exception:
            if table not in self._failures:
                log.exception("an act of the server failed", extra={"table": table, "act": what})
            await asyncio.sleep(self._pause_after_failing(table))
            with contextlib.suppress(*NOT_WRITTEN):  # then the lease runs out by itself
                await self._house.store.release(table, self._who)

    async def _act_claimed(self, live: Live, what: str, seat: int, number: int) -> None:
        renewing = asyncio.create_task(self._renew(live.row.id))
        try:
            done = await self._do(live, what, seat, number)
        finally:
            renewing.cancel()
        self._failures.pop(live.row.id, None)
        if not done:
            await self._house.store.release(live.row.id, self._who)
        elif what in COUNTED:
            self._house.metrics.add(COUNTED[what])

    async def _do(self, live: Live, what: str, seat: int, number: int) -> bool:
        if what == "bot":
            return await self._move(live, seat, number)
        if what == "clock":
            return await live.act("default", seat, number)
        play = await live.settled()
        if play is None or seat not in play.windows:
            return False
        return await live.act("answer", seat, number, play.passing(seat))

    async def _renew(self, table: str) -> None:
        """Keep the lease while a bot thinks; it runs out soon after this process dies, or the database is gone."""
        while True:
            await asyncio.sleep(LEASE / 3)
            with contextlib.suppress(*NOT_WRITTEN):
                await self._house.store.claim(table, self._who, LEASE, self._house.now())

    async def _move(self, live: Live, seat: int, number: int) -> bool:
        """A bot's answer, thought out in another process, and played at a time that tells nothing."""
        play = await live.settled()
        if play is None or live.stands(seat).number != number:
            return False
        # Of several who choose or react at once, none waits for another's thought.
        for other in play.asked:
            if live.seats[other].bot is not None:
                self._think_ahead(live, other)
        try:
            thinking = await self._thought_of(live, seat, number)
            await self._its_time(live, thinking)
            return await live.act("answer", seat, number, thinking.option)
        except CannotThink:
            live.explain(NO_BOTS)
            raise
        except (TimeoutError, Illegal) as problem:
            facts = {"table": live.row.id, "bot": live.seats[seat].bot, "why": type(problem).__name__}
            log.error("a bot's move is the default", extra=facts)
            self._house.metrics.add("talion_bot_defaults_total")
            live.explain(BOTS_FAIL)
            return await live.act("default", seat, number)

    def _think_ahead(self, live: Live, seat: int) -> asyncio.Task[ReadyMove]:
        number = live.stands(seat).number
        key = (live.row.id, seat, number)
        if key not in self._thoughts:
            strength = live.seats[seat].bot or self._house.settings.stand_in
            thought = self._thought(live, seat, strength, f"{live.row.seed} {number} {seat}")
            only = live.play.only_option(seat) if live.play else None
            task = self._thoughts[key] = asyncio.create_task(self._think(live.row.game, thought, only))
            task.add_done_callback(lambda done: None if done.cancelled() else done.exception())
        return self._thoughts[key]

    async def _think(self, game: str, thought: Thought, only: Any) -> ReadyMove:
        """A bot's option, and when it may be told for all that anybody knows of what it held; `only` is there if it has no
        choice."""
        kind = game, thought.strength
        if only is None:
            (option, resumed), took = await self._ask(thought)
            self._house.metrics.add("talion_bot_trees_kept_total", resumed)
            began = self._house.now() - took
            self.allowance.took(*kind, took)
        else:
            await self.workers.turns.come_and_go(thought.claim)
            option, began = only, self._house.now()
            took = self.allowance.pretended(*kind)
        return ReadyMove(option, began + max(took, self.allowance.of(*kind)))

    async def _thought_of(self, live: Live, seat: int, number: int) -> ReadyMove:
        """What a bot has thought of. If it is long before it has its turn to think, that is said at the table."""
        task = self._think_ahead(live, seat)
        if (wait := self.workers.turns.expected) > LONG_WAIT:
            live.explain(f"The bots are busy: about {max(5, 5 * round(wait / 5))} seconds.")
        try:
            return await task
        finally:
            self._thoughts.pop((live.row.id, seat, number), None)
            live.explain("")

    async def _its_time(self, live: Live, thinking: ReadyMove) -> None:
        """Wait until a thought may be told. A window's end may come sooner or later meanwhile."""
        changed = self._changed[live.row.id]
        while (wait := self._due(live, thinking.ready) - self._house.now()) > 0:
            changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), wait)

    def _due(self, live: Live, ready: float) -> float:
        closes = pace.window_ends(live, live.seen)
        if closes is None:
            return pace.next_slot(live, ready) if pace.slot(live) > 0 else 0.0
        return closes if ready <= closes else pace.next_slot(live, ready)

    async def second_thought(self, live: Live, number: int) -> str:
        """What the stand-in bot would have done in place of an answer of a match that is over; nothing, where it cannot say."""
        past = await self._house.pasts.of_table(live)
        kind, seat, _ = entry = past.match.record[number - 1] if past.match.record else ("", None, None)
        if kind != "answer" or live.play is None:
            return ""

        def written() -> str:
            moment = past.at(number - 1).without_log().rebased()
            moment.apply(entry)
            return moment.save(content=False)

        text = await asyncio.to_thread(written)
        strength, seed = self._house.settings.stand_in, f"{live.row.seed} second thought {number}"
        thought = self._thought(live, seat, strength, seed, reconsider, text)
        try:
            async with asyncio.timeout(HINT_WAIT), self._hinting:
                found, _ = await self._ask(thought)
                return str(found)
        except (TimeoutError, CannotThink):
            return ""

    def _thought(
        self,
        live: Live,
        seat: int,
        strength: str,
        seed: str,
        job: Callable[..., Any] = think,
        text: str | None = None,
    ) -> Thought:
        assert live.play is not None
        hosts = sorted(holder for place in live.seats if place.host for holder in place.holders)
        weight = STRENGTHS.index(strength) if strength in STRENGTHS else len(STRENGTHS)
        claim = Claim(hosts[0] if hosts else live.row.id, live.row.id, weight)
        # Only cards that are not installed need to be sent.
        cards = None if live.play.content is live.play.match.game.content() else live.play.content.text
        return Thought(
            text or live.play.for_bots(), seat, strength, seed, claim, cards, job, live.course.number
        )

    async def _ask(self, thought: Thought) -> tuple[Any, float]:
        """A bot's option and how long it thought. That bots cannot think is told to whoever watches the server."""
        try:
            return await self.workers.think(thought)
        except Exception:
            self._house.metrics.add("talion_bot_failures_total")
            raise
        finally:
            self._house.metrics.set("talion_bots_failing", self.workers.failing)

    async def hint(self, live: Live, seat: int) -> Any:
        """What the stand-in bot thinks of the best answers in this seat now, the best first. One hint at a time: the bots that
        play come first."""
        strength = self._house.settings.stand_in
        # Of numbers only the seat's own: how often others have chosen in secret is in no hint.
        seed = f"{live.row.seed} hint {live.stands(seat).number}"
        try:
            async with asyncio.timeout(HINT_WAIT), self._hinting:
                if await live.settled() is None:
                    raise Refusal("The match has moved on.")
                found, _ = await self._ask(self._thought(live, seat, strength, seed, weigh))
                return found
        except TimeoutError:
            raise Refusal(
                "The bots are too busy to give a hint now; ask again in a moment.", status=503
            ) from None
        except CannotThink:
            raise Refusal(NO_BOTS, status=503) from None

    async def stop(self) -> None:
        self._stopping = True
        for timer in self._timers.values():
            timer.cancel()
        tasks = [*self._acting.values(), *self._small, *self._thoughts.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.workers.stop()
