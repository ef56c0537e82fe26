"""The state of a match, and everything a step may do to it.

A game declares its own: `class Vendetta(State): head = Zone(seen_by=NOBODY); clones = Seats(Clone)`. Steps get it as `t`,
the table as the rules see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from . import asks, plays
from .asks import Again, Asking, Card, Go, Option, Over, Result, Step
from .chance import Chance, LaidDown
from .content import Content, Face
from .fields import NOBODY, TOP, Part, Pile, Value, Zone
from .insides import Insides
from .knowledge import Fact, Knowledge
from .log import who
from .phrases import Said

_new_tuple = tuple.__new__


class State(Insides):
    """Declared fields, the cards, and what a step may do with them. What it has besides is the kernel's own affair."""

    chance: Chance
    """The only source of randomness."""
    content: Content
    """What is printed: `t.content.named["WRATH"]`."""
    explaining: bool
    """Whether somebody asks why an option is closed."""
    faces: list[int]
    """The number of each card's face, for quick comparisons."""
    options: dict[str, Any]
    """The variants this match is played with."""
    piles: list[Pile]
    """Every zone, in the order of their declaration."""
    seats_taken: int
    """How many play."""

    box = Zone(seen_by=NOBODY, ordered=False)
    """Where cards lie that are out of the game, or not yet in it."""
    queue = Value(())
    """Triggers that wait to be resolved."""
    lasting = Value(())
    """Effects that come later, and rules that hold for a while."""

    # Seats -------------------------------------------------------------------------------------------------------

    @property
    def seat_numbers(self) -> range:
        """Every seat, from 0 on."""
        return range(self.seats_taken)

    def after(self, seat: int) -> list[int]:
        """All seats in turn order, beginning with the one after `seat` and ending with `seat` itself."""
        return [(seat + i) % self.seats_taken for i in range(1, self.seats_taken + 1)]

    # Cards -------------------------------------------------------------------------------------------------------

    def create(self, face: Face, pile: Pile) -> Card:
        """A new card with this face, known to all until it is shuffled away."""
        card = Card(len(self.faces))
        self.faces.append(face.id)
        self.where.append(pile.place.id)
        for name, start in type(self).per_card:
            getattr(self, name).append(start)
        pile.append(card)
        if self.know is not None:
            self.know.add_card()
        return card

    def create_all(self, pile: Pile, only: Callable[[Face], bool] = lambda face: True) -> list[Card]:
        """Every card that is printed, in as many copies as it has."""
        return [
            self.create(face, pile) for face in self.content.faces if only(face) for _ in range(face.count)
        ]

    def face(self, card: Card) -> Face:
        """What is printed on a card, on the side that is up."""
        return self.content.faces[self.faces[card]]

    def turn_to(self, card: Card, face: Face) -> None:
        """Turns a card to another of its faces: its other end, its back."""
        assert face.front is self.face(card).front, f"{face.name} is not printed on this card"
        self.faces[card] = face.id

    def pile_of(self, card: Card) -> Pile:
        """The zone a card lies in."""
        return self.piles[self.where[card]]

    def place(self, card: Card) -> Option:
        """Where a card lies, for options about cards whose face the seat does not see: `("underway", 1, 0)`."""
        pile = self.pile_of(card)
        return (*pile.place.key, pile.index(card))

    def distinct(self, cards: Sequence[Card], apart: Card | None = None) -> list[Card]:
        """One of each: of cards that nobody who sees them could tell apart, the first.

        Alike are cards of one face, in one zone, with the same fields of cards (turned, used, damaged). A card of which
        something speaks (what waits, what lasts, what is attached to it) is like no other, and so is the one set `apart`.
        """
        many, faces = len(cards), self.faces
        if many == 2:
            one, other = cards
            if faces[one] != faces[other]:
                return [one, other]
        elif many < 2 or len(set(map(faces.__getitem__, cards))) == many:
            return list(cards)
        chosen = () if apart is None else (apart,)
        found = self._by_look(cards, chosen)
        if len(found) < many:
            singled = self._speak_of(set())
            if singled and not singled.isdisjoint(cards):
                found = self._by_look(cards, singled.union(chosen))
        return list(found.values())

    def at(self, place: Sequence[Any]) -> Card:
        """The card at a place."""
        *key, index = place
        pile = next(pile for pile in self.piles if pile.place.key == tuple(key))
        card: Card = pile[index]
        return card

    def move(self, card: Card, to: Pile, *, bottom: bool = False) -> Card:
        """Moves a card to the top (or bottom) of a zone. Everybody's knowledge follows."""
        source = self.piles[self.where[card]]
        know = self.know
        if know is not None:
            self._follow(know, card, source, to)
        source.remove(card)
        if bottom:
            to.insert(0, card)
        else:
            to.append(card)
        self.where[card] = to.place.id
        if know is not None:
            for pile in (source, to):
                if pile.place.seen_by is TOP and pile:
                    self.reveal((pile[-1],))
        if self.listener is not None:
            self.listener.moved(self, card, source, to)
        return card

    def _follow(self, know: Knowledge, card: Card, source: Pile, to: Pile) -> None:
        for observer in range(self.seats_taken + 1):
            if to.place.shows(observer):
                know.see(observer, card)
            elif not source.place.ordered and not source.place.shows(observer):
                know.join(observer, source)
                know.forget_told(source)

    def move_all(self, cards: Iterable[Card], to: Pile) -> None:
        """Moves cards one after the other; the last one lies on top."""
        for card in list(cards):
            self.move(card, to)

    def exchange(self, groups: Iterable[tuple[Sequence[Card], Pile]]) -> None:
        """Moves several groups of cards at the same moment: hands passed on in a draft.

        Who sees a whole hand go from one to another can follow it, though not the cards in it.
        """
        groups = [(list(cards), to) for cards, to in groups]
        know = self.know
        if know is not None:
            for cards, to in groups:
                sources = {self.where[card] for card in cards}
                for source in (self.piles[number] for number in sources):
                    if len(sources) > 1 or set(source) - set(cards):
                        for card in cards:
                            self._follow(know, card, source, to)
        for cards, to in groups:
            for card in cards:
                source = self.piles[self.where[card]]
                source.remove(card)
                self.where[card] = to.place.id
                if self.listener is not None:
                    self.listener.moved(self, card, source, to)
        for cards, to in groups:
            to.extend(cards)
            if know is not None:
                for observer in range(self.seats_taken + 1):
                    if to.place.shows(observer):
                        for card in cards:
                            know.see(observer, card)

    def draw(self, deck: Pile, to: Pile) -> Card | None:
        """The top card of a deck, moved; None if there is none."""
        if not deck:
            return None
        if self.know is not None or self.listener is not None:
            return self.move(deck[-1], to)
        card = deck.pop()
        to.append(card)
        self.where[card] = to.place.id
        return card

    def bury(self, cards: Sequence[Card], deck: Pile, by: int) -> None:
        """Puts cards under a deck, the last one lowest, in an order only seat `by` knows."""
        for card in cards:
            self.move(card, deck, bottom=True)
        if self.know is not None:
            for observer in range(self.seats_taken + 1):
                if observer != by:
                    self.know.join(observer, cards)

    def shuffle(self, pile: Pile) -> None:
        """Shuffles a zone; from now on nobody can tell its cards apart."""
        self.chance.shuffle(pile)
        if isinstance(self.chance, LaidDown):
            self.chance.arrange(pile, lambda card: self.game.card_name(self, card))
        if self.know is not None:
            self.know.forget_told(pile)
            for observer in range(self.seats_taken + 1):
                self.know.join(observer, pile)
            if pile.place.seen_by is TOP and pile:
                self.reveal((pile[-1],))

    def look(self, seat: int, cards: Iterable[Card]) -> None:
        """Lets one seat see cards in private."""
        if self.know is not None:
            for card in cards:
                self.know.see(seat, card)

    def reveal(self, cards: Iterable[Card]) -> None:
        """Shows cards to everybody, wherever they lie."""
        if self.know is not None:
            for card in cards:
                for observer in range(self.seats_taken + 1):
                    self.know.see(observer, card)

    def tell(self, card: Card, fact: str, *args: Any) -> None:
        """Tells everybody something about a hidden card: a test on faces that the game declares in `facts`."""
        if self.know is not None:
            if not self.game.facts[fact](self.face(card), *args):
                raise AssertionError(f"{self.face(card).name} is not “{fact}”")
            told: Fact = (fact, *args)
            before = self.know.told.get(card, ())
            if self.know.trace is not None:
                self.know.trace += [(observer, card) for observer in range(self.seats_taken + 1)]
            if told not in before:
                self.know.told[card] = (*before, told)
                self.know.seen += 1

    # Chance ------------------------------------------------------------------------------------------------------

    def roll(self, sides: int) -> int:
        """A die: 1 to `sides`."""
        value = self.chance.below(sides) + 1
        if self.listener is not None:
            self.listener.rolled(self, sides, value)
        return value

    # Knowing -----------------------------------------------------------------------------------------------------

    def knows(self, seat: int | None, card: Card) -> bool:
        """Whether a seat (or a watcher) knows a card's face."""
        observer = self.observer(seat)
        if self.know is None:
            return self.pile_of(card).place.shows(observer)
        return self.know.knows(observer, card)

    # Asking and leaving --------------------------------------------------------------------------------------------

    ask = asks.ask

    def choose(
        self,
        seat: int | Part,
        prompt: str,
        things: Sequence[Any],
        rule: str = "",
        *,
        minor: bool = False,
        players: bool = False,
    ) -> Asking:
        """Asks for one of some things, and returns the thing. A card the seat does not see is named by its place.

        Where the things are seats, `players` says so: then they are offered by their names.
        """
        number = seat if isinstance(seat, int) else seat.seat
        named = {who(thing) if players else self._named(number, thing): thing for thing in things}
        answer = yield self.ask(seat, [("choose", name) for name in named], prompt, rule, minor=minor)
        return named[answer[1]]

    def _named(self, seat: int | None, thing: Any) -> Any:
        hidden = isinstance(thing, Card) and not self.pile_of(thing).place.shows(self.observer(seat))
        return self.place(thing) if hidden else thing

    def go(self, step: Step, *args: Any) -> NoReturn:
        """Leaves the current step, from any depth, for another."""
        raise Go(step, args)

    def again(self) -> NoReturn:
        """Leaves the current step and begins it anew: what it was about has changed while it waited."""
        raise Again

    def over(
        self, winners: Iterable[int], why: str, rule: str = "", scores: Sequence[float] = ()
    ) -> NoReturn:
        """Ends the match."""
        # By the million in simulation: made without the Python function that a named tuple has for it.
        raise Over(_new_tuple(Result, (tuple(winners), why, rule, tuple(scores), self.seats_taken)))

    def log(self, rule: str, text: str, **slots: Any) -> None:
        """Writes a line of the log, worded for each audience by what it knows now."""
        if self.lines is not None:
            self.lines.add(self, rule, text, slots)
            if self.listener is not None:
                self.listener.logged(self)

    # Words of cards ------------------------------------------------------------------------------------------------

    in_force = plays.in_force
    resolve = plays.resolve
    later, due, fulfil = plays.later, plays.due, plays.fulfil

    def modified(self, question: str, value: Any, **about: Any) -> Any:
        """What a value of the rules becomes by the cards in force: `t.modified("hand size", 4, seat=seat)`.

        Statics declared for this question set it, add to it or hold it up; of a yes, *cannot* makes a no.
        """
        found = self.in_force("static", question)
        return plays.answer(found, value, plays.About(**about)) if found else value

    def gather(self, question: str, looks: Callable[[Said], bool], **about: Any) -> Iterable[Any]:
        """Everything the cards in force say to a question; those that look at what others change say it last."""
        found = self.in_force("static", question)
        return plays.gather(found, plays.About(**about), looks) if found else ()

    def happened(self, event: str, *, of: Card | None = None, **about: Any) -> None:
        """Something happened: queue the cards that watch for it. With `of`, only that card is asked."""
        if self.listener is not None:
            self.listener.happened(self, event, about)
        found = self.in_force("trigger", event, of)
        if found:
            plays.happened(self, found, plays.About(**about))

    def would(
        self, event: str, by: int, offer: Callable[[Any], Option], *, of: Card | None = None, **about: Any
    ) -> Asking:
        """Something would happen: what it becomes instead. Where cards disagree, seat `by` is offered the changes.

        With `of`, only that card is asked.
        """
        becomes = plays.About(**about)
        if found := self.in_force("replacement", event, of):
            becomes = yield from plays.would(self, found, by, becomes, offer)
        return becomes

    def expire(self, span: str, seat: int | None = None) -> None:
        """A span is over, for all or for a seat: what lasted for it ends. `t.expire("this round")`."""
        plays.end(self, self.due(span, seat))
