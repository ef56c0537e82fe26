"""The people at a table: how they come, sit, talk, stay away, give up and play again."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talion.table.rows import read_entries

from .serving import Browser, Events, Player, Served, at_play, play_out, served, wait_for


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("house") / "x.sqlite3")) as running:
        yield running


def test_two_people_by_invitation(server: Served) -> None:
    ann, bob = Browser(server.url), Browser(server.url)
    ann.posts("/name", name="Ann <b>")
    ann.posts("/tables", game="sealed", seat0="me", seat1="open")
    assert "Ann &lt;b&gt;" in ann.page.text
    assert "<b>" not in ann.page.text
    invite = re.search(r'href="(http[^"]+/join/[^"]+)"', ann.page.text)
    assert invite
    # Opening the link shows the seat and takes nothing; the secret is gone from the address at once.
    bob.go(invite[1])
    assert str(bob.page.url).endswith("/join")
    assert "You are invited" in bob.page.text
    assert "an empty seat" in bob.page.text
    bob.posts("/join", name="Bob")
    ann.go(f"/seats/{ann.seat}")
    assert "Bob" in ann.page.text
    ann.posts(f"/seats/{ann.seat}/start")
    assert ann.choices()
    bob.go(f"/seats/{bob.seat}")
    assert bob.choices()
    assert ann.seat != bob.seat
    # Neither can open the other's seat.
    assert bob.get(f"/seats/{ann.seat}").status_code == 404


def test_another_device_continues_the_same_seat(server: Served) -> None:
    ann, phone = Browser(server.url), Browser(server.url)
    ann.posts("/tables", game="sealed", seat0="me", seat1="random")
    seat = ann.seat
    private = re.search(r'private link.*?href="([^"]+)"', ann.page.text, re.S)
    assert private
    phone.go(private[1])
    assert "Continue your match here" in phone.page.text
    phone.posts("/join")
    assert phone.seat == seat
    ann.go(f"/seats/{seat}")
    assert phone.choices() == ann.choices()
    assert phone.get("/mine").text.count("/seats/") == 1


def test_pass_and_play_two_seats_in_one_browser(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
    seats = re.findall(r'href="/seats/([\w-]+)"', ann.page.text)
    assert len(set(seats)) == 2
    for turn in range(7):
        ann.go(f"/seats/{seats[turn % 2]}")
        ann.clicks(ann.choices()[0])
    assert "wins" in ann.page.text


def test_chat_for_the_table_and_apart_for_watchers(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])
    watcher = Player(server.url, "some-token-of-a-watcher")
    assert ann.post(f"/api/seats/{ann.seat}/chat", json={"words": "hello <script>"}).status_code == 201
    assert (
        watcher.post(f"/api/tables/{ann.table}/chat", json={"words": "she should take 5"}).status_code == 201
    )
    assert [line["words"] for line in ann.sees()["table"]["chat"]] == ["hello <script>"]
    seen = watcher.get(f"/api/tables/{ann.table}").json()["table"]["chat"]
    assert [line["room"] for line in seen] == ["table", "watchers"]
    assert "<script>" not in Browser(server.url).get(f"/tables/{ann.table}").text.split("</head>")[1]


def test_a_bot_plays_on_and_gives_the_seat_back(server: Served) -> None:
    ann, bob = at_play(server.url, "sealed")
    assert bob.post(f"/api/seats/{bob.seat}/bot", json={"bot": "random"}).status_code == 200
    wait_for(lambda: not bob.sees()["match"].get("ask"), "the bot to answer for Bob")
    assert bob.post(f"/api/seats/{bob.seat}/bot", json={"bot": None}).status_code == 200
    wait_for(lambda: ann.moves() is None, "Ann to be done")
    assert bob.sees()["table"]["seats"][1]["bot"] is None
    wait_for(lambda: (reply := bob.moves()) and reply.status_code == 200, "Bob to answer for himself")


def test_the_host_removes_and_mutes(server: Served) -> None:
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens("sealed", ["me", "open", "open"])
    bob.sits(opened["table"], opened["invite"], "Bob")
    assert bob.post(f"/api/seats/{bob.seat}/mute", json={"other": 0, "muted": True}).status_code == 403
    assert ann.post(f"/api/seats/{ann.seat}/mute", json={"other": 1, "muted": True}).status_code == 200
    assert bob.post(f"/api/seats/{bob.seat}/chat", json={"words": "hey"}).status_code == 403
    assert ann.sees()["table"]["seats"][1]["muted"]
    assert bob.sees()["table"]["seats"][1]["muted"] is None, "the host's to know"
    assert ann.post(f"/api/seats/{ann.seat}/remove", json={"other": 1}).status_code == 200
    assert bob.get(f"/api/seats/{bob.seat}").status_code == 404
    assert ann.sees()["table"]["seats"][1]["name"] is None
    # The invitation they came by is worthless; who comes by the new one is not muted.
    again = bob.post(f"/api/tables/{ann.table}/seats", json={"invite": opened["invite"]})
    assert again.status_code == 403
    cid = Player(server.url)
    cid.sits(ann.table, ann.get(f"/api/seats/{ann.seat}/links").json()["invite"], "Cid")
    assert cid.post(f"/api/seats/{cid.seat}/chat", json={"words": "hey"}).status_code == 201


def test_the_host_unmutes_on_the_page_and_removes_nobody_after_the_end(server: Served) -> None:
    ann, bob = Browser(server.url), Player(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="open")
    seat, table = ann.seat, ann.seat.partition("-")[0]
    bob.sits(table, re.search(r"/join/([\w=-]+)", ann.page.text)[1])  # type: ignore[index]
    ann.posts(f"/seats/{seat}/mute", other="1", muted="yes")
    assert "Muted: let them speak" in ann.page.text
    ann.posts(f"/seats/{seat}/mute", other="1", muted="no")
    assert bob.post(f"/api/seats/{bob.seat}/chat", json={"words": "hey"}).status_code == 201
    ann.posts(f"/seats/{seat}/start")
    bob.post(f"/api/seats/{bob.seat}/concede")
    assert ">Remove<" not in ann.go(f"/seats/{seat}").text
    ann.posts(f"/seats/{seat}/remove", other="1", confirmed="yes")
    assert "nobody can be removed now" in ann.page.text
    assert bob.sees()["table"]["status"] == "over"


def test_a_table_that_ended_takes_nobody(server: Served) -> None:
    ann, bob, browser = Player(server.url), Player(server.url), Browser(server.url)
    opened = ann.opens("sealed", ["me", "open"])
    browser.go(f"/join/{opened['invite']}")
    assert "You are invited" in browser.page.text
    ann.post(f"/api/seats/{ann.seat}/leave")
    reply = bob.post(f"/api/tables/{ann.table}/seats", json={"invite": opened["invite"]})
    assert (reply.status_code, reply.json()["why"]) == (
        410,
        "This table takes nobody any more: its match is over, or was called off.",
    )
    browser.go(f"/join/{opened['invite']}")
    assert browser.page.status_code == 410


def test_a_new_host_invites(server: Served) -> None:
    ann, bob, cid = Player(server.url), Player(server.url), Player(server.url)
    opened = ann.opens("sealed", ["me", "open", "open"])
    bob.sits(opened["table"], opened["invite"])
    assert bob.get(f"/api/seats/{bob.seat}/links").json()["invite"] == ""
    ann.post(f"/api/seats/{ann.seat}/leave")
    cid.sits(opened["table"], bob.get(f"/api/seats/{bob.seat}/links").json()["invite"])
    assert bob.sees()["table"]["host"]


def test_sitting_down_twice_takes_one_seat_unless_another_is_named(server: Served) -> None:
    ann, bob = Player(server.url), Player(server.url, "a token of Bob's")
    opened = ann.opens("sealed", ["me", "open", "open"], open=True)
    path = f"/api/tables/{opened['table']}/seats"
    first = bob.post(path, json={}).json()["seat"]
    assert bob.post(path, json={}).json()["seat"] == first
    assert bob.post(path, json={"seat": 2}).json()["seat"] != first
    assert bob.post(path, json={"seat": 0}).status_code == 409


def test_concede_leave_and_call_off(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])
    assert ann.post(f"/api/seats/{ann.seat}/concede").status_code == 200
    assert ann.sees()["table"]["result"] == {"winners": [1], "why": "@0 conceded."}
    bob = Player(server.url)
    bob.opens("sealed", ["me", "random", "random"])
    assert bob.proposes("abort").status_code == 200
    assert bob.sees()["table"]["status"] == "aborted"
    cid, dee = Player(server.url), Player(server.url)
    opened = cid.opens("sealed", ["me", "open"])
    dee.sits(opened["table"], opened["invite"])
    cid.post(f"/api/seats/{cid.seat}/start")
    assert cid.post(f"/api/seats/{cid.seat}/leave").status_code == 200
    assert cid.get(f"/api/seats/{cid.seat}").status_code == 404
    around = dee.sees()["table"]
    assert around["host"]
    assert around["seats"][0]["bot"]
    play_out(dee)


def test_who_concedes_alone_has_lost_and_nobody_won(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("chapter-of-resonance", ["me"])
    assert ann.post(f"/api/seats/{ann.seat}/concede").status_code == 200
    assert ann.sees()["table"]["result"]["winners"] == []
    watching = Browser(server.url).get(f"/tables/{ann.table}")
    assert watching.status_code == 200
    assert "Nobody wins" in watching.text


def test_conceding_among_three_is_for_good(server: Served) -> None:
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens("sealed", ["me", "open", "random"])
    bob.sits(opened["table"], opened["invite"])
    assert bob.post(f"/api/seats/{bob.seat}/concede").status_code == 409, "the match has not begun"
    ann.post(f"/api/seats/{ann.seat}/start")
    assert bob.post(f"/api/seats/{bob.seat}/concede").status_code == 200
    assert bob.sees()["table"]["seats"][1]["conceded"]
    for act, body in (
        ("bot", {"bot": None}),
        ("concede", None),
        ("proposals", {"key": "k", "number": 1, "what": "abort"}),
    ):
        reply = bob.post(f"/api/seats/{bob.seat}/{act}", json=body)
        assert (reply.status_code, reply.json()["why"]) == (409, "You have given this match up.")
    option = ["pass"]
    assert bob.answers(bob.sees()["number"], option).json()["reply"] in ("refused", "stale")
    play_out(ann)
    over = ann.sees()["table"]
    assert over["status"] == "over"
    assert (over["result"]["conceded"], over["result"]["places"][1]) == ([1], 3), (
        "however well the bot went on"
    )
    assert 1 not in over["result"]["winners"]
    again = bob.post(f"/api/seats/{bob.seat}/rematch").json()["table"]
    seats = ann.get(f"/api/tables/{again}").json()["table"]["seats"]
    assert [seat["bot"] for seat in seats] == ["random", None, None]


def test_a_name_is_no_reference_to_a_seat(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/name", name="@1")
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="random")
    ann.posts(f"/seats/{ann.seat}/concede", confirmed="yes")
    assert "@1 conceded." in ann.page.text


def test_a_rematch_is_begun_and_played_by_its_own_links(server: Served) -> None:
    ann, bob = Browser(server.url), Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="open")
    bob.go(re.search(r'href="(http[^"]+/join/[^"]+)"', ann.page.text)[1])  # type: ignore[index]
    bob.posts("/join", name="Bob")
    ann.posts(f"/seats/{ann.seat}/start")
    ann.posts(f"/seats/{ann.seat}/concede", confirmed="yes")
    ann.posts(f"/seats/{ann.seat}/rematch")
    invite, private = (
        re.search(rf'{words}.*?href="(http[^"]+/join/[^"]+)"', ann.page.text, re.S)[1]  # type: ignore[index]
        for words in ("Invite somebody", "private link")
    )
    assert "You are invited" in Browser(server.url).go(invite).text
    assert "Continue your match here" in Browser(server.url).go(private).text
    bob.go(f"/tables/{ann.seat.partition('-')[0]}")
    ann.posts(f"/seats/{ann.seat}/start")
    players = [bob, ann]  # the seats have moved round by one

    def over() -> bool:
        for player in players:
            player.go(f"/seats/{player.seat}")
            if player.choices():
                player.clicks(player.choices()[0])
        return 'aria-label="The end"' in ann.go(f"/seats/{ann.seat}").text

    wait_for(over, "the rematch to end")
    assert "wins" in ann.page.text


def test_a_table_closed_by_the_house_offers_no_rematch(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="random")
    seat = ann.seat
    server.in_loop(lambda: closed(server, seat))
    assert "closed by the house" in ann.go(f"/seats/{seat}").text
    assert "Play again" not in ann.page.text
    assert "The house has closed this table." in ann.posts(f"/seats/{seat}/rematch").text


async def closed(server: Served, seat: str) -> None:
    live = await server.house.table(seat.partition("-")[0])
    await server.house.store.change_table(live.row.id, status="closed", due=None)
    await live.refresh()


def test_play_again(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])
    play_out(ann)
    again = ann.post(f"/api/seats/{ann.seat}/rematch").json()["table"]
    assert ann.post(f"/api/seats/{ann.seat}/rematch").json()["table"] == again
    assert ann.sees()["table"]["next"] == again
    assert [line["table"] for line in ann.get("/api/seats").json()] == [again, ann.table]


def test_clocks_run_out_into_defaults(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann, bob = Player(server.url), Player(server.url)
        opened = ann.opens(
            "tic-tac-toe", ["me", "open"], clock={"kind": "live", "seconds": 10, "increment": 0}
        )
        bob.sits(opened["table"], opened["invite"])
        # Ten seconds is the least; make it one by hand.
        live = server.in_loop(lambda: server.house.table(ann.table))
        live.row.clock.update(seconds=0.5)
        live.course.clocks = [0.5, 0.5]
        ann.post(f"/api/seats/{ann.seat}/start")
        seat_a_bot = {"other": 0, "bot": "random"}
        assert bob.post(f"/api/seats/{bob.seat}/substitute", json=seat_a_bot).status_code == 409
        wait_for(lambda: ann.sees()["table"]["seats"][0]["absent"], "Ann's clock to run out", 20)
        wait_for(lambda: ann.sees()["table"]["status"] == "over", "the clocks to play it out", 20)
        kinds = [
            entry.kind
            for entry in server.in_loop(
                lambda: server.house.store.read(lambda connection: read_entries(connection, ann.table))
            )
        ]
        assert kinds == ["begin", *["default"] * (len(kinds) - 1)]
        assert f"talion_defaults_total {len(kinds) - 1}" in server.house.metrics.page()


def test_a_bot_may_be_seated_for_who_let_the_clock_run_out(tmp_path: Path) -> None:
    """Until they answer themselves again; however patient the table is otherwise."""
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann, bob = at_play(server.url, "tic-tac-toe", clock={"kind": "days", "days": 1})
        live = server.in_loop(lambda: server.house.table(ann.table))

        def runs_out(seat: int) -> None:
            assert server.in_loop(lambda: live.act("default", seat, live.stands(seat).number))

        runs_out(0)
        assert [seat["absent"] for seat in bob.sees()["table"]["seats"]] == [True, False]
        bob.moves()
        ann.moves()
        assert [seat["absent"] for seat in bob.sees()["table"]["seats"]] == [False, False]
        bob.moves()
        runs_out(0)
        seat_a_bot = {"other": 0, "bot": "random"}
        assert bob.post(f"/api/seats/{bob.seat}/substitute", json=seat_a_bot).status_code == 200
        play_out(bob)


def test_nobody_is_told_by_absence_who_has_chosen_in_secret(tmp_path: Path) -> None:
    """Bob chooses in secret, and Ann's patience with him and with herself is counted on as if he had not."""
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann, bob = at_play(server.url, "sealed", clock={"kind": "none", "patience": 60})
        live = server.in_loop(lambda: server.house.table(ann.table))
        began = live.course.public_at
        bob.moves()
        assert live.course.at > live.course.public_at == began
        live.course.public_at -= 70
        assert [seat["absent"] for seat in ann.sees()["table"]["seats"]] == [True, True]


