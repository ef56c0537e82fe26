"""Options put into words: a short name that scenarios use, and what the option would do."""

from __future__ import annotations

from collections import Counter

from talion.kernel import Card, Option, listed

from .rules.attributes import current
from .rules.dens import crowd
from .rules.fight import die_options, meant
from .rules.printed import printed, trait
from .rules.scoring import worth
from .rules.table import ACTIONS, Enemy, Vengeance


def words(t: Vengeance, seat: int, option: Option) -> str | None:
    """The short name of an option; None where its own words will do."""
    match option:
        case ("on" | "under" | "onto" as where, Card() as tile, _):
            return f"{where} {t.face(tile).name}"
        case ("empty place", _):
            return "empty place"
        case ("reroll", face, kind):
            return f"reroll {face}" + (" (bonus die)" if kind == "Bonus" else "")
        case (
            "hit" | "double" | "shoot" | "strike" | "pass on" | "push" | "pull" | "mark" as verb,
            *enemy,
        ):
            return f"{'double hit' if verb == 'double' else verb} {whom(meant(tuple(enemy)))}"
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


def whom(enemy: Enemy) -> str:
    """`Bodyguard in B`, and how it differs from others there: `(wounded, kept)`."""
    wounds = "" if not enemy.damage else "wounded" if enemy.damage == 1 else f"wounded {enemy.damage}"
    marks = ", ".join(filter(None, (wounds, "kept" if enemy.kept else "")))
    return f"{enemy.name} in {enemy.zone}" + (f" ({marks})" if marks else "")


DIE_MEANS = {
    "HEAL": "2 heal points",
    "UPGRADE": "1 upgrade point",
    "RECON": "1 Recon Token",
    "WILD": "1 point for any Montage card, or a Vengeance card",
    "SPEED": "1 speed",
}
PLAIN = {
    ("go on",): "Nothing more for now.",
    ("done",): "Nothing more for now.",
    ("stop",): "What is left over is lost.",
    ("enough",): "No more of it.",
    ("stay",): "Do not Run.",
    ("take it",): "Suffer all of it.",
    ("keep all",): "Change nothing.",
    ("decline",): "Draw nothing.",
    ("spare",): "The excess is lost.",
    ("end",): "Enemies act next.",
    ("trade",): "A wild token becomes a Recon Token.",
    ("draw",): "A Vengeance card comes to your hand.",
    ("draw", "WILD"): "A WILD die brings a Vengeance card to your hand.",
}


def means(t: Vengeance, seat: int, option: Option) -> str:
    """What an option would do."""
    return PLAIN.get(option) or _at_home(t, seat, option) or _in_combat(t, seat, option)


def _at_home(t: Vengeance, seat: int, option: Option) -> str:
    """In the Wronging, in a Montage, in Ready, or sitting out."""
    match option:
        case ("keep" | "suffer" | "play", Card() as card):
            return wrong(t, card)
        case ("claim", die):
            return f"It is {DIE_MEANS[die]}."
        case ("swap", _, new):
            return f"It becomes {DIE_MEANS[new]}."
        case ("lay", Card() as card):
            return montage_card(t, card)
        case ("boost", place):
            return f"One point more for the card at {place}."
        case ("favour", action):
            return f"{action} gets it."
        case ("add", n):
            return f"{n} of your dice go into it; the others wait."
        case ("heal", damage, *severe):
            return f"Take off a cube for {printed(t.content).heal_costs[damage, bool(severe)]} heal points."
        case ("use" | "buy" | "lift", Card() as tile):
            face = t.face(tile)
            return f"{face.kind.capitalize()}, cost {face.cost}: {face.text}"
        case ("on" | "onto", Card() as tile, _):
            return f"It is active, and {t.face(tile).name} is covered."
        case ("under", *_):
            return "It waits at the bottom of that stack."
        case ("empty place", _):
            return "It is active there."
        case ("spend", _, use) if use in (*ACTIONS, "draw"):
            return "A Vengeance card comes to your hand." if use == "draw" else f"One {use} point."
    return ""


def _in_combat(t: Vengeance, seat: int, option: Option) -> str:
    match option:
        case ("scout", Card() as board):
            return f"A Recon Token goes to {t.face(board).name}, and you look at its boss."
        case ("look at", Card() as board):
            return f"You see the boss of {t.face(board).name}; nobody else does."
        case ("attack", Card() as board):
            return f"Fight in {t.face(board).name}, worth {t.face(board).vp} VP."
        case ("sit out",):
            mind = current(t, t.heroes[seat], "Mind").value
            return f"Roll {mind} Mind dice for Heal, Upgrade and Recon, and draw a card."
        case ("run", zone):
            n = 0 if "Run damage" in t.ignored else len(crowd(t, t.zone))
            return (f"Take {n} Hurt. " if n else "It costs nothing. ") + waiting(t, zone)
        case ("move" | "push to" | "into", zone):
            return waiting(t, zone)
        case ("hit" | "double" | "shoot" | "strike" | "pass on" as verb, *enemy):
            return blow(t, tuple(enemy), 2 if verb == "double" else 1)
        case ("push" | "pull" | "mark", *enemy):
            somebody = meant(tuple(enemy))
            return f"{somebody.name}, who stands in {somebody.zone}."
        case ("score", *_):
            return f"{worth(t, option)} VP; what is handed in goes under your board."
        case ("reroll", *_):
            return "Roll it again."
    return ""


def waiting(t: Vengeance, zone: str) -> str:
    """Who stands in a zone."""
    there = Counter(enemy.name for enemy in crowd(t, zone))
    return (
        f"There: {listed([f'{n} {name}' for name, n in sorted(there.items())])}."
        if there
        else "Nobody is there."
    )


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
    struck = meant(enemy)
    left = trait(t, struck.name).health - struck.damage - damage
    return "Dies." if left <= 0 else f"{damage} damage, {left} Health left."


def grave(t: Vengeance, seat: int, option: Option) -> str | None:
    """A reason to think twice: dice are left that could still be spent."""
    if option == ("end",) and any(die_options(t)):
        return "Dice that are not spent are lost."
    return None
