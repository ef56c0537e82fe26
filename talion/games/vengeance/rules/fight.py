"""VG-14 to VG-20: the Fight, round by round. Everything in it is public."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from talion.kernel import Asking, No, Option

from .attributes import current, is_full, suffer
from .dens import boss_here, boss_name, can_leave, crowd, distance, ground, shot_targets, targets, vulnerable
from .dice import count, roll, set_dice, spend_die
from .printed import plan, trait
from .scoring import score
from .table import ACTIVATIONS, Enemy, Vengeance
from .upgrades import gift, renew, usable, use, use_up

ROUNDS = 3
TOO_MANY_ACTIVATIONS = 3


def enter_den(t: Vengeance) -> Any:
    """VG-12.4, VG-12.7, VG-1.21 Minions on their circles, the boss and his entourage in the Boss Zone, the hero at the entry."""
    den = t.face(t.den.board.top)
    boss = t.face(t.den.boss.top)
    entourage = [boss.name, *boss.entourage]
    standing = [Enemy(zone, name, 0) for zone, names in den.zones.items() for name in names]
    t.enemies = tuple(sorted(standing + [Enemy(den.boss_zone, name, 0) for name in entourage]))
    t.zone = den.entry
    t.round = 0
    t.boss_killed = False
    t.fewer_dice = 0
    return fight_round


# ---- Damage, to enemies and to the hero ----


def strike(t: Vengeance, blows: Iterable[tuple[Enemy, int]]) -> Asking:
    """VG-14.4 Enemies take damage, all at the same time; the dead are removed."""
    standing = list(t.enemies)
    for enemy, damage in blows:
        standing.remove(enemy)
        if wounded := ground(t).struck(enemy, damage):
            standing.append(wounded)
        else:
            t.log("VG-14.4", "{name} dies in {zone}.", name=enemy.name, zone=enemy.zone)
    yield from leave_standing(t, standing)


def leave_standing(t: Vengeance, standing: Iterable[Enemy]) -> Asking:
    """VG-20.1, VG-26.1, VG-19.1 Who is left: wild tokens are claimed, a dead boss strikes back, a den may be clear."""
    boss = boss_here(t)
    before = {enemy.zone for enemy in t.enemies}
    t.enemies = tuple(sorted(standing))
    for zone in sorted(before - {enemy.zone for enemy in t.enemies}):
        claim_tokens(t, zone)
    if boss and not boss_here(t):
        t.boss_killed = True
        yield from hurt(t, boss=trait(t, boss.name).last_blow)
    if not t.enemies:
        t.log("VG-19.1", "{who} has cleared the den.", who=t.hero)
        t.go(score)


def claim_tokens(t: Vengeance, zone: str) -> None:
    """VG-20.1, VG-Q33 The zone's last enemy is gone: the hero takes its wild tokens, wherever she stands."""
    if t.den.wild[zone]:
        t.log("VG-20.1", "{who} takes the wild token of {zone}.", who=t.hero, zone=zone)
        t.hero.wild += t.den.wild[zone]
        t.den.wild[zone] = 0


def hurt(t: Vengeance, minions: int = 0, boss: int = 0) -> Asking:
    """VG-4.9, VG-Q9, VG-Q63 One event of Hurt. Prevention takes the boss's share first; returns what is left of it."""
    if not minions + boss:
        return 0
    coming, t.coming = t.coming, minions + boss  # whoever dies by a Reaction may strike back meanwhile
    window, t.window = t.window, "Reaction"
    while t.coming and any(usable(t, t.active)):
        answer = yield t.ask(
            t.active,
            _reactions,
            f"{t.coming} Hurt is coming",
            "VG-Q63",
            default=("take it",),
            window=True,
            minor=True,
        )
        if answer == ("take it",):
            break
        yield from use(t, answer[1])
    t.window = window
    prevented = minions + boss - t.coming
    hits, t.coming = t.coming, coming
    wound(t, hits)
    return max(0, boss - prevented)


def _reactions(t: Vengeance, seat: int) -> Iterator[Option | No]:
    yield ("take it",)
    yield from usable(t, seat)


