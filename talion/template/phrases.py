"""What the cards' sentences mean: one pattern for each, with holes for what differs."""

from __future__ import annotations

from talion.kernel import Phrasebook, Play

book = Phrasebook()


@book.effect("gain {n:amount} point(s)")
def gain(play: Play, n: int) -> None:
    """MG-5 Points for whoever played the card."""
    play.t.players[play.you].points += n
    play.t.log("MG-5", "{who} gains {n}.", who=play.you, n=n)


@book.target("another player", prompt="Choose a player", players=True)
def another_player(play: Play) -> list[int]:
    """MG-6 Somebody else who has a point."""
    return [seat for seat in play.t.after(play.you)[:-1] if play.t.players[seat].points]


@book.effect("take {n:amount} point(s) from {victim:target}")
def take(play: Play, n: int, victim: int) -> None:
    """MG-6 As many as there are."""
    n = min(n, play.t.players[victim].points)
    play.t.players[victim].points -= n
    play.t.players[play.you].points += n
    play.t.log("MG-6", "{who} takes {n} from {whom}.", who=play.you, n=n, whom=victim)


@book.effect("draw {n:amount} card(s)")
def draw(play: Play, n: int) -> None:
    """MG-7 From the deck, while there are any."""
    for _ in range(n):
        play.t.draw(play.t.deck, play.t.players[play.you].hand)
