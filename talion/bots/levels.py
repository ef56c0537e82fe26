"""How strong the named bots are: iterations a decision, by game, as measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from talion.kernel import Option

from . import Seen, UnknownBot
from .search import PLAINLY, Budget, Estimate, Manner, Search


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
    "chapter-of-resonance": Strength(easy=25, normal=120, hard=1200, manner=Manner(onward=True)),
    "vengeance": Strength(easy=25, normal=100, hard=1000),
    "vitium": Strength(easy=20, normal=80, hard=800, manner=Manner(sweeps=2)),
}
"""Games whose speed was measured: `hard` stays under a second at 95 of 100 decisions, and easy needs no patience."""
LEVELS = ("easy", "normal", "hard")


def strength(game: str) -> Strength:
    return MEASURED.get(game, USUAL)


class Thinker:
    """A search whose budget is the game's own. It learns which game it plays when it sees the match."""

    def __init__(self, budget: Callable[[Strength], Budget], seed: int | str = 0) -> None:
        self._budget = budget
        self._search = Search(seed)

    def choose(self, seen: Seen) -> Option:
        return self._ready(seen).choose(seen)

    def estimates(self, seen: Seen) -> list[Estimate]:
        """What it thinks of each option, the best first."""
        return self._ready(seen).estimates(seen)

    def _ready(self, seen: Seen) -> Search:
        own = strength(seen.game.key)
        self._search.budget, self._search.manner = self._budget(own), own.manner
        return self._search


def level(name: str, seed: int | str = 0) -> Thinker:
    """`easy`, `normal` or `hard`."""
    return Thinker(lambda own: Budget(getattr(own, name)), seed)


def search(budget: str, seed: int | str = 0) -> Thinker:
    """A search with a budget in words: `300` iterations, `0.5s`."""
    given = _budget(budget)
    if given is None:
        raise UnknownBot(f"search:{budget} names no budget to think within; write search:300 or search:0.5s.")
    return Thinker(lambda own: given, seed)


def _budget(words: str) -> Budget | None:
    try:
        if not words.endswith("s"):
            return Budget(int(words)) if int(words) > 0 else None
        seconds = float(words[:-1])
    except ValueError:
        return None
    return Budget(seconds=seconds) if 0 < seconds < inf else None
