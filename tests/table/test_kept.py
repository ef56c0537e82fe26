"""What is kept of pages: a page is as if it were drawn anew, and is drawn no sooner for what others were shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from markupsafe import Markup

from talion import games
from talion.kernel import Chance, Match, Moments
from talion.table.kept import MOST_BESIDE, Kept

from .test_secrecy import TABLE, Wire

SHOWN, EVERY = 24, 3


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    house = Wire(tmp_path_factory.mktemp("kept"))
    yield house
    house.close()


def shown(wire: Wire, key: str, seats: int) -> Iterator[list[bytes]]:
    """What everybody is shown after every few answers of a match, with what happened in the last one."""
    chance = Chance.of(f"kept {key}")
    match = Match.new(wire.house.catalogue.find(key), seats, 5)
    wire.lay(match)
    for _ in range(SHOWN):
        for _ in range(EVERY):
            if match.over:
                return
            heard = match.listen(Moments())
            seat = chance.pick(sorted(match.pending))
            match.answer(seat, chance.pick(match.options(seat)))
        assert heard is match._listener
        wire.show(match, [5] * (seats + 1))
        yield [page(wire, seats, observer) for observer in range(seats + 1)]


def page(wire: Wire, seats: int, observer: int) -> bytes:
    assert wire.live is not None
    if observer == seats:
        return wire.ask("a watcher", "GET", f"/tables/{TABLE}?watch&since=0", None)
    return wire.ask(f"token {observer}", "GET", f"/seats/{wire.live.seats[observer].id}?since=0", None)


@pytest.mark.parametrize("key", ["sealed", *games.keys()])
def test_a_page_is_as_if_nothing_had_been_kept(wire: Wire, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = games.find(key).seats[-1] if key in games.keys() else 2  # noqa: SIM118 - a function of the registry
    kept = list(shown(wire, key, seats))
    monkeypatch.setattr(Kept, "part", lambda self, key, draw: draw())
    monkeypatch.setattr(Kept, "whole", lambda self, draw: draw())
    monkeypatch.setattr(Kept, "beside", lambda self, person, facts, draw: draw())
    anew = list(shown(wire, key, seats))
    assert len(kept) > 3
    assert kept == anew


def test_no_page_is_drawn_sooner_for_what_another_was_shown(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many parts are drawn for Ann, whether or not everybody else has looked before her."""
    drawn: list[Any] = []
    honest = Kept.part

    def part(self: Kept, key: Any, draw: Any) -> Any:
        def counted() -> Any:
            drawn.append(key)
            return draw()

        return honest(self, key, counted)

    monkeypatch.setattr(Kept, "part", part)
    for _ in shown(wire, "vengeance", 3):
        counts = []
        for before in ((), (1, 2, 3)):
            wire.forget()
            for observer in before:
                page(wire, 3, observer)
            drawn.clear()
            page(wire, 3, 0)
            counts.append(len(drawn))
        assert counts[0] == counts[1] > 0


def test_only_what_lies_there_is_kept() -> None:
    """The parts of the last stage, and of the one before; and for so many people what they have around it."""
    kept = Kept()
    drawn: list[str] = []

    def draws(name: str) -> Callable[[], Any]:
        def draw() -> Any:
            drawn.append(name)
            return Markup(name)

        return draw

    for state, parts in ((b"1", "ab"), (b"2", "b"), (b"3", "ab"), (b"3", "a")):
        kept.begin(state)
        for name in parts:
            kept.part((name, b"", frozenset()), draws(name))
    assert drawn == ["a", "b", "a"], "what was left out of a whole stage is drawn again"
    drawn.clear()
    everybody = [f"person {number}" for number in range(MOST_BESIDE + 1)]
    for person in (*everybody, everybody[0], everybody[-1]):
        kept.beside(person, person, draws(person))
    assert drawn == [*everybody, everybody[0]], "the one who looked first was forgotten"