def wound(t: Vengeance, n: int) -> None:
    """VG-4.7, VG-14.3, VG-Q13 Cubes are placed; a track that becomes full ends the Fight."""
    hero = t.hero
    if not n:
        return
    was_full = is_full(t, hero)
    suffer(t, hero, "Hurt", n)
    t.log("VG-4.9", "{who} takes {n} Hurt.", who=hero, n=n)
    if is_full(t, hero) and not was_full:
        t.log("VG-4.7", "{who} is knocked out.", who=hero)
        t.go(score)


# ---- The round ----


def fight_round(t: Vengeance) -> Any:
    """VG-12.1, VG-14.5 A new round: enemies recover, Abilities are fresh. After the third the hero leaves."""
    if t.round == ROUNDS:
        return leave_den
    t.round += 1
    enemies_recover(t)
    t.ignored = ()
    t.item_used = t.boss_acted = False
    renew(t)
    t.log("VG-14.1", "Round {n}.", n=t.round)
    return before_roll


def enemies_recover(t: Vengeance) -> None:
    """VG-14.5 Wounds that were not kept are gone."""
    t.enemies = tuple(sorted(Enemy(one.zone, one.name, one.damage if one.kept else 0) for one in t.enemies))


def before_roll(t: Vengeance) -> Asking:
    """VG-14.1 Upgrades worded “Before roll”."""
    return (yield from window(t, "Before roll", before_roll, run))


def window(t: Vengeance, name: str, again: Any, onward: Any) -> Asking:
    """A moment for upgrades of one timing. Nobody is asked when there is none to use."""
    t.window = name
    if any(usable(t, t.active)):
        answer = yield t.ask(
            t.active, _window_options, f"{name}: use an upgrade?", "VG-17.11", default=("go on",)
        )
        if answer != ("go on",):
            yield from use(t, answer[1])
            return again
    return onward


def _window_options(t: Vengeance, seat: int) -> Iterator[Option | No]:
    yield ("go on",)
    yield from usable(t, seat)


def run(t: Vengeance) -> Asking:
    """VG-15.1, VG-15.2 Before rolling the hero may Run, at 1 Hurt for each enemy she leaves behind."""
    if can_leave(t, t.zone):
        answer = yield t.ask(t.active, run_options, "Run?", "VG-15.1", default=("stay",))
        if answer != ("stay",):
            left = [] if "Run damage" in t.ignored else crowd(t, t.zone)
            bosses = sum(enemy.name == boss_name(t) for enemy in left)
            t.zone = answer[1]
            t.log("VG-15.1", "{who} runs to {zone}.", who=t.hero, zone=t.zone)
            yield from hurt(t, len(left) - bosses, bosses)
    return roll_skill


def run_options(t: Vengeance, seat: int) -> list[Option]:
    return [("stay",), *(("run", zone) for zone in plan(t).doors[t.zone])]


# ---- VG-16: rolling ----


def roll_skill(t: Vengeance) -> Any:
    """VG-16.1, VG-16.2, VG-Q38 Red dice by Skill, the bonus die with +; three activations are rolled again, once."""
    skill = current(t, t.hero, "Skill")
    red = max(0, skill.value - t.fewer_dice)
    t.fewer_dice = 0
    dice = [roll(t, "Skill") for _ in range(red)]
    if "+" in skill.marks:
        dice.append(roll(t, "Bonus"))
    say_dice(t, "VG-16.1", "rolls", dice)
    if sum(face in ACTIVATIONS for face, _ in dice) >= TOO_MANY_ACTIVATIONS:
        dice = [roll(t, kind) if face in ACTIVATIONS else (face, kind) for face, kind in dice]
        say_dice(t, "VG-16.2", "must roll again:", dice)
    set_dice(t, dice)
    return reroll


def say_dice(t: Vengeance, rule: str, verb: str, dice: Iterable[tuple[str, str]]) -> None:
    t.log(rule, "{who} {verb} {dice}.", who=t.hero, verb=verb, dice=[face for face, _ in dice])


def reroll(t: Vengeance) -> Asking:
    """VG-16.3, VG-Q2 With RR one die that is no activation may be rolled again."""
    if "RR" in current(t, t.hero, "Skill").marks and any(face not in ACTIVATIONS for face, _ in t.dice):
        answer = yield t.ask(t.active, reroll_options, "Roll a die again?", "VG-16.3", default=("keep all",))
        if answer != ("keep all",):
            roll_again(t, [answer[1:]])
    return early_boss


