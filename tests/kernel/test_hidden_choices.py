"""Three small services: numbers with a unit, lines that are not in force, choices among cards one does not see."""

import types
from pathlib import Path

from talion.kernel import (
    EVERYONE,
    OWNER,
    Add,
    Card,
    Game,
    Match,
    Part,
    Phrasebook,
    Seats,
    Source,
    State,
    Zone,
)
from talion.kernel.reading import Reader


def test_a_number_may_be_followed_by_its_unit():
    book = Phrasebook()
    book.effect("gain {n:number}Ç")(lambda play, n: None)
    said = Reader(book, []).read("Gain 300Ç", "effect")
    assert said.filled["n"] == 300
    assert said.text.lower() == "gain 300ç"


class Side(Part):
    row = Zone(seen_by=OWNER, ordered=True)


class Table(State):
    sides = Seats(Side)
    open = Zone(seen_by=EVERYONE)


book = Phrasebook()


@book.static("pay {n:number} more", question="price")
def more(play, n, about):
    return Add(n)


def build(t):
    for face in t.content.faces:
        t.create(face, t.sides[1].row)


def choose(t):
    chosen = yield from t.choose(0, "Choose a card", list(t.sides[1].row))
    assert isinstance(chosen, Card)
    t.over([0], t.face(chosen).name)


def small_game(sources):
    return Game(
        key="small",
        title="Small",
        seats=(2,),
        state=Table,
        start=choose,
        rules=types.ModuleType("rules"),
        longest=1,
        book=book,
        texts={"says": "static"},
        build=build,
        sources=sources,
    )


def printed(game):
    cards = [{"name": "A", "says": ["pay 1 more", "pay 10 more"]}, {"name": "B"}]
    return game.printed({"card": cards}, str(Path(__file__)))


def test_a_card_one_does_not_see_is_chosen_by_its_place():
    game = small_game(lambda t: ())
    match = Match.new(game, 2, content=printed(game))
    assert match.options(0) == [("choose", ("row", 1, 0)), ("choose", ("row", 1, 1))]
    match.answer(0, ("choose", ("row", 1, 1)))
    assert match.result is not None
    assert match.result.why == "B"


def test_only_the_lines_in_force_have_a_say():
    def first_line(line):
        return line.path[2] == 0

    def sources(t):
        return [Source(t.sides[1].row, 0, first_line)]

    game = small_game(sources)
    match = Match.new(game, 2, content=printed(game))
    assert match.t.modified("price", 5) == 6
