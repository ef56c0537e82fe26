"""How strong the named bots are: iterations a decision, by game, as measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from talion.kernel import Option

from . import Seen
from .search import PLAINLY, Budget, Estimate, Judge, Manner, Search


@dataclass(frozen=True)
class Strength:
    """The budgets of one game, and how its search spends them."""

    easy: int = 25
    normal: int = 100
    hard: int = 400
    manner: Manner = PLAINLY


USUAL = Strength()
MEASURED: dict[str, Strength] = {
    "engines-of-vengeance": Strength(easy=30, normal=250, hard=2500),
    "personal-vendetta": Strength(easy=30, normal=200, hard=1600, manner=Manner(onward=True)),
    "chapter-of-resonance": Strength(easy=25, normal=120, hard=1200, manner=Manner(onward=True, each=True)),
    "vengeance": Strength(easy=25, normal=100, hard=1000),
    "vitium": Strength(easy=20, normal=80, hard=800, manner=Manner(sweeps=2)),
}
"""Games whose speed was measured: `hard` stays under a second at 95 of 100 decisions, and easy needs no patience."""
LEVELS = ("easy", "normal", "hard")


def strength(game: str) -> Strength:
    return MEASURED.get(game, USUAL)


@dataclass(frozen=True)
class Settings:
    """What a thinking bot does its own way: how long it thinks, and where it differs from the game's usual manner."""

    budget: Callable[[str, Strength], Budget]
    manner: Callable[[str], dict[str, Any]] = lambda game: {}
    judge: Callable[[str], Judge | None] = lambda game: None


class Thinker:
    """A search with settings. It learns which game it plays when it sees the match."""

    def __init__(self, settings: Settings, seed: int | str = 0) -> None:
        self._settings = settings
        self._search = Search(seed)

    def choose(self, seen: Seen) -> Option:
        return self._ready(seen).choose(seen)

    def estimates(self, seen: Seen) -> list[Estimate]:
        """What it thinks of each option, the best first."""
        return self._ready(seen).estimates(seen)

    def _ready(self, seen: Seen) -> Search:
        game, settings, search = seen.game.key, self._settings, self._search
        own = strength(game)
        search.budget = settings.budget(game, own)
        search.manner = replace(own.manner, **settings.manner(game))
        search.judge = settings.judge(game)
        return search
