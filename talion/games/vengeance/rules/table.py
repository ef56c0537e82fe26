"""VG-1: what lies on the table, and who sees it."""

from __future__ import annotations

from typing import Any, NamedTuple

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Card,
    Counter,
    Counters,
    Flag,
    Part,
    Parts,
    PerCard,
    Pile,
    Seat,
    Seats,
    State,
    Value,
    Word,
    Zone,
)

TRACKS = ("Mind", "Skill", "Health")
TRACK_OF = {"Crazy": "Mind", "Broken": "Skill", "Hurt": "Health"}
ACTIONS = ("Heal", "Upgrade", "Recon")
MIND_FACES = ("HEAL", "UPGRADE", "RECON", "WILD", "SPEED")
SKILL_FACES = ("MOVE", "HIT", "DOUBLE HIT", "SHOT", "ENEMY", "BOSS", "BLANK")
DIE_OF = {"Heal": "HEAL", "Upgrade": "UPGRADE", "Recon": "RECON"}
POINTS_OF_DIE = {"HEAL": 2, "UPGRADE": 1, "RECON": 1}
ACTIVATIONS = ("ENEMY", "BOSS")
PLACES = ("+2", "+1", "+0")
ROOMS = "ABCDEFGH"
RECON_TOKENS = 6
TURNS = ("Wronging", *("Montage", "Combat"), *("Montage", "Combat", "Combat") * 2)

Die = tuple[str, str]
"""One unspent Skill die: its face, and the die it is (`Skill`, `Bonus`, or `gained`)."""


class Enemy(NamedTuple):
    """Somebody in the den under attack. Two of whom nothing differs are alike to everybody."""

    zone: str
    name: str
    damage: int
    kept: bool = False
    """Whether the damage outlasts this round."""


class Crowd(Value):
    """The enemies in a den."""

    def read(self, written: Any, part: Part, name: str) -> None:
        setattr(part, name, tuple(Enemy(*one) for one in written))


class Stack(Part):
    tiles = Zone(seen_by=EVERYONE)


class Hero(Part):
    name = Word()
    vp = Counter()
    red = Counters(TRACKS)
    brown = Counters(TRACKS)
    wild = Counter()
    recon = Counter(high=RECON_TOKENS)
    supply = Counter(RECON_TOKENS, high=RECON_TOKENS)
    stacks = Parts(Stack, 4)

    draft = Zone(seen_by=OWNER)
    hand = Zone(seen_by=OWNER)
    wrongs = Zone(seen_by=EVERYONE)
    scored = Zone(seen_by=EVERYONE)

    montage = Zone(seen_by=OWNER)
    plus_two = Zone(seen_by=OWNER)
    plus_one = Zone(seen_by=OWNER)
    plus_none = Zone(seen_by=OWNER)
    shown = Zone(seen_by=EVERYONE)
    boosts = Counters(PLACES)
    dice = Counters(MIND_FACES)
    quota = Counter()
    swapped = Flag()
    points = Counters(ACTIONS)
    speed = Counter()

    def laid(self, place: str) -> Pile:
        """Where the Montage card of a place lies face down."""
        return {"+2": self.plus_two, "+1": self.plus_one, "+0": self.plus_none}[place]

    @property
    def tiles(self) -> list[Card]:
        """VG-6.14 The active upgrades: the top of each stack."""
        return [stack.tiles.top for stack in self.stacks if stack.tiles]


class Den(Part):
    board = Zone(seen_by=EVERYONE)
    hidden = Zone(seen_by=NOBODY)
    boss = Zone(seen_by=EVERYONE)
    wild = Counters(ROOMS)
    scouts = Value(())


class Vengeance(State):
    heroes = Seats(Hero)
    order = Value((), of_cards=False)
    turn = Counter(high=len(TURNS) - 1)

    vengeance_deck = Zone(seen_by=NOBODY)
    boss_deck = Zone(seen_by=NOBODY)
    wall = Zone(seen_by=EVERYONE)
    dens = Parts(Den, 6)
    den_pile = Zone(seen_by=NOBODY)
    den_discard = Zone(seen_by=EVERYONE)

    spare = Zone(seen_by=EVERYONE)
    aside = Zone(seen_by=NOBODY)
    ability_pile = Zone(seen_by=NOBODY)
    item_pile = Zone(seen_by=NOBODY)
    abilities = Zone(seen_by=EVERYONE)
    items = Zone(seen_by=EVERYONE)
    item_discard = Zone(seen_by=EVERYONE)
    pool = Counters(MIND_FACES)

    # A Combat turn, and the Fight in it.
    active = Seat(0)
    lifted = Value(())
    window = Word()
    attacked = Value(None)
    zone = Word()
    round = Counter(high=3)
    enemies = Crowd(())
    dice = Value((), of_cards=False)
    ignored = Value(())
    item_used = Flag()
    boss_acted = Flag()
    boss_killed = Flag()
    fewer_dice = Counter()
    coming = Counter()
    used = PerCard(False)

    @property
    def hero(self) -> Hero:
        """The hero whose Combat turn it is."""
        return self.heroes[self.active]

    @property
    def den(self) -> Den:
        """The den under attack."""
        return self.dens[self.attacked]
