"""A match carries its cards: running tables outlive every change of cards and rules, and so do their ends and files."""

from __future__ import annotations

import contextlib
import gzip
import json
import lzma
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from talion import games
from talion.kernel import BadCards, Game, Match
from talion.table import admin, database
from talion.table.refusal import Unusable
from talion.table.schema import contents, tables

from .serving import Browser, Player, served, wait_for

HERE = Path(__file__).parent
KEYS = games.keys()
FIRST = json.loads((HERE / "releases" / "first.json").read_text())


def first_release(where: Path) -> str:
    """A database as the first release wrote it, a minute ago, with matches of every game: early, long and over."""
    path = where / "first.sqlite3"
    path.write_bytes(lzma.decompress((HERE / "releases" / "first.database.xz").read_bytes()))
    with contextlib.closing(sqlite3.connect(path)) as there, there:
        (written,) = there.execute("SELECT max(made) FROM tables").fetchone()
        since = time.time() - 60 - written  # tables that nobody touched for a day are removed
        there.execute("UPDATE tables SET made = made + ?, ended = ended + ?, due = due + ?", (since,) * 3)
        there.execute("UPDATE entries SET at = at + ?", (since,))
        there.execute("UPDATE chat SET at = at + ?", (since,))
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
    old.dispose()
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


CHANGES = ("added at the top", "removed", "renamed", "repriced", "flavour", "other rules")


Printed = dict[str, Any]


def ways(made: Printed, how: str) -> Iterator[Printed]:
    """What a game prints, with one card changed, for each that might be it."""
    cards = made["card"]
    for i, card in enumerate(cards):
        before, after = cards[:i], cards[i + 1 :]
        if how == "added at the top":
            new = {**card, "name": "A Card Nobody Printed"}
            yield {**made, "card": [new, *cards]}
            if (count := card.get("count", 1)) > 1:  # where there must be so many
                fewer = {**card, "count": count - 1}
                yield {**made, "card": [{**new, "count": 1}, *before, fewer, *after]}
        elif how == "removed":
            yield {**made, "card": [*before, *after]}
            yield from (in_place_of(made, card["name"], other["name"]) for other in after[:3])
        elif how == "renamed":
            yield json.loads(json.dumps(made).replace(json.dumps(card["name"]), '"By Another Name"'))
        elif how == "repriced":
            yield from ({**made, "card": [*before, other, *after]} for other in dearer(card, cards))
        elif how == "flavour":
            yield {**made, "card": [*before, {**card, "flavour": "Nobody remembers."}, *after]}
        else:
            yield made


def in_place_of(made: Printed, gone: str, other: str) -> Printed:
    """Without one card: another is printed and put into decks as often again."""
    named = {card["name"]: dict(card) for card in made["card"]}
    named[other]["count"] = named[other].get("count", 1) + named.pop(gone).get("count", 1)
    made = json.loads(json.dumps({**made, "card": list(named.values())}))
    for deck in made.get("deck", ()):
        if gone in deck["cards"]:
            deck["cards"][other] = deck["cards"].get(other, 0) + deck["cards"].pop(gone)
    return made


def dearer(card: Printed, cards: list[Printed]) -> Iterator[Printed]:
    """A card with a number one higher, or where there are no numbers with a line of another card."""
    for field, value in card.items():
        if field in ("count", "flavour", "name"):
            continue
        if isinstance(value, int) and not isinstance(value, bool):
            yield {**card, field: value + 1}
        elif isinstance(value, str):
            more = re.sub(r"\d+", lambda price: str(int(price[0]) + 1), value, count=1)
            others = (other[field] for other in cards if other.get(field, value) != value)
            yield {**card, field: more if more != value else next(others, value)}


def changed(game: Game, how: str) -> Printed:
    """A game's printed things with one card changed, as the game would accept them."""
    own = game.own_tables()
    for made in ways(own, how):
        if made != own or how == "other rules":
            with contextlib.suppress(BadCards):
                game.printed(made, "a later release")
                return made
    raise AssertionError(f"no card of {game.title} can be {how}")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Pretend that other cards or rules of some games are installed."""
    found, own = games.find, Game.own_tables
    made: dict[str, Printed] = {}
    others: dict[str, Game] = {}

    def install(key: str, how: str) -> None:
        game = found(key)
        made[key] = changed(game, how)
        others[key] = replace(game, _contents={}, version=99 if how == "other rules" else game.version)

    monkeypatch.setattr(
        Game, "own_tables", lambda self: made[self.key] if self in others.values() else own(self)
    )
    monkeypatch.setattr(games, "find", lambda key: others.get(key) or found(key))
    return install


@pytest.fixture(scope="module")
def under_way(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A database with a match of each game that has begun, and for each what somebody holds and saw."""
    where = tmp_path_factory.mktemp("under way") / "x.sqlite3"
    begun = []
    with served(str(where)) as server:
        for key in KEYS:
            ann = Player(server.url)
            token = ann.opens(key, ["me", "me"])["token"]
            for _ in range(2):
                goes_on(server.url, token, ann.table)
            seen = ann.sees()["match"]["table"]
            begun.append({"token": token, "table": ann.table, "seat": ann.seat, "seen": seen})
    return where, begun


@pytest.mark.parametrize("shift", [0, *(pytest.param(i, marks=pytest.mark.deep) for i in range(1, 6))])
def test_running_matches_go_on_with_their_own_cards(
    tmp_path: Path, under_way: tuple[Path, list[dict[str, Any]]], installed: Any, shift: int
) -> None:
    """Every game has another change; shifted, every game has every change."""
    where = tmp_path / "x.sqlite3"
    shutil.copy(under_way[0], where)
    how = {key: CHANGES[(i + shift) % len(CHANGES)] for i, key in enumerate(KEYS)}
    for key in how:
        installed(key, how[key])
    with served(str(where)) as server:
        for was, (key, change) in zip(under_way[1], how.items(), strict=True):
            ann = player(server.url, was)
            now = ann.sees()
            assert not now["table"]["halted"], (key, change)
            assert now["match"]["table"] == was["seen"], (key, change)
            assert bool(now["table"]["cards"]["changed"]) == (change in CHANGES[:4]), (key, change)
            told = ann.get(f"/api/tables/{ann.table}/cards").json()
            assert len(told) == now["table"]["cards"]["changed"]
            assert Player(server.url).get(f"/tables/{ann.table}?watch").status_code == 200
            goes_on(server.url, was["token"], ann.table)


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
    installed("personal-vendetta", "other rules")

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
    installed("personal-vendetta", "renamed")
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
        server.in_loop(lambda: store.forgetting.remove(ann.table))
        server.in_loop(lambda: store.forgetting.contents(server.house.now() + 1))
        assert len(rows(where, sa.select(contents.c.fingerprint))) == 1
