"""Hearing what happens in a match, while it happens.

A match tells nobody anything unless it is asked to: `match.listen(listener)` asks it to, `match.listen(None)` ends that.
Only this match is heard, none of its copies: what bots imagine makes no sound.

`Moments` is the listener for whoever shows a match: it keeps the table as it stood at each line of the log.

    heard = match.listen(Moments())
    match.answer(seat, option)              # or default, or apply: one entry, and all that follows from it
    for moment in heard.seen_by(seat):      # seat None: a watcher
        moment.line(seat)                   # the line of the log, as that seat reads it
        moment.view(seat).data()            # the table as that seat saw it when the line was written
    heard.clear()                           # before the next entry

Then comes the match as it stands now, `match.view(seat)`: what changed after the last line shows there. A moment is a copy of
the state (tens of microseconds); its views cost what any view costs, and only when somebody looks. Nobody is asked anything
in a moment, so its view has no ask and no offers, and `waiting_for` is empty. What an audience gets of moments, their
number, their order and their bytes, depends on what that audience may know, as everything it gets of a match does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .asks import Card
    from .fields import Pile
    from .log import Line
    from .match import Match
    from .phrases import Said
    from .plays import Play
    from .state import State
    from .view import View


class Listener:
    """Is told what happens in the match it listens to. What it does not care for it leaves as it is here."""

    def begins(self, match: Match) -> None:
        """It listens to this match from now on."""

    def logged(self, t: State) -> None:
        """A line was written in the log."""

    def moved(self, t: State, card: Card, source: Pile, to: Pile) -> None:
        """A card went from one zone to another."""

    def rolled(self, t: State, sides: int, value: int) -> None:
        """A die was rolled."""

    def happened(self, t: State, event: str, about: dict[str, Any]) -> None:
        """An event happened that cards may watch for."""

    def said(self, said: Said, play: Play) -> None:
        """A phrase was carried out, or was read and had something to say."""


class Moment:
    """A match as it stood when a line of its log was written."""

    __slots__ = ("_log", "_match", "_until")

    def __init__(self, match: Match) -> None:
        self._match = match.still()
        self._log = match.log_lines
        self._until: tuple[int, ...] = () if self._log is None else tuple(map(len, self._log.lines))
        """How many lines of it each observer had read: a log only grows, so many moments share one."""

    @property
    def seats(self) -> int:
        return self._match.seats

    def _observer(self, seat: int | None) -> int:
        return int(self._match.t.observer(seat))

    def lines(self, seat: int | None) -> int:
        """How many lines of the log a seat (or a watcher: None) had read, with this one."""
        return self._until[self._observer(seat)]

    def line(self, seat: int | None) -> Line:
        """The line, as a seat (or a watcher: None) reads it."""
        assert self._log is not None
        line: Line = self._log.lines[self._observer(seat)][self.lines(seat) - 1]
        return line

    def view(self, seat: int | None) -> View:
        """What a seat (or a watcher) could see then: `moment.view(seat).data()`. Its log ends with the moment's line."""
        if self._log is not None and self._match.log_lines is None:
            self._match.log_lines = self._log.copy(self._until)
        view: View = self._match.view(seat)
        return view


class Moments(Listener):
    """Keeps a moment for each line of the log, until it is cleared."""

    def __init__(self) -> None:
        self.all: list[Moment] = []

    def begins(self, match: Match) -> None:
        self._match = match

    def logged(self, t: State) -> None:
        self.all.append(Moment(self._match))

    def seen_by(self, seat: int | None) -> Iterator[Moment]:
        """The moments of one audience, in order. Today every line is written for everybody, each in its own words."""
        return iter(self.all)

    def clear(self) -> None:
        self.all.clear()
