"""Cards as a spreadsheet."""

from pathlib import Path

import pytest

from talion import games
from talion.kernel import BadCards
from talion.kernel.spreadsheet import BadSheet, from_csv, sort_for, sort_of, to_csv
from talion.kernel.tables import undeclared

GAME = "personal-vendetta"


@pytest.mark.parametrize("key", [game.key for game in games.every()])
def test_what_is_written_out_and_read_again_changes_nothing(key: str) -> None:
    game = games.find(key)
    rows = game.content().tables["card"]
    assert from_csv(to_csv(rows), rows, game.card_table) == []


def test_only_what_differs_is_laid_over() -> None:
    rows = [
        {"name": "A", "cost": 2, "lines": ["x", "y"], "other": {"name": "B", "text": "z"}},
        {"name": "C", "cost": 1},
    ]
    sheet = to_csv(rows).replace("2,", "3,").replace("z", "zz")
    assert from_csv(sheet, rows, undeclared(())) == [{"name": "A", "cost": 3, "other": {"text": "zz"}}]
    assert from_csv("name;cost\nD;4\n;\n", rows, undeclared(())) == [{"name": "D", "cost": 4}]


@pytest.mark.parametrize("head", ["name,cost", "Name,Cost", " name , cost ,,", "NAME,COST,"])
def test_what_spreadsheets_add_is_overlooked(head: str) -> None:
    """Capitals, blanks, rows and columns without a word in them; but no cell with something in it."""
    assert from_csv(f"{head}\n,,\nD,4,,,\n,,,,,,\n", [], undeclared(())) == [{"name": "D", "cost": "4"}]
    with pytest.raises(BadSheet, match="line 2 has more cells than the first row names"):
        from_csv(f"{head}\nD,4,x\n", [], undeclared(()))


def test_what_no_printed_card_has_is_read_as_the_game_declares_it(tmp_path: Path) -> None:
    """No card of this game prints how often there is of it."""
    sheet = tmp_path / "mine.csv"
    sheet.write_text("name,count\nBone Lathe,3\nShear Line,\n", "utf-8")
    cards = games.find(GAME).content(sheet)
    assert (cards.named["Bone Lathe"].count, cards.named["Shear Line"].count) == (3, 1)
    assert from_csv(to_csv(cards.tables["card"]), cards.tables["card"], games.find(GAME).card_table) == []


@pytest.mark.parametrize("key", [game.key for game in games.every()])
def test_what_may_stand_in_a_field_tells_how_it_is_written(key: str) -> None:
    game = games.find(key)
    for row in game.content().tables["card"]:
        for name, value in row.items():
            inside = (
                {f"{name}.{one}": there for one, there in value.items()} if name == "other" else {name: value}
            )
            for path, there in inside.items():
                kind = game.card_table.kind_at(path, row)
                assert kind and sort_for(kind) == sort_of(there), (row["name"], path)


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
