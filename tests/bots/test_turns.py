"""Thinking in turns: it sees what a whole turn comes to, and knows no die before it falls."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from talion.bots import Seen
from talion.bots.greedy import Greedy
from talion.bots.search import Budget, Manner, Search
from talion.kernel import Asking, Counter, Flag, Game, Match, State

SEEDS = range(12)
OPTIONS = [("go",), ("stay",)]


class Walk(State):
    """How well it goes is all there is to see."""

    worth = Counter(50_000)
    gone = Flag()


def game_with(then: Callable[..., Any], worse: int = 1000, ways_to_fall: int = 0) -> Game:
    """To go looks a little worse than to stay, whatever luck adds to it; and then there is something else to do."""

    options = [*OPTIONS, *(("fall", way) for way in range(ways_to_fall))]

    def begin(t: Walk) -> Asking:
        answer = yield t.ask(0, options, "Go, or stay", "")
        t.gone = answer == ("go",)
        luck = t.chance.below(1000)
        t.worth = 50_000 - worse + 2 * luck if t.gone else 50_000 + luck
        if answer[0] == "fall":
            t.worth = luck
        return then

    return Game(
        key="walk",
        title="Walk",
        seats=(2,),
        state=Walk,
        start=begin,
        rules=sys.modules[__name__],
        longest=3,
        value=lambda view, seat: float(view.worth / 100_000),
    )


def end(t: Walk) -> Asking:
    yield t.ask(1, OPTIONS, "Go on", "")
    t.over([0], "It is over.")


def reap(t: Walk) -> Asking:
    """Whoever went may reap."""
    answer = yield t.ask(0, [("reap",), ("rest",)], "Reap, or rest", "")
    if t.gone and answer == ("reap",):
        t.worth = 90_000
    return end


def gamble(t: Walk) -> Asking:
    """Whoever went may gamble with poor odds, and has lost if it is left."""
    answer = yield t.ask(0, [("gamble",), ("rest",)], "Gamble, or rest", "")
    if t.gone:
        t.worth = 40_000
        if answer == ("gamble",):
            t.worth = 100_000 if t.chance.below(6) == 0 else 0
    return end


def chosen(game: Game, seed: int, **doubts: float) -> Any:
    return Search(seed, Budget(60), Manner(turns=True, doubts=doubts)).choose(
        Seen(Match.new(game, 2, seed), 0)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_it_sees_to_the_end_of_its_turn_what_a_look_at_the_next_decision_does_not_show(seed: int) -> None:
    game = game_with(reap)
    assert Greedy(seed).choose(Seen(Match.new(game, 2, seed), 0)) == ("stay",)
    assert chosen(game, seed) == ("go",)


@pytest.mark.parametrize("seed", SEEDS)
def test_in_an_imagined_turn_it_does_not_know_how_dice_will_fall(seed: int) -> None:
    """If it did, it would gamble only when it wins, and going would look better than staying."""
    assert chosen(game_with(gamble), seed) == ("stay",)


@pytest.mark.parametrize("seed", SEEDS)
def test_where_first_sight_is_far_off_it_looks_into_what_seems_much_worse(seed: int) -> None:
    game = game_with(reap, worse=8000)
    assert chosen(game, seed) == ("stay",)
    assert chosen(game, seed, go=0.1) == ("go",)


@pytest.mark.parametrize("seed", SEEDS)
def test_it_sees_as_far_where_options_are_more_than_its_budget(seed: int) -> None:
    assert chosen(game_with(reap, ways_to_fall=100), seed) == ("go",)


def test_where_there_is_no_doubt_it_plays_no_turns() -> None:
    assert all(chosen(game_with(reap), seed, go=0.0) == ("stay",) for seed in SEEDS)


def test_what_it_thinks_of_options_is_in_the_order_in_which_it_would_choose_them() -> None:
    seen = Seen(Match.new(game_with(reap), 2, 1), 0)
    best, other = Search(1, Budget(60), Manner(turns=True)).estimates(seen)
    assert best.option == ("go",)
    assert best.tried > other.tried > 2


def test_the_best_is_said_to_be_worth_more_though_it_looked_worse() -> None:
    """A hint compares the two."""
    seen = Seen(Match.new(game_with(reap, worse=40_000), 2, 1), 0)
    best, other = Search(1, Budget(60), Manner(turns=True, doubts={"go": 0.5})).estimates(seen)
    assert best.option == ("go",)
    assert best.value == pytest.approx(0.9)
    assert 0.4 < other.value < 0.6
