"""Words that agree with the number before them."""

import pytest

from talion.kernel import Phrasebook, Unreadable


@pytest.mark.parametrize("sentence", ["draw 1 card", "draw 2 cards", "Draw 2 cards at once"])
def test_an_ending_is_there_or_not(sentence: str) -> None:
    """`card(s)` is read in singular and plural, and written back as it stood."""
    book = Phrasebook()
    book.effect("draw {n:amount} card(s)", "draw {n:amount} card(s) at once")(lambda play, n: n)
    said = book.reader([]).read(sentence, "effect")
    assert said.text.lower() == sentence.lower()
    assert said.filled["n"].filled["n"] in (1, 2)


def test_a_wrong_ending_is_an_error() -> None:
    """One card is not cards."""
    book = Phrasebook()
    book.effect("draw {n:amount} card(s)")(lambda play, n: n)
    with pytest.raises(Unreadable):
        book.reader([]).read("draw 1 cards", "effect")
