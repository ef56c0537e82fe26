"""What one seat (or a watcher) may know: the only door through which pages, bots, logs and terminals see a match.

An allow-list, computed on reading. `view.clones[0].corpus` reads a field; a zone is a `ZoneView`; `view.data()` is all of it
as plain data for the wire. Cards are named by labels of the seat's own, so no number can be used to follow a hidden card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic

from .asks import Ask, Card, Option, S, default_of
from .content import Content, Face
from .fields import (
    EVERYONE,
    NAMELESS,
    TOP,
    Field,
    Part,
    PartList,
    Parts,
    PerCard,
    Pile,
    Seats,
    Zone,
    written_out,
)
from .insides import visible
from .log import Line
from .state import State
from .wire import Wire

if TYPE_CHECKING:
    from .match import Match


class CardView:
    """A card whose face the seat knows. Fields of the card read as attributes: `card.rotation`."""

    __slots__ = ("_t", "face", "label", "number")

    def __init__(self, t: State, card: Card, label: int | None) -> None:
        self._t = t
        self.number = card
        """Its number in the match, for bots; never on the wire."""
        self.label = label
        self.face: Face = t.content.faces[t.faces[card]]

    @property
    def name(self) -> str:
        return self._t.game.card_name(self._t, self.number)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class HiddenCard:
    """A card that lies face down in a row: the seat sees that it is there, and its public marks."""

    __slots__ = ("_number", "_t")
    face = None
    name = "a card"
    label = None

    def __init__(self, t: State, card: Card) -> None:
        self._t = t
        self._number = card

    @property
    def place(self) -> Option:
        return self._t.place(self._number)

    @property
    def told(self) -> list[str]:
        """What everybody was told of it."""
        told = self._t.know.told.get(self._number, ()) if self._t.know else ()
        return [" ".join(map(str, fact)) for fact in told]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class ZoneView:
    """A zone as the seat sees it: `cards` where it can tell them apart, else a `count` and the `known` faces."""

    __slots__ = ("_pile", "_seat", "_t", "count", "seen")

    def __init__(self, t: State, pile: Pile, seat: int | None) -> None:
        self._t = t
        self._pile = pile
        self._seat = seat
        self.count = len(pile)
        self.seen = pile.place.shows(seat)
        """Whether the seat sees the faces here."""

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[CardView | HiddenCard]:
        return iter(self.cards)

    @property
    def cards(self) -> list[CardView | HiddenCard]:
        """The cards in their order. Empty for a hidden zone without order."""
        t, seat, seen = self._t, self._seat, self.seen
        if not seen and not self._pile.place.ordered:
            return []
        if seen and t.know is None:
            view_of = seen_card(type(t))
            return [view_of(t, card, int(card)) for card in self._pile]
        found: list[CardView | HiddenCard] = []
        for card in self._pile:
            top = self._pile.place.seen_by is TOP and card is self._pile[-1]
            label = t.label(seat, card)
            if label is None and top:
                label = int(card)
            found.append(
                hidden_card(type(t))(t, card) if label is None else seen_card(type(t))(t, card, label)
            )
        return found

    @property
    def faces(self) -> list[Face]:
        """What is printed on the cards that the seat knows here, in their order: for judging, where nothing else matters."""
        t = self._t
        if self.seen:
            printed, faces = t.content.faces, t.faces
            return [printed[faces[card]] for card in self._pile]
        return [card.face for card in self.cards if card.face is not None]

    @property
    def known(self) -> list[str]:
        """The names of the cards known to lie here, sorted, in a hidden zone without order."""
        t = self._t
        if self.seen or self._pile.place.ordered or t.know is None:
            return []
        pools = t.know.pools[t.observer(self._seat)]
        here = [pools[card] for card in self._pile]
        inside = {pool for pool in here if here.count(pool) == pools.count(pool)}
        return sorted(t.game.card_name(t, card) for card in self._pile if pools[card] in inside)


class PartView:
    """A part of the state, each field as the seat may see it. Every kind of part has a kind of view of its own, below."""

    __slots__ = ("_part", "_seat", "_t")

    def __init__(self, t: State, part: Part, seat: int | None) -> None:
        self._t = t
        self._part = part
        self._seat = seat

    @property
    def seat(self) -> int | None:
        return self._part.seat

    def __getattr__(self, name: str) -> Any:
        kind = type(self._part)
        if isinstance(kind.fields.get(name), PerCard):
            raise AttributeError(f"read {name} from the cards")
        raise AttributeError(f"{kind.__name__} shows no {name}")

    def _plain(self, value: Any) -> Any:
        """A value in which cards stand as their views, or as their places where the seat does not know them."""
        if type(value) in NAMELESS:
            return value
        if isinstance(value, Card):
            t = self._t
            label = t.label(self._seat, value)
            if label is None:
                return hidden_card(type(t))(t, value)
            return seen_card(type(t))(t, value, label)
        if isinstance(value, (tuple, list)):
            if type(value) is tuple and NAMELESS.issuperset(map(type, value)):
                return value
            make = getattr(value, "_make", tuple)  # a tuple with names keeps them
            return make(self._plain(item) for item in value)
        return value


# What is read by the million is a property of its own for each declared field, made once for each kind of part. --------


@cache
def seen_part(kind: type[Part]) -> type[PartView]:
    """The kind of view that parts of a kind have."""
    space: dict[str, Any] = {}
    for name, method in kind.derived.items():
        space[name] = _derived(method)
    space |= {name: _seen(field) for name, field in kind.fields.items() if not isinstance(field, PerCard)}
    return type(f"{kind.__name__}View", (PartView,), space)


@cache
def seen_card(kind: type[State]) -> type[CardView]:
    """The kind of view that known cards have in a kind of state: what it keeps for every card reads as an attribute."""
    return type("CardView", (CardView,), _of_cards(kind, "number", hidden=True))


@cache
def hidden_card(kind: type[State]) -> type[HiddenCard]:
    """The kind of view that face-down cards have: nothing reads that is hidden with their faces."""
    return type("HiddenCard", (HiddenCard,), _of_cards(kind, "_number", hidden=False))


@cache
def seen_match(kind: type[State]) -> type[View]:
    """The kind of view that matches with a kind of state have."""
    return type("View", (View, seen_part(kind)), {"__slots__": ()})


def _of_cards(kind: type[State], number: str, *, hidden: bool) -> dict[str, Any]:
    """What a kind of state keeps for every card, as attributes of its views."""
    fields = [field for field in kind.fields.values() if isinstance(field, PerCard)]
    shown = [field.name for field in fields if hidden or not field.travels]
    reads = {name: written_out(f"view._t.{name}[view.{number}]") for name in shown}
    return {**reads, "__slots__": ()}


def _derived(method: Callable[[Any], Any]) -> property:
    return property(lambda view: view._plain(method(view._part)))


class _Kept:
    """Parts that are there from the beginning to the end: looked at again and again, their views are made once."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, view: PartView, kind: type[PartView]) -> list[PartView]:
        made = view.__dict__[self.name] = _parts(view, getattr(view._part, self.name))
        return made


