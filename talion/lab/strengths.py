"""`talion strengths`: a table of duels that were fought, from the files that keep them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

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
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.glob("*.jsonl")))]
    if not files:
        raise BadFile("There is no duel here; talion duel makes one.")
    yield from HEAD
    yield from sorted(_row(file) for file in files)


def _row(file: Path) -> str:
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
    undecided = f", {len(matches) - len(decided)} won by nobody" if len(decided) < len(matches) else ""
    return (
        f"| {game}{f', {seats} seats' if seats > 2 else ''} | {first} | {second} "
        f"| {share.value:.0%} ({share.interval[0]:.0%} to {share.interval[1]:.0%}) | {_elo(low)} to {_elo(high)} "
        f"| {len(matches)}{undecided} | {spent / max(1, decisions):.0f} |"
    )


def _rounds(matches: list[KeptLine], seats: int) -> Rounds:
    """The rounds that are complete."""
    won = {line["match"]: line["won"] for line in matches}
    rounds = [range(start, start + seats) for start in range(0, max(won) + 1, seats)]
    return Rounds(
        tuple(sum(won[n] for n in one) / seats for one in rounds if all(n in won for n in one)), seats
    )


def _elo(number: float) -> str:
    return f"{number:+.0f}" if abs(number) < 1000 else "far below" if number < 0 else "far above"
