"""The pages: HTML from views alone, complete without script. An option is a button in a form."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import jinja2
import msgspec
import segno
from litestar import MediaType, Response, Router, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from markupsafe import Markup

from talion.bots.personas import personas
from talion.drawing import cards as printed
from talion.drawing import emblems, plans
from talion.kernel import Content, Game
from talion.table import acts, choosing, clocks, frame, pace, people, stage
from talion.table.asking import Asked, asker, house_of, person_of
from talion.table.catalogue import Catalogue
from talion.table.live import Live
from talion.table.refusal import Refusal
from talion.table.rooms import Room
from talion.table.rows import SeatRow
from talion.table.settings import Settings
from talion.table.tokens import Person, clean_name, hashed
from talion.table.workers import STRENGTHS

HERE = Path(__file__).parent
JOIN_COOKIE = "talion_join"
G = TypeVar("G", bound=acts.Given)
MOST_FRAMES = 24
NOTICES = {
    "late": "Too late: the table had gone on before your click, which does not count.",
    "reported": "Whoever keeps this house will read it.",
}


class Quick(jinja2.Environment):
    """Templates read data more than anything else: `one.hand` is looked for among a dictionary's keys first. Ours have no key
    that is also the name of a method they call."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


class Pages:
    """Our templates, and each game's own under its key."""

    def __init__(self, settings: Settings, catalogue: Catalogue, rooms: Sequence[Room] = ()) -> None:
        of_games = {key: jinja2.FileSystemLoader(folder) for key, folder in catalogue.views().items()}
        self._environment = Quick(
            loader=jinja2.ChoiceLoader(
                [
                    jinja2.FileSystemLoader(
                        [HERE / "templates", *(room.folder / "templates" for room in rooms)]
                    ),
                    jinja2.PrefixLoader(of_games),
                ]
            ),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.own = frozenset(self._environment.list_templates())
        prefix = settings.root_path.rstrip("/")
        self._environment.globals |= {
            "at": lambda path: prefix + path,
            "sign": printed.sign,
            "portrait": printed.portrait,
            "rooms": rooms,
        }
        self._environment.filters |= {
            "with_article": stage.with_article,
            "wire": stage.wire,
            "arranged": stage.arranged,
            "clock": clocks.worded,
            "feed": stage.feed,
            "seat_in": stage.seat_in,
            "laid_out": plans.laid_out,
            "marks": stage.marks,
            "named": stage.named,
            "slug": printed.slug,
            "plain_number": lambda value: f"{value:g}",
        }
        self.prefix = prefix
        self._drawn = Drawn()

    def forget(self) -> None:
        """Draw everything anew, as after a move."""
        self._drawn = Drawn()

    def lying(self, live: Live, **values: Any) -> dict[str, Markup]:
        """The stage and the feed of a table for one audience. Clocks run, so a table that has them is drawn every time."""
        table = values["table"]

        def draw() -> dict[str, Markup]:
            return {
                name: Markup(self._environment.get_template(f"{name}.html").render(values))
                for name in ("lying", "told")
            }

        if table["clock"]["left"]:
            return draw()
        you = table["you"]
        body = live.seen[0 if you is None else you + 1].body
        return self._drawn.get((live.row.id, you), (body, live.row.status, table["seats"]), draw)

    def page(self, request: Asked, template: str, status: int = 200, **values: Any) -> Response[str]:
        person = person_of(request)
        guard = house_of(request).signer.guard(person)
        values = {"person": person, "guard": guard, "notice": "", **values}
        html = self._environment.get_template(template).render(values)
        return Response(html, status_code=status, media_type=MediaType.HTML)


class Drawn:
    """What was last drawn of each table for each audience; those who may see the same share it."""

    def __init__(self, most: int = 512) -> None:
        self._kept: dict[tuple[str, int | None], tuple[Any, dict[str, Markup]]] = {}
        self._most = most

    def get(
        self, of: tuple[str, int | None], state: Any, draw: Callable[[], dict[str, Markup]]
    ) -> dict[str, Markup]:
        """What is drawn of a table for an audience in this state, drawn now if it was not yet."""
        kept = self._kept.pop(of, None)
        if kept is None or kept[0] != state:
            kept = state, draw()
        self._kept[of] = kept  # the ones looked at last stay
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return kept[1]


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
        raise Refusal(
            "This form was not made by this page, or your cookie is gone. Reload the page.", status=403
        )
    return form


# ---------------------------------------------------------------------- coming in


@get("/")
async def front(request: Asked) -> Response[str]:
    catalogue = house_of(request).catalogue
    games = [covered(catalogue, game) for game in catalogue]
    return page(request, "front.html", games=games, strengths=STRENGTHS)


def covered(catalogue: Catalogue, game: Game) -> dict[str, Any]:
    """What there is to say about a game, and its cover."""
    cover = emblems.cover(game.folder / "views" if game.folder else None)
    return catalogue.described(game.key) | {"cover": cover}


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
    catalogue = house_of(request).catalogue
    rules = catalogue.find(game)
    pages: Pages = request.app.state.pages
    return page(
        request,
        "new.html",
        game=covered(catalogue, rules),
        strengths=STRENGTHS,
        pictured=choosing.pictured(rules),
        sheets=printed.sheets(rules, f"{pages.prefix}/emblems/{game}.svg"),
        personas=personas(rules),
    )


@post("/tables")
async def open_table(request: Asked) -> Redirect:
    """Open a table; with every seat taken the match begins at once."""
    form, who = await read_form(request), asker(request)
    game, catalogue = form.get("game", ""), who.house.catalogue
    options = {
        name: catalogue.option_value(game, name, value) for name, value in choosing.chosen(form).items()
    }
    wanted = {
        "game": game,
        "seats": [form[f"seat{n}"] for n in range(12) if form.get(f"seat{n}")],
        "options": options,
        "clock": {"kind": form.get("clock", "none")},
        "title": form.get("title", ""),
        "cards": form.get("cards", ""),
        "open": "open" in form,
    }
    live = await acts.open_table(who, msgspec.convert(wanted, acts.NewTable))
    return go(request, f"/seats/{live.seats_of(who.person.hash)[0].id}")


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
    found = await house.store.seating.link(hashed(request.cookies.get(JOIN_COOKIE, "")))
    if found is None:
        raise Refusal("This invitation is not, or no longer, valid.", status=404)
    live = await house.table(found[0])
    if found[1] is None and live.ended:
        raise Refusal("The match of this invitation is over, or was called off.", status=410)
    return live, found[1]


@get("/join")
async def look(request: Asked) -> Response[str]:
    """Opening a link only shows the seat: chat programs fetch links too."""
    live, seat = await _invited(request)
    return page(request, "join.html", table=frame.table(live, None), private=seat is not None)


@post("/join")
async def join(request: Asked) -> Redirect:
    """Taking the seat is a post."""
    form, who = await read_form(request), asker(request)
    who = who.called(form.get("name", ""))
    live, seat_id = await _invited(request)
    if seat_id is not None:
        seat = await who.house.continue_on(live, seat_id, who.person)
    else:
        form["invite"] = request.cookies.get(JOIN_COOKIE, "")
        seat = await acts.sit(who, live, filled_in(form, acts.Sit))
    reply = go(request, f"/seats/{seat.id}")
    reply.headers["set-cookie"] = request.app.state.door.cookie(request.scope, who.person)
    return reply


# ---------------------------------------------------------------------- at the table


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


def laid(request: Asked, live: Live, table: dict[str, Any], match: dict[str, Any] | None) -> dict[str, Any]:
    """What a template needs to lay a game's table, with the cards of this match, whatever is printed now."""
    game = house_of(request).catalogue.find(live.row.game)
    content = live.play.content if live.play else game.content()
    return laid_out(request, game, content, table["seats"], match)


def laid_out(
    request: Asked, game: Game, content: Content, seats: list[dict[str, Any]], match: dict[str, Any] | None
) -> dict[str, Any]:
    """The same for a match that is at no table."""
    pages: Pages = request.app.state.pages
    sheets = printed.sheets(game, f"{pages.prefix}/emblems/{game.key}.svg", content)
    return {
        "sheets": sheets,
        "stage": stage.Stage(match, sheets, game.folder) if match else None,
        "arranges": f"{game.key}/table.html" not in pages.own,
        "names": stage.Names(seats),
        "printed": content.tables,
        "verdict": stage.told_by(game.folder),
        "stronger": list(pairwise(STRENGTHS)),
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
    if told := house_of(request).settings.url:
        return told.rstrip("/")
    reached = house_of(request).settings.reached_at
    if reached and request.base_url.hostname in ("localhost", "127.0.0.1", "::1"):
        return f"http://{reached}{pages.prefix}"
    return str(request.base_url).rstrip("/") + pages.prefix


# ---------------------------------------------------------------------- what is done at the table


def filled_in(form: dict[str, str], given: type[G]) -> G:
    """What an act is given, from a form: yes and no, numbers, an option as JSON; what is left empty is not given. The
    key of a form is made of all it says, so that one sent twice is one."""
    said = json.dumps(sorted(form.items()))
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(given):
        text = form.get(field.name, "")
        if field.name == "key":
            values["key"] = f"page-{hashed(said)[:24]}"
        elif field.type is bool:
            values[field.name] = text == "yes"
        elif field.name == "option":
            values["option"] = _option(text)
        elif text:
            values[field.name] = text
    return msgspec.convert(values, given, strict=False)


def _option(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise Refusal("That is not an answer.", status=400) from None


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
        front, style, emblem_sheet, api_page, rename, plan_table, open_table, mine, watch, arrive, look, join, watch_table, sit, watcher_says,
        sit_at, why, hint, seat_log, table_log, table_cards, seat_frames, table_frames, rules, match_file, do,
    ]  # fmt: skip
    return Router(
        "/", route_handlers=handlers, include_in_schema=False, exception_handlers={acts.Confirm: say_confirm}
    )
