"""An author's faults are told in one sentence, with the file, the line and the step."""

import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Counter,
    First,
    Game,
    Match,
    Named,
    Part,
    Seats,
    State,
    Together,
    Value,
    View,
    Word,
    Zone,
)
from talion.kernel.places import Misuse
from talion.testing import check


class Fault(State):
    turns = Counter()


def last(t: Fault) -> Any:
    t.over([0], "Done.")
    yield


def no_next(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go")


def wrong_next(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go")
    return "last"


def forgotten_from(t: Fault) -> Any:
    yield t.choose(0, "Go", ["here", "there"])
    return last


def no_generator(t: Fault) -> Any:
    return forgotten_from(t)


def no_ask(t: Fault) -> Any:
    yield "go"


def words_for_options(t: Fault) -> Any:
    yield t.ask(0, lambda t, seat: ["go"], "Go")
    return last


def misspelt(t: Fault) -> Any:
    yield t.ask(0, [("go",), ("stay",)], "Go")
    t.turms += 1  # type: ignore[attr-defined]
    return last


def unknown_in_the_log(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go", "FA-1")
    t.log("FA-11", "{who} goes.", who=0)
    t.over([0], "Done.", "FA-1")


def unknown_in_an_ask(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go", "FA-12")
    t.over([0], "Done.", "FA-1")


def unknown_at_the_end(t: Fault) -> Any:
    yield t.ask(0, [("go",)], "Go", "FA-1")
    t.over([0], "Done.", "FA-13")


def worded_alike(t: Fault) -> Any:
    yield t.ask(0, [("go", 1), ("go", "1"), ("stay",)], "Go", "FA-1")
    t.over([0], "Done.", "FA-1")


def game(step: Callable[..., Any]) -> Game:
    return Game("fault", "Fault", (1,), Fault, step, sys.modules[__name__], 5)


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (no_next, "no_next (test_faults.py, line N) ends without naming the next step"),
        (wrong_next, "wrong_next (test_faults.py, line N) returns 'last', which is no step"),
        (
            forgotten_from,
            "forgotten_from (test_faults.py, line N) yields a generator (choose): write `yield from`",
        ),
        (no_generator, "no_generator (test_faults.py, line N) returns a generator"),
        (no_ask, "no_ask (test_faults.py, line N) yields 'go', which is no ask"),
    ],
)
def test_a_step_that_is_none(step: Callable[..., Any], says: str) -> None:
    with pytest.raises(Misuse, match=re.escape(says).replace("N", r"\d+")):
        Match.new(game(step), 1, 1).answer(0, ("go",))
    [problem] = check(game(step), matches=1).problems[:1]
    assert re.search(re.escape(says).replace("N", r"\d+"), problem)


def test_check_names_the_place_of_a_fault() -> None:
    [problem] = check(game(misspelt), matches=1).problems[:1]
    assert re.search(
        r"no attribute 'turms' \(did you mean turns\?\) \(test_faults.py, line \d+, in misspelt\)", problem
    )
    [problem] = check(game(words_for_options), matches=1).problems[:1]
    assert re.search(
        r"'go' is offered by <lambda> \(test_faults.py, line \d+\); an option is a tuple", problem
    )


def numbered(step: Callable[..., Any]) -> Game:
    """A game of this one step, with one rule."""
    book = ModuleType("book", "**FA-1** Go.")
    setattr(book, step.__name__, step)
    return Game("fault", "Fault", (1,), Fault, step, book, 5)


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (
            unknown_in_the_log,
            "the log, “@0 goes.”, names FA-11, which the rules do not have (did you mean FA-1?)",
        ),
        (unknown_in_an_ask, "“Go” names FA-12, which the rules do not have"),
        (unknown_at_the_end, "the end, “Done.”, names FA-13, which the rules do not have"),
    ],
)
def test_check_knows_the_numbers_of_rules(step: Callable[..., Any], says: str) -> None:
    report = check(numbered(step), matches=1)
    assert says in report.problems[0]


