"""What may be chosen for a match: the rulings that can be turned."""

from talion.kernel import Choice

CHOICES = (
    Choice(
        "beginning_order",
        "gain_then_triggers",
        ("gain_then_triggers", "triggers_then_gain"),
        "Whether ticks come before or after the beginning triggers",
        "PV-R1",
    ),
    Choice(
        "first_clone",
        None,
        text="The seat that begins, instead of drawing lots",
        rule="PV-R2",
        check=lambda value, content, seats: (
            None
            if value is None or value in range(seats)
            else f"there is no seat {value} at a table of {seats}."
        ),
    ),
    Choice(
        "life_cap",
        None,
        text="The most corpus, and the most cerebrium, a clone can have",
        rule="PV-R6",
        check=lambda value, content, seats: (
            None if value is None or (isinstance(value, int) and value > 0) else "must be a number above 0."
        ),
    ),
    Choice(
        "reaction_order",
        "opponents_first",
        ("opponents_first", "active_first", "first_to_speak"),
        "Who is asked first to react",
        "PV-R11",
    ),
    Choice("targets_on_announce", False, (False, True), "Name the victim with the attack", "PV-R14"),
    Choice("leech_gain", "printed", ("printed", "actual"), "What a leech yields", "PV-R16"),
    Choice("allow_lethal_payment", True, (True, False), "Whether the last point may be paid", "PV-R19"),
    Choice(
        "turn_limit",
        300,
        text="After how many turns the match is a draw",
        rule="PV-R40",
        check=lambda value, content, seats: (
            None if isinstance(value, int) and 0 < value <= 1000 else "must be a number from 1 to 1000."
        ),
    ),
)
