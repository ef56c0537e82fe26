"""VG-6: the three actions, Heal, Upgrade and Recon. They serve the Montage and sitting out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from talion.kernel import Asking, Card, No, Option

from .printed import printed
from .setup import fill_board
from .table import TRACK_OF, Vengeance

Decide = Callable[..., Asking]
"""How an action asks: in a Montage, free acts are offered as well."""


def take_action(t: Vengeance, seat: int, action: str, points: int, decide: Decide) -> Asking:
    """VG-6.2 Points that an action cannot use are lost."""
    t.log("VG-6.2", "{who}: {action} {points}.", who=t.heroes[seat], action=action, points=points)
    if action == "Heal":
        yield from heal(t, seat, points, decide)
    elif action == "Upgrade":
        yield from upgrade(t, seat, points, decide)
    else:
        gain_recon(t, seat, points)


# ---- Heal ----


def heal(t: Vengeance, seat: int, points: int, decide: Decide) -> Asking:
    """VG-6.4, VG-6.5 Cube after cube, each paid in full."""
    while any(True for _ in healings(t, seat, points)):
        options = partial(_heal_options, points)
        answer = yield from decide(t, seat, options, f"Heal with {points} points", "VG-6.3")
        if answer == ("stop",):
            return
        damage, severe = answer[1], len(answer) == 3
        points -= printed(t.content).heal_costs[damage, severe]
        remove_cube(t, seat, damage, severe)


def healings(t: Vengeance, seat: int, points: int) -> Iterator[Option]:
    """VG-6.3, VG-6.4 The cubes that these points pay for."""
    hero = t.heroes[seat]
    for (damage, severe), cost in printed(t.content).heal_costs.items():
        cubes = hero.brown if severe else hero.red
        if cubes[TRACK_OF[damage]]:
            option = ("heal", damage, "severe") if severe else ("heal", damage)
            if cost <= points:
                yield option
            elif t.explaining:
                yield No(option, "VG-6.4", f"That cube costs {cost} heal points; there are {points}.")  # type: ignore[misc]


def _heal_options(points: int, t: Vengeance, seat: int) -> list[Option]:
    return [*healings(t, seat, points), ("stop",)]


def remove_cube(t: Vengeance, seat: int, damage: str, severe: bool = False) -> None:
    """VG-Q65 A cube that is healed comes off altogether."""
    hero = t.heroes[seat]
    (hero.brown if severe else hero.red)[TRACK_OF[damage]] -= 1
    t.log("VG-6.3", "{who} heals {cube}.", who=hero, cube=f"Severe {damage}" if severe else damage)


# ---- Upgrade ----


def upgrade(t: Vengeance, seat: int, points: int, decide: Decide) -> Asking:
    """VG-6.7, VG-6.8, VG-6.9 Tile after tile; then the board is filled again."""
    while any(t.face(tile).cost <= points for tile in (*t.abilities, *t.items)):
        options = partial(_buy_options, points)
        answer = yield from decide(t, seat, options, f"Buy upgrades with {points} points", "VG-6.6")
        if answer == ("stop",):
            break
        tile = answer[1]
        points -= t.face(tile).cost
        spot = yield from decide(t, seat, spots, f"Where does {t.face(tile).name} go?", "VG-6.16", minor=True)
        place_tile(t, seat, tile, spot)
    fill_board(t)


def _buy_options(points: int, t: Vengeance, seat: int) -> Iterator[Option | No]:
    for tile in (*t.abilities, *t.items):
        cost = t.face(tile).cost
        if cost <= points:
            yield ("buy", tile)
        elif t.explaining:
            yield No(("buy", tile), "VG-6.7", f"It costs {cost}; there are {points} points left.")
    yield ("stop",)


def spots(t: Vengeance, seat: int) -> Iterator[Option]:
    """VG-6.16, VG-Q18 An empty place, or the top or the bottom of a stack."""
    stacks = t.heroes[seat].stacks
    yield from [("empty place", number) for number, stack in enumerate(stacks) if not stack.tiles][:1]
    for number, stack in enumerate(stacks):
        if stack.tiles:
            yield ("on", stack.tiles.top, number)
            yield ("under", stack.tiles[0], number)


def place_tile(t: Vengeance, seat: int, tile: Card, spot: Option) -> None:
    hero = t.heroes[seat]
    t.move(tile, hero.stacks[spot[-1]].tiles, bottom=spot[0] == "under")
    t.log("VG-6.16", "{who} buys {tile}.", who=hero, tile=tile)


# ---- Recon ----


def gain_recon(t: Vengeance, seat: int, points: int) -> None:
    """VG-6.19, VG-6.20, VG-Q19 Tokens come from the supply; points beyond it are lost."""
    hero = t.heroes[seat]
    gained = min(points, hero.supply)
    hero.supply -= gained
    hero.recon += gained
