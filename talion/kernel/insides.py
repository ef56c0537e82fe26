"""What the kernel itself keeps in a state and does with it: nothing of it is for authors, who have `State`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from .asks import Card
from .chance import Chance
from .content import Content
from .dealing import Hidden
from .fields import EVERYONE, OWNER, Building, Field, Part, Parts, PerCard, Pile, Zone
from .knowledge import Knowledge
from .listening import Listener
from .log import Log

if TYPE_CHECKING:
    from .game import Game

T = TypeVar("T", bound="Insides")


class Insides(Part):
    """The cards, everybody's knowledge of them, and how a state is begun, copied, written and dealt anew."""

    __slots__ = (
        "chance",
        "content",
        "dropped",
        "effort",
        "explaining",
        "faces",
        "forceful",
        "game",
        "kept",
        "know",
        "lines",
        "listener",
        "options",
        "piles",
        "seats_taken",
        "step_begun",
        "where",
    )

    chance: Chance
    content: Content
    dropped: str
    effort: int
    explaining: bool
    faces: list[int]
    forceful: tuple[int, ...]
    game: Game
    kept: bool
    """Whether the beginning of each step is kept, for copies of the match."""
    know: Knowledge | None
    lines: Log | None
    listener: Listener | None
    options: dict[str, Any]
    piles: list[Pile]
    seats_taken: int
    step_begun: Any
    """The last step begun that may ask, as it was returned: alone, or with its arguments."""
    where: list[int]

    @classmethod
    def begin(
        cls: type[T], game: Game, content: Content, seats: int, chance: Chance, options: dict[str, Any]
    ) -> T:
        build = Building(seats)
        t = cls.build(build)
        t.piles = build.piles
        t.forceful = tuple(pile.place.id for pile in t.piles if pile.place.in_force)
        t.where, t.faces = [], []
        t.game, t.content, t.options = game, content, options
        t.chance = chance
        t.seats_taken = seats
        t.know, t.lines, t.listener = None, None, None
        t.dropped, t.effort, t.explaining = "", 0, False
        t.step_begun, t.kept = None, False
        return t

    @classmethod
    def prepared(
        cls: type[T],
        game: Game,
        content: Content,
        seats: int,
        chance: Chance,
        options: Mapping[str, Any],
        knowing: bool,
    ) -> T:
        """A state with everything built and nothing begun. Built once for all matches of a kind, then copied."""
        key = (seats, knowing, repr(options) if options else "")
        built: T | None = content.prepared.get(key)
        if built is None:
            built = cls.begin(game, content, seats, Chance(0), game.chosen(options, content, seats))
            built.know = Knowledge(seats + 1) if knowing else None
            if game.build:
                game.build(built)
            if built.chance.count:
                raise RuntimeError(f"{game.title}: chance has no part in what is built before a match begins")
            content.prepared[key] = built
        return built.copy(chance)

    def copy(self: T, chance: Chance | None = None, *, knowing: bool = True) -> T:
        """The same state again, with the same chance or another, with or without what everybody knows."""
        piles: list[Pile] = []
        twin = self._copy(piles)
        twin.piles = piles
        twin.forceful = self.forceful
        twin.where, twin.faces = self.where[:], self.faces[:]
        twin.game, twin.content, twin.options = self.game, self.content, self.options
        twin.chance = chance or self.chance.copy()
        twin.seats_taken = self.seats_taken
        twin.know = self.know.copy() if knowing and self.know is not None else None
        twin.lines = twin.listener = None
        twin.dropped, twin.effort, twin.explaining = self.dropped, self.effort, False
        twin.step_begun, twin.kept = self.step_begun, False
        return twin

    def write(self) -> dict[str, Any]:
        """The whole state as plain data. Faces are written by their names, with the numbers of the cards that have them."""
        faces: dict[str, list[int]] = {}
        named = self.content.faces
        for card, face in enumerate(self.faces):
            faces.setdefault(named[face].name, []).append(card)
        return {
            "fields": super().write(),
            "faces": faces,
            "chance": hex(self.chance.state),
            "know": None if self.know is None else self.know.write(),
        }

    def read(self, written: Any) -> None:
        """The reverse of `write`. Of a state of other rules what is missing has its start; a card must not be lost."""
        super().read(written["fields"])
        named = self.content.named
        faces = {card: named[name].id for name, cards in written["faces"].items() for card in cards}
        self.faces = [faces[card] for card in range(len(faces))]
        self.chance = Chance(int(written["chance"], 16))
        self.know = None if written["know"] is None else Knowledge.read(written["know"])
        self.where = [-1] * len(self.faces)
        for pile in self.piles:
            for card in pile:
                self.where[card] = pile.place.id
        if -1 in self.where or sum(map(len, self.piles)) != len(self.where):
            raise ValueError("not every card of it has one place here")
        for name, start in type(self).per_card:
            if name not in written["fields"]:
                setattr(self, name, [start] * len(self.faces))

    def observer(self, seat: int | None) -> int:
        """The number of whoever looks: a seat, or after all seats the watcher."""
        return self.seats_taken if seat is None else seat

    def label(self, seat: int | None, card: Card) -> int | None:
        """The number by which a view names a card that the seat knows."""
        observer = self.observer(seat)
        if self.know is None:
            return int(card) if self.piles[self.where[card]].place.shows(observer) else None
        return self.know.pools[observer][card] if self.know.knows(observer, card) else None

    def redeal(self, seat: int, chance: Chance, hidden: Hidden | None = None) -> None:
        """Deals anew, in place, everything this seat does not know; what it was told stays true."""
        (hidden or Hidden(self, seat)).deal(self, chance)
        if type(self).has_secrets:
            forget(self, seat)

    def deal_pools(self, observer: int, chance: Chance) -> None:
        """Deals the faces within each of an observer's pools anew."""
        Hidden(self, observer).deal(self, chance)

    def renumber(self, order: Sequence[int]) -> None:
        """Gives every card another number: card n becomes card `order[n]`. Only before any step has begun."""
        columns = [self.faces, self.where]
        columns += [getattr(self, name) for name, f in type(self).fields.items() if isinstance(f, PerCard)]
        columns += self.know.pools if self.know is not None else []
        for column in columns:
            for value, number in zip(list(column), order, strict=True):
                column[number] = value
        for pile in self.piles:
            pile[:] = [Card(order[card]) for card in pile]


def visible(field: Field[Any], owner: int | None, seat: int | None) -> bool:
    """Whether a seat sees a field that is not a zone."""
    return field.seen_by is EVERYONE or (field.seen_by is OWNER and owner is not None and owner == seat)


def forget(part: Part, seat: int) -> None:
    """Sets everything that is hidden from a seat, and is not a card, back to its start."""
    for name, field in type(part).fields.items():
        if isinstance(field, Parts):
            for below in getattr(part, name):
                forget(below, seat)
        elif not isinstance(field, Zone) and not visible(field, part.seat, seat):
            setattr(part, name, field.start)
