"""My Game: play a card, do what it says, be the first with ten points."""

from pathlib import Path

from talion.kernel import Game

from . import bot, phrases, picture, rules

game = Game(
    key="my-game",
    title="My Game",
    about="Two to four players, one deck: the first with ten points wins.",
    length="ten minutes",
    hidden="Hands and the deck.",
    seats=(2, 3, 4),
    longest=200,
    state=rules.Table,
    start=rules.set_up,
    rules=rules,
    folder=Path(__file__).parent,
    book=phrases.book,
    texts={"text": "effect"},
    build=rules.build,
    picture=picture.picture,
    value=bot.value,
)