def test_check_says_when_two_options_are_worded_alike() -> None:
    report = check(numbered(worded_alike), matches=1)
    assert report.ok
    (note,) = report.notes.values()
    assert "“go 1” is ('go', 1) and ('go', '1')" in note
    assert any("worded alike" in line for line in report.lines())


def test_seats_are_the_numbers_of_players() -> None:
    with pytest.raises(TypeError, match=re.escape("seats=(2, 3), not 2")):
        Game("fault", "Fault", 2, Fault, last, sys.modules[__name__], 5)  # type: ignore[arg-type]


def test_turns_are_a_counter_of_the_state() -> None:
    with pytest.raises(TypeError, match="turns names a counter of Fault, which has none called 'rond'"):
        Game("fault", "Fault", (2,), Fault, last, sys.modules[__name__], 5, turns="rond")


# What an author meets, fault by fault --------------------------------------------------------------------------------

CARDS = {"card": [{"name": "Duke", "count": 9, "text": "Gain 3."}]}


class Place(Part):
    pearls = Counter()


class Player(Part):
    coins = Counter()
    hand = Zone(seen_by=OWNER)


class Table(State):
    players = Seats(Player)
    board = Named(Place, rows=("a1 b1", "a2 b2"))
    deck = Zone(seen_by=NOBODY)
    lost = Zone(seen_by=EVERYONE)
    turns = Counter(high=9)
    seen = Value(())
    word = Word("")


def deal(t: Table) -> Any:
    t.create_all(t.deck)


def begin(t: Table) -> Any:
    t.shuffle(t.deck)
    for player in t.players:
        t.draw(t.deck, player.hand)
    return FIRST[0]


FIRST: list[Any] = []
"""The step that a test is about."""


def one(t: Table) -> Any:
    return t.ask(0, [("go",), ("stay",)], "Go")


def pick(t: Table, seat: int) -> Any:
    return (yield t.ask(seat, [("go",), ("stay",)], "Go"))


def the_end(t: Table) -> Any:
    yield one(t)
    t.over([0], "Done.")


def begun_otherwise(t: Table) -> Any:
    yield one(t)
    return the_end, 3


def a_face_moved(t: Table) -> Any:
    yield one(t)
    t.move(t.face(t.deck.top), t.lost)  # type: ignore[arg-type]
    return the_end


def moved_nowhere(t: Table) -> Any:
    yield one(t)
    t.move(t.deck.top, "lost")  # type: ignore[arg-type]
    return the_end


def not_yet_chosen(t: Table) -> Any:
    card = t.choose(0, "Which?", t.players[0].hand)
    yield one(t)
    t.move(card, t.lost)  # type: ignore[arg-type]
    return the_end


def nobody(t: Table) -> Any:
    yield t.ask(None, [("go",)], "Go")  # type: ignore[arg-type]
    return the_end


def not_asked(t: Table) -> Any:
    yield one(t)
    (_,) = one(t)
    return the_end


def no_place(t: Table) -> Any:
    yield one(t)
    t.board["d4"].pearls += 1
    return the_end


def no_field(t: Table) -> Any:
    yield one(t)
    t.players[0].coin = 1  # type: ignore[attr-defined]
    return the_end


def nothing_printed(t: Table) -> Any:
    yield one(t)
    t.word = t.face(t.deck.top).nam
    return the_end


def no_slot(t: Table) -> Any:
    yield one(t)
    t.log("", "{whom} goes.", who=0)
    return the_end


def one_winner(t: Table) -> Any:
    yield one(t)
    t.over(0, "Done.")  # type: ignore[arg-type]


def no_proof(t: Table, seat: int) -> Any:
    return []


def nothing_to_choose(t: Table) -> Any:
    yield one(t)
    yield t.ask(1, no_proof, "Prove it")
    return the_end


def nothing_to_grab(t: Table) -> Any:
    yield one(t)
    yield First([t.ask(0, no_proof, "Grab it")])
    return the_end


def no_row(t: Table, seat: int) -> Any:
    return t.ask(seat, [("go",)], "Go")


def rows_that_ask_nobody(t: Table) -> Any:
    yield one(t)
    yield Together(no_row, t.seat_numbers)
    return the_end


