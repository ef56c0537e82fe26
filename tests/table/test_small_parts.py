"""Tokens, clocks, limits, metrics, streams, logs: the small parts, each by itself."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from talion.table import clocks
from talion.table.limits import Gate, neighbourhood
from talion.table.logs import JsonLines
from talion.table.metrics import Metrics
from talion.table.pace import slot
from talion.table.packed import packing
from talion.table.settings import Limits
from talion.table.stage import in_any_order, path_of
from talion.table.stream import Hub, Stream
from talion.table.tokens import Person, Signer, clean_name, derived, hashed, new_token


def test_a_cookie_is_believed_only_if_signed_here() -> None:
    signer = Signer("key")
    person = Person(new_token(), "Ann")
    cookie = signer.seal(person)
    assert signer.open(cookie) == person
    body, _, mac = cookie.rpartition(".")
    other_mac = mac[:-1] + ("B" if mac.endswith("A") else "A")
    for forged in (
        f"{body}x.{mac}",
        f"{body}.{other_mac}",
        body,
        ".",
        "",
        None,
        Signer("other").seal(person),
    ):
        assert signer.open(forged) is None


def test_a_guard_is_for_one_person() -> None:
    signer = Signer("key")
    ann, bob = Person(new_token()), Person(new_token())
    assert signer.guards(ann, signer.guard(ann))
    assert not signer.guards(bob, signer.guard(ann))
    assert not signer.guards(ann, "")


def test_links_come_from_their_owner_and_tell_nothing_of_the_token() -> None:
    token = new_token()
    assert derived(token, "invite t1") == derived(token, "invite t1")
    assert (
        len({derived(token, "invite t1"), derived(token, "seat t1"), derived(new_token(), "invite t1")}) == 3
    )
    assert token not in derived(token, "invite t1")
    assert token not in hashed(token)


@pytest.mark.parametrize(
    ("given", "kept"),
    [("  A \n b ", "A b"), ("x" * 90, "x" * 24), ("a\x00\u202eb", "ab"), ("", ""), ("\ud800", "")],
)
def test_names_are_one_printable_line(given: str, kept: str) -> None:
    assert clean_name(given) == kept


def test_the_pace_is_drawn_from_what_everybody_sees() -> None:
    """For bots: it tells nothing of what is hidden, and has no pattern."""
    house = SimpleNamespace(settings=SimpleNamespace(pace=1.0))

    def pace(number: int, hidden: object) -> float:
        seen = [SimpleNamespace(number=number), hidden]
        return slot(cast(Any, SimpleNamespace(row=SimpleNamespace(id="t1"), seen=seen, house=house)))

    draws = [pace(number, "a reaction in hand") for number in range(400)]
    assert draws == [pace(number, "nothing in hand") for number in range(400)]
    shares = Counter(int((draw - 0.7) / 0.6001 * 4) for draw in draws)
    assert sorted(shares) == [0, 1, 2, 3]
    assert all(60 <= share <= 140 for share in shares.values())


def test_a_live_clock_runs_for_those_asked_and_adds_its_increment() -> None:
    clock = {"kind": "live", "seconds": 60, "increment": 5}
    left = clocks.at_start(clock, 3)
    left = clocks.after(clock, left, {0, 1}, 0, 10.0)
    assert left == [55.0, 50.0, 60.0]
    assert clocks.runs_out(left, {1, 2}, since=100.0) == 150.0


def test_a_clock_by_days_begins_again_with_each_move() -> None:
    clock = {"kind": "days", "days": 3}
    left = clocks.after(clock, clocks.at_start(clock, 2), {0}, 0, 1000.0)
    assert left == [3 * clocks.DAY] * 2


@pytest.mark.parametrize(
    "bad",
    [
        {"kind": "sun"},
        {"kind": "live", "seconds": 1},
        {"kind": "live", "seconds": []},
        {"kind": "live", "seconds": None},
        {"kind": "live", "increment": "5"},
        {"kind": "days", "days": 99},
        {"kind": "days", "days": {}},
        {"kind": "none", "patience": "abc"},
        {"patience": [1]},
        {"patience": -1},
        {"patience": 1e300},
        {"hands": 2},
    ],
)
def test_bad_clocks_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(bad, clocks.Clock)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0:00"), (893, "14:53"), (3900, "1 h 05 min"), (97200, "1 day 3 h"), (259200, "3 days 0 h")],
)
def test_what_is_left_is_said_as_people_say_it(seconds: int, words: str) -> None:
    assert clocks.worded(seconds) == words


def test_past_a_limit_one_is_told_how_long_to_wait() -> None:
    gate = Gate(Limits(answers_per_second=2))
    waits = [gate.wait("answer", "ann", "here") for _ in range(6)]
    assert waits[:4] == [0.0] * 4
    assert 0 < waits[4] <= 0.5
    assert gate.wait("answer", "bob", "here") == 0.0
    assert Gate(Limits(answers_per_second=0)).wait("answer", "ann", "here") == 0.0


def test_tokens_that_are_made_up_do_not_lift_a_limit() -> None:
    gate = Gate(Limits(words_per_minute=30, tables_per_minute=20))
    said = [gate.wait("words", f"token {n}", "here") for n in range(60)]
    assert said.count(0.0) == 40
    opened = [gate.wait("table", None, "here") for _ in range(45)]
    assert opened.count(0.0) == 20
    assert gate.wait("words", "token 0", "elsewhere") == gate.wait("table", None, "elsewhere") == 0.0


def test_a_flood_of_tokens_makes_no_limit_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many are remembered; whoever fills that up with requests has not opened fewer tables."""
    monkeypatch.setattr("talion.table.limits.MOST_REMEMBERED", 100)
    gate = Gate(Limits(tables_per_day=1))
    opened = [gate.wait("tables in a day", f"token {n}", "here") for n in range(6)]
    assert opened.count(0.0) == 4
    for number in range(1000):
        gate.wait("request", f"made up {number}", "here")
    assert gate.wait("tables in a day", "another", "here") > 3600


