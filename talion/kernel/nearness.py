"""Nearness: which phrases a sentence comes near to, although it is none of them.

Words are compared by their stems, their likely misspellings, and what people who write cards say for one another.
"""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .phrases import ACTS, ARTICLE, NUMERALS, Agree, Phrase, Phrasebook

ALIKE = (
    "deal inflict cause do",
    "draw take get gain receive pick",
    "take steal",
    "add put gain give place",
    "lose suffer take pay",
    "pay spend cost",
    "heal gain recover restore regain",
    "kill destroy deal defeat eliminate",
    "discard remove trash lose",
    "remove cancel discard negate prevent",
    "ignore prevent negate cancel",
    "choose pick select target",
    "change swap exchange replace switch",
    "turn rotate",
    "turn convert transform become change count into",
    "ready reset unrotate unexhaust untap straighten refresh",
    "tap exhaust rotate",
    "look see peek view reveal show",
    "reveal flip show",
    "move go walk",
    "hire recruit",
    "all each every any",
    "start beginning begin",
    "end finish",
    "when whenever if at while",
    "more additional extra plus",
    "less fewer reduced",
    "player opponent other another",
    "target a another one",
    "control employ own your",
    "reroll roll",
    "may optionally can",
    "cannot can't",
    "get gain receive have",
    "play put use cast",
    "increase add more",
)
"""Words that mean the same on cards, or nearly, or can: any two of a line."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[^\w\s]")
_COUNT = "#"
_MOST_WORDS = 5000
"""How many words that people wrote are remembered."""

# How much a word counts, where one that stands in the phrase itself counts 1.
_ALIKE = 0.7
_MISSPELT = 0.8
_FILLING = 0.6
_FIRST = 2
_WORDLESS = 0.3
"""How much of a phrase is heard that is nothing but holes."""
_IRREGULAR = {"dice": "die", "has": "have", "goes": "go", "dies": "die", "does": "do"}


@lru_cache(maxsize=_MOST_WORDS)
def stem(word: str) -> str:
    """A word without its ending; every number is the same."""
    word = word.lower()
    if word.isdecimal() or word in NUMERALS:
        return _COUNT
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("'s", "’s", "ies", "ing", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def stems(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text.replace(ARTICLE, "a"))]


@dataclass(frozen=True)
class _Words:
    own: tuple[str, ...]
    """The stems of the words that stand in a phrase itself."""
    filling: frozenset[str]
    """Those that can stand in its holes."""


class Nearness:
    """Compares sentences with the phrases of a book."""

    def __init__(self, book: Phrasebook, vocabularies: Mapping[str, Mapping[str, Any]]) -> None:
        self.vocabularies = vocabularies
        self.members = [set(stems(line)) for line in (*ALIKE, *book.alike)]
        self.groups: dict[str, list[int]] = {}
        for number, members in enumerate(self.members):
            for word in members:
                self.groups.setdefault(word, []).append(number)
        self.kinds: dict[str, list[Phrase]] = {}
        for phrase in book.phrases:
            self.kinds.setdefault(phrase.kind, []).append(phrase)
        self.words = {
            phrase: _Words(tuple(dict.fromkeys(_own(phrase))), frozenset(self._filling(phrase, set())))
            for phrase in book.phrases
        }
        often = Counter(word for words in self.words.values() for word in words.own)
        self.weights = {word: math.log(1 + len(self.words) / count) for word, count in often.items()}
        self.usual = math.log(1 + len(self.words) / 4)
        """What a word counts that no phrase has."""
        self.known = {word for words in self.words.values() for word in (*words.own, *words.filling)}
        self._near: dict[str, dict[str, float]] = {}

    def _filling(self, phrase: Phrase, seen: set[str]) -> Iterator[str]:
        """What can stand in its holes, but for whole sentences of their own."""
        for hole in phrase.holes:
            yield from stems(hole.separator or "")
            if hole.kind in seen or hole.kind in ACTS:
                continue
            seen.add(hole.kind)
            if hole.kind == "number":
                yield _COUNT
            for word in self.vocabularies.get(hole.kind, ()):
                yield from stems(word)
            for below in self.kinds.get(hole.kind, ()):
                yield from _own(below)
                yield from self._filling(below, seen)

    def near(self, word: str) -> dict[str, float]:
        """The stems of the book that mean the same as a word, or nearly, each with how much, from 0 to 1."""
        if word not in self._near:
            if len(self._near) >= _MOST_WORDS:
                self._near.clear()
            near = dict.fromkeys(
                (other for group in self.groups.get(word, ()) for other in self.members[group] & self.known),
                _ALIKE,
            )
            if word in self.known:
                near[word] = 1
            elif len(word) > 3:
                near |= dict.fromkeys(
                    difflib.get_close_matches(word, sorted(self.known), n=2, cutoff=0.75), _MISSPELT
                )
            self._near[word] = near
        return self._near[word]

    def score(self, before: list[str], after: list[str], phrase: Phrase) -> float:
        """How near a sentence comes to a phrase, from 0 to 1: how much of each is heard in the other.

        The first word that could not be read counts most: it is what was said in other words.
        """
        words = self.words[phrase]
        own = dict.fromkeys(words.own, 0.0)
        heard = all_heard = 0.0
        for i, word in enumerate((*before, *after)):
            weight = self.weight(word) * (_FIRST if i == len(before) else 1)
            all_heard += weight
            best = 0.0
            for other, how in self.near(word).items():
                if other in own:
                    own[other] = max(own[other], how)
                    best = max(best, how)
                elif other in words.filling:
                    best = max(best, _FILLING * how)
            heard += best * weight
        said = sum(map(self.weight, own))
        shared = sum(how * self.weight(word) for word, how in own.items())
        return (heard / (all_heard or 1) + (shared / said if said else _WORDLESS)) / 2

    def has_words(self, phrase: Phrase) -> bool:
        return any(word.isalpha() for word in self.words[phrase].own)

    def weight(self, word: str) -> float:
        """A word that few phrases have says more about which one is meant."""
        return self.weights.get(word, self.usual)


def _own(phrase: Phrase) -> list[str]:
    pieces = (piece.one if isinstance(piece, Agree) else piece for piece in phrase.pieces)
    return stems(" ".join(piece for piece in pieces if isinstance(piece, str)))
