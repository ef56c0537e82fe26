"""Bots by name, with all their settings in it, so that a name says exactly who played.

random, greedy              bots without settings
easy, normal, hard          a game's own budgets
search:300, search:0.5s     a budget of iterations, or of seconds, a decision
hard,sweeps=2,onward=no     any of them, with another manner
search:300,value=FILE       judged by a Python file's `value` and `hint`, or by the weights that `talion learn` found
old:FILE                    the bot that a file describes, one table a game: how today's bots stay opponents
"""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any

from talion.kernel import Content, Game, Strength

from . import UnknownBot
from .learned import Weights, judgement
from .levels import LEVELS, Habits, Judging, no_judge
from .search import PLAINLY, Budget, Judge, Manner

_MANNERS: dict[str, type[Any]] = {field.name: type(getattr(PLAINLY, field.name)) for field in fields(Manner)}
"""What can be set, and of which kind it is."""
_NAMED = sorted(name for name, kind in _MANNERS.items() if kind in (bool, int))
"""What can be set in a name; the rest needs a file."""


def settings(name: str) -> Habits:
    """What a bot's name says."""
    kind, *pairs = name.split(",")
    if kind.startswith("old:"):
        if pairs:
            raise UnknownBot(
                f"{kind} is described by its file: it takes no settings beside it, such as {pairs[0]}."
            )
        return _old(kind.removeprefix("old:"))
    given = dict(_pair(name, pair) for pair in pairs)
    value = given.pop("value", None)
    return Habits(_budget(kind), lambda game: given, _judging(str(value)) if value is not None else no_judge)


def scaled(name: str, share: float) -> str:
    """The same bot with a part of its budget; one without a budget stays as it is."""
    kind, comma, rest = name.partition(",")
    if kind in LEVELS:
        return f"{kind}*{share:g}{comma}{rest}"
    if kind.startswith("search:"):
        words = kind.removeprefix("search:")
        less = (
            f"{float(words[:-1]) * share:g}s"
            if words.endswith("s")
            else str(max(1, round(int(words) * share)))
        )
        return f"search:{less}{comma}{rest}"
    return name


def share(name: str) -> float:
    """The share in a name like `gentle:0.4`."""
    found = _number(name.partition(":")[2])
    if found is None or found > 1:
        raise UnknownBot(f"{name} does not say what share of its options it notices; write gentle:0.4.")
    return found


def _budget(kind: str) -> Callable[[str, Strength], Budget]:
    """`hard`, `hard*0.1`, `search:300` or `search:0.5s`."""
    level, star, share = kind.partition("*")
    if level in LEVELS and (not star or _number(share)):
        part = _number(share) or 1.0
        return lambda game, own: Budget(max(1, round(getattr(own, level) * part)))
    words = kind.removeprefix("search:")
    if words == kind:
        raise UnknownBot(
            f"There is no bot {kind}; there are: random, greedy, easy, normal, hard, search:N with N iterations, "
            "search:0.5s with seconds, and old:FILE."
        )
    number = _number(words.removesuffix("s"))
    if number is None or not (words.endswith("s") or words.isdecimal()):
        raise UnknownBot(f"{kind} names no budget to think within; write search:300 or search:0.5s.")
    budget = Budget(seconds=number) if words.endswith("s") else Budget(int(words))
    return lambda game, own: budget


def _number(words: str) -> float | None:
    """A positive number in words."""
    try:
        number = float(words)
    except ValueError:
        return None
    return number if 0 < number < inf else None


def _pair(name: str, pair: str) -> tuple[str, Any]:
    """A setting of a name, such as `sweeps=2`."""
    key, equals, words = (part.strip() for part in pair.partition("="))
    if not equals or key not in {"value", *_NAMED}:
        raise UnknownBot(f"{name}: “{pair}” is no setting; there are: {', '.join(_NAMED)} and value=FILE.")
    return key, words if key == "value" else _manner(name, key, words)


def _manner(name: str, key: str, words: Any) -> Any:
    kind = _MANNERS[key]
    if kind is bool and str(words).lower() in ("yes", "no", "true", "false"):
        return str(words).lower() in ("yes", "true")
    if kind is not bool:
        try:
            return kind(words)
        except (TypeError, ValueError):
            pass
    what = {bool: "yes or no", int: "a number"}.get(kind, "a table")
    raise UnknownBot(f"{name}: {key} is {what}, not “{words}”.")


# Files ---------------------------------------------------------------------------------------------------------------


def _old(file: str) -> Habits:
    """A bot described by a file: for each game its iterations, its manner and its judgement."""
    path = Path(file)
    try:
        described = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise UnknownBot(f"old:{file} cannot be read: {problem}.") from None

    def table(game: str) -> Mapping[str, Any]:
        if game not in described:
            raise UnknownBot(f"old:{file} says nothing of {game}; it describes {', '.join(described)}.")
        found: Mapping[str, Any] = described[game]
        return found

    for game, row in described.items():
        if not isinstance(row, dict) or not isinstance(row.get("iterations"), int):
            raise UnknownBot(f"old:{file}, {game}: it needs iterations = a number.")

    def manner(game: str) -> dict[str, Any]:
        return {
            key: _manner(f"old:{file}", key, value) for key, value in table(game).items() if key in _MANNERS
        }

    def judge(game: Game, content: Content) -> Judge | None:
        value = table(game.key).get("value")
        return _judging(str(path.parent / value))(game, content) if value else None

    return Habits(lambda game, own: Budget(table(game)["iterations"]), manner, judge)


def _judging(file: str) -> Judging:
    """A judgement from a file: Python, or learned weights, which know a game's own judgement and its hints."""
    if not file.endswith(".json"):
        judge = _judge(file)
        return lambda game, content: judge
    Weights.read(file)
    return lambda game, content: Judge(judgement(file, game, content), game.hint)


@lru_cache(maxsize=16)
def _judge(file: str) -> Judge:
    """A judgement from a file: Python with `value` and perhaps `hint`."""
    path = Path(file)
    if not path.is_file():
        raise UnknownBot(f"There is no file {file} to judge by.")
    spec = importlib.util.spec_from_file_location(f"talion_judge_{abs(hash(path.resolve()))}", path)
    if spec is None or spec.loader is None:
        raise UnknownBot(f"{file} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "value"):
        raise UnknownBot(f"{file} has no function value(view, seat).")
    return Judge(module.value, getattr(module, "hint", None))
