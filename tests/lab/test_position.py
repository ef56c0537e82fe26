"""Positions to try a card in, found in matches between bots."""

from typing import Any

import pytest

from talion import games
from talion.kernel import Match
from talion.kernel.record import digest
from talion.lab import BadInput, position
from talion.lab.position import IN_HAND, OFFERED, Occasion

CARDS = {
    "personal-vendetta": "Bone Lathe",
    "chapter-of-resonance": "Artifact 3",
    "vengeance": "Blade Drills",
}
"""A card for each game; without a name its first."""


@pytest.mark.parametrize("key", [game.key for game in games.every()])
def test_a_card_lies_where_one_can_choose_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every game: it is among the options, the match can be saved there, and the same number is the same position."""
    monkeypatch.setattr(position, "DECISIONS", 45)
    game = games.find(key)
    content = game.content()
    name = CARDS.get(key) or next(face.name for face in content.faces if face.count)
    found = position.position(game, content, name, 1)
    shown = found.match.view(found.seat).data()
    assert name in str(shown)
    again = Match.load(found.text(), games.find)
    assert again.pending.keys() == found.match.pending.keys() and found.seat in again.pending
    assert again.options(found.seat) == found.match.options(found.seat)
    if found.playable:
        assert any(name in offer.name for offer in found.match.view(found.seat).offers())
    same = position.position(game, content, name, 1)
    assert digest(same.match.t) == digest(found.match.t)


def test_a_card_that_is_held_is_tried_from_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it could be taken from the open row too, it lies in the hand, and there is enough to pay for it."""
    monkeypatch.setattr(position, "DECISIONS", 45)
    game = games.find("personal-vendetta")
    for seed in range(3):
        found = position.position(game, game.content(), "Bone Lathe", seed)
        assert "play Bone Lathe" in [offer.name for offer in found.match.view(found.seat).offers()]


def test_a_name_that_no_card_has_is_refused_with_the_nearest() -> None:
    game = games.find("personal-vendetta")
    with pytest.raises(BadInput, match=r"There is no card “Bone Lath”.*Bone Lathe"):
        position.position(game, game.content(), "Bone Lath")


def test_the_card_in_hand_is_better_than_one_that_only_lies_there_and_the_middle_is_neither_begin_nor_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All tables are looked through until one has it in hand; of what was found there the middle one is taken."""
    game = games.find("personal-vendetta")
    match = Match.new(game, 2, 1)

    def found(game: Any, content: Any, face: Any, seats: int, seed: str) -> list[Occasion]:
        near = [OFFERED, IN_HAND, OFFERED][int(seed.split(":")[1])]
        return [Occasion(match, seat, near) for seat in range(5)]

    monkeypatch.setattr("talion.lab.position._found", found)
    there = position.position(game, game.content(), "Bone Lathe", "x")
    assert (there.nearness, there.seat) == (IN_HAND, 2)
