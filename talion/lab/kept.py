"""A run that can be interrupted and taken up again: a file with a head that says which run it is, and a line for each match."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from . import BadFile

KeptLine = dict[str, Any]
Known = TypeVar("Known")


class Kept:
    """The file of a run."""

    def __init__(self, path: Path, head: Mapping[str, Any], what: str, differs: str) -> None:
        self.path = path
        self.head = head
        self.what = what
        """What it holds, in a word: a duel, a ladder."""
        self.differs = differs
        """In what the run of another head can differ."""

    def read(self, meaning: Callable[[list[KeptLine]], Known]) -> Known:
        """What the lines mean. A file of another run is refused, and so is one that is none of ours."""
        if not self.path.exists():
            return meaning([])
        try:
            head, *lines = [json.loads(line) for line in self.path.read_text("utf-8").splitlines()]
            known = meaning(lines)
        except (ValueError, KeyError, TypeError, AttributeError, OSError):
            raise BadFile(f"{self.path} is not a {self.what} that can be taken up again.") from None
        if head != self.head:
            raise BadFile(f"{self.path} holds a {self.what} of {self.differs}; name another file.")
        return known

    @contextmanager
    def adding(self) -> Iterator[Callable[[KeptLine], None]]:
        """Adds lines, each kept as soon as it is written."""
        with self.path.open("a", encoding="utf-8") as file:
            if not self.path.stat().st_size:
                print(json.dumps(self.head), file=file)
            yield lambda line: print(json.dumps(line), file=file, flush=True)
