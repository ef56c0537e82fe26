"""The games, found by their folders. `find` also takes a path: a package or a single file that makes a `game`."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from talion.kernel import Game

_HERE = Path(__file__).parent


class NoSuchGame(Exception):  # noqa: N818
    """No game has this key, or the file makes none."""


@lru_cache(maxsize=1)
def keys() -> tuple[str, ...]:
    """The keys of all games that ship, from the names of their folders."""
    return tuple(sorted(p.parent.name.replace("_", "-") for p in _HERE.glob("*/__init__.py")))


class Identity(NamedTuple):
    """Who a game is, for a list of games."""

    key: str
    title: str
    designer: str
    seats: tuple[int, ...]
    length: str
    about: str


def glance(key: str) -> Identity:
    """A game's identity, read from its `__init__.py` without loading its rules and phrases."""
    text = (_HERE / key.replace("-", "_") / "__init__.py").read_text(encoding="utf-8")
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    made: dict[str, Any] = next(
        {word.arg: word.value for word in call.keywords if word.arg}
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "Game"
    )
    return Identity(*(ast.literal_eval(made[field]) for field in Identity._fields))


def find(key: str) -> Game:
    """The game with this key, or at this path."""
    from talion.kernel import Game

    if key in keys():
        module = importlib.import_module(f"talion.games.{key.replace('-', '_')}")
    else:
        module = _from_path(key)
    game = getattr(module, "game", None)
    if not isinstance(game, Game):
        raise NoSuchGame(f"{key} makes no game: it has no variable named game.")
    return game


def every() -> list[Game]:
    return [find(key) for key in keys()]


def _from_path(key: str) -> ModuleType:
    path = Path(key)
    file = path / "__init__.py" if path.is_dir() else path
    if not key or not file.is_file() or file.suffix != ".py":
        from talion.kernel.tables import nearest

        raise NoSuchGame(f"There is no game “{key}”{nearest(key, keys())}; there are: {', '.join(keys())}.")
    name = f"talion_game_{path.resolve().stem}_{abs(hash(str(path.resolve())))}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            name, file, submodule_search_locations=[str(file.parent)]
        )
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as problem:
            del sys.modules[name]
            from talion.kernel.faults import in_words

            raise NoSuchGame(f"{path} cannot be loaded: {in_words(problem)}.") from problem
    return sys.modules[name]
