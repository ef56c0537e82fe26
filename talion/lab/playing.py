"""One match between bots, and what is kept of it: a row for the match, for each seat and for each card.

A card is *seen* by a seat when it lies in a zone that the seat owns and sees, and *held* when that is a hand: a zone that others do
not see. It is *played* when an answer of the seat names it there and it has left that zone by the seat's next decision of
weight (of several choices that all make at once, by the end of these). All are counted by what is printed on the card, over all its copies.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

from talion import bots, games
from talion.bots.features import Numbers, columns, features
from talion.kernel import OWNER, Card, Chance, Content, Listener, Match, Option, Play, Said, Together

Row = dict[str, Any]
KEPT = 40
"""Decisions of a match of which positions are kept, at most."""


@dataclass(frozen=True)
class Job:
    """What is to be played: everything about a row of matches but their number."""

    game: str
    """The key of a game, or its path."""
    bots: tuple[str, ...]
    seed: str = "0"
    options: Mapping[str, Any] = field(default_factory=dict)
    cards: Path | None = None
    one_deal: bool = False
    """Whether every bot has each seat once with the same deal, before the next is dealt."""
    judged: bool = False
    """Whether it is kept what the game's own judgement said of each decision."""
    positions: bool = False
    """Whether positions are kept, as each seat saw them: what one can learn to judge from."""

    def deal(self, number: int) -> str:
        """The seed of match `number`."""
        return f"{self.seed}:{self._dealt(number)}"

    def _dealt(self, number: int) -> int:
        """Which deal match `number` has."""
        return number // len(self.bots) if self.one_deal else number

    def seated(self, number: int) -> tuple[str, ...]:
        """Who sits where in match `number`: bots move on by one seat from match to match."""
        return turned(self.bots, number)

    def options_of(self, number: int) -> dict[str, Any]:
        """The options of match `number`. Lists with an item for each seat (decks) move on when every bot has had each; of
        longer ones, each deal has the next choice."""
        return {name: self._turned_option(value, number) for name, value in self.options.items()}

    def _turned_option(self, value: Any, number: int) -> Any:
        items, seats = value.split(",") if isinstance(value, str) else (), len(self.bots)
        if len(items) < max(2, seats):
            return value
        if len(items) == seats:
            return ",".join(turned(items, number // seats))
        choices = list(permutations(items, seats))
        return ",".join(choices[self._dealt(number) % len(choices)])

    def content(self) -> Content:
        return games.find(self.game).content(self.cards)


def turned(things: Sequence[Any], number: int) -> tuple[Any, ...]:
    """The things moved on by `number` places."""
    count = len(things)
    return tuple(things[(place - number) % count] for place in range(count))


class Judged(NamedTuple):
    """What a judgement said to a seat at a decision of weight, and what the match came to for it."""

    said: float
    got: float


class KeptPosition(NamedTuple):
    """A position as a seat saw it: what the game's own judgement said, what it showed, and what the match came to."""

    seat: int
    said: float
    got: float
    shows: Numbers


@dataclass(frozen=True)
class Played:
    """A match that was played: its rows, and how long each bot thought (which is in no file: it never is the same)."""

    row: Row
    seconds: dict[str, list[float]]
    judged: Sequence[Judged] = ()
    positions: Sequence[KeptPosition] = ()


Task = tuple[Job, int]
"""A match of a job, by its number."""


def play_tasks(tasks: Sequence[Task]) -> tuple[list[Played], float]:
    """Plays some matches, and says how many seconds that took. What a worker process is given to do."""
    began = time.perf_counter()
    return [play_match(job, number) for job, number in tasks], time.perf_counter() - began


def play_match(job: Job, number: int) -> Played:
    """Plays one match. The same job and number give the same row, wherever and whenever."""
    game = games.find(job.game)
    seed = job.deal(number)
    seated = job.seated(number)
    match = Match.new(game, len(seated), seed, job.options_of(number), cards=job.cards, logged=False)
    thinkers = [bots.make(name, f"{seed}:{seat}") for seat, name in enumerate(seated)]
    chance = Chance.of(f"{seed}:served first")
    witness = Witness(match)
    seconds: dict[str, list[float]] = {name: [] for name in seated}
    said: list[tuple[int, float]] = []
    watcher = Watcher(match) if job.positions else None
    while not match.over:
        seat = chance.pick(sorted(match.pending))
        choice = len(match.options(seat)) > 1
        if job.judged and game.value and choice and not match.pending[seat].minor:
            said.append((seat, game.value(match.view(seat), seat)))
        if watcher and choice and not match.pending[seat].minor:
            watcher.look()
        begun = time.process_time()
        option = bots.choice(thinkers[seat], match, seat)
        if choice:
            seconds[seated[seat]].append(time.process_time() - begun)
        witness.before(seat, option)
        match.answer(seat, option)
        witness.after()
    assert match.result is not None
    judged = [Judged(value, game.payoff(match.result, seat)) for seat, value in said]
    row = {"match": number, "seed": seed, **row_of(match, seated, witness)}
    return Played(row, seconds, judged, watcher.positions() if watcher else ())


def row_of(match: Match, players: Sequence[str], witness: Witness) -> Row:
    """What is kept of a match that is over."""
    result = match.result
    assert result is not None
    scores = result.scores or (None,) * match.seats
    return {
        "bots": list(players),
        "winners": list(result.winners),
        "decisions": match.number,
        "turns": witness.turns,
        "why": result.why,
        "rule": result.rule,
        "seats": [
            {
                "seat": seat,
                "bot": players[seat],
                "plays_as": match.game.plays_as(match.t, seat) if match.game.plays_as else "",
                "won": seat in result.winners,
                "place": result.places[seat],
                "score": scores[seat],
            }
            for seat in range(match.seats)
        ],
        "cards": [
            {
                "seat": seat,
                "card": name,
                "seen": len(seen),
                "held": len(witness.held.get((seat, name), ())),
                "played": witness.played[seat, name],
                "won": seat in result.winners,
            }
            for (seat, name), seen in sorted(witness.seen.items())
        ],
        "phrases": [{"phrase": phrase, "fired": times} for phrase, times in sorted(witness.fired.items())],
    }  # fmt: skip


class Watcher:
    """Keeps the positions of one match, spread over its whole length: neighbours are alike."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._columns = columns(match.game)
        self._seen: list[list[tuple[int, float, Numbers]]] = []

    def look(self) -> None:
        """A decision of weight is to be made: this is how each seat sees it, for bots judge others' decisions too."""
        match, value = self._match, self._match.game.value
        views = [(seat, match.view(seat)) for seat in range(match.seats)]
        self._seen.append(
            [
                (seat, value(view, seat) if value else 0.5, features(self._columns, view, seat))
                for seat, view in views
            ]
        )

    def positions(self) -> list[KeptPosition]:
        """What was kept, now that the match is over."""
        match, every = self._match, -(-len(self._seen) // KEPT)
        assert match.result is not None
        ends = [match.game.payoff(match.result, seat) for seat in range(match.seats)]
        return [
            KeptPosition(seat, said, ends[seat], shows)
            for seen in self._seen[:: max(1, every)]
            for seat, said, shows in seen
        ]


class Witness(Listener):
    """Watches one match for which cards are seen and played, which phrases are carried out, and how many turns it has."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._own = [own_zones(match, seat) for seat in range(match.seats)]
        self._hands = {zone for seat in range(match.seats) for zone in hands(match, seat)}
        self._named: list[dict[Card, int]] = [{} for _ in range(match.seats)]
        """Cards that a seat named in its last answers, and the zone each lay in."""
        self._gathered: list[Together | None] = [None] * match.seats
        """What each seat answered last, together with others: nothing moves before all have."""
        self.seen: dict[tuple[int, str], set[Card]] = {}
        self.held: dict[tuple[int, str], set[Card]] = {}
        self.played: Counter[tuple[int, str]] = Counter()
        self.fired: Counter[str] = Counter()
        self.turns = 0
        """Turns or rounds so far, as the game counts them."""
        self._turn = 0
        self._look()
        match.listen(self)

    def said(self, said: Said, play: Play) -> None:
        self.fired[said.phrase.pattern] += 1

    def before(self, seat: int, option: Option) -> None:
        """A seat is about to answer."""
        t, together = self._match.t, self._match.together
        gathers = together is not None and together is self._gathered[seat]
        if not self._match.pending[seat].minor and not gathers:
            self._named[seat].clear()
        self._gathered[seat] = together
        for card in cards_in(option):
            if t.where[card] in self._own[seat]:
                self._named[seat][card] = t.where[card]

    def after(self) -> None:
        """It has answered."""
        t = self._match.t
        for seat, named in enumerate(self._named):
            for card in [card for card, zone in named.items() if t.where[card] != zone]:
                del named[card]
                self.played[seat, t.face(card).name] += 1
                self.seen.setdefault((seat, t.face(card).name), set()).add(card)
        self._look()

    def _look(self) -> None:
        t = self._match.t
        if self._match.game.turns:
            turn = getattr(t, self._match.game.turns)
            self.turns += turn - self._turn if turn >= self._turn else turn  # less: it has begun again
            self._turn = turn
        for seat, zones in enumerate(self._own):
            for zone in zones:
                for card in t.piles[zone]:
                    self.seen.setdefault((seat, t.face(card).name), set()).add(card)
                    if zone in self._hands:
                        self.held.setdefault((seat, t.face(card).name), set()).add(card)


def own_zones(match: Match, seat: int) -> list[int]:
    """The zones that a seat owns and sees."""
    return [pile.place.id for pile in match.t.piles if pile.place.owner == seat and pile.place.shows(seat)]


def hands(match: Match, seat: int) -> list[int]:
    """Those of them that others do not see; in a game that hides nothing, all of them."""
    own = own_zones(match, seat)
    return [zone for zone in own if match.t.piles[zone].place.seen_by is OWNER] or own


def cards_in(option: Option) -> Iterator[Card]:
    """The cards an option names."""
    for part in option:
        if isinstance(part, Card):
            yield part
        elif isinstance(part, tuple):
            yield from cards_in(part)
