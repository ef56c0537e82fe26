"""What is printed: the faces of a game's cards, and their sentences read by its phrasebook.

Content belongs to a match, never to a module: changed or new cards can be laid over a game's own, and a match goes on with
the content it began with, whatever is installed meanwhile. To keep it, keep `content.text` under `content.fingerprint`;
`game.content_of(text)` is the same content again.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from .changes import Change, changes, without
from .completing import Completion
from .phrases import Phrasebook, Said, When
from .reading import Reader, Unreadable
from .spreadsheet import BadSheet, from_csv
from .tables import CardTable

_SENTENCE_END = re.compile(r"(?<=\.)\s+")
_AS_PRINTED = str.maketrans("’‘\n\t\u00a0", "''   ")
"""Phones and word processors make apostrophes round, and people begin a new line: no sentence means anything else by it."""


class BadCards(Exception):  # noqa: N818
    """A card file that cannot be used, with the reason in one readable text."""


class Face:
    """What is printed on a card: its name, its plain fields (`face.kind`), its sentences (`face.said["cost"]`)."""

    def __init__(self, number: int, fields: dict[str, Any]) -> None:
        self.id = number
        """Its place among the faces of its content, for quick states. It is written nowhere: there a face has its name."""
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
        self,
        tables: Mapping[str, Any],
        texts: Mapping[str, str],
        book: Phrasebook,
        source: str,
        single: Collection[str] = (),
        said_in: Callable[[Face, str], When] | None = None,
        unread: Collection[str] = ("flavour",),
        own: Callable[[], Content] | None = None,
    ) -> None:
        self.tables = tables
        self.unread = unread
        """The fields that are only printed or drawn."""
        self._own = own
        """The game's own printed cards."""
        self.source = source
        self.faces: list[Face] = []
        self.texts = dict(texts)
        """Which field is read as which kind of phrase."""
        self.single = single
        """The fields in which only one sentence can stand."""
        self.said_in = said_in or (lambda face, field: (field,))
        """In which occasion a field of a face is said."""
        for table in tables.get("card", []):
            self._add(table)
        self.named: dict[str, Face] = {}
        for face in self.faces:
            self._name(face)
        self._dotted = [name for name in self.named if _SENTENCE_END.search(name)]
        self._as_printed = {} if any("’" in name for name in self.named) else _AS_PRINTED
        self.book = book
        self.reader = Reader(book, self.named, self.printed)
        self._read_all()
        self.watchers: dict[tuple[str, str], dict[int, list[tuple[Said, Said]]]] = {}
        """For each (kind, about) the faces that have such a phrase: who must be asked about what."""
        self._index()
        self.prepared: dict[Any, Any] = {}
        """States that are built and not begun, by what they were built for."""

    def _add(self, table: Mapping[str, Any]) -> Face:
        fields = {name: value for name, value in table.items() if value or name not in self.texts}
        face = Face(len(self.faces), fields)
        self.faces.append(face)
        for key, value in table.items():
            if _is_end(value):
                fields[key] = self._add({"count": 0, **value})
                fields[key].front = face
        return face

    def _name(self, face: Face) -> None:
        """Files a face under its name: cards speak of each other by name, so no two can share one."""
        known = self.named.setdefault(face.name, face)
        if known is not face:
            cards = [
                f"the other end of {one.front.name}" if one.front is not one else "a card"
                for one in (known, face)
            ]
            raise BadCards(f"{self.source}: two faces are named {face.name}: {' and '.join(cards)}.")

    def other_things(self, name: str) -> list[dict[str, Any]]:
        """Printed things that are not cards: `content.other_things("den")`."""
        return list(self.tables.get(name, []))

    def _read_all(self) -> None:
        for face in self.faces:
            for field, kind in self.texts.items():
                if text := face.fields.get(field):
                    face.said[field] = list(self._read(face, field, kind, text))

    def _read(self, face: Face, field: str, kind: str, text: str | list[str]) -> Iterator[Said]:
        where = f"{self.source}, card “{face.name}”, {field}: "
        sentences = list(self._sentences(text)) if isinstance(text, str) else text
        if field in self.single and len(sentences) > 1:
            raise BadCards(
                f"{where}only one sentence can stand here, so this would never be read: {sentences[1]}"
            )
        for i, sentence in enumerate(sentences):
            words = " ".join(sentence.translate(self._as_printed).split()).removesuffix(".").rstrip()
            if not words:
                raise BadCards(f"{where}there is no sentence; an empty text takes the line away.")
            try:
                said = self.reader.read(words, kind)
            except Unreadable as problem:
                raise BadCards(problem.explain(where)) from None
            if misused := said.misused(self.said_in(face, field)):
                raise BadCards(f"{where}{misused}")
            said.locate((face.name, field, i))
            yield said

    def draft(self, table: Mapping[str, Any]) -> tuple[Face, dict[str, list[str]]]:
        """A face that somebody is writing, as far as it can be read beside these; and for each of its fields why not."""
        face = Face(-1, {name: value for name, value in table.items() if not _is_end(value)})
        problems: dict[str, list[str]] = {}
        for field, kind in self.texts.items():
            text = face.fields.get(field) or ()
            sentences = list(self._sentences(text)) if isinstance(text, str) else text
            parts: list[Any] = [text] if field in self.single else [[one] for one in sentences]
            for part in parts:
                try:
                    face.said.setdefault(field, []).extend(self._read(face, field, kind, part))
                except BadCards as problem:
                    problems.setdefault(field, []).append(str(problem))
        return face, problems

    def printed(self) -> Iterator[tuple[str, str, str]]:
        """Every sentence, with the name of its card and the kind it is read as."""
        for face in self.faces:
            for field, kind in self.texts.items():
                text = face.fields.get(field) or ()
                for sentence in self._sentences(text) if isinstance(text, str) else text:
                    yield sentence, face.name, kind

    def complete(self, text: str, caret: int, field: str) -> Completion:
        """What somebody is writing into a field: how the sentence at the caret can go on, and what is wrong with it."""
        spans = list(self._spans(text))
        start, end = next((span for span in spans if caret <= span[1]), spans[-1])
        sentence = text[start:end].rstrip().removesuffix(".")
        at = max(0, min(caret - start, len(sentence)))
        if text[start + at : caret].startswith(" "):  # a word is finished that a blank follows
            sentence, at = f"{sentence} ", at + 1
        sentence = sentence.translate(self._as_printed)
        return self.reader.complete(sentence, at, self.texts[field]).moved(start, text)

    def _sentences(self, text: str) -> Iterator[str]:
        for start, end in self._spans(text.strip()):
            yield text.strip()[start:end]

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where each sentence of a text begins and ends; the full stop in a card's name (NO. 9) ends none."""
        names = [match.span() for name in self._dotted for match in re.finditer(re.escape(name), text)]
        begins = len(text) - len(text.lstrip())
        for gap in _SENTENCE_END.finditer(text):
            if not any(start < gap.start() < end for start, end in names):
                yield begins, gap.start()
                begins = gap.end()
        yield begins, len(text)

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
        said: Said = self.named[face].said[field][line]
        return said.within(rest)

    def line(self, path: tuple[Any, ...]) -> Said:
        return self.at(path[:3])

    @cached_property
    def text(self) -> str:
        """Everything printed, as one text: what is kept for a match for as long as it is played or looked at."""
        return json.dumps(self.tables, ensure_ascii=False, separators=(",", ":"), default=str)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that rules and players read: two matches with the same one have the same cards.

        What is only printed or drawn (flavour) is outside it.
        """
        read = {key: [without(row, self.unread) for row in rows] for key, rows in self.tables.items()}
        text = json.dumps(read, sort_keys=True, default=str)
        return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()

    def changes(self, since: Content | None = None) -> list[Change]:
        """What reads differently here than in other content: by default than in the game's own printed cards.

        `change.before` and `change.after` are the rows of the card file, `change.words()` says it in plain lines.
        """
        since = since or (self._own() if self._own else self)
        return changes(since.tables, self.tables, self.unread)

    def overlay(self, below: Content) -> dict[str, Any] | None:
        """The rows that make this content of another when they are laid over it; None if no rows do."""
        rows: dict[str, Any] = {}
        for change in changes(below.tables, self.tables, ()):
            if change.after is None:
                return None
            rows.setdefault(change.table, []).append(change.after)
        made = lay_over(below.tables, rows, "") if rows.keys() <= below.tables.keys() else None
        return rows if made == self.tables else None

    def uses(self) -> dict[str, list[str]]:
        """For each pattern of the phrasebook the cards that use it."""
        uses: dict[str, list[str]] = {phrase.pattern: [] for phrase in self.book.phrases}
        for face in self.faces:
            for pattern in {said.phrase.pattern for line in face.lines() for said in line.below()}:
                uses[pattern].append(face.name)
        return uses


def read_cards(path: Path, printed: Mapping[str, Any], table: CardTable) -> dict[str, Any]:
    """A card file, written as TOML or as a spreadsheet of what is printed; the table declares what may be."""
    if path.suffix != ".csv":
        return read_toml(path)
    try:
        return {"card": from_csv(path.read_text(encoding="utf-8-sig"), printed.get("card", []), table)}
    except FileNotFoundError:
        raise BadCards(f"There is no card file {path}.") from None
    except OSError as problem:
        raise BadCards(f"{path} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise BadCards(f"{path} cannot be read: it is not in UTF-8.") from None
    except BadSheet as problem:
        raise BadCards(f"{path} cannot be read: {problem}.") from None


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return toml_of(path.read_text(encoding="utf-8-sig"), str(path))
    except FileNotFoundError:
        raise BadCards(f"There is no card file {path}.") from None
    except OSError as problem:
        raise BadCards(f"{path} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise BadCards(f"{path} cannot be read: it is not in UTF-8.") from None


def toml_of(text: str, source: str) -> dict[str, Any]:
    """What a card file says that is written as TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise BadCards(f"{source} is not valid TOML: {problem}.") from None
    except (RecursionError, ValueError):
        raise BadCards(f"{source} cannot be read: a list in it is too deep, or a number too long.") from None


