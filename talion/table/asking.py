"""Who sent a request, to which house: what both skins over the acts need of HTTP."""

from __future__ import annotations

from typing import Any

from litestar import Request

from talion.table.acts import Asker
from talion.table.house import House
from talion.table.tokens import Person

Asked = Request[Any, Any, Any]


def house_of(request: Asked) -> House:
    house: House = request.app.state.house
    return house


def asker(request: Asked) -> Asker:
    """Who sent a request. The door has seen to it who that is."""
    state = request.scope["state"]
    return Asker(house_of(request), state["person"], bool(state["known_by"]), state["address"])


def api_of(request: Asked) -> dict[str, Any]:
    """The API described. That is long in the making, and stays the same."""
    state = request.app.state
    if "api" not in state:
        state.api = request.app.openapi_schema.to_schema()
    found: dict[str, Any] = state.api
    return found


def person_of(request: Asked) -> Person:
    return asker(request).person


def known(request: Asked) -> Person:
    """The person of a token the request carried."""
    return asker(request).must_be_known()
