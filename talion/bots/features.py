"""What a position shows, in numbers: read from the declared state as one seat sees it, so that no game writes them.

A column is a declared field, and a feature one number of it: `sides.wins`, `heroes.red: Health`, `sides.area: WRATH`. What
belongs to seats counts as one's own less what the others have on average; what only its owner sees counts as one's own. What
belongs to nobody is counted as it is, and once for each part that a seat can have in the match: `evidence as vigilante` is the
evidence if one is the vigilante oneself, and its negative if another is.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable
from typing import Any

from talion.kernel import (
    EVERYONE,
    OWNER,
    Bag,
    CardView,
    Counter,
    Counters,
    Flag,
    Game,
    Part,
    PerCard,
    Seats,
    Word,
    Zone,
)
from talion.kernel.fields import Field, MaybeSeat, Named, Parts, Seat

Numbers = dict[str, float]
"""The numbers of a field by their details; that of the field as a whole has none."""
Inside = Callable[[Any], Numbers]
"""Reads a field from the view of the part that has it."""
Column = Callable[[Any, int], Numbers]
"""Reads a field from a view, for a seat."""


def columns(game: Game) -> dict[str, Column]:
    """Every column of a game by its name."""
    found: dict[str, Column] = {}
    fields = {name: field for name, field in game.state.fields.items() if game.state.declares(name)}
    marks = [name for name, field in fields.items() if isinstance(field, PerCard) and _is_mark(field)]
    roles = [name for name, field in fields.items() if isinstance(field, (Seat, MaybeSeat))]
    found |= {role: _role(role) for role in roles}
    for name, field in fields.items():
        if isinstance(field, Seats):
            for inner, read in _insides(field.kind, marks).items():
                found[f"{name}.{inner}"] = _lead(name, read)
            for inner, read in _own(field.kind).items():
                found[f"own {name}.{inner}"] = _mine(name, read)
        else:
            for inner, read in _reading(name, field, marks).items():
                found[inner] = _shared(read)
                found |= {f"{inner} as {role}": _signed(read, role) for role in roles}
    return found


def features(read: dict[str, Column], view: Any, seat: int) -> Numbers:
    """All numbers of some columns that are not nought, by their names."""
    return {
        f"{column}: {detail}" if detail else column: number
        for column, numbers in read.items()
        for detail, number in numbers(view, seat).items()
        if number
    }


def column_of(feature: str) -> tuple[str, str]:
    """A feature's column, and the detail of it."""
    column, _, detail = feature.partition(": ")
    return column, detail


# For whom ------------------------------------------------------------------------------------------------------------


def _sign(owner: int | None, seat: int, seats: int) -> float:
    return 0.0 if owner is None else 1.0 if owner == seat else -1.0 / max(1, seats - 1)


def _role(role: str) -> Column:
    return lambda view, seat: {"": _sign(getattr(view, role), seat, view.match.seats)}


def _shared(read: Inside) -> Column:
    return lambda view, seat: read(view)


def _signed(read: Inside, role: str) -> Column:
    def column(view: Any, seat: int) -> Numbers:
        sign = _sign(getattr(view, role), seat, view.match.seats)
        return {detail: sign * number for detail, number in read(view).items()}

    return column


def _mine(seats: str, read: Inside) -> Column:
    return lambda view, seat: read(getattr(view, seats)[seat])


def _lead(seats: str, read: Inside) -> Column:
    def column(view: Any, seat: int) -> Numbers:
        parts = getattr(view, seats)
        found = dict(read(parts[seat]))
        for part in parts:
            if part.seat != seat:
                for detail, number in read(part).items():
                    found[detail] = found.get(detail, 0.0) - number / (len(parts) - 1)
        return found

    return column


# What is there -------------------------------------------------------------------------------------------------------


def _insides(kind: type[Part], marks: list[str]) -> dict[str, Inside]:
    """What everybody sees of a part, by the names of its fields and of what is below them."""
    found: dict[str, Inside] = {}
    for name, field in kind.fields.items():
        found |= _reading(name, field, marks)
    return found


def _own(kind: type[Part]) -> dict[str, Inside]:
    """What its owner alone sees of a part: the faces in hand."""
    zones = {name: field for name, field in kind.fields.items() if isinstance(field, Zone)}
    return {name: _faces(name) for name, field in zones.items() if field.seen_by is OWNER}


def _reading(name: str, field: Field[Any], marks: list[str]) -> dict[str, Inside]:
    if isinstance(field, Named):
        return {
            f"{name}.{which}.{inner}": _within(name, which, read)
            for which in field.names
            for inner, read in _insides(field.kind, marks).items()
        }
    if isinstance(field, Parts):
        return {f"{name}.{inner}": _summed(name, read) for inner, read in _insides(field.kind, marks).items()}
    if isinstance(field, Zone):
        open_to_all = field.seen_by is EVERYONE
        in_sight = marks and (open_to_all or field.ordered)
        more = {f"{name} marks": _marks(name, marks)} if in_sight else {}
        return {name: _lying(name) if open_to_all else _count(name), **more}
    if field.seen_by is not EVERYONE:
        return {}
    if isinstance(field, (Counter, Flag)):
        return {name: lambda part: {"": float(getattr(part, name))}}
    if isinstance(field, (Counters, Bag)):
        return {name: lambda part: {key: float(number) for key, number in getattr(part, name).items()}}
    if isinstance(field, Word):
        return {name: lambda part: {getattr(part, name): 1.0}}
    return {}


def _within(name: str, which: str, read: Inside) -> Inside:
    return lambda part: read(getattr(part, name)[which])


def _summed(name: str, read: Inside) -> Inside:
    def total(part: Any) -> Numbers:
        found: Tally[str] = Tally()
        for below in getattr(part, name):
            found.update(read(below))
        return dict(found)

    return total


def _count(name: str) -> Inside:
    return lambda part: {"": float(getattr(part, name).count)}


def _faces(name: str) -> Inside:
    def faces(part: Any) -> Numbers:
        cards = getattr(part, name).cards
        return {
            face: float(number)
            for face, number in Tally(card.face.name for card in cards if isinstance(card, CardView)).items()
        }

    return faces


def _is_mark(field: PerCard) -> bool:
    """Whether a field of cards is a number that all can see, face up or down: damage, progress, rotation."""
    return not field.travels and isinstance(field.start, int)


def _marks(name: str, marks: list[str]) -> Inside:
    """The sums of what the cards of a zone have on them."""

    def total(part: Any) -> Numbers:
        cards = getattr(part, name).cards
        return {mark: float(sum(getattr(card, mark) for card in cards)) for mark in marks}

    return total


def _lying(name: str) -> Inside:
    """How many cards lie in a zone, and which."""
    count, faces = _count(name), _faces(name)
    return lambda part: count(part) | faces(part)
