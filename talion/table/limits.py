"""Limits on rates. Whoever is past one is told so, and when to try again; nothing is dropped in silence."""

from __future__ import annotations

import time
from collections import OrderedDict

from talion.table.settings import Limits

MOST_REMEMBERED = 20_000


class Gate:
    """Token buckets: one for each thing somebody does."""

    def __init__(self, limits: Limits) -> None:
        self._rates = {
            "request": (limits.requests_per_second, 4.0),
            "answer": (limits.answers_per_second, 2.0),
            "table": (limits.tables_per_minute / 60, 60.0),
            "words": (limits.words_per_minute / 60, 20.0),
        }
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def wait(self, what: str, who: str) -> float:
        """0 if it may be done now (and it is counted), else the seconds to wait."""
        rate, seconds = self._rates[what]
        if rate <= 0:
            return 0.0
        most, now = max(1.0, rate * seconds), time.monotonic()
        have, then = self._buckets.pop((what, who), (most, now))
        have = min(most, have + (now - then) * rate)
        missing = 1.0 - have
        self._buckets[what, who] = (have if missing > 0 else have - 1.0, now)
        if len(self._buckets) > MOST_REMEMBERED:
            self._buckets.popitem(last=False)
        return max(0.0, missing / rate)
