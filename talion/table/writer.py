"""One thread writes. All that waits is committed together, and only then is each told that it is written."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from talion.table import database
from talion.table.refusal import Refusal

T = TypeVar("T")
Work = Callable[[Connection], Any]
Outcome = tuple[Any, Exception | None]
SWITCHING = 0.0005
LARGEST_BATCH = 500
LONGEST_QUEUE = 5000


class Busy(Exception):  # noqa: N818 - a refusal
    """Too much is waiting to be written."""


@dataclass
class WriteJob:
    table: str
    work: Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Writer:
    """A commit waits for the disk, so a commit for each answer is slow; a commit for all that wait is not."""

    def __init__(self, engine: Engine) -> None:
        # After each word with the database the thread waits for its turn to run; by Python's usual 5 ms a tenth of all
        # answers a second would be lost.
        sys.setswitchinterval(SWITCHING)
        self._engine = engine
        self._connection: Connection | None = None
        self._used = 0.0
        self._jobs: queue.SimpleQueue[WriteJob | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="talion-writer", daemon=True)
        self._thread.start()

    async def write(self, table: str, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction and return its result once that is on the disk. It is done also if whoever asked for it
        does not wait."""
        if self._jobs.qsize() > LONGEST_QUEUE:
            raise Busy
        loop = asyncio.get_running_loop()
        job = WriteJob(table, work, loop, loop.create_future())
        self._jobs.put(job)
        result: T = await job.done
        return result

    def stop(self) -> None:
        """Write what still waits, then end."""
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while batch := self._next_batch():
            try:
                outcomes = self._commit(batch)
            except OperationalError as problem:
                # The database is locked, full or gone: each for itself would wait as long again, one after the other.
                outcomes = [(None, problem) for _ in batch]
            except Exception:
                # One of them spoilt it for all: each for itself, so that only that one fails.
                outcomes = [self._alone(job) for job in batch]
            for loop in {job.loop for job in batch}:
                mine = [pair for pair in zip(batch, outcomes, strict=True) if pair[0].loop is loop]
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_settle, mine)
        self._disconnect()

    def _next_batch(self) -> list[WriteJob]:
        """All that waits now, in order of table: two servers that write the same tables never deadlock."""
        first = self._jobs.get()
        batch = []
        while first is not None:
            batch.append(first)
            if len(batch) == LARGEST_BATCH or self._jobs.empty():
                break
            first = self._jobs.get()
        if first is None and batch:
            self._jobs.put(None)
        return sorted(batch, key=lambda job: job.table)

    def _commit(self, batch: list[WriteJob]) -> list[Outcome]:
        connection = self._connected()
        try:
            with connection.begin():
                outcomes = [_done(job, connection) for job in batch]
        except BaseException:
            self._disconnect()
            raise
        self._used = time.monotonic()
        return outcomes

    def _connected(self) -> Connection:
        """A connection is kept from batch to batch. After a while of rest the pool is asked for one, which sees that it still
        leads somewhere."""
        if self._connection is not None and time.monotonic() - self._used > database.TRUSTED:
            self._disconnect()
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _alone(self, job: WriteJob) -> Outcome:
        try:
            return self._commit([job])[0]
        except Exception as error:
            return None, error


def _done(job: WriteJob, connection: Connection) -> Outcome:
    """Whoever refuses has written nothing yet, and spoils nothing for those who are written together with it."""
    try:
        return job.work(connection), None
    except Refusal as refusal:
        return None, refusal


def _settle(pairs: list[tuple[WriteJob, Outcome]]) -> None:
    for job, (result, error) in pairs:
        if job.done.done():
            continue
        if error is not None:
            job.done.set_exception(error)
        else:
            job.done.set_result(result)
