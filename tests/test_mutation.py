"""The tests of the games, tested: what happens when a rule is made wrong."""

from pathlib import Path

import pytest

from talion import games
from talion.testing import mutate
from talion.testing.mutate import WANTED, mutants, trial

GAME = "engines-of-vengeance"


def test_every_change_is_python_and_a_change():
    """Mutants of each game parse, and differ from their source."""
    for game in games.every():
        for mutant in mutants(game)[::50]:
            compile(mutant.source, mutant.file, "exec")
            assert mutant.source != mutant.file.read_text("utf-8")


def test_a_wrong_rule_is_noticed():
    """Five bodies instead of four: a scenario says so, in a process that loads the changed rules."""
    wrong = next(mutant for mutant in mutants(games.find(GAME)) if (mutant.was, mutant.now) == ("4", "5"))
    assert Path(wrong.file).name == "rules.py"
    caught = trial(GAME, wrong, 120)
    assert caught is not None
    assert caught.startswith("scenario")


def test_the_game_itself_is_sound():
    """Nothing is noticed where nothing was changed."""
    assert trial(GAME, None, 120) is None


@pytest.mark.deep
@pytest.mark.parametrize("key", games.keys())
def test_most_changes_are_noticed(key: str):
    """Two hundred places: at least four in five are caught. The survivors are printed."""
    report = mutate.mutate(key)
    print(*report.lines(), sep="\n")
    assert report.share >= WANTED, "\n".join(report.lines())
