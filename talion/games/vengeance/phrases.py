"""What the sentences of Vengeance mean.

An upgrade's sentence is an ability: a moment, a price in dice, and deeds, which are effects. An effect declares the
occasions in which it can be said: where there is no den, nobody is struck. Its `payable` says whether it has anything to
act on; a deed without is passed over, and a tile whose first deed has none cannot be used.
Traits are what is printed about enemies, and missions what is counted at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from talion.kernel import Asking, Face, Option, Phrasebook, Play, Said

from .rules.actions import gain_recon, remove_cube
from .rules.attributes import suffer
from .rules.combat import den_of
from .rules.dens import boss_name, can_leave, crowd, distance, shot_targets, targets, vulnerable
from .rules.dice import Part, affordable, count, gain_dice, pay, purse, spend_die
from .rules.fight import ROUNDS, leave_standing, meant, move_to, named, roll_again, strike
from .rules.grudges import draw_vengeance
from .rules.printed import plan
from .rules.scoring import award, best_gang
from .rules.table import ACTIVATIONS, TRACK_OF, Enemy, Hero, Vengeance

UPGRADE, WRONG = ("an upgrade",), ("a Vengeance card",)
BOSS, MINION = ("boss",), ("minion",)
ENEMY = (*MINION, *BOSS)
WITH_DICE = ("After roll", "Action", "After activation")
IN_A_FIGHT = ("Before roll", *WITH_DICE, "Reaction")
ANY_TIME = (*IN_A_FIGHT, "Ready", "Montage")

book = Phrasebook(most=20)


def said_in(face: Face, field: str) -> tuple[str, ...]:
    """In which occasion a field of a card is said; an upgrade may open another by its first words."""
    if field == "power":
        return (str(face.kind),)
    return {"text": (*UPGRADE, "Action"), "special": ("Montage",), "suffer": WRONG}.get(field, (field,))


# ---- Words ----

book.words("face", ("MOVE", "HIT", "DOUBLE HIT", "SHOT", "ENEMY", "BOSS"))
book.words("attack", ("HIT", "SHOT"))
book.words("wounds", ("HIT", "DOUBLE HIT", "SHOT"))
book.words("moment", ("Action", "Before roll", "After roll", "After activation", "Reaction", "Ready"))
book.words("damage", tuple(TRACK_OF))
book.words("cover", ("Grunts", "Bodyguards"))
book.words("activation", ACTIVATIONS)
book.words("hindrance", ("Blockers", "Bodyguards", "Grunts"))
book.words("action", ("Heal", "Upgrade", "Recon"))
book.words("quarry", ("1 enemy", "1 minion", "the boss", "each enemy", "each minion"))
book.words("rolled", {"action": False, "activation": True})
book.synonyms("Hurt damage wound health", "MOVE walk", "HIT punch", "SHOT shoot", "VP point")


# ---- Dice ----


@book.phrase("part", '{n:number} {faces:face+" or "}')
def part(play: Play, n: int, faces: list[str]) -> Part:
    """VG-17.11 A number of dice, each of one of these faces."""
    return n, faces


@book.phrase("dice", '{parts:part+" and "}', said_in=WITH_DICE)
def dice(play: Play, parts: list[Part]) -> list[Part]:
    """VG-17.11 Several kinds of dice."""
    return parts


# ---- Upgrades: when, for what price, what ----

DEEDS = '{deeds:effect+", then "}'


@book.ability(DEEDS, said_in=(*UPGRADE, "Montage"))
@book.ability(f"spend {{price:dice}}: {DEEDS}", said_in=UPGRADE)
@book.ability(
    f"{{when:moment}}: {DEEDS}",
    f"{{when:moment}}: spend {{price:dice}}: {DEEDS}",
    said_in=UPGRADE,
    opens="when",
)
def use(play: Play, deeds: list[Said], when: str = "Action", price: Sequence[Part] = ()) -> Asking:
    """VG-17.11 The price is paid, then one deed follows the other."""
    yield from pay(play, price)
    for deed in deeds:
        if deed.payable(play):
            yield from deed.run(play)


@book.ability("Passive: {gift:gift}", said_in=UPGRADE)
def passive(play: Play, gift: str) -> None:
    """VG-17.8 Nobody uses it: the rules look for it."""


@book.phrase("gift", "excess damage from 1 DOUBLE HIT is dealt to another enemy in the same zone")
def excess(play: Play) -> str:
    """VG-17.8 What one DOUBLE HIT has to spare strikes somebody else."""
    return "excess"


# ---- Effects on dice ----


def can_convert(play: Play, old: list[Part], new: Any) -> bool:
    return affordable(play, old)


@book.effect("convert {old:dice} into {new:dice}", payable=can_convert, said_in=WITH_DICE)
def convert(play: Play, old: list[Part], new: list[Part]) -> Asking:
    """VG-17.11 Dice become other dice."""
    yield from pay(play, old)
    yield from receive(play, new)


@book.effect('gain {choices:dice+" or "}', said_in=WITH_DICE)
def gain(play: Play, choices: list[list[Part]]) -> Asking:
    """VG-17.12 Extra dice of this round; where a card names two lists, the player chooses one."""
    chosen = choices[0]
    if len(choices) > 1:
        options = [("gain", *(f"{n} {' or '.join(faces)}" for n, faces in parts)) for parts in choices]
        answer = yield play.t.ask(play.you, options, "Which dice?", "VG-17.12", minor=True)
        chosen = choices[options.index(answer)]
    yield from receive(play, chosen)


def receive(play: Play, parts: list[Part]) -> Asking:
    """VG-17.12 Where a card leaves it open, each die may show another face."""
    for n, faces in parts:
        options = [("gain", face) for face in dict.fromkeys(faces)]
        for _ in range(n):
            chosen = options[0]
            if len(options) > 1:
                chosen = yield play.t.ask(play.you, options, "Which die?", "VG-17.12", minor=True)
            gain_dice(play.t, chosen[1], 1)


def can_reroll(play: Play, n: int, kind: bool) -> bool:
    return any(True for _ in rerollable(play, kind))


def rerollable(play: Play, activation: bool) -> Iterator[tuple[str, str]]:
    """Rolled dice of one kind; a BLANK may be rolled again like an action."""
    return (die for die in play.t.dice if (die[0] in ACTIVATIONS) == activation and die[1] != "gained")


@book.effect(
    "reroll up to {n:number} {kind:rolled} dice", payable=can_reroll, said_in=("After roll", "Action")
)
def reroll(play: Play, n: int, kind: bool) -> Asking:
    """VG-16.4, VG-Q38 The chosen dice are rolled together; this never forces another re-roll."""
    left = list(rerollable(play, kind))
    chosen: list[tuple[str, str]] = []
    while left and len(chosen) < n:
        options: list[Option] = [("enough",), *(("reroll", *die) for die in sorted(set(left)))]
        answer = yield play.t.ask(
            play.you, options, "Roll which die again?", "VG-16.4", default=options[1], minor=True
        )
        if answer == ("enough",):
            break
        chosen.append(answer[1:])
        left.remove(answer[1:])
    roll_again(play.t, chosen)


def can_cancel(play: Play, face: str, n: int = 1) -> bool:
    return purse(play)[face] >= n


@book.effect(
    "cancel {n:number} {face:activation} [die|dice]", payable=can_cancel, said_in=("After roll", "Action")
)
def cancel(play: Play, n: int, face: str) -> None:
    """VG-17.4 Dice that are gone activate nobody."""
    for _ in range(n):
        spend_die(play.t, face)


@book.effect("cancel all {face:activation} [die|dice]", payable=can_cancel, said_in=("After roll", "Action"))
def cancel_all(play: Play, face: str) -> None:
    """VG-17.4, VG-Q56 All of them."""
    for _ in range(count(play.t, face)):
        spend_die(play.t, face)


# ---- Whom an effect strikes ----


@dataclass(frozen=True)
class Prey:
    """Whom `deal 1 damage to …` means: one or each, of what sort, how far away, struck how."""

    quarry: str
    nearest: int
    farthest: int
    in_one_zone: bool
    """Whether “each” strikes in one zone of several, or wherever somebody stands."""
    face: str = ""
    ignoring: tuple[str, ...] = ()

    def zones(self, t: Vengeance) -> list[str]:
        return [zone for zone in plan(t).doors if self.nearest <= distance(t, t.zone, zone) <= self.farthest]

    def fits(self, t: Vengeance, enemy: Enemy) -> bool:
        is_boss = enemy.name == boss_name(t)
        sort = not is_boss if "minion" in self.quarry else is_boss if "boss" in self.quarry else True
        return sort and not (self.face and not vulnerable(t, enemy, self.face))

    def struck(self, t: Vengeance, zone: str) -> list[Enemy]:
        """VG-Q40 One enemy is chosen by the rules of cover; “each” strikes all."""
        if "each" in self.quarry:
            here = crowd(t, zone)
        elif self.face == "SHOT":
            here = shot_targets(t, zone, self.ignoring)
        else:
            here = targets(t, zone, self.ignoring)
        return [enemy for enemy in here if self.fits(t, enemy)]

    def choices(self, t: Vengeance) -> dict[Option, list[Enemy]]:
        """Every option there is, and whom it would strike."""
        if "each" in self.quarry and self.in_one_zone:
            return {("into", zone): struck for zone in self.zones(t) if (struck := self.struck(t, zone))}
        if "each" in self.quarry:
            everybody = [enemy for zone in self.zones(t) for enemy in self.struck(t, zone)]
            return {("strike",): everybody} if everybody else {}
        found = {enemy for zone in self.zones(t) for enemy in self.struck(t, zone)}
        return {("strike", *named(enemy)): [enemy] for enemy in sorted(found)}


book.words(
    "where",
    {
        "in your zone": (0, 0, True),
        "in an adjacent zone": (1, 1, True),
        "in 1 adjacent zone": (1, 1, True),
        "in your zone or an adjacent zone": (0, 1, True),
    },
)


def far_before_near(said: Said) -> str | None:
    a, b = said.constant["a"], said.constant["b"]
    return f"names the farthest first; write {b} to {a}." if a > b else None


@book.phrase("where", "{a:number} to {b:number} zones away", wrong=far_before_near)
def away(play: Play, a: int, b: int) -> tuple[int, int, bool]:
    """VG-12.8 Counted in doorways."""
    return a, b, False


@book.phrase("quarters", "{quarry:quarry} {where:where}")
def quarters(play: Play, quarry: str, where: tuple[int, int, bool]) -> Prey:
    """VG-Q40"""
    return Prey(quarry, *where)


@book.phrase("prey", "{prey:quarters}")
def prey(play: Play, prey: Prey) -> Prey:
    """VG-Q40"""
    return prey


@book.phrase("prey", "{prey:quarters} as a {face:attack}")
def prey_as(play: Play, prey: Prey, face: str) -> Prey:
    """VG-17.10 Struck by the rules of a HIT or a SHOT."""
    return replace(prey, face=face)


@book.phrase("prey", "{prey:prey} ignoring {cover:cover}")
def prey_ignoring(play: Play, prey: Prey, cover: str) -> Prey:
    """VG-Q40 Without the cover that some give to others."""
    return replace(prey, ignoring=(*prey.ignoring, cover))


def can_deal(play: Play, n: int, prey: Prey) -> bool:
    return bool(prey.choices(play.t))


@book.effect("deal {n:number} damage to {prey:prey}", payable=can_deal, said_in=IN_A_FIGHT)
def deal(play: Play, n: int, prey: Prey) -> Asking:
    """VG-17.7, VG-Q40 Damage to one enemy, or to each in a zone at the same time."""
    choices = prey.choices(play.t)
    chosen = next(iter(choices))
    if len(choices) > 1:
        chosen = yield play.t.ask(play.you, list(choices), "Whom?", "VG-17.11", minor=True)
    yield from strike(play.t, [(enemy, n) for enemy in choices[chosen]])


def can_keep(play: Play) -> bool:
    return bool(healing(play.t))


def healing(t: Vengeance) -> list[Enemy]:
    """Whose wounds will be gone in the next round; after the last there is none."""
    wounded = {enemy for enemy in t.enemies if enemy.damage and not enemy.kept}
    return sorted(wounded) if t.round < ROUNDS else []


@book.effect("keep damage on 1 enemy until the next round", payable=can_keep, said_in=IN_A_FIGHT)
def keep_damage(play: Play) -> Asking:
    """VG-14.5 One wounded enemy does not recover, whatever else it suffers in this round."""
    t: Vengeance = play.t
    options = [("mark", *named(enemy)) for enemy in healing(t)]
    answer = yield t.ask(play.you, options, "Whose wounds stay?", "VG-14.5", minor=True)
    enemies = list(t.enemies)
    enemies.remove(meant(answer[1:]))
    t.enemies = tuple(sorted((*enemies, meant(answer[1:])._replace(kept=True))))


# ---- Moving ----


def has_doors(play: Play, **how: Any) -> bool:
    return bool(plan(play.t).doors[play.t.zone])


def can_move(play: Play, **how: Any) -> bool:
    return has_doors(play) and can_leave(play.t, play.t.zone)


@book.effect("move to an adjacent zone", payable=can_move, said_in=IN_A_FIGHT)
def step(play: Play) -> Asking:
    """VG-17.5, VG-Q50 Like a MOVE."""
    yield from walk(play, 1, heed=True)


@book.effect("move up to {n:number} zones", payable=can_move, said_in=IN_A_FIGHT)
def go(play: Play, n: int) -> Asking:
    """VG-Q50 A Blocker on the way stops the hero."""
    yield from walk(play, n, heed=True)


@book.effect("move to an adjacent zone ignoring Blockers", payable=has_doors, said_in=IN_A_FIGHT)
def slip(play: Play) -> Asking:
    """VG-Q50"""
    yield from walk(play, 1, heed=False)


@book.effect("move up to {n:number} zones ignoring Blockers", payable=has_doors, said_in=IN_A_FIGHT)
def dash(play: Play, n: int) -> Asking:
    """VG-Q50"""
    yield from walk(play, n, heed=False)


def walk(play: Play, n: int, heed: bool) -> Asking:
    """At least one zone; then on, until the player stops or a Blocker does."""
    t: Vengeance = play.t
    for taken in range(n):
        if taken and heed and not can_leave(t, t.zone):
            return
        stop: list[Option] = [("stop",)] if taken else []
        zones: list[Option] = [("move", zone) for zone in plan(t).doors[t.zone]]
        answer = yield t.ask(play.you, [*stop, *zones], "Move where?", "VG-Q50", minor=True)
        if answer == ("stop",):
            return
        move_to(t, answer[1])


def movable(t: Vengeance, zone: str) -> list[Enemy]:
    """Minions can be pushed and pulled, bosses not."""
    boss = boss_name(t)
    return [enemy for enemy in crowd(t, zone) if enemy.name != boss]


def can_push(play: Play, n: int) -> bool:
    return has_doors(play) and bool(movable(play.t, play.t.zone))


@book.effect(
    "push up to {n:number} minion(s) from your zone to 1 adjacent zone", payable=can_push, said_in=IN_A_FIGHT
)
def push(play: Play, n: int) -> Asking:
    """VG-20.1 At least one minion; all go to the same zone. A zone emptied so gives up its wild token."""
    t: Vengeance = play.t
    answer = yield t.ask(
        play.you,
        [("push to", zone) for zone in plan(t).doors[t.zone]],
        "Push them where?",
        "VG-20.1",
        minor=True,
    )
    pushed: list[Enemy] = []
    while len(pushed) < n:
        left = list(movable(t, t.zone))
        for enemy in pushed:
            left.remove(enemy)
        options: list[Option] = [("push", *named(enemy)) for enemy in sorted(set(left))]
        if not options:
            break
        chosen = yield t.ask(
            play.you, [*options, ("enough",)] if pushed else options, "Push whom?", "VG-20.1", minor=True
        )
        if chosen == ("enough",):
            break
        pushed.append(meant(chosen[1:]))
    yield from shift(t, pushed, answer[1])


def shift(t: Vengeance, moved: list[Enemy], zone: str) -> Asking:
    standing = list(t.enemies)
    for enemy in moved:
        standing.remove(enemy)
        standing.append(enemy._replace(zone=zone))
    yield from leave_standing(t, standing)


def pullable(t: Vengeance) -> list[Enemy]:
    return sorted({enemy for zone in plan(t).doors[t.zone] for enemy in movable(t, zone)})


def can_pull(play: Play) -> bool:
    return bool(pullable(play.t))


@book.effect("pull 1 minion from an adjacent zone to your zone", payable=can_pull, said_in=IN_A_FIGHT)
def pull(play: Play) -> Asking:
    """VG-20.1 As pushing, the other way."""
    options = [("pull", *named(enemy)) for enemy in pullable(play.t)]
    answer = yield play.t.ask(play.you, options, "Pull whom?", "VG-20.1", minor=True)
    yield from shift(play.t, [meant(answer[1:])], play.t.zone)


# ---- The hero ----


@book.effect("ignore {what:hindrance} this round", said_in=IN_A_FIGHT)
def ignore(play: Play, what: str) -> None:
    """VG-15.4 A rule is suspended until the round ends."""
    play.t.ignored = (*play.t.ignored, what)


@book.effect("ignore Run damage this round", said_in=("Before roll",))
def run_unhurt(play: Play) -> None:
    """VG-15.4 Nobody Runs but before the roll."""
    ignore(play, "Run damage")


@book.effect("prevent up to {n:number} Hurt", said_in=("Reaction",))
def prevent(play: Play, n: int) -> None:
    """VG-Q63 Before cubes are placed."""
    play.t.coming -= min(n, play.t.coming)


def hero_of(play: Play) -> Hero:
    return play.t.heroes[play.you]


def can_heal(play: Play, n: int, damage: str) -> bool:
    return hero_of(play).red[TRACK_OF[damage]] > 0


@book.effect("heal {n:number} {damage:damage}", payable=can_heal, said_in=ANY_TIME)
def heal(play: Play, n: int, damage: str) -> None:
    """VG-6.3 Red cubes come off, never brown ones."""
    for _ in range(min(n, hero_of(play).red[TRACK_OF[damage]])):
        remove_cube(play.t, play.you, damage)


@book.effect("draw {n:number} Vengeance card(s)", said_in=ANY_TIME)
def draw(play: Play, n: int) -> None:
    """VG-8.8, VG-Q78"""
    for _ in range(n):
        draw_vengeance(play.t, play.you)


@book.effect("gain {n:number} wild token(s)", said_in=ANY_TIME)
def gain_wild(play: Play, n: int) -> None:
    """VG-20.2"""
    hero_of(play).wild += n


@book.effect("gain {n:number} recon token(s)", said_in=ANY_TIME)
def gain_tokens(play: Play, n: int) -> None:
    """VG-6.19"""
    gain_recon(play.t, play.you, n)


@book.effect("gain {n:number} {action:action} point(s)", said_in=("Montage",))
def gain_points(play: Play, n: int, action: str) -> None:
    """VG-8.15 For the card's own action of that kind, or for one of its own after it."""
    hero_of(play).points[action] += n


