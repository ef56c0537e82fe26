"""What every game passes by existing: its scenarios, random matches at every seat count, and the numbers of its rules."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from talion import bots, games
from talion.bots import Seen
from talion.kernel import Chance, Game, Match
from talion.testing import Scenario, check, load_scenarios, run_scenario

ROOT = Path(__file__).parent.parent
KEYS = [*games.keys(), *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "examples").glob("*.py")))]
SHIPPED = list(games.keys())
ID = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+(?:\.\d+)*\b")
FIELD = re.compile(rf"(?:{ID.pattern}\s*)+")
"""The rules a Python test is about: they head its docstring, as `rule` heads a scenario."""


EXPECTS = {"then", "offered", "not_offered", "refused", "asked", "by"}


def find(key: str) -> Game:
    """A game by its key, or by its path in the repository."""
    return games.find(key if key in SHIPPED else str(ROOT / key))


def name(key: str) -> str:
    return Path(key).stem


SEATED = [(key, seats) for key in KEYS for seats in find(key).seats]


def scenarios() -> Iterator[Scenario]:
    for folder in sorted((ROOT / "talion" / "games").glob("*/scenarios")):
        yield from load_scenarios(folder)


@pytest.mark.parametrize("scenario", list(scenarios()), ids=lambda one: f"{one.game}/{one.path.stem}")
def test_scenario(scenario: Scenario):
    """What the file says is what happens."""
    differs = run_scenario(scenario, games.find)
    assert not differs, "\n".join([scenario.title, *differs])


@pytest.mark.parametrize("share", [1, pytest.param(40, marks=pytest.mark.deep)])
@pytest.mark.parametrize(("key", "seats"), SEATED, ids=str)
def test_conformance(key: str, seats: int, share: int):
    """Random matches, every decision verified: fifty of a short game, of a long one as many as have 4,000 decisions."""
    game = find(key)
    length = Match.new(game, seats, "length", fast=True).play_out(Chance.of("length").pick)
    report = check(game, matches=max(2, min(50, 4_000 // length)) * share, seats=seats, seconds=6 * share)
    assert report.ok, "\n".join(report.lines())


@pytest.mark.parametrize("many", [50, pytest.param(10_000, marks=pytest.mark.deep)])
@pytest.mark.parametrize(("key", "seats"), SEATED, ids=str)
def test_random_matches_end(key: str, seats: int, many: int):
    """Without an error, inside the declared length: of a long game as many as have two million decisions."""
    game = find(key)
    length = Match.new(game, seats, "length", fast=True).play_out(Chance.of("length").pick)
    for number in range(min(many, 2_000_000 // length)):
        match = Match.new(game, seats, f"end:{number}", fast=True)
        assert match.play_out(Chance.of(f"end:{number}").pick, game.longest + 1) <= game.longest
        assert match.over


@pytest.mark.parametrize("key", KEYS, ids=name)
def test_any_moment_can_be_played_on_from(key: str):
    """As far as one seat knew, with a bot at every seat, also after it was stored."""
    game = find(key)
    seats = 2 if 2 in game.seats else game.seats[0]
    length = Match.new(game, seats, "on").play_out(Chance.of("on").pick)
    for number in range(0, length, max(1, length // 12)):
        match = Match.new(game, seats, "on")
        match.play_out(Chance.of("on").pick, number)
        for seat in range(seats):
            start = match.dealt_anew(seat, Chance.of(f"on:{number}"))
            assert start.view(seat).data() == match.view(seat).data()
            played_on = Match.load(start.rebased().save(), lambda _: game)
            for _ in range(3):
                thinking = min(played_on.pending, default=None)
                if thinking is not None:
                    chosen = bots.make("greedy", number).choose(Seen(played_on, thinking))
                    played_on.answer(thinking, chosen)


@pytest.mark.parametrize("key", KEYS, ids=name)
@pytest.mark.parametrize("bot", ["random", "greedy", "easy"])
def test_the_same_seed_gives_the_same_match(key: str, bot: str):
    """Bots included, to the last line of the record."""
    game = find(key)
    seats = 2 if 2 in game.seats else game.seats[0]
    assert played(game, seats, bot) == played(game, seats, bot)


def played(game: Game, seats: int, bot: str) -> str:
    """The record of a match's first thirty decisions."""
    match = Match.new(game, seats, "twice")
    thinkers = [bots.make(bot, f"twice:{seat}") for seat in range(seats)]
    while not match.over and match.number < 30:
        seat = min(match.pending)
        match.answer(seat, thinkers[seat].choose(Seen(match, seat)))
    return match.save()


