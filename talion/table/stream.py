"""Live updates: one stream of server-sent events per browser, whatever the number of its tabs and tables."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from litestar.types import HTTPResponseBodyEvent, Receive, Send

HEARTBEAT = 15.0
RETRY_MS = 1500
TOO_MANY = "there are too many streams to your address"
_encode = msgspec.json.Encoder().encode


class Held(NamedTuple):
    """A stream as other processes know it: whose, from where, since when."""

    person: str
    address: str
    since: float


class Stream:
    """One browser's stream. News about one thing replaces older news about it that was not sent yet."""

    def __init__(self, watched: set[str], states: bool = False, address: str = "") -> None:
        self.address = address
        self.since = time.time()
        self.watched = watched
        self.states = states
        self._news: dict[tuple[str, str], bytes] = {}
        self._waiting: asyncio.Future[None] | None = None
        self.ending: str | None = None
        self._ended = False

    def put(self, kind: str, topic: str, data: bytes) -> None:
        self._news[kind, topic] = data
        self._wake()

    def end(self, why: str) -> None:
        self.ending = why
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def send(self, receive: Receive, send: Send, heartbeat: float = HEARTBEAT) -> None:
        """To its reader, until it is ended or the reader has gone. While it waits it holds nothing of what was sent."""
        listening = asyncio.create_task(self._end_with_reader(receive))
        self._beat(heartbeat)
        try:
            await send(_piece(b"retry: %d\n\n" % RETRY_MS))
            while not self._ended:
                await send(_piece(await self._more()))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._beating.cancel()
            listening.cancel()

    async def _end_with_reader(self, receive: Receive) -> None:
        with suppress(TimeoutError):  # of what they asked something never came
            while (await receive())["type"] != "http.disconnect":
                pass
        self.end("you have gone")

    async def _more(self) -> bytes:
        """What is new; where nothing is for some time, a sign of life; and at last a goodbye."""
        if not self._news and self.ending is None:
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        news, self._news = self._news, {}
        if news:
            return b"".join([_event(kind, data) for (kind, _), data in news.items()])
        if self.ending is not None:
            self._ended = True
            return b"retry: %d\n%b" % (RETRY_MS, _event("bye", text({"why": self.ending})))
        return b": still here\n\n"

    def _beat(self, heartbeat: float) -> None:
        """Wake the stream from time to time, news or not: a timer that begins anew with each news would cost more than they do."""
        self._beating = asyncio.get_running_loop().call_later(heartbeat, self._wakes, heartbeat)

    def _wakes(self, heartbeat: float) -> None:
        self._wake()
        self._beat(heartbeat)


def _piece(text: bytes) -> HTTPResponseBodyEvent:
    return {"type": "http.response.body", "body": text, "more_body": True}


def _event(kind: str, data: bytes) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), data)


def text(data: dict[str, Any], state: Callable[[], bytes] | None = None) -> bytes:
    """An event's data."""
    plain = _encode(data)
    return plain if state is None else b'%b,"state":%b}' % (plain[:-1], state())


class Elsewhere:
    """The streams that other processes hold, as they told it last."""

    def __init__(self) -> None:
        self._by_process: dict[str, Counter[Held]] = {}
        self._of_person: dict[str, Counter[float]] = {}
        self.at: Counter[str] = Counter()

    def since(self, person: str) -> list[float]:
        """Since when somebody has theirs."""
        return [*self._of_person.get(person, Counter()).elements()]

    def hear(self, process: str, opened: list[Held], closed: list[Held], anew: bool) -> None:
        held = self._by_process.setdefault(process, Counter())
        for one in [*held.elements()] if anew else ():
            self._count(held, one, -1)
        for one in opened:
            self._count(held, one, 1)
        for one in closed:
            if held[one]:
                self._count(held, one, -1)
        if not held:
            del self._by_process[process]

    def _count(self, held: Counter[Held], one: Held, change: int) -> None:
        of_person = self._of_person.setdefault(one.person, Counter())
        counted: list[tuple[Counter[Any], Any]] = [
            (held, one),
            (self.at, one.address),
            (of_person, one.since),
        ]
        for counter, what in counted:
            counter[what] += change
            if not counter[what]:
                del counter[what]
        if not of_person:
            del self._of_person[one.person]


