"""Talion: one table for five games of revenge.

For scripts: `games` and `bots` find what plays, `Match` is a game being played, `simulate` lets bots play many. What
they are is imported when it is first used, so that the command `talion` starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talion import bots, games
    from talion.kernel import Illegal, Match
    from talion.lab.scripting import simulate

__all__ = ["Illegal", "Match", "bots", "games", "simulate"]
__version__ = "0.2.0"

_FROM = {"Illegal": "talion.kernel", "Match": "talion.kernel", "simulate": "talion.lab.scripting"}


def __getattr__(name: str) -> Any:
    if name in _FROM:
        return getattr(import_module(_FROM[name]), name)
    if name in __all__:
        return import_module(f"talion.{name}")
    raise AttributeError(f"talion has no {name}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
