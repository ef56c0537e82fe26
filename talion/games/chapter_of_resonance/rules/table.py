"""CR-1 and CR-2: the state, and what steps of every chapter need: cards, Witches, asking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    TOP,
    About,
    Asking,
    Card,
    Chance,
    Content,
    Counter,
    Face,
    Flag,
    Game,
    Option,
    Part,
    Parts,
    PerCard,
    Pile,
    Seat,
    Seats,
    Source,
    State,
    Value,
    Word,
    Zone,
    default_of,
    shown,
)
from talion.kernel.asks import Options

Next = Any
"""The step that comes next, with its arguments."""

TYPES = ("Herb", "Mineral", "Potion")
PILES = {
    "Herb": "herbs",
    "Mineral": "minerals",
    "Potion": "potions",
    "Artifact": "artifacts",
    "Incantation": "incantations",
}
TIE_RANK = {"Herb": 1, "Mineral": 2, "Potion": 3}
TIE_ORDER = tuple(sorted(TYPES, key=lambda sort: -TIE_RANK[sort]))
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII")
CHAINS = 3
OBJECTIVES = 5
RIVAL = -1
"""How the Rival of the solo mode is named where a seat would be."""
WAITING, SPENT = ("Incantation", 1), ("Incantation", 0)
"""What an Incantation stands for before its turn, and after it has cast a Spell that did not transform it."""
END = "the end of the round"


class Witch(Part):
    """What lies before a player, and what she holds."""

    seat: int
    witch = Zone(seen_by=EVERYONE)
    spell = Zone(seen_by=EVERYONE)
    tokens = Value((), of_cards=False)
    """The ring numbers of the objectives she has activated."""
    hand = Zone(seen_by=OWNER)
    offer = Zone(seen_by=OWNER)
    """The two Spell cards she chooses from at the beginning."""
    played = Zone(seen_by=OWNER)
    """Her card in the centre while it lies face down."""
    draws = Word("")
    """What she chose to draw this round and has not drawn yet."""
    acted = Flag()
    taking = Value(None, of_cards=False)
    laying = Flag()
    """In a race: whether she has acted, which types she has drawn so far, and whether she is laying down a card."""
    conceded = Flag()


class Rival(Part):
    """The opponent in the solo mode: objectives and tokens, nothing else."""

    witch = Word()
    tokens = Value((), of_cards=False)


class Coven(State):
    witches = Seats(Witch)
    rival = Parts(Rival)
    ring = Zone(seen_by=EVERYONE)
    demon = Counter(1, low=1, high=8)
    """The number of the ring card the Demon stands on."""
    demon_card = Zone(seen_by=EVERYONE, in_force=True)
    chains = Counter(CHAINS, high=CHAINS)
    round = Counter()
    priority = Seat(0)
    """CR-A13 The seat with which the order of this round begins."""
    stage = Word("draft")
    centre = Zone(seen_by=EVERYONE)
    herbs = Zone(seen_by=EVERYONE)
    minerals = Zone(seen_by=EVERYONE)
    potions = Zone(seen_by=EVERYONE)
    artifacts = Zone(seen_by=TOP)
    incantations = Zone(seen_by=TOP)
    transients = Zone(seen_by=NOBODY)
    spell_deck = Zone(seen_by=NOBODY)
    reserve = Zone(seen_by=EVERYONE)
    removed = Zone(seen_by=EVERYONE)
    solo_deck = Zone(seen_by=NOBODY)
    solo_discards = Zone(seen_by=EVERYONE)
    solo_unseen = Zone(seen_by=NOBODY)
    """Solo cards discarded without being turned up."""
    quarry = Word("")

    by = PerCard(None)
    """Whose card this is, in the centre."""
    shape = PerCard(None)
    """What a card in the centre was transformed into: a sort and a number."""

    @classmethod
    def begin(
        cls, game: Game, content: Content, seats: int, chance: Chance, options: dict[str, Any]
    ) -> Coven:
        """CR-A15 The two shuffled piles lie face up, or face down if the match was set up so."""
        t = super().begin(game, content, seats, chance, options)
        if options["open_piles"] == "no":
            t.artifacts.place.seen_by = t.incantations.place.seen_by = NOBODY
        return t

    @property
    def solo(self) -> bool:
        return self.seats_taken == 1

    def in_order(self) -> list[Witch]:
        """CR-A13 The players, in the order that holds this round."""
        return [*self.witches[self.priority :], *self.witches[: self.priority]]

    @shown
    def missing(self) -> tuple[tuple[int, ...], ...]:
        """CR-1.7 The objectives that each Witch still lacks, the Rival's last."""
        witches: list[Witch | Rival] = [*self.witches, *self.rival]
        return tuple(tuple(lacking(self, witch)) for witch in witches)

    @shown
    def tie_order(self) -> tuple[str, ...]:
        """CR-9.4 The type that prevails over those it is level with comes first, unless a card says otherwise."""
        found = self.in_force("static", "tie rank")
        if not found:
            return TIE_ORDER
        rank = {
            sort: max(said.read(play, About(sort=sort)).value for play, _, said in found) for sort in TYPES
        }
        return tuple(sorted(TYPES, key=lambda sort: -rank[sort]))

    @shown
    def activation(self) -> str:
        """CR-A1 Which ring card is activated: the `origin` of a move, or its `destination`."""
        return str(self.options["activation_site"])

    def everyone(self) -> list[Witch | Rival]:
        """Players in this round's order, and the Rival last."""
        return [*self.in_order(), *self.rival]


