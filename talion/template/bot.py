"""How good a table looks to a seat, for bots: from 0 (lost) to 1 (won)."""

from __future__ import annotations

from talion.kernel import View

from .rules import GOAL


def value(view: View, seat: int) -> float:
    mine = view.players[seat].points
    best = max(player.points for player in view.players if player.seat != seat)
    return float(min(1.0, max(0.0, 0.5 + (mine - best) / (2 * GOAL))))
