"""A run that can be interrupted and taken up again: a file with a head that says which run it is, and a line for each match."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from . import BadFile

KeptLine = dict[str, Any]
Known = TypeVar("Known")


class RunFile:
    """The file of a run. Without a path nothing is kept."""

    def __init__(self, path: Path | None, head: Mapping[str, Any], what: str, differs: str) -> None:
        self.path = path
        self.head = head
        self.what = what
        """What it holds, in a word: a duel, a ladder."""
        self.differs = differs
        """In what the run of another head can differ."""

    def read(self, meaning: Callable[[list[KeptLine]], Known]) -> Known:
        """What the lines mean. A file of another run is refused, and so is one that is none of ours."""
        if self.path is None or not self.path.exists() or self._is_new():
            return meaning([])
        try:
            head, *lines = [json.loads(line) for line in self._whole_lines().splitlines()]
            known = meaning(lines)
        except (ValueError, KeyError, TypeError, AttributeError, OSError):
            raise BadFile(
                f"{self.path} is not a {self.what} that can be taken up again; name another file."
            ) from None
        if head != self.head:
            raise BadFile(f"{self.path} holds a {self.what} of {self.differs}; name another file.")
        return known

    @contextmanager
    def adding(self) -> Iterator[Callable[[KeptLine], None]]:
        """Adds lines, each kept as soon as it is written."""
        if self.path is None:
            yield lambda line: None
            return
        if self.path.exists():
            os.truncate(self.path, len(self._whole_lines()))
        with self.path.open("a", encoding="utf-8") as file:
            if self._is_new():
                print(json.dumps(self.head), file=file, flush=True)
            yield lambda line: print(json.dumps(line), file=file, flush=True)

    def _is_new(self) -> bool:
        """Nothing was written yet: one may have been interrupted before."""
        return self.path is not None and self.path.is_file() and not self.path.stat().st_size

    def _whole_lines(self) -> bytes:
        """Without a last line of which only a part was written when the machine went down."""
        assert self.path is not None
        written = self.path.read_bytes()
        return written[: written.rfind(b"\n") + 1]
