"""Cards as a spreadsheet: a row for each card, a column for each field. Wherever a card file can be named, a `.csv` can be too.

What stands on the other end of a card has that end's name before it (`other.text`); several sentences stand in one cell, a line each.
An empty cell is a field that the card does not have. A text that a spreadsheet would reckon with, as it begins like a formula, has
an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .tables import CardTable, Kind

Row = Mapping[str, Any]


class BadSheet(ValueError):  # noqa: N818
    """A spreadsheet that is none of cards, and why."""


def sort_of(value: Any) -> str:
    """What one writes into such a field: text, lines, number, flag, or json."""
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int):
        return "number"
    if isinstance(value, str):
        return "text"
    return "lines" if isinstance(value, list) and all(isinstance(one, str) for one in value) else "json"


_SORTS: Sequence[tuple[str, Any]] = (("number", 1), ("flag", True), ("text", "x"), ("lines", ["x"]), ("json", [1]), ("lines", []), ("json", {}))  # fmt: skip
"""What is written in which sort, tried in this order: what fits none of these is one of a few words."""


def sort_for(kind: Kind, *values: Any) -> str:
    """What one writes where such a thing may stand: as the first of these values is, or else by what would fit."""
    there = next((value for value in values if value is not None and kind.fits(value)), None)
    if there is not None:
        return sort_of(there)
    return next((sort for sort, value in _SORTS if kind.fits(value)), "text")


def written(value: Any, sort: str) -> str:
    """A value as it stands in a form or a cell."""
    if value is None:
        return ""
    if sort == "lines" and isinstance(value, list):
        return "\n".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read(text: str, sort: str) -> Any:
    """What somebody wrote. What does not fit is left as it is: the declared kind says what is wrong with it."""
    text = text.replace("\r\n", "\n").replace("\0", "").strip()
    if sort == "lines":
        return [line.strip() for line in text.split("\n") if line.strip()]
    if sort == "text":
        return " ".join(text.split())
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def to_csv(rows: Sequence[Row]) -> str:
    """All these cards, in the order of their file."""
    flat = [dict(_flat(row)) for row in rows]
    columns = list(dict.fromkeys(path for row in flat for path in row))
    out = io.StringIO()
    sheet = csv.DictWriter(out, columns, lineterminator="\n", restval="")
    sheet.writeheader()
    sheet.writerows({path: _cell(value) for path, value in row.items()} for row in flat)
    return out.getvalue()


FORMULA = re.compile(r"'*[=+\-@\t]")


def _cell(value: Any) -> str:
    """A value as it stands in a cell."""
    text, sort = written(value, sort_of(value)), sort_of(value)
    return f"'{text}" if sort != "number" and FORMULA.match(text) else text


def _text_of(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell[1:]) else cell


def from_csv(text: str, printed: Sequence[Row], table: CardTable) -> list[dict[str, Any]]:
    """The rows of a card file: of cards that are printed what is different, of new ones everything. The table declares what may
    stand in a cell."""
    own = {row["name"]: dict(_flat(row)) for row in printed}
    samples = {path: value for row in reversed(list(own.values())) for path, value in row.items()}
    rows = []
    for cells in _cells(text):
        name = " ".join(_text_of(cells.pop("name")).split())
        changed, was = {"name": name}, own.get(name, {})
        whole = {**was, **{path: cell for path, cell in cells.items() if cell.strip()}}
        for path, cell in cells.items():
            kind, there, sample = table.kind_at(path, whole), was.get(path), samples.get(path)
            sort = sort_for(kind, there, sample) if kind else sort_of("" if sample is None else sample)
            value = read(_text_of(cell), sort)
            if value != there and not (there is None and not cell.strip()) and value is not None:
                _put(changed, path, value)
        if len(changed) > 1 or name not in own:
            rows.append(changed)
    return rows


def _cells(text: str) -> Iterator[dict[str, str]]:
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    sheet = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count), strict=True)
    names = [name.strip() for name in sheet.fieldnames or ()]
    if "name" not in names:  # spreadsheets begin a cell with a capital
        names = [name.lower() for name in names]
    if "name" not in names:
        raise BadSheet("the first row must name the fields, and one of them must be name")
    if twice := next((name for name in names if name and names.count(name) > 1), None):
        raise BadSheet(f"the first row names {twice} twice")
    sheet.fieldnames = [name or f"\0{place}" for place, name in enumerate(names)]
    try:
        for row in sheet:
            beyond = [*row.pop(None, ()), *(row.pop(name) for name in [*row] if name.startswith("\0"))]
            if any(beyond):
                raise BadSheet(f"line {sheet.line_num} has more cells than the first row names")
            cells = {path: cell or "" for path, cell in row.items()}
            if cells["name"].strip():
                yield cells
    except csv.Error as problem:
        raise BadSheet(f"line {sheet.line_num} cannot be read: {problem}") from None


def _flat(row: Row, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every field by its path; the other end of a card is a face of its own."""
    for name, value in row.items():
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _put(row: dict[str, Any], path: str, value: Any) -> None:
    *ends, last = path.split(".")
    for end in ends:
        row = row.setdefault(end, {})
        if not isinstance(row, dict):
            raise BadSheet(f"{end} cannot have both a text and {path}")
    row[last] = value
