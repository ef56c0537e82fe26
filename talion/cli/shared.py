"""What all commands share: the kinds of options, and how one finds a game, reads a match and says something."""

from __future__ import annotations

import json as json_
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from talion.lab import BadInput as BadInput
from talion.saying import say as say

if TYPE_CHECKING:
    from rich.console import Console

    from talion.kernel import Game, Match


def keys_of_games(incomplete: str) -> list[str]:
    """For the shell, which completes what somebody types."""
    from talion.games import keys

    return [key for key in keys() if key.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game's key, or the path of a game.", autocompletion=keys_of_games),
]

Plain = Annotated[bool, typer.Option("--plain", help="No colours, no escape codes.")]

CardFile = Annotated[
    Path | None, typer.Option("--cards", metavar="FILE", help="Lay these cards over the game's.")
]

AsJson = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]

Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="A variant of the rules.")
]


def find(key: str) -> Game:
    from talion.games import find as find_game

    return find_game(key)


def say_json(found: Any) -> None:
    """A result for programs: one JSON text."""
    print(json_.dumps(found, ensure_ascii=False, default=list))


def is_record(name: str) -> bool:
    """Whether a path is a saved match rather than a game."""
    path = Path(name)
    return path.is_file() and path.suffix != ".py"


def load(path: Path, cards: Path | None) -> Match:
    from talion.kernel import Match

    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError):
        raise BadInput(f"{path} cannot be read as a saved match.") from None
    return Match.load(text, find, cards)


def written_game(record: Path) -> str:
    """By which name or path a record finds its game."""
    lines = record.read_text("utf-8").splitlines()
    return next(line.removeprefix("game: ") for line in lines if line.startswith("game: "))


def read_options(game: Game, words: Iterable[str] | None) -> dict[str, Any]:
    """`--option name=value`, each value read as the game's choice reads it."""
    choices = {choice.name: choice for choice in game.choices}
    chosen: dict[str, Any] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise BadInput(f"“{word}” is no option: write --option name=value.")
        chosen[name] = choices[name].read(value) if name in choices else value
    return chosen


def console(plain: bool, silent: bool = False) -> Console:
    from rich.console import Console

    return Console(no_color=True, force_terminal=False, quiet=silent) if plain or silent else Console()


def usual_seats(game: Game) -> int:
    """Two where a game can be played by two, else its fewest."""
    return 2 if 2 in game.seats else game.seats[0]


def span(numbers: Sequence[int]) -> str:
    """`2`, or `2 to 5`."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
