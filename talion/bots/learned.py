"""A judgement with learned weights: what a game says of a position by itself, put right by what the position shows.

A file holds the weights of some features, in units of the game's own judgement (logarithms of odds), so nothing is lost of how sure
that is; `talion learn` makes it. It belongs to one game and the cards it was learned with.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

from talion.kernel import Content, Game

from . import UnknownBot
from .features import Numbers, column_of, columns

SURE = 1e-6
"""No judgement is taken to be surer of a loss, or of a win, than this."""


def lead(said: float) -> float:
    """What a judgement says, as a logarithm of odds."""
    said = min(1 - SURE, max(SURE, said))
    return log(said / (1 - said))


@dataclass(frozen=True)
class Weights:
    """What was learned."""

    game: str
    cards: str
    """The fingerprint of the cards."""
    plus: float
    """What is added in any case."""
    weights: Numbers
    """By feature."""

    def text(self) -> str:
        return json.dumps(vars(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, file: str) -> Weights:
        try:
            found = cls(**json.loads(Path(file).read_text("utf-8")))
            numbers = [found.plus, *found.weights.values()]
        except OSError:
            raise UnknownBot(f"There is no file {file} to judge by.") from None
        except (ValueError, TypeError, AttributeError):
            raise UnknownBot(f"{file} holds no weights; talion learn makes such a file.") from None
        if not all(type(number) in (int, float) for number in numbers):
            raise UnknownBot(f"{file} has a weight that is no number.")
        return found


class Learned:
    """Judges a view for a seat by a game's own judgement and learned weights."""

    def __init__(self, weights: Weights, game: Game) -> None:
        known = columns(game)
        self._plus = weights.plus
        self._own = game.value
        by_column: dict[str, Numbers] = {}
        for feature, weight in weights.weights.items():
            column, detail = column_of(feature)
            if column not in known:
                raise UnknownBot(f"{game.title} has no {column} to weigh; learn the weights again.")
            by_column.setdefault(column, {})[detail] = weight
        self._columns = [(known[column], inside) for column, inside in by_column.items()]

    def __call__(self, view: Any, seat: int) -> float:
        total = self._plus + (lead(self._own(view, seat)) if self._own else 0.0)
        for column, weights in self._columns:
            numbers = column(view, seat)
            for detail, weight in weights.items():
                if number := numbers.get(detail):
                    total += weight * number
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def judgement(file: str, game: Game, content: Content) -> Learned:
    """The judgement that a file of weights describes, if they were learned with this game and these cards."""
    weights = Weights.read(file)
    if weights.game != game.key:
        raise UnknownBot(f"{file} was learned with {weights.game}, not with {game.key}.")
    if weights.cards != content.fingerprint:
        raise UnknownBot(f"{file} was learned with other cards of {game.title}: learn it again with these.")
    return Learned(weights, game)