def test_leavers_do_not_block(server: Served) -> None:
    ann, _ = at_play(server.url, "tic-tac-toe", clock={"kind": "none", "patience": 60})
    ann.moves()
    seat_a_bot = {"other": 1, "bot": "random"}
    assert ann.post(f"/api/seats/{ann.seat}/substitute", json=seat_a_bot).status_code == 409
    let_time_pass(server, ann, 70)
    assert ann.sees()["table"]["seats"][1]["absent"]
    assert ann.post(f"/api/seats/{ann.seat}/substitute", json=seat_a_bot).status_code == 200
    play_out(ann)


def test_who_was_removed_does_not_sit_down_again(server: Served) -> None:
    """At a table that is open to all too; anybody else may."""
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens("sealed", ["me", "open"], open=True)
    bob.sits(opened["table"])
    assert ann.post(f"/api/seats/{ann.seat}/remove", json={"other": 1}).status_code == 200
    refused = bob.post(f"/api/tables/{opened['table']}/seats", json={})
    assert (refused.status_code, refused.json()["why"]) == (
        403,
        "The host has sent you away from this table.",
    )
    Player(server.url).sits(opened["table"])


def let_time_pass(server: Served, player: Player, seconds: float) -> None:
    """As if nothing had happened at a player's table for so long."""
    live = server.in_loop(lambda: server.house.table(player.table))
    live.course.at -= seconds
    live.course.public_at -= seconds


