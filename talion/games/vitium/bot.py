"""What is worth having in Vitium."""


def value(view, seat):
    """From 0 (lost) to 1 (won)."""
    return 0.5


def hint(view, option):
    return 0.0
