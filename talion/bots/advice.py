"""What a bot would do in somebody's place, in words."""

from __future__ import annotations

from collections.abc import Iterator

from . import Seen, UnknownBot, make
from .levels import Thinker


def advice(seen: Seen, bot: str = "normal", seed: int | str = 0) -> Iterator[str]:
    """A line for each option, the best first: how it did in the matches the bot imagined, and in how many."""
    thinker = make(bot, seed)
    if not isinstance(thinker, Thinker):
        raise UnknownBot(f"{bot} does not think; ask easy, normal, hard or search:N.")
    names = {offer.option: offer.name for offer in seen.view.offers()}
    for estimate in thinker.estimates(seen):
        yield f"{estimate.value:6.1%}  {names[estimate.option]} ({estimate.tried} tried)"
