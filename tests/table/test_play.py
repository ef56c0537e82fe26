"""A whole match: by the API, and in a browser without script, against a bot and between people."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.table.store import read_entries

from .serving import Browser, Player, Served, play_out, served, wait_for


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("house") / "x.sqlite3")) as running:
        yield running


def test_a_match_against_a_bot_by_the_api(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])
    play_out(ann)
    table = ann.sees()["table"]
    assert table["status"] == "over"
    assert table["seed"]
    assert table["result"]["why"]


def test_every_submission_gets_its_typed_reply(server: Served) -> None:
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens("tic-tac-toe", ["me", "open"])
    bob.sits(opened["table"], opened["invite"])
    assert ann.post(f"/api/seats/{ann.seat}/start").status_code == 200
    empty = ann.sees()["match"]["table"]["cells"]
    early = bob.answers(0, ["mark", 4])
    assert (early.status_code, early.json()["reply"]) == (422, "refused")
    assert early.json()["why"] == "It is not your turn to choose."
    first = ann.answers(0, ["mark", 4], key="one")
    assert first.json() == {"reply": "accepted", "number": 1}
    assert ann.answers(0, ["mark", 4], key="one").json() == {"reply": "duplicate", "number": 1}
    stale = bob.answers(0, ["mark", 0])
    assert (stale.status_code, stale.json()["reply"]) == (409, "stale")
    assert stale.json()["state"]["match"]["table"]["cells"][4] != empty[4]
    taken = bob.answers(1, ["mark", 4])
    assert (taken.status_code, taken.json()["reply"]) == (422, "refused")
    assert bob.answers(1, ["mark", 0]).json()["reply"] == "accepted"
    # Delayed and reordered: an old one, and one from the future.
    assert ann.answers(0, ["mark", 8]).json()["reply"] == "stale"
    assert ann.answers(9, ["mark", 8]).json()["reply"] == "stale"
    cells = ann.sees()["match"]["table"]["cells"]
    assert [n for n in range(9) if cells[n] != empty[n]] == [0, 4]


@pytest.mark.parametrize("key", ["tic-tac-toe", "sealed", *games.keys()])
def test_a_match_in_a_browser_without_script(server: Served, key: str) -> None:
    """From the front page, by forms alone, to the end; a long match is called off after a while."""
    by_forms(server, key, 40)


@pytest.mark.deep
@pytest.mark.parametrize("key", games.keys())
def test_a_whole_match_in_a_browser_without_script(server: Served, key: str) -> None:
    by_forms(server, key, 100_000)


def by_forms(server: Served, key: str, most: int) -> None:
    seats = min(server.house.catalogue.find(key).seats)
    browser = Browser(server.url)
    form = {f"seat{n}": "random" for n in range(1, seats)}
    browser.posts("/tables", game=key, seat0="me", **form)
    clicks = 0

    def over() -> bool:
        nonlocal clicks
        if 'aria-label="The end"' in browser.page.text:
            return True
        options = browser.choices()
        if clicks >= most:
            browser.surely_posts(f"/seats/{browser.seat}/propose", what="abort")
        elif options:
            clicks += 1
            assert browser.clicks(options[clicks % len(options)]).status_code == 200, browser.page.text[
                -2000:
            ]
        else:
            browser.go(f"/seats/{browser.seat}")
        return False

    wait_for(over, f"{key} to end", 1200)
    assert clicks > 2
    assert "The seed was" in browser.page.text
    file = browser.get(re.search(r'href="(/tables/[^"]+/file)"', browser.page.text)[1])  # type: ignore[index]
    assert file.text.startswith("talion match")


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
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens("sealed", ["me", "open"])
    bob.sits(opened["table"], opened["invite"])
    ann.post(f"/api/seats/{ann.seat}/start")
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
    assert bob.post(f"/api/seats/{bob.seat}/mute", json={"number": 0, "muted": True}).status_code == 403
    assert ann.post(f"/api/seats/{ann.seat}/mute", json={"number": 1, "muted": True}).status_code == 200
    assert bob.post(f"/api/seats/{bob.seat}/chat", json={"words": "hey"}).status_code == 403
    assert ann.sees()["table"]["seats"][1]["muted"]
    assert bob.sees()["table"]["seats"][1]["muted"] is None, "the host's to know"
    assert ann.post(f"/api/seats/{ann.seat}/remove", json={"number": 1}).status_code == 200
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


def test_take_back_alone_and_by_consent(server: Served) -> None:
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens("tic-tac-toe", ["me", "open"])
    bob.sits(opened["table"], opened["invite"])
    ann.post(f"/api/seats/{ann.seat}/start")
    empty = ann.sees()["match"]["table"]["cells"]
    ann.moves()
    # Nothing was revealed, rolled or decided by another: free.
    assert ann.post(f"/api/seats/{ann.seat}/proposals", json={"what": "undo"}).status_code == 200
    assert ann.sees()["match"]["table"]["cells"] == empty
    ann.moves()
    bob.moves()
    assert ann.post(f"/api/seats/{ann.seat}/proposals", json={"what": "undo"}).status_code == 200
    offer = bob.sees()["table"]["offer"]
    assert offer == {"what": "undo", "by": 0, "yours_to_agree": True}
    assert ann.sees()["match"]["table"]["cells"] != empty
    assert bob.post(f"/api/seats/{bob.seat}/consent", json={"yes": True}).status_code == 200
    assert ann.sees()["match"]["table"]["cells"] == empty
    assert ann.sees()["table"]["offer"] is None
    play_out(ann, bob)
    text = ann.get(f"/tables/{ann.table}/file").text
    assert "talion match" in text


def test_concede_leave_and_call_off(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])
    assert ann.post(f"/api/seats/{ann.seat}/concede").status_code == 200
    assert ann.sees()["table"]["result"] == {"winners": [1], "why": "@0 conceded."}
    bob = Player(server.url)
    bob.opens("sealed", ["me", "random", "random"])
    assert bob.post(f"/api/seats/{bob.seat}/proposals", json={"what": "abort"}).status_code == 200
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
    for act, body in (("bot", {"bot": None}), ("concede", None), ("proposals", {"what": "abort"})):
        reply = bob.post(f"/api/seats/{bob.seat}/{act}", json=body)
        assert (reply.status_code, reply.json()["why"]) == (409, "You have given this match up.")
    option = ["pass"]
    assert bob.answers(bob.sees()["number"], option).json()["reply"] in ("refused", "stale")
    play_out(ann)
    assert ann.sees()["table"]["status"] == "over"
    again = bob.post(f"/api/seats/{bob.seat}/rematch").json()["table"]
    seats = ann.get(f"/api/tables/{again}").json()["table"]["seats"]
    assert [seat["bot"] for seat in seats] == ["random", None, None]


def test_a_name_is_no_reference_to_a_seat(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/name", name="@1")
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="random")
    ann.posts(f"/seats/{ann.seat}/concede", confirmed="yes")
    assert "<p>@1 conceded.</p>" in ann.page.text


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
        live.clocks = [0.5, 0.5]
        ann.post(f"/api/seats/{ann.seat}/start")
        seat_a_bot = {"number": 0, "bot": "random"}
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
        ann, bob = Player(server.url), Player(server.url)
        opened = ann.opens("tic-tac-toe", ["me", "open"], clock={"kind": "days", "days": 1})
        bob.sits(opened["table"], opened["invite"])
        ann.post(f"/api/seats/{ann.seat}/start")
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
        seat_a_bot = {"number": 0, "bot": "random"}
        assert bob.post(f"/api/seats/{bob.seat}/substitute", json=seat_a_bot).status_code == 200
        play_out(bob)


def test_nobody_is_told_by_absence_who_has_chosen_in_secret(tmp_path: Path) -> None:
    """Bob chooses in secret, and Ann's patience with him and with herself is counted on as if he had not."""
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann, bob = Player(server.url), Player(server.url)
        opened = ann.opens("sealed", ["me", "open"], clock={"kind": "none", "patience": 1.0})
        bob.sits(opened["table"], opened["invite"])
        ann.post(f"/api/seats/{ann.seat}/start")
        live = server.in_loop(lambda: server.house.table(ann.table))
        began = live.public_at
        bob.moves()
        assert live.at > live.public_at == began
        live.public_at -= 10
        assert [seat["absent"] for seat in ann.sees()["table"]["seats"]] == [True, True]


