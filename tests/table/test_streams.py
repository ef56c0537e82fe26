"""A stream tells somebody of the seats they hold, of all of them, and of nothing else; on whichever server."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from .serving import Events, Player, Served, served, wait_for


@pytest.fixture
def servers(database: str) -> Iterator[list[Served]]:
    """Two servers on one PostgreSQL; on SQLite one, twice."""
    with served(database) as one:
        if "://" not in database:
            yield [one, one]
            return
        with served(database) as two:
            for server in (one, two):
                wait_for(lambda server=server: server.house.healthy, "the listeners")  # type: ignore[misc]
            yield [one, two]


def token_of(player: Player) -> str:
    return player.headers["authorization"].removeprefix("Bearer ")


@pytest.mark.parametrize("parting", ["removed", "leaves"])
def test_who_lost_a_seat_is_told_nothing_more_of_it(servers: list[Served], parting: str) -> None:
    ann, eve = Player(servers[0].url), Player(servers[1].url)
    opened = ann.opens("sealed", ["me", "open"])
    eve.sits(opened["table"], opened["invite"])
    events = Events(eve)
    ann.post(f"/api/seats/{ann.seat}/start")
    wait_for(lambda: any("state" in news for news in events.about(eve.seat)), "Eve's first state")
    if parting == "removed":
        assert ann.post(f"/api/seats/{ann.seat}/remove", json={"other": 1}).status_code == 200
    else:
        assert Player(servers[0].url, token_of(eve)).post(f"/api/seats/{eve.seat}/leave").status_code == 200
    wait_for(lambda: eve.get(f"/api/seats/{eve.seat}").status_code == 404, "the news to reach Eve's server")
    wait_for(lambda: events.about(eve.seat)[-1] == {"of": eve.seat}, "Eve to be told that something changed")
    told = len(events.told)
    wait_for(lambda: ann.moves() is None and ann.sees()["number"] > 4, "the match to go on without her")
    assert len(events.told) == told


def test_a_stream_hears_of_a_seat_taken_on_another_server(servers: list[Served]) -> None:
    """By opening a table, by an invitation, and by a rematch that somebody else began."""
    here, there = servers
    ann, bob = Player(here.url), Player(here.url, "a token of Bob's own")
    events = Events(Player(there.url, token_of(bob)))
    opened = ann.opens("tic-tac-toe", ["me", "open"])
    bob.sits(opened["table"], opened["invite"])
    ann.post(f"/api/seats/{ann.seat}/start")
    wait_for(lambda: any("state" in news for news in events.about(bob.seat)), "the match that Bob joined")
    ann.post(f"/api/seats/{ann.seat}/concede")
    again = ann.post(f"/api/seats/{ann.seat}/rematch").json()["table"]
    wait_for(lambda: any(news["of"].startswith(again) for news in events.told), "the rematch")
    bob.opens("tic-tac-toe", ["me", "random"])
    wait_for(lambda: events.about(bob.seat), "the table that Bob opened")


def test_a_reader_who_goes_keeps_no_stream(servers: list[Served]) -> None:
    hub = servers[0].house.hub
    with httpx.stream("GET", f"{servers[0].url}/api/events", timeout=20) as stream:
        assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
        lines = stream.iter_lines()
        assert next(lines).startswith("retry:")
        assert len(hub) == 1
    wait_for(lambda: len(hub) == 0, "the server to see that nobody reads")
