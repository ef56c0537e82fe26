"""VT-9, VT-10: what players may give each other: money at any time, and the Influence of a job."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from talion.kernel import Asking, Option, Standing

from .harm import gain_influence
from .table import Table, from_active

ROUND = (50, 100, 200, 300, 500, 1000, 2000)
"""Gifts that are offered at a glance, besides all one has; every other amount is a question or two further on."""
SCORE = 20
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
    amount = yield from name_amount(t, seat, f"How much for @{receiver.seat}?")
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


def name_amount(t: Table, seat: int, prompt: str) -> Asking:
    """VT-B54 From 1Ç to all one has: a round amount, or ever smaller ranges down to the Ç."""
    nothing = ("amount", 0)
    wealth = t.bosses[seat].wealth
    at_a_glance = sorted({n for n in ROUND if n < wealth} | {wealth})
    options = [nothing, *(("amount", n) for n in at_a_glance), *([("another amount",)] if wealth > 1 else [])]
    answer = yield t.ask(seat, options, prompt, "VT-10.1", default=nothing)
    if answer == ("another amount",):
        answer = ("between", 1, wealth)
    while answer[0] == "between":
        answer = yield t.ask(seat, [nothing, *parts(*answer[1:])], prompt, "VT-10.1", default=nothing)
    return answer[1]


def parts(low: int, high: int) -> list[Option]:
    """A range of amounts cut at round numbers, into a score at most."""
    size = 1
    while (high - low) // size >= SCORE:
        size *= 10
    starts = [low, *range(low - low % size + size, high + 1, size)]
    ends = [*(start - 1 for start in starts[1:]), high]
    return [
        ("amount", start) if start == end else ("between", start, end)
        for start, end in zip(starts, ends, strict=True)
    ]


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
