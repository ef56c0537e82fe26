"""Reading: from a sentence on a card to what it says.

All patterns of a phrasebook make one lark grammar; every sentence has exactly one reading, and a sentence that has none
is told so, with the place and the nearest phrases.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .phrases import Agree, Article, Hole, ListOf, Phrase, Phrasebook, Piece, Said, Vocable, text_of
from .tables import nearest

if TYPE_CHECKING:
    from lark import Lark, Tree, UnexpectedInput

_CAPITALS = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")


class Unreadable(Exception):  # noqa: N818
    """A sentence with no reading, or with two."""

    def __init__(self, problem: str, sentence: str, column: int = 0, nearest: Iterable[str] = ()) -> None:
        self.problem = problem
        self.sentence = sentence
        self.column = column
        self.nearest = tuple(nearest)
        super().__init__(self.explain())

    def explain(self, where: str = "") -> str:
        lines = [f"{where}{self.problem}", f"    {self.sentence}", f"    {' ' * self.column}^"]
        if self.nearest:
            lines += ["  The nearest phrases are:", *(f"    {pattern}" for pattern in self.nearest)]
        return "\n".join(lines)


class Reader:
    """Reads sentences by a phrasebook and the names of a set of cards."""

    def __init__(self, book: Phrasebook, names: Iterable[str]) -> None:
        self.book = book
        self.vocabularies = {**book.vocabularies, "name": {name: name for name in sorted(set(names))}}
        self.known: dict[str, Any] = {}
        """Sentences read before, as plain data: kept between runs by whoever loads the cards."""
        self._parser: Lark | None = None
        self._kinds = sorted({phrase.kind for phrase in book.phrases} | set(self.vocabularies) | {"number"})

    def fingerprint(self) -> str:
        patterns = [(p.kind, p.pattern) for p in self.book.phrases]
        words = {kind: sorted(table) for kind, table in self.vocabularies.items()}
        return hashlib.blake2b(json.dumps([patterns, words]).encode(), digest_size=12).hexdigest()

    def read(self, sentence: str, kind: str) -> Said:
        """The one reading of a sentence (without its full stop)."""
        key = f"{kind}: {sentence}"
        if key not in self.known:
            self.known[key] = _to_plain(self._parse(sentence, kind), self.book.phrases)
        said: Said = _from_plain(self.known[key], self)
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

    def _parse(self, sentence: str, kind: str) -> Any:
        from lark import UnexpectedInput

        if kind not in self._kinds:
            raise Unreadable(f"no phrase is of the kind {kind}", sentence)
        try:
            tree = self._lark().parse(sentence, start=f"k_{kind}")
        except UnexpectedInput as problem:
            at = getattr(problem, "pos_in_stream", None)
            column = len(sentence) if at is None or at < 0 else min(at, len(sentence))
            if stranger := self._stranger(problem, sentence[column:]):
                near = nearest(stranger, self.vocabularies["name"])
                raise Unreadable(f"no card is called {stranger}{near}", sentence, column) from None
            raise Unreadable(
                "this says nothing the phrasebook knows", sentence, column, self.nearest(sentence, kind)
            ) from None
        readings = [self._said(tree) for tree in _unfold(tree)]
        different = {reading_key(said): said for said in readings}
        if len(different) > 1:
            first, second = list(different.values())[:2]
            one, other = _difference(first, second)
            a, b = (part.phrase.pattern if isinstance(part, Said) else text_of(part) for part in (one, other))
            column = max(0, sentence.lower().find(text_of(one).lower()))
            raise Unreadable(f"this can be read in two ways: “{a}” and “{b}”", sentence, column)
        return readings[0]

    def _stranger(self, problem: UnexpectedInput, rest: str) -> str | None:
        """Where the name of a card could have stood: the name that stands there instead, if it looks like one."""
        names = {_literal(name, whole=True, exact=True).strip("/") for name in self.vocabularies["name"]}
        allowed = getattr(problem, "allowed", None) or ()
        patterns = [one.pattern for one in self._lark().terminals if one.name in allowed]
        wanted = any(
            one.value in names and not one.flags for one in patterns
        )  # names alone are matched exactly
        capitals = _CAPITALS.match(rest)
        return capitals[0] if capitals and wanted else None

    def nearest(self, sentence: str, kind: str) -> list[str]:
        patterns = [phrase.pattern for phrase in self.book.phrases if phrase.kind == kind]
        plain = {re.sub(r"\{\w+:(\w+)[^}]*\}", r"\1", pattern).lower(): pattern for pattern in patterns}
        close = difflib.get_close_matches(sentence.lower(), list(plain), n=3, cutoff=0.2)
        return [plain[text] for text in close]

    # The grammar -------------------------------------------------------------------------------------------------

    def _lark(self) -> Lark:
        if self._parser is None:
            from lark import Lark

            self._parser = Lark(
                self._grammar(),
                parser="earley",
                lexer="dynamic",
                ambiguity="explicit",
                start=[f"k_{kind}" for kind in self._kinds],
                keep_all_tokens=True,
            )
        return self._parser

    def _grammar(self) -> str:
        rules: dict[str, list[str]] = {kind: [] for kind in self._kinds}
        lines: list[str] = []
        lists: dict[tuple[str, str], str] = {}
        for number, phrase in enumerate(self.book.phrases):
            body = []
            for piece in phrase.pieces:
                if isinstance(piece, Hole) and piece.separator is not None:
                    body.append(lists.setdefault((piece.kind, piece.separator), f"l{len(lists)}"))
                elif isinstance(piece, Hole):
                    if piece.kind not in rules:
                        raise ValueError(f"“{phrase.pattern}” has a hole of the unknown kind {piece.kind}")
                    body.append(f"k_{piece.kind}")
                else:
                    body.append(_terminal(piece))
            rules[phrase.kind].append(f"p{number}")
            lines.append(f"p{number}: {' '.join(body)}")
        for (kind, separator), name in lists.items():
            lines.append(f"{name}: k_{kind} | {name} {_literal(separator)} k_{kind}")
        for kind, table in self.vocabularies.items():
            for i, word in enumerate(table):
                rules[kind].append(f"v_{kind}_{i}")
                lines.append(f"v_{kind}_{i}: {_literal(word, whole=True, exact=kind == 'name')}")
        rules["number"].append(r"/\d+(?!\d)/")
        for kind, ways in rules.items():
            lines.append(f"k_{kind}: {' | '.join(ways) or '/(?!)x/'}")
        return "\n".join(lines)

    def _said(self, tree: Tree[Any]) -> Any:
        """What a tree without ambiguity says."""
        name = tree.data
        if name.startswith("k_"):
            only = tree.children[0]
            return self._said(only) if hasattr(only, "data") else int(str(only))
        if name.startswith("v_"):
            kind, number = name[2:].rsplit("_", 1)
            word = list(self.vocabularies[kind])[int(number)]
            return Vocable(word, self.vocabularies[kind][word])
        if name.startswith("l"):
            return [self._said(child) for child in _items(tree)]
        phrase = self.book.phrases[int(name[1:])]
        below = [child for child in tree.children if hasattr(child, "data")]
        filled: dict[str, Any] = {}
        for hole, child in zip(phrase.holes, below, strict=True):
            filled[hole.name] = self._said(child)
            if hole.separator is not None:
                filled[hole.name] = _list_of(filled[hole.name], hole.separator)
        return Said(phrase, filled)


def _list_of(items: Iterable[Any], separator: str) -> ListOf:
    made = ListOf(items)
    made.separator = separator
    return made


def _items(tree: Tree[Any]) -> Iterator[Tree[Any]]:
    for child in tree.children:
        if hasattr(child, "data"):
            if child.data.startswith("l"):
                yield from _items(child)
            else:
                yield child


def _terminal(piece: Piece) -> str:
    if isinstance(piece, Agree):
        ways = sorted({piece.one, piece.many}, key=len, reverse=True)
        return "/(" + "|".join(_escape(way) for way in ways) + r")(?!\w)/i"
    if isinstance(piece, Article):
        return r"/an?(?!\w)/i"
    assert isinstance(piece, str)
    return _literal(piece)


def _escape(text: str) -> str:
    return re.sub(r"([\\/.^$*+?{}\[\]|()])", r"\\\1", text)


def _literal(text: str, *, whole: bool = False, exact: bool = False) -> str:
    """A terminal for these words; a name is matched exactly, other words in any case."""
    boundary = r"(?!\w)" if whole and text[-1:].isalnum() else ""
    return f"/{_escape(text)}{boundary}/" + ("" if exact else "i")


def _unfold(tree: Any, limit: int = 16) -> list[Any]:
    """The trees without ambiguity that an ambiguous tree stands for (some of them, if they are many)."""
    if not hasattr(tree, "data"):
        return [tree]
    if tree.data == "_ambig":
        return [reading for child in tree.children for reading in _unfold(child)][:limit]
    ways: list[list[Any]] = [[]]
    for child in tree.children:
        ways = [way + [reading] for way in ways for reading in _unfold(child)][:limit]
    return [type(tree)(tree.data, way) for way in ways]


def reading_key(said: Any) -> str:
    """Two readings are the same if they use the same phrases for the same holes."""
    if isinstance(said, Said):
        return f"{said.phrase.pattern}({','.join(reading_key(value) for value in said.filled.values())})"
    if isinstance(said, list):
        return f"[{','.join(reading_key(item) for item in said)}]"
    return repr(said)


def _difference(first: Any, second: Any) -> tuple[Any, Any]:
    """The outermost place where two readings part ways."""
    if isinstance(first, Said) and isinstance(second, Said) and first.phrase is second.phrase:
        for name in first.filled:
            if reading_key(first.filled[name]) != reading_key(second.filled[name]):
                return _difference(first.filled[name], second.filled[name])
    return first, second


def _differs_at(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a.lower(), b.lower(), strict=False)) if x != y), len(a))


def _to_plain(said: Any, phrases: list[Phrase]) -> Any:
    if isinstance(said, Said):
        filled = {name: _to_plain(value, phrases) for name, value in said.filled.items()}
        return {"phrase": phrases.index(said.phrase), "filled": filled}
    if isinstance(said, ListOf):
        return {"list": [_to_plain(item, phrases) for item in said], "by": said.separator}
    if isinstance(said, Vocable):
        return {"word": said.text}
    return said


def _from_plain(plain: Any, reader: Reader) -> Any:
    if not isinstance(plain, dict):
        return plain
    phrase = reader.book.phrases[plain["phrase"]]
    filled = {}
    for hole in phrase.holes:
        filled[hole.name] = _fill_from_plain(plain["filled"][hole.name], hole, reader)
    return Said(phrase, filled)


def _fill_from_plain(plain: Any, hole: Hole, reader: Reader) -> Any:
    if isinstance(plain, dict) and "list" in plain:
        return _list_of((_fill_from_plain(item, hole, reader) for item in plain["list"]), plain["by"])
    if isinstance(plain, dict) and "word" in plain:
        return Vocable(plain["word"], reader.vocabularies[hole.kind][plain["word"]])
    return _from_plain(plain, reader)
