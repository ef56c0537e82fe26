"""The pages of a table: HTML from views alone, complete without script. An option is a button in a form."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import segno
from litestar import Response, Router, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from talion.table import acts, frame, pace, people, stage
from talion.table.asking import Asked, asker, house_of, person_of
from talion.table.forms import filled_in, read_form
from talion.table.live import Live
from talion.table.refusal import Refusal
from talion.table.rendering import Pages, go, laid, page
from talion.table.rows import SeatRow
from talion.table.tokens import Person
from talion.table.workers import STRENGTHS

MOST_FRAMES = 24
NOTICES = {
    "late": "Too late: the table had gone on before your click, which does not count.",
    "reported": "Whoever keeps this house will read it.",
}


@get("/tables/{table:str}")
async def watch_table(request: Asked, table: FromPath[str]) -> Response[Any]:
    """Whoever sits here is led to their seat; everybody else watches."""
    live = await house_of(request).table(table)
    held = live.seats_of(person_of(request).hash)
    if held and "watch" not in request.query_params:
        return go(request, f"/seats/{held[0].id}")
    return await _table(request, live, None)


@post("/tables/{table:str}/sit")
async def sit(request: Asked, table: FromPath[str]) -> Redirect:
    """Take a seat at a table that is open to all."""
    form, who = await read_form(request), asker(request)
    live = await who.house.table(table)
    seat = await acts.sit(who, live, filled_in(form, acts.Sit))
    return go(request, f"/seats/{seat.id}")


@post("/tables/{table:str}/chat")
async def watcher_says(request: Asked, table: FromPath[str]) -> Redirect:
    form, who = await read_form(request), asker(request)
    live = await who.house.table(table)
    await acts.say_watching(who, live, filled_in(form, acts.Saying))
    return go(request, f"/tables/{table}?watch")


@get("/seats/{seat:str}")
async def sit_at(request: Asked, seat: FromPath[str]) -> Response[str]:
    live, place = await house_of(request).seat(seat, person_of(request))
    notice = next((words for said, words in NOTICES.items() if said in request.query_params), "")
    return await _table(request, live, place, notice=notice)


@get("/seats/{seat:str}/why")
async def why(request: Asked, seat: FromPath[str]) -> Response[str]:
    """Why can't I…"""
    live, place = await house_of(request).seat(seat, person_of(request))
    play = await live.settled()
    reasons = play.why_not(place.number) if play else []
    told = stage.told_by(house_of(request).catalogue.find(live.row.game).folder)
    for reason in reasons:
        reason["path"] = stage.path_of(reason["option"], told["things"])
    return page(request, "why.html", table=frame.table(live, place), seat=seat, reasons=reasons)


@get("/seats/{seat:str}/hint")
async def hint(request: Asked, seat: FromPath[str]) -> Response[str]:
    """What a bot would do that knows what this seat knows."""
    at = await asker(request).at(seat)
    found = await acts.hint.do(at)
    told = stage.told_by(at.house.catalogue.find(at.live.row.game).folder)
    return page(
        request,
        "hint.html",
        table=frame.table(at.live, at.place),
        seat=seat,
        best=found["considered"],
        says=found["says"],
        path=stage.path_of(found["option"], told["things"]),
        bot=at.house.settings.stand_in,
    )


@get("/seats/{seat:str}/log")
async def seat_log(request: Asked, seat: FromPath[str]) -> Response[str]:
    """All that has happened, as this seat may know it."""
    live, place = await house_of(request).seat(seat, person_of(request))
    return await _log(request, live, place, f"/seats/{seat}")


@get("/tables/{table:str}/log")
async def table_log(request: Asked, table: FromPath[str]) -> Response[str]:
    """All that has happened, as everybody may know it."""
    return await _log(request, await house_of(request).table(table), None, f"/tables/{table}?watch")


@get("/tables/{table:str}/cards")
async def table_cards(request: Asked, table: FromPath[str]) -> Response[str]:
    """Which cards are played with, and what is different in them from what the game prints."""
    live = await house_of(request).table(table)
    return page(request, "cards.html", table=frame.table(live, None), changes=live.changes)


async def _log(request: Asked, live: Live, place: SeatRow | None, back: str) -> Response[str]:
    play = await live.settled()
    lines = play.log(place.number if place else None) if play else []
    return page(request, "whole_log.html", table=frame.table(live, place), lines=lines, back=back)


@get("/tables/{table:str}/file")
async def match_file(request: Asked, table: FromPath[str]) -> Response[str]:
    """The match file, when the match is over: until then it holds the seed."""
    who = asker(request)
    who.hold_back("heavy")
    live = await who.house.table(table)
    headers = {"content-disposition": f'attachment; filename="{live.row.game}-{table}.talion"'}
    return Response(await live.file(), media_type="text/plain", headers=headers)


