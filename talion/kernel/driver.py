"""Driving a match: from ask to ask within a step, and from step to step, until somebody is asked or the match ends."""

from __future__ import annotations

from collections.abc import Callable
from inspect import CO_GENERATOR
from types import FunctionType, GeneratorType
from typing import Any, Generic

from .asks import Again, Ask, Asking, First, Go, Option, Over, Result, S, Standing, Step, Together, Window
from .game import Game
from .listening import Listener
from .log import Log
from .past import Entry, Origin
from .places import Misuse, place_of, place_of_return, place_of_yield
from .state import State

_AT_ONCE = 100
_ENDLESS = 10_000
"""How many steps are run at once, and how often that without an ask, before a match is taken to hang."""
BEGINS = object()
"""What is yielded in place of an ask when a step begins whose beginning is to be kept."""


class Row:
    """One seat's part of a Together: its generator, and what it has chosen."""

    __slots__ = ("ask", "asking", "choice", "done")

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.ask: Ask | None = None
        self.choice: Any = None
        self.done = False
        self.send(None)

    def send(self, answer: Any) -> None:
        try:
            self.ask = self.asking.send(answer)
        except StopIteration as stop:
            self.ask, self.choice, self.done = None, stop.value, True


class Driver(Generic[S]):
    """The steps of a match, and whatever they wait for."""

    __slots__ = (
        "_answers",
        "_asking",
        "_base",
        "_fresh",
        "_handler",
        "_listener",
        "_rows",
        "entries",
        "game",
        "log_lines",
        "logged",
        "origin",
        "record",
        "result",
        "t",
        "waits",
    )

    def __init__(self, game: Game[S], t: S) -> None:
        self.game = game
        self.t = t
        """The state, of the game's own kind."""
        self.entries: list[Entry] = []
        """What happened since it began."""
        self.record: list[Entry] | None = None
        """Every entry since `origin`; None for a match that is only played out."""
        self.origin: Origin | None = None
        self.result: Result | None = None
        self.log_lines: Log | None = None
        self.logged: list[int] = []
        """How many lines each observer's log had when the step began."""
        self._base: S | None = None
        """The state when the step began."""
        self._asking: Asking = driving(t, t.step_begun or game.start)
        """The steps, one after the other, as `driving` takes them."""
        self._handler: Asking | None = None
        """A standing ask that was answered and is being carried out."""
        self.waits: Ask | Together | First | Window | None = None
        """What is waited for; None before a match begins and when it is over."""
        self._rows: dict[int, Row] | None = None
        """What each seat has chosen so far in a Together."""
        self._answers: dict[int, Option] = {}
        """The answers so far in a Window."""
        self._listener: Listener | None = None
        self._fresh = False
        """Whether it has not begun: a fast match begins when somebody looks or it is played out."""

    @property
    def step(self) -> tuple[Step, tuple[Any, ...]]:
        """The step that waits: the last one begun that may ask."""
        return _next(self.t.step_begun or self.game.start, self.game.start)

    @property
    def pending(self) -> dict[int, Ask]:
        """Who is asked what, now."""
        if self._fresh:
            self._fresh = False
            self._send(None)
        waits = self.waits
        if type(waits) is Ask:
            return {waits.seat: waits}
        if type(waits) is Window:
            answers = self._answers
            return {seat: ask for seat, ask in waits.asks.items() if seat not in answers}
        if isinstance(waits, First):
            return dict(waits.asks)
        if self._rows is not None:
            return {seat: row.ask for seat, row in self._rows.items() if row.ask is not None}
        return {}

    @property
    def standing(self) -> dict[int, list[Standing]]:
        """Asks that are open though nothing waits for them, by seat. Only those with an option."""
        found: dict[int, list[Standing]] = {}
        if self.game.standing and self.waits is not None and self._handler is None:
            for standing in self.game.standing(self.t):
                if standing.ask.open(self.t):
                    found.setdefault(standing.ask.seat, []).append(standing)
        return found

    # Answers -----------------------------------------------------------------------------------------------------

    def _give(self, seat: int, what: Any) -> None:
        """Hands a seat's answer to whoever waits for it."""
        waits = self.waits
        if type(waits) is Window:
            self._answers[seat] = what
            acts = waits.acts(self._answers)
            if acts is not None:
                self._answers = {}
                self._send(acts)
        elif self._rows is not None:
            self._answer_row(seat, what)
        elif type(waits) is First:
            self._send((seat, what))
        else:
            self._send(what)

    def _answer_row(self, seat: int, option: Option) -> None:
        rows = self._rows
        assert rows is not None
        rows[seat].send(option)
        if all(row.done for row in rows.values()):
            self._rows = None
            self._send({seat: row.choice for seat, row in rows.items()})

    def _begin_standing(self, seat: int, option: Option) -> None:
        """Runs the handler of a standing ask; afterwards what was interrupted waits again."""
        found = next(s for s in self.standing[seat] if option in s.ask.open(self.t))
        held = (self.waits, self._rows, self._answers)

        def interrupt() -> Asking:
            handling = found.handler(self.t, seat, option)
            if isinstance(handling, GeneratorType):
                yield from handling
            return held

        self._handler = interrupt()
        self.waits, self._rows = None, None
        self._send(None)

    def _put_again(self, waits: Any, rows: dict[int, Row] | None, answers: dict[int, Option]) -> Any:
        """What was interrupted by a standing ask is asked again, its options worked out anew."""
        if rows is not None:
            for row in rows.values():
                if row.ask is not None:
                    row.ask.refresh()
            self._rows = rows
            return _Held(waits)
        if isinstance(waits, Window):
            self._answers = answers
            for ask in waits.asks.values():
                ask.refresh()
            return _Held(waits)
        for ask in [waits] if isinstance(waits, Ask) else waits.asks.values():
            ask.refresh()
        return waits

    # Steps -------------------------------------------------------------------------------------------------------

    def _enter(self, step: Step, args: tuple[Any, ...]) -> None:
        """Begins a step, and goes on from step to step until somebody is asked or the match ends."""
        self.t.step_begun = (step, *args)
        self._begin(self.t.step_begun)
        if self.t.kept:
            self._keep_beginning()
        self._send(None)

    def _begin(self, at: Any) -> None:
        """Stands before a step, given as steps are returned, with nothing of it done yet."""
        self._handler, self._asking = None, driving(self.t, at)

    def _keep_beginning(self) -> None:
        self._base = self.t.copy()
        self.entries = []
        if self.log_lines is not None:
            self.logged = [len(lines) for lines in self.log_lines.lines]

    def _send(self, answer: Any) -> None:
        """Hands an answer to whatever waits for it, and runs on to the next ask."""
        for _ in range(_ENDLESS):
            try:
                waits = (self._handler or self._asking).send(answer)
            except StopIteration as done:
                waits = self._done(done.value)
            except Over as end:
                return self._finish(end.result)
            except Go as leave:
                waits = None
                self._begin((leave.step, *leave.args))
            except Again:
                waits = None
                self._begin(self.t.step_begun)
            if waits is BEGINS:
                self._keep_beginning()
            elif waits is not None:
                self.waits = waits
                return None if type(waits) is Ask else self._await(waits)
            answer = None
        raise RuntimeError(f"{self.game.title} hangs in {self.step[0].__name__}: nobody is asked anything")

    def _done(self, returned: Any) -> Any:
        """The handler of a standing ask has ended: what it interrupted waits again. Or many steps have gone by."""
        if self._handler is None:
            self._begin(returned)
            return None
        self._handler = None
        return self._put_again(*returned)

    def _await(self, waits: Any) -> None:
        """Stands and waits for the answers of several seats, unless there is nobody among them to wait for."""
        if isinstance(waits, Window):
            self._answers = {}
            if not waits.asks:
                self._send([])
        elif isinstance(waits, Together):
            self._rows = {seat: Row(waits.row(self.t, seat)) for seat in waits.seats}
            if all(row.done for row in self._rows.values()):
                rows, self._rows = self._rows, None
                self._send({seat: row.choice for seat, row in rows.items()})
        elif isinstance(waits, _Held):
            self.waits = waits.waits
        elif not isinstance(waits, Ask | First):
            raise _no_ask(waits, self._handler or self._asking)

    def _finish(self, result: Result) -> None:
        self.result = result
        self.waits = self._rows = self._handler = None
        self.t.log(result.rule, "{why}", why=result.why)

    # Racing ------------------------------------------------------------------------------------------------------

    def _race(self, pick: Callable[[list[Any]], Any], limit: int) -> int:
        """Plays on with `pick` choosing, in a match that keeps nothing: answers go straight into the steps."""
        self._fresh = False
        t, waits, send = self.t, self.waits, self._asking.send
        answer: Any = None
        decisions = 0
        try:
            while True:
                if type(waits) is Ask:
                    if decisions >= limit:
                        break
                    decisions += 1
                    listed = waits.options
                    if type(listed) is not list:
                        listed = listed(t, waits.seat) if callable(listed) else listed
                        if type(listed) is not list:
                            listed = list(listed)
                    answer = pick(listed)
                elif type(waits) is Together and decisions < limit:
                    answer, made = _all_rows(t, waits, pick)
                    decisions += made
                elif type(waits) is Window and decisions < limit:
                    answer, made = _whole_window(t, waits, pick)
                    decisions += made
                elif waits is not None:
                    break
                try:
                    waits = send(answer)
                except StopIteration as many:
                    self._begin(many.value)
                    send, waits, answer = self._asking.send, None, None
        except Over as end:
            self._finish(end.result)
        except Go as leave:
            self._enter(leave.step, leave.args)
        except Again:
            self._enter(*self.step)
        else:
            self.waits = waits
            self._await(waits)
        return decisions


