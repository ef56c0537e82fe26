"""The page on which a table is planned."""

from __future__ import annotations

from pathlib import Path

import httpx

from talion import games
from talion.table.choosing import chosen, pictured

from .serving import served


def test_every_game_can_be_planned_with_its_variants(tmp_path: Path) -> None:
    """Seats and variants of every game are there to choose from."""
    with served(str(tmp_path / "x.sqlite3")) as server:
        for game in games.every():
            reply = httpx.get(f"{server.url}/tables/new", params={"game": game.key})
            assert reply.status_code == 200
            assert all(f'name="option.{choice.name}' in reply.text for choice in game.choices)
            for choice in game.choices:
                for value in choice.values:
                    words = {"True": "yes", "False": "no"}.get(str(value), str(value).replace("_", " "))
                    assert f">{words}</option>" in reply.text or f"<b>{words}</b>" in reply.text


def test_what_is_chosen_for_each_seat_is_one_option() -> None:
    """Tiles of several seats, and one that is left as it comes."""
    form = {"option.heroes.0": "Kaja", "option.heroes.1": "", "option.demon": "Velketh", "title": "x"}
    assert chosen(form) == {"heroes": "Kaja", "demon": "Velketh"}
    assert chosen({"option.heroes.0": "Kaja", "option.heroes.1": "Wren Okafor"}) == {
        "heroes": "Kaja, Wren Okafor"
    }


def test_pictures_to_choose_from_have_a_name_and_a_sentence() -> None:
    for game in games.every():
        for choice in pictured(game).values():
            assert choice["values"]
            assert all(one["name"] for one in choice["values"])
