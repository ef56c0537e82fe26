"""What a position is worth, for bots. The unit is a Vengeance Point."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import Any

from talion.kernel import CardView, Face, Option

from .rules.printed import Plan, Traits, printed
from .rules.table import TRACK_OF, TURNS

A_LEAD = 8.0
"""VP that make a match likely won."""
HINT = 0.03
"""What a VP is worth in a hint."""
IN_HAND = 0.45
"""The share of its worth that a Vengeance card has before it is in play."""
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
    montages = TURNS[view.turn + 1 :].count("Montage")
    fighting = view.attacked is not None and view.active == hero.seat
    return (
        hero.vp
        + prospects(view, hero, fights)
        + means(hero, fights)
        - wounds(view, hero, fights + fighting, montages)
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
    hopes = [faces[boss].vp[min(n, len(faces[boss].vp)) - 1] * odds.of(boss) for boss, n in in_play.items()]
    hand = [card.face for card in hero.hand if isinstance(card, CardView)]
    held = sum(marginal(face, in_play) * odds.of(face.boss) for face in hand)
    best = sum(sorted(hopes, reverse=True)[: fights + 1])
    return min(1.0, fights / 3) * (best + IN_HAND * held) + 0.4 * min(fights, hero.wrongs.count)


def marginal(face: Face, in_play: Counter[str]) -> float:
    """What one more copy adds."""
    held = in_play[face.boss]
    if held >= len(face.vp):
        return 0.0
    return float(face.vp[held] - (face.vp[held - 1] if held else 0))


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
    fresh = (0.5 if fights else 0.0) if face.kind == "item" else 0.5 * min(fights, 4) / 4
    return float(face.cost) * fresh * (1.0 if depth == 0 else 0.3 if face.kind == "item" else 0.15)


# ---- Wounds ----


def wounds(view: Any, hero: Any, fights: int, montages: int) -> float:
    tracks = printed(view.content).tracks[hero.name]
    covered = {track: hero.red[track] + hero.brown[track] for track in tracks}
    brown = 0.1 * sum(hero.brown.values())
    crazy = 0.12 * (hero.red["Mind"] + 2 * hero.brown["Mind"])
    if not fights and not montages:
        return crazy + 0.02 * sum(covered.values())
    size, hurt = len(tracks["Health"]), covered["Health"]
    health = 0.12 * hurt + 0.12 * max(0, hurt - size // 2) ** 2
    lost = {
        track: tracks[track][0].value - value_at(tracks[track], covered[track]) for track in ("Mind", "Skill")
    }
    full = any(len(tracks[track]) == n for track, n in covered.items())
    return (
        brown
        + crazy
        + health
        + 0.3 * montages * lost["Mind"]
        + 0.3 * fights * lost["Skill"]
        + (2.0 if full else 0.0)
    )


def value_at(track: Any, covered: int) -> int:
    return track[covered].value if covered < len(track) else 0


# ---- The present Fight ----


def promise(view: Any, hero: Any) -> float:
    """What the Fight has brought and may still bring, by who lives, where they stand and the dice at hand."""
    den = view.dens[view.attacked]
    if not den.board.count or not den.boss.count:
        return 0.0
    board, boss = den.board.cards[-1].face, den.boss.cards[-1].face
    traits = printed(view.content).traits
    plan = plan_of(board)
    left = [(zone, name, traits[name].health - damage) for zone, name, damage in view.enemies]
    minions = sum(health for _, name, health in left if name != boss.name)
    rounds = 3 - view.round
    reward, den_vp = rewards(hero, board, boss)
    steam = stamina(view, hero)
    if view.boss_killed:
        worth = reward
    else:
        worth = (reward + 0.4) * kill_chance(view, boss, traits, plan, left, rounds) * steam
    clear = (
        1.0 if not minions else 0.8 * min(1.0, (2.2 * rounds + 0.7 * firepower(view)) / minions) ** 2 * steam
    )
    far = sum(plan.distance[view.zone, zone] for zone, _, _ in left) if rounds and left else 0
    return (
        worth
        + den_vp * clear
        + 0.5 * sum(n for n in den.wild.values()) * 0.2 * steam
        - 0.08 * minions
        - 0.05 * far
    )


def rewards(hero: Any, board: Face, boss: Face) -> tuple[float, float]:
    """VP for the boss and for the den, by the cards in play."""
    copies = [card.face for card in hero.wrongs if card.face.boss == boss.name]
    gang = any(card.face.gang == boss.gang for card in hero.wrongs)
    best = copies[0].vp[min(len(copies), len(copies[0].vp)) - 1] if copies else 0.0
    return float(best), float(board.vp) if gang else 0.0


def kill_chance(
    view: Any, boss: Face, traits: dict[str, Traits], plan: Plan, left: Any, rounds: int
) -> float:
    """Now, with the dice at hand; or in a later round, from full Health."""
    zone, health = next(((zone, health) for zone, name, health in left if name == boss.name), (view.zone, 0))
    guards = sum(h for z, name, h in left if z == zone and traits[name].guards)
    away = plan.distance[view.zone, zone]
    faces = Counter(face for face, _ in view.dice)
    melee = faces["HIT"] + 2 * faces["DOUBLE HIT"]
    now = melee if away == 0 else melee if away <= faces["MOVE"] else 0
    if away == 1 and "SHOT" not in traits[boss.name].immune:
        now = max(now, faces["SHOT"])
    if now >= health + guards:
        return 0.95
    need = traits[boss.name].health + guards + 0.8 * away
    later = 1 - (1 - min(0.85, 1.6 / need)) ** rounds if rounds else 0.0
    return later


def firepower(view: Any) -> int:
    return sum(face in ("HIT", "DOUBLE HIT", "SHOT") for face, _ in view.dice)


def stamina(view: Any, hero: Any) -> float:
    """How likely the hero is to stay on her feet."""
    size = len(printed(view.content).tracks[hero.name]["Health"])
    left = size - hero.red["Health"] - hero.brown["Health"]
    return (0.0, 0.5, 0.75, 0.9)[left] if left < 4 else 1.0


@lru_cache(maxsize=256)
def plan_of(board: Face) -> Plan:
    return Plan.of(board)


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
    return 0.0


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
