"""A window: anybody may act or pass, and nobody's ask changes because another passed."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from talion import bots, games
from talion.bots.search import Budget, Search
from talion.kernel import (
    NOBODY,
    OWNER,
    Asking,
    Chance,
    Counter,
    Game,
    Illegal,
    Match,
    Option,
    Part,
    Seats,
    Standing,
    State,
    Window,
    Zone,
)
from talion.testing import check

PASS = ("pass",)
CHEAT = str(Path(__file__).parents[2] / "examples" / "cheat.py")


class Side(Part):
    score = Counter()


class Bell(State):
    sides = Seats(Side)
    rounds = Counter()


def acts(t: Bell, seat: int) -> list[Option]:
    return [PASS, ("ring", 1), ("ring", 2)]


def bell(order: Literal["first", "in order", "all"], *, passes_seen: bool = False) -> Game:
    """Ten rounds in which anybody may ring, or pass."""

    def ringing(t: Bell) -> Asking:
        """B-1 Anybody may ring."""
        seats = [(t.rounds + i) % 3 for i in range(3)]
        asks = [t.ask(seat, acts, "Ring, or pass", "B-1", default=PASS) for seat in seats]
        for seat, (_, n) in (yield Window(asks, order, passes_seen=passes_seen)):
            t.sides[seat].score += n
            t.log("B-1", "{who} rings {n}.", who=seat, n=n)
        t.rounds += 1
        if t.rounds == 10:
            t.over([0], "It is late.", "B-2", [side.score for side in t.sides])
        return ringing

    def give(t: Bell) -> list[Standing]:
        return [Standing(t.ask(seat, [("give", 0)], "Give"), gift) for seat in t.seat_numbers]

    rules = type(sys)("bell")
    vars(rules).update(ringing=ringing)
    return Game("bell", "Bell", (3,), Bell, ringing, rules, 60, standing=give, hidden="who has passed")


def gift(t: Bell, seat: int, option: Option) -> Asking:
    """Who is given something is asked, unless it is oneself."""
    if seat != 1:
        yield t.ask(1, [("thank",), ("refuse",)], "A gift")
    t.sides[0].score += 10


def begun(order: Any, **more: Any) -> Match:
    return Match.new(bell(order, **more), 3, 1)


def test_a_pass_changes_nobody_elses_ask() -> None:
    match = begun("first")
    asks = match.pending
    before = [json.dumps(match.view(seat).data()) for seat in (0, 1, None)]
    match.answer(2, PASS)
    assert set(match.pending) == {0, 1} and all(match.pending[seat] is asks[seat] for seat in (0, 1))
    assert [json.dumps(match.view(seat).data()) for seat in (0, 1, None)] == before
    assert match.waiting_for == [0, 1, 2]
    with pytest.raises(Illegal):
        match.answer(2, ("ring", 1))


def test_who_has_passed_is_seen_where_the_game_says_so() -> None:
    match = begun("first", passes_seen=True)
    match.answer(2, PASS)
    assert match.waiting_for == [0, 1]


def test_the_first_act_ends_it() -> None:
    match = begun("first")
    match.answer(1, PASS)
    match.answer(2, ("ring", 2))
    assert (match.t.rounds, [side.score for side in match.t.sides]) == (1, [0, 0, 2])
    for seat in (0, 1, 2):
        match.answer(seat, PASS)
    assert match.t.rounds == 2


def test_in_order_an_act_waits_for_those_before_it() -> None:
    match = begun("in order")
    match.answer(2, ("ring", 2))
    match.answer(1, ("ring", 1))
    assert match.t.rounds == 0 and set(match.pending) == {0} and match.waiting_for == [0, 1, 2]
    match.answer(0, PASS)
    assert [side.score for side in match.t.sides] == [0, 1, 0]
    match.answer(1, ("ring", 2))  # the second round begins with seat 1
    assert [side.score for side in match.t.sides] == [0, 3, 0]


def test_all_acts_are_collected() -> None:
    match = begun("all")
    for seat, option in ((2, ("ring", 2)), (1, PASS), (0, ("ring", 1))):
        match.answer(seat, option)
    assert [side.score for side in match.t.sides] == [1, 0, 2]
    assert [line.text for line in match.log(None)] == ["@0 rings 1.", "@2 rings 2."]


def test_a_standing_ask_leaves_the_window_as_it_was() -> None:
    match = begun("first")
    match.answer(1, PASS)
    match.answer(1, ("give", 0))
    assert set(match.pending) == {0, 2} and match.t.sides[0].score == 10
    match.answer(2, ("ring", 1))
    assert match.t.rounds == 1


def test_answers_about_a_gift_are_no_answers_to_the_window() -> None:
    """A bot is given what happened: also what others said of the gift, but not what is still sealed."""
    match = begun("all")
    match.answer(2, ("ring", 1))
    match.answer(0, ("give", 0))
    match.answer(1, ("thank",))
    seen = bots.Seen(match, 0)
    assert seen.options == match.options(0)
    assert seen.view.sides[0].score == 10
    assert set(seen.imagine(Chance(1)).pending) == {0, 1, 2}


@pytest.mark.parametrize("order", ["first", "in order", "all"])
def test_what_a_seat_does_not_know_is_forgotten_by_a_redeal(order: Any) -> None:
    match = begun(order)
    match.answer(1, PASS)
    assert set(match.redeal(0, Chance(1)).pending) == {0, 1, 2}
    seen = begun("first", passes_seen=True)
    seen.answer(1, PASS)
    assert set(seen.redeal(0, Chance(1)).pending) == {0, 2}


def test_undo_save_and_defaults() -> None:
    match = begun("in order")
    match.answer(1, ("ring", 2))
    match.default(0)
    assert match.t.rounds == 1 and match.t.sides[1].score == 2
    match.undo()
    assert set(match.pending) == {0, 2}
    for written_out in (False, True):
        again = Match.load(match.save(written_out=written_out), lambda key: match.game)
        assert set(again.pending) == {0, 2}
        again.answer(0, PASS)
        assert again.t.sides[1].score == 2


def test_without_a_pass_there_is_no_window() -> None:
    t = begun("first").t
    with pytest.raises(TypeError, match="its pass"):
        Window([t.ask(0, [PASS], "Ring?")])


@pytest.mark.parametrize("order", ["first", "in order", "all"])
@pytest.mark.parametrize("passes_seen", [False, True])
def test_a_game_of_windows_conforms(order: Any, passes_seen: bool) -> None:
    report = check(bell(order, passes_seen=passes_seen), matches=12, seconds=20)
    assert report.ok, report.problems


@pytest.mark.parametrize("order", ["first", "in order", "all"])
def test_bots_think_in_windows(order: Any) -> None:
    match = begun(order)
    thinkers: list[Callable[[bots.Seen], Option]] = [Search(seat, Budget(40)).choose for seat in range(3)]
    while not match.over:
        seat = max(match.pending)
        match.answer(seat, thinkers[seat](bots.Seen(match, seat)))
    fast = Match.new(match.game, 3, 2, fast=True)
    assert fast.play_out(Chance(3).pick) and fast.over


def test_in_cheat_a_call_is_heard_though_others_let_it_go() -> None:
    match = Match.new(games.find(CHEAT), 4, 1)
    while match.window is None:
        seat = min(match.pending)
        match.answer(seat, match.options(seat)[0])
    caller, *others = sorted(match.pending)
    ask = match.pending[caller]
    for other in others:
        match.answer(other, ("let it go",))
        assert match.pending == {**match.pending, caller: ask}
    match.answer(caller, ("call",))
    assert match.window is None and any("calls" in line.text for line in match.log(None))


class Ringer(Part):
    hand = Zone(seen_by=OWNER)


class Ringers(State):
    players = Seats(Ringer)
    deck = Zone(seen_by=NOBODY)
    rounds = Counter()


def test_check_deals_no_other_card_to_an_act_that_waits() -> None:
    """Who has a bell may ring it, in order. A world in which the card of an act that waits is no bell cannot be."""

    def bells(t: Ringers, seat: int) -> list[Option]:
        return [PASS, *[("ring", card) for card in t.players[seat].hand if t.face(card).tone]]

    def ringing(t: Ringers) -> Asking:
        """B-1 Anybody may ring."""
        for player in t.players:
            t.move_all(player.hand, t.deck)
        t.shuffle(t.deck)
        for player in t.players:
            t.draw(t.deck, player.hand)
            t.draw(t.deck, player.hand)
        asks = [t.ask(seat, bells, "Ring, or pass", "B-1", default=PASS) for seat in t.seat_numbers]
        for seat, (_, card) in (yield Window(asks, "in order")):
            assert t.face(card).tone
            t.log("B-1", "{who} rings {card}.", who=seat, card=card)
        t.rounds += 1
        if t.rounds == 40:
            t.over([0], "It is late.", "B-2")
        return ringing

    rules = type(sys)("ringers")
    vars(rules).update(ringing=ringing)
    cards = [{"name": name, "tone": n % 2} for n, name in enumerate("abcdefgh")]
    game = Game(
        "ringers", "Ringers", (3,), Ringers, ringing, rules, 140, tables={"card": cards}, hidden="hands",
        build=lambda t: t.create_all(t.deck),
    )  # fmt: skip
    assert check(game, matches=8).problems == []
