"""Every card has an emblem of its own: a motif that its kind suggests, on a ground, both varied by its name.

A game says in `views/emblems.toml` by which fields its cards fall into kinds and which motifs each kind may have. Everything is
drawn here, as SVG in the colour of the text around it, so that it works on any paper.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from talion.kernel import Chance

Draw = Callable[[Chance], str]
INK = 'fill="currentColor"'
LINE = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'


def emblem(game: str, name: str, motif: str) -> str:
    """The inside of an SVG of 100 by 100."""
    chance = Chance.of(f"emblem:{game}:{name}")
    ground = GROUNDS[chance.below(len(GROUNDS))](chance)
    turn = (chance.below(5) - 2) * 9
    accent = ACCENTS[chance.below(len(ACCENTS))](chance)
    return (
        f'<g opacity=".38">{ground}</g>'
        f'<g transform="rotate({turn} 50 50)">{MOTIFS[motif](chance)}</g>'
        f'<g opacity=".8">{accent}</g>'
    )


@lru_cache(maxsize=64)
def motifs_of(folder: Path | None) -> dict[str, Any]:
    """Which motifs a game's kinds of card may have; all of them for a game that does not say."""
    file = folder / "emblems.toml" if folder else None
    if file is None or not file.is_file():
        return {"by": ["kind"], "kinds": {}, "other": sorted(MOTIFS)}
    told = tomllib.loads(file.read_text("utf-8"))
    return {"by": ["kind"], "kinds": {}, "other": sorted(MOTIFS)} | told


# Grounds ---------------------------------------------------------------------------------------------------------


def _round(number: int, draw: Callable[[float], str], start: float = 0) -> str:
    return "".join(draw(start + 360 * i / number) for i in range(number))


def rays(chance: Chance) -> str:
    number = 8 + chance.below(9)
    inner = 30 + chance.below(8)
    return _round(
        number,
        lambda a: (
            f'<path {LINE} stroke-width="2.5" transform="rotate({a:.0f} 50 50)" d="M50 {50 - inner}V4"/>'
        ),
    )


def rings(chance: Chance) -> str:
    radii = [46, 46 - 5 - chance.below(4), 32 + chance.below(3)][: 2 + chance.below(2)]
    dash = ["", 'stroke-dasharray="3 5"', 'stroke-dasharray="12 4"'][chance.below(3)]
    return "".join(f'<circle cx="50" cy="50" r="{r}" {LINE} stroke-width="2" {dash}/>' for r in radii)


def thorns(chance: Chance) -> str:
    number = 9 + chance.below(8)
    lean = 3 + chance.below(7)
    return f'<circle cx="50" cy="50" r="38" {LINE} stroke-width="3"/>' + _round(
        number, lambda a: f'<path {INK} transform="rotate({a:.0f} 50 50)" d="M47 13L{50 + lean} 2L53 13z"/>'
    )


def lattice(chance: Chance) -> str:
    gap = 10 + chance.below(7)
    lean = (chance.below(3) - 1) * 20
    lines = "".join(f"M{x} 0l{lean} 100" for x in range(-20, 121, gap))
    return f'<path {LINE} stroke-width="1.5" d="{lines}"/>'


def waves(chance: Chance) -> str:
    high = 4 + chance.below(6)
    lines = "".join(f"M0 {y}q12.5 -{high} 25 0t25 0t25 0t25 0" for y in range(8, 100, 11 + chance.below(5)))
    return f'<path {LINE} stroke-width="2" d="{lines}"/>'


def dots(chance: Chance) -> str:
    number = 10 + chance.below(10)
    size = 2 + chance.below(3)
    return _round(
        number, lambda a: f'<circle {INK} transform="rotate({a:.0f} 50 50)" cx="50" cy="7" r="{size}"/>'
    )


def shield(chance: Chance) -> str:
    dip = 12 + chance.below(12)
    return f'<path {LINE} stroke-width="3" d="M8 8H92V{60 - dip}Q92 84 50 96Q8 84 8 {60 - dip}z"/>'


