"""PV-1, PV-2 and PV-4: the table: what a clone has, and what lies in the middle.

A resource is named by the field of a clone that holds it: a number (`ticks`, `corpus`, `cerebrium`) or a zone of cards
(`hand`, `states`, `forgotten`).
"""

from __future__ import annotations

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Bag,
    Counter,
    Flag,
    Part,
    Seat,
    Seats,
    State,
    Value,
    Word,
    Zone,
    shown,
)

LIFE = ("corpus", "cerebrium")
NUMBERS = ("ticks", *LIFE)
ZONES = ("hand", "states", "forgotten")
RESOURCES = (*NUMBERS, *ZONES)
HAND_SIZE = 4


class Clone(Part):
    """PV-1.1 One player."""

    corpus = Counter(low=None)
    cerebrium = Counter(low=None)
    ticks = Counter()
    alive = Flag(True)
    gives_up = Flag()
    hand = Zone(seen_by=OWNER)
    states = Zone(seen_by=EVERYONE, ordered=False, in_force=True)
    forgotten = Zone(seen_by=EVERYONE, ordered=False)
    aside = Zone(seen_by=NOBODY)
    spared = Bag()
    """PV-R15 What reactions still take off this clone's losses from the action in progress."""
    shielded = Bag()
    """What states have already taken off them."""


class Vendetta(State):
    head = Zone(seen_by=NOBODY)
    headspace = Zone(seen_by=EVERYONE, ordered=False)
    table = Zone(seen_by=EVERYONE)
    """Cards being played: the action's, and on top of it a reaction's."""
    removed = Zone(seen_by=EVERYONE, ordered=False)
    clones = Seats(Clone)
    active = Seat(0)
    turn = Counter(1)
    phase = Word()
    action = Word()
    """`take`, `play` or `activate`, while one is in progress."""
    subject = Value()
    """The card that is taken, played or activated."""
    ability = Value(of_cards=False)
    """Which activated ability of the state, from 1, where it has several."""
    x = Value(of_cards=False)
    """The number chosen for X."""
    negated = Value((), of_cards=False)
    """What reactions have called off: the `action`, its `benefit`, its `penalty`."""
    aimed = Value(())
    """PV-R14 Victims named on announcement, with the sentence each is for."""
    reactor = Value(of_cards=False)
    """The seat whose reaction is on the table."""
    window = Flag()
    """Whether the clones are being asked to react."""
    resolving = Flag()
    """Whether a sentence is being carried out."""

    @shown
    def hand_sizes(self) -> list[int]:
        return [hand_size(self, seat) for seat in self.seat_numbers]

    @shown
    def to_come(self) -> list[str]:
        """What cards have laid down for later, and for whom: everybody saw it."""
        said = [(dict(frame)["you"], self.content.line(path).text) for _, path, frame in self.lasting]
        return [f"@{seat}: {text[0].upper()}{text[1:]}." for seat, text in said]


def build(t: Vendetta) -> None:
    t.create_all(t.head)


def active(t: Vendetta) -> Clone:
    return t.clones[t.active]


def next_living(t: Vendetta) -> int:
    """PV-8.7 The next living clone clockwise from the active one."""
    return next(seat for seat in t.after(t.active) if t.clones[seat].alive)


def hand_size(t: Vendetta, seat: int) -> int:
    """PV-10.3 Four, unless a state says otherwise."""
    return int(t.modified("hand size", HAND_SIZE, seat=seat))


WORDS = {
    "ticks": "tick",
    "corpus": "corpus",
    "cerebrium": "cerebrium",
    "hand": "card",
    "states": "state",
    "forgotten": "forgotten card",
}
ICONS = {"ticks": "◷", "corpus": "♥", "cerebrium": "✦", "hand": "▯", "states": "▣", "forgotten": "▽"}


def amount(n: int, what: str) -> str:
    """`2 ticks`, `1 corpus`."""
    return f"{n} {WORDS[what]}" if n == 1 or what in LIFE else f"{n} {WORDS[what]}s"


class Bill(dict[str, int]):
    """How much of which resource is to be paid. It words itself, when somebody reads it."""

    def __str__(self) -> str:
        """`◷ 1 tick, ♥ 2 corpus`: icons for the eye, words for everybody."""
        return ", ".join(f"{ICONS[what]} {amount(n, what)}" for what, n in self.items() if n) or "nothing"
