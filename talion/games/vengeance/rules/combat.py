"""VG-11, VG-12, VG-21: the Combat turn but for the Fight itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talion.kernel import Asking, Card, No, Option

from .actions import take_action
from .attributes import is_full
from .fight import enter_den
from .grudges import buy_card, can_buy_card, draw_vengeance, put_in_play
from .montage import clear_dice, roll_mind_dice, swap, swaps
from .scoring import console
from .table import ACTIONS, DIE_OF, POINTS_OF_DIE, Den, Vengeance
from .turns import begins, tail
from .upgrades import usable, use

# ---- VG-11: Ready ----


@begins("Hero")
def ready(t: Vengeance) -> Asking:
    """VG-11.2, VG-11.8 One act after the other, until the player is done."""
    t.window = "Ready"
    answer = yield t.ask(t.active, ready_options, "Make ready", "VG-11.2", default=("done",))
    kind = answer[0]
    if kind == "done":
        return fight_or_not
    if kind == "play":
        return play_card(t, answer[1])
    if kind == "scout":
        scout(t, answer[1])
    elif kind == "trade":
        trade(t)
    elif kind == "draw":
        buy_card(t, t.active)
    elif kind == "lift":
        yield from lift(t, answer[1])
    else:
        yield from use(t, answer[1])
    return ready


def ready_options(t: Vengeance, seat: int) -> Iterator[Option | No]:
    hero = t.heroes[seat]
    yield ("done",)
    for den in t.dens:
        yield from scoutings(t, seat, den)
    if hero.wild and hero.supply:
        yield ("trade",)
    elif t.explaining:
        yield No(("trade",), "VG-Q19", "That takes a wild token and a Recon Token in supply.")
    if can_buy_card(t, seat):
        yield ("draw",)
    yield from (("play", card) for card in hero.hand)
    yield from usable(t, seat)
    yield from lifts(t, seat)


def play_card(t: Vengeance, card: Card) -> Any:
    """VG-10.2, VG-Q13 A hero who is knocked out in Ready neither fights nor sits out."""
    was_full = is_full(t, t.hero)
    put_in_play(t, t.active, card)
    if was_full or not is_full(t, t.hero):
        return ready
    t.log("VG-4.7", "{who} is knocked out before the Fight.", who=t.hero)
    return tail


def scoutings(t: Vengeance, seat: int, den: Den) -> Iterator[Option | No]:
    """VG-11.3, VG-Q19 One token of a player on a den whose boss is face down."""
    if not den.board:
        return
    option = ("scout", den.board.top)
    if not t.heroes[seat].recon:
        why = "You have no Recon Token in hand."
    elif not den.hidden:
        why = "The boss there is face up."
    elif seat in den.scouts:
        why = "You have a token there."
    else:
        yield option
        return
    if t.explaining:
        yield No(option, "VG-Q19", why)


def den_of(t: Vengeance, board: Card) -> Den:
    return next(den for den in t.dens if board in den.board)


def scout(t: Vengeance, board: Card) -> None:
    """VG-11.3, VG-11.4 The token's owner alone sees the boss."""
    den = den_of(t, board)
    t.hero.recon -= 1
    den.scouts = (*den.scouts, t.active)
    t.look(t.active, den.hidden)
    t.log("VG-11.3", "{who} scouts {den}.", who=t.hero, den=board)


def trade(t: Vengeance) -> None:
    """VG-11.6 A wild token becomes a Recon Token."""
    t.hero.wild -= 1
    t.hero.supply -= 1
    t.hero.recon += 1


def lifts(t: Vengeance, seat: int) -> Iterator[Option]:
    """VG-6.17 Each tile may be lifted once to the top of a place: so every arrangement can be made."""
    tiles = [tile for stack in t.heroes[seat].stacks for tile in stack.tiles]
    if len(tiles) > 1:
        yield from (("lift", tile) for tile in tiles if tile not in t.lifted)


def lift(t: Vengeance, tile: Card) -> Asking:
    """VG-6.17 Onto its own stack, another one, or an empty place."""
    places = list(landings(t, tile))
    answer = yield t.ask(t.active, places, f"Lift {t.face(tile).name} where?", "VG-6.17", minor=True)
    t.move(tile, t.hero.stacks[answer[-1]].tiles)
    t.lifted = (*t.lifted, tile)


def landings(t: Vengeance, tile: Card) -> list[Option]:
    """Its own stack first, if another tile lies on it; of empty places one is enough."""
    stacks = t.hero.stacks
    home = next(number for number, stack in enumerate(stacks) if tile in stack.tiles)
    onto = [
        ("onto", stack.tiles.top, n)
        for n, stack in enumerate(stacks)
        if stack.tiles and stack.tiles.top != tile
    ]
    empty = [("empty place", n) for n, stack in enumerate(stacks) if not stack.tiles][:1]
    alone = len(stacks[home].tiles) == 1
    return sorted(onto, key=lambda option: option[-1] != home) + ([] if alone else empty)


