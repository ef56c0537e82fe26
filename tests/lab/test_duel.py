"""Duels: pairs of one deal, a test that stops when it knows, and a file that is taken up again."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from talion import bots, games
from talion.bots import UnknownBot
from talion.bots.named import scaled
from talion.kernel import Chance, Match
from talion.lab import BadFile
from talion.lab.duel import Duel
from talion.lab.playing import Job, play_match
from talion.lab.sequential import Rounds, elo, first_verdict, score

TIC_TAC_TOE = str(Path(__file__).parents[2] / "examples" / "tic_tac_toe.py")


def pairs(chance: Random, share: float) -> tuple[int, int]:
    """A duel between players of whom the first wins this share: its verdict, and after how many pairs."""
    outcomes = (sum(chance.random() < share for _ in range(2)) / 2 for _ in range(4000))
    return first_verdict(outcomes, 2, 20)


def test_elo_and_score_are_each_others_inverse_and_fair_at_zero() -> None:
    assert [score(0, seats) for seats in (2, 3, 4)] == pytest.approx([1 / 2, 1 / 3, 1 / 4])
    for seats in (2, 4):
        assert elo(score(75, seats), seats) == pytest.approx(75)


def test_the_stronger_is_named_and_a_wide_difference_takes_fewer_pairs() -> None:
    chance = Random(1)
    near = [pairs(chance, score(30)) for _ in range(30)]
    far = [pairs(chance, score(150)) for _ in range(30)]
    assert sum(verdict == 1 for verdict, _ in near) >= 27
    assert all(verdict == 1 for verdict, _ in far)
    assert sum(count for _, count in far) < sum(count for _, count in near) / 2
    assert all(pairs(chance, score(-150))[0] == -1 for _ in range(10))


def test_equal_players_are_called_unequal_no_more_often_than_the_interval_says() -> None:
    chance = Random(2)
    outside = 0
    for _ in range(200):
        rounds = Rounds(tuple(sum(chance.random() < 0.5 for _ in range(2)) / 2 for _ in range(60)))
        low, high = rounds.interval
        outside += not low <= 0.5 <= high
    assert outside <= 20


def test_pairs_that_always_balance_say_nothing_and_one_sided_ones_do_not_say_everything() -> None:
    assert Rounds((0.5,) * 30).verdict(20) == 0
    low, high = Rounds((1.0,) * 5).interval
    assert 0.5 < low < high == 1.0


def test_both_matches_of_a_pair_have_the_same_decks() -> None:
    """With more decks than seats, each pair has the next choice of them, not each match: else one bot has the better ones."""
    job = Job("vitium", ("greedy", "random"), "7", {"decks": "X,Y,Z"}, one_deal=True)
    met = [job.options_of(number)["decks"] for number in range(14)]
    assert met[::2] == met[1::2]
    assert len(set(met)) == 6
    assert met[12] == met[0]


def test_both_matches_of_a_pair_have_one_deal_and_seats_exchanged() -> None:
    job = Job("engines-of-vengeance", ("greedy", "random"), "7", one_deal=True)
    first, second, third = (play_match(job, number).row for number in range(3))
    assert first["seed"] == second["seed"] != third["seed"]
    assert first["bots"] == ["greedy", "random"]
    assert second["bots"] == ["random", "greedy"]


def fought(path: Path, workers: int, rounds: int = 60) -> Duel:
    job = Job(TIC_TAC_TOE, ("search:60", "random"), "3", one_deal=True)
    duel = Duel(job, 20, rounds, path)
    duel.fight(workers)
    return duel


def test_the_answer_is_one_sentence_and_the_same_whatever_the_number_of_workers(tmp_path: Path) -> None:
    alone, shared = fought(tmp_path / "one", 1), fought(tmp_path / "two", 2)
    assert alone.sentence().startswith("search:60 is stronger by ")
    assert alone.sentence().endswith(f"after {len(alone.rounds.outcomes)} pairs.")
    assert alone.sentence() == shared.sentence()
    assert alone.rounds == shared.rounds


def test_a_duel_is_taken_up_again_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    begun = fought(path, 1, rounds=3)
    assert begun.sentence().startswith("Not known yet: search:60 against random stands at ")
    lines = path.read_text("utf-8").splitlines()
    whole = fought(path, 1)
    assert path.read_text("utf-8").splitlines()[: len(lines)] == lines
    assert whole.sentence() == fought(tmp_path / "anew", 1).sentence()


def test_a_file_of_another_duel_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    path.write_text(json.dumps({"duel": ["other"]}) + "\n", "utf-8")
    with pytest.raises(BadFile, match="other bots"):
        fought(path, 1)
    assert "other" in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hardly", "There is no bot hardly"),
        ("search:0", "names no budget"),
        ("hard,swep=2", "“swep=2” is no setting; there are: "),
        ("hard,sweeps=many", "sweeps is a number, not “many”"),
        ("hard,onward=2", "onward is yes or no"),
        ("hard,value=nowhere.py", "There is no file nowhere.py"),
        ("old:nowhere.toml", "cannot be read"),
    ],
)
def test_a_name_that_cannot_be_says_why(name: str, why: str) -> None:
    with pytest.raises(UnknownBot, match=why):
        bots.make(name)


def test_an_old_bot_is_described_by_a_file_with_a_judgement_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text("def value(view, seat):\n    return 0.5\n", "utf-8")
    file = tmp_path / "old.toml"
    file.write_text('[tic-tac-toe]\niterations = 20\nsweeps = 1\nvalue = "judge.py"\n', "utf-8")
    row = play_match(Job(TIC_TAC_TOE, (f"old:{file}", "random"), "1"), 0).row
    assert row["bots"][0] == f"old:{file}"
    with pytest.raises(UnknownBot, match="says nothing of engines-of-vengeance; it describes tic-tac-toe"):
        play_match(Job("engines-of-vengeance", (f"old:{file}", "random"), "1"), 0)


@pytest.mark.parametrize("key", games.keys())
def test_the_bots_as_they_were_before_they_were_measured_still_play(key: str) -> None:
    """Their judgements read what games show today, at any point of a match."""
    match, chance = Match.new(games.find(key), 2, "old"), Chance.of("old")
    old = bots.make("old:bench/old.toml")
    for number in range(120):
        seat = chance.pick(sorted(match.pending))
        options = match.options(seat)
        if number % 10 == 0:
            assert bots.choice(old, match, seat) in options
        match.answer(seat, chance.pick(options))
        if match.over:
            break


def test_a_tenth_of_a_budget_is_a_bot_with_a_name_of_its_own() -> None:
    assert scaled("hard", 0.1) == "hard*0.1"
    assert scaled("search:300,sweeps=2", 0.1) == "search:30,sweeps=2"
    assert scaled("greedy", 0.1) == "greedy"
    for name in ("hard*0.1", "search:30,sweeps=2"):
        bots.make(name)


def test_several_bots_in_one_text_keep_their_settings() -> None:
    assert bots.listed("search:30,sweeps=2,greedy") == ["search:30,sweeps=2", "greedy"]
