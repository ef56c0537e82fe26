"""CR-6 and CR-14: cards drawn, discarded, changed and played from a hand, by whatever rule or Spell says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from talion.kernel import Asking, Card, No, Option, Pile
from talion.kernel.asks import Options

from .table import PILES, Coven, Witch, distinct, held, pile, put, remove, serve


def take(t: Coven, witch: Witch, sort: str) -> Card:
    """CR-6.19 The top card of a pile goes to the hand."""
    return t.move(pile(t, sort).top, witch.hand)


def log_draw(t: Coven, witch: Witch, cards: Sequence[Card], rule: str) -> None:
    """CR-A15 Open piles make a draw public."""
    t.log(rule, "{who} draws {cards}.", who=witch, cards=cards)


def some_left(t: Coven, sorts: Sequence[str]) -> bool:
    return any(getattr(t, PILES[sort]) for sort in sorts)


@lru_cache(maxsize=64)
def takes(sorts: tuple[str, ...]) -> Options:
    """CR-6.13 Any pile of these sorts that is not empty."""

    def options(t: Coven, seat: int) -> list[Option | No]:
        found: list[Option | No] = [("take", sort) for sort in sorts if getattr(t, PILES[sort])]
        if t.explaining:
            found += [
                No(("take", sort), "CR-6.13", f"No {sort} is left.") for sort in sorts if not pile(t, sort)
            ]
        return found

    return options


def fullest(t: Coven, sorts: Sequence[str]) -> Option:
    return ("take", max(sorts, key=lambda sort: len(getattr(t, PILES[sort]))))


def draw(t: Coven, witch: Witch, number: int, sorts: tuple[str, ...], rule: str = "CR-14.12") -> Asking:
    """CR-14.12 So many cards of these sorts, and what the Gates add to the draw."""
    taken = yield from draw_plainly(t, witch, number, sorts, rule)
    yield from gates_add(t, witch, taken)


def draw_plainly(t: Coven, witch: Witch, number: int, sorts: tuple[str, ...], rule: str) -> Asking:
    """CR-6.12 One card at a time, of a sort she chooses; what the piles lack is lost."""
    taken, cards = [], []
    for _ in range(number):
        if not some_left(t, sorts):
            break
        sort = sorts[0]
        if len(sorts) > 1:
            option = yield from put(
                t, witch, takes(sorts), "Draw a card", rule, fullest(t, sorts), minor=True
            )
            sort = option[1]
        taken.append(sort)
        cards.append(take(t, witch, sort))
    if cards:
        log_draw(t, witch, cards, rule)
    else:
        t.log("CR-14.13", "Nothing is left for {who} to draw.", who=witch)
    return taken


def gates_add(t: Coven, witch: Witch, taken: Sequence[str]) -> Asking:
    """CR-A26 The Gates' additions come once for each draw."""
    if taken:
        t.happened("draw", seat=witch.seat, taken=taken)
        yield from serve(t)


def discards(witch: Witch, sorts: Sequence[str]) -> Options:
    """CR-14.14 Any card of these sorts; nothing, if she holds none."""

    def options(t: Coven, seat: int) -> Iterator[Option | No]:
        cards = held(t, witch, sorts)
        yield from (("discard", card) for card in cards)
        if not cards:
            yield ("discard", "nothing")
        if t.explaining:
            for card in distinct(t, witch.hand):
                if card not in cards:
                    yield No(
                        ("discard", card),
                        "CR-14.17",
                        f"{t.face(card).name} is not of the kind that is to be discarded.",
                    )

    return options


def discard(t: Coven, witch: Witch, number: int, sorts: Sequence[str], rule: str = "CR-14.14") -> Asking:
    """CR-14.14 She chooses which cards; with too few the rest is lost."""
    for _ in range(min(number, len(witch.hand))):
        option = yield from put(t, witch, discards(witch, sorts), "Discard a card", rule, minor=True)
        if option[1] == "nothing":
            t.log("CR-14.16", "{who} has nothing to discard.", who=witch)
            return
        remove(t, option[1])
        t.log("CR-14.15", "{who} discards {card}.", who=witch, card=option[1])


def change_spell(t: Coven, witch: Witch) -> Asking:
    """CR-14.10 A Spell card of her own choice from the reserve; the old one takes its place there."""
    if not t.reserve:
        return
    option = yield from put(
        t,
        witch,
        [("change to", card) for card in t.reserve],
        "Choose a new Spell card",
        "CR-14.10",
        minor=True,
    )
    t.move(witch.spell[0], t.reserve)
    t.move(option[1], witch.spell)
    t.log("CR-14.11", "{who} changes to {card}.", who=witch, card=option[1])


def play_from_hand(t: Coven, witch: Witch, least: int, most: int, sorts: Sequence[str]) -> Asking:
    """CR-14.5 Cards from the hand, laid open in the centre at once; never an Incantation."""
    sorts = [sort for sort in sorts if sort != "Incantation"]
    for i in range(min(most, len(witch.hand))):

        def options(t: Coven, seat: int, may_stop: bool = i >= least) -> Iterator[Option | No]:
            cards = held(t, witch, sorts)
            yield from (("play", card) for card in cards)
            if may_stop or not cards:
                yield ("play", "nothing")

        option = yield from put(t, witch, options, "Play a card from your hand", "CR-14.5")
        if option[1] == "nothing":
            return
        lay(t, witch, option[1], t.centre)
        t.log("CR-14.6", "{who} plays {card}.", who=witch, card=option[1])


def lay(t: Coven, witch: Witch, card: Card, where: Pile) -> None:
    t.by[card] = witch.seat
    t.move(card, where)
