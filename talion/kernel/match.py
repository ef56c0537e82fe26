"""A match: a game being played.

It keeps the state, the step that waits, and a copy of the state from the step's start with the entries since. Python cannot
copy a generator, so a copy of a match is a copy of that earlier state with those few entries played again. Save, undo,
look-ahead and replay come from the same mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from . import past, record
from .asks import Ask, First, Illegal, Option, S, Step, Together, Window, default_of
from .chance import Chance
from .content import Content
from .dealing import Hidden
from .driver import Driver, Row
from .game import BadOption, Game
from .likeness import Likeness
from .listening import Listener
from .log import Line, Log
from .past import Entry, Origin
from .view import View, seen_match

L = TypeVar("L", bound="Listener | None")


class Match(Driver[S]):
    """Made by `Match.new` or `Match.load`. All that happens to it goes through `answer`."""

    __slots__ = ()

    # Beginning ---------------------------------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        game: Game[S],
        seats: int,
        seed: int | str = 0,
        options: Mapping[str, Any] | None = None,
        *,
        cards: Path | None = None,
        fast: bool = False,
        logged: bool = True,
        content: Content | None = None,
        chance: Chance | None = None,
        renumbered: Callable[[S], Sequence[int]] | None = None,
    ) -> Match[S]:
        """A match from its beginning, with the printed cards, with a file of changed `cards` laid over them, or with
        any `content`. `fast`: no log, no copies, no knowledge. Without `logged` there is no log, where nobody reads it.

        Checks may put a `chance` of their own in the seed's place, or give the cards other numbers (`renumbered`).
        """
        if seats not in game.seats:
            may = _seats_in_words(game.seats)
            raise Illegal(f"{game.title} is played by {may}, not by {seats}.")
        content = content or game.content(cards)
        t = game.state.prepared(game, content, seats, chance or Chance.of(seed), options or {}, not fast)
        match = cls(game, t)
        if renumbered:
            t.renumber(renumbered(t))
        if fast:
            match._fresh = True
            return match
        match.log_lines = t.lines = Log(seats + 1) if logged else None
        match.record, t.kept = [], True
        match.origin = Origin(seats=seats, options=dict(options or {}), seed=seed)
        match._enter(game.start, ())
        return match

    @classmethod
    def at(cls, t: S, step: Step, args: tuple[Any, ...], origin: Origin | None = None) -> Match[S]:
        """A match that begins in the middle: in this state, with this step."""
        match = cls(t.game, t)
        match.log_lines = t.lines = Log(t.seats_taken + 1)
        match.record, t.kept = [], True
        match.origin = origin or Origin(
            seats=t.seats_taken, options=t.options, state=t.write(), step=(step.__name__, args)
        )
        for observer, lines in enumerate(match.origin.log):
            match.log_lines.lines[observer] = [Line(rule, text) for rule, text in lines]
        match._enter(step, args)
        return match

    @classmethod
    def begun(cls, game: Game[S], origin: Origin, content: Content) -> Match[S]:
        """The match at the beginning of a record."""
        if origin.seed is not None:
            return cls.new(game, origin.seats, origin.seed, origin.options, content=content)
        assert origin.state is not None and origin.step is not None
        chosen = game.chosen(origin.options, content, origin.seats)
        t = game.state.begin(game, content, origin.seats, Chance(0), chosen)
        t.read(origin.state)
        name, args = origin.step
        return cls.at(t, game.step(name), args, origin)

    # Looking -----------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def seats(self) -> int:
        return int(self.t.seats_taken)

    @property
    def content(self) -> Content:
        """The cards it is played with."""
        return self.t.content

    @property
    def together(self) -> Together | None:
        """The sealed choice of several seats that is going on, if one is."""
        return self.waits if self._rows is not None and isinstance(self.waits, Together) else None

    @property
    def window(self) -> Window | None:
        """The window that is open, if one is: `window.asks` has everybody's ask, each with its pass as its default."""
        return self.waits if isinstance(self.waits, Window) else None

    @property
    def under(self) -> Together | Window | None:
        """What several seats are answering, a Together or a Window."""
        return self.together or self.window

    @property
    def sealed(self) -> Together | Window | None:
        """What several seats answer at once, unseen by each other until all have: a Together, or a window that collects."""
        waits = self.waits
        if type(waits) is Window:
            return waits if waits.collects else None
        return None if self._rows is None else self.together

    @property
    def waiting_for(self) -> list[int]:
        """The seats that are seen to be choosing. Who of several sealed choosers is done is not seen, nor who passed."""
        if self._rows is not None:
            return sorted(self._rows)
        window = self.window
        return (
            sorted(self.pending)
            if window is None
            else sorted(window.asks.keys() - window.seen(self._answers))
        )

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

    def still(self) -> Match[S]:
        """The table as it is this instant, be it in the middle of a step: to look at, not to play on. It has no log."""
        twin = Match(self.game, self.t.copy())
        twin.result = self.result
        return twin

    def view(self, seat: int | None) -> View[S]:
        """What one seat (or a watcher: None) may know, and nothing else."""
        return seen_match(type(self.t))(self, seat)

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
            # In a record only the chance is kept, as a number. What the seat does not know is found again here, while
            # everybody's knowledge is there, and kept for copies without it.
            what = (Chance(what), self.hidden(seat))
        self.entries.append((kind, seat, what))
        if kind == "standing":
            self._begin_standing(seat, what)
        elif kind == "redeal":
            chance, hidden = what
            self._deal_anew(seat, hidden, chance.copy())
        else:
            self._give(seat, what)

    # Copying -----------------------------------------------------------------------------------------------------

    def copy(self) -> Match[S]:
        """The same match, free to go another way."""
        twin = self._twin(knowing=self.t.know is not None)
        twin.record = None if self.record is None else self.record[:]
        twin.origin = self.origin
        if self.log_lines is not None:
            twin.log_lines = twin.t.lines = self.log_lines.copy()
        return twin

    def _twin(self, *, knowing: bool) -> Match[S]:
        """A copy that has no past and no log."""
        if self._base is None:
            raise RuntimeError("a fast match cannot be copied")
        if self.result is None:
            twin = self._from(self._base, self.entries, knowing=knowing)
        else:
            twin = Match(self.game, self.t.copy(knowing=knowing))
            twin._base, twin.t.kept = self._base, True
            twin.result = self.result
        twin.logged = self.logged
        return twin

    def step_again(self, t: S) -> Match[S]:
        """A match that begins the current step in this state, and keeps nothing."""
        twin = Match(self.game, t)
        twin._send(None)
        return twin

    def _from(self, base: S, entries: list[Entry], *, knowing: bool) -> Match[S]:
        """A match in which the step that began in this state begins again, and these entries are played, silently."""
        twin = Match(self.game, base.copy(knowing=knowing))
        twin._base = base
        twin._send(None)
        for entry in entries:
            twin._follow(entry)
        twin.t.kept = True
        return twin

    def likeness(self, seat: int, chance: Chance) -> Match[S]:
        """The match as far as a seat knows it, at this very decision: all else is dealt anew, and nothing in it comes from
        the true deal. It can be copied and dealt anew like any other, and has no past; its log is the seat's own."""
        found = Likeness(self, seat, chance)
        twin = self._from(cast(S, found.base), found.entries, knowing=True)
        if self.log_lines is not None:
            twin.log_lines = Log(self.seats + 1)
            twin.log_lines.lines[seat] = self.log_lines.lines[seat][:]
        return twin

    def without_log(self) -> Match[S]:
        """A copy that has read nothing and writes nothing down: small to save, for a worker that thinks about it."""
        twin = self._twin(knowing=self.t.know is not None)
        twin.record = None if self.record is None else self.record[:]
        twin.origin = self.origin and self.origin.without_log()
        return twin

    def let_go(self) -> Match[S]:
        """From here on this match is only played out: nothing is kept for copies."""
        self.t.kept, self._base, self.record = False, None, None
        self.t.know, self.t.lines, self.log_lines = None, None, None
        return self

    def begin_log(self) -> None:
        """From here on this match, which has none, writes a log."""
        self.log_lines = self.t.lines = Log(self.seats + 1)

    def hidden(self, seat: int) -> Hidden:
        """What a seat does not know at this decision, made ready for many a `redeal`."""
        return Hidden(self.t, seat)

    def redeal(
        self, seat: int, chance: Chance, *, fast: bool = False, hidden: Hidden | None = None
    ) -> Match[S]:
        """A copy at this very decision in which everything the seat does not know is dealt anew.

        It has no seed, no past and no log, and its chance is the given one: this is what search bots think with.
        `fast`: nobody's knowledge is kept from here on.
        """
        twin = self._twin(knowing=not fast)
        hidden = hidden or self.hidden(seat)
        twin.entries.append(("redeal", seat, (chance.copy(), hidden)))
        twin._deal_anew(seat, hidden, chance)
        return twin

    def _deal_anew(self, seat: int, hidden: Hidden, chance: Chance) -> None:
        self.t.redeal(seat, chance, hidden)
        self.t.chance = chance.fork()
        if self._rows is not None and isinstance(self.waits, Together):
            for other in self._rows:
                if other != seat:
                    self._rows[other] = Row(self.waits.row(self.t, other))
        if window := self.window:
            kept = {seat} | window.seen(self._answers).keys()
            self._answers = {asked: option for asked, option in self._answers.items() if asked in kept}
        for ask in self.pending.values():
            ask.refresh()

    # Its past ------------------------------------------------------------------------------------------------------

    before, before_step = past.before, past.before_step
    free_undo, undo = past.free_undo, past.undo
    rebased, dealt_anew = past.rebased, past.dealt_anew

    def state_at_step(self) -> S:
        """The state as it was when the current step began."""
        if self._base is None:
            raise RuntimeError("a fast match does not keep how its step began")
        return self._base

    def become(self, other: Match[S]) -> None:
        """Goes on as another match, heard by whoever hears this one."""
        other.listen(self._listener)
        for slot in Driver.__slots__:
            setattr(self, slot, getattr(other, slot))
        self.listen(self._listener)

    # Playing out ---------------------------------------------------------------------------------------------------

    def go_on(self, seat: int, option: Option) -> None:
        """Answers with an option that was taken from the ask itself: no check. For bots, in matches they imagine."""
        if self.t.kept or self._listener:
            self.apply(("answer", seat, option))
        elif type(self.waits) is Ask:
            self._send(option)
        else:
            self._give(seat, option)

    def pass_window(self) -> None:
        """Everybody who has not answered the open window passes. For bots, in matches they imagine."""
        assert isinstance(self.waits, Window)
        passes: dict[int, Any] = {seat: ask.default for seat, ask in self.waits.asks.items()}
        acts, self._answers = self.waits.acts(passes | self._answers), {}
        self._send(acts)

    def play_out(self, pick: Callable[[list[Any]], Any], limit: int = 1_000_000) -> int:
        """Plays on with `pick` choosing for every seat, without a check. Returns the number of decisions."""
        decisions = 0
        while self.result is None and decisions < limit:
            if self._may_race:
                decisions += self._race(pick, limit - decisions)
                continue
            decisions += 1
            pending = self.pending
            seat = pick(list(pending))
            self.apply(("answer", seat, pick(pending[seat].open(self.t))))
        return decisions

    @property
    def _may_race(self) -> bool:
        """Whether nothing is kept or heard, and nothing that several seats answer is under way."""
        under_way = self._handler or self._rows or self._answers or type(self.waits) is First
        return not (self.t.kept or self._listener or under_way)

    # Writing down --------------------------------------------------------------------------------------------------

    def save(self, *, written_out: bool = False, content: bool = True) -> str:
        """The match as a text that a person can read; `written_out`: its state instead of its past, which is quick to
        write and to load, whatever its length.

        The text brings the match's cards; without `content` it names them by their fingerprint only, for whoever keeps
        `match.content.text` under `match.content.fingerprint`.
        """
        if written_out:
            short = self.rebased()
            log = [[[line.rule, line.text] for line in seen] for seen in self.before_step()]
            lines = record.head(short, log, content=content)
            lines += [record.line_of(entry) for entry in short.record or ()]
        else:
            lines = self._with_words(content)
        return "\n".join(lines) + "\n"

    def _with_words(self, content: bool) -> list[str]:
        if self.origin is None or self.record is None:
            raise RuntimeError("a match without a past cannot be written down")
        lines = record.head(self, self.origin.log, content=content)
        again = self.before(0)
        for number, entry in enumerate(self.record, 1):
            kind, seat, option = entry
            words = "dealt anew" if kind == "redeal" else self.game.name_of(again.t, seat, option)
            lines.append(f"{record.line_of(entry)}    # {' '.join(words.split())}")
            again.apply(entry)
            if number % record.DIGEST_EVERY == 0:
                lines.append(f"digest {record.digest(again.t)}")
        return lines

    @classmethod
    def load(
        cls,
        text: str,
        find: Callable[[str], Game],
        cards: Path | None = None,
        known: record.Known | None = None,
    ) -> Match:
        """The match that a text describes. It is played with its own cards: those installed, if they are the same, those
        that `known` finds under their fingerprint, or those the text brings.

        Raises `BadRecord` for a text that is no match or a damaged one, and `Outdated`, which is one too, for a match that
        cannot go on here: with a seed and other rules, or written out and of no use to the rules as they are.
        """
        written = record.parse(text)
        game = find(written.game)
        content = record.content_of(written, game, game.content(cards), known)
        if written.version == game.version:
            return cls._played(written, game, content)
        if "seed" in written.head:
            raise record.Outdated(
                f"This match was played by version {written.version} of {game.title}; here is version {game.version}."
            )
        try:
            return cls._played(written, game, content)
        except Exception as problem:
            raise record.Outdated(
                f"This match was played by version {written.version} of {game.title}, and version {game.version} cannot go on with it "
                f"({type(problem).__name__}: {problem})."
            ) from problem

    @classmethod
    def _played(cls, written: record.Written, game: Game, content: Content) -> Match:
        """From its beginning, line by line."""
        try:
            match = cls.begun(game, written.origin(content), content)
        except (ValueError, LookupError, TypeError, AttributeError, Illegal, BadOption) as problem:
            raise record.BadRecord(
                f"The head of this match is damaged: {str(problem).rstrip('.')}."
            ) from None
        for number, line in enumerate(written.lines, written.begins):
            words = line.split("    # ", 1)[0].strip()
            if words.startswith("digest "):
                if words.split()[1] != written.digest(match.t):
                    raise record.BadRecord(
                        f"Line {number}: the match goes another way than when it was saved."
                    )
            elif words and not words.startswith("#"):
                match._play_line(words, number)
        return match

    def _play_line(self, words: str, number: int) -> None:
        try:
            kind, seat, option = entry = record.entry_of(words)
            if kind in ("standing", "answer"):
                self.answer(seat, option)
            elif kind == "default" and option not in self.options(seat):
                raise Illegal("that is not one of the options")
            else:
                self.apply(entry)
        except (ValueError, IndexError) as problem:
            raise record.BadRecord(f"Line {number} cannot be read: {problem}.") from None
        except Illegal as refusal:
            raise record.BadRecord(f"Line {number} is not possible: {refusal.why}") from None


def _seats_in_words(seats: tuple[int, ...]) -> str:
    words = [str(number) for number in seats]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
