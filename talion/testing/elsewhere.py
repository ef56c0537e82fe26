"""The same match in another process: Python orders sets of words otherwise in each, so what depends on that order differs.

Run as a program it plays some matches at random and prints what was asked, decision by decision.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from talion import games
from talion.kernel import Chance, Game, Match

MATCHES = 2
ORDERS = ("1", "2", "3")


def differs(name: str) -> str:
    """Where a game, named as `find` takes it, goes on otherwise in another process; nothing, if it never does."""
    command = [sys.executable, "-m", "talion.testing.elsewhere", name]
    running = [
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": order},
            text=True,
        )
        for order in ORDERS
    ]
    said = [child.communicate() for child in running]
    for child, (_, problem) in zip(running, said, strict=True):
        if child.returncode:
            return f"it cannot be played in a process of its own: {problem.strip().splitlines()[-1]}"
    for here, *others in zip(*(told.splitlines() for told, _ in said), strict=False):
        if any(there != here for there in others):
            seed, decision, step, _ = json.loads(here)
            return (
                f"seed {seed}, decision {decision}: another process asks something else after {step}. Does something hang on "
                "the order of a set? Sort it, or use a list."
            )
    return ""


def played(game: Game, seed: str) -> None:
    """Prints each decision of one match: after which step, who may answer what, in which order."""
    match = Match.new(game, game.seats[-1], seed)
    chance, decision = Chance.of(f"elsewhere:{seed}"), 0
    while not match.over:
        decision += 1
        asked = [(seat, [repr(option) for option in match.options(seat)]) for seat in match.pending]
        print(json.dumps([seed, decision, match.step[0].__name__, asked]))
        seat = chance.pick(sorted(match.pending))
        match.answer(seat, chance.pick(match.options(seat)))
    print(json.dumps([seed, decision, "the end", [repr(match.result), match.log(None)[-1].text]]))


if __name__ == "__main__":
    for number in range(MATCHES):
        played(games.find(sys.argv[1]), str(number))