def test_an_answer_can_be_taken_back_although_a_seat_has_changed_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also right after the state was written out: the match in memory keeps its past."""
    monkeypatch.setattr("talion.table.live.SNAPSHOT_EVERY", 2)
    with served(str(tmp_path / "x.sqlite3")) as server:
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "me"])
        ann.moves()
        ann.post(f"/api/seats/{ann.seat}/orders", json={"windows": "ask"})
        assert ann.post(f"/api/seats/{ann.seat}/proposals", json={"what": "undo"}).status_code == 200
        assert len(ann.sees()["match"]["ask"]["options"]) == 9


def test_leavers_do_not_block(server: Served) -> None:
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens("tic-tac-toe", ["me", "open"], clock={"kind": "none", "patience": 0.3})
    bob.sits(opened["table"], opened["invite"])
    ann.post(f"/api/seats/{ann.seat}/start")
    ann.moves()
    seat_a_bot = {"number": 1, "bot": "random"}
    assert ann.post(f"/api/seats/{ann.seat}/substitute", json=seat_a_bot).status_code == 409
    wait_for(lambda: ann.sees()["table"]["seats"][1]["absent"], "Bob to be away for too long")
    assert ann.post(f"/api/seats/{ann.seat}/substitute", json=seat_a_bot).status_code == 200
    play_out(ann)


def test_why_not_and_a_hint(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("sealed", ["me", "random"])
    assert isinstance(ann.get(f"/api/seats/{ann.seat}/why").json(), list)
    hint = ann.post(f"/api/seats/{ann.seat}/hint").json()
    assert hint["option"] in [offer["option"] for offer in ann.sees()["match"]["ask"]["options"]]


def test_hints_are_thought_of_one_at_a_time(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are asked for, a bot that plays waits for one of them at most."""
    ann = Player(server.url)
    ann.opens("sealed", ["me", "me"])
    keeper, thinking, most = server.house.keeper, 0, 0

    async def think(*_: Any) -> None:
        nonlocal thinking, most
        thinking += 1
        most = max(most, thinking)
        await asyncio.sleep(0.01)
        thinking -= 1

    monkeypatch.setattr(keeper.workers, "think", think)

    async def ask() -> None:
        live = await server.house.table(ann.table)
        await asyncio.gather(*(keeper.hint(live, 0) for _ in range(5)))

    server.in_loop(ask)
    assert most == 1


