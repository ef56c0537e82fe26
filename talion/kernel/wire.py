"""What one audience sees of a state, as plain data for the wire: all of it in one go, since it is asked for at every answer."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from .asks import Card
from .fields import (
    EVERYONE,
    NAMELESS,
    OWNER,
    TOP,
    Bag,
    Counters,
    Field,
    Named,
    Part,
    Parts,
    PerCard,
    Pile,
    Zone,
)
from .insides import visible
from .state import State

KERNEL_FIELDS = frozenset({"box", "queue", "lasting"})


_HOW = ((Zone, "zone"), (Named, "named"), (Parts, "parts"), ((Counters, Bag), "numbers"))


@cache
def _shown(kind: type[Part]) -> list[tuple[str, str, Field[Any]]]:
    """The fields of a part that views may show, in their order, and how each is written."""
    return [
        (name, next((how for kinds, how in _HOW if isinstance(field, kinds)), "value"), field)
        for name, field in kind.fields.items()
        if name not in KERNEL_FIELDS and not isinstance(field, PerCard)
    ]


@cache
def _columns(kind: type[State]) -> list[tuple[str, bool]]:
    """The fields that every card has, and whether they are hidden with its face."""
    return [(name, field.travels) for name, field in kind.fields.items() if isinstance(field, PerCard)]


class Wire:
    """Writes the parts, zones and cards of a state for one audience."""

    def __init__(self, t: State, seat: int | None) -> None:
        self._t = t
        self._seat = seat
        self._observer = t.observer(seat)
        self._name = t.game.card_name
        self._faces, self._numbers = t.content.faces, t.faces
        columns = _columns(type(t))
        self._columns = [(name, getattr(t, name)) for name, _ in columns]
        self._public = [(name, getattr(t, name)) for name, travels in columns if not travels]
        self._pools = t.know.pools[self._observer] if t.know else None
        self._told = t.know.told if t.know else {}
        self._many = Counter(self._pools) if self._pools else {}
        """How many cards each pool holds; one alone is known."""

    def part(self, part: Part) -> dict[str, Any]:
        """A part of the state with all that is in it."""
        owner, kind, seat = part.seat, type(part), self._seat
        data: dict[str, Any] = {} if owner is None else {"seat": owner}
        for name, how, field in _shown(kind):
            value = getattr(part, name)
            if how == "zone":
                data[name] = self._zone(value)
            elif how == "parts":
                data[name] = [self.part(below) for below in value]
            elif how == "named":
                data[name] = [{"name": called, **self.part(below)} for called, below in value.items()]
            elif field.seen_by is EVERYONE or visible(field, owner, seat):
                simple = how == "numbers" or type(value) in NAMELESS
                data[name] = value if simple else self._value(value)
        for name, derived in kind.derived.items():
            data[name] = self._value(derived(part))
        return data

    def _value(self, value: Any) -> Any:
        """A value in which cards stand as they are seen, or as their places where their faces are not known."""
        if isinstance(value, Card):
            label = self._t.label(self._seat, value)
            if label is not None:
                return self._card(value, label)
            return self._hidden(value, list(self._t.place(value)))
        if isinstance(value, (tuple, list)):
            return [item if type(item) in NAMELESS else self._value(item) for item in value]
        if isinstance(value, dict):
            return {str(key): self._value(item) for key, item in value.items()}
        return value

    def _card(self, card: Card, label: int) -> dict[str, Any]:
        data = {
            "card": label,
            "name": self._name(self._t, card),
            "face": self._faces[self._numbers[card]].name,
        }
        for name, column in self._columns:
            data[name] = column[card]
        return data

    def _hidden(self, card: Card, place: list[Any]) -> dict[str, Any]:
        data: dict[str, Any] = {"place": place}
        if told := self._told.get(card):
            data["told"] = [" ".join(map(str, fact)) for fact in told]
        for name, column in self._public:
            data[name] = column[card]
        return data

    def _zone(self, pile: Pile) -> dict[str, Any]:
        """Its cards where one can tell them apart, else a count and the faces that are known to lie in it."""
        place = pile.place
        audience = place.seen_by
        data: dict[str, Any] = {"count": len(pile), "seen_by": audience._value_}
        seen = audience is EVERYONE or place.shows(self._observer)
        if seen or (place.ordered and audience is OWNER):
            data["cards"] = self._row(pile, seen) if pile else []
        elif not pile:
            data["known"] = []
        elif place.ordered:
            labels = self._labels(pile, seen)
            if audience is TOP:
                top = labels[-1]
                data["cards"] = [self._card(pile[-1], int(pile[-1]) if top is None else top)]
                labels[-1] = None  # it is not among those known besides
            data["known"] = [
                f"{self._name(self._t, card)}, {_from_top(len(pile) - at)}"
                for at, card in reversed([*enumerate(pile)])
                if labels[at] is not None
            ]
        else:
            data["known"] = self._inside(pile)
        return data

    def _labels(self, pile: Pile, seen: bool) -> list[int | None]:
        """The number of each card that is known, as the view names it."""
        pools, many = self._pools, self._many
        if pools is None:
            return [int(card) if seen else None for card in pile]
        return [pool if many[pool] == 1 else None for pool in [pools[card] for card in pile]]

    def _row(self, pile: Pile, seen: bool) -> list[dict[str, Any]]:
        labels = self._labels(pile, seen)
        return [
            self._hidden(card, [*pile.place.key, at]) if label is None else self._card(card, label)
            for at, (card, label) in enumerate(zip(pile, labels, strict=True))
        ]

    def _inside(self, pile: Pile) -> list[str]:
        """The names of the cards known to lie in a zone without order, sorted: those whose pools lie in it whole."""
        pools = self._pools
        if pools is None:
            return []
        here = Counter([pools[card] for card in pile])
        known = [card for card in pile if here[pools[card]] == self._many[pools[card]]]
        return sorted(self._name(self._t, card) for card in known)


def _from_top(depth: int) -> str:
    return "on top" if depth == 1 else f"number {depth} from the top"
