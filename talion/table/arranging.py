"""Any game's table, from what a view shows and the declaration of the state: values in words, zones, boards, parts. See `generic.html`."""

from __future__ import annotations

from typing import Any

from talion.drawing.cards import worded
from talion.kernel import Named, Part, Seat, Seats
from talion.kernel.fields import Field, MaybeSeat, Parts

KNOWN = frozenset({"card", "name", "face", "place", "told"})
MOST_WIDE = 8
"""So many places that are no square lie side by side."""


def arranged(match: dict[str, Any], you: int | None, state: type[Part]) -> dict[str, Any]:
    """A view's data, sorted: the table with its values, zones, boards and parts; the viewer's hand apart; and what each seat is
    just now, by the state's own fields: active, victim."""
    arranging = _Arranging(you)
    table = arranging.part(match["table"], state, "table", "", acts=True)
    return {
        "part": table,
        "hand": arranging.hand,
        "roles": {} if match["over"] else _roles(match["table"], state),
    }


def _roles(table: dict[str, Any], state: type[Part]) -> dict[int, list[str]]:
    """Which seats the state names, and as what."""
    found: dict[int, list[str]] = {}
    for name, value in table.items():
        if value is not None and _names_a_seat(state.fields.get(name)):
            found.setdefault(value, []).append(worded(name))
    return found


def _names_a_seat(field: Field[Any] | None) -> bool:
    return isinstance(field, (Seat, MaybeSeat))


class _Arranging:
    """Sorts what one audience sees."""

    def __init__(self, you: int | None) -> None:
        self._you = you
        self.hand: list[dict[str, Any]] = []

    def part(
        self, data: dict[str, Any], kind: type[Part] | None, key: str, title: str, *, acts: bool
    ) -> dict[str, Any]:
        """One part of the state: its plain values, its zones, and the parts within it. What has a name is clicked by it if it is
        everybody's or the viewer's."""
        part: dict[str, Any] = {"key": key, "title": title, "seat": data.get("seat")}
        part |= {"values": [], "boards": [], "zones": [], "parts": []}
        for name, value in data.items():
            field = kind.fields.get(name) if kind else None
            if name == "seat" or (title and name == "name"):
                continue
            if isinstance(field, Parts):
                self._parts(part, field, name, value, acts)
            elif _is_zone(value):
                if name == "hand" and value["seen_by"] == "owner" and part["seat"] == self._you:
                    self.hand.append(value)
                else:
                    part["zones"].append({"name": worded(name), **_zone(value)})
            elif cards := _cards(value):
                part["zones"].append({"name": worded(name), **_zone({"count": len(cards), "cards": cards})})
            elif _is_board(value):
                part["boards"].append(_board_of_values(worded(name), value))
            elif _names_a_seat(field):
                if key != "table" and value is not None:
                    part["values"].append((worded(name), f"@{value}", False))
            elif (words := _value(value)) is not None:
                part["values"].append((worded(name), words, type(value) is int))
        return part

    def _parts(
        self, part: dict[str, Any], field: Parts[Any], name: str, data: list[dict[str, Any]], acts: bool
    ) -> None:
        """Several parts of one kind: seats, a board in rows, some with names, or just some."""
        named, called = isinstance(field, Named), worded(name)
        found = []
        for number, one in enumerate(data):
            seat = one.get("seat", part["seat"])
            title = one["name"] if named else f"{called} {number + 1}"
            mine = acts if seat is None or seat == part["seat"] else seat == self._you
            inner = self.part(one, field.kind, f"{part['key']} {name} {number}", title, acts=mine)
            inner["thing"] = f"part:{title.replace(' ', '-')}" if named and mine else ""
            found.append(inner)
        if isinstance(field, Named) and field.rows:
            part["boards"].append(_board_of_parts(called, field.rows, found))
            return
        by_seat = isinstance(field, Seats)
        if by_seat:
            found.sort(key=lambda one: (one["seat"] == self._you, one["seat"]))
        part["parts"].append({"name": called, "by_seat": by_seat, "parts": found})


def _board_of_parts(
    name: str, rows: tuple[tuple[str, ...], ...], parts: list[dict[str, Any]]
) -> dict[str, Any]:
    by_name = {part["title"]: part for part in parts}
    return _board(name, [[by_name[one] for one in row] for row in rows])


def _board_of_values(name: str, values: list[Any]) -> dict[str, Any]:
    """Places that lie as a list, each with a number: in a square if they make one."""
    side = round(len(values) ** 0.5)
    wide = side if side * side == len(values) else min(len(values), MOST_WIDE)
    cells = [
        {"key": f"{name} {at}", "title": "", "thing": f"item:{at}", "says": f"{name} {at + 1}"}
        | {
            "values": [("", words, False)] if (words := _value(value)) else [],
            "zones": [],
            "parts": [],
            "boards": [],
        }
        for at, value in enumerate(values)
    ]
    return _board(name, [cells[at : at + wide] for at in range(0, len(cells), wide)])


def _board(name: str, rows: list[list[dict[str, Any]]]) -> dict[str, Any]:
    return {"name": name, "rows": rows, "wide": max(map(len, rows)), "high": len(rows)}


def _zone(data: dict[str, Any]) -> dict[str, Any]:
    cards = [{"data": card, "marks": marks(card)} for card in data.get("cards", ())]
    return {"count": data["count"], "cards": cards, "known": data.get("known", [])}


def marks(card: dict[str, Any]) -> list[str]:
    """What lies on a card, in words: `rotation 90`."""
    said = ((name, _value(value)) for name, value in card.items() if name not in KNOWN)
    return [
        worded(name) if words == "yes" else f"{worded(name)} {words}"
        for name, words in said
        if words and words != "0"
    ]


def _value(value: Any) -> str | None:
    """A value in words; none for what is nothing."""
    if value is None or value is False or value == "" or value == [] or value == {}:
        return None
    if value is True:
        return "yes"
    if isinstance(value, dict):
        parts = [f"{worded(key)} {_value(item) or 0}" for key, item in value.items() if item]
        return ", ".join(parts) or None
    if isinstance(value, list):
        return ", ".join(_value(item) or "–" for item in value)
    return str(value)


def _is_zone(value: Any) -> bool:
    return isinstance(value, dict) and "count" in value and "seen_by" in value


def _is_board(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) >= 4
        and not any(isinstance(item, (list, dict)) for item in value)
    )


def _cards(value: Any) -> list[dict[str, Any]]:
    """The cards of a value that is one, or a list of some."""
    some = value if isinstance(value, list) else [value]
    return some if some and all(map(_is_card, some)) else []


def _is_card(value: Any) -> bool:
    return isinstance(value, dict) and (
        isinstance(value.get("card"), int) or isinstance(value.get("place"), list)
    )
