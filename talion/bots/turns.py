"""Thinking in turns: what one's own turn comes to, if it is played on from each option as `greedy` would play it.

Every option is judged as `greedy` judges it, those that could be the best in more imagined matches than others. What is
left is compared at the end of the turn, in the same imagined matches for all of it, until it is clear which is best. That
sees a whole fight, where a tree sees its first blows and takes the average of everything it tried there. Where dice make
much of a turn, the judgement of its beginning counts as well, and the more the fewer turns were imagined.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from math import sqrt
from typing import TYPE_CHECKING

from talion.kernel import Ask, Chance, Match, Option, default_of

from . import Seen
from .greedy import FARTHEST, REJECTED, WORLDS, look_ahead, worth

if TYPE_CHECKING:
    from .search import Judge

DOUBT = 0.02
"""How far first sight is usually off, if the game says nothing of it."""
KNOWN = 0.005
"""What luck may add to a comparison at first sight before another glance is worth it."""
LUCKLESS = 1e-9
"""Numbers whose squared deviations come to less are the same."""
CONTENDERS = 8
NOTICED = 8
"""Options that are looked at in the course of an imagined turn: those that looked best at its beginning, then any others."""
LONGEST = 20
"""Decisions after which an imagined turn is judged, though it is not over."""
GLANCES = 16
"""Imagined matches in which those that could be the best are judged at first sight."""
CLEARLY = 2.0
"""By how many standard errors an option has to fall back before it is given up."""


class Contender:
    """An option, and what the imagined matches came to in which it was taken, in their order."""

    def __init__(self, at: int, hint: float) -> None:
        self.at = at
        self.hint = hint
        self.glances: list[float] = []
        self.turns: list[float] = []
        self.value = 0.0
        """What it is worth, all in all, from 0 to 1."""

    @property
    def at_first_sight(self) -> float:
        return self.hint + sum(self.glances) / len(self.glances)

    def behind(self, other: Contender, doubt: float) -> tuple[float, float]:
        """How much worse than another it is, as far as both were looked into, and by how much that may be wrong; `doubt`: by
        how much first sight is."""
        first, unsure = _gap(other.glances, self.glances)
        first += other.hint - self.hint
        if not self.turns:
            return first, unsure
        later, error = _gap(other.turns, self.turns, doubt)
        later += other.hint - self.hint
        trust = doubt**2 / (doubt**2 + error**2)
        return trust * later + (1 - trust) * first, sqrt(trust) * error


def _gap(ones: list[float], others: list[float], expected: float = 0.0) -> tuple[float, float]:
    """How much better one did than another in the same imagined matches, and the standard error of that. `expected`: how far
    a single match may be off. It counts as if it had been seen once, unless luck turns out to have no part in it."""
    gaps = [one - other for one, other in zip(ones, others, strict=False)]
    count, mean = len(gaps), sum(gaps) / len(gaps)
    squares = sum((gap - mean) ** 2 for gap in gaps)
    if expected and (count == 1 or squares > LUCKLESS):
        return mean, sqrt((expected**2 + squares) / count / count)
    return mean, sqrt(squares / (count - 1) / count)


class TurnsAhead:
    """The thinking about one decision: until so many positions were judged, or a moment has come."""

    def __init__(
        self,
        seen: Seen,
        judge: Judge,
        chance: Chance,
        most: int,
        end: float,
        doubts: Mapping[str, float],
    ) -> None:
        self.seen = seen
        self.seat = seen.seat
        self.judge = judge
        self.chance = chance
        self.most, self.end = most, end
        self.judged = 0
        """How many imagined matches were judged so far."""
        usual = doubts.get("", DOUBT)
        self.doubt = next((doubts[option[0]] for option in seen.options if option[0] in doubts), usual)
        """How far first sight is usually off here. Whatever looks no worse than that is compared."""
        view, hint = seen.view, judge.hint
        self.options = [
            Contender(at, hint(view, option) if hint else 0.0) for at, option in enumerate(seen.options)
        ]
        self.liked: set[Option] = set()
        """What looked best at the beginning of the turn."""

    def compare(self) -> list[Contender]:
        """All options, as far as there was time to look at them; what is best has been tried most often."""
        possible = self._at_first_sight()
        left = self._close(possible, self.doubt)[:CONTENDERS]
        left = self._narrowed(left, self._glance, GLANCES, self.doubt)
        if self.doubt:
            self.most += self.judged  # first sight is not on the account
            left = self._narrowed(left, self._turn, self.most, 0.0)
        self._glance(left[:1])
        self._sum_up(left[0])
        return self.options

    def _sum_up(self, best: Contender) -> None:
        """What each option is worth: the best what it came to, the others less, as far as they are behind."""
        came = best.turns or best.glances
        best.value = sum(came) / len(came)
        for one in self.options:
            if one.glances and one is not best:
                one.value = max(0.0, best.value - max(0.0, self._behind(one, best)[0]))

    def look_into(self, most: int, times: int) -> list[Contender]:
        """The options that look best at first, each played to the end of the turn as often, whatever it brings."""
        found = self._at_first_sight()[:most]
        for _ in range(GLANCES - WORLDS):
            self._glance(found)
        for _ in range(times):
            self._turn(found)
        return found

    def _at_first_sight(self) -> list[Contender]:
        """What is not rejected, looked at as `greedy` does it, the best first."""
        possible = [one for one in self.options if one.hint > REJECTED] or self.options[:1]
        for _ in range(WORLDS):
            self._glance(possible)
        possible.sort(key=lambda one: one.at_first_sight, reverse=True)
        self.liked = {self.seen.options[one.at] for one in possible[:NOTICED]}
        return possible

    def _narrowed(
        self, left: list[Contender], look: Callable[[list[Contender]], None], times: int, within: float
    ) -> list[Contender]:
        """Looks again and again at those that may still be the best. They come back in their order."""
        for number in range(times):
            known = look == self._glance and max(self._behind(one, left[0])[1] for one in left) < KNOWN
            if len(left) == 1 or known or self.judged >= self.most or time.monotonic() >= self.end:
                break
            look(left)
            first = left[0]
            left = sorted(left, key=lambda one: self._behind(one, first))
            if number:
                left = self._close(left, within)
        return left

    def _behind(self, one: Contender, best: Contender) -> tuple[float, float]:
        return one.behind(best, self.doubt)

    def _close(self, options: list[Contender], within: float) -> list[Contender]:
        """Those that may be hardly worse than the first, or better."""
        best, found = options[0], options[:1]
        for one in options[1:]:
            gap, error = self._behind(one, best)
            if gap < within + CLEARLY * error:
                found.append(one)
        return found

    def _glance(self, options: list[Contender]) -> None:
        """What `greedy` sees of some options in one imagined match."""
        world = self.seen.imagine(self.chance)
        answers = world.options(self.seat)
        for one in options:
            ahead = world.copy().let_go()
            ahead.go_on(self.seat, answers[one.at])
            look_ahead(ahead, self.seat)
            one.glances.append(self._judge(ahead))

    def _turn(self, options: list[Contender]) -> None:
        """What the turn comes to with some options in one imagined match."""
        world = self.seen.imagine(self.chance)
        answers = world.options(self.seat)
        for one in options:
            ahead = world.copy()
            ahead.go_on(self.seat, answers[one.at])
            for _ in range(LONGEST):
                ask = self._own(ahead)
                if ask is None:
                    break
                ahead.go_on(self.seat, self._best(ahead, ask))
            one.turns.append(self._judge(ahead.let_go()))

    def _judge(self, world: Match) -> float:
        self.judged += 1
        return worth(world, self.seat, self.judge.value)

    def _own(self, world: Match) -> Ask | None:
        """The next decision of weight in the seat's own turn, if it is not over."""
        for _ in range(FARTHEST):
            pending = world.pending
            heavy = [seat for seat, ask in pending.items() if not ask.minor]
            if heavy or not pending:
                return pending[self.seat] if heavy == [self.seat] else None
            other = min(pending)
            world.go_on(other, default_of(pending[other], world.t))
        return None

    def _best(self, world: Match, ask: Ask) -> Option:
        """What looks best, if the dice that are yet to fall are not known."""
        options = ask.open(world.t)
        if len(options) == 1:
            return options[0]
        view, hint, luck = world.view(self.seat), self.judge.hint, self.chance.fork()
        best, found = -1.0, options[0]
        for option in self._noticed(options):
            liking = hint(view, option) if hint else 0.0
            if liking <= REJECTED:
                continue
            ahead = world.copy()
            ahead.t.chance = luck.copy()
            ahead.let_go().go_on(self.seat, option)
            look_ahead(ahead, self.seat)
            value = liking + self._judge(ahead)
            if value > best:
                best, found = value, option
        return found

    def _noticed(self, options: list[Option]) -> list[Option]:
        """A few of many options."""
        if len(options) <= NOTICED:
            return options
        noticed = [option for option in options if option in self.liked]
        others = [option for option in options if option not in self.liked]
        self.chance.shuffle(others)
        return noticed + others[: NOTICED - len(noticed)]
