"""What all pages of the workshop share: a set that somebody has before them, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from talion.kernel import BadCards, Content, Game
from talion.table.asking import Asked, house_of
from talion.table.refusal import Refusal
from talion.workshop import bench
from talion.workshop.runs import Runs
from talion.workshop.sets import CardSet, Sets


@dataclass(frozen=True)
class OpenSet:
    """A set that somebody has before them."""

    set: CardSet
    game: Game
    content: Content
    revisions: Sequence[CardSet]
    """All of them, the latest first."""

    def changed_since(self, name: str, number: int) -> CardSet | None:
        """The latest revision past this one in which a card was changed; None if nobody touched it."""
        for later, earlier in pairwise(self.revisions):
            if later.number <= number:
                return None
            if later.row(name) != earlier.row(name):
                return later
        return None if number else self.revisions[0]

    @property
    def path(self) -> str:
        return f"/workshop/sets/{self.set.id}"

    def own(self, name: str) -> Mapping[str, Any] | None:
        """A card as the game prints it; none if it is new."""
        rows = self.game.content().tables.get("card", [])
        return next((row for row in rows if row["name"] == name), None)

    def whole(self, name: str, like: str = "") -> dict[str, Any]:
        """A card with the changes of the set; a new one begins as a copy of another."""
        own, row = self.own(name), self.set.row(name)
        if own is None and row is None:
            row = {**self.whole(like), "name": name} if like else None
        if own is None and row is None:
            raise Refusal(f"There is no card “{name}” in this set.", status=404)
        return bench.laid_over(own, row)

    def link(self, name: str) -> str:
        """Where one card lies on the bench."""
        return f"{self.path}/card?{urlencode({'name': name})}"

    @property
    def seats(self) -> int:
        """At the usual table: two, if the game can be played by two; else as few as it takes."""
        return 2 if 2 in self.game.seats else self.game.seats[0]

    def sprite(self, prefix: str) -> str:
        return f"{prefix}/emblems/{self.game.key}.svg"


def sets_of(request: Asked) -> Sets:
    return Sets(house_of(request).store)


def runs_of(request: Asked) -> Runs:
    runs: Runs = request.route_handler.opt["runs"]()
    return runs


def prefix_of(request: Asked) -> str:
    prefix: str = request.app.state.pages.prefix
    return prefix


async def open_set(request: Asked, set_id: str, number: int | None = None) -> OpenSet:
    """A set as it is now, or as its revision of this number was."""
    revisions = await sets_of(request).all_of(set_id)
    return opened(request, revisions, number)


def opened(request: Asked, revisions: Sequence[CardSet], number: int | None = None) -> OpenSet:
    """A set with its game."""
    found = next((one for one in revisions if number in (None, one.number)), revisions[0])
    game = house_of(request).catalogue.find(found.game)
    try:
        return OpenSet(found, game, found.content(game), revisions)
    except BadCards as problem:
        raise Refusal(
            f"This set cannot be read by the rules as they are now: {problem}", status=409
        ) from None


def number_in(form: Mapping[str, str], name: str = "number", most: int = 10**8) -> int:
    """A number of a form; 0 if there is none."""
    number = form.get(name, "")
    return min(int(number), most) if number.isdecimal() and len(number) < 9 else 0
