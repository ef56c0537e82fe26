"""VT-1, VT-2, VT-11: what lies on the table: bosses, cards in play and what they are, the action that is going on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Card,
    Content,
    Counter,
    Counters,
    Face,
    Flag,
    Part,
    Parts,
    PerCard,
    Play,
    Said,
    Seat,
    Seats,
    State,
    Value,
    Word,
    Zone,
    shown,
)

HOUSES = ("Corvane", "Ysmere", "Drauth", "Quillon", "Noxley", "Tannhaus")
STATS = ("force", "cunning", "stealth", "resolve")
ASSETS = ("pawn", "location", "device")
EVENTS = ("job", "gambit")
CLASSES = (
    "Human",
    "Robot",
    "Ship",
    "Program",
    "Station",
    "Venue",
    "Fort",
    "Network",
    "Bank",
    "Works",
    "Tool",
)
DOMAINS = ("Planetary", "Stellar", "Ethereal")
DOMAIN_OF = {
    "Starborn": "Stellar",
    "Starworthy": "Stellar",
    "Etherial": "Ethereal",
    "Low Etherial": "Ethereal",
}
FULL_DAMAGE_TO = {
    "Stowaway": ("Stellar",),
    "Hacker": ("Ethereal",),
    "Starworthy": ("Planetary",),
    "Low Etherial": DOMAINS,
}
PAWN_ACTIONS = frozenset({"attack", "work", "sabotage", "seduce", "act"})


def sneaking(line: Said) -> bool:
    """VT-B37 A Sneak line is in force while its card lies underway."""
    return any(getattr(tag, "value", "") == "sneak" for tag in line.filled.get("tags", ()))


def not_sneaking(line: Said) -> bool:
    """VT-B37 Every other line is in force while its card lies face up."""
    return not sneaking(line)


Change = tuple[Card, str, Any]
"""Which asset, what about it, and how: `(card, "force", 2)`, `(card, "keyword", "Elusive")`, `(card, "barred", "act")`."""


class Boss(Part):
    seat: int
    character = Word("")
    income = Counter()
    wealth = Counter()
    influence = Counters(HOUSES)
    deck = Zone(seen_by=NOBODY)
    hand = Zone(seen_by=OWNER)
    declared = Zone(seen_by=OWNER)
    """A card that is about to be got underway."""
    assets = Zone(seen_by=EVERYONE, in_force=not_sneaking)
    altering = Zone(seen_by=EVERYONE, in_force=not_sneaking)
    underway = Zone(seen_by=OWNER, ordered=True, in_force=sneaking)
    resolving = Zone(seen_by=EVERYONE)
    """A completed event while it takes effect."""
    ongoing = Zone(seen_by=EVERYONE, in_force=not_sneaking)
    junkyard = Zone(seen_by=EVERYONE)

    @shown
    def total(self) -> int:
        """VT-1.8 Influence over all Houses."""
        return sum(self.influence.values())


class Action(Part):
    """VT-7.21 What was declared and is not yet resolved; maneuvers lie on top of what they answer."""

    kind = Word("")
    by = Seat(0)
    card = Value(None)
    """The acting pawn, or the card that is purchased, completed or used."""
    line = Counter()
    mark = Value(None)
    aimed = Value(())
    """Further marks: where their phrase stands, and what was marked."""
    discard_first = Flag()
    owed = Counter()
    """VT-B7 Risk damage that kills only when the action is over, if the match plays it so."""
    prevented = Flag()
    asked = Seat(0)


class Table(State):
    bosses = Seats(Boss)
    order = Value((), of_cards=False)
    """The seats in turn order."""
    active = Seat(0)
    turns = Counter()
    idle = Counter()
    """Turns in a row in which nobody took an action."""
    acted = Flag()
    actions = Parts(Action)
    alters = Value(())
    """Pairs: an altering card, and the card it alters."""
    refusals = Value((), of_cards=False)
    """Gifts refused since the last decision: pairs of giver and receiver."""

    exhausted = PerCard(False)
    phys = PerCard(0)
    psych = PerCard(0)
    progress = PerCard(0)
    sabotage = PerCard(0)
    original_boss = PerCard(None)
    returns_to = PerCard(None)
    """The boss to whom a pawn hired for the turn goes back."""
    until_end = PerCard(())
    """Stats and keywords gained until the end of the turn."""
    consent_refused = PerCard(False)

    force_now = PerCard(None)
    cunning_now = PerCard(None)
    stealth_now = PerCard(None)
    resolve_now = PerCard(None)
    keywords = PerCard(())
    barred = PerCard(())
    """What an asset in play has and may not do, as it stands now."""

    @property
    def active_boss(self) -> Boss:
        return self.bosses[self.active]


# What is printed, sorted by use --------------------------------------------------------------------------------------


class Ability:
    """An ability: its tags, and the sentences behind them."""

    def __init__(self, said: Said) -> None:
        self.said = said
        self.index = said.path[2]
        tags = said.filled.get("tags", ())
        words = {tag.value for tag in tags if hasattr(tag, "value")}
        self.plain = not tags
        self.price = sum(tag.filled["n"] for tag in tags if not hasattr(tag, "value"))
        self.sneak = "sneak" in words
        self.maneuver = "maneuver" in words
        self.seduce = "seduce" in words
        self.by_pawn = self.seduce or "act" in words
        self.verb = "seduce" if self.seduce else "act" if self.by_pawn else "use"
        self.exhausts = "exhaust" in words
        self.costs = self.exhausts or bool(self.price)
        self.happens = words & {"deploy", "turn", "sabotage"}
        self.activated = not self.happens and (self.costs or self.by_pawn or self.maneuver)
        sentences = said.filled["then"]
        self.effects = [sentence.filled["do"] for sentence in sentences if "do" in sentence.filled]
        self.lasts = len(self.effects) < len(sentences)
        self.targets = [target for effect in self.effects for target in effect.targets()]
        hints = [below.phrase.hints for below in said.below()]
        self.in_any_order = not self.costs and all(in_any_order(effect) for effect in self.effects)
        self.speaks_of_the_action = any("of_the_action" in hint for hint in hints)

    @property
    def text(self) -> str:
        return f"{self.said.text}."


def in_any_order(effect: Said) -> bool:
    """Whether it comes to the same before or after others of its kind: one draws, one gains."""
    return "in_any_order" in effect.phrase.hints and effect.constant.get("way", 1) == 1


class Printed:
    """A face, sorted by what the rules look for."""

    def __init__(self, face: Face) -> None:
        self.name = face.name
        self.kind = face.kind
        self.house = face.house
        self.requirement = face.requirement
        self.cost = face.get("cost", 0)
        self.needs = face.get("progress", 0)
        self.is_asset = face.kind in ASSETS
        self.is_event = not self.is_asset
        self.is_pawn = face.kind == "pawn"
        self.types = frozenset({face.kind, face.get("class"), "asset" if self.is_asset else "event"} - {None})
        self.stats = tuple(face.get(stat) for stat in STATS)
        keywords = [said.read(Play.reading()) for said in face.said.get("keywords", ())]
        self.keywords = tuple(word for kind, word in keywords if kind == "word")
        self.alters = frozenset(what for kind, what in keywords if kind == "alter")
        self.houses = (face.house, *(house for kind, house in keywords if kind == "sworn"))
        self.unique = "Unique" in self.keywords
        self.ongoing = "Ongoing" in self.keywords
        self.stays = self.is_asset or self.ongoing or bool(self.alters)
        self.maneuver = "Maneuver" in self.keywords
        self.lines = [Ability(said) for said in face.said.get("abilities", ())]
        self.sneaks = self.is_asset and any(line.sneak for line in self.lines)
        self.may_lie_underway = self.is_event or self.sneaks
        self.lasts = any(line.lasts for line in self.lines)
        self.activated = [line for line in self.lines if line.activated]
        self.maneuvers = [line for line in self.activated if line.maneuver]
        self.speaks_of_the_action = any(line.speaks_of_the_action for line in self.lines if line.plain)

    def happening(self, tag: str, sneaking: bool = False) -> list[Ability]:
        """The lines that happen of themselves: Deploy, Sabotage, and Turn while the asset sneaks or otherwise."""
        here = [line for line in self.lines if tag in line.happens]
        return here if tag == "sabotage" else [line for line in here if line.sneak == sneaking]


@lru_cache(maxsize=4096)
def printed(face: Face) -> Printed:
    return Printed(face)


@lru_cache(maxsize=64)
def all_printed(content: Content) -> list[Printed]:
    return [printed(face) for face in content.faces]


def look(t: Table, card: Card) -> Printed:
    """What is printed on a card, sorted by use."""
    return all_printed(t.content)[t.faces[card]]


# Who and where -------------------------------------------------------------------------------------------------------


def order(t: Table) -> tuple[int, ...]:
    return t.order or tuple(t.seat_numbers)


def next_seat(t: Table, seat: int) -> int:
    """VT-6.1 The next in turn order."""
    seats = order(t)
    return seats[(seats.index(seat) + 1) % len(seats)]


def from_active(t: Table) -> tuple[int, ...]:
    """VT-12.2 All seats in turn order, the active player first."""
    seats = order(t)
    at = seats.index(t.active)
    return seats[at:] + seats[:at]


def boss_of(t: Table, card: Card) -> int:
    """VT-1.1 The boss in whose employ a card is."""
    owner = t.pile_of(card).place.owner
    assert owner is not None
    return owner


def change_boss(t: Table, card: Card, to: int, back: int | None = None) -> None:
    """VT-B60 A card in play goes into another's employ, for good or until it goes back."""
    t.original_boss[card] = boss_of(t, card) if t.original_boss[card] is None else t.original_boss[card]
    t.returns_to[card] = back
    t.move(card, getattr(t.bosses[to], zone_of(t, card)))


