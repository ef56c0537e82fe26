"""What a table's record says besides the answers: when something happened, what the clocks have left, who has asked for time or
needs none, what is proposed and who agrees. It follows from the entries alone, each of which is on the disk."""

from __future__ import annotations

from talion.table import clocks
from talion.table.rows import EntryRow, TableRow

HOLD = 30.0
"""So many seconds longer a window is open for whoever asks for more time."""


class Course:
    """The course of a table, as far as its entries have been noted."""

    def __init__(self, row: TableRow, seats: int, keys: dict[tuple[int, str], int]) -> None:
        self.number = 0
        self.numbers = [0] * (seats + 1)
        """How often each audience has seen something change."""
        self.keys = keys
        """Submissions that were accepted, and the number each seat was told."""
        self.at = self.public_at = row.made
        self._public_number = -1
        self.clocks = self.shown_clocks = clocks.at_start(row.clock, seats)
        self._late: set[int] = set()
        self.shown_late: frozenset[int] = frozenset()
        self.offer: EntryRow | None = None
        self.agreed: set[int] = set()
        self.next_table: str | None = None
        self._new_moment()

    def _new_moment(self) -> None:
        """Everybody sees something new: nobody has asked for time yet, nor said that they need none."""
        self.held: dict[int, float] = {}
        self.asked_for_time: set[int] = set()
        self.gone: set[int] = set()

    def note(self, entry: EntryRow) -> None:
        """The next entry."""
        self.number, self.numbers = entry.number, entry.numbers
        self._note_time(entry)
        if entry.key is not None and entry.seat is not None:
            self.keys[entry.seat, entry.key] = entry.numbers[entry.seat + 1]
        if entry.kind == "offer":
            self.offer, self.agreed = entry, {entry.seat} if entry.seat is not None else set()
        elif entry.kind == "agree" and entry.seat is not None:
            self.agreed = self.agreed | {entry.seat}
        elif entry.kind == "rematch":
            self.next_table = entry.body
        elif entry.kind == "hold" and entry.seat is not None:
            self.held[entry.seat] = entry.at + HOLD
            self.asked_for_time.add(entry.seat)
            self.gone.discard(entry.seat)
        elif entry.kind == "go on" and entry.seat is not None:
            self.held.pop(entry.seat, None)
            self.gone.add(entry.seat)
        else:
            self.offer = None

    def _note_time(self, entry: EntryRow) -> None:
        self.clocks, self.at = entry.clocks, entry.at
        if entry.kind == "default" and entry.seat is not None:
            self._late.add(entry.seat)
        elif entry.key is not None and entry.seat is not None:
            self._late.discard(entry.seat)
        if entry.numbers[0] != self._public_number:
            # What others see of time is as it was when they last saw something happen.
            self._public_number = entry.numbers[0]
            self.shown_clocks, self.public_at = entry.clocks, entry.at
            self.shown_late = frozenset(self._late)
            self._new_moment()
