"""Bots have names, faces and manners of their own in each game."""

import pytest

from talion import games
from talion.bots.personas import personas
from talion.drawing.cards import portrait

STRENGTHS = ("easy", "normal", "hard")


@pytest.mark.parametrize("key", games.keys())
def test_every_strength_is_somebody(key: str) -> None:
    game = games.find(key)
    found = [personas(game)[strength] for strength in STRENGTHS]
    names = [name for persona in found for name in persona.names]
    assert len(set(names)) == len(names), "nobody is two"
    assert all(len(persona.names) >= game.seats[-1] for persona in found), "a whole table of one strength"
    assert not set(names) & set(game.content().named), "nor a card"
    assert all(len(name) <= 12 for name in names), "a plate is small"
    assert len({persona.face for persona in found}) == len({persona.manner for persona in found}) == 3
    assert all("<svg" in portrait(persona.face or "") for persona in found)


def test_names_are_taken_one_after_the_other() -> None:
    easy = personas(games.find("vitium"))["easy"]
    first = easy.name()
    assert easy.name([first]) == easy.names[1]
    assert easy.name(easy.names) == "Easy bot"
    assert easy.name([*easy.names, "Easy bot"]) == "Easy 2"


def test_a_game_that_says_nothing_has_plain_bots() -> None:
    hard = personas(games.find("examples/tic_tac_toe.py"))["hard"]
    assert (hard.name(), hard.face) == ("Hard bot", None)
    assert hard.about("Hard bot") == "Hard bot thinks as long and as well as it can."
