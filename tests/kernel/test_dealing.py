"""Dealing anew: pools made ready once give the same deals as pools made ready each time, and keep what was told."""

from collections import Counter

import pytest

from talion import games
from talion.kernel import Chance, Match
from talion.kernel.dealing import deal_kinds, deal_within, kinds


@pytest.mark.parametrize("key", games.keys())
def test_pools_made_ready_once_give_the_same_deals(key: str) -> None:
    game = games.find(key)
    match = Match.new(game, game.seats[0], 1)
    match.play_out(Chance.of(1).pick, 40)
    for seat in match.pending:
        hidden = match.hidden(seat)
        deals = [match.redeal(seat, Chance.of(seed), hidden=hidden).t.write() for seed in range(5)]
        assert deals == [match.redeal(seat, Chance.of(seed)).t.write() for seed in range(5)]
        assert any(deal != deals[0] for deal in deals)


def test_deals_within_what_was_told_reach_every_possibility() -> None:
    allowed = {0: [0, 1], 1: [1, 2]}
    chance = Chance.of(1)
    seen = Counter(tuple(sorted(deal_within(allowed, chance).items())) for _ in range(400))
    assert set(seen) == {((0, 0), (1, 1)), ((0, 0), (2, 1)), ((1, 0), (2, 1))}


def test_cards_told_apart_by_kind_are_dealt_within_their_kind() -> None:
    told = kinds({0: [0, 1, 2], 1: [3], 2: [0, 1, 2]})
    assert told is not None
    chance = Chance.of(1)
    deals = [deal_kinds(told, chance) for _ in range(400)]
    assert {deal[3] for deal in deals} == {1}
    pairs = Counter(tuple(sorted(deal.items())) for deal in deals)
    assert len(pairs) == 6  # two of the first three packets, to either card
    assert min(pairs.values()) > 30


def test_where_one_deal_hinges_on_another_they_are_no_kinds() -> None:
    assert kinds({0: [0, 1], 1: [1, 2]}) is None


def test_facts_that_cannot_be_true_at_once_are_refused() -> None:
    with pytest.raises(AssertionError, match="contradicts"):
        kinds({0: [1], 1: [1]})
