"""Options in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from talion.kernel import Card, Option

from .rules.declaring import VERB_OF, lethal, price, risk
from .rules.harm import attack_blows, threshold
from .rules.table import Table, all_assets, alterers_of, boss_of, is_asset_in_play, look, referred


def name(t: Table, seat: int, thing: Any) -> str:
    """A card by its name, a face-down card of another by its place."""
    if isinstance(thing, tuple):
        _, owner, index = thing
        return f"@{owner}'s underway {index + 1}"
    return told_apart(t, seat, thing) if is_asset_in_play(t, thing) else look(t, thing).name


def told_apart(t: Table, seat: int, card: Card) -> str:
    """An asset by its name; where another in play has the same, also whose it is and how it fares."""
    plain = look(t, card).name
    twins = [other for other in all_assets(t) if other != card and t.faces[other] == t.faces[card]]
    boss = boss_of(t, card)
    if boss != seat and any(boss_of(t, twin) != boss for twin in twins):
        plain = f"{plain} of @{boss}"
    fares = condition(t, card)
    differs = fares and any(condition(t, twin) != fares for twin in twins if boss_of(t, twin) == boss)
    return f"{plain} ({', '.join(fares)})" if differs else plain


def condition(t: Table, card: Card) -> list[str]:
    damage = t.phys[card] + t.psych[card]
    words = [f"{damage} damage"] if damage else []
    words += ["exhausted"] if t.exhausted[card] else []
    return words + [f"with {look(t, altering).name}" for altering in alterers_of(t, card)]


def words(t: Table, seat: int, option: Option) -> str | None:
    kind, *rest = option
    match kind:
        case "purchase":
            on = f" on {name(t, seat, rest[1])}" if len(rest) > 1 else ""
            return f"purchase {name(t, seat, rest[0])}{on}"
        case "underway":
            return f"get {name(t, seat, rest[0])} underway"
        case "attack" | "work" | "sabotage":
            return f"{name(t, seat, rest[0])} {VERB_OF[kind]} {name(t, seat, rest[1])}"
        case "seduce":
            # A seduction that is closed to the pawn names nobody.
            return (
                f"{name(t, seat, rest[0])} seduces {name(t, seat, rest[2]) if len(rest) > 2 else 'somebody'}"
            )
        case "act" | "use":
            return ability_words(t, seat, *rest)
        case "turn ability":
            return f"use {name(t, seat, rest[0])}"
        case "intercept":
            return f"intercept with {name(t, seat, rest[0])}"
        case "end":
            return "end turn"
        case "house":
            return f"House {rest[0]}"
        case "split":
            return split_words(seat, rest)
        case "give":
            return f"give @{rest[0]} money"
        case "amount":
            return f"{rest[0]}Ç" if rest[0] else "nothing"
        case "between":
            return f"{rest[0]} to {rest[1]}Ç"
        case "player":
            return f"@{rest[0]}"
        case "choose":
            return name(t, seat, rest[0])
    return None


def ability_words(t: Table, seat: int, card: Card, index: int, mark: Any = None) -> str:
    """Which card, which of its abilities if it has several, and on what."""
    several = len(look(t, card).activated) > 1
    which = f" ({index + 1})" if several else ""
    on = f" on {name(t, seat, mark)}" if mark is not None else ""
    return f"use {name(t, seat, card)}{which}{on}"


def split_words(seat: int, shares: Sequence[int]) -> str:
    kept = [f"keep {shares[seat]}"] if shares[seat] else []
    return ", ".join(kept + [f"{n} to @{other}" for other, n in enumerate(shares) if n and other != seat])


def means(t: Table, seat: int, option: Option) -> str:
    """What an option would do, as far as it can be known."""
    kind, *rest = option
    match kind:
        case "negotiate":
            return "Pay 200Ç and draw a card."
        case "purchase":
            face = look(t, rest[0])
            return f"Pay {price(t, seat, face)}Ç. {describe(t, rest[0])}"
        case "underway":
            return f"Face down, without progress. {describe(t, rest[0])}"
        case "attack":
            return attack_means(t, *rest)
        case "work":
            event = referred(t, rest[1])
            return (
                f"Progress {t.progress[event]} becomes {t.progress[event] + (t.cunning_now[rest[0]] or 0)}."
            )
        case "sabotage":
            event = referred(t, rest[1])
            total = t.sabotage[event] + (t.stealth_now[rest[0]] or 0)
            return f"Sabotage damage {total} of {threshold(t, t.progress[event])}."
        case "seduce" | "act" | "use" | "turn ability":
            return look(t, rest[0]).lines[rest[1]].text
        case "complete" | "pick":
            return describe(t, rest[0])
        case "intercept":
            return "Exhaust it; the action is prevented and the two fight."
    return ""


def attack_means(t: Table, pawn: Card, mark: Card) -> str:
    """What a blow does, to be read on its mark: "3 damage, dies; 2 back"."""
    (_, harm, *_), *back = attack_blows(t, pawn, mark)
    said = f"{harm} damage" + (", dies" if lethal(t, mark, harm) else "")
    for _, returned, *_ in back:
        said += f"; {returned} back" + (", dies too" if lethal(t, pawn, returned) else "")
    return f"{said}."


def describe(t: Table, card: Card) -> str:
    """A card's numbers and text in one line."""
    face = t.face(card)
    card_face = look(t, card)
    if card_face.is_asset:
        stats = "/".join("–" if stat is None else str(stat) for stat in card_face.stats)
        head = f"{face.kind.title()} {stats}"
    else:
        reward = f", pays {face.influence} Influence and {face.cint}Ç" if face.kind == "job" else ""
        head = f"{face.kind.title()} needing {face.progress} progress{reward}"
    parts = [head, *face.get("keywords", ())]
    return " ".join([f"{', '.join(parts)}.", *face.get("abilities", ())])


def grave(t: Table, seat: int, option: Option) -> str | None:
    """Why to think twice: risk that kills the pawn and loses its action."""
    kind, *rest = option
    if kind not in ("attack", "work", "sabotage", "act", "seduce") or not is_asset_in_play(t, rest[0]):
        return None
    amount = risk(t, seat, rest[0], rest[1] if kind == "attack" else None)
    if amount and lethal(t, rest[0], amount):
        return f"Risk kills {look(t, rest[0]).name} before it can act."
    return None