@book.effect("add {n:number} Speed", said_in=("Montage",))
def add_speed(play: Play, n: int) -> None:
    """VG-9.1"""
    hero_of(play).speed += n


def can_look(play: Play, n: int) -> bool:
    return any(den.hidden for den in play.t.dens)


@book.effect("look at {n:number} Boss card(s)", payable=can_look, said_in=ANY_TIME)
def look(play: Play, n: int) -> Asking:
    """VG-Q68 In private; what was seen stays known."""
    t: Vengeance = play.t
    for _ in range(n):
        options: list[Option] = [("look at", den.board.top) for den in t.dens if den.hidden]
        answer = yield t.ask(
            play.you, [*options, ("enough",)], "Look at the boss of which den?", "VG-11.4", minor=True
        )
        if answer == ("enough",):
            return
        t.look(play.you, den_of(t, answer[1]).hidden)


# ---- Vengeance cards ----


@book.phrase("wound", "{n:number} {damage:damage}")
def wound(play: Play, n: int, damage: str) -> tuple[str, int, bool]:
    """VG-4.3"""
    return damage, n, False


@book.phrase("wound", "{n:number} Severe {damage:damage}", severe=1.6)
def severe_wound(play: Play, n: int, damage: str) -> tuple[str, int, bool]:
    """VG-4.4"""
    return damage, n, True


