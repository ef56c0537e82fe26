"""The gentle bot: weak as people are, never absurd."""

import sys
from dataclasses import replace

import pytest

from talion.bots import Seen
from talion.bots.gentle import Gentle
from talion.kernel import Asking, Counter, Game, Match, State, Strength

WORTH = {"win": 700, "dawdle": 495, "wait": 500, "blunder": 100}


class Stall(State):
    worth = Counter(500)


def choose(t: Stall) -> Asking:
    """Do something, or wait."""
    (deed,) = yield t.ask(0, [(deed,) for deed in WORTH], "Do something", "", default=("wait",))
    t.worth = WORTH[deed]
    return after


def after(t: Stall) -> Asking:
    yield t.ask(0, [("go",), ("stay",)], "Go on", "")
    t.over([0], "It is over.")


STALL = Game(
    key="stall",
    title="Stall",
    seats=(1,),
    state=Stall,
    start=choose,
    rules=sys.modules[__name__],
    longest=2,
    value=lambda view, seat: float(view.worth / 1000),
)


@pytest.mark.parametrize(
    ("shrugs", "deeds"), [(0.0, {"win"}), (0.01, {"win", "dawdle", "wait"}), (0.002, {"win", "wait"})]
)
def test_it_takes_what_looks_hardly_worse_than_nothing_and_no_blunder(shrugs: float, deeds: set[str]) -> None:
    game = replace(STALL, strength=Strength(easy=1.0, shrugs=shrugs))
    chosen = {Gentle(seed).choose(Seen(Match.new(game, 1, 0), 0))[0] for seed in range(40)}
    assert chosen == deeds
