"""Parts with names, boards, and players as things one chooses."""

import sys
from pathlib import Path
from typing import Any

import pytest

from talion import picture
from talion.kernel import (
    EVERYONE,
    Asking,
    Counter,
    Game,
    Match,
    Named,
    Part,
    Phrasebook,
    Play,
    Seats,
    State,
    Word,
    Zone,
)
from talion.testing import check, load_scenarios, run_scenario

COLOURS = ("red", "green", "blue")
CARDS = [{"name": f"{colour} {n}", "text": "Rob one opponent."} for colour in COLOURS for n in (1, 2)]
book = Phrasebook()


@book.target("one opponent", prompt="Rob whom?", players=True)
def opponent(play: Play) -> list[int]:
    return list(play.t.after(play.you)[:-1])


@book.effect("rob {whom:target}")
def rob(play: Play, whom: int) -> None:
    play.t.players[whom].robbed += 1


class Player(Part):
    robbed = Counter()


class Expedition(Part):
    cards = Zone(seen_by=EVERYONE)


class Square(Part):
    here = Zone(seen_by=EVERYONE)


class Camp(State):
    players = Seats(Player)
    expeditions = Named(Expedition, COLOURS)
    board = Named(Square, rows=("a1 b1 c1", "a2 b2 c2"))


def build(t: Camp) -> None:
    t.create_all(t.box)


def begin(t: Camp) -> Asking:
    """Each card goes to the expedition of its colour, the last to a square; then somebody is robbed."""
    for card in list(t.box):
        t.move(card, t.expeditions[t.face(card).name.split()[0]].cards)
    last = t.move(t.expeditions["blue"].cards.top, t.board["b1"].here)
    option = yield t.ask(0, [("look at", t.place(last)), ("stay",)], "Look")
    if option[0] == "look at":
        assert t.at(option[1]) == last
    face = t.face(last)
    yield from Play(t, 0, last, face).carry_out(face.said["text"])
    t.over([0], "Done.")


GAME = Game(
    "camp",
    "Camp",
    (3,),
    Camp,
    begin,
    sys.modules[__name__],
    9,
    tables={"card": CARDS},
    texts={"text": "effect"},
    book=book,
    build=build,
)


@pytest.fixture
def match() -> Match[Camp]:
    return Match.new(GAME, 3, 1)


def test_a_part_is_reached_by_its_name(match: Match[Camp]) -> None:
    t = match.copy().t
    assert [len(t.expeditions[colour].cards) for colour in COLOURS] == [2, 2, 1]
    assert [name for name, _ in t.expeditions.items()] == list(COLOURS)
    assert t.expeditions["green"] is t.expeditions[1]
    assert t.expeditions["red"].cards.place.key == ("expeditions", "red", "cards")


def test_a_board_has_rows_and_neighbours(match: Match[Camp]) -> None:
    board = match.t.board
    assert [[len(square.here) for square in row] for row in board.rows] == [[0, 1, 0], [0, 0, 0]]
    assert board.beside("b1") == ["a1", "c1", "b2"]
    assert board.beside("a2") == ["b2", "a1"]


def test_names_are_seen_in_views_options_and_pictures(match: Match[Camp]) -> None:
    view: Any = match.view(1)
    assert [card.name for card in view.expeditions["red"].cards] == ["red 1", "red 2"]
    assert [part["name"] for part in view.data()["table"]["expeditions"]] == list(COLOURS)
    assert match.options(0)[0] == ("look at", ("board", "b1", "here", 0))
    drawn = "\n".join(picture.picture(match.view(0), ["Ann", "Ben", "Cem"]))
    assert "expeditions red: cards: red 1, red 2" in drawn


def test_players_are_chosen_by_their_names(match: Match[Camp]) -> None:
    match.answer(0, ("stay",))
    assert match.options(0) == [("choose", "@1"), ("choose", "@2")]
    match.answer(0, ("choose", "@2"))
    assert [player.robbed for player in match.t.players] == [0, 0, 1]


def test_such_a_game_passes_the_check() -> None:
    assert check(GAME, matches=2).problems == []


def test_a_scenario_names_them(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        'title = "A square is filled"\nrule = "X"\ngame = "camp"\nseats = 3\nat = "begin"\n'
        '[given]\n"expeditions red" = { cards = [] }\n[[when]]\nseat = 0\nanswer = "stay"\n'
        '[[when]]\nseat = 0\nanswer = "choose @1"\n[then]\n"board b1" = { here = ["blue 2"] }\n'
    )
    (scenario,) = load_scenarios(tmp_path)
    assert not run_scenario(scenario, lambda key: GAME)


def test_names_that_cannot_be() -> None:
    class Called(Part):
        name = Word()

    with pytest.raises(TypeError, match="all different"):
        Named(Square, ("a", "a"))
    with pytest.raises(TypeError, match=r"Called.name would hide the name"):
        Named(Called, ("a", "b"))
