"""The HTTP API, which the pages use too. A seat is named by its id and opened by a token; no request says
"I am seat 2"."""

from __future__ import annotations

import re
import time
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import Stream as StreamResponse

from talion.table import frame
from talion.table.clocks import Clock
from talion.table.house import House, Plan
from talion.table.live import Live, Reply
from talion.table.refusal import No, TooFast
from talion.table.store import SeatRow
from talion.table.stream import text
from talion.table.tokens import TITLE_LENGTH, Person, clean_name, cleaned, hashed
from talion.table.workers import STRENGTHS

GUARD = b"x-talion-guard"

# ---------------------------------------------------------------------- what goes over the wire

Key = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
Name = Annotated[str, msgspec.Meta(max_length=60)]


class Problem(msgspec.Struct):
    """Why something cannot be; with the rule that says so, if it is a rule of the game."""

    why: str
    rule: str = ""


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be opened. Each seat is "me", "open" for somebody to come, or a bot's strength."""

    game: Annotated[str, msgspec.Meta(max_length=80)]
    seats: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=40)]], msgspec.Meta(min_length=1, max_length=10)
    ]
    options: dict[str, Any] = {}
    clock: Clock = msgspec.field(default_factory=Clock)
    title: Annotated[str, msgspec.Meta(max_length=TITLE_LENGTH)] = ""
    open: bool = False
    name: Name = ""


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


