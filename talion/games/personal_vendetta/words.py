"""Options and cards in words."""

from __future__ import annotations

from talion.kernel import Face, Option, Play, Said

from .rules.actions import activated, activated_line, plays_and_activations
from .rules.costs import TAKE, bill_of, price_of, take_bill
from .rules.table import ICONS, LIFE, Bill, Vendetta, amount


def means(t: Vendetta, seat: int, option: Option) -> str:
    """What an option would do."""
    verb, *rest = option
    if verb == "take":
        bill = bill_of_option(t, seat, option)
        dearer = "" if bill == TAKE else f"Costs {bill}. "
        return dearer + text_of(t.face(rest[0]))
    if verb == "play":
        return text_of(t.face(rest[0]))
    if verb == "react":
        face = t.face(rest[0])
        fits = face.said["reacts_to"][0].read(Play(t, seat, rest[0], face))
        doing = effect_of(face) if fits else "Does not fit this action and would do nothing."
        return f"Pay {bill_of_option(t, seat, option)}. {doing}"
    if verb == "activate":
        return activated(t.face(rest[0]))[rest[1] - 1 if len(rest) > 1 else 0].text + "."
    if verb == "choose":
        clone = t.clones[rest[0]]
        held = amount(len(clone.hand), "hand")
        return f"@{rest[0]}: ♥ {clone.corpus} corpus, ✦ {clone.cerebrium} cerebrium, {held}."
    return ""


def text_of(face: Face) -> str:
    """A card as it reads."""
    price = price_of(face)
    words = printed_price(price) if price else "free"
    condition = f"If reacting to {face.reacts_to}: " if face.type == "reaction" else ""
    return f"{face.discipline.capitalize()} {face.type}, {words}. {condition}{effect_of(face)}"


def printed_price(price: Said) -> str:
    """The cost as printed, with icons."""
    return ", ".join(f"{ICONS[part.filled['what'].value]} {part.text}" for part in price.filled["shares"])


def effect_of(face: Face) -> str:
    """PV-3.6 Benefit and penalty."""
    benefit = [face.get("benefit", ""), *face.get("abilities", ())]
    penalty = [face.get("penalty", ""), *face.get("afflictions", ())]
    parts = [*benefit, "Penalty:", *penalty] if any(penalty) else benefit
    text = " ".join(part for part in parts if part)
    for arrow, sign in (("[down]", "↓"), ("[up]", "↑"), ("[double]", "↕")):
        text = text.replace(arrow, sign)
    return text


def grave(t: Vendetta, seat: int, option: Option) -> str | None:
    """PV-R19 Paying for this would kill."""
    bill = bill_of_option(t, seat, option)
    for what in LIFE:
        if what in bill and bill[what] >= getattr(t.clones[seat], what):
            return f"Paying {amount(bill[what], what)} kills you before anything else happens."
    return None


def bill_of_option(t: Vendetta, seat: int, option: Option) -> Bill:
    """What choosing an option costs."""
    if option[0] == "take":
        return take_bill(t, seat)
    if option[0] == "react":
        return bill_of(t, seat, price_of(t.face(option[1])), reaction=True)
    if option[0] in ("play", "activate"):
        price = next(price for known, price, _ in plays_and_activations(t, seat) if known == option)
        return bill_of(t, seat, price)
    if option[0] == "X":
        reaction = t.reactor == seat
        price = activated_line(t).filled["price"] if t.action == "activate" and not reaction else None
        price = price or price_of(t.face(t.table[-1]))
        return bill_of(t, seat, price, option[1], reaction=reaction)
    return Bill()