def test_who_has_a_stream_is_not_away(server: Served) -> None:
    """However long Bob thinks: as long as he is there, nobody seats a bot for him."""
    ann, bob = at_play(server.url, "tic-tac-toe")
    ann.moves()
    listening = Events(bob)
    let_time_pass(server, ann, 3600)
    seat_a_bot = {"other": 1, "bot": "random"}
    assert ann.post(f"/api/seats/{ann.seat}/substitute", json=seat_a_bot).status_code == 409
    assert listening


def test_who_has_a_stream_with_another_server_is_not_away(postgres: str) -> None:
    """From the moment it opens."""
    with served(postgres) as here, served(postgres) as there:
        ann, bob = at_play(here.url, "tic-tac-toe")
        ann.moves()
        let_time_pass(here, ann, 3600)
        listening = Events(Player(there.url, bob.headers["authorization"].removeprefix("Bearer ")))
        wait_for(lambda: listening.told, "Bob's stream to be open")
        refused = ann.post(f"/api/seats/{ann.seat}/substitute", json={"other": 1, "bot": "random"})
        assert (refused.status_code, refused.json()["why"]) == (
            409,
            "They have not been away for long enough.",
        )


def test_a_substitute_is_no_weaker_than_the_bots_here(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3"), stand_in="greedy") as server:
        ann, bob = Player(server.url), Player(server.url)
        opened = ann.opens("sealed", ["me", "open", "easy"])
        bob.sits(opened["table"], opened["invite"])
        ann.post(f"/api/seats/{ann.seat}/start")
        ann.moves()
        let_time_pass(server, ann, 3600)
        for bot, status in (("random", 400), ("greedy", 400), ("easy", 200)):
            reply = ann.post(f"/api/seats/{ann.seat}/substitute", json={"other": 1, "bot": bot})
            assert reply.status_code == status, (bot, reply.text)


def test_a_person_who_comes_back_plays_and_is_always_asked_to_agree(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot plays for Bob. Calling the match off still needs his consent; and with his own answer he is back."""
    ann, bob = at_play(server.url, "tic-tac-toe")
    ann.moves()

    async def think(*_: Any) -> None:
        await asyncio.sleep(3600)

    monkeypatch.setattr(server.house.keeper.workers, "think", think)
    let_time_pass(server, ann, 3600)
    seat_a_bot = {"other": 1, "bot": "random"}
    assert ann.post(f"/api/seats/{ann.seat}/substitute", json=seat_a_bot).status_code == 200
    assert ann.proposes("abort").status_code == 200
    assert ann.sees()["table"]["status"] == "running"
    assert bob.sees()["table"]["offer"]["yours_to_agree"]
    assert bob.consents(False).status_code == 200
    assert bob.moves().json()["reply"] == "accepted"  # type: ignore[union-attr]
    assert bob.sees()["table"]["seats"][1]["bot"] is None
    ann.moves()
    assert bob.sees()["match"]["ask"], "nobody answers for him any more"


def test_yes_to_one_offer_is_not_yes_to_another(server: Served) -> None:
    """Ann proposes to take back; Bob is about to agree; the offer is replaced by one to call the match off."""
    ann, bob = at_play(server.url, "tic-tac-toe")
    ann.moves()
    bob.moves()
    ann.proposes("undo")
    old = bob.sees()["table"]["offer"]["id"]
    ann.proposes("abort")
    reply = bob.post(f"/api/seats/{bob.seat}/consent", json={"offer": old, "yes": True})
    assert reply.status_code == 409
    assert reply.json()["why"] == "That is not proposed any more."
    assert ann.sees()["table"]["status"] == "running"
    assert bob.consents(True).status_code == 200
    assert ann.sees()["table"]["status"] == "aborted"


def test_two_undos_at_once_take_back_one(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "me"])
    other = Player(server.url, ann.headers["authorization"].split()[1])
    other.table, other.seat = ann.table, ann.get("/api/seats").json()[1]["seat"]
    ann.moves()
    number = ann.sees()["number"]
    log = len(ann.get(f"/api/seats/{ann.seat}/log").json())
    replies = [ann.proposes("undo", number, "same").status_code for _ in range(2)]
    assert replies == [200, 200], "the second is the first again"
    assert ann.proposes("undo", number).status_code == 409, (
        "and another one speaks of a table that has gone on"
    )
    assert len(ann.get(f"/api/seats/{ann.seat}/log").json()) == log - 1


def test_setting_the_machines_clock_charges_nobody(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = at_play(server.url, "tic-tac-toe", clock={"kind": "live", "seconds": 600, "increment": 0})
    honest = time.time
    monkeypatch.setattr(time, "time", lambda: honest() + 7200)
    ann.moves()
    bob.moves()
    around = ann.sees()["table"]
    assert all(left > 500 for left in around["clock"]["left"])
    assert not any(seat["absent"] for seat in around["seats"])


def test_patience_has_a_floor_and_is_shown_before_one_sits_down(server: Served) -> None:
    ann = Player(server.url)
    body = {"game": "sealed", "seats": ["me", "open"], "clock": {"kind": "none", "patience": 5}}
    assert ann.post("/api/tables", json=body).status_code == 400
    body["clock"] = {"kind": "none", "patience": 120}
    table = ann.post("/api/tables", json=body).json()["table"]
    assert Player(server.url).get(f"/api/tables/{table}").json()["table"]["patience"] == 120


@pytest.mark.parametrize(("patience", "said"), [(60, "1 minute "), (5400, "90 minutes "), (86400, "1 day ")])
def test_patience_is_said_on_every_page_before_one_sits_down(
    server: Served, patience: int, said: str
) -> None:
    ann, bob = Player(server.url), Browser(server.url)
    clock = {"kind": "none", "patience": patience}
    opened = ann.opens("sealed", ["me", "open"], clock=clock, open=True)
    for path in (f"/join/{opened['invite']}", f"/tables/{opened['table']}"):
        assert f"wait for more than {said}may be played by a bot" in bob.go(path).text, path


def test_a_browser_with_two_seats_is_told_which_is_to_play(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
    first, second = dict.fromkeys(re.findall(r'href="/seats/([\w-]+)"', ann.page.text))
    assert "<title>Your turn: " in ann.go(f"/seats/{first}").text
    assert "Your seat 1: <b>your turn</b>" in ann.page.text
    ann.clicks(ann.choices()[0])
    assert "<title>Your other seat's turn: " in ann.page.text
    assert "Your seat 2: <b>your turn</b>" in ann.page.text
    assert "<title>Your turn: " in ann.go(f"/seats/{second}").text


def test_a_title_is_kept_whole_and_bots_have_their_article(server: Served) -> None:
    ann = Browser(server.url)
    title = "An evening of vengeance among old friends, and new ones too"
    ann.posts("/tables", game="sealed", seat0="me", seat1="open", title=title)
    assert f"<h1>{title}</h1>" in ann.page.text
    assert "Seat an easy bot" in ann.page.text
