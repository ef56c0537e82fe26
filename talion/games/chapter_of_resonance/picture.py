"""The table as lines of text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from talion.kernel import Face, listed

from .rules.table import PILES, ROMAN, SPENT, TYPES, Coven

STAGES = ("draft", "actions", "spells", "artifacts", "demon", "end")


def phase(t: Coven) -> list[tuple[str, bool]]:
    return [(stage, stage == t.stage) for stage in STAGES]


def picture(view: Any, names: Sequence[str]) -> Iterator[str]:
    """What a player needs to see, from the ring inwards to the hand; less of it while a round is being resolved."""
    whole = view.stage in ("draft", "actions") and not (view.ask and view.ask.minor)
    first = f" {names[view.priority]} comes first where order matters." if len(names) > 1 else ""
    yield f"Round {view.round}, {counted(view.transients.count, 'Transient Object')} left.{first}"
    yield chains_in_words(view)
    if whole:
        yield "The ring, with a star on what activates a card:"
    for card in view.ring:
        if whole or card.face.number == view.demon:
            yield ring_line(view, card.face)
    yield f"Centre: {in_the_centre(view)}"
    piles = [f"{len(getattr(view, name))} {sort}s" for sort, name in PILES.items()]
    tops = [card.name for zone in (view.artifacts, view.incantations) for card in zone if card.face]
    yield f"Piles: {listed(piles)}" + (f"; on top {listed(tops)}." if tops else ".")
    if view.reserve and whole:
        yield f"Reserve: {listed([card.name for card in view.reserve])}."
    for witch in view.witches:
        you = " (you)" if witch.seat == view.viewer else ""
        yield from witch_lines(view, witch, f"{names[witch.seat]}{you}", whole)
    for rival in view.rival:
        yield f"The Rival is {rival.witch}: {objectives_in_words(view, rival, -1)}."


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def chains_in_words(view: Any) -> str:
    name = next((card.name for card in view.demon_card), "The Demon")
    text = " ".join(card.face.text for card in view.demon_card)
    return f"{name} has {counted(view.chains, 'Chain')}. {text}".strip()


def ring_line(view: Any, face: Face) -> str:
    """A ring card: where each type leads; a star on those that activate it."""
    here = "> " if face.number == view.demon else "  "
    star = {sort: "*" if sort in face.activated_by else "" for sort in TYPES}
    arrows = ", ".join(f"{sort}{star[sort]} to {ROMAN[face.arrows[sort]]}" for sort in TYPES)
    return f"{here}{ROMAN[face.number]} {face.name}: {arrows}. {face.get('arrival', '')}".rstrip()


def in_the_centre(view: Any) -> str:
    lying = []
    for card in view.centre:
        shape = card.shape if card.shape and card.shape != SPENT else None
        lying.append(card.name + (f" as {counted(shape[1], shape[0])}" if shape else ""))
    hidden = sum(len(witch.played) for witch in view.witches)
    lying += [f"{counted(hidden, 'card')} face down"] if hidden else []
    return listed(lying) + "."


def objectives_in_words(view: Any, witch: Any, place: int) -> str:
    done = " ".join(ROMAN[number] for number in witch.tokens) or "nothing"
    return f"has {done}, lacks {' '.join(ROMAN[number] for number in view.missing[place])}"


def witch_lines(view: Any, witch: Any, name: str, whole: bool) -> Iterator[str]:
    if not witch.witch:
        yield f"{name} chooses a Witch." if witch.offer else f"{name} has no Witch yet."
        return
    hand = [card.name for card in witch.hand] or witch.hand.known
    cards = f"{counted(len(witch.hand), 'card')}{': ' if hand else ''}{', '.join(sorted(hand))}"
    gone = " (conceded)" if witch.conceded else ""
    yield f"{name}{gone} is {witch.witch.cards[0].name}: {objectives_in_words(view, witch, witch.seat)}. Hand: {cards}."
    if whole:
        gates = [
            card.face for card in view.ring if card.face.number in witch.tokens and card.face.get("passive")
        ]
        yield from (f"  {ROMAN[face.number]}: {face.passive}" for face in gates)
        for card in witch.spell:
            for spell, text in zip(card.face.spells, card.face.texts, strict=True):
                yield f"  {spell}: {text}"
