"""The table in lines of text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .rules.table import ICONS, LIFE, Vendetta, amount
from .words import effect_of


def phase(t: Vendetta) -> list[tuple[str, bool]]:
    """PV-8.1 Where in the turn we are."""
    return [(name, t.phase == name) for name in ("beginning", "main", "end")]


def picture(view: Any, names: Sequence[str]) -> Iterator[str]:
    """The table in a few lines, for the terminal."""
    yield f"Turn {view.turn}, {names[view.active]}: {view.phase or 'beginning'} phase."
    yield f"Headspace: {cards_in_words(view.headspace)}. Head: {amount(len(view.head), 'hand')}."
    if view.table.count:
        yield f"Being played: {cards_in_words(view.table)}."
    for clone in view.clones:
        yield from clone_in_words(view, clone, names)
    yield from (name_seats(line, names) for line in view.to_come)


def clone_in_words(view: Any, clone: Any, names: Sequence[str]) -> Iterator[str]:
    name = names[clone.seat] + (" (you)" if clone.seat == view.viewer else "")
    if not clone.alive:
        yield f"{name}: dead."
        return
    life = ", ".join(f"{ICONS[what]} {amount(getattr(clone, what), what)}" for what in (*LIFE, "ticks"))
    yield f"{name}: {life}"
    yield f"  hand, up to {view.hand_sizes[clone.seat]}: {cards_in_words(clone.hand)}"
    for card in clone.states:
        yield f"  state {card.name}: {effect_of(card.face)}"
    if clone.forgotten.count:
        yield f"  forgotten: {cards_in_words(clone.forgotten)}"
    if clone.aside.count:
        yield f"  set aside: {amount(len(clone.aside), 'hand')}"


def cards_in_words(zone: Any) -> str:
    if zone.seen:
        return ", ".join(card.name for card in zone.cards) or "none"
    known = f", among them {', '.join(zone.known)}" if zone.known else ""
    return amount(zone.count, "hand") + known


def name_seats(text: str, names: Sequence[str]) -> str:
    for seat, name in enumerate(names):
        text = text.replace(f"@{seat}", name)
    return text
