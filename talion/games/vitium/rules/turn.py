"""The turn from its start to its end."""

from __future__ import annotations

from typing import NoReturn

from talion.kernel import Asking, Card

from . import declaring
from .harm import affordable, exhaust, happen, scores, settle
from .table import Boss, Line, Table, boss_of, is_in_play, look, next_seat, order, works_underway

ROUNDS = 60
"""VT-B69 Turns each after which a match stops."""
IDLE_ROUNDS = 2


def start_of_turn(t: Table) -> Asking:
    """VT-6.2 Turn abilities; VT-6.3 everything unexhausts; VT-6.4 income."""
    boss = t.active_boss
    t.turns += 1
    t.acted = False
    t.log("VT-6.1", "{who} takes the turn.", who=boss)
    for card in boss.underway:
        tell_work(t, card, "turn")
    happening = turn_lines(t, boss)
    for card, line in [one for one in happening if not (one[1].costs or one[1].asks)]:
        yield from happen(t, boss.seat, card, line)
    waiting = [one for one in happening if one[1].costs or one[1].asks]
    while waiting := [one for one in waiting if can_happen(t, boss, *one)]:
        card, line = waiting[0]
        if len(waiting) > 1:
            ways = [("turn ability", card, line.index) for card, line in waiting]
            _, card, index = yield t.ask(boss, ways, "Which Turn ability is next?", "VT-6.2", minor=True)
            line = look(t, card).lines[index]
        waiting.remove((card, line))
        yield from happen(t, boss.seat, card, line)
    yield from exhaust(t, (*boss.assets, *boss.altering, *boss.ongoing, *boss.underway), False)
    boss.wealth += boss.income
    t.log("VT-6.4", "{who} receives {n}Ç.", who=boss, n=boss.income)
    return declaring.take_actions


def turn_lines(t: Table, boss: Boss) -> list[tuple[Card, Line]]:
    """VT-16.7 The Turn abilities in a boss's employ."""
    face_up = [(card, False) for zone in (boss.assets, boss.altering, boss.ongoing) for card in zone]
    underway = [(card, True) for card in boss.underway]
    return [
        (card, line)
        for card, sneaks in face_up + underway
        for line in look(t, card).happening("turn", sneaks)
    ]


def can_happen(t: Table, boss: Boss, card: Card, line: Line) -> bool:
    return is_in_play(t, card) and boss_of(t, card) == boss.seat and affordable(t, boss.seat, card, line)


def tell_work(t: Table, card: Card, tag: str) -> None:
    """VT-B37 What a face-down card openly does is seen, though not what it is."""
    if t.know is not None:
        t.tell(card, "while it sneaks:", tag, works_underway(t.face(card), tag))


def end_of_turn(t: Table) -> Asking:
    """VT-6.8 What lasts until the end of the turn ends; pawns hired for the turn go back."""
    for boss in t.bosses:
        for card in list(boss.assets):
            t.until_end[card] = ()
            if t.returns_to[card] is not None:
                back = t.bosses[t.returns_to[card]]
                t.returns_to[card] = None
                t.move(card, back.assets)
                t.log("VT-B60", "{card} goes back to {who}.", card=card, who=back)
        for card in boss.underway:
            t.consent_refused[card] = False
    yield from settle(t)
    t.idle = 0 if t.acted else t.idle + 1
    if t.idle >= IDLE_ROUNDS * t.seats_taken or t.turns >= ROUNDS * t.seats_taken:
        stop(t)
    t.active = next_seat(t, t.active)
    return start_of_turn


def stop(t: Table) -> NoReturn:
    """VT-B69 Most Influence wins, then most wealth; otherwise it is shared."""
    standing = {seat: (t.bosses[seat].total(), t.bosses[seat].wealth) for seat in order(t)}
    best = max(standing.values())
    t.over(
        [seat for seat in standing if standing[seat] == best],
        "The match stopped: most Influence wins.",
        "VT-B69",
        scores(t),
    )
