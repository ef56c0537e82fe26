"""The HTTP API, one of two skins over the acts. A seat is named by its id and opened by a token; no request says
"I am seat 2"."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import Stream as StreamResponse
from litestar.types import Receive, Send

from talion.table import acts, frame
from talion.table.asking import Asked, asker, house_of, known, person_of
from talion.table.live import Live, Reply
from talion.table.refusal import Refusal
from talion.table.rows import SeatRow
from talion.table.stream import text

GUARD = b"x-talion-guard"
STREAM_HEADERS = ((b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no"))

# ---------------------------------------------------------------------- what is replied


class Problem(msgspec.Struct):
    """Why something cannot be; with the rule that says so, if it is a rule of the game."""

    why: str
    rule: str = ""


class Seated(msgspec.Struct):
    """A seat of yours. The token opens it: send it as `Authorization: Bearer …`, and keep it to yourself."""

    table: str
    seat: str
    token: str


class Opened(msgspec.Struct):
    """A table you opened, with all the seats that are yours."""

    table: str
    seats: list[str]
    token: str
    invite: str


class Links(msgspec.Struct):
    """Secrets to open as `/join/…`: your seat's, for another device of yours, and the table's, for those you invite."""

    seat: str
    invite: str = ""


class Accepted(msgspec.Struct, tag_field="reply", tag="accepted"):
    """Written down for good. The seat now stands at `number`."""

    number: int


class Duplicate(msgspec.Struct, tag_field="reply", tag="duplicate"):
    """This key was accepted before; `number` is what was replied then."""

    number: int


class Refused(msgspec.Struct, tag_field="reply", tag="refused"):
    """Against the rules; nothing has changed."""

    number: int
    why: str
    rule: str = ""


class Stale(msgspec.Struct, tag_field="reply", tag="stale"):
    """The match has moved on; here is how it stands."""

    number: int
    state: dict[str, Any]


# ---------------------------------------------------------------------- helpers

TableId = Annotated[str, PathParameter(pattern=r"^t[0-9a-f]{8,40}$")]
SeatId = Annotated[str, PathParameter(pattern=r"^t[0-9a-f]{8,40}-t[0-9a-f]{4,16}$")]
_TABLE = re.compile(r"^t[0-9a-f]{8,40}$")


async def guarded(request: Asked) -> None:
    """A browser's cookie is sent by any site's request; the guard value only by our own pages."""
    if request.method in ("GET", "HEAD", "OPTIONS") or request.scope["state"]["known_by"] != "cookie":
        return
    value = next((value for name, value in request.scope["headers"] if name == GUARD), b"")
    if not house_of(request).signer.guards(person_of(request), value.decode("latin-1")):
        raise Refusal("The form's guard value is missing or wrong; reload the page.", status=403)


# ---------------------------------------------------------------------- looking


@get("/games", summary="The games, what they take and how they can be varied")
async def list_games(request: Asked) -> list[dict[str, Any]]:
    catalogue = house_of(request).catalogue
    return [catalogue.described(game.key) for game in catalogue]


@get("/tables", summary="Tables open to all: those that wait for somebody, and those that can be watched")
async def list_tables(request: Asked) -> dict[str, list[dict[str, Any]]]:
    house = house_of(request)
    found = {}
    for status in ("seating", "running"):
        found[status] = [frame.headline(live) for live in await house.listed(status)]
    return found


@get("/tables/{table:str}", summary="A table, as somebody sees it who watches")
async def watch_table(request: Asked, table: TableId) -> Response[dict[str, Any]]:
    live = await house_of(request).table(table)
    return _json(frame.state(live, None))


@get("/tables/{table:str}/cards", summary="What is different in a table's cards from what its game prints")
async def changed_cards(request: Asked, table: TableId) -> list[dict[str, Any]]:
    return (await house_of(request).table(table)).changes


@get("/seats", summary="Your seats, and where it is your turn")
async def list_seats(request: Asked) -> list[dict[str, Any]]:
    mine = await house_of(request).seats_of(known(request).hash)
    return [frame.headline(live, seat) for live, seat in mine]


@get("/seats/{seat:str}", summary="The table as your seat sees it, and what you are asked")
async def see(request: Asked, seat: SeatId) -> Response[dict[str, Any]]:
    live, place = await house_of(request).seat(seat, known(request))
    return _json(frame.state(live, place))


@get("/seats/{seat:str}/links", summary="Links to your seat and, for the host, to invite others")
async def links(request: Asked, seat: SeatId) -> Links:
    house, person = house_of(request), known(request)
    live, place = await house.seat(seat, person)
    return Links(**await house.links_of(live, place, person))


@get("/seats/{seat:str}/why", summary="What your seat cannot do now, and by which rule")
async def why(request: Asked, seat: SeatId) -> list[dict[str, Any]]:
    live, place = await house_of(request).seat(seat, known(request))
    play = await live.settled()
    return play.why_not(place.number) if play and live.row.status == "running" else []


@get("/seats/{seat:str}/log", summary="The whole log, as your seat may know it: pairs of rule and words")
async def whole_log(request: Asked, seat: SeatId) -> list[list[str]]:
    live, place = await house_of(request).seat(seat, known(request))
    play = await live.settled()
    return play.log(place.number) if play else []


# ---------------------------------------------------------------------- doing


@post("/tables", summary="Open a table", raises=[])
async def open_table(request: Asked, data: JSONBody[acts.NewTable]) -> Opened:
    who = asker(request)
    live = await acts.open_table(who, data)
    mine = live.seats.of(who.person.hash)
    links = await who.house.links_of(live, mine[0], who.person)
    return Opened(live.row.id, [seat.id for seat in mine], who.person.token, links.get("invite", ""))


@post("/tables/{table:str}/seats", summary="Take a free seat")
async def take_seat(request: Asked, table: TableId, data: JSONBody[acts.Sit]) -> Seated:
    who = asker(request)
    live = await who.house.table(table)
    seat = await acts.sit(who, live, data)
    return Seated(live.row.id, seat.id, who.person.token)


@post("/tables/{table:str}/chat", summary="Say something among those who watch")
async def watcher_says(request: Asked, table: TableId, data: JSONBody[acts.Saying]) -> None:
    who = asker(request)
    who.must_be_known()
    await acts.say_watching(who, await who.house.table(table), data)


Replied = Response[Accepted | Duplicate | Refused | Stale]


@post("/seats/{seat:str}/answers", status_code=200, summary=acts.answer.summary)
async def answer(request: Asked, seat: SeatId, data: JSONBody[acts.Answer]) -> Replied:
    at = await asker(request).at(seat)
    content, status = worded(at.live, at.place, await acts.answer.do(at, data))
    return Response(content, status_code=status, media_type="application/json")


def worded(live: Live, place: SeatRow, reply: Reply) -> tuple[Any, int]:
    """A reply for the wire."""
    if reply.kind == "stale":
        body = b'{"reply":"stale","number":%d,"state":%b}' % (reply.number, frame.state(live, place))
        return body, 409
    if reply.kind == "refused":
        return Refused(reply.number, reply.why, reply.rule), 422
    return (Accepted if reply.kind == "accepted" else Duplicate)(reply.number), 200


@post("/seats/{seat:str}/hint", status_code=200, summary=acts.hint.summary)
async def hint(request: Asked, seat: SeatId) -> dict[str, Any]:
    found: dict[str, Any] = await acts.hint.do(await asker(request).at(seat))
    return found


@post("/seats/{seat:str}/rematch", status_code=200, summary=acts.rematch.summary)
async def rematch(request: Asked, seat: SeatId) -> dict[str, str]:
    return {"table": await acts.rematch.do(await asker(request).at(seat))}


def route(act: acts.Act) -> Any:
    """The route of an act that is replied to by having been done."""

    async def bare(request: Asked, seat: SeatId) -> None:
        await act.do(await asker(request).at(seat))

    async def given(request: Asked, seat: SeatId, data: Any) -> None:
        await act.do(await asker(request).at(seat), data)

    handler = given if act.given else bare
    if act.given:
        handler.__annotations__["data"] = JSONBody[act.given]  # type: ignore[misc, name-defined]
    handler.__name__ = act.name
    status = 201 if act is acts.chat else 200
    return post(f"/seats/{{seat:str}}/{act.path}", status_code=status, summary=act.summary)(handler)


@get("/events", summary="Server-sent events: what changes at your tables, and at those you watch")
async def events(
    request: Asked,
    watch: Annotated[str, QueryParameter(max_length=2000, description="Tables to watch, with commas.")] = "",
    states: Annotated[
        bool, QueryParameter(description="Send what your seats see, not only that it changed.")
    ] = False,
) -> StreamResponse:
    who = asker(request)
    house, address = who.house, who.address
    # Those without a token are one person to their address: whoever sends none cannot be many.
    person = who.person.hash if who.known else f"nobody at {address}"
    watched = {table for table in watch.split(",") if _TABLE.match(table)}
    if house.hub.full(address):
        raise Refusal("There are too many streams to your address; close some first.", status=429)

    async def follow(receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": list(STREAM_HEADERS)})
        # Listening first, then looking where they sit: a seat taken meanwhile is not missed.
        stream = house.hub.open(person, watched, states, address)
        house.metrics.set("talion_streams", len(house.hub))
        try:
            if who.known and house.store.shared:  # else nobody but this process asks who is here
                await house.store.seating.are_here({person}, house.now())
            for live, seat in await house.seats_of(person):
                if live.seen and person in live.seats[seat.number].holders:  # others were read since
                    news, state = live.audiences.news(live.seats[seat.number])
                    stream.put("match", seat.id, text(news, state if states else None))
            await stream.send(receive, send)
        finally:
            house.hub.close(person, stream)
            house.metrics.set("talion_streams", len(house.hub))

    return Following(follow)


class Following(StreamResponse):
    """A reply that goes on for as long as somebody listens. It is left to the door: on the framework's way to a route lie sixteen
    calls, which would all wait with it, and which each piece would have to pass."""

    def __init__(self, follow: Callable[[Receive, Send], Awaitable[None]]) -> None:
        super().__init__(())
        self._follow = follow

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:
        async def leave(scope: Any, *_: Any) -> None:
            scope["state"]["goes_on"] = self._follow

        return leave


def _json(body: bytes) -> Response[dict[str, Any]]:
    return Response(body, media_type="application/json")  # type: ignore[arg-type]


REPLIED = {"answer": answer, "hint": hint, "rematch": rematch}
ROUTES = [
    list_games, list_tables, open_table, watch_table, changed_cards, take_seat, watcher_says, list_seats, see, links, why, whole_log, events,
    *(REPLIED.get(act.name) or route(act) for act in acts.ACTS.values()),
]  # fmt: skip


def router() -> Router:
    # Not one of the framework's guards, for each of which it copies the route; and not a look at the address before the
    # routes are found, for //api is /api to them.
    return Router("/api", route_handlers=ROUTES, before_request=guarded)
