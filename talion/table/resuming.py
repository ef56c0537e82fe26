"""A match taken up as its record leaves it, by the rules that are here now; or why it cannot be."""

from __future__ import annotations

import logging

from talion.table.play import MATCH_KINDS, Find, ServedMatch, version_of
from talion.table.refusal import Refusal
from talion.table.rows import Stored, TableRow

log = logging.getLogger("talion.table")
WHAT_NOW = "It can be finished by the release of Talion it was begun with; or the host calls it off here, and you play again."


def taken_up(stored: Stored, cards: str | None, find: Find) -> ServedMatch:
    """From the last state that was written out, or from the deal, with every answer since."""
    text, number = stored.table.start, 0
    assert text is not None
    if stored.snapshot:
        number, written = stored.snapshot
        _must_be_followed(stored, find)
        # A match that has just begun is dealt again: a seed is shorter than all that it deals.
        if number > 1 or version_of(text) != find(stored.table.game).version:
            text = written
    play = ServedMatch.resume(text, find, cards)
    for entry in stored.entries:
        if entry.number > number and entry.kind in MATCH_KINDS:  # else the state was written right after it
            play.apply(entry.kind, entry.seat, entry.body)
    return play


def _must_be_followed(stored: Stored, find: Find) -> None:
    """Other rules go on from a state, but what was answered since it was written could go another way by them."""
    assert stored.snapshot is not None
    number, written = stored.snapshot
    game, version = find(stored.table.game), version_of(written)
    since = sum(entry.kind in MATCH_KINDS and entry.number > number for entry in stored.entries)
    if version != game.version and since:
        answers = "one answer" if since == 1 else f"{since} answers"
        raise Refusal(
            f"This match was begun by version {version} of {game.title}; here is version {game.version}, which cannot go on "
            f"with it: its state was last written down {answers} ago."
        )


def why_it_stands(table: TableRow, problem: Exception) -> str:
    """Why a match cannot go on here, and what can be done. The log says it too."""
    trace = None
    if isinstance(problem, Refusal):
        why = problem.why
    else:
        why, trace = "This match cannot be read by the rules and cards that are here now.", problem
    log.warning("a table stands still", exc_info=trace, extra={"table": table.id, "why": why})
    return f"{why} {WHAT_NOW}" if table.status == "running" else why