def reroll_options(t: Vengeance, seat: int) -> Iterator[Option | No]:
    yield ("keep all",)
    for die in sorted(set(t.dice)):
        if die[0] not in ACTIVATIONS:
            yield ("reroll", *die)
        elif t.explaining:
            yield No(("reroll", *die), "VG-16.3", "ENEMY and BOSS dice cannot be rolled again.")


def roll_again(t: Vengeance, chosen: Iterable[tuple[str, str]]) -> None:
    dice = list(t.dice)
    for die in chosen:
        dice.remove(die)
        dice.append(roll(t, die[1]))
    set_dice(t, dice)
    say_dice(t, "VG-16.4", "now has", t.dice)


def early_boss(t: Vengeance) -> Asking:
    """VG-25.4, VG-Q41b A Lordz boss acts now, or not at all in this round."""
    boss = boss_here(t)
    if boss and trait(t, boss.name).early:
        t.boss_acted = True
        t.window = ""
        if count(t, *ACTIVATIONS) and distance(t, boss.zone, t.zone) in trait(t, boss.name).reach:
            yield from boss_hits(t, 0, trait(t, boss.name).damage)
    return after_roll


def after_roll(t: Vengeance) -> Asking:
    """VG-Q4a Upgrades worded “After roll”, before any die is spent."""
    return (yield from window(t, "After roll", after_roll, act))


# ---- VG-17: spending dice ----


def act(t: Vengeance) -> Asking:
    """VG-17.1, VG-17.2 The hero spends a die, uses an upgrade, or ends her actions."""
    t.window = "Action"
    answer = yield t.ask(t.active, act_options, "Spend a die", "VG-17.2", default=("end",))
    if answer == ("end",):
        return activate
    yield from carry_out(t, answer)
    return act


def act_options(t: Vengeance, seat: int) -> Iterator[Option | No]:
    yield from die_options(t)
    yield from usable(t, seat)
    yield ("end",)


def die_options(t: Vengeance) -> Iterator[Option | No]:
    """VG-17.5, VG-17.7, VG-17.8, VG-17.9 What each die that can be spent may do."""
    faces = {face for face, _ in t.dice}
    if "MOVE" in faces:
        for zone in plan(t).doors[t.zone]:
            if can_leave(t, t.zone):
                yield ("move", zone)
            elif t.explaining:
                yield No(("move", zone), "VG-17.6", "A Blocker stands in your zone.")
    for face, verb in (("HIT", "hit"), ("DOUBLE HIT", "double")):
        if face in faces:
            open_to = ground(t).hit_targets(t.enemies, t.zone, face)
            yield from attacks(t, verb, crowd(t, t.zone), open_to)
    if "SHOT" in faces:
        for zone in plan(t).doors[t.zone]:
            yield from attacks(t, "shoot", crowd(t, zone), shot_targets(t, zone))


def attacks(t: Vengeance, verb: str, here: list[Enemy], allowed: list[Enemy]) -> Iterator[Option | No]:
    for enemy in sorted(set(here)):
        if enemy in allowed:
            yield (verb, *named(enemy))
        elif t.explaining:
            rule, why = cover(t, verb, enemy)
            yield No((verb, *named(enemy)), rule, why)


def named(enemy: Enemy) -> Option:
    """An enemy in an option: name, zone, and what tells it from others there, if anything."""
    return (
        enemy.name,
        enemy.zone,
        *((enemy.damage,) if enemy.damage else ()),
        *(("kept",) if enemy.kept else ()),
    )


def meant(option: Option) -> Enemy:
    """The reverse of `named`."""
    name, zone, *marks = option
    return Enemy(zone, name, next((mark for mark in marks if mark != "kept"), 0), "kept" in marks)


def cover(t: Vengeance, verb: str, enemy: Enemy) -> tuple[str, str]:
    """Why an enemy cannot be struck."""
    if verb == "shoot" and not vulnerable(t, enemy, "SHOT"):
        return "VG-26.2", f"SHOT does nothing to {enemy.name}."
    if enemy not in targets(t, enemy.zone):
        return "VG-24.2", "A Bodyguard stands with the boss."
    return "VG-17.10", "Grunts must be shot first."


