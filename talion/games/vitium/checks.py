"""What is wrong with a set of cards, decks and characters though every sentence can be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talion.kernel import Content, Said
from talion.kernel.tables import nearest

from .rules.table import HOUSES, Ability, Printed, printed

DECK = 40
COPIES = 3


def problems(content: Content) -> Iterator[str]:
    """What is wrong with printed cards, decks and characters beyond their sentences."""
    for face in content.faces:
        for line in printed(face).lines:
            if problem := line_problem(printed(face), line) or reference_problem(printed(face), line):
                yield f"{face.name}: “{line.text}” {problem}"
    for character in content.other_things("character"):
        odd = [house for house in character["influence"] if house not in HOUSES]
        if odd:
            yield f"{character['name']}: there is no House {odd[0]}."
    known = {character["name"] for character in content.other_things("character")}
    for deck in content.other_things("deck"):
        if problem := deck_problem(deck, content):
            yield f"{problem}."
        if deck["character"] not in known:
            yield f"the deck {deck['name']} needs a character, one of: {', '.join(sorted(known))}."


# Lines ---------------------------------------------------------------------------------------------------------------


def line_problem(card: Printed, line: Ability) -> str | None:
    """Tags that never come about on such a card, or not together."""
    if line.sneak and card.is_event:
        return "sneaks: only assets sneak."
    if line.by_pawn and not card.is_pawn:
        return "is used by a pawn: only pawns act and seduce."
    if "deploy" in line.happens and card.is_event:
        return "is deployed: only assets are, when they are purchased."
    if "sabotage" in line.happens and card.is_asset and not card.sneaks:
        return "waits for a sabotage: only events are sabotaged, and assets that sneak."
    if (line.activated or "turn" in line.happens) and card.is_event and not card.stays:
        return "would need the card in play, face up: of events only those that are Ongoing stay."
    if line.happens and (line.by_pawn or line.maneuver):
        return "happens of itself, so it is neither acted nor a maneuver."
    if line.sneak and (line.by_pawn or "deploy" in line.happens):
        return "sneaks: what lies underway neither acts nor is deployed."
    return None


def reference_problem(card: Printed, line: Ability) -> str | None:
    """A reference to something that the line has not named."""
    marked = False
    for said in line.said.below():
        hints = said.phrase.hints
        if said.kind == "target":
            marked = True
            if lasting_rule(said):
                return "marks a card, which a lasting rule cannot do."
        if "of_a_mark" in hints and not marked:
            return "speaks of that card before any was marked."
        if "of_a_seduction" in hints and not line.seduce:
            return "speaks of a seduced pawn without Seduce."
        if "of_a_host" in hints and not card.alters:
            return "speaks of an altered card without Alter."
    return None


def lasting_rule(said: Said) -> bool:
    """Whether a phrase stands in a rule that lasts."""
    parent = said.parent
    return parent is not None and (parent.kind == "static" or lasting_rule(parent))


# Decks ---------------------------------------------------------------------------------------------------------------


def deck_problem(deck: dict[str, Any], content: Content) -> str | None:
    """VT-B17 Forty cards, three of a name, one of a Unique name."""
    cards = deck["cards"]
    for name, copies in cards.items():
        if name not in content.named:
            return f"the deck {deck['name']} has {name}, which is no card{nearest(name, content.named)}"
        most = 1 if printed(content.named[name]).unique else COPIES
        if not 0 < copies <= most:
            return f"the deck {deck['name']} has {copies} of {name}; it may have 1 to {most}"
    if sum(cards.values()) != DECK:
        return f"the deck {deck['name']} has {sum(cards.values())} cards; a deck has {DECK}"
    return None
