"""What a bot would do in somebody's place, and why, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

from talion.kernel import Game, Option

from . import Seen, UnknownBot, make
from .levels import Thinker
from .search import Foreseen

SLIGHT = 0.02
"""A difference that is none."""
AHEAD = 48
"""Imagined matches in which it is seen what comes of the best option."""
OFTEN = 0.25
"""What comes less often than this is not expected."""
RARE = 0.05
"""What comes less often than this is not even feared."""
WORSE = 0.04
"""How much worse than usual it must be to be feared."""


@dataclass(frozen=True)
class Advice:
    """How one option did in the matches a bot imagined, and in how many."""

    option: Option
    name: str
    value: float
    tried: int

    def __str__(self) -> str:
        return f"{self.value:6.1%}  {self.name} ({self.tried} tried)"


@dataclass(frozen=True)
class Expected:
    """Something that another may do next: how often it came, and what the match was worth then."""

    says: str
    """As a line of the log says it, with seats as `@1`."""
    share: float
    value: float


@dataclass(frozen=True)
class Hint:
    """All options, the best first; what is expected after the best one, and what is feared."""

    considered: tuple[Advice, ...]
    expects: Expected | None = None
    fears: Expected | None = None

    def sentences(self) -> Iterator[str]:
        """The move and why, what comes next, and what may go wrong."""
        best, *others = self.considered
        if not others:
            yield f"There is nothing but: {best.name}."
            return
        second = others[0]
        yield (
            f"{best.name[0].upper()}{best.name[1:]}: in its head it won {hundredths(best.value)} of 100 matches so, and {hundredths(second.value)} "
            f"with the second best, {second.name}. {compared(best.value - second.value)}"
        )
        if self.expects:
            yield f"Next it expects: {self.expects.says}"
        if self.fears and self.fears != self.expects:
            yield f"What it fears: {self.fears.says} Then it wins {hundredths(self.fears.value)} of 100."
        elif self.fears:
            yield f"That is also what it fears: then it wins {hundredths(self.fears.value)} of 100."

    def data(self) -> dict[str, Any]:
        """As plain data, for the wire and for scripts."""
        return {
            "considered": [
                {"option": one.name, "value": round(one.value, 3), "tried": one.tried}
                for one in self.considered
            ],
            "expects": self.expects and vars(self.expects),
            "fears": self.fears and vars(self.fears),
            "says": list(self.sentences()),
        }


def hundredths(value: float) -> int:
    return round(100 * value)


def compared(gap: float) -> str:
    """What a difference between two options comes to."""
    if gap < SLIGHT:
        return "That is hardly a difference: take what you like."
    return "That is somewhat better." if gap < 0.08 else "That is clearly better."


def advise(seen: Seen, bot: str = "normal", seed: int | str = 0) -> Hint:
    """What a bot that sees what the seat sees would do, and why."""
    thinker = make(bot, seed)
    if not isinstance(thinker, Thinker):
        raise UnknownBot(f"{bot} does not think; ask normal, hard or search:N.")
    names = {offer.option: offer.name for offer in seen.view.offers()}
    said = sober(seen.game)
    considered = tuple(
        Advice(one.option, names[one.option], said(one.value), one.tried) for one in thinker.estimates(seen)
    )
    if len(considered) < 2:
        return Hint(considered)
    ahead = thinker.foresee(seen, considered[0].option, AHEAD)
    expects, fears = foreseen([Foreseen(match.says, said(match.value)) for match in ahead])
    return Hint(considered, expects, fears)


def sober(game: Game) -> Callable[[float], float]:
    """What a game's judgement comes to, by what its positions came to."""
    add, times = game.strength.sober

    def said(value: float) -> float:
        if value <= 0 or value >= 1:
            return value
        return 1 / (1 + exp(-add - times * log(value / (1 - value))))

    return said


def second_thought(seen: Seen, done: Option, bot: str = "normal", seed: int | str = 0) -> str:
    """What a bot would have done where somebody did something, in a sentence."""
    best, *others = advise(seen, bot, seed).considered
    played = next(one for one in (best, *others) if one.option == done)
    if not others:
        return ""
    if played is best or best.value - played.value < SLIGHT:
        return f"A bot in that seat would have done the same: it won {hundredths(played.value)} of 100 matches so."
    if not played.tried:
        return f"A bot in that seat would have chosen: {best.name}. It won {hundredths(best.value)} of 100 matches so."
    return (
        f"A bot in that seat would have chosen: {best.name}. In its head it won {hundredths(best.value)} of 100 matches so, "
        f"and {hundredths(played.value)} with what was done."
    )


def foreseen(matches: Sequence[Foreseen]) -> tuple[Expected | None, Expected | None]:
    """What came most often in some imagined matches, and what was worst of what came now and then."""
    usual = sum(match.value for match in matches) / len(matches)
    found: dict[str, list[float]] = {}
    for match in matches:
        found.setdefault(match.says, []).append(match.value)
    came = [
        Expected(says, len(values) / len(matches), sum(values) / len(values))
        for says, values in found.items()
        if says
    ]
    expects = max(came, key=lambda one: one.share, default=None)
    worst = min((one for one in came if one.share > RARE), key=lambda one: one.value, default=None)
    return (
        expects if expects and expects.share >= OFTEN else None,
        worst if worst and worst.value <= usual - WORSE else None,
    )
