"""State is declared once; copy, save, load, equality and view derive from the declaration.

    class Clone(Part):
        corpus = Counter(20, low=None)
        hand = Zone(seen_by=OWNER)

A part's fields become slots. How a field is copied, written and read stands in its kind below and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from .asks import Card
from .places import Misuse

if TYPE_CHECKING:
    from .phrases import Said

T = TypeVar("T")
P = TypeVar("P", bound="Part")
Q = TypeVar("Q")
R = TypeVar("R")


class Audience(Enum):
    """Who sees a field. `TOP`: a zone whose top card is seen by all."""

    EVERYONE = "everyone"
    OWNER = "owner"
    NOBODY = "nobody"
    TOP = "top"


EVERYONE, OWNER, NOBODY, TOP = Audience.EVERYONE, Audience.OWNER, Audience.NOBODY, Audience.TOP


_AS_IT_IS = frozenset({int, str, bool, float, type(None)})


def write_plain(value: Any) -> Any:
    """Plain data as JSON can carry it: tuples become lists, a card becomes `{"card": 17}`."""
    if type(value) in _AS_IT_IS:
        return value
    if isinstance(value, Card):
        return {"card": int(value)}
    if isinstance(value, (tuple, list)):
        return [write_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: write_plain(item) for key, item in value.items()}
    return value


def read_plain(value: Any) -> Any:
    """The reverse of `write_plain`."""
    if isinstance(value, list):
        return tuple(read_plain(item) for item in value)
    if isinstance(value, dict):
        if value.keys() == {"card"}:
            return Card(value["card"])
        return {key: read_plain(item) for key, item in value.items()}
    return value


class Field(Generic[T]):
    """One declared piece of state. This base kind holds one plain value that cannot change in place."""

    copied = "twin.{name} = self.{name}"
    """How generated code copies the field: a statement over `self`, its `twin` and the `piles` copied so far."""
    may_name_cards = False
    named = "if self.{name}: gather(self.{name}, found)"
    """How generated code adds the cards that the field names to those `found`."""

    def __init__(self, start: T, *, seen_by: Audience = EVERYONE) -> None:
        self.start = start
        self.seen_by = seen_by
        self.name = ""

    def fresh(self, part: Part, build: Building) -> T:
        return self.start

    def write(self, value: T) -> Any:
        return write_plain(value)

    def read(self, written: Any, part: Part, name: str) -> None:
        setattr(part, name, read_plain(written))

    def problem(self, value: T) -> str | None:
        """What is wrong with a value, if anything."""
        return None

    if TYPE_CHECKING:

        @overload
        def __get__(self, obj: None, owner: Any) -> Field[T]: ...
        @overload
        def __get__(self, obj: object, owner: Any) -> T: ...
        def __get__(self, obj: object | None, owner: Any) -> Any: ...
        def __set__(self, obj: object, value: T) -> None: ...


class Counter(Field[int]):
    """A number, within bounds that every match is checked against."""

    def __init__(
        self, start: int = 0, *, low: int | None = 0, high: int | None = None, seen_by: Audience = EVERYONE
    ) -> None:
        super().__init__(start, seen_by=seen_by)
        self.low = low
        self.high = high

    def problem(self, value: int) -> str | None:
        if self.low is not None and value < self.low:
            return f"{value} is below {self.low}"
        if self.high is not None and value > self.high:
            return f"{value} is above {self.high}"
        return None


class Flag(Field[bool]):
    def __init__(self, start: bool = False, *, seen_by: Audience = EVERYONE) -> None:
        super().__init__(start, seen_by=seen_by)


class Word(Field[str]):
    def __init__(self, start: str = "", *, seen_by: Audience = EVERYONE) -> None:
        super().__init__(start, seen_by=seen_by)


class Seat(Field[int]):
    """The number of a seat: `active = Seat(0)`. Where there may be none, `holder = Seat.maybe()` begins as None."""

    @staticmethod
    def maybe(start: int | None = None, *, seen_by: Audience = EVERYONE) -> MaybeSeat:
        return MaybeSeat(start, seen_by=seen_by)


class MaybeSeat(Field["int | None"]):
    """The number of a seat, or None."""


class Value(Field[Any]):
    """Any plain data that is replaced, never changed in place: tuples of words, numbers, cards. One that is not `of_cards`
    never names a card; then nobody needs to look for one in it.
    """

    def __init__(self, start: Any = None, *, seen_by: Audience = EVERYONE, of_cards: bool = True) -> None:
        super().__init__(start, seen_by=seen_by)
        self.may_name_cards = of_cards

    def problem(self, value: Any) -> str | None:
        found: set[Card] = set()
        if not self.may_name_cards:
            gather_cards(value, found)
        if found:
            return "names a card, though it is declared to name none"
        return (
            f"is {changing}, which can change in place: write a tuple"
            if (changing := _changing(value))
            else None
        )


def _changing(value: Any) -> str:
    """What in plain data can change in place, if anything: a copy of a match would change with it."""
    if isinstance(value, tuple):
        return next(filter(None, map(_changing, value)), "")
    return f"a {type(value).__name__}" if isinstance(value, (list, dict, set)) else ""


class Counters(Field[dict[str, int]]):
    """A number for each of some keys: influence by House."""

    copied = "twin.{name} = self.{name}.copy()"

    def __init__(
        self, keys: Iterable[str], start: int = 0, *, low: int | None = 0, seen_by: Audience = EVERYONE
    ) -> None:
        self.keys = tuple(keys)
        self.low = low
        super().__init__(dict.fromkeys(self.keys, start), seen_by=seen_by)

    def fresh(self, part: Part, build: Building) -> dict[str, int]:
        return dict(self.start)

    def read(self, written: Any, part: Part, name: str) -> None:
        if gone := written.keys() - set(self.keys):
            raise ValueError(f"{name} has no {sorted(gone)[0]} here")
        setattr(part, name, {**getattr(part, name), **written})

    def problem(self, value: dict[str, int]) -> str | None:
        if set(value) != set(self.keys):
            return f"has keys {sorted(value)} instead of {sorted(self.keys)}"
        low = [key for key, number in value.items() if self.low is not None and number < self.low]
        return f"{low[0]} is below {self.low}" if low else None


class Bag(Field[dict[str, int]]):
    """Things that are not cards, by kind and number: dice, minions, tokens."""

    copied = "twin.{name} = self.{name}.copy()"

    def __init__(self, start: Mapping[str, int] | None = None, *, seen_by: Audience = EVERYONE) -> None:
        super().__init__(dict(start or {}), seen_by=seen_by)

    def fresh(self, part: Part, build: Building) -> dict[str, int]:
        return dict(self.start)

    def read(self, written: Any, part: Part, name: str) -> None:
        setattr(part, name, dict(written))

    def problem(self, value: dict[str, int]) -> str | None:
        negative = [key for key, number in value.items() if number < 0]
        return f"holds {value[negative[0]]} {negative[0]}" if negative else None


class Place:
    """What never changes about a zone: its name, who owns it, who sees it."""

    __slots__ = ("id", "in_force", "key", "lines", "name", "ordered", "owner", "seen_by", "you")

    def __init__(self, number: int, zone: Zone, owner: int | None, key: tuple[Any, ...]) -> None:
        self.id = number
        self.name = zone.name
        self.owner = owner
        self.seen_by = zone.seen_by
        self.ordered = zone.ordered
        self.in_force = bool(zone.in_force)
        self.you = owner or 0
        """Who says `you` on the cards that lie here."""
        self.lines = zone.in_force if callable(zone.in_force) else None
        """Which of their lines are in force; None if all are."""
        self.key = key
        """How an option names the zone: `("headspace",)`, `("underway", 1)`, `("dens", 2, "boss")`."""

    def shows(self, observer: int | None) -> bool:
        """Whether this observer sees the faces of all cards lying here. A watcher is None, or a number after all seats."""
        seen_by = self.seen_by
        return seen_by is EVERYONE or (seen_by is OWNER and observer == self.owner and observer is not None)


class Pile(list[Card]):
    """The cards in a zone. The top of a deck is its last card."""

    __slots__ = ("place",)
    place: Place

    @property
    def top(self) -> Card:
        return self[-1]


class Zone(Field[Pile]):
    """A list of cards with a declared audience.

    In an `ordered` zone everybody can tell the places apart (a deck, face-down cards in a row); in one without order,
    such as a hand, somebody who does not see the faces sees a number of cards and no more. The lines of cards that
    lie `in_force` hold for the zone's owner: all of them, or those that a given test on lines lets through.
    """

    copied = (
        "here = self.{name}; twin.{name} = pile = Pile(here) if here else Pile(); "
        "pile.place = here.place; piles.append(pile)"
    )

    def __init__(
        self,
        *,
        seen_by: Audience,
        ordered: bool | None = None,
        in_force: bool | Callable[[Said], bool] = False,
    ) -> None:
        super().__init__(cast(Pile, None), seen_by=seen_by)
        self.in_force = in_force
        self.ordered = seen_by is not OWNER if ordered is None else ordered

    def fresh(self, part: Part, build: Building) -> Pile:
        pile = Pile()
        pile.place = Place(len(build.piles), self, build.owner, (*build.prefix, self.name, *build.suffix))
        build.piles.append(pile)
        return pile

    def write(self, value: Pile) -> Any:
        return [int(card) for card in value]

    def read(self, written: Any, part: Part, name: str) -> None:
        getattr(part, name)[:] = [Card(number) for number in written]


class PerCard(Field[list[Any]]):
    """A value for every card: rotation, damage, progress. Declared on the state, read as `t.rotation[card]`.

    A public one stays with the card. One that `travels` is part of what is hidden when the face is: which way up. One
    `of_cards` names other cards: what a card lies on.
    """

    copied = "twin.{name} = self.{name}[:]"

    def __init__(self, start: Any = 0, *, travels: bool = False, of_cards: bool = False) -> None:
        super().__init__(cast("list[Any]", start))
        self.may_name_cards = of_cards
        self.travels = travels

    def fresh(self, part: Part, build: Building) -> list[Any]:
        return []

    def read(self, written: Any, part: Part, name: str) -> None:
        setattr(part, name, [read_plain(item) for item in written])


class Parts(Field["list[P]"], Generic[P]):
    """Several parts of one kind. With a `count` they may hold zones; without one they come and go and may not."""

    copied = "twin.{name} = [part._copy(piles) for part in self.{name}]"
    named = "for part in self.{name}: part._speak_of(found)"

    def __init__(self, kind: type[P], count: int | None = None) -> None:
        super().__init__(cast("list[P]", None))
        self.kind = kind
        self.may_name_cards = bool(kind.free)
        self.count = count
        self.comes_and_goes = count is None

    def fresh(self, part: Part, build: Building) -> list[P]:
        return [self.kind.build(build.within(self.name, i, build.owner)) for i in range(self.count or 0)]

    def write(self, value: list[P]) -> Any:
        return [part.write() for part in value]

    def read(self, written: Any, part: Part, name: str) -> None:
        parts: list[P] = getattr(part, name)
        if self.comes_and_goes:
            parts[:] = [self.kind.build(Building(0)) for _ in written]
        for one, text in zip(parts, written, strict=True):
            one.read(text)


class Seats(Parts[P]):
    """One part for each seat; what lies in it belongs to that seat."""

    def __init__(self, kind: type[P]) -> None:
        super().__init__(kind)
        self.comes_and_goes = False

    def fresh(self, part: Part, build: Building) -> list[P]:
        return [self.kind.build(build.at_seat(seat)) for seat in range(build.seats)]


class PartList(list[Q]):
    """Parts that have names: `t.expeditions["red"]`. Of a board, `rows` are its parts, row by row."""

    __slots__ = ("_rows", "names")

    def __init__(self, parts: Iterable[Q], names: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> None:
        super().__init__(parts)
        self.names = names
        self._rows = rows

    def __getitem__(self, key: Any) -> Any:
        try:
            return super().__getitem__(self.names.index(key) if isinstance(key, str) else key)
        except ValueError:
            raise Misuse(f"there is no {key} here; there are {', '.join(self.names)}") from None

    def items(self) -> Iterator[tuple[str, Q]]:
        """Each part with its name."""
        return zip(self.names, self, strict=True)

    def like(self, parts: Iterable[R]) -> PartList[R]:
        """Others with the same names."""
        return PartList(parts, self.names, self._rows)

    @property
    def rows(self) -> list[list[Q]]:
        return [[self[name] for name in row] for row in self._rows]

    def beside(self, name: str) -> list[str]:
        """The names of the neighbours on a board: left, right, above and below."""
        at = {there: (i, j) for i, row in enumerate(self._rows) for j, there in enumerate(row)}
        i, j = at[name]
        near = [(i, j - 1), (i, j + 1), (i - 1, j), (i + 1, j)]
        return [there for spot in near for there, place in at.items() if place == spot]


class Named(Parts[P]):
    """Several parts of one kind, each with a name: `Named(Expedition, ("red", "blue"))`. A board has its names in rows:
    `Named(Square, rows=("a1 b1 c1", "a2 b2 c2"))`."""

    copied = "twin.{name} = self.{name}.like([part._copy(piles) for part in self.{name}])"

    def __init__(self, kind: type[P], names: Iterable[str] = (), *, rows: Iterable[str] = ()) -> None:
        self.rows = tuple(tuple(row.split()) for row in rows)
        self.names = tuple(names) or tuple(name for row in self.rows for name in row)
        if not self.names or len(set(self.names)) < len(self.names):
            raise TypeError("parts with names need a name each, all different")
        if "name" in kind.fields:
            raise TypeError(f"{kind.__name__}.name would hide the name that each of these parts has")
        super().__init__(kind, len(self.names))

    def fresh(self, part: Part, build: Building) -> PartList[P]:
        parts = [self.kind.build(build.within(self.name, name, build.owner)) for name in self.names]
        return PartList(parts, self.names, self.rows)

    if TYPE_CHECKING:

        @overload
        def __get__(self, obj: None, owner: Any) -> Named[P]: ...
        @overload
        def __get__(self, obj: object, owner: Any) -> PartList[P]: ...
        def __get__(self, obj: object | None, owner: Any) -> Any: ...


class Building:
    """Where we are while a state is being built."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.piles: list[Pile] = []
        self.owner: int | None = None
        self.prefix: tuple[Any, ...] = ()
        self.suffix: tuple[Any, ...] = ()

    def within(self, field: str, index: int | str, owner: int | None) -> Building:
        inner = Building(self.seats)
        inner.piles = self.piles
        inner.owner = owner
        inner.prefix = (*self.prefix, field, index)
        inner.suffix = self.suffix
        return inner

    def at_seat(self, seat: int) -> Building:
        inner = Building(self.seats)
        inner.piles = self.piles
        inner.owner = seat
        inner.suffix = (seat,)
        return inner


