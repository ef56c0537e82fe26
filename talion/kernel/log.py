"""What happened, worded for each audience when it happens. Every line names its rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .asks import Card
from .fields import Part
from .places import Misuse

if TYPE_CHECKING:
    from .state import State


def who(seat: int) -> str:
    """How a line names a seat, until a name is put in its place."""
    return f"@{seat}"


@dataclass(frozen=True, slots=True)
class Line:
    rule: str
    text: str

    def named(self, names: list[str]) -> str:
        """The text with the seats' names."""
        return re.sub(r"@(\d+)", lambda seat: names[int(seat[1])], self.text)


class Log:
    """The lines of every observer."""

    __slots__ = ("lines",)

    def __init__(self, observers: int) -> None:
        self.lines: list[list[Line]] = [[] for _ in range(observers)]

    def copy(self, until: Sequence[int] = ()) -> Log:
        """The same lines; or, for each observer, so many of the first."""
        twin = Log.__new__(Log)
        if until:
            twin.lines = [lines[:count] for lines, count in zip(self.lines, until, strict=True)]
        else:
            twin.lines = [lines[:] for lines in self.lines]
        return twin

    def add(self, t: State, rule: str, text: str, slots: dict[str, Any]) -> None:
        same: Line | None = None
        secret = any(_has_card(value) for value in slots.values())
        for observer, lines in enumerate(self.lines):
            if same is None or secret:
                seat = None if observer == t.seats_taken else observer
                words = _filled(text, _worded(t, seat, slots))
                same = Line(rule, words[:1].upper() + words[1:])
            lines.append(same)


def _filled(text: str, slots: dict[str, str]) -> str:
    try:
        return text.format(**slots)
    except LookupError as missing:
        raise Misuse(f"t.log is given nothing for {{{missing.args[0]}}} in “{text}”") from None


def _has_card(value: Any) -> bool:
    return isinstance(value, Card) or (isinstance(value, (list, tuple)) and any(map(_has_card, value)))


def _worded(t: State, seat: int | None, slots: dict[str, Any]) -> dict[str, str]:
    """The slots of a line in words. A number in the slot `who` or `whom` is a seat."""
    return {
        name: who(value) if name in ("who", "whom") and isinstance(value, int) else _words(t, seat, value)
        for name, value in slots.items()
    }


def _words(t: State, seat: int | None, value: Any) -> str:
    if isinstance(value, Card):
        return t.game.card_name(t, value) if t.knows(seat, value) else "a card"
    if isinstance(value, Part):
        return who(value.seat) if value.seat is not None else type(value).__name__
    if isinstance(value, (list, tuple)):
        return listed([_words(t, seat, item) for item in value])
    return str(value)


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words) or "nothing"
    return f"{', '.join(words[:-1])} and {words[-1]}"
