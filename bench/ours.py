"""What is measured of Talion itself, for every game and example."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from bench.harness import Measure
from talion import games
from talion.bots import Seen
from talion.bots.levels import manner_of
from talion.bots.search import Budget, Search, Thinking
from talion.kernel import Chance, Game, Match

ITERATIONS = 200
"""What a search does for a decision, here and with the peers."""
SECONDS = 1.0
"""How long a search is watched to see where its time goes."""
EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def measures() -> Iterator[Measure]:
    for key in [*map(str, EXAMPLES), *games.keys()]:
        game = games.find(key)
        yield Measure(f"{game.key}: random play", "decisions", random_play(game))
        middle = middle_of_a_match(game)
        yield Measure(f"{game.key}: copy", "copies", many(middle.copy, 20))
        yield Measure(f"{game.key}: redeal", "redeals", redeals(middle))
        yield Measure(f"{game.key}: save and load", "matches", many(partial(reload, middle), 1))
        yield Measure(f"{game.key}: search", "iterations", searching(game))


def few(game: Game) -> int:
    """Two seats where that is possible, else the fewest."""
    return 2 if 2 in game.seats else game.seats[0]


def picker(seed: int) -> Callable[[list[tuple]], tuple]:
    """Chooses at random, as quickly as the loop by hand does."""
    chance = random.Random(seed).random
    return lambda options: options[int(chance() * len(options))]


def random_play(game: Game) -> Callable[[], int]:
    """Matches from set-up to the end, at few seats, played as playouts are.

    They share one stream of chance, as the matches of the peers do, which are seeded once and not for every match.
    """
    pick, chance = picker(1), Chance.of(1)
    return lambda: Match.new(game, few(game), chance=chance, fast=True).play_out(pick)


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


def searching(game: Game) -> Callable[[], int]:
    """Matches in which every seat thinks, a decision a run, counting iterations of trees, also where bots think in turns:
    so games and releases can be compared."""
    seeds = iter(range(1_000_000_000))
    manner = replace(manner_of(game), turns=False)
    match = Match.new(game, few(game), next(seeds))
    bots = [Search(seat, Budget(ITERATIONS), manner) for seat in range(match.seats)]

    def run() -> int:
        nonlocal match
        before = sum(bot.iterations for bot in bots)
        while sum(bot.iterations for bot in bots) == before:
            if match.over:
                match = Match.new(game, few(game), next(seeds))
            seat = min(match.pending)
            match.answer(seat, bots[seat].choose(Seen(match, seat)))
        return sum(bot.iterations for bot in bots) - before

    return run


def spent(game: Game) -> dict[str, float]:
    """Where the time of a search goes, as shares: copying, dealing anew, the trees, looking ahead, judging."""
    parts = {
        "copying": (Match, "_twin"),
        "redealing": (Match, "_deal_anew"),
        "trees": (Thinking, "_descend"),
        "rollout": (Thinking, "_play_ahead"),
        "judging": (Thinking, "_judge"),
    }
    seconds = dict.fromkeys(parts, 0.0)

    def timed(name: str, act: Callable) -> Callable:
        def run(*args: object, **more: object) -> object:
            begun = time.perf_counter()
            try:
                return act(*args, **more)
            finally:
                seconds[name] += time.perf_counter() - begun

        return run

    plain = {name: getattr(owner, method) for name, (owner, method) in parts.items()}
    try:
        for name, (owner, method) in parts.items():
            setattr(owner, method, timed(name, plain[name]))
        run = searching(game)
        begun = time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            run()
    finally:
        for name, (owner, method) in parts.items():
            setattr(owner, method, plain[name])
    total = sum(seconds.values())
    return {name: part / total for name, part in seconds.items()}


def where_time_goes() -> str:
    """A line for each game and example."""
    lines = ["Where a search spends its time:"]
    for key in [*map(str, EXAMPLES), *games.keys()]:
        game = games.find(key)
        shares = ", ".join(f"{name} {share:.0%}" for name, share in spent(game).items())
        lines.append(f"  {game.key}: {shares}")
    return "\n".join(lines)


def reload(match: Match) -> Match:
    return Match.load(match.save(), lambda key: match.game)


def many(act: Callable[[], object], times: int) -> Callable[[], int]:
    """Does something several times, so that reading the clock costs nothing."""

    def run() -> int:
        for _ in range(times):
            act()
        return times

    return run
