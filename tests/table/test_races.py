"""What happens when two things happen at once: each case is one in which something was read, waited for, and used."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from talion.table import people
from talion.table.live import Live
from talion.table.refusal import Refusal
from talion.table.rows import EntryRow, SeatRow, TableRow
from talion.table.seating import MOST_DEVICES
from talion.table.settings import Limits
from talion.table.store import MOST_REPORTS, Store
from talion.table.stream import Hub

from .serving import Events, Player, Served, at_play, served, wait_for


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(str(tmp_path / "x.sqlite3")) as server:
        yield server


def full_disk() -> OperationalError:
    return OperationalError("", {}, sqlite3.OperationalError("database or disk is full"))


def before(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, happens: Callable[[], Any]) -> None:
    """Once, right before something is called, something else happens, as if another process did it."""
    usual = getattr(owner, name)

    async def called(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(owner, name, usual)
        await happens()
        return await usual(*given, **named)

    monkeypatch.setattr(owner, name, called)


def two_seated(server: Served, game: str = "tic-tac-toe") -> tuple[Player, Player, Live]:
    """Two people at a table that has not begun."""
    ann, bob = Player(server.url), Player(server.url)
    opened = ann.opens(game, ["me", "open"])
    bob.sits(opened["table"], opened["invite"])
    return ann, bob, server.in_loop(lambda: server.house.table(ann.table))


# ---------------------------------------------------------------------- seats


def test_who_leaves_while_the_match_begins_is_played_for(server: Served) -> None:
    _, _, live = two_seated(server)

    async def both() -> None:
        await asyncio.gather(live.begin(), people.leave(live, live.seats[1]))

    server.in_loop(both)
    assert live.row.status == "running"
    assert all(seat.taken for seat in live.seats)


def test_a_match_does_not_begin_with_a_seat_left_elsewhere(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, live = two_seated(server)
    seating, bobs = server.house.store.seating, live.seats[1]
    before(
        monkeypatch,
        server.house.store,
        "begin",
        lambda: seating.change(ann.table, "seating", bobs, forget=True, name=None),
    )
    assert ann.post(f"/api/seats/{ann.seat}/start").status_code == 409
    assert ann.sees()["table"]["status"] == "seating"
    assert ann.sees()["table"]["seats"][1]["name"] is None


def test_a_match_begins_with_who_sat_down_elsewhere(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob sits down through another process, and says so. Ann begins before her process has heard of it."""

    async def hears_nothing(table: str, number: int) -> None: ...

    with served(postgres) as server:
        monkeypatch.setattr(server.house.listener, "_heard", hears_nothing)
        ann = Player(server.url)
        ann.opens("tic-tac-toe", ["me", "open"])
        server.in_loop(lambda: server.house.store.seating.take(ann.table, "bob", "Bob"))
        assert ann.post(f"/api/seats/{ann.seat}/start").status_code == 200
        assert ann.sees()["table"]["status"] == "running"


def test_a_bot_is_not_seated_where_somebody_sat_down(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "open"])
    seating = server.house.store.seating
    before(monkeypatch, seating, "change", lambda: seating.take(ann.table, "bob", "Bob"))
    wanted = {"other": 1, "bot": "random"}
    assert ann.post(f"/api/seats/{ann.seat}/substitute", json=wanted).status_code == 409
    assert ann.sees()["table"]["seats"][1] | {"name": "Bob", "bot": None} == ann.sees()["table"]["seats"][1]


def test_leaving_as_the_match_ends_does_not_call_it_off(server: Served) -> None:
    """The last person goes while the bot's last move is written down."""
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])

    async def both() -> str:
        live = await server.house.table(ann.table)
        await live.lock.acquire()
        leaving = asyncio.create_task(people.leave(live, live.seats[0]))
        await asyncio.sleep(0)
        ended: dict[str, Any] = {"status": "over", "ended": 1.0, "result": {"winners": [1]}}
        await server.house.store.change_table(ann.table, **ended)
        await live._read_again()
        live.lock.release()
        await leaving
        return live.row.status

    assert server.in_loop(both) == "over"