@book.effect('suffer {wounds:wound+" and "}', said_in=WRONG)
def suffer_all(play: Play, wounds: list[tuple[str, int, bool]]) -> None:
    """VG-Q10 Each kind of damage is one event on its own track."""
    for damage, n, severe in wounds:
        suffer(play.t, hero_of(play), damage, n, severe)


# ---- Enemies: what is true of them, as changes to `Traits` ----

book.words("reach", {"its zone and in adjacent zones": (0, 1), "adjacent zones only": (1,)})


@book.phrase("trait", "Boss: {trait:trait}", said_in=("gang", *BOSS), opens="boss")
def of_boss(play: Play, trait: dict[str, Any]) -> dict[str, Any]:
    """VG-25.1 Said on a gang's card, it is true of its bosses."""
    return trait


@book.phrase("trait", "deals {n:number} damage when activated", said_in=ENEMY)
def deals(play: Play, n: int) -> dict[str, Any]:
    """VG-25.1, VG-26.4"""
    return {"damage": n}


@book.phrase("trait", "hits heroes in {reach:reach}", said_in=ENEMY)
def reaches(play: Play, reach: tuple[int, ...]) -> dict[str, Any]:
    """VG-25.2, VG-24.3"""
    return {"reach": reach}


@book.phrase(
    "trait",
    "when its activation damages the hero, the hero rolls {n:number} less Skill [die|dice] in the next round",
    said_in=BOSS,
)
def numbs(play: Play, n: int) -> dict[str, Any]:
    """VG-25.3"""
    return {"fewer_dice": n}


