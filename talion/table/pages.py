"""The pages: HTML from views alone, complete without script. An option is a button in a form."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import jinja2
import msgspec
import segno
from litestar import MediaType, Request, Response, Router, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from talion.drawing import cards as printed
from talion.drawing import emblems, plans
from talion.table import api, clocks, frame, stage
from talion.table.api import house_of, known, person_of
from talion.table.catalogue import Catalogue
from talion.table.clocks import Clock
from talion.table.house import House
from talion.table.live import Live
from talion.table.refusal import No
from talion.table.settings import Settings
from talion.table.store import SeatRow
from talion.table.tokens import Person, clean_name, hashed
from talion.table.workers import STRENGTHS

HERE = Path(__file__).parent
JOIN_COOKIE = "talion_join"
LATE = "Too late: the table had gone on before your click, which does not count."
Asked = Request[Any, Any, Any]


class Pages:
    """Our templates, and each game's own under its key."""

    def __init__(self, settings: Settings, catalogue: Catalogue) -> None:
        of_games = {key: jinja2.FileSystemLoader(folder) for key, folder in catalogue.views().items()}
        self._environment = jinja2.Environment(
            loader=jinja2.ChoiceLoader(
                [jinja2.FileSystemLoader(HERE / "templates"), jinja2.PrefixLoader(of_games)]
            ),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.own = frozenset(self._environment.list_templates())
        prefix = settings.root_path.rstrip("/")
        self._environment.globals |= {"at": lambda path: prefix + path, "sign": printed.sign}
        self._environment.filters |= {
            "with_article": stage.with_article,
            "wire": stage.wire,
            "arranged": stage.arranged,
            "clock": clocks.worded,
            "feed": stage.feed,
            "laid_out": plans.laid_out,
            "marks": stage.marks,
            "named": stage.named,
            "slug": printed.slug,
        }
        self.prefix = prefix

    def page(self, request: Asked, template: str, status: int = 200, **values: Any) -> Response[str]:
        person = person_of(request)
        guard = house_of(request).signer.guard(person)
        values = {"person": person, "guard": guard, "notice": "", **values}
        html = self._environment.get_template(template).render(values)
        return Response(html, status_code=status, media_type=MediaType.HTML)


def page(request: Asked, template: str, status: int = 200, **values: Any) -> Response[str]:
    pages: Pages = request.app.state.pages
    return pages.page(request, template, status, **values)


def problem(request: Asked, status: int, why: str, rule: str) -> Response[Any]:
    """A refusal, as a page that leads back to where something was done that cannot be."""
    found = re.match(r"/(?:seats|tables)/[\w-]+(?=/)", request.scope["path"])
    back = found[0] if found and status != 404 else ""
    return page(request, "problem.html", status, why=why, rule=rule, back=back)


def go(request: Asked, path: str) -> Redirect:
    pages: Pages = request.app.state.pages
    return Redirect(pages.prefix + path, status_code=303)


async def read_form(request: Asked) -> dict[str, str]:
    """A posted form, if one of our own pages made it."""
    form = {key: str(value) for key, value in (await request.form()).items()}
    if not house_of(request).signer.guards(person_of(request), form.pop("guard", "")):
        raise No("This form was not made by this page, or your cookie is gone. Reload the page.", status=403)
    return form


# ---------------------------------------------------------------------- coming in


@get("/")
async def front(request: Asked) -> Response[str]:
    catalogue = house_of(request).catalogue
    games = [catalogue.described(game.key) | {"cover": emblems.cover(game.folder / "views" if game.folder else None)} for game in catalogue]
    return page(request, "front.html", games=games, strengths=STRENGTHS)


@get("/style/{file:str}", sync_to_thread=False)
def style(request: Asked, file: FromPath[str]) -> Response[str]:
    """How one game's table looks: the style beside its templates, as `/style/vitium.css`."""
    folder = house_of(request).catalogue.find(file.removesuffix(".css")).folder
    own = folder / "views" / "table.css" if folder else None
    text = own.read_text("utf-8") if own and own.is_file() else ""
    return Response(text, media_type="text/css", headers={"cache-control": "max-age=300"})


@get("/emblems/{file:str}", sync_to_thread=False)
def emblem_sheet(request: Asked, file: FromPath[str]) -> Response[str]:
    """The emblems of a game's cards in one picture, as `/emblems/vitium.svg`."""
    game = house_of(request).catalogue.find(file.removesuffix(".svg"))
    headers = {"cache-control": "max-age=3600"}
    return Response(printed.sprites(game), media_type="image/svg+xml", headers=headers)


@get("/api")
async def api_page(request: Asked) -> Response[str]:
    """The API described, from our own server alone."""
    return page(request, "api.html", schema=request.app.openapi_schema.to_schema())


@post("/name")
async def rename(request: Asked) -> Response[Any]:
    """The name others see; kept in the signed cookie."""
    form = await read_form(request)
    reply = go(request, "/")
    person = Person(person_of(request).token, clean_name(form.get("name", "")))
    reply.headers["set-cookie"] = request.app.state.door.cookie(request.scope, person)
    return reply


@get("/tables/new")
async def plan_table(request: Asked, game: FromQuery[str] = "") -> Response[str]:
    found = house_of(request).catalogue.described(game)
    return page(request, "new.html", game=found, strengths=STRENGTHS)


@post("/tables")
async def open_table(request: Asked) -> Redirect:
    """Open a table; with every seat taken the match begins at once."""
    form = await read_form(request)
    seats = [form[f"seat{n}"] for n in range(12) if form.get(f"seat{n}")]
    clock = msgspec.convert({"kind": form.get("clock", "none")}, Clock)
    catalogue = house_of(request).catalogue
    options = {
        name.removeprefix("option."): catalogue.option_value(
            form.get("game", ""), name.removeprefix("option."), value
        )
        for name, value in form.items()
        if name.startswith("option.") and value != ""
    }
    plan = api.NewTable(
        game=form.get("game", ""),
        seats=seats,
        options=options,
        clock=clock,
        title=form.get("title", ""),
        open="open" in form,
    )
    person = person_of(request)
    live = await api.opened(request, person, plan)
    return go(request, f"/seats/{live.seats_of(person.hash)[0].id}")


@get("/mine")
async def mine(request: Asked) -> Response[str]:
    held = await house_of(request).seats_of(person_of(request).hash)
    return page(request, "mine.html", tables=[frame.headline(live, seat) for live, seat in held])


@get("/watch")
async def watch(request: Asked) -> Response[str]:
    house = house_of(request)
    lists = {}
    for status in ("seating", "running"):
        lists[status] = [frame.headline(live) for live in await house.listed(status)]
    return page(request, "watch.html", lists=lists)


# ---------------------------------------------------------------------- invitations


@get("/join/{secret:str}")
async def arrive(request: Asked, secret: FromPath[str]) -> Redirect:
    """A link was opened. Its secret leaves the address bar at once, for a cookie that only /join receives."""
    reply = go(request, "/join")
    pages: Pages = request.app.state.pages
    safe = re.sub(r"[^A-Za-z0-9_=-]", "", secret)[:64]
    secure = (
        "; Secure" if "Secure" in request.app.state.door.cookie(request.scope, person_of(request)) else ""
    )
    path = f"{pages.prefix}/join"
    reply.headers["set-cookie"] = (
        f"{JOIN_COOKIE}={safe}; Path={path}; Max-Age=3600; HttpOnly; SameSite=Lax{secure}"
    )
    return reply


async def _invited(request: Asked) -> tuple[Live, str | None]:
    """The table, and the seat of a private link, that the browser was invited to."""
    house = house_of(request)
    found = await house.store.link(hashed(request.cookies.get(JOIN_COOKIE, "")))
    if found is None:
        raise No("This invitation is not, or no longer, valid.", status=404)
    live = await house.table(found[0])
    if found[1] is None and live.ended:
        raise No("The match of this invitation is over, or was called off.", status=410)
    return live, found[1]


@get("/join")
async def look(request: Asked) -> Response[str]:
    """Opening a link only shows the seat: chat programs fetch links too."""
    live, seat = await _invited(request)
    return page(request, "join.html", table=frame.table(live, None), private=seat is not None)


@post("/join")
async def join(request: Asked) -> Redirect:
    """Taking the seat is a post."""
    form = await read_form(request)
    house, person = house_of(request), person_of(request)
    live, seat_id = await _invited(request)
    if name := clean_name(form.get("name", "")):
        person = Person(person.token, name)
    if seat_id is not None:
        seat = await house.continue_on(live, seat_id, person)
    else:
        seat = await house.sit(live, person, _named_seat(form))
    reply = go(request, f"/seats/{seat.id}")
    reply.headers["set-cookie"] = request.app.state.door.cookie(request.scope, person)
    return reply


def _named_seat(form: dict[str, str]) -> int | None:
    """The number of the seat that somebody wants, if they say; a second one in one browser is taken so."""
    number = form.get("seat", "")
    return int(number) if number.isdecimal() else None


# ---------------------------------------------------------------------- at the table


@get("/tables/{table:str}")
async def watch_table(request: Asked, table: FromPath[str]) -> Response[Any]:
    """Who sits here is led to their seat; everybody else watches."""
    live = await house_of(request).table(table)
    held = live.seats_of(person_of(request).hash)
    if held and "watch" not in request.query_params:
        return go(request, f"/seats/{held[0].id}")
    return await _table(request, live, None)


@post("/tables/{table:str}/sit")
async def sit(request: Asked, table: FromPath[str]) -> Redirect:
    """Take a seat at a table that is open to all."""
    form = await read_form(request)
    house = house_of(request)
    live = await house.table(table)
    if not live.row.open:
        raise No("This table is by invitation.", status=403)
    seat = await house.sit(live, person_of(request), _named_seat(form))
    return go(request, f"/seats/{seat.id}")


@post("/tables/{table:str}/chat")
async def watcher_says(request: Asked, table: FromPath[str]) -> Redirect:
    form = await read_form(request)
    house, person = house_of(request), person_of(request)
    live = await house.table(table)
    api.hold_back(request, "words")
    await live.say(person.name or "A watcher", None, form.get("words", ""))
    return go(request, f"/tables/{table}?watch")


@get("/seats/{seat:str}")
async def sit_at(request: Asked, seat: FromPath[str]) -> Response[str]:
    live, place = await house_of(request).seat(seat, person_of(request))
    return await _table(request, live, place, notice=LATE if "late" in request.query_params else "")


@get("/seats/{seat:str}/why")
async def why(request: Asked, seat: FromPath[str]) -> Response[str]:
    """Why can't I…"""
    live, place = await house_of(request).seat(seat, person_of(request))
    reasons = live.play.why_not(place.number) if live.play else []
    told = stage.told_by(house_of(request).catalogue.find(live.row.game).folder)
    for reason in reasons:
        reason["path"] = stage.path_of(reason["option"], told["things"])
    return page(request, "why.html", table=frame.table(live, place), seat=seat, reasons=reasons)


@get("/seats/{seat:str}/hint")
async def hint(request: Asked, seat: FromPath[str]) -> Response[str]:
    """What a bot would do that knows what this seat knows."""
    house = house_of(request)
    live, place = await house.seat(seat, person_of(request))
    name = await api.hinted(request, live, place)
    bot = house.settings.stand_in
    return page(request, "hint.html", table=frame.table(live, place), seat=seat, name=name["name"], bot=bot)


@get("/seats/{seat:str}/log")
async def seat_log(request: Asked, seat: FromPath[str]) -> Response[str]:
    """All that has happened, as this seat may know it."""
    live, place = await house_of(request).seat(seat, person_of(request))
    return _log(request, live, place, f"/seats/{seat}")


@get("/tables/{table:str}/log")
async def table_log(request: Asked, table: FromPath[str]) -> Response[str]:
    """All that has happened, as everybody may know it."""
    return _log(request, await house_of(request).table(table), None, f"/tables/{table}?watch")


def _log(request: Asked, live: Live, place: SeatRow | None, back: str) -> Response[str]:
    lines = live.play.log(place.number if place else None) if live.play else []
    return page(request, "whole_log.html", table=frame.table(live, place), lines=lines, back=back)


@get("/rules/{game:str}")
async def rules(request: Asked, game: FromPath[str]) -> Response[str]:
    """A game's rules in our words, every rule under its id."""
    catalogue = house_of(request).catalogue
    chapters: dict[str, list[Any]] = {}
    for rule in catalogue.find(game).rulebook.rules.values():
        chapters.setdefault(rule.chapter, []).append(rule)
    return page(request, "rules.html", game=catalogue.described(game), chapters=list(chapters.items()))


@get("/tables/{table:str}/file")
async def match_file(request: Asked, table: FromPath[str]) -> Response[str]:
    """The match file, when the match is over: until then it holds the seed."""
    live = await house_of(request).table(table)
    headers = {"content-disposition": f'attachment; filename="{live.row.game}-{table}.talion"'}
    return Response(await live.file(), media_type="text/plain", headers=headers)


async def _table(request: Asked, live: Live, place: SeatRow | None, **more: Any) -> Response[str]:
    """The page of a table, for one audience."""
    person, house = person_of(request), house_of(request)
    state = json.loads(frame.state(live, place))
    links = await _links(request, person, live, place) if place else {}
    match = state["match"]
    return page(
        request,
        "table.html",
        table=state["table"],
        number=state["number"],
        match=match,
        **laid(request, live.row.game, state["table"], match),
        game=house.catalogue.described(live.row.game),
        seat=place.id if place else None,
        mine=[frame.headline(live, other) for other in live.seats_of(person.hash)],
        links=links,
        strengths=STRENGTHS,
        stand_in=house.settings.stand_in,
        local=house.settings.local,
        **more,
    )


def laid(
    request: Asked, key: str, table: dict[str, Any], match: dict[str, Any] | None
) -> dict[str, Any]:
    """What a template needs to lay a game's table."""
    pages: Pages = request.app.state.pages
    game = house_of(request).catalogue.find(key)
    sheets = printed.sheets(game, f"{pages.prefix}/emblems/{key}.svg")
    return {
        "sheets": sheets,
        "stage": stage.Stage(match, sheets, game.folder) if match else None,
        "staged": stage.is_staged(game.folder),
        "names": stage.Names(table["seats"]),
        "printed": game.content().tables,
    }


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
    reached = house_of(request).settings.reached_at
    if reached and request.base_url.hostname in ("localhost", "127.0.0.1", "::1"):
        return f"http://{reached}{pages.prefix}"
    return str(request.base_url).rstrip("/") + pages.prefix


# ---------------------------------------------------------------------- what is done at the table


class Confirm(Exception):  # noqa: N818 - a question, not an error
    """Something that kills or cannot be taken back: ask first."""

    def __init__(self, label: str, why: str) -> None:
        super().__init__(why)
        self.label = label
        self.why = why


def make_sure(form: dict[str, str], label: str, why: str) -> None:
    """Ask, unless this is the answer to that question."""
    if "confirmed" not in form:
        raise Confirm(label, why)


def say_confirm(request: Asked, ask: Confirm) -> Response[str]:
    """The question, as a page: a form that does the same again, confirmed."""
    live, place, form = request.scope["state"]["doing"]
    return page(
        request,
        "confirm.html",
        table=frame.table(live, place),
        seat=place.id,
        path=request.scope["path"],
        form=form,
        label=ask.label,
        why=ask.why,
    )


async def doing(request: Asked, seat: str) -> tuple[Live, SeatRow, dict[str, str]]:
    """A form at a seat, kept with the request in case a question has to be asked first."""
    form = await read_form(request)
    live, place = await house_of(request).seat(seat, known(request))
    request.scope["state"]["doing"] = live, place, form
    return live, place, form


@post("/seats/{seat:str}/answer")
async def answer(request: Asked, seat: FromPath[str]) -> Redirect:
    """An option was clicked. The same one clicked twice is one answer; another one, on a page that is out of date, comes
    too late, and that is said."""
    began = time.perf_counter()
    live, place, form = await doing(request, seat)
    try:
        option, number = json.loads(form.get("option", "")), int(form.get("number", ""))
    except ValueError:
        raise No("That is not an answer.", status=400) from None
    if live.play and (grave := live.play.grave(place.number, option)):
        make_sure(form, *grave)
    key = f"page-{number}-{hashed(form['option'])[:16]}"
    given = msgspec.convert({"key": key, "number": number, "option": option}, api.Answer)
    reply = await api.submitted(request, live, place, given, began)
    if reply.kind == "refused":
        raise No(reply.why, reply.rule, status=422)
    return go(request, f"/seats/{seat}{'?late' if reply.kind == 'stale' else ''}")


Act = Callable[[House, Live, SeatRow, dict[str, str]], Awaitable[str | None]]


async def _start(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    api.host_only(place)
    await live.begin()


async def _propose(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    what = "abort" if form.get("what") == "abort" else "undo"
    if what == "abort":
        make_sure(form, "Call it off", "Call the match off? If others play too, they have to agree.")
    await live.propose(place.number, what)


async def _consent(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    await live.consent(place.number, form.get("yes") == "yes")


async def _concede(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    two = len(live.seats) == 2
    make_sure(
        form, "Concede", f"Give this match up? {'The other wins.' if two else 'A bot plays on for you.'}"
    )
    await live.concede(place.number)


async def _leave(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> str:
    make_sure(form, "Leave", "Leave the table? Your seat will not be yours any more.")
    await live.leave(place)
    return "/mine"


async def _bot(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    await live.hand_over(place, api.checked_bot(form.get("bot") or None))


async def _substitute(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    await live.substitute(place, _other(live, form), api.checked_bot(form.get("bot") or None))


async def _orders(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    order = form.get("windows", "auto")
    if order not in ("auto", "ask", "pass", "until my turn"):
        raise No("There is no such order.", status=400)
    await live.give_order(place, order)


async def _remove(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    api.host_only(place)
    other = _other(live, form)
    make_sure(form, "Take the seat", f"Take the seat from @{other.number}?")
    await live.remove(place, other)


async def _mute(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    api.host_only(place)
    await live.change(_other(live, form), muted=form.get("muted") == "yes")


async def _chat(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> None:
    await live.say(place.name or "Guest", place, form.get("words", ""))


async def _rematch(house: House, live: Live, place: SeatRow, form: dict[str, str]) -> str:
    return f"/tables/{await house.rematch(live, place)}"


ACTS: dict[str, Act] = {
    "start": _start,
    "propose": _propose,
    "consent": _consent,
    "concede": _concede,
    "leave": _leave,
    "bot": _bot,
    "substitute": _substitute,
    "orders": _orders,
    "remove": _remove,
    "mute": _mute,
    "chat": _chat,
    "rematch": _rematch,
}
RATES = {"chat": "words", "rematch": "table"}


@post("/seats/{seat:str}/{act:str}")
async def do(request: Asked, seat: FromPath[str], act: FromPath[str]) -> Redirect:
    """Anything else that is done at a seat."""
    house = house_of(request)
    live, place, form = await doing(request, seat)
    if act not in ACTS:
        raise No("That cannot be done here.", status=404)
    if act in RATES:
        api.hold_back(request, RATES[act])
    return go(request, await ACTS[act](house, live, place, form) or f"/seats/{seat}")


def _other(live: Live, form: dict[str, str]) -> SeatRow:
    number = form.get("other", "")
    return api.other_seat(live, int(number) if number.isdecimal() else 99)


def router() -> Router:
    handlers = [
        front, style, emblem_sheet, api_page, rename, plan_table, open_table, mine, watch, arrive, look, join, watch_table, sit, watcher_says,
        sit_at, why, hint, seat_log, table_log, rules, match_file, answer, do,
    ]  # fmt: skip
    return Router(
        "/", route_handlers=handlers, include_in_schema=False, exception_handlers={Confirm: say_confirm}
    )
