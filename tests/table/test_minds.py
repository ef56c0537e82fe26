"""Bots at the table go on with what they have thought, where the same process thinks for the same seat again."""

from __future__ import annotations

import os
from typing import Any

from talion import games
from talion.kernel import Match
from talion.kernel.fields import read_plain
from talion.processes import Processes
from talion.table import workers
from talion.table.play import ServedMatch

STRENGTH = "search:16"


def thought(match: Match, table: str) -> tuple[Any, bool]:
    text = ServedMatch(match).for_bots()
    return workers.think((), text, None, 0, STRENGTH, "a seed", table, match.number)


def resumed(tables: Any, most: int) -> int:
    """For how many decisions of one seat a bot went on with what it had thought before, at tables of these names."""
    game = games.find("personal-vendetta")
    match, found = Match.new(game, 2, "rows"), 0
    for _ in range(most):
        if match.over or found:
            break
        if 0 in match.pending and len(match.options(0)) > 1:
            option, went_on = thought(match, next(tables))
            found += went_on
            match.answer(0, read_plain(option))
        else:
            seat = min(match.pending)
            match.answer(seat, match.options(seat)[0])
    return found


def test_in_a_row_of_choices_the_trees_are_kept() -> None:
    assert resumed(iter(lambda: "t1", ""), 120) == 1


def test_what_was_thought_at_one_table_serves_no_other() -> None:
    assert resumed(iter(f"t{n}" for n in range(1000)), 40) == 0
    assert len(workers._minds) <= workers.MINDS


def test_the_worker_that_knows_somebody_serves_them_again() -> None:
    pool = Processes(2)
    try:
        served = [pool.submit_for(whom, os.getpid).result() for whom in ("ann", "bob", "ann", "ann", "bob")]
        assert served == [served[0], served[1], served[0], served[0], served[1]]
        assert served[0] != served[1], "each is served by whoever has been free for longest"
    finally:
        pool.shutdown(wait=False)
