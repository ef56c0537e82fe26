"""A match carries its cards: running tables outlive every change of cards and rules, and so do their ends and files."""

from __future__ import annotations

import gzip
import json
import lzma
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from talion import games
from talion.kernel import Match
from talion.table import admin, database
from talion.table.refusal import Unusable
from talion.table.schema import contents, tables

from .serving import Browser, Player, served, wait_for

HERE = Path(__file__).parent
FIRST = json.loads((HERE / "releases" / "first.json").read_text())


def first_release(where: Path) -> str:
    """A database as the first release wrote it, with matches of every game: early, long and over."""
    path = where / "first.sqlite3"
    path.write_bytes(lzma.decompress((HERE / "releases" / "first.database.xz").read_bytes()))
    return str(path)


def at_shape_two(url: str, source: str) -> None:
    """The same rows in another database, in the shape they were written in."""
    engine = database.connect(database.address(url))
    database.migrate(engine, "0002")
    old = sa.create_engine(f"sqlite:///{source}")
    there = sa.MetaData()
    there.reflect(old)
    with old.connect() as read, engine.begin() as write:
        for table in there.sorted_tables:
            if table.name == "alembic_version":
                continue
            rows = [dict(row._mapping) for row in read.execute(sa.select(table))]
            if rows:
                write.execute(sa.insert(table), rows)
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def first(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    source = first_release(tmp_path)
    if request.param == "sqlite":
        return source
    url = str(request.getfixturevalue("postgres"))
    at_shape_two(url, source)
    return url


def player(url: str, was: dict[str, Any]) -> Player:
    found = Player(url, was["token"])
    found.table, found.seat = was["table"], was["seat"]
    return found


def faces(value: Any) -> list[str]:
    """All faces that a state shows."""
    if isinstance(value, dict):
        own = [value["face"]] if isinstance(value.get("face"), str) else []
        return own + [face for item in value.values() for face in faces(item)]
    return [face for item in value for face in faces(item)] if isinstance(value, list) else []


def test_todays_tables_come_along(first: str) -> None:
    """Every table of the first release: those that run show what they showed and go on, those that ended can be looked at
    and their files taken; whatever cannot be says so, and nothing is a 500."""
    going_on = 0
    with served(first) as server:
        for was in FIRST:
            ann = player(server.url, was)
            state = ann.sees()
            browser = Player(server.url)
            assert browser.get(f"/tables/{was['table']}?watch").status_code == 200
            if was["kind"] == "seating":
                assert state["match"] is None
                continue
            if was["status"] == "over":
                assert ann.get(f"/tables/{was['table']}/file").status_code == 200
                assert ann.get(f"/tables/{was['table']}/replay").status_code in (200, 409)
            if halted := state["table"]["halted"]:
                assert "cannot go on with it" in halted, was
                assert was["status"] == "over" or "can be finished by the release" in halted
                continue
            going_on += 1
            assert state["number"] >= was["number"], was
            assert sorted(faces(state["match"]["table"])) == was["faces"], was
            if was["status"] == "running":
                goes_on(server.url, was["token"], was["table"])
        assert going_on, "not one of them can be read"
        named = rows(first, sa.select(tables.c.content, tables.c.version).where(tables.c.start.is_not(None)))
        assert named
        assert all(content is not None and version for content, version in named)
        assert len(rows(first, sa.select(contents.c.fingerprint))) == len(games.keys())


def goes_on(url: str, token: str, table: str) -> None:
    """Somebody at a table can answer what they are asked."""
    seats = [line["seat"] for line in Player(url, token).get("/api/seats").json() if line["table"] == table]
    for seat in seats:
        ann = Player(url, token)
        ann.table, ann.seat = table, seat
        reply = ann.moves()
        if reply is not None:
            assert reply.status_code == 200, reply.text
            return
    raise AssertionError("nobody is asked anything")


def rows(where: str, query: Any) -> list[Any]:
    engine = database.connect(database.address(where))
    with engine.connect() as connection:
        found = list(connection.execute(query).all())
    engine.dispose()
    return found


def test_an_old_backup_is_restored_and_a_new_one_carries_the_cards(first: str, tmp_path: Path) -> None:
    file, copy = tmp_path / "backup.gz", str(tmp_path / "copy.sqlite3")
    with served(first):
        pass
    admin.backup(first, file)
    with pytest.raises(Unusable, match="is there already"):
        admin.backup(first, file)
    admin.restore(file, copy)
    assert rows(copy, sa.select(contents.c.text)) == rows(first, sa.select(contents.c.text))
    with served(copy) as server:
        states = {was["table"]: player(server.url, was).sees() for was in FIRST}
        assert any(state["match"] for state in states.values())
        for was in FIRST:
            if (match := states[was["table"]]["match"]) is not None:
                assert sorted(faces(match["table"])) == was["faces"]


def test_a_backup_of_the_first_release_is_restored(tmp_path: Path) -> None:
    source, file = first_release(tmp_path), tmp_path / "first.backup"
    engine, there = sa.create_engine(f"sqlite:///{source}"), sa.MetaData()
    there.reflect(engine)
    with engine.connect() as read, gzip.open(file, "wt") as out:
        out.write('{"talion backup": 1}\n')
        for table in there.sorted_tables:
            if table.name != "alembic_version":
                for row in read.execute(sa.select(table)):
                    out.write(json.dumps([table.name, list(row)]) + "\n")
    engine.dispose()
    copy = str(tmp_path / "copy.sqlite3")
    admin.restore(file, copy)
    assert len(rows(copy, sa.select(tables.c.id))) == len(FIRST)
    assert len(rows(copy, sa.select(contents.c.fingerprint))) == len(games.keys())


# ---------------------------------------------------------------------- changed cards and rules


def changed(game: Any, how: str) -> dict[str, Any]:
    """A game's printed things, with one card changed."""
    made = {key: [dict(row) for row in value] for key, value in game.own_tables().items()}
    cards = made["card"]
    if how == "added at the top":
        cards.insert(0, {**cards[0], "name": "A Card Nobody Printed"})
    elif how == "removed":
        del cards[-1]
    elif how == "renamed":
        cards[0]["name"] = "By Another Name"
    elif how == "flavour":
        cards[0]["flavour"] = "Nobody remembers."
    return made


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Pretend that other cards or rules are installed."""
    game = games.find("personal-vendetta")

    def install(how: str, version: int | None = None) -> None:
        made = changed(game, how)
        other = replace(game, _contents={}, version=version or game.version)
        monkeypatch.setattr(
            type(other), "own_tables", lambda self: made if self.key == game.key else own(self)
        )
        honest = games.find
        monkeypatch.setattr(games, "find", lambda key: other if key == game.key else honest(key))

    own = type(game).own_tables
    return install


@pytest.mark.parametrize("how", ["added at the top", "renamed", "flavour"])
def test_a_running_match_goes_on_with_its_own_cards(tmp_path: Path, installed: Any, how: str) -> None:
    where = str(tmp_path / "x.sqlite3")
    with served(where) as server:
        ann = Player(server.url)
        ann.opens("personal-vendetta", ["me", "me"])
        for _ in range(6):
            goes_on(server.url, ann.headers["authorization"].split()[1], ann.table)
        before = ann.sees()
    token = ann.headers["authorization"].split()[1]
    installed(how)
    with served(where) as server:
        ann = Player(server.url, token)
        ann.seat = before["table"] and next(
            line["seat"] for line in ann.get("/api/seats").json() if line["you"] == 0
        )
        ann.table = ann.seat.partition("-")[0]
        now = ann.sees()
        assert now["match"]["table"] == before["match"]["table"]
        assert bool(now["table"]["cards"]["changed"]) == (how != "flavour")
        told = ann.get(f"/api/tables/{ann.table}/cards").json()
        assert len(told) == now["table"]["cards"]["changed"]
        assert ann.get(f"/seats/{ann.seat}").status_code in (200, 404)
        goes_on(server.url, token, ann.table)


def test_rules_that_cannot_go_on_let_a_table_stand_still(
    tmp_path: Path, installed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its people are told why and what can be done, in pages and API; the host calls it off, and all play again."""
    where = str(tmp_path / "x.sqlite3")
    with served(where) as server:
        ann = Browser(server.url)
        ann.posts("/tables", game="personal-vendetta", seat0="me", seat1="me")
        seat, cookies = ann.seat, dict(ann.cookies)
        for option in ann.choices()[:1]:
            ann.clicks(option)
    installed("flavour", version=99)

    def unreadable(*_: Any, **__: Any) -> Any:
        raise KeyError("a field that these rules do not have")

    honest = Match._played
    monkeypatch.setattr(Match, "_played", unreadable)
    with served(where) as server:
        ann = Browser(server.url)
        ann.cookies.update(cookies)
        page = ann.go(f"/seats/{seat}")
        assert page.status_code == 200
        assert "version 99 cannot go on with it" in page.text
        assert "finished by the release of Talion it was begun with" in page.text
        for path in ("", "/log", "/why", "/since", "/hint"):
            assert ann.get(f"/seats/{seat}{path}").status_code in (200, 409), path
        table = seat.partition("-")[0]
        assert ann.get(f"/tables/{table}?watch").status_code == 200
        assert Player(server.url).get(f"/api/tables/{table}").json()["table"]["halted"]
        ann.go(f"/seats/{seat}")
        ann.surely_posts(f"/seats/{seat}/propose", what="abort", number="0")
        assert "was called off" in ann.page.text
        monkeypatch.setattr(Match, "_played", honest)
        ann.posts(f"/seats/{seat}/rematch")
        assert ann.page.status_code == 200
        assert table not in str(ann.page.url)


def test_a_finished_match_is_looked_at_with_its_own_cards(tmp_path: Path, installed: Any) -> None:
    where = str(tmp_path / "x.sqlite3")
    with served(where) as server:
        ann = Player(server.url)
        ann.opens("personal-vendetta", ["me", "random"])
        assert ann.proposes("abort").status_code == 200
        wait_for(lambda: ann.sees()["table"]["status"] == "aborted", "the end")
        before = ann.get(f"/tables/{ann.table}/file").text
    installed("renamed")
    with served(where) as server:
        ann = Player(server.url)
        found = ann.get(f"/tables/{ann.table or (before and table_of(where))}/file")
        assert found.status_code == 200
        assert found.text.split("---")[1] == before.split("---")[1]
        assert "By Another Name" not in Match.load(found.text, games.find).content.named


def table_of(where: str) -> str:
    return str(rows(where, sa.select(tables.c.id))[0][0])


# ---------------------------------------------------------------------- sets of changed cards


@pytest.fixture
def cheap(tmp_path: Path) -> str:
    game = games.find("personal-vendetta")
    name = next(face.name for face in game.content().faces if face.get("cost"))
    file = tmp_path / "cheap-knives.toml"
    file.write_text(f'[[card]]\nname = "{name}"\ncost = "1 tick"\n')
    return str(file)


def test_a_set_of_changed_cards_is_offered_played_and_kept(tmp_path: Path, cheap: str) -> None:
    where = str(tmp_path / "x.sqlite3")
    with served(where, cards=(cheap,)) as server:
        offered = {game["key"]: game["sets"] for game in Player(server.url).get("/api/games").json()}
        assert [one["name"] for one in offered.pop("personal-vendetta")] == ["cheap knives"]
        assert not any(offered.values())
        assert "cheap knives (1 changed)" in Browser(server.url).go("/tables/new?game=personal-vendetta").text
        ann = Player(server.url)
        ann.opens("personal-vendetta", ["me", "random"], cards="cheap knives")
        assert ann.sees()["table"]["cards"] == {"set": "cheap knives", "changed": 1}
        (change,) = ann.get(f"/api/tables/{ann.table}/cards").json()
        assert change["after"]["cost"] == "1 tick"
        assert change["before"]["cost"] != "1 tick"
        browser = Browser(server.url)
        assert "cheap knives: 1 changed" in browser.go(f"/tables/{ann.table}?watch").text
        shown = browser.go(f"/tables/{ann.table}/cards").text
        assert change["name"] in shown
        assert "1 tick" in shown
        refused = ann.post(
            "/api/tables", json={"game": "vitium", "seats": ["me"] * 2, "cards": "cheap knives"}
        )
        assert refused.status_code == 400
        ann.proposes("abort")
    with served(where) as server:  # without the set: the table keeps its cards
        ann = player(
            server.url,
            {"token": ann.headers["authorization"].split()[1], "table": ann.table, "seat": ann.seat},
        )
        assert ann.sees()["table"]["cards"] == {"set": "cheap knives", "changed": 1}
        file = ann.get(f"/tables/{ann.table}/file").text
        match = Match.load(file, games.find)
        assert [one.name for one in match.content.changes()] == [change["name"]]


def test_a_set_that_fits_nothing_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text('[[card]]\nname = "Thing"\ntext = "Dance."\n')
    with pytest.raises(Unusable), served(str(tmp_path / "x.sqlite3"), cards=(str(file),), games=()):
        pass
    with (
        pytest.raises(Unusable, match="There is no card file"),
        served(str(tmp_path / "y.sqlite3"), cards=(str(tmp_path / "none.toml"),)),
    ):
        pass


def test_contents_that_nobody_needs_go(tmp_path: Path, cheap: str) -> None:
    where = str(tmp_path / "x.sqlite3")
    with served(where, cards=(cheap,)) as server:
        ann = Player(server.url)
        ann.opens("personal-vendetta", ["me", "random"], cards="cheap knives")
        ann.opens("personal-vendetta", ["me", "random"])
        store = server.house.store
        assert len(rows(where, sa.select(contents.c.fingerprint))) == 2
        server.in_loop(lambda: store.remove(ann.table))
        server.in_loop(lambda: store.forget_contents(server.house.now() + 1))
        assert len(rows(where, sa.select(contents.c.fingerprint))) == 1
