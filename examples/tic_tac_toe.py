"""Tic-tac-toe: the smallest game on the kernel. `talion play examples/tic_tac_toe.py`."""

import sys

from talion.kernel import Game, State, Value

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Board(State):
    cells = Value((None,) * 9)


def free(t, seat):
    return [("mark", cell) for cell, mark in enumerate(t.cells) if mark is None]


def turn(t, seat=0):
    """T-1 Mark a free cell; three in a row win."""
    _, cell = yield t.ask(seat, free, "Mark a cell", "T-1")
    cells = t.cells[:cell] + (seat,) + t.cells[cell + 1 :]
    t.cells = cells
    t.log("T-1", "{who} marks cell {cell}.", who=f"@{seat}", cell=cell + 1)
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c] == seat:
            t.over([seat], f"@{seat} has three in a row.", "T-1")
    if None not in cells:
        t.over([], "The board is full: a draw.", "T-2")
    return turn, 1 - seat


def words(t, seat, option):
    return f"mark cell {option[1] + 1}"


game = Game(
    key="tic-tac-toe",
    title="Tic-tac-toe",
    about="Three in a row, on nine cells.",
    length="a minute",
    seats=(2,),
    state=Board,
    start=turn,
    rules=sys.modules[__name__],
    longest=9,
    words=words,
)
