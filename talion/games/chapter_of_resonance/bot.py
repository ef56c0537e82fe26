"""What a position is worth, for bots."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from talion.kernel import Face, Option, Said

from . import phrases
from .rules.resolution import prevailing
from .rules.table import CHAINS, OBJECTIVES, TYPES

GRIP = 0.5
"""How often, in the long run, a Witch gets the object she wants; otherwise any of the three may prevail."""
ENVY = 0.1
"""How much the best of the others' prospects counts against one's own, between two."""
OBJECT, NEEDED = 0.012, 0.006
SPECIAL = {"artifact": 0.02, "incantation": 0.022}
"""What a card in hand is worth: a Ritual Object, and more of it for an objective; others."""
ROUNDS = 18
ANOTHER = 0.6
"""What one more card of a sort is worth, as a share of the one before it."""
UNSEEN = 0.003
SOBER, AGAINST = 0.68, 3.8
"""What hopes come to, measured over matches between bots that think: the odds to this power, against so many."""

Ring = tuple[Face, ...]
Missing = tuple[tuple[int, ...], ...]
"""The objectives that each Witch still lacks."""
Way = tuple[int | None, tuple[int, ...], int, list[list[list[list[float]]]]]
"""A Witch's: her seat, what she wants, which of it is done (a bit each), and the chances she has."""


def value(view: Any, seat: int) -> float:
    """From 0 (it does not win, whoever does) to 1 (it wins)."""
    hope = min(0.99, max(0.01, hoped_for(view, seat)))
    odds = (hope / (1 - hope)) ** SOBER
    return odds / (odds + AGAINST)


def hoped_for(view: Any, seat: int) -> float:
    """How good it looks to a Witch who sees her own way and not the others in it. Before the first round all are even."""
    if view.round == 0 or (view.round == 1 and view.stage == "actions"):
        return 0.5
    ring, missing = tuple(view.ring.faces), view.missing
    cards = holding(view, seat, ring, missing[seat]) - unseen(view, seat)
    return 0.1 + 0.85 * (prospect(view, seat, ring, missing) + 2 * cards)


# How close everybody is --------------------------------------------------------------------------------------------------


def prospect(view: Any, seat: int, ring: Ring, missing: Missing) -> float:
    """The chance to complete all five, less what the others' best chance takes away."""
    ways = on_their_way(view, ring, missing)
    rounds = view.transients.count
    if view.stage not in ("spells", "artifacts"):
        return compared(ways, seat, view.demon, view.chains, None, min(rounds + 1, ROUNDS))
    reach = within_reach(view, seat)
    sorts = {prevailing(dict(zip(TYPES, total, strict=True)), lambda: view.tie_order) for total in reach}
    return max(after(view, seat, ring, ways, sort, rounds) for sort in sorts)


def on_their_way(view: Any, ring: Ring, missing: Missing) -> list[Way]:
    """How far every Witch has come, the Rival too."""
    found: list[Way] = []
    activation = view.activation
    for witch, lacking in zip([*view.witches, *view.rival], missing, strict=True):
        tokens = witch.tokens
        wanted = tuple(sorted((*tokens, *lacking)))
        if wanted:
            done = sum([1 << i for i, number in enumerate(wanted) if number in tokens])
            found.append((witch.seat, wanted, done, chances(ring, wanted, activation)))
    return found


def after(view: Any, seat: int, ring: Ring, ways: list[Way], sort: str | None, rounds: int) -> float:
    """How everybody stands once this type prevails."""
    demon, chains = view.demon, view.chains
    if sort is None:
        steps = sum(walk(face) for face in view.demon_card.faces)
        to = (demon - 1 + steps) % len(ring) + 1
        return compared(ways, seat, to, recovered(chains, ring, to) if steps else chains, None, rounds)
    type_ = TYPES.index(sort)
    to = read_card(ring[demon - 1])[0][type_]
    site = demon if view.activation == "origin" else to
    activates = read_card(ring[site - 1])[1][type_]
    left = recovered(chains - activates, ring, to)
    return compared(ways, seat, to, left, site if activates else None, rounds)


