"""Options and cards in words."""

from __future__ import annotations

from talion.kernel import Card, Option

from .phrases import turns
from .rules import Desk, holder, in_areas, name, permissions


def words(t: Desk, seat: int, option: Option) -> str | None:
    """The short name of an option."""
    match option:
        case ("use", card, *target):
            verb = t.face(card).action.split()[0].lower()
            on = f" {told_apart(t, seat, target[0], card)}" if target else ""
            return f"{told_apart(t, seat, card)}: {verb}{on}"
        case ("exhaust", card):
            return f"exhaust {told_apart(t, seat, card)}"
        case ("send", card, pile, *price):
            # What it costs is said where the same card may be sent there for another price too.
            others = [may for may in permissions(t) if may.option[:3] == option[:3] and may.option != option]
            cost = f" for {price[0]} {price[1]}" if price and others else ""
            return f"send {told_apart(t, seat, card)} to {pile}{cost}"
        case ("discard", card):
            where = " from hand" if card in t.sides[seat].hand else ""
            return f"discard {name(t, card)}{where}" if where else f"discard {told_apart(t, seat, card)}"
        case ("choose", Card() as card):
            return f"choose {told_apart(t, seat, card)}"
        case ("up", end):
            return f"{end} up"
        case ("end",):
            return "end actions"
        case ("concede",):
            return "concede the Act"
    return None


def told_apart(t: Desk, seat: int, card: Card, by: Card | None = None) -> str:
    """A card's name; where others of that name lie there, how this one differs, or that it is meant `by` itself."""
    same = [other for other in in_areas(t) if name(t, other) == name(t, card)]
    lies = ["itself"] if card == by and len(same) > 1 else []
    if any(holder(t, other) != holder(t, card) for other in same):
        lies.append("yours" if holder(t, card) == seat else "theirs")
    if any(t.rotation[other] != t.rotation[card] for other in same):
        lies.append(f"at {t.rotation[card]}")
    like = [o for o in same if holder(t, o) == holder(t, card) and t.rotation[o] == t.rotation[card]]
    if t.used[card] and not all(t.used[other] for other in like):
        lies.append("used")
    return f"{name(t, card)} ({', '.join(lies)})" if lies else name(t, card)


def means(t: Desk, seat: int, option: Option) -> str:
    """What an option would do."""
    match option:
        case ("play", card):
            face = t.face(card)
            action = [f"Action: {face.action}"] if face.get("action") else []
            lines = [face.get("enter", ""), *action, *face.get("special", ()), f"Exhausted: {face.exhaust}"]
            return " ".join(line for line in lines if line)
        case ("use", card, target):
            return becomes(t, card, target)
        case ("use", card):
            return str(t.face(card).action)
        case ("exhaust", card):
            return f"Its line says: {t.face(card).exhaust}"
        case ("send", _, _, many, price):
            return f"You discard {many} {price} for it."
        case ("end",):
            return "Your cards turn, and exhausted ones leave."
    return ""


def becomes(t: Desk, card: Card, target: Card) -> str:
    """What the action of a card makes of its target, in so few words that they fit on it."""
    turned = turns(t.face(card))
    if turned is None:
        return str(t.face(card).action)
    degrees = turned(t.rotation[target])
    if degrees == 180:
        return f"Upside down: {t.face(target).exhaust}"
    return f"Turns to {degrees} degrees." if degrees else "Upright again."


def grave(t: Desk, seat: int, option: Option) -> str | None:
    """Why to think twice."""
    return "The other player is credited with this Act." if option == ("concede",) else None
