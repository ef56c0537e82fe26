"""Two worlds: matches that differ only in what a seat cannot know give this seat the same bytes.

The difference is (a) where the cards of one of its pools lie, (b) an answer that another seat gave in secret, or (c) the
numbers of the cards. It holds from the difference until a rule reveals it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection
from typing import Any

from talion.kernel import Ask, Card, Chance, Illegal, Match, Moment, Moments, Option, State
from talion.kernel.chance import seeded
from talion.kernel.fields import Pile
from talion.kernel.past import Entry

from .trial import cards_in

FARTHEST = 30
"""Entries for which two worlds are followed."""
SAMPLE = 20
"""Worlds that differ for longer are compared after one entry in so many, once they have been followed that far."""


class Watching(Chance):
    """Chance that notes the cards of every shuffled pile."""

    __slots__ = ("number", "shuffles", "trace")

    def __init__(self, state: int) -> None:
        super().__init__(state)
        self.number = 0
        """How many entries have been played."""
        self.trace: list[tuple[int, int]] = []
        self.shuffles: list[tuple[int, int, list[int]]] = []
        """Each pile shuffled: after how many entries, how much had been seen by then, and what lay in it."""

    def shuffle(self, things: Any) -> None:
        super().shuffle(things)
        if isinstance(things, Pile):
            self.shuffles.append((self.number, len(self.trace), list(things)))


class Swapping(Watching):
    """Chance that lays two cards of one shuffled pile the other way round."""

    __slots__ = ("_at", "_pair")

    def __init__(self, state: int, at: int, x: int, y: int) -> None:
        super().__init__(state)
        self._at = at
        self._pair = (x, y)

    def shuffle(self, things: Any) -> None:
        super().shuffle(things)
        if isinstance(things, Pile) and len(self.shuffles) == self._at + 1:
            i, j = (things.index(Card(card)) for card in self._pair)
            things[i], things[j] = things[j], things[i]


class Heard(Moments):
    """Moments, and how much had been seen by each."""

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.trace = _trace(match)
        self.seen_before: list[int] = []
        match.listen(self)

    def logged(self, t: State) -> None:
        super().logged(t)
        self.seen_before.append(len(self.trace))

    def hidden(self, observer: int, differ: Collection[int]) -> int:
        """How many moments there were before the observer saw one of these cards."""
        seen = (at for at, (who, card) in enumerate(self.trace) if who == observer and card in differ)
        first = next(seen, len(self.trace))
        return sum(before <= first for before in self.seen_before)


class Worlds:
    """Lays out second worlds beside a finished match and compares them."""

    def __init__(
        self, match: Match, chance: Chance, counts: Counter[str], moments: dict[int, Match] | None = None
    ) -> None:
        assert match.record is not None
        self.match = match
        self.moments = moments or {}
        """Copies made when the record was so long, which save playing it again from the deal."""
        self.record: list[Entry] = match.record
        self.chance = chance
        self.counts = counts

    def _at(self, number: int) -> Match:
        """The match as it was when its record had this many entries."""
        kept = self.moments.get(number)
        return kept.copy() if kept else self.match.before(number)

    # (a) the cards of a pool lie elsewhere -------------------------------------------------------------------------

    def dealt_otherwise(self, number: int) -> str | None:
        """Deals a seat's pools otherwise at one decision, and plays the recorded answers in both worlds."""
        observer = self.chance.below(self.match.seats + 1)
        one, two = self._at(number), self._at(number)
        two.t.deal_pools(observer, self.chance)
        for ask in two.pending.values():
            ask.refresh()
        if one.t.faces == two.t.faces and one.t.write()["fields"] == two.t.write()["fields"]:
            return None
        self.counts["worlds laid out"] += 1
        return self._follow(one, two, observer, number, {})

    def shuffled_otherwise(self) -> str | None:
        """Lays two cards of a shuffled pile the other way round, and plays the whole match in both worlds.

        Only cards that the observer does not see for a while are taken: what it sees must not change.
        """
        observer = self.chance.below(self.match.seats + 1)
        found = self._swap(observer)
        if found is None:
            return None
        self.counts["worlds laid out"] += 1
        shuffle, begins, ends, (x, y) = found
        one, two = self._again(Watching(self._seed())), self._again(Swapping(self._seed(), shuffle, x, y))
        for number, (kind, seat, option) in enumerate(self.record[:ends]):
            looks = begins <= number < begins + FARTHEST or number % SAMPLE == 0 or number == ends - 1
            if looks and number >= begins and (problem := _difference(one, two, observer)):
                return f"entry {number}: {problem}"
            one.apply((kind, seat, option))
            try:
                two.answer(seat, _swapped(option, x, y) if number >= begins else option)
            except Illegal:
                self.counts["worlds compared" if number > begins else "worlds skipped"] += 1
                return None
        self.counts["worlds compared"] += 1
        return None

    def _seed(self) -> int:
        assert self.match.origin is not None and self.match.origin.seed is not None
        return seeded(self.match.origin.seed)

    def _again(self, chance: Watching) -> Match:
        """The match from its beginning, with a chance that watches."""
        origin = self.match.origin
        assert origin is not None

        def watched(t: Any) -> range:
            t.know.trace = chance.trace
            return range(len(t.faces))

        game, content = self.match.game, self.match.t.content
        return Match.new(
            game, origin.seats, 0, origin.options, content=content, chance=chance, renumbered=watched
        )

    def _swap(self, observer: int) -> tuple[int, int, int, tuple[int, int]] | None:
        """A shuffle, when it was, how long the observer saw neither of two of its cards, and those cards."""
        chance = Watching(self._seed())
        match = self._again(chance)
        seen_by = [len(chance.trace)]
        """How much of the trace there was before each entry."""
        for number, entry in enumerate(self.record, 1):
            chance.number = number
            match.apply(entry)
            seen_by.append(len(chance.trace))
        choices = []
        for shuffle, (begins, traced, cards) in enumerate(chance.shuffles):
            first: dict[int, int] = {}
            for at, (who, card) in enumerate(chance.trace[traced:], traced):
                if who == observer and card not in first:
                    first[card] = bisect_right(seen_by, at) - 1
            unseen = [card for card in cards if first.get(card, len(self.record)) >= begins]
            pairs = [(x, y) for x in unseen for y in unseen if x < y and match.t.faces[x] != match.t.faces[y]]
            if pairs:
                x, y = self.chance.pick(pairs)
                ends = min(first.get(x, len(self.record)), first.get(y, len(self.record)))
                choices.append((shuffle, begins, ends, (x, y)))
        return self.chance.pick(choices) if choices else None

    # (b) another seat's secret answer is another ---------------------------------------------------------------------

    def answered_otherwise(self, number: int) -> str | None:
        """Gives another secret answer for another seat, and plays on."""
        found = self._secret(number)
        if found is None:
            return None
        number, seat, option = found
        others = [observer for observer in range(self.match.seats + 1) if observer != seat]
        observer = self.chance.pick(others)
        one, two = self._at(number), self._at(number)
        self.counts["worlds laid out"] += 1
        return self._follow(one, two, observer, number, {number: option})

    def _secret(self, number: int) -> tuple[int, int, Option] | None:
        """The first entry from here on that answers a secret ask which has another answer."""
        match = self._at(number)
        for at in range(number, min(number + FARTHEST, len(self.record))):
            kind, seat, option = self.record[at]
            ask = match.pending.get(seat)
            sealed = match.sealed is not None or (isinstance(ask, Ask) and ask.secret)
            if kind == "answer" and sealed and ask is not None:
                other = [o for o in ask.open(match.t) if o != option and not _seen(match, seat, o)]
                if other and not _seen(match, seat, option):
                    return at, seat, self.chance.pick(other)
            match.apply(self.record[at])
        return None

    # (c) the cards have other numbers ----------------------------------------------------------------------------------

    def renumbered(self, sampled: Collection[int]) -> str | None:
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
            one.apply((kind, seat, option))
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
        if not _possible(two) or _waiting_acts_differ(one, two):
            self.counts["worlds skipped"] += 1
            return None
        if not otherwise and (problem := _difference(one, two, observer)):
            return f"entry {number}: {problem}"
        waits = one.sealed, two.sealed
        ran = False
        for at in range(number, min(number + FARTHEST, len(self.record))):
            heard = Heard(one), Heard(two)
            before = _where_they_differ(one, two)
            if not self._both(one, two, at, otherwise, waits) or not _possible(two):
                self.counts["worlds compared" if ran else "worlds skipped"] += 1
                return None
            ran = True
            if otherwise and waits[0] is not None:
                left = one.sealed is not waits[0], two.sealed is not waits[1]
                if left[0] != left[1]:
                    continue  # the liar's row is longer or shorter in the second world
                if left[0] and waits[0].reveals:
                    break
            differ = before | _where_they_differ(one, two)
            if one.over or two.over:
                break
            if problem := self._moments(heard, observer, differ):
                return f"entry {at}: {problem}"
            if any(who == observer and card in differ for h in heard for who, card in h.trace):
                break
            if problem := _difference(one, two, observer):
                return f"entry {at}: {problem}"
        self.counts["worlds compared"] += 1
        return None

    def _moments(self, heard: tuple[Heard, Heard], observer: int, differ: Collection[int]) -> str | None:
        """Both worlds line by line, as far as neither has shown the observer what is different."""
        same = min(one.hidden(observer, differ) for one in heard)
        self.counts["moments compared"] += same
        for one, two in zip(heard[0].all[:same], heard[1].all[:same], strict=False):
            if problem := _difference(one, two, observer):
                return f"in its midst, {problem}"
        return None

    def _both(self, one: Match, two: Match, at: int, otherwise: dict[int, Option], waits: Any) -> bool:
        """Plays one entry in both worlds. False if the second cannot have it."""
        kind, seat, option = self.record[at]
        second = otherwise.get(at) or option
        liar = self.record[min(otherwise)][1] if otherwise else None
        sealed = waits[0] is not None and one.sealed is waits[0]
        one.apply((kind, seat, option))
        if sealed and otherwise and kind != "standing":
            if two.sealed is waits[1] and seat in two.pending:
                options = two.options(seat)
                two.answer(seat, second if second in options else self.chance.pick(options))
            while one.sealed is not waits[0] and two.sealed is waits[1] and set(two.pending) == {liar}:
                two.answer(liar, self.chance.pick(two.options(liar)))  # type: ignore[arg-type]
            return True
        try:
            two.answer(seat, second)
        except Illegal:
            return False
        return True


