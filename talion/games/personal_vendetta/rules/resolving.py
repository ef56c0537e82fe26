"""PV-7, PV-14: sentences one by one, and the triggers that wait."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from talion.kernel import Asking, Option, Play, Said

from .life import look_for_deaths
from .table import Vendetta, active, next_living

TRIGGERS_IN_A_ROW = 200


def effect(play: Play) -> Asking:
    """PV-R26 Benefit, then penalty, unless one of them is called off."""
    t, said = play.t, play.face.said  # type: ignore[union-attr]
    attack = bool(play["attack"])
    if not (attack and "benefit" in t.negated):
        yield from carry_out(play, said.get("benefit", ()))
    if attack and ("penalty" in t.negated or not t.modified("penalties", True, seat=play.you)):
        if said.get("penalty"):
            t.log("PV-3.7", "The penalty of {card} is left out.", card=play.this)
        return
    yield from carry_out(play, said.get("penalty", ()))


def carry_out(play: Play, sentences: Iterable[Said]) -> Asking:
    """PV-14.1 Sentence by sentence, with a look for the dead after each, as long as whoever says them lives."""
    t = play.t
    for said in sentences:
        if not t.clones[play.you].alive:
            return
        t.resolving = True
        play["aimed"] = dict(t.aimed).get(said.path) if t.aimed and play["action"] else None
        yield from said.run(play)
        t.resolving = False
        look_for_deaths(t)


def stands(t: Vendetta, waiting: tuple[Any, ...]) -> bool:
    """Whether a waiting trigger still counts: its state in play, its controller alive."""
    path, frame = waiting
    names = dict(frame)
    clone = t.clones[names["you"]]
    return clone.alive and (t.content.at(path).kind != "ability" or names["this"] in clone.states)


def without(queue: tuple[Any, ...], waiting: Any) -> tuple[Any, ...]:
    at = queue.index(waiting)
    return queue[:at] + queue[at + 1 :]


def resolve_next(t: Vendetta) -> Asking:
    """PV-R27 One of the triggers that wait resolves; those that count no more are dropped."""
    t.queue = tuple(waiting for waiting in t.queue if stands(t, waiting))
    if t.queue:
        waiting = yield from next_trigger(t)
        t.queue = without(t.queue, waiting)
        path, frame = waiting
        play = Play.from_frame(t, dict(frame))
        t.log("PV-7.2", "{card} triggers.", card=play.this)
        yield from carry_out(play, [t.content.at(path)])


def next_trigger(t: Vendetta) -> Asking:
    """PV-8.5 The active clone decides which waiting trigger resolves next; if it is dead, the next living clone."""
    options: dict[Option, Any] = {}
    for waiting in dict.fromkeys(t.queue):
        card = dict(waiting[1])["this"]
        option: Option = ("trigger", card)
        while option in options:
            option = ("trigger", card, option[2] + 1 if len(option) > 2 else 2)
        options[option] = waiting
    if len(options) == 1:
        return t.queue[0]
    chooser = t.active if active(t).alive else next_living(t)
    answer = yield t.ask(chooser, list(options), "Which trigger resolves next?", "PV-8.5", minor=True)
    return options[answer]
