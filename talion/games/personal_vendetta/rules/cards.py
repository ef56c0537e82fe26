"""PV-11, PV-13: the head, headspace, and cards that change hands."""

from __future__ import annotations

from collections.abc import Iterable

from talion.kernel import Asking, Card

from .table import Clone, Vendetta

HEADSPACE = 4


def top_card(t: Vendetta) -> Card | None:
    """PV-11.3 The next card of the head; out of all forgotten piles comes a new head when it has run out."""
    if not t.head:
        for clone in t.clones:
            t.move_all(clone.forgotten, t.head)
        if t.head:
            t.shuffle(t.head)
            t.log("PV-11.3", "The head is empty: the forgotten piles are shuffled into a new one.")
    return t.head[-1] if t.head else None


def turn_up(t: Vendetta, n: int) -> None:
    """PV-12.3 Cards from the head into headspace."""
    cards = []
    for _ in range(n):
        card = top_card(t)
        if card is not None:
            cards.append(t.move(card, t.headspace))
    if cards:
        t.log("PV-12.3", "New in headspace: {cards}.", cards=cards)


def draw(t: Vendetta, seat: int, n: int) -> None:
    """PV-13.6 From the top of the head to the hand."""
    clone = t.clones[seat]
    for _ in range(n):
        card = top_card(t)
        if card is not None:
            add(t, clone, card)
            t.happened("deed", deed="draw", seat=seat)
            t.log("PV-13.6", "{clone} draws {card}.", clone=clone, card=card)


def add(t: Vendetta, clone: Clone, card: Card) -> None:
    """PV-13.5 Wherever it comes from, a card is added to a hand."""
    t.move(card, clone.hand)
    t.happened("deed", deed="add", seat=clone.seat)


def pick(t: Vendetta, clone: Clone, what: str, n: int, rule: str) -> Asking:
    """PV-R17 The clone chooses which of its cards go."""
    pile = getattr(clone, what)
    if what == "forgotten":
        return (yield from pick_to_bury(t, clone, pile, n, "bury", rule))
    return (yield from pick_from(t, clone, pile, n, "discard", rule))


def pick_from(t: Vendetta, clone: Clone, cards: Iterable[Card], n: int, verb: str, rule: str) -> Asking:
    """PV-R49 A row of asks for n cards; none where only one answer is possible."""
    left: list[Card] = list(cards)
    if n >= len(left):
        return left
    chosen: list[Card] = []
    while len(chosen) < n:
        prompt = f"Choose a card to {verb}" + (f" ({len(chosen) + 1} of {n})" if n > 1 else "")
        answer = yield t.ask(clone, [(verb, card) for card in left], prompt, rule, minor=True)
        left.remove(answer[1])
        chosen.append(answer[1])
    return chosen


def pick_to_bury(t: Vendetta, clone: Clone, cards: Iterable[Card], n: int, verb: str, rule: str) -> Asking:
    """PV-R36 Everybody sees which cards go under the head; their order is the chooser's secret."""
    left = yield from pick_from(t, clone, cards, n, verb, rule)
    ordered: list[Card] = []
    while len(left) > 1:
        options = [("next", card) for card in left]
        answer = yield t.ask(clone, options, "Which goes under the head next?", rule, secret=True, minor=True)
        left.remove(answer[1])
        ordered.append(answer[1])
    return ordered + left


PAID_BY = {"hand": "PV-4.5", "states": "PV-4.6", "forgotten": "PV-4.7"}


def part_with(t: Vendetta, clone: Clone, what: str, cards: list[Card]) -> None:
    """PV-4.5 Cards and states go to the forgotten pile, forgotten cards under the head."""
    if not cards:
        return
    if what == "forgotten":
        bury(t, clone, cards)
        return
    t.move_all(cards, clone.forgotten)
    t.log(PAID_BY[what], "{clone} discards {cards}.", clone=clone, cards=cards)
    if what == "hand":
        for _ in cards:
            t.happened("deed", deed="discard", seat=clone.seat)


def bury(t: Vendetta, clone: Clone, cards: list[Card]) -> None:
    """PV-R36 Under the head, in an order that only this clone knows."""
    by_name = sorted(cards, key=lambda card: t.face(card).name)
    t.log("PV-4.7", "{clone} puts {cards} under the head.", clone=clone, cards=by_name)
    t.bury(cards, t.head, by=clone.seat)  # type: ignore[arg-type]
