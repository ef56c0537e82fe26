"""The phrasebook: a sentence pattern and what it means.

A pattern is words and typed holes: `inflict {n:amount} {what:resource}`. A hole is filled by a closed vocabulary or by
another kind of phrase, so phrases nest. Sugar: `card(s)` and `[Quarry|Quarries]` agree with the number before them,
`a(n)` with the word after it, `{parts:cost+", "}` is a list. All patterns of a game make one lark grammar; every
sentence has exactly one reading, and printing what was read gives the sentence back. Only the endings that agree with a
number are free: `1 cards` is read, and printed as `1 card`.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import GeneratorType
from typing import TYPE_CHECKING, Any, TypeVar

from .tables import nearest

if TYPE_CHECKING:
    from lark import Lark, Tree, UnexpectedInput

    from .asks import Asking
    from .plays import Play

F = TypeVar("F", bound=Callable[..., Any])

ACTS = frozenset({"effect", "ability", "static", "trigger", "replacement", "cost"})
"""Kinds that are handed on as they are and run later; every other kind is read into a value first."""

NUMERALS = ("zero one two three four five six seven eight nine ten eleven twelve").split()
_COUNTS = frozenset({"number", "numeral", "amount"})
"""Kinds of hole that a word agrees with even when another hole stands between: `cancel 1 ENEMY die`."""
_TOKEN = re.compile(r'\{(\w+):(\w+)(?:\+"([^"]*)")?\}|\[([^|\]]*)\|([^\]]*)\]|(\w+)\((s|es)\)|\ba\(n\)')
_CAPITALS = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")


@dataclass(frozen=True)
class Hole:
    name: str
    kind: str
    separator: str | None
    """For a list: what stands between its items."""


@dataclass(frozen=True)
class Agree:
    """A word that is written one way after a one and another way after other numbers."""

    one: str
    many: str


@dataclass(frozen=True)
class Article:
    """`a` or `an`, as the next word wants it."""


Piece = str | Hole | Agree | Article


def _pieces(pattern: str) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    end = 0
    for match in _TOKEN.finditer(pattern):
        if match.start() > end:
            pieces.append(pattern[end : match.start()])
        name, kind, separator, one, many, word, plural = match.groups()
        if name:
            pieces.append(Hole(name, kind, separator))
        elif one is not None:
            pieces.append(Agree(one, many))
        elif word:
            pieces.append(Agree(word, word + plural))
        else:
            pieces.append(Article())
        end = match.end()
    if end < len(pattern):
        pieces.append(pattern[end:])
    return tuple(pieces)


@dataclass(frozen=True, eq=False)
class Phrase:
    """A pattern, its kind, and the function that carries out or reads what it says."""

    kind: str
    pattern: str
    does: Callable[..., Any]
    about: str = ""
    """For a static the question it answers, for a trigger or replacement the event it watches."""
    payable: Callable[..., bool] | None = None
    fitting: Callable[..., list[Any]] | None = None
    """For an effect with a target: of the candidates those that can be the target of this effect."""
    prompt: str = ""
    hints: Mapping[str, float] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()

    @property
    def holes(self) -> list[Hole]:
        return [piece for piece in self.pieces if isinstance(piece, Hole)]

    @property
    def rule(self) -> str:
        """The rule the phrase carries out: the first word of its function's docstring."""
        return (self.does.__doc__ or "").split(" ", 1)[0]

    def write(self, filled: Mapping[str, str], every: bool = False) -> str:
        """The sentence again, from what its holes were filled with; if wanted, with every ending it may have."""
        text = ""
        single = False
        for i, piece in enumerate(self.pieces):
            if isinstance(piece, Hole):
                said = filled[piece.name]
                if piece.kind in _COUNTS or not single:
                    single = said.lower() in ("1", "one", "a", "an")
                text += said
            elif isinstance(piece, Agree):
                text += f"\0{piece.one}\0{piece.many}\0" if every else piece.one if single else piece.many
            elif isinstance(piece, Article):
                after = self.pieces[i + 1]
                rest = after if isinstance(after, str) else ""
                if isinstance(self.pieces[i + 2] if rest == " " else None, Hole):
                    rest = filled[self.pieces[i + 2].name]  # type: ignore[union-attr]
                text += "an" if rest.strip(" \0")[:1].lower() in "aeiou" else "a"
            else:
                text += piece
        return text


