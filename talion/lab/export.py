"""Matches that people played, in the same tables as those of bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from talion.kernel import Game, Match

from .playing import Row, Witness, row_of


def row_of_file(number: int, players: Sequence[str], text: str, find: Callable[[str], Game]) -> Row:
    """The row of a match that was played to its end, from its match file."""
    record = Match.load(text, find).record or []
    match = Match.load(text, find).before(0)
    witness = Witness(match)
    for entry in record:
        kind, seat, option = entry
        if kind == "answer":
            witness.before(seat, option)
        match.apply(entry)
        witness.after()
    return {"match": number, "seed": f"served {number}", **row_of(match, players, witness)}
