"""PV-5, PV-6: take, play, activate, and the reactions to them: what may be done, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from talion.kernel import Ask, Asking, Card, Face, No, Option, Play, Said

from .cards import add
from .costs import affordable, bill_of, bill_with_x, pay, price_of, take_bill
from .life import opponent
from .resolving import effect
from .table import Clone, Vendetta, active

PASS = ("pass",)
WASTE = ("lose the ticks left",)


def actions(t: Vendetta, seat: int) -> list[Any]:
    """PV-5.1 Take, play, activate: whatever can be paid for."""
    found: list[Any] = []
    closed: list[No] = []
    duty = False
    for option, price, why_not in plays_and_activations(t, seat):
        bill = bill_of(t, seat, price)
        if why_not is None and affordable(t, seat, bill, option):
            found.append(option)
            duty = duty or "ticks" in bill
        elif t.explaining:
            closed.append(why_not or No(option, "PV-4.8", f"You cannot pay {bill}."))
    takes = [("take", card) for card in t.headspace]
    if duty and not t.modified("may take", True, seat=seat):
        why = "This turn you must play or activate while you can spend a tick on it."
        closed += [No(take, "PV-R35", why) for take in takes]
    elif affordable(t, seat, bill := take_bill(t, seat)):
        found = takes + found
    elif t.explaining:
        closed += [No(take, "PV-4.8", f"You cannot pay {bill}.") for take in takes]
    return (found or [WASTE]) + (closed if t.explaining else [])


def plays_and_activations(t: Vendetta, seat: int) -> Iterator[tuple[Option, Said | None, No | None]]:
    """Every card in hand and every activated ability, with its price."""
    clone = t.clones[seat]
    for card in clone.hand:
        face = t.face(card)
        option: Option = ("play", card)
        if "reacts_to" not in face.said:
            yield option, price_of(face), None
        elif t.explaining:
            no = No(option, "PV-5.6", "A reaction is never played as an action; it answers one.")
            yield option, price_of(face), no
    for card in clone.states:
        abilities = activated(t.face(card))
        for number, ability in enumerate(abilities):
            option = ("activate", card) if len(abilities) == 1 else ("activate", card, number + 1)
            yield option, ability.filled["price"], None


@lru_cache(maxsize=1024)
def activated(face: Face) -> list[Said]:
    """PV-7.3 The abilities of the form `cost: effect`."""
    lines = [*face.said.get("abilities", ()), *face.said.get("afflictions", ())]
    return [line for line in lines if "price" in line.filled]


def activated_line(t: Vendetta) -> Said:
    """The ability that is being activated."""
    return activated(t.face(t.subject))[(t.ability or 1) - 1]


def announce(t: Vendetta, chosen: Option) -> Asking:
    """PV-5.12 Point at the card or lay it down, and pay."""
    t.action, t.subject = chosen[:2]
    t.ability = chosen[2] if len(chosen) > 2 else None
    t.x, t.negated, t.aimed = None, (), ()
    for clone in t.clones:
        if clone.spared or clone.shielded:
            clone.spared, clone.shielded = {}, {}
    clone = active(t)
    face = t.face(t.subject)
    if t.action == "take":
        bill = take_bill(t, t.active)
        t.log("PV-5.3", "{clone} spends {bill} on {card}.", clone=clone, bill=bill, card=t.subject)
        yield from pay(t, clone, bill, told=True)
    elif t.action == "play":
        t.move(t.subject, t.table)
        t.log("PV-5.4", "{clone} plays {card}.", clone=clone, card=t.subject)
        bill, t.x = yield from bill_with_x(t, t.active, price_of(face))
        yield from aim(t, [*face.said.get("benefit", ()), *face.said.get("penalty", ())])
        yield from pay(t, clone, bill)
    else:
        t.log("PV-5.5", "{clone} activates {card}.", clone=clone, card=t.subject)
        line = activated_line(t)
        bill, t.x = yield from bill_with_x(t, t.active, line.filled["price"])
        yield from aim(t, line.filled["does"])
        yield from pay(t, clone, bill)


def aim(t: Vendetta, sentences: Iterable[Said]) -> Asking:
    """PV-R14 As an option, victims are named with the action."""
    if t.options["targets_on_announce"]:
        for said in sentences:
            if said.phrase.hints.get("chooses"):
                victim = yield from opponent(Play(t, t.active))
                t.aimed = (*t.aimed, (said.path, victim))


def reactors(t: Vendetta) -> list[int]:
    """PV-R11 Who may react, in the order of asking: from the active clone's left, the active clone last."""
    living = [seat for seat in t.after(t.active) if t.clones[seat].alive]
    seats = [seat for seat in living if seat == t.active or t.modified("may react", True, seat=seat)]
    if t.options["reaction_order"] == "active_first":
        seats.sort(key=lambda seat: seat != t.active)
    return seats


def reaction_ask(t: Vendetta, seat: int, action: str, name: str) -> Ask:
    deed = f"You {action} {name}" if seat == t.active else f"@{t.active} {action}s {name}"
    return t.ask(seat, reactions, f"{deed}: react, or pass", "PV-6.2", default=PASS, minor=True)


def reactions(t: Vendetta, seat: int) -> list[Any]:
    """PV-6.7 Every reaction that can be paid for, whether or not its condition fits."""
    found: list[Any] = [PASS]
    for card in t.clones[seat].hand:
        face = t.face(card)
        option = ("react", card)
        if "reacts_to" in face.said:
            bill = bill_of(t, seat, price_of(face), reaction=True)
            if affordable(t, seat, bill, option):
                found.append(option)
            elif t.explaining:
                found.append(No(option, "PV-4.8", f"You cannot pay {bill}."))
        elif t.explaining:
            rule = "PV-5.7" if face.type == "attack" else "PV-5.4"
            found.append(
                No(option, rule, f"{face.type.capitalize()}s are played only in your own turn, as an action.")
            )
    return found


def play_reaction(t: Vendetta, seat: int, card: Card) -> Asking:
    """PV-6.5 Pay, hold the condition against the action, resolve, forget."""
    clone = t.clones[seat]
    face = t.face(card)
    t.reactor = seat
    t.move(card, t.table)
    t.log("PV-6.1", "{clone} reacts with {card}.", clone=clone, card=card)
    bill, x = yield from bill_with_x(t, seat, price_of(face), reaction=True)
    yield from pay(t, clone, bill)
    if clone.alive:
        t.happened("deed", deed="reaction", seat=seat)
        play = Play(t, seat, card, face, X=x)
        if face.said["reacts_to"][0].read(play):
            yield from effect(play)
        else:
            t.log("PV-6.8", "{card} does not fit this action and does nothing.", card=card)
    if clone.alive:
        t.move(card, clone.forgotten)


def take(t: Vendetta, clone: Clone, card: Card) -> None:
    """PV-5.3 The card comes to the hand, if it is still there."""
    if card in t.headspace:
        add(t, clone, card)
        t.happened("deed", deed="take", seat=clone.seat)
        t.log("PV-5.3", "{clone} takes {card}.", clone=clone, card=card)
    else:
        t.log("PV-R47", "Nothing is taken: {card} has left headspace.", card=card)
