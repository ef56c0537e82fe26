"""What a game prints, declared: which fields each of its tables has, of which kind, and which are needed.

This is the one place where the shape of a card file is looked at: whoever reads a printed field later can rely on it.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

MOST = 9999
"""No printed number is larger: a card file cannot ask for a billion cards."""


@dataclass(frozen=True)
class Kind:
    """What may stand in a field."""

    wanted: str
    """As it reads after “must be”."""
    fits: Callable[[Any], bool]
    needed: bool = True
    single: bool = False
    """For a field that is read: whether only one sentence can stand in it."""
    read: bool = True
    """Whether rules or players read it; what is only there to be printed or drawn changes no match."""
    within: Mapping[str, Kind] | None = None
    """For the other end of a card, which is a table of its own: its fields."""
    words: tuple[str, ...] = ()
    """If nothing else can stand there: all that can."""


Fields = Mapping[str, Kind]


def maybe(kind: Kind) -> Kind:
    """A field that can be left out."""
    return replace(kind, needed=False)


def number(least: int = 0) -> Kind:
    def fits(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST

    return Kind(f"a whole number from {least} to {MOST}", fits)


def one_of(*words: str) -> Kind:
    return Kind(
        f"one of {', '.join(words)}", lambda value: isinstance(value, str) and value in words, words=words
    )


def list_of(kind: Kind, least: int = 0) -> Kind:
    def fits(value: Any) -> bool:
        return isinstance(value, list) and len(value) >= least and all(map(kind.fits, value))

    return Kind(f"a list in brackets{', not empty' if least else ''}, each {kind.wanted}", fits)


def table_of(kind: Kind) -> Kind:
    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(map(kind.fits, value.values()))

    return Kind(f"a table, {{ name = {kind.wanted}, … }}", fits)


def end(fields: Fields) -> Kind:
    """A second face, printed on the other end of a card."""
    within = {"name": TEXT, **fields, "flavour": FLAVOUR}
    return Kind("a table with a name", lambda value: isinstance(value, dict), within=within)


ANY_TEXT = Kind("a text in quotes", lambda value: isinstance(value, str))
TEXT = Kind(ANY_TEXT.wanted, lambda value: isinstance(value, str) and bool(value.strip()))
TEXTS = list_of(TEXT)
DRAWN = replace(ANY_TEXT, needed=False, read=False)
"""What is only printed or drawn."""
FLAVOUR = DRAWN
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
NUMBER = number()
LINE = replace(TEXT, wanted="a sentence in quotes", single=True)
"""One sentence: what would be said by a second one is nothing the rules look for there."""
SAID = Kind("a text or a list of texts", lambda value: ANY_TEXT.fits(value) or TEXTS.fits(value))
"""What a game that declares nothing may have its sentences in."""


@dataclass(frozen=True)
class CardTable:
    """The fields of one table of a card file, such as [[card]]."""

    fields: Fields
    by: str = ""
    """The field that says of which sort a row is, if they have different fields."""
    sorts: Mapping[str, Fields] = field(default_factory=dict)
    closed: bool = True
    """Whether there is nothing but the declared fields."""

    def kind_at(self, path: str, row: Mapping[str, Any]) -> Kind | None:
        """What may stand at a path of such a row (`other.action`); None if nothing is declared of it."""
        fields = {**self.fields, **self.sorts.get(row.get(self.by, ""), {})}
        *ends, last = path.split(".")
        for end in ends:
            fields = dict((fields.get(end) or ANY_TEXT).within or {})
        return fields.get(last)

    @property
    def single(self) -> set[str]:
        """The fields in which only one sentence can stand."""
        return {name for name, kind in self._every() if kind.single}

    @property
    def unread(self) -> set[str]:
        """The fields that neither rules nor players read."""
        return {name for name, kind in self._every() if not kind.read}

    def _every(self) -> Iterator[tuple[str, Kind]]:
        """Every field that some row may have, on its other end too."""
        every = [self.fields, *self.sorts.values()]
        every += [kind.within for fields in every for kind in fields.values() if kind.within]
        for fields in every:
            yield from fields.items()

    def problem(self, row: Mapping[str, Any]) -> str | None:
        """What is wrong with a row, as it reads after the name of what it prints."""
        if not self.by:
            return _problem(self.fields, row, "it", self.closed)
        sort = row.get(self.by)
        if not isinstance(sort, str) or sort not in self.sorts:
            have = f", not {quoted(sort)}" if sort is not None else ""
            return f", {self.by}: must be one of {', '.join(self.sorts)}{have}."
        what = f"{'an' if sort[0] in 'aeiou' else 'a'} {sort}"
        return _problem(_ordered({**self.fields, **self.sorts[sort]}), row, what, self.closed)


def things(fields: Fields, by: str = "", sorts: Mapping[str, Fields] | None = None) -> CardTable:
    """Printed things; where `by` says of which sort one is, each sort has fields of its own besides."""
    sort = {by: one_of(*sorts)} if by and sorts else {}
    return CardTable({"name": TEXT, **sort, **fields, "flavour": FLAVOUR}, by, sorts or {})


def cards(fields: Fields, by: str = "", sorts: Mapping[str, Fields] | None = None) -> CardTable:
    """Printed things of which there can be several copies."""
    return things({"count": maybe(NUMBER), **fields}, by, sorts)


def undeclared(texts: Iterable[str]) -> CardTable:
    """Of a game that declares nothing, only what the kernel itself reads is looked at."""
    return replace(cards(dict.fromkeys(texts, maybe(SAID))), closed=False)


def problems(
    tables: Mapping[str, Any], declared: Mapping[str, CardTable], texts: Iterable[str], own: Mapping[str, Any]
) -> Iterator[str]:
    """What is wrong with the shape of a game's tables, as it reads after the name of the file.

    Something that is not in order as a new thing was perhaps meant as one of the game's own.
    """
    for key, rows in tables.items():
        table = declared.get(key) or undeclared(texts)
        names = [row["name"] for row in own.get(key, ())]
        for row in rows:
            if problem := table.problem(row):
                near, new = "", ""
                if names and row["name"] not in names:
                    near = nearest(row["name"], names)
                    new = (
                        ""
                        if near
                        else f" The game prints no {key} of this name: as a new one it has to be whole."
                    )
                yield f"{key} “{row['name']}”{near}{problem}{new}"


def quoted(value: Any, most: int = 40) -> str:
    """A value as somebody wrote it, cut if it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= most else f"{text[:most]}…"


def nearest(word: str, words: Iterable[str]) -> str:
    """Which of these was probably meant, as a question; nothing if none comes near."""
    known = {one.lower(): one for one in words}
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f" (did you mean {known[close[0]]}?)" if close else ""


def _problem(fields: Fields, row: Mapping[str, Any], what: str, closed: bool) -> str | None:
    for name, value in row.items():
        if name not in fields:
            if closed:
                return f": {what} has no {name}{nearest(name, fields)}; {what} has {', '.join(fields)}."
            continue
        kind = fields[name]
        if not kind.fits(value):
            return f", {name}: must be {kind.wanted}, not {quoted(value)}."
        if kind.within and (problem := _problem(kind.within, value, "another end", True)):
            return f", {name}{problem}"
    missing = next((name for name, kind in fields.items() if kind.needed and name not in row), None)
    return f": {what} needs {missing} = {fields[missing].wanted}." if missing else None


def _ordered(fields: Fields) -> Fields:
    """The fields as they are printed: the flavour stands below everything else."""
    return {
        **{name: kind for name, kind in fields.items() if name != "flavour"},
        "flavour": fields["flavour"],
    }