def zone_of(t: Table, card: Card) -> str:
    return t.pile_of(card).place.name


def is_asset_in_play(t: Table, card: Card) -> bool:
    return zone_of(t, card) == "assets"


def is_in_play(t: Table, card: Card) -> bool:
    """VT-1.1 In somebody's employ."""
    return zone_of(t, card) in ("assets", "altering", "underway", "ongoing")


def is_event_in_play(t: Table, card: Card) -> bool:
    return zone_of(t, card) in ("underway", "ongoing")


def is_underway(t: Table, card: Card) -> bool:
    return zone_of(t, card) == "underway"


def all_assets(t: Table) -> list[Card]:
    return [card for boss in t.bosses for card in boss.assets]


def all_events(t: Table) -> list[Card]:
    return [card for boss in t.bosses for zone in (boss.underway, boss.ongoing) for card in zone]


def host_of(t: Table, card: Card) -> Card | None:
    return next((host for altering, host in t.alters if altering == card), None)


def alterers_of(t: Table, card: Card) -> list[Card]:
    return [altering for altering, host in t.alters if host == card]


def reference(t: Table, seat: int, card: Card) -> Any:
    """How an option of a seat names a card in play: others' face-down cards by their place."""
    place = t.pile_of(card).place
    return card if place.shows(seat) else t.place(card)


