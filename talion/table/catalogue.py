"""The games of the house, as the lobby shows them: those that ship, and others by path."""

from __future__ import annotations

import contextlib
import tomllib
from pathlib import Path
from typing import Any

from talion import games
from talion.kernel import BadCards, BadOption, Content, Game
from talion.table.refusal import Refusal, Unusable


class Catalogue:
    """Found by key. Over the wire nobody names a path."""

    def __init__(self, paths: tuple[str, ...] = (), cards: tuple[str, ...] = ()) -> None:
        self.paths = paths
        self._others = {game.key: game for game in map(games.find, paths)}
        self._found: dict[str, Game] = {}
        self._sets: dict[str, dict[str, Path]] = {}
        self._told: dict[str, list[dict[str, Any]]] = {}
        for named in cards:
            self._add_set(named)

    def _add_set(self, named: str) -> None:
        """A set of changed cards: a card file, or game=file. It is named as its file is."""
        key, _, name = named.rpartition("=")
        path = Path(name)
        fitting = self._fitting([self.find(key)] if key else list(self), path)
        if len(fitting) > 1:
            keys = ", ".join(game.key for game in fitting)
            raise Unusable(f"{path} could be cards of several games ({keys}): write {fitting[0].key}={path}.")
        sets = self._sets.setdefault(fitting[0].key, {})
        title = path.stem.replace("-", " ").replace("_", " ")
        if title in sets:
            raise Unusable(f"Two sets of {fitting[0].title} are named {title}; rename one of the files.")
        sets[title] = path

    @staticmethod
    def _fitting(among: list[Game], path: Path) -> list[Game]:
        """The games that can be played with the cards of a file."""
        fitting, why = [], {}
        for game in among:
            try:
                game.content(path)
                fitting.append(game)
            except BadCards as problem:
                why[game] = str(problem)
        if not fitting:
            close = min(why, key=lambda game: len(_known_names(game, path)) == 0)
            raise Unusable(why[close])
        named = [game for game in fitting if _known_names(game, path)]
        return named or fitting

    def content(self, key: str, card_set: str = "") -> Content:
        """The cards of a game: those it prints, or a set of changed ones."""
        game = self.find(key)
        if not card_set:
            return game.content()
        sets = self._sets.get(key, {})
        if card_set not in sets:
            known = ", ".join(sets) or "none"
            raise Refusal(
                f"{game.title} has no set of cards “{card_set}” here; there are: {known}.", status=400
            )
        try:
            return game.content(sets[card_set])
        except BadCards as problem:
            raise Refusal(f"The set “{card_set}” cannot be played now: {problem}", status=409) from None

    def changes(self, content: Content) -> list[dict[str, Any]]:
        """What is different in some cards from the printed ones; worked out once."""
        if content.fingerprint not in self._told:
            self._told[content.fingerprint] = told(content)
        return self._told[content.fingerprint]

    def sets(self, key: str) -> list[dict[str, Any]]:
        """The sets of changed cards of a game, and what each changes, in words."""
        found = []
        for name in self._sets.get(key, {}):
            with contextlib.suppress(Refusal):
                found.append({"name": name, "changes": self.changes(self.content(key, name))})
        return found

    def __iter__(self) -> Any:
        return iter([*games.every(), *self._others.values()])

    def serves(self, key: str) -> bool:
        return key in self._others or key in games.keys()  # noqa: SIM118 - a function of the registry

    def find(self, key: str) -> Game:
        if key not in self._found:
            if not self.serves(key):
                known = ", ".join(game.key for game in self)
                raise Refusal(f"There is no game {key!r}; there are {known}.", status=404)
            self._found[key] = self._others.get(key) or games.find(key)
        return self._found[key]

    def address(self, key: str) -> str:
        """What another process of this machine finds a game by: its key, or its path."""
        return next((path for path in self.paths if games.find(path).key == key), key)

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
            "sets": self.sets(key),
        }

    def checked(self, key: str, seats: int, options: dict[str, Any], card_set: str = "") -> None:
        """Refuse, in a sentence, a number of seats, an option or a set of cards that the game does not have."""
        game = self.find(key)
        if seats not in game.seats:
            raise Refusal(f"{game.title} takes {_or(game.seats)} seats, not {seats}.", status=400)
        try:
            game.chosen(options, self.content(key, card_set), seats)
        except BadOption as problem:
            raise Refusal(str(problem), status=400) from None
        except (TypeError, AttributeError, KeyError, ValueError):
            raise Refusal("One of the options has a value of the wrong kind.", status=400) from None

    def option_value(self, key: str, name: str, text: str) -> Any:
        """An option's value as a form sends it."""
        for choice in self.find(key).choices:
            if choice.name == name:
                return choice.read(text)
        return text

    def views(self) -> dict[str, str]:
        """Where each game keeps the templates of its own table."""
        return {game.key: str(game.folder / "views") for game in self if game.folder}


def told(content: Content) -> list[dict[str, Any]]:
    """What is different from the printed cards: each changed thing, before and after, and in words."""
    return [
        {"name": change.name, "before": change.before, "after": change.after, "words": change.words()}
        for change in content.changes()
    ]


def _known_names(game: Game, path: Path) -> set[str]:
    """The names in a card file that the game prints too."""
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return set()
    rows = [row for value in tables.values() if isinstance(value, list) for row in value]
    named = {row.get("name") for row in rows if isinstance(row, dict)}
    return {face.name for face in game.content().faces} & named


def _or(numbers: tuple[int, ...]) -> str:
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
