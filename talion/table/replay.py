"""Looking back: any moment of a match as an audience saw it, what happened since one's last turn, and playing on from there."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromPath, FromQuery

from talion.kernel import Chance, Match
from talion.table import acts, frame, rendering, stage
from talion.table.asking import Asked, asker, house_of
from talion.table.forms import read_form
from talion.table.live import Live
from talion.table.past import Past
from talion.table.play import ServedMatch
from talion.table.refusal import Refusal
from talion.table.rows import SeatRow
from talion.table.tokens import new_token

MOST_MOMENTS = 80


@get("/tables/{table:str}/replay")
async def replay(
    request: Asked, table: FromPath[str], at: FromQuery[int] = 0, seat: FromQuery[int] = -1
) -> Response[str]:
    """A finished match, entry by entry, from a seat or as those who watched saw it."""
    who = asker(request)
    live = await who.house.table(table)
    past = await looked_back(who, live)
    number = max(0, min(at, past.number))
    chosen = seat if 0 <= seat < len(live.seats) else None
    moment = json.loads(await asyncio.to_thread(past.seen, number, chosen))
    path = f"/tables/{table}/replay?seat={-1 if chosen is None else chosen}"
    return moment_page(request, live, moment, number, past.number, path, chosen)


@get("/seats/{seat:str}/since")
async def since(request: Asked, seat: FromPath[str], at: FromQuery[int] = 0) -> Response[str]:
    """What happened since one's own last answer, moment by moment, as one saw it."""
    who = asker(request)
    who.hold_back("heavy")
    live, place = await who.house.seat(seat, who.person)
    play = await live.settled()
    if play is None:
        raise Refusal(live.halted or "The match has not begun.")
    match = play.match.copy()  # the match itself may go on meanwhile
    moments = await asyncio.to_thread(lambda: moments_since(match, place.number))
    number = max(0, min(at, len(moments) - 1))
    return moment_page(
        request, live, moments[number], number, len(moments) - 1, f"/seats/{seat}/since?", place.number
    )


@post("/tables/{table:str}/play-on")
async def play_on(request: Asked, table: FromPath[str]) -> Response[Any]:
    """A table of one's own that goes on from a moment of a finished match, knowing what that seat knew."""
    form = await read_form(request)
    who = asker(request)
    live = await who.house.table(table)
    who.hold_back("heavy")
    past = await looked_back(who, live)
    number = max(0, min(_whole_number(form, "at"), past.number))
    seat = max(0, min(_whole_number(form, "seat"), len(live.seats) - 1))
    moment = await asyncio.to_thread(past.at, number)
    if moment.over:
        raise Refusal("At that moment the match was over; choose an earlier one.", status=409)
    stand_in = who.house.settings.stand_in
    bot = acts.checked_bot(form.get("bot") or stand_in) or stand_in
    seats = [("me" if other == seat else bot) for other in range(len(live.seats))]
    plan = acts.NewTable(game=live.row.game, seats=seats, options=live.row.options, title="Played on")
    start = moment.dealt_anew(seat, Chance.of(new_token())).save(content=False)
    opened = await acts.open_table(who, plan, start, moment.content)
    return rendering.go(request, f"/seats/{opened.seats.of(who.person.hash)[0].id}")


@get("/tables/{table:str}/turns")
async def turns(request: Asked, table: FromPath[str]) -> Response[str]:
    """Where a finished match turned."""
    who = asker(request)
    live = await who.house.table(table)
    who.hold_back("heavy")
    past = await looked_back(who, live)
    headings = frozenset(stage.told_by(who.house.catalogue.find(live.row.game).folder)["turns"])
    found = await asyncio.to_thread(lambda: turning_points(past.match, headings))
    for turn in found:
        turn["better"] = await who.house.keeper.second_thought(live, turn["number"])
    held = live.seats.of(who.person.hash)
    you = held[0].number if held else -1
    return rendering.page(request, "turns.html", table=frame.table(live, None), turns=found, you=you)


