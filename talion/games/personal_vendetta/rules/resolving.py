"""PV-7, PV-14: sentences one by one, and then what they have triggered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from talion.kernel import Asking, Option, Play, Said

from .cards import HEADSPACE, turn_up
from .life import look_for_deaths
from .table import Vendetta

TRIGGERS_IN_A_ROW = 200


def effect(play: Play) -> Asking:
    """PV-R26 Benefit, then penalty, unless one of them is called off."""
    t, said = play.t, play.face.said  # type: ignore[union-attr]
    attack = bool(play["attack"])
    if not (attack and "benefit" in t.negated):
        yield from carry_out(play, said.get("benefit", ()))
    if attack and ("penalty" in t.negated or not t.rule("penalties", True, seat=play.you)):
        if said.get("penalty"):
            t.log("PV-3.7", "The penalty of {card} is left out.", card=play.this)
        return
    yield from carry_out(play, said.get("penalty", ()))


def carry_out(play: Play, sentences: Iterable[Said]) -> Asking:
    """PV-14.1 Sentence by sentence, with a look for the dead after each."""
    t = play.t
    for said in sentences:
        if not t.clones[play.you].alive:
            return
        t.resolving = True
        play["aimed"] = dict(t.aimed).get(said.path) if t.aimed and play["action"] else None
        yield from said.run(play)
        t.resolving = False
        look_for_deaths(t)


def settled(t: Vendetta, then: str) -> Any:
    """The step to go on with: at once if nothing has triggered and headspace has cards, else by way of `settle`."""
    return (settle, then) if t.queue or not t.headspace else t.game.step(then)


def settle(t: Vendetta, then: str, resolved: int = 0) -> Any:
    """PV-R27 What has triggered resolves, one by one; then headspace is refreshed."""
    t.queue = tuple(waiting for waiting in t.queue if stands(t, waiting))
    if t.queue and resolved < TRIGGERS_IN_A_ROW:
        waiting = yield from next_trigger(t)
        t.queue = without(t.queue, waiting)
        path, frame = waiting
        play = Play.from_frame(t, dict(frame))
        t.log("PV-7.2", "{card} triggers.", card=play.this)
        yield from carry_out(play, [t.content.at(path)])
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


def without(queue: tuple[Any, ...], waiting: Any) -> tuple[Any, ...]:
    at = queue.index(waiting)
    return queue[:at] + queue[at + 1 :]


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
