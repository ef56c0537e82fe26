"""A pile whose top card lies open shows it after a shuffle too."""

import sys
from collections.abc import Iterator

from talion.kernel import TOP, Ask, Chance, Content, Game, Match, Phrasebook, State, Zone


class Table(State):
    pile = Zone(seen_by=TOP)


def build(t: Table) -> None:
    t.create_all(t.pile)


def only_step(t: Table) -> Iterator[Ask]:
    t.shuffle(t.pile)
    yield t.ask(0, [("end",)], "End")
    t.over([0], "It ends.")


book = Phrasebook()
game = Game(
    key="open-top",
    title="Open top",
    seats=(1,),
    state=Table,
    start=only_step,
    rules=sys.modules[__name__],
    longest=1,
    build=build,
    book=book,
)
content = Content({"card": [{"name": name} for name in "ABCDEFGH"]}, {}, book, "cards")


def test_the_top_is_known_after_a_shuffle_and_stays_in_every_redeal() -> None:
    match = Match.new(game, 1, seed=3, content=content)
    top = match.t.face(match.t.pile.top).name
    assert match.t.knows(0, match.t.pile.top)
    assert not match.t.knows(0, match.t.pile[0])
    imagined = [match.redeal(0, Chance.of(seed)) for seed in range(20)]
    assert {world.t.face(world.t.pile.top).name for world in imagined} == {top}
    assert len({world.t.face(world.t.pile[0]).name for world in imagined}) > 1
