"""Tic-tac-toe: the smallest game on the kernel. `talion play examples/tic_tac_toe.py`.

**TT-1** In turn, each player marks a free cell of nine; the first seat begins.

**TT-2** Three own marks in a row win.

**TT-3** A full board without three in a row is a draw.
"""

import sys

from talion.kernel import Asking, Game, Option, State, Value

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THROUGH = [[line for line in LINES if cell in line] for cell in range(9)]
MARKS = "XO"


class Board(State):
    cells = Value(("",) * 9)


def free(t: Board, seat: int) -> list[Option]:
    return [("mark", cell) for cell, mark in enumerate(t.cells) if not mark]


def turn(t: Board, seat: int = 0) -> Asking:
    """TT-1 Mark a free cell; three in a row win."""
    _, cell = yield t.ask(seat, free, "Mark a cell", "TT-1")
    mark = MARKS[seat]
    cells = t.cells = (*t.cells[:cell], mark, *t.cells[cell + 1 :])
    t.log("TT-1", f"@{seat} marks cell {cell + 1}.")
    for a, b, c in THROUGH[cell]:
        if cells[a] == cells[b] == cells[c]:
            t.over([seat], f"@{seat} has three in a row.", "TT-2")
    if "" not in cells:
        t.over([], "The board is full: a draw.", "TT-3")
    return turn, 1 - seat


def words(t: Board, seat: int, option: Option) -> str:
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
