"""Reading: from a sentence on a card to what it says.

Every sentence has exactly one reading; one that has none is refused, with the place, what could stand there and the
nearest phrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from .chart import Chart, Grammar
from .completing import Completer, Completion, Example
from .phrases import ARTICLE, ListOf, Phrase, Phrasebook, Said, Vocable, text_of
from .tables import nearest

Printed = tuple[str, str, str]
"""A sentence that is printed, the card it stands on, and the kind it is read as."""

LONGEST = 400
"""How many letters a sentence can have."""
_CAPITALS = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")


class Unreadable(Exception):  # noqa: N818
    """A sentence with no reading, or with two."""

    def __init__(
        self, problem: str, sentence: str, column: int = 0, completion: Completion | None = None
    ) -> None:
        self.problem = problem
        self.sentence = sentence
        self.column = column
        self.completion = completion
        super().__init__(self.explain())

    def explain(self, where: str = "") -> str:
        """What is wrong, where, and what to write instead."""
        lines = [f"{where}{self.problem}", f"    {self.sentence}", f"    {' ' * self.column}^"]
        if self.completion:
            lines += [f"  {line}" for line in self.completion.lines()]
        return "\n".join(lines)


class Reader:
    """Reads sentences by a phrasebook and the names of a set of cards."""

    def __init__(
        self, book: Phrasebook, names: Iterable[str], printed: Callable[[], Iterable[Printed]] = tuple
    ) -> None:
        self.book = book
        self.vocabularies = {**book.vocabularies, "name": {name: name for name in sorted(set(names))}}
        self.grammar = Grammar(book.phrases, self.vocabularies)
        self._printed = printed

    @cached_property
    def examples(self) -> dict[Phrase, list[Example]]:
        """For each phrase the printed sentences that say it, the shortest first."""
        examples: dict[Phrase, list[Example]] = {}
        for sentence, card, kind in sorted(self._printed(), key=lambda printed: len(printed[0])):
            words = sentence.strip().removesuffix(".")
            for said in self._readings(words, kind)[:1]:
                for phrase in {part.phrase for part in said.below()}:
                    examples.setdefault(phrase, []).append(Example(sentence, card))
        return examples

    @cached_property
    def _completer(self) -> Completer:
        return Completer(self)

    def kinds(self) -> list[str]:
        """Everything that a hole or a field can take, what makes sentences first."""
        return list(dict.fromkeys((*(phrase.kind for phrase in self.book.phrases), *self.vocabularies)))

    def phrases(self, kind: str) -> list[Phrase]:
        return [phrase for phrase in self.book.phrases if phrase.kind == kind]

    def words(self, kind: str) -> list[str]:
        """The words that a hole of this kind takes, as they are told to whoever writes cards."""
        if kind == "name":
            return ["the name of a card"]
        words = list(self.vocabularies.get(kind, ()))
        return ["a", "an", "1", "2", "3", "…"] if kind == "number" else [w for w in words if w != ARTICLE]

    def complete(self, text: str, caret: int, kind: str) -> Completion:
        """A sentence that somebody is writing (without its full stop): how it can go on at the caret, and what is wrong with it."""
        try:
            self.read(text.rstrip(), kind)
        except Unreadable as problem:
            completion = problem.completion if caret == len(text) == len(problem.sentence) else None
            completion = completion or self._completer.complete(text[: min(caret, LONGEST)], kind)
            return replace(completion, text=text, problem=problem.problem, column=problem.column)
        return replace(self._completer.complete(text[:caret], kind), text=text)

    def read(self, sentence: str, kind: str) -> Said:
        """The one reading of a sentence (without its full stop)."""
        if len(sentence) > LONGEST:
            raise Unreadable(f"no sentence on a card is longer than {LONGEST} letters", sentence, LONGEST)
        readings = self._readings(sentence, kind)
        if not readings:
            raise self._refusal(sentence, kind)
        if len(readings) > 1:
            raise _two_ways(sentence, *readings[:2])
        said: Said = readings[0]
        if said.text.lower() != sentence.lower() and not said.is_written(sentence):
            raise Unreadable(f"reads back as “{said.text}”", sentence, _differs_at(said.text, sentence))
        if large := self._too_large(said):
            raise Unreadable(
                f"no number on a card is larger than {self.book.most}", sentence, sentence.find(str(large))
            )
        return said

    def _too_large(self, said: Said) -> int | None:
        numbers = (value for part in said.below() for value in part.filled.values() if isinstance(value, int))
        return next((number for number in numbers if number > self.book.most), None)

    def _readings(self, sentence: str, kind: str) -> list[Said]:
        """The different readings of a sentence."""
        if kind not in self.grammar.rules:
            raise Unreadable(f"no phrase is of the kind {kind}", sentence)
        readings = Chart(self.grammar, sentence, kind).readings()
        readings = [said for said in readings if not _counts_an_article(said)] or readings
        return list({reading_key(said): said for said in readings}.values())

    def _refusal(self, sentence: str, kind: str) -> Unreadable:
        completion = self._completer.complete(sentence, kind)
        rest = sentence[completion.place :]
        column = completion.place + len(rest) - len(rest.lstrip())
        capitals = _CAPITALS.match(sentence[column:])
        if capitals and any(one.kind == "name" for one in completion.next):
            near = nearest(capitals[0], self.vocabularies["name"])
            return Unreadable(f"no card is called {capitals[0]}{near}", sentence, column, completion)
        unfinished = any(one.words.lower().startswith(rest.lower()) for one in completion.next)
        problem = "this sentence is not finished" if unfinished else "this says nothing the phrasebook knows"
        return Unreadable(problem, sentence, column, completion)


def _counts_an_article(said: Any) -> bool:
    """Whether an article was read as a number somewhere: where it can be just an article, it is one."""
    if isinstance(said, Said):
        return any(_counts_an_article(value) for value in said.filled.values())
    if isinstance(said, ListOf):
        return any(map(_counts_an_article, said))
    return isinstance(said, Vocable) and said.text == ARTICLE


def reading_key(said: Any) -> str:
    """Two readings are the same if they use the same phrases for the same holes."""
    if isinstance(said, Said):
        return f"{said.phrase.pattern}({','.join(reading_key(value) for value in said.filled.values())})"
    if isinstance(said, list):
        return f"[{','.join(reading_key(item) for item in said)}]"
    return repr(said)


def _two_ways(sentence: str, first: Said, second: Said) -> Unreadable:
    one, other = _difference(first, second)
    a, b = (part.phrase.pattern if isinstance(part, Said) else text_of(part) for part in (one, other))
    column = max(0, sentence.lower().find(text_of(one).lower()))
    return Unreadable(f"this can be read in two ways: “{a}” and “{b}”", sentence, column)


def _difference(first: Any, second: Any) -> tuple[Any, Any]:
    """The outermost place where two readings part ways."""
    if isinstance(first, Said) and isinstance(second, Said) and first.phrase is second.phrase:
        for name in first.filled:
            if reading_key(first.filled[name]) != reading_key(second.filled[name]):
                return _difference(first.filled[name], second.filled[name])
    return first, second


def _differs_at(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a.lower(), b.lower(), strict=False)) if x != y), len(a))
