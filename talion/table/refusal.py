"""A polite no."""

from __future__ import annotations


class No(Exception):  # noqa: N818 - a refusal, not an error of ours
    """What somebody asked of a table cannot be; the message is for them."""

    def __init__(self, why: str, rule: str = "", status: int = 409) -> None:
        super().__init__(why)
        self.why = why
        self.rule = rule
        self.status = status
