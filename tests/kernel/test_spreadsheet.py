"""Cards as a spreadsheet."""

from pathlib import Path

import pytest

from talion import games
from talion.kernel import BadCards
from talion.kernel.spreadsheet import from_csv, to_csv

GAME = "personal-vendetta"


@pytest.mark.parametrize("key", [game.key for game in games.every()])
def test_what_is_written_out_and_read_again_changes_nothing(key: str) -> None:
    rows = games.find(key).content().tables["card"]
    assert from_csv(to_csv(rows), rows) == []


def test_only_what_differs_is_laid_over() -> None:
    rows = [
        {"name": "A", "cost": 2, "lines": ["x", "y"], "other": {"name": "B", "text": "z"}},
        {"name": "C", "cost": 1},
    ]
    sheet = to_csv(rows).replace("2,", "3,").replace("z", "zz")
    assert from_csv(sheet, rows) == [{"name": "A", "cost": 3, "other": {"text": "zz"}}]
    assert from_csv("name;cost\nD;4\n;\n", rows) == [{"name": "D", "cost": 4}]


def test_a_game_is_played_with_a_spreadsheet(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.csv"
    sheet.write_text("\ufeffname,benefit\nBone Lathe,Inflict 9 corpus.\n", "utf-8")
    assert games.find(GAME).content(sheet).named["Bone Lathe"].benefit == "Inflict 9 corpus."


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("cost\n1\n", "the first row must name the fields"),
        ("name,cost\nA,1,2\n", "more cells than the first row"),
    ],
)
def test_what_is_no_spreadsheet_of_cards_is_refused(tmp_path: Path, text: str, says: str) -> None:
    sheet = tmp_path / "bad.csv"
    sheet.write_text(text, "utf-8")
    with pytest.raises(BadCards, match=says):
        games.find(GAME).content(sheet)
