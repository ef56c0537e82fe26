"""What tables are drawn from: a view's data, sorted into what a template can lay out."""

from __future__ import annotations

import json
import re
from typing import Any

KNOWN = frozenset({"card", "name", "face", "place", "told"})


def arranged(match: dict[str, Any], you: int | None) -> dict[str, Any]:
    """A view's data, sorted: values, zones, parts; the viewer's hand; and where each option belongs.

    An option belongs to the first card it names that lies on the table, by its label or by its place; all others
    are `plain` buttons.
    """
    offers = match.get("ask", {}).get("options", [])
    labels, places = set(_labels(match["table"])), {_wire(place) for place in _places(match["table"])}
    by_card: dict[int, list[dict[str, Any]]] = {}
    by_place: dict[str, list[dict[str, Any]]] = {}
    plain = []
    for offer in offers:
        label = next((label for label in _labels(offer["option"]) if label in labels), None)
        place = next((_wire(part) for part in offer["option"] if _wire(part) in places), None)
        if label is not None:
            by_card.setdefault(label, []).append(offer)
        elif place is not None:
            by_place.setdefault(place, []).append(offer)
        else:
            plain.append(offer)
    hand: list[dict[str, Any]] = []
    part = _part(match["table"], you, hand)
    return {
        "part": part,
        "by_card": by_card,
        "by_place": by_place,
        "plain": plain,
        "lit": len(by_card) + len(by_place),
        "hand": hand,
    }


def _part(data: dict[str, Any], you: int | None, hand: list[dict[str, Any]]) -> dict[str, Any]:
    """One part of the state: its plain values, its zones, and the parts within it. The viewer's hand goes apart."""
    part: dict[str, Any] = {"seat": data.get("seat"), "values": [], "zones": [], "parts": []}
    for name, value in data.items():
        if name == "seat":
            continue
        if _is_zone(value):
            if you is not None and data.get("seat") == you and value["seen_by"] == "owner" and name == "hand":
                hand.append(value)
            else:
                part["zones"].append({"name": worded(name), **_zone(value)})
        elif _is_card(value):
            part["zones"].append({"name": worded(name), **_zone({"count": 1, "cards": [value]})})
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            if all(map(_is_card, value)):
                part["zones"].append({"name": worded(name), **_zone({"count": len(value), "cards": value})})
            else:
                inner = [_part(item, you, hand) for item in value]
                seats = [one["seat"] for one in inner]
                by_seat = None not in seats and len(set(seats)) == len(seats)
                if by_seat:
                    inner.sort(key=lambda one: (one["seat"] == you, one["seat"]))
                part["parts"].append({"name": worded(name), "by_seat": by_seat, "parts": inner})
        elif (words := _value(value)) is not None:
            part["values"].append((worded(name), words))
    return part


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


def _is_card(value: Any) -> bool:
    return isinstance(value, dict) and (
        isinstance(value.get("card"), int) or isinstance(value.get("place"), list)
    )


def _wire(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _labels(value: Any) -> list[int]:
    """The labels of all cards named in some data."""
    if isinstance(value, dict):
        own = [value["card"]] if isinstance(value.get("card"), int) else []
        return own + [label for item in value.values() for label in _labels(item)]
    if isinstance(value, list):
        return [label for item in value for label in _labels(item)]
    return []


def _places(value: Any) -> list[Any]:
    """The places of all cards that lie face down in a row."""
    if isinstance(value, dict):
        own = [value["place"]] if "place" in value else []
        return own + [place for item in value.values() for place in _places(item)]
    if isinstance(value, list):
        return [place for item in value for place in _places(item)]
    return []


def with_article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def worded(name: Any) -> str:
    return str(name).replace("_", " ")


def named(text: str, seats: list[dict[str, Any]]) -> str:
    """A text with the people's names where it says `@0`."""

    def name(found: re.Match[str]) -> str:
        number = int(found[1])
        return str(seats[number]["name"] or f"Seat {number + 1}") if number < len(seats) else found[0]

    return re.sub(r"@(\d+)", name, text)
