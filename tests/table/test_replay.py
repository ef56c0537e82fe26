"""Looking back at a match, stepping through what happened, and playing on from a moment."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from talion import games
from talion.kernel import Match
from talion.table.past import Past
from talion.table.replay import turning_points
from talion.table.settings import Limits
from talion.table.stage import told_by

from .serving import NO_LIMITS, Browser, Served, served, wait_for


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("house") / "x.sqlite3")) as running:
        yield running


def finished(server: Served, game: str) -> Browser:
    """A browser at the end of a match against a bot."""
    browser = Browser(server.url)
    browser.posts("/tables", game=game, seat0="me", seat1="random")
    to_the_end(browser)
    return browser


def to_the_end(browser: Browser) -> None:
    def over() -> bool:
        if 'aria-label="The end"' in browser.page.text:
            return True
        options = browser.choices()
        if options:
            browser.clicks(options[0])
        else:
            browser.go(f"/seats/{browser.seat}")
        return False

    wait_for(over, "the match to end", 120)


def test_a_finished_match_is_looked_back_at_from_its_beginning(server: Served) -> None:
    browser = finished(server, "tic-tac-toe")
    link = re.search(r'href="(/tables/[^"]+/replay)\?seat=0"', browser.page.text)
    assert link
    first = browser.get(f"{link[1]}?seat=0&at=0").text
    last = browser.get(f"{link[1]}?seat=0&at=999").text
    assert "Moment 0 of" in first
    moments = re.search(r"Moment (\d+) of (\d+)", last)
    assert moments
    assert moments[1] == moments[2]
    assert 'name="option"' not in first


def test_a_moment_is_played_again_once_for_everybody(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = finished(server, "tic-tac-toe")
    table = browser.seat.partition("-")[0]
    played: list[int] = []
    honest = Past._at

    def counted(past: Past, number: int) -> Match:
        played.append(number)
        return honest(past, number)

    monkeypatch.setattr(Past, "_at", counted)
    pages = [Browser(server.url).go(f"/tables/{table}/replay?at=3").text for _ in range(3)]
    assert all("Moment 3 of" in text for text in pages)
    assert played == [3]


def test_looking_back_has_a_limit_of_its_own(tmp_path: Path) -> None:
    """Each of these costs more than a move; whoever asks for many plays on none the less."""
    limits = Limits(**{**vars(NO_LIMITS), "heavy_per_minute": 3})
    with served(str(tmp_path / "x.sqlite3"), limits=limits) as server:
        ann = finished(server, "tic-tac-toe")
        table = ann.seat.partition("-")[0]
        moments = [ann.get(f"/tables/{table}/replay?at={at}").status_code for at in range(6)]
        assert moments == [200] * 6, "a match that was read runs"
        looks = [f"/tables/{table}/turns", f"/tables/{table}/file", f"/seats/{ann.seat}/since"]
        replies = {path: [ann.get(path).status_code for _ in range(4)] for path in looks}
        assert sum(codes.count(200) for codes in replies.values()) <= 1, replies
        assert all(codes[-1] == 429 for codes in replies.values()), replies
        assert ann.posts(f"/tables/{table}/play-on", at="1", seat="0").status_code == 429
        assert finished(server, "tic-tac-toe").page.status_code == 200


def test_a_running_match_cannot_be_replayed(server: Served) -> None:
    browser = Browser(server.url)
    browser.posts("/tables", game="sealed", seat0="me", seat1="random")
    table = browser.seat.split("-")[0]
    reply = browser.get(f"/tables/{table}/replay")
    assert reply.status_code == 409
    assert "when the match is over" in reply.text


def test_playing_on_knows_only_what_the_seat_knew(server: Served) -> None:
    """The new match has the same view for the seat, though everything hidden from it was dealt anew."""
    browser = finished(server, "tic-tac-toe")
    table = browser.seat.split("-")[0]
    browser.posts(f"/tables/{table}/play-on", at="0", seat="0", bot="random")
    assert browser.choices()
    assert len(browser.choices()) == 9
    around = browser.get(f"/api/tables/{browser.seat.split('-')[0]}").json()["table"]
    assert around["seed_hash"] is None, "no seed of this table dealt it"
    browser.posts(f"/seats/{browser.seat}/concede", confirmed="yes")
    assert "The match file" in browser.page.text
    assert "dealt fairly" not in browser.page.text


def test_a_match_played_on_is_played_to_its_end(server: Served) -> None:
    """With the bot that the page offers, from moments at which cards are hidden and others have chosen."""
    browser = finished(server, "sealed")
    table = browser.seat.split("-")[0]
    for at in ("0", "1", "3"):
        browser.posts(f"/tables/{table}/play-on", at=at, seat="0")
        assert browser.seat.split("-")[0] != table
        to_the_end(browser)


def test_what_happened_since_my_last_turn(server: Served) -> None:
    browser = Browser(server.url)
    browser.posts("/tables", game="tic-tac-toe", seat0="me", seat1="random")
    browser.clicks(browser.choices()[0])
    wait_for(lambda: bool(browser.go(f"/seats/{browser.seat}") and browser.choices()), "the bot", 30)
    page = browser.get(f"/seats/{browser.seat}/since?at=0").text
    assert "Moment 0 of 1" in page


def test_where_a_match_turned_is_told_as_one_would() -> None:
    """Three turns at most, in their order, each with what happened and what it did to the winner."""
    game = games.find("personal-vendetta")
    match = Match.new(game, 2, 5)
    pick = random.Random(5).choice
    match.play_out(pick)
    headings = frozenset(told_by(game.folder)["turns"])
    told = turning_points(match, headings)
    winner = f"@{match.result.winners[0]}" if match.result and match.result.winners else "@0"
    assert 0 < len(told) <= 3
    assert [one["number"] for one in told] == sorted(one["number"] for one in told)
    for one in told:
        *happened, came = one["says"].removesuffix(".").split(". ")
        assert one["heading"].startswith("Turn ")
        assert happened
        assert winner in came
