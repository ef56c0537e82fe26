"""What is wrong with a set of cards though every sentence can be read."""

from __future__ import annotations

from collections.abc import Iterator

from talion.kernel import Content, Face

from .phrases import choose, chosen
from .rules.table import CHAINS, OBJECTIVES, TYPES

COUNTS = {"ritual": 66, "transient": 18, "artifact": 13, "incantation": 13}
COUNTS |= {"witch": 6, "spell": 6, "demon": 3, "solo": 6, "gate": 4, "vengeance": 4}


def problems(content: Content) -> Iterator[str]:
    """CR-2.1 The totals, the values, the ring and who belongs to whom."""
    kinds = {kind: [face for face in content.faces if face.kind == kind] for kind in COUNTS}
    for kind, faces in kinds.items():
        total = sum(face.count for face in faces)
        if total != COUNTS[kind]:
            yield f"there must be {COUNTS[kind]} cards of the kind {kind}, not {total} (CR-2.1)."
    for kind in ("artifact", "incantation"):
        if sorted(face.value for face in kinds[kind]) != list(range(1, 14)):
            yield f"the cards of the kind {kind} must have the values 1 to 13, each once (CR-2.4)."
    yield from ring_problems(kinds["gate"] + kinds["vengeance"])
    yield from witch_problems(kinds)
    for face in content.faces:
        yield from line_problems(face)


def ring_problems(ring: list[Face]) -> Iterator[str]:
    """CR-A55 Numbers, arrows and activating objects."""
    numbers = list(range(1, 9))
    if sorted(face.number for face in ring) != numbers:
        yield "the ring cards must have the numbers 1 to 8, each once (CR-2.3)."
    reached = set()
    for face in ring:
        arrows = face.arrows
        if set(arrows) != set(TYPES) or not set(arrows.values()) <= set(numbers) - {face.number}:
            yield f"{face.name} needs an arrow for each type, to another ring card (CR-A55)."
        if not face.activated_by:
            yield f"{face.name}: activated_by must name one type or more (CR-A55)."
        reached |= set(arrows.values())
    if reached != set(numbers):
        yield "every ring card must be reached by an arrow (CR-A55)."


def witch_problems(kinds: dict[str, list[Face]]) -> Iterator[str]:
    """CR-1.4 Three Vengeances and two Gates each; CR-2.2 one Spell card with two Spells."""
    vengeances = {face.number for face in kinds["vengeance"]}
    for face in kinds["witch"]:
        wanted = set(face.objectives)
        if len(wanted) != OBJECTIVES or len(wanted & vengeances) != CHAINS:
            yield f"{face.name} needs three Vengeances and two Gates as objectives (CR-1.4)."
    if sorted(face.witch for face in kinds["spell"]) != sorted(face.name for face in kinds["witch"]):
        yield "every Witch needs one Spell card of her own (CR-2.2)."
    for face in kinds["spell"]:
        if len(set(face.spells)) != 2 or len(face.texts) != 2:
            yield f"{face.name} needs two Spells, each with a name and a text (CR-6.9)."


def line_problems(face: Face) -> Iterator[str]:
    """Who is spoken of must have been chosen before."""
    for lines in face.said.values():
        known = False
        for said in (said for line in lines for said in line.below()):
            known = known or said.phrase.does is choose
            if getattr(said.filled.get("who"), "value", None) is chosen and not known:
                yield f"{face.name}: “{said.text}” speaks of a Witch that nobody has chosen."


def stands_in(face: Face, other: Face) -> bool:
    """Whether a card can be tried in the place of another: of the ring, the Witches and their Spells each is needed."""
    return face.kind in ("demon", "solo")