class Said:
    """A sentence, or part of one, as it was read: a phrase and what fills its holes."""

    __slots__ = ("_targets", "constant", "filled", "parent", "path", "phrase", "varying")

    def __init__(self, phrase: Phrase, filled: dict[str, Any]) -> None:
        self.phrase = phrase
        self.filled = filled
        self.constant = {name: _constant(value) for name, value in filled.items() if _is_constant(value)}
        """What fills the holes in every play alike: words and numbers."""
        self.varying = {name: value for name, value in filled.items() if name not in self.constant}
        """The holes whose filling is read from the play."""
        self.parent: Said | None = None
        self._targets: list[Said] | None = None
        self.path: tuple[Any, ...] = ()
        """Where this stands: face, field, line, then the holes down to it. Plain data, so it can be stored."""

    def __repr__(self) -> str:
        return f"<{self.phrase.kind}: {self.text}>"

    @property
    def kind(self) -> str:
        return self.phrase.kind

    @property
    def text(self) -> str:
        return _text(self)

    def is_written(self, sentence: str) -> bool:
        """Whether a sentence says exactly this, whatever its endings."""
        pieces = _text(self, every=True).split("\0")
        ways = "".join(
            re.escape(piece)
            if i % 3 == 0
            else f"(?:{re.escape(piece)}|"
            if i % 3 == 1
            else f"{re.escape(piece)})"
            for i, piece in enumerate(pieces)
        )
        return re.fullmatch(ways, sentence, re.IGNORECASE) is not None

    def below(self) -> Iterator[Said]:
        """This and every phrase inside it."""
        yield self
        for value in self.filled.values():
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, Said):
                    yield from item.below()

    def in_force(self) -> Iterator[Said]:
        """This and every phrase inside it, but nothing inside an effect."""
        if self.kind != "effect":
            yield self
            for value in self.filled.values():
                for item in value if isinstance(value, list) else (value,):
                    if isinstance(item, Said):
                        yield from item.in_force()

    def within(self, path: Iterable[Any]) -> Said:
        """The phrase that a path of hole names and list places leads to."""
        node: Any = self
        for key in path:
            node = node.filled[key] if isinstance(node, Said) else node[key]
        return node  # type: ignore[no-any-return]

    def locate(self, path: tuple[Any, ...], parent: Said | None = None) -> None:
        """Tells this and every phrase inside it where it stands."""
        self.path, self.parent = path, parent
        for name, value in self.filled.items():
            if isinstance(value, Said):
                value.locate((*path, name), self)
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, Said):
                        item.locate((*path, name, i), self)

    # Reading and running -----------------------------------------------------------------------------------------

    def run(self, play: Play, **more: Any) -> Asking:
        """Carries out this phrase. A generator, for it may ask.

        A phrase whose target nobody and nothing can be is skipped: do what can be done, skip the rest.
        """
        effect = self.phrase.kind == "effect"
        if effect and not play.spend(self):
            return None
        play.depth += 1
        try:
            filled = {}
            for name, value in self.varying.items():
                aimed = value.__class__ is Said and value.path in play.aimed
                filled[name] = play.aimed_at(value) if aimed else (yield from _filling(value, play))
            done = self.phrase.does(play, **self.constant, **filled, **more)
            return (yield from done) if type(done) is GeneratorType else done
        except NoTarget:
            if not effect:
                raise
            return None
        finally:
            play.depth -= 1

    def read(self, play: Play, **more: Any) -> Any:
        """The value of a phrase that asks nothing: an amount, a condition, a static."""
        given = self._arguments(play) if self.varying else self.constant
        value = self.phrase.does(play, **given, **more)
        if type(value) is GeneratorType:
            raise TypeError(f"“{self.text}” asks, where only its value is wanted")
        return value

    def _arguments(self, play: Play) -> dict[str, Any]:
        """What the holes hold in this play, where nothing may be asked."""
        if not self.varying:
            return self.constant
        return {**self.constant, **{name: _read(value, play) for name, value in self.varying.items()}}

    def payable(self, play: Play) -> bool:
        """Whether a cost can be paid now."""
        check = self.phrase.payable
        return check is None or bool(check(play, **self._arguments(play)))

    # Targets -----------------------------------------------------------------------------------------------------

    def targets(self) -> list[Said]:
        """The target phrases in here, in the order of the words."""
        if self._targets is None:
            self._targets = [said for said in self.below() if said.kind == "target"]
        return self._targets

    def candidates(self, play: Play) -> list[Any]:
        """What a target phrase could mean now."""
        given = self._arguments(play) if self.varying else self.constant
        found: list[Any] = self.phrase.does(play, **given)
        parent = self.parent
        if parent is None or parent.phrase.fitting is None:
            return found
        known = parent.constant
        if len(parent.varying) > 1:
            others = {n: _read(value, play) for n, value in parent.varying.items() if not _aims(value)}
            known = {**known, **others}
        return parent.phrase.fitting(play, found, **known)

    def aimable(self, play: Play) -> bool:
        """Whether every target in here has a candidate."""
        return all(target.candidates(play) for target in self.targets())

    def aim(self, play: Play) -> Asking:
        """Asks for every target now, for use when this is carried out later."""
        for target in self.targets():
            play.aimed[target.path] = yield from play.choose_target(target)


def _aims(value: Any) -> bool:
    return isinstance(value, Said) and bool(value.targets())


class NoTarget(Exception):  # noqa: N818 - an outcome, not an error
    """A target phrase has no candidate."""


