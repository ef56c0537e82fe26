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
from typing import Any

from talion import bots
from talion.kernel import Card, Chance, Face, Game, Illegal, Match, Option, Part, Step, Together
from talion.kernel.faults import described, in_words, nothing_offered
from talion.kernel.places import place_of
from talion.kernel.record import digest
from talion.kernel.tables import nearest, quoted

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
    """Each once, with the first place where it showed."""
    again: Counter[str] = field(default_factory=Counter)
    """How often each showed again."""
    _sorts: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    """What is no fault but could be better: for each wording that two options share, where and which."""
    counts: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    @property
    def ok(self) -> bool:
        return not self.problems

    def lines(self) -> Iterator[str]:
        yield f"{self.game.title}: " + ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        for why, number in self._ends().most_common(8):
            yield f"  ended {times(number)}: {why}"
        for note in list(self.notes.values())[:MOST_NOTES]:
            yield f"  note: {note}"
        if (more := len(self.notes) - MOST_NOTES) > 0:
            yield f"  note: and so are {more} other pairs."
        for problem in self.problems:
            more = self.again[problem]
            yield f"  PROBLEM {problem}" + (f" (The like in {more} more of these matches.)" if more else "")

    def add(self, place: str, what: str) -> None:
        """A problem, unless it is one that is known, in other words only by where it shows."""
        sort = self._sort(what)
        known = self._sorts.setdefault(sort, f"{place}: {what}")
        if known in self.problems:
            self.again[known] += 1
        else:
            self.problems.append(known)

    def _sort(self, what: str) -> str:
        names = "|".join(re.escape(face.name) for face in self.game.content().faces)
        return _SHOWS.sub("", re.sub(rf"\b({names})\b", "", what) if names else what)

    def found(self) -> int:
        return len(self.problems) + self.again.total()

    def _ends(self) -> Counter[str]:
        """The endings, where those that differ only in a number are one."""
        groups: dict[str, list[str]] = {}
        for why in self.endings:
            groups.setdefault(re.sub(r"\d+", "…", why), []).append(why)
        return Counter(
            {
                alike if len(whys) > 1 else whys[0]: sum(self.endings[why] for why in whys)
                for alike, whys in groups.items()
            }
        )


_SHOWS = re.compile(
    r"(decision|entry|seat|card|players) \d+|@\d+|“[^”]*”|: \S+ or \S+\.|…\[.*| since \S+ \(.*?\) went on"
)
"""What tells the places apart where one problem shows."""


