"""Tic-tac-toe by hand: the yardstick. No kernel, no views, no log, nothing to copy or save; only the rules.

It is written as one writes it first: what is legal is worked out from the board at every decision, as any rules engine
must, and after every mark the eight lines are looked through.
"""

import random
from collections.abc import Callable

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def play(chance: Callable[[], float]) -> int:
    """Play one match at random; say how many decisions it took."""
    board = [0] * 9
    mark = 1
    decisions = 0
    while True:
        legal = [cell for cell in range(9) if not board[cell]]
        if not legal:
            return decisions
        cell = legal[int(chance() * len(legal))]
        board[cell] = mark
        decisions += 1
        for a, b, c in LINES:
            if board[a] == board[b] == board[c] == mark:
                return decisions
        mark = 3 - mark


def measure() -> Callable[[], int]:
    """Some matches at a time, so that reading the clock costs nothing."""
    chance = random.Random(1).random
    return lambda: sum(play(chance) for _ in range(200))
