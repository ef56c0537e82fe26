"""Requests that are begun and not sent to their end are dropped after some seconds: nobody keeps connections for nothing."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar.types import Receive
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

SECONDS = 10.0


class Impatient(HttpToolsProtocol):
    """Uvicorn's own protocol, for connections whose request's head does not come."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        if self._waiting is None and (self.cycle is None or self.cycle.response_complete):
            self._wait()
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        self.transport.close()


def soon(receive: Receive) -> Receive:
    """The same, for a request's body: whatever of it does not come within seconds is not waited for."""
    if getattr(getattr(receive, "__self__", None), "more_body", True) is False:  # uvicorn has all of it
        return receive
    whole, until = False, asyncio.get_running_loop().time() + SECONDS

    async def received() -> Any:
        nonlocal whole
        if whole:  # what comes now is that somebody has gone
            return await receive()
        async with asyncio.timeout_at(
            until
        ):  # for all of it: whoever sends a letter now and then sends too slowly
            message = await receive()
        whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return received