class Sit(msgspec.Struct, forbid_unknown_fields=True):
    """Take a free seat: with the invite's secret, or without one at a table that is open to all. Who sits there already
    keeps their seat, unless they name another by its number."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=20)] | None = None
    invite: Annotated[str, msgspec.Meta(max_length=64)] = ""
    name: Name = ""


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """An answer: to what the seat was asked at `number`. Send it again under the same key if no reply came."""

    key: Key
    number: Annotated[int, msgspec.Meta(ge=0, le=10**9)]
    option: list[Any]


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


class Saying(msgspec.Struct, forbid_unknown_fields=True):
    """Something to say at the table."""

    words: Words


class Proposal(msgspec.Struct, forbid_unknown_fields=True):
    """What all people at the table must agree to, unless nobody else is concerned."""

    what: Literal["undo", "abort"]


class Consent(msgspec.Struct, forbid_unknown_fields=True):
    """Yes or no to what somebody proposed."""

    yes: bool


class Substitute(msgspec.Struct, forbid_unknown_fields=True):
    """Which other seat, and the strength of the bot to play it; none frees it or gives it back."""

    number: Annotated[int, msgspec.Meta(ge=0, le=20)]
    bot: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class HandOver(msgspec.Struct, forbid_unknown_fields=True):
    """The strength of the bot that plays on for you; none: you play again."""

    bot: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class Orders(msgspec.Struct, forbid_unknown_fields=True):
    """What the server does for you in reaction windows: pass where you can do nothing (auto), never (ask), pass
    always (pass), or until you are asked something else (until my turn)."""

    windows: Literal["auto", "ask", "pass", "until my turn"]


class Mute(msgspec.Struct, forbid_unknown_fields=True):
    """Which other seat may speak no more, or may again."""

    number: Annotated[int, msgspec.Meta(ge=0, le=20)]
    muted: bool


# ---------------------------------------------------------------------- helpers

TableId = Annotated[str, PathParameter(pattern=r"^t[0-9a-f]{8,40}$")]
SeatId = Annotated[str, PathParameter(pattern=r"^t[0-9a-f]{8,40}-t[0-9a-f]{4,16}$")]
_TABLE = re.compile(r"^t[0-9a-f]{8,40}$")


def house_of(request: Request[Any, Any, Any]) -> House:
    house: House = request.app.state.house
    return house


def person_of(request: Request[Any, Any, Any]) -> Person:
    person: Person = request.scope["state"]["person"]
    return person


def known(request: Request[Any, Any, Any]) -> Person:
    """The person of a token the request carried; a request without one has no seats."""
    if not request.scope["state"]["known_by"]:
        raise No("Send your token: Authorization: Bearer …", status=401)
    return person_of(request)


async def guarded(request: Request[Any, Any, Any]) -> None:
    """A browser's cookie is sent by any site's request; the guard value only by our own pages."""
    if request.method in ("GET", "HEAD", "OPTIONS") or request.scope["state"]["known_by"] != "cookie":
        return
    value = next((value for name, value in request.scope["headers"] if name == GUARD), b"")
    if not house_of(request).signer.guards(person_of(request), value.decode("latin-1")):
        raise No("The form's guard value is missing or wrong; reload the page.", status=403)


def hold_back(request: Request[Any, Any, Any], what: str) -> None:
    """Answer politely that this is too fast, for this person or for all at their address."""
    state = request.scope["state"]
    person = person_of(request).hash if state["known_by"] else None
    if wait := house_of(request).gate.wait(what, person, state["address"]):
        raise TooFast(wait)


def checked_plan(house: House, data: NewTable) -> Plan:
    """A table that can be: the game exists, takes so many seats, and has those options and bots."""
    house.catalogue.checked(data.game, len(data.seats), data.options)
    for who in data.seats:
        if who not in ("me", "open"):
            checked_bot(who)
    title = cleaned(data.title, TITLE_LENGTH)
    return Plan(data.game, data.seats, data.options, data.clock, title, data.open)


async def opened(
    request: Request[Any, Any, Any], person: Person, data: NewTable, start: str | None = None
) -> Live:
    """Open the table; if nobody is to come, begin at once: with a deal, or with a match that goes on."""
    hold_back(request, "table")
    house = house_of(request)
    live = await house.make(person, checked_plan(house, data))
    if all(seat.taken for seat in live.seats):
        await live.begin(start)
    return live


async def may_sit(house: House, live: Live, invite: str) -> bool:
    """Whether somebody may take a seat here: by invitation, or because the table is open to all."""
    if live.row.open:
        return True
    found = await house.store.link(hashed(invite)) if invite else None
    return found is not None and found == (live.row.id, None)


def host_only(seat: SeatRow) -> None:
    if not seat.host:
        raise No("Only the host may do that.", status=403)


def other_seat(live: Live, number: int) -> SeatRow:
    if number >= len(live.seats):
        raise No("There is no such seat.", status=400)
    return live.seats[number]


def checked_bot(strength: str | None) -> str | None:
    if strength is not None and strength not in STRENGTHS:
        raise No(f"There is no bot {strength!r}; there are {', '.join(STRENGTHS)}.", status=400)
    return strength


# ---------------------------------------------------------------------- routes


@get("/games", summary="The games, what they take and how they can be varied")
async def list_games(request: Request[Any, Any, Any]) -> list[dict[str, Any]]:
    catalogue = house_of(request).catalogue
    return [catalogue.described(game.key) for game in catalogue]


@get("/tables", summary="Tables open to all: those that wait for somebody, and those that can be watched")
async def list_tables(request: Request[Any, Any, Any]) -> dict[str, list[dict[str, Any]]]:
    house = house_of(request)
    found = {}
    for status in ("seating", "running"):
        found[status] = [frame.headline(live) for live in await house.listed(status)]
    return found


@post("/tables", summary="Open a table", raises=[])
async def open_table(request: Request[Any, Any, Any], data: JSONBody[NewTable]) -> Opened:
    house = house_of(request)
    person = Person(person_of(request).token, clean_name(data.name) or person_of(request).name)
    live = await opened(request, person, data)
    mine = live.seats_of(person.hash)
    links = await house.links_of(live, mine[0], person)
    return Opened(live.row.id, [seat.id for seat in mine], person.token, links.get("invite", ""))


@get("/tables/{table:str}", summary="A table, as somebody sees it who watches")
async def watch_table(request: Request[Any, Any, Any], table: TableId) -> Response[dict[str, Any]]:
    live = await house_of(request).table(table)
    return _json(frame.state(live, None))


@post("/tables/{table:str}/seats", summary="Take a free seat")
async def take_seat(request: Request[Any, Any, Any], table: TableId, data: JSONBody[Sit]) -> Seated:
    house = house_of(request)
    live = await house.table(table)
    if not await may_sit(house, live, data.invite):
        raise No("This table is by invitation, and that is not its invitation.", status=403)
    person = Person(person_of(request).token, clean_name(data.name) or person_of(request).name)
    seat = await house.sit(live, person, data.seat)
    return Seated(live.row.id, seat.id, person.token)


@post("/tables/{table:str}/chat", summary="Say something among those who watch")
async def watcher_says(request: Request[Any, Any, Any], table: TableId, data: JSONBody[Saying]) -> None:
    person = known(request)
    live = await house_of(request).table(table)
    hold_back(request, "words")
    await live.say(person.name or "A watcher", None, data.words)


@get("/seats", summary="Your seats, and where it is your turn")
async def list_seats(request: Request[Any, Any, Any]) -> list[dict[str, Any]]:
    mine = await house_of(request).seats_of(known(request).hash)
    return [frame.headline(live, seat) for live, seat in mine]


@get("/seats/{seat:str}", summary="The table as your seat sees it, and what you are asked")
async def see(request: Request[Any, Any, Any], seat: SeatId) -> Response[dict[str, Any]]:
    live, place = await house_of(request).seat(seat, known(request))
    return _json(frame.state(live, place))


@get("/seats/{seat:str}/links", summary="Links to your seat and, for the host, to invite others")
async def links(request: Request[Any, Any, Any], seat: SeatId) -> Links:
    house, person = house_of(request), known(request)
    live, place = await house.seat(seat, person)
    return Links(**await house.links_of(live, place, person))


@get("/seats/{seat:str}/why", summary="What your seat cannot do now, and by which rule")
async def why(request: Request[Any, Any, Any], seat: SeatId) -> list[dict[str, Any]]:
    live, place = await house_of(request).seat(seat, known(request))
    return live.play.why_not(place.number) if live.play and live.row.status == "running" else []


@get("/seats/{seat:str}/log", summary="The whole log, as your seat may know it: pairs of rule and words")
async def whole_log(request: Request[Any, Any, Any], seat: SeatId) -> list[list[str]]:
    live, place = await house_of(request).seat(seat, known(request))
    return live.play.log(place.number) if live.play else []


@post("/seats/{seat:str}/hint", status_code=200, summary="What a bot would do that knows what you know")
async def hint(request: Request[Any, Any, Any], seat: SeatId) -> dict[str, Any]:
    live, place = await house_of(request).seat(seat, known(request))
    return await hinted(request, live, place)


async def hinted(request: Request[Any, Any, Any], live: Live, place: SeatRow) -> dict[str, Any]:
    """An option as a bot would choose it, for the wire, with its name."""
    if live.play is None or place.number not in live.play.asked:
        raise No("You are not asked anything now.")
    hold_back(request, "hint")
    number = live.stands(place.number).number
    body = await house_of(request).keeper.hint(live, place.number)
    if live.stands(place.number).number != number:
        raise No("The match has moved on.")
    return {"option": live.play.wire(place.number, body), "name": live.play.name(place.number, body)}


@post("/seats/{seat:str}/answers", status_code=200, summary="Answer what your seat is asked")
async def answer(
    request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[Answer]
) -> Response[Accepted | Duplicate | Refused | Stale]:
    began = time.perf_counter()
    live, place = await house_of(request).seat(seat, known(request))
    reply = await submitted(request, live, place, data, began)
    content, status = worded(live, place, reply)
    return Response(content, status_code=status, media_type="application/json")


async def submitted(
    request: Request[Any, Any, Any], live: Live, place: SeatRow, data: Answer, began: float
) -> Reply:
    """Submit an answer; counted by what became of it, with the time since its arrival."""
    kind = "failed"
    try:
        hold_back(request, "answer")
        reply = await live.submit(place.number, data.key, data.number, data.option)
        kind = reply.kind
        return reply
    except TooFast:
        kind = "limited"
        raise
    finally:
        house_of(request).metrics.answered(kind, time.perf_counter() - began)


def worded(live: Live, place: SeatRow, reply: Reply) -> tuple[Any, int]:
    """A reply for the wire."""
    if reply.kind == "stale":
        body = b'{"reply":"stale","number":%d,"state":%b}' % (reply.number, frame.state(live, place))
        return body, 409
    if reply.kind == "refused":
        return Refused(reply.number, reply.why, reply.rule), 422
    return (Accepted if reply.kind == "accepted" else Duplicate)(reply.number), 200


@post("/seats/{seat:str}/start", status_code=200, summary="Begin the match; the host does")
async def start(request: Request[Any, Any, Any], seat: SeatId) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    host_only(place)
    await live.begin()


@post("/seats/{seat:str}/proposals", status_code=200, summary="Propose to undo, or to call the match off")
async def propose(request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[Proposal]) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    await live.propose(place.number, data.what)


@post("/seats/{seat:str}/consent", status_code=200, summary="Agree or not to what was proposed")
async def consent(request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[Consent]) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    await live.consent(place.number, data.yes)


@post("/seats/{seat:str}/concede", status_code=200, summary="Give the match up")
async def concede(request: Request[Any, Any, Any], seat: SeatId) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    await live.concede(place.number)


@post(
    "/seats/{seat:str}/leave", status_code=200, summary="Leave: the seat is free again, or a bot plays it on"
)
async def leave(request: Request[Any, Any, Any], seat: SeatId) -> None:
    house = house_of(request)
    live, place = await house.seat(seat, known(request))
    await live.leave(place)


@post("/seats/{seat:str}/bot", status_code=200, summary="Let a bot play for you, or play again yourself")
async def hand_over(request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[HandOver]) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    await live.hand_over(place, checked_bot(data.bot))


@post(
    "/seats/{seat:str}/substitute",
    status_code=200,
    summary="Seat a bot for somebody else: the host before the match, anybody when they are gone too long",
)
async def substitute(request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[Substitute]) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    await live.substitute(place, other_seat(live, data.number), checked_bot(data.bot))


@post("/seats/{seat:str}/orders", status_code=200, summary="Your standing order for reaction windows")
async def orders(request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[Orders]) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    await live.give_order(place, data.windows)


@post("/seats/{seat:str}/remove", status_code=200, summary="Take a seat from somebody; the host does")
async def remove(request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[Substitute]) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    host_only(place)
    await live.remove(place, other_seat(live, data.number))


@post("/seats/{seat:str}/mute", status_code=200, summary="Mute somebody; the host does")
async def mute(request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[Mute]) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    host_only(place)
    await live.change(other_seat(live, data.number), muted=data.muted)


@post("/seats/{seat:str}/chat", summary="Say something at the table")
async def say(request: Request[Any, Any, Any], seat: SeatId, data: JSONBody[Saying]) -> None:
    live, place = await house_of(request).seat(seat, known(request))
    hold_back(request, "words")
    await live.say(place.name or "Guest", place, data.words)


@post("/seats/{seat:str}/rematch", status_code=200, summary="The same again, at a new table")
async def rematch(request: Request[Any, Any, Any], seat: SeatId) -> dict[str, str]:
    house = house_of(request)
    live, place = await house.seat(seat, known(request))
    hold_back(request, "table")
    return {"table": await house.rematch(live, place)}


@get("/events", summary="Server-sent events: what changes at your tables, and at those you watch")
async def events(
    request: Request[Any, Any, Any],
    watch: Annotated[str, QueryParameter(max_length=2000, description="Tables to watch, with commas.")] = "",
    states: Annotated[
        bool, QueryParameter(description="Send what your seats see, not only that it changed.")
    ] = False,
) -> StreamResponse:
    house, person = house_of(request), person_of(request)
    watched = {table for table in watch.split(",") if _TABLE.match(table)}

    async def lines() -> Any:
        # Listening first, then looking where they sit: a seat taken meanwhile is not missed.
        stream = house.hub.open(person.hash, watched, states)
        house.metrics.set("talion_streams", len(house.hub))
        try:
            for live, seat in await house.seats_of(person.hash):
                if live.seen:
                    news, state = live.news(seat.number + 1)
                    stream.put("match", seat.id, text(news, state if states else None))
            async for part in stream.lines():
                yield part
        finally:
            house.hub.close(person.hash, stream)
            house.metrics.set("talion_streams", len(house.hub))

    headers = {"x-accel-buffering": "no"}
    return StreamResponse(lines(), media_type="text/event-stream", headers=headers)


def _json(body: bytes) -> Response[dict[str, Any]]:
    return Response(body, media_type="application/json")  # type: ignore[arg-type]


ROUTES = [
    list_games, list_tables, open_table, watch_table, take_seat, watcher_says, list_seats, see, links, why, whole_log, hint, answer, start,
    propose, consent, concede, leave, hand_over, substitute, orders, remove, mute, say, rematch, events,
]  # fmt: skip


def router() -> Router:
    # Not one of the framework's guards, for each of which it copies the route; and not a look at the address before the
    # routes are found, for //api is /api to them.
    return Router("/api", route_handlers=ROUTES, before_request=guarded)
