"""Who plays when nobody does. Bots see views, never states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from talion.kernel import Ask, Chance, Game, Hidden, Match, Option, View, default_of


class Point:
    """A point of a match that can be compared with a later one, and tells nothing else."""

    __slots__ = ("_known", "_number")

    def __init__(self, match: Match, number: int | None = None) -> None:
        know = match.t.know
        self._number = match.number if number is None else number
        self._known = (match.t.chance.count, know.seen if know else 0)

    def leads_straight_to(self, later: Point) -> bool:
        """Whether one answer was given in between, and nothing was revealed or rolled."""
        return later._number == self._number + 1 and later._known == self._known


class Seen:
    """All that a bot is given: the view of its seat, what it is asked, and matches it may imagine.

    It holds a likeness of the match, never the match: whatever a bot looks into, there is nothing its seat may not know.
    """

    __slots__ = ("_hidden", "_likeness", "point", "seat")

    def __init__(self, match: Match, seat: int, number: int | None = None) -> None:
        """`number`: of the entry it stands at, where the match was written out and has forgotten how many there were."""
        self.seat = seat
        self.point = Point(match, number)
        self._likeness = match.likeness(seat, Chance(0))
        self._hidden: Hidden | None = None

    @property
    def game(self) -> Game:
        return self._likeness.game

    @property
    def seats(self) -> int:
        return self._likeness.seats

    @property
    def view(self) -> View:
        view: View = self._likeness.view(self.seat)
        return view

    @property
    def ask(self) -> Ask:
        return self._likeness.pending[self.seat]

    @property
    def options(self) -> list[Option]:
        """What it may answer."""
        return list(self._likeness.options(self.seat))

    @property
    def default(self) -> Option:
        """What is answered for a seat that does not answer."""
        return default_of(self.ask, self._likeness.t)

    @property
    def standing(self) -> list[Option]:
        """What it may do besides, though nothing waits for it."""
        return [offer.option for offer in self.view.standing_offers()]

    def imagine(self, chance: Chance) -> Match:
        """A match that could be this one for all the seat knows: everything hidden from it is dealt anew."""
        if self._hidden is None:
            self._hidden = self._likeness.hidden(self.seat)
        return self._likeness.redeal(self.seat, chance, fast=True, hidden=self._hidden)


class Bot(Protocol):
    """Chooses an option for a seat. The same seed plays the same."""

    def choose(self, seen: Seen) -> Option: ...


@runtime_checkable
class Blind(Protocol):
    """A bot that wants to know its options and nothing else."""

    def pick(self, options: Sequence[Option]) -> Option: ...


def choice(bot: Bot, match: Match, seat: int, number: int | None = None) -> Option:
    """What a bot chooses in a match. A blind one is spared the likeness, which takes as long as a dozen of its choices."""
    if isinstance(bot, Blind):
        return bot.pick(list(match.options(seat)))
    return bot.choose(Seen(match, seat, number))


class UnknownBot(Exception):  # noqa: N818
    """No bot has this name."""


def names() -> tuple[str, ...]:
    """The bots by name, from the weakest to the strongest."""
    return ("random", "greedy", "easy", "normal", "hard")


def make(name: str, seed: int | str = 0) -> Bot:
    """The bot with this name; `named.py` says what a name can be."""
    if name == "random":
        from .random import Random

        return Random(seed)
    if name == "greedy":
        from .greedy import Greedy

        return Greedy(seed)
    if name == "easy" or name.startswith("gentle:"):
        from .gentle import Gentle
        from .named import share

        return Gentle(seed, None if name == "easy" else share(name))
    from .levels import Thinker
    from .named import settings

    return Thinker(settings(name), seed)


def listed(names: str) -> list[str]:
    """Several bots in one text: `hard,greedy`, `search:300,sweeps=2,normal`. What has an equals sign belongs to the
    bot before it."""
    found: list[str] = []
    for part in names.split(","):
        if "=" in part and found:
            found[-1] += f",{part.strip()}"
        else:
            found.append(part.strip())
    return found
