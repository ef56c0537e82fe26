"""Leduc hold'em: a small game of bluff, with one hidden card each. `talion play examples/leduc.py`.

**LH-1** There are two jacks, two queens and two kings. Each player stakes 1 and gets one card, which the other does not see.

**LH-2** In turn, beginning with the first seat, a player folds, calls or raises. Who has nothing to call may not fold.

**LH-3** A raise is 2 in the first round and 4 in the second. A round has at most two raises.

**LH-4** A round ends when both accept the stake. After the first round a card is turned up for both.

**LH-5** Who folds loses the stake. Otherwise a pair with the open card wins, then the higher card; equal cards share.
"""

import sys
from typing import Any

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Asking,
    Counter,
    Game,
    No,
    Option,
    Part,
    Seats,
    State,
    View,
    Zone,
)

CARDS = [{"name": name, "rank": rank, "count": 2} for rank, name in enumerate(("jack", "queen", "king"))]
RAISE = {1: 2, 2: 4}
MOST_RAISES = 2


class Player(Part):
    hand = Zone(seen_by=OWNER)
    stake = Counter(1)


class Pot(State):
    players = Seats(Player)
    deck = Zone(seen_by=NOBODY)
    open = Zone(seen_by=EVERYONE)
    round = Counter(1, high=2)
    raises = Counter(high=MOST_RAISES)


def build(t: Pot) -> None:
    t.create_all(t.deck)


def deal(t: Pot) -> Any:
    """LH-1 One hidden card each."""
    t.shuffle(t.deck)
    for player in t.players:
        t.draw(t.deck, player.hand)
    return betting


def moves(t: Pot, seat: int) -> list[Option | No]:
    """LH-2 Fold, call, raise: what is possible is public, so it tells nothing about the cards."""
    behind, raises = t.players[seat].stake < t.players[1 - seat].stake, t.raises < MOST_RAISES
    found: list[Option | No] = [("fold",), ("call",)] if behind else [("call",)]
    if raises:
        found.append(("raise",))
    if t.explaining and not behind:
        found.append(No(("fold",), "LH-2", "There is nothing to call."))
    if t.explaining and not raises:
        found.append(No(("raise",), "LH-3", "This round has had its two raises."))
    return found


def betting(t: Pot) -> Asking:
    """LH-2 In turn, until both have accepted the stake."""
    player, other = t.players
    accepted = 0
    while accepted < 2:
        (move,) = yield t.ask(player, moves, "Fold, call or raise", "LH-2", default=("call",))
        t.log("LH-2", "{who} {move}s.", who=player, move=move)
        if move == "fold":
            t.over([other.seat], f"@{player.seat} folds.", "LH-5", winnings(t, other.seat))
        player.stake = other.stake
        accepted += 1
        if move == "raise":
            player.stake += RAISE[t.round]
            t.raises += 1
            accepted = 1
        player, other = other, player
    return showdown if t.round == 2 else turn_up


def turn_up(t: Pot) -> Any:
    """LH-4 A card for both."""
    t.round, t.raises = 2, 0
    card = t.draw(t.deck, t.open)
    t.log("LH-4", "{card} is turned up.", card=card)
    return betting


def showdown(t: Pot) -> None:
    """LH-5 A pair beats any card; then the higher rank."""
    shown = t.face(t.open[0]).rank
    ranks = [t.face(player.hand[0]).rank for player in t.players]
    worth = [(rank == shown, rank) for rank in ranks]
    t.reveal([player.hand[0] for player in t.players])
    if worth[0] == worth[1]:
        t.over([], "Equal cards share the pot.", "LH-5", (0, 0))
    best = worth.index(max(worth))
    t.over([best], f"@{best} has the better card.", "LH-5", winnings(t, best))


def winnings(t: Pot, winner: int) -> tuple[int, int]:
    """What each player gains: the loser's stake changes hands."""
    lost = t.players[1 - winner].stake
    return (lost, -lost) if winner == 0 else (-lost, lost)


def value(view: View, seat: int) -> float:
    """For bots: a pair is nearly won, else the rank counts, and a larger stake sharpens both."""
    (card,) = view.players[seat].hand.cards
    paired = any(card.face.rank == shown.face.rank for shown in view.open)
    strength = 1.0 if paired else (0.15, 0.5, 0.8)[card.face.rank]
    return 0.5 + (strength - 0.5) * min(1.0, view.players[seat].stake / 13 + 0.4)


game = Game(
    key="leduc",
    title="Leduc hold'em",
    about="Two players, six cards, two rounds of betting.",
    length="a minute",
    hidden="Each player's card, and the deck.",
    seats=(2,),
    state=Pot,
    start=deal,
    rules=sys.modules[__name__],
    longest=8,
    tables={"card": CARDS},
    build=build,
    value=value,
)
