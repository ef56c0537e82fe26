"""Two worlds over the wire: what a seat or a watcher receives does not change when only hidden things change."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.kernel import Chance, Match, Moments
from talion.table.app import build
from talion.table.house import House
from talion.table.live import Live
from talion.table.play import ServedMatch
from talion.table.rows import SeatRow, TableRow
from talion.table.settings import Settings
from talion.table.sights import look
from talion.table.tokens import Person, hashed
from talion.testing import worlds

from .serving import GAMES, NO_LIMITS, at_play, served

TABLE = "t0123456789abcdef01"


class Wire:
    """A house without a network: requests go straight into the app, and every byte of a reply comes back."""

    def __init__(self, folder: Path) -> None:
        settings = Settings(database=str(folder / "x.sqlite3"), games=GAMES, limits=NO_LIMITS)
        app: Any = build(settings)
        self.app = app
        self.house: House = app._house
        self.loop = asyncio.new_event_loop()
        self.live: Live | None = None

    def close(self) -> None:
        self.loop.run_until_complete(self.house.stop())
        self.loop.close()

    def lay(self, match: Match) -> None:
        """Put a match on a table of its own, all seats held by people with known tokens."""
        self.loop.run_until_complete(self._lay(match))

    async def _lay(self, match: Match) -> None:
        if self.live is not None:
            self.house.drop(self.live)
        await self.house.store.forgetting.remove(TABLE)
        row = TableRow(TABLE, match.game.key, {}, "", True, "running", {"kind": "none"}, "seed", 1.0)
        places = [
            SeatRow(f"{TABLE}-t{n:08x}", n, f"P{n}", host=n == 0, holders=frozenset({hashed(f"token {n}")}))
            for n in range(match.seats)
        ]
        await self.house.store.make(row, places)
        self.live = await self.house.table(TABLE)

    def show(self, match: Match, numbers: list[int]) -> None:
        """Make this the match of the table. What happened in its last entry, if somebody listened, can be played out."""
        assert self.live is not None
        self.live.play = ServedMatch(match)
        if isinstance(match._listener, Moments):
            self.live.play._heard = match._listener
        self.live.seen = look(self.live.play, numbers)

    def forget(self) -> None:
        """Keep nothing of what was worked out for anybody before."""
        assert self.live is not None
        self.live.around.clear()
        self.app._app.state.pages.forget()

    def all_of(self, observer: int) -> dict[str, bytes]:
        """Everything one audience can get."""
        assert self.live is not None
        if observer == len(self.live.seats):
            paths: list[tuple[str, str, str | None]] = [
                ("GET", f"/api/tables/{TABLE}", None),
                ("GET", f"/tables/{TABLE}?watch", None),
                ("GET", f"/tables/{TABLE}?watch&since=0", None),
            ]
            token = "a watcher"
        else:
            seat, token = self.live.seats[observer].id, f"token {observer}"
            paths = [("GET", f"{root}/seats/{seat}{rest}", None) for root, rest in SEAT_PATHS]
            paths += [("GET", "/api/seats", None), ("GET", "/mine", None)]
            number = self.live.seen[observer + 1].number
            for answer in (
                {"number": number, "option": ["no such thing"]},
                {"number": number - 1, "option": []},
            ):
                paths.append(("POST", f"/api/seats/{seat}/answers", json.dumps({"key": "k", **answer})))
        found = {
            f"{method} {path} {body}": self.ask(token, method, path, body) for method, path, body in paths
        }
        watches = observer == len(self.live.seats)
        news, state = self.live.audiences.news(None if watches else self.live.seats[observer])
        found["event"] = json.dumps(news).encode() + state()
        return found

    def ask(self, token: str, method: str, path: str, body: str | None) -> bytes:
        return self.loop.run_until_complete(self._ask(token, method, path, body))

    async def _ask(self, token: str, method: str, path: str, body: str | None) -> bytes:
        path, _, query = path.partition("?")
        if path.startswith("/api"):
            who = (b"authorization", f"Bearer {token}".encode())
        else:
            who = (b"cookie", f"talion={self.house.signer.seal(Person(token, 'P'))}".encode())
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [who, (b"host", b"house"), (b"content-type", b"application/json")],
            "client": ("127.0.0.1", 1),
            "server": ("house", 80),
            "scheme": "http",
            "root_path": "",
        }
        got: list[bytes] = []
        sent = False

        async def receive() -> Any:
            nonlocal sent
            if sent:
                await asyncio.sleep(3600)
            sent = True
            return {"type": "http.request", "body": (body or "").encode(), "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                got.append(f"{message['status']} {sorted(message['headers'])}".encode())
            else:
                got.append(message.get("body", b""))

        await self.app(scope, receive, send)
        assert not got[0].startswith(b"500"), b"".join(got)
        return b"\n".join(got)


SEAT_PATHS = [("/api", ""), ("/api", "/log"), ("/api", "/why"), ("", ""), ("", "/why"), ("", "?since=0")]


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    house = Wire(tmp_path_factory.mktemp("wire"))
    yield house
    house.close()


def test_what_is_kept_for_one_audience_is_shown_to_no_other(wire: Wire) -> None:
    """Everybody is shown the same, whether somebody else looked before them or nobody did."""
    match = Match.new(wire.house.catalogue.find("sealed"), 2, 3)
    wire.lay(match)
    wire.show(match, [5] * 3)
    alone = {}
    for observer in range(3):
        wire.forget()
        alone[observer] = wire.all_of(observer)
    wire.forget()
    for observer in (2, 1, 0, 1, 2, 0):
        assert wire.all_of(observer) == alone[observer]


def played(key: str, house: House, seats: int, seed: int) -> Match:
    chance = Chance.of(f"{key} {seed}")
    match = Match.new(house.catalogue.find(key), seats, seed)
    while not match.over:
        seat = chance.pick(sorted(match.pending))
        match.answer(seat, chance.pick(match.options(seat)))
    return match


def compare(wire: Wire, key: str, decisions: int, seconds: float) -> Counter[str]:
    """Lay out second worlds at random decisions of random matches, and compare every byte of every reply."""
    counts: Counter[str] = Counter()
    ends = time.monotonic() + seconds

    otherwise = worlds._difference

    def difference(one: Any, two: Any, observer: int) -> str | None:
        if not isinstance(one, Match):  # a moment within an answer, of which no page is made
            return otherwise(one, two, observer)
        numbers = [5] * (one.seats + 1)
        wire.show(one, numbers)
        first = wire.all_of(observer)
        wire.show(two, numbers)
        second = wire.all_of(observer)
        counts["replies compared"] += len(first)
        counts["frames compared"] += sum(
            reply.count(b"<template") for what, reply in first.items() if "since=" in what
        )
        counts["decisions compared"] += 1
        for what, reply in first.items():
            if reply != second[what]:
                return f"{what}: {worlds._shortest(reply.decode(), second[what].decode())}"
        return None

    patch = pytest.MonkeyPatch()
    patch.setattr(worlds, "_difference", difference)
    try:
        seats = wire.house.catalogue.find(key).seats
        for seed in range(10_000):
            match = played(key, wire.house, seats[seed % len(seats)], seed)
            wire.lay(match)
            chance = Chance.of(f"worlds {seed}")
            for _ in range(8):
                laid = worlds.Worlds(match, chance, counts)
                number = chance.below(len(match.record or ()))
                for lay in (laid.dealt_otherwise, laid.answered_otherwise):
                    problem = laid_out(lay, number, counts)
                    assert problem is None, f"{key}, seed {seed}: {problem}"
                if counts["decisions compared"] >= decisions or time.monotonic() > ends:
                    return counts
    finally:
        patch.undo()
    return counts


def laid_out(lay: Callable[[int], str | None], number: int, counts: Counter[str]) -> str | None:
    """What a pair of worlds can be told apart by. One in which a rule tells what is not so there cannot be."""
    try:
        return lay(number)
    except AssertionError as impossible:
        if "is not “" not in str(impossible):
            raise
        counts["worlds skipped"] += 1
        return None


@pytest.mark.parametrize("key", ["sealed", *games.keys()])
def test_nothing_hidden_reaches_the_wire(wire: Wire, key: str) -> None:
    counts = compare(wire, key, 200, 300)
    print(key, dict(counts))
    assert counts["decisions compared"] >= 200, counts
    assert counts["worlds compared"] > counts["worlds skipped"], counts
    assert counts["frames compared"] > (0 if key == "sealed" else 20), counts


@pytest.mark.deep
@pytest.mark.parametrize("key", ["sealed", *games.keys()])
def test_nothing_hidden_reaches_the_wire_deep(wire: Wire, key: str) -> None:
    counts = compare(wire, key, 10_000, 7200)
    assert counts["decisions compared"] >= 10_000, counts


def test_the_comparison_can_fail(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that leaks: it tells how many answers there have been in all, or what lies in another's hand."""
    honest = ServedMatch.seen

    def leaky(self: ServedMatch, seat: int | None) -> bytes:
        bout: Any = self.match.t
        hands = [[bout.face(card).name for card in fencer.hand] for fencer in bout.fencers]
        return honest(self, seat)[:-1] + b',"leak":' + json.dumps(hands).encode() + b"}"

    monkeypatch.setattr(ServedMatch, "seen", leaky)
    with pytest.raises(AssertionError, match="sealed, seed"):
        compare(wire, "sealed", 200, 30)


