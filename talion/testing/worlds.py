"""Two worlds: matches that differ only in what a seat cannot know give this seat the same bytes.

The difference is (a) where the cards of one of its pools lie, (b) an answer that another seat gave in secret, or (c) the
numbers of the cards. It holds from the difference until a rule reveals it.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from talion.kernel import Ask, Card, Chance, Illegal, Match, Option, Together
from talion.kernel.match import Entry

FARTHEST = 30
"""Entries for which two worlds are followed."""


class Worlds:
    """Lays out second worlds beside a finished match and compares them."""

    def __init__(self, match: Match, chance: Chance, counts: Counter[str]) -> None:
        assert match.record is not None
        self.match = match
        self.record: list[Entry] = match.record
        self.chance = chance
        self.counts = counts

    # (a) the cards of a pool lie elsewhere -------------------------------------------------------------------------

    def dealt_otherwise(self, number: int) -> str | None:
        """Deals a seat's pools otherwise at one decision, and plays the recorded answers in both worlds."""
        observer = self.chance.below(self.match.seats + 1)
        one = self.match.before(number)
        two = self.match.before(number)
        two.t.deal_pools(observer, self.chance)
        for ask in two.pending.values():
            ask.refresh()
        if one.t.faces == two.t.faces and one.t.write()["fields"] == two.t.write()["fields"]:
            return None
        self.counts["worlds laid out"] += 1
        return self._follow(one, two, observer, number, {})

    # (b) another seat's secret answer is another ---------------------------------------------------------------------

    def answered_otherwise(self, number: int) -> str | None:
        """Gives another secret answer for another seat, and plays on."""
        found = self._secret(number)
        if found is None:
            return None
        number, seat, option = found
        others = [observer for observer in range(self.match.seats + 1) if observer != seat]
        observer = self.chance.pick(others)
        one, two = self.match.before(number), self.match.before(number)
        self.counts["worlds laid out"] += 1
        return self._follow(one, two, observer, number, {number: option})

    def _secret(self, number: int) -> tuple[int, int, Option] | None:
        """The first entry from here on that answers a secret ask which has another answer."""
        match = self.match.before(number)
        for at in range(number, min(number + FARTHEST, len(self.record))):
            kind, seat, option = self.record[at]
            ask = match.pending.get(seat)
            sealed = match._rows is not None or (isinstance(ask, Ask) and ask.secret)
            if kind == "answer" and sealed and ask is not None:
                other = [o for o in ask.open(match.t) if o != option]
                if other:
                    return at, seat, self.chance.pick(other)
            match._take(self.record[at])
        return None

    # (c) the cards have other numbers ----------------------------------------------------------------------------------

    def renumbered(self, sampled: list[int]) -> str | None:
        """Plays the whole match with other card numbers: nobody may see any difference."""
        origin = self.match.origin
        assert origin is not None and origin.seed is not None
        order: list[int] = []

        def shuffled(t: Any) -> list[int]:
            order.extend(range(len(t.faces)))
            self.chance.shuffle(order)
            return order

        content = self.match.t.content
        game = self.match.game
        one = Match.new(game, origin.seats, origin.seed, origin.options, content=content)
        two = Match.new(game, origin.seats, origin.seed, origin.options, content=content, renumbered=shuffled)
        for number, (kind, seat, option) in enumerate(self.record):
            if number in sampled:
                self.counts["worlds renumbered"] += 1
                for observer in range(self.match.seats + 1):
                    if problem := _difference(one, two, observer):
                        return f"entry {number}: card numbers show: {problem}"
            one._take((kind, seat, option))
            try:
                two.answer(seat, _renumber(option, order))
            except Illegal as refusal:
                return f"entry {number}: with other card numbers an answer is refused: {refusal.why}"
        return None

    # Following two worlds ----------------------------------------------------------------------------------------------

    def _follow(
        self, one: Match, two: Match, observer: int, number: int, otherwise: dict[int, Option]
    ) -> str | None:
        """Plays the record in both worlds and compares what the observer gets, until something is revealed."""
        if not otherwise and (problem := _difference(one, two, observer)):
            return f"entry {number}: {problem}"
        ran = False
        for at in range(number, min(number + FARTHEST, len(self.record))):
            traces = _trace(one), _trace(two)
            before = _where_they_differ(one, two)
            sealed = one._waits if isinstance(one._waits, Together) else None
            if not self._both(one, two, at, otherwise):
                self.counts["worlds compared" if ran else "worlds skipped"] += 1
                return None
            ran = True
            if sealed is not None and sealed.reveals and one._rows is None and otherwise:
                break
            differ = before | _where_they_differ(one, two)
            seen = {card for trace in traces for who, card in trace if who == observer}
            if seen & differ or one.over or two.over:
                break
            if problem := _difference(one, two, observer):
                return f"entry {at}: {problem}"
        self.counts["worlds compared"] += 1
        return None

    def _both(self, one: Match, two: Match, at: int, otherwise: dict[int, Option]) -> bool:
        """Plays one entry in both worlds. False if the second cannot have it."""
        kind, seat, option = self.record[at]
        second: Option = otherwise[at] if at in otherwise else option
        liar = self.record[min(otherwise)][1] if otherwise else None
        in_row = one._rows is not None
        one._take((kind, seat, option))
        if seat == liar and in_row:
            return self._row_goes_on(one, two, seat, second)
        try:
            two.answer(seat, second)
        except Illegal:
            return False
        return True

    def _row_goes_on(self, one: Match, two: Match, seat: int, option: Option) -> bool:
        """In the second world the liar's sealed row may be longer or shorter; it ends when the first world's ends."""
        if two._rows is not None and seat in two.pending:
            options = two.options(seat)
            two.answer(seat, option if option in options else self.chance.pick(options))
        while one._rows is None and two._rows is not None and set(two.pending) == {seat}:
            two.answer(seat, self.chance.pick(two.options(seat)))
        return (one._rows is None) == (two._rows is None)