def turning_points(match: Match, headings: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    """The three turns after which the winner stood most differently, by the game's own judgement, in their order, each as one
    would tell it: by the gravest thing in it. `headings` are the rules of lines that begin a turn."""
    turns = [swings for swings in _swings(match, headings) if swings]
    best = sorted(turns, key=lambda swings: -abs(_moved(swings)))[:3]
    winner = _hero(match)
    told = []
    for swings in sorted(best, key=lambda swings: swings[0].number):
        number, line = _most_telling(swings)
        says = f"{line} {_what_it_did(swings, winner, swings is best[0])}"
        told.append({"number": number, "heading": swings[0].turn, "says": says.strip()})
    return told


class Swing(msgspec.Struct, frozen=True):
    """How the hero of a match stood before and after an answer, and what was told of it."""

    number: int
    before: float
    after: float
    turn: str
    lines: list[str]


def _hero(match: Match) -> int:
    """Whose match it was: the winner, or the first at the table."""
    return match.result.winners[0] if match.result and match.result.winners else 0


def _swings(match: Match, headings: frozenset[str]) -> list[list[Swing]]:
    """Turn by turn, every answer after which something was told to all. Without headings a match is one turn an answer; what
    comes before the first turn is not yet the match."""
    value, record, seat = match.game.value, match.record or [], _hero(match)
    if value is None or not record:
        return []
    going, turn = match.before(0), ""
    turns: list[list[Swing]] = []
    worth, told = value(going.view(seat), seat), len(going.log(None))
    for number, entry in enumerate(record[:-1], 1):
        going.apply(entry)
        fresh = going.log(None)[told:]
        if not fresh:
            continue
        now, told = value(going.view(seat), seat), told + len(fresh)
        heads = [line.text for line in fresh if line.rule in headings]
        lines = [line.text for line in fresh if line.rule not in headings]
        if heads or not headings:
            turn = heads[0] if heads else ""
            turns.append([])
        if turns:
            turns[-1].append(Swing(number, worth, now, turn, lines))
        worth = now
    return turns


def _moved(swings: list[Swing]) -> float:
    return swings[-1].after - swings[0].before


def _most_telling(swings: list[Swing]) -> tuple[int, str]:
    """Of all that was told in a turn the gravest, and with which answer it came; of equals the last."""
    told = [(stage.gravity(line), swing.number, line) for swing in swings for line in swing.lines]
    _, number, line = max(told, default=((0, 0), swings[0].number, ""))
    return number, line


def _what_it_did(swings: list[Swing], winner: int, most: bool) -> str:
    before, after = swings[0].before, swings[-1].after
    if before < 0.5 <= after:
        return f"That put @{winner} ahead."
    if after < 0.5 <= before:
        return f"That cost @{winner} the lead."
    if after > before:
        return f"Nothing helped @{winner} more." if most else f"@{winner} stood better after it."
    return f"Nothing hurt @{winner} more." if most else f"It threw @{winner} back."


async def looked_back(who: acts.Asker, live: Live) -> Past:
    """The past of a match that is over. To read one takes long; of one that was read a few moments a second can be had, for it runs."""
    who.hold_back("moment" if live.row.id in who.house.pasts else "heavy")
    return await who.house.pasts.of_table(live)


def moments_since(match: Match, seat: int) -> list[dict[str, Any]]:
    """Every moment a seat saw since its own last answer. Moments that look the same are one: others' secret answers
    are not counted out to it."""
    record = match.record or []
    own = max((i for i, entry in enumerate(record) if entry[1] == seat), default=-1)
    first = max(own + 1, len(record) - MOST_MOMENTS)
    going = match.before(first)
    moments = [json.loads(ServedMatch(going).seen(seat))]
    for entry in record[first:]:
        going.apply(entry)
        seen = json.loads(ServedMatch(going).seen(seat))
        if seen != moments[-1]:
            moments.append(seen)
    return moments


def moment_page(
    request: Asked, live: Live, moment: dict[str, Any], number: int, last: int, path: str, seat: int | None
) -> Response[str]:
    """The same table as in play, with nothing to answer."""
    house = house_of(request)
    place: SeatRow | None = live.seats[seat] if seat is not None else None
    around = frame.table(live, place)
    for answering in ("ask", "standing"):
        moment.pop(answering, None)
    return rendering.page(
        request,
        "replay.html",
        table={**around, "you": seat},
        match=moment,
        number=number,
        last=last,
        path=path,
        seat=None,
        **rendering.laid(request, live, around, moment),
        game=house.catalogue.described(live.row.game),
        over=live.row.status == "over",
    )


def _whole_number(form: dict[str, str], name: str) -> int:
    try:
        return int(form.get(name, "0"))
    except ValueError:
        raise Refusal("That is no moment of this match.", status=400) from None


def router() -> Router:
    return Router("/", route_handlers=[replay, since, turns, play_on], include_in_schema=False)
