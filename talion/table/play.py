"""The match, as a table uses it: the one place where the served table meets the kernel."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from talion.kernel import BadRecord, Content, Game, Illegal, Match, Moments, default_of
from talion.kernel.fields import read_plain, write_plain
from talion.kernel.record import packed, parse
from talion.table.refusal import Refusal

__all__ = ["Illegal", "ServedMatch"]

MATCH_KINDS = ("answer", "default", "undo")
"""Of the entries of a table's record those that play its match on."""
LOG_SHOWN = 60
MOMENTS_KEPT = 60
Find = Callable[[str], Game]
# Cards and other numbers with a type of their own go over the wire as plain numbers.
_encode = msgspec.json.Encoder(enc_hook=int).encode
_plain = partial(msgspec.to_builtins, str_keys=True, enc_hook=int)
"""As they would be read again from the wire."""


class ServedMatch:
    """A match under way."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._heard: Moments | None = None

    def hear(self, followed: bool) -> None:
        """While somebody follows with a page, keep the latest moments, to be shown there one after the other."""
        if followed != (self._heard is not None):
            self._heard = self.match.listen(Moments() if followed else None)

    # ------------------------------------------------------------------ beginning and writing down

    @classmethod
    def begin(
        cls, game: Game, seats: int, seed: str, options: dict[str, Any], content: Content
    ) -> ServedMatch:
        return cls(Match.new(game, seats, seed, options, content=content))

    @classmethod
    def resume(cls, text: str, find: Find, cards: str | None = None) -> ServedMatch:
        """From a match file, or from a state written out. It is played with its own cards: `cards` is their text, where
        it does not bring them."""
        try:
            return cls(Match.load(text, find, known=lambda _: cards))
        except BadRecord as problem:
            raise Refusal(str(problem)) from None

    def file(self) -> str:
        """The match file: everything from the deal on, readable, with its cards."""
        return self.match.save()

    def start(self) -> str:
        """The same for whoever keeps the cards."""
        return self.match.save(content=False)

    def snapshot(self) -> str:
        """The state written out, with the log so far, so that it need not be played again from the deal. Whoever keeps it
        keeps the cards."""
        return self.match.save(written_out=True, content=False)

    def for_bots(self) -> str:
        """The state as a bot's process needs it: it reads no log."""
        return self.match.without_log().save(written_out=True, content=False)

    @property
    def content(self) -> Content:
        return self.match.content

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
            self._take_back(body)
            if self._heard is not None:
                self._heard = self.match.listen(Moments())
        elif seat is None:
            raise Illegal("An answer comes from a seat.")
        elif kind == "answer":
            self.match.answer(seat, read_plain(body))
        else:
            self.match.default(seat)
        if self._heard is not None:
            del self._heard.all[:-MOMENTS_KEPT]

    def default(self, seat: int) -> Any:
        """What is answered for a seat that does not answer, as the record keeps it."""
        ask = self.match.pending.get(seat)
        return write_plain(default_of(ask, self.match.t)) if ask else None

    def _take_back(self, body: Any) -> None:
        """So many entries; or, as `["own", n]`, only the one that lies so far back, among others' sealed answers."""
        record = list(self.match.record or ())
        back = body[1] if isinstance(body, list) else int(body)
        at = len(record) - back
        self.match = self.match.before(at)
        for entry in record[at + 1 :] if isinstance(body, list) else ():
            self.match.apply(entry)

    @property
    def asked(self) -> set[int]:
        return set(self.match.pending)

    @property
    def windows(self) -> set[int]:
        """The seats that are asked whether they react. That they are asked does not depend on what they hold."""
        return {seat for seat, ask in self.match.pending.items() if ask.window}

    @property
    def beats(self) -> int:
        """For how many beats a reaction window stays open."""
        return self.match.window.beats if self.match.window else 1

    def passing(self, seat: int) -> Any:
        """What a seat answers in a reaction window that it lets pass."""
        return write_plain(default_of(self.match.pending[seat], self.match.t))

    def only_option(self, seat: int) -> Any:
        """What a seat must answer, if there is nothing to choose."""
        options = self.match.options(seat)
        return write_plain(options[0]) if len(options) == 1 else None

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
        """What an audience saw happen after so many lines of its log: what is said, the table as it stood then, and how
        many lines there were. Where nothing but the log changed, a line is told together with the one before."""
        found: list[dict[str, Any]] = []
        stood: Any = None
        for moment in self._heard.seen_by(seat) if self._heard is not None else ():
            if moment.lines(seat) <= since:
                continue
            data, says = moment.view(seat).data(), moment.line(seat).text
            if data["table"] == stood:
                found[-1]["says"].append(says)
            else:
                found.append({"says": [says], "match": _plain(data)})
            found[-1]["lines"] = moment.lines(seat)
            stood = data["table"]
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

    def taken_back(self, seat: int) -> Any:
        """What the record says when a seat takes its last answer back. While that is sealed, nobody else's is touched."""
        back = self.steps_back(seat)
        return ["own", back] if self._sealed(seat) else back

    def free_undo(self, seat: int) -> bool:
        """Whether a seat may take its last answer back without asking anybody: always while it is sealed, for whether
        others have chosen since is their secret."""
        return self._sealed(seat) or self.match.free_undo(seat)

    def _sealed(self, seat: int) -> bool:
        """Whether a seat's last answer was given in secret, and is a secret still."""
        back = self.steps_back(seat)
        if not back or not _is_sealed(self.match):
            return False
        before = self.match.before(len(self.match.record or ()) - back)
        same = before.step == self.match.step and before.t.write() == self.match.t.write()
        return same and _is_sealed(before)


def _is_sealed(match: Match) -> bool:
    """Whether several may answer now without seeing what others did."""
    return match.sealed is not None or match.window is not None


def unplayed(start: str, record: Iterable[tuple[str, int | None, Any]], cards: str | None) -> str:
    """A match file from what is kept of it, where the rules here cannot play it: for a release that can."""
    lines: list[str] = []
    for kind, seat, body in record:
        if kind == "undo":
            back = body[1] if isinstance(body, list) else int(body)
            del lines[len(lines) - back : len(lines) - back + 1 if isinstance(body, list) else None]
        elif body is None:
            raise Refusal(
                "This match cannot be written down by these rules: an answer was given by its default."
            )
        else:
            lines.append(f"{kind} {seat} {json.dumps(body)}")
    head, _, first = start.partition("\n---\n")
    brought = [f"content: {packed(cards)}"] if cards is not None and "\ncontent: " not in head else []
    return "\n".join([head, *brought, "---", *first.splitlines(), *lines]) + "\n"


def version_of(text: str) -> int:
    """The version of the rules by which a match was written down."""
    return parse(text).version
