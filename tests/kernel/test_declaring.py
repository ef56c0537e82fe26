"""What a game declares: names that are taken are refused where they are written down."""

import types

import pytest

from talion.kernel import Counter, Part, Seat, State, Word


@pytest.mark.parametrize(
    "name", ["options", "modified", "look", "face", "log", "box", "queue", "seat", "copy"]
)
def test_a_field_that_hides_something_of_the_kernel_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"Mine.{name} would hide the kernel’s own {name}"):
        types.new_class("Mine", (State,), exec_body=lambda space: space.update({name: Counter()}))


def test_a_game_may_declare_its_own_field_anew() -> None:
    class Mine(Part):
        mood = Word("calm")

    class Yours(Mine):
        mood = Word("merry")

    assert (Mine.new().mood, Yours.new().mood) == ("calm", "merry")


def test_a_seat_may_be_nobodys() -> None:
    class Mine(Part):
        holder = Seat.maybe()
        active = Seat(1)

    part = Mine.new()
    assert (part.holder, part.active) == (None, 1)
    part.holder = 2
    again = Mine.new()
    again.read(part.write())
    assert again.holder == 2