def carry_out(t: Vengeance, answer: Option) -> Asking:
    """One die spent, or one upgrade used."""
    verb = answer[0]
    if verb == "use":
        yield from use(t, answer[1])
    elif verb == "move":
        spend_die(t, "MOVE")
        move_to(t, answer[1])
    elif verb == "double":
        spend_die(t, "DOUBLE HIT")
        yield from double_hit(t, meant(answer[1:]))
    else:
        spend_die(t, "HIT" if verb == "hit" else "SHOT")
        t.log(
            "VG-17.7" if verb == "hit" else "VG-17.9",
            "{who}: {verb} {name} in {zone}.",
            who=t.hero,
            verb=verb,
            name=answer[1],
            zone=answer[2],
        )
        yield from strike(t, [(meant(answer[1:]), 1)])


def move_to(t: Vengeance, zone: str) -> None:
    """VG-17.5 Leaving enemies behind costs nothing."""
    t.zone = zone
    t.log("VG-17.5", "{who} moves to {zone}.", who=t.hero, zone=zone)


def double_hit(t: Vengeance, enemy: Enemy) -> Asking:
    """VG-17.8 Two damage to one enemy. What is too much is lost, unless an Ability passes it on."""
    excess = enemy.damage + 2 - trait(t, enemy.name).health
    t.log("VG-17.8", "{who}: double hit {name} in {zone}.", who=t.hero, name=enemy.name, zone=enemy.zone)
    yield from strike(t, [(enemy, 2)])
    tile = gift(t, "excess")
    others = targets(t, t.zone)
    if excess > 0 and tile is not None and others:
        options = [("spare",), *(("pass on", *named(other)) for other in sorted(set(others)))]
        answer = yield t.ask(
            t.active, options, "Pass the excess damage on?", "VG-17.8", default=options[1], minor=True
        )
        if answer != ("spare",):
            use_up(t, tile)
            yield from strike(t, [(meant(answer[1:]), excess)])


# ---- VG-18: activation ----


def activate(t: Vengeance) -> Asking:
    """VG-18.2, VG-18.4, VG-18.5, VG-Q56 All that unspent activation dice set in motion, in one event."""
    all_act, boss_acts = count(t, "ENEMY") > 0, count(t, *ACTIVATIONS) > 0
    set_dice(t, (die for die in t.dice if die[0] in ACTIVATIONS))  # VG-Q42: the others are lost
    boss = boss_here(t)
    t.window = ""
    minions = boss_damage = 0
    for enemy in ground(t).reaching(t.enemies, t.zone):
        damage = trait(t, enemy.name).damage
        if enemy == boss:
            boss_damage = damage if boss_acts and not t.boss_acted else 0
        elif all_act:
            minions += damage
    yield from boss_hits(t, minions, boss_damage)
    return after_activation


def boss_hits(t: Vengeance, minions: int, damage: int) -> Asking:
    """VG-25.3, VG-Q45 Whoever is hit by a Hell Riders boss rolls fewer dice in the next round."""
    boss = boss_here(t)
    dealt = yield from hurt(t, minions, damage)
    if boss and dealt:
        t.fewer_dice = trait(t, boss.name).fewer_dice


def after_activation(t: Vengeance) -> Asking:
    """VG-18.8, VG-Q42 Abilities worded “After activation”, and what can be done with the dice they give."""
    t.window = "After activation"
    if any(late_options(t, t.active)):
        answer = yield t.ask(t.active, _late_options, "After the activation", "VG-18.8", default=("end",))
        if answer != ("end",):
            yield from carry_out(t, answer)
            return after_activation
    set_dice(t, ())
    return fight_round


def late_options(t: Vengeance, seat: int) -> Iterator[Option | No]:
    yield from die_options(t)
    yield from usable(t, seat)


def _late_options(t: Vengeance, seat: int) -> Iterator[Option | No]:
    yield from late_options(t, seat)
    yield ("end",)


# ---- VG-19: leaving the den ----


def leave_den(t: Vengeance) -> Any:
    """VG-19.2, VG-19.3, VG-Q44, VG-Q69 The way out that meets fewest enemies; nothing is prevented."""
    t.log("VG-19.2", "{who} leaves the den.", who=t.hero)
    wound(t, ground(t).way_out(t.enemies, t.zone))
    return score
