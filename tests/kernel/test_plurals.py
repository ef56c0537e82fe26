"""Words that agree with the number before them."""

import pytest

from talion.kernel import Phrasebook, Unreadable
from talion.kernel.reading import Reader


@pytest.fixture
def reader():
    book = Phrasebook()
    book.effect("draw {n:number} card(s) from {m:number} box(es)")(lambda play, n, m: (n, m))
    book.words("colour", ("red", "black"))
    book.effect("cancel {n:number} {colour:colour} [die|dice]")(lambda play, n, colour: n)
    return Reader(book, [])


@pytest.mark.parametrize(
    "sentence",
    [
        "draw 1 card from 1 box",
        "draw 2 cards from 1 box",
        "draw 1 card from 3 boxes",
        "cancel 1 red die",
        "cancel 2 red dice",
    ],
)
def test_a_plural_is_read_and_written_back(reader, sentence):
    assert reader.read(sentence, "effect").text == sentence


@pytest.mark.parametrize(
    ("sentence", "printed"),
    [
        ("Draw 2 card from 1 box", "draw 2 cards from 1 box"),
        ("draw 1 cards from 1 boxes", "draw 1 card from 1 box"),
        ("cancel 2 red die", "cancel 2 red dice"),
    ],
)
def test_endings_are_free_and_printed_as_they_should_be(reader, sentence, printed):
    assert reader.read(sentence, "effect").text == printed


@pytest.mark.parametrize(
    "sentence", ["draw 2 cardss from 1 box", "draw 01 card from 1 box", "cancel 2 red dic"]
)
def test_nothing_else_is_free(reader, sentence):
    with pytest.raises(Unreadable):
        reader.read(sentence, "effect")
