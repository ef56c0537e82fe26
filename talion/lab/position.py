"""A position in which a card can be tried: out of a match between bots, with the card where its sort lies.

Nothing here knows a game. A match is played on with the cards as they are; at each decision the card is laid, for once, in
the place of one that could be chosen, and where it can be chosen too (it is there, and can be paid for) is a position to try it
in. What is never chosen, a room or a hero, is laid where one sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from talion import bots
from talion.bots import Seen
from talion.kernel import Card, Chance, Content, Face, Game, Match, Option
from talion.kernel.tables import nearest

from . import BadInput

MATCHES = 3
"""So many matches are looked through at the usual table, and then one at every larger and smaller one: some cards are for
four, or for one."""
DECISIONS = 400
"""And each of them so far."""
EVERY = 3
"""Every so many decisions one is looked at. Of all positions of a match the middle one is neither a beginning nor an end."""
MOST_SEEN = 20
"""Positions in which the card only lies there, of one match."""

LYING, OFFERED, IN_HAND = range(3)


@dataclass(frozen=True)
class Occasion:
    """A decision at which a seat has a card before it."""

    match: Match
    seat: int
    nearness: int
    """How near the card is: `LYING` in sight, `OFFERED` to be chosen, or `IN_HAND`, to be chosen out of the seat's own."""

    @property
    def playable(self) -> bool:
        """Whether the seat may choose the card there; if not, it only lies in sight."""
        return self.nearness > LYING

    def text(self, *, content: bool = True) -> str:
        """The match as a file that goes on from here; nobody has seen what was before. Whoever keeps the cards needs no `content`."""
        return self.match.save(written_out=True, content=content)


def position(game: Game, content: Content, name: str, seed: int | str = 0) -> Occasion:
    """Where to try a card: the same seed gives the same position."""
    face = content.named.get(name)
    if face is None:
        raise BadInput(f"There is no card “{name}”{nearest(name, content.named)}.")
    nearest_yet: list[Occasion] = []
    for number, seats in enumerate(_tables(game)):
        found = [*nearest_yet, *_found(game, content, face, seats, f"{seed}:{number}")]
        near = max((one.nearness for one in found), default=LYING)
        nearest_yet = [one for one in found if one.nearness == near]
        if near == IN_HAND or (nearest_yet and number >= MATCHES - 1):
            break
    if not nearest_yet:
        raise BadInput(f"Bots played {number + 1} matches, and nobody ever had {name} before them.")
    return nearest_yet[len(nearest_yet) // 2]


def _tables(game: Game) -> list[int]:
    """For how many a match is dealt, one after the other."""
    usual = 2 if 2 in game.seats else game.seats[0]
    others = [seats for seats in game.seats if seats != usual]
    return [usual] * MATCHES + others


def _found(game: Game, content: Content, face: Face, seats: int, seed: str) -> Iterator[Occasion]:
    """The positions of one match, those at which the card can be chosen and a few at which it only lies there."""
    match = Match.new(game, seats, seed, content=content, logged=False)
    players = [bots.make("greedy", f"{seed}:{seat}") for seat in range(seats)]
    chance = Chance.of(f"{seed}:served first")
    if not any(_can_be(match, Card(number), face) for number in range(len(match.t.faces))):
        return  # nothing like it is in this match
    seen = 0
    while not match.over and match.number < DECISIONS:
        seat = chance.pick(sorted(match.pending))
        if match.number % EVERY == 0 and not match.entries and len(match.options(seat)) > 1:
            here = _here(match, seat, face, look=seen < MOST_SEEN)
            if here is not None:
                seen += not here.playable
                yield here
        match.answer(seat, players[seat].choose(Seen(match, seat)))


def _here(match: Match, seat: int, face: Face, *, look: bool) -> Occasion | None:
    """This decision with the card where it is or in another's place, if it can lie there."""
    t = match.t
    may_be = [card for card in _before(t, seat, match.options(seat), look) if _can_be(match, card, face)]
    best = None
    for card in may_be:
        there = _laid(match, card, face)
        if there is None or seat not in there.pending:
            continue
        chosen = card in set(_cards_in(there.t, there.options(seat)))
        near = LYING if not chosen else IN_HAND if _owned(t, card, seat) else OFFERED
        if best is None or near > best.nearness:
            best = Occasion(there, seat, near)
        if best.nearness == IN_HAND:
            break
    return best if best and (look or best.playable) else None


def _before(t: Any, seat: int, options: list[Option], look: bool) -> list[Card]:
    """The cards a seat has before it: those it may choose, and, if one looks, those that it sees. Its own come first."""
    chosen = set(_cards_in(t, options))
    piles = [pile for pile in t.piles if pile.place.shows(seat) and pile is not t.box] if look else []
    seen = [card for pile in piles for card in pile if card not in chosen]
    return sorted([*sorted(chosen), *seen], key=lambda card: not _owned(t, card, seat))


def _owned(t: Any, card: Card, seat: int) -> bool:
    """Whether a card lies in a zone of the seat that it sees, its hand above all."""
    place = t.pile_of(card).place
    return bool(place.owner == seat and place.shows(seat))


def _can_be(match: Match, card: Card, face: Face) -> bool:
    """Whether a card is this one, or may be for once."""
    other = match.t.face(card)
    return other is face or (other.front is other and match.game.can_be_tried_as(face, other))


def _laid(match: Match, card: Card, face: Face) -> Match | None:
    """The match from the beginning of this step, the card being another; its old face lies where that one was."""
    t = match.state_at_step().copy()
    was = t.faces[card]
    if was != face.id:
        elsewhere = next(
            (Card(n) for n, one in enumerate(t.faces) if one == face.id and not _open(t, Card(n))), None
        )
        if elsewhere is not None:
            t.faces[elsewhere] = was
        t.faces[card] = face.id
    try:
        return Match.at(t, *match.step)
    except Exception:  # it cannot stand there after all: the game says so in its own way
        return None


def _open(t: Any, card: Card) -> bool:
    """Whether everybody sees a card."""
    return bool(t.pile_of(card).place.shows(t.observer(None)))


def _cards_in(t: Any, what: Any) -> Iterator[Card]:
    """The cards that options name, by number or by place."""
    if isinstance(what, Card):
        yield what
    elif isinstance(what, tuple | list):
        for part in what:
            yield from _cards_in(t, part)
