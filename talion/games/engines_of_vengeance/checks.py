"""What is wrong with a set of cards though every sentence can be read."""

from __future__ import annotations

from collections.abc import Iterator

from talion.kernel import Content, Face

from . import phrases, rules

OF_ITSELF = (phrases.gate, phrases.redirect, phrases.exhausts, phrases.may_discard)
"""What a card can say only of itself."""


def problems(content: Content) -> Iterator[str]:
    """What is wrong with a set of cards though every sentence can be read."""
    for face in content.faces:
        for said in [said for line in face.lines() for said in line.below()]:
            if said.phrase.does in OF_ITSELF and said.filled["name"].text != face.name:
                yield f"{face.name}: “{said.text}” must name the card it stands on."
            if said.phrase.does is phrases.discarded_as and said.filled["end"].text != other_name(face):
                yield f"{face.name}: “{said.text}” must name the other end of the card."


def other_name(face: Face) -> str | None:
    other = rules.other_end(face)
    return other.name if other else None


def stands_in(face: Face, other: Face) -> bool:
    """Whether a card can be tried in the place of another: each player keeps as many cards as before."""
    return bool(face.front.owner == other.front.owner)
