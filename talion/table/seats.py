"""Who sits at a table, and who of them may speak for whom."""

from __future__ import annotations

from talion.table.refusal import Refusal
from talion.table.rows import SeatRow

NOT_YOURS = "This seat is not yours, or no longer."


class Places(tuple[SeatRow, ...]):
    """The seats of one table, in their order."""

    __slots__ = ()

    def held(self, seat_id: str, token_hash: str) -> SeatRow:
        """The seat of somebody who holds it; nobody else learns whether it exists."""
        for place in self:
            if place.id == seat_id and token_hash in place.holders:
                return place
        raise Refusal(NOT_YOURS, status=404)

    def still_held(self, number: int) -> SeatRow:
        """A seat as it is now, for whoever waited until they were alone at the table: they may have lost it meanwhile."""
        if not self[number].holders:
            raise Refusal(NOT_YOURS, status=404)
        return self[number]

    def of(self, token_hash: str) -> list[SeatRow]:
        """All that somebody holds."""
        return [place for place in self if token_hash in place.holders]

    @property
    def people(self) -> set[str]:
        """The tokens of everybody who holds one."""
        return set().union(*(seat.holders for seat in self))

    @property
    def playing(self) -> set[int]:
        """Those that people play."""
        return {seat.number for seat in self if seat.bot is None and seat.name is not None}

    @property
    def concerned(self) -> set[int]:
        """Those whose people must agree to what changes the match for all: also those a bot plays for somebody."""
        return {seat.number for seat in self if seat.holders and not seat.conceded}

    def spoken_for(self, seat: int) -> set[int]:
        """Those of whoever holds a seat: somebody who plays several agrees with themselves."""
        mine = self[seat].holders
        return {seat} | {other.number for other in self if not mine.isdisjoint(other.holders)}
