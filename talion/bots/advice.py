"""What a bot would do in somebody's place, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from . import Seen, UnknownBot, make
from .levels import Thinker


@dataclass(frozen=True)
class Advice:
    """How one option did in the matches a bot imagined, and in how many."""

    option: str
    value: float
    tried: int

    def __str__(self) -> str:
        return f"{self.value:6.1%}  {self.option} ({self.tried} tried)"


def advice(seen: Seen, bot: str = "normal", seed: int | str = 0) -> Iterator[Advice]:
    """What a bot thinks of each option, the best first."""
    thinker = make(bot, seed)
    if not isinstance(thinker, Thinker):
        raise UnknownBot(f"{bot} does not think; ask easy, normal, hard or search:N.")
    names = {offer.option: offer.name for offer in seen.view.offers()}
    for estimate in thinker.estimates(seen):
        yield Advice(names[estimate.option], estimate.value, estimate.tried)
