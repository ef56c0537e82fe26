"""Finding out what a set does: trying a card, whole matches, matches in pairs, matches to break it, and the report."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Literal

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from talion.drawing import cards as printed
from talion.lab import BadInput
from talion.lab.balance import Contract
from talion.table import acts, frame, rendering
from talion.table.asking import Asked, asker, house_of
from talion.table.forms import read_form
from talion.table.play import ServedMatch
from talion.table.refusal import Refusal
from talion.table.rendering import go, page
from talion.table.rows import SeatRow
from talion.table.tokens import TITLE_LENGTH
from talion.workshop.opened import OpenSet, number_in, open_set, prefix_of, runs_of
from talion.workshop.report import faces, report
from talion.workshop.runs import PAIRS, SECONDS, Run, told

PATIENCE = 90.0
"""Seconds in which a position must be found."""
Kind = Literal["compare", "break"]


def _job(request: Asked, at: OpenSet) -> dict[str, Any]:
    address = house_of(request).catalogue.address(at.game.key)
    return {"game": address, "seats": at.seats, "seed": f"{at.set.id}:{at.set.number}"}


@post("/sets/{set_id:str}/try")
async def try_it(request: Asked, set_id: FromPath[str], whole: FromQuery[str] = "") -> Redirect:
    """Sit down with one card before you, in a position out of a match; or at a whole match with the set. Against bots."""
    form = await read_form(request)
    who, at = asker(request), await open_set(request, set_id)
    name, seats, start, title = form.get("name", ""), ["me", *["easy"] * (at.seats - 1)], None, at.set.name
    if name and not whole:
        who.hold_back("heavy")
        at.whole(name)
        if name not in at.content.named:
            raise Refusal(f"{name} is a draft: it cannot be read yet, so it cannot be tried.", status=409)
        number = number_in(form, "position") or 1
        there = await _position(at, {**_job(request, at), "name": name, "seed": f"position {number}"})
        seats = ["me" if seat == there["seat"] else "easy" for seat in range(there["seats"])]
        start, title = there["match"], f"{name} ({at.set.name})"[:TITLE_LENGTH]
    plan = acts.NewTable(game=at.game.key, seats=seats, title=title)
    live = await acts.open_table(who, plan, start, content=at.content)
    return go(request, f"/seats/{live.seats.of(who.person.hash)[0].id}")


async def _position(at: OpenSet, job: dict[str, Any]) -> dict[str, Any]:
    """What the process found that looks for a position."""
    try:
        async with asyncio.timeout(PATIENCE):
            lines = [line async for line in told({**job, "do": "position"}, at.set.toml())]
    except TimeoutError:
        raise Refusal("No position was found in time; play a whole match with the set.", status=503) from None
    found: dict[str, Any] = lines[-1] if lines else {}
    if "match" not in found:
        raise Refusal(
            found.get("problem", "No position could be found; the server's log says why."), status=409
        )
    return found


# ---------------------------------------------------------------------- runs


@get("/sets/{set_id:str}/run")
async def show_run(request: Asked, set_id: FromPath[str]) -> Response[str]:
    """What the set does, as far as it is known."""
    at = await open_set(request, set_id)
    found = await runs_of(request).of(set_id, "compare")
    then = await open_set(request, set_id, found.number) if found else at
    return page(
        request, "workshop/run.html", opened=at, run=found and found.data(), promises=_promises(at),
        faces=list(faces(at.game, at.game.content(), then.content, at.sprite(prefix_of(request)))),
    )  # fmt: skip


@get("/sets/{set_id:str}/break")
async def show_break(request: Asked, set_id: FromPath[str]) -> Response[str]:
    """What bots found that want to break the set."""
    at = await open_set(request, set_id)
    found = await runs_of(request).of(set_id, "break")
    return page(request, "workshop/break.html", opened=at, run=found and found.data())


def _promises(at: OpenSet) -> tuple[str, ...]:
    try:
        return Contract.of(at.game).promises
    except BadInput:
        return ()


@get("/sets/{set_id:str}/run.json")
async def run_data(request: Asked, set_id: FromPath[str], kind: FromQuery[Kind] = "compare") -> Response[Any]:
    """The same for the page's script."""
    await open_set(request, set_id)
    found = await runs_of(request).of(set_id, kind)
    return Response(found.data() if found else {"state": "none", "going": False}, media_type=MediaType.JSON)


@post("/sets/{set_id:str}/run")
async def run(request: Asked, set_id: FromPath[str]) -> Redirect:
    """Start paired matches with and without the set; those of this revision that were played are shown instead."""
    form, who = await read_form(request), asker(request)
    at = await open_set(request, set_id)
    if await _is_there(request, at, "compare", form):
        return go(request, f"{at.path}/run")
    who.hold_back("heavy")
    if not at.content.changes():
        raise Refusal(
            "This set changes nothing yet that is played, so there is nothing to compare: change a card on its shelf first.",
            status=400,
        )
    pairs = number_in(form, "pairs", 5000) or PAIRS
    job = _job(request, at)
    await runs_of(request).start(set_id, "compare", at.set.number, pairs, job, at.set.toml())
    return go(request, f"{at.path}/run")


