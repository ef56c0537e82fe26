"""Options put into words: a short name that scenarios use, and what the option would do."""

from __future__ import annotations

from talion.kernel import Card, Option

from .attributes import current
from .dens import crowd
from .fight import meant
from .printed import printed, trait
from .scoring import worth
from .table import TURNS, Vengeance
from .turns import act_of


def words(t: Vengeance, seat: int, option: Option) -> str | None:
    """The short name of an option; None where its own words will do."""
    match option:
        case ("on" | "under" as where, Card() as tile, _):
            return f"{where} {t.face(tile).name}"
        case ("empty place", _):
            return "empty place"
        case ("reroll", face, kind):
            return f"reroll {face}" + (" (bonus die)" if kind == "Bonus" else "")
        case (
            "hit" | "double" | "shoot" | "strike" | "pass on" | "push" | "pull" | "mark" as verb,
            name,
            zone,
            *damage,
        ):
            verb = "double hit" if verb == "double" else verb
            return f"{verb} {name} in {zone}" + (" (wounded)" if damage else "")
        case ("score", boss):
            return f"score the den with {boss}"
        case ("score", boss, copies):
            return f"score {copies} {boss}"
        case ("spend", "WILD" | "token" as wild, use):
            return f"spend {wild} on {use}"
        case ("heal", damage, "severe"):
            return f"heal Severe {damage}"
        case ("swap", old, new):
            return f"swap {old} for {new}"
    return None


def means(t: Vengeance, seat: int, option: Option) -> str:
    """What an option would do."""
    hero = t.heroes[seat]
    match option:
        case ("keep" | "suffer" | "play", Card() as card):
            return wrong(t, card)
        case ("use" | "buy", Card() as tile):
            face = t.face(tile)
            return f"{face.kind.capitalize()}, cost {face.cost}: {face.text}"
        case ("lay", Card() as card):
            return montage_card(t, card)
        case ("draw",):
            return "Draw a Vengeance card" + (
                " for a wild token." if t.attacked is None and hero.wild else "."
            )
        case ("scout", Card() as board):
            return f"Put a Recon Token on {t.face(board).name} and look at its boss."
        case ("attack", Card() as board):
            return f"Fight in {t.face(board).name}, worth {t.face(board).vp} VP."
        case ("sit out",):
            return f"Roll {current(t, hero, 'Mind').value} Mind dice for Heal, Upgrade and Recon, and draw a card."
        case ("trade",):
            return "A wild token becomes a Recon Token."
        case ("lift", Card() as tile, *_):
            return f"{t.face(tile).name} becomes active there: {t.face(tile).text}"
        case ("heal", damage, *severe):
            return f"Take off a cube for {printed(t.content).heal_costs[damage, bool(severe)]} heal points."
        case ("run", zone):
            n = 0 if "Run damage" in t.ignored else len(crowd(t, t.zone))
            return f"Run to {zone}" + (f" and take {n} Hurt." if n else " unharmed.")
        case ("hit" | "double" | "shoot" | "strike" | "pass on" as verb, *enemy):
            return blow(t, tuple(enemy), 2 if verb == "double" else 1)
        case ("score", *_):
            return f"{worth(t, option)} VP; what is handed in goes under your board."
        case ("end",):
            return "Enemies act next."
    return ""


def wrong(t: Vengeance, card: Card) -> str:
    face = t.face(card)
    big = t.content.named[face.boss].get("big")
    return f"{face.gang}{', Big Boss' if big else ''}; {'/'.join(map(str, face.vp))} VP. {face.suffer}"


def montage_card(t: Vengeance, card: Card) -> str:
    face = t.face(card)
    actions = [
        f"{name.capitalize()} {face.get(name)}"
        for name in ("heal", "upgrade", "recon")
        if face.get(name) is not None
    ]
    return (
        ", ".join([*actions, f"Speed {face.speed}"])
        + "."
        + (f" {face.special}" if face.get("special") else "")
    )


def blow(t: Vengeance, enemy: Option, damage: int) -> str:
    _, name, taken = meant(enemy)
    left = trait(t, name).health - taken - damage
    return f"Kills {name}." if left <= 0 else f"{name} has {left} Health left this round."


def grave(t: Vengeance, seat: int, option: Option) -> str | None:
    """A reason to think twice."""
    if option == ("end",) and any(face not in ("ENEMY", "BOSS", "BLANK") for face, _ in t.dice):
        return "Dice that are not spent are lost."
    return None


def phase(t: Vengeance) -> list[tuple[str, bool]]:
    """The turns of the match, the present one marked."""
    names = [kind if i == 0 else f"{kind} {act_of(i)}" for i, kind in enumerate(TURNS)]
    return [(name, i == t.turn) for i, name in enumerate(names)]