def _trace(match: Match) -> list[tuple[int, int]]:
    assert match.t.know is not None
    trace: list[tuple[int, int]] = []
    match.t.know.trace = trace
    return trace


def _where_they_differ(one: Match, two: Match) -> set[int]:
    """The cards that lie elsewhere, or have another face, in the second world."""
    a, b = one.t, two.t
    hidden = [name for name, declared in type(a).fields.items() if getattr(declared, "travels", False)]
    found = set()
    for card in range(min(len(a.faces), len(b.faces))):
        same = a.faces[card] == b.faces[card] and a.where[card] == b.where[card]
        same = same and all(getattr(a, name)[card] == getattr(b, name)[card] for name in hidden)
        if same and a.piles[a.where[card]].place.ordered:
            same = a.place(Card(card)) == b.place(Card(card))
        if not same:
            found.add(card)
    return found


def _difference(one: Match, two: Match, observer: int) -> str | None:
    """What an observer could tell two worlds apart by."""
    seat = None if observer == one.seats else observer
    who = "a watcher" if seat is None else f"seat {seat}"
    a, b = everything(one, seat), everything(two, seat)
    if a == b:
        return None
    for key, value in a.items():
        if value != b.get(key):
            return f"{who} can tell two worlds apart by {key}: {_shortest(value, b.get(key))}"
    return f"{who} can tell two worlds apart"


def everything(match: Match, seat: int | None) -> dict[str, str]:
    """Every byte that an observer gets of a match."""
    data = match.view(seat).data()
    flat = {f"view {key}": json.dumps(value, sort_keys=True) for key, value in data.items() if key != "table"}
    flat |= {f"view {key}": json.dumps(value, sort_keys=True) for key, value in data["table"].items()}
    flat["log"] = json.dumps([[line.rule, line.text] for line in match.log(seat)])
    if seat is not None:
        flat["why not"] = json.dumps(
            [[match.view(seat).wire(option), rule, why] for option, rule, why in match.why_not(seat)]
        )
    return flat


def _shortest(a: str, b: str | None) -> str:
    """The place where two texts part, with a little around it."""
    b = b or ""
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, at - 40)
    return f"…{a[start : at + 40]}… against …{b[start : at + 40]}…"


def _renumber(option: Any, order: list[int]) -> Any:
    if isinstance(option, Card):
        return Card(order[option])
    if isinstance(option, tuple):
        return tuple(_renumber(part, order) for part in option)
    return option
