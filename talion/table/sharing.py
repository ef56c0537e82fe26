"""Limits hold for all processes of a house together: each tells the others, twice a second, what it has let through and which
streams it holds.

By PostgreSQL's notices, as everything else that processes tell each other: a count in a table would cost a write for every request,
and a file would be shared on one machine alone. So for half a second each counts for itself. Whoever makes use of that has taken too much
in all, and waits the longer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator

import msgspec

from talion.table.limits import Gate
from talion.table.stream import Held, Hub
from talion.table.tokens import new_id

log = logging.getLogger("talion.table")
EVERY = 0.5
ALL_AGAIN_AFTER = 5.0
"""Seconds after which a process says again which streams it holds: of who came later, and of what was not heard."""
GONE_AFTER = 12.0
"""Seconds after which a process of which nothing is heard holds none any more."""
LONGEST = 7000
"""Bytes: PostgreSQL passes on no notice of eight thousand."""


class Counted(msgspec.Struct, omit_defaults=True):
    """What one process tells the others."""

    by: str
    spent: list[tuple[str, str, int]] = []  # of which limit, by whom, how often
    opened: list[Held] = []
    closed: list[Held] = []
    anew: bool = False
    """What is known of its streams is to be forgotten first."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Counted).decode


class Sharing:
    """What one process tells, and what it hears."""

    def __init__(self, gate: Gate, hub: Hub, tell: Callable[[list[str]], Awaitable[None]]) -> None:
        self._gate, self._hub, self._tell = gate, hub, tell
        self._me = new_id(4)
        self._told_all = -ALL_AGAIN_AFTER
        self._heard_at: dict[str, float] = {}

    async def run(self) -> None:
        """For ever; cancelled when the server stops. While the database is gone each process counts for itself."""
        well = True
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.tell()
                well = True
            except Exception as problem:
                if well:
                    log.warning("what was counted could not be told", exc_info=problem)
                well = False
            self._forget_the_gone()

    async def tell(self) -> None:
        """What was counted since the last time."""
        spent, (opened, closed) = self._gate.spent(), self._hub.changes()
        anew = time.monotonic() - self._told_all > ALL_AGAIN_AFTER
        if anew:
            self._told_all = time.monotonic()
            opened, closed = self._hub.held(), []
        if spent or opened or closed or anew:
            await self._tell([*self._worded(Counted(self._me, spent, opened, closed, anew))])

    def _worded(self, told: Counted) -> Iterator[str]:
        """In as many notices as it takes."""
        text, many = _encode(told), max(len(told.spent), len(told.opened), len(told.closed))
        if len(text) <= LONGEST:
            yield text.decode()
        elif many > 1:
            half = many // 2
            yield from self._worded(
                Counted(told.by, told.spent[:half], told.opened[:half], told.closed[:half], told.anew)
            )
            yield from self._worded(
                Counted(told.by, told.spent[half:], told.opened[half:], told.closed[half:])
            )

    async def tell_goodbye(self) -> None:
        """This process holds no streams any more."""
        with contextlib.suppress(Exception):
            await self._tell([_encode(Counted(self._me, anew=True)).decode()])

    def hear(self, text: str) -> None:
        """What another process tells. It hears itself too."""
        try:
            told = _decode(text)
        except msgspec.DecodeError:  # a word of another release
            return
        if told.by == self._me:
            return
        self._heard_at[told.by] = time.monotonic()
        for what, who, many in told.spent:
            self._gate.took(what, who, many)
        self._hub.hear(told.by, told.opened, told.closed, told.anew)

    def _forget_the_gone(self) -> None:
        now = time.monotonic()
        for process in [process for process, then in self._heard_at.items() if now - then > GONE_AFTER]:
            del self._heard_at[process]
            self._hub.hear(process, [], [], True)
