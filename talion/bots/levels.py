"""Bots that think, with settings: how long, and in which manner. Each game says how strong its own are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from talion.kernel import Content, Game, Option, Strength

from . import Seen
from .search import Budget, Estimate, Foreseen, Judge, Manner, Search

LEVELS = ("normal", "hard")
"""Strengths that are budgets."""


def manner_of(game: Game) -> Manner:
    """How a game's search spends its budget."""
    return Manner(**game.strength.manner)


Judging = Callable[[Game, Content], Judge | None]
"""Another judgement than a game's own, for the cards of a match."""


def no_judge(game: Game, content: Content) -> None:
    """The game's own judgement will do."""


@dataclass(frozen=True)
class Habits:
    """What a thinking bot does its own way: how long it thinks, and where it differs from the game's usual manner."""

    budget: Callable[[str, Strength], Budget]
    manner: Callable[[str], dict[str, Any]] = lambda game: {}
    judge: Judging = no_judge


class Thinker:
    """A search with settings. It learns which game it plays when it sees the match."""

    def __init__(self, settings: Habits, seed: int | str = 0) -> None:
        self._settings = settings
        self._search = Search(seed)
        self._cards: Content | None = None
        """What it is ready to play with."""

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

    def get_ready(self, game: Game, content: Content) -> Search:
        """Settles how to play a game with these cards. Raises `UnknownBot` if its settings are for something else."""
        settings, search = self._settings, self._search
        if content is self._cards:
            return search
        search.budget = settings.budget(game.key, game.strength)
        search.manner = replace(manner_of(game), **settings.manner(game.key))
        search.judge = settings.judge(game, content)
        self._cards = content
        return search

    def _ready(self, seen: Seen) -> Search:
        return self.get_ready(seen.game, seen.view.content)
