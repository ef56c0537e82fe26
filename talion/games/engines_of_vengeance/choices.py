"""What may be chosen for a match: the rulings that can be turned, and the variants."""

from talion.kernel import Choice

CHOICES = (
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
)
