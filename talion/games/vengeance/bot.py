"""What a position is worth, for bots. The unit is a Vengeance Point.

Fights are puzzles: the dice of a round are searched to the end (`Arena`), with what may come after it as a guess.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from talion.kernel import CardView, Content, Face, Option, Said

from .rules.dens import Standing, ground_of
from .rules.fight import ROUNDS
from .rules.printed import printed
from .rules.table import TRACK_OF, TURNS, Enemy

A_LEAD, FOR_EACH_TURN = 2.0, 0.6
"""VP that make a match likely won: at its end, and more for each turn that is still to come."""
HINT = 0.03
"""What a VP is worth in a hint."""
IN_HAND = 0.25
"""The share of its worth that a Vengeance card has before it is in play: few of those are ever played."""
A_DEN = 1.2
"""What a Fight brings for which there is a card in play, whatever boss it names."""
REMEMBERED = 4000
"""States of a Fight that are kept from one question to the next."""
A_FIGHT = 1.8
"""What a Fight is taken to bring to others."""
A_DIE = 0.6
"""What one Skill die more brings in a Fight."""
SANEST, WILDEST = 3.0, 2.0
"""What the missions pay to the hero with the fewest wounds of the Mind, and to the one with the most wild tokens."""
MIND_DIE = {"HEAL": 0.05, "UPGRADE": 0.55, "RECON": 0.2, "WILD": 0.5, "SPEED": 0.1}
POINT = {"heal": 0.3, "upgrade": 0.5, "recon": 0.15, "speed": 0.05}
PAIN = {"Hurt": 0.2, "Crazy": 0.5, "Broken": 0.7}


def value(view: Any, seat: int) -> float:
    """From 0 (lost) to 1 (won): my strength against the points and prospects of the best of the others."""
    to_come = len(TURNS) - 1 - view.turn
    mine = strength(view, view.heroes[seat])
    theirs = max(
        points(view, hero) + A_FIGHT * fights_left(view, hero) for hero in view.heroes if hero.seat != seat
    )
    return odds((mine - theirs) / (A_LEAD + FOR_EACH_TURN * to_come))


def strength(view: Any, hero: Any) -> float:
    """Points, prospects and means, less the wounds, and what the present Fight promises."""
    fights = fights_left(view, hero)
    fighting = view.attacked is not None and view.active == hero.seat
    return (
        points(view, hero)
        + prospects(view, hero, fights)
        + means(view, hero, fights)
        - wounds(view, hero, fights + fighting)
        + (promise(view, hero) if fighting else 0.0)
    )


def points(view: Any, hero: Any) -> float:
    """VP, and what the three missions will likely add."""
    others = view.heroes  # oneself too: a lead counts no more than a tie, and so it was measured
    unsure = 0.4 + 0.5 * (len(TURNS) - 1 - view.turn)
    saner = min(crazy(other) for other in others) - crazy(hero)
    wilder = hero.wild - max(other.wild for other in others)
    gangs = Counter(face.gang for face in hero.scored.faces)
    missions = (
        max(gangs.values(), default=0) + SANEST * odds(saner / unsure) + WILDEST * odds(wilder / unsure)
    )
    return float(hero.vp + missions)


def crazy(hero: Any) -> int:
    return int(hero.red["Mind"] + 2 * hero.brown["Mind"])


def odds(lead: float) -> float:
    """A probability out of logarithms of odds: 1 / (1 + exp(-lead)), but no lead is too large for it."""
    return (1 + math.tanh(lead / 2)) / 2


def fights_left(view: Any, hero: Any) -> int:
    """Fights that have not begun."""
    later = TURNS[view.turn + 1 :].count("Combat")
    if TURNS[view.turn] != "Combat":
        return later
    waits = view.order.index(hero.seat) > view.order.index(view.active)
    return later + (waits or (view.active == hero.seat and view.window == "Ready" and view.attacked is None))


# ---- Prospects: what Vengeance cards may yet bring ----


def prospects(view: Any, hero: Any, fights: int) -> float:
    return hopes(Odds(view), hero.wrongs.faces, hero.hand.faces, fights) if fights else 0.0


def hopes(chances: Odds, wrongs: Sequence[Face], hand: Sequence[Face], fights: int) -> float:
    """What these cards may bring in so many Fights: each Fight takes one boss."""
    in_play = Counter(face.boss for face in wrongs)
    faces = {face.boss: face for face in wrongs}
    bosses = sorted((best_vp(faces[boss], n) * chances.of(boss) for boss, n in in_play.items()), reverse=True)
    held = sum(marginal(face, in_play[face.boss]) * chances.of(face.boss) for face in hand)
    return min(1.0, fights / 4) * (sum(bosses[:fights]) + IN_HAND * held) + A_DEN * min(fights, len(wrongs))


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
        self.open = {face.name for den in view.dens for face in den.boss.faces}
        self.dead = Counter(face.name for face in view.wall.faces)

    def of(self, boss: str) -> float:
        face = self.content.named[boss]
        big = face.get("big")
        if boss in self.open:
            return 0.5 if big else 0.65
        if self.dead[boss] >= face.count:
            return 0.0
        return 0.2 if big else 0.35 + 0.05 * face.count


# ---- Means: dice, tokens, upgrades ----


def means(view: Any, hero: Any, fights: int) -> float:
    """What is no point in itself: after the last Fight it is good for nothing."""
    if not fights:
        return 0.1 * hero.dice["HEAL"]
    wounded = sum(hero.red.values()) + 2 * sum(hero.brown.values())
    dice = sum(MIND_DIE[face] * n for face, n in hero.dice.items()) + 0.25 * min(
        2 * hero.dice["HEAL"], wounded
    )
    tiles = sum(
        tile(face, depth, fights)
        for stack in hero.stacks
        for depth, face in enumerate(reversed(stack.tiles.faces))
    )
    token = 0.45 if "Montage" in TURNS[view.turn :] else 0.15
    return dice + tiles + token * hero.wild + 0.2 * hero.recon


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
    if not fights:
        return 0.02 * sum(covered.values())
    full = any(len(tracks[track]) == n for track, n in covered.items())
    return (
        0.1 * sum(hero.brown.values())
        + health_cost(covered["Health"], len(tracks["Health"]), True)
        + 0.3 * montages * lost(tracks["Mind"], covered["Mind"])
        + A_DIE * fights * (power(tracks["Skill"], 0) - power(tracks["Skill"], covered["Skill"]))
        + 2.0 * full
    )


def lost(track: Any, covered: int) -> int:
    """Dice that a track has lost."""
    return int(track[0].value - (track[covered].value if covered < len(track) else 0))


def power(track: Any, covered: int) -> float:
    """Skill dice, and what the marks of a position come to in dice."""
    if covered >= len(track):
        return 0.0
    now = track[covered]
    return float(now.value + 0.6 * ("+" in now.marks) + 0.3 * ("RR" in now.marks))


def health_cost(hurt: float, size: int, tomorrow: bool) -> float:
    """The more is gone, the dearer the next point; after the last Fight it hardly matters."""
    return 0.12 * hurt + 0.12 * max(0, hurt - size // 2) ** 2 if tomorrow else 0.02 * hurt


# ---- The present Fight: the best that the dice at hand can do, and what may come after it ----

USUAL_DICE, USUAL_TILES = 4.15, 2
"""A hero's dice and active upgrades, as they are on average."""
HURT_IN_A_ROUND = 0.5
GANG = 0.6
"""What a scored card likely adds to the mission that counts those of one gang."""
Faces = tuple[str, ...]
Trick = tuple[Faces, Faces]
"""An Ability that turns dice of some faces into others."""
Tricks = tuple[Trick, ...]


