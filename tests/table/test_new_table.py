"""The page on which a table is planned."""

from __future__ import annotations

from pathlib import Path

import httpx

from talion import games

from .serving import served


def test_every_game_can_be_planned_with_its_variants(tmp_path: Path) -> None:
    """Seats and variants of every game are there to choose from."""
    with served(str(tmp_path / "x.sqlite3")) as server:
        for game in games.every():
            reply = httpx.get(f"{server.url}/tables/new", params={"game": game.key})
            assert reply.status_code == 200
            assert all(f'name="option.{choice.name}"' in reply.text for choice in game.choices)
            for choice in game.choices:
                for value in choice.values:
                    words = {"True": "yes", "False": "no"}.get(str(value), str(value).replace("_", " "))
                    assert f">{words}</option>" in reply.text
