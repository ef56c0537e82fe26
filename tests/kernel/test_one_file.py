"""A game may be one file: what it prints stands in `tables`, its rules in the docstring."""

from pathlib import Path

from talion import games

LEDUC = games.find(str(Path(__file__).parents[2] / "examples" / "leduc.py"))


def test_cards_come_from_the_tables():
    """Faces are made as from a cards.toml, and changed cards can be laid over them."""
    assert [(face.name, face.count) for face in LEDUC.content().faces] == [
        ("jack", 2),
        ("queen", 2),
        ("king", 2),
    ]


def test_rules_come_from_the_docstring():
    """Each paragraph that begins with an id is a rule."""
    assert list(LEDUC.rulebook.rules) == ["LH-1", "LH-2", "LH-3", "LH-4", "LH-5"]
