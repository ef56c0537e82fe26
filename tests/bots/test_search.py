"""The bot that thinks: it plays well, plays the same again, and cannot tell what is hidden from it."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from talion import bots, games
from talion.bots import Seen, UnknownBot
from talion.bots.levels import manner_of
from talion.bots.search import PLAINLY, Budget, Estimate, Manner, Search
from talion.kernel import Asking, Chance, Game, Match, Option, State, Together, Value
from talion.testing.worlds import poisoned

TIC_TAC_TOE = games.find("examples/tic_tac_toe.py")


def played(match: Match, *answers: tuple[Any, ...]) -> Match:
    for answer in answers:
        match.answer(next(iter(match.pending)), answer)
    return match


def decisions(game: Game, seed: int, every: int) -> Iterator[Match]:
    """Some decisions of a match played at random, with more than one option."""
    match = Match.new(game, game.seats[0], seed)
    chance = Chance.of(seed)
    for number in range(game.longest):
        if match.over:
            return
        seat = chance.pick(sorted(match.pending))
        if number % every == 0 and len(match.options(seat)) > 1:
            yield match
        match.answer(seat, chance.pick(match.options(seat)))


# What it plays ---------------------------------------------------------------------------------------------------


def test_it_completes_its_row() -> None:
    match = played(
        Match.new(TIC_TAC_TOE, 2),
        ("mark", 0),
        ("mark", 3),
        ("mark", 1),
        ("mark", 4),
        ("mark", 8),
        ("mark", 7),
    )
    assert Search(1, Budget(200)).choose(Seen(match, 0)) == ("mark", 2)


def test_it_stops_the_other_row() -> None:
    match = played(Match.new(TIC_TAC_TOE, 2), ("mark", 0), ("mark", 4), ("mark", 1))
    assert Search(1, Budget(300)).choose(Seen(match, 1)) == ("mark", 2)


def test_two_who_search_long_enough_draw() -> None:
    match = Match.new(TIC_TAC_TOE, 2)
    seats = [Search(seat, Budget(500)) for seat in range(2)]
    while not match.over:
        (seat,) = match.pending
        match.answer(seat, seats[seat].choose(Seen(match, seat)))
    assert match.result is not None
    assert match.result.winners == ()


def test_a_hint_is_not_forgotten_however_long_it_thinks() -> None:
    """On an empty board all corners are alike, so the hint decides; a centre that it calls hopeless is left alone."""
    hints = {("mark", 6): 0.2, ("mark", 4): -1.0}
    game = replace(TIC_TAC_TOE, hint=lambda view, option: hints.get(option, 0.0))
    thought = Search(1, Budget(2000)).estimates(Seen(Match.new(game, 2), 0))
    assert thought[0].option == ("mark", 6)
    assert thought[0].tried > 1000
    assert next(estimate.tried for estimate in thought if estimate.option == ("mark", 4)) < 10


def test_a_sweep_tries_every_option_and_keeps_to_the_budget() -> None:
    match = Match.new(TIC_TAC_TOE, 2)
    for iterations, tries in ((27, {3}), (9, {1})):
        search = Search(1, Budget(iterations), Manner(sweeps=3))
        assert {estimate.tried for estimate in search.estimates(Seen(match, 0))} == tries
        assert search.iterations == iterations
    little = Search(1, Budget(5), Manner(sweeps=3))
    assert sum(estimate.tried for estimate in little.estimates(Seen(match, 0))) == 5


@pytest.mark.parametrize("key", games.keys())
def test_a_forced_answer_is_thought_about_too(key: str) -> None:
    """Whoever asks for a hint learns what the one thing they can do is worth."""
    match = Match.new(games.find(key), 2, "forced")
    pick = Chance.of("forced").pick
    while all(len(match.options(seat)) > 1 for seat in match.pending):
        seat = pick(sorted(match.pending))
        match.answer(seat, pick(match.options(seat)))
    seat = next(seat for seat in match.pending if len(match.options(seat)) == 1)
    for manner in (Manner(), Manner(sweeps=2)):
        (estimate,) = Search(1, Budget(20), manner).estimates(Seen(match, seat))
        assert estimate.option == match.options(seat)[0]
        assert estimate.tried == 20


def test_the_same_seed_plays_the_same() -> None:
    for match in decisions(games.find("engines-of-vengeance"), 3, 9):
        (seat,) = match.pending
        one, two = (Search(5, Budget(30)).estimates(Seen(match, seat)) for _ in range(2))
        assert one == two


# A choice made at once ---------------------------------------------------------------------------------------------


class Fists(State):
    shown = Value(())


def throw(t: Fists, seat: int) -> Asking:
    answer = yield t.ask(seat, [("rock",), ("paper",), ("scissors",)], "Throw")
    return answer[0]


BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


def throws(t: Fists) -> Asking:
    choices = yield Together(throw, [0, 1])
    winners = [seat for seat in (0, 1) if (choices[seat], choices[1 - seat]) in BEATS]
    t.over(winners, "Fists are shown.")


def test_it_does_not_foresee_a_choice_made_at_once() -> None:
    """A bot that knew the other's throw would think it wins nearly always; one that does not, about half the time."""
    game = Game(
        key="fists",
        title="Fists",
        seats=(2,),
        state=Fists,
        start=throws,
        rules=sys.modules[__name__],
        longest=2,
    )
    match = Match.new(game, 2)
    match.answer(0, ("rock",))
    found = Search(1, Budget(3000)).estimates(Seen(match, 1))
    assert sum(estimate.tried for estimate in found) == 3000
    usual = sum(estimate.value * estimate.tried for estimate in found) / 3000
    assert abs(usual - 0.5) < 0.1, found
    assert all(estimate.value < 0.75 for estimate in found), found


