"""`talion sets`: what the workshop's pages do with a set, from the command line."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from talion.lab import BadInput
from talion.table.store import Store
from talion.workshop.commands import app

GAME = "personal-vendetta"
LATHE = '[[card]]\nname = "Bone Lathe"\nbenefit = "Inflict {} corpus."\n'


class Sets:
    """The command, with a database of its own."""

    def __init__(self, folder: Path) -> None:
        self.database = str(folder / "x.sqlite3")
        Store(self.database).close()
        self.file = folder / "sharper.toml"

    def says(self, *words: str) -> str:
        found = CliRunner().invoke(app, [*words, "--database", self.database])
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        return found.output

    def json(self, *words: str) -> Any:
        return json.loads(self.says(*words, "--json"))

    def reads(self, corpus: int, *words: str) -> dict[str, Any]:
        self.file.write_text(LATHE.format(corpus), "utf-8")
        found: dict[str, Any] = self.json("import", str(self.file), *words)
        return found


@pytest.fixture
def sets(tmp_path: Path) -> Sets:
    return Sets(tmp_path)


def test_a_set_is_read_from_a_file_shown_and_written_again(sets: Sets, tmp_path: Path) -> None:
    made = sets.reads(4, "--game", GAME)
    assert made["name"] == "sharper" and made["revision"] == 1 and made["changed"] == ["Bone Lathe"]
    name = made["set"]
    assert [one["set"] for one in sets.json("list")] == [name] and sets.json("list", "--game", "vitium") == []
    shown = sets.says("show", f"http://here/workshop/sets/{name}?word=x")
    assert 'Bone Lathe: benefit was "Inflict 3 corpus.", is "Inflict 4 corpus."' in shown
    assert tomllib.loads(sets.says("export", name)) == tomllib.loads(sets.file.read_text("utf-8"))
    sheet = tmp_path / "all.csv"
    sets.says("export", name, "--out", str(sheet))
    again = sets.json("import", str(sheet), "--game", GAME, "--name", "Again")
    assert (
        again["name"] == "Again"
        and sets.json("show", again["set"])["rows"] == sets.json("show", name)["rows"]
    )


def test_revisions_are_kept_and_taken_up_again(sets: Sets) -> None:
    name = sets.reads(4, "--game", GAME)["set"]
    assert sets.reads(5, "--into", name)["revision"] == 2
    with pytest.raises(BadInput, match="has saved revision 2 meanwhile"):
        sets.reads(6, "--into", name, "--after", "1")
    assert sets.json("back", name, "1")["revision"] == 3
    assert [one["what"] for one in sets.json("history", name)] == [
        "back to revision 1",
        "read from a file",
        "read from a file",
    ]
    assert "Inflict 4 corpus." in sets.says("export", name)
    assert "Inflict 5 corpus." in sets.says("export", name, "--revision", "2")
    with pytest.raises(BadInput, match="has no revision 9; the latest is 3"):
        sets.says("show", name, "--revision", "9")


def test_a_set_is_renamed_copied_and_removed(sets: Sets) -> None:
    name = sets.reads(4, "--game", GAME)["set"]
    assert sets.json("rename", name, "Blunt")["name"] == "Blunt"
    copied = sets.json("copy", name)
    assert copied["name"] == "Copy of Blunt" and copied["changed"] == ["Bone Lathe"]
    sets.says("remove", name)
    assert [one["set"] for one in sets.json("list")] == [copied["set"]]
    with pytest.raises(BadInput, match=r"There is no such set of cards\. `talion sets list` shows"):
        sets.says("show", name)


def test_what_cannot_be_is_said_in_a_sentence(sets: Sets, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="either of which --game the new set is, or --into"):
        sets.reads(4)
    sets.file.write_text('[[card]]\nname = "Bone Lathe"\nbenefit = "Fly."\n', "utf-8")
    with pytest.raises(BadInput, match="Bone Lathe"):
        sets.says("import", str(sets.file), "--game", GAME)
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        sets.says("import", str(tmp_path / "none.toml"), "--game", GAME)
    sets.database = str(tmp_path / "none.sqlite3")
    with pytest.raises(BadInput, match="There is no database at"):
        sets.says("list")
    assert not Path(sets.database).exists()