def _seen(match: Match, seat: int, option: Option) -> bool:
    """Whether everybody sees this answer at once, though others are sealed: a pass that is shown."""
    return match.window is not None and bool(match.window.seen({seat: option}))


def _possible(match: Match) -> bool:
    """Nobody is ever asked without an option: a world in which somebody is, amid a payment say, cannot be."""
    return all(ask.open(match.t) for ask in match.pending.values())


def _waiting_acts_differ(one: Match, two: Match) -> bool:
    """Whether an act that waits in a window for it to end is made with a card that is another one in the second world."""
    if two.window is None or not two.window.collects:
        return False
    acts = {card for kind, _, option in two.entries if kind == "answer" for card in cards_in(option)}
    return not acts.isdisjoint(_where_they_differ(one, two))


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


def _difference(one: Match | Moment, two: Match | Moment, observer: int) -> str | None:
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


def everything(match: Match | Moment, seat: int | None) -> dict[str, str]:
    """Every byte that an observer gets of a match."""
    data = match.view(seat).data()
    flat = {f"view {key}": json.dumps(value, sort_keys=True) for key, value in data.items() if key != "table"}
    flat |= {f"view {key}": json.dumps(value, sort_keys=True) for key, value in data["table"].items()}
    flat["log"] = json.dumps([[line.rule, line.text] for line in match.view(seat).log])
    if seat is not None and isinstance(match, Match):
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


