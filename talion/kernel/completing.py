"""Completing: what could stand in a sentence next, and which phrases it comes near to.

For whoever writes a card: a refusal says it, `talion phrases` lists it, and a page can show it while somebody types.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .chart import Chart, Item, Symbol, Words
from .nearness import Nearness, stems
from .phrases import ARTICLE, Hole, Phrase

if TYPE_CHECKING:
    from .reading import Reader

_MOST_PHRASES = 8
_FEW = 6
_NEAREST = 3
_WHOLE = 0.2
"""What it counts that a phrase makes a whole sentence."""
_HEARD = 0.5
"""What it counts that words look like those that stand at the place."""

# What counts besides the words that a phrase and a sentence share, which count from 0 to 1.
_FOLLOWED = 1.0
"""It was followed through the whole sentence."""
_STOPPED = 0.2
"""It was being read where the reading stopped."""


@dataclass(frozen=True)
class Span:
    """A part of a sentence that was read, or is under way."""

    start: int
    end: int
    phrase: Phrase


@dataclass(frozen=True)
class Next:
    """Words that could stand at the place where the reading stopped."""

    words: str
    """Up to the next hole, which is shown as `…`."""
    kind: str
    """The vocabulary or the kind of phrase they belong to."""


@dataclass(frozen=True)
class Example:
    """A sentence that is printed on a card."""

    sentence: str
    card: str

    @cached_property
    def words(self) -> set[str]:
        return set(stems(self.sentence))


@dataclass(frozen=True)
class Suggestion:
    """A phrase that was perhaps meant."""

    phrase: Phrase
    example: Example | None
    near: float
    """How near it comes: something to compare by."""


@dataclass(frozen=True)
class Completion:
    """A sentence that somebody is writing, as far as it can be read."""

    text: str
    place: int
    """Where the reading stopped, or the word began that is being written: what is next goes from here to the caret."""
    read: tuple[Span, ...]
    """What was read, the outermost first."""
    next: tuple[Next, ...]
    """What could stand at the place, the likeliest first."""
    ends: bool
    """Whether the sentence could end at the place."""
    phrases: tuple[Suggestion, ...]
    """The nearest phrases, the nearest first."""
    problem: str = ""
    """Why the whole text cannot be read; empty if it can."""
    column: int = 0
    """Where in the text the problem is."""

    @property
    def near(self) -> tuple[int, float]:
        """How much of the sentence was read, and how near the nearest phrase comes: something to compare by."""
        return self.place, max((suggestion.near for suggestion in self.phrases), default=0)

    def moved(self, by: int, text: str) -> Completion:
        """The same for a text in which the sentence begins later."""
        read = tuple(Span(span.start + by, span.end + by, span.phrase) for span in self.read)
        return replace(self, text=text, place=self.place + by, column=self.column + by, read=read)

    def could_stand(self) -> list[str]:
        """What could stand at the place, as it reads in a row."""
        return list(
            dict.fromkeys("a number" if it.kind == "number" else it.words.strip() for it in self.next)
        )

    def lines(self) -> list[str]:
        """The next step, for whoever reads it in a terminal."""
        lines = []
        if words := self.could_stand():
            more = ["…"] if len(words) > _FEW else []
            lines.append(f"Here could stand: {', '.join(words[:_FEW] + more)}")
        if self.ends:
            lines.append("Here the sentence could end.")
        if self.phrases:
            lines.append("The nearest phrases are:")
        for suggestion in self.phrases[:_NEAREST]:
            lines.append(f"  {suggestion.phrase.pattern}")
            if example := suggestion.example:
                lines.append(f"      “{example.sentence}” ({example.card})")
        return lines


class Completer:
    """Completes the sentences of a phrasebook."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.grammar = reader.grammar
        self.nearness = Nearness(reader.book, reader.vocabularies)
        self._said: dict[str, dict[Phrase, float]] = {}

    def complete(self, text: str, kind: str) -> Completion:
        """How a beginning could go on."""
        way = _Way(Chart(self.grammar, text, kind))
        scores = self._scores(way, kind)
        ranked = sorted(scores, key=lambda phrase: -scores[phrase])[:_MOST_PHRASES]
        words = set(stems(text))
        nearest = tuple(Suggestion(phrase, self._example(phrase, words), scores[phrase]) for phrase in ranked)
        return Completion(
            text, way.place, tuple(way.spans(scores)), self._next(way, scores), way.could_end(), nearest
        )

    def _example(self, phrase: Phrase, words: set[str]) -> Example | None:
        """The printed sentence that says a phrase most like these words."""
        examples = self.reader.examples.get(phrase, ())
        return max(examples, key=lambda example: len(words & example.words), default=None)

    def _sayable(self, kind: str) -> dict[Phrase, float]:
        """Every phrase that can be said where this kind is wanted, and what it counts to be a whole sentence there."""
        if kind not in self._said:
            whole = self._kinds(kind, lambda phrase: not self.nearness.has_words(phrase))
            self._said[kind] = {
                phrase: _WHOLE if known in whole and not _only_hole(phrase) else 0
                for known in self._kinds(kind, lambda phrase: True)
                for phrase in self.nearness.kinds.get(known, ())
                if self.nearness.has_words(phrase) or (known in whole and not self._passes_on(phrase))
            }
        return self._said[kind]

    def _passes_on(self, phrase: Phrase) -> bool:
        """Whether a phrase says nothing but what another phrase says."""
        hole = _only_hole(phrase)
        return hole is not None and hole.separator is None and bool(self.grammar.rules[hole.kind])

    def _kinds(self, kind: str, through: Callable[[Phrase], bool]) -> list[str]:
        """The kinds that can stand where this one is wanted, in the holes of such phrases."""
        kinds = [kind]
        for known in kinds:
            holes = [
                hole
                for phrase in self.nearness.kinds.get(known, ())
                if through(phrase)
                for hole in phrase.holes
            ]
            kinds += dict.fromkeys(hole.kind for hole in holes if hole.kind not in kinds)
        return kinds

    def _scores(self, way: _Way, kind: str) -> dict[Phrase, float]:
        """How near the sentence comes to each phrase that could be said here."""
        before, after = stems(way.text[: way.place]), stems(way.text[way.place :])
        scores = {
            phrase: self.nearness.score(before, after, phrase) + bonus
            for phrase, bonus in self._sayable(kind).items()
        }
        for phrase, gone in way.under_way().items():
            if phrase in scores:
                scores[phrase] += gone
        return scores

    def _next(self, way: _Way, scores: Mapping[Phrase, float]) -> tuple[Next, ...]:
        """What could stand at the place, the likeliest first."""
        likely: dict[Next, float] = {}
        for item in way.last:
            worth = way.worth(item, scores)
            for one in self._wanted(way, item):
                if one.words.strip(" …"):
                    likely[one] = max(worth + _HEARD * way.likeness(one.words), likely.get(one, 0))
        return tuple(sorted(likely, key=lambda one: -likely[one]))

    def _wanted(self, way: _Way, item: Item) -> Iterator[Next]:
        wants = item.wants
        if isinstance(wants, Words):
            openings = self._openings(item.rule.symbols[item.dot :], {item.rule.kind})
            yield from (Next(words, item.rule.kind) for words in way.from_the_place(openings, item))
        elif isinstance(wants, str):
            yield from (Next(words, wants) for words in way.from_the_place(self._vocabulary(wants), item))

    def _openings(self, symbols: tuple[Symbol, ...], seen: set[str]) -> list[str]:
        """The words that a row of symbols begins with: up to its first hole, or into it if it has few words."""
        text = ""
        for symbol in symbols:
            if isinstance(symbol, Words):
                text += symbol.ways[-1]
                continue
            if text.strip():
                words = self._vocabulary(symbol)
                few = symbol != "number" and not self.grammar.rules[symbol] and len(words) <= _FEW
                return [text + word for word in words] if few else [f"{text}…"]
            return [text + filling for filling in self._fillings(symbol, seen)]
        return [text]

    def _fillings(self, kind: str, seen: set[str]) -> list[str]:
        words = self._vocabulary(kind)
        if kind not in seen:
            for rule in self.grammar.rules[kind]:
                words += self._openings(rule.symbols, {*seen, kind})
        return words

    def _vocabulary(self, kind: str) -> list[str]:
        return [_word(value) for _, value in self.grammar.words.get(kind, ()) if _word(value) != ARTICLE]


