"""VT-6, VT-7.21, VT-12: the turn from its start to its end, step by step."""

from __future__ import annotations

from typing import NoReturn

from talion.kernel import Asking, Card, Window

from .declaring import action_options, consents, declare
from .harm import affordable, exhaust, happen, scores, settle, settle_action, tell_work
from .maneuvers import maneuver_options
from .resolving import carry_out
from .table import Ability, Boss, Table, boss_of, change_boss, is_in_play, look, next_seat, order

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
    waiting = turn_lines(t, boss)
    while waiting := [one for one in waiting if can_happen(t, boss, *one)]:
        card, line = waiting[0]
        if len(waiting) > 1 and not all(line.in_any_order for _, line in waiting):
            ways = [("turn ability", card, line.index) for card, line in waiting]
            _, card, index = yield t.ask(boss, ways, "Which Turn ability is next?", "VT-6.2", minor=True)
            line = look(t, card).lines[index]
        waiting.remove((card, line))
        yield from happen(t, boss.seat, card, line)
    yield from exhaust(t, (*boss.assets, *boss.altering, *boss.ongoing, *boss.underway), False)
    boss.wealth += boss.income
    t.log("VT-6.4", "{who} receives {n}Ç.", who=boss, n=boss.income)
    return take_actions


def turn_lines(t: Table, boss: Boss) -> list[tuple[Card, Ability]]:
    """VT-16.7 The Turn abilities in a boss's employ."""
    face_up = [(card, False) for zone in (boss.assets, boss.altering, boss.ongoing) for card in zone]
    underway = [(card, True) for card in boss.underway]
    return [
        (card, line)
        for card, sneaks in face_up + underway
        for line in look(t, card).happening("turn", sneaks)
    ]


def can_happen(t: Table, boss: Boss, card: Card, line: Ability) -> bool:
    return is_in_play(t, card) and boss_of(t, card) == boss.seat and affordable(t, boss.seat, card, line)


def take_actions(t: Table) -> Asking:
    """VT-6.5 The active player takes actions until done."""
    option = yield t.ask(
        t.active_boss, action_options, "Take an action, or end your turn", "VT-6.5", default=("end",)
    )
    t.refusals = ()
    if option == ("end",):
        return end_of_turn
    if option[0] == "work" and not (yield from consents(t, option)):
        return take_actions
    t.acted = True
    yield from declare(t, t.active, option)
    return maneuvering


def maneuvering(t: Table) -> Asking:
    """VT-12.2 Everybody may maneuver or pass, in turn order; the step ends when all have passed in a row."""
    action = t.actions[-1]
    seats = order(t)
    first = seats.index(action.asked)
    prompt = "Maneuver, or pass"
    asks = [
        t.ask(seat, maneuver_options, prompt, "VT-12.2", default=("pass",), minor=True)
        for seat in seats[first:] + seats[:first]
    ]
    acts = yield Window(asks, "in order")
    t.refusals = ()
    if not acts:
        return resolve_action
    seat, option = acts[0]
    action.asked = next_seat(t, seat)
    yield from declare(t, seat, option)
    return maneuvering if t.options["nested"] else resolve_action


def resolve_action(t: Table) -> Asking:
    """VT-7.21 What was declared last is carried out; maneuvers then go on, or the turn does."""
    yield from carry_out(t, t.actions[-1])
    t.actions.pop()
    yield from settle_action(t)
    return maneuvering if t.actions else take_actions


def end_of_turn(t: Table) -> Asking:
    """VT-6.8 What lasts until the end of the turn ends; pawns hired for the turn go back."""
    for boss in t.bosses:
        for card in (*boss.assets, *boss.underway, *boss.ongoing):
            t.until_end[card] = ()
            t.consent_refused[card] = False
            if t.returns_to[card] is not None:
                back = t.bosses[t.returns_to[card]]
                t.log("VT-B60", "{card} goes back to {who}.", card=card, who=back)
                change_boss(t, card, back.seat)
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
