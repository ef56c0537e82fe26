"""What may be chosen for a match: the rulings that can be turned, and the Demon."""

from typing import Any

from talion.kernel import Choice, Content


def demon_problem(wanted: Any, content: Content, seats: int) -> str | None:
    """CR-A36 A Demon is named by the first word of its card."""
    names = [face.name.split()[0] for face in content.faces if face.kind == "demon"]
    may = ("random", "none", *names)
    return None if wanted in may else f"there is no Demon {wanted}; it may be: {', '.join(may)}."


CHOICES = (
    Choice("actions", "sealed", ("sealed", "race"), "Sealed choices, or first come first served.", "CR-A14"),
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
    Choice("open_piles", "yes", ("yes", "no"), "Whether Artifacts and Incantations lie face up.", "CR-A15"),
    Choice(
        "demon",
        "random",
        ("random", "none"),
        text="The Demon card: random, none, or one by the first word of its name.",
        rule="CR-A36",
        check=demon_problem,
    ),
)