def driving(t: State, at: Any) -> Asking:
    """Goes on from step to step and yields what they ask. After many steps it returns the next one.

    A step is given as steps are returned, alone or with its arguments. This holds nothing but the state: a match that held
    what holds the match would be garbage for long.
    """
    step = at
    for _ in range(_AT_ONCE):
        t.effort = 0
        if type(at) is FunctionType:  # as most are
            step, asking = at, at(t)
        else:
            step, args = _next(at, step)
            asking = step(t, *args)
        if type(asking) is GeneratorType:
            t.step_begun = at
            if t.kept:
                if not step.__code__.co_flags & CO_GENERATOR:
                    _next(asking, step)
                yield BEGINS
            at = yield from asking
        else:
            at = asking
    return at


class _Held:
    """A Together or a Window that was interrupted and goes on with the answers it has."""

    __slots__ = ("waits",)

    def __init__(self, waits: Together | Window) -> None:
        self.waits = waits


def _all_rows(t: State, together: Together, pick: Callable[[list[Any]], Any]) -> tuple[dict[int, Any], int]:
    """Every seat's row of a Together, answered one after the other: nobody sees another's answers anyway."""
    chosen: dict[int, Any] = {}
    decisions = 0
    for seat in together.seats:
        row = together.row(t, seat)
        try:
            ask = next(row)
            while True:
                decisions += 1
                ask = row.send(pick(_listed(t, ask)))
        except StopIteration as done:
            chosen[seat] = done.value
    return chosen, decisions