def recovered(chains: int, ring: Ring, arrived: int) -> int:
    """The Chains after the Demon's arrival on a ring card."""
    return min(CHAINS, chains + read_card(ring[arrived - 1])[2])


@lru_cache(maxsize=64)
def walk(demon: Face) -> int:
    """CR-10.3 How many cards on the Demon goes by itself when nothing prevails."""
    lines = [line for line in demon.said.get("text", ()) if line.phrase.does is phrases.triggered]
    idle = [line for line in lines if line.filled["when"].constant["name"] == "nothing prevails"]
    moves = [said for line in idle for said in line.below() if said.phrase.does is phrases.move]
    return sum(said.constant["n"] * said.constant["way"] for said in moves)


def compared(
    ways: list[Way], seat: int, demon: int, chains: int, activated: int | None, rounds: int
) -> float:
    """One's own chance against the best of the others, who have each other to stop them."""
    mine, others = 0.0, [0.0]
    for whose, wanted, done, ahead in ways:
        if activated in wanted:
            done |= 1 << wanted.index(activated)
        chance = ahead[rounds][demon - 1][done][max(chains, 0)]
        if whose == seat:
            mine = chance
        else:
            others.append(chance)
    return mine - ENVY * max(others) / max(1, len(others) - 1)


@lru_cache(maxsize=64)
def chances(ring: Ring, wanted: tuple[int, ...], activation: str) -> list[list[list[list[float]]]]:
    """The chance to complete these objectives: by rounds left, place of the Demon, objectives done, and Chains."""
    full = (1 << OBJECTIVES) - 1
    bit = {number: 1 << i for i, number in enumerate(wanted)}
    won, lost = [1.0] * (CHAINS + 1), [0.0] * (CHAINS + 1)
    table = [[[*[lost] * full, won] for _ in ring]]
    for _ in range(ROUNDS):
        before, now = table[-1], []
        for place, card in enumerate(ring, 1):
            ways = []
            for type_, to in enumerate(read_card(card)[0]):
                site = place if activation == "origin" else to
                activated = read_card(ring[site - 1])[1][type_]
                left = [recovered(max(0, chains - activated), ring, to) for chains in range(CHAINS + 1)]
                ways.append((before[to - 1], bit.get(site, 0) if activated else 0, left))
            rows = [
                [0.0, *(hoped(ways, done, chains) for chains in range(1, CHAINS + 1))] for done in range(full)
            ]
            now.append([*rows, won])
        table.append(now)
    return table


def hoped(ways: list[tuple[list[list[float]], int, list[int]]], done: int, chains: int) -> float:
    """The wanted object prevails as often as the grip is good, else any."""
    a, b, c = [before[done | bit][left[chains]] for before, bit, left in ways]
    return GRIP * max(a, b, c) + (1 - GRIP) * (a + b + c) / 3


@lru_cache(maxsize=64)
def read_card(face: Face) -> tuple[tuple[int, ...], tuple[bool, ...], bool]:
    """Of a ring card: where each type leads, whether it activates, and whether the Demon is bound on arrival."""
    binds = any(
        said.phrase.does is phrases.recover for line in face.said.get("arrival", ()) for said in line.below()
    )
    return (
        tuple(face.arrows[sort] for sort in TYPES),
        tuple(sort in face.activated_by for sort in TYPES),
        binds,
    )


# What this seat can still make of the centre ------------------------------------------------------------------------------

Total = tuple[int, ...]
"""How many Herbs, Minerals and Potions lie in the centre."""


def within_reach(view: Any, seat: int) -> set[Total]:
    """The counts this seat can bring about: by what it is asked now, then by an Artifact it has in the centre."""
    total, own_artifact = lying(view, seat)
    totals = {total}
    if view.ask and view.stage == "spells":
        totals = {one for offer in view.offers() for one in chosen(view, seat, total, offer.option)}
    if own_artifact or (view.stage == "artifacts" and view.ask):
        totals = {one for total in totals for one in cleared(total)}
    return totals