# What it cannot know -------------------------------------------------------------------------------------------------


def thought(match: Match, seat: int, manner: Manner) -> list[Estimate]:
    return Search(7, Budget(12), manner).estimates(Seen(match, seat))


@pytest.mark.parametrize("own", [False, True], ids=["plainly", "in its own manner"])
@pytest.mark.parametrize("key", games.keys())
def test_it_cannot_tell_a_poisoned_match(key: str, own: bool) -> None:
    manner = manner_of(games.find(key)) if own else PLAINLY
    chance = Chance.of(f"poison {key}")
    differed = 0
    for match in decisions(games.find(key), 2, 25):
        for seat in match.pending:
            if len(match.options(seat)) < 2:
                continue
            twin = poisoned(match, seat, chance)
            differed += twin.t.write() != match.t.write() or twin.number != match.number
            assert thought(twin, seat, manner) == thought(match, seat, manner)
            chosen = [Search(7, Budget(12), manner).choose(Seen(one, seat)) for one in (twin, match)]
            assert chosen[0] == chosen[1]
    assert differed > 0


def chosen_by(name: str, match: Match, seat: int) -> Option:
    return bots.make(name, 7).choose(Seen(match, seat))


def calls_of(think: Callable[[], Option]) -> tuple[Option, int]:
    """What is thought, and how many functions were called for it: what takes longer calls more."""
    calls = 0

    def called(frame: object, event: str, arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        return think(), calls
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("name", ["greedy", "easy", "normal*0.05", "hard*0.02"])
@pytest.mark.parametrize("key", games.keys())
def test_no_strength_chooses_otherwise_or_thinks_longer_because_of_what_is_hidden(
    key: str, name: str
) -> None:
    chance = Chance.of(f"poison {key}")
    differed = 0
    for match in decisions(games.find(key), 3, 61):
        for seat in match.pending:
            if len(match.options(seat)) < 2:
                continue
            one, two = poisoned(match, seat, chance), poisoned(match, seat, chance)
            differed += one.t.write() != two.t.write()
            thinks = [partial(chosen_by, name, world, seat) for world in (one, two)]
            assert thinks[0]() == thinks[1]()  # and what can be kept is kept now
            assert calls_of(thinks[0]) == calls_of(thinks[1])
    assert differed > 0


def test_thinking_changes_nothing() -> None:
    match = next(decisions(games.find("engines-of-vengeance"), 4, 20))
    (seat,) = match.pending
    before = match.save()
    Search(1, Budget(20)).choose(Seen(match, seat))
    assert match.save() == before


# Names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["easy", "normal", "hard", "search:40", "search:0.01s"])
def test_bots_by_name_play(name: str) -> None:
    match = Match.new(TIC_TAC_TOE, 2)
    assert bots.make(name, 1).choose(Seen(match, 0)) in match.options(0)


@pytest.mark.parametrize(
    "name", ["genius", "search:", "search:few", "search:0", "search:-1s", "search:nans", "search:infs"]
)
def test_a_bot_that_does_not_exist_gets_a_sentence(name: str) -> None:
    with pytest.raises(UnknownBot, match=r"\.$"):
        bots.make(name)
