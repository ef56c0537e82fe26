"""Where in a game's own files something stands, for messages to its author."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

_KERNEL = str(Path(__file__).parent)


class BadStep(Exception):  # noqa: N818
    """A step that does what no step can, with the file, the line and the step in one sentence."""


def place_of(function: Any) -> str:
    """`turn (tic_tac_toe.py, line 30)`."""
    code = getattr(function, "__code__", None)
    if code is None:
        return str(getattr(function, "__name__", function))
    return f"{function.__name__} ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def place_of_problem(problem: BaseException) -> str:
    """The last line of a game's own that led to a problem: `rules.py, line 30, in turn`."""
    found = ""
    trace: TracebackType | None = problem.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith(_KERNEL) and "/talion/testing/" not in code.co_filename:
            found = f"{Path(code.co_filename).name}, line {trace.tb_lineno}, in {code.co_name}"
        trace = trace.tb_next
    return found


def in_words(problem: BaseException) -> str:
    """A problem in one sentence, with its place unless it names one itself."""
    if isinstance(problem, BadStep):
        return str(problem)
    place = place_of_problem(problem)
    return f"{type(problem).__name__}: {problem}" + (f" ({place})" if place else "")
