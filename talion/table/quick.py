"""Answering, without the framework's way to a route: that way costs more than the answer itself, and programs do nothing else all
day. The API's own route describes it, and takes whatever does not look just as it should."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import Receive, Send

from talion.table import acts, api
from talion.table.acts import Asker

if TYPE_CHECKING:
    from talion.table.house import House

_PATH = re.compile(r"/api/seats/(t[0-9a-f]{8,40}-t[0-9a-f]{4,16})/answers")
_JSON = (b"content-type", b"application/json")
_read = msgspec.json.Decoder(acts.Answer).decode
_write = msgspec.json.Encoder().encode


def seat_of(scope: Any) -> str | None:
    """The seat that a request answers for, if it is one of a program with a token, as most are."""
    if scope["method"] != "POST" or scope["state"]["known_by"] != "bearer" or _JSON not in scope["headers"]:
        return None
    found = _PATH.fullmatch(scope["path"])
    return found[1] if found else None


async def answer(house: House, seat: str, scope: Any, receive: Receive, send: Send) -> None:
    """Read the answer, submit it, and reply. Raises what the route would."""
    scope["path_template"] = "/api/seats/{seat:str}/answers"
    given = _read(await _whole(receive, house.settings.limits.body))
    state = scope["state"]
    at = await Asker(house, state["person"], True, state["address"]).at(seat)
    content, status = api.worded(at.live, at.place, await acts.answer.do(at, given))
    body = content if isinstance(content, bytes) else _write(content)
    headers = [_JSON, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _whole(receive: Receive, most: int) -> bytes:
    """A request's body."""
    body, more = b"", True
    while more:
        message: Any = await receive()
        if message["type"] != "http.request":  # they have gone
            raise TimeoutError
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise RequestEntityTooLarge
    return body
