"""New and changed cards are played: in random matches each lies where its sort lies, until it has done what it says.

Every sentence of a tried card is listened to. A card whose words were never carried out, or which breaks a match, is
named; nothing here knows a game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from talion.kernel import (
    EVERYONE,
    TOP,
    Card,
    Chance,
    Content,
    Face,
    Game,
    Listener,
    Match,
    Option,
    Play,
    Said,
)
from talion.kernel.content import read_cards
from talion.kernel.faults import in_words

LEAST, MATCHES = 10, 40
"""So many matches are played with a card before it is given up: fewest, if there is no time, and most."""
HAPPENS = frozenset({"effect", "static", "trigger", "replacement"})
DECISIONS = 4_000
"""A match goes on no longer than this: what has not happened by then is tried in the next."""


@dataclass
class CardOutcome:
    """What came of a card."""

    name: str
    matches: int = 0
    speaks: bool = True
    """Whether it has words by which something happens."""
    played: bool = False
    silent: list[str] = field(default_factory=list)
    """Sentences that were never carried out."""
    problem: str = ""

    def words(self) -> str:
        if self.problem:
            return f"PROBLEM {self.name}: {self.problem}"
        if not self.played:
            return (
                f"{'PROBLEM ' if self.speaks else ''}{self.name} was never played in {self.matches} matches."
            )
        unsaid = "".join(f" Never happened: {sentence}." for sentence in self.silent)
        return f"{self.name} was played.{unsaid}"

    @property
    def ok(self) -> bool:
        return not self.problem and (self.played or not self.speaks)


def try_cards(
    game: Game, cards: Path, *, seconds: float = 20.0, seed: int | str = 0
) -> Iterator[CardOutcome]:
    """Tries every card of a file."""
    content = game.content(cards)
    rows = read_cards(cards, game.content().tables, game.card_table).get("card", [])
    for row in rows:
        yield CardTrial(game, content, content.named[row["name"]], seed).run(seconds / len(rows))


class CardTrial(Listener):
    """One card, played in random matches and listened to."""

    def __init__(self, game: Game, content: Content, face: Face, seed: int | str = 0) -> None:
        self.game = game
        self.content = content
        self.face = face
        self.seed = seed
        self.heard: set[tuple[Any, ...]] = set()
        """Where the phrases stand that were carried out or asked about."""
        ends = [one for one in content.faces if one.front is face.front]
        self.names = {end.name for end in ends}
        self.lines = [line for end in ends for line in end.lines() if _does_something(line)]
        self.shown = False

    def said(self, said: Said, play: Play) -> None:
        if said.path and said.path[0] in self.names:
            self.heard.add(said.path)

    def run(self, seconds: float = 1e9, matches: int = MATCHES) -> CardOutcome:
        """Plays until every sentence was heard, or time or matches have run out."""
        tried = CardOutcome(self.face.name, speaks=bool(self.lines))
        until = time.monotonic() + seconds
        while tried.matches < matches and (tried.matches < LEAST or time.monotonic() < until):
            seats = self.game.seats[tried.matches % len(self.game.seats)]
            seed = f"{self.seed}:{self.face.name}:{tried.matches}"
            tried.matches += 1
            try:
                self._play(seats, seed)
            except Exception as problem:  # whatever a card breaks is what is looked for
                tried.problem = f"{seats} seats, seed {seed}: {in_words(problem)}"
                break
            tried.silent = [line.text for line in self.lines if not self._is_heard(line)]
            tried.played = len(tried.silent) < len(self.lines) or (
                not self.lines and (self.shown or bool(self.heard))
            )
            if tried.played and not tried.silent:
                break
        return tried

    def _is_heard(self, line: Said) -> bool:
        """Whether anything it says was carried out or asked about."""
        return any(said.path in self.heard for said in line.below())

    def _play(self, seats: int, seed: str) -> None:
        chance = Chance.of(f"trial:{seed}")
        match = Match.new(self.game, seats, seed, content=self.content, fast=True)
        t = match.t  # nothing has begun yet
        self._put_in(t, chance)
        match.listen(self)
        for number in range(min(DECISIONS, self.game.longest)):
            if match.over:
                break
            seat = chance.pick(sorted(match.pending))
            match.answer(seat, self._choice(match, seat, chance))
            for problem in t.problems():
                raise RuntimeError(f"decision {number}: {problem}")
        self.shown |= any(self._is_open(t, Card(number)) for number in range(len(t.faces)))

    def _is_open(self, t: Any, card: Card) -> bool:
        """Whether it has come to lie where everybody sees it: all that can become of a card without words."""
        return self._is_it(t, card) and t.pile_of(card).place.seen_by in (EVERYONE, TOP)

    def _put_in(self, t: Any, chance: Chance) -> None:
        """About half of the cards in whose place it may lie become this one, before the match begins."""
        others = [
            Card(n) for n in range(len(t.faces)) if self.game.can_be_tried_as(self.face, t.face(Card(n)))
        ]
        for card in others:
            if chance.below(2) == 0:
                t.faces[card] = self.face.id

    def _is_it(self, t: Any, card: Card) -> bool:
        return t.face(card).front is self.face.front

    def _choice(self, match: Match, seat: int, chance: Chance) -> Option:
        """Often what can be done with the tried card, each kind of deed alike; otherwise anything."""
        options = match.options(seat)
        if not options:
            raise RuntimeError(f"seat {seat} is asked, and no option is open")
        with_it = [
            option for option in options if any(self._is_it(match.t, card) for card in cards_in(option))
        ]
        if with_it and chance.below(2):
            deed = chance.pick(sorted({str(option[0]) for option in with_it}))
            options = [option for option in with_it if str(option[0]) == deed]
        return chance.pick(options)


def _does_something(line: Said) -> bool:
    """Whether anything happens by a line; a keyword or a destination is only looked up."""
    return any(said.kind in HAPPENS for said in line.below())


def cards_in(option: Any) -> Iterator[Card]:
    """The cards that an option names."""
    if isinstance(option, Card):
        yield option
    elif isinstance(option, tuple):
        for part in option:
            yield from cards_in(part)