def diamond(chance: Chance) -> str:
    inner = 6 + chance.below(8)
    return f'<path {LINE} stroke-width="2.5" d="M50 2L98 50L50 98L2 50zM50 {2 + inner}L{98 - inner} 50L50 {98 - inner}L{2 + inner} 50z"/>'


GROUNDS: list[Draw] = [rays, rings, thorns, lattice, waves, dots, shield, diamond]


# Accents: a small sign in a corner, so that cards of one kind are told apart at a glance ---------------------------------


def _corner(chance: Chance) -> tuple[int, int]:
    return chance.pick([(14, 14), (86, 14), (14, 86), (86, 86)])


def spot(chance: Chance) -> str:
    x, y = _corner(chance)
    return f'<circle {INK} cx="{x}" cy="{y}" r="{5 + chance.below(4)}"/>'


def bars(chance: Chance) -> str:
    x, y = _corner(chance)
    number = 1 + chance.below(4)
    return "".join(f'<path {LINE} stroke-width="4" d="M{x - 9} {y - 7 + 6 * i}h18"/>' for i in range(number))


def cross(chance: Chance) -> str:
    x, y = _corner(chance)
    return f'<path {LINE} stroke-width="5" d="M{x - 8} {y}h16M{x} {y - 8}v16"/>'


def wedge(chance: Chance) -> str:
    x, y = _corner(chance)
    turn = 90 * chance.below(4)
    return (
        f'<path {INK} transform="rotate({turn} {x} {y})" d="M{x - 9} {y + 8}L{x} {y - 9}L{x + 9} {y + 8}z"/>'
    )


def loop(chance: Chance) -> str:
    x, y = _corner(chance)
    return f'<circle cx="{x}" cy="{y}" r="{6 + chance.below(3)}" {LINE} stroke-width="4"/>'


ACCENTS: list[Draw] = [spot, bars, cross, wedge, loop]


# Motifs ------------------------------------------------------------------------------------------------------------


def blade(c: Chance) -> str:
    wide = 6 + c.below(6)
    return f'<path {INK} d="M50 8L{50 + wide} 26V62H{50 - wide}V26z"/><path {INK} d="M30 62h40v7H30zM46 69h8v20h-8z"/>'


def fist(c: Chance) -> str:
    fingers = "".join(
        f'<rect {INK} x="{26 + 12 * i}" y="{30 - (i % 2) * 3}" width="10" height="24" rx="5"/>'
        for i in range(4)
    )
    return f'{fingers}<path {INK} d="M26 50h46v14q0 18 -20 18h-8q-18 0 -18 -18z"/><rect {INK} x="20" y="{46 + c.below(6)}" width="30" height="10" rx="5"/>'


def eye(c: Chance) -> str:
    r = 9 + c.below(6)
    lashes = _round(
        5,
        lambda a: (
            f'<path {LINE} stroke-width="4" transform="rotate({a / 4 - 36:.0f} 50 62)" d="M50 26v-12"/>'
        ),
    )
    return f'<path {LINE} stroke-width="6" d="M14 52Q50 20 86 52Q50 84 14 52z"/><circle {INK} cx="50" cy="52" r="{r}"/>{lashes if c.below(2) else ""}'


def drop(c: Chance) -> str:
    one = f'<path {INK} d="M50 12Q74 48 74 64A24 24 0 0 1 26 64Q26 48 50 12z"/>'
    small = f'<path {INK} d="M{20 + c.below(60)} 70q8 12 8 18a8 8 0 0 1 -16 0q0 -6 8 -18z"/>'
    return one + (small if c.below(2) else "")


def bone(c: Chance) -> str:
    turn = c.pick([35, -35, 90])
    return f'<g {INK} transform="rotate({turn} 50 50)"><rect x="44" y="24" width="12" height="52"/><circle cx="42" cy="22" r="10"/><circle cx="58" cy="22" r="10"/><circle cx="42" cy="78" r="10"/><circle cx="58" cy="78" r="10"/></g>'


