"""A match: a game being played.

It keeps the state, the step that waits, and a copy of the state from the step's start with the entries since. Python cannot
copy a generator, so a copy of a match is a copy of that earlier state with those few entries played again. Save, undo,
look-ahead and replay come from the same mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import CO_GENERATOR
from pathlib import Path
from types import GeneratorType
from typing import Any, TypeVar

from .asks import (
    Again,
    Ask,
    Asking,
    First,
    Go,
    Illegal,
    Option,
    Over,
    Result,
    Standing,
    Step,
    Together,
    default_of,
)
from .chance import Chance
from .content import Content
from .dealing import Hidden
from .game import Game
from .listening import Listener
from .log import Line, Log
from .state import State
from .view import View

L = TypeVar("L", bound="Listener | None")
Entry = tuple[Any, ...]
"""`("answer", seat, option)`, `("default", seat, option)`, `("standing", seat, option)`, `("redeal", seat, chance)`,
and `("undo", None, None)`, which takes the last one back and is in no record itself."""

_ENDLESS = 10_000
"""Steps without an ask after which a match is taken to hang."""


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


class Match:
    """Made by `Match.new` or `Match.load`. All that happens to it goes through `answer`."""

    __slots__ = (
        "_asking",
        "_base",
        "_fresh",
        "_handler",
        "_keep",
        "_listener",
        "_rows",
        "_then",
        "_waits",
        "cards",
        "entries",
        "game",
        "log_lines",
        "logged",
        "origin",
        "record",
        "result",
        "step",
        "t",
    )

    def __init__(self, game: Game, t: State, cards: Path | None = None) -> None:
        self.game = game
        self.t: Any = t
        """The state, of the game's own kind."""
        self.cards = cards
        self.step: tuple[Step, tuple[Any, ...]] = (game.start, ())
        """The step that waits: the last one begun that may ask."""
        self.entries: list[Entry] = []
        """What happened since it began."""
        self.record: list[Entry] | None = None
        """Every entry since `origin`; None for a match that is only played out."""
        self.origin: Origin | None = None
        self.result: Result | None = None
        self.log_lines: Log | None = None
        self.logged: list[int] = []
        """How many lines each observer's log had when the step began."""
        self._base: State | None = None
        self._asking: Asking | None = None
        self._then = self.step
        """The step to begin when nothing is asking."""
        self._handler: Asking | None = None
        """A standing ask that was answered and is being carried out."""
        self._waits: Ask | Together | First | None = None
        self._rows: dict[int, Row] | None = None
        self._keep = False
        """Whether each step's beginning is kept, for copies."""
        self._listener: Listener | None = None
        self._fresh = False
        """Whether it has not begun: a fast match begins when somebody looks or it is played out."""

    # Beginning ---------------------------------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        game: Game,
        seats: int,
        seed: int | str = 0,
        options: Mapping[str, Any] | None = None,
        *,
        cards: Path | None = None,
        fast: bool = False,
        logged: bool = True,
        content: Content | None = None,
        chance: Chance | None = None,
        renumbered: Callable[[State], Sequence[int]] | None = None,
    ) -> Match:
        """A match from its beginning. `fast`: no log, no copies, no knowledge.
        Without `logged` there is no log, for matches of which nobody reads it.

        Checks may put a `chance` of their own in the seed's place, or give the cards other numbers (`renumbered`).
        """
        if seats not in game.seats:
            may = _seats_in_words(game.seats)
            raise Illegal(f"{game.title} is played by {may}, not by {seats}.")
        content = content or game.content(cards)
        t = game.state.prepared(game, content, seats, chance or Chance.of(seed), options or {}, not fast)
        match = cls(game, t, cards)
        if renumbered:
            t.renumber(renumbered(t))
        if fast:
            match._fresh = True
            return match
        match.log_lines = t.lines = Log(seats + 1) if logged else None
        match.record, match._keep = [], True
        match.origin = Origin(seats=seats, options=dict(options or {}), seed=seed)
        match._enter(game.start, ())
        return match

    @classmethod
    def at(
        cls,
        t: State,
        step: Step,
        args: tuple[Any, ...],
        origin: Origin | None = None,
        cards: Path | None = None,
    ) -> Match:
        """A match that begins in the middle: in this state, with this step."""
        match = cls(t.game, t, cards)
        match.log_lines = t.lines = Log(t.seats_taken + 1)
        match.record, match._keep = [], True
        match.origin = origin or Origin(
            seats=t.seats_taken, options=t.options, state=t.write(), step=(step.__name__, args)
        )
        for observer, lines in enumerate(match.origin.log):
            match.log_lines.lines[observer] = [Line(rule, text) for rule, text in lines]
        match._enter(step, args)
        return match

    # Looking -----------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def seats(self) -> int:
        return int(self.t.seats_taken)

    @property
    def pending(self) -> dict[int, Ask]:
        """Who is asked what, now."""
        if self._fresh:
            self._fresh = False
            self._send(None)
        waits = self._waits
        if isinstance(waits, Ask):
            return {waits.seat: waits}
        if isinstance(waits, First):
            return dict(waits.asks)
        if self._rows is not None:
            return {seat: row.ask for seat, row in self._rows.items() if row.ask is not None}
        return {}

    @property
    def together(self) -> Together | None:
        """The sealed choice of several seats that is going on, if one is."""
        return self._waits if self._rows is not None and isinstance(self._waits, Together) else None

    @property
    def waiting_for(self) -> list[int]:
        """The seats that are seen to be choosing. Who of several sealed choosers is done is not seen."""
        return sorted(self._rows) if self._rows is not None else sorted(self.pending)

    @property
    def standing(self) -> dict[int, list[Standing]]:
        """Asks that are open though nothing waits for them, by seat. Only those with an option."""
        found: dict[int, list[Standing]] = {}
        if self.game.standing and self._waits is not None and self._handler is None:
            for standing in self.game.standing(self.t):
                if standing.ask.open(self.t):
                    found.setdefault(standing.ask.seat, []).append(standing)
        return found

    def options(self, seat: int) -> list[Option]:
        """What a seat may answer now."""
        ask = self.pending.get(seat)
        return ask.open(self.t) if ask else []

    def listen(self, listener: L) -> L:
        """Somebody hears what happens in this match from now on, in place of whoever did; None: nobody does."""
        self._listener = listener
        if listener is not None:
            listener.begins(self)
        return listener

    def still(self) -> Match:
        """The table and the log as they are this instant, be it in the middle of a step: to look at, not to play on."""
        twin = Match(self.game, self.t.copy(), self.cards)
        twin.result = self.result
        twin.log_lines = None if self.log_lines is None else self.log_lines.copy()
        return twin

    def view(self, seat: int | None) -> Any:
        """What one seat (or a watcher: None) may know, and nothing else."""
        return View(self, seat)

    def log(self, seat: int | None) -> list[Line]:
        """What happened, as that seat may know it."""
        return [] if self.log_lines is None else self.log_lines.lines[self.t.observer(seat)]

    @property
    def number(self) -> int:
        """How many entries the record has: what the next one answers to."""
        return len(self.record or ())

    # Answering ---------------------------------------------------------------------------------------------------

    def answer(self, seat: int, option: Option) -> None:
        """A seat chooses an option. If it may not, raises `Illegal` and nothing has changed."""
        ask = self.pending.get(seat)
        if ask is not None and option in ask.open(self.t):
            return self.apply(("answer", seat, option))
        if any(option in standing.ask.open(self.t) for standing in self.standing.get(seat, ())):
            return self.apply(("standing", seat, option))
        raise self._refusal(seat, option, ask)

    def default(self, seat: int) -> None:
        """Answers for a seat that is out of time or gone."""
        ask = self.pending.get(seat)
        if ask is None:
            raise Illegal("This seat is not asked anything now.")
        self.apply(("default", seat, default_of(ask, self.t)))

    def _refusal(self, seat: int, option: Option, ask: Ask | None) -> Illegal:
        if self.over:
            return Illegal("The match is over.")
        if ask is None:
            return Illegal("It is not your turn to choose.")
        for no in ask.closed(self.t):
            if no.option == option:
                return Illegal(no.why, no.rule)
        return Illegal(f"That is not one of the options: {ask.prompt}.", ask.rule)

    def why_not(self, seat: int) -> list[tuple[Option, str, str]]:
        """Every option that is closed to a seat now, with its rule and reason."""
        ask = self.pending.get(seat)
        return [(no.option, no.rule, no.why) for no in ask.closed(self.t)] if ask else []

    def apply(self, entry: Entry) -> None:
        """Records an entry and plays on, without a check: for entries of a record, or of one's own making."""
        if entry[0] == "undo":
            self.undo()
            return
        if self.record is not None:
            self.record.append(entry)
        # Only what happens is heard, not what is read when somebody looks at the options.
        self.t.listener = self._listener
        try:
            self._follow(entry)
        finally:
            self.t.listener = None

    def _follow(self, entry: Entry) -> None:
        kind, seat, what = entry
        if kind == "redeal" and not isinstance(what, tuple):
            # In a record only the chance is kept. What the seat does not know is found again here, while everybody's
            # knowledge is there, and kept for copies without it.
            what = (what, self.hidden(seat))
        self.entries.append((kind, seat, what))
        if kind == "standing":
            self._begin_standing(seat, what)
        elif kind == "redeal":
            state, hidden = what
            self._deal_anew(seat, hidden, Chance(state))
        elif self._rows is not None:
            self._answer_row(seat, what)
        elif isinstance(self._waits, First):
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
        held = (self._waits, self._rows)

        def interrupt() -> Asking:
            handling = found.handler(self.t, seat, option)
            if isinstance(handling, GeneratorType):
                yield from handling
            return held

        self._handler = interrupt()
        self._waits, self._rows = None, None
        self._send(None)

    # Driving -----------------------------------------------------------------------------------------------------

    def _enter(self, step: Step, args: tuple[Any, ...]) -> None:
        """Begins a step, and goes on from step to step until somebody is asked or the match ends."""
        self._asking, self._then = None, (step, args)
        self._stand()
        self._send(None)

    def _stand(self) -> None:
        """Stands at the beginning of a step, with nothing of it done yet."""
        self.step = self._then
        if self._keep:
            self._base = self.t.copy()
            self.entries = []
            if self.log_lines is not None:
                self.logged = [len(lines) for lines in self.log_lines.lines]

    def _send(self, answer: Any) -> None:
        """Hands an answer to whatever waits for it, and runs on to the next ask."""
        for _ in range(_ENDLESS):
            try:
                waits = self._resume(answer)
            except Over as end:
                return self._finish(end.result)
            except Go as leave:
                self._handler = self._asking = waits = None
                self._then = (leave.step, leave.args)
            except Again:
                self._handler = self._asking = waits = None
                self._then = self.step
            if waits is not None:
                return self._await(waits)
            answer = None
        raise RuntimeError(f"{self.game.title} hangs in {self._then[0].__name__}: nobody is asked anything")

    def _await(self, waits: Any) -> None:
        """Stands and waits for an answer."""
        if isinstance(waits, _Held):
            self._waits = waits.together
            return
        self._waits = waits
        if isinstance(waits, Together):
            self._rows = {seat: Row(waits.row(self.t, seat)) for seat in waits.seats}
            if all(row.done for row in self._rows.values()):
                rows, self._rows = self._rows, None
                self._send({seat: row.choice for seat, row in rows.items()})

    def _leave(self, leave: Go | Over) -> None:
        """A step was left from its depth."""
        if isinstance(leave, Over):
            self._finish(leave.result)
        else:
            self._enter(leave.step, leave.args)

    def _resume(self, answer: Any) -> Any:
        """Runs the handler or the step to its next ask. None if it ended and the next one is to begin."""
        if self._handler is not None:
            try:
                return self._handler.send(answer)
            except StopIteration as done:
                self._handler = None
                return self._put_again(*done.value)
        if self._asking is None:
            step, args = self._then
            asks = may_ask(step)
            if asks:
                self._stand()
            self.t.effort = 0
            asking = step(self.t, *args)
            if not asks:
                self._then = _next(asking)
                return None
            self._asking = asking
        assert self._asking is not None
        try:
            return self._asking.send(answer)
        except StopIteration as done:
            self._asking, self._then = None, _next(done.value)
            return None

    def _put_again(self, waits: Any, rows: dict[int, Row] | None) -> Any:
        """What was interrupted by a standing ask is asked again, its options worked out anew."""
        if rows is not None:
            for row in rows.values():
                if row.ask is not None:
                    row.ask.refresh()
            self._rows = rows
            return _Held(waits)
        for ask in [waits] if isinstance(waits, Ask) else waits.asks.values():
            ask.refresh()
        return waits

    def _finish(self, result: Result) -> None:
        self.result = result
        self._waits = self._rows = self._handler = self._asking = None
        self.t.log(result.rule, "{why}", why=result.why)

    # Copying -----------------------------------------------------------------------------------------------------

    def copy(self) -> Match:
        """The same match, free to go another way."""
        twin = self._twin(knowing=self.t.know is not None)
        twin.record = None if self.record is None else self.record[:]
        twin.origin = self.origin
        if self.log_lines is not None:
            twin.log_lines = twin.t.lines = self.log_lines.copy()
        return twin

    def _twin(self, *, knowing: bool) -> Match:
        """A copy that has no past and no log."""
        base = self._base
        if base is None:
            raise RuntimeError("a fast match cannot be copied")
        t = base.copy(knowing=knowing) if self.result is None else self.t.copy(knowing=knowing)
        twin = Match(self.game, t, self.cards)
        twin._base = base
        twin.step = twin._then = self.step
        twin.logged = self.logged
        twin.result = self.result
        twin._replay(self.entries)
        return twin

    def _replay(self, entries: list[Entry]) -> None:
        """Plays entries of the current step again, silently, from its base state."""
        if self.result is None:
            self._send(None)
            for entry in entries:
                self._follow(entry)
        self._keep = True

    def without_log(self) -> Match:
        """A copy that has read nothing and writes nothing down: small to save, for a worker that thinks about it."""
        twin = self._twin(knowing=self.t.know is not None)
        twin.record = None if self.record is None else self.record[:]
        twin.origin = self.origin and self.origin.without_log()
        return twin

    def let_go(self) -> Match:
        """From here on this match is only played out: nothing is kept for copies."""
        self._keep, self._base, self.record = False, None, None
        self.t.know, self.t.lines, self.log_lines = None, None, None
        return self

    def hidden(self, seat: int) -> Hidden:
        """What a seat does not know at this decision, made ready for many a `redeal`."""
        return Hidden(self.t, seat)

    def redeal(self, seat: int, chance: Chance, *, fast: bool = False, hidden: Hidden | None = None) -> Match:
        """A copy at this very decision in which everything the seat does not know is dealt anew.

        It has no seed, no past and no log, and its chance is the given one: this is what search bots think with.
        `fast`: nobody's knowledge is kept from here on.
        """
        twin = self._twin(knowing=not fast)
        hidden = hidden or self.hidden(seat)
        twin.entries.append(("redeal", seat, (chance.state, hidden)))
        twin._deal_anew(seat, hidden, chance)
        return twin

    def _deal_anew(self, seat: int, hidden: Hidden, chance: Chance) -> None:
        self.t.redeal(seat, chance, hidden)
        self.t.chance = chance.fork()
        if self._rows is not None and isinstance(self._waits, Together):
            for other in self._rows:
                if other != seat:
                    self._rows[other] = Row(self._waits.row(self.t, other))
        for ask in self.pending.values():
            ask.refresh()

    def dealt_anew(self, seat: int, chance: Chance) -> Match:
        """A match that goes on from here, with a record of its own, as far as a seat knew: the rest is dealt anew."""
        twin = self.rebased()
        twin.apply(("redeal", seat, chance.state))
        return twin

    # Taking back ---------------------------------------------------------------------------------------------------

    def free_undo(self, seat: int) -> bool:
        """Whether a seat may take its last answer back at once: nothing was revealed, rolled or decided by another."""
        if not self.record or self.record[-1][0] != "answer" or self.record[-1][1] != seat:
            return False
        before = self.before(len(self.record) - 1)
        if before.t.know is None or self.t.know is None or self.over:
            return False
        return (before.t.know.seen, before.t.chance.state) == (self.t.know.seen, self.t.chance.state)

    def before(self, number: int) -> Match:
        """The match as it was when its record had this many entries."""
        if self.origin is None or self.record is None:
            raise RuntimeError("a match without a past cannot go back to it")
        return self.origin.replay(self.game, self.cards, self.record[:number], self.t.content)

    def undo(self) -> None:
        """Takes the last entry back. Whether that is allowed is for the caller to say."""
        assert self.record is not None
        if not self.record:
            raise Illegal("There is nothing to take back.")
        earlier = self.before(len(self.record) - 1)
        earlier._listener = self._listener
        for slot in self.__slots__:
            setattr(self, slot, getattr(earlier, slot))

    def before_step(self) -> list[list[Line]]:
        """Everybody's log up to the beginning of the current step; nothing, if there is no log."""
        if self.log_lines is None:
            return []
        return [lines[:count] for lines, count in zip(self.log_lines.lines, self.logged, strict=True)]

    def rebased(self) -> Match:
        """The same match with a record that begins at the current step, its state written out.

        So a running match can be stored in full, and goes on though its game's version or cards change.
        """
        twin = self.copy()
        assert self._base is not None and self.origin is not None
        step, args = self.step
        twin.origin = Origin(
            seats=self.seats,
            options=self.origin.options,
            state=self._base.write(),
            step=(step.__name__, args),
        )
        twin.record = [_as_recorded(entry) for entry in self.entries]
        return twin

    # Playing out ---------------------------------------------------------------------------------------------------

    @property
    def single(self) -> Ask | None:
        """The ask that waits, if it is the only one."""
        waits = self._waits
        return waits if type(waits) is Ask else None

    def go_on(self, seat: int, option: Option) -> None:
        """Answers with an option that was taken from the ask itself: no check. For bots, in matches they imagine."""
        if self._keep or self._listener or type(self._waits) is not Ask:
            self.apply(("answer", seat, option))
        else:
            self._send(option)

    def play_out(self, pick: Callable[[list[Any]], Any], limit: int = 1_000_000) -> int:
        """Plays on with `pick` choosing for every seat, without a check. Returns the number of decisions."""
        decisions = 0
        while self.result is None and decisions < limit:
            if (
                not (self._keep or self._handler or self._rows or self._listener)
                and type(self._waits) is not First
            ):
                decisions += self._race(pick, limit - decisions)
                continue
            decisions += 1
            pending = self.pending
            seat = pick(list(pending))
            self.apply(("answer", seat, pick(pending[seat].open(self.t))))
        return decisions

    def _race(self, pick: Callable[[list[Any]], Any], limit: int) -> int:
        """`play_out` for a match that keeps nothing: answers go straight into the steps."""
        self._fresh = False
        t, waits, asking = self.t, self._waits, self._asking
        step, args = self._then if asking is None else self.step
        at: Any = (step, *args)
        answer: Any = None
        decisions = 0
        try:
            while True:
                if type(waits) is Ask:
                    if decisions >= limit:
                        break
                    decisions += 1
                    options = waits.options
                    listed = options(t, waits.seat) if callable(options) else options
                    answer = pick(listed if type(listed) is list else list(listed))
                elif type(waits) is Together and decisions < limit:
                    answer, made = _all_rows(t, waits, pick)
                    decisions += made
                elif waits is not None:
                    break
                while True:
                    if asking is not None:
                        try:
                            waits = asking.send(answer)
                            break
                        except StopIteration as done:
                            at = done.value
                        answer = None
                    t.effort = 0
                    asking = at(t) if type(at) is not tuple else at[0](t, *at[1:])
                    if type(asking) is not GeneratorType:
                        at, asking = asking, None
        except (Go, Over) as leave:
            self._leave(leave)
            return decisions
        except Again:
            self._enter(*_next(at))
            return decisions
        self._asking, self.step = asking, _next(at)
        self._await(waits)
        return decisions

    # Writing down --------------------------------------------------------------------------------------------------

    def save(self, *, written_out: bool = False) -> str:
        """The match as a text that a person can read; `written_out`: its state instead of its past."""
        from .record import write, write_out

        return write_out(self) if written_out else write(self)

    @classmethod
    def load(cls, text: str, find: Callable[[str], Game], cards: Path | None = None) -> Match:
        from .record import read

        return read(text, find, cards)


