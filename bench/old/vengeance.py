"""What a position is worth, for bots. The unit is a Vengeance Point.

Fights are puzzles: the dice of a round are searched to the end (`Arena`), with what may come after it as a guess.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from talion.games.vengeance.rules.fight import ROUNDS
from talion.games.vengeance.rules.printed import Plan, printed
from talion.games.vengeance.rules.table import TRACK_OF, TURNS
from talion.kernel import CardView, Content, Face, Option, Said

A_LEAD = 8.0
"""VP that make a match likely won."""
HINT = 0.03
"""What a VP is worth in a hint."""
IN_HAND = 0.45
"""The share of its worth that a Vengeance card has before it is in play."""
MOST_STATES = 4000
"""States of one round that a search looks at."""
MIND_DIE = {"HEAL": 0.5, "UPGRADE": 0.55, "RECON": 0.2, "WILD": 0.5, "SPEED": 0.1}
POINT = {"heal": 0.3, "upgrade": 0.5, "recon": 0.15, "speed": 0.05}
PAIN = {"Hurt": 0.2, "Crazy": 0.5, "Broken": 0.7}


def value(view: Any, seat: int) -> float:
    """From 0 (lost) to 1 (won): my strength against the points of the best of the others."""
    mine = strength(view, view.heroes[seat])
    theirs = max(hero.vp + 0.5 * hero.wrongs.count for hero in view.heroes if hero.seat != seat)
    return 1 / (1 + math.exp((theirs - mine) / A_LEAD))


def strength(view: Any, hero: Any) -> float:
    """Points, prospects and means, less the wounds, and what the present Fight promises."""
    fights = fights_left(view, hero)
    fighting = view.attacked is not None and view.active == hero.seat
    return (
        hero.vp
        + prospects(view, hero, fights)
        + means(hero, fights)
        - wounds(view, hero, fights + fighting)
        + (promise(view, hero) if fighting else 0.0)
    )


def fights_left(view: Any, hero: Any) -> int:
    """Fights that have not begun."""
    later = TURNS[view.turn + 1 :].count("Combat")
    if TURNS[view.turn] != "Combat":
        return later
    waits = view.order.index(hero.seat) > view.order.index(view.active)
    return later + (waits or (view.active == hero.seat and view.window == "Ready" and view.attacked is None))


# ---- Prospects: what Vengeance cards may yet bring ----


def prospects(view: Any, hero: Any, fights: int) -> float:
    if not fights:
        return 0.0
    odds = Odds(view)
    in_play: Counter[str] = Counter()
    faces: dict[str, Face] = {}
    for card in hero.wrongs:
        in_play[card.face.boss] += 1
        faces[card.face.boss] = card.face
    hopes = [best_vp(faces[boss], n) * odds.of(boss) for boss, n in in_play.items()]
    hand = [card.face for card in hero.hand if isinstance(card, CardView)]
    held = sum(marginal(face, in_play[face.boss]) * odds.of(face.boss) for face in hand)
    best = sum(sorted(hopes, reverse=True)[: fights + 1])
    return min(1.0, fights / 3) * (best + IN_HAND * held) + 0.4 * min(fights, hero.wrongs.count)


def best_vp(face: Face, copies: int) -> float:
    """What so many copies score together."""
    return float(face.vp[min(copies, len(face.vp)) - 1])


def marginal(face: Face, copies: int) -> float:
    """What one copy more adds."""
    return best_vp(face, copies + 1) - (best_vp(face, copies) if copies else 0.0)


class Odds:
    """How likely it is to meet a boss and kill him: he is known to be there, may lie in the deck, or is dead."""

    def __init__(self, view: Any) -> None:
        self.content = view.content
        self.open = {card.face.name for den in view.dens for card in den.boss}
        self.dead = Counter(card.face.name for card in view.wall)

    def of(self, boss: str) -> float:
        face = self.content.named[boss]
        big = face.get("big")
        if boss in self.open:
            return 0.5 if big else 0.65
        if self.dead[boss] >= face.count:
            return 0.0
        return 0.2 if big else 0.35 + 0.05 * face.count


# ---- Means: dice, tokens, upgrades ----


def means(hero: Any, fights: int) -> float:
    dice = sum(MIND_DIE[face] * n for face, n in hero.dice.items())
    tiles = sum(
        tile(card.face, depth, fights)
        for stack in hero.stacks
        for depth, card in enumerate(reversed(stack.tiles.cards))
    )
    return dice + tiles + 0.55 * hero.wild + (0.2 * hero.recon if fights else 0.0)


def tile(face: Face, depth: int, fights: int) -> float:
    """An Item serves once, an Ability in every Fight to come; what is covered serves less."""
    if face.kind == "item":
        return 0.5 * face.cost * (1.0 if depth == 0 else 0.3) * bool(fights)
    return 0.5 * face.cost * (1.0 if depth == 0 else 0.15) * min(fights, 4) / 4


# ---- Wounds ----


def wounds(view: Any, hero: Any, fights: int) -> float:
    tracks = printed(view.content).tracks[hero.name]
    covered = {track: hero.red[track] + hero.brown[track] for track in tracks}
    montages = TURNS[view.turn + 1 :].count("Montage")
    sanity = 0.12 * (hero.red["Mind"] + 2 * hero.brown["Mind"])
    if not fights:
        return sanity + 0.02 * sum(covered.values())
    full = any(len(tracks[track]) == n for track, n in covered.items())
    return (
        sanity
        + 0.1 * sum(hero.brown.values())
        + health_cost(covered["Health"], len(tracks["Health"]), True)
        + 0.3 * montages * lost(tracks["Mind"], covered["Mind"])
        + 0.3 * fights * lost(tracks["Skill"], covered["Skill"])
        + 2.0 * full
    )


def lost(track: Any, covered: int) -> int:
    """Dice that a track has lost."""
    return int(track[0].value - (track[covered].value if covered < len(track) else 0))


def health_cost(hurt: int, size: int, tomorrow: bool) -> float:
    """The more is gone, the dearer the next point; after the last Fight it hardly matters."""
    return 0.12 * hurt + 0.12 * max(0, hurt - size // 2) ** 2 if tomorrow else 0.02 * hurt


# ---- The present Fight: the best that the dice at hand can do, and what may come after it ----

Enemy = tuple[str, str, int]
Standing = tuple[Enemy, ...]
Faces = tuple[str, ...]
Trick = tuple[Faces, Faces]
"""An Ability that turns dice of some faces into others."""
Tricks = tuple[Trick, ...]


def crowd(view: Any) -> Standing:
    """The enemies as they were told then: zone, name and damage."""
    return tuple(tuple(enemy[:3]) for enemy in view.enemies)


def promise(view: Any, hero: Any) -> float:
    """What the Fight may still bring."""
    den = view.dens[view.attacked]
    if not den.board.count or not den.boss.count:
        return 0.0
    arena = arena_of(view, hero, den)
    if view.window == "Before roll" and not view.dice:
        return arena.future(view.zone, crowd(view), ROUNDS + 1 - view.round)
    if view.window == "After activation":
        return arena.future(view.zone, crowd(view), ROUNDS - view.round)
    faces = tuple(sorted(face for face, _ in view.dice if face != "BLANK"))
    return arena.best(view.zone, crowd(view), faces, tricks(hero))


def arena_of(view: Any, hero: Any, den: Any) -> Arena:
    board, boss = den.board.cards[-1].face, den.boss.cards[-1].face
    copies = [card.face for card in hero.wrongs if card.face.boss == boss.name]
    gang = any(card.face.gang == boss.gang for card in hero.wrongs)
    return arena_for(
        view.content,
        board,
        boss,
        best_vp(copies[0], len(copies)) if copies else 0.0,
        float(board.vp) if gang else 0.0,
        ROUNDS - view.round,
        (hero.name, hero.red["Health"] + hero.brown["Health"]),
        tuple(sorted((zone, n) for zone, n in den.wild.items() if n)),
        bool(TURNS[view.turn + 1 :]),
        view.boss_acted,
        "Blockers" in view.ignored,
    )


@lru_cache(maxsize=256)
def arena_for(*facts: Any) -> Arena:
    """The same den with the same hero is searched once."""
    return Arena(*facts)


class Arena:
    """A den under attack, as far as a search needs it. What is not in here is the hero's zone, enemies and dice."""

    def __init__(
        self,
        content: Content,
        board: Face,
        boss: Face,
        reward: float,
        den_vp: float,
        rounds: int,
        health: tuple[str, int],
        wild: tuple[tuple[str, int], ...],
        tomorrow: bool,
        boss_acted: bool,
        unblocked: bool,
    ) -> None:
        hero, self.hurt = health
        self.size = len(printed(content).tracks[hero]["Health"])
        self.traits = printed(content).traits
        self.plan = Plan.of(board)
        self.entry = board.entry
        self.boss = boss.name
        self.reward, self.den_vp, self.rounds = reward, den_vp, rounds
        self.wild, self.tomorrow = wild, tomorrow
        self.boss_acted, self.unblocked = boss_acted, unblocked
        self.known: dict[Any, float] = {}

    # Searching the round

    def best(self, zone: str, enemies: Standing, dice: Faces, tricks: Tricks) -> float:
        """The best end of this round, over all ways of spending the dice."""
        key = (zone, enemies, dice, tricks)
        found = self.known.get(key)
        if found is None:
            found = self.end(zone, enemies, dice)
            self.known[key] = found
            if enemies and len(self.known) < MOST_STATES:
                for after in self.spent(zone, enemies, dice, tricks):
                    found = max(found, self.best(*after))
                self.known[key] = found
        return found

    def spent(self, zone: str, enemies: Standing, dice: Faces, tricks: Tricks) -> Iterator[Any]:
        """Every way to spend one die, or to use one trick."""
        for face in sorted(set(dice)):
            left = without(dice, (face,))
            if face == "MOVE" and self.free(zone, enemies):
                yield from ((there, enemies, left, tricks) for there in self.plan.doors[zone])
            elif face in ("HIT", "DOUBLE HIT"):
                for enemy in self.reachable(zone, enemies):
                    yield zone, self.struck(enemies, enemy, 1 if face == "HIT" else 2), left, tricks
            elif face == "SHOT":
                for there in self.plan.doors[zone]:
                    for enemy in self.shootable(there, enemies):
                        yield zone, self.struck(enemies, enemy, 1), left, tricks
        for i, (old, new) in enumerate(tricks):
            if not Counter(old) - Counter(dice):
                changed = tuple(sorted((*without(dice, old), *new)))
                yield zone, enemies, changed, tricks[:i] + tricks[i + 1 :]

    def free(self, zone: str, enemies: Standing) -> bool:
        return self.unblocked or not any(at == zone and self.traits[name].blocks for at, name, _ in enemies)

    def reachable(self, zone: str, enemies: Standing) -> set[Enemy]:
        here = {enemy for enemy in enemies if enemy[0] == zone}
        guarded = any(self.traits[name].guards for _, name, _ in here)
        return {enemy for enemy in here if not (guarded and enemy[1] == self.boss)}

    def shootable(self, zone: str, enemies: Standing) -> set[Enemy]:
        here = {
            enemy for enemy in self.reachable(zone, enemies) if "SHOT" not in self.traits[enemy[1]].immune
        }
        return {enemy for enemy in here if self.traits[enemy[1]].shot_first} or here

    def struck(self, enemies: Standing, enemy: Enemy, damage: int) -> Standing:
        standing = list(enemies)
        standing.remove(enemy)
        zone, name, taken = enemy
        if taken + damage < self.traits[name].health:
            standing.append((zone, name, taken + damage))
        return tuple(sorted(standing))

    # Judging its end

    def end(self, zone: str, enemies: Standing, dice: Faces) -> float:
        """The hero stops here: enemies act, and the next rounds come."""
        everybody, boss_acts = "ENEMY" in dice, "ENEMY" in dice or "BOSS" in dice
        damage = 0
        for at, name, _ in enemies:
            traits = self.traits[name]
            if self.plan.distance[at, zone] in traits.reach:
                acts = boss_acts and not self.boss_acted if name == self.boss else everybody
                damage += traits.damage if acts else 0
        return self.future(zone, enemies, self.rounds, damage)

    def future(self, zone: str, enemies: Standing, rounds: int, damage: int = 0) -> float:
        """What is won, what may be won in the rounds to come, and what it costs."""
        room = self.size - self.hurt - damage
        if room <= 0:
            rounds = 0
        elif enemies and not rounds:
            damage += sum(at in (zone, self.entry) for at, _, _ in enemies)  # about what leaving costs
        stamina = (0.0, 0.55, 0.75, 0.9)[room] if 0 <= room < 4 else 1.0
        minions = sum(self.traits[name].health for _, name, _ in enemies if name != self.boss)
        where = next((at for at, name, _ in enemies if name == self.boss), None)
        killed = 1.0 if where is None else self.kill_chance(zone, where, enemies, rounds) * stamina
        cleared = 0.9 * min(1.0, 1.6 * rounds / minions) ** 2 * stamina if minions else 1.0
        tokens = sum(n for at, n in self.wild if all(there != at for there, _, _ in enemies))
        to_do = (
            (0.03 * sum(self.plan.distance[zone, at] for at, _, _ in enemies) + 0.05 * minions)
            if rounds
            else 0.0
        )
        won = self.reward * killed + self.den_vp * cleared + 0.5 * tokens + (0.4 if where is None else 0.0)
        return won - self.pain(damage) - to_do

    def kill_chance(self, zone: str, where: str, enemies: Standing, rounds: int) -> float:
        guards = sum(
            self.traits[name].health for at, name, _ in enemies if at == where and self.traits[name].guards
        )
        away = self.plan.distance[zone, where]
        need = self.traits[self.boss].health + guards + 0.8 * away
        return 1 - (1 - min(0.85, 1.7 / need)) ** max(0.0, rounds - 0.5 * max(0, away - 1))

    def pain(self, damage: int) -> float:
        more = health_cost(self.hurt + damage, self.size, self.tomorrow)
        return more - health_cost(self.hurt, self.size, self.tomorrow)