def _listed(t: State, ask: Ask) -> list[Option]:
    """The options of an ask that nobody looks at again."""
    options = ask.options
    listed = options(t, ask.seat) if callable(options) else options
    return listed if type(listed) is list else list(listed)


def _whole_window(
    t: State, window: Window, pick: Callable[[list[Any]], Any]
) -> tuple[list[tuple[int, Option]], int]:
    """A window from its opening to its end. Where answers are collected, the order of serving makes no difference."""
    acts: list[tuple[int, Option]] = []
    left = list(window.asks.values())
    race, in_order = window.order == "first", window.order == "in order"
    for served in range(len(left)):
        ask = pick(left) if race else left[served]
        if race:
            left = [other for other in left if other is not ask]
        listed = _listed(t, ask)
        option = listed[0] if len(listed) == 1 else pick(listed)
        if option != ask.default:
            acts.append((ask.seat, option))
            if race or in_order:
                return acts, served + 1
    return acts, len(window.asks)


def _next(returned: Any, step: Step) -> tuple[Step, tuple[Any, ...]]:
    """What a step returned: the next step, alone or with its arguments."""
    if type(returned) is FunctionType:  # as most are
        return returned, ()
    next_one, args = (
        (returned[0], returned[1:]) if isinstance(returned, tuple) and returned else (returned, ())
    )
    if callable(next_one):
        return next_one, args
    if returned is None:
        raise Misuse(
            f"{place_of(step)} ends without naming the next step: return one, or end the match by t.over(…)."
        )
    here = place_of_return(step, returned)
    if isinstance(returned, GeneratorType):
        lambdas = " A step is a function of the rules with a name." if step.__name__ == "<lambda>" else ""
        raise Misuse(
            f"{here} returns a generator: a step that asks has a yield of its own, so write `return (yield from …)` there, "
            f"or return the function itself.{lambdas}"
        )
    raise Misuse(
        f"{here} returns {returned!r}, which is no step: return a function, with its arguments after it."
    )


def _no_ask(yielded: Any, asking: Asking | None) -> Misuse:
    """Somebody yielded what nobody can answer."""
    here = place_of_yield(asking)
    if isinstance(yielded, GeneratorType):
        return Misuse(f"{here} yields a generator ({yielded.__name__}): write `yield from` there.")
    what = "a list" if isinstance(yielded, list) else repr(yielded)
    return Misuse(f"{here} yields {what}, which is no ask: yield t.ask(…), or several in a Window.")
