"""The table in lines of text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .rules import GOAL, Desk

STAGES = ("play", "actions", "rotate", "exhaust", "check")


def phase(t: Desk) -> list[tuple[str, bool]]:
    return [(stage, stage == t.stage) for stage in STAGES]


def picture(view: Any, names: Sequence[str]) -> Iterator[str]:
    """The table in lines: what was won, the two piles, and each side, the viewer's own last."""
    acts = ", ".join(f"{names[side.seat]} {side.wins}" for side in view.sides)
    yield f"Act {view.act}, turn {view.turns}. Acts won: {acts}."
    for pile, zone in (("Bodycount", view.bodycount), ("Evidence", view.evidence)):
        yield f"{pile}, {len(zone)} of {GOAL}: {named(zone)}."
    for seat in (0, 1) if view.viewer != 0 else (1, 0):
        side = view.sides[seat]
        you = " (you)" if seat == view.viewer else ""
        yield f"{names[seat]}{you}, the {view.roles[seat]}:"
        yield f"  in play: {', '.join(map(lies, side.area)) or 'nothing'}"
        yield f"  hand: {in_hand(side.hand)}; deck: {len(side.deck)} cards; discard: {named(side.discard)}"


def named(zone: Any) -> str:
    return ", ".join(card.name for card in zone) or "nothing"


def in_hand(zone: Any) -> str:
    known = f" ({', '.join(zone.known)})" if zone.known else ""
    return named(zone) if zone.seen else f"{len(zone)} cards{known}"


def lies(card: Any) -> str:
    """A card in an area: how it lies, and whether its action was used."""
    how = {0: "upright", 90: "at 90", 180: "exhausted"}[card.rotation]
    return f"{card.name} {how}{' (used)' if card.used else ''}"
