"""Who a bot is at the table: each strength of a game has names, a face and a manner of its own.

A game says so in `bots.toml`, a table for each strength:

    [easy]
    names = ["Smudge", "Blot"]    # several, so that two at one table can be told apart
    face = "mirror"               # a motif
    manner = "forgets half of what it holds"
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from talion.kernel import Game

from . import names

MANNERS = {
    "random": "does anything the rules allow",
    "greedy": "takes what looks best now, and plans nothing",
    "easy": "thinks a moment, and errs: a good first opponent",
    "normal": "thinks ahead; a fair match",
    "hard": "thinks as long and as well as it can",
}
"""What each is like where a game says nothing else."""


@dataclass(frozen=True)
class Persona:
    """A strength of bot, as a game presents it."""

    strength: str
    manner: str
    names: tuple[str, ...] = ()
    face: str | None = None

    def name(self, taken: Collection[str | None] = ()) -> str:
        """A name for one more at a table where these are taken; short where many have it, for plates at full tables."""
        strength = self.strength.capitalize()
        more = (f"{strength} {number}" for number in range(2, len(taken) + 3))
        return next(name for name in (*self.names, f"{strength} bot", *more) if name not in taken)

    def about(self, name: str) -> str:
        """Who one of them is, in a sentence."""
        article = "an" if self.strength[0] in "aeiou" else "a"
        who = f"{name}, {article} {self.strength} bot," if name in self.names else name
        return f"{who} {self.manner}."


def personas(game: Game) -> dict[str, Persona]:
    """Every bot by its strength, from the weakest to the strongest."""
    return _read(game.folder)


@lru_cache(maxsize=64)
def _read(folder: Path | None) -> dict[str, Persona]:
    file = folder / "bots.toml" if folder else None
    told = tomllib.loads(file.read_text("utf-8")) if file and file.is_file() else {}
    return {
        strength: Persona(
            strength,
            told.get(strength, {}).get("manner", MANNERS[strength]),
            tuple(told.get(strength, {}).get("names", ())),
            told.get(strength, {}).get("face"),
        )
        for strength in names()
    }
