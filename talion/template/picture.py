"""The table in lines of text, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from talion.kernel import View


def picture(view: View, names: Sequence[str]) -> Iterator[str]:
    for player in view.players:
        held = ", ".join(card.name for card in player.hand) or f"{player.hand.count} cards"
        mark = "> " if view.active == player.seat else "  "
        yield f"{mark}{names[player.seat]}: {player.points} points; hand: {held}"
    yield f"  deck: {view.deck.count}; played last: {view.played.cards[-1].name if view.played else 'nothing'}"
