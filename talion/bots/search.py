"""A bot that thinks: information-set Monte Carlo tree search.

Each iteration imagines a match that could be the real one for all the seat knows, and plays it once: down the trees while
they are known, on to the next decision of weight, then it is judged. Every seat has a tree of its own, whose nodes stand
for what that seat has seen happen: its own answers and the open answers of others, never their sealed ones. So seats that
choose at once choose without knowing each other's choice, and no plan depends on a card its seat does not see. Each seat
tries to do well for itself, however many there are.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from typing import Any

from talion.kernel import (
    EVERYONE,
    Ask,
    Card,
    Chance,
    Game,
    Match,
    Option,
    State,
    Together,
    Window,
    default_of,
)

from . import Point, Seen
from .greedy import FARTHEST, REJECTED, Value, worth
from .turns import TurnsAhead

EXPLORING = 1.0
"""How much an option that was rarely tried is favoured over one that did well so far, in units of how far apart the
worths of imagined matches lie: that is much where they are played to their end, little where they are only judged."""
REDRAWS = 3
"""How often another option is drawn in place of one the game rejects."""
FORESEEN = 24
"""Decisions after which it no longer matters what comes of an option."""
CHECKED_EVERY = 16
"""Iterations after which it is seen whether more of them could still change the choice."""
PLAIN = frozenset({str, int, bool, type(None)})
"""Parts of options that mean the same in every imagined match."""
LOGARITHMS = [log(n + 1) for n in range(1 << 12)]
"""Of one more than each number: what the trees ask for at every option they pass."""


@dataclass(frozen=True)
class Budget:
    """How long to think about a decision: a number of iterations, or of seconds."""

    iterations: int = 1_000_000_000
    seconds: float = float("inf")


@dataclass(frozen=True)
class Manner:
    """How to make the most of a budget: what helps in one game misleads in another, so it is measured."""

    onward: bool = False
    """Whether an imagined match goes on, by the others' defaults, to the thinker's own next decision before it is judged.
    It helps where nothing has come of a choice before the others have chosen too, not where they have whole turns."""
    sweeps: int = 0
    """In how many imagined matches every option is tried to begin with. It helps where options are many and alike."""
    turns: bool = False
    """Whether no tree is grown, but one's own turn played to its end as `greedy` would (`turns.py`). It helps where a turn is
    a long plan that others have no part in. An iteration is then any position that is judged on the way."""
    doubts: Mapping[str, float] = field(default_factory=dict)
    """How far first sight is usually off where options begin with these words, for `turns`: whatever looks no worse than that
    is compared, and where there is no doubt no turn is played. Where options begin otherwise, that of no words counts."""

    each: bool = False
    """Whether between two each seat is judged for itself. Needed where one's loss is not the other's win."""


PLAINLY = Manner()


@dataclass(frozen=True)
class Judge:
    """How positions are judged, and options at first sight."""

    value: Value | None = None
    hint: Callable[[Any, Option], float] | None = None

    @classmethod
    def of(cls, game: Game) -> Judge:
        return cls(game.value, game.hint)


@dataclass(frozen=True)
class Estimate:
    """What the bot thinks of one option: how it did, from 0 to 1, and in how many imagined matches."""

    option: Option
    value: float
    tried: int


@dataclass(frozen=True)
class Foreseen:
    """What comes of an option in one imagined match."""

    says: str
    """The first that another seat then does, as a line of the log; nothing, if nobody does anything."""
    value: float


class Tried:
    """One option at one node: how often it was open and chosen, and what that brought in sum."""

    __slots__ = ("chosen", "hint", "open", "total")

    def __init__(self, hint: float) -> None:
        self.hint = hint
        self.open = 0
        self.chosen = 0
        self.total = 0.0


class Node:
    """What one seat has seen happen: its decision here, and what may happen next."""

    __slots__ = ("after", "chosen", "options", "total")

    def __init__(self) -> None:
        self.options: dict[Any, Tried] = {}
        self.after: dict[Any, Node] = {}
        self.chosen = 0
        self.total = 0.0

    def then(self, event: Any) -> Node:
        node = self.after.get(event)
        if node is None:
            node = self.after[event] = Node()
        return node

    def promising(
        self, keys: Sequence[Any], hint: Callable[[int], float], exploring: float, chance: Random
    ) -> int:
        """Which of the options open in this world to try: what did well, or was tried little."""
        options = self.options
        usual = self.total / self.chosen if self.chosen else 0.5
        best, at = -1.0, 0
        for i, key in enumerate(keys):
            tried = options.get(key)
            if tried is None:
                tried = options[key] = Tried(hint(i))
            open_ = tried.open = tried.open + 1
            times = tried.chosen + 1
            rarity = LOGARITHMS[open_] if open_ < len(LOGARITHMS) else log(open_ + 1)
            score = (tried.total + usual) / times + tried.hint + exploring * sqrt(rarity / times)
            if times == 1:
                score += chance.random() * 1e-6
            if score > best:
                best, at = score, i
        return at

    def favourite(self, keys: Sequence[Any], usual: int) -> int:
        """Which of these options was chosen most often here; the usual one, if none was."""
        chosen = [tried.chosen if (tried := self.options.get(key)) else 0 for key in keys]
        return chosen.index(max(chosen)) if any(chosen) else usual

    def credit(self, key: Any, value: float) -> None:
        tried = self.options[key]
        tried.chosen += 1
        tried.total += value
        self.chosen += 1
        self.total += value


class Search:
    """Thinks about each decision within a budget. The same seed and number of iterations play the same."""

    def __init__(self, seed: int | str = 0, budget: Budget | None = None, manner: Manner = PLAINLY) -> None:
        self._chance = Chance.of(f"search:{seed}")
        self.budget = budget or Budget(200)
        self.manner = manner
        self.judge: Judge | None = None
        """Another judgement than the game's own."""
        self.iterations = 0
        """How many it has done, over all decisions."""
        self.resumed = 0
        """For how many decisions the trees of the one before served again."""
        self._trees: list[Node] = []
        self._left: tuple[Point, Any] | None = None
        """When the last decision was made, and for what: the trees may serve again."""

    def choose(self, seen: Seen) -> Option:
        options = seen.options
        if len(options) == 1:
            return options[0]
        thought = self._think(seen, options, until_settled=True)
        best = max(thought, key=lambda estimate: (estimate.tried, estimate.value))
        self._left = (seen.point, self._keys[options.index(best.option)])
        return best.option

    def estimates(self, seen: Seen) -> list[Estimate]:
        """What it thinks of each option, the best first."""
        thought = self._think(seen, seen.options, until_settled=False)
        return sorted(thought, key=lambda estimate: (estimate.tried, estimate.value), reverse=True)

    def foresee(self, seen: Seen, option: Option, times: int) -> list[Foreseen]:
        """What comes of an option in some more matches, by what was learned when `estimates` were made."""
        judge = self.judge or Judge.of(seen.game)
        thinking = Thinking(seen, self._trees, self.manner, judge, self._chance.fork())
        at = seen.options.index(option)
        return [thinking.foresee(at) for _ in range(times)]

    def _think(self, seen: Seen, options: list[Option], *, until_settled: bool) -> list[Estimate]:
        self._plant(seen)
        root = self._trees[seen.seat]
        thinking = Thinking(
            seen, self._trees, self.manner, self.judge or Judge.of(seen.game), self._chance.fork()
        )
        end = time.monotonic() + self.budget.seconds
        if self.manner.turns and thinking.judge.value:
            self._keys = thinking.keys()
            return self._in_turns(
                TurnsAhead(
                    seen,
                    thinking.judge,
                    thinking.chance,
                    self.budget.iterations,
                    end,
                    self.manner.doubts,
                )
            )
        if not root.chosen:
            for _ in range(min(self.manner.sweeps, self.budget.iterations // len(options))):
                self.iterations += thinking.sweep()
        while root.chosen < self.budget.iterations and time.monotonic() < end:
            thinking.iterate()
            self.iterations += 1
            if until_settled and root.chosen % CHECKED_EVERY == 0 and _settled(root, self.budget.iterations):
                break
        self._keys = thinking.keys()
        found = [root.options.get(key) or Tried(0.0) for key in self._keys]
        return [
            Estimate(option, tried.total / tried.chosen if tried.chosen else 0.0, tried.chosen)
            for option, tried in zip(options, found, strict=True)
        ]

    def _in_turns(self, turns: TurnsAhead) -> list[Estimate]:
        """What comes of comparing whole turns."""
        compared = turns.compare()
        self.iterations += turns.judged
        return [
            Estimate(turns.seen.options[one.at], one.value, len(one.glances) + len(one.turns))
            for one in compared
        ]

    def _plant(self, seen: Seen) -> None:
        """Begins new trees; but if nothing happened since the last decision, what was learned there still holds."""
        left, self._left = self._left, None
        if left is not None and left[0].leads_straight_to(seen.point):
            event = (seen.seat, left[1])
            self._trees = [tree.then(event) for tree in self._trees]
            self.resumed += 1
        else:
            self._trees = [Node() for _ in range(seen.seats)]


def _settled(root: Node, iterations: int) -> bool:
    """Whether the option tried most can no longer be overtaken."""
    most, *others = sorted((tried.chosen for tried in root.options.values()), reverse=True)
    return bool(others) and most - others[0] > iterations - root.chosen


class Spread:
    """How far some numbers lie apart: their standard deviation, which begins as if two were known, 0.25 and 0.75."""

    __slots__ = ("_count", "_squares", "_sum", "value")

    def __init__(self) -> None:
        self._count, self._sum, self._squares = 2, 1.0, 0.625
        self.value = 0.25

    def add(self, number: float) -> None:
        self._count += 1
        self._sum += number
        self._squares += number * number
        mean = self._sum / self._count
        self.value = sqrt(max(self._squares / self._count - mean * mean, 1e-6))


def _is_by_another(line: str, seat: int) -> bool:
    """Whether a line of the log begins with another seat's name."""
    return line.startswith("@") and not re.match(rf"@{seat}\b", line)


def _neutral(at: int) -> float:
    return 0.0


class Thinking:
    """The iterations of one decision."""

    def __init__(self, seen: Seen, trees: list[Node], manner: Manner, judge: Judge, chance: Chance) -> None:
        self.seen = seen
        self.game: Game = seen.game
        self.judge = judge
        self.trees = trees
        self.manner = manner
        self.chance = chance
        self.random = Random(chance.state)
        self.spread = Spread()
        self.hidden = [name for name, f in self.game.state.fields.items() if getattr(f, "travels", False)]
        self.options = seen.options
        """What may be answered. It hangs on what the seat knows, so it is the same in every imagined match."""
        self._keys: list[Any] = []
        """The same, as the trees name it."""

    def iterate(self) -> None:
        """Imagines a match, plays it once, and credits what was chosen on the way."""
        world = self.seen.imagine(self.chance).let_go()
        self._credit(self._descend(world), world)

    def sweep(self) -> int:
        """Tries every option that is not rejected in one and the same world: what luck gives to one it gives to all.
        How many that were."""
        seat, root = self.seen.seat, self.trees[self.seen.seat]
        before = root.chosen
        world = self.seen.imagine(self.chance)
        hint = self._hint(world, seat, self.options)
        for at, key in enumerate(self.keys(world)):
            tried = root.options.setdefault(key, Tried(hint(at)))
            if tried.hint > REJECTED:
                tried.open += 1
                ahead = world.copy().let_go()
                ahead.go_on(seat, self.options[at])
                self._credit([(seat, root, key)], ahead)
        return root.chosen - before

    def _credit(self, path: list[tuple[int, Node, Any]], world: Match) -> None:
        """Plays a world on, judges it, and credits what was chosen on the way there."""
        self._play_ahead(world)
        values = self._judge(world, {self.seen.seat, *[seat for seat, _, _ in path]})
        self.spread.add(values[self.seen.seat])
        for seat, node, key in path:
            node.credit(key, values[seat])

    def keys(self, world: Match | None = None) -> list[Any]:
        """The options of the decision itself, as the trees name them: in whatever world, for all cards in them are known."""
        if not self._keys:
            self._keys = self._named((world or self.seen.imagine(self.chance)).t, self.options)
        return self._keys

    def _descend(self, world: Match) -> list[tuple[int, Node, Any]]:
        """Plays a world down the trees until something is tried for the first time.

        Where several choose at once, each goes down its own tree so far.
        """
        t, here = world.t, self.trees
        path: list[tuple[int, Node, Any]] = []
        sealed: list[tuple[int, Any]] = []
        new: set[int] = set()
        ask: Ask | None = world.pending[self.seen.seat]
        while ask is not None:
            seat = ask.seat
            node = here[seat]
            options = ask.open(t) if path else self.options
            if len(options) == 1 and path:
                at, key = 0, self._name(t, options[0])
            else:
                at, key = self._pick(world, seat, options, node, root=not path)
                if not node.options[key].chosen:
                    new.add(seat)
                path.append((seat, node, key))
            here = self._go_on(here, world, ask, options[at], key, sealed)
            ask = self._served(world, new)
        return path

    def _go_on(
        self,
        here: list[Node],
        world: Match,
        ask: Ask,
        option: Option,
        key: Any,
        sealed: list[tuple[int, Any]],
    ) -> list[Node]:
        """Answers an ask, and moves every seat on in its tree by what it sees of that."""
        seat, event = ask.seat, (ask.seat, key)
        if world.waits is ask:
            world.go_on(seat, option)
            if not ask.secret:
                return [node.then(event) for node in here]
            return [node.then(event if other == seat else (seat, None)) for other, node in enumerate(here)]
        under, window = world.sealed, world.window
        world.go_on(seat, option)
        passes = window is not None and not window.is_act(seat, option)
        if under is not None:
            if under.reveals and not passes:
                sealed.append(event)
            return self._seal(here, event, under, sealed, over=world.sealed is not under)
        if window is not None and passes and not window.passes_seen:
            return [node.then(event) if other == seat else node for other, node in enumerate(here)]
        told = (seat, None) if ask.secret else event
        return [node.then(event if other == seat else told) for other, node in enumerate(here)]

    def foresee(self, at: int) -> Foreseen:
        """Imagines a match in which an option is taken and everybody goes on with what did best, until another has done
        something and it is the seat's turn again: what that was, as the seat reads it, and what the match is worth then."""
        me = self.seen.seat
        world = self.seen.imagine(self.chance).let_go()
        world.begin_log()
        told = world.log(me)
        here, sealed, says = self.trees, list[tuple[int, Any]](), ""
        ask: Ask | None = world.pending[me]
        for number in range(FORESEEN):
            if ask is None or (says and ask.seat == me and not ask.minor):
                break
            options, before, under = ask.open(world.t), len(told), world.sealed
            usual = options.index(default_of(ask, world.t))
            choice = at if not number else here[ask.seat].favourite(self._named(world.t, options), usual)
            here = self._go_on(
                here, world, ask, options[choice], self._name(world.t, options[choice]), sealed
            )
            acted = ask.seat != me and choice != usual
            if not says and (acted or world.sealed is not under):
                says = next((line.text for line in told[before:] if _is_by_another(line.text, me)), "")
            ask = self._served(world)
        return Foreseen(says, self._judge(world, {me})[me])

    def _pick(
        self, world: Match, seat: int, options: list[Option], node: Node, *, root: bool
    ) -> tuple[int, Any]:
        """What to try at a node, and its name: what looks promising there, or anything if nothing was tried yet."""
        hint = self._hint(world, seat, options)
        if root or node.chosen:
            keys = self.keys(world) if root else self._named(world.t, options)
            at = node.promising(keys, hint, EXPLORING * self.spread.value, self.random)
            return at, keys[at]
        at, liking = self._glance(hint, len(options))
        key = self._name(world.t, options[at])
        node.options[key] = Tried(liking)
        return at, key

    def _hint(self, world: Match, seat: int, options: list[Option]) -> Callable[[int], float]:
        """How promising the game finds an option at first sight."""
        hint, view = self.judge.hint, None
        if hint is None:
            return _neutral

        def at_first_sight(at: int) -> float:
            nonlocal view
            view = view or world.view(seat)
            return hint(view, options[at])

        return at_first_sight

    def _glance(self, hint: Callable[[int], float], count: int) -> tuple[int, float]:
        """Any option, at a node where nothing was tried yet: most such nodes are never met again. Only what the game
        rejects out of hand is drawn again, a few times."""
        at = int(self.random.random() * count)
        liking = hint(at)
        for _ in range(REDRAWS):
            if liking > REJECTED:
                break
            at = int(self.random.random() * count)
            liking = hint(at)
        return at, liking

    def _seal(
        self,
        here: list[Node],
        event: tuple[int, Any],
        under: Together | Window,
        sealed: list[tuple[int, Any]],
        *,
        over: bool,
    ) -> list[Node]:
        """A sealed answer moves on its own seat alone; when all are in, the others see those that are revealed."""
        here = here[:]
        here[event[0]] = here[event[0]].then(event)
        if over and sealed:
            if isinstance(under, Window):
                seats = list(under.asks)
                sealed.sort(key=lambda event: seats.index(event[0]))
                del sealed[1 if under.order == "in order" else len(sealed) :]
            else:
                sealed.sort(key=lambda event: event[0])
            for event in sealed:
                for other, node in enumerate(here):
                    if other != event[0]:
                        here[other] = node.then(event)
            sealed.clear()
        return here

    def _served(self, world: Match, new: Collection[int] = ()) -> Ask | None:
        """The ask that is answered next; None if the match is over, or all that is left is of seats with something new.

        Among sealed choosers the order tells nothing; a race is won by chance.
        """
        waits = world.waits
        if type(waits) is Ask:
            return None if new else waits
        if waits is None:
            return None
        pending = world.pending
        if world.sealed is not None:
            for seat, ask in pending.items():
                if seat not in new:
                    return ask
            return None
        if new:
            return None
        asks = list(pending.values())
        return asks[0] if len(asks) == 1 else self.random.choice(asks)

    def _play_ahead(self, world: Match) -> None:
        """On to the next decision of weight, so that what was begun comes to something; follow-ups go by their defaults.

        A sealed choice is played to its end at random, and so is a whole match if the game has no judgement of its own.
        """
        judged = self.judge.value is not None
        for _ in range(FARTHEST if judged else self.game.longest):
            waits = world.waits
            if judged and type(waits) is Window and all(ask.minor for ask in waits.asks.values()):
                world.pass_window()
                continue
            ask = self._served(world)
            if ask is None:
                return
            passed_over = self.manner.onward and ask.seat != self.seen.seat
            if judged and (ask.minor or (passed_over and world.sealed is None)):
                option = default_of(ask, world.t)
            elif not judged or world.sealed is not None:
                option = self.random.choice(ask.open(world.t))
            else:
                return
            world.go_on(ask.seat, option)

    def _judge(self, world: Match, seats: Collection[int]) -> dict[int, float]:
        """What a world is worth to each of some seats."""
        result = world.result
        if result is not None:
            return {seat: self.game.payoff(result, seat) for seat in seats}
        me = self.seen.seat
        if (
            world.seats == 2 and not self.manner.each
        ):  # one view is enough, and the thinker's own shows what it holds
            mine = worth(world, me, self.judge.value)
            return {me: mine, 1 - me: 1 - mine}
        return {seat: worth(world, seat, self.judge.value) for seat in seats}

    def _named(self, t: State, options: list[Option]) -> list[Any]:
        """Options as the trees name them: a hidden card by its face, since its number means another in each world."""
        return [self._name(t, option) for option in options]

    def _name(self, t: State, option: Option) -> Any:
        if PLAIN.issuperset(map(type, option)):
            return option
        return tuple([part if type(part) in PLAIN else self._name_part(t, part) for part in option])

    def _name_part(self, t: State, part: Any) -> Any:
        if type(part) is not Card:
            return self._name(t, part) if type(part) is tuple else part
        number = part if t.piles[t.where[part]].place.seen_by is EVERYONE else None
        if not self.hidden:
            return number, t.faces[part]
        return (number, t.faces[part], *[getattr(t, name)[part] for name in self.hidden])
