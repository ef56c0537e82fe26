"""Who plays when nobody does. Bots see views, never states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from talion.kernel import Ask, Chance, Game, Match, Option, View


class Seen:
    """All that a bot is given: the view of its seat, what it is asked, and matches it may imagine."""

    __slots__ = ("_match", "seat")

    def __init__(self, match: Match, seat: int) -> None:
        self._match = match
        self.seat = seat

    @property
    def game(self) -> Game:
        return self._match.game

    @property
    def view(self) -> View:
        view: View = self._match.view(self.seat)
        return view

    @property
    def ask(self) -> Ask:
        return self._match.pending[self.seat]

    @property
    def options(self) -> list[Option]:
        """What it may answer."""
        return list(self._match.options(self.seat))

    @property
    def standing(self) -> list[Option]:
        """What it may do besides, though nothing waits for it."""
        standing = self._match.standing.get(self.seat, ())
        return [option for one in standing for option in one.ask.open(self._match.t)]

    def imagine(self, chance: Chance) -> Match:
        """A match that could be this one for all the seat knows: everything hidden from it is dealt anew."""
        return self._match.redeal(self.seat, chance, fast=True)


class Bot(Protocol):
    """Chooses an option for a seat. The same seed plays the same."""

    def choose(self, seen: Seen) -> Option: ...


class UnknownBot(Exception):  # noqa: N818
    """No bot has this name."""


def _makers() -> dict[str, Callable[[int | str], Bot]]:
    from .greedy import Greedy
    from .random import Random

    return {"random": Random, "greedy": Greedy}


def names() -> tuple[str, ...]:
    return tuple(_makers())


def make(name: str, seed: int | str = 0) -> Bot:
    """The bot with this name."""
    makers = _makers()
    if name not in makers:
        raise UnknownBot(f"There is no bot {name}; there are: {', '.join(makers)}.")
    return makers[name](seed)
