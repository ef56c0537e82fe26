"""What is different between two sets of printed things, row by row."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .tables import quoted

Tables = Mapping[str, Any]
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """One printed thing that is not as it was: changed, new (`before` is None) or gone (`after` is None)."""

    table: str
    """Of which table it is a row: `card`."""
    name: str
    before: Row | None
    after: Row | None

    def fields(self) -> Iterator[tuple[str, Any, Any]]:
        """Each field that is different: its name, what stood there, what stands there; None where there is nothing."""
        yield from _fields(self.before or {}, self.after or {})

    def words(self) -> list[str]:
        """The change in plain lines: `Spite: cost was "1 tick", is "2 ticks".`"""
        if self.before is None:
            return [f"{self.name} is new."]
        if self.after is None:
            return [f"{self.name} is gone."]
        return [f"{self.name}: {line}" for line in map(_worded, self.fields())]


def _fields(before: Row, after: Row, end: str = "") -> Iterator[tuple[str, Any, Any]]:
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            yield from _fields(was, now, f"{end}{name}, ")
        else:
            yield f"{end}{name}", was, now


def _worded(field: tuple[str, Any, Any]) -> str:
    name, was, now = field
    name = name.replace("_", " ")
    if was is None:
        return f"{name} is {_said(now)}, where nothing stood."
    if now is None:
        return f"{name} was {_said(was)}, and is gone."
    line = f"{name} was {_said(was)}, is {_said(now)}"
    return line if line.endswith('."') else f"{line}."


def _said(value: Any) -> str:
    """Several sentences stand one after the other, without the brackets of a file."""
    lines = isinstance(value, list) and value and all(isinstance(one, str) for one in value)
    return " ".join(quoted(one, 200) for one in value) if lines else quoted(value, 200)


def without(row: Any, fields: Collection[str]) -> Any:
    """A printed thing without some of its fields, on its other end too."""
    if not isinstance(row, Mapping):
        return row
    return {name: without(value, fields) for name, value in row.items() if name not in fields}


def changes(before: Tables, after: Tables, unread: Collection[str]) -> list[Change]:
    """Every row that reads differently, in the order of the second set, then what is gone from the first."""
    found = []
    for table in dict.fromkeys((*after, *before)):
        old, new = _by_name(before.get(table, [])), _by_name(after.get(table, []))
        for name in dict.fromkeys((*new, *old)):
            was, now = (rows.get(name) for rows in (old, new))
            if without(was, unread) != without(now, unread):
                found.append(Change(table, name, was, now))
    return found


def _by_name(rows: Any) -> dict[str, Row]:
    return {row["name"]: row for row in rows}