def _seen(field: Field[Any]) -> property | _Kept:
    """How a field reads."""
    read = attrgetter(f"_part.{field.name}")
    if isinstance(field, Zone):
        return written_out(f"ZoneView(view._t, view._part.{field.name}, view._seat)", ZoneView=ZoneView)
    if isinstance(field, Parts):
        return property(lambda view: _parts(view, read(view))) if field.comes_and_goes else _Kept(field.name)
    if field.seen_by is EVERYONE:
        return property((lambda view: view._plain(read(view))) if field.may_name_cards else read)
    return property(
        lambda view: view._plain(read(view)) if visible(field, view._part.seat, view._seat) else None
    )


def _parts(view: PartView, parts: list[Part]) -> list[PartView]:
    t, seat = view._t, view._seat
    kind = seen_part(type(parts[0])) if parts else PartView
    views = [kind(t, part, seat) for part in parts]
    return parts.like(views) if isinstance(parts, PartList) else views


class Offer:
    """An option put into words: its short stable name, and what it would do."""

    __slots__ = ("grave", "means", "name", "option", "wire")

    def __init__(self, option: Option, wire: list[Any], name: str, means: str, grave: str | None) -> None:
        self.option = option
        """The option itself, for `match.answer`."""
        self.wire = wire
        """The option with cards named by the seat's labels, as it goes over the wire and comes back."""
        self.name = name
        self.means = means
        self.grave = grave
        """Why to think twice, if there is a reason."""

    def data(self) -> dict[str, Any]:
        data = {"option": self.wire, "name": self.name, "means": self.means}
        return {**data, "grave": self.grave} if self.grave else data


