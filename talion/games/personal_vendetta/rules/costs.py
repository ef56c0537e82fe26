"""PV-4: what things cost, and paying."""

from __future__ import annotations

from functools import lru_cache

from talion.kernel import Asking, Face, Option, Play, Said

from .cards import PAID_BY, part_with, pick
from .life import look_for_deaths
from .table import LIFE, NUMBERS, RESOURCES, ZONES, Bill, Clone, Vendetta


def price_of(face: Face) -> Said | None:
    lines = face.said.get("cost")
    return lines[0] if lines else None


@lru_cache(maxsize=4096)
def printed(price: Said | None, x: int) -> Bill:
    """PV-4.9 A price as it is printed, read with a value for X. Everybody gets the same bill, and changes none."""
    bill = Bill()
    for what, n in price.read(Play.reading(X=x)) if price else ():
        bill[what] = bill.get(what, 0) + n
    return bill


@lru_cache(maxsize=4096)
def has_x(price: Said) -> bool:
    return any(said.phrase.hints.get("x") for said in price.below())


def bill_of(t: Vendetta, seat: int, price: Said | None, x: int = 0, *, reaction: bool = False) -> Bill:
    """What a price comes to for this seat."""
    bill = printed(price, x)
    if not reaction or not t.in_force("static", "reaction cost"):
        return bill
    return Bill(
        (what, max(0, t.modified("reaction cost", n, seat=seat, what=what))) for what, n in bill.items()
    )


TAKE = Bill(ticks=1)


def take_bill(t: Vendetta, seat: int) -> Bill:
    """PV-R5 A take costs 1 tick, whatever the card."""
    bill = TAKE
    if t.lasting or ("static", "take cost") in t.content.watchers:
        for what in RESOURCES:
            if more := t.modified("take cost", 0, seat=seat, what=what):
                bill = Bill(bill | {what: bill.get(what, 0) + more})
    return bill


def affordable(t: Vendetta, seat: int, bill: Bill, option: Option = ()) -> bool:
    """PV-4.8 Whether all of it is there. A card that is still in hand cannot pay for itself."""
    clone = t.clones[seat]
    for what, n in bill.items():
        have = getattr(clone, what)
        if what in ZONES:
            have = len(have) - (what == "hand" and option[:1] in (("play",), ("react",)))
        if have < n:
            return False
        if n and n == have and what in LIFE and not t.options["allow_lethal_payment"]:
            return False
    return True


def bill_with_x(t: Vendetta, seat: int, price: Said | None, *, reaction: bool = False) -> Asking:
    """PV-4.10 The bill and the number chosen for X. The card itself is on the table by now."""
    if price is None or not has_x(price):
        return bill_of(t, seat, price, reaction=reaction), None
    most = 0
    while affordable(t, seat, bill_of(t, seat, price, most + 1, reaction=reaction)) and most < 99:
        most += 1
    chosen = yield t.ask(
        seat, [("X", n) for n in range(most + 1)], "Choose a number for X", "PV-4.10", minor=True
    )
    x = chosen[1]
    t.log("PV-4.10", "{clone} chooses {x} for X.", clone=t.clones[seat], x=x)
    return bill_of(t, seat, price, x, reaction=reaction), x


def pay(t: Vendetta, clone: Clone, bill: Bill, *, told: bool = False) -> Asking:
    """PV-4.3 One payment: the choices first, in the order written, then all of it at once."""
    chosen = {}
    for what, n in bill.items():
        if what in ZONES:
            chosen[what] = yield from pick(t, clone, what, n, PAID_BY[what])
    if any(bill.values()) and not told:
        t.log("PV-4.3", "{clone} pays {bill}.", clone=clone, bill=bill)
    for what, n in bill.items():
        if what in NUMBERS:
            setattr(clone, what, getattr(clone, what) - n)
    for what, cards in chosen.items():
        part_with(t, clone, what, cards)
    look_for_deaths(t)
