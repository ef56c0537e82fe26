"""Matches that were played to their end here can be counted, without anybody's name."""

from dataclasses import replace
from pathlib import Path

import pytest

from talion import games
from talion.kernel import Match
from talion.lab import BadInput
from talion.lab.commands import export
from talion.lab.files import read
from talion.table.finished import finished

from .serving import ROOT, Player, play_out, served

TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")


def test_served_matches_become_a_result_file(tmp_path: Path) -> None:
    house, out = str(tmp_path / "house.sqlite3"), tmp_path / "served.parquet"
    find = lambda key: games.find(TIC_TAC_TOE)  # noqa: E731 - the one game that is served here
    with served(house) as server:
        for _ in range(2):
            ann = Player(server.url)
            ann.opens("tic-tac-toe", ["me", "random"])
            play_out(ann)
        Player(server.url).opens("tic-tac-toe", ["me", "random"])
    played = list(finished(house, "tic-tac-toe", find))
    assert [one.players for one in played] == [["person", "random"]] * 2
    rows = [(one.players, one.file) for one in played if one.file is not None]
    assert [Match.load(file, find).over for _, file in rows] == [True, True]
    export(TIC_TAC_TOE, rows, out)
    kept = read(out)
    assert kept.seats.get_column("bot").to_list() == ["person", "random"] * 2
    newer = replace(find(""), version=99)
    assert [one.file for one in finished(house, "tic-tac-toe", lambda key: newer)] == [None, None]
    with pytest.raises(BadInput, match="No match of Tic-tac-toe"):
        export(TIC_TAC_TOE, [], out)
