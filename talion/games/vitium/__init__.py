"""Vitium: lesser crime bosses of the Eleven Systems, their jobs, and each other's."""

from pathlib import Path

from talion.kernel import Choice, Game

from . import rules
from .bot import hint, value
from .phrases import book, moments
from .rules.fields import prints

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
    build=rules.build,
    folder=Path(__file__).parent,
    prints=prints,
    book=book,
    texts={"keywords": "keyword", "abilities": "line"},
    moments=moments,
    validate=rules.problems,
    reckon=rules.reckon,
    standing=rules.standing,
    facts=rules.FACTS,
    words=rules.words,
    means=rules.means,
    grave=rules.grave,
    phase=rules.phase,
    picture=rules.picture,
    plays_as=rules.plays_as,
    value=value,
    hint=hint,
    choices=(
        Choice(
            "decks",
            "",
            (),
            "A deck for each seat, by name, with commas; if empty, the printed ones in their order.",
            "VT-5.1",
            rules.check_names("deck"),
        ),
        Choice(
            "characters",
            "",
            (),
            "A character for each seat, by name, with commas; each deck's own if empty.",
            "VT-B18",
            rules.check_names("character"),
        ),
        Choice("progress_11_needs", 7, (7, 6), "Sabotage damage that is enough at progress 11.", "VT-B2"),
        Choice("risk_by", "total", ("total", "house"), "Which Influence the risk table reads.", "VT-B6"),
        Choice(
            "actor_must_live", True, (True, False), "Whether a pawn killed by risk loses its action.", "VT-B7"
        ),
        Choice("halves", "down", ("down", "up"), "How half of an odd number is rounded.", "VT-B10"),
        Choice(
            "nested", False, (False, True), "Whether maneuvers have maneuvering steps of their own.", "VT-B43"
        ),
        Choice(
            "joint_victory",
            "joint",
            ("joint", "boss", "highest"),
            "Who wins when several reach 8 Influence by one allotment.",
            "VT-B51",
        ),
        Choice(
            "later_seats_wealth",
            0,
            (0, 300),
            "Starting wealth that each later seat has more than the one before.",
            "VT-B72",
            rules.check_money,
        ),
    ),
)
