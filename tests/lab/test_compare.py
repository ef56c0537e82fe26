"""What a change does: paired matches, intervals one may watch, promises of balance, and bots that break things."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from talion import games
from talion.kernel import Match
from talion.kernel.changes import Change
from talion.kernel.spreadsheet import to_csv
from talion.lab import BadInput, breaking
from talion.lab.anytime import ERROR, half_width, needed, rounded, share_between, spread_of
from talion.lab.balance import BROKEN, HOLDS, UNKNOWN, Contract, Evidence, Sample, shape_of
from talion.lab.breaking import Breaker, keep
from talion.lab.commands import ending_after
from talion.lab.compare import Comparison
from talion.lab.playing import Job, Row, cards_in
from talion.lab.trial import Trial

EXAMPLES = Path(__file__).parents[2] / "examples"


def row(number: int, winner: int | None, played: bool = True, length: int = 40) -> Row:
    """A match in which seat 0 held the card Knife."""
    winners = [] if winner is None else [winner]
    return {
        "match": number,
        "winners": winners,
        "decisions": length,
        "turns": length // 4,
        "rule": "X-1",
        "seats": [
            {"seat": seat, "plays_as": ("Hunter", "Prey")[seat], "won": seat in winners} for seat in (0, 1)
        ],
        "cards": [
            {"seat": 0, "card": "Knife", "seen": 1, "held": 1, "played": int(played), "won": 0 in winners}
        ],
        "phrases": [],
    }


def tossed(chance: Random, share: float, number: int) -> Row:
    return row(number, 0 if chance.random() < share else 1, chance.random() < 0.5, chance.randint(30, 50))


KNIFE = Change("card", "Knife", {"text": "Cut."}, {"text": "Cut deep."})


def pairs(chance: Random, before: float, after: float, count: int) -> list[tuple[Row, Row]]:
    return [(tossed(chance, before, n), tossed(chance, after, n)) for n in range(count)]


# Intervals ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9])
def test_whoever_looks_all_the_time_is_misled_in_at_most_one_run_of_twenty(share: float) -> None:
    """About a share, and about a mean: a change that goes one way only, and seldom, is one too."""
    chance, misled = Random(1), [0, 0]
    for _ in range(200):
        values: list[float] = []
        wrong = [False, False]
        for count in range(1, 400):
            values.append(chance.random() < share)
            if count % 10 == 0:
                low, high = share_between(sum(values), count)
                off = abs(sum(values) / count - share)
                wrong = [
                    wrong[0] or not low <= share <= high,
                    wrong[1] or off > half_width(count, spread_of(values)),
                ]
        misled = [one + now for one, now in zip(misled, wrong, strict=True)]
    assert max(misled) <= 10, misled


def test_the_interval_of_a_share_says_all_that_is_known_and_no_more() -> None:
    assert share_between(0, 0) == (0, 1)
    assert share_between(0, 3)[0] == 0 and share_between(3, 3)[1] == 1
    low, high = share_between(0, 100)
    assert low == 0 and 101 * (1 - high) ** 100 == pytest.approx(ERROR), (
        "none of a hundred is as likely as one may err"
    )
    low, high = share_between(30, 100)
    assert list(share_between(70, 100)) == pytest.approx([1 - high, 1 - low])
    assert share_between(30, 100, 0.001)[1] > high > share_between(300, 1000)[1] > 0.3


def test_the_interval_narrows_and_says_how_many_it_takes() -> None:
    assert half_width(100, 0.5) > half_width(1000, 0.5)
    count = needed(0.5, 0.05)
    assert half_width(count, 0.5) <= 0.05 < half_width(count // 2, 0.5)


def test_a_set_of_cards_against_itself_marks_a_figure_on_less_than_one_page_of_twenty() -> None:
    chance = Random(3)
    marked = sum(bool(Comparison(pairs(chance, 0.5, 0.5, 120), [KNIFE]).changed) for _ in range(100))
    assert marked < 5


# Comparisons -------------------------------------------------------------------------------------------------------------


def test_a_change_is_named_first_with_its_interval() -> None:
    found = Comparison(pairs(Random(4), 0.5, 0.8, 300), [KNIFE])
    assert "seat 0 wins" in [figure.name for figure in found.changed]
    assert found.verdict()[0].startswith("Changed for certain in 300 pairs of matches: ")
    assert "Knife wins when held: " in found.verdict()[0]


def test_what_did_not_change_is_said_to_be_the_same_within_a_margin() -> None:
    same = [(row(n, n % 2), row(n, n % 2)) for n in range(400)]
    found = Comparison(same, [KNIFE])
    assert not found.changed
    assert "seat 0 wins" in [figure.name for figure in found.same]
    assert found.verdict()[0] == "In 400 pairs of matches nothing changed for certain."
    assert found.verdict()[1].startswith("Not changed, within 5 points or 10 %: seat 0 wins")


def test_a_card_that_is_seldom_played_proves_nothing() -> None:
    """It was played in three matches of a hundred, and lost before and won after: so few may all be alike by chance."""
    same = [(row(n, n % 2, played=False), row(n, n % 2, played=False)) for n in range(97)]
    found = Comparison([*same, *[(row(n, 1), row(n, 0)) for n in range(3)]])
    rare = next(figure for figure in found.figures if figure.name == "Knife wins when played")
    assert (rare.before, rare.after) == (0, 1)
    assert not rare.changed and not rare.same and rare.still_needed > 300
    assert next(one for one in found.data()["figures"] if one["name"] == rare.name)["low"] is None


def test_a_new_card_has_nothing_to_compare_with_and_no_number_of_pairs_would_tell() -> None:
    without = [{**row(n, n % 2), "cards": []} for n in range(100)]
    knife = {"name": "Knife", "text": "Cut."}
    new = Comparison(
        [(one, row(n, n % 2)) for n, one in enumerate(without)], [Change("card", "Knife", None, knife)]
    )
    wins = next(one for one in new.data()["figures"] if one["name"] == "Knife wins when held")
    assert (wins["verdict"], wins["before"], wins["after"], wins["needed"]) == ("alone", None, 0.5, 0)
    held = next(one for one in new.data()["figures"] if one["name"] == "somebody has Knife")
    assert (held["verdict"], held["before"], held["after"]) == ("alone", None, 1.0), "which is no news"
    assert "Knife is new: 100 held it, 100 of them played it, and 50 of those won." in new.verdict()
    gone = Comparison(
        [(row(n, n % 2), one) for n, one in enumerate(without)],
        [Change("card", "Knife", knife, {**knife, "count": 0})],
    )
    wins = next(one for one in gone.data()["figures"] if one["name"] == "Knife wins when held")
    assert (wins["verdict"], wins["before"], wins["after"]) == ("alone", 0.5, None)


def test_a_changed_card_that_one_side_has_not_seen_yet_is_not_called_new() -> None:
    """It is rare, and came up with the cards after only."""
    rare = [({**row(n, 0), "cards": []}, {**row(n, 0), "cards": row(n, 0)["cards"] if n == 7 else []}) for n in range(30)]  # fmt: skip
    found = Comparison(rare, [KNIFE])
    assert "is new" not in " ".join(found.verdict())
    wins = next(one for one in found.data()["figures"] if one["name"] == "Knife wins when held")
    assert wins["verdict"] == "unknown" and wins["low"] is None


def test_no_share_changes_by_more_than_all_of_it() -> None:
    lost = [(row(n, 1), row(n, 0)) for n in range(22)]
    figure = next(one for one in Comparison(lost).figures if one.name == "seat 0 wins")
    assert figure.changed and 0 < figure.low < figure.high == 1.0
    assert "(+" in figure.words() and "to +100.0)" in figure.words()
    other = next(one for one in Comparison(lost).figures if one.name == "seat 1 wins")
    assert other.low == -1.0 < other.high < 0


def test_what_is_not_known_names_how_many_pairs_it_would_take() -> None:
    found = Comparison(pairs(Random(5), 0.5, 0.52, 60), [KNIFE])
    last = found.verdict()[-1]
    assert last.startswith("Not known yet: somebody has Knife (-"), "the changed card comes first"
    told = re.search(r"About (\d+) more pairs would tell of “([^”]+)”, (\d+) of all\.$", last)
    assert told and int(told[1]) < int(told[3])
    first = next(figure for figure in found.figures if figure.name == told[2])
    assert rounded(first.still_needed) == int(told[1])


def test_few_pairs_say_nothing() -> None:
    assert Comparison(pairs(Random(6), 0, 1, 5)).verdict() == [
        "5 pairs of matches are too few to say anything; 20 are the least."
    ]


def test_pairs_of_one_shuffle_tell_more_than_as_many_separate_matches() -> None:
    chance = Random(7)
    luck = [chance.random() for _ in range(200)]
    alike = [(row(n, int(x > 0.5)), row(n, int(x > 0.55))) for n, x in enumerate(luck)]
    apart = [(row(n, int(x > 0.5)), row(n, int(chance.random() > 0.55))) for n, x in enumerate(luck)]
    wins = [next(f for f in Comparison(p).figures if f.name == "seat 0 wins").half for p in (alike, apart)]
    assert wins[0] < wins[1] / 2


def test_all_figures_of_a_page_together_are_wrong_on_one_page_of_twenty() -> None:
    errors = [figure.error for figure in Comparison(pairs(Random(4), 0.5, 0.5, 40), [KNIFE]).figures]
    assert len(errors) > 8 and sum(errors) == pytest.approx(ERROR)


def test_pairs_after_one_that_is_missing_do_not_count() -> None:
    """Which ones were done sooner must not choose."""
    trial = Trial(*[Job(str(EXAMPLES / "tic_tac_toe.py"), ("random",))] * 2)
    trial._played = {number: row(number, 0) for number in (0, 1, 2, 4, 5)}
    assert len(trial.comparison.pairs) == 1


def test_a_new_card_is_among_those_that_changed(tmp_path: Path) -> None:
    game = games.find("personal-vendetta")
    lathe = next(one for one in game.content().tables["card"] if one["name"] == "Bone Lathe")
    cards = tmp_path / "mine.csv"
    cards.write_text(to_csv([{**lathe, "name": "Bone Saw"}]), "utf-8")
    job = Job(game.key, ("random", "random"))
    assert Trial.of(job, cards).comparison.touched == ["Bone Saw"]


def test_a_trial_plays_the_same_shuffles_with_both_cards_and_finds_what_was_changed(tmp_path: Path) -> None:
    cards = tmp_path / "mine.toml"
    cards.write_text('[[card]]\nname = "WRATH"\ncount = 1\n', "utf-8")
    trial = Trial.of(Job("engines-of-vengeance", ("random", "random"), "3"), cards)
    trial.run(6, workers=1)
    found = trial.comparison
    assert len(found.pairs) == 6
    assert all(one["seed"] == two["seed"] for one, two in found.pairs)
    assert any(one != two for one, two in found.pairs)
    assert found.touched == ["WRATH"]


# Promises ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("promise", "share", "verdict"),
    [
        ("No seat wins more than 60 % of the matches.", 0.5, HOLDS),
        ("No seat wins more than 60 % of the matches.", 0.8, BROKEN),
        ("No seat wins more than 60 % of the matches.", 0.59, UNKNOWN),
        ("No role wins more than 60 % of its matches against another.", 0.5, HOLDS),
        ("No role wins more than 60 % of its matches against another.", 0.3, BROKEN),
        ("At least 90 % of the matches end by X-1.", 0.5, HOLDS),
        ("At least 5 % of the matches end by X-2.", 0.5, BROKEN),
        ("At least 90 % of the matches have a winner.", 0.5, HOLDS),
        ("No end is more common than 50 %.", 0.5, BROKEN),
        ("No card is played in less than 20 % of the matches in which it was held.", 0.5, HOLDS),
        ("No card is played in less than 80 % of the matches in which it was held.", 0.5, BROKEN),
        ("Matches last 20 to 60 decisions.", 0.5, HOLDS),
        ("Matches last 45 to 60 decisions.", 0.5, BROKEN),
        ("Matches last 5 to 15 turns.", 0.5, HOLDS),
        ("At least 60 % of the matches are over within 45 decisions.", 0.5, HOLDS),
        ("At least 60 % of the matches are over within 35 decisions.", 0.5, BROKEN),
        ("At least 60 % of the matches are over within 10 rounds.", 0.5, HOLDS),
        ("Matches last 11 to 15 rounds.", 0.5, BROKEN),
    ],
)
def test_a_promise_holds_is_broken_or_is_not_known(promise: str, share: float, verdict: str) -> None:
    chance = Random(8)
    rows = [tossed(chance, share, number) for number in range(600)]
    finding = Contract("greedy", (promise,)).judged(rows)[0]
    assert finding.verdict == verdict
    assert finding.words().startswith(f"{verdict}: {promise} ")
    if verdict == UNKNOWN:
        assert "more matches would tell" in finding.words()
        assert re.search(r"more matches, \d+ (minutes|hours) here, would tell", finding.words(pace=2.0))


NO_SEAT = "No seat wins more than 60 % of the matches."


def test_the_more_is_promised_the_wider_each_interval() -> None:
    """All promises of a game together are wrong in one run of twenty at most."""
    rows = [row(number, number % 2) for number in range(400)]
    for promises in (1, 8):
        low, high = share_between(200, 400, ERROR / promises)
        figures = Contract("greedy", (NO_SEAT,) * promises).judged(rows)[0].figures
        assert figures == f"seat 0: 50.0% ({low:.1%} to {high:.1%}) of 400."


def test_forty_cards_are_forty_occasions_to_be_mistaken_that_one_breaks_a_promise() -> None:
    """What breaks it has to be surer than what keeps it: for that one has to be mistaken about the very card that breaks it."""
    promise = "No card is played in less than 50 % of the matches in which it was held."

    def verdict(cards: int, seldom: int) -> str:
        rows = [row(number, 0, played=number < seldom) for number in range(100)]
        for one in rows:
            one["cards"] += [{**one["cards"][0], "card": f"Card {n}", "played": 1} for n in range(cards - 1)]
        return Contract("greedy", (promise,)).judged(rows)[0].verdict

    assert (verdict(1, 32), verdict(40, 32), verdict(40, 20)) == (BROKEN, UNKNOWN, BROKEN)
    assert verdict(1, 68) == verdict(40, 68) == HOLDS


def test_what_is_seen_in_every_third_match_takes_three_times_as_many() -> None:
    promise = "No card is played in less than 50 % of the matches in which it was held."
    always = [row(number, 0, played=number % 2 == 0) for number in range(40)]
    seldom = [one if number % 3 == 0 else {**one, "cards": []} for one in always for number in range(3)]
    often, rare = (Contract("greedy", (promise,)).judged(rows)[0] for rows in (always, seldom))
    assert often.verdict == rare.verdict == UNKNOWN and rare.more == 3 * often.more > 0


def test_few_matches_prove_no_promise_and_break_none() -> None:
    for count, verdict in ((9, UNKNOWN), (50, BROKEN)):
        finding = Contract("greedy", (NO_SEAT,)).judged([row(number, 0) for number in range(count)])[0]
        assert finding.verdict == verdict


def test_the_number_of_matches_it_would_take_is_the_number_it_takes() -> None:
    sample = Sample("seat 0", 55, 100)
    total = 100 + sample.needed(0.65, ERROR, 100)
    assert (
        Sample("", 0.55 * total, total).between(ERROR)[1]
        < 0.65
        < Sample("", 0.55 * total * 0.8, int(total * 0.8)).between(ERROR)[1]
    )


@pytest.mark.parametrize(("long", "verdict"), [(0.1, HOLDS), (0.4, BROKEN)])
def test_a_length_speaks_of_the_middle_half_of_the_matches(long: float, verdict: str) -> None:
    rows = [row(number, 0, length=100 if number < 600 * long else 40) for number in range(600)]
    assert Contract("greedy", ("Matches last 20 to 60 decisions.",)).judged(rows)[0].verdict == verdict


@pytest.mark.parametrize(
    "promise",
    [
        "No role wins more than 1.3 times its share.",
        "No role wins more than 65 % of its matches against another.",
    ],
)
def test_of_roles_only_matches_count_that_somebody_won(promise: str) -> None:
    """Whoever wins all that are won is too strong, though nobody wins every other match."""
    rows = [row(number, 0 if number % 2 else None) for number in range(600)]
    found = Contract("greedy", (promise,)).judged(rows)[0]
    assert (
        found.verdict == BROKEN and found.figures.startswith("Hunter") and found.figures.endswith("of 300.")
    )


def test_who_wins_with_others_has_a_part_of_the_win() -> None:
    """Where all win together nobody is too strong, though everybody wins every match."""
    both = [{**row(number, 0), "winners": [0, 1]} for number in range(600)]
    for one in both:
        one["seats"] = [{**seat, "won": True} for seat in one["seats"]]
    alone = [row(number, 0) for number in range(600)]
    promise = ("No role wins more than 1.2 times its share.",)
    verdicts = [Contract("greedy", promise).judged(rows)[0].verdict for rows in (both, alone, both[:120] + alone[:480])]  # fmt: skip
    assert verdicts == [HOLDS, BROKEN, BROKEN]


def test_a_contract_says_how_it_is_played(tmp_path: Path) -> None:
    """With more decks than seats, each match has the next choice of them."""
    file = tmp_path / "balance.toml"
    file.write_text('bots = "random"\noptions = { decks = "A,B,C" }\npromises = []\n', "utf-8")
    job = Contract.read(file).job("vitium", 2, "1")
    met = [job.options_of(number)["decks"] for number in range(7)]
    assert sorted(set(met)) == ["A,B", "A,C", "B,A", "B,C", "C,A", "C,B"] and met[0] == met[6]
    file.write_text('options = "all"\n', "utf-8")
    with pytest.raises(BadInput, match="options is a table"):
        Contract.read(file)


def test_a_length_in_turns_is_promised_only_by_a_game_that_counts_them(tmp_path: Path) -> None:
    (tmp_path / "balance.toml").write_text('promises = ["Matches last 5 to 9 turns."]', "utf-8")
    counts = replace(games.find("personal-vendetta"), folder=tmp_path)
    assert Contract.of(counts).promises == ("Matches last 5 to 9 turns.",)
    with pytest.raises(
        BadInput, match=r"does not say what counts its turns.*or promise a length in decisions"
    ):
        Contract.of(replace(counts, turns=""))


def test_a_card_that_is_not_in_a_hand_is_not_held() -> None:
    """A Witch lies open before who plays her; nobody could play her."""
    with_a_witch = row(0, 1)
    with_a_witch["cards"] += [{"seat": 0, "card": "Witch", "seen": 1, "held": 0, "played": 0, "won": False}]
    promise = "No card is played in less than 2 % of the matches in which it was held."
    finding = Contract("greedy", (promise,)).judged([with_a_witch] * 400)[0]
    assert finding.verdict == HOLDS and finding.figures.startswith("Knife: 100.0%")


def test_matches_are_kept_and_taken_up_again(tmp_path: Path) -> None:
    """Even if the machine went down in the middle of a line."""
    job, file = Job(str(EXAMPLES / "tic_tac_toe.py"), ("random", "random"), "5"), tmp_path / "kept.jsonl"
    assert Evidence(job, file).gather(3, 1) == 3
    whole = file.read_text("utf-8")
    file.write_text(whole[:-40], "utf-8")
    assert Evidence(job, file).gather(3, 1) == 1
    assert file.read_text("utf-8") == whole
    assert Evidence(job, file).gather(4, 1) == 1
    fresh = Evidence(job)
    assert fresh.gather(4, 1) == 4
    assert Evidence(job, file).rows == fresh.rows and [row["match"] for row in fresh.rows] == [0, 1, 2, 3]
    with pytest.raises(BadInput, match="of another game, seed or cards; name another file"):
        Evidence(replace(job, seed="6"), file)


def test_matches_after_one_that_is_missing_do_not_count() -> None:
    """Which ones were done sooner must not choose."""
    evidence = Evidence(Job(str(EXAMPLES / "tic_tac_toe.py"), ("random", "random")))
    evidence.done = {number: row(number, 0) for number in (0, 1, 3, 4)}
    assert [row["match"] for row in evidence.rows] == [0, 1]


def test_time_that_is_up_ends_a_trial_as_an_interrupt_does() -> None:
    heard: list[int] = []
    for_ever, at_once = ending_after(None, heard.append), ending_after(0, heard.append)
    for_ever(3)
    with pytest.raises(KeyboardInterrupt):
        at_once(4)
    assert heard == [3, 4]


def test_a_promise_that_cannot_be_checked_is_refused_with_those_that_can() -> None:
    with pytest.raises(
        BadInput, match=r"“It is fun.” is no promise.*No seat wins more than … % of the matches"
    ):
        shape_of("It is fun.")


# Breaking ----------------------------------------------------------------------------------------------------------------

ENDLESS = '''
"""A game that goes round in circles until somebody has had enough."""
from talion.kernel import Counter, Game, Match, State
import sys

class Circle(State):
    light = Counter()

def turn(t):
    """X-1"""
    answer = yield t.ask(0, [("switch",), ("win",)], "Switch the light, or win", "X-1", default=("win",))
    if answer == ("win",):
        t.over((0,), "Enough.", "X-1")
    t.light = 1 - t.light
    return turn

game = Game(key="circle", title="Circle", seats=(1,), state=Circle, start=turn, rules=sys.modules[__name__], longest=5000)
'''


def test_a_game_that_goes_round_in_circles_is_found_and_can_be_watched(tmp_path: Path) -> None:
    file = tmp_path / "circle.py"
    file.write_text(ENDLESS, "utf-8")
    breaker = Breaker(Job(str(file), ("random",), "1"))
    for number in range(2):
        breaker.play(number)
    findings = list(breaker.all())
    assert [finding.what for finding in findings if "circles" in finding.what]
    assert next(iter(keep(findings, tmp_path))) == tmp_path / "broken-1.talion"

    def find(key: str) -> Any:
        from talion import games

        return games.find(str(file))

    assert Match.load((tmp_path / "broken-1.talion").read_text("utf-8"), find).number > 10


TOY = '''
"""A game that does one thing wrong."""
from talion.kernel import Counter, Game, Match, State
import sys

class Toy(State):
    gold = Counter()
    turn = Counter()

def step(t):
    """X-1"""
    answer = yield t.ask(t.turn % {seats}, [{options}], "Go on", "X-1")
    t.turn += 1
    t.gold += {gold}
    if t.turn == {turns}:
        t.over((0,), "Enough.", "X-1")
    return step

game = Game(key="toy", title="Toy", seats=({seats},), state=Toy, start=step, rules=sys.modules[__name__], longest={longest})
'''


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({}, None),
        ({"options": '("on",)'}, "A seat can do nothing for 25 decisions on end."),
        ({"gold": 40}, "Gold grows beyond 1000."),
        ({"turns": 1}, "A seat has lost before it had two decisions to make."),
        ({"longest": 20}, "A match does not end: more decisions than the game declares."),
        ({"gold": "int('1' if t.turn < 9 else 'x')"}, "The game fails: ValueError: invalid literal for int() with base 10: 'x' (toy.py, line 14, in step)."),
    ],
)  # fmt: skip
def test_each_way_to_be_broken_is_found(tmp_path: Path, wrong: dict[str, Any], what: str | None) -> None:
    sound = {"seats": 2, "options": '("on",), ("up",)', "gold": 1, "turns": 80, "longest": 5000}
    file = tmp_path / "toy.py"
    text = TOY
    for name, value in {**sound, **wrong}.items():
        text = text.replace("{" + name + "}", str(value))
    file.write_text(text, "utf-8")
    breaker = Breaker(Job(str(file), ("random",), "1"))
    breaker.play(3)
    findings = list(breaker.all())
    assert [finding.what for finding in findings][:1] == ([what] if what else [])
    for finding in findings:
        assert Match.load(finding.match(), lambda key: games.find(str(file))).number, "it can be watched"


@pytest.mark.parametrize(
    ("card", "fields", "number", "what"),
    [
        ("Scrap Heap", 'cost = "1 tick"\nabilities = ["1 tick: Gain 1 tick."]\ncount = 6', 1, "A match goes round in circles: one position came back 12 times."),
        ("Shear Line", 'cost = "1 tick"\nbenefit = "Inflict 90 corpus."\npenalty = ""\ncount = 12', 9, "A seat has lost before it had two decisions to make."),
        ("Twin Heart", 'abilities = ["1 tick: Gain 60 corpus. Gain 1 tick."]\ncount = 8', 6, "Corpus grows beyond 1000."),
        ("Shear Line", 'cost = "1 tick, 99 corpus"\ncount = 4', 1, "Nobody could ever play Shear Line, held in 1 matches."),
    ],
    ids=["recurs", "wins at once", "grows", "cannot be played"],
)  # fmt: skip
def test_a_card_that_breaks_the_game_is_found_and_can_be_watched(
    card: str, fields: str, number: int, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that cannot be played can still be discarded, which is not playing it."""
    monkeypatch.setattr(breaking, "TOLD_BY", 1)
    cards = tmp_path / "mine.toml"
    cards.write_text(f'[[card]]\nname = "{card}"\n{fields}\n', "utf-8")
    breaker = Breaker(Job("personal-vendetta", ("random",) * 2, "3", cards=cards))
    breaker.play(number)
    flaw = next(one for one in breaker.all() if one.what == what)
    match = Match.load(flaw.match(), games.find)
    assert match.number > 1 and card in match.content.named