def skull(c: Chance) -> str:
    jaw = 60 + c.below(8)
    return f'<path {INK} fill-rule="evenodd" d="M50 14C24 14 16 32 16 46c0 12 8 16 12 20v16h44V66c4-4 12-8 12-20C84 32 76 14 50 14zM36 42a9 9 0 1 1 0 18a9 9 0 0 1 0-18zM64 42a9 9 0 1 1 0 18a9 9 0 0 1 0-18zM50 {jaw}l-5 10h10zM40 76v6M50 76v6z"/>'


def flame(c: Chance) -> str:
    lean = c.below(16) - 8
    return f'<path {INK} fill-rule="evenodd" d="M{50 + lean} 8C60 28 80 40 78 64A28 28 0 0 1 22 64C22 50 32 46 34 32C42 38 46 26 {50 + lean} 8zM50 52c6 8 12 12 12 20a12 12 0 0 1-24 0c0-8 8-10 12-20z"/>'


def gear(c: Chance) -> str:
    teeth = 7 + c.below(5)
    return (
        f'<path {INK} fill-rule="evenodd" d="M50 22a28 28 0 1 0 .1 0zM50 38a12 12 0 1 1 -.1 0z"/>'
        + _round(
            teeth,
            lambda a: f'<rect {INK} x="44" y="10" width="12" height="16" transform="rotate({a:.0f} 50 50)"/>',
        )
    )


def key(c: Chance) -> str:
    teeth = "".join(
        f'<rect {INK} x="{64 + 9 * i}" y="50" width="6" height="{10 + c.below(10)}"/>' for i in range(3)
    )
    return f'<path {INK} fill-rule="evenodd" d="M26 28a22 22 0 1 0 .1 0zM26 40a10 10 0 1 1 -.1 0z"/><rect {INK} x="44" y="45" width="48" height="9"/>{teeth}'


def lock(c: Chance) -> str:
    rise = 14 + c.below(8)
    return f'<path {LINE} stroke-width="9" d="M32 48V{rise + 16}a18 18 0 0 1 36 0V48"/><path {INK} fill-rule="evenodd" d="M22 46h56v42H22zM50 58a7 7 0 0 0-4 13v10h8V71a7 7 0 0 0-4-13z"/>'


def mask(c: Chance) -> str:
    smile = c.pick(["M36 68q14 12 28 0", "M36 74q14 -12 28 0", "M38 70h24"])
    return f'<path {INK} fill-rule="evenodd" d="M18 18q32 12 64 0v34q0 32 -32 38q-32 -6 -32 -38zM28 40q9 -8 18 0q-9 8 -18 0zM54 40q9 -8 18 0q-9 8 -18 0z"/><path d="{smile}" fill="none" stroke="var(--paper)" stroke-width="5" stroke-linecap="round"/>'


def hand(c: Chance) -> str:
    fingers = "".join(
        f'<rect {INK} x="{30 + 11 * i}" y="{[22, 12, 14, 24][i] + c.below(4)}" width="9" height="46" rx="4.5"/>'
        for i in range(4)
    )
    return f'{fingers}<path {INK} d="M30 50h42v18q0 22 -22 22q-20 0 -20 -20z"/><rect {INK} x="10" y="56" width="30" height="10" rx="5" transform="rotate(38 25 60)"/>'


def heart(c: Chance) -> str:
    crack = (
        f'<path d="M50 26l{6 + c.below(6)} 16l-12 12l8 22" fill="none" stroke="var(--paper)" stroke-width="4"/>'
        if c.below(2)
        else ""
    )
    return f'<path {INK} d="M50 88C10 58 8 40 14 28C22 12 42 14 50 30C58 14 78 12 86 28C92 40 90 58 50 88z"/>{crack}'


