"""Boards that are graphs, drawn from data: where each place of a plan lies, and where its doorways are."""

from __future__ import annotations

from typing import Any

WIDE, HIGH = 150, 104
GAP = 26


def laid_out(doors: list[str], entry: str) -> dict[str, Any]:
    """A plan from its doorways (`"AB"` joins A and B): places in columns by their distance from the entry."""
    near: dict[str, list[str]] = {}
    for a, b in map(tuple, doors):
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    columns = [[entry]]
    placed = {entry}
    while columns[-1]:
        following = sorted({b for a in columns[-1] for b in near.get(a, ()) if b not in placed})
        placed.update(following)
        columns.append(following)
    columns.pop()
    tall = max(len(column) for column in columns)
    rooms, cells = {}, {}
    for x, column in enumerate(columns):
        for y, name in enumerate(column):
            half = 2 * y + tall - len(column)
            cells[name] = (x, half)
            rooms[name] = (GAP + x * (WIDE + GAP), GAP + half * (HIGH + GAP) / 2)
    return {
        "rooms": rooms,
        "cells": cells,  # for a grid of `columns` by twice `tall`: a room is two rows high, and may lie between two
        "columns": len(columns),
        "tall": tall,
        "doors": [(*_middle(rooms[a]), *_middle(rooms[b])) for a, b in map(tuple, doors)],
        "wide": GAP + len(columns) * (WIDE + GAP),
        "high": GAP + tall * (HIGH + GAP),
        "room": (WIDE, HIGH),
    }


def _middle(corner: tuple[float, float]) -> tuple[float, float]:
    return corner[0] + WIDE / 2, corner[1] + HIGH / 2
