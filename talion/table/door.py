"""The door: who is asking, whether they may ask so often, and what every reply carries. Plain ASGI."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

from litestar import Litestar
from litestar.types import ASGIApp, Message, Receive, Send

from talion.table import quick
from talion.table.house import House
from talion.table.limits import neighbourhood
from talion.table.packed import packing
from talion.table.patience import soon
from talion.table.refusal import Refusal, TooFast
from talion.table.tokens import Person, new_token

log = logging.getLogger("talion.table")
COOKIE = "talion"
YEAR = 365 * 86400
QUIET = ("/health", "/metrics", "/static/")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


_HOST = re.compile(rb"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::([0-9]{1,5}))?")


def _looks_right(scope: Any) -> bool:
    """Whether the host that was asked for could be one, and is not two: links are made of it."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if not hosts:
        return True
    found = _HOST.fullmatch(hosts[0])
    return len(hosts) == 1 and found is not None and int(found[1] or 0) < 65536


async def _refuse(send: Send, status: int, words: bytes) -> None:
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(words)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words, "more_body": False})


class Door:
    """Stands before the app; every request and every reply passes it."""

    def __init__(
        self, app: Litestar, house: House, told: Callable[[Litestar, Any, Exception], ASGIApp]
    ) -> None:
        self._app = app
        self._house = house
        self._told = told
        self._prefix = house.settings.root_path.rstrip("/")

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._strip_prefix(scope)
        if not _looks_right(scope):
            await _refuse(send, 400, b"The Host header of this request is not a host's name.\n")
            return
        if scope["method"] == "HEAD" and not scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # whose body the server then does not send
        path, began = scope["path"], time.perf_counter()
        person, kind = self._person(scope)
        fresh = person is None
        person = person or Person(new_token())
        client = scope.get("client")  # behind a proxy that is trusted: whom it forwards for
        address = neighbourhood(client[0]) if client else "?"
        scope.setdefault("state", {}).update(person=person, known_by=kind, address=address)
        status, send = 500, packing(scope, send)

        async def reply(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), *HEADERS]
                if not any(name == b"cache-control" for name, _ in headers):  # what may be kept says so
                    headers.append((b"cache-control", b"no-store"))
                    if fresh and scope["method"] == "GET" and not path.startswith(("/api/", *QUIET)):
                        headers.append((b"set-cookie", self.cookie(scope, person).encode()))
                message["headers"] = headers
            await send(message)

        if refusal := self._refusal(path, None if fresh else person.hash, address):
            await self._told(self._app, scope, refusal)(scope, receive, reply)
        elif seat := quick.seat_of(scope):
            try:
                await quick.answer(self._house, seat, scope, soon(receive), reply)
            except Exception as problem:
                await self._told(self._app, scope, problem)(scope, receive, reply)
        else:
            received = soon(receive)
            await self._app(scope, received, reply)
            if goes_on := scope["state"].pop("goes_on", None):
                await goes_on(received, reply)
        self._note(scope, status, time.perf_counter() - began)

    def _refusal(self, path: str, person: str | None, address: str) -> Refusal | None:
        """Why somebody may not come in now: they are kept out, or too fast."""
        if path.startswith(QUIET):
            return None
        if why := self._house.bans.why(person or "", address):
            return Refusal(why, status=403)
        wait = self._house.gate.wait("request", person, address)
        return TooFast(wait) if wait else None

    def cookie(self, scope: Any, person: Person) -> str:
        """The cookie that makes a browser this person."""
        secure = "; Secure" if self._house.settings.secure or scope.get("scheme") == "https" else ""
        path = self._prefix or "/"
        seal = self._house.signer.seal(person)
        return f"{COOKIE}={seal}; Path={path}; Max-Age={YEAR}; HttpOnly; SameSite=Lax{secure}"

    def _strip_prefix(self, scope: Any) -> None:
        """Under a sub-path a proxy may or may not have cut the prefix off: both work."""
        path = scope["path"]
        if self._prefix and (path == self._prefix or path.startswith(self._prefix + "/")):
            scope["path"] = path[len(self._prefix) :] or "/"
            scope["raw_path"] = scope["path"].encode()

    def _person(self, scope: Any) -> tuple[Person | None, str]:
        """Whose token the request carries, and how it was carried."""
        cookie = ""
        for name, value in scope["headers"]:
            if name == b"authorization" and value[:7].lower() == b"bearer ":
                token = value[7:].decode("latin-1").strip()
                return (Person(token), "bearer") if token else (None, "")
            if name == b"cookie":
                cookie = value.decode("latin-1")
        if not cookie:
            return None, ""
        try:
            morsel = SimpleCookie(cookie).get(COOKIE)
        except CookieError:
            return None, ""
        person = self._house.signer.open(morsel.value) if morsel else None
        return person, "cookie" if person else ""

    def _note(self, scope: Any, status: int, seconds: float) -> None:
        """One line for each request: the route's pattern, never the address, which may hold a link's secret."""
        self._house.metrics.add("talion_requests_total")
        if status >= 500:
            self._house.metrics.add("talion_errors_total")
        if scope["path"].startswith(QUIET):
            return
        route = scope.get("path_template") or "?"
        facts = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        log.info("request", extra=facts)
