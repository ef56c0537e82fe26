"""The phrasebook: a sentence pattern and what it means.

A pattern is words and typed holes: `inflict {n:amount} {what:resource}`. A hole is filled by a closed vocabulary or by
another kind of phrase, so phrases nest. Sugar: `card(s)` and `[Quarry|Quarries]` agree with the number before them,
`a(n)` with the word after it, `{parts:cost+", "}` is a list. All patterns of a game make one grammar; every sentence has
exactly one reading, and printing what was read gives the sentence back. Only the endings that agree with a number are
free: `1 cards` is read, and printed as `1 card`. Where a number may stand, `a` and `an` are a one.

A phrase also knows its occasions. Each text field of a card is said in one (the field's own name, if the game has no
other word for it); a phrase can be said in all of them or in those it is `said_in`, and it may open another for what
stands inside it: “At the end of the round, …”.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import isgeneratorfunction
from types import GeneratorType
from typing import TYPE_CHECKING, Any, TypeVar

from .tables import MOST

if TYPE_CHECKING:
    from .asks import Asking
    from .plays import About, Play

BUDGET = 500
"""Effects that one step may carry out. A card that wants more is dropped and named in the log."""
DEPTH = 24
"""How deep effects may lie in effects."""

F = TypeVar("F", bound=Callable[..., Any])

When = tuple[str, ...]
"""The occasion of what is said: one, or one that goes by several names."""

ACTS = frozenset({"effect", "ability", "static", "trigger", "replacement", "cost"})
"""Kinds that are handed on as they are and run later; every other kind is read into a value first."""

NUMERALS = ("zero one two three four five six seven eight nine ten eleven twelve").split()
ARTICLE = "a(n)"
"""How `a` or `an` is written until the next word is known: in patterns, and among the words that a number can be."""
_ARTICLE = re.compile(r"a\(n\)(?=[ \0]*(\w?))")
_VOWELS = tuple("aeiou")
_COUNTS = frozenset({"number", "numeral", "amount"})
"""Kinds of hole that a word agrees with even when another hole stands between: `cancel 1 ENEMY die`."""
_TOKEN = re.compile(r'\{(\w+):(\w+)(?:\+"([^"]*)")?\}|\[([^|\]]*)\|([^\]]*)\]|(\w+)\((s|es)\)|\ba\(n\)')


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
    said_in: When = ()
    """The occasions in which it can be said; none if in all."""
    opens: str | Callable[[Said, When], When] = ""
    """The occasion in which what stands inside is said, the name of the hole that says it, or what finds it out."""
    wrong: Callable[[Said], str | None] | None = None
    """Says what is wrong with what fills the holes, if anything, as it reads after the sentence."""
    hints: Mapping[str, Any] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()

    @property
    def holes(self) -> list[Hole]:
        return [piece for piece in self.pieces if isinstance(piece, Hole)]

    @cached_property
    def rule(self) -> str:
        """The rule the phrase carries out: the first word of its function's docstring."""
        return (self.does.__doc__ or "").split(" ", 1)[0]

    def write(self, filled: Mapping[str, str], every: bool = False) -> str:
        """The sentence again, from what its holes were filled with; if wanted, with every ending it may have."""
        text = ""
        single = False
        for piece in self.pieces:
            if isinstance(piece, Hole):
                said = filled[piece.name]
                if piece.kind in _COUNTS or not single:
                    single = said.lower() in ("1", "one", ARTICLE)
                text += said
            elif isinstance(piece, Agree):
                text += f"\0{piece.one}\0{piece.many}\0" if every else piece.one if single else piece.many
            elif isinstance(piece, Article):
                text += ARTICLE
            else:
                text += piece
        return text


