"""A whole match: by the API, and in a browser without script, against a bot and between people."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talion import games

from .serving import ROOT, Browser, Player, Served, at_play, play_out, served, wait_for


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
    ann, bob = at_play(server.url, "tic-tac-toe")
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
            browser.surely_posts(f"/seats/{browser.seat}/propose", what="abort", number=browser.number)
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


def test_take_back_alone_and_by_consent(server: Served) -> None:
    ann, bob = at_play(server.url, "tic-tac-toe")
    empty = ann.sees()["match"]["table"]["cells"]
    ann.moves()
    # Nothing was revealed, rolled or decided by another: free.
    assert ann.proposes("undo").status_code == 200
    assert ann.sees()["match"]["table"]["cells"] == empty
    ann.moves()
    bob.moves()
    assert ann.proposes("undo").status_code == 200
    offer = bob.sees()["table"]["offer"]
    assert offer.pop("id")
    assert offer == {"what": "undo", "by": 0, "yours_to_agree": True}
    assert ann.sees()["match"]["table"]["cells"] != empty
    assert bob.consents(True).status_code == 200
    assert ann.sees()["match"]["table"]["cells"] == empty
    assert ann.sees()["table"]["offer"] is None
    play_out(ann, bob)
    text = ann.get(f"/tables/{ann.table}/file").text
    assert "talion match" in text


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
        assert ann.proposes("undo").status_code == 200
        assert len(ann.sees()["match"]["ask"]["options"]) == 9


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

    async def think(*_: Any) -> tuple[None, float]:
        nonlocal thinking, most
        thinking += 1
        most = max(most, thinking)
        await asyncio.sleep(0.01)
        thinking -= 1
        return None, 0.01

    monkeypatch.setattr(keeper.workers, "think", think)

    async def ask() -> None:
        live = await server.house.table(ann.table)
        await asyncio.gather(*(keeper.hint(live, 0) for _ in range(5)))

    server.in_loop(ask)
    assert most == 1


def test_nobody_has_to_click_in_a_window(tmp_path: Path) -> None:
    """A whole match, with a reaction window for everybody in every round, ends though nobody ever clicks in one; the record
    shows that the server passed for them when the beat was over."""
    with served(str(tmp_path / "x.sqlite3"), beat=0.02) as server:
        ann, bob = at_play(server.url, "sealed")
        clicked = 0

        def over() -> bool:
            nonlocal clicked
            for player in (ann, bob):
                if not asked_to_react(player):
                    reply = player.moves()
                    clicked += reply is not None and reply.status_code == 200
            return bool(ann.sees()["table"]["status"] == "over")

        wait_for(over, "the end of a match in which nobody clicked in a window", 120)
        recorded = ann.get(f"/tables/{ann.table}/file").text.count("\nanswer ")
        assert clicked < recorded


def test_without_a_beat_a_window_waits_for_people(server: Served) -> None:
    """Somebody who could react, or could not, is asked until they answer; a table may say so for itself."""
    ann = Player(server.url)
    ann.opens("sealed", ["me", "random"])

    def in_a_window() -> bool:
        state = ann.sees()
        ask = state["match"].get("ask")
        if (
            ask and not ask["window"]
        ):  # of the state that was seen: a window that opens meanwhile is not answered
            ann.answers(state["number"], ask["options"][0]["option"])
        return bool(ask and ask["window"])

    wait_for(in_a_window, "a window")
    assert ann.sees()["table"]["window"] is None
    assert ann.answers(ann.sees()["number"], ["pass"]).json()["reply"] == "accepted"
    assert not asked_to_react(ann)


def test_alone_among_bots_one_is_asked_where_there_is_a_choice(tmp_path: Path) -> None:
    """Where only bots could see it there is no beat: the server passes at once for who cannot react, and waits else."""
    with served(str(tmp_path / "x.sqlite3"), beat=0.01) as server:
        ann = Player(server.url)
        ann.opens("sealed", ["me", "random"])
        asked = []

        def over() -> bool:
            state = ann.sees()
            ask = state["match"].get("ask")
            if ask and ask["window"] and len(ask["options"]) > 1:
                asked.append(state["number"])
            if ask and not (ask["window"] and len(ask["options"]) == 1):
                ann.answers(state["number"], ask["options"][-1]["option"])
            return bool(state["table"]["status"] == "over")

        wait_for(over, "the end of a match in which she never clicked without a choice", 120)
        log = [text for _, text in ann.get(f"/api/seats/{ann.seat}/log").json()]
        reacted = sum(line.startswith("Guest reacts") or "@0 reacts" in line for line in log)
        assert reacted == len(set(asked)), "whenever she could react, she was asked"


CHEAT = (str(ROOT / "examples" / "cheat.py"),)


def test_no_bot_calls_a_bluff_before_a_person_could(tmp_path: Path) -> None:
    """One person among bots has all the time there is: bots react when she has, and then they do."""
    with served(str(tmp_path / "x.sqlite3"), games=CHEAT, beat=2.0) as server:
        ann = Player(server.url)
        ann.opens("cheat", ["me", "random", "random"])
        passed = set()

        def a_bot_has_called() -> bool:
            state = ann.sees()
            ask = state["match"].get("ask")
            if ask and ask["window"]:
                time.sleep(0.2)  # bots need none of it
                passed.add(state["number"])
                assert ann.answers(state["number"], ["let it go"]).json()["reply"] == "accepted"
            elif ask:
                ann.answers(state["number"], ask["options"][0]["option"])
            log = [text for _, text in ann.get(f"/api/seats/{ann.seat}/log").json()]
            return any("calls" in line for line in log) and len(passed) > 2

        wait_for(a_bot_has_called, "a bot to call a bluff", 60)


def test_a_window_is_open_for_as_many_beats_as_its_game_says(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3"), games=CHEAT, beat=3.0) as server:
        ann, bob = Player(server.url), Player(server.url)
        opened = ann.opens("cheat", ["me", "open", "random"])
        bob.sits(opened["table"], opened["invite"])
        ann.post(f"/api/seats/{ann.seat}/start")

        def there() -> bool:
            for player in (ann, bob):
                if asked_to_react(player):
                    return True
                player.moves()
            return False

        wait_for(there, "a window")
        assert ann.sees()["table"]["window"]["beat"] == 4 * 3.0


def asked_to_react(player: Player) -> bool:
    ask = player.sees()["match"].get("ask")
    return bool(ask and ask["window"])


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

    async def slowly(*given: Any, **values: Any) -> None:
        await quickly(*given, **values)
        await asyncio.sleep(2)

    monkeypatch.setattr(store, "change_table", slowly)
    monkeypatch.setattr("talion.table.pace.slot", lambda live: 0.4)
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
        ("propose", {"what": "abort", "number": "0"}),
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


def test_an_answer_given_while_a_page_is_made_is_on_the_next(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot often answers in that very moment; what was drawn before it must not be shown for what is now."""
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
    table = ann.seat.partition("-")[0]
    live = server.in_loop(lambda: server.house.table(table))
    links_of = server.house.links_of

    async def meanwhile(*given: Any) -> dict[str, str]:
        if not live.play.match.record:
            await live.submit(0, "meanwhile", 0, ["mark", 4])
        return await links_of(*given)

    monkeypatch.setattr(server.house, "links_of", meanwhile)
    other = f"/seats/{live.seats[1].id}"
    for _ in range(2):
        ann.go(other)
        assert ann.choices()


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


