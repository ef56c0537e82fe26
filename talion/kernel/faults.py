"""What went wrong in a game, told to its author: one sentence, with the file, the line and the function.

An exception brings the calls that led to it, and what was in their variables. That is enough to say what was meant, after the
fact: nothing is looked at while all goes well.
"""

from __future__ import annotations

import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator
from inspect import isgeneratorfunction
from pathlib import Path
from types import FrameType, GeneratorType, MethodType, NoneType
from typing import Any, NamedTuple

from .asks import Ask, First, Together
from .chance import Chance
from .content import Face
from .driver import Driver
from .fields import Part, Pile
from .places import Misuse, place_of, place_of_return
from .plays import Play
from .state import State
from .tables import nearest

_TALION = str(Path(__file__).parent.parent)
_GAMES = str(Path(_TALION) / "games")
_PYTHON = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


class _Call(NamedTuple):
    """One of the calls that led to a problem, and the line it had come to."""

    frame: FrameType
    line: int

    @property
    def name(self) -> str:
        return self.frame.f_code.co_name

    @property
    def is_authors(self) -> bool:
        return is_authors(self.frame.f_code.co_filename)

    def of_kind(self, kind: type) -> Iterator[Any]:
        """What of this kind is in its variables."""
        return (value for value in self.frame.f_locals.values() if isinstance(value, kind))


def is_authors(file: str) -> bool:
    """Whether a file is a game's, and neither ours nor Python's."""
    if file.startswith(_TALION):
        return file.startswith(_GAMES)
    return not file.startswith(("<", *_PYTHON))


def in_words(problem: BaseException) -> str:
    """A problem in one sentence, with its place unless it names one itself."""
    if isinstance(problem, SyntaxError) and problem.filename:
        return f"{problem.msg} ({Path(problem.filename).name}, line {problem.lineno})"
    calls = [_Call(frame, line) for frame, line in traceback.walk_tb(problem.__traceback__)]
    last = max((i for i, call in enumerate(calls) if call.is_authors), default=-1)
    found = (read(problem, calls, last) for read in _READINGS)
    plain = str(problem) if isinstance(problem, Misuse) else f"{type(problem).__name__}: {problem}"
    words = next(filter(None, found), plain)
    if ", line " in words or not (place := _place(calls, last)):
        return words
    return f"{words} ({place})"


def is_of_a_game(problem: BaseException) -> bool:
    """Whether a problem arose in a game that somebody wrote beside Talion."""
    return any(
        is_authors(frame.f_code.co_filename) and not frame.f_code.co_filename.startswith(_TALION)
        for frame, _ in traceback.walk_tb(problem.__traceback__)
    )


def _place(calls: list[_Call], last: int) -> str:
    """The last line of a game's own that led there: `rules.py, line 30, in turn`; or the step that waited last."""
    if last >= 0:
        call = calls[last]
        names = [one.name for one in calls[: last + 1] if one.is_authors and not one.name.startswith("<")]
        within = f", in {names[-1]}" if names else ""
        return f"{Path(call.frame.f_code.co_filename).name}, line {call.line}{within}"
    waiting = (match for call in reversed(calls) for match in call.of_kind(Driver))
    match = next(waiting, None)
    return f"at or after the step {place_of(match.step[0])}" if match is not None else ""


# Readings: each says what one sort of problem means, or nothing if this is another --------------------------------------


def _nothing_offered(problem: BaseException, calls: list[_Call], last: int) -> str:
    """Somebody was to choose one of no options."""
    if not re.search("index out of range|empty", str(problem)):
        return ""
    for call in reversed(calls[last + 1 :]):
        if any(isinstance(match.waits, First) and not match.waits.asks for match in call.of_kind(Driver)):
            return "First asks nobody: give it one ask at least"
        waiting = [ask for match in call.of_kind(Driver) for ask in match.pending.values()]
        t = next((one.t for one in call.of_kind(Driver)), next(call.of_kind(State), None))
        for ask in (*call.of_kind(Ask), *waiting):
            if t is not None and not ask.open(t):
                return nothing_offered(ask)
    return ""


def nothing_offered(ask: Ask) -> str:
    """An ask without an option, which nobody can answer."""
    who = place_of(ask.options) if callable(ask.options) else "an ask"
    return (
        f"{who} offers seat {ask.seat} nothing for “{ask.prompt}”; there is always an option, if only to pass"
    )


def _no_row(problem: BaseException, calls: list[_Call], last: int) -> str:
    """A Together has something else than a function that asks one seat."""
    if not isinstance(problem, (AttributeError, TypeError)):
        return ""
    for call in reversed(calls[last + 1 :]):
        for together in call.of_kind(Together):
            row = together.row
            if not callable(row):
                return (
                    f"Together is given {described(row)}: give it the function itself, Together(row, seats)"
                )
            if not isgeneratorfunction(row) and re.search("'send'|not an iterator", str(problem)):
                return f"{place_of(row)} asks nobody: a row has a yield of its own, as in `return (yield t.ask(…))`"
    return ""


def _other_arguments(problem: BaseException, calls: list[_Call], last: int) -> str:
    """A function of the game was called by us, and takes something else."""
    called = re.match(r"(?:.*\.)?([\w<>]+)\(\) (takes .*|missing .*|got .*)", str(problem))
    if not isinstance(problem, TypeError) or not called or last == len(calls) - 1:
        return ""
    here = calls[-1].frame.f_locals
    begun = here.get("at") or (here.get("step"), *here.get("args", ()))
    step, *args = begun if isinstance(begun, tuple) else (begun,)
    if getattr(step, "__name__", "") == called[1]:
        given = ", ".join(["t", *map(described, args)])
        by = _returned_by(step, (step, *args))
        return f"{place_of(step)} {called[2]}: it is begun as {called[1]}({given}){by}"
    function = _named(called[1])
    return f"{place_of(function)} {called[2]}" if function else ""


