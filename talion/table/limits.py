"""Limits on rates. Whoever is past one is told so, and when to try again; nothing is dropped in silence."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from functools import lru_cache

from talion.table.settings import Limits

MOST_REMEMBERED = 20_000


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

    def __init__(self, limits: Limits) -> None:
        # How often in a second, for how many seconds at once, and for how many people at one address.
        self._rates: dict[str, tuple[float, float, int]] = {
            "request": (limits.requests_per_second, 4.0, 10),
            "answer": (limits.answers_per_second, 2.0, 10),
            "table": (limits.tables_per_minute / 60, 60.0, 2),
            "tables in a day": (limits.tables_per_day / 86400, 86400.0, 4),
            "act": (limits.acts_per_minute / 60, 60.0, 4),
            "words": (limits.words_per_minute / 60, 20.0, 4),
            "heavy": (limits.heavy_per_minute / 60, 20.0, 4),
            "hint": (limits.hints_per_minute / 60, 20.0, 4),
        }
        # Each in a row of its own: whoever makes up tokens to push the others out of one pushes nothing out of the rest.
        self._buckets: dict[str, OrderedDict[str, tuple[float, float]]] = {
            what: OrderedDict() for what in self._rates
        }

    def wait(self, what: str, person: str | None, address: str) -> float:
        """0 if it may be done now (and it is counted), else the seconds to wait. Those without a token are one person
        to their address."""
        rate, seconds, people = self._rates[what]
        if rate <= 0:
            return 0.0
        buckets = (person or f"nobody at {address}", rate), (f"all at {address}", rate * people)
        row = self._buckets[what]
        waits = [(1.0 - _level(row, who, of, seconds)) / of for who, of in buckets]
        if max(waits) <= 0:
            for who, _ in buckets:
                level, then = row[who]
                row[who] = (level - 1.0, then)
        while len(row) > MOST_REMEMBERED:
            row.popitem(last=False)
        return max(0.0, *waits)


def _level(row: OrderedDict[str, tuple[float, float]], who: str, rate: float, seconds: float) -> float:
    """How full a bucket is now."""
    most, now = max(1.0, rate * seconds), time.monotonic()
    have, then = row.pop(who, (most, now))
    level = min(most, have + (now - then) * rate)
    row[who] = (level, now)
    return level