def brain(c: Chance) -> str:
    folds = c.pick(["M50 20v62", "M50 20q-8 30 0 62", "M50 20q8 30 0 62"])
    return f'<path {LINE} stroke-width="7" d="M50 18c-14-8-28 2-26 14c-12 4-14 20-4 28c-4 14 10 24 22 18c2 6 8 6 8 2M50 18c14-8 28 2 26 14c12 4 14 20 4 28c4 14-10 24-22 18c-2 6-8 6-8 2"/><path {LINE} stroke-width="4" d="{folds}M30 42q10 0 10 10M70 42q-10 0-10 10"/>'


def needle(c: Chance) -> str:
    turn = 30 + c.below(40)
    return f'<g transform="rotate({turn} 50 50)"><path {INK} d="M50 4l4 60h-8z"/><rect {INK} x="38" y="60" width="24" height="28" rx="3"/><path {LINE} stroke-width="6" d="M50 88v8M40 96h20"/></g>'


def chain(c: Chance) -> str:
    turn = c.pick([0, 45, -45])
    links = "".join(
        f'<rect x="{34 if i % 2 == 0 else 41}" y="{6 + 21 * i}" width="{32 if i % 2 == 0 else 18}" height="28" rx="13" {LINE} stroke-width="7"/>'
        for i in range(4)
    )
    return f'<g transform="rotate({turn} 50 50)">{links}</g>'


def coin(c: Chance) -> str:
    number = 2 + c.below(3)
    return (
        "".join(
            f'<ellipse cx="50" cy="{78 - 14 * i}" rx="30" ry="11" fill="var(--paper)" stroke="currentColor" stroke-width="6"/>'
            for i in range(number)
        )
        + f'<circle {INK} cx="50" cy="{78 - 14 * (number - 1)}" r="4"/>'
    )


def crown(c: Chance) -> str:
    mid = 16 + c.below(8)
    return f'<path {INK} d="M14 76L10 30L32 50L50 {mid}L68 50L90 30L86 76zM14 80h72v9H14z"/><circle {INK} cx="50" cy="{mid - 6}" r="5"/>'


def leaf(c: Chance) -> str:
    veins = "".join(f"M50 {34 + 12 * i}l{12 - i} -9M50 {34 + 12 * i}l-{12 - i} -9" for i in range(4))
    return f'<path {INK} d="M50 6C84 26 84 64 50 90C16 64 16 26 50 6z"/><path d="M50 14V96{veins}" fill="none" stroke="var(--paper)" stroke-width="{3 + c.below(2)}"/>'


def mushroom(c: Chance) -> str:
    spots = "".join(
        f'<circle cx="{28 + c.below(44)}" cy="{26 + c.below(16)}" r="{3 + c.below(4)}" fill="var(--paper)"/>'
        for _ in range(4)
    )
    return f'<path {INK} d="M8 50C8 24 28 12 50 12s42 12 42 38q-42 8 -84 0z"/>{spots}<path {INK} d="M40 56q10 2 20 0q-2 18 6 32H34q8 -14 6 -32z"/>'


def crystal(c: Chance) -> str:
    tall = 6 + c.below(10)
    return f'<path {INK} d="M50 {tall}L64 30V84H36V30z"/><path {INK} opacity=".7" d="M26 40l9 14v32H16V56zM74 36l10 18v32H66V52z"/>'


def flask(c: Chance) -> str:
    level = 54 + c.below(14)
    return f'<path {LINE} stroke-width="6" d="M38 10h24M43 10v28L20 82q-2 8 6 8h48q8 0 6 -8L57 38V10"/><path {INK} d="M{50 - (level - 34) * 0.55:.0f} {level}h{(level - 34) * 1.1:.0f}L74 84H26z"/>'


def moon(c: Chance) -> str:
    bite = 20 + c.below(16)
    return f'<path {INK} d="M62 10A42 42 0 1 0 90 66A{40 - bite // 3} {40 - bite // 3} 0 0 1 62 10z"/>'