@post("/sets/{set_id:str}/break")
async def break_it(request: Asked, set_id: FromPath[str]) -> Redirect:
    """Let bots try to break the set; what they found of this revision is shown instead."""
    form, who = await read_form(request), asker(request)
    at = await open_set(request, set_id)
    if await _is_there(request, at, "break", form):
        return go(request, f"{at.path}/break")
    who.hold_back("heavy")
    seconds = number_in(form, "seconds", 600) or SECONDS
    await runs_of(request).start(set_id, "break", at.set.number, seconds, _job(request, at), at.set.toml())
    return go(request, f"{at.path}/break")


async def _is_there(request: Asked, at: OpenSet, kind: Kind, form: dict[str, str]) -> bool:
    """Whether this revision has such a run: asked again, it would play the very same matches."""
    run = await runs_of(request).of(at.set.id, kind)
    if run is None or run.number != at.set.number or form.get("again"):
        return False
    return run.going or bool(run.found.get("pairs") or run.found.get("matches"))


@post("/sets/{set_id:str}/stop")
async def stop(request: Asked, set_id: FromPath[str], kind: FromQuery[Kind] = "compare") -> Redirect:
    await read_form(request)
    await runs_of(request).halt(set_id, kind)
    return go(request, f"/workshop/sets/{set_id}/{'run' if kind == 'compare' else 'break'}")


@get("/sets/{set_id:str}/report.html")
async def download_report(request: Asked, set_id: FromPath[str]) -> Response[str]:
    """What the last run found, as one file to send."""
    found = await runs_of(request).of(set_id, "compare")
    if found is None or not found.found:
        raise Refusal("Nothing was found out yet: start a run first.", status=404)
    at = await open_set(request, set_id, found.number)
    name = f"{printed.slug(at.set.name) or 'report'}.html"
    html = await asyncio.to_thread(report, at.game, at.set.name, at.game.content(), at.content, found.found)
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(html, media_type=MediaType.HTML, headers=headers)


# ---------------------------------------------------------------------- what broke


async def _broken(request: Asked, set_id: str, number: int) -> tuple[OpenSet, Run, dict[str, Any]]:
    at = await open_set(request, set_id)
    found = await runs_of(request).of(set_id, "break")
    findings = found.found.get("findings", []) if found else []
    if found is None or not 0 <= number < len(findings) or findings[number]["match"] is None:
        raise Refusal("There is no such match.", status=404)
    return at, found, findings[number]


@get("/sets/{set_id:str}/broken/{number:int}/file")
async def broken_file(request: Asked, set_id: FromPath[str], number: FromPath[int]) -> Response[str]:
    """A match that shows what broke, as a file."""
    _, _, finding = await _broken(request, set_id, number)
    headers = {"content-disposition": f'attachment; filename="broken-{number + 1}.talion"'}
    return Response(finding["match"], media_type="text/plain; charset=utf-8", headers=headers)


@get("/sets/{set_id:str}/broken/{number:int}")
async def watch(
    request: Asked,
    set_id: FromPath[str],
    number: FromPath[int],
    at: FromQuery[int] = -1,
    seat: FromQuery[int] = 0,
) -> Response[str]:
    """A match that shows what broke, moment by moment, as one of its bots saw it."""
    here, run, finding = await _broken(request, set_id, number)
    house, key = (
        house_of(request),
        f"{run.id} {hash(finding['match'])}",
    )  # while a run goes on, numbers change
    asker(request).hold_back("moment" if key in house.pasts else "heavy")
    find = house.catalogue.find
    past = await house.pasts.of(key, lambda: asyncio.to_thread(ServedMatch.resume, finding["match"], find))
    match, place = past.match, past.number if at < 0 else min(at, past.number)
    you = seat % match.seats
    seen = json.loads(await asyncio.to_thread(past.seen, place, you))
    for answering in ("ask", "standing"):
        seen.pop(answering, None)
    bots = [SeatRow(str(n), n, f"Bot {n + 1}") for n in range(match.seats)]
    seats = [frame.seat_of(here.game, bot) | {"absent": False} for bot in bots]
    table = {"id": "", "game": here.game.key, "title": f"{finding['what']} Seen by Bot {you + 1}.", "seats": seats, "you": you, "status": "over", "result": None,
             "chat": [], "clock": {"kind": "none", "left": None, "runs": None}, "waits_for": [], "window": None, "cards": {"set": here.set.name, "changed": 0}}  # fmt: skip
    path = f"{here.path}/broken/{number}?seat={seat}"
    return page(
        request, "replay.html", back=(f"{here.path}/break", "Back to the findings"), table=table, match=seen, number=place, last=past.number, path=path, seat=None, over=False,
        game=house.catalogue.described(here.game.key), **rendering.laid_out(request, here.game, match.content, table, seen),
    )  # fmt: skip


HANDLERS = [
    try_it, show_run, show_break, run_data, run, break_it, stop, download_report, broken_file, watch,
]  # fmt: skip
