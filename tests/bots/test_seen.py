"""What a bot is given: wherever it looks, it finds nothing that its seat may not know."""

import gc
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

from talion import games
from talion.bots import Seen
from talion.kernel import EVERYONE, NOBODY, OWNER, Asking, Card, Chance, Game, Match, Part, Seats, State, Zone
from talion.testing.worlds import everything, poisoned


def decisions(key: str, seats: int, every: int, most: int) -> Iterator[tuple[Match, int]]:
    """Some decisions of matches played at random, and whose they are."""
    game = games.find(key)
    chance = Chance.of(f"{key}:{seats}")
    match = Match.new(game, seats, key)
    for number in range(every * most):
        if match.over:
            return
        seat = chance.pick(sorted(match.pending))
        if number % every == 0:
            yield match, seat
        match.answer(seat, chance.pick(match.options(seat)))


def reached(*things: Any) -> Iterator[Any]:
    """Everything that can be reached from some things, by whatever way: attributes, slots, closures, waiting generators.
    Modules and classes are anybody's, and so is what functions read from them."""
    found: dict[int, Any] = {id(thing): thing for thing in things}
    left = list(things)
    while left:
        thing = left.pop()
        yield thing
        for other in gc.get_referents(thing):
            shared = isinstance(thing, FunctionType) and other is thing.__globals__
            if id(other) not in found and not shared and not isinstance(other, ModuleType | type):
                found[id(other)] = other
                left.append(other)


@pytest.mark.parametrize("key", games.keys())
def test_no_way_leads_from_a_bot_to_the_match(key: str) -> None:
    for match, seat in decisions(key, 2, 40, 6):
        seen = Seen(match, seat)
        ways = list(reached(seen, seen.view, seen.ask, seen.options, seen.imagine(Chance(1))))
        base = match.state_at_step()
        for own in (
            match,
            *(part for t in (match.t, base) for part in (t, t.faces, t.where, t.know, t.chance, *t.piles)),
        ):
            assert not any(thing is own for thing in ways)
        keys = {t.chance._key for t in (match.t, base)}
        assert not any(isinstance(thing, bytes) and thing in keys for thing in ways)


def laid_out(t: State, cards: bool) -> Any:
    """A state with faces in their places; `cards`: with their numbers too."""
    return [[(t.faces[card], card if cards else None) for card in pile] for pile in t.piles]


def told(match: Match, seat: int) -> Any:
    """All there is in a likeness, without the numbers of cards that the seat does not know."""
    found = Seen(match, seat)._likeness
    base, now = found.state_at_step(), found.t

    def plain(value: Any) -> Any:
        if isinstance(value, Card):
            known = now.knows(seat, value) or base.knows(seat, value)
            return int(value) if known else (base.faces[value], base.place(value))
        return [plain(part) for part in value] if isinstance(value, tuple | list) else value

    return [
        laid_out(base, False),
        laid_out(now, False),
        plain(found.entries),
        plain(found.step[1]),
        everything(found, seat),
    ]


@pytest.mark.parametrize("key", games.keys())
def test_a_likeness_is_made_of_what_the_seat_knows_alone(key: str) -> None:
    chance = Chance.of(f"otherwise {key}")
    differed = 0
    for match, seat in decisions(key, 2, 15, 12):
        twin = poisoned(match, seat, chance)
        differed += laid_out(twin.t, False) != laid_out(match.t, False)
        assert told(twin, seat) == told(match, seat)
        assert everything(Seen(match, seat)._likeness, seat) == everything(match, seat)
    assert differed > 0


@pytest.mark.parametrize("key", games.keys())
def test_card_numbers_do_not_tell_where_hidden_cards_lie(key: str) -> None:
    """Cards are numbered as they are printed, so whoever knew which number lies where would know all."""
    for match, seat in decisions(key, 2, 60, 2):
        hidden = [pile for pile in match.t.piles if not pile.place.shows(seat)]
        hidden = [
            pile
            for pile in hidden
            if len({match.t.faces[card] for card in pile if not match.t.knows(seat, card)}) > 3
        ]
        found = Seen(match, seat)._likeness.t.piles
        assert all(list(found[pile.place.id]) != list(pile) for pile in hidden)
        assert sum(map(len, found)) == len({card for pile in found for card in pile}) == len(match.t.faces)


# In the middle of a step ---------------------------------------------------------------------------------------------


class Holder(Part):
    hand = Zone(seen_by=OWNER)


class Pack(State):
    deck = Zone(seen_by=NOBODY)
    discard = Zone(seen_by=EVERYONE)
    holders = Seats(Holder)


def build(t: Pack) -> None:
    t.create_all(t.deck)


def set_up(t: Pack) -> Any:
    t.move_all(t.deck, t.discard)
    return turn


def turn(t: Pack) -> Asking:
    """Cards that lay open are shuffled away and dealt, all in the step that asks."""
    t.move_all(t.discard, t.deck)
    t.shuffle(t.deck)
    for holder in t.holders:
        for _ in range(3):
            t.draw(t.deck, holder.hand)
    t.roll(6)
    yield t.ask(0, [("go",)], "Go on")
    t.over([0], "It is done.")


PACK = Game(
    key="pack",
    title="Pack",
    seats=(2,),
    state=Pack,
    start=set_up,
    build=build,
    rules=sys.modules[__name__],
    longest=9,
    tables={"card": [{"name": name} for name in "ABCDEFGHIJKL"]},
)


def test_what_lay_open_before_a_shuffle_does_not_tell_what_came_of_it() -> None:
    """The step begins with cards everybody sees. In two matches in which the seat draws the same, it is given the same."""
    found: dict[Any, set[str]] = {}
    for seed in range(3000):
        match = Match.new(PACK, 2, seed)
        hand = tuple(match.t.face(card).name for card in match.t.holders[0].hand)
        likeness = Seen(match, 0)._likeness
        assert [likeness.t.face(card).name for card in likeness.t.holders[0].hand] == list(hand)
        again = likeness.copy()
        assert laid_out(again.t, True) == laid_out(likeness.t, True)
        found.setdefault(hand, set()).add(repr(laid_out(likeness.t, True)))
    assert len(found) < 3000, "some hands came twice"
    assert all(len(given) == 1 for given in found.values())