class _Held:
    """A Together that was interrupted and goes on with the rows it has."""

    __slots__ = ("together",)

    def __init__(self, together: Together) -> None:
        self.together = together


class Origin:
    """Where a record begins: a seed, or a state written out and a step to begin in."""

    def __init__(
        self,
        *,
        seats: int,
        options: dict[str, Any],
        seed: int | str | None = None,
        state: dict[str, Any] | None = None,
        step: tuple[str, tuple[Any, ...]] | None = None,
        log: Any = (),
    ) -> None:
        self.seats = seats
        self.options = options
        self.seed = seed
        self.state = state
        self.step = step
        self.log = log
        """What everybody had read before: for each observer, rules and texts."""

    def without_log(self) -> Origin:
        """The same beginning, as if nobody had read anything before."""
        return Origin(
            seats=self.seats, options=self.options, seed=self.seed, state=self.state, step=self.step
        )

    def begin(self, game: Game, cards: Path | None = None, content: Content | None = None) -> Match:
        if self.seed is not None:
            return Match.new(game, self.seats, self.seed, self.options, cards=cards, content=content)
        assert self.state is not None and self.step is not None
        content = content or game.content(cards)
        chosen = game.chosen(self.options, content, self.seats)
        t = game.state.begin(game, content, self.seats, Chance(0), chosen)
        t.read(self.state)
        name, args = self.step
        return Match.at(t, game.step(name), args, self, cards)

    def replay(
        self, game: Game, cards: Path | None, entries: list[Entry], content: Content | None = None
    ) -> Match:
        match = self.begin(game, cards, content)
        for entry in entries:
            match.apply(entry)
        return match


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
                ask = row.send(pick(ask.open(t)))
        except StopIteration as done:
            chosen[seat] = done.value
    return chosen, decisions


def may_ask(step: Step) -> bool:
    """Whether a step is a generator. One that is not runs through, so no match ever waits in it."""
    return bool(step.__code__.co_flags & CO_GENERATOR)


def _as_recorded(entry: Entry) -> Entry:
    kind, seat, what = entry
    return (kind, seat, what[0]) if kind == "redeal" else entry


def _next(returned: Any) -> tuple[Step, tuple[Any, ...]]:
    """What a step returned: the next step, alone or with its arguments."""
    if isinstance(returned, tuple):
        return returned[0], returned[1:]
    if returned is None:
        raise RuntimeError("a step ended without naming the next one")
    if isinstance(returned, GeneratorType):
        raise RuntimeError("a step that asks must be a generator function itself")
    return returned, ()


def _seats_in_words(seats: tuple[int, ...]) -> str:
    words = [str(number) for number in seats]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
