"""Pages of results: whole in themselves, honest about their intervals, and refusing what they cannot read."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from talion.kernel import Match
from talion.lab import BadInput, playing
from talion.lab.files import ResultHead, Results, read, write
from talion.lab.ladder import Ladder, rungs
from talion.lab.page import Cell, page, table
from talion.lab.playing import Job, Witness, play_match
from talion.lab.report import paired, report
from talion.lab.simulate import simulate
from talion.lab.statistics import Share, between_shares, mean, wilson

GAME = "engines-of-vengeance"
TIC_TAC_TOE = "examples/tic_tac_toe.py"


def results(path: Path, job: Job, matches: int) -> Results:
    write(path, ResultHead.of(job), [one.row for one in simulate(job, matches)])
    return read(path)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return results(tmp_path_factory.mktemp("lab") / "one.parquet", Job(GAME, ("random", "random")), 20)


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [
            value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "action")
        ]


def test_a_page_is_whole_in_itself(one: Results) -> None:
    text = report([one])
    tags = Tags(text)
    assert "svg" in tags.names
    assert not [link for link in tags.links if not link.startswith("#")]
    assert "@import" not in text
    assert "url(" not in re.sub(r"url\(#", "", text)


def test_a_page_shows_what_was_counted(one: Results) -> None:
    text = report([one])
    assert "20 matches of random, random" in text
    assert "Phrases never carried out" in text
    assert "WRATH" in text
    assert "EV-10.4" in text


def test_two_files_of_one_seed_are_compared_pair_by_pair(one: Results, tmp_path: Path) -> None:
    same = results(tmp_path / "same.parquet", Job(GAME, ("random", "random")), 20)
    changed = Job(GAME, ("random", "random"), "other")
    other = results(tmp_path / "other.parquet", changed, 20)
    assert paired(one, same) == 20
    assert paired(one, other) == 0
    text = report([one, same])
    assert "20 matches have the same shuffles" in text
    assert "+0.0 points" in text
    assert "class=sure" not in text.split("<h2>")[1]


def test_a_match_has_the_same_shuffles_under_two_card_files(
    one: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So what differs between the files is what the cards do, not what was dealt."""
    cards = tmp_path / "mine.toml"
    cards.write_text('[[card]]\nname = "WRATH"\nexhaust = "Discard."\n')
    changed = Job(GAME, ("random", "random"), cards=cards)
    other = results(tmp_path / "changed.parquet", changed, 20)
    assert one.about.cards != other.about.cards
    assert paired(one, other) == 20
    compared = report([one, other])
    assert "20 matches have the same shuffles" in compared
    assert "Cards that changed from the first to the second" in compared
    assert other.about.changed and all(line.startswith("WRATH: exhaust ") for line in other.about.changed)

    class Dealt(Witness):
        def __init__(self, match: Match) -> None:
            super().__init__(match)
            dealt.append([[match.t.face(card).name for card in pile] for pile in match.t.piles])

    dealt: list[list[list[str]]] = []
    monkeypatch.setattr(playing, "Witness", Dealt)
    for job in (Job(GAME, ("random", "random")), changed, Job(GAME, ("random", "random"), "other")):
        play_match(job, 3)
    assert dealt[0] == dealt[1] != dealt[2]


def test_a_table_is_sorted_by_a_click(tmp_path: Path, chromium: Any) -> None:
    """Numbers as numbers, by what they stand for and not by what they read; a second click turns the order."""
    rows = [["a", Cell("9 %", 9)], ["c", Cell("10 %", 10)], ["b", Cell("-1 %", -1)]]
    file = tmp_path / "page.html"
    file.write_text(page("Sorted", [table(["name", "share"], rows)]), "utf-8")
    orders = []
    shown = chromium.new_page()
    shown.goto(file.as_uri())
    for column in ("share", "share", "name"):
        shown.get_by_role("button", name=column).click()
        orders.append("".join(shown.locator("tbody td:first-child").all_inner_texts()))
    shown.close()
    assert orders == ["cab", "bac", "cba"]


def test_two_games_cannot_be_compared(one: Results, tmp_path: Path) -> None:
    other = results(tmp_path / "other.parquet", Job(TIC_TAC_TOE, ("random", "random")), 4)
    with pytest.raises(BadInput, match="different games"):
        report([one, other])


def test_wilson_intervals_are_the_known_ones() -> None:
    low, high = wilson(60, 100)
    assert (round(low, 3), round(high, 3)) == (0.502, 0.691)
    assert wilson(0, 0) == (0.0, 1.0)
    change = between_shares(Share(40, 100), Share(60, 100))
    assert change.certain
    assert 0.05 < change.low < 0.2 < change.high < 0.34
    assert not mean([1.0, -1.0, 1.0, -1.0]).certain


# The ladder ------------------------------------------------------------------------------------------------------------


def test_a_ladder_is_taken_up_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "ladder.jsonl"
    steps = rungs(TIC_TAC_TOE, "1", 32)
    assert [step.budget for step in steps] == [16, 32]
    Ladder(steps, 4, path).climb(workers=1, minutes=0)
    assert len(path.read_text().splitlines()) == 2
    again = Ladder(steps, 4, path)
    again.climb(workers=1, minutes=1)
    kept = path.read_text()
    assert len(kept.splitlines()) == 9
    assert [share.total for _, share in again.shares()] == [4, 4]
    Ladder(steps, 4, path).climb(workers=1, minutes=1)
    assert path.read_text() == kept


def test_a_ladder_left_early_has_thought_as_long_on_each_rung(tmp_path: Path) -> None:
    ladder = Ladder(rungs(TIC_TAC_TOE, "1", 32), 40, tmp_path / "ladder.jsonl")

    def enough(done: int) -> None:
        if done == 24:
            raise KeyboardInterrupt

    ladder.climb(workers=1, minutes=1, tell=enough)
    assert {budget: share.total for budget, share in ladder.shares()} == {16: 16, 32: 8}


def test_a_file_of_another_ladder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ladder.jsonl"
    Ladder(rungs(TIC_TAC_TOE, "1", 16), 2, path).climb(workers=1, minutes=0)
    with pytest.raises(BadInput, match="another game"):
        Ladder(rungs(TIC_TAC_TOE, "2", 16), 2, path)
    path.write_text("nonsense")
    with pytest.raises(BadInput, match="taken up again"):
        Ladder(rungs(TIC_TAC_TOE, "1", 16), 2, path)
