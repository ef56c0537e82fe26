"""VG-1: setting up."""

from __future__ import annotations

from typing import Any

from talion.kernel import Card

from .table import Den, Vengeance
from .wronging import deal

ABILITY_SPACES = 8
ITEM_SPACES = 4


def build(t: Vengeance) -> None:
    """Every printed card of the match, where set-up will find it."""
    homes = {
        "ability": t.ability_pile,
        "item": t.item_pile,
        "vengeance": t.vengeance_deck,
        "boss": t.boss_deck,
        "den": t.den_pile,
        "montage": t.spare,
    }
    for face in t.content.faces:
        if face.kind in homes:
            for _ in range(face.count):
                t.create(face, homes[face.kind])


def set_up(t: Vengeance) -> Any:
    """VG-1.1 Gangs, upgrades, heroes, bosses and dens; then the Wronging."""
    leave_gangs_out(t)
    lay_out_upgrades(t)
    hand_out_heroes(t)
    stack_bosses(t)
    lay_out_dens(t)
    t.shuffle(t.vengeance_deck)
    return deal


def leave_gangs_out(t: Vengeance) -> None:
    """VG-1.4, VG-1.5, VG-Q3 With two or three players one gang is out of the match, by chance if nobody chose."""
    gangs = [face.name for face in t.content.faces if face.kind == "gang"]
    while len(gangs) > max(3, t.seats_taken):
        gone = t.options["without"] or t.chance.pick(gangs)
        gangs.remove(gone)
        t.log("VG-1.5", "{gang} stay out of this match.", gang=gone)
    for pile in (t.boss_deck, t.vengeance_deck):
        t.move_all([card for card in pile if t.face(card).gang not in gangs], t.box)


def lay_out_upgrades(t: Vengeance) -> None:
    """VG-1.6 to VG-1.9 Two shuffled piles, eight Abilities and four Items face up."""
    t.shuffle(t.ability_pile)
    t.shuffle(t.item_pile)
    fill_board(t)


def fill_board(t: Vengeance) -> None:
    """VG-6.9, VG-Q17 Fills the empty spaces. Discarded Items come back when their pile is empty."""
    while len(t.abilities) < ABILITY_SPACES and t.ability_pile:
        t.draw(t.ability_pile, t.abilities)
    while len(t.items) < ITEM_SPACES and (t.item_pile or t.item_discard):
        if not t.item_pile:
            t.move_all(t.item_discard, t.item_pile)
            t.shuffle(t.item_pile)
        t.draw(t.item_pile, t.items)


def hand_out_heroes(t: Vengeance) -> None:
    """VG-1.10 Chosen heroes, or random ones; never the same twice."""
    names = [hero["name"] for hero in t.content.other_things("hero")]
    t.chance.shuffle(names)
    wanted = chosen_heroes(t.options["heroes"])
    names = wanted + [name for name in names if name not in wanted]
    for hero, name in zip(t.heroes, names, strict=False):
        hero.name = name
        t.move_all([card for card in t.spare if t.face(card).hero == name], hero.montage)


def chosen_heroes(text: str) -> list[str]:
    """The heroes of the first seats, from `Kaja, Wren Okafor`."""
    return [name.strip() for name in text.split(",") if name.strip()]


def stack_bosses(t: Vengeance) -> None:
    """VG-1.18, VG-1.19, VG-Q5 Half of the regular bosses lie on top; everybody knows that no Big Boss does."""
    big = [card for card in t.boss_deck if t.face(card).get("big")]
    t.move_all(big, t.spare)
    t.shuffle(t.boss_deck)
    upper = t.boss_deck[: len(t.boss_deck) // 2]
    t.move_all(upper, t.aside)
    t.move_all(big, t.boss_deck)
    t.shuffle(t.boss_deck)
    t.move_all(upper, t.boss_deck)
    for card in upper:
        t.tell(card, "regular")


def lay_out_dens(t: Vengeance) -> None:
    """VG-1.15, VG-1.16, VG-1.20 The 2 VP dens in a row; the 3 VP dens on the 4 VP dens, both shuffled."""
    row = [card for card in t.den_pile if t.face(card).vp == 2]
    for den, board in zip(t.dens, row, strict=True):
        open_den(t, den, board)
    t.move_all([card for card in t.den_pile if t.face(card).vp == 3], t.aside)
    t.shuffle(t.aside)
    t.shuffle(t.den_pile)
    t.move_all(t.aside, t.den_pile)


def open_den(t: Vengeance, den: Den, board: Card) -> None:
    """VG-1.20, VG-1.23, VG-Q31 A den comes into play with its wild tokens and a hidden boss."""
    t.move(board, den.board)
    den.wild.update(dict.fromkeys(den.wild, 0) | t.face(board).get("wild", {}))
    den.scouts = ()
    t.draw(t.boss_deck, den.hidden)
