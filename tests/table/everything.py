"""A game with no table of its own, in which all lies that a generic table has to show: see test_generic.py.

**EV-1** Each has two cards, and has lost one. In turn, whoever is active does one thing.
"""

import sys

from talion.kernel import (
    EVERYONE,
    OWNER,
    Asking,
    Counter,
    Game,
    Named,
    Option,
    Part,
    Seat,
    Seats,
    State,
    Step,
    Zone,
)

WORDS = (
    "take the income", "ask for foreign aid", "exchange two of the cards", "take the tax",
    "block the captain", "call the bluff of everybody", "let it be this time", "do nothing at all", "wait",
)  # fmt: skip


class Player(Part):
    coins = Counter(2)
    hand = Zone(seen_by=OWNER)
    lost = Zone(seen_by=EVERYONE)


class Place(Part):
    stones = Counter()


class Table(State):
    players = Seats(Player)
    board = Named(Place, rows=("a1 b1 c1", "a2 b2 c2"))
    deck = Zone(seen_by=EVERYONE)
    active = Seat(0)
    victim = Seat.maybe()
    turns = Counter(high=60)


def build(t: Table) -> None:
    t.create_all(t.deck)


def deal(t: Table) -> Step:
    """EV-1 Two in the hand, one lost."""
    for player in t.players:
        for zone in (player.hand, player.hand, player.lost):
            t.draw(t.deck, zone)
    return turn


def deeds(t: Table, seat: int) -> list[Option]:
    robs = [("rob", other) for other in t.after(seat)[:-1]]
    return [*[(word,) for word in WORDS], *robs, *[("put", name) for name in t.board.names]]


def turn(t: Table) -> Asking:
    """EV-1 One thing."""
    deed, *rest = yield t.ask(t.active, deeds, "What do you do?", "EV-1")
    t.turns += 1
    if deed == "put":
        t.board[rest[0]].stones += 1
        t.log("EV-1", "{who} puts a stone on {where}.", who=t.active, where=rest[0])
    if deed == "rob":
        t.victim = rest[0]
        t.log("EV-1", "{who} robs {whom}.", who=t.active, whom=t.victim)
    if t.turns == 60:
        t.over([], "Enough.", "EV-1")
    t.active = t.after(t.active)[0]
    return turn


def words(t: Table, seat: int, option: Option) -> str | None:
    return f"rob @{option[1]}" if option[0] == "rob" else None


game = Game(
    key="everything",
    title="Everything",
    seats=(2, 6),
    state=Table,
    start=deal,
    build=build,
    words=words,
    rules=sys.modules[__name__],
    longest=60,
    tables={"card": [{"name": name, "count": 6} for name in ("Duke", "Captain", "Contessa", "Ambassador")]},
)
