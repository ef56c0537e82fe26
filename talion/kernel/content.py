"""What is printed: the faces of a game's cards, and their sentences read by its phrasebook.

Content belongs to a match, never to a module: changed or new cards can be laid over a game's own.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .phrases import Phrasebook, Reader, Said, Unreadable

_SENTENCE_END = re.compile(r"(?<=\.)\s+")


class BadCards(Exception):  # noqa: N818
    """A card file that cannot be used, with the reason in one readable text."""


class Face:
    """What is printed on a card: its name, its plain fields (`face.kind`), its sentences (`face.said["cost"]`)."""

    def __init__(self, number: int, fields: dict[str, Any]) -> None:
        self.id = number
        self.name: str = fields["name"]
        self.count: int = fields.get("count", 1)
        self.flavour: str = fields.get("flavour", "")
        self.fields = fields
        self.front = self
        """The face that stands for the whole card: another one, if this is printed on its other end or back."""
        self.said: dict[str, list[Said]] = {}
        """For each text field its lines, in order."""

    def __getattr__(self, name: str) -> Any:
        """A plain field; from then on an attribute like any other, for rules read the same few again and again."""
        if name not in self.fields:
            raise AttributeError(f"{self.name} has no {name}")
        value = self.__dict__[name] = self.fields[name]
        return value

    def get(self, name: str, default: Any = None) -> Any:
        return self.fields.get(name, default)

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def lines(self) -> Iterator[Said]:
        for lines in self.said.values():
            yield from lines


class Content:
    """The faces and other printed things of a game, for one match."""

    def __init__(
        self, tables: Mapping[str, Any], texts: Mapping[str, str], book: Phrasebook, source: str
    ) -> None:
        self.tables = tables
        self.source = source
        self.faces: list[Face] = []
        self.texts = dict(texts)
        """Which field is read as which kind of phrase."""
        for table in tables.get("card", []):
            self._add(table, source)
        self.named = {face.name: face for face in self.faces}
        self.book = book
        self.reader: Reader = book.reader(self.named)
        self._read_all()
        self.watchers: dict[tuple[str, str], dict[int, list[tuple[Said, Said]]]] = {}
        """For each (kind, about) the faces that have such a phrase: who must be asked about what."""
        self._index()
        self.prepared: dict[Any, Any] = {}
        """States that are built and not begun, by what they were built for."""

    def _add(self, table: Mapping[str, Any], source: str) -> Face:
        if not isinstance(table.get("name"), str) or not table["name"].strip():
            raise BadCards(f'{source}: a card has no name; every [[card]] needs name = "…".')
        fields = dict(table)
        face = Face(len(self.faces), fields)
        self.faces.append(face)
        for key, value in table.items():
            if isinstance(value, Mapping) and "name" in value:
                fields[key] = self._add({"count": 0, **value}, source)
                fields[key].front = face
        return face

    def other_things(self, name: str) -> list[dict[str, Any]]:
        """Printed things that are not cards: `content.other_things("den")`."""
        return list(self.tables.get(name, []))

    def _read_all(self) -> None:
        cache = _Cache(self.reader.fingerprint())
        self.reader.known.update(cache.load())
        before = len(self.reader.known)
        for face in self.faces:
            for field, kind in self.texts.items():
                if text := face.fields.get(field):
                    face.said[field] = list(self._read(face, field, kind, text))
        if len(self.reader.known) > before:
            cache.save(self.reader.known)

    def _read(self, face: Face, field: str, kind: str, text: str | list[str]) -> Iterator[Said]:
        sentences = _SENTENCE_END.split(text.strip()) if isinstance(text, str) else text
        for i, sentence in enumerate(sentences):
            try:
                said = self.reader.read(sentence.strip().removesuffix("."), kind)
            except Unreadable as problem:
                where = f"{self.source}, card “{face.name}”, {field}: "
                raise BadCards(problem.explain(where)) from None
            said.locate((face.id, field, i))
            yield said

    def _index(self) -> None:
        for face in self.faces:
            for line in face.lines():
                for said in line.in_force():
                    if said.phrase.about:
                        table = self.watchers.setdefault((said.kind, said.phrase.about), {})
                        table.setdefault(face.id, []).append((line, said))

    def at(self, path: tuple[Any, ...]) -> Said:
        """The phrase that a stored path leads to."""
        face, field, line, *rest = path
        said: Said = self.faces[face].said[field][line]
        return said.within(rest)

    def line(self, path: tuple[Any, ...]) -> Said:
        return self.at(path[:3])

    def fingerprint(self) -> str:
        """A hash of everything printed: two matches with the same one have the same cards."""
        text = json.dumps(self.tables, sort_keys=True, default=str)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def uses(self) -> dict[str, list[str]]:
        """For each pattern of the phrasebook the cards that use it."""
        uses: dict[str, list[str]] = {phrase.pattern: [] for phrase in self.book.phrases}
        for face in self.faces:
            for pattern in {said.phrase.pattern for line in face.lines() for said in line.below()}:
                uses[pattern].append(face.name)
        return uses


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadCards(f"There is no card file {path}.") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise BadCards(f"{path} cannot be read: {problem}.") from None
    except tomllib.TOMLDecodeError as problem:
        raise BadCards(f"{path} is not valid TOML: {problem}.") from None


def lay_over(tables: Mapping[str, Any], changes: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The printed things of a game with changed or new ones laid over them, matched by name."""
    merged = {key: list(value) if isinstance(value, list) else value for key, value in tables.items()}
    for key, rows in changes.items():
        if key not in tables or not isinstance(rows, list):
            known = ", ".join(sorted(f"[[{name}]]" for name in tables))
            raise BadCards(f"{source}: [[{key}]] is nothing this game prints; it has {known}.")
        for row in rows:
            merged[key] = _with(merged[key], row, key, source)
    return merged


def _with(rows: list[dict[str, Any]], row: Mapping[str, Any], key: str, source: str) -> list[dict[str, Any]]:
    name = row.get("name")
    if not isinstance(name, str):
        raise BadCards(f"{source}: a [[{key}]] has no name.")
    if any(old.get("name") == name for old in rows):
        return [{**old, **row} if old.get("name") == name else old for old in rows]
    return [*rows, dict(row)]


class _Cache:
    """Sentences read before, kept in the user's cache folder; without one, everything still works."""

    def __init__(self, fingerprint: str) -> None:
        home = os.environ.get("XDG_CACHE_HOME")
        self.path = (
            (Path(home) if home else Path.home() / ".cache") / "talion" / "phrases" / f"{fingerprint}.json"
        )

    def load(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self.path.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def save(self, known: Mapping[str, Any]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", dir=self.path.parent, delete=False, encoding="utf-8"
            ) as file:
                json.dump(known, file)
            Path(file.name).replace(self.path)
        except OSError:
            pass


def total(faces: Iterable[Face]) -> int:
    """How many cards these faces are printed on."""
    return sum(face.count for face in faces)
