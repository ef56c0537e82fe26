"""CR-7 to CR-12: Incantations, Artifacts, counting, and the Demon."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from talion.kernel import Asking, Card, No, Option, Play, listed

from .drawing import draw
from .ending import victory
from .table import (
    CHAINS,
    ROMAN,
    TIE_RANK,
    TYPES,
    WAITING,
    Coven,
    Witch,
    objectives,
    remove,
    ring_face,
    serve,
    stands_for,
    witch_name,
)


def incantations(t: Coven) -> list[Card]:
    """Those that have not had their turn."""
    return [card for card in t.centre if stands_for(t, card) == WAITING]


def artifacts(t: Coven) -> list[Card]:
    """CR-14.4 Printed ones and transformed ones that have not had their turn."""
    return [card for card in t.centre if stands_for(t, card)[0] == "Artifact"]


def present(t: Coven) -> list[str]:
    """The types that lie in the centre."""
    lying = {stands_for(t, card)[0] for card in t.centre}
    return [sort for sort in TYPES if sort in lying]


def clears(t: Coven, seat: int) -> Iterator[Option | No]:
    """CR-8.3 A type that is there."""
    there = present(t)
    for sort in TYPES:
        if sort in there:
            yield ("clear", sort)
        elif t.explaining:
            yield No(("clear", sort), "CR-8.3", f"There is no {sort} in the centre.")


def clear(t: Coven, card: Card, sort: str) -> None:
    """CR-8.2 Every card of the type leaves the centre."""
    for lying in list(t.centre):
        if stands_for(t, lying)[0] == sort:
            remove(t, lying)
    t.log("CR-8.2", "{card} removes all {sort}s.", card=card, sort=sort)


def rival_clears(t: Coven, card: Card) -> None:
    """CR-16.6 The most numerous type but her Quarry; nothing, if only that is there."""
    total = counts(t)
    others = [sort for sort in present(t) if sort != t.quarry]
    if others:
        clear(t, card, max(others, key=lambda sort: (total[sort], TIE_RANK[sort])))
    else:
        t.log("CR-16.6", "{card} spares the Rival's Quarry.", card=card)


def counts(t: Coven) -> dict[str, int]:
    """CR-9.1 How many Ritual Objects of each type the centre holds."""
    total = dict.fromkeys(TYPES, 0)
    for card in t.centre:
        sort, number = stands_for(t, card)
        if sort in total:
            total[sort] += number
    return total


def prevailing(total: Mapping[str, int], tie_order: Callable[[], Sequence[str]]) -> str | None:
    """CR-9.2 The most numerous type; of those that are level, the first in this order. None, if nothing is there."""
    most = max(total.values())
    level = [sort for sort in TYPES if total[sort] == most] if most else []
    if len(level) < 2:
        return level[0] if level else None
    return next(sort for sort in tie_order() if sort in level)


def activate(t: Coven, number: int) -> Asking:
    """CR-10.5 Tokens, then victory, then the Chain, then Incantations."""
    face = ring_face(t, number)
    owners = [witch for witch in t.everyone() if number in objectives(t, witch)]
    new = [witch for witch in owners if number not in witch.tokens]
    for witch in new:
        witch.tokens = tuple(sorted((*witch.tokens, number)))
    names = listed([witch_name(t, witch) for witch in new]) if new else "nobody"
    t.log(
        "CR-10.5",
        "{number} {face} is activated, for {names}.",
        number=ROMAN[number],
        face=face.name,
        names=names,
    )
    victory(t)
    if {"always": True, "owned": bool(owners), "new": bool(new)}[t.options["chain_loss"]]:
        yield from lose_chains(t, 1)
    if face.kind == "vengeance":
        for witch in new:
            if isinstance(witch, Witch):
                yield from draw(t, witch, 1, ("Incantation",), "CR-10.8")
                t.happened("occasion", name="vengeance", seat=witch.seat)
                yield from serve(t)


def lose_chains(t: Coven, number: int) -> Asking:
    """CR-10.6 The Demon loses Chains, as far as it has any."""
    for _ in range(min(number, t.chains)):
        t.chains -= 1
        t.log("CR-10.6", "The Demon loses a Chain and has {left}.", left=t.chains)
        t.happened("occasion", name="chain", seat=None)
        yield from serve(t)


def recover_chains(t: Coven, number: int) -> None:
    """CR-12.4 Lost Chains come back, three at most are on the card."""
    before, t.chains = t.chains, min(CHAINS, t.chains + number)
    if t.chains > before:
        t.log("CR-12.4", "The Demon recovers a Chain and has {now}.", now=t.chains)


def arrival(t: Coven, depth: int = 0) -> Asking:
    """What a ring card does when the Demon comes; a card that moves it may bring it here again, so depth counts on."""
    card = t.ring[t.demon - 1]
    face = t.face(card)
    play = Play(t, t.priority, card, face)
    play.depth = depth
    yield from play.carry_out(face.said.get("arrival", ()))
