"""What players may give each other: money at any time, and the Influence of a job."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from talion.kernel import Asking, Option, Standing

from .harm import gain_influence
from .table import Table, from_active

STEP = 50
"""VT-B54 Gifts go in steps of this many Ç, or all one has."""
PATIENCE = 3
"""VT-B54 Refusals of one giver by one receiver before the next decision."""


def standing(t: Table) -> Iterator[Standing]:
    """VT-10.1 Any player may at any time offer another any part of their own money."""
    for boss in t.bosses:
        yield Standing(t.ask(boss, receivers, "Give money", "VT-10.1"), give)


def receivers(t: Table, seat: int) -> list[Option]:
    if t.bosses[seat].wealth == 0:
        return []
    return [
        ("give", other)
        for other in t.seat_numbers
        if other != seat and t.refusals.count((seat, other)) < PATIENCE
    ]


def give(t: Table, seat: int, option: Option) -> Asking:
    """VT-10.2 The giver names an amount; the other may refuse, and then nothing changes hands."""
    giver, receiver = t.bosses[seat], t.bosses[option[1]]
    amounts = sorted({*range(STEP, giver.wealth + 1, STEP), giver.wealth})
    answer = yield t.ask(
        seat,
        [("amount", 0), *(("amount", n) for n in amounts)],
        f"How much for @{receiver.seat}?",
        "VT-10.1",
        default=("amount", 0),
    )
    amount = answer[1]
    if amount == 0:
        t.refusals = (*t.refusals, (seat, receiver.seat))
        return
    t.log("VT-10.1", "{who} offers {other} {n}Ç.", who=giver, other=receiver, n=amount)
    answer = yield t.ask(
        receiver,
        [("accept",), ("refuse",)],
        f"@{seat} offers you {amount}Ç",
        "VT-10.2",
        default=("refuse",),
    )
    if answer == ("accept",):
        giver.wealth -= amount
        receiver.wealth += amount
        t.log("VT-10.2", "{who} accepts.", who=receiver)
    else:
        t.refusals = (*t.refusals, (seat, receiver.seat))
        t.log("VT-10.2", "{who} refuses.", who=receiver)


def splits(t: Table, seat: int, points: int) -> list[Option]:
    """VT-10.3 All ways to share out a job's Influence, beginning with keeping it."""
    ways = [way for way in product(range(points + 1), repeat=t.seats_taken) if sum(way) == points]
    return [("split", *way) for way in sorted(ways, key=lambda way: -way[seat])]


def share_out(t: Table, seat: int, house: str, points: int) -> Asking:
    """VT-10.3 The job's boss may split its Influence; VT-10.4 others may refuse, and it falls to the boss."""
    ways = splits(t, seat, points)
    answer = yield t.ask(
        seat, ways, f"Who gets the Influence with House {house}?", "VT-10.3", default=ways[0], minor=True
    )
    shares = dict(enumerate(answer[1:]))
    for other in from_active(t):
        if other != seat and shares[other]:
            offer = f"@{seat} allots you {shares[other]} Influence with House {house}"
            answer = yield t.ask(
                other, [("accept",), ("refuse",)], offer, "VT-10.4", default=("refuse",), minor=True
            )
            t.log("VT-10.4", f"{{who}} {answer[0]}s {shares[other]} Influence.", who=t.bosses[other])
            if answer == ("refuse",):
                shares[seat] += shares.pop(other)
    gain_influence(t, [(other, house, n) for other, n in shares.items()], "VT-7.19", seat)
