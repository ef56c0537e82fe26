"""The printed cards of a game, ready to be drawn: each face as a sheet with its words, the rules they touch, its emblem."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Any

from talion.kernel import Content, Face, Game
from talion.table.drawing import worded
from talion.table.emblems import MOTIFS, emblem, motifs_of

_NOT_SHOWN = frozenset({"name", "count", "flavour", "id"})


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


@lru_cache(maxsize=32)
def sheets(game: Game, content: Content) -> dict[str, dict[str, Any]]:
    """Every face of some content of a game by its name. Faces of one kind take their kind's motifs in turn, so that they differ."""
    told = motifs_of(game.folder / "views" if game.folder else None)
    turns: Counter[str] = Counter()
    drawn: dict[str, dict[str, Any]] = {}
    for face in content.faces:
        kind = " ".join(str(face.get(field) or face.front.get(field) or "") for field in told["by"]).strip()
        motifs = told["kinds"].get(kind, told["other"])
        drawn[face.name] = _sheet(game, face, kind, motifs[turns[kind] % len(motifs)])
        turns[kind] += 1
    return drawn


def _sheet(game: Game, face: Face, kind: str, motif: str) -> dict[str, Any]:
    plain = [
        (worded(name), str(value))
        for name, value in face.fields.items()
        if name not in _NOT_SHOWN and name not in game.texts and isinstance(value, str | int | float)
    ]
    return {
        "name": face.name,
        "slug": slug(face.name),
        "kind": kind,
        "kind_slug": slug(kind),
        "plain": plain,
        "fields": {name: value for name, value in face.fields.items() if not isinstance(value, Face)},
        "lines": [_line(game, field, said) for field, lines in face.said.items() for said in lines],
        "flavour": face.flavour,
        "emblem": emblem(game.key, face.name, motif),
    }


def _line(game: Game, field: str, said: Any) -> dict[str, Any]:
    """A sentence as it reads, and what the rules say about its words."""
    rules = game.rulebook.rules
    touched = dict.fromkeys(part.phrase.rule for part in said.below() if part.phrase.rule in rules)
    text = said.text[:1].upper() + said.text[1:]
    return {
        "field": worded(field),
        "text": f"{text}.",
        "rules": [(rule, rules[rule].text) for rule in touched],
    }


@lru_cache(maxsize=32)
def cover(game: Game) -> list[str]:
    """The motifs on a game's cover, drawn large."""
    told = motifs_of(game.folder / "views" if game.folder else None)
    chosen = told.get("cover") or sorted(MOTIFS)[:3]
    return [emblem(game.key, f"cover {i}", motif) for i, motif in enumerate(chosen)]


def seen(match: dict[str, Any]) -> list[str]:
    """The names of all faces that somebody can look up on this page."""
    found: dict[str, None] = {}

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if isinstance(value.get("face"), str):
                found[value["face"]] = None
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(match.get("table"))
    return list(found)
