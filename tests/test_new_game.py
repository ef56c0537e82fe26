"""`talion new`: a game to start from, which passes every check."""

from pathlib import Path

import pytest

from talion import games
from talion.beginning import BadName, begin
from talion.testing import check, load_scenarios, run_scenario


@pytest.mark.parametrize(
    ("name", "key", "rule"), [("my-game", "my-game", "MG-2"), ("Tulips", "tulips", "TU-2")]
)
def test_a_new_game_is_complete(tmp_path: Path, name: str, key: str, rule: str) -> None:
    folder = begin(name, tmp_path)
    game = games.find(str(folder))
    assert game.key == key and rule in game.rulebook.rules
    report = check(game, matches=4, seconds=10)
    assert report.ok, report.problems
    scenarios = load_scenarios(folder / "scenarios")
    assert scenarios and not any(run_scenario(scenario, games.find) for scenario in scenarios)
    assert "MG" not in (folder / "rules.py").read_text("utf-8") or key == "my-game"


def test_names_that_no_game_can_have(tmp_path: Path) -> None:
    begin("my-game", tmp_path)
    for name in ("my game", "", "42", "…"):
        with pytest.raises(BadName):
            begin(name, tmp_path)