def test_a_card_that_is_played_in_a_window_can_be_played() -> None:
    """Though no decision of weight is made there."""
    breaker = Breaker(Job("personal-vendetta", ("random",) * 2, "3"))
    breaker.play(1)
    named = games.find("personal-vendetta").content().named
    assert {"reaction", "attack"} <= {named[name].get("type") for name in breaker.open}


def test_an_honest_game_is_not_called_broken() -> None:
    breaker = Breaker(Job(str(EXAMPLES / "tic_tac_toe.py"), ("random", "random"), "1"))
    for number in range(8):
        breaker.play(number)
    assert list(breaker.all()) == []


def test_a_card_that_nobody_wants_is_shown_at_a_decision_at_which_it_could_be_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What only many matches tell has a match too: the one in which the card was open longest, and not chosen."""
    monkeypatch.setattr(breaking, "HELD", 3)
    monkeypatch.setattr(breaking, "TOLD_BY", 1)
    monkeypatch.setattr(breaking, "TEMPTED_BY", 1)
    breaker = Breaker(Job("engines-of-vengeance", ("random",), "1"))
    breaker.play(2)  # one bot that wants to win, against one that does anything
    found = [
        (re.match(r"Nobody who wants to win ever chose (.+), open", one.what), one) for one in breaker.all()
    ]
    name, flaw = next((words[1], one) for words, one in found if words)
    breaker.open.clear()  # as if nobody could play anything
    assert any(
        re.fullmatch(r"Nobody could ever play .+, held in 1 matches\.", one.what) for one in breaker.all()
    )
    match = Match.load(flaw.match(), games.find)
    assert match.number == breaker.offered_longest[name].number
    assert name in [match.t.face(card).name for one in match.options(flaw.seat) for card in cards_in(one)]
