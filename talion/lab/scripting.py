"""The lab for scripts: what `talion simulate` does, as one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .commands import anywhere, ready
from .playing import Job, Row
from .simulate import simulate as play


def simulate(
    game: str,
    bots: Sequence[str] = ("random", "random"),
    matches: int = 100,
    *,
    seed: int | str = 0,
    options: Mapping[str, Any] | None = None,
    cards: Path | str | None = None,
    workers: int = 1,
) -> list[Row]:
    """Lets bots play, changing seats from match to match, and gives a row for each match: `winners`, `decisions`,
    `why`, `bots`, and lists of its `seats`, `cards` and `phrases`. The same seed gives the same rows.

    With more than one worker, call it under `if __name__ == "__main__":`, since each worker reads the script too.
    """
    changed = Path(cards).resolve() if cards is not None else None
    job = Job(anywhere(game), tuple(bots), str(seed), dict(options or {}), changed)
    ready(job)
    return [one.row for one in play(job, matches, workers=workers)]
