"""The pages of a table: HTML from views alone, complete without script. An option is a button in a form."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import segno
from litestar import Response, Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect
from markupsafe import Markup

from talion.table import acts, frame, pace, people, rendering, stage
from talion.table.asking import Asked, asker, house_of, person_of
from talion.table.forms import filled_in, read_form
from talion.table.kept import Kept
from talion.table.live import Live
from talion.table.past import whole_file
from talion.table.play import ServedMatch
from talion.table.refusal import Refusal
from talion.table.rendering import Pages, go, laid, page
from talion.table.rows import SeatRow
from talion.table.tokens import Person

MOST_FRAMES = 24
NOTICES = {
    "late": "Too late: the table had gone on before your click, which does not count.",
    "reported": "Whoever keeps this house will read it.",
}


@get("/tables/{table:str}")
async def watch_table(request: Asked, table: FromPath[str]) -> Response[Any]:
    """Whoever sits here is led to their seat; everybody else watches."""
    live = await house_of(request).table(table)
    held = live.seats.of(person_of(request).hash)
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
    said = next((said for said in NOTICES if said in request.query_params), "")
    return await _seated(request, seat, said)


async def _seated(request: Asked, seat: str, said: str) -> Response[str]:
    """The table as somebody sees it who sits there."""
    live, place = await house_of(request).seat(seat, person_of(request))
    return await _table(request, live, place, notice=NOTICES.get(said, ""))


@get("/seats/{seat:str}/why")
async def why(request: Asked, seat: FromPath[str]) -> Response[str]:
    """Why can't I…"""
    live, place = await house_of(request).seat(seat, person_of(request))
    play = await live.settled()
    reasons = play.why_not(place.number) if play else []
    told = stage.told_by(house_of(request).catalogue.find(live.row.game).folder)
    for reason in reasons:
        reason["path"] = stage.path_of(reason["option"], told["things"], reason["name"])
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
    return Response(await whole_file(live), media_type="text/plain", headers=headers)


async def _table(request: Asked, live: Live, place: SeatRow | None, notice: str = "") -> Response[str]:
    """The page of a table, for one audience; with what happened since the last one, if it is asked for with `since`."""
    person, house = person_of(request), house_of(request)
    live.shown_at = time.monotonic()
    links = await _links(request, person, live, place) if place else {}
    since = _lines_told(request)
    play = await live.settled() if since is not None else None
    # From here on nothing is waited for: what is drawn is kept under what was read.
    state = msgspec.json.decode(frame.state(live, place))
    table, match, number = state["table"], state["match"], state["number"]
    pages: Pages = request.app.state.pages
    seat = place.id if place else None
    kept = pages.kept(rendering.staged(table))
    found = _happened(play, match, since) if since is not None and play and match else []
    lay = laid(request, live, table, match, kept)
    lies = {"lying": Markup(), "told": Markup(), "frames": Markup()}
    if match:
        kept.begin(live.seen[place.number + 1 if place else 0].body)
        shown = found if len(found) <= MOST_FRAMES else ()
        frames = [(one["lines"], *_frame(request, live, kept, one, match)) for one in shown]
        lies |= kept.whole(lambda: pages.lies(table=kept.around, match=match, seat=seat, **lay))
        if found:
            lies["frames"] = pages.drawn("frames.html", frames=frames, happened=len(found))
    return pages.around(
        request,
        kept,
        {**lies, "number": str(number)},
        lay,
        table=table,
        match=_beside(table, match) if match else None,
        changes=live.changes,
        seat=seat,
        mine=[frame.headline(live, other) for other in live.seats.of(person.hash)],
        links=links,
        stand_in=people.stand_in(live),
        local=house.settings.local,
        alone=pace.only_bots_see(live),
        notice=notice,
        scripted="since" in request.query_params,  # what a script asks for comes into a page that is there
    )


def _lines_told(request: Asked) -> int | None:
    """How many lines of the log a browser has shown, if it says so."""
    since = request.query_params.get("since", "")
    return int(since) if since.isdecimal() and len(since) < 10 else None


def _beside(table: dict[str, Any], match: dict[str, Any]) -> dict[str, Any]:
    """Of a match that which is looked at beside the stage; when it is over, all of it."""
    if table["status"] != "running":
        return match
    seen: dict[str, Any] = {name: match[name] for name in ("phase", "standing", "over") if name in match}
    return seen | {"ask": True} if "ask" in match else seen


def _happened(play: ServedMatch, match: dict[str, Any], since: int) -> list[dict[str, Any]]:
    """What an audience saw happen after so many lines of its log. What one does oneself is seen by its own movement."""
    log, you = match["log"], match["seat"]
    if since >= log["lines"]:
        return []
    if since == log["lines"] - 1 and you is not None and stage.seat_in(log["latest"][-1][1]) == you:
        return []
    return play.frames(you, since)


def _frame(
    request: Asked, live: Live, kept: Kept, one: dict[str, Any], now: dict[str, Any]
) -> tuple[int | None, Markup]:
    """The stage as it stood when something happened, with nothing to answer; and whose deed that was. Where it stood as it stands
    now, only what is told in the ribbon's place."""
    pages: Pages = request.app.state.pages
    lay, by = laid(request, live, kept.around, one["match"], kept), stage.seat_in(" ".join(one["says"]))
    telling = lay["s"].telling(one["says"], by)
    if one["match"]["table"] == now["table"] and not now["over"]:
        return by, telling
    lay["s"].tells(telling)
    return by, pages.lying(table=kept.around, match=one["match"], **lay)


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
async def do(request: Asked, seat: FromPath[str], act: FromPath[str]) -> Response[Any]:
    """Anything that is done at a seat. A script that says `since` when it wants to know is shown the table at once."""
    form = await read_form(request)
    at = await asker(request).at(seat)
    found = acts.ACTS.get(act)
    if found is None:
        raise Refusal("That cannot be done here.", status=404)
    confirmed = form.pop("confirmed", "") == "yes"
    request.scope["state"]["doing"] = at, form
    result = await found.do(at, filled_in(form, found.given) if found.given else None, confirmed)
    if found is acts.leave:
        return go(request, "/mine")
    if found is acts.rematch:
        return go(request, f"/tables/{result}")
    said = _said_afterwards(found, result)
    if "since" in request.query_params:
        return await _seated(request, seat, said)
    return go(request, f"/seats/{seat}{said and f'?{said}'}")


def _said_afterwards(act: acts.Act, result: Any) -> str:
    """What somebody is told who did something."""
    if act is acts.answer and result.kind == "refused":
        raise Refusal(result.why, result.rule, status=422)
    if act is acts.answer and result.kind == "stale":
        return "late"
    return "reported" if act is acts.report else ""


def router() -> Router:
    handlers = [
        watch_table, sit, watcher_says, sit_at, why, hint, seat_log, table_log, table_cards, match_file, do,
    ]  # fmt: skip
    return Router(
        "/", route_handlers=handlers, include_in_schema=False, exception_handlers={acts.Confirm: say_confirm}
    )
