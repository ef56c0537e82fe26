"""Engines of Vengeance, by Chris Lyon: a Vigilante and a Detective, eighteen cards, three Acts."""

from pathlib import Path

from talion.kernel import Choice, Game

from . import rules
from .bot import hint, value
from .phrases import book, prints, validate

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
    start=rules.set_up_act,
    rules=rules,
    build=rules.build,
    folder=Path(__file__).parent,
    prints=prints,
    book=book,
    texts={"enter": "effect", "action": "effect", "special": "ability", "exhaust": "destination"},
    validate=validate,
    stands_in=lambda face, other: bool(face.owner == other.front.owner),
    standing=rules.standing,
    words=rules.words,
    means=rules.means,
    grave=rules.grave,
    phase=rules.phase,
    picture=rules.picture,
    value=value,
    hint=hint,
    choices=(
        Choice(
            "double_goal",
            "both",
            ("both", "turn_player", "nobody"),
            "Who is credited when both goals are met in one turn of Act 1 or 2.",
            "EV-R5",
        ),
        Choice(
            "always_play_act3",
            False,
            (False, True),
            "Play Act 3 even after a player has won two Acts.",
            "EV-R7",
        ),
        Choice(
            "draw_rule",
            "one",
            ("one", "refill_to_two"),
            "Draw one card a turn, or as many as bring the hand to two.",
            "EV-R11",
        ),
        Choice(
            "act2_variant",
            False,
            (False, True),
            "Act 2 begins with TURNCOAT up and two of the TAIL cards showing INTERROGATE.",
            "EV-V1",
        ),
        Choice(
            "act3_variant",
            False,
            (False, True),
            "Before Act 3 two unseen cards change decks, SUBVERT and KEEPING TABS put aside meanwhile.",
            "EV-V2",
        ),
    ),
)
