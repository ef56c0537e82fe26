"""A bot that looks one decision ahead: each option is played on, with defaults for all others, to its own next decision."""

from __future__ import annotations

from talion.kernel import Chance, Match, Option, default_of

from . import Seen

WORLDS = 2
"""How many imagined matches each option is tried in."""
FARTHEST = 60
"""Decisions of others after which looking ahead stops."""


class Greedy:
    def __init__(self, seed: int | str = 0) -> None:
        self._chance = Chance.of(f"greedy:{seed}")

    def choose(self, seen: Seen) -> Option:
        options = seen.options
        if len(options) == 1:
            return options[0]
        values = self.values(seen, options)
        best = max(values)
        return self._chance.pick(
            [option for option, value in zip(options, values, strict=True) if value == best]
        )

    def values(self, seen: Seen, options: list[Option]) -> list[float]:
        """How good each option looks, from 0 to 1, with the game's hints added."""
        game, seat = seen.game, seen.seat
        totals = [game.hint(seen.view, option) * WORLDS if game.hint else 0.0 for option in options]
        for _ in range(WORLDS):
            world = seen.imagine(self._chance)
            for i, option in enumerate(options):
                ahead = world.copy().let_go()
                ahead.answer(seat, option)
                look_ahead(ahead, seat)
                totals[i] += worth(ahead, seat)
        return [total / WORLDS for total in totals]


def look_ahead(match: Match, seat: int) -> None:
    """Plays on by defaults until the seat has a decision of weight again."""
    for _ in range(FARTHEST):
        pending = match.pending
        if match.over or (seat in pending and not pending[seat].minor):
            return
        other = min(pending)
        match._take(("default", other, default_of(pending[other], match.t)))


def worth(match: Match, seat: int) -> float:
    """What a match is worth to a seat: its result, or the game's own judgement."""
    result = match.result
    if result is not None:
        if not result.winners:
            return 0.5
        return 1.0 if seat in result.winners else 0.0
    return match.game.value(match.view(seat), seat) if match.game.value else 0.5