LONGEST_NAME = 80
JOINERS = "\u200c\u200d"
"""Unseen signs that some scripts need within a word."""


def lay_over(tables: Mapping[str, Any], changes: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The printed things of a game with changed or new ones laid over them, matched by name."""
    merged = {key: list(value) if isinstance(value, list) else value for key, value in tables.items()}
    for key, rows in changes.items():
        if key not in tables:
            known = ", ".join(sorted(f"[[{name}]]" for name in tables))
            raise BadCards(f"{source}: [[{key}]] is nothing this game prints; it has {known}.")
        if not isinstance(rows, list):
            raise BadCards(f"{source}: write [[{key}]], in two brackets, above each {key}.")
        names = Counter(_name(row, key, source) for row in rows)
        if twice := next((name for name, times in names.items() if times > 1), None):
            raise BadCards(
                f"{source}: {key} “{twice}” stands there twice; write all its changes in one place."
            )
        for row in rows:
            merged[key] = _with(merged[key], row)
    return merged


def _name(row: Any, key: str, source: str) -> str:
    name = row.get("name") if isinstance(row, dict) else None
    if not isinstance(name, str) or not name.strip():
        raise BadCards(f'{source}: a {key} has no name; every [[{key}]] needs name = "…".')
    if len(name) > LONGEST_NAME or not all(sign.isprintable() or sign in JOINERS for sign in name):
        raise BadCards(
            f"{source}: the name of a {key} is one line of at most {LONGEST_NAME} letters, not {name[:30]!r} …"
        )
    return name


def _with(rows: list[dict[str, Any]], row: dict[str, Any]) -> list[dict[str, Any]]:
    if all(old["name"] != row["name"] for old in rows):
        return [*rows, row]
    return [_changed(old, row) if old["name"] == row["name"] else old for old in rows]


def _changed(old: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """What is left out stays as it is, on the other end of a card too; other tables are replaced as a whole."""
    ends = {
        name: _changed(old[name], value)
        for name, value in row.items()
        if isinstance(value, dict) and _is_end(old.get(name))
    }
    return {**old, **row, **ends}


def _is_end(value: Any) -> bool:
    """Whether a field is a face of its own, printed on the other end of the card."""
    return isinstance(value, dict) and isinstance(value.get("name"), str)


def total(faces: Iterable[Face]) -> int:
    """How many cards these faces are printed on."""
    return sum(face.count for face in faces)
