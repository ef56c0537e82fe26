"""Coming in: the games, a new table, the tables there are, and invitations."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from talion.bots.personas import personas
from talion.drawing import cards as printed
from talion.drawing import emblems
from talion.kernel import Game
from talion.table import acts, choosing, frame
from talion.table.asking import Asked, api_of, asker, house_of, person_of
from talion.table.catalogue import Catalogue
from talion.table.forms import filled_in, read_form
from talion.table.live import Live
from talion.table.refusal import Refusal
from talion.table.rendering import Pages, go, page
from talion.table.tokens import Person, clean_name, hashed
from talion.table.workers import STRENGTHS

JOIN_COOKIE = "talion_join"


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
    return page(request, "api.html", schema=api_of(request))


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
    return go(request, f"/seats/{live.seats.of(who.person.hash)[0].id}")


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


@get("/rules/{game:str}")
async def rules(request: Asked, game: FromPath[str]) -> Response[str]:
    """A game's rules in our words, every rule under its id."""
    catalogue = house_of(request).catalogue
    chapters: dict[str, list[Any]] = {}
    for rule in catalogue.find(game).rulebook.rules.values():
        chapters.setdefault(rule.chapter, []).append(rule)
    return page(request, "rules.html", game=catalogue.described(game), chapters=list(chapters.items()))


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


def router() -> Router:
    handlers = [
        front, style, emblem_sheet, api_page, rules, rename, plan_table, open_table, mine, watch, arrive, look, join,
    ]  # fmt: skip
    return Router("/", route_handlers=handlers, include_in_schema=False)
