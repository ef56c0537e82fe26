"""What a game is to the kernel: its identity, its state, its steps, its cards, and how it is put into words."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

from .asks import Card, Option, Result, S, Standing, Step
from .content import BadCards, Content, Face, lay_over, read_cards, read_toml
from .fields import Counter
from .phrases import Phrasebook, When
from .places import Misuse, place_of
from .rulebook import Rulebook
from .tables import CardTable, problems, undeclared

if TYPE_CHECKING:
    from .plays import Source
    from .state import State


_MOST_KEPT = 24
"""Contents besides the printed one that are kept ready."""


class BadOption(Exception):  # noqa: N818
    """A match option that this game does not have, or a value it does not take."""


@dataclass(frozen=True)
class Choice:
    """A variant that the rulebook or a ruling names, as an option of a match."""

    name: str
    default: Any
    values: tuple[Any, ...] = ()
    """What it may be; empty if `check` decides."""
    text: str = ""
    rule: str = ""
    check: Callable[[Any, Content, int], str | None] | None = None
    """Says what is wrong with a value (of a deck list, say), or None."""

    def read(self, text: str) -> Any:
        """The value that a word on the command line stands for."""
        by_word = {str(value).lower(): value for value in (*self.values, self.default)}
        if text.lower() in by_word:
            return by_word[text.lower()]
        return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


@dataclass(frozen=True)
class Strength:
    """How strong the bots of a game are, as measured."""

    easy: float = 0.4
    """The share of its options that the gentle one notices: it beats chance, and loses to who looks one decision ahead."""
    shrugs: float = 0.0
    """How much worse than doing nothing a thing may look to the gentle one, who then takes any such thing it notices; with
    nought, it takes the best."""
    normal: int = 100
    hard: int = 400
    """Iterations a decision of the two that think: `hard` stays under a second at 95 of 100 decisions."""
    manner: Mapping[str, Any] = field(default_factory=dict)
    """Where the search differs from the usual one: settings by their names."""
    sober: tuple[float, float] = (0.0, 1.0)
    """How a judgement is put into words: what is added to its logarithm of odds, multiplied by the second before. Bots play
    by the judgement as it is; `talion calibrate` finds these."""


def _face_name(t: Any, card: Card) -> str:
    return t.face(card).name  # type: ignore[no-any-return]


def even_payoff(result: Result, seat: int) -> float:
    """A win is everything; where nobody wins, it is as if everybody had won a part."""
    return float(seat in result.winners) if result.winners else 1 / result.seats


def winners_payoff(result: Result, seat: int) -> float:
    """A win is everything, and an end that nobody wins is as bad as any other loss."""
    return float(seat in result.winners)


@dataclass(frozen=True, eq=False)
class Game(Generic[S]):
    """One game. A package under `games/` makes one of these, named `game`."""

    key: str
    title: str
    seats: tuple[int, ...]
    state: type[S]
    start: Step
    """The first step: set-up."""
    rules: types.ModuleType
    """Where the steps live, for saves and scenarios that name one."""
    longest: int
    """No match has more decisions than this."""
    version: int = 1
    """Rises when play changes, so that old records know they are old."""
    designer: str = ""
    about: str = ""
    """One sentence for somebody who has never heard of it."""
    length: str = ""
    hidden: str = ""
    """What is hidden, in words."""
    choices: tuple[Choice, ...] = ()
    folder: Path | None = None
    """Where cards.toml, rules.md, scenarios and views are."""
    tables: Mapping[str, Any] = field(default_factory=dict)
    """What is printed, for a game in one file that has no cards.toml."""
    prints: Mapping[str, CardTable] = field(default_factory=dict)
    """Which tables a card file can have, and what stands in each; one that is not declared is hardly checked."""
    book: Phrasebook = field(default_factory=Phrasebook)
    texts: Mapping[str, str] = field(default_factory=dict)
    """Which field of a card is read as which kind of phrase."""
    said_in: Callable[[Face, str], When] | None = None
    """In which occasion a field of a face is said, as phrases declare by `said_in`; without it, the field's name."""
    build: Callable[[Any], None] | None = None
    """Creates the cards and what else is there before set-up begins."""
    reckon: Callable[[Any], None] | None = None
    """Works out what follows from the rest of a state, for a position that somebody laid out."""
    sources: Callable[[Any], Iterable[Source]] | None = None
    """Cards whose lines are in force now, beyond those that lie in a zone declared `in_force`."""
    standing: Callable[[Any], Iterable[Standing]] | None = None
    facts: Mapping[str, Callable[..., bool]] = field(default_factory=dict)
    card_name: Callable[[Any, Card], str] = _face_name
    words: Callable[[Any, int, Option], str | None] | None = None
    """The short, stable name of an option; None for the usual words."""
    means: Callable[[Any, int, Option], str] | None = None
    """What an option would do, in a sentence."""
    grave: Callable[[Any, int, Option], str | None] | None = None
    """Why a person should think twice before an option: it would kill, or cannot be taken back."""
    validate: Callable[[Content], Iterable[str]] | None = None
    """What is wrong with a set of cards beyond its sentences."""
    stands_in: Callable[[Face, Face], bool] | None = None
    """Whether a card can lie in another's place when new cards are tried; without it, in that of any of its sort."""
    phase: Callable[[Any], Sequence[tuple[str, bool]]] | None = None
    """Where in the turn we are: the phases in order, the present one marked."""
    picture: Callable[[Any, Sequence[str]], Iterable[str]] | None = None
    """The table as lines of text, from a view and the seats' names; without it, everything is listed."""
    plays_as: Callable[[Any, int], str] | None = None
    """What a seat plays with in this state (its hero, its witch, its deck), so that wins can be counted by it."""
    turns: str = ""
    """The counter of the state by which people tell how long a match was: its `turn`, its `round`. One that begins again (with
    an act) is added up."""
    strength: Strength = Strength()
    """How long the named bots think in this game, and in which manner."""
    payoff: Callable[[Result, int], float] = even_payoff
    """What an end is worth to a seat, from 0 to 1, as the rulebook ranks ends: for bots."""
    value: Callable[[Any, int], float] | None = None
    """How good a view is for a seat, for bots. From 0 (lost) to 1 (won)."""
    hint: Callable[[Any, Option], float] | None = None
    """How promising an option looks at first sight, for bots. 0 is neutral."""
    _contents: dict[Any, Content] = field(default_factory=dict, repr=False)
    """The printed content under None, then others that were used lately."""

    def __post_init__(self) -> None:
        if not isinstance(self.seats, tuple) or not all(isinstance(n, int) for n in self.seats):
            raise TypeError(
                f"{self.key}: seats names every number of players there can be, as in seats=(2, 3), not {self.seats!r}"
            )
        if self.turns and not isinstance(self.state.fields.get(self.turns), Counter):
            raise TypeError(
                f"{self.key}: turns names a counter of {self.state.__name__}, which has none called {self.turns!r}"
            )

    def content(self, cards: Path | None = None) -> Content:
        """The printed cards, with those of a file laid over them. A file that was changed is read again."""
        if cards is None and None in self._contents:
            return self._contents[None]
        if cards is None:
            return self._kept(None, lambda: self.printed(self.own_tables(), "cards.toml"))
        tables = self.content().tables
        changes = read_cards(cards, tables, self.card_table)
        key = (cards, repr(changes))
        return self._kept(key, lambda: self.printed(lay_over(tables, changes, str(cards)), str(cards)))

    def content_of(self, text: str) -> Content:
        """The content that this text is of: see `Content.text`. Raises `BadCards` if the game cannot read it."""
        if text == self.content().text:
            return self.content()
        return self._kept(text, lambda: self.printed(_tables_of(text), "the cards of this match"))

    def _kept(self, key: Any, make: Callable[[], Content]) -> Content:
        """Content takes a while to make: what was used lately is kept."""
        made = self._contents.pop(key, None) or make()
        self._contents[key] = made
        for old in [old for old in self._contents if old is not None][:-_MOST_KEPT]:
            del self._contents[old]
        return made

    def own_tables(self) -> dict[str, Any]:
        """Everything the game itself prints, as it is written down."""
        own = (self.folder / "cards.toml") if self.folder else None
        return read_toml(own) if own and own.exists() else dict(self.tables)

    @property
    def card_table(self) -> CardTable:
        """What may be printed on a card."""
        return self.prints.get("card") or undeclared(self.texts)

    def printed(self, tables: Mapping[str, Any], source: str) -> Content:
        """The content of these tables, if they are in order."""
        for problem in problems(tables, self.prints, self.texts, self.own_tables()):
            raise BadCards(f"{source}, {problem}")
        unread = {"flavour"}.union(*(table.unread for table in self.prints.values()))
        content = Content(
            tables,
            self.texts,
            self.book,
            source,
            self.card_table.single,
            self.said_in,
            unread=unread,
            own=self.content,
        )
        for problem in self.validate(content) if self.validate else ():
            raise BadCards(f"{source}: {problem}")
        return content

    @property
    def rulebook(self) -> Rulebook:
        """From rules.md, or for a game in one file from its docstring."""
        return Rulebook.load(self.folder / "rules.md") if self.folder else Rulebook(self.rules.__doc__ or "")

    def step(self, name: str) -> Step:
        found = getattr(self.rules, name, None)
        if not callable(found):
            raise KeyError(f"{self.title} has no step {name}")
        return found  # type: ignore[no-any-return]

    def chosen(self, options: Mapping[str, Any], content: Content, seats: int) -> dict[str, Any]:
        """All options of a match, the given ones checked."""
        known = {choice.name: choice for choice in self.choices}
        for name, value in options.items():
            if name not in known:
                have = ", ".join(known) or "none"
                raise BadOption(f"{self.title} has no option {name}; it has: {have}.")
            choice = known[name]
            if choice.check:
                if problem := choice.check(value, content, seats):
                    raise BadOption(f"{name}: {problem}")
            elif value not in choice.values and value != choice.default:
                may = ", ".join(str(value) for value in choice.values)
                raise BadOption(f"{name} cannot be {value}; it may be: {may}.")
        return {choice.name: options.get(choice.name, choice.default) for choice in self.choices}

    # Words -------------------------------------------------------------------------------------------------------

    def can_be_tried_as(self, face: Face, other: Face) -> bool:
        """Whether a card can lie in another's place when it is tried: of one sort, and the game says that it may."""
        by = self.card_table.by
        alike = not by or face.get(by) == other.get(by)
        return alike and (self.stands_in is None or self.stands_in(face, other))

    def name_of(self, t: State, seat: int, option: Option) -> str:
        """The short name of an option: `play WRATH`."""
        said = self.words(t, seat, option) if self.words else None
        if said is None:
            return " ".join(plain_words(t, seat, part) for part in option)
        if not isinstance(said, str):
            raise Misuse(f"{place_of(self.words)} gives {said!r} for {option}: it gives a text, or None")
        return said


def _tables_of(text: str) -> dict[str, Any]:
    try:
        tables = json.loads(text)
    except ValueError:
        tables = None
    if not isinstance(tables, dict) or not all(
        isinstance(row, dict) and isinstance(row.get("name"), str)
        for rows in tables.values()
        for row in (rows if isinstance(rows, list) else [None])
    ):
        raise BadCards("These cards cannot be read: they are no content of a match.")
    return tables


def plain_words(t: State, seat: int, part: Any) -> str:
    if isinstance(part, Card):
        return t.game.card_name(t, part) if t.knows(seat, part) else "a card"
    if isinstance(part, tuple):
        return " ".join(plain_words(t, seat, item) for item in part)
    return str(part).replace("_", " ")


__all__ = ["BadOption", "Choice", "Face", "Game", "Strength"]
