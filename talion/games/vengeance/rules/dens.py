"""VG-12.8, VG-24: the zones of the den under attack, who stands there, and who may be struck."""

from __future__ import annotations

from collections.abc import Collection

from .printed import plan, trait
from .table import Enemy, Vengeance


def boss_name(t: Vengeance) -> str:
    return t.face(t.den.boss.top).name


def boss_here(t: Vengeance) -> Enemy | None:
    """The boss, if he lives."""
    name = boss_name(t)
    return next((enemy for enemy in t.enemies if enemy.name == name), None)


def crowd(t: Vengeance, zone: str) -> list[Enemy]:
    """The living enemies in a zone."""
    return [enemy for enemy in t.enemies if enemy.zone == zone]


def distance(t: Vengeance, a: str, b: str) -> int:
    """VG-12.8 Doorways between two zones."""
    return plan(t).distance[a, b]


def can_leave(t: Vengeance, zone: str) -> bool:
    """VG-15.4, VG-17.6 A Blocker stops MOVE and Run, unless Blockers are ignored this round."""
    return "Blockers" in t.ignored or not any(trait(t, enemy.name).blocks for enemy in crowd(t, zone))


def targets(t: Vengeance, zone: str, ignoring: Collection[str] = ()) -> list[Enemy]:
    """VG-24.2, VG-Q40 Whom an attack on one enemy may take: not the boss while a Bodyguard stands with him."""
    here = crowd(t, zone)
    if "Bodyguards" in (*ignoring, *t.ignored) or not any(trait(t, enemy.name).guards for enemy in here):
        return here
    boss = boss_name(t)
    return [enemy for enemy in here if enemy.name != boss]


def shot_targets(t: Vengeance, zone: str, ignoring: Collection[str] = ()) -> list[Enemy]:
    """VG-17.10, VG-Q40b, VG-Q49 Grunts first in each zone, the boss last, and nobody whom shots do not hurt."""
    here = [enemy for enemy in targets(t, zone, ignoring) if vulnerable(t, enemy, "SHOT")]
    if "Grunts" in (*ignoring, *t.ignored):
        return here
    return [enemy for enemy in here if trait(t, enemy.name).shot_first] or here


def vulnerable(t: Vengeance, enemy: Enemy, face: str) -> bool:
    """VG-26.2"""
    return face not in trait(t, enemy.name).immune


def way_out(t: Vengeance) -> int:
    """VG-19.3, VG-Q44 The fewest enemies on a way from the hero to the Entry Zone, both ends included."""
    doors = plan(t).doors
    best = {t.zone: len(crowd(t, t.zone))}
    frontier = [t.zone]
    for here in frontier:
        for there in doors[here]:
            met = best[here] + len(crowd(t, there))
            if there not in best or met < best[there]:
                best[there] = met
                frontier.append(there)
    return best[t.face(t.den.board.top).entry]
