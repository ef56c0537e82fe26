"""Playing real matches on a server from outside, many at once, by people who are this program: how long replies take.

A visitor has one connection to ask by and one stream to see by, as a program at the API has, or a browser. Each comes from
an address of its own, as a proxy would say it: a server that trusts us as one holds nobody back who plays at a person's pace.
"""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import random
import re
import ssl
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import urlencode, urlsplit

from talion.table.tokens import new_token

LONGEST_WAIT = 30.0
LONGEST_KEPT = 30.0
"""Seconds after which a connection that nothing went over is not used again: servers close such ones."""
LARGEST_LINE = 2**22
_GUARD = re.compile(rb'name="guard" content="([^"]+)"')
_TABLE = re.compile(r'id="table" class="([^"]*)"[^>]*? data-number="(\d+)"[^>]*? data-asked="(yes|no)"')
_OPTION = re.compile(r'name="option" value="([^"]*)"(?![^>]* class="[^"]*\bstanding\b)')
"""What is asked; not what may be done at any time, such as conceding."""
_LINES = re.compile(r'data-lines="(\d+)"')
_addresses = itertools.count()


@dataclass
class Tally:
    """What was seen: how long each reply took, how long until the others saw it, what went wrong."""

    replies: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    held_back: int = 0
    matches: int = 0
    errors: dict[str, int] = field(default_factory=dict)

    def fault(self, what: str) -> None:
        self.errors[what] = self.errors.get(what, 0) + 1

    def data(self) -> dict[str, Any]:
        return {
            "answers": len(self.replies),
            "matches_over": self.matches,
            "reply_ms": quantiles(self.replies),
            "seen_ms": quantiles(self.seen),
            "held_back": self.held_back,
            "errors": self.errors,
        }


