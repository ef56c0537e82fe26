"""What a position is worth, for bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from talion.games.chapter_of_resonance import phrases
from talion.games.chapter_of_resonance.rules.table import CHAINS, OBJECTIVES, TYPES
from talion.kernel import Face, Option, Said

TIE_RANK = {"Herb": 1, "Mineral": 2, "Potion": 3}
GRIP = 0.5
"""How often, in the long run, a Witch gets the object she wants; otherwise any of the three may prevail."""
ENVY = 0.3
"""How much the best of the others' prospects counts against one's own, between two."""
OBJECT, NEEDED, ARTIFACT, INCANTATION = 0.012, 0.006, 0.02, 0.022
ROUNDS = 18
ANOTHER = 0.6
"""What one more card of a sort is worth, as a share of the one before it."""
UNSEEN = 0.003

Ring = tuple[tuple[tuple[int, ...], tuple[bool, ...], bool], ...]
"""For each ring card: where each type leads, whether it activates, and whether the Demon is bound on arrival."""


def value(view: Any, seat: int) -> float:
    """From 0 (another wins) over 0.5 (nobody does) to 1 (this seat wins). Before the first round all Witches are even."""
    if view.round == 0 or (view.round == 1 and view.stage == "actions"):
        return 0.5
    worth = prospect(view, seat) + 2 * (holding(view, seat) - unseen(view, seat))
    return min(0.99, max(0.01, 0.5 + worth / 2))


# How close everybody is --------------------------------------------------------------------------------------------------


def prospect(view: Any, seat: int) -> float:
    """The chance to complete all five, less what the others' best chance takes away."""
    ring = tuple(read_card(card.face) for card in view.ring)
    rounds = view.transients.count
    if view.stage not in ("spells", "artifacts"):
        return compared(view, seat, ring, view.demon, view.chains, None, min(rounds + 1, ROUNDS))
    sorts = {prevailing(total) for total in within_reach(view, seat)}
    return max(after(view, seat, ring, sort, rounds) for sort in sorts)


def after(view: Any, seat: int, ring: Ring, sort: str | None, rounds: int) -> float:
    """How everybody stands once this type prevails."""
    demon, chains = view.demon, view.chains
    if sort is None:
        return compared(view, seat, ring, demon, chains, None, rounds)
    arrows, activates, _ = ring[demon - 1]
    type_ = TYPES.index(sort)
    to, activated = arrows[type_], demon if activates[type_] else None
    left = min(CHAINS, chains - activates[type_] + ring[to - 1][2])
    return compared(view, seat, ring, to, left, activated, rounds)


def compared(
    view: Any, seat: int, ring: Ring, demon: int, chains: int, activated: int | None, rounds: int
) -> float:
    """One's own chance against the best of the others, who have each other to stop them."""
    mine, others = 0.0, [0.0]
    for witch, missing in zip([*view.witches, *view.rival], view.missing, strict=True):
        tokens = witch.tokens
        wanted = tuple(sorted((*tokens, *missing)))
        if wanted:
            done = sum(1 << i for i, number in enumerate(wanted) if number in tokens or number == activated)
            chance = chances(ring, wanted)[rounds][demon - 1][done][max(chains, 0)]
            if witch.seat == seat:
                mine = chance
            else:
                others.append(chance)
    return mine - ENVY * max(others) / max(1, len(others) - 1)


@lru_cache(maxsize=64)
def chances(ring: Ring, wanted: tuple[int, ...]) -> list[list[list[list[float]]]]:
    """The chance to complete these objectives: by rounds left, place of the Demon, objectives done, and Chains."""
    full = (1 << OBJECTIVES) - 1
    bit = {number: 1 << i for i, number in enumerate(wanted)}
    won, lost = [1.0] * (CHAINS + 1), [0.0] * (CHAINS + 1)
    table = [[[*[lost] * full, won] for _ in ring]]
    for _ in range(ROUNDS):
        before, now = table[-1], []
        for place, (arrows, activates, _) in enumerate(ring):
            ways = []
            for to, activated in zip(arrows, activates, strict=True):
                left = [
                    min(CHAINS, max(0, chains - activated) + ring[to - 1][2]) for chains in range(CHAINS + 1)
                ]
                ways.append((before[to - 1], bit.get(place + 1, 0) if activated else 0, left))
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
            face = next(iter(view.witches[seat].spell)).face
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
    hand = [card.face.type for card in view.witches[seat].hand if card.face.kind == "ritual"]
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


def prevailing(total: Iterable[int]) -> str | None:
    most, _, sort = max((count, TIE_RANK[sort], sort) for sort, count in zip(TYPES, total, strict=True))
    return sort if most else None


# What is held ----------------------------------------------------------------------------------------------------------


def holding(view: Any, seat: int) -> float:
    """Cards in hand: every further one of a sort is worth less, a type that serves an objective more."""
    me = view.witches[seat]
    missing = view.missing[seat]
    needed = [card.face.activated_by for card in view.ring if card.face.number in missing]
    worth = 0.0
    held: dict[str, int] = {}
    for card in me.hand:
        sort = card.face.get("type") or card.face.kind
        each = {"artifact": ARTIFACT, "incantation": INCANTATION}.get(sort)
        each = OBJECT + NEEDED * sum(sort in sorts for sorts in needed) / 2 if each is None else each
        worth += each * ANOTHER ** held.get(sort, 0)
        held[sort] = held.get(sort, 0) + 1
    return worth


def unseen(view: Any, seat: int) -> float:
    """Cards in the others' hands."""
    return UNSEEN * sum(len(witch.hand) for witch in view.witches if witch.seat != seat)