class View(PartView, Generic[S]):
    """A whole match as one seat, or a watcher, sees it."""

    __slots__ = ("match",)

    def __init__(self, match: Match[S], seat: int | None) -> None:
        super().__init__(match.t, match.t, seat)
        self.match = match

    @property
    def viewer(self) -> int | None:
        return self._seat

    def side_of(self, seat: int) -> PartView:
        """The part that belongs to a seat, whatever the game calls it."""
        fields = type(self._t).fields.items()
        found: list[PartView] = getattr(self, next(name for name, f in fields if isinstance(f, Seats)))
        return found[seat]

    @property
    def content(self) -> Content:
        """What is printed: everybody may read it."""
        return self._t.content

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def result(self) -> Any:
        return self.match.result

    @property
    def waiting_for(self) -> list[int]:
        return self.match.waiting_for

    @property
    def ask(self) -> Ask | None:
        """What this seat is asked now."""
        return None if self._seat is None else self.match.pending.get(self._seat)

    @property
    def log(self) -> list[Line]:
        return self.match.log(self._seat)

    def offers(self) -> list[Offer]:
        """The options of this seat's ask, in words. Names are distinct."""
        ask = self.ask
        return self._worded(ask.open(self._t)) if ask else []

    def standing_offers(self) -> list[Offer]:
        """Options that are open though nothing waits for them."""
        if self._seat is None:
            return []
        standing = self.match.standing.get(self._seat, ())
        return self._worded([option for s in standing for option in s.ask.open(self._t)])

    def _worded(self, options: list[Option]) -> list[Offer]:
        t, game, seat = self._t, self._t.game, self._seat
        assert seat is not None
        offers: list[Offer] = []
        seen: dict[str, int] = {}
        for option in options:
            name = game.name_of(t, seat, option)
            seen[name] = seen.get(name, 0) + 1
            if seen[name] > 1:
                name = f"{name} ({seen[name]})"
            means = game.means(t, seat, option) if game.means else ""
            grave = game.grave(t, seat, option) if game.grave else None
            offers.append(Offer(option, self.wire(option), name, means, grave))
        return offers

    def wire(self, option: Any) -> Any:
        """An option as it goes over the wire: cards by label."""
        if isinstance(option, Card):
            return {"card": self._t.label(self._seat, option)}
        if isinstance(option, tuple):
            return [part if type(part) in NAMELESS else self.wire(part) for part in option]
        return option

    def data(self) -> dict[str, Any]:
        match = self.match
        data: dict[str, Any] = {
            "game": match.game.key,
            "seat": self._seat,
            "seats": match.seats,
            "table": Wire(self._t, self._seat).part(self._t),
            "waiting_for": self.waiting_for,
            "over": self.over,
        }
        if match.game.phase and not match.over:
            data["phase"] = [list(phase) for phase in match.game.phase(self._t)]
        if match.result:
            data["result"] = match.result.data()
        if ask := self.ask:
            data["ask"] = {
                "prompt": ask.prompt,
                "rule": ask.rule,
                "window": ask.window,
                "default": self.wire(default_of(ask, self._t)),
                "options": [offer.data() for offer in self.offers()],
            }
        if standing := self.standing_offers():
            data["standing"] = [offer.data() for offer in standing]
        return data
