"""A bot that takes any option."""

from __future__ import annotations

from collections.abc import Sequence

from talion.kernel import Chance, Option

from . import Seen


class Random:
    def __init__(self, seed: int | str = 0) -> None:
        self._chance = Chance.of(f"random:{seed}")

    def choose(self, seen: Seen) -> Option:
        return self.pick(seen.options)

    def pick(self, options: Sequence[Option]) -> Option:
        return self._chance.pick(options)