def _swapped(option: Any, x: int, y: int) -> Any:
    """An option with two cards changed for each other."""
    if isinstance(option, Card):
        return Card(y if option == x else x if option == y else option)
    if isinstance(option, tuple):
        return tuple(_swapped(part, x, y) for part in option)
    return option


def _renumber(option: Any, order: list[int]) -> Any:
    if isinstance(option, Card):
        return Card(order[option])
    if isinstance(option, tuple):
        return tuple(_renumber(part, order) for part in option)
    return option


def poisoned(match: Match, seat: int, chance: Chance) -> Match:
    """The same match for all a seat knows: hidden cards have been others since the step began, and sealed answers are."""
    twin = match.before(match.number)
    begun, now = twin.state_at_step(), twin.t
    columns = ["faces", *(name for name, f in type(now).fields.items() if getattr(f, "travels", False))]
    for cards in begun.know.members(seat).values():
        hidden = [c for c in cards if not now.know.knows(seat, c) and c not in now.know.told]
        others = hidden[:]
        chance.shuffle(others)
        for column in (getattr(t, name) for t in (begun, now) for name in columns):
            for card, value in zip(hidden, [column[other] for other in others], strict=True):
                column[card] = value
    for other in twin.together.seats if twin.together is not None else ():
        if other != seat and other in twin.pending:
            twin.answer(other, chance.pick(twin.options(other)))
    for ask in twin.pending.values():
        ask.refresh()
    return twin
