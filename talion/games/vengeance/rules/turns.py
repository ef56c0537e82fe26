"""VG-5, VG-11.1: whose turn it is, and of what kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from talion.kernel import Asking, Option, Step

from .grudges import buy_card, can_buy_card
from .table import TURNS, Vengeance
from .upgrades import renew

BEGINNINGS: dict[str, Step] = {}
"""With which step a Montage turn, a Combat turn, a hero's part in it, and the end begin."""


def begins(what: str) -> Callable[[Step], Step]:
    """Marks the step with which something begins. Each chapter marks its own, and needs to know no later one."""

    def mark(step: Step) -> Step:
        BEGINNINGS[what] = step
        return step

    return mark


def next_turn(t: Vengeance) -> Any:
    """VG-5.5, VG-9.5, VG-22.1 The marker moves on; after the last turn the match is scored."""
    if t.turn + 1 == len(TURNS):
        return BEGINNINGS["End"]
    t.turn += 1
    t.log("VG-5.5", "Act {act}: a {kind} turn begins.", act=act_of(t.turn), kind=TURNS[t.turn])
    return BEGINNINGS[TURNS[t.turn]]


def act_of(turn: int) -> int:
    """VG-5.1 Every Montage turn opens an act."""
    return TURNS[: turn + 1].count("Montage")


@begins("Combat")
def next_hero(t: Vengeance, place: int = 0) -> Any:
    """VG-11.1, VG-22.1 In player order each completes Ready and Fight before the next begins."""
    if place == t.seats_taken:
        return next_turn
    t.active = t.order[place]
    t.lifted = ()
    renew(t)
    return BEGINNINGS["Hero"]


def tail(t: Vengeance) -> Asking:
    """VG-Q71, VG-Q25 The end of a hero's Combat turn: a last chance to spend wild tokens."""
    while can_buy_card(t, t.active):
        answer = yield t.ask(
            t.active, _tail_options, "Before the next hero's turn", "VG-20.3", default=("done",)
        )
        if answer == ("done",):
            break
        buy_card(t, t.active)
    return next_hero, t.order.index(t.active) + 1


def _tail_options(t: Vengeance, seat: int) -> list[Option]:
    return [("done",), ("draw",)]