class _PartKind(type):
    """Turns declared fields into slots and writes the class's copy function."""

    def declares(cls, name: str) -> bool:
        """Whether a game declares this field, and not the kernel."""
        return name in cls.fields and not any(name in vars(kind) for kind in cls.__mro__ if _of_kernel(kind))

    fields: dict[str, Field[Any]]
    derived: dict[str, Callable[[Any], Any]]
    has_secrets: bool
    """Whether something here or below is hidden from somebody and is not a card."""
    per_card: list[tuple[str, Any]]
    free: list[str]
    """Fields of plain data that may name a card, and parts that have such fields."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _PartKind:
        own = {key: value for key, value in space.items() if isinstance(value, Field)}
        for key, value in own.items():
            kinds = [base for base in bases if isinstance(base, _PartKind)]
            if any(hasattr(base, key) and not base.declares(key) for base in kinds):
                raise TypeError(
                    f"{name}.{key} would hide the kernel’s own {key}: give this field another name"
                )
            if isinstance(value, Value) and (problem := value.problem(value.start)):
                raise TypeError(f"{name}.{key} = Value({value.start!r}): it {problem}, as in Value(())")
            value.name = key
            del space[key]
        space["__slots__"] = (*space.get("__slots__", ()), *own)
        kind = super().__new__(mcs, name, bases, space)
        inherited = [base for base in bases if isinstance(base, _PartKind)]
        kind.fields = {key: value for base in inherited for key, value in base.fields.items()} | own
        kind.per_card = [
            (key, value.start) for key, value in kind.fields.items() if isinstance(value, PerCard)
        ]
        kind.free = [key for key, field in kind.fields.items() if field.may_name_cards]
        kind.derived = {key: value for base in inherited for key, value in base.derived.items()}
        kind.derived |= {key: value for key, value in space.items() if getattr(value, "_shown", False)}
        kind.has_secrets = any(
            field.kind.has_secrets if isinstance(field, Parts) else field.seen_by is not EVERYONE
            for field in kind.fields.values()
            if not isinstance(field, Zone)
        )
        _write_methods(kind)
        return kind


def _write_methods(kind: _PartKind) -> None:
    """What is done by the million is written out for each class: copying, and telling cards apart."""
    copies = [field.copied.format(name=key) for key, field in kind.fields.items()]
    named = [kind.fields[key].named.format(name=key) for key in kind.free]
    columns = ["faces", "where", *dict(kind.per_card)]
    look = f"({', '.join(f'{key}[card]' for key in columns)}, card if card in singled else None)"
    scope: dict[str, Any] = {"kind": kind, "new": object.__new__, "Pile": Pile, "gather": gather_cards}
    for head, *body in (
        ["def _copy(self, piles):", "twin = new(kind)", "twin.seat = self.seat", *copies, "return twin"],
        ["def _speak_of(self, found):", *named, "return found"],
        [
            "def _by_look(self, cards, singled):",
            *(f"{key} = self.{key}" for key in columns),
            "found = {}",
            f"for card in cards: found.setdefault({look}, card)",
            "return found",
        ],
    ):
        exec("\n    ".join([head, *body]), scope)
    for method in ("_copy", "_speak_of", "_by_look"):
        setattr(kind, method, scope[method])


def written_out(reads: str, **names: Any) -> property:
    """A property of views that reads something, written out as code: nothing stands between it and what it reads."""
    scope = names.copy()
    exec(f"def read(view): return {reads}", scope)
    return property(scope["read"])


NAMELESS = frozenset({int, str, bool, type(None)})
"""Kinds of plain data that name no card."""


def gather_cards(value: Any, found: set[Card]) -> None:
    """The cards that plain data names."""
    if type(value) is Card:
        found.add(value)
    elif isinstance(value, (tuple, list)) and not NAMELESS.issuperset(map(type, value)):
        for item in value:
            if type(item) not in NAMELESS:
                gather_cards(item, found)


def _of_kernel(kind: type) -> bool:
    return kind.__module__.startswith(__package__)


class Part(metaclass=_PartKind):
    """A piece of state with declared fields."""

    __slots__ = ("seat",)
    seat: int | None
    """The seat this part belongs to."""

    if TYPE_CHECKING:

        def _copy(self: P, piles: list[Pile]) -> P: ...
        def _speak_of(self, found: set[Card]) -> set[Card]:
            """Adds every card that plain data in here names: frames that wait or last, choices, what lies on what."""

        def _by_look(self, cards: Iterable[Card], singled: Collection[Card]) -> dict[tuple[Any, ...], Card]:
            """In a state: the first of the cards of each face, zone and fields, and each that is singled out."""

    @classmethod
    def build(cls: type[P], build: Building) -> P:
        part = object.__new__(cls)
        part.seat = build.owner
        for name, field in cls.fields.items():
            setattr(part, name, field.fresh(part, build))
        return part

    @classmethod
    def new(cls: type[P], **values: Any) -> P:
        """A part that comes into being during a match (without zones)."""
        part = cls.build(Building(0))
        for name, value in values.items():
            if name not in cls.fields:
                raise AttributeError(f"{cls.__name__} has no field {name}")
            setattr(part, name, value)
        return part

    def write(self) -> dict[str, Any]:
        return {name: field.write(getattr(self, name)) for name, field in type(self).fields.items()}

    def read(self, written: Mapping[str, Any]) -> None:
        """The reverse of `write`. A field that was not written has its start; one that is not declared is an error."""
        fields = type(self).fields
        for name, text in written.items():
            if name not in fields:
                raise ValueError(f"{type(self).__name__} has no {name} here")
            fields[name].read(text, self, name)

    def problems(self) -> Iterator[str]:
        """Fields out of their bounds, here and below."""
        for name, field in type(self).fields.items():
            value = getattr(self, name)
            if isinstance(field, Parts):
                for i, part in enumerate(value):
                    yield from (f"{name} {i}: {problem}" for problem in part.problems())
            elif problem := field.problem(value):
                yield f"{name} {problem}"


def shown(method: Callable[[Any], T]) -> Callable[[Any], T]:
    """Marks a method of a part whose value everybody may see, though it is not stored: a hand size, a total."""
    method._shown = True  # type: ignore[attr-defined]
    return method
