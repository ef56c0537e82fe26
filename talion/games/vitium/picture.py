"""The table in a few lines, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from talion.kernel import CardView, listed

from .rules.table import HOUSES, Table, printed

VICTORY_IN_WORDS = "of 8"

PHASES = ("actions", "maneuvers")


def phase(t: Table) -> list[tuple[str, bool]]:
    now = "maneuvers" if t.actions else "actions"
    return [(name, name == now) for name in PHASES]


def picture(view: Any, names: Sequence[str]) -> Iterator[str]:
    """Every boss with what is in play; what is going on last."""
    if view.turns == 0:
        yield "Everybody looks through a deck and picks the first cards of the hand."
        return
    yield f"Turn {view.turns}, {names[view.active]}."
    mine = view.viewer
    for boss in sorted(view.bosses, key=lambda boss: boss.seat == mine):
        yield from boss_in_words(view, boss, names)
    for action in view.actions:
        yield f"Going on: {action_in_words(action, names)}"


def boss_in_words(view: Any, boss: Any, names: Sequence[str]) -> Iterator[str]:
    you = " (you)" if boss.seat == view.viewer else ""
    houses = listed([f"{house} {boss.influence[house]}" for house in HOUSES if boss.influence[house]])
    yield f"{names[boss.seat]}{you}, {boss.character}: {boss.wealth}Ç and {boss.income}Ç a turn"
    yield f"  Influence {boss.total} {VICTORY_IN_WORDS}: {houses}"
    hosts = {altering.number: host.name for altering, host in view.alters}
    rows = (
        ("in play", [asset_in_words(card) for card in boss.assets]),
        ("altering", [f"{card.name} on {hosts[card.number]}" for card in boss.altering]),
        ("underway", [f"{n}. {event_in_words(card)}" for n, card in enumerate(boss.underway, 1)]),
        ("ongoing", [event_in_words(card) for card in boss.ongoing]),
    )
    for title, cards in rows:
        if cards:
            yield f"  {title}: {'; '.join(cards)}"
    hand = ", ".join(card.name for card in boss.hand) if boss.hand.seen else hidden_hand(boss.hand)
    yield f"  hand: {hand or 'none'}; deck: {len(boss.deck)}; junkyard: {len(boss.junkyard)}"


def hidden_hand(zone: Any) -> str:
    known = f", among them {listed(zone.known)}" if zone.known else ""
    return f"{zone.count}{known}"


def asset_in_words(card: Any) -> str:
    """Its four stats as they stand, its keywords, and what is the matter with it."""
    stats = (card.force_now, card.cunning_now, card.stealth_now, card.resolve_now)
    words = [f"{card.name} {'/'.join('-' if stat is None else str(stat) for stat in stats)}", *card.keywords]
    if card.phys or card.psych:
        words.append(f"{card.phys + card.psych} damage")
    if card.exhausted:
        words.append("exhausted")
    return ", ".join(words)


def event_in_words(card: Any) -> str:
    needs = (
        f" of {printed(card.face).needs}"
        if isinstance(card, CardView) and printed(card.face).is_event
        else ""
    )
    words = f"{card.name} (progress {card.progress}{needs}"
    return f"{words}, sabotage {card.sabotage})" if card.sabotage else f"{words})"


def action_in_words(action: Any, names: Sequence[str]) -> str:
    """What was declared, as far as the viewer may know it."""
    parts = [
        f"{names[action.by]}:",
        action.kind,
        *(thing.name for thing in (action.card, action.mark) if thing),
    ]
    return " ".join(parts) + (", prevented." if action.prevented else ".")
