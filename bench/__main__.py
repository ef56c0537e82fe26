"""`make bench`: a table for people, then the same as JSON lines; with `--peers PYTHON` beside others' systems."""

import argparse
import json
import subprocess

from bench import hand, ours
from bench.harness import YARDSTICK, Measure, Rate, json_lines, rates, table


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds; the best of each counts")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU seconds a round")
    parser.add_argument(
        "--peers", metavar="PYTHON", help="a Python that has OpenSpiel, PettingZoo and RLCard"
    )
    parser.add_argument("--only", default="", help="measure only what has this in its name")
    wanted = parser.parse_args()
    measures = [Measure(YARDSTICK, "decisions", hand.measure()), *ours.measures()]
    measures = [measure for measure in measures if wanted.only in measure.name]
    found = rates(measures, hand.measure(), wanted.rounds, wanted.seconds)
    if wanted.peers:
        found += peers(wanted.peers, wanted.rounds, wanted.seconds)
    print(table(found))
    print()
    print(targets(found))
    print()
    print(ours.where_time_goes())
    print()
    print(json_lines(found))


TARGETS = [
    ("tic-tac-toe: random play", YARDSTICK, 0.25),
    ("tic-tac-toe: random play", "OpenSpiel's Python tic-tac-toe", 5),
    ("tic-tac-toe: random play", "PettingZoo's tic-tac-toe", 5),
    ("leduc: random play", "RLCard's Leduc", 3),
    ("leduc: search", "OpenSpiel's ISMCTSBot on its C++ Leduc", 1),
    ("engines-of-vengeance: random play", YARDSTICK, 0.1),
]
"""What is to be how many times as fast as what, both measured beside the yardstick."""


def targets(found: list[Rate]) -> str:
    """Which targets are met, of those that were measured."""
    ratios = {rate.name: rate.ratio for rate in found} | {YARDSTICK: 1.0}
    lines = []
    for name, beside, wanted in TARGETS:
        if name in ratios and beside in ratios:
            reached = ratios[name] / ratios[beside]
            met = "met" if reached >= wanted else "MISSED"
            lines.append(f"{name}: {reached:.2f} × {beside}, wanted {wanted:g}: {met}")
    return "\n".join(lines)


def peers(python: str, rounds: int, seconds: float) -> list[Rate]:
    """What bench/peers.py finds in its own environment; its ratios are to the yardstick it measured itself."""
    command = [python, "-m", "bench.peers", str(rounds), str(seconds)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return [Rate(**json.loads(line)) for line in answer.stdout.splitlines() if line.startswith("{")]


if __name__ == "__main__":
    main()