def test_the_comparison_of_frames_can_fail(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """A play-out that leaks: there is one frame more where another holds a certain card."""
    honest = ServedMatch.frames

    def leaky(self: ServedMatch, seat: int | None, since: int) -> list[dict[str, Any]]:
        t: Any = self.match.t
        hands = {t.face(card).name for clone in t.clones if clone.seat != seat for card in clone.hand}
        found = honest(self, seat, since)
        return found * 2 if any(name < "H" for name in hands) else found

    monkeypatch.setattr(ServedMatch, "frames", leaky)
    with pytest.raises(AssertionError, match="since=0"):
        compare(wire, "personal-vendetta", 400, 60)


def test_the_pace_of_sealed_choices_is_not_told(tmp_path: Path) -> None:
    """Bob chooses one card or two; until all have chosen, Ann and a watcher get not one message more or less."""
    received: list[list[Any]] = []
    for more in (False, True):
        folder = tmp_path / str(more)
        folder.mkdir()
        with served(str(folder / "x.sqlite3")) as server:
            ann, bob = at_play(server.url, "sealed", open=True)
            before = ann.sees()["number"], bob.sees()["number"]
            told = listen(server, {ann.seat: "ann", ann.table: "watcher"})
            bob.moves()
            bob.moves((lambda options: options[1]) if more else (lambda options: options[0]))
            if more:
                bob.moves()
            assert not bob.sees()["match"].get("ask"), "Bob is done"
            assert bob.sees()["number"] > before[1]
            ann.moves()
            time.sleep(0.1)
            received.append([*told, ann.sees()["number"], ann.sees()["match"]["waiting_for"]])
    assert received[0] == received[1]
    assert received[0][0] == ("ann", "match", 1)
    assert not any(who == "watcher" for who, *_ in received[0][:-2])


def test_no_clock_tells_that_somebody_chose_in_secret(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann, bob = at_play(server.url, "sealed", clock={"kind": "live"})
        live = server.in_loop(lambda: server.house.table(ann.table))
        live.course.at = live.course.public_at = live.course.at - 105  # both have been choosing for so long
        before = ann.sees()["table"]["clock"]
        bob.moves()
        after = ann.sees()["table"]["clock"]
        assert before["runs"] == after["runs"] == [True, True]
        assert [left // 10 for left in before["left"] + after["left"]] == [79] * 4


def listen(server: Any, topics: dict[str, str]) -> list[Any]:
    """Everything the hub tells to some topics, from now on."""
    told: list[Any] = []
    honest = server.house.hub.tell

    def tell(kind: str, topic: str, data: dict[str, Any], *more: Any, **others: Any) -> None:
        if topic in topics:
            told.append((topics[topic], kind, data.get("number")))
        honest(kind, topic, data, *more, **others)

    server.house.hub.tell = tell
    return told
