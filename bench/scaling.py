"""Do two workers play twice as many matches a second? `python -m bench.scaling GAME BOTS GAMES`.

A loop that does nothing but count is run beside it, in one process and in two: what it gains is what the machine can give.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from talion.lab.playing import Job, play_tasks
from talion.lab.simulate import executor

ROUNDS = 3
SPINS = 20_000_000


def spin(count: int) -> None:
    for _ in range(count):
        pass


def spins_a_second(workers: int) -> float:
    with ProcessPoolExecutor(workers, get_context("forkserver")) as pool:
        list(pool.map(spin, [1] * workers))
        begun = time.perf_counter()
        list(pool.map(spin, [SPINS] * workers))
        return workers * SPINS / (time.perf_counter() - begun)


def matches_a_second(job: Job, matches: int, workers: int) -> float:
    """With workers that are awake and know the game: a long run spends no time worth naming on that."""
    with executor(workers, None) as pool:
        list(pool.map(play_tasks, [[(job, -worker - 1)] for worker in range(4 * workers)]))
        begun = time.perf_counter()
        list(pool.map(play_tasks, [[(job, number)] for number in range(matches)]))
        return matches / (time.perf_counter() - begun)


def main() -> None:
    game, bots, matches = sys.argv[1], tuple(sys.argv[2].split(",")), int(sys.argv[3])
    job = Job(game, bots)
    spun = {workers: max(spins_a_second(workers) for _ in range(ROUNDS)) for workers in (1, 2)}
    played = {
        workers: max(matches_a_second(job, matches, workers) for _ in range(ROUNDS)) for workers in (1, 2)
    }
    print(f"a spin loop: two processes do {spun[2] / spun[1]:.2f} times as much as one")
    print(f"{game}, {sys.argv[2]}: {played[1]:.2f} matches a second on one worker, {played[2]:.2f} on two")
    print(f"two workers play {played[2] / played[1]:.2f} times as many")


if __name__ == "__main__":
    main()
