"""CR-7 to CR-12: Incantations, Artifacts, counting, and the Demon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from talion.kernel import Asking, Card, No, Option, Play, listed

from . import actions
from .drawing import draw
from .ending import victory
from .table import (
    CHAINS,
    END,
    RIVAL,
    ROMAN,
    SPENT,
    TIE_RANK,
    TYPES,
    WAITING,
    Coven,
    Next,
    Witch,
    objectives,
    put,
    remove,
    ring_face,
    serve,
    stands_for,
    witch_name,
)


def turn_up(t: Coven) -> Next:
    """CR-7.1 Every card in the centre is turned up."""
    for witch in t.witches:
        for card in list(witch.played):
            t.move(card, t.centre)
            t.log("CR-7.1", "{who} has played {card}.", who=witch, card=card)
    return resolve(t)


def resolve(t: Coven) -> Next:
    """CR-7.2 All Incantations, then all Artifacts, then the Demon."""
    lying = [stands_for(t, card) for card in t.centre]
    t.stage = "spells" if WAITING in lying else "artifacts"
    if t.stage == "spells":
        return spells
    return clear_a_type if any(sort == "Artifact" for sort, _ in lying) else demon_acts


def incantations(t: Coven) -> list[Card]:
    """Those that have not had their turn."""
    return [card for card in t.centre if stands_for(t, card) == WAITING]


def artifacts(t: Coven) -> list[Card]:
    """CR-14.4 Printed ones and transformed ones that have not had their turn."""
    return [card for card in t.centre if stands_for(t, card)[0] == "Artifact"]


def spells(t: Coven) -> Asking:
    """CR-7.3 The highest Incantation casts one of its owner's Spells."""
    card = max(incantations(t), key=lambda card: t.face(card).value)
    witch = t.witches[t.by[card]]
    face = t.face(witch.spell[0])
    option = yield from put(t, witch, [("cast", name) for name in face.spells], "Announce a Spell", "CR-7.4")
    t.shape[card] = SPENT
    t.log("CR-7.4", "{who} casts {spell}.", who=witch, spell=option[1])
    line = face.said["texts"][face.spells.index(option[1])]
    yield from line.run(Play(t, witch.seat, card, face))
    return resolve(t)


def clear_a_type(t: Coven) -> Asking:
    """CR-8.1 The highest Artifact removes a type of Ritual Object; printed ones before transformed ones."""
    card = max(artifacts(t), key=lambda card: (t.face(card).value, t.shape[card] is None))
    owner = t.by[card]
    remove(t, card)
    if not present(t):
        t.log("CR-8.4", "{card} finds nothing to remove.", card=card)
    elif owner == RIVAL:
        rival_clears(t, card)
    else:
        option = yield from put(t, t.witches[owner], clears, "Remove all cards of one type", "CR-8.2")
        clear(t, card, option[1])
    return resolve(t)


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


def prevailing(total: Mapping[str, int], tie_order: Sequence[str]) -> str | None:
    """CR-9.2 The most numerous type; of those that are level, the first in this order. None, if nothing is there."""
    most = max(total.values())
    return next(sort for sort in tie_order if total[sort] == most) if most else None


def demon_acts(t: Coven) -> Asking:
    """CR-10.11 The Demon moves, the card it left is activated, and it arrives."""
    t.stage = "demon"
    sort = prevailing(counts(t), t.tie_order())
    if sort is None:
        t.log("CR-9.6", "No Ritual Object remains.")
        t.happened("occasion", name="nothing prevails", seat=None)
        yield from serve(t)
        return round_end(t)
    origin = t.demon
    t.demon = ring_face(t, origin).arrows[sort]
    t.log(
        "CR-10.1",
        "{sort} prevails; the Demon goes from {a} to {b}.",
        sort=sort,
        a=ROMAN[origin],
        b=ROMAN[t.demon],
    )
    site = origin if t.options["activation_site"] == "origin" else t.demon
    if sort in ring_face(t, site).activated_by:
        yield from activate(t, site)
    return arrive if ring_face(t, t.demon).said.get("arrival") else round_end(t)


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


def arrive(t: Coven) -> Asking:
    """CR-12.1 The Gate the Demon arrives on has its effect."""
    yield from arrival(t)
    return round_end(t)


def arrival(t: Coven) -> Asking:
    card = t.ring[t.demon - 1]
    face = t.face(card)
    yield from Play(t, t.priority, card, face).carry_out(face.said.get("arrival", ()))


def round_end(t: Coven) -> Next:
    """CR-14.18 Delayed effects come first; then the centre is cleared, and the Chains are looked at."""
    t.stage = "end"
    if t.due(END):
        return delayed
    for card in list(t.centre):
        remove(t, card)
    if not t.chains and not t.transients:
        t.over(
            (), "The last round is over and the Demon has lost its Chains: every Witch has lost.", "CR-13.6"
        )
    if not t.chains:
        t.over((), "The Demon has lost its Chains: every Witch has lost.", "CR-13.1")
    if not t.transients:
        t.over((), "All Transient Objects have been revealed, and no Witch has had her revenge.", "CR-13.3")
    return actions.reveal(t)


def delayed(t: Coven) -> Asking:
    """CR-A47 In the order of casting."""
    yield from t.fulfil(t.due(END)[0])
    return round_end(t)
