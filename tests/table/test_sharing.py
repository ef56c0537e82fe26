"""Limits hold for several processes together: whoever goes from one to the next is held back as if there were one."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from talion.table import sharing
from talion.table.limits import Gate
from talion.table.settings import Limits
from talion.table.sharing import Sharing
from talion.table.stream import Hub

from .serving import NO_LIMITS, Events, Player, Process, served, wait_for


def opens_all_it_may(url: str, token: str) -> int:
    """How many tables somebody can open there until they are told to wait."""
    player, opened = Player(url, token), 0
    while (
        reply := player.post("/api/tables", json={"game": "tic-tac-toe", "seats": ["me", "me"]})
    ).status_code == 201:
        opened += 1
    assert reply.status_code == 429 and int(reply.headers["retry-after"]) > 0
    return opened


def test_who_goes_from_one_server_to_the_next_has_no_more(postgres: str, tmp_path: Path) -> None:
    """Twenty tables a minute, at both servers together."""
    one, two = (Process(postgres, tmp_path / name) for name in ("one", "two"))
    began = time.monotonic()
    opened = opens_all_it_may(one.url, "somebody")
    assert opened >= 20
    time.sleep(4 * sharing.EVERY)  # what they do within half a second each server counts for itself
    opened += opens_all_it_may(two.url, "somebody")
    assert opened <= 21 + (time.monotonic() - began) / 3, "one more every three seconds, and no second twenty"
    assert opens_all_it_may(two.url, "another") > 0, "who has opened none is not held back"


def test_a_person_has_four_streams_wherever_they_are(postgres: str, tmp_path: Path) -> None:
    with served(postgres) as one, served(postgres) as two:
        for server in (one, two):
            wait_for(lambda server=server: server.house.healthy, "the listeners")  # type: ignore[misc]
        streams = [Events(Player(server.url, "somebody")) for server in (one, two, one, two, one, two)]

        def ended() -> list[bool]:
            return [any("took over" in news.get("why", "") for news in stream.told) for stream in streams]

        wait_for(lambda: sum(ended()) >= 2, "the oldest to end")
        time.sleep(4 * sharing.EVERY)
        assert ended() == [True, True, False, False, False, False]
        assert len(one.house.hub) == len(two.house.hub) == 2


def test_an_address_has_so_many_streams_wherever_they_are(postgres: str) -> None:
    limits = Limits(**{**vars(NO_LIMITS), "streams_per_address": 3})
    with served(postgres, limits=limits) as two:
        with served(postgres, limits=limits) as one:
            for server in (one, two):
                wait_for(lambda server=server: server.house.healthy, "the listeners")  # type: ignore[misc]
            held = [Events(Player(one.url, f"somebody {number}")) for number in range(3)]
            wait_for(lambda: asks_for_a_stream(two.url) == 429, "the other server to know")
            assert not any("why" in news for stream in held for news in stream.told)
        # A server that stops holds none any more.
        wait_for(lambda: asks_for_a_stream(two.url) == 200, "there to be room again")


def asks_for_a_stream(url: str) -> int:
    with httpx.stream("GET", f"{url}/api/events", headers={"authorization": "Bearer another"}) as reply:
        return reply.status_code


# ---------------------------------------------------------------------- without a database


class Counting:
    """What one process counts."""

    def __init__(self, limits: Limits = Limits(), streams: int = 4) -> None:  # noqa: B008 - never changed
        self.gate, self.hub = Gate(limits, shared=True), Hub(streams, 5, shared=True)
        self.told: list[str] = []
        self.sharing = Sharing(self.gate, self.hub, self._tell)

    async def _tell(self, texts: list[str]) -> None:
        self.told += texts

    def tells(self, other: Counting) -> int:
        """Everything new; in how many notices."""
        asyncio.run(self.sharing.tell())
        texts, self.told = self.told, []
        for text in texts:
            assert len(text.encode()) < 8000
            self.sharing.hear(text)  # as from PostgreSQL, to itself too
            other.sharing.hear(text)
        return len(texts)


def test_what_was_taken_twice_is_waited_for() -> None:
    """Within half a second somebody has all at each of two; then they wait until that much could have been had by right."""
    one, two = Counting(Limits(answers_per_second=2)), Counting(Limits(answers_per_second=2))
    for process in (one, two):
        assert [process.gate.wait("answer", "ann", "here") for _ in range(5)].count(0.0) == 4
    one.tells(two)
    two.tells(one)
    for process in (one, two):
        assert 2.0 < process.gate.wait("answer", "ann", "here") <= 2.5, (
            "four too many, at two a second, and one"
        )
        assert process.gate.wait("answer", "bob", "here") == 0.0
        assert process.gate.wait("answer", "ann", "elsewhere") > 0.0


def test_much_is_told_in_several_notices() -> None:
    one, two = Counting(), Counting()
    for number in range(300):
        one.hub.open(f"{number:064x}", set(), address=f"203.0.113.{number % 100}")
        one.gate.wait("request", f"{number:064x}", "here")
    assert one.tells(two) > 3
    assert two.hub.full("203.0.113.7") is False
    for number in range(2):
        two.hub.open(f"there {number}", set(), address="203.0.113.7")
    assert two.hub.full("203.0.113.7"), "three there, two here"
    assert one.tells(two) == 0, "nothing is new"


def test_of_streams_only_what_is_open_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was closed makes room, what was told twice is one, and of a process that is not heard any more nothing is left."""
    one, two = Counting(streams=2), Counting(streams=2)
    streams = [one.hub.open("ann", set(), address="here") for _ in range(2)]
    one.tells(two)
    monkeypatch.setattr(sharing, "ALL_AGAIN_AFTER", 0.0)
    one.tells(two)
    mine = two.hub.open("ann", set(), address="here")
    assert mine.ending is None
    two.tells(one)
    assert [stream.ending is None for stream in streams] == [False, True], "the oldest of three"
    one.hub.close("ann", streams[1])
    one.tells(two)
    another = two.hub.open("ann", set(), address="here")
    assert mine.ending is None and another.ending is None
    for _ in range(3):
        one.hub.open(f"bob {_}", set(), address="here")
    one.tells(two)
    assert two.hub.full("here")
    monkeypatch.setattr(sharing, "GONE_AFTER", -1.0)
    two.sharing._forget_the_gone()
    assert not two.hub.full("here")


def test_a_word_of_another_release_is_passed_over() -> None:
    one = Counting()
    for text in ("", "{}", '{"by": "x", "spent": [["no such limit", "ann", 3]]}', '{"by": "x", "of": 1}'):
        one.sharing.hear(text)
    assert one.gate.wait("answer", "ann", "here") == 0.0
