"""Whoever is kept out stays out, and what players report reaches the host of the house."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from talion.table import admin
from talion.table.bans import Bans, of_address, of_person
from talion.table.commands import app
from talion.table.limits import neighbourhood
from talion.table.refusal import Unusable

from .serving import Browser, Events, Player, served, wait_for


def test_a_banned_person_is_kept_out_and_told_why(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database) as server:
        ann, bob = Player(server.url), Player(server.url)
        opened = ann.opens("tic-tac-toe", ["me", "open"])
        bob.sits(opened["table"], opened["invite"])
        heard = Events(bob)
        (name,) = admin.ban(database, opened["table"], 2, "You shouted.")
        wait_for(lambda: bob.get(f"/api/seats/{bob.seat}").status_code == 403, "the ban")
        assert bob.get("/api/games").json()["why"] == "You are kept out of this house. You shouted."
        wait_for(lambda: {"why": "You are kept out of this house."} in heard.told, "Bob's stream to end")
        assert ann.sees()["table"]["status"] == "seating"
        assert admin.unban(database, name.removeprefix("person ")[:12]) == 1
        wait_for(lambda: bob.get("/api/games").status_code == 200, "Bob to be let in again")


def test_a_banned_address_is_kept_out_whoever_asks(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database, trusted=("127.0.0.1",)) as server:
        admin.ban(database, "127.0.0.1")
        browser = Browser(server.url)
        wait_for(lambda: browser.get("/").status_code == 403, "the ban")
        assert "You are kept out of this house." in browser.get("/").text
        assert browser.get("/health").status_code == 200, "whoever watches the server is no guest"


def test_networks_hold_their_addresses() -> None:
    bans = Bans(
        [(of_address("203.0.113.0/24"), "net"), (of_address("2001:db8::7"), ""), (of_person("x"), "")]
    )
    assert bans.why("", "203.0.113.9") == "You are kept out of this house. net"
    assert bans.why("", "203.0.114.9") is None
    assert bans.why("", "2001:db8::/64") == "You are kept out of this house."
    assert bans.why("x", "?") == "You are kept out of this house."
    assert bans.why("y", "?") is None


def test_an_address_is_the_same_through_a_socket_for_both_kinds() -> None:
    """Else all who come by IPv4 would share one limit, and no ban would find them."""
    assert neighbourhood("::ffff:203.0.113.9") == "203.0.113.9"
    assert neighbourhood("2001:db8::7") == "2001:db8::/64"
    assert of_address("::ffff:203.0.113.9") == of_address("203.0.113.9")


def test_what_cannot_be_banned_is_said(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database):
        pass
    for wrong, seat in (("somebody", None), ("t0123456789", 1)):
        with pytest.raises(Unusable):
            admin.ban(database, wrong, seat)
    for nobody in ("abcdef", "203.0.113.9", "a"):
        with pytest.raises(Unusable):
            admin.unban(database, nobody)


def test_a_report_reaches_the_host_and_nobody_else(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database) as server:
        ann, bob = Player(server.url), Player(server.url)
        opened = ann.opens("tic-tac-toe", ["me", "open"])
        bob.sits(opened["table"], opened["invite"])
        before = bob.sees()
        told = {"words": "He  shouts \u202e at me", "about": 1}
        assert ann.post(f"/api/seats/{ann.seat}/report", json=told).status_code == 200
        assert ann.post(f"/api/seats/{ann.seat}/report", json={**told, "about": 7}).status_code == 400
        assert bob.sees() == before
        (found,) = admin.reported(database)
        assert (found["table"], found["seat"], found["about"]) == (opened["table"], 1, 2)
        assert found["words"].startswith("He") and "\u202e" not in found["words"]
        for _ in range(60):
            last = ann.post(f"/api/seats/{ann.seat}/report", json={"words": "again"})
        assert last.status_code == 429, "a host reads no thousand reports of one table"


def test_a_report_by_a_form_is_thanked_for(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database) as server:
        ann = Browser(server.url)
        ann.go("/")
        page = ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
        assert "Report something" in page.text
        reply = ann.posts(f"/seats/{ann.seat}/report", words="It is broken", about="")
        assert "Whoever keeps this house will read it." in reply.text
        run = CliRunner().invoke(app, ["reports", "--database", database])
        assert "seat 1 about the table: It is broken" in run.output
        run = CliRunner().invoke(app, ["ban", "203.0.113.5", "--why", "Enough.", "--database", database])
        assert run.exit_code == 0, run.output
        run = CliRunner().invoke(app, ["bans", "--database", database])
        assert "address 203.0.113.5" in run.output and "Enough." in run.output
