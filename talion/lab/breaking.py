"""`talion break`: bots that do not play to win but to break a game, and what they found, each as a match one can watch.

a game that fails               its rules or its bots, at numbers that nobody thought of
a match that does not end       free acts that come back to where they began, or more decisions than the game declares
a win in the first moves        before every seat has had a decision or two of weight
a seat that can do nothing      many decisions on end with one option alone
a number without bound          a counter that outgrows everything printed
a card nobody can play          held again and again, and never open to be played
a card nobody wants to play     open again and again, and never chosen by those who play to win
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from talion import bots, games
from talion.bots import Bot, Seen
from talion.bots.greedy import Greedy
from talion.kernel import Chance, Match, Option
from talion.kernel.faults import in_words
from talion.kernel.record import digest

from .playing import Job, cards_in, hands

COMES_BACK = 12
"""How often one position may come back within a match before it is called a circle."""
QUICK = 2
"""Decisions of weight that every seat should have had before somebody wins."""
IDLE = 25
"""Decisions on end with one option alone that are called doing nothing."""
HUGE = 1000
"""A number beyond which nothing that is printed reaches."""
ENOUGH = 1200
"""Decisions after which a match that shows nothing is left alone."""
HELD = 30
"""At how many decisions a card was held before it can be said that it is never played."""
TOLD_BY = 8
"""And in how many matches."""
TEMPTED_BY = 30
"""In how many matches a card was open to those who want to win before it can be said that they never want it: one that they
choose in every tenth match is passed over in eight of them nearly every other time."""


@dataclass(frozen=True)
class Flaw:
    """Something that should not be, and the match that shows it."""

    what: str
    match: Callable[[], str]
    """The match as a file, up to the decision that shows it."""
    seat: int
    """Who is best asked what it looks like: whose decision it is, or who suffers it."""


@dataclass(frozen=True, order=True)
class Longest:
    """The match in which a seat had a card before it at the most decisions, and the last of them."""

    decisions: int
    match: int
    number: int
    seat: int


class Dawdler:
    """Does not want to come to an end: it avoids what it would do by default, and repeats itself where it can."""

    def __init__(self, seed: int | str = 0) -> None:
        self._chance = Chance.of(f"dawdler:{seed}")
        self._done: Counter[Any] = Counter()

    def choose(self, seen: Seen) -> Option:
        options = seen.options
        others = [option for option in options if option != options[-1] and option != seen.ask.default]
        if not others:
            return self._chance.pick(options)
        if self._chance.below(4):
            often = max(self._done[_verb(option)] for option in others)
            others = [option for option in others if self._done[_verb(option)] == often]
        chosen = self._chance.pick(others)
        self._done[_verb(chosen)] += 1
        return chosen


def _verb(option: Option) -> Any:
    return option[0] if option else None


class Hoarder:
    """Wants large numbers and nothing else."""

    def __init__(self, seed: int | str = 0) -> None:
        self._chance = Chance.of(f"hoarder:{seed}")

    def choose(self, seen: Seen) -> Option:
        options = seen.options
        if len(options) == 1:
            return options[0]
        world = seen.imagine(self._chance)
        tried = options if len(options) <= 12 else [self._chance.pick(options) for _ in range(12)]
        sums = []
        for option in tried:
            ahead = world.copy().let_go()
            ahead.answer(seen.seat, option)
            sums.append(sum(number for _, number in numbers(ahead.view(seen.seat).data()["table"])))
        return tried[sums.index(max(sums))]


BREAKERS: dict[str, Callable[[int | str], Bot]] = {
    "dawdler": Dawdler,
    "hoarder": Hoarder,
    "greedy": Greedy,
    "random": partial(bots.make, "random"),
}


@dataclass
class Breaker:
    """Plays one game with everybody who might break it, and keeps what was found."""

    job: Job
    findings: dict[str, Flaw] = field(default_factory=dict)
    held: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)
    offered: Counter[str] = field(default_factory=Counter)
    """To players who want to win."""
    chosen: Counter[str] = field(default_factory=Counter)
    """By them."""
    held_in: dict[str, set[int]] = field(default_factory=dict)
    """The matches in which a card was held by somebody."""
    offered_in: dict[str, set[int]] = field(default_factory=dict)
    held_longest: dict[str, Longest] = field(default_factory=dict)
    offered_longest: dict[str, Longest] = field(default_factory=dict)
    """To those who want to win."""
    matches: int = 0
    _to_show: dict[tuple[str, str], Longest] = field(default_factory=dict)
    """Of each finding that many matches made together the decision that is shown."""
    _files: dict[Longest, str] = field(default_factory=dict)

    def play(self, number: int) -> None:
        """One match: a breaker at one seat or at all, the others in turn. A game that fails on the way is broken too."""
        match, names, players, chance = self._begun(number)
        try:
            self._watch(number, match, names, players, chance)
        except Exception as problem:
            sound = match.before(max(0, match.number - 1))  # the last answer may be what it failed at
            self._found(f"The game fails: {in_words(problem)}.", sound, 0)
        self.matches += 1

    def _begun(self, number: int) -> tuple[Match, list[str], list[Bot], Chance]:
        """The match with this number, which is always the same: who plays it, and who is asked first."""
        game = games.find(self.job.game)
        kinds = list(BREAKERS)
        kind = kinds[number % len(kinds)]
        others = kind if number // len(kinds) % 2 else kinds[(number + 1) % len(kinds)]
        seed = f"{self.job.seed}:{number}"
        seats = game.seats[number % len(game.seats)]
        names = [kind if seat == number % seats else others for seat in range(seats)]
        players: list[Bot] = [BREAKERS[name](f"{seed}:{seat}") for seat, name in enumerate(names)]
        match = Match.new(game, seats, seed, self.job.options_of(number), cards=self.job.cards)
        return match, names, players, Chance.of(f"{seed}:served first")

    def _watch(self, number: int, match: Match, names: list[str], players: list[Bot], chance: Chance) -> None:
        been: Counter[str] = Counter()
        weighty: Counter[int] = Counter()
        idle: Counter[int] = Counter()
        held: Counter[tuple[int, str]] = Counter()
        offered: Counter[tuple[int, str]] = Counter()
        while not match.over and match.number < ENOUGH:
            if match.number > match.game.longest:
                self._found("A match does not end: more decisions than the game declares.", match, 0)
                return
            seat = chance.pick(sorted(match.pending))
            options = match.options(seat)
            idle[seat] = 0 if len(options) > 1 else idle[seat] + 1
            weighty[seat] += len(options) > 1
            if idle[seat] == IDLE:
                self._found(f"A seat can do nothing for {IDLE} decisions on end.", match, seat)
            option = bots.choice(players[seat], match, seat)
            wants_to_win = names[seat] == "greedy"
            own, open_ = self._count(match, seat, options, option, wants_to_win=wants_to_win)
            _lengthen(self.held_longest, held, own, number, match.number, seat)
            if wants_to_win:
                _lengthen(self.offered_longest, offered, open_, number, match.number, seat)
            match.answer(seat, option)
            self._positions(match, been, seat)
        if match.result and match.result.winners:
            least = min(range(match.seats), key=lambda one: weighty[one])
            if weighty[least] < QUICK:
                self._found("A seat has lost before it had two decisions to make.", match, least)

    def _positions(self, match: Match, been: Counter[str], seat: int) -> None:
        """Looked at now and then, after a seat's answer: positions that come back, and numbers that grow."""
        if match.number % 5:
            return
        where = digest(match.t)
        been[where] += 1
        if been[where] == COMES_BACK:
            self._found(
                f"A match goes round in circles: one position came back {COMES_BACK} times.", match, seat
            )
        if match.number % 25 == 0:
            for name, number in numbers(match.view(None).data()["table"]):
                if number > HUGE:
                    self._found(f"{name.replace('_', ' ').capitalize()} grows beyond {HUGE}.", match, seat)

    def _count(
        self, match: Match, seat: int, options: list[Option], option: Option, *, wants_to_win: bool
    ) -> tuple[set[str], set[str]]:
        """Notes which cards the seat holds and which of them it may play; gives both."""
        t = match.t
        own = {card for zone in hands(match, seat) for card in t.piles[zone]}
        held = {t.face(card).name for card in own}
        self.held.update(held)
        for name in held:
            self.held_in.setdefault(name, set()).add(self.matches)
        ask = match.pending[seat]
        if ask.minor and not ask.window:
            return held, set()  # a follow-up: one that can only be discarded cannot be played
        playable = {t.face(card).name for one in options for card in cards_in(one) if card in own}
        self.open.update(playable)
        if wants_to_win:
            self.offered.update(playable)
            for name in playable:
                self.offered_in.setdefault(name, set()).add(self.matches)
            self.chosen.update({t.face(card).name for card in cards_in(option) if card in own})
        return held, playable

    def _found(self, what: str, match: Match, seat: int) -> None:
        if what not in self.findings:
            text = match.save()
            self.findings[what] = Flaw(what, lambda: text, seat)

    def _worth_seeing(self, about: tuple[str, str], longest: Longest) -> Longest:
        """The longest there is; but what is shown already stays until one is twice as long, for it takes a match to show it."""
        shown = self._to_show.get(about)
        if shown is None or longest.decisions >= 2 * shown.decisions:
            self._to_show[about] = longest
        return self._to_show[about]

    def _played_again(self, there: Longest) -> str:
        """A match once more, up to a decision that many matches together made worth seeing."""
        if there not in self._files:
            match, _, players, chance = self._begun(there.match)
            while match.number < there.number:
                seat = chance.pick(sorted(match.pending))
                match.answer(seat, bots.choice(players[seat], match, seat))
            self._files[there] = match.save()
        return self._files[there]

    def all(self) -> Iterator[Flaw]:
        """What was found, with what only many matches show: of these the match that shows it best."""
        yield from self.findings.values()
        for name, held in sorted(self.held.items()):
            matches, tempted = len(self.held_in[name]), len(self.offered_in.get(name, ()))
            if held >= HELD and matches >= TOLD_BY and not self.open[name]:
                what, often, longest = (
                    "Nobody could ever play {}, held in {} matches.",
                    matches,
                    self.held_longest,
                )
            elif self.offered[name] >= HELD and tempted >= TEMPTED_BY and not self.chosen[name]:
                what, often = "Nobody who wants to win ever chose {}, open to them in {} matches.", tempted
                longest = self.offered_longest
            else:
                continue
            there = self._worth_seeing((what, name), longest[name])
            yield Flaw(what.format(name, often), partial(self._played_again, there), there.seat)


def _lengthen(
    longest: dict[str, Longest],
    so_far: Counter[tuple[int, str]],
    names: set[str],
    match: int,
    number: int,
    seat: int,
) -> None:
    """One decision more at which a seat has these cards before it."""
    for name in names:
        so_far[seat, name] += 1
        now = Longest(so_far[seat, name], match, number, seat)
        if name not in longest or now.decisions > longest[name].decisions:
            longest[name] = now


def numbers(data: Any, name: str = "") -> Iterator[tuple[str, int]]:
    """Every number of a view that is no card's, with its name."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in ("card", "place", "seat", "face", "shape"):
                yield from numbers(value, str(key))
    elif isinstance(data, list):
        for value in data:
            yield from numbers(value, name)
    elif isinstance(data, int) and not isinstance(data, bool):
        yield name, data


def keep(findings: list[Flaw], folder: Path) -> Iterator[Path]:
    """Writes the matches down, and says of each finding where."""
    for number, finding in enumerate(findings, 1):
        path = folder / f"broken-{number}.talion"
        path.write_text(finding.match(), "utf-8")
        yield path
