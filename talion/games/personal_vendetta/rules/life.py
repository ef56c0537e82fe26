"""PV-1, PV-12, PV-14: losing, gaining, choosing whom to strike, dying."""

from __future__ import annotations

from talion.kernel import Asking, Play

from .cards import part_with, pick
from .table import LIFE, ZONES, Clone, Vendetta, amount


def lose(play: Play, victim: int, what: str, n: int) -> Asking:
    """PV-12.1 Lose that much, less what reactions and states spare; returns what was really lost."""
    t: Vendetta = play.t
    clone = t.clones[victim]
    if play["action"]:
        n -= spared(t, play, clone, what, n)
    if what in ZONES:
        cards = yield from pick(t, clone, what, n, "PV-R17")
        part_with(t, clone, what, cards)
        return len(cards)
    if what == "ticks":
        n = min(n, clone.ticks)
    setattr(clone, what, getattr(clone, what) - n)
    left = getattr(clone, what)
    t.log("PV-1.3", "{clone} loses {n}, {left} left.", clone=clone, n=amount(n, what), left=left)
    return n


def spared(t: Vendetta, play: Play, clone: Clone, what: str, n: int) -> int:
    """PV-R15 What is taken off a loss from the action in progress, and used up by that."""
    by_reaction = min(n, clone.spared.get(what, 0))
    if by_reaction:
        clone.spared[what] -= by_reaction
    by_state = 0
    if play["attack"] and clone.seat != t.active:
        used = clone.shielded.get(what, 0)
        left = t.modified("shield", 0, seat=clone.seat, what=what) - used
        by_state = min(n - by_reaction, max(0, left))
        clone.shielded[what] = used + by_state
    if by_reaction + by_state:
        saved = amount(by_reaction + by_state, what)
        t.log("PV-R15", "{clone} is spared {n}.", clone=clone, n=saved)
    return by_reaction + by_state


def gain(t: Vendetta, seat: int, what: str, n: int) -> None:
    """PV-R6 Gain, up to the cap if the match has one."""
    clone = t.clones[seat]
    had = getattr(clone, what)
    cap = t.options["life_cap"]
    now = had + n if what not in LIFE or cap is None else max(had, min(cap, had + n))
    setattr(clone, what, now)
    t.log("PV-R6", "{clone} gains {n}.", clone=clone, n=amount(now - had, what))


def opponent(play: Play) -> Asking:
    """PV-13.4 Choose an opponent; with one left there is nothing to choose."""
    t: Vendetta = play.t
    if play["aimed"] is not None and t.clones[play["aimed"]].alive:
        return play["aimed"]
    others = [seat for seat in t.after(play.you) if t.clones[seat].alive and seat != play.you]
    if len(others) < 2:
        return others[0] if others else None
    answer = yield t.ask(
        play.you, [("choose", seat) for seat in others], "Choose a clone", "PV-13.4", minor=True
    )
    return answer[1]


def look_for_deaths(t: Vendetta) -> None:
    """PV-1.4 Whoever has no corpus or no cerebrium left dies now, and all of them together.

    What is being resolved goes on for the living (PV-14.2): the turn of a dead clone passes when that is done.
    """
    dying = [c for c in t.clones if c.alive and (c.corpus <= 0 or c.cerebrium <= 0 or c.gives_up)]
    if not dying:
        return
    for clone in dying:
        clone.alive = False
        t.log("PV-1.4", "{clone} dies.", clone=clone)
    living = [seat for seat, clone in enumerate(t.clones) if clone.alive]
    if len(living) == 1:
        t.over(living, "Only one clone is left alive.", "PV-1.9")
    if not living:
        t.over([], "The last clones died together: a draw.", "PV-R25")
    for clone in dying:
        remove(t, clone)


def remove(t: Vendetta, clone: Clone) -> None:
    """PV-1.8 What a dead clone had leaves the game, and what was still to come for it with it."""
    for pile in (clone.hand, clone.states, clone.forgotten, clone.aside):
        t.move_all(pile, t.removed)
    for card in list(t.table):
        owner = t.active if card == t.subject else t.reactor
        if owner == clone.seat:
            t.move(card, t.removed)
    t.lasting = tuple(e for e in t.lasting if dict(e[2])["you"] != clone.seat)
