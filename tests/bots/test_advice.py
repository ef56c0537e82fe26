"""A hint: the move, how it did against the second best, what is expected, and what is feared."""

from dataclasses import replace
from math import exp

import pytest

from talion import bots, games
from talion.bots import Seen
from talion.bots.advice import Advice, Expected, Hint, advise, foreseen, second_thought, sober
from talion.bots.search import Foreseen
from talion.kernel import Chance, Match, Strength
from talion.table.workers import reconsider


def test_what_comes_often_is_expected_and_what_is_worst_is_feared() -> None:
    matches = (
        [Foreseen("@1 digs in.", 0.6)] * 12 + [Foreseen("@1 strikes.", 0.2)] * 3 + [Foreseen("", 0.7)] * 5
    )
    expects, fears = foreseen(matches)
    assert expects and fears
    assert (expects.says, expects.share, round(expects.value, 9)) == ("@1 digs in.", 0.6, 0.6)
    assert (fears.says, fears.share, round(fears.value, 9)) == ("@1 strikes.", 0.15, 0.2)


def test_what_came_once_is_neither_expected_nor_feared() -> None:
    assert foreseen([Foreseen("", 0.6)] * 39 + [Foreseen("@1 strikes.", 0.0)]) == (None, None)


def test_what_hardly_matters_is_not_feared() -> None:
    _, fears = foreseen([Foreseen("@1 waits.", 0.5), Foreseen("@1 digs in.", 0.51)] * 10)
    assert fears is None


def test_a_hint_in_sentences() -> None:
    hint = Hint(
        (Advice(("a",), "attack", 0.614, 80), Advice(("b",), "wait", 0.5, 20)),
        Expected("@1 digs in.", 0.6, 0.6),
        Expected("@1 strikes.", 0.1, 0.25),
    )
    assert list(hint.sentences()) == [
        "Attack: in its head it won 61 of 100 matches so, and 50 with the second best, wait. That is clearly better.",
        "Next it expects: @1 digs in.",
        "What it fears: @1 strikes. Then it wins 25 of 100.",
    ]


def test_a_judgement_is_put_into_words_soberly() -> None:
    said = sober(replace(games.find("vitium"), strength=Strength(sober=(-1.0, 0.5))))
    assert said(0.9) == pytest.approx(1 / (1 + exp(1) / 3))
    assert (said(0.0), said(1.0)) == (0.0, 1.0), "what is over is over"


TIC_TAC_TOE = games.find("examples/tic_tac_toe.py")


def test_a_second_thought_names_the_better_move() -> None:
    """Two in a row, and the third was not marked."""
    match = Match.new(TIC_TAC_TOE, 2)
    for square in (0, 3, 1, 4):
        match.answer(next(iter(match.pending)), ("mark", square))
    seen = Seen(match, 0)
    better = next(offer.name for offer in match.view(0).offers() if offer.option == ("mark", 2))
    said = second_thought(seen, ("mark", 8), "search:300")
    assert said.startswith(f"A bot in that seat would have chosen: {better}. In its head it won ")
    assert said.endswith(" with what was done.")
    assert "would have done the same" in second_thought(seen, ("mark", 2), "search:300")


def test_a_second_thought_of_a_match_as_a_server_keeps_it() -> None:
    match = Match.new(games.find("engines-of-vengeance"), 2, 4)
    chance = Chance.of(4)
    while match.number < 30 or len(match.options(min(match.pending))) < 2:
        seat = min(match.pending)
        match.answer(seat, chance.pick(match.options(seat)))
    seat = min(match.pending)
    moment = match.without_log().rebased()
    moment.answer(seat, moment.options(seat)[-1])
    given = ((), moment.save(content=False), None, seat)
    assert reconsider(*given, "search:30", "x").startswith("A bot in that seat would have ")
    assert reconsider(*given, "greedy", "x") == "", "it does not think"


@pytest.mark.parametrize("key", games.keys())
def test_hints_speak_of_what_others_do_next_and_nothing_else(key: str) -> None:
    match = Match.new(games.find(key), 2, 3)
    chance = Chance.of(key)
    players = [bots.make("greedy", seat) for seat in range(2)]
    told = 0
    for _ in range(60):
        seat = chance.pick(sorted(match.pending))
        if len(match.options(seat)) > 1 and match.number % 4 == 0 and told < 3:
            hint = advise(Seen(match, seat), "search:16")
            assert {one.option for one in hint.considered} == set(match.options(seat))
            for expected in filter(None, (hint.expects, hint.fears)):
                told += 1
                assert expected.says.startswith(f"@{1 - seat}")
                assert 0 <= expected.value <= 1
        match.answer(seat, players[seat].choose(Seen(match, seat)))
        if match.over:
            break
    assert told
