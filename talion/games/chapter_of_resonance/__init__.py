"""Vengeance: A Chapter of Resonance, by Sergio Matsumoto: witches, one demon, and everybody acts at once."""

from pathlib import Path
from typing import Any

from talion.kernel import Choice, Content, Game, winners_payoff

from . import rules
from .bot import value
from .phrases import book, moments, validate
from .picture import picture
from .rules.fields import prints


def demon_problem(wanted: Any, content: Content, seats: int) -> str | None:
    """CR-A36 A Demon is named by the first word of its card."""
    names = [face.name.split()[0] for face in content.faces if face.kind == "demon"]
    may = ("random", "none", *names)
    return None if wanted in may else f"there is no Demon {wanted}; it may be: {', '.join(may)}."


game = Game(
    key="chapter-of-resonance",
    title="Vengeance: A Chapter of Resonance",
    designer="Sergio Matsumoto",
    about="Witches pull at one demon, all at once and face down, until somebody's revenge is complete or it breaks free.",
    length="30 to 45 minutes",
    hidden="Hands, this round's choices, and the order of three stacks.",
    seats=(1, 2, 3, 4),
    version=1,
    longest=1500,
    state=rules.Coven,
    start=rules.set_up,
    rules=rules,
    build=rules.build,
    folder=Path(__file__).parent,
    prints=prints,
    book=book,
    texts={"texts": "ability", "text": "ability", "arrival": "ability", "passive": "ability"},
    moments=moments,
    validate=validate,
    sources=rules.sources,
    standing=rules.standing,
    card_name=rules.card_name,
    words=rules.words,
    means=rules.means,
    phase=rules.phase,
    picture=picture,
    plays_as=lambda t, seat: t.face(t.witches[seat].witch[0]).name,
    payoff=winners_payoff,  # CR-A48
    value=value,
    choices=(
        Choice(
            "actions", "sealed", ("sealed", "race"), "Sealed choices, or first come first served.", "CR-A14"
        ),
        Choice(
            "activation_site",
            "origin",
            ("origin", "destination"),
            "Whether the ring card the Demon leaves is activated, or the one it reaches.",
            "CR-A1",
        ),
        Choice(
            "chain_loss",
            "always",
            ("always", "owned", "new"),
            "Which activations cost a Chain: all, those of somebody's objective, those that place a token.",
            "CR-A2",
        ),
        Choice(
            "tiebreak",
            "shared",
            ("shared", "hand"),
            "Whether fifth tokens at the same moment share the victory, or the fuller hand wins.",
            "CR-A5",
        ),
        Choice(
            "open_piles", "yes", ("yes", "no"), "Whether Artifacts and Incantations lie face up.", "CR-A15"
        ),
        Choice(
            "demon",
            "random",
            ("random", "none"),
            text="The Demon card: random, none, or one by the first word of its name.",
            rule="CR-A36",
            check=demon_problem,
        ),
    ),
)