# ---- VG-12: fight or sit out ----


def fight_or_not(t: Vengeance) -> Asking:
    """VG-11.8, VG-12.2, VG-21.1, VG-Q80 Any den in play, or none."""
    answer = yield t.ask(t.active, fight_options, "Attack a den, or sit out", "VG-12.2", default=("sit out",))
    if answer == ("sit out",):
        return sit_out
    t.attacked = t.dens.index(den_of(t, answer[1]))
    return reveal_boss


def fight_options(t: Vengeance, seat: int) -> Iterator[Option | No]:
    """VG-4.8, VG-Q29 Not with a full track; not a Big Boss who is face up and unmatched."""
    yield ("sit out",)
    full = is_full(t, t.heroes[seat])
    for den in t.dens:
        if den.board:
            option = ("attack", den.board.top)
            unmatched = bool(den.boss) and not may_face(t, seat, den)
            if not full and not unmatched:
                yield option
            elif t.explaining and full:
                yield No(option, "VG-4.8", "One of your tracks is full: you must sit out.")
            elif t.explaining:
                yield No(option, "VG-Q29", "You have no card of this Big Boss in play.")


def may_face(t: Vengeance, seat: int, den: Den) -> bool:
    """VG-12.5, VG-Q27 A Big Boss wants a card of his own, in play."""
    boss = t.face(den.boss.top)
    return not boss.get("big") or any(t.face(card).boss == boss.name for card in t.heroes[seat].wrongs)


def reveal_boss(t: Vengeance) -> Any:
    """VG-12.3, VG-11.7, VG-12.6 The boss is shown and all tokens leave; an unmatched Big Boss ends the Fight."""
    den = t.den
    if den.hidden:
        t.draw(den.hidden, den.boss)
    for seat in den.scouts:
        t.heroes[seat].supply += 1
    den.scouts = ()
    t.log(
        "VG-12.3", "{who} attacks {den}, the den of {boss}.", who=t.hero, den=den.board.top, boss=den.boss.top
    )
    if may_face(t, t.active, den):
        return enter_den
    t.log("VG-12.6", "{who} has no card of this Big Boss: the Fight has failed.", who=t.hero)
    return console, 0


# ---- VG-21: sitting out ----


def sit_out(t: Vengeance) -> Any:
    """VG-21.2 Mind dice are rolled."""
    hero = t.hero
    t.window = ""
    clear_dice(hero)
    for face in roll_mind_dice(t, hero):
        hero.dice[face] += 1
    dice = [f"{n} {face}" for face, n in hero.dice.items() if n]
    t.log("VG-21.2", "{who} sits out and rolls {dice}.", who=hero, dice=dice)
    return settle


def settle(t: Vengeance) -> Asking:
    """VG-21.2, VG-21.4 Swap a die; give wild dice and tokens a use."""
    if any(settlings(t, t.active)):
        answer = yield t.ask(
            t.active, settle_options, "Use your dice and wild tokens", "VG-21.4", default=("done",)
        )
        if answer[0] == "swap":
            swap(t.hero, answer[1], answer[2])
        elif answer[0] == "spend":
            spend_wild(t, answer[1], answer[2])
        if answer != ("done",):
            return settle
    return recover


def settle_options(t: Vengeance, seat: int) -> list[Option]:
    return [("done",), *settlings(t, seat)]


def settlings(t: Vengeance, seat: int) -> Iterator[Option]:
    hero = t.heroes[seat]
    yield from swaps(t, seat)
    for wild, held in (("WILD", hero.dice["WILD"]), ("token", hero.wild)):
        if held:
            yield from (("spend", wild, action) for action in ACTIONS)
            if t.vengeance_deck:
                yield ("spend", wild, "draw")


def spend_wild(t: Vengeance, wild: str, use_as: str) -> None:
    """VG-21.4, VG-20.5 A point of an action, or a Vengeance card."""
    if wild == "WILD":
        t.hero.dice["WILD"] -= 1
    else:
        t.hero.wild -= 1
    if use_as == "draw":
        draw_vengeance(t, t.active)
    else:
        t.hero.points[use_as] += 1


def recover(t: Vengeance) -> Asking:
    """VG-21.3, VG-21.5, VG-Q54 One action of each kind, then a card."""
    hero = t.hero
    for action, die in DIE_OF.items():
        points = hero.points[action] + POINTS_OF_DIE[die] * hero.dice[die]
        hero.points[action] = 0
        if points:
            yield from take_action(t, t.active, action, points, ask)
    clear_dice(hero)
    draw_vengeance(t, t.active)
    return tail


def ask(t: Vengeance, seat: int, options: Any, prompt: str, rule: str, *, minor: bool = False) -> Asking:
    """VG-10.5 A plain decision: nothing else may be done while sitting out."""
    return (yield t.ask(seat, options, prompt, rule, minor=minor))