def quantiles(seconds: list[float]) -> dict[str, float]:
    """The middle, and what one in twenty and one in a hundred had to wait, in milliseconds."""
    sorted_ = sorted(seconds) or [0.0]
    return {
        f"p{part}": round(1000 * sorted_[min(len(sorted_) - 1, len(sorted_) * part // 100)], 1)
        for part in (50, 95, 99)
    }


class Trouble(Exception):  # noqa: N818 - somebody's, not ours
    """The server did not reply, or not as it should."""


class Server:
    """Where the house is, and what it uses."""

    def __init__(self, url: str) -> None:
        found = urlsplit(url if "//" in url else f"http://{url}")
        self.host = found.hostname or "127.0.0.1"
        self.secure = ssl.create_default_context() if found.scheme == "https" else None
        self.port = found.port or (443 if self.secure else 80)
        self.base = found.path.rstrip("/")

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.host, self.port, ssl=self.secure, limit=LARGEST_LINE)

    async def uses(self) -> tuple[float, float] | None:
        """Seconds of CPU so far and bytes of memory now, of all its processes; none if it does not say."""
        asking = Visitor(self)
        try:
            _, page = await asking.request("GET", "/metrics")
        except Trouble:
            return None
        finally:
            asking.close()
        found = dict(line.rsplit(" ", 1) for line in page.decode().splitlines() if not line.startswith("#"))
        cpu, memory = found.get("process_cpu_seconds_total"), found.get("process_resident_memory_bytes")
        return (float(cpu), float(memory)) if cpu and memory else None


class Visitor:
    """Somebody who asks, and follows what happens, by the API."""

    def __init__(self, server: Server) -> None:
        self.server = server
        number = next(_addresses) % 2**16
        self._lines = [f"host: {server.host}", f"x-forwarded-for: 198.18.{number // 256}.{number % 256}"]
        # Also who only watches has a token: all without one at an address are one person, who may have so many streams.
        self.known = [f"authorization: Bearer {new_token()}"]
        self.held_back = 0
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0
        self._following: asyncio.Task[None] | None = None
        self._asking = asyncio.Lock()
        self.replied: dict[str, str] = {}
        """The headers of the last reply."""

    def close(self) -> None:
        if self._following:
            self._following.cancel()
            self._following = None
        if self._connection:
            self._connection[1].close()
            self._connection = None

    def sit(self) -> None:
        """At a new table."""

    @property
    def follows(self) -> bool:
        return self._following is not None

    def _head(self, method: str, path: str, *more: str) -> bytes:
        lines = [f"{method} {self.server.base}{path} HTTP/1.1", *self._lines, *more]
        return "\r\n".join([*lines, *self.known]).encode() + b"\r\n\r\n"

    async def request(
        self, method: str, path: str, body: bytes = b"", kind: str = "application/json", *more: str
    ) -> tuple[int, bytes]:
        """One request by the connection that is kept, and the reply whole."""
        async with self._asking:
            return await self._request(method, path, body, kind, *more)

    async def _request(self, method: str, path: str, body: bytes, kind: str, *more: str) -> tuple[int, bytes]:
        if self._connection and time.monotonic() - self._used > LONGEST_KEPT:
            self._connection[1].close()
            self._connection = None
        if self._connection is None:
            self._connection = await self.server.connect()
        self._used = time.monotonic()
        reader, writer = self._connection
        head = self._head(method, path, f"content-length: {len(body)}", f"content-type: {kind}", *more)
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                writer.write(head + body)
                status, headers = await _read_head(reader)
                text = b"".join([part async for part in _body(reader, headers)])
        except (OSError, EOFError, TimeoutError, ValueError) as problem:
            self._connection = None
            writer.close()
            raise Trouble(type(problem).__name__) from None
        if status >= 500:
            raise Trouble(f"status {status}")
        self.replied = headers
        return status, gzip.decompress(text) if headers.get("content-encoding") == "gzip" else text

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Something of the API, as data; waits if it is told to, and asks again."""
        data = b"" if body is None else json.dumps(body).encode()
        for _ in range(60):
            status, text = await self.request(method, path, data)
            if status != 429:
                break
            self.held_back += 1
            await asyncio.sleep(float(self.replied.get("retry-after", 1)))
        found = json.loads(text) if text else None
        if status >= 400 and not (isinstance(found, dict) and "reply" in found):
            raise Trouble(f"status {status}: {(found or {}).get('why', '')}")
        return found

    def follow(self, match: Playing, watch: str = "") -> None:
        """Read the news from now on, and hand them to the match."""
        self._following = asyncio.create_task(self._follow(match, watch))

    async def _follow(self, match: Playing, watch: str) -> None:
        path = f"/api/events?{self.streams}{f'&watch={watch}' if watch else ''}"
        while True:
            try:
                reader, writer = await self.server.connect()
                try:
                    writer.write(self._head("GET", path))
                    _, headers = await _read_head(reader)
                    async for line in _lines(_body(reader, headers)):
                        if line.startswith(b"data: {") and b'"of"' in line:
                            match.hear(self, json.loads(line[6:]))
                finally:
                    writer.close()
            except (OSError, EOFError, ValueError):
                pass
            match.tally.fault("a stream ended")
            await asyncio.sleep(0.5)

    streams = "states=true"

    async def look(self, seat: str, news: dict[str, Any]) -> Look:
        """How a seat stands."""
        state = news.get("state") or await self.ask("GET", f"/api/seats/{seat}")
        ask = (state["match"] or {}).get("ask") or {"options": []}
        running = state["table"]["status"] in ("seating", "running")
        return Look(state["number"], [offer["option"] for offer in ask["options"]], running)

    async def answer(self, seat: str, key: str, number: int, option: Any) -> str:
        """What became of an answer."""
        given = {"key": key, "number": number, "option": option}
        reply = await self.ask("POST", f"/api/seats/{seat}/answers", given)
        return str(reply["reply"])


@dataclass(frozen=True)
class Look:
    """How a seat stands: at which number, with which options, and whether the match goes on."""

    number: int
    options: list[Any]
    running: bool


class Browser(Visitor):
    """Somebody with a browser: fetches the page when there is news, and what happened to play it out; answers by a form."""

    streams = ""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self._guard = ""
        self._looking = asyncio.Lock()
        self.known = []
        self.sit()

    def sit(self) -> None:
        self._lines_told = 0
        self._page = Look(-1, [], True)

    async def come_in(self) -> None:
        """As whoever opens the address for the first time."""
        _, page = await self.request("GET", "/")
        self.known = ["cookie: " + self.replied.get("set-cookie", "").partition(";")[0]]
        _, page = await self.request("GET", "/")
        guard = _GUARD.search(page)
        if guard is None:
            raise Trouble("a page without a guard")
        self._guard = unescape(guard[1].decode())
        self._lines.append(f"x-talion-guard: {self._guard}")

    async def page(self, path: str) -> Look:
        """Fetch a page as the script does, with what happened since the last one."""
        address = f"{path}{'&' if '?' in path else '?'}since={self._lines_told or ''}"
        return self._read(*await self.request("GET", address, b"", "text/html", "accept-encoding: gzip"))

    def _read(self, status: int, body: bytes) -> Look:
        """How one stands by a page of the table."""
        text = body.decode()
        stand, told = _TABLE.search(text), _LINES.search(text)
        if stand is None:
            raise Trouble(f"a page that is no table, status {status}")
        self._lines_told = int(told[1]) if told else 0
        options = [json.loads(unescape(option)) for option in _OPTION.findall(text)]
        running = "ended" not in stand[1].split()
        self._page = Look(int(stand[2]), options if stand[3] == "yes" else [], running)
        return self._page

    async def look(self, seat: str, news: dict[str, Any]) -> Look:
        async with self._looking:
            if news and news["number"] <= self._page.number:
                return self._page
            return await self.page(f"/seats/{seat}" if "-" in seat else f"/tables/{seat}?watch")

    async def answer(self, seat: str, key: str, number: int, option: Any) -> str:
        said = {"guard": self._guard, "number": number, "option": json.dumps(option, separators=(",", ":"))}
        form = urlencode({**said, "confirmed": "yes"}).encode()
        kind = "application/x-www-form-urlencoded"
        path = f"/seats/{seat}/answer?since={self._lines_told or ''}"
        status, body = await self.request("POST", path, form, kind, "accept-encoding: gzip")
        if status >= 400:
            return "refused"
        self._read(status, body)
        return "stale" if b"Too late" in body else "accepted"


class Playing:
    """One table after the other, by the same people, with somebody who watches."""

    def __init__(
        self,
        people: list[Visitor],
        watcher: Visitor | None,
        game: dict[str, Any],
        tally: Tally,
        seed: int,
        bot: str = "",
    ) -> None:
        self.people, self.watcher, self.game, self.tally, self.bot = people, watcher, game, tally, bot
        self.random = random.Random(seed)
        self.given = 0
        self._fetching: set[asyncio.Task[None]] = set()
        self._fresh()

    def _fresh(self) -> None:
        self.seats: dict[str, Visitor] = {}
        self.table = ""
        self._news: dict[str, dict[str, Any]] = {}
        self._answered: dict[str, int] = {}
        self._told = asyncio.Event()
        self._sent: tuple[float, Visitor] | None = None

    async def open(self) -> None:
        """A new table, with everybody at it."""
        self._fresh()
        ann, *others = self.people
        seats = ["me", *("open" for _ in others), *([self.bot] if self.bot else ())]
        opened = await ann.ask("POST", "/api/tables", {"game": self.game["key"], "seats": seats})
        self.table = opened["table"]
        self._sit(ann, opened["seats"][0])
        for other in others:
            taken = await other.ask("POST", f"/api/tables/{self.table}/seats", {"invite": opened["invite"]})
            self._sit(other, taken["seat"])
        for person in self.people:
            if not person.follows:
                person.follow(self)
        if others:
            await ann.ask("POST", f"/api/seats/{opened['seats'][0]}/start")
        if self.watcher is not None:
            self.watcher.close()
            self.watcher.follow(self, self.table)

    def _sit(self, person: Visitor, seat: str) -> None:
        person.sit()
        self.seats[seat] = person
        self._news[seat] = {}

    def hear(self, who: Visitor, news: dict[str, Any]) -> None:
        """News arrived at somebody's."""
        now = time.perf_counter()
        if self._sent is not None and self._sent[1] is not who and "number" in news:
            self.tally.seen.append(now - self._sent[0])
            self._sent = None
        if "number" in news and news["of"] in self.seats:
            self._news[news["of"]] = news
            self._told.set()
        if isinstance(who, Browser) and "number" in news and news["of"] in (self.table, *self.seats):
            task = asyncio.get_running_loop().create_task(self._fetch(who, news))
            self._fetching.add(task)
            task.add_done_callback(self._fetching.discard)

    async def _fetch(self, who: Browser, news: dict[str, Any]) -> None:
        """A browser looks whenever there is news."""
        try:
            await who.look(news["of"], news)
        except Trouble as problem:
            self.tally.fault(str(problem))

    async def play(self, rate: float, until: float, most: int = 10**9) -> None:
        """So many answers a second (0: as many as can be), until that time or so many answers; one match after the other."""
        due = time.monotonic() + (self.random.random() / rate if rate else 0.0)
        given = 0
        while time.monotonic() < until and given < most:
            if rate:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
            try:
                done = await self._step(until)
            except Trouble as problem:
                self.tally.fault(str(problem))
                await asyncio.sleep(0.2)
                done = True
            if done:
                given += 1
                due = max(due + 1 / rate, time.monotonic()) if rate else 0.0

    async def _step(self, until: float) -> bool:
        """Somebody answers; or it is waited for news, or for a new table."""
        if not self.table:
            await self.open()
        self._told.clear()
        for seat in self.random.sample(list(self.seats), len(self.seats)):
            person = self.seats[seat]
            look = await person.look(seat, self._news[seat])
            if not look.running:
                self.tally.matches += 1
                await self.open()
                return False
            if look.options and look.number > self._answered.get(seat, -1):
                await self._answer(seat, person, look)
                return True
        try:
            async with asyncio.timeout(max(0.01, min(5.0, until - time.monotonic()))):
                await self._told.wait()
        except TimeoutError:
            self._news = {seat: {} for seat in self._news}  # look for oneself
        return False

    async def _answer(self, seat: str, person: Visitor, look: Look) -> None:
        self.given += 1
        sent = time.perf_counter()
        self._sent = sent, person
        option = self.random.choice(look.options)
        reply = await person.answer(seat, f"k{self.given}", look.number, option)
        if reply in ("accepted", "duplicate"):
            self.tally.replies.append(time.perf_counter() - sent)
            self._answered[seat] = look.number
        else:
            self._sent, self._news[seat] = None, {}
            if reply == "refused":
                self.tally.fault("refused")

    def close(self) -> None:
        for person in (*self.people, *([self.watcher] if self.watcher else ())):
            person.close()


# ---------------------------------------------------------------------- the wire


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    return int(first.split(" ")[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def _lines(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Whole lines, wherever what came was cut: a proxy cuts where it likes."""
    rest = b""
    async for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            yield line


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> AsyncIterator[bytes]:
    """The body of a reply, in the pieces in which it was sent."""
    if headers.get("transfer-encoding") != "chunked":
        yield await reader.readexactly(int(headers.get("content-length", 0)))
        return
    while size := int((await reader.readline()) or b"0", 16):
        yield (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
