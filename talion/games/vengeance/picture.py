"""The table as lines of text, from a view alone: heroes, dens, the upgrades on offer, and the den that is fought in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from talion.kernel import Face, listed

from .rules.printed import Plan, Position, printed
from .rules.table import TRACKS, TURNS, Vengeance
from .rules.turns import act_of

WIDTH = 24


def phase(t: Vengeance) -> list[tuple[str, bool]]:
    """The turns of the match, the present one marked."""
    names = [kind if i == 0 else f"{kind} {act_of(i)}" for i, kind in enumerate(TURNS)]
    return [(name, i == t.turn) for i, name in enumerate(names)]


def picture(view: Any, names: Sequence[str]) -> Iterator[str]:
    """The whole table; in a Fight only the hero and the den, for nothing else matters there."""
    kind = TURNS[view.turn]
    order = ", ".join(names[seat] for seat in view.order)
    yield f"Act {act_of(view.turn)}, {kind}. Order: {order}." if order else kind
    if view.attacked is not None and view.zone:
        yield from hero_lines(view, view.heroes[view.active], names[view.active])
        yield from fight_lines(view, names[view.active])
        return
    for hero in view.heroes:
        yield from hero_lines(view, hero, names[hero.seat])
    yield "Dens:"
    for den in view.dens:
        yield from (f"  {line}" for line in den_line(den, names))
    yield f"Upgrades on offer: {tiles(view.abilities)}; {tiles(view.items)}"
    if any(view.pool.values()):
        yield f"Dice in the pool: {dice(view.pool)}"


def hero_lines(view: Any, hero: Any, name: str) -> Iterator[str]:
    you = " (you)" if hero.seat == view.viewer else ""
    yield f"{name}{you} as {hero.name}: {hero.vp} VP. {tracks(view, hero)}."
    tokens = [f"{hero.wild} wild" if hero.wild else "", f"{hero.recon} Recon" if hero.recon else ""]
    if any(tokens):
        yield f"  tokens: {listed(list(filter(None, tokens)))}"
    if any(hero.dice.values()):
        yield f"  Mind dice: {dice(hero.dice)}"
    for label, zone in (("in play", hero.wrongs), ("scored", hero.scored), ("shows", hero.shown)):
        if zone.count:
            yield f"  {label}: {cards(zone)}"
    for label, zone in (("dealt", hero.draft), ("hand", hero.hand)):
        if zone.count:
            yield f"  {label}: {cards(zone) if zone.seen else f'{zone.count} Vengeance cards'}"
    stacks = [
        " over ".join(card.name for card in reversed(stack.tiles.cards))
        for stack in hero.stacks
        if stack.tiles.count
    ]
    if stacks:
        yield f"  upgrades: {'; '.join(stacks)}"


def tracks(view: Any, hero: Any) -> str:
    """`Mind 3S, Skill 4RR, Health 6 of 8`, with brown cubes where there are any."""
    said = []
    for track in TRACKS:
        positions = printed(view.content).tracks[hero.name][track] if hero.name else ()
        free = len(positions) - hero.red[track] - hero.brown[track]
        now = (
            f"{free} of {len(positions)}"
            if track == "Health"
            else position(positions[-free])
            if free
            else "0"
        )
        said.append(f"{track} {now}" + (f" ({hero.brown[track]} severe)" if hero.brown[track] else ""))
    return ", ".join(said)


def position(at: Position) -> str:
    return f"{at.value}{''.join(sorted(at.marks))}"


def cards(zone: Any) -> str:
    return ", ".join(card.name for card in zone.cards)


def tiles(zone: Any) -> str:
    return ", ".join(f"{card.name} {card.face.cost}" for card in zone.cards) or "none"


def dice(faces: dict[str, int]) -> str:
    return ", ".join(f"{n} {face}" for face, n in faces.items() if n)


def den_line(den: Any, names: Sequence[str]) -> Iterator[str]:
    if not den.board.count:
        return
    board = den.board.cards[-1].face
    boss = next((card for card in (*den.boss.cards, *den.hidden.cards) if card.face), None)
    who = boss_words(boss.face) if boss else "a hidden boss"
    seen = " (face down; you know)" if boss and den.hidden.count else ""
    scouts = f"; scouted by {listed([names[seat] for seat in den.scouts])}" if den.scouts else ""
    wild = sum(den.wild.values())
    yield f"{board.name}, {board.vp} VP: {who}{seen}" + (f"; {wild} wild" if wild else "") + scouts


def boss_words(boss: Face) -> str:
    big = "Big Boss, " if boss.get("big") else ""
    return f"{boss.name} ({big}{boss.gang}, Health {boss.health}, with {listed(boss.entourage)})"


# ---- The den that is fought in ----


def fight_lines(view: Any, hero: str) -> Iterator[str]:
    den = view.dens[view.attacked]
    board = den.board.cards[-1].face
    faces = [face + (" (bonus die)" if kind == "Bonus" else "") for face, kind in view.dice]
    yield ""
    yield f"{board.name}, round {view.round} of 3. Dice: {', '.join(faces) or 'none'}."
    yield from drawing(view, den, board, hero)


def drawing(view: Any, den: Any, board: Face, hero: str) -> Iterator[str]:
    """The zones as boxes, from left to right by their distance from the entry."""
    plan = Plan.of(board)
    columns: dict[int, list[str]] = {}
    for zone in plan.doors:
        columns.setdefault(plan.distance[board.entry, zone], []).extend(
            box(view, den, board, plan, zone, hero)
        )
    blank = " " * WIDTH
    for row in zip_longest(*(columns[n] for n in sorted(columns)), fillvalue=blank):
        yield " ".join(row).rstrip()


def box(view: Any, den: Any, board: Face, plan: Plan, zone: str, hero: str) -> Iterable[str]:
    title = zone + (" entry" if zone == board.entry else " boss" if zone == board.boss_zone else "")
    inside = [f"> {hero}"] if view.zone == zone else []
    inside += people(view, zone)
    inside += ["wild token"] * den.wild[zone]
    inside.append(f"doors: {', '.join(plan.doors[zone])}")
    yield f"+-- {title} ".ljust(WIDTH - 1, "-") + "+"
    yield from (f"| {line[: WIDTH - 4]}".ljust(WIDTH - 1) + "|" for line in inside)
    yield "+".ljust(WIDTH - 1, "-") + "+"


def people(view: Any, zone: str) -> list[str]:
    """`2 Grunt`, `Batoman 1 of 2`."""
    traits = printed(view.content).traits
    here = Counter((enemy.name, enemy.damage) for enemy in view.enemies if enemy.zone == zone)
    said = []
    for (name, damage), n in sorted(here.items()):
        health = traits[name].health
        wounds = f" {health - damage} of {health}" if health > 1 else ""
        said.append((f"{n} " if n > 1 else "") + name + wounds)
    return said
