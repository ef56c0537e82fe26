"""Polite refusals: what cannot be, and why, in a sentence for whoever asked."""

from __future__ import annotations

CONCEDED = "You have given this match up."


class Refusal(Exception):  # noqa: N818 - a refusal, not an error of ours
    """What somebody asked of a table cannot be; the message is for them."""

    def __init__(self, why: str, rule: str = "", status: int = 409) -> None:
        super().__init__(why)
        self.why = why
        self.rule = rule
        self.status = status


class TooFast(Refusal):
    """Past a limit on rates."""

    def __init__(self, wait: float) -> None:
        super().__init__(f"That was too fast; try again in {wait:.1f} seconds.", status=429)
        self.wait = wait


class Unusable(Exception):  # noqa: N818 - a refusal
    """A database, an address or a file cannot be used as asked; the message says why in one sentence."""
