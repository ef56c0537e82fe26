"""What the cards' sentences mean."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from talion.kernel import About, Asking, Card, Face, Phrasebook, Play, Said

from . import rules

Turn = Callable[..., Asking | None]
"""Turns a card; the one that resets it asks which end is up."""
Change = dict[str, Any]

book = Phrasebook()
book.words("pile", rules.PILES)
book.words("role", rules.ROLES)
book.words("turn", {"rotate": rules.rotate, "unrotate": rules.unrotate, "reset": rules.reset})
book.words("cards", ("card", "active card"))
book.words("all", ("all", "all active"))
book.words(
    "where",
    {
        "in your area": "yours",
        "in the other player's area": "theirs",
        "from the other player's area": "theirs",
    },
)
book.words("which", {"other card": None})


# Which card ----------------------------------------------------------------------------------------------------------


@book.target("one {cards:cards}")
def any_card(play: Play, cards: str) -> list[Card]:
    """EV-7.3 A card in either area. Only active cards are ever chosen, said or unsaid (EV-R12)."""
    return rules.active_cards(play.t)


@book.target("one {cards:cards} {where:where}")
def card_there(play: Play, cards: str, where: str) -> list[Card]:
    """EV-7.3 A card in one area: that in which this card lies, or the other."""
    return rules.active_cards(play.t, play.t.sides[play.you if where == "yours" else 1 - play.you])


# Lines for being played, and actions ---------------------------------------------------------------------------------


def would_turn(play: Play, cards: list[Card], turn: Turn) -> list[Card]:
    """EV-R1 Turning back an upright card changes nothing, but a reset may still change its end (EV-R23)."""
    if turn is rules.rotate:
        return cards
    t, rotation, resets = play.t, play.t.rotation, turn is rules.reset
    return [
        card for card in cards if rotation[card] or (resets and rules.other_end(t.face(card)) is not None)
    ]


@book.effect("{turn:turn} {card:target}", fitting=would_turn, idle=("EV-R1", "stands upright already"))
def turn_one(play: Play, turn: Turn, card: Card) -> Asking | None:
    """EV-3.2 One card is turned."""
    return turn(play.t, card, play.you)


@book.effect("{turn:turn} {all:all} {name:name}")
def turn_all(play: Play, turn: Turn, all: str, name: str) -> Asking:  # noqa: A002
    """EV-5.4 Every active card of a name is turned, in both areas (EV-R12)."""
    t = play.t
    for card in rules.active_cards(t):
        if rules.name(t, card) == name:
            yield from turn(t, card, play.you) or ()


# What an action makes of a rotation: for whoever thinks ahead, or says it ahead.
TURNED: dict[Any, Callable[[int], int]] = {
    rules.rotate: lambda rotation: min(180, rotation + 90),
    rules.unrotate: lambda rotation: max(0, rotation - 90),
    rules.reset: lambda rotation: 0,
}


@lru_cache(maxsize=1024)
def turns(face: Face) -> Callable[[int], int] | None:
    """What an action that turns one card makes of its rotation."""
    for said in [said for line in face.said.get("action", ()) for said in line.below()]:
        if said.phrase.does is turn_one:
            return TURNED[said.constant["turn"]]
    return None


def would_change_areas(play: Play, cards: list[Card]) -> list[Card]:
    """EV-R17 A card that lies in one's own area already cannot be taken."""
    return [card for card in cards if rules.holder(play.t, card) != play.you]


@book.effect(
    "take {card:target}", fitting=would_change_areas, takes=1, idle=("EV-R17", "lies in your area already")
)
def take(play: Play, card: Card) -> None:
    """EV-R17 The card changes areas as it is."""
    t = play.t
    t.log("EV-11.6", "{who} takes {card}.", who=t.sides[play.you], card=card)
    t.move(card, t.sides[play.you].area)


@book.effect("look at the other player's hand")
def look(play: Play) -> None:
    """EV-R31 One player sees the hand of the other as it is now."""
    t = play.t
    you, other = t.sides[play.you], t.sides[1 - play.you]
    t.look(play.you, other.hand)
    t.log("EV-R31", "{who} looks at the hand of {other}.", who=you, other=other)


@book.effect("{card:target} also goes to {pile:pile}")
def also_goes(play: Play, card: Card, pile: str) -> None:
    """EV-11.3 The card is moved; it does not exhaust (EV-R25)."""
    rules.send(play.t, card, pile, rules.holder(play.t, card), "EV-11.3")


# Special rules -------------------------------------------------------------------------------------------------------


@book.ability("{rule:replacement}")
def changed_way(play: Play, rule: Said) -> None:
    """EV-9.3 A rule that changes where exhausted cards go."""


@book.ability("{when:trigger}, {then:effect}")
def triggered(play: Play, when: Said, then: Said) -> Asking:
    """EV-11.3 Something that must happen when a card exhausts."""
    yield from then.run(play)


@book.replacement(
    "if no {needed:name} is active in your area, {name:name} is discarded when it exhausts", event="gate"
)
def gate(play: Play, needed: str, name: str, about: About) -> Change | None:
    """EV-R28 Without the card it needs, this one is discarded."""
    t = play.t
    met = any(rules.name(t, card) == needed for card in rules.active_cards(t, t.sides[play.you]))
    return None if met else {"to": "Discard", "end": None}


@book.phrase("which", '{names:name+" or "}')
def of_these_names(play: Play, names: list[str]) -> list[str]:
    """EV-R27 Cards that show one of these names now."""
    return names


@book.replacement(
    "while {name:name} is active, each {which:which} that exhausts goes to {pile:pile}", event="redirect"
)
def redirect(play: Play, name: str, which: list[str] | None, pile: str, about: About) -> Change | None:
    """EV-9.3 An active card sends others elsewhere; never itself, nor one that was sent elsewhere before (EV-R13)."""
    t = play.t
    if about.redirected or play.this in (None, about.card) or not rules.is_active(t, play.this):
        return None
    if which is not None and rules.name(t, about.card) not in which:
        return None
    return {"to": pile, "end": None, "redirected": True}


@book.trigger("when {name:name} exhausts", event="exhausted")
def exhausts(play: Play, name: str, about: About) -> bool:
    """EV-11.3 This very card exhausts, wherever it goes (EV-R18)."""
    return True


@book.phrase(
    "ability",
    "{role:role} may discard {count:numeral} {price:name} from hand or own area to send {name:name} to {pile:pile}",
    about="actions",
)
def may_discard(
    play: Play, role: str, count: int, price: str, name: str, pile: str
) -> tuple[str, int, str, str]:
    """EV-11.4 Who may, what it costs, and where this card then goes."""
    return role, count, price, pile


# Where an exhausted card goes ----------------------------------------------------------------------------------------


@book.phrase("destination", "{pile:pile}")
def goes_to(play: Play, pile: str) -> tuple[str, str | None]:
    """EV-9.2 To a pile, as it is."""
    return pile, None


@book.phrase("destination", "discard as {end:name}")
def discarded_as(play: Play, end: str) -> tuple[str, str | None]:
    """EV-9.4 To the discard pile, with the other end up."""
    return "Discard", end
