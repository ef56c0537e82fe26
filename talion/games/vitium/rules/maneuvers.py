"""VT-12, VT-15.10: what may be done between declaring and resolving; interceptions."""

from __future__ import annotations

from talion.kernel import Card, Option

from . import declaring
from .table import PAWN_ACTIONS, Action, Table, all_printed, is_asset_in_play, is_underway, look


def maneuver_options(t: Table, seat: int) -> list[Option]:
    """VT-12.3 Purchases and completions with Maneuver, abilities with Maneuver, interceptions, and passing."""
    boss = t.bosses[seat]
    options: list[Option] = [("pass",)]
    action = t.actions[-1]
    if action.kind in PAWN_ACTIONS and not action.prevented:
        options += [("intercept", card) for card in boss.assets if may_intercept(t, action, card)]
    faces, numbers, explaining = all_printed(t.content), t.faces, t.explaining
    for card in (*declaring.different(t, boss.hand), *boss.underway):
        face = faces[numbers[card]]
        if (face.maneuver or explaining) and all(card != action.card for action in t.actions):
            if face.is_asset:
                options += declaring.purchases(t, boss, card, face, in_window=True)
            elif is_underway(t, card):
                options += declaring.completions(t, boss, card, face, in_window=True)
    options += declaring.abilities(t, boss, in_window=True)
    return options


def may_intercept(t: Table, action: Action, card: Card) -> bool:
    """VT-15.10 An unexhausted guard whose Cunning is at least the acting pawn's Stealth."""
    words = t.keywords[card]
    if not words or not guards(t, action, card, words):
        return False
    return (
        not t.exhausted[card]
        and look(t, card).is_pawn
        and card != action.card
        and is_asset_in_play(t, action.card)
        and (t.stealth_now[action.card] or 0) <= (t.cunning_now[card] or 0)
    )


def guards(t: Table, action: Action, card: Card, words: tuple[str, ...]) -> bool:
    """VT-15.11 VT-15.12 Whether one of its keywords lets it intercept this action."""
    attacked = action.mark if action.kind == "attack" and is_asset_in_play(t, action.mark) else None
    kind = None if attacked is None else look(t, attacked).kind
    return (
        "Interceptor" in words
        or ("Body Guard" in words and kind == "pawn" and attacked != card)
        or ("Patrol Guard" in words and (kind == "location" or action.kind == "sabotage"))
    )