def test_who_has_one_address_of_a_network_has_all_of_them() -> None:
    assert (
        neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff:2") != neighbourhood("2001:db8:0:1::1")
    )
    assert neighbourhood("192.0.2.1") != neighbourhood("192.0.2.2")
    assert neighbourhood("testclient") == "testclient"


def test_metrics_add_up_over_workers(tmp_path: Path) -> None:
    code = (
        "import sys; from talion.table.metrics import Metrics; m = Metrics(sys.argv[1]);"
        "m.answered('accepted', 0.003); m.set('talion_streams', 7)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    metrics = Metrics(str(tmp_path))
    metrics.answered("accepted", 0.3)
    metrics.set("talion_streams", 2)
    page = metrics.page()
    assert 'talion_answers_total{reply="accepted"} 2' in page
    assert 'talion_answer_seconds_bucket{le="0.005"} 1' in page
    assert 'talion_answer_seconds_bucket{le="+Inf"} 2' in page
    assert "talion_streams 2" in page, "a dead worker has no open streams"
    assert page.count("# TYPE talion_answers_total counter") == 1


class Reader:
    """Somebody who reads a stream."""

    def __init__(self) -> None:
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue()

    def reads(self, stream: Stream, **more: float) -> asyncio.Task[None]:
        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            self._pieces.put_nowait(message["body"])

        return asyncio.create_task(stream.send(receive, send, **more))

    async def gets(self) -> str:
        return (await self._pieces.get()).decode()


def test_a_stream_replaces_old_news_and_says_goodbye() -> None:
    async def run() -> None:
        hub, ann = Hub(), Reader()
        stream = hub.open("ann", {"t1"})
        hub.tell("match", "t1", {"number": 1})
        hub.tell("match", "t1", {"number": 2})
        hub.tell("match", "t9", {"number": 5})
        reading = ann.reads(stream)
        assert (await ann.gets()).startswith("retry:")
        assert await ann.gets() == 'event: match\ndata: {"number":2}\n\n'
        hub.tell("match", "t9-s1", {"number": 6}, people={"ann", "bob"})
        hub.tell("match", "t9-s2", {"number": 7}, people={"bob"})
        assert await ann.gets() == 'event: match\ndata: {"number":6}\n\n'
        hub.tell("match", "t1", {"number": 8})
        hub.stop()
        assert await ann.gets() == 'event: match\ndata: {"number":8}\n\n'
        assert "event: bye" in await ann.gets()
        await reading

    asyncio.run(run())


def test_a_quiet_stream_has_a_heartbeat() -> None:
    async def run() -> None:
        stream, ann = Stream(set()), Reader()
        reading = ann.reads(stream, heartbeat=0.01)
        assert (await ann.gets()).startswith("retry:")
        assert [await ann.gets() for _ in range(3)] == [": still here\n\n"] * 3
        stream.end("enough")
        await reading

    asyncio.run(run())


def test_a_stream_that_waits_holds_nothing_of_what_it_sent() -> None:
    async def run() -> None:
        stream, ann = Stream(set()), Reader()
        reading = ann.reads(stream)
        assert (await ann.gets()).startswith("retry:")
        stream.put("match", "t1", b"a state, so far the only one")
        await ann.gets()
        await asyncio.sleep(0)
        held = [value for frame in frames_of(reading) for value in frame.f_locals.values()]
        assert not any(
            isinstance(value, bytes | dict) and b"a state" in str(value).encode() for value in held
        )
        stream.end("enough")
        await reading

    asyncio.run(run())


def frames_of(task: asyncio.Task[None]) -> list[Any]:
    """Where a task waits, all the way down."""
    found, at = [], task.get_coro()
    while frame := getattr(at, "cr_frame", None):
        found.append(frame)
        at = at.cr_await  # type: ignore[union-attr]
    return found


def test_too_many_streams_end_the_oldest() -> None:
    async def run() -> None:
        hub = Hub(most_per_person=2)
        streams = [hub.open("ann", {"t1"}) for _ in range(3)]
        assert streams[0].ending
        assert not streams[1].ending
        assert len(hub) == 2
        for stream in streams:
            hub.close("ann", stream)
        assert len(hub) == 0
        assert not hub.watched("t1")
        assert not hub.people

    asyncio.run(run())


def test_log_lines_are_json_with_their_facts() -> None:
    record = logging.makeLogRecord({"msg": "request", "levelname": "INFO", "route": "/join/{secret}"})
    line = json.loads(JsonLines().format(record))
    assert line["what"] == "request"
    assert line["route"] == "/join/{secret}"
    assert line["level"] == "info"


def test_what_is_shared_out_is_put_on_a_plate_for_each() -> None:
    things = {"split": ["seat:{*}"], "run": ["room:{1}"]}
    assert path_of(["split", 1, 0, 2], things) == ["seat:0", "seat:2", "seat:2"]
    assert in_any_order(["split", 1, 0, 2], things) and not in_any_order(["run", "B"], things)


def packed(
    kind: bytes, bodies: list[bytes], reads: bytes = b"gzip, br"
) -> tuple[dict[bytes, bytes], bytes, int]:
    """A reply's head and body as they are sent, and after how many pieces of the body its first was."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def reply() -> int:
        way = packing(cast(Any, {"headers": [(b"accept-encoding", reads)]}), send)
        headers = [(b"content-type", kind), (b"content-length", b"%d" % sum(map(len, bodies)))]
        await way({"type": "http.response.start", "status": 200, "headers": headers})
        first = len(bodies)
        for number, body in enumerate(bodies, 1):
            await way({"type": "http.response.body", "body": body, "more_body": number < len(bodies)})
            first = min(first, number if len(sent) > 1 else first)
        return first

    first = asyncio.run(reply())
    return dict(sent[0]["headers"]), b"".join(message["body"] for message in sent[1:]), first


@pytest.mark.parametrize("pieces", [1, 3])
def test_long_text_is_packed(pieces: int) -> None:
    head, body, _ = packed(b"text/html; charset=utf-8", [b"a card " * 1000] * pieces)
    assert head[b"content-encoding"] == b"gzip" and head[b"vary"] == b"accept-encoding"
    assert gzip.decompress(body) == b"a card " * 1000 * pieces
    assert head.get(b"content-length") == (b"%d" % len(body) if pieces == 1 else None)


@pytest.mark.parametrize(
    ("kind", "length", "reads"),
    [(b"text/html", 10, b"gzip"), (b"font/woff2", 5000, b"gzip"), (b"text/html", 5000, b"br")],
)
def test_what_is_short_or_no_text_or_could_not_be_read_is_sent_as_it_is(
    kind: bytes, length: int, reads: bytes
) -> None:
    head, body, _ = packed(kind, [b"x" * length], reads)
    assert body == b"x" * length and head == {b"content-type": kind, b"content-length": b"%d" % length}


def test_news_are_sent_as_they_come() -> None:
    head, body, first = packed(b"text/event-stream", [b"data: " * 500] * 3)
    assert body == b"data: " * 1500 and b"content-encoding" not in head and first == 1