def promise(view: Any, hero: Any) -> float:
    """What the Fight may still bring."""
    den = view.dens[view.attacked]
    if not den.board.count or not den.boss.count:
        return 0.0
    arena = arena_of(view, hero, den)
    if view.window == "Before roll" and not view.dice:
        return arena.future(view.zone, view.enemies, ROUNDS + 1 - view.round)
    if view.window == "After activation":
        return arena.future(view.zone, view.enemies, ROUNDS - view.round)
    faces = tuple(sorted(face for face, _ in view.dice if face != "BLANK"))
    return arena.best(view.zone, view.enemies, faces, tricks(hero))


def arena_of(view: Any, hero: Any, den: Any) -> Arena:
    """The den, with what it pays: points, less what the cards that are handed in for them could bring in Fights to come."""
    board, boss = den.board.faces[-1], den.boss.faces[-1]
    wrongs = hero.wrongs.faces
    copies = [face for face in wrongs if face.boss == boss.name]
    gang = [face for face in wrongs if face.gang == boss.gang]
    chances, fights = Odds(view), fights_left(view, hero)
    whole = hopes(chances, wrongs, (), fights)
    for_boss, for_den = 0.0, 0.0
    if copies:
        left = hopes(chances, [face for face in wrongs if face.boss != boss.name], (), fights)
        for_boss = max(0.0, best_vp(copies[0], len(copies)) + GANG * len(copies) - whole + left)
        for_den = float(board.vp)
    elif gang:
        left = max(hopes(chances, [one for one in wrongs if one is not face], (), fights) for face in gang)
        for_den = max(0.0, board.vp + GANG - whole + left)
    skill = printed(view.content).tracks[hero.name]["Skill"]
    return arena_for(
        view.content,
        board,
        boss,
        for_boss,
        for_den,
        ROUNDS - view.round,
        (hero.name, hero.red["Health"] + hero.brown["Health"]),
        power(skill, hero.red["Skill"] + hero.brown["Skill"]) - USUAL_DICE,
        sum(bool(stack.tiles.count) for stack in hero.stacks) - USUAL_TILES,
        tuple(sorted((zone, n) for zone, n in den.wild.items() if n)),
        bool(TURNS[view.turn + 1 :]),
        view.boss_acted,
        view.ignored,
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
        dice: float,
        tiles: int,
        wild: tuple[tuple[str, int], ...],
        tomorrow: bool,
        boss_acted: bool,
        ignored: tuple[str, ...],
    ) -> None:
        hero, self.hurt = health
        self.size = len(printed(content).tracks[hero]["Health"])
        self.ground = ground_of(content, board.name, boss.name, ignored)
        self.traits, self.plan, self.boss = self.ground.traits, self.ground.plan, boss.name
        self.reward, self.den_vp, self.rounds = reward, den_vp, rounds
        self.wild, self.tomorrow = wild, tomorrow
        self.kills, self.clears = 1.9 + 1.25 * dice + 0.25 * tiles, 1.1 + 1.35 * dice + 0.42 * tiles
        self.boss_acted = boss_acted
        self.known: dict[Any, float] = {}

    # Searching the round

    def best(self, zone: str, enemies: Standing, dice: Faces, tricks: Tricks) -> float:
        """The best end of this round, over all ways of spending the dice. It is found in full each time, so that it does
        not hang on what was asked before."""
        if len(self.known) > REMEMBERED:
            self.known.clear()
        return self._best(zone, enemies, dice, tricks)

    def _best(self, zone: str, enemies: Standing, dice: Faces, tricks: Tricks) -> float:
        key = (zone, enemies, dice, tricks)
        found = self.known.get(key)
        if found is None:
            found = self.end(zone, enemies, dice)
            if enemies:
                for after in self.spent(zone, enemies, dice, tricks):
                    found = max(found, self._best(*after))
            self.known[key] = found
        return found

    def spent(self, zone: str, enemies: Standing, dice: Faces, tricks: Tricks) -> Iterator[Any]:
        """Every way to spend one die, or to use one trick."""
        for face in sorted(set(dice)):
            left = without(dice, (face,))
            if face == "MOVE" and self.ground.can_leave(enemies, zone):
                yield from ((there, enemies, left, tricks) for there in self.plan.doors[zone])
            elif face in ("HIT", "DOUBLE HIT"):
                for enemy in sorted(set(self.ground.hit_targets(enemies, zone, face))):
                    yield zone, self.struck(enemies, enemy, 1 if face == "HIT" else 2), left, tricks
            elif face == "SHOT":
                for there in self.plan.doors[zone]:
                    for enemy in sorted(set(self.ground.shot_targets(enemies, there))):
                        yield zone, self.struck(enemies, enemy, 1), left, tricks
        for i, (old, new) in enumerate(tricks):
            if not Counter(old) - Counter(dice):
                changed = tuple(sorted((*without(dice, old), *new)))
                yield zone, enemies, changed, tricks[:i] + tricks[i + 1 :]

    def struck(self, enemies: Standing, enemy: Enemy, damage: int) -> Standing:
        standing = list(enemies)
        standing.remove(enemy)
        if wounded := self.ground.struck(enemy, damage):
            standing.append(wounded)
        return tuple(sorted(standing))

    # Judging its end

    def end(self, zone: str, enemies: Standing, dice: Faces) -> float:
        """The hero stops here: enemies act, and the next rounds come."""
        everybody, boss_acts = "ENEMY" in dice, "ENEMY" in dice or "BOSS" in dice
        damage = 0
        for enemy in self.ground.reaching(enemies, zone):
            acts = boss_acts and not self.boss_acted if enemy.name == self.boss else everybody
            damage += self.traits[enemy.name].damage if acts else 0
        return self.future(zone, enemies, self.rounds, damage)

    def future(self, zone: str, enemies: Standing, rounds: int, damage: int = 0) -> float:
        """What is won, what may be won in the rounds to come, and what it costs."""
        room = self.size - self.hurt - damage
        if room <= 0:
            rounds = 0
        elif enemies and not rounds:
            damage += self.ground.way_out(enemies, zone)
        stamina = (0.0, 0.7, 0.85, 0.95)[room] if 0 <= room < 4 else 1.0
        minions = sum(self.traits[name].health for _, name, *_ in enemies if name != self.boss)
        where = next((at for at, name, *_ in enemies if name == self.boss), None)
        killed = 1.0 if where is None else self.kill_chance(zone, where, enemies, rounds, minions) * stamina
        cleared = self.clear_chance(rounds, minions) * stamina if minions else 1.0
        tokens = sum(n for at, n in self.wild if all(there != at for there, *_ in enemies))
        hurt, to_do = float(damage), 0.0
        if rounds and enemies:
            hurt += HURT_IN_A_ROUND * rounds
            to_do = 0.03 * sum(self.plan.distance[zone, at] for at, *_ in enemies)
        won = self.reward * killed + self.den_vp * cleared + 0.5 * tokens + (0.4 if where is None else 0.0)
        return won - self.pain(hurt) - to_do

    def kill_chance(self, zone: str, where: str, enemies: Standing, rounds: int, minions: int) -> float:
        """How often bots killed the boss who still had so many rounds for it, fitted to 421 rounds."""
        if not rounds:
            return 0.0
        guards = sum(
            self.traits[name].health for at, name, *_ in enemies if at == where and self.traits[name].guards
        )
        need = self.traits[self.boss].health + guards
        away = self.plan.distance[zone, where]
        root = math.sqrt(rounds)
        return odds(self.kills + 1.45 * root - (0.9 * need + 0.8 * away + 0.3 * minions) / root)

    def clear_chance(self, rounds: int, minions: int) -> float:
        """How often bots killed all minions who still had so many rounds for it, fitted to 728 rounds."""
        root = math.sqrt(rounds)
        return odds(self.clears + 2.3 * root - 1.15 * minions / root) if rounds else 0.0

    def pain(self, damage: float) -> float:
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
