"""Whoever listens to a match hears what happens in it, and nothing of what bots imagine."""

from collections import Counter
from typing import Any

import pytest

from talion import bots, games
from talion.kernel import Card, Chance, Listener, Match, Moments, State
from talion.kernel.fields import Pile

KEYS = games.keys()


class Everything(Listener):
    def __init__(self) -> None:
        self.heard: Counter[str] = Counter()
        self.at: dict[Card, int] = {}

    def logged(self, t: State) -> None:
        self.heard["line"] += 1

    def moved(self, t: State, card: Card, source: Pile, to: Pile) -> None:
        assert self.at.get(card, source.place.id) == source.place.id
        self.heard["move"] += 1
        self.at[card] = to.place.id

    def rolled(self, t: State, sides: int, value: int) -> None:
        assert 1 <= value <= sides
        self.heard["roll"] += 1

    def happened(self, t: State, event: str, about: dict[str, Any]) -> None:
        self.heard[f"event {event}"] += 1

    def said(self, said: Any, play: Any) -> None:
        self.heard["phrase"] += 1


def played(key: str, listener: Listener | None, answers: int = 150) -> Match:
    game = games.find(key)
    match, chance = Match.new(game, game.seats[0], 5), Chance.of(5)
    match.listen(listener)
    while not match.over and match.number < answers:
        seat = chance.pick(sorted(match.pending))
        bots.make("greedy", match.number).choose(bots.Seen(match, seat))  # imagines, and is not heard
        match.answer(seat, chance.pick(match.options(seat)))
    return match


@pytest.mark.parametrize("key", KEYS)
def test_a_listener_hears_where_every_card_goes_and_every_line(key: str) -> None:
    heard = Everything()
    game = games.find(key)
    lines = len(Match.new(game, game.seats[0], 5).log(None))
    match = played(key, heard)
    assert heard.heard["line"] == len(match.log(None)) - lines
    assert heard.heard["move"] and heard.heard["phrase"]
    assert all(match.t.where[card] == place for card, place in heard.at.items())


def test_listening_changes_nothing() -> None:
    one, two = played(KEYS[0], None), played(KEYS[0], Moments())
    assert one.save() == two.save()


@pytest.mark.parametrize("key", KEYS)
def test_a_moment_shows_the_table_as_it_stood_at_its_line(key: str) -> None:
    game = games.find(key)
    match, chance = Match.new(game, game.seats[-1], 7), Chance.of(7)
    heard = match.listen(Moments())
    several = 0
    while not match.over and match.number < 120:
        heard.clear()
        before = {seat: len(match.log(seat)) for seat in (0, None)}
        seat = chance.pick(sorted(match.pending))
        match.answer(seat, chance.pick(match.options(seat)))
        for audience in (0, None):
            moments = list(heard.seen_by(audience))
            assert [moment.line(audience) for moment in moments] == match.log(audience)[before[audience] :]
            for moment in moments:
                data = moment.view(audience).data()
                assert "ask" not in data and "standing" not in data and data["waiting_for"] == []
            if len(moments) > 1:
                several += moments[0].view(audience).data() != moments[-1].view(audience).data()
    assert several


def test_a_fast_match_is_heard_and_can_be_stepped() -> None:
    game = games.find(KEYS[0])
    match = Match.new(game, 2, 3, fast=True)
    seat, ask = next(iter(match.pending.items()))
    match.answer(seat, ask.open(match.t)[0])
    heard = match.listen(Everything())
    match.play_out(Chance(1).pick)
    assert match.over and heard.heard["move"]


def test_undo_keeps_the_listener() -> None:
    match = Match.new(games.find(KEYS[0]), 2, 3)
    heard = match.listen(Moments())
    seat = next(iter(match.pending))
    match.answer(seat, match.options(seat)[0])
    match.undo()
    heard.clear()
    match.play_out(Chance(1).pick, 20)
    assert heard.all


@pytest.mark.parametrize("key", KEYS)
def test_a_match_without_its_log_is_small_and_goes_on_the_same(key: str) -> None:
    match = played(key, None, 80)
    whole, bare = match.save(written_out=True), match.without_log().save(written_out=True)
    assert len(bare) < len(whole)
    one, two = (Match.load(text, games.find) for text in (whole, bare))
    assert two.t.write() == one.t.write() and len(two.log(None)) < len(one.log(None))
    assert [*one.pending] == [*two.pending]
