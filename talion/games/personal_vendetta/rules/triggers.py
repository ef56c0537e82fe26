"""PV-7: what has triggered, and when it resolves."""

from __future__ import annotations

from typing import Any

from talion.kernel import Asking, Option

from .cards import HEADSPACE, turn_up
from .life import look_for_deaths
from .table import Vendetta

TRIGGERS_IN_A_ROW = 200


def settled(t: Vendetta, then: str) -> Any:
    """The step to go on with: at once if nothing has triggered and headspace has cards, else by way of `settle`."""
    return (settle, then) if t.queue or not t.headspace else t.game.step(then)


def settle(t: Vendetta, then: str, resolved: int = 0) -> Any:
    """PV-R27 What has triggered resolves, one by one; then headspace is refreshed."""
    t.queue = tuple(waiting for waiting in t.queue if stands(t, waiting))
    if t.queue and resolved < TRIGGERS_IN_A_ROW:
        waiting = yield from next_trigger(t)
        t.log("PV-7.2", "{card} triggers.", card=dict(waiting[1])["this"])
        t.resolving = True
        yield from t.resolve(waiting)
        t.resolving = False
        look_for_deaths(t)
        return settle, then, resolved + 1
    if t.queue:
        t.log("PV-R40", "Triggers set each other off without end: the rest are dropped.")
        t.queue = ()
    if not t.headspace:
        t.log("PV-11.2", "Headspace is empty and is refreshed.")
        turn_up(t, HEADSPACE)
    return t.game.step(then)


def stands(t: Vendetta, waiting: tuple[Any, ...]) -> bool:
    """Whether a waiting trigger still counts: its state in play, its controller alive."""
    path, frame = waiting
    names = dict(frame)
    clone = t.clones[names["you"]]
    return clone.alive and (t.content.at(path).kind != "ability" or names["this"] in clone.states)


def next_trigger(t: Vendetta) -> Asking:
    """PV-8.5 The active clone decides which waiting trigger resolves next."""
    options: dict[Option, Any] = {}
    for waiting in dict.fromkeys(t.queue):
        card = dict(waiting[1])["this"]
        option: Option = ("trigger", card)
        while option in options:
            option = ("trigger", card, option[2] + 1 if len(option) > 2 else 2)
        options[option] = waiting
    if len(options) == 1:
        return t.queue[0]
    answer = yield t.ask(t.active, list(options), "Which trigger resolves next?", "PV-8.5", minor=True)
    return options[answer]
