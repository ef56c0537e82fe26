"""What the plain table draws: any game, from its view alone. Zones are rows of named cards, counters are words."""

from __future__ import annotations

import re
from typing import Any

KNOWN = frozenset({"card", "name", "face", "place", "told"})


def arranged(match: dict[str, Any]) -> dict[str, Any]:
    """A view's data, sorted into what a template can draw: values, zones, parts, and where each option belongs."""
    offers = match.get("ask", {}).get("options", [])
    shown = set(_labels(match["table"]))
    by_card: dict[int, list[dict[str, Any]]] = {}
    plain = []
    for offer in offers:
        named = [label for label in _labels(offer["option"]) if label in shown]
        if named:
            by_card.setdefault(named[0], []).append(offer)
        else:
            plain.append(offer)
    return {"part": _part(match["table"]), "by_card": by_card, "plain": plain}


def _part(data: dict[str, Any]) -> dict[str, Any]:
    """One part of the state: its plain values, its zones, and the parts within it."""
    part: dict[str, Any] = {"seat": data.get("seat"), "values": [], "zones": [], "parts": []}
    for name, value in data.items():
        if name == "seat":
            continue
        if _is_zone(value):
            part["zones"].append({"name": worded(name), **_zone(value)})
        elif _is_card(value):
            part["zones"].append({"name": worded(name), **_zone({"count": 1, "cards": [value]})})
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            if all(map(_is_card, value)):
                part["zones"].append({"name": worded(name), **_zone({"count": len(value), "cards": value})})
            else:
                part["parts"].append({"name": worded(name), "parts": [_part(item) for item in value]})
        elif (words := _value(value)) is not None:
            part["values"].append((worded(name), words))
    return part


def _zone(data: dict[str, Any]) -> dict[str, Any]:
    cards = [_card(card) for card in data.get("cards", ())]
    return {"count": data["count"], "cards": cards, "known": data.get("known", [])}


def _card(data: dict[str, Any]) -> dict[str, Any]:
    marks = [
        (worded(name), words)
        for name, value in data.items()
        if name not in KNOWN and (words := _value(value)) is not None
    ]
    return {"label": data.get("card"), "name": data.get("name"), "told": data.get("told", []), "marks": marks}


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


def _is_card(value: Any) -> bool:
    return isinstance(value, dict) and ("card" in value or "place" in value)


def _labels(value: Any) -> list[int]:
    """The labels of all cards named in some data."""
    if isinstance(value, dict):
        own = [value["card"]] if isinstance(value.get("card"), int) else []
        return own + [label for item in value.values() for label in _labels(item)]
    if isinstance(value, list):
        return [label for item in value for label in _labels(item)]
    return []


def worded(name: Any) -> str:
    return str(name).replace("_", " ")


def named(text: str, seats: list[dict[str, Any]]) -> str:
    """A text with the people's names where it says `@0`."""

    def name(found: re.Match[str]) -> str:
        number = int(found[1])
        return str(seats[number]["name"] or f"Seat {number + 1}") if number < len(seats) else found[0]

    return re.sub(r"@(\d+)", name, text)
