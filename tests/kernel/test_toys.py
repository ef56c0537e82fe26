"""Every mechanism that the real games need, in a small game of its own, with its secrecy and search side."""

from collections import Counter

import pytest

from talion import bots
from talion.kernel import Chance, Game, Match
from talion.testing import check
from tests.kernel.toys import BROKEN, TOYS


@pytest.mark.parametrize("key", TOYS)
def test_a_sound_toy_passes(key: str) -> None:
    report = check(TOYS[key], matches=12, seconds=20)
    assert report.problems == []


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_toy_is_caught(what: str) -> None:
    game, problem = BROKEN[what]
    report = check(game, matches=30, seconds=20)
    assert any(problem in found for found in report.problems), report.problems


@pytest.mark.parametrize("key", TOYS)
def test_bots_play_a_toy_to_its_end(key: str) -> None:
    for seats in TOYS[key].seats:
        match = Match.new(TOYS[key], seats, "bots")
        players = [bots.make("greedy", seat) for seat in range(seats)]
        while not match.over:
            seat = min(match.pending)
            match.answer(seat, players[seat].choose(bots.Seen(match, seat)))
        assert match.result is not None


def at_reaction(seed: int) -> Match:
    """A match of the window toy at the moment when seat 1 is asked for a reaction."""
    match = Match.new(TOYS["window"], 2, seed)
    match.answer(0, ("strike",))
    return match


def holds_parry(match: Match, seat: int) -> bool:
    t = match.t
    return any(t.face(card).name == "Parry" for card in t.sides[seat].hand)


def test_imagined_reactions_do_not_depend_on_true_ones() -> None:
    """Over many redeals the share of worlds in which the opponent can react is the same whether it truly can."""
    shares = {}
    for truly in (True, False):
        seeds = [seed for seed in range(200) if holds_parry(at_reaction(seed), 1) == truly]
        seeds = [seed for seed in seeds if not holds_parry(at_reaction(seed), 0)][:20]
        chance = Chance.of("share")
        worlds = [at_reaction(seed).redeal(0, chance) for seed in seeds for _ in range(50)]
        shares[truly] = sum(holds_parry(world, 1) for world in worlds) / len(worlds)
    assert abs(shares[True] - shares[False]) < 0.06
    assert 0.5 < shares[True] < 0.85  # seven unseen cards, two of them a Parry, three in the hand: 5/7


def test_the_window_is_the_same_for_who_holds_nothing() -> None:
    """Seat 1 is asked, and seat 0 sees that it is, whether or not it can react."""
    for truly in (True, False):
        match = next(m for m in map(at_reaction, range(100)) if holds_parry(m, 1) == truly)
        assert list(match.pending) == [1]
        assert match.view(0).data()["waiting_for"] == [1]


def test_a_reaction_starts_the_asking_again() -> None:
    match = next(m for m in map(at_reaction, range(100)) if holds_parry(m, 1))
    parry = next(option for option in match.options(1) if option[0] == "parry")
    match.answer(1, parry)
    assert list(match.pending) == [1]
    match.answer(1, ("pass",))
    match.answer(0, ("pass",))
    assert match.t.sides[1].life == 5


def test_a_half_answered_row_is_asked_again_in_a_redeal() -> None:
    """What others chose in secret is forgotten; what the seat itself chose is kept."""
    match = Match.new(TOYS["sealed"], 2, 1)
    match.answer(1, match.options(1)[0])
    match.answer(0, match.options(0)[0])
    assert [option[0] for option in match.options(1)] == ["at"]
    imagined = match.redeal(0, Chance.of("x"))
    assert [option[0] for option in imagined.options(0)] == ["at"]
    assert "pass" in [option[0] for option in imagined.options(1)]
    assert imagined.copy().options(1) == imagined.options(1)


def test_nobody_sees_who_of_several_sealed_choosers_is_done() -> None:
    match = Match.new(TOYS["sealed"], 2, 1)
    before = match.view(0).data()
    match.answer(1, ("pass",))
    assert match.view(0).data() == before
    assert 1 not in match.pending


def test_a_card_passed_on_in_a_draft_is_remembered_but_not_where_it_lies() -> None:
    """Seat 0 knows the three cards it passed to seat 1, and then only that they are in its row or passed on."""
    match = Match.new(TOYS["draft"], 3, 3)
    for seat in range(3):
        match.answer(seat, match.options(seat)[0])
    passed = match.view(0).sides[1].hand.known
    assert len(passed) == 3
    for seat in range(3):
        match.answer(seat, match.options(seat)[0])
    worlds = [match.redeal(0, Chance.of(seed)) for seed in range(40)]
    kept = Counter(world.t.face(world.t.sides[1].row[1]).name for world in worlds)
    assert set(kept) == set(passed)
    assert len(kept) > 1


def test_a_gift_inside_a_decision_may_be_refused_or_accepted() -> None:
    for answer, money in (("accept", 2), ("refuse", 3)):
        match = Match.new(TOYS["gift"], 2, 1)
        asked = list(match.pending)
        match.answer(0, ("give", 1, 1))
        assert list(match.pending) == [1]
        match.answer(1, (answer,))
        assert list(match.pending) == asked
        assert match.t.sides[0].money == money
        assert max(option[1] for option in match.options(0)) == money  # the interrupted ask is put anew


