"""The games of the house, as the lobby shows them: those that ship, and others by path."""

from __future__ import annotations

from typing import Any

from talion import games
from talion.kernel import BadOption, Game
from talion.table.refusal import No


class Catalogue:
    """Found by key. Over the wire nobody names a path."""

    def __init__(self, paths: tuple[str, ...] = ()) -> None:
        self.paths = paths
        self._others = {game.key: game for game in map(games.find, paths)}

    def __iter__(self) -> Any:
        return iter([*games.every(), *self._others.values()])

    def serves(self, key: str) -> bool:
        return key in self._others or key in games.keys()  # noqa: SIM118 - a function of the registry

    def find(self, key: str) -> Game:
        if key in self._others:
            return self._others[key]
        if not self.serves(key):
            known = ", ".join(game.key for game in self)
            raise No(f"There is no game {key!r}; there are {known}.", status=404)
        return games.find(key)

    def described(self, key: str) -> dict[str, Any]:
        """A game for somebody who chooses one."""
        game = self.find(key)
        return {
            "key": game.key,
            "title": game.title,
            "designer": game.designer,
            "about": game.about,
            "length": game.length,
            "hidden": game.hidden,
            "seats": list(game.seats),
            "options": [
                {
                    "name": choice.name,
                    "default": choice.default,
                    "values": list(choice.values),
                    "about": choice.text,
                    "rule": choice.rule,
                }
                for choice in game.choices
            ],
        }

    def checked(self, key: str, seats: int, options: dict[str, Any]) -> None:
        """Refuse, in a sentence, a number of seats or an option that the game does not have."""
        game = self.find(key)
        if seats not in game.seats:
            raise No(f"{game.title} takes {_or(game.seats)} seats, not {seats}.", status=400)
        try:
            game.chosen(options, game.content(), seats)
        except BadOption as problem:
            raise No(str(problem), status=400) from None
        except (TypeError, AttributeError, KeyError, ValueError):
            raise No("One of the options has a value of the wrong kind.", status=400) from None

    def option_value(self, key: str, name: str, text: str) -> Any:
        """An option's value as a form sends it."""
        for choice in self.find(key).choices:
            if choice.name == name:
                return choice.read(text)
        return text

    def views(self) -> dict[str, str]:
        """Where each game keeps the templates of its own table."""
        return {game.key: str(game.folder / "views") for game in self if game.folder}


def _or(numbers: tuple[int, ...]) -> str:
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
