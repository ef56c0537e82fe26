"""Options and cards in words."""

from __future__ import annotations

from talion.kernel import Card, Face, Option

from .rules.table import ROMAN, SPENT, Coven, effect_here, witch_at, witch_name


def card_name(t: Coven, card: Card) -> str:
    face = t.face(card)
    return f"{ROMAN[face.number]} {face.name}" if "number" in face.fields else face.name


def words(t: Coven, seat: int, option: Option) -> str | None:
    match option:
        case ("clear", sort):
            return f"remove {sort}s"
        case ("choose", int(who)):
            return f"choose {witch_name(t, witch_at(t, who))}"
        case ("become", sort, number):
            return as_words(sort, number)
        case ("remove", Card() as card):
            return f"remove {told_apart(t, card)}"
    return None


def as_words(sort: str, number: int) -> str:
    return "an Artifact" if sort == "Artifact" else f"{number} {sort}{'s' if number > 1 else ''}"


def told_apart(t: Coven, card: Card) -> str:
    """A card in the centre; where others of its name lie there, whose it is and what it has become."""
    same = [other for other in t.centre if t.faces[other] == t.faces[card]]
    lies = []
    if t.by[card] is not None and any(t.by[other] != t.by[card] for other in same):
        lies.append(f"of {witch_name(t, witch_at(t, t.by[card]))}")
    shape = t.shape[card]
    if shape not in (None, SPENT) and any(t.shape[other] != shape for other in same):
        lies.append(f"as {as_words(*shape)}")
    return f"{card_name(t, card)} ({', '.join(lies)})" if lies else card_name(t, card)


def spells_in_words(face: Face) -> str:
    return " ".join(f"{name}: {text}" for name, text in zip(face.spells, face.texts, strict=True))


def means(t: Coven, seat: int, option: Option) -> str:
    """What an option would do, in a sentence."""
    match option:
        case ("keep", card):
            face = t.face(card)
            wanted = " ".join(ROMAN[number] for number in t.content.named[face.witch].objectives)
            return f"Be {face.witch}, who wants {wanted}. {spells_in_words(face)}"
        case ("cast", name):
            face = t.face(t.witches[seat].spell[0])
            return face.texts[face.spells.index(name)]
        case ("change to", card):
            return spells_in_words(t.face(card))
        case ("play", Card() as card) if t.face(card).kind == "ritual":
            return f"{t.face(card).name} {effect_here(t, t.face(card).type)}."
        case ("play", Card() as card) if t.face(card).kind == "artifact":
            return "Remove one type from the centre; the higher value goes first."
        case ("play", Card() as card):
            return (
                f"Cast {' or '.join(t.face(t.witches[seat].spell[0]).spells)}; the higher value goes first."
            )
        case ("draw", "Ritual Objects"):
            return "Take two Ritual Objects into your hand."
        case ("draw", "Artifact"):
            return "Take the top Artifact into your hand."
        case ("clear", sort):
            return f"Every {sort} leaves the centre."
    return ""
