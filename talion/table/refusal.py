"""Polite refusals: what cannot be, and why, in a sentence for whoever asked."""

from __future__ import annotations


class No(Exception):  # noqa: N818 - a refusal, not an error of ours
    """What somebody asked of a table cannot be; the message is for them."""

    def __init__(self, why: str, rule: str = "", status: int = 409) -> None:
        super().__init__(why)
        self.why = why
        self.rule = rule
        self.status = status


class Unusable(Exception):  # noqa: N818 - a refusal
    """A database, an address or a file cannot be used as asked; the message says why in one sentence."""
