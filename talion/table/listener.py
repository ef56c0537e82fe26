"""Hearing what other processes wrote and counted: one connection, and never silent for good."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import psycopg
from sqlalchemy.engine import URL

from talion.table.database import CHANNEL, COUNTS

log = logging.getLogger("talion.table.listener")
LONGEST_PAUSE = 2.0


class NoticeListener:
    """Listens to PostgreSQL's notices; after every cut it connects again and has everything re-read."""

    def __init__(
        self,
        url: URL,
        heard: Callable[[str, int], Awaitable[None]],
        missed: Callable[[], Awaitable[None]],
        counted: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._heard = heard
        self._missed = missed
        self._counted = counted
        self.up = False

    async def run(self) -> None:
        """For ever; cancelled when the server stops."""
        pause = 0.05
        while True:
            try:
                connection = await psycopg.AsyncConnection.connect(
                    self._address, autocommit=True, connect_timeout=5, application_name="talion listener"
                )
                async with connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await connection.execute(f"LISTEN {COUNTS}")
                    # Listening first, then reading: nothing can slip in between.
                    await self._missed()
                    self.up, pause = True, 0.05
                    async for notice in connection.notifies():
                        if notice.channel == COUNTS:
                            self._counted(notice.payload)
                            continue
                        table, _, number = notice.payload.partition(" ")
                        await self._heard(table, int(number))
            except Exception as error:  # whatever it is: who does not listen any more is silent for good
                log.warning("the listener's connection was cut", extra={"why": type(error).__name__})
            finally:
                self.up = False
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
