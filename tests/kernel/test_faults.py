"""An author's faults are told in one sentence, with the file, the line and the step."""

import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from talion.kernel import Counter, Game, Match, State
from talion.kernel.places import BadStep
from talion.testing import check


class Fault(State):
    turns = Counter()


def last(t: Fault) -> Any:
    t.over([0], "Done.")
    yield


def no_next(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go")


def wrong_next(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go")
    return "last"


def forgotten_from(t: Fault) -> Any:
    yield t.choose(0, "Go", ["here", "there"])
    return last


def no_generator(t: Fault) -> Any:
    return forgotten_from(t)


def no_ask(t: Fault) -> Any:
    yield "go"


def words_for_options(t: Fault) -> Any:
    yield t.ask(0, lambda t, seat: ["go"], "Go")
    return last


def misspelt(t: Fault) -> Any:
    yield t.ask(0, [("go",), ("stay",)], "Go")
    t.turms += 1  # type: ignore[attr-defined]
    return last


def unknown_in_the_log(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go", "FA-1")
    t.log("FA-11", "{who} goes.", who=0)
    t.over([0], "Done.", "FA-1")


def unknown_in_an_ask(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go", "FA-12")
    t.over([0], "Done.", "FA-1")


def unknown_at_the_end(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go", "FA-1")
    t.over([0], "Done.", "FA-13")


def worded_alike(t: Fault) -> Any:
    yield t.ask(0, [("go", 1), ("go", "1"), ("stay",)], "Go", "FA-1")
    t.over([0], "Done.", "FA-1")


def game(step: Callable[..., Any]) -> Game:
    return Game("fault", "Fault", (1,), Fault, step, sys.modules[__name__], 5)


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (no_next, "no_next (test_faults.py, line N) ends without naming the next step"),
        (wrong_next, "wrong_next (test_faults.py, line N) returns 'last', which is no step"),
        (
            forgotten_from,
            "forgotten_from (test_faults.py, line N) yields a generator (choose): write `yield from`",
        ),
        (no_generator, "no_generator (test_faults.py, line N) returns a generator"),
        (no_ask, "no_ask (test_faults.py, line N) yields 'go', which is no ask"),
    ],
)
def test_a_step_that_is_none(step: Callable[..., Any], says: str) -> None:
    with pytest.raises(BadStep, match=re.escape(says).replace("N", r"\d+")):
        Match.new(game(step), 1, 1).answer(0, ("go",))
    [problem] = check(game(step), matches=1).problems[:1]
    assert re.search(re.escape(says).replace("N", r"\d+"), problem)


def test_check_names_the_place_of_a_fault() -> None:
    [problem] = check(game(misspelt), matches=1).problems[:1]
    assert re.search(r"no attribute 'turms' \(test_faults.py, line \d+, in misspelt\)", problem)
    [problem] = check(game(words_for_options), matches=1).problems[:1]
    assert re.search(
        r"'go' is offered by <lambda> \(test_faults.py, line \d+\); an option is a tuple", problem
    )


def numbered(step: Callable[..., Any]) -> Game:
    """A game of this one step, with one rule."""
    book = ModuleType("book", "**FA-1** Go.")
    setattr(book, step.__name__, step)
    return Game("fault", "Fault", (1,), Fault, step, book, 5)


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (
            unknown_in_the_log,
            "the log, “@0 goes.”, names FA-11, which the rules do not have (did you mean FA-1?)",
        ),
        (unknown_in_an_ask, "“Go” names FA-12, which the rules do not have"),
        (unknown_at_the_end, "the end, “Done.”, names FA-13, which the rules do not have"),
    ],
)
def test_check_knows_the_numbers_of_rules(step: Callable[..., Any], says: str) -> None:
    report = check(numbered(step), matches=1)
    assert says in report.problems[0]


def test_check_says_when_two_options_are_worded_alike() -> None:
    report = check(numbered(worded_alike), matches=1)
    assert report.ok
    (note,) = report.notes.values()
    assert "“go 1” is ('go', 1) and ('go', '1')" in note
    assert any("worded alike" in line for line in report.lines())


def test_seats_are_the_numbers_of_players() -> None:
    with pytest.raises(TypeError, match=re.escape("seats=(2, 3), not 2")):
        Game("fault", "Fault", 2, Fault, last, sys.modules[__name__], 5)  # type: ignore[arg-type]


def test_turns_are_a_counter_of_the_state() -> None:
    with pytest.raises(TypeError, match="turns names a counter of Fault, which has none called 'rond'"):
        Game("fault", "Fault", (2,), Fault, last, sys.modules[__name__], 5, turns="rond")