def _text(value: Any, every: bool = False) -> str:
    if isinstance(value, Said):
        return value.phrase.write({name: _text(part, every) for name, part in value.filled.items()}, every)
    if isinstance(value, ListOf):
        return value.separator.join(_text(item, every) for item in value)
    if isinstance(value, Vocable):
        return value.text
    return str(value)


class ListOf(list[Any]):
    """What fills a list hole."""

    __slots__ = ("separator",)
    separator: str


@dataclass(frozen=True, slots=True)
class Vocable:
    """A word of a closed vocabulary, and what it stands for."""

    text: str
    value: Any


def _is_constant(value: Any) -> bool:
    """Whether a hole's filling is the same in every play."""
    if isinstance(value, ListOf):
        return all(_is_constant(item) for item in value)
    return not isinstance(value, Said) or value.kind in ACTS


def _constant(value: Any) -> Any:
    if isinstance(value, ListOf):
        return [_constant(item) for item in value]
    return value.value if isinstance(value, Vocable) else value


def _filling(value: Any, play: Play) -> Asking:
    """What a hole's filling is handed on as."""
    if _is_constant(value):
        return _constant(value)
    if isinstance(value, ListOf):
        items = []
        for item in value:
            items.append((yield from _filling(item, play)))
        return items
    if value.kind == "target":
        return (yield from play.target(value))
    return (yield from value.run(play))


def _read(value: Any, play: Play) -> Any:
    """The same, where nothing may be asked."""
    if _is_constant(value):
        return _constant(value)
    if isinstance(value, ListOf):
        return [_read(item, play) for item in value]
    return play.aimed_at(value) if value.kind == "target" else value.read(play)


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


class Phrasebook:
    """All the phrases of a game, by kind."""

    def __init__(self) -> None:
        self.phrases: list[Phrase] = []
        self.vocabularies: dict[str, dict[str, Any]] = {}
        self.words("numeral", {word: number for number, word in enumerate(NUMERALS)})
        self.phrase("amount", "{n:number}")(lambda play, n: n)

    # Writing the book --------------------------------------------------------------------------------------------

    def words(self, kind: str, meanings: Mapping[str, Any] | Iterable[str]) -> None:
        """A closed vocabulary: what may stand in a hole of this kind, and what each word stands for.

        A word written `tick(s)` may stand in its singular and its plural.
        """
        table = dict(meanings) if isinstance(meanings, Mapping) else {word: word for word in meanings}
        for word, meaning in table.items():
            for form in dict.fromkeys((word.replace("(s)", ""), word.replace("(s)", "s"))):
                plain = meaning.replace("(s)", "") if meaning is word else meaning
                self.vocabularies.setdefault(kind, {})[form] = plain

    def phrase(
        self,
        kind: str,
        *patterns: str,
        about: str = "",
        payable: Callable[..., bool] | None = None,
        fitting: Callable[..., list[Any]] | None = None,
        prompt: str = "",
        **hints: Any,
    ) -> Callable[[F], F]:
        """Declares phrases of any kind. Several patterns are several ways to say the same."""

        def declare(does: F) -> F:
            for pattern in patterns:
                known = next((p for p in self.phrases if (p.kind, p.pattern) == (kind, pattern)), None)
                if known:
                    raise ValueError(f"the pattern “{pattern}” is in the phrasebook already, as {kind}")
                pieces = _pieces(pattern)
                self.phrases.append(
                    Phrase(kind, pattern, does, about, payable, fitting, prompt, hints, pieces)
                )
            return does

        return declare

    def effect(
        self,
        *patterns: str,
        fitting: Callable[..., list[Any]] | None = None,
        payable: Callable[..., bool] | None = None,
        **hints: Any,
    ) -> Callable[[F], F]:
        """An effect. `payable` says whether it has anything to act on, for games that want to know beforehand."""
        return self.phrase("effect", *patterns, fitting=fitting, payable=payable, **hints)

    def ability(self, *patterns: str) -> Callable[[F], F]:
        return self.phrase("ability", *patterns)

    def amount(self, *patterns: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("amount", *patterns, **hints)

    def condition(self, *patterns: str) -> Callable[[F], F]:
        return self.phrase("condition", *patterns)

    def target(self, *patterns: str, prompt: str = "") -> Callable[[F], F]:
        return self.phrase("target", *patterns, prompt=prompt)

    def cost(self, *patterns: str, payable: Callable[..., bool]) -> Callable[[F], F]:
        return self.phrase("cost", *patterns, payable=payable)

    def static(self, *patterns: str, question: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("static", *patterns, about=question, **hints)

    def trigger(self, *patterns: str, event: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("trigger", *patterns, about=event, **hints)

    def replacement(self, *patterns: str, event: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("replacement", *patterns, about=event, **hints)

    def reader(self, names: Iterable[str]) -> Reader:
        return Reader(self, names)


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
        return said

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
            a, b = (part.phrase.pattern if isinstance(part, Said) else _text(part) for part in (one, other))
            column = max(0, sentence.lower().find(_text(one).lower()))
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