def without(dice: Faces, some: Faces) -> Faces:
    left = list(dice)
    for face in some:
        left.remove(face)
    return tuple(left)


def tricks(hero: Any) -> Tricks:
    """What the hero's active, unused Abilities can make of dice."""
    tops = [stack.tiles.cards[-1] for stack in hero.stacks if stack.tiles.count]
    return tuple(sorted(trick for card in tops if not card.used for trick in conversions(card.face)))


@lru_cache(maxsize=256)
def conversions(face: Face) -> Tricks:
    """An Ability that does nothing but convert dice of one kind."""
    said = face.said["text"][0]
    if face.kind != "ability" or set(said.filled) != {"deeds"} or "old" not in said.filled["deeds"][0].filled:
        return ()
    deed = said.filled["deeds"][0]
    old, new = parts(deed.filled["old"]), parts(deed.filled["new"])
    gained = tuple(faces[0] for n, faces in new for _ in range(n))
    return tuple(((face,) * old[0][0], gained) for face in old[0][1]) if len(old) == 1 else ()


def parts(dice: Said) -> list[tuple[int, list[str]]]:
    return [
        (part.filled["n"], [face.value for face in part.filled["faces"]]) for part in dice.filled["parts"]
    ]


# ---- Hints: for choices whose worth shows only later ----


