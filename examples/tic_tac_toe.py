"""Tic-tac-toe: the smallest game on the kernel. `talion play examples/tic_tac_toe.py`."""

import sys
from collections.abc import Iterable

from talion.kernel import Asking, Game, Option, State, Word

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THROUGH = [[line for line in LINES if cell in line] for cell in range(9)]
OPTIONS = [("mark", cell) for cell in range(9)]


class Board(State):
    cells = Word(" " * 9)
    """What stands in each cell: X, O or nothing."""


def free(t: Board, seat: int) -> Iterable[Option]:
    return [option for option, mark in zip(OPTIONS, t.cells) if mark == " "]  # noqa: B905 - both are nine long


def turn(t: Board, seat: int = 0) -> Asking:
    """TTT-1 Mark a free cell; three in a row win, a full board is a draw."""
    _, cell = yield t.ask(seat, free, "Mark a cell", "TTT-1")
    t.cells = cells = t.cells[:cell] + "XO"[seat] + t.cells[cell + 1 :]
    t.log("TTT-1", "{who} marks cell {cell}.", who=seat, cell=cell + 1)
    for a, b, c in THROUGH[cell]:
        if cells[a] == cells[b] == cells[c]:
            t.over([seat], f"@{seat} has three in a row.", "TTT-1")
    if " " not in cells:
        t.over([], "The board is full: a draw.", "TTT-1")
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
