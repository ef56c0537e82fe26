"""Cards that look alike are one choice; cards that a player could tell apart are several."""

import sys
from typing import Any

import pytest

from talion.kernel import (
    EVERYONE,
    Chance,
    Game,
    Part,
    PerCard,
    Seats,
    State,
    Value,
    Zone,
)


class Side(Part):
    row = Zone(seen_by=EVERYONE)
    favourite = Value(None)


class Desk(State):
    sides = Seats(Side)
    turned = PerCard(0)
    on = PerCard(None, of_cards=True)


def begin(t: Desk) -> Any:
    t.over([0], "Nothing is played.", "")


GAME = Game(
    key="alike",
    title="Alike",
    seats=(2,),
    state=Desk,
    start=begin,
    rules=sys.modules[__name__],
    longest=1,
    tables={"card": [{"name": "Rook", "count": 4}, {"name": "Crow"}]},
)


@pytest.fixture
def t() -> Desk:
    """Three Rooks and a Crow before seat 0, one more Rook before seat 1."""
    t = Desk.begin(GAME, GAME.content(), 2, Chance(0), {})
    cards = t.create_all(t.box)
    t.move_all([*cards[:3], cards[4]], t.sides[0].row)
    t.move(cards[3], t.sides[1].row)
    return t


def apart(t: Desk, **options: Any) -> list[int]:
    return [int(card) for card in t.distinct([*t.sides[0].row, *t.sides[1].row], **options)]


def test_alike_cards_are_one_and_the_first_of_them_stands_for_all(t: Desk):
    assert apart(t) == [0, 4, 3]


def test_zones_tell_cards_apart(t: Desk):
    t.move(t.sides[1].row[0], t.sides[0].row)
    assert apart(t) == [0, 4]


def test_fields_of_cards_tell_them_apart(t: Desk):
    t.turned[1] = 90
    assert apart(t) == [0, 1, 4, 3]


def test_a_card_that_another_lies_on_is_like_no_other(t: Desk):
    crow = t.sides[0].row[3]
    t.on[crow] = t.sides[0].row[1]
    assert apart(t) == [0, 1, 4, 3]


@pytest.mark.parametrize("where", ["queue", "lasting", "favourite"])
def test_a_card_of_which_something_speaks_is_like_no_other(t: Desk, where: str):
    second = t.sides[0].row[1]
    setattr(t.sides[0] if where == "favourite" else t, where, (("span", (("this", second),)),))
    assert apart(t) == [0, 1, 4, 3]


def test_one_card_can_be_set_apart(t: Desk):
    assert apart(t, apart=t.sides[0].row[2]) == [0, 2, 4, 3]
