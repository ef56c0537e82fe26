"""Engines of Vengeance, by Chris Lyon: a Vigilante and a Detective, eighteen cards, three Acts."""

from pathlib import Path

from talion.kernel import Game, Strength

from . import bot, checks, choices, phrases, picture, prints, rules, words

game = Game(
    key="engines-of-vengeance",
    title="Engines of Vengeance",
    designer="Chris Lyon",
    about="A Vigilante piles up bodies, a Detective evidence, with cards that turn, tire and change sides.",
    length="20 to 40 minutes",
    hidden="Hands and decks.",
    seats=(2,),
    version=2,
    longest=3 * 120 * 16,
    state=rules.Desk,
    start=rules.set_up,
    rules=rules,
    folder=Path(__file__).parent,
    prints=prints.prints,
    book=phrases.book,
    texts={"enter": "effect", "action": "effect", "special": "ability", "exhaust": "destination"},
    build=rules.build,
    standing=rules.standing,
    choices=choices.CHOICES,
    validate=checks.problems,
    stands_in=checks.stands_in,
    words=words.words,
    means=words.means,
    grave=words.grave,
    phase=picture.phase,
    picture=picture.picture,
    turns="turns",
    strength=Strength(easy=0.3, normal=250, hard=2500, sober=(0.0, 0.33)),
    value=bot.value,
    hint=bot.hint,
)
