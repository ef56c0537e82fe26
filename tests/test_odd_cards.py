"""Whatever the phrasebook can say, in whatever field: it is refused in a sentence, or a match with it runs."""

import re
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.kernel import BadCards, Chance, Game
from talion.kernel.content import lay_over
from talion.testing import try_cards
from talion.testing.trial import CardTrial

from .odd import odd_cards

SAMPLE = 12


def laid(game: Game, row: dict[str, Any]) -> Any:
    return game.printed(lay_over(game.own_tables(), {"card": [row]}, "odd.toml"), "odd.toml")


def run(game: Game, seed: str, many: int | None) -> None:
    """Each card is refused by name, or matches with it run without a crash."""
    every = list(odd_cards(game, Chance.of(seed)))
    Chance.of(f"order {seed}").shuffle(every)
    for odd in every[:many]:
        name, text = odd.row["name"], odd.row[odd.field]
        try:
            content = laid(game, odd.row)
        except BadCards as problem:
            refusal = str(problem)
        else:
            tried = CardTrial(game, content, content.named[name], seed).run(matches=2 if many else 10)
            refusal = ""
            assert not tried.problem, f"{odd.sort}, {odd.field} {text}: {tried.problem}"
        assert not refusal or name in refusal, f"{odd.sort}, {odd.field} {text}: {refusal}"


@pytest.mark.parametrize("key", games.keys())
def test_some_odd_cards(key: str):
    run(games.find(key), "some", SAMPLE)


@pytest.mark.deep
@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize("key", games.keys())
def test_all_odd_cards(key: str, seed: str):
    run(games.find(key), seed, None)


def tried(key: str, tmp_path: Path, cards: str) -> list[str]:
    file = tmp_path / "mine.toml"
    file.write_text(cards, encoding="utf-8")
    return [card.words() for card in try_cards(games.find(key), file, seconds=4)]


def test_a_new_card_that_can_be_played_is_played(tmp_path: Path):
    card = '[[card]]\nname = "Jab"\ntype = "attack"\ndiscipline = "physical"\ncost = "1 tick"\nbenefit = "Inflict 1 corpus."\n'
    assert tried("personal-vendetta", tmp_path, card) == ["Jab was played."]


def test_a_card_that_nobody_can_pay_is_named(tmp_path: Path):
    card = '[[card]]\nname = "Calm"\ntype = "state"\ndiscipline = "mental"\ncost = "99 ticks"\nabilities = ["Your hand size is 5"]\n'
    [said] = tried("personal-vendetta", tmp_path, card)
    assert said.startswith("PROBLEM Calm was never played in ")


def test_a_card_that_breaks_a_match_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from talion.games.personal_vendetta import rules

    def broken(*args: Any) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(rules, "turn_up", broken)
    card = '[[card]]\nname = "Recall"\ntype = "attack"\ndiscipline = "mental"\ncost = "1 tick"\nbenefit = "Pop 1."\n'
    [said] = tried("personal-vendetta", tmp_path, card)
    assert said.startswith("PROBLEM Recall: ")
    assert re.search(r"ZeroDivisionError: on purpose \(test_odd_cards\.py, line \d+, in broken\)$", said)


def test_a_sentence_that_never_happened_is_told(tmp_path: Path):
    card = (
        '[[card]]\nname = "Habit"\ntype = "state"\ndiscipline = "mental"\ncost = "1 tick"\n'
        'abilities = ["99 ticks: draw 1 card", "Your hand size is 5"]\n'
    )
    assert tried("personal-vendetta", tmp_path, card) == [
        "Habit was played. Never happened: 99 ticks: draw 1 card."
    ]