def hint(view: Any, option: Option) -> float:
    """Small preferences among options that look alike one decision ahead."""
    hero = view.heroes[view.viewer]
    match option:
        case ("suffer", card):
            face = face_of(hero.hand, card)
            return HINT * (0.3 * face.vp[0] - pain(face))
        case ("lay", card):
            return HINT * usefulness(hero, face_of(hero.montage, card))
        case ("add", n):
            return HINT * n
        case ("boost", "+2") if hero.dice["WILD"]:
            return HINT / 2
        case ("boost", _):
            return -HINT / 2
        case ("scout", _):
            return HINT / 2
        case ("attack", board) if not boss_is_known(view, board):
            return -HINT / 3
        case ("reroll", face, _):
            return HINT * (0.3 if face == "BLANK" else -0.3)
    return 0.0


def boss_is_known(view: Any, board: int) -> bool:
    """Whoever hopes for the best of unknown bosses is disappointed."""
    den = next(den for den in view.dens if den.board.count and den.board.cards[-1].number == board)
    return all(isinstance(card, CardView) for card in den.hidden.cards)


def face_of(zone: Any, card: int) -> Face:
    return next(one.face for one in zone.cards if one.number == card)


@lru_cache(maxsize=256)
def pain(face: Face) -> float:
    """What a Vengeance card does to the hero who plays it."""
    wounds = [wound for line in face.said["suffer"] for wound in line.filled["wounds"]]
    return sum(
        PAIN[w.filled["damage"].value] * w.filled["n"] * w.phrase.hints.get("severe", 1.0) for w in wounds
    )


def usefulness(hero: Any, face: Face) -> float:
    """What a Montage card is good for now: healing only for the wounded."""
    wounded = sum(hero.red[track] for track in TRACK_OF.values()) + 2 * sum(hero.brown.values())
    points = {kind: face.get(kind) or 0 for kind in POINT}
    points["heal"] = min(points["heal"] + ("heal" in face.fields), wounded)
    return sum(POINT[kind] * n for kind, n in points.items()) + (0.4 if face.get("special") else 0.0)
