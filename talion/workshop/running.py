"""What takes long, in a process of its own: `python -m talion.workshop.running`.

It reads what to do from its first line of input: play matches in pairs, try to break the set, or find a position to try a card in. It
tells what it knows so far in a line of output every second or so. It works when nobody else needs the processor, and ends with whoever
started it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from talion import games
from talion.lab import BadInput
from talion.lab.balance import Contract
from talion.lab.breaking import Breaker
from talion.lab.playing import Job
from talion.lab.position import position
from talion.lab.trial import Trial
from talion.processes import all_cores

EVERY = 1.5
"""Seconds from one report to the next, at least."""
TELLING = 10
"""And at least so many times as long as the last one took."""
MOST_SHOWN = 12
"""Findings of which the match is kept."""


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if asked["do"] != "position" and hasattr(os, "nice"):
        os.nice(15)
    try:
        DUTIES[asked["do"]](asked, Path(asked["cards"]))
    except BadInput as problem:
        tell({"over": True, "problem": str(problem)})


def compare(asked: dict[str, Any], cards: Path) -> None:
    """Matches in pairs, with and without the set."""
    contract = contract_of(asked["game"])
    trial = Trial.of(
        (contract or Contract("greedy", ())).job(asked["game"], asked["seats"], asked["seed"]), cards
    )
    bot = trial.before.bots[0]
    line = NowAndThen()

    def heard(done: int) -> None:
        line.tell(lambda: {"done": done, "over": False, **found(trial, contract, bot)})

    trial.run(asked["wanted"], workers=all_cores(), tell=heard)
    tell({"done": 2 * asked["wanted"], "over": True, **found(trial, contract, bot)})


def found(trial: Trial, contract: Contract | None, bot: str) -> dict[str, Any]:
    comparison = trial.comparison
    after = [row for _, row in comparison.pairs]
    promises = [finding.data() for finding in contract.judged(after)] if contract and after else []
    return {"bot": bot, "promises": promises, **comparison.data()}


def contract_of(game: str) -> Contract | None:
    """What a game promises of its balance; nothing, if it has no such file."""
    try:
        return Contract.of(games.find(game))
    except BadInput:
        return None


def break_it(asked: dict[str, Any], cards: Path) -> None:
    """Matches between bots that want to break the set, for so many seconds."""
    breaker = Breaker(Job(asked["game"], ("random",) * asked["seats"], asked["seed"], cards=cards))
    began, line = time.monotonic(), NowAndThen()

    def known(done: int, over: bool) -> dict[str, Any]:
        return {"done": done, "over": over, "matches": breaker.matches, "findings": findings(breaker)}

    while (spent := time.monotonic() - began) < asked["wanted"]:
        breaker.play(breaker.matches)
        line.tell(partial(known, int(spent), False))
    tell(known(asked["wanted"], True))


def findings(breaker: Breaker) -> list[dict[str, Any]]:
    return [
        {"what": one.what, "match": one.match() if number < MOST_SHOWN else None, "seat": one.seat}
        for number, one in enumerate(breaker.all())
    ]


def find_position(asked: dict[str, Any], cards: Path) -> None:
    """A position in which a card can be tried."""
    game = games.find(asked["game"])
    there = position(game, game.content(cards), asked["name"], asked["seed"])
    tell({"over": True, "match": there.text(content=False), "seat": there.seat, "seats": there.match.seats, "playable": there.playable})  # fmt: skip


DUTIES: dict[str, Callable[[dict[str, Any], Path], None]] = {
    "compare": compare,
    "break": break_it,
    "position": find_position,
}


def tell(words: dict[str, Any]) -> None:
    print(json.dumps(words, ensure_ascii=True), flush=True)


class NowAndThen:
    """Tells every second or so what is known. The longer that takes, the longer until the next: most time is for playing."""

    def __init__(self) -> None:
        self._next = time.monotonic() + EVERY

    def tell(self, known: Callable[[], dict[str, Any]]) -> None:
        began = time.monotonic()
        if began < self._next:
            return
        tell(known())
        ended = time.monotonic()
        self._next = ended + max(EVERY, TELLING * (ended - began))


def _end_with_the_server() -> None:
    """The server holds the other end of our input: when it is gone, so are we. Workers end with us."""
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
