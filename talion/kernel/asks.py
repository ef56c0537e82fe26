"""What a seat is asked, and the ways a step ends.

Every ask is: choose one of these options. Choosing several things is a short row of such asks.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .places import Misuse

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from .fields import Part
    from .state import State

    S = TypeVar("S", bound=State, default=Any)
else:
    from typing import TypeVar

    S = TypeVar("S")
"""The state of a game, by which matches and views of it are typed; `Match` alone is a match of any game."""

Option = tuple[Any, ...]
"""A small tuple of words, numbers, cards and places: `("take", card)`."""

Options = Callable[[Any, int], Iterable[Any]] | Iterable[Any]
Step = Callable[..., Any]
Asking = Generator[Any, Any, Any]
"""What a step is: a generator that yields asks and is sent answers."""


_new = object.__new__


class Card(int):
    """The number of one card of a match. Its own type, so that a view can tell cards from counters."""

    __slots__ = ()


class No:
    """An option that is not open, and the rule that closes it. Built only for somebody who asks why."""

    __slots__ = ("option", "rule", "why")

    def __init__(self, option: Option, rule: str, why: str) -> None:
        self.option = option
        self.rule = rule
        self.why = why


class Ask:
    """One decision of one seat: a prompt and the options, worked out when somebody looks."""

    __slots__ = ("_listed", "default", "minor", "options", "prompt", "rule", "seat", "secret", "window")

    seat: int
    options: Options
    prompt: str
    rule: str
    default: Option | None
    """The answer for a seat that is out of time or gone, and in a window its pass; without one, the first option."""
    secret: bool
    """The answer itself is not told to others (a face-down choice, a hidden order): two worlds may differ in it."""
    window: bool
    """A chance to react, with a pass as its default. The table gives it a beat of its own, the same whatever is held;
    nothing else follows from it. An ask of a `Window` is one by itself."""
    minor: bool
    """A follow-up that bots' look-ahead answers by its default: what is judged is the decision before it."""
    _listed: list[Option] | None

    def open(self, t: State) -> list[Option]:
        """The options that may be chosen now."""
        listed = self._listed
        if listed is None:
            options = self.options
            listed = list(options(t, self.seat)) if callable(options) else list(options)
            self._listed = listed
        return listed

    def closed(self, t: State) -> list[No]:
        """The options that may not be chosen, each with its reason."""
        if not callable(self.options):
            return []
        t.explaining = True
        try:
            return [no for no in self.options(t, self.seat) if isinstance(no, No)]
        finally:
            t.explaining = False

    def refresh(self) -> None:
        """Something changed while this ask waited: work the options out again."""
        self._listed = None


def ask(
    t: State,
    seat: int | Part,
    options: Options,
    prompt: str,
    rule: str = "",
    default: Option | None = None,
    secret: bool = False,
    window: bool = False,
    minor: bool = False,
) -> Ask:
    """One decision: `answer = yield t.ask(seat, options, "Prompt", "rule")`.

    `default` is the answer of a seat that gives none; `secret`: others are not told the answer; `window`: a chance to
    react, whose default is to pass; `minor`: a follow-up, for which bots take the default when they look ahead.
    """
    made = _new(Ask)  # by the million in simulation, where calling the class would cost as much again
    made.seat = seat if type(seat) is int else seat.seat  # type: ignore[assignment, union-attr]
    made.options = options
    made.prompt = prompt
    made.rule = rule
    made.default = default
    made.secret = secret
    made.window = window
    made.minor = minor
    made._listed = None
    return made


def default_of(ask: Ask, t: State) -> Option:
    """The answer for a seat that gives none: the ask's default if it is open, else the first option."""
    options = ask.open(t)
    return ask.default if ask.default in options else options[0]


class Together:
    """Several seats choose at once, in secret. `row(t, seat)` asks one seat and changes nothing.

    The step goes on with `{seat: what its row returned}` when all are done. `reveals` says that the choices become
    public then; a draft, whose picks stay face down, says False.
    """

    __slots__ = ("reveals", "row", "seats")

    def __init__(
        self, row: Callable[[Any, int], Asking], seats: Iterable[int], *, reveals: bool = True
    ) -> None:
        self.row = row
        self.seats = tuple(seats)
        self.reveals = reveals


ORDERS = ("first", "in order", "all")


