"""What may be chosen for a match: decks, characters, and the rulings that can be turned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from talion.kernel import Choice, Content

from .rules.setup import named_list


def check_names(kind: str) -> Callable[[Any, Content, int], str | None]:
    """An option that names one printed thing of a kind for each seat."""

    def check(value: Any, content: Content, seats: int) -> str | None:
        known = [thing["name"] for thing in content.other_things(kind)]
        names = named_list(str(value))
        for name in names:
            if name not in known:
                return f"there is no {kind} {name}; there are: {', '.join(known)}."
        if names and len(names) != seats:
            return f"name one {kind} for each of the {seats} seats, with commas between them."
        return None

    return check


def check_money(value: Any, content: Content, seats: int) -> str | None:
    return None if isinstance(value, int) and 0 <= value <= 5000 else "it is an amount of Ç from 0 to 5000."


CHOICES = (
    Choice(
        "decks",
        "",
        (),
        "A deck for each seat, by name, with commas; if empty, the printed ones in their order.",
        "VT-5.1",
        check_names("deck"),
    ),
    Choice(
        "characters",
        "",
        (),
        "A character for each seat, by name, with commas; each deck's own if empty.",
        "VT-B18",
        check_names("character"),
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
        check_money,
    ),
)
