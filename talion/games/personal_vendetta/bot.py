"""What a position is worth, for bots. The unit is a point of life while there is plenty of it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from talion.kernel import Face, Option, Said

from .rules import HAND_SIZE, PASS

RESOURCES = {"ticks": 1.5, "corpus": 1.2, "cerebrium": 1.2, "hand": 1.2, "states": 2.0, "forgotten": 0.1}
CARD_UNSEEN = 0.9
TICK = 0.8
TRIGGERS_TO_COME = 3.0
USES_TO_COME = 1.5
IN_HAND = 0.7
"""What a card is worth before it is played, as a share of what it will do."""
KEEP = 0.01
A_LEAD = 12.0
"""Points that make a match likely won."""


def value(view: Any, seat: int) -> float:
    """From 0 (lost) to 1 (won): my strength against the average of the others'."""
    if view.over:
        winners = view.result.winners
        return 0.5 if not winners else float(seat in winners)
    mine = strength(view.clones[seat])
    others = [strength(clone) for clone in view.clones if clone.seat != seat]
    lead = mine - sum(others) / len(others)
    return (1 + math.tanh(lead / A_LEAD / 2)) / 2  # as 1 / (1 + exp(-lead)), but no lead is too large for it


def hint(view: Any, option: Option) -> float:
    """Where nothing speaks for a reaction, keep it."""
    return KEEP if option == PASS else 0.0


def strength(clone: Any) -> float:
    """Life, which is dearer the less there is, the cards held, and the states in play."""
    if not clone.alive:
        return -30.0
    hand = [in_hand(face) for face in clone.hand.faces]
    hand += [CARD_UNSEEN] * (len(clone.hand) - len(hand))
    held = sum(sorted(hand, reverse=True)[: HAND_SIZE + 1])
    states = sum([in_play(face) for face in clone.states.faces])
    return life(clone.corpus) + life(clone.cerebrium) + held + states + TICK * clone.ticks


def life(points: int) -> float:
    return points + 6 * math.log(max(points, 0.5))


@lru_cache(maxsize=1024)
def in_hand(face: Face) -> float:
    """What holding a card is worth."""
    if face.type == "state":
        gained = in_play(face)
    else:
        gained = sum(worth(said) for said in (*face.said.get("benefit", ()), *face.said.get("penalty", ())))
    price = sum(cost(said) for said in face.said.get("cost", ()))
    return max(0.3, IN_HAND * (gained - price))


@lru_cache(maxsize=1024)
def in_play(face: Face) -> float:
    """What a state is worth to whoever controls it."""
    return sum(ability(line) for line in (*face.said.get("abilities", ()), *face.said.get("afflictions", ())))


def ability(line: Said) -> float:
    if "when" in line.filled:
        that_clone = ARROWS[line.filled["when"].filled["arrow"].value]
        return TRIGGERS_TO_COME * sum(worth(said, that_clone) for said in line.filled["does"])
    if "price" in line.filled:
        gained = sum(worth(said) for said in line.filled["does"]) - cost(line.filled["price"])
        return max(0.5, USES_TO_COME * gained)
    return sum(said.phrase.hints.get("worth", 0.0) for said in line.below())


def cost(price: Said) -> float:
    """What a price takes, ticks aside: those are there to be spent."""
    shares = price.filled["shares"]
    return sum(size(share) for share in shares if share.filled["what"].value != "ticks")


def worth(said: Said, that_clone: float = 1.0) -> float:
    """What a sentence is worth to whoever says it: the hint of its phrase, times what fills its holes."""
    inner = [
        part for part in said.filled.values() if isinstance(part, Said) and part.kind in ("effect", "static")
    ]
    who = said.filled.get("who")
    sign = WHO.get(who.value, that_clone) if who else 1.0
    return sign * said.phrase.hints.get("worth", 0.0) * size(said) + sum(worth(part) for part in inner)


ARROWS = {"down": -1.0, "up": 1.0, "double": 0.0}
"""Whether it is good for you if that clone, whose turn or deed it was, loses something."""
WHO = {"each opponent": 1.0, "each clone": 0.0, "the active clone": 1.0}
"""The same for the others of whom sentences speak."""


def size(said: Said) -> float:
    """How much of what a sentence is about."""
    number = said.filled.get("n")
    what = said.filled.get("what")
    many = 1.0 if number is None else plain(number)
    each = RESOURCES.get(what.value, RESOURCES["hand"]) if what else 1.0
    return many * each


def plain(amount: Said) -> float:
    """An amount at first sight; X is thought to be two."""
    known = sum(value for value in amount.filled.values() if isinstance(value, int))
    return known + (2 if amount.phrase.hints.get("x") else 0)