def test_an_order_given_since_is_not_taken_back(server: Served) -> None:
    """The order to pass until one's turn ends with the turn; one that was given meanwhile does not."""
    ann, _ = at_play(server.url, "tic-tac-toe")

    async def both() -> str:
        live = await server.house.table(ann.table)
        async with live.lock:
            await live.change(live.seats[0], orders={"windows": "until my turn"})
            await live.change(live.seats[0], orders={"windows": "ask"})
        await asyncio.gather(*server.house.keeper._small)
        return live.seats[0].order

    assert server.in_loop(both) == "ask"


def test_a_renewed_invitation_does_not_come_back(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host's page is being made while somebody is removed."""
    ann, _, live = two_seated(server)
    old = ann.get(f"/api/seats/{ann.seat}/links").json()["invite"]
    live.links.clear()
    seating = server.house.store.seating
    before(monkeypatch, seating, "add_links", lambda: seating.renew_invitation(ann.table))
    shown = ann.get(f"/api/seats/{ann.seat}/links").json()["invite"]
    assert shown != old
    codes = [
        Player(server.url).post(f"/api/tables/{ann.table}/seats", json={"invite": invite}).status_code
        for invite in (old, shown)
    ]
    assert codes == [403, 409], "the old one leads nowhere; by the new one all seats are taken"


# ---------------------------------------------------------------------- how much there may be


@contextmanager
def stores(database: str) -> Iterator[list[Store]]:
    """One server's database; on PostgreSQL two servers', of the same tables."""
    found = [Store(database) for _ in range(2 if database.startswith("postgresql") else 1)]
    try:
        yield found
    finally:
        for store in found:
            store.close()


def anns(table: str) -> tuple[TableRow, list[SeatRow]]:
    """A table with Ann alone."""
    about: dict[str, Any] = {
        "options": {},
        "title": "",
        "open": False,
        "clock": {"kind": "none"},
        "seed": "s",
    }
    row = TableRow(id=table, game="tic-tac-toe", status="seating", made=1.0, **about)
    return row, [SeatRow(f"{table}-t0", 0, "Ann", holders=frozenset({"ann"}))]


async def outcomes(many: Iterable[Awaitable[None]]) -> list[str]:
    """What came of things done at once: nothing to say, or why not."""
    found = await asyncio.gather(*many, return_exceptions=True)
    assert all(one is None or isinstance(one, Refusal) for one in found), found
    return [str(one or "") for one in found]


def test_tables_asked_for_at_once_are_not_more_than_one_may_have(database: str) -> None:
    async def ask(all_of_them: list[Store], first: int, limits: Limits) -> list[str]:
        return await outcomes(
            store.make(*anns(f"t{first + 10 * n + m}"), None, "ann", limits)
            for m in range(6)
            for n, store in enumerate(all_of_them)
        )

    with stores(database) as all_of_them:
        of_person = asyncio.run(ask(all_of_them, 0, Limits(tables_per_person=3)))
        of_house = asyncio.run(ask(all_of_them, 100, Limits(tables=5)))
    assert of_person.count("") == 3
    assert of_house.count("") == 2


def test_devices_that_come_at_once_are_not_more_than_a_seat_is_open_on(database: str) -> None:
    async def come(all_of_them: list[Store]) -> list[str]:
        await all_of_them[0].make(*anns("t1"))
        return await outcomes(
            store.seating.hold("t1", "t1-t0", f"device {n} {m}")
            for m in range(MOST_DEVICES)
            for n, store in enumerate(all_of_them)
        )

    with stores(database) as all_of_them:
        assert asyncio.run(come(all_of_them)).count("") == MOST_DEVICES - 1
        assert asyncio.run(outcomes([all_of_them[0].seating.hold("t1", "t1-t0", "ann")])) == [""], "not new"


def test_reports_sent_at_once_are_not_more_than_a_host_would_read(database: str) -> None:
    async def report(all_of_them: list[Store]) -> list[str]:
        await all_of_them[0].make(*anns("t1"))
        return await outcomes(
            store.report("t1", 0, None, "!", 1.0) for _ in range(MOST_REPORTS) for store in all_of_them
        )

    with stores(database) as all_of_them:
        kept = asyncio.run(report(all_of_them)).count("")
    assert kept == MOST_REPORTS


# ---------------------------------------------------------------------- the disk comes first


def test_nothing_is_told_that_is_not_yet_written(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """While an answer is written, and when it could not be, nobody reads of it: neither in the log nor among the frames."""
    ann, bob = at_play(server.url, "tic-tac-toe")
    writing, go_on = threading.Event(), threading.Event()

    async def fails(*_: Any) -> bool:
        writing.set()
        await asyncio.to_thread(go_on.wait, 20)
        raise full_disk()

    monkeypatch.setattr(server.house.store, "append", fails)
    replies: dict[str, httpx.Response] = {}

    def asks(path: str) -> None:
        replies[path] = bob.get(path)

    number = ann.sees()["number"]
    answering = threading.Thread(target=lambda: ann.answers(number, ["mark", 4]))
    answering.start()
    assert writing.wait(20)
    log, frames = f"/api/seats/{bob.seat}/log", f"/seats/{bob.seat}?since=0"
    looking = [threading.Thread(target=asks, args=[path]) for path in (log, frames)]
    for thread in looking:
        thread.start()
    wait_for(
        lambda: len(server.house._tables[ann.table].lock._waiters or ()) == 2 or len(replies) == 2, "both"
    )
    go_on.set()
    for thread in (answering, *looking):
        thread.join(20)
    assert replies[log].json() == []
    assert "marks cell" not in replies[frames].text


def test_clocks_and_windows_wait_for_the_disk_too(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"kind": "live", "seconds": 900, "increment": 0}
    ann, _ = at_play(server.url, "tic-tac-toe", clock=clock)
    seen = ann.sees()
    between: list[Any] = []
    usual = server.house.store.append

    async def looked_at(*given: Any) -> bool:
        reply = await asyncio.to_thread(ann.get, f"/api/seats/{ann.seat}")
        between.append(reply.json()["table"]["clock"]["runs"])
        return await usual(*given)

    monkeypatch.setattr(server.house.store, "append", looked_at)
    other = Player(server.url, ann.headers["authorization"].removeprefix("Bearer "))
    other.seat = ann.seat
    assert other.answers(seen["number"], ["mark", 0]).json()["reply"] == "accepted"
    assert between == [seen["table"]["clock"]["runs"]]
    assert ann.sees()["table"]["clock"]["runs"] != between[0]


def test_an_answer_beside_a_bots_move_elsewhere_is_late(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot sits in for Ann. She is back, and answers; in another process the bot has moved a moment before."""
    ann, bob = at_play(server.url, "tic-tac-toe")
    server.house.keeper._stopping = True
    ann.post(f"/api/seats/{ann.seat}/bot", json={"bot": "random"})
    live = server.in_loop(lambda: server.house.table(ann.table))
    moved = EntryRow(live.course.number + 1, "answer", 0, ["mark", 8], None, live.course.at, [1, 1, 1])
    store = server.house.store
    before(monkeypatch, store.seating, "change", lambda: store.append(ann.table, moved))
    assert ann.answers(0, ["mark", 4]).json()["reply"] == "stale"
    assert bob.sees()["number"] == 1


def test_what_is_said_while_a_table_is_read_again_is_kept(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = at_play(server.url, "tic-tac-toe")

    async def both() -> list[str]:
        live, store = await server.house.table(ann.table), server.house.store
        usual, go_on = store.load, asyncio.Event()

        async def slowly(table: str) -> Any:
            stored = await usual(table)
            await go_on.wait()
            return stored

        monkeypatch.setattr(store, "load", slowly)
        reading = asyncio.create_task(live.refresh())
        saying = asyncio.create_task(people.say(live, "Ann", live.seats[0], "Hello?"))
        await asyncio.wait([saying], timeout=0.3)
        go_on.set()
        await asyncio.gather(reading, saying)
        return [line.words for line in live.chat]

    assert server.in_loop(both) == ["Hello?"]


def test_a_state_that_could_not_be_written_down_is_written_later(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = at_play(server.url, "tic-tac-toe")
    ann.moves()

    async def twice() -> int:
        live, store = await server.house.table(ann.table), server.house.store

        async def full() -> None:
            raise full_disk()

        before(monkeypatch, store, "write_out", full)
        with pytest.raises(OperationalError):
            await live.write_out()
        await live.write_out()
        stored = await store.load(ann.table)
        assert stored is not None
        assert stored.snapshot is not None
        return stored.snapshot[0]

    assert server.in_loop(twice) == 2


# ---------------------------------------------------------------------- leaving memory and coming back


def test_a_table_that_left_memory_is_the_same_for_whoever_still_has_it(server: Served) -> None:
    """A request had the table in hand when it left memory: what it writes is seen by everybody who comes later."""
    ann, bob = at_play(server.url, "tic-tac-toe")

    async def leaves() -> Live:
        live = await server.house.table(ann.table)
        live.touched -= 10_000
        await server.house.let_rest()
        assert ann.table not in server.house._tables
        return live

    live = server.in_loop(leaves)
    assert bob.sees()["number"] == 0
    assert server.in_loop(lambda: live.submit(0, "k", 0, ["mark", 4])).kind == "accepted"
    assert bob.sees()["number"] == 1


def rests_while_dropped(
    server: Served, monkeypatch: pytest.MonkeyPatch, table: str, comes_back: bool
) -> tuple[Live, Live | None]:
    """A table is dropped while it is written down for a rest, and perhaps opened again. What it was, and what is now."""

    async def rests() -> tuple[Live, Live | None]:
        live = await server.house.table(table)

        async def is_dropped() -> None:
            server.house.drop(live)
            if comes_back:
                await server.house.table(table)

        before(monkeypatch, live, "write_out", is_dropped)
        live.touched, live.course.at = live.touched - 10_000, live.course.at - 100
        await server.house.let_rest()
        return live, server.house._tables.get(table)

    found: tuple[Live, Live | None] = server.in_loop(rests)
    return found


def test_a_table_may_go_and_come_back_while_it_is_written_down(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keeper goes on, and the table that came back stays where it is."""
    ann, bob = at_play(server.url, "tic-tac-toe")
    first, now = rests_while_dropped(server, monkeypatch, ann.table, comes_back=True)
    assert now is not None
    assert now is not first
    assert bob.sees()["number"] == 0


def test_a_table_that_goes_for_good_while_it_is_written_down(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = at_play(server.url, "tic-tac-toe")

    assert rests_while_dropped(server, monkeypatch, ann.table, comes_back=False)[1] is None


def test_one_bad_table_does_not_keep_the_others_from_rest(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (at_play(server.url, "tic-tac-toe")[0] for _ in range(2))

    async def rests() -> bool:
        lives = [await server.house.table(player.table) for player in (first, second)]

        async def fails() -> None:
            raise ValueError("a state that cannot be written")

        monkeypatch.setattr(lives[0], "write_out", fails)
        for live in lives:
            live.touched, live.course.at = live.touched - 10_000, live.course.at - 100
        await server.house.let_rest()
        return second.table in server.house._tables

    assert not server.in_loop(rests)


def test_a_table_is_opened_once_although_the_first_try_failed(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = at_play(server.url, "tic-tac-toe")

    async def three() -> bool:
        house, go_on, loads = server.house, asyncio.Event(), 0
        house.drop(await house.table(ann.table))
        usual = house.store.load

        async def load(table: str) -> Any:
            nonlocal loads
            loads += 1
            if loads == 1:
                await asyncio.sleep(0)
                raise full_disk()
            await go_on.wait()
            return await usual(table)

        monkeypatch.setattr(house.store, "load", load)
        first, second = (asyncio.create_task(house.table(ann.table)) for _ in range(2))
        with pytest.raises(OperationalError):
            await first
        third = asyncio.create_task(house.table(ann.table))
        await asyncio.sleep(0)
        go_on.set()
        return await second is await third

    assert server.in_loop(three)


# ---------------------------------------------------------------------- what nobody waits for


def test_a_bots_turn_that_cannot_be_claimed_is_tried_again_after_a_pause(
    server: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk: the server does not run in a circle, says what is wrong once, and plays on when there is room again."""
    tries: list[str] = []
    usual = server.house.store.claim

    async def claim(table: str, *more: Any) -> bool:
        tries.append(table)
        if len(tries) < 2:
            raise full_disk()
        return await usual(table, *more)

    monkeypatch.setattr(server.house.store, "claim", claim)
    ann = Player(server.url)
    ann.opens("tic-tac-toe", ["me", "random"])
    with caplog.at_level(logging.ERROR):
        ann.moves()
        wait_for(lambda: "an act of the server failed" in caplog.text, "the log")
    assert len(tries) == 1
    assert server.house.keeper._failures == {ann.table: 1}
    wait_for(lambda: ann.sees()["number"] == 2, "the bot")


def test_something_small_that_fails_is_in_the_log(server: Served, caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        raise full_disk()

    async def gone() -> None:
        raise Refusal("This table is gone.")

    async def both() -> None:
        for work in (fails(), gone()):
            server.house.keeper.later(work)
        while server.house.keeper._small:
            await asyncio.sleep(0)

    server.in_loop(both)
    assert [record.message for record in caplog.records] == ["something small could not be done"]


def test_news_of_a_busy_table_keep_no_other_waiting(server: Served) -> None:
    """What other processes write is heard in one row; a table in which something takes long does not hold it up."""
    ann, _ = at_play(server.url, "tic-tac-toe")

    async def hears() -> None:
        live = await server.house.table(ann.table)
        async with live.lock, asyncio.timeout(5):
            await server.house._heard(ann.table, live.course.number + 1)
            await server.house._heard(ann.table, 0)

    server.in_loop(hears)


# ---------------------------------------------------------------------- streams


def test_streams_asked_for_at_once_are_not_more_than_there_may_be() -> None:
    hub = Hub(most_per_person=10, most_per_address=2)
    assert not hub.full("here")
    streams = [hub.open(f"p{n}", set(), address="here") for n in range(4)]
    assert [stream.ending is None for stream in streams] == [True, True, False, False]
    assert len(hub) == 2
    for number, stream in enumerate(streams):
        hub.close(f"p{number}", stream)
    assert not hub.full("here")


@pytest.mark.parametrize("act", ["answers", "bot", "concede"])
def test_who_is_removed_does_nothing_more_that_was_on_its_way(server: Served, act: str) -> None:
    """Bob's last request has passed the door and waits for the table, as he is removed: it comes too late, and the bot
    that was seated for him plays on."""
    ann, bob = at_play(server.url, "tic-tac-toe")
    live = server.in_loop(lambda: server.house.table(ann.table))
    ann.moves()
    state = bob.sees()
    option = state["match"]["ask"]["options"][0]["option"]
    answer = {"key": "last", "number": state["number"], "option": option}
    given = {"answers": answer, "bot": {"bot": None}, "concede": None}[act]
    replies: list[httpx.Response] = []

    async def remove() -> None:
        await live.lock.acquire()
        removing = asyncio.create_task(people.remove(live, live.seats[0], live.seats[1]))
        await asyncio.sleep(0)  # it waits first
        asking = asyncio.create_task(
            asyncio.to_thread(lambda: replies.append(bob.post(f"/api/seats/{bob.seat}/{act}", json=given)))
        )
        while len(live.lock._waiters or ()) < 2:
            await asyncio.sleep(0.01)
        live.lock.release()
        await asyncio.gather(removing, asking)

    server.in_loop(remove)
    assert replies[0].status_code == 404
    assert live.seats[1].bot is not None
    wait_for(lambda: ann.sees()["match"]["over"] or ann.sees()["match"].get("ask"), "the bot's move")


def test_who_is_removed_while_their_stream_opens_is_told_nothing(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob = at_play(server.url, "tic-tac-toe")
    usual = server.house.seats_of

    async def slowly(person: str) -> Any:
        found = await usual(person)
        for live, seat in found:
            await people.remove(live, live.seats[0], seat)
        return found

    monkeypatch.setattr(server.house, "seats_of", slowly)
    events = Events(bob)

    async def ends() -> None:
        server.house.hub.end_those(lambda *_: True, "enough")

    server.in_loop(ends)
    wait_for(lambda: {"why": "enough"} in events.told, "the end of the stream")
    assert not [news for news in events.told if "state" in news]
