"""PV-2, PV-8, PV-9, PV-10: set-up, and the turn from its beginning to its end."""

from __future__ import annotations

from typing import Any

from .actions import WASTE, actions, announce, react
from .cards import HEADSPACE, part_with, pick, turn_up
from .resolving import settled
from .table import Vendetta, active, amount, hand_size

STARTING_LIFE = {2: 20, 3: 15, 4: 10}


def setup(t: Vendetta) -> Any:
    """PV-2.1 One head for all, four cards beside it, life by the number of clones."""
    t.shuffle(t.head)
    turn_up(t, HEADSPACE)
    for clone in t.clones:
        clone.corpus = clone.cerebrium = STARTING_LIFE[t.seats_taken]
    first = t.options["first_clone"]
    t.active = t.chance.below(t.seats_taken) if first is None else first
    return begin_turn


def begin_turn(t: Vendetta) -> Any:
    """PV-8.1 The beginning phase: gain ticks, then resolve what triggers."""
    t.phase = "beginning"
    t.log("PV-8.1", "Turn {turn}: {clone}.", turn=t.turn, clone=active(t))
    if t.options["beginning_order"] == "gain_then_triggers":
        gain_ticks(t)
        gather(t, "beginning")
        return settled(t, "main_phase")
    gather(t, "beginning")
    return settled(t, "late_ticks")


def late_ticks(t: Vendetta) -> Any:
    """PV-R1 The other order of the beginning phase."""
    gain_ticks(t)
    return main_phase


def gain_ticks(t: Vendetta) -> None:
    """PV-8.2 Two ticks; one in the very first turn."""
    first = t.turn == 1
    ticks = max(0, t.rule("ticks gained", 1 if first else 2, seat=t.active))
    active(t).ticks += ticks
    t.log("PV-8.3" if first else "PV-8.2", "{clone} gains {n}.", clone=active(t), n=amount(ticks, "ticks"))


def gather(t: Vendetta, edge: str) -> None:
    """PV-R28 Everything that triggers at this edge of the turn, gathered at once."""
    t.happened("turn", edge=edge, seat=t.active)
    if edge == "beginning":
        due = t.due("your next turn", t.active)
        t.queue = (*t.queue, *((path, frame) for _, path, frame in due))
        t.end("your next turn", t.active)


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


def end_phase(t: Vendetta) -> Any:
    """PV-10.1 What triggers at the end of the turn comes before the discard."""
    t.phase = "end"
    gather(t, "end")
    return settled(t, "discard_down")


def discard_down(t: Vendetta) -> Any:
    """PV-10.2 Discard down to the hand size."""
    clone = active(t)
    excess = len(clone.hand) - hand_size(t, t.active)
    if excess > 0:
        cards = yield from pick(t, clone, "hand", excess, "PV-10.2")
        part_with(t, clone, "hand", cards)
    return settled(t, "next_turn")


def next_turn(t: Vendetta) -> Any:
    """PV-8.7 The next living clone clockwise."""
    t.action, t.subject, t.window, t.resolving, t.queue = "", None, False, False, ()
    t.end("this turn")
    t.lasting = tuple(entry for entry in t.lasting if not served(t, entry))
    if t.turn >= t.options["turn_limit"]:
        t.over([], f"{t.turn} turns have gone by and more than one clone lives: a draw.", "PV-R40")
    t.turn += 1
    t.active = next(seat for seat in t.after(t.active) if t.clones[seat].alive)
    return begin_turn


def served(t: Vendetta, entry: tuple[Any, ...]) -> bool:
    """Whether something put on the active clone for its next turn has had that turn."""
    frame = dict(entry[2])
    return entry[0] == "their next turn" and frame["you"] == t.active and frame["since"] < t.turn
