"""Carrying out what cards say: a play and its frame, statics, triggers, replacements, and effects that last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from .asks import Asking, Card, Option
from .phrases import NoTarget, Said

if TYPE_CHECKING:
    from .content import Face
    from .fields import Place
    from .state import State


class About(SimpleNamespace):
    """What a question or an event is about: `about.seat`, `about.card`."""


class Source(NamedTuple):
    """Cards whose lines are in force, and for whom: `you` is their controller."""

    cards: Iterable[Card]
    you: int
    lines: Callable[[Said], bool] | None = None
    """Which of their lines are in force; None if all are."""


class _Anywhere:
    """Stands where a play has the state of its match."""

    listener = None


_ANYWHERE = _Anywhere()


class Play:
    """One use of a card's words: who says `you`, which card is `this`, and what the other names mean."""

    __slots__ = ("aimed", "depth", "face", "names", "t", "this", "you")

    def __init__(
        self, t: Any, you: int, this: Card | None = None, face: Face | None = None, **names: Any
    ) -> None:
        self.t = t
        self.you = you
        self.this = this
        self.face = face
        self.names: dict[str, Any] = names
        """The frame: `that clone`, `it`, `X`. Plain data."""
        self.aimed: dict[tuple[Any, ...], Any] = {}
        """Targets chosen before, by where their phrase stands."""
        self.depth = 0

    @classmethod
    def reading(cls, **names: Any) -> Play:
        """No use of a card, but for reading what is printed on one, whatever the match."""
        return cls(_ANYWHERE, 0, **names)

    def __getitem__(self, name: str) -> Any:
        return self.names.get(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.names[name] = value

    def carry_out(self, lines: Iterable[Said]) -> Asking:
        """Runs lines in order."""
        for line in lines:
            yield from line.run(self)

    def drop(self, said: Said) -> None:
        """An effect that the step's budget no longer allows is not carried out."""
        t: State = self.t
        name = said.path[0] if said.path else "An effect"
        if t.dropped != name:  # said once a step
            t.dropped = name
            t.log("", "{name} goes on without end; the rest of it is dropped.", name=name)

    def target(self, said: Said) -> Asking:
        """The target of an effect: the one aimed at before, if it still is one, else asked for now."""
        if said.path in self.aimed:
            return self.aimed_at(said)
        return (yield from self.choose_target(said))

    def aimed_at(self, said: Said) -> Any:
        """The target that was aimed at before, if it still is one."""
        if said.path not in self.aimed:
            raise TypeError(f"“{said.text}” asks, where only its value is wanted")
        if self.aimed[said.path] not in said.candidates(self):
            raise NoTarget
        return self.aimed[said.path]

    def choose_target(self, said: Said) -> Asking:
        candidates = said.candidates(self)
        if not candidates:
            raise NoTarget
        prompt = said.phrase.prompt or f"Choose {said.text}"
        players = bool(said.phrase.hints.get("players"))
        chosen = yield from self.t.choose(
            self.you, prompt, candidates, said.asked_by, minor=True, players=players
        )
        self["that"] = chosen
        return chosen

    def frame(self) -> dict[str, Any]:
        """This play as plain data, to be stored in the state."""
        return {"you": self.you, "this": self.this, "face": self.face and self.face.name, **self.names}

    @classmethod
    def from_frame(cls, t: Any, frame: dict[str, Any]) -> Play:
        names = dict(frame)
        you, this, face = names.pop("you"), names.pop("this"), names.pop("face")
        return cls(t, you, this, None if face is None else t.content.named[face], **names)


# Statics: the answer to a named question ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set:
    """The answer is this. Of several, the highest."""

    value: Any


@dataclass(frozen=True, slots=True)
class Add:
    value: int


@dataclass(frozen=True, slots=True)
class Floor:
    value: int


CANNOT = object()
"""The answer is no, whatever else says yes."""


def answer(found: list[InForce], value: Any, about: About) -> Any:
    """The answer to a question of the rules, as the phrases in force change it."""
    changes = [said.read(play, about) for play, _, said in found]
    changes = [change for change in changes if change is not None]
    if not changes:
        return value
    if any(change is CANNOT for change in changes):
        return False
    set_to = [change.value for change in changes if isinstance(change, Set)]
    value = max(set_to) if set_to else value
    value += sum(change.value for change in changes if isinstance(change, Add))
    floors = [change.value for change in changes if isinstance(change, Floor)]
    return max([value, *floors]) if floors else value


def gather(found: list[InForce], about: About, looks: Callable[[Said], bool]) -> Iterator[Any]:
    """Everything the phrases in force say to a question, one thing after the other.

    Those that look at what others change (`looks`) come last, and are read again until they say nothing new: whoever
    gathers makes each change before the next is read.
    """
    looking: list[InForce] = []
    for one in found:
        if looks(one[2]):
            looking.append(one)
        else:
            yield from one[2].read(one[0], about)
    known: set[tuple[int, Any]] = set()
    before = -1
    while len(known) > before:
        before = len(known)
        for number, (play, _, said) in enumerate(looking):
            for thing in said.read(play, about):
                if (number, thing) not in known:
                    known.add((number, thing))
                    yield thing


InForce = tuple[Play, Said, Said]
"""A phrase in force: the play it is said in, the line it stands in, and itself."""


def in_force(t: State, kind: str, about: str, of: Card | None = None) -> list[InForce]:
    """Every phrase of a kind about something that is in force: printed on a card in play, or lasting.

    With `of`, only what is printed on that card.
    """
    watchers = t.content.watchers.get((kind, about))
    if of is not None:
        lines = watchers and watchers.get(t.faces[of])
        return _printed_on(t, of, t.piles[t.where[of]].place, lines) if lines else []
    found: list[InForce] = []
    if watchers:
        faces, piles = t.faces, t.piles
        for number in t.forceful:
            for card in piles[number]:
                if faces[card] in watchers:
                    found += _printed_on(t, card, piles[number].place, watchers[faces[card]])
        if t.game.sources is not None:
            for source in t.game.sources(t):
                for card in source.cards:
                    if faces[card] in watchers:
                        found += _printed_on(t, card, source, watchers[faces[card]])
    for entry in t.lasting:
        said = t.content.at(entry[1])
        if said.kind == kind and said.phrase.about == about:
            found.append((Play.from_frame(t, dict(entry[2])), said, said))
    return found


def _printed_on(t: State, card: Card, by: Place | Source, lines: list[tuple[Said, Said]]) -> list[InForce]:
    """Those of a card's lines that are in force by where it lies, or by a source."""
    face, you, holds = t.content.faces[t.faces[card]], by.you, by.lines
    return [(Play(t, you, card, face), line, said) for line, said in lines if holds is None or holds(line)]


# Triggers ---------------------------------------------------------------------------------------------------------

Waiting = tuple[tuple[Any, ...], tuple[tuple[str, Any], ...]]
"""A trigger that waits: the path of its sentence, and the frame it will run in."""


def happened(t: State, found: list[InForce], about: About) -> None:
    """Queues every sentence that watches for what happened."""
    for play, line, said in found:
        if said.read(play, about):
            sentence = said.parent or line
            t.queue = (*t.queue, (sentence.path, tuple(sorted(play.frame().items()))))


def resolve(t: State, waiting: Waiting) -> Asking:
    """Takes one waiting sentence out of the queue and carries it out."""
    queue = list(t.queue)
    queue.remove(waiting)
    t.queue = tuple(queue)
    path, frame = waiting
    yield from t.content.at(path).run(Play.from_frame(t, dict(frame)))


# Replacements -----------------------------------------------------------------------------------------------------

PREVENT = object()
"""What a replacement returns when the event does not happen at all."""


def would(t: State, found: list[InForce], by: int, about: About, offer: Callable[[Any], Option]) -> Asking:
    """What an event becomes: `about`, changed by each fitting replacement once, or None if it is prevented.

    Where several would change it differently, seat `by` chooses which goes first; `offer` makes an option of a change.
    """
    while found:
        fitting: list[tuple[InForce, Any]] = []
        for one in found:
            change = one[2].read(one[0], about)
            if change is PREVENT or (change and change != {key: getattr(about, key) for key in change}):
                fitting.append((one, change))
        if not fitting:
            break
        chosen, change = fitting[0]
        if len(fitting) > 1 and any(other != change for _, other in fitting):
            ways = {offer(other): (one, other) for one, other in fitting}
            prompt = "Several cards change this: choose one"
            picked: Option = yield t.ask(by, list(ways), prompt, chosen[2].phrase.rule, minor=True)
            chosen, change = ways[picked]
        if change is PREVENT:
            return None
        found.remove(chosen)
        about = About(**{**vars(about), **change})
    return about


# Effects that wait or last -----------------------------------------------------------------------------------------


def later(t: State, span: str, said: Said, play: Play) -> None:
    """Stores a phrase for a span: an effect that comes when the span says, a static that lasts until it ends."""
    entry = (span, said.path, tuple(sorted(play.frame().items())))
    t.lasting = (*t.lasting, entry)


def due(t: State, span: str, seat: int | None = None) -> list[tuple[Any, ...]]:
    """What was stored for a span (and for a seat's), to be resolved or ended."""
    return [entry for entry in t.lasting if entry[0] == span and seat in (None, dict(entry[2])["you"])]


def end(t: State, entries: Iterable[tuple[Any, ...]]) -> None:
    lasting = list(t.lasting)
    for entry in entries:
        lasting.remove(entry)
    t.lasting = tuple(lasting)


def fulfil(t: State, entry: tuple[Any, ...]) -> Asking:
    """Carries out an effect that was stored for later, and forgets it."""
    end(t, [entry])
    yield from t.content.at(entry[1]).run(Play.from_frame(t, dict(entry[2])))
