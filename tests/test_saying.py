"""What is said on a screen is broken between words; what goes to a file or a program is not broken at all."""

import io

from rich.console import Console

from talion.saying import say

OPTION = "12. take [Slow] Bleed: Physical state, 1 tick. Penalty: At the end of each clone's turn, that clone loses 1 corpus."
HELP = "why NAME        why you cannot choose something; `why not` lists all that is closed to you"


def said(text: str, *, screen: bool, width: int = 40) -> list[str]:
    file = io.StringIO()
    say(Console(file=file, force_terminal=screen, no_color=True, width=width), text)
    return file.getvalue().splitlines()


def test_a_long_line_goes_on_below_its_first_word():
    lines = said(OPTION, screen=True)
    assert " ".join(line.strip() for line in lines) == OPTION
    assert max(map(len, lines)) <= 40
    assert {line[:5] for line in lines[1:]} == {"    " + line[4] for line in lines[1:]}


def test_what_stands_in_a_column_of_its_own_stays_there():
    lines = said(HELP, screen=True, width=60)
    assert lines[0].startswith("why NAME        why you cannot")
    assert lines[1].startswith(" " * 12)


def test_lines_that_fit_and_lines_for_programs_are_as_they_were():
    assert said("  hand, up to 4: none\nBone Lathe", screen=True) == ["  hand, up to 4: none", "Bone Lathe"]
    assert said(OPTION, screen=False) == [OPTION]
