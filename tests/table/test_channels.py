"""What reaches an audience, its presence, number, order and time, depends on what that audience may know. Attacked from
outside: by counting messages, and by the clock where time is the channel."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from talion.kernel import Chance

from .serving import Player, Served, at_play, served, wait_for

BEAT = 0.25
ENOUGH = 10


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(str(tmp_path / "x.sqlite3")) as running:
        yield running


class Timed:
    """What a stream is told, and when."""

    def __init__(self, player: Player, query: str = "") -> None:
        self.told: list[tuple[float, str, dict[str, Any]]] = []
        self._opened = threading.Event()
        self._url = str(player.base_url).rstrip("/") + "/api/events" + query
        self._headers = dict(player.headers)
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._opened.wait(20)

    def _listen(self) -> None:
        kind = ""
        with (
            contextlib.suppress(httpx.HTTPError),
            httpx.stream("GET", self._url, headers=self._headers, timeout=600) as stream,
        ):
            for line in stream.iter_lines():
                self._opened.set()
                if line.startswith("event:"):
                    kind = line.removeprefix("event:").strip()
                elif line.startswith("data:"):
                    self.told.append((time.monotonic(), kind, json.loads(line.removeprefix("data:"))))

    def moments(self, seat: str) -> dict[int, float]:
        """When each number of a seat was told."""
        return {news["number"]: at for at, kind, news in self.told if kind == "match" and news["of"] == seat}


def after(player: Player, events: list[Any], act: Any) -> list[Any]:
    """What is told because of an act, and no more: a word in the chat marks the end."""
    before = len(events)
    act()
    player.post(f"/api/seats/{player.seat}/chat", json={"words": "done"})
    wait_for(lambda: any(kind == "chat" for _, kind, _ in events[before:]), "the mark")
    return [(kind, news) for _, kind, news in events[before:] if kind != "chat"]


def marked(stream: Timed) -> None:
    wait_for(lambda: any(kind == "chat" for _, kind, _ in stream.told), "the mark")


# ---------------------------------------------------------------------- counts


def test_a_private_order_reaches_nobody_else(server: Served) -> None:
    ann, bob = at_play(server.url, "sealed", open=True)
    hers, his = Timed(ann), Timed(bob)
    watchers = Timed(Player(server.url), f"?watch={ann.table}")

    def orders(windows: str) -> None:
        assert bob.post(f"/api/seats/{bob.seat}/orders", json={"windows": windows}).status_code == 200

    assert after(bob, hers.told, lambda: orders("pass")) == []
    assert after(bob, watchers.told, lambda: orders("ask")) == []
    wait_for(lambda: [kind for _, kind, _ in his.told].count("table") == 2, "his own news of both")


def test_undo_does_not_tell_whether_others_have_chosen(tmp_path: Path) -> None:
    """Ann lays a card in secret and takes it back. Whether Bob has chosen meanwhile changes nothing she gets; and Bob's
    choice, his number and his stream are as if she had done nothing."""
    replies = []
    for bob_chooses in (False, True):
        folder = tmp_path / str(bob_chooses)
        folder.mkdir()
        with served(str(folder / "x.sqlite3")) as server:
            ann, bob = at_play(server.url, "sealed")
            first = ann.sees()["match"]["ask"]
            ann.moves()
            if bob_chooses:
                bob.moves()
            hers, his, stood = Timed(ann), Timed(bob), bob.sees()
            reply = ann.proposes("undo")
            seen = ann.sees()
            assert seen["match"]["ask"]["prompt"] == first["prompt"], "she is asked again"
            assert bob.sees()["number"] == stood["number"]
            assert bob.sees()["match"] == stood["match"]
            ann.post(f"/api/seats/{ann.seat}/chat", json={"words": "done"})
            marked(his)
            assert [kind for _, kind, _ in his.told[1:]] == ["chat"]
            marked(hers)
            kinds = [(kind, news.get("number")) for _, kind, news in hers.told]
            replies.append((reply.status_code, reply.text, seen["number"], seen["table"]["offer"], kinds))
    assert replies[0] == replies[1]


@pytest.mark.parametrize("chooses", [False, True], ids=["Ann waits", "Ann has chosen"])
def test_a_server_that_starts_anew_tells_no_secret_choice_by_the_clocks(
    tmp_path: Path, chooses: bool
) -> None:
    """Ann has laid her cards in secret, and her clock got something for it. Bob sees it run on as if she had not, also after
    the table was read from the disk again, from a state that was written out since she chose."""
    database = str(tmp_path / "x.sqlite3")
    with served(database) as server:
        ann, bob = at_play(server.url, "sealed", clock={"kind": "live", "seconds": 100, "increment": 50})
        for _ in range(2 if chooses else 0):
            ann.moves(lambda options: options[0])
        before = bob.sees()["table"]["clock"]["left"]
    with served(database) as server:
        again = Player(server.url, bob.headers["authorization"].removeprefix("Bearer "))
        again.seat = bob.seat
        after = again.sees()["table"]["clock"]["left"]
    assert max(before) <= 100
    assert max(after) <= 100, "her clock tells that she has chosen"


def test_what_was_proposed_stays_proposed_when_a_server_starts_anew(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database) as server:
        ann, bob = at_play(server.url, "sealed")
        ann.proposes("abort")
        offer = bob.sees()["table"]["offer"]
    with served(database) as server:
        again = Player(server.url, bob.headers["authorization"].removeprefix("Bearer "))
        again.seat = bob.seat
        assert offer is not None
        assert again.sees()["table"]["offer"] == offer
        assert again.consents(True).status_code == 200
        assert again.sees()["table"]["status"] == "aborted"


@pytest.mark.parametrize("game", ["sealed", "vitium"])
def test_a_hint_does_not_count_the_choices_of_others(server: Served, game: str) -> None:
    ann, bob = at_play(server.url, game)
    for _ in range(3):
        before = ann.post(f"/api/seats/{ann.seat}/hint").json()
        if bob.moves() is None:
            break
        assert ann.post(f"/api/seats/{ann.seat}/hint").json() == before


def test_who_needs_no_more_time_is_not_told(tmp_path: Path) -> None:
    """Bob passes at once; until the beat is over, Ann gets nothing, and the window does not close."""
    with served(str(tmp_path / "x.sqlite3"), beat=5.0) as server:
        ann, bob = at_play(server.url, "sealed", open=True)
        to_the_window(ann, bob)
        first, second = (ann, bob) if ann.sees()["match"].get("ask") else (bob, ann)
        told = Timed(second)
        assert after(first, told.told, lambda: passes(first)) == []
        assert second.sees()["table"]["window"]["gone_on"] is False
        assert first.sees()["table"]["window"]["gone_on"] is True
        number = second.sees()["number"]
        assert second.post(f"/api/seats/{second.seat}/go-on").status_code == 200
        wait_for(lambda: second.sees()["number"] > number, "the window to close before its time", 4)


def passes(player: Player) -> None:
    reply = player.answers(player.sees()["number"], ["pass"])
    assert reply.json()["reply"] == "accepted", reply.text


def to_the_window(*players: Player) -> None:
    """Play until somebody is asked to react."""

    def there() -> bool:
        for player in players:
            ask = player.sees()["match"].get("ask")
            if ask and ask["window"]:
                return True
            player.moves()
        return False

    wait_for(there, "a reaction window")


def test_hold_on_is_anybodys_and_shown(tmp_path: Path) -> None:
    """Also one who is asked nothing may say it; all see who did; the server passes for nobody meanwhile."""
    with served(str(tmp_path / "x.sqlite3"), beat=0.5) as server:
        ann, bob = at_play(server.url, "sealed")
        to_the_window(ann, bob)
        asked, other = (ann, bob) if ann.sees()["match"].get("ask") else (bob, ann)
        assert other.post(f"/api/seats/{other.seat}/hold").status_code == 200
        assert other.post(f"/api/seats/{other.seat}/hold").status_code == 409, "once in a window"
        window = asked.sees()["table"]["window"]
        assert window["held_by"] == [other.sees()["table"]["you"]]
        assert window["left"] > 10
        time.sleep(0.8)
        assert asked.sees()["match"]["ask"]["window"], "still open, though the beat is over"
        other.post(f"/api/seats/{other.seat}/go-on")
        number = asked.sees()["number"]
        wait_for(lambda: asked.sees()["number"] > number, "the window to close by its beat", 5)


# ---------------------------------------------------------------------- the clock


def auc(ones: list[float], others: list[float]) -> float:
    """How well a time tells two kinds of hands apart: 0.5 is chance, 0 and 1 are certainty."""
    wins = sum((a > b) + (a == b) / 2 for a in ones for b in others)
    return wins / (len(ones) * len(others))


def spread(ones: list[float], others: list[float]) -> float:
    """By how much chance alone moves that figure, once in a while in some thousand runs."""
    a, b = len(ones), len(others)
    return float(3.5 * ((a + b + 1) / (12 * a * b)) ** 0.5)


def tells_nothing(times: dict[bool, list[float]]) -> None:
    ones, others = times[True], times[False]
    print("with a reaction", sorted(ones), "without", sorted(others))
    assert abs(auc(ones, others) - 0.5) < min(0.45, spread(ones, others)), times


def window_times(
    ann: Player, other: Player | None, server: Served, seat: int, enough: int, seconds: float = 150
) -> dict[bool, list[float]]:
    """How long the windows of another's seat were open as Ann's stream tells it, by whether that seat could react. Whoever
    is in a window does nothing; every other question is answered at once, by chance."""
    chance, told, opened = Chance.of("windows"), Timed(ann), {}
    live = server.in_loop(lambda: server.house.table(ann.table))
    ends = time.monotonic() + seconds

    def seen_enough() -> bool:
        kinds = [could for could, _ in opened.values()]
        return min(kinds.count(True), kinds.count(False)) >= enough or time.monotonic() > ends

    while not seen_enough() and ann.sees()["table"]["status"] == "running":
        for player in (ann, other):
            if player is None:
                continue
            state = player.sees()
            ask = (state["match"] or {}).get("ask")
            if ask and not ask["window"]:
                player.answers(state["number"], chance.pick(ask["options"])["option"])
        match, number = live.play.match, live.seen[ann.sees()["table"]["you"] + 1].number
        if seat in live.play.windows and number not in opened:
            opened[number] = (len(match.options(seat)) > 1, number)
    time.sleep(BEAT * 2)
    moments = told.moments(ann.seat)
    times: dict[bool, list[float]] = {True: [], False: []}
    for could, number in opened.values():
        if number in moments and number + 1 in moments:
            times[could].append(moments[number + 1] - moments[number])
    return times


@pytest.mark.parametrize("game", ["personal-vendetta", pytest.param("vitium", marks=pytest.mark.deep)])
def test_the_time_of_a_window_tells_no_hand_of_a_person(tmp_path: Path, game: str) -> None:
    with served(str(tmp_path / "x.sqlite3"), beat=BEAT) as server:
        times: dict[bool, list[float]] = {True: [], False: []}
        while min(map(len, times.values())) < ENOUGH:
            ann, bob = at_play(server.url, game)
            found = window_times(ann, bob, server, 1, ENOUGH)
            for kind in times:
                times[kind] += found[kind]
        tells_nothing(times)


@pytest.mark.parametrize(
    "game",
    [
        "sealed",
        pytest.param("personal-vendetta", marks=pytest.mark.deep),
        pytest.param("vitium", marks=pytest.mark.deep),
    ],
)
def test_the_time_of_a_window_tells_no_hand_of_a_bot(tmp_path: Path, game: str) -> None:
    with served(str(tmp_path / "x.sqlite3"), beat=BEAT, pace=0.05) as server:
        times: dict[bool, list[float]] = {True: [], False: []}
        while min(map(len, times.values())) < ENOUGH:
            ann = Player(server.url)
            ann.opens(game, ["me", "greedy"], open=True)  # with somebody to watch, there is a beat
            found = window_times(ann, None, server, 1, ENOUGH)
            for kind in times:
                times[kind] += found[kind]
        tells_nothing(times)
