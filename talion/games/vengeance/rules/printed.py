"""VG-3, VG-12, VG-24: what is printed, made ready for use: tracks, dice, the plans of dens, what enemies can do."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from talion.kernel import Content, Face, Play

from .table import Vengeance

_POSITION = re.compile(r"(\d+)(S?)(RR)?(\+?)")


@dataclass(frozen=True)
class Position:
    """VG-3.1 One position of a track: a value, and marks such as S, RR, +."""

    value: int
    marks: frozenset[str] = frozenset()

    @classmethod
    def read(cls, text: str) -> Position:
        match = _POSITION.fullmatch(text)
        if not match:
            raise ValueError(f"“{text}” is no position of a track: a value, then S, RR or +")
        return cls(int(match[1]), frozenset(filter(None, match.groups()[1:])))


@dataclass(frozen=True)
class Plan:
    """VG-12.8 The zones of a den: which are joined by doorways, and how far apart they are."""

    doors: dict[str, tuple[str, ...]]
    distance: dict[tuple[str, str], int]

    @classmethod
    def of(cls, den: Face) -> Plan:
        doors: dict[str, set[str]] = {zone: set() for zone in den.zones}
        for a, b in den.doors:
            doors[a].add(b)
            doors[b].add(a)
        joined = {zone: tuple(sorted(others)) for zone, others in doors.items()}
        return cls(joined, {pair: n for zone in joined for pair, n in _distances(joined, zone)})


def _distances(doors: dict[str, tuple[str, ...]], start: str) -> list[tuple[tuple[str, str], int]]:
    found = {start: 0}
    queue = [start]
    for here in queue:
        for there in doors[here]:
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return [((start, zone), n) for zone, n in found.items()]


@dataclass(frozen=True)
class Traits:
    """What an enemy's own words, and for a boss those of the gang, make of it."""

    health: int = 1
    damage: int = 1
    reach: tuple[int, ...] = (0,)
    fewer_dice: int = 0
    last_blow: int = 0
    early: bool = False
    immune: tuple[str, ...] = ()
    no_items: bool = False
    shot_first: bool = False
    guards: bool = False
    blocks: bool = False


@dataclass(frozen=True)
class Printed:
    tracks: dict[str, dict[str, tuple[Position, ...]]]
    dice: dict[str, list[str]]
    heal_costs: dict[tuple[str, bool], int]
    plans: dict[str, Plan]
    traits: dict[str, Traits]


@lru_cache(maxsize=16)
def printed(content: Content) -> Printed:
    faces = content.faces
    costs = content.other_things("damage")
    return Printed(
        tracks={hero["name"]: _tracks(hero) for hero in content.other_things("hero")},
        dice={die["name"]: die["faces"] for die in content.other_things("die")},
        heal_costs={
            (row["name"], severe): row["severe" if severe else "heal"]
            for row in costs
            for severe in (False, True)
        },
        plans={face.name: Plan.of(face) for face in faces if face.kind == "den"},
        traits={face.name: _traits(content, face) for face in faces if face.kind in ("minion", "boss")},
    )


def _tracks(hero: dict[str, Any]) -> dict[str, tuple[Position, ...]]:
    health = range(hero["health"], 0, -1)
    return {
        "Mind": tuple(map(Position.read, hero["mind"])),
        "Skill": tuple(map(Position.read, hero["skill"])),
        "Health": tuple(map(Position, health)),
    }


def _traits(content: Content, enemy: Face) -> Traits:
    """VG-25, VG-26 A boss has his gang's ability besides his own power."""
    said = [content.named[enemy.gang], enemy] if enemy.kind == "boss" else [enemy]
    traits = Traits(health=enemy.health)
    for face in said:
        for line in face.said.get("power", ()):
            traits = replace(traits, **line.read(Play.reading()))
    return traits


def plan(t: Vengeance) -> Plan:
    """The plan of the den under attack."""
    return printed(t.content).plans[t.face(t.den.board.top).name]


def trait(t: Vengeance, name: str) -> Traits:
    return printed(t.content).traits[name]
