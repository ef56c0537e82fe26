"""Cheat: lay cards face down, say what they are, and hope that nobody calls. `talion play examples/cheat.py`.

**CH-1** All cards of a pack are dealt to three to six players. Who gets rid of all cards wins.

**CH-2** In turn, a player lays one to four cards face down and says that they are of the rank that is due: aces first, then
twos, and so on up to kings, and aces again. Whether that is true is the player's own affair.

**CH-3** Then anybody else may call it a cheat. Whoever calls first is heard; if nobody does, the next player goes on.

**CH-4** When somebody calls, the cards are shown. If one of them is of another rank, who laid them takes the whole pile, else
who called does.

**CH-5** Whoever has no card left when nobody calls, or when the call was wrong, has won.

**CH-6** After 120 turns whoever holds the fewest cards wins.
"""

import sys

from talion.kernel import NOBODY, OWNER, Asking, Counter, Game, Part, Seats, State, Step, View, Window, Zone

RANKS = "ace two three four five six seven eight nine ten jack queen king".split()
SUITS = ("clubs", "diamonds", "hearts", "spades")
CARDS = [{"name": f"{rank} of {suit}", "rank": rank} for rank in RANKS for suit in SUITS]
LAST_TURN = 120
PASS, CALL = ("let it go",), ("call",)


class Player(Part):
    hand = Zone(seen_by=OWNER)


class Pile(State):
    players = Seats(Player)
    laid = Zone(seen_by=NOBODY)
    pile = Zone(seen_by=NOBODY)
    turn = Counter(high=LAST_TURN)

    @property
    def active(self) -> Player:
        return self.players[self.turn % len(self.players)]

    @property
    def due(self) -> str:
        return RANKS[self.turn % len(RANKS)]


def build(t: Pile) -> None:
    t.create_all(t.pile)


def deal(t: Pile) -> Step:
    """CH-1 All cards, as evenly as they go."""
    t.shuffle(t.pile)
    for number in range(len(t.pile)):
        t.draw(t.pile, t.players[number % len(t.players)].hand)
    return lay


def lay(t: Pile) -> Asking:
    """CH-2 How many is said aloud; which ones is the player's secret."""
    player = t.active
    numbers = [("lay", n) for n in range(1, min(4, len(player.hand)) + 1)]
    _, number = yield t.ask(player, numbers, f"How many {t.due}s do you lay down?", "CH-2")
    for left in range(number, 0, -1):
        cards = [("put", card) for card in player.hand]
        _, card = yield t.ask(
            player, cards, f"Put down a card, {left} to go", "CH-2", secret=True, minor=True
        )
        t.move(card, t.laid)
    t.log("CH-2", "{who} lays {n} and says {rank}.", who=player, n=number, rank=t.due)
    return call


def call(t: Pile) -> Asking:
    """CH-3 Anybody may call; whoever is first is heard."""
    prompt = f"{len(t.laid)} cards, said to be {t.due}s"
    others = [player for player in t.players if player is not t.active]
    asks = [t.ask(other, [PASS, CALL], prompt, "CH-3", default=PASS) for other in others]
    acts = yield Window(asks, "first", beats=4)
    for seat, _ in acts:
        show(t, t.players[seat])
    t.move_all(t.laid, t.pile)
    return end_of_turn(t)


def show(t: Pile, caller: Player) -> None:
    """CH-4 The cards are turned up, and somebody takes the pile."""
    t.reveal(t.laid)
    t.log("CH-4", "{who} calls: {cards}.", who=caller, cards=list(t.laid))
    taker = caller if all(t.face(card).rank == t.due for card in t.laid) else t.active
    t.log("CH-4", "{who} takes the pile.", who=taker)
    t.move_all([*t.pile, *t.laid], taker.hand)


def end_of_turn(t: Pile) -> Step:
    """CH-5, CH-6 Somebody has won, or the next is to lay."""
    sizes = [len(player.hand) for player in t.players]
    t.turn += 1
    if 0 in sizes or t.turn == LAST_TURN:
        why, rule = ("holds no card", "CH-5") if 0 in sizes else ("holds the fewest cards", "CH-6")
        winners = [seat for seat, size in enumerate(sizes) if size == min(sizes)]
        names = " and ".join(f"@{seat}" for seat in winners)
        t.over(winners, f"{names} {why}.", rule, [-size for size in sizes])
    return lay


def value(view: View, seat: int) -> float:
    """For bots: few cards are good, and fewer than the others hold."""
    sizes = [player.hand.count for player in view.players]
    others = sum(sizes) - sizes[seat]
    return float(others / (others + (len(sizes) - 1) * sizes[seat] + 1))


game = Game(
    key="cheat",
    title="Cheat",
    about="Three to six players, one pack of cards, and no need to tell the truth.",
    length="ten minutes",
    hidden="Everybody's hand, and what lies face down.",
    seats=(3, 4, 5, 6),
    state=Pile,
    start=deal,
    rules=sys.modules[__name__],
    longest=LAST_TURN * 10,
    tables={"card": CARDS},
    build=build,
    value=value,
)
