"""A bot that looks one decision ahead: each option is played on, with defaults for all others, to its own next decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from talion.kernel import Chance, Match, Option, default_of

from . import Seen

Value = Callable[[Any, int], float]
"""Judges a view for a seat, from 0 to 1."""
WORLDS = 2
"""How many imagined matches each option is tried in."""
REJECTED = -1.0
"""A hint that is as good as a no."""
FARTHEST = 60
"""Decisions of others after which looking ahead stops."""


class Greedy:
    def __init__(self, seed: int | str = 0) -> None:
        self._chance = Chance.of(f"greedy:{seed}")

    def choose(self, seen: Seen) -> Option:
        options = seen.options
        if besides := self.besides(seen):
            return besides
        if len(options) == 1:
            return options[0]
        values = self.values(seen, options)
        best = max(values)
        return self._chance.pick(
            [option for option, value in zip(options, values, strict=True) if value == best]
        )

    def besides(self, seen: Seen) -> Option | None:
        """Something that nothing waits for (a gift), if the game's hints speak for it."""
        hint = seen.game.hint
        if hint is None or seen.game.standing is None:
            return None
        view = seen.view
        return next((option for option in seen.standing if hint(view, option) > 0), None)

    def values(self, seen: Seen, options: list[Option]) -> list[float]:
        """How good each option looks, from 0 to 1, with the game's hints added. What a hint rejects is not tried."""
        game, seat, view = seen.game, seen.seat, seen.view
        hints = [game.hint(view, option) if game.hint else 0.0 for option in options]
        totals = [hint * WORLDS for hint in hints]
        for _ in range(WORLDS):
            world = seen.imagine(self._chance)
            for i, option in enumerate(options):
                if hints[i] <= REJECTED:
                    continue
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
        match.apply(("default", other, default_of(pending[other], match.t)))


def worth(match: Match, seat: int, value: Value | None = None) -> float:
    """What a match is worth to a seat: its result, or a judgement, by default the game's own."""
    result = match.result
    if result is not None:
        return match.game.payoff(result, seat)
    value = value or match.game.value
    return value(match.view(seat), seat) if value else 0.5
