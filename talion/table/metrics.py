"""Numbers about the server, as Prometheus reads them. Several workers add up to one page."""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import time
from bisect import bisect_left
from itertools import pairwise
from pathlib import Path

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
MEMORY = Path("/proc/self/statm")
REPLIES = ("accepted", "duplicate", "refused", "stale", "limited", "failed")

COUNTERS = {
    f'talion_answers_total{{reply="{reply}"}}': "Submissions, by the reply they got." for reply in REPLIES
}
COUNTERS |= {
    "talion_entries_total": "Entries written.",
    "talion_bot_moves_total": "Moves made by bots.",
    "talion_bot_trees_kept_total": "Moves of bots that went on with what they had thought of the one before.",
    "talion_bot_defaults_total": "Moves of bots that could not think, answered by their default.",
    "talion_bot_failures_total": "Turns for which a bot could not think; they are tried again.",
    "talion_defaults_total": "Asks answered by their default because a clock ran out.",
    "talion_requests_total": "HTTP requests.",
    "talion_errors_total": "HTTP requests that ended in a server error.",
    "process_cpu_seconds_total": "Seconds of CPU of the server's processes, without those in which bots think.",
}
GAUGES = {
    "talion_streams": "Event streams that are open.",
    "talion_bot_queue": "Bots' turns waiting or being thought about.",
    "talion_live_tables": "Tables held in memory.",
    "talion_bots_failing": "Processes whose bots could not think when last asked.",
    "process_resident_memory_bytes": "Memory of the server's processes, without those in which bots think.",
}
LATENCY = "talion_answer_seconds"
_BUCKET_NAMES = [f'{LATENCY}_bucket{{le="{bound}"}}' for bound in (*BUCKETS, "+Inf")]
_NAMES = [*COUNTERS, *_BUCKET_NAMES, f"{LATENCY}_sum", f"{LATENCY}_count", *GAUGES]
_PLACE = {name: index for index, name in enumerate(_NAMES)}


class Metrics:
    """One small shared file per process: each writes its own, any of them can add all up."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = Path(folder or tempfile.mkdtemp(prefix="talion-metrics-"))
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / str(os.getpid())
        path.write_bytes(bytes(len(_NAMES) * 8))
        with path.open("r+b") as file:
            self._mine = memoryview(mmap.mmap(file.fileno(), 0)).cast("d")

    def add(self, name: str, amount: float = 1) -> None:
        self._mine[_PLACE[name]] += amount

    def set(self, name: str, value: float) -> None:
        self._mine[_PLACE[name]] = value

    def answered(self, reply: str, seconds: float) -> None:
        """Count a submission and how long its reply took."""
        self.add(f'talion_answers_total{{reply="{reply}"}}')
        self.add(f"{LATENCY}_sum", seconds)
        self.add(f"{LATENCY}_count")
        self.add(_BUCKET_NAMES[bisect_left(BUCKETS, seconds)])

    def measure(self) -> None:
        """Note what this process uses."""
        self.set("process_cpu_seconds_total", time.process_time())
        if MEMORY.exists():
            self.set("process_resident_memory_bytes", int(MEMORY.read_text().split()[1]) * mmap.PAGESIZE)

    def page(self) -> str:
        """The text Prometheus expects, summed over the workers. The dead keep their counts, not their gauges."""
        self.measure()
        sums = dict.fromkeys(_NAMES, 0.0)
        for path in self._folder.iterdir():
            values = struct.unpack(f"{len(_NAMES)}d", path.read_bytes())
            alive = _is_alive(int(path.name))
            for name, value in zip(_NAMES, values, strict=True):
                if alive or name not in GAUGES:
                    sums[name] += value
        for smaller, larger in pairwise(_BUCKET_NAMES):
            sums[larger] += sums[smaller]  # Prometheus counts in each what is in those before it
        return "".join(_worded(sums))


def _worded(sums: dict[str, float]) -> list[str]:
    lines: list[str] = []
    told: set[str] = set()
    for name, value in sums.items():
        family = name.partition("{")[0]
        if family.startswith(LATENCY):
            family, kind, words = LATENCY, "histogram", "From a submission's arrival to its reply."
        elif name in GAUGES:
            kind, words = "gauge", GAUGES[name]
        else:
            kind, words = "counter", COUNTERS[name]
        if family not in told:
            told.add(family)
            lines.append(f"# HELP {family} {words}\n# TYPE {family} {kind}\n")
        lines.append(f"{name} {value:g}\n")
    return lines


def _is_alive(process: int) -> bool:
    if os.name == "nt":  # where one server is alone, and 0 is a signal that ends it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