def star(c: Chance) -> str:
    points = 5 + c.below(4)
    inner = 16 + c.below(8)
    corners = []
    for i in range(points * 2):
        r = 42 if i % 2 == 0 else inner
        a = math.pi * i / points - math.pi / 2
        corners.append(f"{50 + r * math.cos(a):.1f} {50 + r * math.sin(a):.1f}")
    return f'<path {INK} d="M{"L".join(corners)}z"/>'


def door(c: Chance) -> str:
    x = c.pick([36, 62])
    return f'<path {INK} fill-rule="evenodd" d="M22 92V34a28 28 0 0 1 56 0v58zM32 92h36V36a18 18 0 0 0-36 0z"/><circle {INK} cx="{x}" cy="62" r="5"/><path {LINE} stroke-width="4" d="M50 24v68"/>'


def scales(c: Chance) -> str:
    tilt = c.pick([-12, -6, 6, 12])
    return f'<path {INK} d="M46 16h8v66h18v8H28v-8h18z"/><g transform="rotate({tilt} 50 22)"><path {LINE} stroke-width="5" d="M12 22h76M24 22l-12 32M24 22l12 32M76 22l-12 32M76 22l12 32"/><path {INK} d="M8 54h32q-4 16 -16 16T8 54zM60 54h32q-4 16 -16 16T60 54z"/></g>'


def badge(c: Chance) -> str:
    return f'<path {INK} fill-rule="evenodd" d="M50 6l14 10l18 -2l2 18l12 14l-10 16l0 18l-18 2l-18 14l-18 -14l-18 -2l0 -18l-10 -16l12 -14l2 -18l18 2zM50 30a18 18 0 1 0 .1 0z"/><circle {INK} cx="50" cy="48" r="{6 + c.below(5)}"/>'


def bullet(c: Chance) -> str:
    number = 1 + c.below(3)
    start = 50 - 13 * (number - 1)
    return "".join(
        f'<path {INK} d="M{start + 26 * i - 10} 80V38Q{start + 26 * i} 10 {start + 26 * i + 10} 38V80z"/><rect {INK} x="{start + 26 * i - 12}" y="83" width="24" height="7"/>'
        for i in range(number)
    )


def gun(c: Chance) -> str:
    turn = c.pick([-18, 0, 12])
    return f'<g transform="rotate({turn} 50 50)"><path {INK} d="M8 30h80v18H60l-4 12H44l-8 28H16l8 -36H8z"/><path d="M46 50q10 0 8 -6" fill="none" stroke="var(--paper)" stroke-width="4"/></g>'


def mirror(c: Chance) -> str:
    glint = 30 + c.below(14)
    return f'<ellipse cx="50" cy="38" rx="26" ry="30" {LINE} stroke-width="7"/><path {INK} d="M45 68h10v24H45z"/><path {LINE} stroke-width="4" d="M{glint} 46l16 -20M{glint + 12} 48l10 -12"/>'


def clock(c: Chance) -> str:
    hour = 30 * c.below(12)
    return f'<circle cx="50" cy="50" r="38" {LINE} stroke-width="7"/><path {LINE} stroke-width="6" transform="rotate({hour} 50 50)" d="M50 50V28"/><path {LINE} stroke-width="5" d="M50 50l{10 + c.below(14)} 8"/>'


def book(c: Chance) -> str:
    lines = "".join(
        f"M20 {36 + 11 * i}h{16 + c.below(8)}M60 {36 + 11 * i}h{16 + c.below(8)}" for i in range(4)
    )
    return f'<path {LINE} stroke-width="6" d="M50 26Q32 14 10 20V80Q32 74 50 86Q68 74 90 80V20Q68 14 50 26zV86"/><path {LINE} stroke-width="3" d="{lines}"/>'


def rose(c: Chance) -> str:
    petals = 5 + c.below(4)
    return (
        _round(
            petals,
            lambda a: (
                f'<circle {INK} opacity=".75" cx="50" cy="24" r="14" transform="rotate({a:.0f} 50 40)"/>'
            ),
        )
        + f'<circle cx="50" cy="40" r="9" fill="var(--paper)"/><circle {INK} cx="50" cy="40" r="5"/><path {LINE} stroke-width="5" d="M50 58V96M50 80l{c.pick([14, -14])} -10"/>'
    )


