"""A likeness of a match: what a seat knows is as it is, and whatever it does not know is dealt anew.

Nothing in a likeness comes from what the seat may not know, wherever one looks in it: this is what bots are given.

A redealt match would not do. It keeps the state from which its step began, with every true face and the match's own chance;
and as cards are numbered in the order in which they were made, the numbers alone tell which card lies where. So here the
cards themselves change places, as early as the beginning of the step, and the step is played again with them: dice fall as
they fell, in a shuffled pile the cards that were seen since lie where they lay, and answers that are still sealed are left
out. That the step then goes the same way, as far as the seat can see, is what two worlds promise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from .asks import Card, Together, Window
from .chance import Chance
from .dealing import Pool, in_order
from .fields import Part, PerCard
from .insides import forget
from .past import Entry
from .state import State

if TYPE_CHECKING:
    from .match import Match

T = TypeVar("T")
Moved = dict[Card, Card]
"""The card that lies in the likeness where this one lies in the match; itself, if it is not named."""


class Likeness:
    """The beginning of a step and what happened since, as a seat may know it."""

    def __init__(self, match: Match, seat: int, chance: Chance) -> None:
        self.now, self.seat, self.chance = match.t, seat, chance
        self.base: State = _begun(match)
        self.moved: Moved = {}
        assert self.base.know is not None and match.t.know is not None
        self.told = self.base.know.told | match.t.know.told
        known = {cards[0] for cards in self._pools(match.t) if len(cards) == 1}
        order = in_order(self.base)
        for cards in self._pools(self.base):
            self._deal(sorted((card for card in cards if card not in known), key=order.__getitem__))
        step, args = match.step
        self.base = self.base.copy()
        self.base.step_begun = (step, *renamed(args, self.moved))
        _lay(self.base, self.moved)
        if type(self.base).has_secrets:
            forget(self.base, seat)
        self.entries: list[Entry] = []
        outcomes: list[Any] = []
        for event in _happened(match, seat):
            if isinstance(event, tuple):
                self.entries.append(renamed(event, self.moved))
                continue
            if isinstance(event, list):
                self._deal([card for card in event if isinstance(card, Card) and card not in known])
            outcomes.append(renamed(event, self.moved))
        self.base.chance = Brought(chance.fork().state, outcomes)

    def _pools(self, t: State) -> list[list[Card]]:
        assert t.know is not None
        return [[Card(card) for card in cards] for cards in t.know.members(self.seat).values()]

    def _deal(self, cards: Sequence[Card]) -> None:
        """These cards of the match, which the seat cannot tell apart, change places, as far as it was told nothing else."""
        if len(cards) < 2:
            return
        t = self.now
        hidden = [getattr(t, name) for name in _travelling(t)]
        # In an order that depends on nothing but what lies among them.
        packets = sorted(
            (t.faces[card], repr([column[card] for column in hidden]), card)
            for card in (self.moved.get(card, card) for card in cards)
        )
        pool = Pool(t, cards, packets, self.told)
        for card, (_, _, there) in zip(cards, pool.dealt(self.chance), strict=True):
            self.moved[card] = there


def _begun(match: Match) -> State:
    """The state in which the step began; if the match was dealt anew since, with the faces it got then."""
    base: State = match.state_at_step()
    if any(kind == "redeal" for kind, *_ in match.entries):
        base = base.copy()
        count = len(base.faces)
        base.faces = match.t.faces[:count]
        for name in _travelling(base):
            setattr(base, name, getattr(match.t, name)[:count])
    return base


def _happened(match: Match, seat: int) -> Iterator[Any]:
    """What happened since the step began: entries, and between them what chance brought. Not what is sealed from the seat."""
    base: State = match.state_at_step()
    if not match.entries and base.chance.count == match.t.chance.count:
        return
    events: list[Any] = []
    twin = match.step_again(base.copy(Noting(base.chance, events)))
    put: dict[int, Together | Window | None] = {}
    """What each entry was an answer to, where several answer at once."""
    void: set[int] = set()
    """Entries that are none any more: whoever a match was dealt anew for, did not know these answers."""
    for entry in match.entries:
        if entry[0] == "redeal":
            void |= {len(events)} | _sealed(events, put, entry[1], twin.under)
        put[len(events)] = twin.under
        events.append(entry)
        twin.apply(entry)
        if not isinstance(twin.t.chance, Noting):
            twin.t.chance = Noting(twin.t.chance, events)
    void |= _sealed(events, put, seat, twin.under)
    for at, event in enumerate(events):
        if at not in void:
            yield event


def _sealed(
    events: list[Any],
    put: dict[int, Together | Window | None],
    seat: int,
    under: Together | Window | None,
) -> set[int]:
    """The answers to what is waited for that a seat does not see."""
    return {at for at, asked in put.items() if asked is under and not _is_seen(events[at], seat, under)}


def _is_seen(entry: Entry, seat: int, under: Together | Window | None) -> bool:
    """Whether a seat sees an answer to what is waited for."""
    kind, by, option = entry
    if by == seat or kind == "standing":
        return True
    if isinstance(under, Window):
        return by in under.seen({by: option})
    return not isinstance(under, Together)


def _lay(t: State, moved: Moved) -> None:
    """Lays cards where others lay, in place, with everything that is seen of the place and known about it."""
    for pile in t.piles:
        pile[:] = [moved.get(card, card) for card in pile]
    t.where = _exchanged(t.where, moved)
    for name, field in type(t).fields.items():
        if isinstance(field, PerCard) and not field.travels:
            setattr(t, name, _exchanged(getattr(t, name), moved))
    assert t.know is not None
    t.know.pools = [_exchanged(pools, moved) for pools in t.know.pools]
    t.know.told = {moved.get(Card(card), card): facts for card, facts in t.know.told.items()}
    _rename_within(t, moved)


def _exchanged(column: list[T], moved: Moved) -> list[T]:
    twin = column[:]
    for card, there in moved.items():
        twin[there] = column[card]
    return twin


def _rename_within(part: Part, moved: Moved) -> None:
    """Names cards anew in what plain data says of them."""
    for name in type(part).free:
        value = getattr(part, name)
        if isinstance(value, list) and value and isinstance(value[0], Part):
            for below in value:
                _rename_within(below, moved)
        else:
            setattr(part, name, renamed(value, moved))


def renamed(value: Any, moved: Moved) -> Any:
    """Plain data in which other cards stand for some."""
    if type(value) is Card:
        return moved.get(value, value)
    if isinstance(value, tuple):
        make: Callable[[Any], Any] = getattr(value, "_make", tuple)
        return make(renamed(item, moved) for item in value)
    return [renamed(item, moved) for item in value] if isinstance(value, list) else value


def _travelling(t: State) -> list[str]:
    return [name for name, field in type(t).fields.items() if getattr(field, "travels", False)]


# Chance ------------------------------------------------------------------------------------------------------------


class Noting(Chance):
    """Another chance, of which is noted what it brings."""

    __slots__ = ("_inner", "_noted")

    def __init__(self, inner: Chance, noted: list[Any]) -> None:
        super().__init__(0)
        self._inner = inner.copy()
        self._noted = noted

    def below(self, n: int) -> int:
        found = self._inner.below(n)
        self._noted.append(found)
        return found

    def pick(self, things: Sequence[T]) -> T:
        found = self._inner.pick(things)
        self._noted.append(things.index(found))
        return found

    def shuffle(self, things: MutableSequence[Any]) -> None:
        self._inner.shuffle(things)
        self._noted.append(list(things))


class Brought(Chance):
    """Chance that brings first what it brought before, and then anything."""

    __slots__ = ("_at", "_outcomes")

    def __init__(self, state: int, outcomes: list[Any], at: int = 0) -> None:
        super().__init__(state)
        self._outcomes = outcomes
        self._at = at

    def copy(self) -> Chance:
        return Brought(self.state, self._outcomes, self._at) if self._left else Chance(self.state)

    @property
    def _left(self) -> bool:
        return self._at < len(self._outcomes)

    def _next(self, kind: type[T]) -> T:
        found = self._outcomes[self._at]
        assert isinstance(found, kind), "the step went another way"
        self._at += 1
        return found

    def below(self, n: int) -> int:
        return self._next(int) if self._left else super().below(n)

    def shuffle(self, things: MutableSequence[Any]) -> None:
        if self._left:
            things[:] = self._next(list)
        else:
            super().shuffle(things)
