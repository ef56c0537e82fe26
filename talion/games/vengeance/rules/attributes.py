"""VG-3, VG-4: tracks and damage."""

from __future__ import annotations

from .printed import Position, printed
from .table import TRACK_OF, TRACKS, Hero, Vengeance


def positions(t: Vengeance, hero: Hero, track: str) -> tuple[Position, ...]:
    """VG-3.1 What is printed on a track, from the left."""
    return printed(t.content).tracks[hero.name][track]


def room(t: Vengeance, hero: Hero, track: str) -> int:
    """How many positions are free."""
    return len(positions(t, hero, track)) - hero.red[track] - hero.brown[track]


def current(t: Vengeance, hero: Hero, track: str) -> Position:
    """VG-4.2 The left-most free position; a full track is worth nothing and has no marks (VG-Q15)."""
    free = room(t, hero, track)
    return positions(t, hero, track)[-free] if free else Position(0)


def is_full(t: Vengeance, hero: Hero) -> bool:
    """VG-4.7, VG-4.8 Whether some track has no free position."""
    return any(not room(t, hero, track) for track in TRACKS)


def suffer(t: Vengeance, hero: Hero, damage: str, n: int, severe: bool = False) -> None:
    """VG-4.1, VG-4.6, VG-Q11 Cubes fill the room there is; an excess turns one red cube brown, once."""
    track = TRACK_OF[damage]
    free = room(t, hero, track)
    cubes = hero.brown if severe else hero.red
    cubes[track] += min(n, free)
    if n > free and hero.red[track]:
        hero.red[track] -= 1
        hero.brown[track] += 1
