"""How strong the named bots are: iterations a decision, by game, as measured."""

from __future__ import annotations

from talion.kernel import Option

from . import Seen, UnknownBot
from .search import Budget, Estimate, Search

LEVELS: dict[str, int] = {"easy": 25, "normal": 100, "hard": 400}
"""Iterations a decision. Each level thinks four times as long as the one below it."""
AHEAD = 2
"""Decisions played at random beyond the trees before a match is judged."""

MEASURED: dict[str, dict[str, int]] = {}
"""Games that need other figures: what is not named here is as above."""


def budget_of(level: str, game: str) -> Budget:
    """How long a level thinks in a game."""
    own = MEASURED.get(game, {})
    return Budget(own.get(level, LEVELS[level]), ahead=own.get("ahead", AHEAD))


class Level:
    """A search whose budget is the game's own. It learns which game it plays when it first sees it."""

    def __init__(self, name: str, seed: int | str = 0) -> None:
        self._name = name
        self._search = Search(seed)

    def choose(self, seen: Seen) -> Option:
        return self._ready(seen).choose(seen)

    def estimates(self, seen: Seen) -> list[Estimate]:
        return self._ready(seen).estimates(seen)

    def _ready(self, seen: Seen) -> Search:
        self._search.budget = budget_of(self._name, seen.game.key)
        return self._search


def search(budget: str, seed: int | str = 0) -> Search:
    """A search with a budget in words: `300` iterations, `0.5s`."""
    try:
        if budget.endswith("s"):
            seconds = float(budget[:-1])
            given = Budget(seconds=seconds, ahead=AHEAD)
        else:
            seconds = 1.0
            given = Budget(int(budget), ahead=AHEAD)
    except ValueError:
        raise UnknownBot(f"search:{budget} names no budget; write search:300 or search:0.5s.") from None
    if given.iterations < 1 or not seconds > 0:
        raise UnknownBot(f"search:{budget} leaves no time to think; write search:300 or search:0.5s.")
    return Search(seed, given)
