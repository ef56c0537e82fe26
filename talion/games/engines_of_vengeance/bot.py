"""What is worth having in Engines of Vengeance: cards on their way to the right pile.

Nothing here knows a card by its name. What a card will do is read from its phrases.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

from talion.kernel import Card, Face, Option

from . import phrases

CARD = 10.0
"""A card in a pile."""
POINTS = {"Bodycount": CARD, "Evidence": -CARD, "Discard": 0.0}
LEAD = 14.0
"""A lead by which an Act is likely won."""
ACT = 3.5
"""An Act already won, in such leads."""
LIKELY = (1.0, 0.8, 0.55, 0.35, 0.25)
"""How sure it is that a card goes where it is bound for, by the number of turns until it does."""
RESTRAINT = 0.002
"""How much more than nothing an action must bring."""
HARM = -0.05
"""What it takes to turn another's card to one's own harm all the same."""


class Character(NamedTuple):
    """What a face says about where cards go."""

    to: str
    needs: str | None = None
    """Without this card active beside it, it is discarded."""
    sends: str | None = None
    """Where it sends others that exhaust,"""
    whom: tuple[str, ...] | None = None
    """and whom: these, or all."""
    along: str | None = None
    """Where another card goes with it."""
    renews: str | None = None
    """The cards it turns back when it is played."""


@lru_cache(maxsize=1024)
def character(face: Face) -> Character:
    found: dict[str, Any] = {}
    for said in [said for line in face.lines() for said in line.below()]:
        holes = said.constant
        if said.phrase.does is phrases.goes_to:
            found["to"] = holes["pile"]
        elif said.phrase.does is phrases.discarded_as:
            found["to"] = "Discard"
        elif said.phrase.does is phrases.gate:
            found["needs"] = holes["needed"]
        elif said.phrase.does is phrases.redirect:
            which = said.filled["which"]
            found["sends"] = holes["pile"]
            found["whom"] = None if "which" in holes else tuple(which.constant["names"])
        elif said.phrase.does is phrases.also_goes:
            found["along"] = holes["pile"]
        elif said.phrase.does is phrases.turn_all and said in face.said.get("enter", ()):
            found["renews"] = holes["name"]
    return Character(**found)


class Lying(NamedTuple):
    """A card in an area."""

    face: Face
    seat: int
    leaves: int
    """How many turns end until it exhausts, if nothing happens to it."""


def value(view: Any, seat: int) -> float:
    """From 0 (the match is lost) to 1 (it is won)."""
    mine, other = view.sides[seat], view.sides[1 - seat]
    toward = 1 if view.vigilante == seat else -1
    lying = [
        Lying(card.face, side.seat, turns_left(card.rotation, side.seat == view.turn))
        for side in view.sides
        for card in side.area
    ]
    futures = [lying]
    if view.turn == seat and view.stage == "play":
        futures = [played(face, seat, lying) for face in mine.hand.faces] or futures
    best = max(toward * outlook(future) for future in futures)
    lead = toward * CARD * (len(view.bodycount) - len(view.evidence)) + best
    return 1 / (1 + math.exp(-lead / LEAD - ACT * (mine.wins - other.wins)))


def turns_left(rotation: int, in_turn: bool) -> int:
    """An area turns at the end of every second turn: of this one, if its player is in turn."""
    return max(0, (180 - rotation) // 45 - in_turn)


def played(face: Face, seat: int, lying: list[Lying]) -> list[Lying]:
    """The areas after a card was played."""
    fresh = Lying(face, seat, turns_left(0, True))
    renews = character(face).renews
    renewed = [
        card._replace(leaves=turns_left(0, card.seat == seat)) if card.face.name == renews else card
        for card in lying
    ]
    return [*renewed, fresh]


def outlook(lying: list[Lying]) -> float:
    """What the cards in play are worth to the Vigilante: where each is bound for, and how soon."""
    return sum(LIKELY[card.leaves] * points(card, lying) for card in lying)


def points(card: Lying, lying: list[Lying]) -> float:
    """A card is bound for where it says, unless cards that outlast it change that."""
    says = character(card.face)
    outlast = [other for other in lying if other.leaves > card.leaves]
    beside = [other.face.name for other in outlast if other.seat == card.seat]
    to = says.to if says.needs is None or says.needs in beside else "Discard"
    for other in outlast:
        sends = character(other.face)
        if sends.sends and (sends.whom is None or card.face.name in sends.whom):
            to = sends.sends
    return POINTS[to] + (POINTS[says.along] if says.along and beside else 0)


def hint(view: Any, option: Option) -> float:
    """Ending the step is the better of two things that come to the same, and no card of the other's is turned to one's own
    harm: what the others do next hides that from who looks far ahead."""
    match option:
        case ("end",):
            return RESTRAINT
        case ("use", card, target) if harms(view, card, target):
            return HARM
    return 0.0


def harms(view: Any, used: Card, target: Card) -> bool:
    """Whether an action turns a card of the other's so that what lies there is worth less to oneself."""
    seat, sides = view.viewer, view.sides
    if all(card.number != target for card in sides[1 - seat].area):
        return False
    actor = next(card for card in sides[seat].area if card.number == used)
    turned = phrases.turns(actor.face)
    if turned is None:
        return False
    now, then = (
        [
            Lying(card.face, side.seat, turns_left(rotation, side.seat == view.turn))
            for side in sides
            for card in side.area
            for rotation in [turned(card.rotation) if moved and card.number == target else card.rotation]
        ]
        for moved in (False, True)
    )
    toward = 1 if view.vigilante == seat else -1
    return toward * outlook(then) < toward * outlook(now)
