"""What is wrong with a set of cards though every sentence can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from talion.kernel import Content, Face

from .rules.printed import Plan, Position
from .rules.table import ROOMS
from .rules.upgrades import timing
from .rules.wronging import DEALT

MOST_SEATS = 4
ROW = 6


def problems(content: Content) -> Iterator[str]:
    """Dens, bosses, Vengeance cards, heroes, and how many of each."""
    kinds: dict[str, list[Face]] = {}
    for face in content.faces:
        kinds.setdefault(face.kind, []).append(face)
    for face in kinds["den"]:
        yield from den_problems(face, {minion.name for minion in kinds["minion"]})
    for face in kinds["boss"]:
        yield from boss_problems(face, kinds)
    for face in kinds["vengeance"]:
        yield from wrong_problems(content, face, kinds["vengeance"])
    for face in kinds["item"]:
        if timing(face.said["text"][0]) == "After activation":
            yield f"{face.name}: an Item cannot be used after the activation (VG-Q42)."
    yield from hero_problems(content, kinds["montage"])
    yield from count_problems(kinds)


def den_problems(den: Face, minions: set[str]) -> Iterator[str]:
    """VG-1.21, VG-12.8 A den has an entry, a Boss Zone, and a way from each zone to every other."""
    zones = set(den.zones)
    if strange := sorted({*zones, *"".join(den.doors)} - set(ROOMS)):
        yield f"{den.name}: a zone is one of the letters {ROOMS}, not {strange[0]}."
        return
    named = {den.entry, den.boss_zone, *den.get("wild", {}), *"".join(den.doors)}
    if missing := sorted(named - zones):
        yield f"{den.name}: there is no zone {missing[0]}."
    elif len(Plan.of(den).distance) < len(zones) ** 2:
        yield f"{den.name}: some zones cannot be reached."
    if unknown := sorted({name for names in den.zones.values() for name in names} - minions):
        yield f"{den.name}: there is no minion {unknown[0]}."


def boss_problems(boss: Face, kinds: dict[str, list[Face]]) -> Iterator[str]:
    if boss.gang not in [gang.name for gang in kinds["gang"]]:
        yield f"{boss.name}: there is no gang {boss.gang}."
    if unknown := set(boss.entourage) - {minion.name for minion in kinds["minion"]}:
        yield f"{boss.name}: there is no minion {sorted(unknown)[0]}."


def wrong_problems(content: Content, card: Face, others: list[Face]) -> Iterator[str]:
    """VG-13.5 All cards of one boss name the same gang and the same VP."""
    boss = content.named.get(card.boss)
    if boss is None or boss.kind != "boss":
        yield f"{card.name}: there is no boss {card.boss}."
    elif card.gang != boss.gang:
        yield f"{card.name}: {card.boss} belongs to {boss.gang}, not to {card.gang}."
    elif any(other.vp != card.vp for other in others if other.boss == card.boss):
        yield f"{card.name}: all cards of {card.boss} must show the same VP."


def hero_problems(content: Content, montage: list[Face]) -> Iterator[str]:
    """VG-8.2, VG-8.4 Every hero has tracks, and at least three Montage cards with an action each."""
    heroes = content.other_things("hero")
    for hero in heroes:
        for text in (*hero["mind"], *hero["skill"]):
            try:
                Position.read(text)
            except ValueError as problem:
                yield f"{hero['name']}: {problem}."
        if sum(card.count for card in montage if card.hero == hero["name"]) < 3:
            yield f"{hero['name']} has fewer than three Montage cards."
    for card in montage:
        if card.hero not in [hero["name"] for hero in heroes]:
            yield f"{card.name}: there is no hero {card.hero}."
        if all(card.get(action) is None for action in ("heal", "upgrade", "recon")):
            yield f"{card.name} has no action."
    if len(heroes) < MOST_SEATS:
        yield f"there must be {MOST_SEATS} heroes at least."


def count_problems(kinds: dict[str, list[Face]]) -> Iterator[str]:
    """VG-1.15, VG-2.2 Six dens for the row, and Vengeance cards for everybody."""
    if sum(den.count for den in kinds["den"] if den.vp == 2) != ROW:
        yield f"there must be {ROW} dens worth 2 VP."
    cards = Counter[str]()
    for card in kinds["vengeance"]:
        cards[card.gang] += card.count
    fewest = sorted(cards[gang.name] for gang in kinds["gang"])
    if len(fewest) < MOST_SEATS or sum(fewest) < MOST_SEATS * DEALT or sum(fewest[:3]) < 3 * DEALT:
        yield f"there must be {MOST_SEATS} gangs with {DEALT} Vengeance cards each."


def stands_in(face: Face, other: Face) -> bool:
    """Whether a card can lie in the place of another of its kind: there must still be six dens for the row, say."""
    telling = {"den": "vp", "montage": "hero", "vengeance": "gang", "boss": "big"}.get(face.kind)
    return telling is None or face.get(telling) == other.get(telling)
