"""Vengeance, by Gordon Calleja: wronged heroes, gang dens, and fights that are puzzles of dice."""

from pathlib import Path

from talion.kernel import Game, Strength

from . import rules
from .bot import hint, value
from .phrases import MOMENTS, book
from .rules.fields import prints
from .rules.options import choices, stands_in, validate
from .rules.picture import picture
from .rules.words import grave, means, phase, words

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
    build=rules.build,
    folder=Path(__file__).parent,
    prints=prints,
    book=book,
    moments=lambda face, field: MOMENTS.get(field, (field,)),
    texts={"text": "ability", "special": "ability", "suffer": "effect", "power": "trait", "goal": "mission"},
    facts={"regular": lambda face: not face.get("big")},
    words=words,
    means=means,
    grave=grave,
    phase=phase,
    picture=picture,
    plays_as=lambda t, seat: t.heroes[seat].name,
    strength=Strength(easy=25, normal=100, hard=1000),
    value=value,
    hint=hint,
    validate=validate,
    stands_in=stands_in,
    choices=choices,
)