@pytest.mark.parametrize(("key", "seats"), SEATED, ids=str)
def test_a_view_is_worth_something_to_every_seat(key: str, seats: int):
    """Whatever a bot looks at, at any moment and from any seat, its value lies from 0 to 1."""
    game = find(key)
    match = Match.new(game, seats, "worth")
    chance = Chance.of("worth")
    while not match.over and match.number < 200:
        if game.value:
            assert all(0 <= game.value(match.view(seat), seat) <= 1 for seat in range(seats))
        seat = chance.pick(sorted(match.pending))
        match.answer(seat, chance.pick(match.options(seat)))


# Rules by their numbers --------------------------------------------------------------------------------------------


def named_in_tests(game: Game) -> set[str]:
    """The rules that a scenario of the game names in its rule field, or a Python test at the head of its docstring."""
    assert game.folder
    named = {rule for scenario in load_scenarios(game.folder / "scenarios") for rule in scenario.rules}
    path = ROOT / "tests" / "games" / f"test_{game.folder.name}.py"
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            field = FIELD.match(ast.get_docstring(node) or "")
            named |= set(ID.findall(field[0])) if field else set()
    return named


@pytest.mark.parametrize("key", SHIPPED)
def test_every_rule_is_named_by_a_test(key: str):
    """A rule that no test names might be broken unseen."""
    game = find(key)
    missing = set(game.rulebook.rules) - named_in_tests(game)
    assert not missing, f"no test names {', '.join(sorted(missing))}"


def test_every_scenario_expects_something():
    """A scenario that would pass whatever happens tests no rule."""
    for scenario in scenarios():
        moments = [scenario.text, *scenario.text.get("when", ())]
        assert any(part.keys() & EXPECTS for part in moments), f"{scenario.path.name} expects nothing"


@pytest.mark.parametrize("key", SHIPPED)
def test_every_named_rule_exists(key: str):
    """Steps, asks, log lines, phrases and scenarios name rules that the rulebook has."""
    game = find(key)
    assert game.folder
    known = set(game.rulebook.rules)
    chapters = {rule.split(".")[0] for rule in known}
    prefix = next(iter(known)).split("-")[0]
    named = {rule for scenario in load_scenarios(game.folder / "scenarios") for rule in scenario.rules}
    for path in game.folder.rglob("*.py"):
        named |= set(ids_in_code(path))
    strange = {rule for rule in named if rule.startswith(f"{prefix}-")} - known - chapters
    assert not strange, f"{', '.join(sorted(strange))}: no such rule"


def ids_in_code(path: Path) -> Iterator[str]:
    """Rule ids in the strings of a Python file, docstrings included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ID.findall(node.value)


@pytest.mark.parametrize(
    ("key", "seats", "riches"),
    [
        ("personal-vendetta", "clones", "corpus"),
        ("vitium", "bosses", "wealth"),
        ("vengeance", "heroes", "vp"),
    ],
)
def test_no_lead_is_too_large_to_be_judged(key: str, seats: str, riches: str) -> None:
    """A changed card can give more of something than any that is printed."""
    match = Match.new(find(key), 2, 1)
    setattr(getattr(match.t, seats)[0], riches, 10**6)
    value = match.game.value
    assert value and value(match.view(0), 0) > 0.99 and value(match.view(1), 1) < 0.01
