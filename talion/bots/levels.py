"""Bots that think, with settings: how long, and in which manner. Each game says how strong its own are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from talion.kernel import Game, Option, Strength

from . import Seen
from .search import Budget, Estimate, Foreseen, Judge, Manner, Search

LEVELS = ("normal", "hard")
"""Strengths that are budgets."""


def manner_of(game: Game) -> Manner:
    """How a game's search spends its budget."""
    return Manner(**game.strength.manner)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Habits:
    """What a thinking bot does its own way: how long it thinks, and where it differs from the game's usual manner."""

    budget: Callable[[str, Strength], Budget]
    manner: Callable[[str], dict[str, Any]] = lambda game: {}
    judge: Callable[[str], Judge | None] = lambda game: None


class Thinker:
    """A search with settings. It learns which game it plays when it sees the match."""

    def __init__(self, settings: Habits, seed: int | str = 0) -> None:
        self._settings = settings
        self._search = Search(seed)

    def choose(self, seen: Seen) -> Option:
        return self._ready(seen).choose(seen)

    @property
    def resumed(self) -> int:
        """For how many decisions it went on with what it had thought before."""
        return self._search.resumed

    def estimates(self, seen: Seen) -> list[Estimate]:
        """What it thinks of each option, the best first."""
        return self._ready(seen).estimates(seen)

    def foresee(self, seen: Seen, option: Option, times: int) -> list[Foreseen]:
        """What comes of an option in some more imagined matches, once estimates were made."""
        return self._search.foresee(seen, option, times)

    def _ready(self, seen: Seen) -> Search:
        game, settings, search = seen.game.key, self._settings, self._search
        search.budget = settings.budget(game, seen.game.strength)
        search.manner = replace(manner_of(seen.game), **settings.manner(game))
        search.judge = settings.judge(game)
        return search