class Said:
    """A sentence, or part of one, as it was read: a phrase and what fills its holes."""

    __slots__ = (
        "_targets",
        "_text",
        "asks",
        "constant",
        "filled",
        "kind",
        "parent",
        "path",
        "phrase",
        "varying",
    )

    def __init__(self, phrase: Phrase, filled: dict[str, Any]) -> None:
        self.phrase = phrase
        self.kind = phrase.kind
        self.filled = filled
        self.constant = {name: _constant(value) for name, value in filled.items() if _is_constant(value)}
        """What fills the holes in every play alike: words and numbers."""
        self.varying = {name: value for name, value in filled.items() if name not in self.constant}
        """The holes whose filling is read from the play."""
        self.asks: bool = (
            self.kind in ACTS
            or self.kind == "target"
            or isgeneratorfunction(phrase.does)
            or any(not isinstance(part, Said) or part.asks for part in self.varying.values())
        )
        """Whether somebody may have to be asked before it has a value."""
        self.parent: Said | None = None
        self._targets: list[Said] | None = None
        self._text = ""
        self.path: tuple[Any, ...] = ()
        """Where this stands: the face's name, field, line, then the holes down to it. Plain data, so it can be stored."""

    def __repr__(self) -> str:
        return f"<{self.phrase.kind}: {self.text}>"

    @property
    def text(self) -> str:
        """The sentence as it is printed."""
        if not self._text:
            self._text = text_of(self)
        return self._text

    @property
    def asked_by(self) -> str:
        """The rule for which a target is asked: that of the effect it stands in, else its own."""
        said: Said | None = self
        while said is not None and said.kind != "effect":
            said = said.parent
        return said.phrase.rule if said is not None and said.phrase.rule else self.phrase.rule

    def is_written(self, sentence: str) -> bool:
        """Whether a sentence says exactly this, whatever its endings."""
        pieces = text_of(self, every=True).split("\0")
        ways = "".join(
            re.escape(piece)
            if i % 3 == 0
            else f"(?:{re.escape(piece)}|"
            if i % 3 == 1
            else f"{re.escape(piece)})"
            for i, piece in enumerate(pieces)
        )
        return re.fullmatch(ways, sentence, re.IGNORECASE) is not None

    def parts(self) -> Iterator[Said]:
        """The phrases that fill its holes."""
        for value in self.filled.values():
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, Said):
                    yield item

    def below(self) -> Iterator[Said]:
        """This and every phrase inside it."""
        yield self
        for part in self.parts():
            yield from part.below()

    def in_force(self) -> Iterator[Said]:
        """This and every phrase inside it, but nothing inside an effect."""
        if self.kind != "effect":
            yield self
            for part in self.parts():
                yield from part.in_force()

    def misused(self, now: When) -> str | None:
        """Why this cannot be said now, as it reads after the place where it stands; None if it can."""
        phrase = self.phrase
        if phrase.said_in and not set(now) & set(phrase.said_in):
            here, there = ", ".join(now), ", ".join(phrase.said_in)
            return f"“{self.text}” cannot be said here ({here}); where it can be said: {there}."
        if phrase.wrong and (why := phrase.wrong(self)):
            return f"“{self.text}” {why}"
        inside = self._opened(now)
        return next(filter(None, (part.misused(inside) for part in self.parts())), None)

    def _opened(self, now: When) -> When:
        """The occasions in which what stands inside is said."""
        opens = self.phrase.opens
        if callable(opens):
            return opens(self, now)
        if opens in self.filled:
            return (str(self.constant[opens]),)
        return (opens,) if opens else now

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

    def run(self, play: Play) -> Asking:
        """Carries out this phrase. A generator, for it may ask.

        A phrase whose target nobody and nothing can be is skipped: do what can be done, skip the rest.
        """
        t = play.t
        if t.listener is not None:
            t.listener.said(self, play)
        effect = self.kind == "effect"
        if effect:
            t.effort += 1
            if t.effort > BUDGET or play.depth > DEPTH:
                return play.drop(self)
        play.depth += 1
        try:
            given = self.constant
            if self.varying:
                given = given.copy()
                for name, value in self.varying.items():
                    if value.__class__ is Said and not value.asks:
                        given[name] = value.read(play)
                    elif value.__class__ is Said and value.path in play.aimed:
                        given[name] = play.aimed_at(value)
                    else:
                        given[name] = yield from _filling(value, play)
            done = self.phrase.does(play, **given)
            return (yield from done) if type(done) is GeneratorType else done
        except NoTarget:
            if not effect:
                raise
            return None
        finally:
            play.depth -= 1

    def read(self, play: Play, about: About | None = None) -> Any:
        """The value of a phrase that asks nothing: an amount, a condition; or, with what is asked `about`, a static."""
        given = self._arguments(play) if self.varying else self.constant
        does = self.phrase.does
        value = does(play, **given) if about is None else does(play, about=about, **given)
        if type(value) is GeneratorType:
            raise TypeError(f"“{self.text}” asks, where only its value is wanted")
        if play.t.listener is not None and value is not None and value is not False:
            play.t.listener.said(self, play)
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


