"""The match, as a table uses it: the one place where the served table meets the kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from talion.kernel import BadRecord, Game, Illegal, Match, Moments, default_of
from talion.kernel.fields import read_plain, write_plain
from talion.table.refusal import No

__all__ = ["Illegal", "Play"]

LOG_SHOWN = 60
MOMENTS_KEPT = 60
Find = Callable[[str], Game]
# Cards and other numbers with a type of their own go over the wire as plain numbers.
_encode = msgspec.json.Encoder(enc_hook=int).encode


class Play:
    """A match under way."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._heard: Moments | None = None

    def hear(self) -> None:
        """Keep the latest moments from now on, to be shown one after the other to those who were not looking."""
        self._heard = self.match.listen(Moments())

    # ------------------------------------------------------------------ beginning and writing down

    @classmethod
    def begin(cls, game: Game, seats: int, seed: str, options: dict[str, Any]) -> Play:
        return cls(Match.new(game, seats, seed, options))

    @classmethod
    def resume(cls, text: str, find: Find) -> Play:
        """From a match file, or from a state written out. A file is of the version and cards it was played with."""
        try:
            return cls(Match.load(text, find))
        except BadRecord as problem:
            raise No(str(problem)) from None

    def file(self) -> str:
        """The match file: everything from the deal on, readable."""
        return self.match.save()

    def snapshot(self) -> str:
        """The state written out, with the log so far, so that it need not be played again from the deal."""
        return self.match.save(written_out=True)

    # ------------------------------------------------------------------ playing

    def read(self, seat: int, wire: Any) -> Any:
        """The option a seat means, as the record keeps it. On the wire a card has a label of the seat's own."""
        match, view = self.match, self.match.view(seat)
        for option in match.options(seat):
            if view.wire(option) == wire:
                return write_plain(option)
        for standing in match.standing.get(seat, ()):
            for option in standing.ask.open(match.t):
                if view.wire(option) == wire:
                    return write_plain(option)
        for option, rule, why in match.why_not(seat):
            if view.wire(option) == wire:
                raise Illegal(why, rule)
        if seat not in match.pending:
            raise Illegal("It is not your turn to choose.")
        raise Illegal("That is not one of your options.", match.pending[seat].rule)

    def apply(self, kind: str, seat: int | None, body: Any) -> None:
        """One entry of the record. Raises Illegal, and then nothing has changed."""
        if kind == "undo":
            record = self.match.record or []
            self.match = self.match.before(len(record) - int(body))
            if self._heard is not None:
                self.hear()
        elif seat is None:
            raise Illegal("An answer comes from a seat.")
        elif kind == "answer":
            self.match.answer(seat, read_plain(body))
        else:
            self.match.default(seat)
        if self._heard is not None:
            del self._heard.all[:-MOMENTS_KEPT]

    @property
    def asked(self) -> set[int]:
        return set(self.match.pending)

    def passing(self, seat: int, order: str) -> Any:
        """What the server answers for a seat in a reaction window by its standing order; nothing if it is theirs."""
        ask = self.match.pending.get(seat)
        if ask is None or not ask.window or order == "ask":
            return None
        options = self.match.options(seat)
        if order == "auto" and len(options) > 1:
            return None
        return write_plain(default_of(ask, self.match.t))

    def has_turn(self, seat: int) -> bool:
        """Whether a seat is asked something other than to react."""
        ask = self.match.pending.get(seat)
        return ask is not None and not ask.window

    @property
    def awaited(self) -> set[int]:
        """The seats that are seen to be choosing."""
        return set(self.match.waiting_for)

    @property
    def over(self) -> bool:
        return self.match.over

    def result(self) -> dict[str, Any]:
        assert self.match.result is not None
        return self.match.result.data()

    # ------------------------------------------------------------------ looking

    def seen(self, seat: int | None) -> bytes:
        """Everything an audience may know of the match, as JSON; of the log the latest lines and their number."""
        data = self.match.view(seat).data()
        lines = self.match.log(seat)
        data["log"] = {"lines": len(lines), "latest": [[line.rule, line.text] for line in lines[-LOG_SHOWN:]]}
        return _encode(data)

    def frames(self, seat: int | None, since: int) -> list[dict[str, Any]]:
        """What an audience saw happen after so many lines of its log: what is said, and the table as it stood then. Where
        nothing but the log changed, a line is told together with the one before."""
        found: list[dict[str, Any]] = []
        for moment in self._heard.seen_by(seat) if self._heard is not None else ():
            view = moment.view(seat)
            if len(view.log) <= since:
                continue
            match = msgspec.json.decode(_encode(view.data()))
            if found and match["table"] == found[-1]["match"]["table"]:
                found[-1]["says"].append(moment.line(seat).text)
            else:
                found.append({"says": [moment.line(seat).text], "match": match})
        return found

    def log(self, seat: int | None) -> list[list[str]]:
        return [[line.rule, line.text] for line in self.match.log(seat)]

    def why_not(self, seat: int) -> list[dict[str, Any]]:
        """What a seat cannot do now, and by which rule."""
        match, view = self.match, self.match.view(seat)
        return [
            {
                "option": view.wire(option),
                "name": match.game.name_of(match.t, seat, option),
                "rule": rule,
                "why": why,
            }
            for option, rule, why in match.why_not(seat)
        ]

    def grave(self, seat: int, wire: Any) -> tuple[str, str] | None:
        """An option's name and why to think twice before it, if there is a reason."""
        view = self.match.view(seat)
        for offer in (*view.offers(), *view.standing_offers()):
            if offer.grave and offer.wire == wire:
                return offer.name, offer.grave
        return None

    def name(self, seat: int, body: Any) -> str:
        """An option of the record in words."""
        return self.match.game.name_of(self.match.t, seat, read_plain(body))

    def wire(self, seat: int, body: Any) -> Any:
        """An option of the record as the seat's wire names it."""
        return self.match.view(seat).wire(read_plain(body))

    # ------------------------------------------------------------------ taking back

    def steps_back(self, seat: int) -> int:
        """How many entries back a seat's last answer lies; 0 if there is none to take back."""
        record = self.match.record or []
        for back, entry in enumerate(reversed(record), 1):
            if entry[1] == seat:
                return back
        return 0

    def free_undo(self, seat: int) -> bool:
        """Whether a seat may take its last answer back without asking anybody."""
        return self.match.free_undo(seat)