# Cards ---------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def printed_as(face: Face) -> tuple[str, int]:
    return face.get("type") or face.kind.capitalize(), 1


def sort_of(face: Face) -> str:
    """What sort of card a face is, for drawing, playing and discarding: a type, Artifact, or Incantation."""
    return printed_as(face)[0]


def stands_for(t: Coven, card: Card) -> tuple[str, int]:
    """CR-9.1 What a card in the centre counts as now: a sort, and how many of it."""
    return t.shape[card] or printed_as(t.content.faces[t.faces[card]])


def pile(t: Coven, sort: str) -> Pile:
    return getattr(t, PILES[sort])


def distinct(t: Coven, cards: Sequence[Card]) -> list[Card]:
    """One of each, in the order in which they are printed."""
    return sorted(t.distinct(cards), key=t.faces.__getitem__)


def held(t: Coven, witch: Witch, sorts: Sequence[str]) -> list[Card]:
    """The different cards of these sorts in a hand."""
    return [card for card in distinct(t, witch.hand) if sort_of(t.face(card)) in sorts]


def remove(t: Coven, card: Card) -> None:
    """CR-8.7 Out of the game."""
    t.move(card, t.removed)


def ring_face(t: Coven, number: int) -> Face:
    return t.face(t.ring[number - 1])


def objectives(t: Coven, witch: Witch | Rival) -> list[int]:
    """CR-1.4 The five ring cards this Witch wants."""
    return t.content.named[witch_name(t, witch)].objectives if witch.witch else []


def lacking(t: Coven, witch: Witch | Rival) -> list[int]:
    return [number for number in objectives(t, witch) if number not in witch.tokens]


def effect_here(t: Coven, sort: str) -> str:
    face = ring_face(t, t.demon)
    activates = f" and activates {ROMAN[t.demon]}" if sort in face.activated_by else ""
    return f"leads to {ROMAN[face.arrows[sort]]}{activates}"


def witch_at(t: Coven, who: int) -> Witch | Rival:
    return t.rival[0] if who == RIVAL else t.witches[who]


def witch_name(t: Coven, witch: Witch | Rival) -> str:
    return witch.witch if isinstance(witch, Rival) else t.face(witch.witch[0]).name


def sources(t: Coven) -> Iterator[Source]:
    """CR-11.2 The Gates that bear a player's token are in force for her."""
    ring = t.ring
    for witch in t.witches:
        if witch.tokens:
            yield Source([ring[number - 1] for number in witch.tokens], witch.seat)


# Asking --------------------------------------------------------------------------------------------------------------


def put(
    t: Coven,
    witch: Witch,
    options: Options,
    prompt: str,
    rule: str,
    default: Option | None = None,
    *,
    minor: bool = False,
) -> Asking:
    """CR-A44 Asks a player; for one who has conceded the plainest choice is made."""
    ask = t.ask(witch, options, prompt, rule, default, minor=minor)
    return default_of(ask, t) if witch.conceded else (yield ask)


def serve(t: Coven) -> Asking:
    """Carries out what cards had been watching for."""
    while t.queue:
        yield from t.resolve(t.queue[0])
