"""The chart of a sentence: which phrases begin where in it, and how far each of them gets.

An Earley parser over the pieces of phrases. A sentence that can be read has its readings here; of one that cannot, the
chart still knows every phrase that was under way, from the innermost to the whole sentence, and what each of them wanted next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from .phrases import ARTICLE, Agree, Article, ListOf, Phrase, Piece, Said, Vocable

_MOST_READINGS = 16
_MOST_DIGITS = 12


@dataclass(frozen=True)
class Words:
    """Words that stand in a sentence as they are, in one of these ways."""

    ways: tuple[str, ...]
    whole: bool = False
    """Whether no letter may follow."""
    exact: bool = False
    """Whether capitals count: they do in names."""
    apart: bool = False
    """Whether spaces must stand around it."""

    def match(self, text: str, at: int) -> int | None:
        """Where these words end, if they stand here."""
        for way in self.ways:
            end = at + len(way)
            said = text[at:end]
            if (said == way or (not self.exact and said.lower() == way.lower())) and self._ends(
                text, at, end
            ):
                return end
        return None

    def _ends(self, text: str, at: int, end: int) -> bool:
        if self.apart:
            return text[end : end + 1] == " " and (at == 0 or text[at - 1] == " ")
        return not (
            self.whole
            and text[end - 1].isalnum()
            and (text[end : end + 1].isalnum() or text[end : end + 1] == "_")
        )

    def reach(self, text: str, at: int) -> int:
        """How far a sentence goes along with these words: to its end, or to the last whole word."""
        return at + max(_along(way.lower(), text[at : at + len(way) + 1].lower()) for way in self.ways)


def _along(way: str, rest: str) -> int:
    same = next(
        (i for i, (a, b) in enumerate(zip(way, rest, strict=False)) if a != b), min(len(way), len(rest))
    )
    return same if same == len(rest) else way.rfind(" ", 0, same) + 1


@dataclass(frozen=True)
class Digits:
    """A number in digits."""

    def match(self, text: str, at: int) -> int | None:
        end = at
        while text[end : end + 1].isdecimal():
            end += 1
        return end if 0 < end - at <= _MOST_DIGITS else None

    def reach(self, text: str, at: int) -> int:
        return at


Symbol = Words | str
"""What a rule is made of: words, or the name of a kind."""


@dataclass(frozen=True, eq=False)
class Production:
    """One way to say a kind: a phrase, or a list of what a hole takes several of."""

    kind: str
    symbols: tuple[Symbol, ...]
    phrase: Phrase | None = None


@dataclass(eq=False, slots=True)
class Item:
    """A rule that began somewhere in the sentence and has been followed so far."""

    rule: Production
    dot: int
    """How many of its symbols were read."""
    start: int
    end: int
    before: list[tuple[Item, Any]] = field(default_factory=list)
    """The ways in which the last symbol was read: the item before it, and what was read."""

    @property
    def wants(self) -> Symbol | None:
        return self.rule.symbols[self.dot] if self.dot < len(self.rule.symbols) else None

    def below(self) -> Iterator[Item]:
        """The items that were read whole inside this one, by its first reading."""
        item = self
        while item.before:
            item, child = item.before[0]
            if isinstance(child, Item):
                yield child
                yield from child.below()


class Grammar:
    """The rules of a phrasebook and the words of its vocabularies."""

    def __init__(self, phrases: Iterable[Phrase], vocabularies: Mapping[str, Mapping[str, Any]]) -> None:
        self.words: dict[str, list[tuple[Words | Digits, Any]]] = {
            kind: [(_vocable(word, kind), Vocable(word, meaning)) for word, meaning in table.items()]
            for kind, table in vocabularies.items()
        }
        self.words.setdefault("number", []).append((Digits(), None))
        self.rules: dict[str, list[Production]] = {kind: [] for kind in self.words}
        for phrase in phrases:
            symbols = tuple(self._symbol(piece) for piece in phrase.pieces)
            self.rules.setdefault(phrase.kind, []).append(Production(phrase.kind, symbols, phrase))
        for rules in list(self.rules.values()):
            for rule in rules:
                self._check(rule)

    def _symbol(self, piece: Piece) -> Symbol:
        if isinstance(piece, str):
            return Words((piece,))
        if isinstance(piece, Agree):
            return Words(tuple(sorted({piece.one, piece.many}, key=len, reverse=True)), whole=True)
        if isinstance(piece, Article):
            return Words(("an", "a"), whole=True)
        if piece.separator is None:
            return piece.kind
        several = f"{piece.kind}+{piece.separator}"
        more = (several, Words((piece.separator,)), piece.kind)
        self.rules[several] = [Production(several, (piece.kind,)), Production(several, more)]
        return several

    def _check(self, rule: Production) -> None:
        for symbol in rule.symbols:
            if isinstance(symbol, str) and symbol not in self.rules:
                pattern = rule.phrase.pattern if rule.phrase else rule.kind
                raise ValueError(f"“{pattern}” has a hole of the unknown kind {symbol}")


def _vocable(word: str, kind: str) -> Words:
    if word == ARTICLE:
        return Words(("an", "a"), apart=True)
    return Words((word,), whole=True, exact=kind == "name")


class Chart:
    """How far each phrase gets in one sentence."""

    def __init__(self, grammar: Grammar, text: str, kind: str) -> None:
        self.grammar = grammar
        self.text = text
        self.columns: dict[int, dict[tuple[Production, int, int], Item]] = {}
        """For each place the items that have come there."""
        self.waiting: dict[tuple[int, str], list[Item]] = {}
        """For each place and kind the items that want this kind there."""
        self._said: dict[tuple[int, str], list[tuple[int, Any]]] = {}
        """For each place and kind the words of its vocabulary that stand there, each with its end."""
        self._reach: dict[tuple[str, int], int] = {}
        self._sentence = Production("", (kind,))
        self._add(Item(self._sentence, 0, 0, 0))
        for at in range(len(text) + 1):
            self._fill(at)

    def _add(self, item: Item) -> Item:
        column = self.columns.setdefault(item.end, {})
        return column.setdefault((item.rule, item.dot, item.start), item)

    def _fill(self, at: int) -> None:
        column = self.columns.get(at, {})
        done = 0
        while done < len(column):
            for item in list(islice(column.values(), done, None)):
                done += 1
                self._follow(item)

    def _follow(self, item: Item) -> None:
        wants, at = item.wants, item.end
        if wants is None:
            for parent in self.waiting.get((item.start, item.rule.kind), ()):
                self._advance(parent, at, item)
        elif isinstance(wants, str):
            if (at, wants) not in self.waiting:
                self._begin(wants, at)
            self.waiting[at, wants].append(item)
            for end, value in self._said[at, wants]:
                self._advance(item, end, value)
        elif (after := wants.match(self.text, at)) is not None:
            self._advance(item, after, None)

    def _begin(self, kind: str, at: int) -> None:
        self.waiting[at, kind] = []
        for rule in self.grammar.rules[kind]:
            self._add(Item(rule, 0, at, at))
        said = self._said[at, kind] = []
        for words, value in self.grammar.words.get(kind, ()):
            if (end := words.match(self.text, at)) is not None:
                said.append((end, int(self.text[at:end]) if value is None else value))

    def _advance(self, item: Item, end: int, read: Any) -> None:
        self._add(Item(item.rule, item.dot + 1, item.start, end)).before.append((item, read))

    # What the chart tells ----------------------------------------------------------------------------------------

    def whole(self, end: int | None = None) -> Item | None:
        """The sentence, or what stands before a place in it, if it can be read."""
        end = len(self.text) if end is None else end
        return self.columns.get(end, {}).get((self._sentence, 1, 0))

    def readings(self) -> list[Any]:
        """What the sentence says, in all the ways it can be read (some of them, if they are many)."""
        whole = self.whole()
        return [said for (said,) in _ways(whole)] if whole else []

    def reach(self, item: Item) -> int:
        """How far the sentence goes along with an item: past what it read, into the words it wants next."""
        wants = item.wants
        if isinstance(wants, Words):
            return wants.reach(self.text, item.end)
        if isinstance(wants, str) and wants in self.grammar.words:
            return self._heard(wants, item.end)
        return item.end

    def _heard(self, kind: str, at: int) -> int:
        if (kind, at) not in self._reach:
            self._reach[kind, at] = max(words.reach(self.text, at) for words, _ in self.grammar.words[kind])
        return self._reach[kind, at]

    def above(self, item: Item) -> list[Item]:
        """The items that this one is read for."""
        return self.waiting.get((item.start, item.rule.kind), [])


def _ways(item: Item) -> list[list[Any]]:
    """What the holes that were read so far are filled with, in each way it can be understood."""
    if not item.dot:
        return [[]]
    ways: list[list[Any]] = []
    for before, read in item.before:
        values = [None] if read is None else _meanings(read) if isinstance(read, Item) else [read]
        ways += [way if value is None else [*way, value] for way in _ways(before) for value in values]
    return ways[:_MOST_READINGS]


def _meanings(item: Item) -> list[Any]:
    phrase = item.rule.phrase
    if phrase:
        return [_say(phrase, way) for way in _ways(item)]
    return [[*way[0], way[1]] if len(way) > 1 else way for way in _ways(item)]


def _say(phrase: Phrase, way: list[Any]) -> Said:
    filled = {}
    for hole, value in zip(phrase.holes, way, strict=True):
        filled[hole.name] = value if hole.separator is None else list_of(value, hole.separator)
    return Said(phrase, filled)


def list_of(items: Iterable[Any], separator: str) -> ListOf:
    made = ListOf(items)
    made.separator = separator
    return made
