"""Scenario files that people write: what is wrong with one is said in a sentence, whatever it is."""

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.kernel import BadCards
from talion.testing import BadScenario, load_scenarios, run_scenario
from talion.testing.scenarios import Scenario, _problems

FILE = """
title = "ALIBI resets a card of one's own"
rule = "EV-3.6"
game = "engines-of-vengeance"
seats = 2
seed = 1
at = "action_phase"
options = { draw_rule = "one" }

[[card]]
name = "ALIBI"
owner = "Vigilante"
action = "Reset one card in your area."
exhaust = "Discard."

[given]
turn = 0
rolls = [0]
known = { "seat 1" = ["WRATH"] }
[given."seat 0"]
deck = ["FIXER", "TRUFFLE"]
area = [{ card = "ALIBI" }, { card = "WRATH", rotation = 90 }]

[[when]]
seat = 0
asked = [0]
answer = "ALIBI: reset WRATH"
offered = ["end actions"]
[when.then]
over = false
"seat 0" = { area = 2 }

[then]
over = false
asked = [0]
log = ["WRATH"]
[then."seat 0"]
area = [{ card = "ALIBI" }, { card = "WRATH", rotation = 0 }]
[then."view 1"]
turn = 0
"""
ODD: tuple[Any, ...] = (3, -1, 1.5, True, "x", "", [], [3], ["x"], [{}], {}, {"x": 3})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a file."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*path, key)
        yield from places(below, (*path, key))


def spoiled(path: tuple[Any, ...], odd: Any) -> dict[str, Any]:
    text = tomllib.loads(FILE)
    at: Any = text
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = copy.deepcopy(odd)
    return text


def run(text: dict[str, Any]) -> list[str] | None:
    """What differs; None if the file is refused."""
    if any(_problems(text)):
        return None
    try:
        return run_scenario(Scenario(Path("x.toml"), text["title"], (), text["game"], text), games.find)
    except (BadScenario, BadCards, games.NoSuchGame):
        return None


def test_any_slip_is_refused_or_told_as_a_difference():
    assert run(tomllib.loads(FILE)) == []
    said = [run(spoiled(path, odd)) for path in places(tomllib.loads(FILE)) for odd in ODD]
    assert said.count(None) > len(said) / 2


@pytest.mark.parametrize(
    ("line", "other", "why"),
    [
        ("seats = 2", 'seats = "two"', 'seats: must be a whole number from 0 to 9999, not "two"'),
        ("seats = 2", "seatz = 2", "it has no seatz (did you mean seats?)"),
        ('at = "action_phase"', 'at = "lunch"', "Engines of Vengeance has no step lunch"),
        (
            'deck = ["FIXER", "TRUFFLE"]',
            "deck = 3",
            "deck must be a list in brackets, each the name of a card",
        ),
        ("turn = 0\nrolls", 'turn = "x"\nrolls', 'turn must be a whole number, not "x"'),
        ("asked = [0]\nanswer", "asked = 0\nanswer", "when 1, asked: must be a list"),
    ],
)
def test_the_place_of_a_slip_is_named(tmp_path: Path, line: str, other: str, why: str):
    path = tmp_path / "slip.toml"
    path.write_text(FILE.replace(line, other), "utf-8")
    with pytest.raises(BadScenario) as refused:
        run_scenario(load_scenarios(path)[0], games.find)
    assert str(refused.value).startswith(str(path))
    assert why in str(refused.value)