def _returned_by(step: Any, returned: tuple[Any, ...]) -> str:
    """The step beside this one that goes on to it in this way, if only one does."""
    beside = vars(sys.modules[step.__module__]).values() if step.__module__ in sys.modules else ()
    one = returned if len(returned) > 1 else step
    found = {place_of_return(other, one, only=True) for other in beside if hasattr(other, "__code__")} - {""}
    return f", as {found.pop()} returns" if len(found) == 1 else ""


def _named(name: str) -> Any:
    """The function of a game that has this name, if there is one."""
    for module in list(sys.modules.values()):
        function = vars(module).get(name)
        code = getattr(function, "__code__", None)
        if code is not None and is_authors(code.co_filename):
            return function
    return None


_KINDS: dict[str, tuple[str, Any]] = {
    "Card": ("a card", int),
    "Pile": ("a zone", Pile),
    "Face": ("a face", Face),
    "Part": ("a part", Part),
    "int": ("a number", int),
    "float": ("a number", (int, float)),
    "str": ("a text", str),
    "None": ("None", NoneType),
}


def _wrong_argument(problem: BaseException, calls: list[_Call], last: int) -> str:
    """The game called something of ours with another kind of thing than it takes."""
    if last < 0 or last == len(calls) - 1:
        return ""
    frame = calls[last + 1].frame
    arguments = frame.f_code.co_varnames[: frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount]
    owner = frame.f_locals.get(arguments[0]) if arguments else None
    function: Any = getattr(type(owner), frame.f_code.co_name, None)
    wanted = getattr(function, "__annotations__", {})
    for name in arguments[1:]:
        value = frame.f_locals.get(name)
        several = re.fullmatch(r"(?:Iterable|Sequence)\[(\w+)\]", str(wanted.get(name, "")))
        kinds = (several[1] if several else str(wanted.get(name, ""))).split(" | ")
        if not all(kind in _KINDS for kind in kinds):
            continue
        words = " or ".join(_KINDS[kind][0] for kind in kinds)
        call = _call_of(owner, frame)
        if several and not isinstance(value, Iterable):
            return f"{call} takes a list as its {name}, each {words}, and gets {described(value)}"
        for item in value if several and isinstance(value, Collection) else [] if several else [value]:
            if not any(isinstance(item, _KINDS[kind][1]) for kind in kinds):
                return f"{call} takes {words} as its {name}, and gets {described(item)}"
    return ""


def _call_of(owner: Any, frame: FrameType) -> str:
    """How an author writes a call of ours: `t.move`."""
    name = frame.f_code.co_name
    for kind, holder in ((State, "t."), (Play, "play."), (Chance, "t.chance.")):
        if isinstance(owner, kind):
            return f"{holder}{name}"
    return type(owner).__name__ if name == "__init__" else f"{type(owner).__name__}.{name}"


def described(value: Any) -> str:
    """A value, as one would point at it."""
    if isinstance(value, GeneratorType):
        return f"a generator, {value.__name__}(…), that has not run: write `yield from`"
    if isinstance(value, Ask):
        return "an ask that nobody was asked: write `yield`"
    if isinstance(value, Face):
        return f"the face {value.name}"
    if isinstance(value, Part):
        return f"the part {type(value).__name__}"
    if isinstance(value, (MethodType, type)) or hasattr(value, "__code__"):
        return f"the function {value.__name__}"
    return repr(value)[:60]


def _misspelt(problem: BaseException, calls: list[_Call], last: int) -> str:
    """A field or a name that is not there, and the one that was perhaps meant."""
    if isinstance(problem, ImportError) and (
        missing := re.match(r"cannot import name '(\w+)'", str(problem))
    ):
        module = sys.modules.get(problem.name or "")
        return f"{problem.name} has no {missing[1]}{nearest(missing[1], dir(module))}"
    if isinstance(problem, NameError):
        return ""
    found = re.search(r"'(\w+)' object has no attribute '(\w+)'", str(problem))
    if not isinstance(problem, AttributeError) or not (found or problem.name):
        return ""
    name = found[2] if found else problem.name
    kind = type(problem.obj) if problem.obj is not None else _part_called(found[1] if found else "")
    if kind is None or (not issubclass(kind, Part) and problem.obj is None):
        return ""
    have = {
        *dir(problem.obj if problem.obj is not None else kind),
        *getattr(problem.obj or kind, "fields", ()),
    }
    said = found[0] if found else problem  # newer Pythons say more, of no use to an author
    return f"{said}{nearest(str(name), sorted(one for one in have if not one.startswith('_')))}"


def _part_called(name: str) -> type | None:
    """The kind of part that has this name."""
    waiting: list[type] = [Part]
    found = None
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        found = kind if kind.__name__ == name else found
    return found


def _not_yielded(problem: BaseException, calls: list[_Call], last: int) -> str:
    """An ask or a generator is used where its answer was meant."""
    found = re.search(r"'(Ask|generator)' object|non-iterable (Ask|generator) object", str(problem))
    if not isinstance(problem, (TypeError, AttributeError)) or not found:
        return ""
    write = "`yield t.ask(…)`" if "Ask" in found[0] else "`yield from …`"
    return f"{problem}: its answer is what {write} gives"


_READINGS: tuple[Callable[[BaseException, list[_Call], int], str], ...] = (
    _nothing_offered,
    _no_row,
    _other_arguments,
    _wrong_argument,
    _not_yielded,
    _misspelt,
)
