"""Seats cannot be taken, read or played without their token; tokens do not leak; nothing others wrote is run."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy.exc import SQLAlchemyError

from talion.table import acts, logs
from talion.table.rows import ChatLine
from talion.table.settings import Limits
from talion.table.store import Store
from talion.table.tokens import Person, Signer, new_token

from .serving import Browser, Player, Served, at_play, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("house") / "x.sqlite3")) as running:
        yield running


def seat_routes(server: Served) -> list[tuple[str, str]]:
    """Every call of the API that is about a seat."""
    paths = httpx.get(f"{server.url}/api/openapi.json").json()["paths"]
    return [(method.upper(), path) for path, calls in paths.items() for method in calls if "{seat}" in path]


BODIES = {
    "answers": {"key": "k", "number": 0, "option": ["mark", 0]},
    "chat": {"words": "hi"},
    "report": {"words": "hi"},
    "proposals": {"key": "k", "number": 1, "what": "abort"},
    "consent": {"offer": "x", "yes": True},
    "bot": {"bot": "random"},
    "substitute": {"other": 1, "bot": "random"},
    "remove": {"other": 1},
    "mute": {"other": 1, "muted": True},
    "orders": {"windows": "pass"},
}


def call(client: httpx.Client, method: str, path: str, seat: str) -> httpx.Response:
    body = BODIES.get(path.rsplit("/", 1)[-1])
    return client.request(method, path.replace("{seat}", seat), json=body if method == "POST" else None)


def test_nobody_else_reads_or_plays_a_seat(server: Served) -> None:
    ann, eve = Player(server.url), Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])
    eve.opens("sealed", ["me", "random"])  # a token that is good elsewhere
    before = ann.sees()
    strangers = [eve, Player(server.url), Player(server.url, "made-up"), Player(server.url, new_token())]
    routes = seat_routes(server)
    assert len(routes) > 15
    for stranger in strangers:
        for method, path in routes:
            reply = call(stranger, method, path, ann.seat)
            assert reply.status_code in (401, 404), f"{method} {path}: {reply.status_code} {reply.text}"
        assert "cells" not in stranger.get(f"/seats/{ann.seat}").text
    assert ann.sees() == before


def test_a_token_for_one_seat_does_not_open_another_at_the_same_table(server: Served) -> None:
    ann, bob = at_play(server.url, "sealed")
    for method, path in seat_routes(server):
        assert call(bob, method, path, ann.seat).status_code == 404
    # There is no seat field to lie in: an unknown field is refused.
    lie = {"key": "k", "number": 0, "option": ["lay"], "seat": 0}
    assert bob.post(f"/api/seats/{bob.seat}/answers", json=lie).status_code == 400


def test_seats_are_not_taken_without_an_invitation(server: Served) -> None:
    ann, eve = Player(server.url), Player(server.url)
    opened = ann.opens("sealed", ["me", "open"])
    other = Player(server.url).opens("sealed", ["me", "open"])
    for invite in ("", "guess", other["invite"]):
        reply = eve.post(f"/api/tables/{opened['table']}/seats", json={"invite": invite})
        assert reply.status_code == 403
    for secret in ("guess", other["table"], "a/../b"):
        assert httpx.get(f"{server.url}/join/{secret}", follow_redirects=True).status_code == 404
    assert eve.get("/api/tables").json()["seating"] == [], "a private table is not listed"


def test_a_used_up_seat_cannot_be_joined_again_by_its_old_holder(server: Served) -> None:
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens("sealed", ["me", "open", "open"])
    bob.sits(opened["table"], opened["invite"])
    ann.post(f"/api/seats/{ann.seat}/remove", json={"other": 1})
    assert bob.get(f"/api/seats/{bob.seat}").status_code == 404
    assert bob.get("/api/seats").json() == []


def test_forged_cookies_are_nobody(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="random")
    seat, cookie = ann.seat, ann.cookies["talion"]
    body, _, mac = cookie.rpartition(".")
    person = Person(*json.loads(base64.urlsafe_b64decode(body)))
    renamed = base64.urlsafe_b64encode(json.dumps([person.token, "Root"]).encode()).decode()
    for forged in (f"{renamed}.{mac}", f"{body}.", body, "x.y", Signer("guess").seal(person)):
        reply = httpx.get(f"{server.url}/seats/{seat}", headers={"cookie": f"talion={forged}"})
        assert reply.status_code == 404, forged
    good = httpx.get(f"{server.url}/seats/{seat}", headers={"cookie": f"talion={cookie}"})
    assert good.status_code == 200


def test_no_form_is_taken_from_another_site(server: Served) -> None:
    """Every page's form and every call of the API that a cookie could make needs the guard's value."""
    ann = Browser(server.url)
    ann.posts("/tables", game="sealed", seat0="me", seat1="random")
    seat, table = ann.seat, ann.seat.partition("-")[0]
    forms = ["/name", "/tables", "/join", f"/tables/{table}/sit", f"/tables/{table}/chat"]
    forms += [f"/seats/{seat}/{act}" for act in acts.ACTS if act != "hint"]  # which is a page
    for path in forms:
        for form in ({}, {"guard": "guess"}, {"guard": Browser(server.url).guard}):
            assert ann.post(path, data=form).status_code == 403, path
    for method, path in seat_routes(server):
        if method == "POST":
            assert call(ann, method, path, seat).status_code == 403, path
    # The same routes by another spelling, which a client library would put right.
    twice = httpx.URL(server.url, raw_path=f"//api/seats/{seat}/chat".encode())
    assert ann.post(twice, json={"words": "hi"}).status_code == 403
    new = ann.post("/api/tables", json={"game": "sealed", "seats": ["me", "random"]})
    assert new.status_code == 403
    guard = {"x-talion-guard": ann.guard}
    assert ann.post(f"/api/seats/{seat}/chat", json={"words": "hi"}, headers=guard).status_code == 201


def test_tokens_and_secrets_reach_no_log_and_no_referer(server: Served) -> None:
    kept = io.StringIO()
    handler = logging.StreamHandler(kept)
    handler.setFormatter(logs.JsonLines())
    ours = [logging.getLogger(name) for name in ("talion", "uvicorn", "litestar", "sqlalchemy", "asyncio")]
    for logger in ours:
        logger.addHandler(handler)
    logging.getLogger("talion").setLevel("DEBUG")
    try:
        ann, bob = Browser(server.url), Browser(server.url)
        ann.posts("/name", name="Wilhelmina")
        ann.posts("/tables", game="sealed", seat0="me", seat1="open")
        invite = re.search(r'href="(http[^"]+/join/([^"]+))"', ann.page.text)
        assert invite
        bob.go(invite[1])
        bob.posts("/join", name="Bartholomew")
        player = Player(server.url)
        token = player.opens("sealed", ["me", "random"])["token"]
        player.sees()
        player.get("/api/seats/t0123456789-t01234567")
        secret_things = [invite[2], token, "Wilhelmina", "Bartholomew", ann.cookies["talion"], ann.guard]
        with server.house.store.engine.connect() as connection:
            stored = str(connection.exec_driver_sql("SELECT * FROM links").all())
            stored += str(connection.exec_driver_sql("SELECT * FROM holders").all())
            seeds = [row[0] for row in connection.exec_driver_sql("SELECT seed FROM tables")]
    finally:
        for logger in ours:
            logger.removeHandler(handler)
        logging.getLogger("talion").setLevel("NOTSET")
    text = kept.getvalue()
    assert '"route": "/join/{secret}"' in text, text
    for secret in [*secret_things, *seeds]:
        assert secret not in text
        assert secret not in stored, "only hashes are kept"
    for path in ("/", "/mine", "/join", "/nothing", "/api/games"):
        assert ann.get(path).headers["referrer-policy"] == "no-referrer"


def test_every_reply_has_the_strict_policy(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/tables", game="engines-of-vengeance", seat0="me", seat1="random")
    for path in ("/", f"/seats/{ann.seat}", "/api", "/api/games", "/nothing", "/static/talion.js"):
        headers = ann.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    for path in ("/", f"/seats/{ann.seat}", "/api", "/mine", "/watch", "/tables/new?game=vitium"):
        page = ann.get(path).text
        assert not re.search(r"\sstyle=|\son\w+=|<script>|javascript:", page), path
        outside = re.findall(r'(?:src|href|action)="(https?:[^"]+)"', page)
        assert all(link.startswith(server.url) for link in outside), outside


def test_a_browser_keeps_what_is_printed_and_nothing_of_anybody(server: Served) -> None:
    """Pictures, fonts and styles are asked for once, not at every move; and nobody becomes somebody by asking for one."""
    ann = Browser(server.url)
    ann.posts("/tables", game="vengeance", seat0="me", seat1="random")
    printed = re.findall(
        r'(?:href|src)="(/(?:style|emblems|static)/[^"#]+)', ann.get(f"/seats/{ann.seat}").text
    )
    assert {path.split("/")[1] for path in printed} == {"style", "emblems", "static"}
    for path in {*printed, "/fonts/inter.woff2"}:
        reply = httpx.get(server.url + path)
        assert reply.status_code == 200
        assert reply.headers["cache-control"].startswith("max-age="), path
        assert "set-cookie" not in reply.headers
    for path in ("/", f"/seats/{ann.seat}", f"/seats/{ann.seat}?since=0", "/api/games", "/nothing"):
        assert ann.get(path).headers["cache-control"] == "no-store", path


def test_what_people_write_is_escaped_everywhere(server: Served) -> None:
    bad = '"><img src=x onerror=alert(1)>'
    ann = Browser(server.url)
    ann.posts("/name", name=bad)
    ann.posts("/tables", game="sealed", seat0="me", seat1="open", title=bad, open="on")
    ann.posts(f"/seats/{ann.seat}/chat", words=bad)
    seat = ann.seat
    for path in (f"/seats/{seat}", f"/tables/{seat.partition('-')[0]}?watch", "/mine", "/watch", "/"):
        page = Browser(server.url).get(path) if "watch" in path else ann.get(path)
        assert "<img src=x" not in page.text, path


def test_bad_requests_get_an_answer_and_change_nothing(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])
    path = f"/api/seats/{ann.seat}/answers"
    for body in (b"", b"{", b"[]", b'{"key": 1}', b"\xff"):
        assert ann.post(path, content=body, headers={"content-type": "application/json"}).status_code == 400
    deep = b'{"key":"k","number":0,"option":' + b"[" * 5000 + b"]" * 5000 + b"}"
    assert ann.post(path, content=deep, headers={"content-type": "application/json"}).status_code in (
        400,
        422,
    )
    assert ann.post(path, content=b"x" * 100_000).status_code == 413
    assert ann.get("/api/seats/../../etc").status_code == 404
    assert ann.post("/api/tables", json={"game": "/etc/passwd", "seats": ["me"]}).status_code == 404
    assert ann.post("/api/tables", json={"game": "sealed", "seats": ["me"] * 9}).status_code == 400
    assert ann.post("/api/tables", json={"game": "sealed", "seats": ["me", "wizard"]}).status_code == 400
    options = {"game": "sealed", "seats": ["me", "me"], "options": {"cheat": True}}
    assert "has no option" in ann.post("/api/tables", json=options).json()["why"]
    assert ann.sees()["number"] == 0


def test_limits_answer_politely(tmp_path: Path) -> None:
    limits = Limits(answers_per_second=1, tables_per_minute=2, hints_per_minute=3, requests_per_second=8)
    with served(str(tmp_path / "x.sqlite3"), limits=limits) as server:
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "random"])
        number = ann.sees()["number"]
        replies = [ann.answers(number, ["nonsense"]) for _ in range(4)]
        assert [reply.status_code for reply in replies] == [422, 422, 429, 429]
        assert "too fast" in replies[-1].json()["why"]
        plan = {"game": "sealed", "seats": ["me", "me"]}
        assert [ann.post("/api/tables", json=plan).status_code for _ in range(3)] == [201, 201, 429]
        assert ann.post(f"/api/seats/{ann.seat}/hint").status_code == 200
        assert ann.post(f"/api/seats/{ann.seat}/hint").status_code == 429
        # Another token does not help for long: they are all of one address.
        made_up = [Player(server.url, f"token {n}").post("/api/tables", json=plan) for n in range(2)]
        assert [reply.status_code for reply in made_up] == [201, 429]
        assert int(made_up[-1].headers["retry-after"]) >= 1
        many = [ann.get(f"/api/seats/{ann.seat}") for _ in range(80)]
        slowed = [reply for reply in many if reply.status_code == 429]
        assert slowed
        assert int(slowed[0].headers["retry-after"]) >= 1
        assert "too fast" in slowed[0].json()["why"]
        pages = [ann.get("/mine").text.partition("<main")[2] for _ in range(20)]
        assert any("That was too fast; try again" in page for page in pages)
        assert ann.get("/health").status_code == 200


def test_a_full_house_says_so(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3"), limits=Limits(tables=1)) as server:
        Player(server.url).opens("sealed", ["me", "me"])
        full = Player(server.url).post("/api/tables", json={"game": "sealed", "seats": ["me", "me"]})
        assert (full.status_code, full.json()["why"][:18]) == (429, "The house is full;")


def test_a_bad_clock_is_refused_when_the_table_is_opened(server: Served) -> None:
    ann = Player(server.url)
    for clock in ({"patience": "abc"}, {"kind": "live", "seconds": None}, {"kind": "days", "days": {}}):
        reply = ann.post("/api/tables", json={"game": "sealed", "seats": ["me", "me"], "clock": clock})
        assert reply.status_code == 400
        assert "clock" in reply.json()["why"]
    described = ann.get("/api/openapi.json").json()["components"]["schemas"]
    assert "increment" in described["Clock"]["properties"]
    browser = Browser(server.url)
    browser.posts("/tables", game="sealed", seat0="me", seat1="me", clock="sun")
    assert browser.page.status_code == 400


def test_control_characters_reach_no_database(postgres: str) -> None:
    odd = "od\x00\x07d\u2028\u202e words"
    with served(postgres) as server:
        ann, bob = Player(server.url), Browser(server.url)
        ann.opens("tic-tac-toe", ["me", "me"], name=odd, title=odd)
        assert ann.post(f"/api/seats/{ann.seat}/chat", json={"words": odd}).status_code == 201
        assert ann.post(f"/api/seats/{ann.seat}/chat", json={"words": "\x00 "}).status_code == 400
        around = ann.sees()["table"]
        assert [around["title"], around["seats"][0]["name"], around["chat"][0]["words"]] == [
            "odd words",
            "odd words 1",
            "odd words",
        ]
        bob.posts("/name", name=odd)
        bob.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me", title=odd)
        seat = bob.seat
        assert "odd words" in bob.page.text
        bob.posts(f"/seats/{seat}/chat", words=odd)
        assert bob.page.status_code == 200
        bob.posts(f"/seats/{seat}/answer", number="0", option=json.dumps(["mark", odd]))
        assert bob.page.status_code == 422
        for path in ("/tables/%00", "/seats/%00", "/join/%00", "/rules/%00", "/tables/new?game=%00"):
            assert bob.get(path).status_code == 404, path


def test_an_error_of_the_database_does_not_say_what_people_wrote(postgres: str) -> None:
    store = Store(postgres)
    with pytest.raises(SQLAlchemyError) as raised:
        asyncio.run(store.say("t1", ChatLine(0, "table", 0, "Ann", "private\x00words", 1.0)))
    store.close()
    assert "private" not in str(raised.value)