def a_row_begun(t: Table) -> Any:
    yield one(t)
    yield Together(pick(t, 0), t.seat_numbers)
    return the_end


def lost_in_depth(t: Table) -> Any:
    yield one(t)
    yield from helper(t)
    return the_end


def helper(t: Table) -> Any:
    yield [one(t)]


def a_lambda(t: Table) -> Any:
    yield one(t)
    return lambda t: the_end(t)


def a_list_offered(t: Table) -> Any:
    yield t.ask(0, [["go"]], "Go")
    return the_end


def a_face_offered(t: Table) -> Any:
    yield t.ask(0, [("show", t.face(t.deck.top))], "Show")
    return the_end


def asks_no_first(t: Table) -> Any:
    yield one(t)
    yield First([])
    return the_end


def given(t: Table, what: Any) -> Any:
    yield one(t)
    t.over([0], "Done.")


def a_face_handed_on(t: Table) -> Any:
    yield one(t)
    return given, t.face(t.deck.top)


def a_part_handed_on(t: Table) -> Any:
    return given, t.players[0]


def a_list_handed_on(t: Table) -> Any:
    return given, [0]


def a_step_within(t: Table) -> Any:
    def inner(t: Table) -> Any:
        yield one(t)
        t.over([0], "Done.")

    return inner


def a_changing_row(t: Table, seat: int) -> Any:
    t.players[seat].coins += 1
    return (yield from pick(t, seat))


def rows_that_change(t: Table) -> Any:
    yield Together(a_changing_row, t.seat_numbers)
    return the_end


COUNT = [0]


def counts_outside(t: Table) -> Any:
    yield one(t)
    COUNT[0] += 1
    t.players[1].coins = COUNT[0]
    return the_end


def moved_by_hand(t: Table) -> Any:
    yield one(t)
    t.lost.append(t.players[0].hand.pop())
    return the_end


def lost_by_hand(t: Table) -> Any:
    yield one(t)
    t.players[0].hand.clear()
    return the_end


def kept_in_a_list(t: Table) -> Any:
    yield one(t)
    t.seen = [1]
    return the_end


def scores_of_one(t: Table) -> Any:
    yield one(t)
    t.over([0], "Done.", "", [3])


def cards(step: Callable[..., Any], **more: Any) -> Game[Any]:
    FIRST[:] = [step]
    rules = sys.modules[__name__]
    return Game(
        "fault", "Fault", (2,), Table, begin, rules, 12, build=deal, tables=CARDS, hidden="Hands.", **more
    )


