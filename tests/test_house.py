"""The house has rooms, and doors only where the plan draws them."""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from talion import games
from talion.kernel.rulebook import Rulebook

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "talion"
GAMES = sorted(path.parent for path in (HOUSE / "games").glob("*/rules.md"))

# Which rooms a room may import from, besides itself. `games` here is its registry, `talion.games`; never one game.
DOORS = {
    "kernel": set(),
    "games": {"kernel"},
    "bots": {"kernel", "games"},
    "testing": {"kernel", "bots", "games"},
    "lab": {"kernel", "bots", "games", "processes", "saying"},
    "drawing": {"kernel"},
    "table": {"kernel", "bots", "games", "drawing", "processes"},
    "workshop": {"kernel", "bots", "games", "drawing", "processes", "lab", "table"},
    "cli": {
        "kernel",
        "bots",
        "games",
        "testing",
        "workshop",
        "lab",
        "table",
        "terminal",
        "picture",
        "saying",
        "beginning",
    },
    "terminal": {"kernel", "bots", "picture", "saying"},
    "picture": {"kernel"},
    "processes": set(),
    "saying": set(),
    "template": {"kernel"},
    "beginning": set(),
    "__init__": {"kernel", "bots", "games", "lab"},
    "__main__": {"cli"},
}

# What a room may import from outside the standard library. Other rooms take what pyproject.toml offers.
# The kernel's is for the type checker alone, which brings it along.
OUTSIDE: dict[str, set[str]] = {"kernel": {"typing_extensions"}, "games": set(), "bots": set()}

# A game's files: what it is, how it is played and said, what may be chosen, what a set of cards must keep.
FILES = {
    "balance.toml",
    "bots.toml",
    "__init__.py",
    "bot.py",
    "cards.toml",
    "checks.py",
    "choices.py",
    "phrases.py",
    "picture.py",
    "prints.py",
}
FILES |= {"rules.md", "scenarios", "views", "words.py"}

# Where each part of a game is at home, by the field of `Game` that holds it.
HOMES = {
    "book": "phrases",
    "card_name": "words",
    "grave": "words",
    "hint": "bot",
    "means": "words",
    "said_in": "phrases",
    "phase": "picture",
    "picture": "picture",
    "stands_in": "checks",
    "validate": "checks",
    "value": "bot",
    "words": "words",
}


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


def test_a_games_facts_live_in_the_game():
    """Nowhere else is there a list of games, or a fact about one of them: no string is a game's key."""
    keys = {game.name.replace("_", "-") for game in GAMES}
    for path in modules():
        nodes = [] if room(path) == "games" else ast.walk(ast.parse(path.read_text("utf-8")))
        found = sorted(
            {node.value for node in nodes if isinstance(node, ast.Constant) and node.value in keys}
        )
        assert not found, f"{path} speaks of {', '.join(found)}"


each_game = pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)


@each_game
def test_games_have_one_shape(folder: Path):
    """Every game has the same files and no others; long rules are a folder by chapters."""
    there = {path.name for path in folder.iterdir() if path.name != "__pycache__"}
    rules = there & {"rules.py", "rules"}
    assert len(rules) == 1, f"{folder.name} has its rules either in rules.py or in rules/"
    assert there - rules == FILES
    assert (folder / "views" / "table.html").exists()


@each_game
def test_everything_in_a_game_has_one_home(folder: Path):
    """The picture in picture.py, words in words.py, checks in checks.py; choices, prints and the first step likewise."""
    game = games.find(folder.name.replace("_", "-"))
    package = f"talion.games.{folder.name}"
    for field, home in HOMES.items():
        part = getattr(game, field)
        module = sys.modules[f"{package}.{home}"]
        if field == "book":
            assert part is module.book
        elif part is not None and part.__module__.startswith(package):
            assert part.__module__ == module.__name__, f"{field} stands in {part.__module__}"
    assert game.choices is sys.modules[f"{package}.choices"].CHOICES
    assert game.prints is sys.modules[f"{package}.prints"].prints
    assert game.start.__name__ == "set_up"
    assert game.rules is sys.modules[f"{package}.rules"]


