"""Many matches on many processes. The rows are the same whatever the number of workers and the order they finish in."""

from __future__ import annotations

import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, suppress
from itertools import islice
from statistics import median
from typing import Any, cast

from talion.processes import Processes, WorkerDied

from . import BadInput
from .playing import Job, Played, Task, play_match, play_tasks
from .statistics import Share

LARGEST = 20
"""The most matches handed to a worker at once."""
PORTION = 1.0
"""Seconds that a worker should be busy with what it is handed."""
AT_ONCE = 1000
"""The most portions a cluster is given at once, whose size nobody knows here."""
ATTEMPTS = 3
"""How often work is begun anew after workers died, before it is given up."""


class Interrupted(Exception):  # noqa: N818
    """Somebody has had enough. Holds what was played so far."""

    def __init__(self, played: list[Played]) -> None:
        super().__init__("interrupted")
        self.played = played


def simulate(
    job: Job,
    matches: int,
    *,
    workers: int = 1,
    dask: str | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> list[Played]:
    """Plays matches 0 to `matches` - 1 and gives them in this order. `tell` hears how many are done."""
    done: dict[int, Played] = {}

    def heard(at: int, played: Played) -> None:
        done[at] = played
        tell(len(done))

    try:
        play([(job, number) for number in range(matches)], heard, workers=workers, dask=dask)
    except KeyboardInterrupt:
        raise Interrupted([done[number] for number in sorted(done)]) from None
    return [done[number] for number in range(matches)]


Heard = Callable[[int, Played], None]
"""Is told of each match that is done: the place of its task, and what came of it."""


def play(
    tasks: Sequence[Task], heard: Heard, *, workers: int = 1, dask: str | None = None, largest: int = LARGEST
) -> None:
    """Plays matches, here or on workers, each handed `largest` matches at most. If workers die, what they had is handed
    out again."""
    with _ending_interrupts():
        if workers == 1 and dask is None:
            for at, task in enumerate(tasks):
                heard(at, play_match(*task))
        else:
            _share_out(tasks, heard, workers, dask, largest)


def _share_out(tasks: Sequence[Task], heard: Heard, workers: int, dask: str | None, largest: int) -> None:
    left = dict(enumerate(tasks))
    for _ in range(ATTEMPTS):
        with suppress(WorkerDied), executor(workers, dask) as pool:
            fair = max(1, min(largest, len(left) // (8 * workers)))
            _hand_out(pool, left, AT_ONCE if dask else 2 * workers, fair, heard)
            return
    raise BadInput(
        f"Worker processes died {ATTEMPTS} times; {len(left)} of {len(tasks)} matches are not played."
    )


def _hand_out(pool: Executor, left: dict[int, Task], at_once: int, largest: int, heard: Heard) -> None:
    """Keeps every worker busy, and no more work on the way than that takes, so that stopping is quick.

    Work goes out in portions of about a second: large enough to be worth the way, small enough that little is lost
    when somebody stops, and that nobody waits for the last one.
    """
    waiting = iter(list(left))
    size = 1
    under_way: dict[Future[tuple[list[Played], float]], list[int]] = {}
    while True:
        while len(under_way) < at_once and (portion := list(islice(waiting, size))):
            under_way[pool.submit(play_tasks, [left[at] for at in portion])] = portion
        if not under_way:
            return
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            portion = under_way.pop(future)
            matches, seconds = future.result()
            for at, played in zip(portion, matches, strict=True):
                del left[at]
                heard(at, played)
            size = max(1, min(largest, int(PORTION * len(matches) / seconds)))


@contextmanager
def executor(workers: int, dask: str | None) -> Iterator[Executor]:
    """Processes of this machine, or a Dask cluster. Left early, it drops what it has not begun."""
    if dask is not None:
        with _cluster(dask) as pool:
            yield pool
        return
    pool = Processes(workers)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False)
        raise
    pool.shutdown()


@contextmanager
def _ending_interrupts() -> Iterator[None]:
    """To be told to end is as good as an interrupt at the keyboard: what was played is kept, no worker left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError:
        raise BadInput(
            f"--dask needs an extra: run `{sys.executable} -m pip install 'talion[dask]'`."
        ) from None
    try:
        client: Any = cast(Any, Client)(address, timeout="3s")
    except (OSError, ValueError, TypeError, KeyError):
        raise BadInput(f"No Dask scheduler answers at {address}.") from None
    pool: Any = client.get_executor(pure=False, retries=ATTEMPTS)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False)
        client.close()


# What came of it -----------------------------------------------------------------------------------------------------


def summary(job: Job, played: Sequence[Played]) -> Iterator[str]:
    """Who won how often, how long matches were, why they ended, how long bots thought."""
    rows = [one.row for one in played]
    total = len(rows)
    yield f"{total} match{'es' if total != 1 else ''}."
    if not rows:
        return
    for place, name in enumerate(job.bots):
        won = sum((place + row["match"]) % len(job.bots) in row["winners"] for row in rows)
        yield f"{name}, bot {place + 1}: won {Share(won, total)}"
    for seat in range(len(job.bots)):
        yield f"seat {seat}: won {Share(sum(seat in row['winners'] for row in rows), total)}"
    yield f"nobody won: {Share(sum(not row['winners'] for row in rows), total)}"
    for unit, column in (("turns", "turns"), ("decisions", "decisions")):
        lengths = sorted(row[column] for row in rows)
        if lengths[-1]:
            yield f"{unit}: {lengths[0]} to {lengths[-1]}, median {median(lengths):g}"
    for rule, count in Counter(row["rule"] for row in rows).most_common():
        yield f"ended by {rule or 'no rule'}: {Share(count, total)}"
    for name in dict.fromkeys(job.bots):
        seconds = sorted(time for one in played for time in one.seconds.get(name, ()))
        if seconds:
            yield f"{name} thinks {_ms(sum(seconds) / len(seconds))} a decision, {_ms(quantile(seconds, 0.95))} at the 95th percentile"


def quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"