def text_of(value: Any, every: bool = False) -> str:
    """What was read, as it is printed; if wanted, with every ending it may have."""
    return _ARTICLE.sub(lambda found: "an" if found[1].lower() in _VOWELS else "a", _text_of(value, every))


def _text_of(value: Any, every: bool) -> str:
    if isinstance(value, Said):
        return value.phrase.write({name: _text_of(part, every) for name, part in value.filled.items()}, every)
    if isinstance(value, ListOf):
        return value.separator.join(_text_of(item, every) for item in value)
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
    if value.__class__ is Said and value.kind not in ACTS:
        return play.target(value) if value.kind == "target" else value.run(play)
    return _other_filling(value, play)


def _other_filling(value: Any, play: Play) -> Asking:
    """The same, of what is constant or a list."""
    if value.__class__ is not ListOf:
        return _constant(value)
    items = []
    for item in value:
        items.append((yield from _filling(item, play)))
    return items


def _read(value: Any, play: Play) -> Any:
    """The same, where nothing may be asked."""
    if value.__class__ is Said and value.kind not in ACTS:
        return play.aimed_at(value) if value.kind == "target" else value.read(play)
    return [_read(item, play) for item in value] if value.__class__ is ListOf else _constant(value)


class Phrasebook:
    """All the phrases of a game, by kind."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        """The largest number that a sentence can have."""
        self.phrases: list[Phrase] = []
        self.vocabularies: dict[str, dict[str, Any]] = {}
        self.alike: list[str] = []
        """Words that people say for one another in this game: any two of a line."""
        self.words("numeral", {ARTICLE: 1, **{word: number for number, word in enumerate(NUMERALS)}})
        self.words("number", {ARTICLE: 1})
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

    def synonyms(self, *lines: str) -> None:
        """Words that people say for words of this game. Nothing is read by them: they lead to the right phrase."""
        self.alike += lines

    def phrase(
        self,
        kind: str,
        *patterns: str,
        about: str = "",
        payable: Callable[..., bool] | None = None,
        fitting: Callable[..., list[Any]] | None = None,
        prompt: str = "",
        said_in: Iterable[str] = (),
        opens: str | Callable[[Said, When], When] = "",
        wrong: Callable[[Said], str | None] | None = None,
        **hints: Any,
    ) -> Callable[[F], F]:
        """Declares phrases of any kind. Several patterns are several ways to say the same."""
        when = tuple(said_in)

        def declare(does: F) -> F:
            for pattern in patterns:
                known = next((p for p in self.phrases if (p.kind, p.pattern) == (kind, pattern)), None)
                if known:
                    raise ValueError(f"the pattern “{pattern}” is in the phrasebook already, as {kind}")
                pieces = _pieces(pattern)
                self.phrases.append(
                    Phrase(
                        kind,
                        pattern,
                        does,
                        about,
                        payable,
                        fitting,
                        prompt,
                        when,
                        opens,
                        wrong,
                        hints,
                        pieces,
                    )
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

    def ability(self, *patterns: str, **more: Any) -> Callable[[F], F]:
        return self.phrase("ability", *patterns, **more)

    def amount(self, *patterns: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("amount", *patterns, **hints)

    def condition(self, *patterns: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("condition", *patterns, **hints)

    def target(self, *patterns: str, prompt: str = "", players: bool = False) -> Callable[[F], F]:
        """What an effect is aimed at: returns the candidates, cards or words; with `players`, the numbers of seats."""
        return self.phrase("target", *patterns, prompt=prompt, players=players)

    def cost(self, *patterns: str, payable: Callable[..., bool]) -> Callable[[F], F]:
        return self.phrase("cost", *patterns, payable=payable)

    def static(self, *patterns: str, question: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("static", *patterns, about=question, **hints)

    def trigger(self, *patterns: str, event: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("trigger", *patterns, about=event, **hints)

    def replacement(self, *patterns: str, event: str, **hints: Any) -> Callable[[F], F]:
        return self.phrase("replacement", *patterns, about=event, **hints)
