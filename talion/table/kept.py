"""What was drawn of a table for one audience, kept while it stays the same: after a move most of a table lies as it lay.

A part is kept under all that it was drawn of, as it was seen by that audience. What is kept for one is never shown to another,
nor does another's page come sooner for it: how long a page takes tells nobody what somebody else was shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from markupsafe import Markup

encoded = msgspec.json.Encoder().encode
Whole = dict[str, Markup]
Key = tuple[str, bytes, frozenset[int]]
MOST_BESIDE = 8
"""So many of what people have around a stage are kept: whoever sits there has one while they are asked and one while they are not,
and many may watch as one audience."""


class Kept:
    """The parts of the stage that was drawn last, the stage whole, and what each person has around it. `around` is what all
    parts look at."""

    def __init__(self, around: Any = None) -> None:
        self.around = around
        self._state: bytes | None = None
        self._whole: Whole | None = None
        self._parts: dict[Key, Markup] = {}
        self._earlier: dict[Key, Markup] = {}
        self._beside: dict[tuple[str, bytes], list[str]] = {}

    def begin(self, state: bytes) -> None:
        """The stage is to be drawn in this state. What was part neither of the last one nor of this is kept no longer."""
        if state != self._state:
            self._state, self._whole = state, None
            self._earlier, self._parts = self._parts, {}

    def whole(self, draw: Callable[[], Whole]) -> Whole:
        """The stage and the feed in this state."""
        if self._whole is None:
            self._whole = draw()
        return self._whole

    def part(self, key: Key, draw: Callable[[], Markup]) -> Markup:
        """What is drawn under a name of such facts."""
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = self._earlier[key] if key in self._earlier else draw()
        return part

    def beside(self, person: str, facts: Any, draw: Callable[[], list[str]]) -> list[str]:
        """What somebody has around the stage."""
        key = person, encoded(facts)
        kept = self._beside.pop(key, None)
        if kept is None:
            kept = draw()
        self._beside[key] = kept  # the ones looked at last stay
        if len(self._beside) > MOST_BESIDE:
            del self._beside[next(iter(self._beside))]
        return kept