def test_a_script_is_shown_at_once_what_came_of_an_answer(server: Served) -> None:
    """The table comes in reply, and with a page what happened since the lines one has; one's own deed one has seen."""
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
    mine = ann.seat
    live = server.in_loop(lambda: server.house.table(mine.partition("-")[0]))
    other = live.seats[1].id
    ann.posts(f"/seats/{mine}/answer?since=", number="0", option=ann.choices()[4])
    assert (ann.page.status_code, ann.page.history) == (200, [])
    assert f'data-of="{mine}"' in ann.page.text
    assert 'data-number="1"' in ann.page.text
    told = ann.get(f"/api/seats/{mine}/log").json()
    assert re.search(r'class="lately"[^>]*><li>Guest 1 marks', ann.page.text), "something to read meanwhile"
    assert 'class="ribbon theirs by-1"' in ann.page.text, "the ribbon is theirs"
    stale = ann.posts(f"/seats/{mine}/answer?since=", number="0", option='["mark",0]')
    assert "Too late" in stale.text
    for seat, since, happened in ((other, 0, 1), (other, len(told), 0), (mine, len(told) - 1, 0)):
        assert ann.go(f"/seats/{seat}?since={since}").text.count("<template") == happened
    assert ann.go(f"/seats/{other}?since=none").status_code == 200


def test_a_refusal_leads_back_to_the_table(server: Served) -> None:
    ann = Browser(server.url)
    ann.posts("/tables", game="tic-tac-toe", seat0="me", seat1="me")
    seat = ann.seat
    refused = ann.posts(f"/seats/{seat}/propose", what="undo", number=ann.number)
    assert refused.status_code == 409
    assert f'href="/seats/{seat}">Back to the table' in refused.text


def test_the_whole_log_can_be_read(server: Served) -> None:
    """A table shows its latest lines; the rest is a click away, for each audience its own."""
    ann = Player(server.url)
    ann.opens("personal-vendetta", ["me", "random"])
    ann.headers["accept"] = "text/html"
    wait_for(lambda: ann.moves() is not None and ann.sees()["match"]["log"]["lines"] > 60, "a long log")
    for place in (f"/seats/{ann.seat}", f"/tables/{ann.table}"):
        assert f'href="{place}/log" data-over>The whole log' in ann.get(f"{place}?watch").text
        lines = ann.get(f"{place}/log").text.count("<li>")
        assert lines > 60