class Window:
    """Anybody of some seats may act now, or pass: reactions, calls, challenges, blocks.

        acts = yield Window([t.ask(seat, calls, "Call the bluff, or let it go", default=("pass",)) for seat in others])
        if acts:
            seat, option = acts[0]

    All are asked at once, each by an ask of its own whose `default` is its pass. A pass closes that seat's part and nothing
    else: nobody's ask is put again or changes in any way because another passed. The step goes on with the acts, a list of
    `(seat, option)` that is empty if everybody passed. Which acts those are is the game's to say, by `order`:

    `"first"`     the first act to arrive, which ends the window on the spot;
    `"in order"`  the act of the first seat, in the order of the asks, that does not pass: acts wait until all before them passed;
    `"all"`       everybody's, in the order of the asks, when all have answered.

    While answers are collected (in the last two) nobody sees them. Who has passed is seen only if `passes_seen`.

    At a table of people a window is open for a beat, about two seconds, and who has not answered by then passes: so nobody
    has to click who cannot react, and nobody learns who could. `beats` says for how many, where there is more to think
    about: whether to call a bluff, say.
    """

    __slots__ = ("asks", "beats", "order", "passes_seen")
    asks: dict[int, Ask]
    reveals = True

    def __init__(
        self,
        asks: Iterable[Ask],
        order: Literal["first", "in order", "all"] = "first",
        *,
        passes_seen: bool = False,
        beats: int = 1,
    ) -> None:
        if order not in ORDERS:
            raise TypeError(f"a window's order is {', '.join(ORDERS[:-1])} or {ORDERS[-1]}, not {order!r}")
        if beats < 1:
            raise TypeError(f"a window is open for one beat or more, not {beats}")
        self.asks = put = {}
        self.order = order
        self.passes_seen = passes_seen
        self.beats = beats
        for ask in asks:
            if ask.default is None:
                raise TypeError(f"in a window the default of an ask is its pass, and “{ask.prompt}” has none")
            if ask.seat in put:
                raise TypeError(
                    f"a window asks each seat once, and “{ask.prompt}” is seat {ask.seat}'s second"
                )
            ask.window = True
            put[ask.seat] = ask

    @property
    def collects(self) -> bool:
        """Whether acts wait, unseen, until the window ends."""
        return self.order != "first"

    def is_act(self, seat: int, option: Option) -> bool:
        return option != self.asks[seat].default

    def seen(self, answers: Mapping[int, Option]) -> dict[int, Option]:
        """What everybody sees of these answers while the window is open."""
        if not self.passes_seen:
            return {}
        return {seat: option for seat, option in answers.items() if not self.is_act(seat, option)}

    def acts(self, answers: Mapping[int, Option]) -> list[tuple[int, Option]] | None:
        """What the window comes to with these answers; None while it stays open."""
        if self.order == "all" and len(answers) < len(self.asks):
            return None
        acts: list[tuple[int, Option]] = []
        for seat, ask in self.asks.items():
            answer = answers.get(seat)
            if answer is None:
                if self.order == "in order":
                    return None
            elif answer != ask.default:
                acts.append((seat, answer))
                if self.order == "in order":
                    return acts
        return acts if acts or len(answers) == len(self.asks) else None


class First:
    """Several seats are asked at once; the step goes on with `(seat, option)` of whoever answers first."""

    __slots__ = ("asks",)

    def __init__(self, asks: Iterable[Ask]) -> None:
        self.asks = {ask.seat: ask for ask in asks}


@dataclass(frozen=True, slots=True)
class Standing:
    """An ask that is open whenever the match waits. `handler(t, seat, option)` is a generator."""

    ask: Ask
    handler: Callable[..., Asking]


class Result(NamedTuple):
    """How a match ended, as the rulebook words it."""

    winners: tuple[int, ...]
    why: str
    rule: str
    scores: tuple[float, ...]
    seats: int

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, 1 for the best, equal for those who share it: winners first, then by score."""
        scores = self.scores or (0,) * self.seats
        if len(scores) != self.seats:
            raise Misuse(
                f"the end, “{self.why}”, has scores for {len(scores)} of {self.seats} seats: t.over takes one for each, or none"
            )
        ranks = [(seat in self.winners, scores[seat]) for seat in range(self.seats)]
        return tuple(1 + sum(other > rank for other in ranks) for rank in ranks)

    def data(self) -> dict[str, Any]:
        """As plain data, for the wire and the disk."""
        return {
            "winners": list(self.winners),
            "places": list(self.places),
            "scores": list(self.scores),
            "why": self.why,
            "rule": self.rule,
        }


class Illegal(Exception):  # noqa: N818 - a refusal, not an error of ours
    """An answer that is not among the options. Nothing has changed."""

    def __init__(self, why: str, rule: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.rule = rule


class Leave(Exception):  # noqa: N818
    """Raised by `t.go`, `t.again` and `t.over` to leave a step from any depth."""


class Go(Leave):
    def __init__(self, step: Step, args: tuple[Any, ...]) -> None:
        self.step = step
        self.args = args


class Again(Leave):
    pass


class Over(Leave):
    @property
    def result(self) -> Result:
        result: Result = self.args[0]
        return result