@each_game
def test_rules_are_headed_by_their_chapters(folder: Path):
    """A module of rules says first which chapters of the rulebook it holds."""
    prefix = next(iter(Rulebook.load(folder / "rules.md").rules)).split("-")[0]
    paths = (
        [folder / "rules.py"] if (folder / "rules.py").exists() else sorted((folder / "rules").glob("*.py"))
    )
    for path in paths:
        head = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        assert path.name == "__init__.py" or head.startswith(f"{prefix}-"), f"{path} names no chapter"


@each_game
def test_steps_name_the_next_as_functions(folder: Path):
    """Not by a string: a step that is gone is then missed when the game is loaded, not when a match gets there."""
    for path in modules(folder):
        assert "game.step(" not in path.read_text("utf-8"), f"{path} looks a step up by its name"


@each_game
def test_no_module_of_a_game_imports_itself_by_way_of_others(folder: Path):
    """So every chapter can be read with nothing but those below it in mind."""
    graph = {path: set(imported_files(path)) for path in modules(folder)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        pytest.fail(" imports ".join(str(path.relative_to(folder)) for path in reversed(cycle.args[1])))


def imported_files(path: Path) -> Iterator[Path]:
    """The files of the same package that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            ways = [base / alias.name for alias in node.names if base.is_dir()]
            found = [way for way in map(module_file, ways) if way]
            here = module_file(base)
            yield from found or ([here] if here else [])


def module_file(way: Path) -> Path | None:
    """The file of a module or a package, if there is one."""
    return next((file for file in (way.with_suffix(".py"), way / "__init__.py") if file.exists()), None)


FROM_THE_RECORD = {
    "course": {"clocks", "rows"},
    "sights": {"play"},
    "seats": {"refusal", "rows"},
    "resuming": {"play", "refusal", "rows"},
}
"""What of a table follows from its record alone, and what of the table's room each may know."""


@pytest.mark.parametrize("name", FROM_THE_RECORD)
def test_what_follows_from_a_record_asks_no_server(name: str) -> None:
    tree = ast.parse((HOUSE / "table" / f"{name}.py").read_text("utf-8"))
    known = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("talion.table"):
            rest = (node.module or "").removeprefix("talion.table").lstrip(".")
            known |= {rest} if rest else {alias.name for alias in node.names}
    assert known <= FROM_THE_RECORD[name]
    assert not any(isinstance(node, ast.AsyncFunctionDef | ast.Await) for node in ast.walk(tree))


# Seams --------------------------------------------------------------------------------------------------------------


def inner_names(kind: ast.ClassDef) -> set[str]:
    """The underscored names a class gives to what is its own affair."""
    found = set()
    for node in ast.walk(kind):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            found.add(node.attr)
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def test_nobody_reaches_into_another_modules_class() -> None:
    """An underscored name of a class is used in its own module, and in those of classes that are made from it."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in modules()}
    kinds = {path: [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)] for path, tree in trees.items()}
    names = {kind.name: inner_names(kind) for found in kinds.values() for kind in found}
    inner = set().union(*names.values())
    assert inner
    reached = []
    for path, tree in trees.items():
        bases = {ast.unparse(base).split("[")[0] for kind in kinds[path] for base in kind.bases}
        own = set().union(*(names.get(name, set()) for name in bases | {kind.name for kind in kinds[path]}))
        reached += [
            f"{path.relative_to(ROOT)}, line {node.lineno}: {ast.unparse(node)}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in inner - own
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
        ]
    assert not reached


def _meanings() -> Iterator[tuple[str, str]]:
    """Every public class of the house, and every one of a game once for all games, with the room it is in."""
    for path in sorted(HOUSE.rglob("*.py")):
        room = path.relative_to(HOUSE).parts[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, "games" if room in ("games", "template") else str(path.relative_to(HOUSE))


def test_one_word_for_one_thing() -> None:
    """No two classes have one name: games may have parts of the same name, but not one that means something elsewhere."""
    places: dict[str, set[str]] = {}
    for name, place in _meanings():
        places.setdefault(name, set()).add(place)
    assert {name: sorted(found) for name, found in places.items() if len(found) > 1} == {}
