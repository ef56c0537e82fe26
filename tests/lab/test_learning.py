"""Judgements that are learned: from positions that matches went through, with weights tied to a game and its cards."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from talion import bots, games
from talion.bots import Seen, UnknownBot
from talion.bots.features import columns, features
from talion.bots.learned import Learned, Weights, judgement
from talion.bots.search import Budget, Judge, Search
from talion.kernel import Chance, Match
from talion.lab import BadFile
from talion.lab.commands import ready
from talion.lab.learning import Lesson, Positions, learn, write
from talion.lab.playing import Job, play_match
from talion.testing.worlds import poisoned

COINS = '''
import sys
from talion.kernel import Counter, Game, OWNER, Part, Seat, Seats, State, Word, Zone

class Player(Part):
    coins = Counter()
    beads = Counter()

class Purse(State):
    players = Seats(Player)
    turn = Seat(0)
    weather = Word("fair")

def throw(t, number=0):
    """CO-1 Somebody finds a coin, somebody a bead; whoever has more coins in the end wins."""
    t.turn = number % 2
    yield t.ask(t.turn, [("look",), ("wait",)], "Look", "CO-1")
    t.players[t.chance.below(2)].coins += 1
    t.players[t.chance.below(2)].beads += 1
    if number == 10:
        rich = max((0, 1), key=lambda seat: t.players[seat].coins)
        t.over([rich], f"@{rich} is rich.", "CO-1")
    return throw, number + 1

game = Game(key="coins", title="Coins", seats=(2,), state=Purse, start=throw, rules=sys.modules[__name__], longest=20)
'''


@pytest.fixture(scope="module")
def coins(tmp_path_factory: pytest.TempPathFactory) -> Job:
    file = tmp_path_factory.mktemp("coins") / "coins.py"
    file.write_text(COINS, "utf-8")
    return Job(str(file), ("random", "random"), positions=True)


@pytest.fixture(scope="module")
def kept(coins: Job) -> Path:
    file = Path(coins.game).with_name("positions.parquet")
    write(file, coins, [play_match(coins, number) for number in range(80)])
    return file


@pytest.fixture(scope="module")
def lesson(kept: Path) -> Lesson:
    return learn(Positions.read(kept), 2)


def test_it_learns_what_wins_and_nothing_of_what_does_not(lesson: Lesson) -> None:
    weights = lesson.weights.weights
    assert next(iter(weights)) == "players.coins"
    assert weights["players.coins"] > 0.5
    assert abs(weights.get("players.beads", 0.0)) < weights["players.coins"] / 4
    by_itself, *_, with_heaviest = lesson.losses.values()
    assert by_itself == pytest.approx(0.693, abs=0.001)  # this game has no judgement: even odds
    assert with_heaviest < 0.55


def test_it_says_that_nothing_can_be_learned_where_nothing_is_to_be_seen(coins: Job) -> None:
    blind = [play_match(coins, number) for number in range(30)]
    blind = [
        replace(one, positions=[p._replace(shows={"turn": p.shows.get("turn", 0.0)}) for p in one.positions])
        for one in blind
    ]
    file = Path(coins.game).with_name("blind.parquet")
    write(file, coins, blind)
    losses = list(learn(Positions.read(file), 5).losses.values())
    assert losses[-1] > losses[0] - 0.01


def test_what_was_learned_judges_and_plays(lesson: Lesson, coins: Job, tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(lesson.weights.text(), "utf-8")
    game = games.find(coins.game)
    match = Match.new(game, 2, "x")
    value = judgement(str(file), game, match.t.content)
    match.t.players[0].coins, match.t.players[1].coins = 6, 1
    assert value(match.view(0), 0) > 0.85
    assert value(match.view(1), 1) < 0.15
    bot = bots.make(f"search:20,value={file}", 1)
    assert bot.choose(Seen(match, 0)) in match.options(0)


# What is refused -----------------------------------------------------------------------------------------------------


def refused(tmp_path: Path, **changed: Any) -> str:
    """What is said to weights that are changed so."""
    found = games.find("engines-of-vengeance")
    fit = {"game": found.key, "cards": found.content().fingerprint, "plus": 0.0, "weights": {}}
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({**fit, **changed}), "utf-8")
    with pytest.raises(UnknownBot) as problem:
        ready(Job(found.key, (f"search:5,value={file}", "random")))
    return str(problem.value)


def test_weights_for_something_else_are_refused_with_a_sentence(tmp_path: Path) -> None:
    said = [
        refused(tmp_path, game="vitium"),
        refused(tmp_path, cards="others"),
        refused(tmp_path, weights={"sides.luck: WRATH": 1.0}),
        refused(tmp_path, weights={"sides.wins": "many"}),
        refused(tmp_path, weights=3),
        refused(tmp_path, more=3),
    ]
    assert all(sentence.endswith(".") for sentence in said)
    for sentence, words in zip(
        said, ["not with", "other cards", "sides.luck", "no number", "no weights", "no weights"], strict=True
    ):
        assert words in sentence
    with pytest.raises(UnknownBot, match="no file"):
        bots.make("search:5,value=nowhere.json")


def test_a_file_without_positions_or_with_too_few_is_refused(coins: Job, tmp_path: Path) -> None:
    few, other = tmp_path / "few.parquet", tmp_path / "other.parquet"
    write(few, coins, [play_match(coins, number) for number in range(3)])
    other.write_bytes(b"PAR1")
    for file in (few, other, tmp_path / "none.parquet", tmp_path):
        with pytest.raises(BadFile, match=r"\.$"):
            Positions.read(file)


# Honesty -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", games.keys())
def test_nothing_hidden_is_among_the_features_nor_moves_who_learned_them(key: str) -> None:
    """Everything that could be weighed is, and cards that the seat does not see are laid elsewhere."""
    game, chance = games.find(key), Chance.of(f"otherwise {key}")
    read = columns(game)
    match = Match.new(game, 2, key)
    differed = 0
    for number in range(60):
        if match.over:
            break
        seat = chance.pick(sorted(match.pending))
        if number % 12 == 0:
            twin = poisoned(match, seat, chance)
            differed += twin.t.write() != match.t.write()
            shows = features(read, match.view(seat), seat)
            assert shows == features(read, twin.view(seat), seat)
            weights = {feature: chance.below(200) / 1000 - 0.1 for feature in shows}
            judge = Judge(Learned(Weights(key, "", 0.0, weights), game), game.hint)
            assert thought(match, seat, judge) == thought(twin, seat, judge)
        match.answer(seat, chance.pick(match.options(seat)))
    assert differed > 0


def thought(match: Match, seat: int, judge: Judge) -> Any:
    search = Search(7, Budget(8))
    search.judge = judge
    return search.estimates(Seen(match, seat))


def test_a_seat_sees_its_lead_and_its_own_hand_alone() -> None:
    match = Match.new(games.find("engines-of-vengeance"), 2, "deal")
    t = match.t
    t.sides[0].wins = 1
    read = columns(match.game)
    mine, theirs = (features(read, match.view(seat), seat) for seat in (0, 1))
    assert (mine["sides.wins"], theirs["sides.wins"]) == (1.0, -1.0)
    for seat, shows in ((0, mine), (1, theirs)):
        held = {f"own sides.hand: {t.face(card).name}" for card in t.sides[seat].hand}
        assert {name for name in shows if name.startswith("own sides.hand")} == held
