"""Dealing anew what an observer does not know.

Within each of its pools the faces, with their hidden fields, are dealt to the cards again; what was told of a card stays
true. The pools are made ready once, so that a bot can have thousands of deals at one decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .chance import Chance
from .knowledge import Fact

if TYPE_CHECKING:
    from .insides import Insides

CONTRADICTION = "what was told of the cards contradicts them"

Packet = tuple[Any, ...]
"""A face, and the hidden fields that travel with it."""


class Hidden:
    """The pools of an observer at one moment, ready to be dealt any number of times."""

    __slots__ = ("_pools", "_travelling")

    def __init__(self, t: Insides, observer: int) -> None:
        assert t.know is not None
        fields = type(t).fields.items()
        self._travelling = [name for name, field in fields if getattr(field, "travels", False)]
        columns = self._columns(t)
        self._pools: list[Pool] = []
        order = in_order(t)
        for members in t.know.members(observer).values():
            if len(members) < 2:
                continue
            # Sorted, so that the deal depends on what the observer knows and on nothing else: not on numbers.
            cards = sorted(members, key=order.__getitem__)
            packets = sorted((tuple(column[card] for column in columns) for card in cards), key=repr)
            if packets[0] != packets[-1]:
                self._pools.append(Pool(t, cards, packets, t.know.told))

    def _columns(self, t: Insides) -> list[list[Any]]:
        return [t.faces, *(getattr(t, name) for name in self._travelling)]

    def deal(self, t: Insides, chance: Chance) -> None:
        """Deals every pool anew, in a state whose cards lie as they did when the pools were made ready."""
        if not self._travelling:
            faces = t.faces
            for pool in self._pools:
                for card, (face,) in zip(pool.cards, pool.dealt(chance), strict=True):
                    faces[card] = face
            return
        columns = self._columns(t)
        for pool in self._pools:
            for card, packet in zip(pool.cards, pool.dealt(chance), strict=True):
                for column, value in zip(columns, packet, strict=True):
                    column[card] = value


def in_order(t: Insides) -> dict[int, int]:
    """Every card's place in the order in which they lie, zone after zone."""
    return {card: at for at, card in enumerate(card for pile in t.piles for card in pile)}


class Pool:
    """Cards that an observer cannot tell apart, and what is printed on them; not all the same."""

    __slots__ = ("_allowed", "_kinds", "_untold", "cards", "packets")

    def __init__(
        self, t: Insides, cards: Sequence[int], packets: list[Packet], told: Mapping[int, tuple[Fact, ...]]
    ) -> None:
        self.cards = cards
        self.packets = packets
        self._allowed: dict[int, list[int]] = {}
        """For each place in `cards` of which something was told, the packets that agree."""
        tests, faces = t.game.facts, t.content.faces
        for at, card in enumerate(cards):
            if card in told:
                self._allowed[at] = [
                    i
                    for i, packet in enumerate(packets)
                    if all(tests[name](faces[packet[0]], *args) for name, *args in told[card])
                ]
        self._kinds = kinds(self._allowed)
        self._untold = [at for at in range(len(cards)) if at not in self._allowed]

    def dealt(self, chance: Chance) -> list[Packet]:
        """A packet for each card."""
        if not self._allowed:
            packets = self.packets[:]
            chance.shuffle(packets)
            return packets
        packets = self.packets
        holder = (
            deal_within(self._allowed, chance) if self._kinds is None else deal_kinds(self._kinds, chance)
        )
        dealt = packets[:]
        for i, at in holder.items():
            dealt[at] = packets[i]
        if self._untold:
            rest = [packet for i, packet in enumerate(packets) if i not in holder]
            chance.shuffle(rest)
            for at, packet in zip(self._untold, rest, strict=True):
                dealt[at] = packet
        return dealt


Kinds = list[tuple[list[int], list[int]]]
"""Cards of which the same was told, and the packets that agree with it."""


def kinds(allowed: Mapping[int, list[int]]) -> Kinds | None:
    """Told cards by what agrees with what was told; None if a packet agrees with two kinds, so that one deal hinges on
    another. Backs of cards, the usual fact, never do that."""
    found: dict[tuple[int, ...], list[int]] = {}
    for card, packets in allowed.items():
        found.setdefault(tuple(packets), []).append(card)
    if any(len(cards) > len(packets) for packets, cards in found.items()):
        raise AssertionError(CONTRADICTION)
    if len(set().union(*found)) < sum(map(len, found)):
        return None
    return [(cards, list(packets)) for packets, cards in found.items()]


def deal_kinds(kinds: Kinds, chance: Chance) -> dict[int, int]:
    """A random deal to told cards, kind by kind: which card each packet goes to."""
    holder: dict[int, int] = {}
    for cards, packets in kinds:
        packets = packets[:]
        chance.shuffle(packets)
        holder.update(zip(packets, cards, strict=False))
    return holder


def deal_within(allowed: dict[int, list[int]], chance: Chance) -> dict[int, int]:
    """A random deal to cards of which something was told: which card each packet goes to.

    `allowed[card]` lists the packets that agree with what was told. A deal that keeps every fact always exists, since the
    true one does; it is found by augmenting paths from a random order.
    """
    holder: dict[int, int] = {}

    def place(card: int, tried: set[int]) -> bool:
        packets = list(allowed[card])
        chance.shuffle(packets)
        for packet in packets:
            if packet not in tried:
                tried.add(packet)
                if packet not in holder or place(holder[packet], tried):
                    holder[packet] = card
                    return True
        return False

    order = list(allowed)
    chance.shuffle(order)
    for card in order:
        if not place(card, set()):
            raise AssertionError(CONTRADICTION)
    return holder
