"""What is worth having in A Chapter of Resonance."""


def value(view, seat):
    return 0.5
