"""VG-12.8, VG-24: the zones of the den under attack, who stands there, and who may be struck."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from talion.kernel import Content

from .printed import Plan, Traits, printed
from .table import Enemy, Vengeance

Standing = tuple[Enemy, ...]


@dataclass(frozen=True, eq=False)
class Ground:
    """A den as a fight sees it: its plan, its boss, and what is ignored this round. The rules ask it, and bots do.

    Who stands where is told with each question, so that a bot can ask about a fight it imagines.
    """

    plan: Plan
    traits: dict[str, Traits]
    boss: str
    entry: str
    ignored: tuple[str, ...]

    def crowd(self, enemies: Standing, zone: str) -> list[Enemy]:
        """The living enemies in a zone."""
        return [enemy for enemy in enemies if enemy.zone == zone]

    def can_leave(self, enemies: Standing, zone: str) -> bool:
        """VG-15.4, VG-17.6 A Blocker stops MOVE and Run, unless Blockers are ignored this round."""
        traits = self.traits
        return "Blockers" in self.ignored or not any(
            traits[enemy.name].blocks for enemy in enemies if enemy.zone == zone
        )

    def targets(self, enemies: Standing, zone: str, ignoring: Collection[str] = ()) -> list[Enemy]:
        """VG-24.2, VG-Q40 Whom an attack on one enemy may take: not the boss while a Bodyguard stands with him."""
        here = self.crowd(enemies, zone)
        if "Bodyguards" in self.ignored or "Bodyguards" in ignoring:
            return here
        if not any(self.traits[enemy.name].guards for enemy in here):
            return here
        return [enemy for enemy in here if enemy.name != self.boss]

    def hit_targets(self, enemies: Standing, zone: str, face: str) -> list[Enemy]:
        """VG-17.7, VG-17.8 Whom a HIT or a DOUBLE HIT may take."""
        return [enemy for enemy in self.targets(enemies, zone) if self.vulnerable(enemy, face)]

    def shot_targets(self, enemies: Standing, zone: str, ignoring: Collection[str] = ()) -> list[Enemy]:
        """VG-17.10, VG-Q40b, VG-Q49 Grunts first in each zone, the boss last, and nobody whom shots do not hurt."""
        here = [enemy for enemy in self.targets(enemies, zone, ignoring) if self.vulnerable(enemy, "SHOT")]
        if "Grunts" in self.ignored or "Grunts" in ignoring:
            return here
        return [enemy for enemy in here if self.traits[enemy.name].shot_first] or here

    def vulnerable(self, enemy: Enemy, face: str) -> bool:
        """VG-26.2"""
        return face not in self.traits[enemy.name].immune

    def reaching(self, enemies: Standing, zone: str) -> Iterator[Enemy]:
        """VG-18.2 Who could hurt somebody in this zone."""
        distance, traits = self.plan.distance, self.traits
        return (enemy for enemy in enemies if distance[enemy.zone, zone] in traits[enemy.name].reach)

    def struck(self, enemy: Enemy, damage: int) -> Enemy | None:
        """VG-14.4 An enemy after a blow; None, if it dies of it."""
        wounded = enemy._replace(damage=enemy.damage + damage)
        return wounded if wounded.damage < self.traits[enemy.name].health else None

    def way_out(self, enemies: Standing, zone: str) -> int:
        """VG-19.3, VG-Q44 The fewest enemies on a way from a zone to the Entry Zone, both ends included."""
        met_in = dict.fromkeys(self.plan.doors, 0)
        for enemy in enemies:
            met_in[enemy.zone] += 1
        best = {zone: met_in[zone]}
        frontier = [zone]
        for here in frontier:
            for there in self.plan.doors[here]:
                met = best[here] + met_in[there]
                if there not in best or met < best[there]:
                    best[there] = met
                    frontier.append(there)
        return best[self.entry]


@lru_cache(maxsize=512)
def ground_of(content: Content, board: str, boss: str, ignored: tuple[str, ...]) -> Ground:
    """The ground of a den with this board and this boss."""
    known = printed(content)
    return Ground(known.plans[board], known.traits, boss, content.named[board].entry, ignored)


def ground(t: Vengeance) -> Ground:
    """The den under attack."""
    return ground_of(t.content, t.face(t.den.board.top).name, boss_name(t), t.ignored)


def boss_name(t: Vengeance) -> str:
    return t.face(t.den.boss.top).name


def boss_here(t: Vengeance) -> Enemy | None:
    """The boss, if he lives."""
    name = boss_name(t)
    return next((enemy for enemy in t.enemies if enemy.name == name), None)


def crowd(t: Vengeance, zone: str) -> list[Enemy]:
    """The living enemies in a zone."""
    return [enemy for enemy in t.enemies if enemy.zone == zone]


def can_leave(t: Vengeance, zone: str) -> bool:
    return ground(t).can_leave(t.enemies, zone)


def targets(t: Vengeance, zone: str, ignoring: Collection[str] = ()) -> list[Enemy]:
    return ground(t).targets(t.enemies, zone, ignoring)


def shot_targets(t: Vengeance, zone: str, ignoring: Collection[str] = ()) -> list[Enemy]:
    return ground(t).shot_targets(t.enemies, zone, ignoring)


def vulnerable(t: Vengeance, enemy: Enemy, face: str) -> bool:
    return ground(t).vulnerable(enemy, face)


def distance(t: Vengeance, a: str, b: str) -> int:
    """VG-12.8 Doorways between two zones."""
    return ground(t).plan.distance[a, b]
