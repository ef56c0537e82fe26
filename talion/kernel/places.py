"""Where in a game's own files something stands, for messages to its author."""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path
from types import GeneratorType
from typing import Any


class Misuse(Exception):  # noqa: N818
    """A game does what none can: said in one sentence, which may name the place itself."""


def place_of(function: Any, line: int = 0) -> str:
    """`turn (tic_tac_toe.py, line 30)`: where it begins, or another line of it."""
    code = getattr(function, "__code__", None) or getattr(function, "gi_code", None)
    if code is None:
        return str(getattr(function, "__name__", function))
    return f"{function.__name__} ({Path(code.co_filename).name}, line {line or code.co_firstlineno})"


def place_of_yield(asking: Any) -> str:
    """Where a generator waits, in whatever it has gone into by `yield from`."""
    while isinstance(asking.gi_yieldfrom, GeneratorType):
        asking = asking.gi_yieldfrom
    return place_of(asking, asking.gi_frame.f_lineno if asking.gi_frame else 0)


def place_of_return(step: Any, returned: Any, only: bool = False) -> str:
    """The line of a step that returns this, if the text of the step tells; else where the step begins, or `only` that: nothing."""
    try:
        lines, begins = inspect.getsourcelines(step)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return "" if only else place_of(step)
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None and _is_it(node.value, returned):
            return place_of(step, begins + node.lineno - 1)
    return "" if only else place_of(step)


def _is_it(written: ast.expr, returned: Any) -> bool:
    """Whether what is written may have become this."""
    if isinstance(written, (ast.Tuple, ast.List)) and written.elts:
        alike = isinstance(returned, (tuple, list)) and len(returned) == len(written.elts)
        return alike and _is_it(written.elts[0], returned[0])
    if isinstance(written, ast.Constant):
        return bool(written.value == returned)
    if isinstance(written, ast.Lambda):
        return getattr(returned, "__name__", "") == "<lambda>"
    called = isinstance(returned, GeneratorType)
    named = written.func if isinstance(written, ast.Call) and called else written
    word = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", None)
    return word is not None and word == getattr(returned, "__name__", "")
