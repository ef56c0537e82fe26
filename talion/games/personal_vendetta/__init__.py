"""Personal Vendetta, by Nick Meccia: clones fight to the death for the one life they all remember."""

from pathlib import Path

from talion.kernel import Game, Strength

from . import bot, checks, choices, phrases, picture, prints, rules, words

game = Game(
    key="personal-vendetta",
    title="Personal Vendetta",
    designer="Nick Meccia",
    about="Clones fight to the death for one life, and pay for every blow with body and mind.",
    length="20 to 40 minutes",
    hidden="the cards in each hand, the head, and cards set aside from it",
    seats=(2, 3, 4),
    version=2,
    longest=40_000,
    state=rules.Vendetta,
    start=rules.set_up,
    rules=rules,
    folder=Path(__file__).parent,
    prints=prints.prints,
    book=phrases.book,
    texts={
        "cost": "price",
        "reacts_to": "condition",
        "benefit": "effect",
        "penalty": "effect",
        "abilities": "ability",
        "afflictions": "ability",
    },
    said_in=phrases.said_in,
    build=rules.build,
    standing=rules.standing,
    choices=choices.CHOICES,
    validate=checks.problems,
    means=words.means,
    grave=words.grave,
    phase=picture.phase,
    picture=picture.picture,
    turns="turn",
    strength=Strength(easy=0.2, normal=200, hard=1600, manner={"onward": True}),
    value=bot.value,
    hint=bot.hint,
)
