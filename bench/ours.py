"""What is measured of Talion itself, for every game and example."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.harness import Measure
from talion import games
from talion.kernel import Chance, Game, Match

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def measures() -> Iterator[Measure]:
    for key in [*map(str, EXAMPLES), *games.keys()]:
        game = games.find(key)
        yield Measure(f"{game.key}: random play", "decisions", random_play(game))
        middle = middle_of_a_match(game)
        yield Measure(f"{game.key}: copy", "copies", many(middle.copy, 20))
        yield Measure(f"{game.key}: redeal", "redeals", redeals(middle))
        yield Measure(f"{game.key}: save and load", "matches", many(partial(reload, middle), 1))


def few(game: Game) -> int:
    """Two seats where that is possible, else the fewest."""
    return 2 if 2 in game.seats else game.seats[0]


def picker(seed: int) -> Callable[[list[tuple]], tuple]:
    """Chooses at random, as quickly as the loop by hand does."""
    chance = random.Random(seed).random
    return lambda options: options[int(chance() * len(options))]


def random_play(game: Game) -> Callable[[], int]:
    """Matches from set-up to the end, at few seats, played as playouts are."""
    pick = picker(1)
    seeds = iter(range(1_000_000_000))
    return lambda: Match.new(game, few(game), next(seeds), fast=True).play_out(pick)


def middle_of_a_match(game: Game) -> Match:
    """A match half played, by the length of one from the same seed."""
    length = Match.new(game, few(game), 1).play_out(picker(1))
    match = Match.new(game, few(game), 1)
    match.play_out(picker(1), length // 2)
    return match


def redeals(match: Match) -> Callable[[], int]:
    chance = Chance(1)
    seat = next(iter(match.pending))
    return many(lambda: match.redeal(seat, chance), 10)


def reload(match: Match) -> Match:
    return Match.load(match.save(), lambda key: match.game)


def many(act: Callable[[], object], times: int) -> Callable[[], int]:
    """Does something several times, so that reading the clock costs nothing."""

    def run() -> int:
        for _ in range(times):
            act()
        return times

    return run
