"""What is around the match: who sits where, the clocks, what was said, how it ended."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from talion.bots.personas import personas
from talion.table import pace, people

if TYPE_CHECKING:
    from talion.kernel import Game
    from talion.table.live import Live
    from talion.table.rows import ChatLine, SeatRow

_encode = msgspec.json.Encoder().encode
LINES_SHOWN = 100


@dataclass(slots=True)
class Around:
    """What was last worked out of the things around a match for one audience, and from what. It is asked for at every
    answer, and hardly ever another."""

    made_of: tuple[Any, ...]
    data: dict[str, Any]
    steady: bytes
    moving: tuple[Any, ...] = ()
    body: bytes = b""
    """All of it, with what time itself changes."""


def state(live: Live, place: SeatRow | None) -> bytes:
    """A table for one audience: a seat, or those who watch. JSON."""
    kept, moving = _around(live, place), _moving(live, place)
    if kept.moving != moving:
        kept.moving, kept.body = moving, _encode(_with(kept.data, moving))
    around = kept.body
    if not live.seen:
        return b'{"table":%b,"number":0,"match":null}' % around
    seen = live.seen[place.number + 1 if place else 0]
    return b'{"table":%b,"number":%d,"match":%b}' % (around, seen.number, seen.body)


def headline(live: Live, place: SeatRow | None = None) -> dict[str, Any]:
    """A table in a list."""
    line: dict[str, Any] = {
        "table": live.row.id,
        "game": live.row.game,
        "title": live.row.title,
        "status": live.row.status,
        "names": [seat.name for seat in live.seats],
        "made": int(live.row.made),
    }
    if place is not None:
        asked = live.row.status == "running" and bool(live.seen) and live.stands(place.number).asked
        line |= {"seat": place.id, "you": place.number, "asked": asked}
    return line


def table(live: Live, place: SeatRow | None) -> dict[str, Any]:
    """Everything but the match: what stays until somebody does something, and what time itself changes."""
    return _with(_around(live, place).data, _moving(live, place))


def _moving(live: Live, place: SeatRow | None) -> tuple[Any, ...]:
    """What time itself changes, and what was said: who is absent, the clocks, what is left of a window, the lines."""
    absent = [people.absent(live, seat.number) for seat in live.seats]
    ends = pace.window_ends(live, live.seen)
    left = None if ends is None else round(max(0.0, ends - live.house.now()), 1)
    return absent, _clock(live, place), left, heard(live, place)[-LINES_SHOWN:]


def _with(steady: dict[str, Any], moving: tuple[Any, ...]) -> dict[str, Any]:
    absent, clock, left, lines = moving
    return {
        **steady,
        "seats": [{**seat, "absent": gone} for seat, gone in zip(steady["seats"], absent, strict=True)],
        "window": steady["window"] and {**steady["window"], "left": left},
        "clock": clock,
        "chat": [_line(line) for line in lines],
    }


def heard(live: Live, place: SeatRow | None) -> list[ChatLine]:
    """What was said in the hearing of an audience: those who watch hear the table too."""
    return [line for line in live.chat if place is None or line.room == "table"]


def steady(live: Live, place: SeatRow | None) -> bytes:
    """What is around the match for one audience, without what changes by itself: it tells whether there is news."""
    return _around(live, place).steady


def _around(live: Live, place: SeatRow | None) -> Around:
    row, window = live.row, _window(live, place)
    made_of = (
        row.status, row.result, live.seats, place, live.course.offer, live.course.agreed, window, live.waits_for, live.halted, live.course.next_table,
    )  # fmt: skip
    audience = place.number + 1 if place else 0
    kept = live.around.get(audience)
    if kept is None or kept.made_of != made_of:
        data = _steady(live, place, window)
        kept = live.around[audience] = Around(made_of, data, _encode(data))
    return kept


def _steady(live: Live, place: SeatRow | None, window: dict[str, Any] | None) -> dict[str, Any]:
    game = live.house.catalogue.find(live.row.game)
    return {
        "id": live.row.id,
        "game": live.row.game,
        "title": live.row.title,
        "open": live.row.open,
        "options": live.row.options,
        "status": live.row.status,
        "seats": [seat_of(game, seat, place) for seat in live.seats],
        "you": place.number if place else None,
        "host": bool(place and place.host),
        "muted": bool(place and place.muted),
        "orders": place.orders if place else {},
        "offer": _offer(live, place),
        "window": window,
        "patience": people.patience(live),
        "waits_for": live.waits_for,
        "halted": live.halted,
        "cards": {"set": live.row.card_set, "changed": len(live.changes)},
        "result": live.row.result,
        # The hash is shown from the start and the seed at the end, so that anybody can deal the match again.
        "seed_hash": hashlib.sha256(live.row.seed.encode()).hexdigest() if _dealt_by_seed(live) else None,
        "seed": live.row.seed if live.ended and live.row.start and _dealt_by_seed(live) else None,
        "next": live.course.next_table,
    }


def _dealt_by_seed(live: Live) -> bool:
    """Whether the table's seed dealt its match, or will: a match may also go on from a moment of another one."""
    head = (live.row.start or "").partition("\n---\n")[0]
    return not head or f"\nseed: {json.dumps(live.row.seed)}" in head