def times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


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
                report.add(f"{count} seats, seed {seed}:{count}:{number}", str(problem))
            played += 1
            if report.found() >= most_problems:
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
        self.answered: Step | None = None
        """The step that was answered last."""
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
            raise Found(
                f"decision {self.decision}: {place_of(match.step[0])} asks nobody, and the match is not over"
            )
        self._step(match)
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

    def _since(self) -> str:
        """The step that was answered last."""
        return f" since {place_of(self.answered)} went on" if self.answered else ""

    def _step(self, match: Match) -> None:
        """A save names the step that waits, and what it was begun with."""
        step, args = match.step
        where = f"decision {self.decision}: {place_of(step)}"
        if getattr(self.game.rules, step.__name__, None) is not step:
            raise Found(
                f"{where} waits, and {self.game.rules.__name__.split('.')[-1]} has no step of this name: a step is a function of the "
                "module that Game(rules=…) names"
            )
        for arg in args:
            if odd := not_plain(arg):
                raise Found(
                    f"{where} is begun with {described(odd[0])}; {_of_what(odd, 'what a step is begun with')}"
                )

    def _options(self, match: Match, seat: int) -> None:
        options: list[Any] = match.options(seat)
        where = f"decision {self.decision}, seat {seat}, {match.step[0].__name__}"
        ask = match.pending[seat]
        if not options:
            raise Found(f"{where}: {nothing_offered(ask)}")
        by = f" by {place_of(ask.options)}" if callable(ask.options) else ""
        for option in options:
            if not isinstance(option, tuple):
                meant = tuple(option) if isinstance(option, list) else (option,)
                raise Found(f"{where}: {option!r} is offered{by}; an option is a tuple, such as {meant!r}")
            if odd := not_plain(option):
                raise Found(f"{where}: {option!r} is offered{by}; {_of_what(odd, 'an option')}")
        if len(set(options)) != len(options):
            twice = next(option for option in options if options.count(option) > 1)
            raise Found(f"{where}: the option {twice} is offered twice{by}")
        for option in options:
            for card in cards_in(option):
                if not match.t.knows(seat, card):
                    raise Found(f"{where}: the option {option} names a card the seat does not know{by}")
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
                raise Found(
                    f"decision {self.decision}: {t.face(Card(card)).name} {lost}{self._since()}: cards are moved by t.move, t.draw and "
                    "the like, and lie in box when they are out of the game"
                )
            if Card(card) not in t.piles[t.where[card]]:
                raise Found(
                    f"decision {self.decision}: {t.face(Card(card)).name} was put elsewhere by hand{self._since()}: cards are moved by "
                    "t.move, t.draw and the like"
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
        self.answered = match.step[0]
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
        self._rows(match)
        self._copies(match)
        self._saves(match)
        for seat in match.pending:
            self._redeals(match, seat)
        for seat in range(match.seats):
            self._judged(match, seat)
        self._bots(match)

    def _judged(self, match: Match, seat: int) -> None:
        """What the game tells its bots: a share of the win, and numbers for the options."""
        game, view = self.game, match.view(seat)
        if game.value is not None:
            value = game.value(view, seat)
            if not isinstance(value, (int, float)) or not -1e-6 <= value <= 1 + 1e-6:
                raise Found(
                    f"decision {self.decision}: {place_of(game.value)} returns {value!r} for seat {seat}; it is from 0 (lost) to 1 (won)"
                )
        if game.hint is not None and seat in match.pending:
            for option in match.options(seat):
                if not isinstance(hint := game.hint(view, option), (int, float)):
                    raise Found(
                        f"decision {self.decision}: {place_of(game.hint)} returns {hint!r} for {option}; it is a number, usually 0"
                    )

    def _rows(self, match: Match) -> None:
        """A row of a Together asks one seat, and changes nothing."""
        waits = match.waits
        if not isinstance(waits, Together):
            return
        for seat in waits.seats:
            t = match.t.copy()
            before = t.write()
            row = waits.row(t, seat)
            try:
                ask = next(row)
                while True:
                    ask = row.send(self.chance.pick(ask.open(t)))
            except StopIteration:
                pass
            if apart := first_difference(before, t.write()):
                raise Found(
                    f"decision {self.decision}: {place_of(waits.row)} changes {apart}: a row asks one seat and changes nothing; what it "
                    "returns is for the step"
                )

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
            raise Found(f"decision {self.decision}: a copy is not the same: {_apart(match, twin)}")
        other = match.copy()
        chance = Chance.of(f"go on:{self.seed}:{self.decision}")
        for _ in range(6):
            if twin.over:
                break
            seat = chance.pick(sorted(twin.pending))
            option = chance.pick(twin.options(seat))
            if option not in other.options(seat):
                raise Found(
                    f"decision {self.decision}: two copies go different ways: only one of them offers {option}{_OUTSIDE}"
                )
            step = place_of(twin.step[0])
            twin.answer(seat, option)
            other.answer(seat, option)
            if digest(twin.t) != digest(other.t):
                raise Found(
                    f"decision {self.decision}: two copies go different ways in or after {step}: {_apart(twin, other)}"
                )
        if digest(match.t) != before:
            raise Found(
                f"decision {self.decision}: playing a copy changed the match: {_apart(match, match.copy())}"
            )

    def _saves(self, match: Match) -> None:
        self.report.counts["saves"] += 1
        for written_out in (False, True):
            again = Match.load(match.save(written_out=written_out), self._find, self.cards)
            if digest(again.t) != digest(match.t):
                raise Found(
                    f"decision {self.decision}: played again from a save, it comes to another state: {_apart(match, again)}"
                )
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
        why = re.sub(r"@\d+", "somebody", match.result.why.split(":")[0])
        self.report.endings[why[:1].upper() + why[1:]] += 1
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


_OUTSIDE = ". Does it use something outside the state: a variable of the module, random, a clock, the order of a set?"


def _apart(one: Match, other: Match) -> str:
    """In what two matches differ that should be the same, and why that may be."""
    return f"{first_difference(one.t.write(), other.t.write())}{_OUTSIDE}"


def first_difference(one: Any, other: Any) -> str:
    """Where two states written down differ first, as in `players 0 coins: 4 or 5`; nothing if they are the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = [(key, one.get(key), other.get(key)) for key in {**one, **other}]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(number, *both) for number, both in enumerate(zip(one, other, strict=True))]
    else:
        return "" if one == other else f": {quoted(one)} or {quoted(other)}"
    for key, a, b in pairs:
        if within := first_difference(a, b):
            return within if key == "fields" else f"{key}{'' if within[0] == ':' else ' '}{within}"
    return ""


def not_plain(value: Any) -> list[Any]:
    """What in a value cannot be written down."""
    if isinstance(value, tuple):
        return [odd for item in value for odd in not_plain(item)]
    return [] if value is None or isinstance(value, (bool, int, float, str)) else [value]


def _of_what(found: list[Any], what: str) -> str:
    """Why this cannot be in an option or an argument."""
    odd = found[0]
    how = {Face: "its card", list: "a tuple", set: "a tuple, in a fixed order", Part: "its seat or its name"}
    instead = next((f": hand on {words}" for kind, words in how.items() if isinstance(odd, kind)), "")
    return f"{what} is made of cards, seats, words and numbers, and a {type(odd).__name__} is none{instead}"


__all__ = ["Illegal", "Option", "Report", "check"]
