"""PV-2, PV-8, PV-9, PV-10: the steps of a match, in the order of play, from set-up to the end of a turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talion.kernel import Option, Play, Standing, Step, Window

from .actions import (
    WASTE,
    actions,
    activated_line,
    announce,
    play_reaction,
    reaction_ask,
    reactors,
    take,
)
from .cards import HEADSPACE, part_with, pick, turn_up
from .life import look_for_deaths
from .resolving import TRIGGERS_IN_A_ROW, effect, resolve_next
from .table import Vendetta, active, amount, hand_size, next_living

STARTING_LIFE = {2: 20, 3: 15, 4: 10}


def set_up(t: Vendetta) -> Any:
    """PV-2.1 One head for all, four cards beside it, life by the number of clones."""
    t.shuffle(t.head)
    turn_up(t, HEADSPACE)
    for clone in t.clones:
        clone.corpus = clone.cerebrium = STARTING_LIFE[t.seats_taken]
    first = t.options["first_clone"]
    t.active = t.chance.below(t.seats_taken) if first is None else first
    return begin_turn


# The beginning phase ----------------------------------------------------------------------------------------------


def begin_turn(t: Vendetta) -> Any:
    """PV-8.1 The beginning phase: gain ticks, then resolve what triggers."""
    t.phase = "beginning"
    t.log("PV-8.1", "Turn {turn}: {clone}.", turn=t.turn, clone=active(t))
    if t.options["beginning_order"] == "gain_then_triggers":
        gain_ticks(t)
    gather(t, "beginning")
    return onward(t, beginning_triggers, ready)


def beginning_triggers(t: Vendetta, resolved: int = 0) -> Any:
    """PV-8.4 What triggers at the beginning of a turn resolves."""
    yield from resolve_next(t)
    return onward(t, beginning_triggers, ready, resolved + 1)


def ready(t: Vendetta) -> Any:
    """PV-R1 In the other order of the beginning phase, ticks come now."""
    if t.options["beginning_order"] == "triggers_then_gain":
        gain_ticks(t)
    return main_phase


def gain_ticks(t: Vendetta) -> None:
    """PV-8.2 Two ticks; one in the very first turn."""
    first = t.turn == 1
    ticks = max(0, t.modified("ticks gained", 1 if first else 2, seat=t.active))
    active(t).ticks += ticks
    t.log("PV-8.3" if first else "PV-8.2", "{clone} gains {n}.", clone=active(t), n=amount(ticks, "ticks"))


def gather(t: Vendetta, edge: str) -> None:
    """PV-R28 Everything that triggers at this edge of the turn, gathered at once."""
    t.happened("turn", edge=edge, seat=t.active)
    if edge == "beginning":
        due = t.due("your next turn", t.active)
        t.queue = (*t.queue, *((path, frame) for _, path, frame in due))
        t.expire("your next turn", t.active)


# The main phase ---------------------------------------------------------------------------------------------------


def main_phase(t: Vendetta) -> Any:
    """PV-9.1 Act until no tick is left."""
    t.phase = "main"
    t.action, t.subject = "", None
    if active(t).ticks == 0:
        return end_phase
    chosen = yield t.ask(t.active, actions, "Take, play or activate", "PV-9.1")
    if chosen == WASTE:
        t.log("PV-R9", "{clone} can do nothing with the ticks left.", clone=active(t))
        active(t).ticks = 0
        return end_phase
    yield from announce(t, chosen)
    return react


def react(t: Vendetta) -> Any:
    """PV-6.2 Everybody is asked; a reaction starts the asking again."""
    t.reactor = None
    t.window = active(t).alive
    if not t.window:
        return onward(t, last_triggers, next_turn)
    asks = [reaction_ask(t, seat, t.action, t.face(t.subject).name) for seat in reactors(t)]
    acts = yield Window(asks, "first" if t.options["reaction_order"] == "first_to_speak" else "in order")
    for seat, (_, card) in acts:
        yield from play_reaction(t, seat, card)
        return react
    t.window = False
    return resolve


def resolve(t: Vendetta) -> Any:
    """PV-6.11 The action resolves, as the reactions have left it."""
    clone, card = active(t), t.subject
    off = "action" in t.negated
    if off:
        t.log("PV-R34", "The action is negated.")
    if t.action == "take":
        if not off:
            take(t, clone, card)
    elif t.action == "activate":
        t.happened("deed", deed="ability", seat=t.active)
        if not off:
            play = Play(t, t.active, card, t.face(card), X=t.x, action=True)
            yield from activated_line(t).run(play)
    elif t.face(card).type == "state":
        t.happened("deed", deed="state", seat=t.active)
        t.move(card, clone.forgotten if off else clone.states)
        if not off:
            t.log("PV-4.12", "{card} lies before {clone}.", card=card, clone=clone)
    else:
        t.happened("deed", deed="attack", seat=t.active)
        if not off:
            yield from effect(Play(t, t.active, card, t.face(card), X=t.x, action=True, attack=True))
        if clone.alive:
            t.move(card, clone.forgotten)
    return onward(t, action_triggers, main_phase)


def action_triggers(t: Vendetta, resolved: int = 0) -> Any:
    """PV-R27 What an action has triggered resolves when the action is done."""
    yield from resolve_next(t)
    return onward(t, action_triggers, main_phase, resolved + 1)


# The end phase ----------------------------------------------------------------------------------------------------


def end_phase(t: Vendetta) -> Any:
    """PV-10.1 What triggers at the end of the turn comes before the discard."""
    t.phase = "end"
    gather(t, "end")
    return onward(t, end_triggers, discard_down)


def end_triggers(t: Vendetta, resolved: int = 0) -> Any:
    """PV-10.1 What triggers at the end of a turn resolves."""
    yield from resolve_next(t)
    return onward(t, end_triggers, discard_down, resolved + 1)


def discard_down(t: Vendetta) -> Any:
    """PV-10.2 Discard down to the hand size."""
    clone = active(t)
    excess = len(clone.hand) - hand_size(t, t.active)
    if excess > 0:
        cards = yield from pick(t, clone, "hand", excess, "PV-10.2")
        part_with(t, clone, "hand", cards)
    return onward(t, last_triggers, next_turn)


def last_triggers(t: Vendetta, resolved: int = 0) -> Any:
    """PV-14.2 What still waits when a turn is over, or was cut short by a death, resolves before the next."""
    yield from resolve_next(t)
    return onward(t, last_triggers, next_turn, resolved + 1)


def next_turn(t: Vendetta) -> Any:
    """PV-8.7 The next living clone clockwise."""
    t.action, t.subject = "", None
    t.expire("this turn")
    t.lasting = tuple(entry for entry in t.lasting if not served(t, entry))
    if t.turn >= t.options["turn_limit"]:
        t.over([], f"{t.turn} turns have gone by and more than one clone lives: a draw.", "PV-R40")
    t.turn += 1
    t.active = next_living(t)
    return begin_turn


def served(t: Vendetta, entry: tuple[Any, ...]) -> bool:
    """Whether something put on the active clone for its next turn has had that turn."""
    frame = dict(entry[2])
    return entry[0] == "their next turn" and frame["you"] == t.active and frame["since"] < t.turn


# Going on, and giving up ------------------------------------------------------------------------------------------


def onward(t: Vendetta, triggers: Step, then: Step, resolved: int = 0) -> Any:
    """PV-R27 PV-14.2 First what has triggered, then headspace; and the turn of a dead clone goes no further."""
    if t.queue and resolved < TRIGGERS_IN_A_ROW:
        return triggers, resolved
    if t.queue:
        t.log("PV-R40", "Triggers set each other off without end: the rest are dropped.")
        t.queue = ()
    if not t.headspace:
        t.log("PV-11.2", "Headspace is empty and is refreshed.")
        turn_up(t, HEADSPACE)
    return then if active(t).alive else next_turn


def standing(t: Vendetta) -> Iterator[Standing]:
    """Whoever lives may give up at any time."""
    for clone in t.clones:
        if clone.alive and not clone.gives_up:
            ask = t.ask(clone, [("concede",)], "Give up", "PV-1.4")
            yield Standing(ask, concede)


def concede(t: Vendetta, seat: int, option: Option) -> Any:
    """PV-1.4 Dies at once; in the middle of a sentence, when the sentence is done."""
    t.clones[seat].gives_up = True
    t.log("PV-1.4", "{clone} gives up.", clone=t.clones[seat])
    if t.resolving:
        return
    look_for_deaths(t)
    if t.window:
        if t.reactor in (None, seat):
            t.go(react)
    elif not active(t).alive:
        t.go(last_triggers)
    elif t.queue:
        t.again()
