"""The house has rooms, and doors only where the plan draws them."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "talion"
GAMES = sorted(path.parent for path in (HOUSE / "games").glob("*/rules.md"))

# Which rooms a room may import from, besides itself. `games` here is its registry, `talion.games`; never one game.
DOORS = {
    "kernel": set(),
    "games": {"kernel"},
    "bots": {"kernel", "games"},
    "testing": {"kernel", "bots", "games"},
    "lab": {"kernel", "bots", "games"},
    "table": {"kernel", "bots", "games"},
    "cli": {"kernel", "bots", "games", "testing", "lab", "table", "terminal", "picture"},
    "terminal": {"kernel", "bots", "picture"},
    "picture": {"kernel"},
    "__init__": set(),
    "__main__": {"cli"},
}

# What a room may import from outside the standard library. Other rooms take what pyproject.toml offers.
OUTSIDE: dict[str, set[str]] = {"kernel": set(), "games": set(), "bots": set()}

FILES = {"__init__.py", "phrases.py", "cards.toml", "bot.py", "rules.md", "views", "scenarios"}
MAY = {"picture.py"}  # a game may draw its own table for the terminal


def modules(folder: Path = HOUSE) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts)


def room(path: Path) -> str:
    first = path.relative_to(HOUSE).parts[0]
    return first.removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, by its full name, also inside functions."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            yield module
            if module in ("talion", "talion.games"):  # here a name may be a room, or a game
                yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", list(modules()), ids=lambda path: str(path.relative_to(ROOT)))
def test_rooms_are_entered_by_their_doors(path: Path):
    """A module imports only from the rooms its own room may know."""
    here = room(path)
    assert here in DOORS, f"{here} is a room the plan does not know: draw its doors in {__file__}"
    for name in imports(path):
        parts = name.split(".")
        if (
            parts[0] == "talion"
            and len(parts) > 1
            and (HOUSE / parts[1]).exists() | (HOUSE / f"{parts[1]}.py").exists()
        ):
            assert parts[1] in DOORS[here] | {here}, f"{path}: {here} may not import {name}"


@pytest.mark.parametrize("path", list(modules()), ids=lambda path: str(path.relative_to(ROOT)))
def test_games_are_reached_through_the_registry(path: Path):
    """Nobody imports a game by name, and a game imports no other game."""
    keys = {game.name for game in GAMES}
    own = (
        path.relative_to(HOUSE).parts[1]
        if room(path) == "games" and len(path.relative_to(HOUSE).parts) > 2
        else None
    )
    for name in imports(path):
        parts = name.split(".")
        if parts[:2] == ["talion", "games"] and len(parts) > 2 and parts[2] in keys:
            assert parts[2] == own, f"{path} imports {name}: ask talion.games.find for it"


@pytest.mark.parametrize("name", OUTSIDE)
def test_inner_rooms_need_little_from_outside(name: str):
    """Kernel, games and bots live on the standard library."""
    for path in modules(HOUSE / name):
        for module in imports(path):
            top = module.split(".")[0]
            if top not in sys.stdlib_module_names and top != "talion":
                assert top in OUTSIDE[name], f"{path} imports {module}"


def test_the_kernel_knows_no_game():
    """No file of the kernel mentions a game's key, folder or title."""
    names = {game.name for game in GAMES} | {game.name.replace("_", "-") for game in GAMES}
    names |= {game.name.replace("_", " ") for game in GAMES if "_" in game.name}
    for path in modules(HOUSE / "kernel"):
        text = path.read_text("utf-8").lower()
        found = sorted(name for name in names if name in text)
        assert not found, f"{path} mentions {', '.join(found)}"


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_games_have_one_shape(game: Path):
    """Every game has the same files and no others; long rules are a folder by chapters."""
    there = {path.name for path in game.iterdir() if path.name != "__pycache__"}
    rules = there & {"rules.py", "rules"}
    assert len(rules) == 1, f"{game.name} has its rules either in rules.py or in rules/"
    assert there - rules - MAY == FILES
    assert (game / "views" / "table.html").exists()
