"""How a line is said in a terminal."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_BEGINNING = re.compile(r"\s*(?:\d+\. +|\S.*? {2,})?")
"""What stands before the words of a line: a number, or a name and a gap."""


def say(console: Console, text: str, style: str | None = None) -> None:
    """Prints lines as they are, whatever is in them. On a screen that is narrower than a line it goes on below its first word;
    a file or a program gets it whole."""
    if console.is_terminal:
        text = "\n".join(folded(line, console.width) for line in text.split("\n"))
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def folded(line: str, width: int) -> str:
    """A line in as many as it needs, broken between words."""
    begins = _BEGINNING.match(line)
    assert begins is not None  # it may match nothing
    indent = " " * min(begins.end(), width // 3)
    lines = textwrap.wrap(
        line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )
    return "\n".join(lines) if len(line) > width else line