@book.phrase("trait", "activates before the hero acts", said_in=BOSS)
def is_early(play: Play) -> dict[str, Any]:
    """VG-25.4"""
    return {"early": True}


@book.phrase("trait", "when killed: deals {n:number} damage to the hero", said_in=BOSS)
def strikes_last(play: Play, n: int) -> dict[str, Any]:
    """VG-26.1"""
    return {"last_blow": n}


@book.phrase("trait", 'takes no damage from {faces:wounds+" or "}', said_in=ENEMY)
def is_immune(play: Play, faces: list[str]) -> dict[str, Any]:
    """VG-26.2"""
    return {"immune": tuple(faces)}


@book.phrase("trait", "Items cannot be used in its zone", said_in=BOSS)
def forbids_items(play: Play) -> dict[str, Any]:
    """VG-26.3"""
    return {"no_items": True}


@book.phrase("trait", "must be targeted first by SHOT", said_in=ENEMY)
def is_shot_first(play: Play) -> dict[str, Any]:
    """VG-24.1"""
    return {"shot_first": True}


@book.phrase("trait", "must be targeted before the boss in its zone", said_in=MINION)
def guards(play: Play) -> dict[str, Any]:
    """VG-24.2"""
    return {"guards": True}


@book.phrase("trait", "prevents MOVE and Run from its zone", said_in=ENEMY)
def is_in_the_way(play: Play) -> dict[str, Any]:
    """VG-24.4"""
    return {"blocks": True}