def _window(live: Live, place: SeatRow | None) -> dict[str, Any] | None:
    """The reaction window that is open, if it has a beat: who asked for more time, and whether you need no more."""
    if pace.window_ends(live, live.seen) is None:
        return None
    mine = place.number if place else None
    return {
        "beat": pace.beat(live, live.seen),
        "held_by": sorted(live.course.held),
        "gone_on": mine in live.course.gone,
    }


def seat_of(game: Game, seat: SeatRow, place: SeatRow | None = None) -> dict[str, Any]:
    """A seat and who plays it, as it is told to somebody at a place of the table."""
    persona = personas(game).get(seat.bot or "")
    return {
        "number": seat.number,
        "name": seat.name,
        "bot": seat.bot,
        "face": persona and persona.face,  # the motif by which one knows a bot
        "host": seat.host,
        "conceded": seat.conceded,
        "muted": seat.muted if place and place.host else None,  # the host's to know
    }


def _clock(live: Live, place: SeatRow | None) -> dict[str, Any]:
    """What is left to everybody now, and whose clock runs. Each sees its own as it is, and the others' as if they chose
    since the last thing that everybody saw: when somebody has chosen in secret, no clock must tell."""
    clock = {"kind": live.row.clock["kind"], "left": None, "runs": None}
    if live.course.clocks is None or live.course.shown_clocks is None:
        return clock
    now, seen = live.house.now(), live.seen[1:] if live.row.status == "running" else []
    runs = [sight.awaited for sight in seen] or [False] * len(live.seats)
    left = [
        have - (now - live.course.public_at) * run
        for have, run in zip(live.course.shown_clocks, runs, strict=True)
    ]
    if place is not None:
        mine = place.number
        runs[mine] = bool(seen) and seen[mine].asked
        left[mine] = live.course.clocks[mine] - (now - live.course.at) * runs[mine]
    return {**clock, "left": [max(0, round(seconds)) for seconds in left], "runs": runs}


def _offer(live: Live, place: SeatRow | None) -> dict[str, Any] | None:
    if live.course.offer is None:
        return None
    mine = place is not None and place.number in live.seats.concerned - live.course.agreed
    return {
        "id": people.offer_id(live),
        "what": live.course.offer.body,
        "by": live.course.offer.seat,
        "yours_to_agree": mine,
    }


def _line(line: ChatLine) -> dict[str, Any]:
    return {"room": line.room, "seat": line.seat, "name": line.name, "words": line.words, "at": int(line.at)}
