"""What could stand in a sentence next, which phrase was meant, and the article as a number."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.kernel import Phrasebook, Unreadable
from talion.kernel.content import Content
from talion.kernel.reading import Reader

WORDINGS = tomllib.loads((Path(__file__).parent / "wordings.toml").read_text(encoding="utf-8"))
ROWS = [
    (game, field, sentence, pattern)
    for game, fields in WORDINGS.items()
    for field, rows in fields.items()
    for sentence, pattern in rows
]


def content(game: str) -> Content:
    return games.find(game).content()


def refusal(game: str, field: str, sentence: str) -> Unreadable:
    printed = content(game)
    with pytest.raises(Unreadable) as refused:
        printed.reader.read(sentence, printed.texts[field])
    return refused.value


def caret(problem: Unreadable) -> str:
    """What stands at the caret."""
    return problem.sentence[problem.column :]


# What was meant ------------------------------------------------------------------------------------------------------


def test_natural_wordings_lead_to_their_phrase():
    """Of all the wordings five in six are led to the right phrase by the first three suggestions."""
    astray = []
    for game, field, sentence, pattern in ROWS:
        problem = refusal(game, field, sentence.removesuffix("."))
        assert problem.completion
        led = [suggestion.phrase.pattern for suggestion in problem.completion.phrases[:3]]
        if pattern not in led:
            astray.append(f"{game}: {sentence} leads to {led}")
    assert len(ROWS) >= 60
    assert len(astray) <= len(ROWS) // 6, "\n".join(astray)


@pytest.mark.parametrize("game", WORDINGS)
def test_each_wording_should_lead_to_a_phrase_of_its_game(game: str):
    patterns = {phrase.pattern for phrase in content(game).book.phrases}
    assert patterns >= {pattern for name, _, _, pattern in ROWS if name == game}


@pytest.mark.parametrize(
    ("game", "field", "sentence", "at", "stands"),
    [
        ("engines-of-vengeance", "action", "Take two cards", "two cards", "one card"),
        ("engines-of-vengeance", "action", "Take one crad", "crad", "card"),
        ("engines-of-vengeance", "action", "Look at your hand", "your hand", "the other player's hand"),
        ("vengeance", "text", "Convert 1 MOVE to 1 HIT", "to 1 HIT", "into …"),
        ("vengeance", "text", "Heal two Hurt", "two Hurt", "a number"),
        ("vitium", "abilities", "Gain 300 credits", "credits", "Ç"),
        (
            "personal-vendetta",
            "abilities",
            "At the beginning of your turn, draw 1 card",
            "At the beginning of your turn, draw 1 card",
            "[down]",
        ),
    ],
)
def test_a_refusal_says_what_could_stand_at_the_caret(
    game: str, field: str, sentence: str, at: str, stands: str
):
    problem = refusal(game, field, sentence)
    assert problem.completion
    assert caret(problem) == at
    assert stands in problem.completion.could_stand()[:6]
    assert stands in problem.explain()


def test_a_refusal_shows_a_printed_card_that_says_it():
    told = refusal("engines-of-vengeance", "action", "Take two cards").explain()
    assert "take {card:target}\n" in told
    assert "“Take one card from the other player's area.” (" in told


def test_words_after_a_whole_sentence_are_pointed_at():
    problem = refusal("personal-vendetta", "benefit", "Inflict 2 corpus damage")
    assert caret(problem) == "damage"
    assert "Here the sentence could end." in problem.explain()


def test_a_sentence_that_is_not_finished_is_told_so():
    problem = refusal("engines-of-vengeance", "action", "Rotate")
    assert problem.problem == "this sentence is not finished"
    assert problem.completion
    assert "one card" in problem.completion.could_stand()


# While somebody writes -----------------------------------------------------------------------------------------------


def test_what_is_being_written_is_completed_from_the_place_to_the_caret():
    done = content("engines-of-vengeance").complete("Reset one card. Unrotate on", 27, "action")
    ways = {done.text[: done.place] + one.words for one in done.next}
    assert ways == {"Reset one card. Unrotate one card", "Reset one card. Unrotate one active card"}
    assert done.problem == "this sentence is not finished"


@pytest.mark.parametrize("game", games.keys())
def test_a_printed_sentence_is_followed_letter_by_letter(game: str):
    """At each letter the reading gets as far as the text, and what is said to come next comes next."""
    printed = content(game)
    for sentence, _, kind in list(printed.printed())[::12]:
        words = sentence.removesuffix(".")
        for at in range(len(words)):
            done = printed.reader.complete(words[:at], at, kind)
            on = [
                done.text[: done.place] + one.words.split("…")[0] for one in done.next if one.kind != "number"
            ]
            begins = any(words.lower().startswith(one.lower()) for one in on)
            number = any(one.kind == "number" for one in done.next)
            assert begins or number or words[done.place :].lstrip()[:1].isdigit(), (words[:at], on)


def test_what_was_read_is_told_with_its_rule():
    done = content("personal-vendetta").complete("Inflict 3 corpus.", 17, "benefit")
    assert not done.problem
    outermost = done.read[0]
    assert (outermost.start, outermost.end) == (0, len("Inflict 3 corpus"))
    assert outermost.phrase.rule == "PV-12.1"


def test_what_follows_the_caret_is_read_too():
    done = content("engines-of-vengeance").complete("Rotate one crad", 7, "action")
    assert "one card" in done.could_stand()
    assert (done.problem, done.column) == ("this says nothing the phrasebook knows", 11)


@pytest.mark.parametrize(
    "text", ["", " ", ".", "…", "\0", "1", "İ", "  Draw", "a", "[", "x" * 900, "9" * 5000, "1 tick, " * 200]
)
@pytest.mark.parametrize("game", games.keys())
def test_anything_may_be_written(game: str, text: str):
    printed = content(game)
    for field in printed.texts:
        for at in {0, len(text)}:
            done = printed.complete(text, at, field)
            assert 0 <= done.place <= len(text)


# The article as a number ---------------------------------------------------------------------------------------------


def a_reader() -> Reader:
    book = Phrasebook()
    book.words("thing", ("card(s)", "artifact(s)"))
    book.effect("draw {n:number} {what:thing}")(lambda play, n, what: (n, what))
    book.effect("play {n:amount} card(s)")(lambda play, n: n)
    book.effect("add a(n) {what:thing}", "add {n:number} {what:thing}")(lambda play, what, n=0: n)
    book.effect("gain {n:number}Ç")(lambda play, n: n)
    book.amount("X+{n:number}")(lambda play, n: n)
    return Reader(book, [])


@pytest.mark.parametrize("sentence", ["draw a card", "draw an artifact", "play a card", "Draw a card"])
def test_an_article_is_a_one_and_is_printed_as_it_was_written(sentence: str):
    said = a_reader().read(sentence, "effect")
    assert said.text == sentence.lower()
    assert said.constant.get("n", 1) == 1


def test_where_an_article_is_just_an_article_it_is_no_number():
    said = a_reader().read("add a card", "effect")
    assert said.phrase.pattern == "add a(n) {what:thing}"


@pytest.mark.parametrize(
    "sentence", ["draw an card", "draw a artifact", "gain aÇ", "play X+a card", "draw acard"]
)
def test_an_article_stands_alone_and_agrees_with_its_word(sentence: str):
    with pytest.raises(Unreadable):
        a_reader().read(sentence, "effect")


def test_an_article_works_on_cards():
    said: Any = content("chapter-of-resonance").reader.read("Draw a Herb", "ability")
    (draw,) = said.filled["then"]
    assert draw.constant["n"] == 1
    assert said.text == "draw a Herb"
