"""Odd but grammatical cards, made from a game's phrasebook: every phrase in every field that can be written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from talion.kernel import Chance, Game
from talion.kernel.phrases import Hole, Phrase

DEEP = 6
"""So deep phrases may nest before only the plainest are chosen."""


@dataclass(frozen=True)
class Odd:
    """A card of the game with one of its texts changed."""

    sort: str
    field: str
    phrase: Phrase
    row: dict[str, Any]


class Oddities:
    """Writes sentences by a phrasebook, with a given phrase somewhere inside."""

    def __init__(self, game: Game, chance: Chance) -> None:
        self.book = game.book
        self.chance = chance
        self.names = [face.name for face in game.content().faces]
        self.kinds: dict[str, list[Phrase]] = {}
        for phrase in self.book.phrases:
            self.kinds.setdefault(phrase.kind, []).append(phrase)
        self.height = self._heights()
        """How deep the plainest sentence of a kind is."""

    def _heights(self) -> dict[str, int]:
        height = dict.fromkeys([*self.book.vocabularies, "number", "name"], 0)
        changed = True
        while changed:
            changed = False
            for kind, phrases in self.kinds.items():
                found = min(self._tall(phrase, height) for phrase in phrases)
                if found < height.get(kind, 99):
                    height[kind], changed = found, True
        return height

    @staticmethod
    def _tall(phrase: Phrase, height: dict[str, int]) -> int:
        return 1 + max((height.get(hole.kind, 99) for hole in phrase.holes), default=0)

    def way(self, kind: str, wanted: Phrase) -> list[tuple[Phrase, Hole]] | None:
        """The shortest way from a kind down to a phrase: which hole of which phrase to go through."""
        ways: dict[str, list[tuple[Phrase, Hole]]] = {kind: []}
        queue = [kind]
        for here in queue:
            if here == wanted.kind:
                return ways[here]
            for phrase in self.kinds.get(here, ()):
                for hole in phrase.holes:
                    if hole.kind not in ways:
                        ways[hole.kind] = [*ways[here], (phrase, hole)]
                        queue.append(hole.kind)
        return None

    def sentence(self, kind: str, wanted: Phrase) -> str | None:
        """A sentence of this kind in which that phrase is said."""
        way = self.way(kind, wanted)
        if way is None:
            return None
        said = self.said(wanted, 0)
        for phrase, hole in reversed(way):
            said = self.said(phrase, 0, {hole.name: said})
        return said[:1].upper() + said[1:] + "."

    def said(self, phrase: Phrase, depth: int, given: dict[str, str] | None = None) -> str:
        filled = {hole.name: self.filling(hole, depth + 1) for hole in phrase.holes}
        return phrase.write({**filled, **(given or {})})

    def filling(self, hole: Hole, depth: int) -> str:
        items = 1 if hole.separator is None else 1 + self.chance.below(2)
        return (hole.separator or "").join(self.of_kind(hole.kind, depth) for _ in range(items))

    def of_kind(self, kind: str, depth: int) -> str:
        if kind == "number":
            return str(self.chance.pick([0, 1, 1, 2, 3, self.book.most]))
        if kind == "name":
            return self.chance.pick(self.names)
        ways: list[Any] = [*self.book.vocabularies.get(kind, ()), *self.kinds.get(kind, ())]
        if depth > DEEP or self.chance.below(3):  # plain sentences are read more often than deep ones
            least = min(map(self._depth, ways))
            ways = [way for way in ways if self._depth(way) <= least]
        way = self.chance.pick(ways)
        return way if isinstance(way, str) else self.said(way, depth)

    def _depth(self, way: Any) -> int:
        return 0 if isinstance(way, str) else self._tall(way, self.height)


def odd_cards(game: Game, chance: Chance) -> Iterator[Odd]:
    """One card for each phrase in each text field of each sort of card."""
    oddities = Oddities(game, chance)
    table = game.prints["card"]
    templates: dict[Any, dict[str, Any]] = {}
    for row in game.own_tables()["card"]:
        templates.setdefault(row.get(table.by), row)
    for sort, template in templates.items():
        fields = {**table.fields, **table.sorts.get(sort, {})}
        for field, kind in game.texts.items():
            if field not in fields:
                continue
            for phrase in game.book.phrases:
                if text := oddities.sentence(kind, phrase):
                    listed = not fields[field].fits(text)
                    texts = [text] * max(1, len(template.get(field, ()))) if listed else text
                    yield Odd(str(sort), field, phrase, {**template, field: texts})