def referred(t: Table, reference: Any) -> Card:
    """The card that an option names."""
    if isinstance(reference, tuple):
        _, seat, index = reference
        return t.bosses[seat].underway[index]
    return reference


# Rules that cards change ---------------------------------------------------------------------------------------------


def reckon(t: Table) -> None:
    """VT-B81 Every asset as it stands: printed, altered, changed for the turn, then by lasting lines; never below 0."""
    faces, numbers = all_printed(t.content), t.faces
    for boss in t.bosses:
        for card in boss.assets:
            face = faces[numbers[card]]
            t.force_now[card], t.cunning_now[card], t.stealth_now[card], t.resolve_now[card] = face.stats
            t.keywords[card] = face.keywords
            t.barred[card] = ()
            if t.original_boss[card] is None:
                t.original_boss[card] = boss.seat
    changed: dict[Card, None] = {}
    for card, what, value in changes(t):
        if is_asset_in_play(t, card):
            change(t, card, what, value)
            changed[card] = None
    for card in changed:
        for stats in (t.force_now, t.cunning_now, t.stealth_now, t.resolve_now):
            stats[card] = None if stats[card] is None else max(0, stats[card])


def changes(t: Table) -> Iterator[Change]:
    """VT-B81 Everything that changes assets, in the order in which it does; each is made before the next is read."""
    for altering, host in t.alters:
        for stat, value in zip(STATS, look(t, altering).stats, strict=True):
            if value is not None:
                yield host, stat, value
    for_the_turn = [
        (card, *gained) for boss in t.bosses for card in boss.assets for gained in t.until_end[card]
    ]
    yield from (change for change in for_the_turn if change[1] != "keyword")
    yield from t.gather("what holds", looks_at_a_stat)
    yield from (change for change in for_the_turn if change[1] == "keyword")


