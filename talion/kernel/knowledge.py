"""What each observer knows about the cards.

For every seat, and for a watcher, the cards fall into pools: the observer knows which faces are in a pool, not which
card has which. A card alone in its pool is a known card. The number of a pool comes from the observer's own count of
what it saw, so the number of a known card tells nothing but that history: it serves as the card's name in the
observer's view. Joining pools may forget; nothing here can invent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Fact = tuple[Any, ...]
"""The name of a declared test on faces, and its arguments: `("complete at", 6)`."""


class Knowledge:
    """The pools of every observer. Observer `seats` is the watcher, who holds no seat."""

    __slots__ = ("next", "pools", "seen", "told", "trace")

    def __init__(self, observers: int) -> None:
        self.pools: list[list[int]] = [[] for _ in range(observers)]
        """For each observer, the pool of each card."""
        self.next = [0] * observers
        self.told: dict[int, tuple[Fact, ...]] = {}
        """Facts, short of a face, that everybody was told of a card."""
        self.seen = 0
        """How many times somebody learned something: undo is free only while this stands still."""
        self.trace: list[tuple[int, int]] | None = None
        """Who saw which card, for checks that must know when something was revealed."""

    def copy(self) -> Knowledge:
        twin = Knowledge.__new__(Knowledge)
        twin.pools = [pool[:] for pool in self.pools]
        twin.next = self.next[:]
        twin.told = self.told.copy()
        twin.seen = self.seen
        twin.trace = None
        return twin

    def add_card(self) -> None:
        """A new card, known to all (it is shuffled away later, where it is hidden)."""
        for observer, pool in enumerate(self.pools):
            pool.append(self._fresh(observer))

    def _fresh(self, observer: int) -> int:
        number = self.next[observer]
        self.next[observer] = number + 1
        return number

    def knows(self, observer: int, card: int) -> bool:
        pools = self.pools[observer]
        return pools.count(pools[card]) == 1

    def see(self, observer: int, card: int) -> None:
        """The observer sees the face of a card."""
        if self.trace is not None:
            self.trace.append((observer, card))
        pools = self.pools[observer]
        if pools.count(pools[card]) > 1:
            pools[card] = self._fresh(observer)
            self.seen += 1

    def join(self, observer: int, cards: Sequence[int]) -> None:
        """The observer can no longer tell these cards apart."""
        pools = self.pools[observer]
        mixed = {pools[card] for card in cards}
        if len(mixed) > 1:
            number = self._fresh(observer)
            self.pools[observer] = [number if pool in mixed else pool for pool in pools]

    def forget_told(self, cards: Iterable[int]) -> None:
        if self.told:
            for card in cards:
                self.told.pop(card, None)

    def members(self, observer: int) -> dict[int, list[int]]:
        """The cards of each pool of an observer."""
        members: dict[int, list[int]] = {}
        for card, pool in enumerate(self.pools[observer]):
            members.setdefault(pool, []).append(card)
        return members

    def write(self) -> dict[str, Any]:
        told = {str(card): [list(fact) for fact in facts] for card, facts in sorted(self.told.items())}
        return {"pools": self.pools, "next": self.next, "told": told, "seen": self.seen}

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Knowledge:
        known = cls(0)
        known.pools = [list(pool) for pool in written["pools"]]
        known.next = list(written["next"])
        known.told = {
            int(card): tuple(tuple(fact) for fact in facts) for card, facts in written["told"].items()
        }
        known.seen = written["seen"]
        return known
