"""A trial of a set in a process of its own: `python -m talion.workshop.running`.

It reads what to play from its first line of input, and tells what it knows so far in a line of output every second. It works when
nobody else needs the processor, and ends with whoever started it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from talion import games
from talion.lab import BadInput
from talion.lab.balance import Contract
from talion.lab.playing import Job
from talion.lab.simulate import all_cores
from talion.lab.trial import Trial

EVERY = 1.0
"""Seconds from one report to the next."""


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(15)
    game = games.find(asked["game"])
    contract = contract_of(asked["game"])
    bot = asked.get("bot") or (contract.bots if contract else "greedy")
    seats = asked["seats"]
    trial = Trial.of(Job(asked["game"], (bot,) * seats, asked["seed"]), Path(asked["cards"]))
    told = time.monotonic()

    def tell(done: int) -> None:
        nonlocal told
        if time.monotonic() - told > EVERY:
            report(trial, contract, done, bot, False)
            told = time.monotonic()  # after the reckoning, so that it never takes most of the time

    game.content(Path(asked["cards"]))
    trial.run(asked["pairs"], workers=all_cores(), tell=tell)
    report(trial, contract, 2 * asked["pairs"], bot, True)


def contract_of(game: str) -> Contract | None:
    """What a game promises of its balance; nothing, if it has no such file."""
    try:
        return Contract.of(games.find(game))
    except BadInput:
        return None


def report(trial: Trial, contract: Contract | None, done: int, bot: str, over: bool) -> None:
    comparison = trial.comparison
    after = [row for _, row in comparison.pairs]
    found: dict[str, Any] = {
        "done": done,
        "over": over,
        "bot": bot,
        "promises": [finding.data() for finding in contract.judged(after)] if contract and after else [],
        **comparison.data(),
    }
    print(json.dumps(found, ensure_ascii=True), flush=True)


def _end_with_the_server() -> None:
    """The server holds the other end of our input: when it is gone, so are we. Workers end with us."""
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
