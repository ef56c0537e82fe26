"""Whose bot thinks next: turns at a few workers, shared fairly among people, then among tables, quick thoughts first."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import dataclass, field

HALF_LIFE = 30.0
FIRST_GUESS = 0.3


@dataclass(frozen=True)
class Claim:
    """A thought that is wanted: for whose sake, at which table, and how heavy it is beside others."""

    person: str
    table: str
    weight: int = 0


@dataclass
class _Use:
    """How much of the workers somebody has had lately, in seconds; half of it is forgotten every half a minute."""

    seconds: float = 0.0
    at: float = field(default_factory=time.monotonic)

    def now(self) -> float:
        return float(self.seconds * 0.5 ** ((time.monotonic() - self.at) / HALF_LIFE))

    def add(self, seconds: float) -> None:
        self.seconds, self.at = self.now() + seconds, time.monotonic()


class Turns:
    """So many may think at once. Whoever had least goes first, so that nobody's many tables keep others waiting."""

    def __init__(self, places: int) -> None:
        self.places = places
        self._free = places
        self._waiting: dict[int, tuple[Claim, asyncio.Future[None]]] = {}
        self._arrivals = itertools.count()
        self._used: dict[str, _Use] = {}
        self._usual = FIRST_GUESS

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def expected(self) -> float:
        """How long the last in the queue will wait, about, in seconds."""
        return self.waiting * self._usual / self.places

    async def take(self, claim: Claim) -> None:
        """Wait for one's turn. Every turn taken is given back."""
        if self._free:
            self._free -= 1
            return
        number, turn = next(self._arrivals), asyncio.get_running_loop().create_future()
        self._waiting[number] = claim, turn
        try:
            await turn
        except asyncio.CancelledError:
            if self._waiting.pop(number, None) is None and not turn.cancelled():  # it was given just now
                self._pass_on()
            raise

    async def come_and_go(self, claim: Claim) -> None:
        """Wait as if for a thought, and when the turn came, need none."""
        await self.take(claim)
        self._pass_on()

    def give_back(self, claim: Claim, seconds: float) -> None:
        """The thought is over, and took so long."""
        self._usual = 0.9 * self._usual + 0.1 * seconds
        for who in (claim.person, claim.table):
            self._used.setdefault(who, _Use()).add(seconds)
        self._pass_on()
        if len(self._used) > 5000:
            self._used = {who: use for who, use in self._used.items() if use.now() > 0.01}

    def _pass_on(self) -> None:
        there = {number: claim for number, (claim, turn) in self._waiting.items() if not turn.done()}
        if not there:
            self._free += 1
            return
        number = min(there, key=lambda number: (*self._rank(there[number]), number))
        self._waiting.pop(number)[1].set_result(None)

    def _rank(self, claim: Claim) -> tuple[float, float, int]:
        had = [self._used[who].now() if who in self._used else 0.0 for who in (claim.person, claim.table)]
        return had[0], had[1], claim.weight
