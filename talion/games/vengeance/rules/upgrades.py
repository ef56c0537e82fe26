"""VG-6.10 to VG-6.18, VG-17.11, VG-17.12: using Abilities and Items."""

from __future__ import annotations

from collections.abc import Iterator

from talion.kernel import Asking, Card, No, Option, Play, Said

from .dens import boss_here
from .dice import affordable
from .printed import trait
from .table import Vengeance

Refusal = tuple[str, str]
"""A rule, and why it says no."""


def words(t: Vengeance, tile: Card) -> Said:
    """The sentence on a tile."""
    return t.face(tile).said["text"][0]


def timing(said: Said) -> str:
    """The moment an upgrade is for: the word before the colon, or an action."""
    when = said.filled.get("when")
    return when.value if when else "Action"


def usable(t: Vengeance, seat: int) -> Iterator[Option | No]:
    """The upgrades that may be used in the present window."""
    for tile in t.heroes[seat].tiles:
        refusal = refused(t, seat, tile)
        if refusal is None:
            yield ("use", tile)
        elif t.explaining:
            yield No(("use", tile), *refusal)


def refused(t: Vengeance, seat: int, tile: Card) -> Refusal | None:
    """What forbids using a tile now, if anything."""
    said = words(t, tile)
    if "gift" in said.filled:
        return "VG-17.8", "It works by itself."
    play = Play(t, seat, tile, t.face(tile), when=timing(said))
    return (
        _wrong_moment(t, said, play["when"])
        or (_item_refused(t, play["when"]) if t.face(tile).kind == "item" else None)
        or (("VG-6.11", "It was used in this round.") if t.used[tile] else None)
        or _nothing_to_do(said, play)
    )


def _wrong_moment(t: Vengeance, said: Said, when: str) -> Refusal | None:
    """VG-Q42 After the activation, Abilities that use up dice may use what was gained there."""
    takes_dice = "price" in said.filled or "old" in said.filled["deeds"][0].filled
    if when == t.window or (t.window == "After activation" and when == "Action" and takes_dice):
        return None
    return "VG-17.11", f"It is for another moment: {when}."


def _item_refused(t: Vengeance, when: str) -> Refusal | None:
    """VG-6.13, VG-26.3, VG-Q42, VG-Q51 One Item in a round, none after the activation, none where a boss forbids them."""
    if when == "Ready":
        return None
    if t.window == "After activation":
        return "VG-Q42", "Items cannot be used after the activation."
    if t.item_used:
        return "VG-6.13", "An Item was used in this round."
    boss = boss_here(t)
    if boss and boss.zone == t.zone and trait(t, boss.name).no_items:
        return "VG-26.3", f"Items cannot be used in the zone of {boss.name}."
    return None


def _nothing_to_do(said: Said, play: Play) -> Refusal | None:
    """VG-17.11 The dice must be there, and the first deed must have something to act on."""
    price = said.filled.get("price")
    if price and not affordable(play, price.read(play)):
        return "VG-17.11", "The dice it wants are not there."
    if not said.filled["deeds"][0].payable(play):
        return "VG-17.11", "There is nothing it could do now."
    return None


def use(t: Vengeance, tile: Card) -> Asking:
    """VG-6.11, VG-6.12, VG-6.18 An Ability is used up for the round; an Item is discarded first."""
    face = t.face(tile)
    t.log("VG-17.11", "{who} uses {tile}: {words}", who=t.hero, tile=tile, words=face.text)
    use_up(t, tile)
    said = words(t, tile)
    yield from said.run(Play(t, t.active, tile, face, when=timing(said)))


def use_up(t: Vengeance, tile: Card) -> None:
    """VG-6.11, VG-6.12 An Ability is spent for the round, an Item for good."""
    if t.face(tile).kind == "item":
        t.item_used = t.window != "Ready"
        t.move(tile, t.item_discard)
    else:
        t.used[tile] = True


def renew(t: Vengeance) -> None:
    """VG-6.11, VG-11.2 In each round, and in each Ready, every Ability can be used again."""
    for stack in t.hero.stacks:
        for tile in stack.tiles:
            t.used[tile] = False


def gift(t: Vengeance, name: str) -> Card | None:
    """An active, unused upgrade that gives the hero something without being asked (Passive)."""
    for tile in t.hero.tiles:
        given = words(t, tile).filled.get("gift")
        barred = t.used[tile] or (t.face(tile).kind == "item" and _item_refused(t, "Action"))
        if given and not barred and given.read(Play(t, t.active)) == name:
            return tile
    return None
