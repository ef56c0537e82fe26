"""Looking back: any moment of a match as an audience saw it, what happened since one's last turn, and playing on from there."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from litestar import Response, Router, get, post
from litestar.params import FromPath, FromQuery

from talion.kernel import Chance, Match
from talion.table import acts, frame, pages
from talion.table.asking import Asked, asker, house_of
from talion.table.live import Live
from talion.table.past import Past
from talion.table.play import ServedMatch
from talion.table.refusal import Refusal
from talion.table.store import SeatRow
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
    if live.play is None:
        raise Refusal("The match has not begun.")
    match = live.play.match
    moments = await asyncio.to_thread(lambda: moments_since(match, place.number))
    number = max(0, min(at, len(moments) - 1))
    return moment_page(
        request, live, moments[number], number, len(moments) - 1, f"/seats/{seat}/since?", place.number
    )


@post("/tables/{table:str}/play-on")
async def play_on(request: Asked, table: FromPath[str]) -> Response[Any]:
    """A table of one's own that goes on from a moment of a finished match, knowing what that seat knew."""
    form = await pages.read_form(request)
    who = asker(request)
    live = await who.house.table(table)
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
    return pages.go(request, f"/seats/{opened.seats_of(who.person.hash)[0].id}")


@get("/tables/{table:str}/turns")
async def turns(request: Asked, table: FromPath[str]) -> Response[str]:
    """Where a finished match turned."""
    who = asker(request)
    live = await who.house.table(table)
    past = await looked_back(who, live)
    found = await asyncio.to_thread(lambda: turning_points(past.match))
    held = live.seats_of(who.person.hash)
    you = held[0].number if held else -1
    return pages.page(request, "turns.html", table=frame.table(live, None), turns=found, you=you)


def turning_points(match: Match) -> list[dict[str, Any]]:
    """The three answers after which the winner stood most differently, by the game's own judgement, in their order."""
    value, record = match.game.value, match.record or []
    seat = match.result.winners[0] if match.result and match.result.winners else 0
    if value is None or not record:
        return []
    going, swings = match.before(0), []
    worth, lines = value(going.view(seat), seat), len(going.log(None))
    for number, entry in enumerate(record[:-1], 1):
        going.apply(entry)
        now, said = value(going.view(seat), seat), going.log(None)
        if len(said) > lines:
            swings.append((abs(now - worth), number, [line.text for line in said[lines:]]))
            worth, lines = now, len(said)
    best = sorted(swings, key=lambda swing: -swing[0])[:3]
    whose = {number: record[number - 1][1] for _, number, _ in best}
    return [
        {
            "number": number,
            "heading": f"@{whose[number]}" if whose[number] is not None else "",
            "says": _most_telling(said),
        }
        for _, number, said in sorted(best, key=lambda swing: swing[1])
    ]


def _most_telling(lines: list[str]) -> str:
    """Of what an answer brought about, the first and the last that was told."""
    return lines[0] if len(lines) == 1 else f"{lines[0]} {lines[-1]}"


async def looked_back(who: acts.Asker, live: Live) -> Past:
    """The past of a match that is over; not too often."""
    who.hold_back("heavy")
    return await who.house.pasts.of(live)


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
    return pages.page(
        request,
        "replay.html",
        table={**around, "you": seat},
        match=moment,
        number=number,
        last=last,
        path=path,
        seat=None,
        **pages.laid(request, live, around, moment),
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
