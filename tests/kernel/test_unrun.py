"""Faults that Python says nothing of, found by `check`: asks that nobody hears, and what hangs on the order of a set."""

from pathlib import Path

import pytest

from talion import games
from talion.kernel import Window
from talion.testing import check
from talion.testing.elsewhere import differs
from talion.testing.unrun import unrun

GAME = '''"""Toll. **TO-1** Pay, or do not."""
import sys
from talion.kernel import Counter, Game, Part, Seats, State

class Player(Part):
    coins = Counter(4)

class Toll(State):
    players = Seats(Player)

def turn(t):
    """TO-1 All pay."""
    {body}
    t.over([0], "All have paid.", "TO-1")

def pays(t, seat):
    paid = yield t.ask(seat, [("pay",), ("refuse",)], "Pay?", "TO-1")
    return paid == ("pay",)

def names(t):
    for player in t.players:
        yield f"{{player.seat}}"

game = Game("toll", "Toll", (2,), Toll, turn, sys.modules[__name__], 9)
'''


def toll(folder: Path, body: str) -> str:
    file = folder / "toll.py"
    file.write_text(GAME.format(body=body))
    return str(file)


@pytest.mark.parametrize(
    "body",
    [
        "pays(t, 0); yield from pays(t, 1)",
        "yield from pays(t, 0) if pays(t, 1) else pays(t, 0)",
        "paid = pays(t, 0)\n    if paid: t.players[0].coins -= 1\n    yield from pays(t, 1)",
        "yield from pays(t, 1)\n    if not pays(t, 0): t.players[0].coins -= 1",
        't.choose(0, "Which?", ["here", "there"]); yield from pays(t, 1)',
    ],
)
def test_an_ask_that_nobody_hears(tmp_path: Path, body: str) -> None:
    report = check(games.find(toll(tmp_path, body)), matches=1)
    assert not report.ok
    assert all("is called in turn (toll.py, line " in problem for problem in report.problems)
    assert all(
        problem.endswith("and never run: write `yield from` before it.") for problem in report.problems
    )


@pytest.mark.parametrize(
    "body",
    [
        "yield from pays(t, 0)",
        "paid = yield from pays(t, 0)\n    if paid: t.players[0].coins -= 1",
        "row = pays(t, 0)\n    yield from row",
        "found = names(t)\n    yield from pays(t, len(list(found)) - 1)",
        "yield from (pays(t, 0) if t.players[0].coins else pays(t, 1))",
    ],
)
def test_what_is_run_after_all(tmp_path: Path, body: str) -> None:
    assert check(games.find(toll(tmp_path, body)), matches=1).ok


@pytest.mark.parametrize("key", games.keys())
def test_the_games_hear_all_their_asks(key: str) -> None:
    assert unrun(games.find(key)) == []


def test_the_order_of_a_set(tmp_path: Path) -> None:
    asks = 'yield t.ask(0, [("go", n) for n in {}], "Where?", "TO-1")'
    somewhere = '{"north", "east", "south", "west", "up", "down", "home"}'
    assert differs(toll(tmp_path, asks.format(f"sorted({somewhere})"))) == ""
    found = differs(toll(tmp_path, asks.format(somewhere)))
    assert "seed 0, decision 1: another process asks something else after turn" in found


def test_a_default_that_is_not_offered(tmp_path: Path) -> None:
    body = 'yield t.ask(0, [("pay",)], "Pay?", "TO-1", default=("pass",))'
    [problem] = check(games.find(toll(tmp_path, body)), matches=1).problems
    assert "the default ('pass',) is not among the options" in problem


@pytest.mark.parametrize(
    ("made", "says"),
    [
        ('Window([], "everyone")', "a window's order is first, in order or all, not 'everyone'"),
        ("Window([], beats=0)", "a window is open for one beat or more, not 0"),
        (
            'Window([t.ask(0, [("pay",)], f"Pay {n}?", default=("pay",)) for n in (1, 2)])',
            "a window asks each seat once, and “Pay 2?” is seat 0's second",
        ),
    ],
)
def test_a_window_that_is_none(tmp_path: Path, made: str, says: str) -> None:
    body = f"from talion.kernel import {Window.__name__}\n    yield {made}"
    [problem] = check(games.find(toll(tmp_path, body)), matches=1).problems
    assert says in problem
    assert "in turn)" in problem