def test_a_gift_in_the_middle_of_a_step_is_in_the_record() -> None:
    match = Match.new(TOYS["gift"], 2, 1)
    match.answer(0, ("bid", 1))
    match.answer(1, ("hit", "arm"))
    match.answer(1, ("give", 1, 0))
    match.answer(0, ("accept",))
    match.answer(1, ("hit", "leg"))
    again = Match.load(match.save(), lambda key: TOYS[key])
    assert again.t.write() == match.t.write()
    assert "standing 1" in match.save()


def test_a_death_leaves_from_depth() -> None:
    match = Match.new(TOYS["gift"], 2, 1)
    match.t.sides[1].life = 1
    match.answer(0, ("bid", 3))
    match.answer(1, ("hit", "arm"))
    assert match.result is not None
    assert (match.result.winners, match.result.rule) == ((0,), "T-8")


def test_the_first_to_answer_is_served() -> None:
    match = Match.new(TOYS["race"], 2, 1)
    assert sorted(match.pending) == [0, 1]
    match.answer(1, ("grab", 2))
    assert len(match.t.sides[1].hand) == 4
    assert sorted(match.pending) == [0, 1]


# Words ------------------------------------------------------------------------------------------------------------


def lay(names: list[list[str]], played: list[list[str]]) -> Match:
    """The words toy with these hands and these cards in play, seat 0 about to play."""
    game: Game = TOYS["words"]
    match = Match.new(game, 2, 1)
    t = match.t
    for pile in t.piles:
        t.move_all(pile, t.box)
    for seat in range(2):
        for zone, wanted in (("hand", names[seat]), ("played", played[seat])):
            for name in wanted:
                card = next(card for card in t.box if t.face(card).name == name)
                t.move(card, getattr(t.sides[seat], zone))
    match._enter(game.step("words_begin"), ())
    return match


def play(match: Match, name: str) -> None:
    seat = min(match.pending)
    match.answer(seat, next(o for o in match.options(seat) if match.t.face(o[1]).name == name))
    while not match.over and match.options(min(match.pending))[0][0] == "choose":
        match.answer(min(match.pending), match.options(min(match.pending))[0])


def life(match: Match) -> list[int]:
    return [side.life for side in match.t.sides]


def test_an_effect_asks_for_its_target_and_happens() -> None:
    match = lay([["Cut"], []], [[], []])
    play(match, "Cut")
    assert life(match) == [5, 3]


def test_a_replacement_changes_a_loss() -> None:
    match = lay([["Cut"], ["Straw"] * 0], [[], ["Shield"]])
    play(match, "Cut")
    assert life(match) == [5, 4]


def test_a_replacement_prevents_a_loss_it_covers() -> None:
    match = lay([["Purse"], []], [[], ["Shield"]])
    play(match, "Purse")
    assert [side.money for side in match.t.sides] == [4, 3]


def test_a_trigger_fires_for_others_only() -> None:
    match = lay([["Cut"], []], [["Leech"], []])
    play(match, "Cut")
    assert life(match) == [6, 3]


def test_statics_set_and_add() -> None:
    match = lay([["Cut", "Purse", "Seed", "Rush"], ["Cut"]], [["Haste"], []])
    play(match, "Rush")
    for name in ("Seed", "Purse", "Cut"):
        assert list(match.pending) == [0]
        play(match, name)
    assert list(match.pending) == [1]


def test_cannot_beats_can() -> None:
    match = lay([["Curfew", "Cut"], ["Cut"]], [["Haste"], []])
    play(match, "Curfew")
    assert match.over
    assert life(match) == [5, 5]


def test_an_effect_comes_at_the_next_turn_and_only_once() -> None:
    match = lay([["Seed", "Cut"], ["Purse", "Purse"]], [[], []])
    play(match, "Seed")
    assert life(match) == [5, 5]
    play(match, "Purse")
    assert life(match) == [7, 5]
    play(match, "Cut")
    play(match, "Purse")
    assert life(match) == [7, 3]


def test_a_rule_that_holds_for_a_while_ends() -> None:
    match = lay([["Rush", "Cut", "Seed", "Seed"], ["Cut", "Cut"]], [[], []])
    for name in ("Rush", "Cut", "Seed"):
        play(match, name)
    assert list(match.pending) == [1]
    play(match, "Cut")
    play(match, "Seed")
    assert list(match.pending) == [1]


def test_an_effect_without_end_is_dropped_and_named() -> None:
    """The match goes on, and the log names the card."""
    game = BROKEN["an effect without end"][0]
    match = Match.new(game, 2, 1)
    while not match.over:
        seat = min(match.pending)
        match.answer(seat, match.options(seat)[-1])
    said = [line.text for line in match.log(None)]
    assert any(text.startswith("Spiral goes on without end") for text in said)
    assert len([text for text in said if "without end" in text]) <= 12
