"""Vengeance, by Gordon Calleja: wronged heroes, gang dens, and fights that are puzzles of dice."""

from pathlib import Path

from talion.kernel import Game, Strength

from . import bot, checks, choices, phrases, picture, prints, rules, words

game = Game(
    key="vengeance",
    title="Vengeance",
    designer="Gordon Calleja",
    about="Wronged heroes prepare, scout the dens of gangs, and take revenge in fights that are puzzles of dice.",
    length="60 to 120 minutes",
    hidden="Vengeance cards in hand, face-down bosses, the Montage cards that are laid, all piles.",
    seats=(2, 3, 4),
    version=2,
    longest=5_000,
    state=rules.Vengeance,
    start=rules.set_up,
    rules=rules,
    folder=Path(__file__).parent,
    prints=prints.prints,
    book=phrases.book,
    texts={"text": "ability", "special": "ability", "suffer": "effect", "power": "trait", "goal": "mission"},
    said_in=phrases.said_in,
    build=rules.build,
    facts={"regular": lambda face: not face.get("big")},
    choices=choices.CHOICES,
    validate=checks.problems,
    stands_in=checks.stands_in,
    words=words.words,
    means=words.means,
    grave=words.grave,
    phase=picture.phase,
    picture=picture.picture,
    plays_as=lambda t, seat: t.heroes[seat].name,
    turns="turn",
    strength=Strength(
        easy=0.5,
        shrugs=0.025,
        normal=1600,
        hard=3200,
        manner={
            "turns": True,
            "doubts": {"attack": 0.15, "stay": 0.0, "keep all": 0.0, "end": 0.0, "done": 0.0},
        },
        sober=(-0.58, 1.06),
    ),
    value=bot.value,
    hint=bot.hint,
)
