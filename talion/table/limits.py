"""Limits on rates. Whoever is past one is told so, and when to try again; nothing is dropped in silence. How they hold for
several processes stands in `sharing`."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from functools import lru_cache

from talion.table.settings import Limits

MOST_REMEMBERED = 20_000
ALL_AT = "all at "


@lru_cache(maxsize=1024)
def neighbourhood(address: str) -> str:
    """An address as limits know it: of IPv6 the network, since whoever has one address there has them all."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped:  # as a socket for both kinds shows it
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


class Gate:
    """Token buckets, for each thing that is done: one for each person, and one for each address. A person is a token,
    and anybody can make tokens up; an address may be a household or a school, and has room for several people."""

    def __init__(self, limits: Limits, shared: bool = False) -> None:
        self._shared = shared
        self._spent: Counter[tuple[str, str]] = Counter()
        """What was let through, and other processes have not been told of."""
        # How often in a second, for how many seconds at once, and for how many people at one address.
        self._rates: dict[str, tuple[float, float, int]] = {
            "request": (limits.requests_per_second, 4.0, 10),
            "answer": (limits.answers_per_second, 2.0, 10),
            "table": (limits.tables_per_minute / 60, 60.0, 2),
            "tables in a day": (limits.tables_per_day / 86400, 86400.0, 4),
            "act": (limits.acts_per_minute / 60, 60.0, 4),
            "words": (limits.words_per_minute / 60, 20.0, 4),
            "heavy": (limits.heavy_per_minute / 60, 20.0, 4),
            "moment": (limits.moments_per_second, 4.0, 4),
            "hint": (limits.hints_per_minute / 60, 20.0, 4),
        }
        # Each in a row of its own: whoever makes up tokens to push the others out of one pushes nothing out of the rest.
        self._buckets: dict[str, OrderedDict[str, tuple[float, float]]] = {
            what: OrderedDict() for what in self._rates
        }

    def wait(self, what: str, person: str | None, address: str) -> float:
        """0 if it may be done now (and it is counted), else the seconds to wait. Those without a token are one person
        to their address."""
        if self._rates[what][0] <= 0:
            return 0.0
        row, both = self._buckets[what], (person or f"nobody at {address}", f"{ALL_AT}{address}")
        waits = [(1.0 - self._level(what, who)) / self._rate(what, who) for who in both]
        if max(waits) <= 0:
            for who in both:
                level, then = row[who]
                row[who] = (level - 1.0, then)
                if self._shared and len(self._spent) < MOST_REMEMBERED:
                    self._spent[what, who] += 1
        self._forget(row)
        return max(0.0, *waits)

    def spent(self) -> list[tuple[str, str, int]]:
        """What was let through since this was asked last, for the other processes."""
        spent, self._spent = self._spent, Counter()
        return [(what, who, many) for (what, who), many in spent.items()]

    def took(self, what: str, who: str, many: int) -> None:
        """Another process has let so much through. Together they may have let through more than there was: that is waited for, but
        no longer than until as much again could have been had."""
        if what in self._rates and self._rates[what][0] > 0:
            row, level = self._buckets[what], self._level(what, who)
            row[who] = (max(level - many, -self._most(what, who)), row[who][1])
            self._forget(row)

    def _rate(self, what: str, who: str) -> float:
        rate, _, people = self._rates[what]
        return rate * people if who.startswith(ALL_AT) else rate

    def _most(self, what: str, who: str) -> float:
        return max(1.0, self._rate(what, who) * self._rates[what][1])

    def _level(self, what: str, who: str) -> float:
        """How full a bucket is now."""
        row, most, now = self._buckets[what], self._most(what, who), time.monotonic()
        have, then = row.pop(who, (most, now))
        level = min(most, have + (now - then) * self._rate(what, who))
        row[who] = (level, now)
        return level

    def _forget(self, row: OrderedDict[str, tuple[float, float]]) -> None:
        while len(row) > MOST_REMEMBERED:
            row.popitem(last=False)
