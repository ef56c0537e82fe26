"""Views and cards as lines of text: plain enough to be read aloud, complete enough to play from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from talion.kernel import Content, Line, Part, Parts, PerCard, Seat, View, Zone


def picture(view: View, names: Sequence[str]) -> list[str]:
    """The table as one seat, or a watcher, sees it: drawn by the game, or listed."""
    if view.match.game.picture:
        return list(view.match.game.picture(view, names))
    drawing = _Drawing(type(view.match.t), view.viewer, names)
    return list(drawing.part(view.data()["table"], drawing.kind))


def sentence(line: Line, names: Sequence[str]) -> str:
    """A line of the log, with the rule it follows."""
    text = line.named(list(names))
    return f"{text} [{line.rule}]" if line.rule else text


def label(name: str) -> str:
    return name.replace("_", " ")


def printed(content: Content, words: str = "") -> Iterator[Mapping[str, Any]]:
    """Everything printed for a game whose name, or whose other end's name, has these words in it."""
    for rows in content.tables.values():
        for row in rows if isinstance(rows, list) else ():
            ends = [row, *(value for value in row.values() if isinstance(value, Mapping))]
            if any(words.lower() in end.get("name", "").lower() for end in ends):
                yield row


def card(face: Mapping[str, Any]) -> list[str]:
    """A printed thing as it reads: its name, what is printed on it, and last its flavour."""
    copies = f" ({face['count']} copies)" if face.get("count", 1) > 1 else ""
    lines = [f"{face['name']}{copies}"]
    for name, value in face.items():
        if name in ("name", "count", "flavour"):
            continue
        if isinstance(value, Mapping) and "name" in value:
            lines += ["  The other end:", *(f"  {line}" for line in card(value))]
        else:
            lines += [f"  {label(name)}: {words}" for words in _printed(value)]
    return [*lines, f"  “{face['flavour']}”"] if face.get("flavour") else lines


def _printed(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [", ".join(f"{label(str(key))} {item}" for key, item in value.items())]
    if isinstance(value, list) and all(isinstance(item, str) and " " in item for item in value):
        return value
    return [", ".join(map(str, value)) if isinstance(value, list) else str(value)]


class _Drawing:
    def __init__(self, kind: type[Part], viewer: int | None, names: Sequence[str]) -> None:
        self.kind = kind
        self.viewer = viewer
        self.names = names
        self.marks = {
            name: field.start
            for name, field in kind.fields.items()
            if isinstance(field, PerCard) and not field.travels
        }
        """What may lie on a card, and what it is when there is nothing to say about it."""

    def part(self, data: Mapping[str, Any], kind: type[Part]) -> Iterator[str]:
        """Plain values in one line, then a line for each zone with cards, the names of the empty, the parts within."""
        facts: list[str] = []
        zones: list[str] = []
        bare: list[str] = []
        parts: list[str] = []
        for name, value in data.items():
            field = kind.fields.get(name)
            if name in ("seat", "name") and field is None:
                continue
            if isinstance(field, Zone):
                if value["count"]:
                    zones.append(f"{label(name)}: {self.zone(value)}")
                else:
                    bare.append(label(name))
            elif isinstance(field, Parts):
                parts += self.parts(name, value, field.kind)
            elif (words := self.value(value, is_seat=isinstance(field, Seat))) is not None:
                facts.append(f"{label(name)} {words}".strip())
        if facts:
            yield "; ".join(facts)
        yield from zones
        if bare:
            yield f"no cards in: {', '.join(bare)}"
        yield from parts

    def parts(self, name: str, rows: Sequence[Mapping[str, Any]], kind: type[Part]) -> Iterator[str]:
        for number, row in enumerate(rows, 1):
            seat = row.get("seat")
            if seat is None or len(rows) != len(self.names):
                head = (
                    f"{label(name)} {row['name'] if 'name' not in kind.fields and 'name' in row else number}:"
                )
            else:
                head = f"{self.names[seat]} (you):" if seat == self.viewer else f"{self.names[seat]}:"
            lines = list(self.part(row, kind))
            if len(lines) == 1:
                yield f"{head} {lines[0]}"
            else:
                yield head
                yield from (f"  {line}" for line in lines)

    def zone(self, data: Mapping[str, Any]) -> str:
        if "cards" in data:
            runs = [(card, len(list(run))) for card, run in groupby(map(self.card, data["cards"]))]
            return ", ".join(card if length == 1 else f"{length} × {card}" for card, length in runs)
        known = f", among them {', '.join(data['known'])}" if data.get("known") else ""
        return f"{counted(data['count'], 'card')}{known}"

    def card(self, data: Mapping[str, Any]) -> str:
        marks = [
            label(name) if data[name] is True else f"{label(name)} {self.value(data[name])}"
            for name, usual in self.marks.items()
            if name in data and data[name] != usual
        ]
        marks += data.get("told", [])
        name = str(data.get("name", "a card"))
        return name + (f" ({', '.join(marks)})" if marks else "")

    def value(self, value: Any, *, is_seat: bool = False) -> str | None:
        """A plain value in words; None if there is nothing to say."""
        if value is None or value is False or value == "":
            return None
        if value is True:
            return ""
        if is_seat and value in range(len(self.names)):
            return str(self.names[value])
        if isinstance(value, Mapping):
            if "name" in value or "place" in value:
                return self.card(value)
            return (
                ", ".join(f"{label(str(key))} {self.value(item)}" for key, item in value.items() if item)
                or None
            )
        if isinstance(value, list):
            return ", ".join(self.value(item) or "-" for item in value) or None
        return str(value)


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