def snake(c: Chance) -> str:
    wide = 16 + c.below(10)
    return f'<path {LINE} stroke-width="9" d="M20 88q{wide + 20} 0 30 -16t-10 -22t10 -26q12 -12 26 -4"/><circle {INK} cx="78" cy="22" r="9"/><path {LINE} stroke-width="3" d="M86 18l8 -6M86 18l9 2"/>'


def candle(c: Chance) -> str:
    tall = 34 + c.below(12)
    return f'<path {INK} d="M36 {tall}h28V88H36zM24 88h52v7H24z"/><path {INK} d="M50 {tall - 28}q10 14 0 22q-10 -8 0 -22z"/><path {LINE} stroke-width="3" d="M50 {tall}v-8"/>'


def tower(c: Chance) -> str:
    rooms = "".join(
        f'<rect x="{34 + 14 * (i % 2)}" y="{40 + 14 * (i // 2)}" width="7" height="9" fill="var(--paper)"/>'
        for i in range(2 + c.below(5))
    )
    return f'<path {INK} d="M26 92V24h8v-10h8v10h6v-10h8v10h6v-10h8v10h4V92z"/>{rooms}'


def mountain(c: Chance) -> str:
    peak = 30 + c.below(20)
    return f'<path {INK} d="M4 88L{peak} 20L{peak + 14} 48L{peak + 26} 32L96 88z"/><path fill="var(--paper)" d="M{peak} 20l-10 20l8 -4l4 8l6 -6z"/>'


def wheel(c: Chance) -> str:
    spokes = 6 + c.below(5)
    return (
        f'<circle cx="50" cy="50" r="38" {LINE} stroke-width="7"/><circle {INK} cx="50" cy="50" r="9"/>'
        + _round(
            spokes,
            lambda a: f'<path {LINE} stroke-width="4" transform="rotate({a:.0f} 50 50)" d="M50 50V14"/>',
        )
    )


def bird(c: Chance) -> str:
    lift = 18 + c.below(14)
    return f'<path {INK} d="M6 {lift + 14}Q30 {lift} 50 50Q70 {lift} 94 {lift + 14}Q74 {lift + 18} 60 62L66 84L50 74L34 84L40 62Q26 {lift + 18} 6 {lift + 14}z"/>'


def spider(c: Chance) -> str:
    legs = "".join(
        f"M50 54l{s * (26 + 4 * i)} {-24 + 16 * i}l{s * 10} {10 + c.below(4)}"
        for i in range(4)
        for s in (1, -1)
    )
    return f'<path {LINE} stroke-width="4.5" d="{legs}"/><circle {INK} cx="50" cy="62" r="15"/><circle {INK} cx="50" cy="42" r="9"/>'


def bottle(c: Chance) -> str:
    level = 50 + c.below(16)
    return f'<path {INK} fill-rule="evenodd" d="M43 6h14v22l10 14v50H33V42l10 -14zM39 {level}h22v24H39z"/>'


def road(c: Chance) -> str:
    lean = c.below(20) - 10
    return f'<path {INK} d="M{44 + lean} 14h12L86 92H14z"/><path d="M{50 + lean} 18L50 92" stroke="var(--paper)" stroke-width="4" stroke-dasharray="10 8" fill="none"/>'


MOTIFS: dict[str, Draw] = {
    draw.__name__: draw
    for draw in (
        badge, bird, blade, bone, book, bottle, brain, bullet, candle, chain, clock, coin, crown, crystal, door, drop, eye,
        fist, flame, flask, gear, gun, hand, heart, key, leaf, lock, mask, mirror, moon, mountain, mushroom, needle, road,
        rose, scales, skull, snake, spider, star, tower, wheel,
    )
}  # fmt: skip
