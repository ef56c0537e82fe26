"""`talion strengths`: a table of duels that were fought, from the files that keep them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from . import BadFile
from .kept import KeptLine
from .sequential import Rounds
from .statistics import Share

HEAD = (
    "| game | bot | against | won, of what was won | Elo | matches | ms a decision |",
    "|---|---|---|---|---|---|---|",
)


def lines(paths: Iterable[Path]) -> Iterator[str]:
    """A table in Markdown: a row for each duel in these files, and in the files of these folders."""
    found = fought(paths)
    yield from HEAD
    yield from sorted(map(_row, found))


def fought(paths: Iterable[Path]) -> list[dict[str, Any]]:
    """What came of each duel, for programs."""
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.glob("*.jsonl")))]
    if not files:
        raise BadFile("There is no duel here; talion duel makes one.")
    return [_duel(file) for file in files]


def _duel(file: Path) -> dict[str, Any]:
    try:
        head, *matches = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        first, second, seats, game = head["duel"][0], head["duel"][-1], len(head["duel"]), head["game"]
        rounds = _rounds(matches, seats)
        decided = [line["won"] for line in matches if not line["nobody"]]
        decisions, spent = (sum(line["ms"][first][at] for line in matches) for at in (0, 1))
    except (ValueError, KeyError, TypeError, AttributeError, OSError, IndexError):
        raise BadFile(f"{file} is not a duel.") from None
    share = Share(sum(decided), len(decided))
    _, low, high = rounds.in_elo
    return {
        "game": game,
        "seats": seats,
        "bot": first,
        "against": second,
        "won": [share.value, *share.interval],
        "elo": [number if isfinite(number) else None for number in (low, high)],
        "matches": len(matches),
        "undecided": len(matches) - len(decided),
        "ms": spent / max(1, decisions),
    }


def _row(duel: Mapping[str, Any]) -> str:
    won, low, high = duel["won"]
    below, above = duel["elo"]
    seats = f", {duel['seats']} seats" if duel["seats"] > 2 else ""
    undecided = f", {duel['undecided']} won by nobody" if duel["undecided"] else ""
    return (
        f"| {duel['game']}{seats} | {duel['bot']} | {duel['against']} "
        f"| {won:.0%} ({low:.0%} to {high:.0%}) | {_elo(below, 'far below')} to {_elo(above, 'far above')} "
        f"| {duel['matches']}{undecided} | {duel['ms']:.0f} |"
    )


def _rounds(matches: list[KeptLine], seats: int) -> Rounds:
    """The rounds that are complete."""
    won = {line["match"]: line["won"] for line in matches}
    rounds = [range(start, start + seats) for start in range(0, max(won) + 1, seats)]
    return Rounds(
        tuple(sum(won[n] for n in one) / seats for one in rounds if all(n in won for n in one)), seats
    )


def _elo(number: float | None, endless: str) -> str:
    if number is None:
        return endless
    return f"{number:+.0f}" if abs(number) < 1000 else "far below" if number < 0 else "far above"