# ---- Missions ----


def crazy(damage: str) -> Callable[[Hero], int]:
    """VG-27.2 A brown cube counts twice."""
    return lambda hero: hero.red[TRACK_OF[damage]] + 2 * hero.brown[TRACK_OF[damage]]


book.words("ranking", {"least": min, "most": max})
book.words(
    "tally",
    {
        **{damage: crazy(damage) for damage in TRACK_OF},
        "wild tokens": lambda hero: hero.wild,
        "VP": lambda hero: hero.vp,
    },
)


@book.phrase("mission", "score {n:number} VP for each scored Vengeance card of 1 gang of your choice")
def per_card(play: Play, n: int) -> None:
    """VG-27.1 The gang that pays most is chosen for each player."""
    for seat, hero in enumerate(play.t.heroes):
        award(play.t, play.face.name, seat, n * best_gang(play.t, hero))  # type: ignore[union-attr]


@book.phrase(
    "mission",
    "the player with the {ranking:ranking} {tally:tally} scores {n:number} VP; tied players score {k:number} VP each",
)
def per_rank(play: Play, ranking: Callable[..., int], tally: Callable[[Hero], int], n: int, k: int) -> None:
    """VG-27.2, VG-27.3, VG-Q59 One leader takes all; several share less."""
    counted = [tally(hero) for hero in play.t.heroes]
    leaders = [seat for seat, number in enumerate(counted) if number == ranking(counted)]
    for seat in leaders:
        award(play.t, play.face.name, seat, n if len(leaders) == 1 else k)  # type: ignore[union-attr]
