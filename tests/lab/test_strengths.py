"""The table of duels, from the files that keep them."""

import json
from pathlib import Path

import pytest

from talion.lab import BadFile
from talion.lab.strengths import fought, lines


def duel(path: Path, won: list[float]) -> Path:
    head = {"duel": ["hard", "greedy"], "game": "vitium", "seed": "0", "options": {}, "cards": "x"}
    matches = [
        {"match": n, "won": one, "nobody": one == 0.5, "ms": {"hard": [10, 5000.0], "greedy": [9, 90.0]}}
        for n, one in enumerate(won)
    ]
    path.write_text("\n".join(map(json.dumps, [head, *matches])))
    return path


def test_a_row_for_every_duel(tmp_path: Path) -> None:
    duel(tmp_path / "a.jsonl", [1.0, 1.0, 1.0, 0.0, 0.5, 1.0, 0.0])
    *head, row = lines([tmp_path])
    assert len(head) == 2
    assert row == "| vitium | hard | greedy | 67% (30% to 90%) | -51 to +433 | 7, 1 won by nobody | 500 |"


def test_what_a_program_is_given(tmp_path: Path) -> None:
    """The same, and None where there is no end to a difference."""
    (found,) = fought([duel(tmp_path / "a.jsonl", [1.0, 1.0])])
    assert (found["bot"], found["won"][0], found["matches"], found["elo"][1]) == ("hard", 1.0, 2, None)


def test_what_is_no_duel_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text("{}")
    with pytest.raises(BadFile, match=r"b\.jsonl is not a duel\."):
        list(lines([tmp_path]))
    with pytest.raises(BadFile, match="There is no duel here"):
        list(lines([tmp_path / "none"]))
