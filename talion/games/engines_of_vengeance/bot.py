"""What is worth having in Engines of Vengeance."""


def value(view, seat):
    """From 0 (the Act is lost) to 1 (it is won)."""
    return 0.5


def hint(view, option):
    return 0.0