def plays_where_there_is_a_choice(player: Player) -> list[bool]:
    """Plays to the end, never clicking in a window without a reaction. For each answer, whether it was in a window."""
    answered: list[bool] = []

    def over() -> bool:
        state = player.sees()
        ask = (state["match"] or {}).get("ask")
        if ask and not (ask["window"] and len(ask["options"]) == 1):
            reply = player.answers(state["number"], ask["options"][0]["option"])
            answered.extend([ask["window"]] if reply.status_code == 200 else [])
        return bool(state["table"]["status"] == "over")

    wait_for(over, "the end of a match in which nobody clicked without a choice", 120)
    return answered


def test_the_server_passes_where_nothing_can_be_done(server: Served) -> None:
    """Somebody without a usable reaction never has to click; whoever could react is asked."""
    ann = Player(server.url)
    ann.opens("sealed", ["me", "random"])
    assert sum(plays_where_there_is_a_choice(ann)) <= 4
    log = [text for _, text in ann.get(f"/api/seats/{ann.seat}/log").json()]
    assert sum("shows" in text for text in log) >= 4


def test_who_cannot_react_is_not_asked_to_pass(server: Served) -> None:
    """A whole Personal Vendetta, with a reaction window after everything anybody does, ends though Ann never clicks
    where there is no reaction to choose; the record shows that the server passed for her."""
    ann = Player(server.url)
    ann.opens("personal-vendetta", ["me", "random"])
    clicked = len(plays_where_there_is_a_choice(ann))
    recorded = ann.get(f"/tables/{ann.table}/file").text.count("\nanswer 0 ")
    assert clicked < recorded


def test_pass_until_my_turn(server: Served) -> None:
    ann = Player(server.url)
    ann.opens("sealed", ["me", "random"])
    order = {"windows": "until my turn"}
    wait_for(lambda: ann.sees()["match"].get("ask"), "to be asked")
    ann.moves()
    ann.moves()
    assert ann.post(f"/api/seats/{ann.seat}/orders", json=order).status_code == 200
    wait_for(lambda: "Lay a card" in str(ann.sees()["match"].get("ask")), "the next round, without a click")
    wait_for(lambda: ann.sees()["table"]["orders"] == {"windows": "auto"}, "the order to be fulfilled")
    assert ann.post(f"/api/seats/{ann.seat}/orders", json={"windows": "sleep"}).status_code == 400


