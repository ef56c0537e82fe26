"""Vitium: lesser crime bosses of the Eleven Systems, their jobs, and each other's."""

from pathlib import Path

from talion.kernel import Game, Strength

from . import bot, checks, choices, phrases, picture, prints, rules, words

game = Game(
    key="vitium",
    title="Vitium",
    designer="the author of Vitium (rules 0.5.6E)",
    about="Crime bosses hire pawns, run jobs face down, break each other's, and buy standing with six Houses.",
    length="45 to 90 minutes",
    hidden="Hands, decks, and what lies underway.",
    seats=(2, 3, 4, 5, 6),
    version=2,
    longest=200_000,
    state=rules.Table,
    start=rules.set_up,
    rules=rules,
    folder=Path(__file__).parent,
    prints=prints.prints,
    book=phrases.book,
    texts={"keywords": "keyword", "abilities": "line"},
    said_in=phrases.said_in,
    build=rules.build,
    reckon=rules.reckon,
    standing=rules.standing,
    facts=rules.FACTS,
    choices=choices.CHOICES,
    validate=checks.problems,
    words=words.words,
    means=words.means,
    grave=words.grave,
    phase=picture.phase,
    picture=picture.picture,
    plays_as=lambda t, seat: t.bosses[seat].character,
    turns="turns",
    strength=Strength(easy=0.16, normal=200, hard=2000, manner={"turns": True, "doubts": {"": 0.06}}),
    value=bot.value,
    hint=bot.hint,
)
