"""The past of a match: where its record begins, and going back along it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .asks import Illegal, S
from .chance import Chance

if TYPE_CHECKING:
    from .log import Line
    from .match import Match

Entry = tuple[Any, ...]
"""`("answer", seat, option)`, `("default", seat, option)`, `("standing", seat, option)`, `("redeal", seat, chance)`,
and `("undo", None, None)`, which takes the last one back and is in no record itself."""


@dataclass(frozen=True)
class Origin:
    """Where a record begins: a seed, or a state written out and a step to begin in."""

    seats: int
    options: dict[str, Any]
    seed: int | str | None = None
    state: dict[str, Any] | None = None
    step: tuple[str, tuple[Any, ...]] | None = None
    log: list[list[tuple[str, str]]] = field(default_factory=list)
    """What everybody had read before: for each observer, rules and texts."""

    def without_log(self) -> Origin:
        """The same beginning, as if nobody had read anything before."""
        return replace(self, log=[])


def as_recorded(entry: Entry) -> Entry:
    """An entry as a record keeps it: of a redeal only the chance."""
    kind, seat, what = entry
    return (kind, seat, what[0].state) if kind == "redeal" else entry


def before(match: Match[S], number: int) -> Match[S]:
    """The match as it was when its record had this many entries."""
    if match.origin is None or match.record is None:
        raise RuntimeError("a match without a past cannot go back to it")
    earlier = type(match).begun(match.game, match.origin, match.content)
    for entry in match.record[:number]:
        earlier.apply(entry)
    return earlier


def free_undo(match: Match, seat: int) -> bool:
    """Whether a seat may take its last answer back at once: nothing was revealed, rolled or decided by another."""
    if not match.record or match.record[-1][0] != "answer" or match.record[-1][1] != seat:
        return False
    earlier = before(match, len(match.record) - 1)
    if earlier.t.know is None or match.t.know is None or match.over:
        return False
    return bool((earlier.t.know.seen, earlier.t.chance.state) == (match.t.know.seen, match.t.chance.state))


def undo(match: Match) -> None:
    """Takes the last entry back. Whether that is allowed is for the caller to say."""
    assert match.record is not None
    if not match.record:
        raise Illegal("There is nothing to take back.")
    match.become(before(match, len(match.record) - 1))


def before_step(match: Match) -> list[list[Line]]:
    """Everybody's log up to the beginning of the current step; nothing, if there is no log."""
    if match.log_lines is None:
        return []
    return [lines[:count] for lines, count in zip(match.log_lines.lines, match.logged, strict=True)]


def rebased(match: Match[S]) -> Match[S]:
    """The same match with a record that begins at the current step, its state written out.

    So a running match can be stored in full, and goes on though its game's version changes.
    """
    assert match.origin is not None
    twin = match.copy()
    step, args = match.step
    twin.origin = Origin(
        match.seats, match.origin.options, state=match.state_at_step().write(), step=(step.__name__, args)
    )
    twin.record = [as_recorded(entry) for entry in match.entries]
    return twin


def dealt_anew(match: Match[S], seat: int, chance: Chance) -> Match[S]:
    """A match that goes on from here, with a record of its own, as far as a seat knew: the rest is dealt anew."""
    twin = rebased(match)
    twin.apply(("redeal", seat, chance.state))
    return twin