async def _table(request: Asked, live: Live, place: SeatRow | None, **more: Any) -> Response[str]:
    """The page of a table, for one audience."""
    person, house = person_of(request), house_of(request)
    live.shown_at = time.monotonic()
    links = await _links(request, person, live, place) if place else {}
    # From here on nothing is waited for: what is drawn is kept under what was read.
    state = msgspec.json.decode(frame.state(live, place))
    match, number = state["match"], state["number"]
    pages: Pages = request.app.state.pages
    seat = place.id if place else None
    lay = laid(request, live, state["table"], match)
    if match:
        lay |= pages.lying(live, table=state["table"], match=match, seat=seat, **lay)
    return page(
        request,
        "table.html",
        table=state["table"],
        number=number,
        match=match,
        **lay,
        changes=live.changes,
        game=house.catalogue.described(live.row.game),
        seat=seat,
        mine=[frame.headline(live, other) for other in live.seats_of(person.hash)],
        links=links,
        strengths=STRENGTHS,
        stand_in=people.stand_in(live),
        local=house.settings.local,
        alone=pace.only_bots_see(live),
        **more,
    )


@get("/seats/{seat:str}/frames")
async def seat_frames(request: Asked, seat: FromPath[str], since: FromQuery[int] = 0) -> Response[str]:
    """What happened since this seat last looked, to be played out."""
    live, place = await house_of(request).seat(seat, person_of(request))
    return await _frames(request, live, place, since)


@get("/tables/{table:str}/frames")
async def table_frames(request: Asked, table: FromPath[str], since: FromQuery[int] = 0) -> Response[str]:
    """The same for those who watch."""
    return await _frames(request, await house_of(request).table(table), None, since)


async def _frames(request: Asked, live: Live, place: SeatRow | None, since: int) -> Response[str]:
    """The stage as it stood at each thing that happened. Many are not drawn: then there is a number, and a way to look back."""
    number = place.number if place else None
    play = await live.settled()
    found = play.frames(number, since) if play else []
    around = frame.table(live, place)
    drawn = [
        {"says": one["says"], "match": one["match"], **laid(request, live, around, one["match"])}
        for one in (found if len(found) <= MOST_FRAMES else ())
    ]
    return page(
        request, "frames.html", table=around, seat=place.id if place else None, frames=drawn, count=len(found)
    )


async def _links(request: Asked, person: Person, live: Live, place: SeatRow) -> dict[str, str]:
    """The links only this person is shown: to their seat, and, for the host, to the table. As text and QR code."""
    base = _address(request)
    secrets = await house_of(request).links_of(live, place, person)
    links = {what: f"{base}/join/{secret}" for what, secret in secrets.items()}
    if "invite" in links:
        links["qr"] = segno.make(links["invite"], micro=False).svg_inline(scale=4, omitsize=True)
    return links


def _address(request: Asked) -> str:
    """Where others find us. A host may browse by a name that on a phone would mean the phone."""
    pages: Pages = request.app.state.pages
    if told := house_of(request).settings.url:
        return told.rstrip("/")
    reached = house_of(request).settings.reached_at
    if reached and request.base_url.hostname in ("localhost", "127.0.0.1", "::1"):
        return f"http://{reached}{pages.prefix}"
    return str(request.base_url).rstrip("/") + pages.prefix


# ---------------------------------------------------------------------- what is done at the table


def say_confirm(request: Asked, ask: acts.Confirm) -> Response[str]:
    """The question before an act, as a page: a form that does the same again, confirmed."""
    at, form = request.scope["state"]["doing"]
    return page(
        request,
        "confirm.html",
        table=frame.table(at.live, at.place),
        seat=at.place.id,
        path=request.scope["path"],
        form=form,
        label=ask.label,
        why=ask.why,
    )


@post("/seats/{seat:str}/{act:str}")
async def do(request: Asked, seat: FromPath[str], act: FromPath[str]) -> Redirect:
    """Anything that is done at a seat."""
    form = await read_form(request)
    at = await asker(request).at(seat)
    found = acts.ACTS.get(act)
    if found is None:
        raise Refusal("That cannot be done here.", status=404)
    confirmed = form.pop("confirmed", "") == "yes"
    request.scope["state"]["doing"] = at, form
    result = await found.do(at, filled_in(form, found.given) if found.given else None, confirmed)
    return go(request, _afterwards(at, found, result))


def _afterwards(at: acts.At, act: acts.Act, result: Any) -> str:
    """Where somebody goes who did something: back to their seat, mostly."""
    if act is acts.leave:
        return "/mine"
    if act is acts.rematch:
        return f"/tables/{result}"
    if act is acts.answer and result.kind == "refused":
        raise Refusal(result.why, result.rule, status=422)
    late = act is acts.answer and result.kind == "stale"
    said = "?late" if late else "?reported" if act is acts.report else ""
    return f"/seats/{at.place.id}{said}"


def router() -> Router:
    handlers = [
        watch_table, sit, watcher_says, sit_at, why, hint, seat_log, table_log, table_cards, seat_frames, table_frames, match_file, do,
    ]  # fmt: skip
    return Router(
        "/", route_handlers=handlers, include_in_schema=False, exception_handlers={acts.Confirm: say_confirm}
    )
