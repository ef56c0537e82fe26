"""The app: routes, errors, pages, health, metrics, and the description of the API."""

from __future__ import annotations

import importlib
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.config.app import AppConfig
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp
from sqlalchemy.exc import DBAPIError

from talion import __version__, drawing
from talion.table import api, lobby, pages, rendering, replay
from talion.table.asking import api_of
from talion.table.door import Door
from talion.table.house import House
from talion.table.refusal import Refusal, TooFast
from talion.table.rooms import Room
from talion.table.settings import Settings
from talion.table.writer import Busy

log = logging.getLogger("talion.table")
HERE = Path(__file__).parent
FONTS = Path(drawing.__file__).parent / "fonts"


def build(settings: Settings) -> ASGIApp:
    """The whole served table as one ASGI app."""
    house = House(settings)
    rooms: list[Room] = [importlib.import_module(name).room(house) for name in settings.rooms]

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        await house.start()
        _end_streams_on_signal(house)
        try:
            yield
        finally:
            for room in rooms:
                await room.stop()
            await house.stop()

    app = Litestar(
        route_handlers=[
            api.router(),
            lobby.router(),
            pages.router(),
            replay.router(),
            *(room.router for room in rooms),
            health,
            metrics,
            description,
            create_static_files_router(
                "/static",
                directories=[HERE / "static", *(room.folder / "static" for room in rooms)],
                cache_control=CacheControlHeader(max_age=300),
            ),
            create_static_files_router(
                "/fonts", directories=[FONTS], name="fonts", cache_control=CacheControlHeader(max_age=86400)
            ),
        ],
        lifespan=[lifespan],
        exception_handlers=SAY,  # type: ignore[arg-type]
        request_max_body_size=settings.limits.body,
        openapi_config=OpenAPIConfig(
            title="Talion",
            version=__version__,
            description="Open a table, take a seat, see what it sees, answer, follow events.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        on_app_init=[_nothing_more],
    )
    app.state.house = house
    app.state.pages = rendering.Pages(settings, house.catalogue, rooms)
    door = Door(app, house, told_at_the_door)
    app.state.door = door
    return door


def _nothing_more(config: AppConfig) -> AppConfig:
    """We log requests ourselves, without addresses."""
    config.logging_config = None
    return config


def _end_streams_on_signal(house: House) -> None:
    """The server waits for open replies before it stops, and a stream never ends by itself: end them at once."""
    for name in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(name)

        def stop(number: int, at: Any, before: Any = before) -> None:
            house.hub.stop()
            if callable(before):
                before(number, at)

        try:
            signal.signal(name, stop)
        except ValueError:  # not in the main thread, as in tests
            return


# ---------------------------------------------------------------------- errors


def _wants_page(request: Request[Any, Any, Any]) -> bool:
    return not request.scope["path"].startswith("/api")


def _problem(request: Request[Any, Any, Any], status: int, why: str, rule: str = "") -> Response[Any]:
    if _wants_page(request):
        return rendering.problem(request, status, why, rule)
    return Response(api.Problem(why, rule), status_code=status, media_type="application/json")


def say_no(request: Request[Any, Any, Any], refusal: Refusal) -> Response[Any]:
    reply = _problem(request, refusal.status, refusal.why, refusal.rule)
    if isinstance(refusal, TooFast):
        reply.headers["retry-after"] = str(int(refusal.wait) + 1)
    return reply


def say_busy(request: Request[Any, Any, Any], _: Busy) -> Response[Any]:
    return _problem(request, 503, "The house is very busy; try again in a moment.")


def say_not_written(request: Request[Any, Any, Any], error: DBAPIError) -> Response[Any]:
    """A full disk, a locked file, a database that is gone: nothing was done, and nothing is lost."""
    log.error("the database could not be used", exc_info=error)
    why = "The house cannot write anything down just now, so that was not done. Your move is still yours: try again in a moment."
    return _problem(request, 503, why)


def told_at_the_door(app: Litestar, scope: Any, problem: Exception) -> ASGIApp:
    """What a request comes to that fails before a route was looked for: a page for a page, JSON for the API."""
    scope["litestar_app"] = app
    request: Request[Any, Any, Any] = Request(scope)
    say: Any = next(SAY[kind] for kind in type(problem).__mro__ if kind in SAY)
    reply: Response[Any] = say(request, problem)
    return reply.to_asgi_response(None, request)


def say_too_slow(request: Request[Any, Any, Any], _: TimeoutError) -> Response[Any]:
    return _problem(request, 408, "That did not arrive whole; send it again.")


def say_too_deep(request: Request[Any, Any, Any], _: RecursionError) -> Response[Any]:
    return _problem(request, 400, "That is nested too deep.")


def say_unfit(request: Request[Any, Any, Any], error: msgspec.DecodeError) -> Response[Any]:
    return _problem(request, 400, f"That cannot be read: {error}.")


def say_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    extra = error.extra if isinstance(error.extra, list) else []
    details = "; ".join(f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if item)
    known = {
        404: "There is nothing here.",
        405: "That cannot be done here.",
        413: "That is too large to be sent.",
    }
    why = known.get(error.status_code, error.detail)
    return _problem(request, error.status_code, f"{why} {details}".strip())


def say_failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    log.error("a request failed", exc_info=error, extra={"route": request.scope.get("path_template")})
    return _problem(request, 500, "Something went wrong here; it has been noted.")


SAY: dict[type, Any] = {
    Refusal: say_no,
    Busy: say_busy,
    DBAPIError: say_not_written,
    RecursionError: say_too_deep,
    TimeoutError: say_too_slow,
    msgspec.DecodeError: say_unfit,
    HTTPException: say_error,
    Exception: say_failed,
}
"""What somebody is told of what went wrong, by its kind."""

# ---------------------------------------------------------------------- for hosts


@get("/health", include_in_schema=False)
async def health(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Green if this process can serve; red while it cannot hear the others or cannot write. People can play while its bots
    cannot think, so that is said and turns nothing red."""
    house: House = request.app.state.house
    writes = await house.can_write()
    well = house.healthy and writes
    found = {"ok": well, "writes": writes, "bots": not house.keeper.workers.failing, "version": __version__}
    return Response(found, status_code=200 if well else 503)


@get("/api/openapi.json", include_in_schema=False, sync_to_thread=False)
def description(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """The API, for programs."""
    return api_of(request)


@get("/metrics", include_in_schema=False, sync_to_thread=False, media_type="text/plain; version=0.0.4")
def metrics(request: Request[Any, Any, Any]) -> str:
    house: House = request.app.state.house
    return house.metrics.page()
