"""The state, set-up, the steps in the order of play, and the end."""

from __future__ import annotations

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Asking,
    Counter,
    Option,
    Part,
    Play,
    Seat,
    Seats,
    State,
    Step,
    Zone,
)

HAND = 3
GOAL = 10


class Player(Part):
    points = Counter()
    hand = Zone(seen_by=OWNER)


class Table(State):
    players = Seats(Player)
    deck = Zone(seen_by=NOBODY)
    played = Zone(seen_by=EVERYONE)
    active = Seat(0)


def build(t: Table) -> None:
    """What is there before a match begins."""
    t.create_all(t.deck)


def set_up(t: Table) -> Step:
    """MG-1 Shuffle, and deal three cards to each player."""
    t.shuffle(t.deck)
    for player in t.players:
        for _ in range(HAND):
            t.draw(t.deck, player.hand)
    return turn


def hand(t: Table, seat: int) -> list[Option]:
    """MG-2 Of cards that are alike one is offered."""
    return [("play", card) for card in t.distinct(t.players[seat].hand)]


def turn(t: Table) -> Asking:
    """MG-2 Play a card, do what it says, draw a card."""
    player = t.players[t.active]
    if not player.hand:
        return the_end(t)
    _, card = yield t.ask(player, hand, "Play a card", "MG-2")
    t.move(card, t.played)
    t.log("MG-2", "{who} plays {card}.", who=player, card=card)
    face = t.face(card)
    yield from Play(t, t.active, card, face).carry_out(face.said["text"])
    t.draw(t.deck, player.hand)
    if player.points >= GOAL:
        t.over([t.active], f"@{t.active} has {player.points} points.", "MG-3", points(t))
    t.active = t.after(t.active)[0]
    return turn


def points(t: Table) -> list[int]:
    return [player.points for player in t.players]


def the_end(t: Table) -> Step:
    """MG-4 The cards are all played: most points win."""
    best = max(points(t))
    winners = [player.seat for player in t.players if player.points == best and player.seat is not None]
    t.over(winners, "All cards are played.", "MG-4", points(t))
