"""Work done by other processes of this machine, handed over through pipes.

Python's own process pool needs semaphores in shared memory. Small containers have none, and there it fails or waits for
ever; pipes are everywhere.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
Worker = tuple[BaseProcess, "Connection[Any, Any]"]
MOST_REMEMBERED = 2000
STARTED_BY = "spawn"
"""The one way that every system has."""


def all_cores() -> int:
    """How many processes can work at once here."""
    allowed = getattr(os, "sched_getaffinity", None)  # not every system has it
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class WorkerDied(Exception):  # noqa: N818
    """A process ended before its work did."""


class Processes(Executor):
    """So many workers, which start at once and end with whoever started them, however that ends.

    What a worker was doing when it died ends in WorkerDied. Nobody takes its place: begin again with new ones.
    """

    def __init__(self, count: int, prepare: Callable[[], None] | None = None) -> None:
        with _interrupts_ignored():
            self._workers = [_start(prepare) for _ in range(count)]
        self._free = list(self._workers)
        self._one_is_free = threading.Condition()
        self._lately: OrderedDict[str, Worker] = OrderedDict()
        self._threads = ThreadPoolExecutor(count)  # each waits for one worker

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return self._threads.submit(self._hand_over, "", fn, args, kwargs)

    def submit_for(self, whom: str, fn: Callable[..., T], /, *args: Any) -> Future[T]:
        """The same, by the worker that did something for them last, if it is free: it may remember something."""
        return self._threads.submit(self._hand_over, whom, fn, args, {})

    def _take(self, whom: str) -> Worker:
        with self._one_is_free:
            self._one_is_free.wait_for(lambda: self._free)
            known = self._lately.pop(whom, None)
            worker = known if known in self._free else self._free[0]
            self._free.remove(worker)
            if whom:
                self._lately[whom] = worker
                if len(self._lately) > MOST_REMEMBERED:
                    self._lately.popitem(last=False)
            return worker

    def _leave(self, worker: Worker) -> None:
        with self._one_is_free:
            self._free.append(worker)
            self._one_is_free.notify()

    def _hand_over(self, whom: str, fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        worker = self._take(whom)
        answer = None
        try:
            worker[1].send((fn, args, kwargs))
            answer = worker[1].recv()
        except (EOFError, OSError):
            pass  # said below, so that nobody holds on to this exception and what was being sent
        finally:
            self._leave(worker)
        if answer is None:
            raise WorkerDied("A worker process died.")
        well, result = answer
        if not well:
            raise result
        return result

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers: when all is done, or, without waiting, now."""
        if not wait:
            for process, _ in self._workers:
                process.terminate()
        self._threads.shutdown(wait=True, cancel_futures=cancel_futures or not wait)
        for process, pipe in self._workers:
            pipe.close()
            process.join()


def _start(prepare: Callable[[], None] | None) -> Worker:
    context: Any = multiprocessing.get_context(STARTED_BY)
    here, there = context.Pipe()
    process = context.Process(target=_work, args=(there, prepare), daemon=True)
    process.start()
    there.close()
    return process, here


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """An interrupt at the keyboard reaches all processes, and only the first is to act on it. Workers are born deaf to
    it, if the thread that starts them may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(pipe: Connection[Any, Any], prepare: Callable[[], None] | None) -> None:
    """What a worker does until its pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if prepare is not None:
        prepare()
    with suppress(EOFError, OSError):
        while True:
            fn, args, kwargs = pipe.recv()
            try:
                answer = (True, fn(*args, **kwargs))
            except Exception as problem:
                answer = (False, problem)
            pipe.send(answer)


def _end_with_parent() -> None:
    """A killed parent cannot say goodbye, and this process may be busy for long."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(0)