class Hub:
    """Who listens. A seat's news go to whoever holds it when they are told: taking a seat or losing it changes no
    stream. A table's go to those who watch it."""

    def __init__(self, most_per_person: int = 4, most_per_address: int = 100, shared: bool = False) -> None:
        self._of_person: dict[str, list[Stream]] = {}
        self._at: Counter[str] = Counter()
        self._most_per_address = most_per_address
        self._watching: dict[str, set[Stream]] = {}
        self._most = most_per_person
        self._shared = shared
        self._opened: list[Held] = []
        self._closed: list[Held] = []
        self._elsewhere = Elsewhere()
        self.closing = False

    def full(self, address: str) -> bool:
        """Whether there are as many streams to an address as there may be."""
        return self._at[address] + self._elsewhere.at[address] >= self._most_per_address

    def open(self, person: str, watched: set[str], states: bool = False, address: str = "") -> Stream:
        """A new stream. A person with too many loses the oldest, and is told; one to an address that has too many ends at
        once: many may have been asked for before the first was open."""
        stream = Stream(watched, states, address)
        if self.full(address):
            stream.end(TOO_MANY)
            return stream
        self._at[address] += 1
        self._of_person.setdefault(person, []).append(stream)
        for table in watched:
            self._watching.setdefault(table, set()).add(stream)
        if self._shared:
            self._opened.append(Held(person, address, stream.since))
        self._make_way(person)
        if self.closing:
            stream.end("the server is stopping")
        return stream

    def _make_way(self, person: str) -> None:
        """Of a person's streams, here and elsewhere, the oldest end that are too many; each process ends its own."""
        mine = list(self._of_person.get(person, ()))
        all_of_them = [*self._elsewhere.since(person), *(stream.since for stream in mine)]
        for stream in mine:
            if sum(since > stream.since for since in all_of_them) >= self._most:
                stream.end("a newer stream of yours took over")
                self._drop(person, stream)

    # ------------------------------------------------------------------ other processes

    def held(self) -> list[Held]:
        """All that this process holds."""
        return [
            Held(person, stream.address, stream.since)
            for person, streams in self._of_person.items()
            for stream in streams
        ]

    def changes(self) -> tuple[list[Held], list[Held]]:
        """What was opened and what was closed since this was asked last."""
        changed = self._opened, self._closed
        self._opened, self._closed = [], []
        return changed

    def hear(self, process: str, opened: list[Held], closed: list[Held], anew: bool) -> None:
        """What another process holds has changed."""
        self._elsewhere.hear(process, opened, closed, anew)
        for person in {one.person for one in opened} & self._of_person.keys():
            self._make_way(person)

    # ------------------------------------------------------------------ those who listen here

    def close(self, person: str, stream: Stream) -> None:
        if stream in self._of_person.get(person, ()):
            self._drop(person, stream)

    @property
    def people(self) -> set[str]:
        """Those who have a stream here, by their tokens' hashes."""
        return set(self._of_person)

    def watched(self, table: str) -> bool:
        return table in self._watching

    def has_pages(self, table: str, people: Iterable[str]) -> bool:
        """Whether anybody follows a table with a page: programs take the states with the news."""
        return any(not stream.states for stream in self._watching.get(table, ())) or any(
            not stream.states for person in people for stream in self._of_person.get(person, ())
        )

    def tell(
        self,
        kind: str,
        topic: str,
        data: dict[str, Any],
        state: Callable[[], bytes] | None = None,
        people: Iterable[str] | None = None,
    ) -> None:
        """News about a topic: a seat's for the people who hold it, a table's for all who watch. With the state for
        those who want it at once."""
        for stream in self._listeners(topic, people):
            stream.put(kind, topic, text(data, state if stream.states else None))

    def _listeners(self, topic: str, people: Iterable[str] | None) -> Iterable[Stream]:
        if people is None:
            return self._watching.get(topic, ())
        return (stream for person in people for stream in self._of_person.get(person, ()))

    def stop(self) -> None:
        """End every stream, with a hint when to come back."""
        self.closing = True
        for streams in list(self._of_person.values()):
            for stream in streams:
                stream.end("the server is stopping")

    def end_those(self, which: Callable[[str, str], bool], why: str) -> None:
        """End the streams of some people, by who they are and from where."""
        for person, streams in self._of_person.items():
            for stream in streams:
                if which(person, stream.address):
                    stream.end(why)

    def __len__(self) -> int:
        return sum(map(len, self._of_person.values()))

    def _drop(self, person: str, stream: Stream) -> None:
        self._of_person[person].remove(stream)
        if self._shared:
            self._closed.append(Held(person, stream.address, stream.since))
        self._at[stream.address] -= 1
        if not self._at[stream.address]:
            del self._at[stream.address]
        if not self._of_person[person]:
            del self._of_person[person]
        for table in stream.watched:
            self._watching[table].discard(stream)
            if not self._watching[table]:
                del self._watching[table]