AT = r"test_faults.py, line \d+"


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (
            begun_otherwise,
            f"the_end ({AT}) takes 1 positional argument but 2 were given: it is begun as the_end(t, 3), "
            f"as begun_otherwise ({AT}) returns",
        ),
        (a_face_moved, f"t.move takes a card as its card, and gets the face Duke ({AT}, in a_face_moved)"),
        (moved_nowhere, f"t.move takes a zone as its to, and gets 'lost' ({AT}, in moved_nowhere)"),
        (not_yet_chosen, "gets a generator, choose(…), that has not run: write `yield from`"),
        (nobody, f"t.ask takes a number or a part as its seat, and gets None ({AT}, in nobody)"),
        (not_asked, f"its answer is what `yield t.ask(…)` gives ({AT}, in not_asked)"),
        (no_place, f"there is no d4 here; there are a1, b1, a2, b2 ({AT}, in no_place)"),
        (no_field, f"'Player' object has no attribute 'coin' (did you mean coins?) ({AT}, in no_field)"),
        (nothing_printed, f"Duke has no nam (did you mean name?) ({AT}, in nothing_printed)"),
        (no_slot, "t.log is given nothing for {whom} in “{whom} goes.”"),
        (one_winner, f"t.over takes a list as its winners, each a number, and gets 0 ({AT}, in one_winner)"),
        (nothing_to_choose, f"no_proof ({AT}) offers seat 1 nothing for “Prove it”"),
        (nothing_to_grab, f"no_proof ({AT}) offers seat 0 nothing for “Grab it”"),
        (rows_that_ask_nobody, f"no_row ({AT}) asks nobody: a row has a yield of its own"),
        (a_row_begun, "give it the function itself, Together(row, seats)"),
        (lost_in_depth, f"helper ({AT}) yields a list, which is no ask"),
        (a_list_offered, "['go'] is offered; an option is a tuple, such as ('go',)"),
        (
            a_face_offered,
            "an option is made of cards, seats, words and numbers, and a Face is none: hand on its card",
        ),
        (
            asks_no_first,
            f"First asks nobody: give it one ask at least (at or after the step asks_no_first ({AT}))",
        ),
        (
            a_face_handed_on,
            f"given ({AT}) is begun with the face Duke; what a step is begun with is made of cards",
        ),
        (a_part_handed_on, f"given ({AT}) is begun with the part Player"),
        (a_list_handed_on, f"given ({AT}) is begun with [0]"),
        (a_step_within, f"inner ({AT}) waits, and test_faults has no step of this name"),
        (rows_that_change, f"a_changing_row ({AT}) changes players 0 coins: 1 or 2: a row asks one seat"),
        (
            counts_outside,
            f"two copies go different ways in or after counts_outside ({AT}): players 1 coins: ",
        ),
        (
            moved_by_hand,
            f"Duke was put elsewhere by hand since moved_by_hand ({AT}) went on: cards are moved by t.move",
        ),
        (lost_by_hand, f"Duke lies nowhere since lost_by_hand ({AT}) went on"),
        (kept_in_a_list, "seen is a list, which can change in place: write a tuple"),
        (scores_of_one, "the end, “Done.”, has scores for 1 of 2 seats: t.over takes one for each, or none"),
        (a_lambda, "A step is a function of the rules with a name."),
    ],
)
def test_what_an_author_did_is_said_in_a_sentence(step: Callable[..., Any], says: str) -> None:
    [problem] = check(cards(step), matches=1).problems[:1]
    assert re.search(re.escape(says).replace(re.escape(AT), AT), problem), problem
    assert "Error" not in problem


def forty(view: View, seat: int) -> Any:
    return 40


def not_said(view: View, seat: int) -> Any:
    pass


def a_word(view: View, option: Any) -> Any:
    return "good"


def three(t: Table, seat: int, option: Any) -> Any:
    return 3


def misread(view: View, seat: int) -> Any:
    return sum(player.coin for player in view.players)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"value": forty}, f"forty ({AT}) returns 40 for seat 0; it is from 0 (lost) to 1 (won)"),
        ({"value": not_said}, f"not_said ({AT}) returns None for seat 0"),
        ({"value": misread}, f"Player shows no coin (did you mean coins?) ({AT}, in misread)"),
        ({"hint": a_word}, f"a_word ({AT}) returns 'good' for ('go',); it is a number"),
        ({"words": three}, f"three ({AT}) gives 3 for ('go',): it gives a text, or None"),
    ],
)
def test_what_a_game_tells_bots_and_people_is_looked_at(more: dict[str, Any], says: str) -> None:
    [problem] = check(cards(the_end, **more), matches=1).problems[:1]
    assert re.search(re.escape(says).replace(re.escape(AT), AT), problem), problem


def test_a_problem_is_told_once() -> None:
    report = check(cards(moved_by_hand), matches=9)
    assert len(report.problems) == 1
    assert next(line for line in report.lines() if "PROBLEM" in line).endswith(
        "(The like in 4 more of these matches.)"
    )


def ends_with_points(t: Table) -> Any:
    yield one(t)
    t.over([0], f"@0 has {t.roll(6)} points.")


def test_ends_that_differ_in_a_number_are_one_line() -> None:
    lines = list(check(cards(ends_with_points), matches=9).lines())
    assert lines[1:] == ["  ended 9 times: Somebody has … points."]
    assert "  ended 5 times: Done." in list(check(cards(the_end), matches=5).lines())


def test_a_value_that_changes_in_place_is_refused() -> None:
    with pytest.raises(
        TypeError, match=re.escape("Seen.what = Value(['a']): it is a list, which can change")
    ):

        class Seen(State):
            what = Value(["a"])
