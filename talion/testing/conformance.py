"""A game passes by existing: random matches at every seat count, verified at each decision.

What is cheap is verified always; what is costly (saves, copies, redeals, two worlds) at the first, the last and one
decision in twenty. No game is exempt by name.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from talion import bots
from talion.kernel import Card, Chance, Game, Illegal, Match, Option
from talion.kernel.faults import in_words
from talion.kernel.places import place_of
from talion.kernel.record import digest
from talion.kernel.tables import nearest

from .trial import cards_in
from .unrun import unrun
from .worlds import Worlds

SAMPLE = 20
STANDING = 150
"""One decision in so many answers a standing ask instead, where one is open."""
LEAST_MATCHES = 5
LEAST_SAMPLES = 12
"""Costly checks that every match has, however long they take."""
LEAST_COMPARED = 20
MOST_SKIPPED = 0.5
MOST_NOTES = 5


@dataclass
class Report:
    """What was found, and what was looked at."""

    game: Game
    problems: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    """What is no fault but could be better: for each wording that two options share, where and which."""
    counts: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    @property
    def ok(self) -> bool:
        return not self.problems

    def lines(self) -> Iterator[str]:
        yield f"{self.game.title}: " + ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        for why, number in self.endings.most_common(8):
            yield f"  ended {number} times: {why}"
        for note in list(self.notes.values())[:MOST_NOTES]:
            yield f"  note: {note}"
        if (more := len(self.notes) - MOST_NOTES) > 0:
            yield f"  note: and so are {more} other pairs."
        for problem in self.problems:
            yield f"  PROBLEM {problem}"


class Found(Exception):  # noqa: N818
    """A problem; the match that shows it is given up."""


def check(
    game: Game,
    *,
    matches: int = 50,
    seconds: float = 60.0,
    seats: int | None = None,
    seed: int | str = 0,
    cards: Path | None = None,
    most_problems: int = 5,
) -> Report:
    """Reads the game's files for calls that do nothing; then plays random matches at every seat count (or one), and verifies
    them."""
    report = Report(game)
    if problems := unrun(game):
        report.problems += problems[:most_problems]
        return report
    counts = [seats] if seats is not None else list(game.seats)
    for count in counts:
        share = seconds / len(counts)
        end = time.monotonic() + share
        played = 0
        for number in range(matches):
            if played and sum(report.endings.values()) >= LEAST_MATCHES and time.monotonic() > end:
                break
            try:
                Verify(game, count, f"{seed}:{count}:{number}", report, cards, share / LEAST_MATCHES).match()
            except Found as problem:
                report.problems.append(f"{count} seats, seed {seed}:{count}:{number}: {problem}")
            played += 1
            if len(report.problems) >= most_problems:
                return report
        report.counts[f"matches at {count} seats"] = played
    _floors(report)
    return report


def _floors(report: Report) -> None:
    """A check that looked at too little has not passed."""
    compared, skipped = report.counts["worlds compared"], report.counts["worlds skipped"]
    if report.game.hidden and report.counts["worlds laid out"]:
        if compared < LEAST_COMPARED:
            report.problems.append(
                f"only {compared} pairs of worlds could be compared; {LEAST_COMPARED} are wanted"
            )
        if skipped > MOST_SKIPPED * (compared + skipped):
            report.problems.append(f"{skipped} of {compared + skipped} pairs of worlds had to be skipped")


class Verify:
    """One random match, verified."""

    def __init__(
        self, game: Game, seats: int, seed: str, report: Report, cards: Path | None, seconds: float = 60.0
    ) -> None:
        self.game = game
        self.seats = seats
        self.seed = seed
        self.cards = cards
        self.report = report
        self.chance = Chance.of(f"conformance:{seed}")
        self.decision = 0
        self.known = set(game.rulebook.rules)
        self.been: set[str] = set()
        self.sampled: dict[int, Match] = {}
        """Copies of the match at the decisions that are looked at closely."""
        self.until = time.monotonic() + seconds
        """When a long match has had its share of costly checks: from then on it is only played."""

    def match(self) -> None:
        try:
            match = Match.new(self.game, self.seats, self.seed, cards=self.cards)
            while not match.over:
                self._one_decision(match)
            self._at_the_end(match)
        except Found:
            raise
        except Exception as problem:
            raise Found(f"decision {self.decision}: {in_words(problem)}") from problem

    def _one_decision(self, match: Match) -> None:
        self.decision += 1
        self.report.counts["decisions"] += 1
        if self.decision > self.game.longest:
            raise Found(f"more than the {self.game.longest} decisions it declares as its longest")
        if not match.pending:
            raise Found(f"decision {self.decision}: nobody is asked, and the match is not over")
        for seat in match.pending:
            self._options(match, seat)
        self._cards(match)
        if match.t.dropped:
            raise Found(f"decision {self.decision}: {match.t.dropped} goes on without end")
        for problem in match.t.problems():
            raise Found(f"decision {self.decision}: {problem}")
        in_time = time.monotonic() < self.until or len(self.sampled) < LEAST_SAMPLES
        if self.decision == 1 or (self.chance.below(SAMPLE) == 0 and in_time):
            self.sampled[match.number] = match.copy()
            self._look_closely(match)
        if in_time:
            self._not_again(match)
        self._answer(match)

    def _options(self, match: Match, seat: int) -> None:
        options = match.options(seat)
        where = f"decision {self.decision}, seat {seat}, {match.step[0].__name__}"
        if not options:
            raise Found(f"{where}: no option is open")
        if odd := next((option for option in options if not isinstance(option, tuple)), None):
            listing = match.pending[seat].options
            place = f" by {place_of(listing)}" if callable(listing) else ""
            raise Found(f"{where}: {odd!r} is offered{place}; an option is a tuple, such as ({odd!r},)")
        if len(set(options)) != len(options):
            twice = next(option for option in options if options.count(option) > 1)
            raise Found(f"{where}: the option {twice} is offered twice")
        for option in options:
            for card in cards_in(option):
                if not match.t.knows(seat, card):
                    raise Found(f"{where}: the option {option} names a card the seat does not know")
        ask = match.pending[seat]
        if ask.default is not None and ask.default not in options:
            raise Found(
                f"{where}: the default {ask.default} is not among the options, so nobody can choose it"
            )
        self._named(ask.rule, f"{where}: “{ask.prompt}”")

    def _named(self, rule: str, who: str) -> None:
        """What names a rule names one that the rulebook has; a game without numbered rules may name any."""
        if rule and self.known and rule not in self.known:
            raise Found(f"{who} names {rule}, which the rules do not have{nearest(rule, self.known)}")

    def _cards(self, match: Match) -> None:
        """Every card is in one zone, and the zone it is thought to be in."""
        t = match.t
        held = Counter(card for pile in t.piles for card in pile)
        for card in range(len(t.faces)):
            if held[Card(card)] != 1:
                lost = "lies nowhere" if not held[Card(card)] else f"lies in {held[Card(card)]} places"
                raise Found(f"decision {self.decision}: {t.face(Card(card)).name} {lost}")
            if Card(card) not in t.piles[t.where[card]]:
                raise Found(
                    f"decision {self.decision}: {t.face(Card(card)).name} is not where the state says"
                )

    def _not_again(self, match: Match) -> None:
        """State and ask do not recur: a match cannot go round in circles."""
        if len(match.pending) > 1 or match.sealed is not None:
            return
        fields = match.t.write()["fields"]
        step, args = match.step
        now = json.dumps(
            [fields, match.t.faces, step.__name__, repr(args), repr(match.entries)], sort_keys=True
        )
        if now in self.been:
            raise Found(f"decision {self.decision}: the same state and ask came before ({step.__name__})")
        self.been.add(now)

    def _answer(self, match: Match) -> None:
        standing = match.standing
        if standing and self.chance.below(STANDING) == 0:
            seat = self.chance.pick(sorted(standing))
            options = [option for one in standing[seat] for option in one.ask.open(match.t)]
            self.been.clear()
        else:
            seat = self.chance.pick(sorted(match.pending))
            options = match.options(seat)
        match.answer(seat, self.chance.pick(options))

    # Costly ------------------------------------------------------------------------------------------------------

    def _look_closely(self, match: Match) -> None:
        self._words(match)
        self._copies(match)
        self._saves(match)
        for seat in match.pending:
            self._redeals(match, seat)
        self._bots(match)

    def _words(self, match: Match) -> None:
        """Everything words itself, the same way twice, as plain data."""
        self.report.counts["views"] += match.seats + 1
        for observer in [*range(match.seats), None]:
            view = match.view(observer)
            first = json.dumps(view.data(), sort_keys=True)
            if first != json.dumps(match.view(observer).data(), sort_keys=True):
                raise Found(f"decision {self.decision}: two looks at one view differ")
            names = [offer.name for offer in view.offers()]
            if any(not name.strip() for name in names) or len(set(names)) != len(names):
                raise Found(f"decision {self.decision}: options without words of their own: {names}")
        for seat in match.pending:
            self._worded_alike(match, seat)
            for option, rule, why in match.why_not(seat):
                self._named(rule, f"decision {self.decision}: the reason why {option} is closed")
                if not self.game.name_of(match.t, seat, option).strip() or not why.strip():
                    raise Found(f"decision {self.decision}: the closed option {option} does not word itself")

    def _worded_alike(self, match: Match, seat: int) -> None:
        """Options that read the same get a number, by which nobody can tell what they are: worth a note."""
        named: dict[str, Option] = {}
        for option in match.options(seat):
            name = self.game.name_of(match.t, seat, option)
            other = named.setdefault(name, option)
            if other is not option:
                self.report.notes.setdefault(
                    name,
                    f"two options are worded alike: “{name}” is {other} and {option} (seed {self.seed}, decision "
                    f"{self.decision}, seat {seat}). Offer one of them, by t.distinct, or word them apart.",
                )

    def _copies(self, match: Match) -> None:
        self.report.counts["copies"] += 1
        before = digest(match.t)
        twin = match.copy()
        if digest(twin.t) != before:
            raise Found(
                f"decision {self.decision}: a copy is not the same (does a step read more than the state?)"
            )
        other = match.copy()
        chance = Chance.of(f"go on:{self.seed}:{self.decision}")
        for _ in range(6):
            if twin.over:
                break
            seat = chance.pick(sorted(twin.pending))
            option = chance.pick(twin.options(seat))
            if option not in other.options(seat):
                raise Found(f"decision {self.decision}: two copies go different ways")
            twin.answer(seat, option)
            other.answer(seat, option)
            if digest(twin.t) != digest(other.t):
                raise Found(f"decision {self.decision}: two copies go different ways")
        if digest(match.t) != before:
            raise Found(f"decision {self.decision}: playing a copy changed the match")

    def _saves(self, match: Match) -> None:
        self.report.counts["saves"] += 1
        for written_out in (False, True):
            again = Match.load(match.save(written_out=written_out), self._find, self.cards)
            if digest(again.t) != digest(match.t):
                raise Found(f"decision {self.decision}: loading a save gives another state")
            for observer in [*range(match.seats), None]:
                if again.log(observer) != match.log(observer):
                    raise Found(f"decision {self.decision}: loading a save gives another log")
                if again.view(observer).data() != match.view(observer).data():
                    raise Found(f"decision {self.decision}: loading a save gives another view")

    def _find(self, key: str) -> Game:
        return self.game

    def _redeals(self, match: Match, seat: int) -> None:
        """A redeal keeps what the seat sees and is asked, and varies what it does not know."""
        view = json.dumps(match.view(seat).data(), sort_keys=True)
        before = digest(match.t)
        dealt: set[tuple[int, ...]] = set()
        for _ in range(40):
            imagined = match.redeal(seat, self.chance)
            self.report.counts["redeals"] += 1
            if json.dumps(imagined.view(seat).data(), sort_keys=True) != view:
                raise Found(f"decision {self.decision}: a redeal changes what seat {seat} sees or is asked")
            if imagined.copy().t.faces != imagined.t.faces:
                raise Found(f"decision {self.decision}: a copy of a redealt match is not the same")
            dealt.add(tuple(imagined.t.faces))
            if len(dealt) > 1 or not self._may_vary(match, seat):
                break
        else:
            raise Found(f"decision {self.decision}: forty redeals for seat {seat} are all the same")
        imagined.let_go().play_out(self.chance.pick, limit=200)
        self._likeness(match, seat, view)
        if digest(match.t) != before:
            raise Found(f"decision {self.decision}: a redeal changed the match")

    def _likeness(self, match: Match, seat: int, view: str) -> None:
        """What a bot is given shows and asks the same, though hidden cards have been others since the step began."""
        self.report.counts["likenesses"] += 1
        try:
            likeness = match.likeness(seat, self.chance.fork())
            same = json.dumps(likeness.view(seat).data(), sort_keys=True) == view
        except Exception as problem:
            raise Found(
                f"decision {self.decision}: the step {match.step[0].__name__} cannot be played again with other hidden cards: "
                f"{type(problem).__name__}: {problem}"
            ) from problem
        if not same:
            raise Found(
                f"decision {self.decision}: where other cards are hidden since the step {match.step[0].__name__} began, "
                f"seat {seat} sees or is asked something else"
            )

    def _may_vary(self, match: Match, seat: int) -> bool:
        know = match.t.know
        assert know is not None
        pools = [
            cards for cards in know.members(seat).values() if not any(card in know.told for card in cards)
        ]
        return any(len({match.t.faces[card] for card in cards}) > 1 for cards in pools)

    def _bots(self, match: Match) -> None:
        seat = self.chance.pick(sorted(match.pending))
        for name in ("random", "greedy"):
            option = bots.make(name, self.decision).choose(bots.Seen(match, seat))
            if option not in match.options(seat):
                raise Found(
                    f"decision {self.decision}: the {name} bot answers {option}, which is not offered"
                )
        self.report.counts["bots' answers"] += 2

    # At the end --------------------------------------------------------------------------------------------------

    def _at_the_end(self, match: Match) -> None:
        assert match.result is not None and match.record is not None
        self._result(match)
        for line in match.log(None):
            self._named(line.rule, f"the log, “{line.text}”,")
        self.report.endings[re.sub(r"@\d+", "@", match.result.why.split(":")[0])] += 1
        self._saves(match)
        self._words(match)
        worlds = Worlds(match, self.chance, self.report.counts, self.sampled)
        for number in [*self.sampled, len(match.record) - 1]:
            if problem := worlds.dealt_otherwise(number) or worlds.answered_otherwise(number):
                raise Found(problem)
        for problem in (worlds.shuffled_otherwise(), worlds.renumbered(self.sampled)):
            if problem:
                raise Found(problem)

    def _result(self, match: Match) -> None:
        result = match.result
        assert result is not None
        if len(result.places) != self.seats or not result.why:
            raise Found("the result does not place every seat and say why")
        self._named(result.rule, f"the end, “{result.why}”,")
        if any(winner not in range(self.seats) for winner in result.winners):
            raise Found(f"the winners {result.winners} are not all seats")
        if any(a > b for a, b in pairwise(sorted(result.places))) or min(result.places) != 1:
            raise Found(f"the places {result.places} do not begin with a first")


__all__ = ["Illegal", "Option", "Report", "check"]
