"""The rules in our words are read by paragraph, each under its id."""

from talion.kernel.rulebook import Rulebook

BOOK = Rulebook(
    """# A game

## Rules
### AB-1 Cards

**AB-1.1** A rule of
two lines.

**AB-1.2** Another.

## Rulings

**AB-R1** A ruling.
"""
)


def test_a_rule_is_a_whole_paragraph():
    assert BOOK.rules["AB-1.1"].text == "A rule of two lines."


def test_a_rule_knows_its_chapter():
    assert [rule.chapter for rule in BOOK.rules.values()] == ["AB-1 Cards", "AB-1 Cards", "Rulings"]
    assert [rule.id for rule in BOOK.rulings()] == ["AB-R1"]


def test_rules_are_found_by_id_chapter_and_words():
    assert [rule.id for rule in BOOK.find("ab-1.2")] == ["AB-1.2"]
    assert [rule.id for rule in BOOK.find("AB-1")] == ["AB-1.1", "AB-1.2"]
    assert [rule.id for rule in BOOK.find("two lines")] == ["AB-1.1"]