def change(t: Table, card: Card, what: str, value: Any) -> None:
    """Gives an asset a keyword, bars it from something, or changes a stat: one that it has not counts as 0."""
    if what == "keyword":
        t.keywords[card] = (*t.keywords[card], value)
    elif what == "barred":
        t.barred[card] = (*t.barred[card], value)
    else:
        stats = getattr(t, f"{what}_now")
        if stats[card] is not None or value > 0:
            stats[card] = (stats[card] or 0) + value


@lru_cache(maxsize=4096)
def looks_at_a_stat(lasting: Said) -> bool:
    return any("looks_at_a_stat" in said.phrase.hints for said in lasting.below())


@lru_cache(maxsize=64)
def lasting_words(content: Content) -> frozenset[str]:
    """Every word of every lasting line: who is exhausted or acts matters only if one of them asks for it."""
    said = [said for face in content.faces for line in face.lines() for said in line.below()]
    return frozenset(word for each in said if each.kind == "static" for word in each.text.split())


def domain(t: Table, card: Card) -> str:
    """VT-B13 The domain gained last, else the first printed one, else Planetary."""
    printed_words = len(look(t, card).keywords)
    words = t.keywords[card]
    gained = [DOMAIN_OF[word] for word in words[printed_words:] if word in DOMAIN_OF]
    own = [DOMAIN_OF[word] for word in words[:printed_words] if word in DOMAIN_OF]
    return gained[-1] if gained else own[0] if own else "Planetary"


def damage_total(t: Table, card: Card) -> int:
    """VT-13.2 Both kinds together; VT-15.8 only phys-damage on a Hardened asset."""
    return t.phys[card] + (0 if "Hardened" in t.keywords[card] else t.psych[card])


# Facts that are told about cards lying face down -----------------------------------------------------------------------


def may_lie_underway(face: Face) -> bool:
    return printed(face).may_lie_underway


@lru_cache(maxsize=1024)
def works_underway(face: Face, tag: str) -> str:
    """The Sneak lines whose work everybody can see: lasting ones, and those of the start of a turn."""
    lines = [line for line in printed(face).lines if line.sneak]
    return " ".join(line.text for line in lines if (tag in line.happens if tag else line.lasts))


def works_as(face: Face, tag: str, text: str) -> bool:
    return works_underway(face, tag) == text


def has_line(face: Face, text: str) -> bool:
    return any(line.text == text for line in printed(face).lines)


def may_be_completed(face: Face, progress: int, influence: str, kinds: str) -> bool:
    card = printed(face)
    have = {house: int(n) for house, n in (word.rsplit(" ", 1) for word in influence.split(", ") if word)}
    return (
        card.is_event
        and card.needs <= progress
        and any(have.get(house, 0) >= card.requirement for house in card.houses)
        and (not card.alters or not card.alters.isdisjoint(kinds.split(", ")))
    )


FACTS: dict[str, Callable[..., bool]] = {
    "may lie underway": may_lie_underway,
    "while it sneaks:": works_as,
    "can do:": has_line,
    "may be completed": may_be_completed,
}