def lying(view: Any, seat: int) -> tuple[Total, bool]:
    total = dict.fromkeys(TYPES, 0)
    own_artifact = False
    for card in view.centre:
        sort, number = card.shape or (card.face.get("type") or card.face.kind.capitalize(), 1)
        if sort in total:
            total[sort] += number
        own_artifact = own_artifact or (sort == "Artifact" and card.by == seat)
    return tuple(total.values()), own_artifact


def chosen(view: Any, seat: int, total: Total, option: Option) -> set[Total]:
    """What the counts can become by one option of a Spell."""
    match option:
        case ("cast", name):
            (face,) = view.witches[seat].spell.faces
            return cast(view, seat, total, face.said["texts"][face.spells.index(name)])
        case ("become", "Artifact", _):
            return cleared(total)
        case ("become", sort, number):
            return {more(total, sort, number)}
        case ("play", card) if card != "nothing":
            return played(view, seat, total, 1)
        case ("yes",):
            return {total, *taken(total)}
    return {total}


def cast(view: Any, seat: int, total: Total, line: Said) -> set[Total]:
    """What the counts can become by a Spell."""
    totals = {total}
    for said in line.below():
        does = said.phrase.does
        if does is phrases.transform:
            totals = {
                one for total in totals for shape in said.filled["shapes"] for one in shaped(total, shape)
            }
        elif does is phrases.play_cards:
            most = max(part for part in _numbers(said))
            totals = {one for total in totals for one in played(view, seat, total, most)}
        elif does is phrases.remove_cards:
            totals = {one for total in totals for one in (total, *taken(total))}
    return totals


def _numbers(said: Said) -> Iterator[int]:
    for below in said.below():
        yield from (value for value in below.filled.values() if isinstance(value, int))


def shaped(total: Total, shape: Said) -> set[Total]:
    if shape.phrase.does is phrases.objects:
        return {more(total, shape.filled["type"].value, shape.filled["n"])}
    return cleared(total)


def played(view: Any, seat: int, total: Total, most: int) -> set[Total]:
    """Up to so many Ritual Objects of the hand added."""
    hand = [face.type for face in view.witches[seat].hand.faces if face.kind == "ritual"]
    totals = {(total, tuple(sorted(hand)))}
    for _ in range(most):
        totals |= {(more(one, sort, 1), _without(left, sort)) for one, left in totals for sort in set(left)}
    return {one for one, _ in totals}


def _without(sorts: tuple[str, ...], sort: str) -> tuple[str, ...]:
    at = sorts.index(sort)
    return sorts[:at] + sorts[at + 1 :]


def more(total: Total, sort: str, number: int) -> Total:
    return tuple(count + number * (type_ == sort) for type_, count in zip(TYPES, total, strict=True))


def cleared(total: Total) -> set[Total]:
    """One type removed; nothing, if nothing is there."""
    ways = {tuple(0 if i == j else count for j, count in enumerate(total)) for i in range(3) if total[i]}
    return ways or {total}


def taken(total: Total) -> set[Total]:
    """One card removed."""
    return {tuple(count - (i == j) for j, count in enumerate(total)) for i in range(3) if total[i]}


# What is held ----------------------------------------------------------------------------------------------------------


def holding(view: Any, seat: int, ring: Ring, missing: tuple[int, ...]) -> float:
    """Cards in hand: every further one of a sort is worth less, a type that serves an objective more."""
    needed = [card.activated_by for card in ring if card.number in missing]
    worth = 0.0
    held: dict[str, float] = {}
    for face in view.witches[seat].hand.faces:
        sort = face.get("type") or face.kind
        if sort not in held:
            held[sort] = (
                SPECIAL[sort] if sort in SPECIAL else OBJECT + NEEDED * sum([sort in of for of in needed]) / 2
            )
        worth += held[sort]
        held[sort] *= ANOTHER
    return worth


def unseen(view: Any, seat: int) -> float:
    """Cards in the others' hands."""
    return UNSEEN * sum(len(witch.hand) for witch in view.witches if witch.seat != seat)
