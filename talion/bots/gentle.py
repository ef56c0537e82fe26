"""A bot for somebody's first matches: it looks one decision ahead, and overlooks things as people do.

Of several options it notices some, and always the one that does nothing rash; now and then it misses a chance to react.
Among what it noticed it chooses what looks best, so it plays weakly and never absurdly. Where even that is strong, it takes
anything it noticed that looks hardly worse than doing nothing: not the best plan, but one that seems to work.
"""

from __future__ import annotations

from talion.kernel import Option

from . import Seen
from .greedy import Greedy


class Gentle(Greedy):
    """`notices`: the share of its options that it sees, by default what its game says; at 1 it is greedy."""

    def __init__(self, seed: int | str = 0, notices: float | None = None) -> None:
        super().__init__(f"gentle:{seed}")
        self.notices = notices

    def choose(self, seen: Seen) -> Option:
        options = seen.options
        if len(options) == 1:
            return options[0]
        noticed = self._noticed(seen, options)
        if len(noticed) == 1:
            return noticed[0]
        values = self.values(seen, noticed)
        shrugs = seen.game.strength.shrugs if self.notices is None else 0.0
        if shrugs:
            nothing = values[noticed.index(seen.default)]
            return self._chance.pick(
                [option for option, value in zip(noticed, values, strict=True) if value >= nothing - shrugs]
            )
        return noticed[values.index(max(values))]

    def _noticed(self, seen: Seen, options: list[Option]) -> list[Option]:
        """What it sees of its options: the default always, so that there is something sensible among them."""
        usual = seen.default
        share = seen.game.strength.easy if self.notices is None else self.notices
        if seen.ask.window and not self._sees(share):
            return [usual]
        return [option for option in options if option == usual or self._sees(share)]

    def _sees(self, share: float) -> bool:
        return self._chance.below(1000) < 1000 * share