def _only_hole(phrase: Phrase) -> Hole | None:
    """The hole that a phrase consists of, if it has nothing else."""
    first, *more = phrase.pieces
    return first if isinstance(first, Hole) and not more else None


def _word(value: Any) -> str:
    return "1" if value is None else value.text


class _Way:
    """How far the phrases got in a sentence, and where the reading stopped."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.text = text = chart.text
        self.reached = [
            (chart.reach(item), item) for column in chart.columns.values() for item in column.values()
        ]
        self.furthest = max(self._before_space(reach) for reach, _ in self.reached)
        self.last = [item for reach, item in self.reached if self._before_space(reach) == self.furthest]
        ends = max(self._before_space(item.end) for item in self.last)
        being_written = ends < self.furthest == len(text)
        self.place = max(ends, text.rfind(" ")) if being_written else self.furthest

    def _before_space(self, at: int) -> int:
        """A place in the text; a space alone leads nowhere."""
        return len(self.text[:at].rstrip())

    def could_end(self) -> bool:
        return self.chart.whole(self.place) is not None

    def under_way(self) -> dict[Phrase, float]:
        """What it counts for each phrase how far the sentence goes along with it, and to be in it where the reading stopped."""
        reached = {item: reach for reach, item in self.reached}
        for item in self.last:
            reached.update((above, max(reached[above], reached[item])) for above in self._chain(item))
        counts: dict[Phrase, float] = {}
        for item, reach in reached.items():
            if (phrase := item.rule.phrase) and reach > item.start:
                stopped = item.wants is not None and self._before_space(reach) == self.furthest
                count = _FOLLOWED * (reach - item.start) / len(self.text) + _STOPPED * stopped
                counts[phrase] = max(count, counts.get(phrase, 0))
        return counts

    def from_the_place(self, ways: Iterable[str], item: Item) -> Iterator[str]:
        """Of the ways in which an item could go on those that what is written goes along with, from the place on."""
        written = self.text[item.end : self.furthest].lower()
        for words in ways:
            if words.lower().startswith(written):
                yield self.text[self.place : item.end] + words[max(0, self.place - item.end) :]

    def likeness(self, words: str) -> float:
        """How much these words look like what stands at the place."""
        rest = self.text[self.place : self.place + len(words)].lower()
        return difflib.SequenceMatcher(None, words.lower(), rest).ratio() if rest.strip() else 0

    def worth(self, item: Item, scores: Mapping[Phrase, float]) -> float:
        """How near the sentence comes to the phrase that an item is of, and to the nearest that it is read for."""
        found = [scores.get(one.rule.phrase, 0) for one in self._chain(item) if one.rule.phrase] or [0]
        return (found[0] + max(found)) / 2

    def _chain(self, item: Item) -> list[Item]:
        """An item and all that it is read for, from the inside to the outside."""
        chain = [item]
        for one in chain:
            chain += (above for above in self.chart.above(one) if above not in chain)
        return chain

    def spans(self, scores: Mapping[Phrase, float]) -> list[Span]:
        """What was read, by the nearest of the ways to read it."""
        item = self.chart.whole() or max(self.last, key=lambda item: self.worth(item, scores))
        found: list[Item] = []
        while item not in found:
            found.append(item)
            found += item.below()
            item = max(self.chart.above(item), key=lambda item: self.worth(item, scores), default=item)
        spans = {
            Span(one.start, one.end, one.rule.phrase)
            for one in found
            if one.rule.phrase and one.end > one.start
        }
        return sorted(spans, key=lambda span: (span.start, -span.end))
