"""`talion doubts`: how far first sight is off in a game, by what is chosen.

Some decisions of matches are looked into: the options that look best one decision ahead are taken in the same imagined
matches, and the turn is played to its end. That says where a bot that thinks in turns should doubt what it sees (`doubts`
in a game's manner), and whether it gains by thinking so at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from statistics import fmean, variance
from typing import Any

from talion import games
from talion.bots import Seen, choice, make
from talion.bots.search import Judge
from talion.bots.turns import Contender, TurnsAhead
from talion.kernel import Chance, Match

from .playing import Job
from .statistics import Z

OPTIONS = 8
"""Of a decision, those that look best at first."""


@dataclass(frozen=True)
class LookedInto:
    """One decision: the words its options begin with, how far first sight was off, and what the turns would have brought."""

    words: frozenset[str]
    squares: tuple[float, ...]
    """Of each option but the one that looks best, how far off its distance from that was, squared, less what luck explains."""
    gain: float
    """By how much what did best in half of the turns did better in the other half than what looked best."""

    @classmethod
    def of(cls, words: frozenset[str], options: Sequence[Contender]) -> LookedInto:
        best, *others = sorted(options, key=lambda one: -one.at_first_sight)
        half = len(best.turns) // 2
        chosen = max(options, key=lambda one: one.hint + fmean(one.turns[:half]))
        gain = chosen.hint + fmean(chosen.turns[half:]) - best.hint - fmean(best.turns[half:])
        return cls(words, tuple(_off(best, other) for other in others), gain)


def _off(best: Contender, other: Contender) -> float:
    gaps = [a - b for a, b in zip(best.turns, other.turns, strict=True)]
    seen = best.at_first_sight - best.hint - other.at_first_sight + other.hint
    return (fmean(gaps) - seen) ** 2 - variance(gaps) / len(gaps)


@dataclass
class Doubts:
    """What was found, decision by decision."""

    decisions: list[LookedInto] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[str, int, float, float, float]]:
        """For each first word, the costliest first: in how many decisions an option begins so, how far first sight was off
        there, and what turns gained a decision, with half the width of its interval."""
        found = {
            word: [one for one in self.decisions if word in one.words]
            for word in sorted({word for one in self.decisions for word in one.words})
        }
        rows = []
        for word, ones in found.items():
            gains = [one.gain for one in ones]
            wide = Z * sqrt(variance(gains) / len(gains)) if len(gains) > 1 else inf
            off = sqrt(max(0.0, fmean(square for one in ones for square in one.squares)))
            rows.append((word, len(ones), off, fmean(gains), wide))
        yield from sorted(rows, key=lambda row: -row[1] * row[3])

    def lines(self) -> Iterator[str]:
        yield "options begin with        decisions   first sight is off by   turns gain a decision"
        for word, count, off, gain, wide in self.rows():
            known = f"(± {wide:.4f})" if wide < inf else "(one says nothing)"
            yield f"{word:24} {count:10} {off:23.3f}   {gain:+.4f} {known}"

    def data(self) -> dict[str, Any]:
        """The same, for scripts."""
        return {
            "decisions": len(self.decisions),
            "words": [
                {"word": word, "decisions": count, "off": round(off, 4), "gain": round(gain, 5)}
                for word, count, off, gain, _ in self.rows()
            ],
        }


def doubts(job: Job, matches: int, share: float, turns: int, tell: Callable[[int], None]) -> Doubts:
    """Looks into a share of the decisions of some matches. Whoever interrupts it gets what was found so far."""
    found = Doubts()
    try:
        for number in range(matches):
            for match, seat, chance in _sampled(job, number, share):
                seen = Seen(match, seat)
                ahead = TurnsAhead(seen, Judge.of(seen.game), chance, 0, inf, {})
                options = ahead.look_into(OPTIONS, turns)
                if len(options) > 1:
                    words = frozenset(str(option[0]) for option in seen.options)
                    found.decisions.append(LookedInto.of(words, options))
            tell(number + 1)
    except KeyboardInterrupt:
        pass
    return found


def _sampled(job: Job, number: int, share: float) -> Iterator[tuple[Match, int, Chance]]:
    """A share of the decisions of a match, and a chance of their own to think with."""
    seed = job.deal(number)
    seated = job.seated(number)
    match = Match.new(
        games.find(job.game), len(seated), seed, job.options_of(number), cards=job.cards, logged=False
    )
    players = [make(name, f"{seed}:{seat}") for seat, name in enumerate(seated)]
    chance = Chance.of(f"{seed}:looked into")
    while not match.over:
        seat = chance.pick(sorted(match.pending))
        if chance.below(1000) < 1000 * share and len(match.options(seat)) > 1:
            yield match, seat, chance.fork()
        match.answer(seat, choice(players[seat], match, seat))