def test_an_order_given_while_a_bot_moves_is_kept(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing an order down takes its time; what a bot does meanwhile must not make the server forget to pass."""
    store = server.house.store
    quickly = store.change_table

    async def slowly(*given: Any, **values: Any) -> bool:
        changed = await quickly(*given, **values)
        await asyncio.sleep(2)
        return changed

    monkeypatch.setattr(store, "change_table", slowly)
    monkeypatch.setattr(server.house.keeper, "pace", lambda live: 0.4)
    ann = Player(server.url)
    while not could_react(ann):
        ann.opens("sealed", ["me", "random"])
    ann.moves(lambda options: options[-1])
    ann.moves()
    assert ann.post(f"/api/seats/{ann.seat}/orders", json={"windows": "pass"}).status_code == 200
    wait_for(
        lambda: "Lay a card" in str(ann.sees()["match"].get("ask")), "the next round, without a click", 20
    )


def could_react(player: Player) -> bool:
    """Whether a player holds a Guard, and will still when the first card of the hand is laid."""
    return bool(player.seat) and sum("Guard" in option["name"] for option in asked(player)) > 1


def asked(player: Player) -> list[dict[str, Any]]:
    """The options a player has, now or as soon as there are some."""
    ask: dict[str, Any] = wait_for(lambda: player.sees()["match"].get("ask"), "to be asked")
    return list(ask["options"])


def test_the_same_question_again_is_another_question(server: Served) -> None:
    """Asked the same twice, with nothing changed between, a seat stands at another number: its second answer is no
    duplicate of the first."""
    ann = Player(server.url)
    ann.opens("echo", ["me", "me"])
    first = ann.sees()
    assert ann.answers(first["number"], ["say"], key=f"page-{first['number']}").json()["reply"] == "accepted"
    second = ann.sees()
    assert second["match"] == first["match"]
    assert second["number"] == first["number"] + 1
    assert (
        ann.answers(second["number"], ["say"], key=f"page-{second['number']}").json()["reply"] == "accepted"
    )
    assert ann.sees()["table"]["status"] == "over"


def test_what_cannot_be_taken_back_is_asked_twice(server: Served) -> None:
    """Without script too: a page asks, and nothing has happened yet."""
    ann, bob = Browser(server.url), Browser(server.url)
    ann.posts("/tables", game="sealed", seat0="me", seat1="open")
    bob.go(re.search(r'href="(http[^"]+/join/[^"]+)"', ann.page.text)[1])  # type: ignore[index]
    bob.posts("/join", name="Bob")
    seats = [ann.seat, bob.seat]
    ann.go(f"/seats/{seats[0]}")
    ann.posts(f"/seats/{seats[0]}/start")
    for act, form in (
        ("concede", {}),
        ("leave", {}),
        ("propose", {"what": "abort"}),
        ("remove", {"other": "1"}),
    ):
        ann.posts(f"/seats/{seats[0]}/{act}", **form)
        assert "Are you sure?" in ann.page.text, act
        assert "No, back to the table" in ann.page.text
    assert "Take the seat from Bob?" in ann.page.text
    bob.go(f"/seats/{seats[1]}")
    assert bob.choices()
    assert "proposes" not in bob.page.text
    ann.posts(f"/seats/{seats[0]}/remove", other="1", confirmed="yes")
    assert bob.go(f"/seats/{seats[1]}").status_code == 404
    assert "no longer" in bob.page.text


def test_a_click_on_a_page_that_is_out_of_date_is_said_to_be_late(server: Served) -> None:
    """Another option from a second tab does not count, and that is said; the same one again is the same answer."""
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
    seat, (first, other, *_) = ann.seat, ann.choices()
    for option, late in ((first, False), (first, False), (other, True)):
        ann.posts(f"/seats/{seat}/answer", number="0", option=option)
        assert ("Too late" in ann.page.text) == late
    assert "Too late" not in ann.go(f"/seats/{seat}").text
    assert len(ann.get(f"/api/seats/{seat}/log").json()) == 1


def test_a_refusal_leads_back_to_the_table(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
    seat = ann.seat
    refused = ann.posts(f"/seats/{seat}/propose", what="undo")
    assert refused.status_code == 409
    assert f'href="/seats/{seat}">Back to the table' in refused.text


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


def test_the_whole_log_can_be_read(server: Served) -> None:
    """A table shows its latest lines; the rest is a click away, for each audience its own."""
    ann = Player(server.url)
    ann.opens("personal-vendetta", ["me", "random"])
    ann.headers["accept"] = "text/html"
    wait_for(lambda: ann.moves() is not None and ann.sees()["match"]["log"]["lines"] > 60, "a long log")
    for place in (f"/seats/{ann.seat}", f"/tables/{ann.table}"):
        assert f'href="{place}/log">The whole log' in ann.get(f"{place}?watch").text
        lines = ann.get(f"{place}/log").text.count("<li>")
        assert lines > 60


def test_a_title_is_kept_whole_and_bots_have_their_article(server: Served) -> None:
    ann = Browser(server.url)
    title = "An evening of vengeance among old friends, and new ones too"
    ann.posts("/tables", game="sealed", seat0="me", seat1="open", title=title)
    assert f"<h1>{title}</h1>" in ann.page.text
    assert "Seat an easy bot" in ann.page.text
