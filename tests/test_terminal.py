"""A match in the terminal, line by line."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from talion import bots, games
from talion.kernel import Match
from talion.terminal import Chair, Quit, Terminal

ROOT = Path(__file__).parent.parent
TIC_TAC_TOE = str(ROOT / "examples" / "tic_tac_toe.py")
LEDUC = str(ROOT / "examples" / "leduc.py")
GAME = "engines-of-vengeance"


def play(key: str, typed: str, seats: Sequence[str] = ("Ann", "random"), seed: int = 1) -> tuple[Match, str]:
    """What is on the screen after typing these lines, parted by |. Whoever types no more has quit."""
    match = Match.new(games.find(key), len(seats), seed)
    chairs = [
        Chair(name.capitalize(), bots.make(name, seed) if name in bots.names() else None) for name in seats
    ]
    screen = io.StringIO()
    lines = iter(typed.split("|"))

    def read(prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        screen.write(f"{prompt}{line}\n")
        return line

    try:
        Terminal(match, chairs, Console(file=screen, force_terminal=False), read).play()
    except Quit:
        pass
    except EOFError:
        pass
    return match, screen.getvalue()


def test_an_option_is_chosen_by_number_by_name_or_by_its_beginning():
    """All three ways mean the same."""
    for typed in ("3", "mark cell 3", "MARK  CELL 3"):
        match, _ = play(TIC_TAC_TOE, typed)
        assert match.record and match.record[0] == ("answer", 0, ("mark", 2))
    match, _ = play(GAME, "play T")
    assert match.record and match.record[0][2][0] == "play"


def test_something_else_is_refused_and_asked_again():
    """A number too high, words that mean nothing, words that mean two things."""
    match, screen = play(TIC_TAC_TOE, "0|10|fly|mark cell")
    assert match.record == []
    assert screen.count("is not one of your options. Type a number, or help.") == 4


def test_a_closed_option_is_refused_by_its_rule():
    """What is typed by name but closed names the rule; `why` tells the same, `why not` tells all."""
    match, screen = play(LEDUC, "fold|why fold|why not")
    assert match.record == []
    assert "There is nothing to call. [LH-2]" in screen
    assert screen.count("fold: There is nothing to call. [LH-2]") == 2


def test_why_shows_the_rule_behind_the_last_line():
    """The line, and the rule as the rulebook has it."""
    _, screen = play(TIC_TAC_TOE, "why|5|why")
    assert "Nothing has happened yet." in screen
    assert "TT-1 In turn, each player marks a free cell of nine; the first seat begins." in screen


def test_rules_and_cards_can_be_read_while_playing():
    """By id, by words, by name; what is not there is said."""
    _, screen = play(GAME, "rule EV-8.1|rule zebra|rule|card witness|card zebra|card|log|table|help")
    assert "EV-8.1 Each card in your area" in screen
    assert "No rule has “zebra”." in screen
    assert "WITNESS\n  owner: Detective" in screen
    assert "No card is called “zebra”." in screen
    assert "Type the number or the name of an option." in screen


def test_a_bot_gives_advice():
    """Every option has its estimate, and asking for it answers nothing."""
    match, screen = play(TIC_TAC_TOE, "hint")
    assert screen.count(" tried)") == 9
    assert match.number == 0


def test_an_answer_is_taken_back():
    """One's own last choice, and all that came of it."""
    match, screen = play(TIC_TAC_TOE, "5|undo")
    assert match.record == []
    assert "Taken back." in screen
    match, screen = play(TIC_TAC_TOE, "undo")
    assert "You have nothing to take back." in screen


def test_others_are_asked_before_more_than_a_free_undo():
    """What another person decided since is taken back with their consent alone."""
    match, screen = play(TIC_TAC_TOE, "|5||1||undo|no", seats=("Ann", "Bob"))
    assert match.number == 2
    assert "Bob does not agree." in screen
    match, screen = play(TIC_TAC_TOE, "|5||1||undo|yes", seats=("Ann", "Bob"))
    assert match.number == 0


def test_a_hand_is_gone_before_the_next_person_looks():
    """Between two people the screen is cleared, and the next one's page holds nothing of the other's hand."""
    match, screen = play(LEDUC, "|call||call", seats=("Ann", "Bob"), seed=3)
    mine, theirs = (match.t.face(player.hand[0]).name for player in match.t.players)
    assert mine != theirs
    anns, bobs = screen.split("Bob is to choose. Press Enter when only Bob looks.")[:2]
    assert f"hand: {mine}" in anns
    assert theirs not in anns
    bobs = bobs.split("Ann is to choose")[0]
    assert f"hand: {theirs}" in bobs
    assert mine not in bobs
    assert anns.endswith("\n" * 20)


def test_one_person_is_spared_a_choice_of_one():
    """Alone with bots, an ask with one option is answered and said; people among people are asked alike, and press Enter."""
    assert "You can only end actions." in play(GAME, "play SUBVERT", seed=5)[1]
    match, screen = play(GAME, "|play SUBVERT||", seats=("Ann", "Bob"), seed=5)
    assert "You can only" not in screen
    assert "Or press Enter." in screen
    assert match.record and match.record[1] == ("answer", 0, ("end",))
    assert play(TIC_TAC_TOE, "||")[0].record == []


def test_what_a_look_shows_can_be_read():
    """Though nothing is left to choose after it."""
    _, screen = play(GAME, "play TRUFFLE|TRUFFLE: look", seed=5)
    shown = screen.split("looks at the hand of Random")[1].split("You can only end actions.")[0]
    assert "INKCAP" in shown
    assert "KEEPING TABS" in shown


def test_a_match_is_played_to_its_end():
    """The result is said as the rulebook words it, and who won."""
    match, screen = play(
        TIC_TAC_TOE, "|mark cell 1||mark cell 4||mark cell 2||mark cell 5||mark cell 3", seats=("Ann", "Bob")
    )
    assert match.over
    assert "Ann has three in a row. [TT-2]" in screen
    assert screen.rstrip().endswith("Ann won.")


def test_a_match_is_saved(tmp_path: Path):
    """The file is a record; a folder that is not there is said in a sentence."""
    path = tmp_path / "mine.talion"
    match, screen = play(TIC_TAC_TOE, f"5|save {path}|save {tmp_path}/nowhere/mine.talion")
    assert path.read_text("utf-8") == match.save()
    assert "cannot be written: No such file or directory." in screen


@pytest.mark.parametrize("key", games.keys())
def test_every_game_can_be_begun(key: str):
    """A person sees the table and the options of any game, at any of its seat counts."""
    for seats in games.find(key).seats:
        _, screen = play(key, "table|why not|log", seats=["Ann"] + ["random"] * (seats - 1))
        assert "Ann" in screen.split("Ann> table")[1]
        assert "\n1. " in screen
