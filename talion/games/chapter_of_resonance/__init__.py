"""Vengeance: A Chapter of Resonance, by Sergio Matsumoto: witches, one demon, and everybody acts at once."""

from pathlib import Path

from talion.kernel import Game, Strength, winners_payoff

from . import bot, checks, choices, phrases, picture, prints, rules, words

game = Game(
    key="chapter-of-resonance",
    title="Vengeance: A Chapter of Resonance",
    designer="Sergio Matsumoto",
    about="Witches pull at one demon, all at once and face down, until somebody's revenge is complete or it breaks free.",
    length="30 to 45 minutes",
    hidden="Hands, this round's choices, and the order of three stacks.",
    seats=(1, 2, 3, 4),
    version=2,
    longest=1500,
    state=rules.Coven,
    start=rules.set_up,
    rules=rules,
    folder=Path(__file__).parent,
    prints=prints.prints,
    book=phrases.book,
    texts={"texts": "ability", "text": "ability", "arrival": "ability", "passive": "ability"},
    said_in=phrases.said_in,
    build=rules.build,
    sources=rules.sources,
    standing=rules.standing,
    choices=choices.CHOICES,
    validate=checks.problems,
    stands_in=checks.stands_in,
    card_name=words.card_name,
    words=words.words,
    means=words.means,
    phase=picture.phase,
    picture=picture.picture,
    plays_as=lambda t, seat: t.face(t.witches[seat].witch[0]).name,
    turns="round",
    strength=Strength(easy=0.4, normal=120, hard=1200, manner={"onward": True, "each": True}),
    payoff=winners_payoff,  # CR-A48
    value=bot.value,
)
