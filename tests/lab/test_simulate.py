"""Many matches: the same rows whoever plays them and in whatever order, and nothing is lost on the way."""

import contextlib
import multiprocessing
import multiprocessing.synchronize
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.kernel import Chance, Match
from talion.lab import BadFile, BadInput
from talion.lab.files import ResultHead, read, write
from talion.lab.playing import Job, Played, Witness, play_match
from talion.lab.simulate import Interrupted, executor, play, simulate, summary

ROOT = Path(__file__).parent.parent.parent
GAME = "engines-of-vengeance"
JOB = Job(GAME, ("random", "greedy"), "7")


def bytes_of(path: Path, played: list[Played]) -> bytes:
    write(path, ResultHead.of(JOB), [one.row for one in played])
    return path.read_bytes()


@pytest.fixture(scope="module")
def alone() -> list[Played]:
    return simulate(JOB, 12)


# Playing -------------------------------------------------------------------------------------------------------------


def test_two_workers_write_the_same_file(alone: list[Played], tmp_path: Path) -> None:
    shared = simulate(JOB, 12, workers=2)
    assert bytes_of(tmp_path / "two.parquet", shared) == bytes_of(tmp_path / "one.parquet", alone)


def test_rows_come_in_order_whatever_the_order_of_writing(alone: list[Played], tmp_path: Path) -> None:
    forwards = bytes_of(tmp_path / "a.parquet", alone)
    assert bytes_of(tmp_path / "b.parquet", alone[::-1]) == forwards


def test_bots_change_seats_and_decks_too() -> None:
    job = Job("vitium", ("a", "b"), options={"decks": "X,Y"})
    assert [job.seated(number) for number in range(3)] == [("a", "b"), ("b", "a"), ("a", "b")]
    assert [job.options_of(number)["decks"] for number in range(5)] == ["X,Y", "X,Y", "Y,X", "Y,X", "X,Y"]


def test_every_bot_sits_at_every_seat_equally_often() -> None:
    """And a row says who sat where: three bots over six matches have each seat twice."""
    job = Job("chapter-of-resonance", ("random", "greedy", "search:1"), "seats")
    rows = [one.row for one in simulate(job, 6)]
    sat = Counter((seat["bot"], seat["seat"]) for row in rows for seat in row["seats"])
    assert sat == {(bot, seat): 2 for bot in job.bots for seat in range(3)}
    assert all([seat["bot"] for seat in row["seats"]] == row["bots"] for row in rows)


def test_a_worker_that_is_killed_loses_nothing(alone: list[Played], tmp_path: Path) -> None:
    done: dict[int, Played] = {}
    killed: list[int | None] = []

    def heard(at: int, played: Played) -> None:
        done[at] = played
        if not killed:
            victim = multiprocessing.active_children()[0]
            killed.append(victim.pid)
            victim.kill()

    play([(JOB, number) for number in range(12)], heard, workers=2)
    assert killed
    assert bytes_of(tmp_path / "a.parquet", list(done.values())) == bytes_of(tmp_path / "b.parquet", alone)


def test_workers_need_no_shared_memory(alone: list[Played], monkeypatch: pytest.MonkeyPatch) -> None:
    """Small containers have none to write to, and no semaphore can be made there."""

    def denied(*_: object) -> None:
        raise PermissionError("/dev/shm")

    monkeypatch.setattr("_multiprocessing.SemLock", denied)
    with pytest.raises(PermissionError):
        multiprocessing.Lock()
    assert [one.row for one in simulate(JOB, 12, workers=2)] == [one.row for one in alone]


@pytest.mark.parametrize(("seconds", "most"), [(30.0, 1), (0.2, 5), (0.001, 20)])
def test_matches_go_out_in_portions_of_a_second(
    alone: list[Played], monkeypatch: pytest.MonkeyPatch, seconds: float, most: int
) -> None:
    """Whoever stops a simulation of thinkers loses the match that is being played, not the twenty handed out with it."""
    sizes: list[int] = []

    class Pool(Executor):
        def submit(self, work: Any, /, *args: Any, **named: Any) -> Any:
            (tasks,) = args
            sizes.append(len(tasks))
            future: Future[Any] = Future()
            future.set_result(([alone[0]] * len(tasks), seconds * len(tasks)))
            return future

    monkeypatch.setattr("talion.lab.simulate.executor", lambda workers, dask: Pool())
    heard: list[int] = []
    play([(JOB, number) for number in range(1000)], lambda at, played: heard.append(at), workers=2)
    assert sorted(heard) == list(range(1000))
    assert max(sizes) == most


def test_an_interrupt_keeps_what_was_played(alone: list[Played]) -> None:
    def tell(done: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        simulate(JOB, 12, tell=tell)
    assert [one.row for one in stopped.value.played] == [one.row for one in alone[:5]]


@pytest.mark.usefixtures("can_open_terminals")
@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_a_whole_file_and_leaves_nobody_behind(
    tmp_path: Path, told: signal.Signals
) -> None:
    """At the keyboard it reaches all processes; who tells a process to end tells that one alone."""
    path = tmp_path / "kept.parquet"
    command = [sys.executable, "-m", "talion.cli", "simulate", GAME, "--games", "99999", "--workers", "2", "--out", str(path)]  # fmt: skip
    terminal, end = pty.openpty()
    running = subprocess.Popen(
        command, cwd=ROOT, stdout=end, stderr=end, start_new_session=True, preexec_fn=hears_interrupts
    )
    os.close(end)
    shown = ""
    while not re.search(r"[1-9]\d*/99999", shown):
        shown += os.read(terminal, 1000).decode(errors="replace")
    (os.killpg if told is signal.SIGINT else os.kill)(running.pid, told)
    with contextlib.suppress(OSError):
        while more := os.read(terminal, 1000):
            shown += more.decode(errors="replace")
    assert running.wait(timeout=30) == 0, shown
    os.close(terminal)
    assert "Interrupted" in shown
    assert 0 < read(path).matches.height < 99_999
    deadline = time.monotonic() + 10
    while someone_left(running.pid):
        assert time.monotonic() < deadline


def someone_left(group: int) -> bool:
    """Whether a process of this group still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    time.sleep(0.05)
    return True


def hears_interrupts() -> None:
    """As in a terminal; who runs the tests in the background of a shell has told them not to."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.usefixtures("has_semaphores")
def test_dask_writes_the_same_file_though_a_worker_dies(alone: list[Played], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the dask extra is not installed")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        done: dict[int, Played] = {}

        def heard(at: int, played: Played) -> None:
            if not done:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            done[at] = played

        play([(JOB, number) for number in range(12)], heard, dask=cluster.scheduler_address)
    assert bytes_of(tmp_path / "a.parquet", list(done.values())) == bytes_of(tmp_path / "b.parquet", alone)


def test_a_cluster_that_does_not_answer() -> None:
    pytest.importorskip("distributed", reason="the dask extra is not installed")
    with (
        pytest.raises(BadInput, match="No Dask scheduler answers"),
        executor(1, "tcp://127.0.0.1:9"),
    ):
        pass


# What is kept --------------------------------------------------------------------------------------------------------


def test_a_row_says_who_won_and_why(alone: list[Played]) -> None:
    row = alone[0].row
    assert [seat["won"] for seat in row["seats"]] == [seat in row["winners"] for seat in (0, 1)]
    assert row["rule"].startswith("EV-")
    assert row["phrases"]
    assert row == play_match(JOB, 0).row


def test_cards_are_seen_in_a_hand_and_played_out_of_it() -> None:
    match = Match.new(games.find(GAME), 2, 1)
    witness = Witness(match)
    (seat,) = match.pending
    hand = [match.t.face(card).name for card in match.t.sides[seat].hand]
    assert {name for (who, name) in witness.seen if who == seat} >= set(hand)
    while not any(option[0] == "play" for option in match.options(seat)):
        match.answer(seat, match.options(seat)[0])
    option = next(option for option in match.options(seat) if option[0] == "play")
    name = match.t.face(option[1]).name
    witness.before(seat, option)
    match.answer(seat, option)
    witness.after()
    assert witness.played == {(seat, name): 1}


@pytest.mark.parametrize(
    ("game", "turn"),
    [(GAME, "EV-5.1 plays|EV-R10 has no card to play"), ("chapter-of-resonance", r"CR-5.2 Round \d+:")],
)
def test_turns_are_counted_as_the_game_counts_them(game: str, turn: str) -> None:
    """Those of Engines of Vengeance begin again with each Act: they are added up."""
    match = Match.new(games.find(game), 2, 4)
    witness, chance = Witness(match), Chance.of(4)
    while not match.over:
        match.answer(seat := min(match.pending), chance.pick(match.options(seat)))
        witness.after()
    told = [f"{line.rule} {line.text}" for line in match.log(0)]
    rules = [pattern.split(" ", 1) for pattern in turn.split("|")]
    assert witness.turns == sum(
        one.startswith(rule) and bool(re.search(words, one)) for one in told for rule, words in rules
    )
    assert witness.turns > 5


def test_cards_that_all_choose_at_once_are_played_when_all_have_chosen() -> None:
    """Three Montage cards are laid one after the other, and leave the hand when everybody has laid three."""
    match = Match.new(games.find("vengeance"), 2, 1)
    witness, chance = Witness(match), Chance.of(1)
    laid: set[tuple[int, str]] = set()
    while len(laid) < 6 or any(ask.prompt.startswith("Lay a Montage") for ask in match.pending.values()):
        seat = min(match.pending)
        option = chance.pick(match.options(seat))
        if option[0] == "lay":
            laid.add((seat, match.t.face(option[1]).name))
        witness.before(seat, option)
        match.answer(seat, option)
        witness.after()
    assert laid == {one for one in laid if witness.played[one]}


def test_a_hand_is_what_its_owner_alone_sees() -> None:
    """A Witch lies open before her player: seen, but not held."""
    row = play_match(Job("chapter-of-resonance", ("random", "random")), 0).row
    held = {line["card"]: bool(line["held"]) for line in row["cards"] if line["seen"]}
    assert not any(held[seat["plays_as"]] for seat in row["seats"]) and any(held.values())


def test_the_summary_has_intervals(alone: list[Played]) -> None:
    lines = list(summary(JOB, alone))
    assert lines[0] == "12 matches."
    assert any(line.startswith("greedy, bot 2: won ") and "%" in line for line in lines)


# Files ---------------------------------------------------------------------------------------------------------------


def test_a_file_is_read_as_it_was_written(alone: list[Played], tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    bytes_of(path, alone)
    results = read(path)
    assert results.matches.to_dicts() == [one.row for one in alone]
    assert results.seats.height == 24
    assert results.about == ResultHead.of(JOB)


def test_files_that_are_none(alone: list[Played], tmp_path: Path) -> None:
    import polars as pl

    path = tmp_path / "results.parquet"
    whole = bytes_of(path, alone)
    foreign = tmp_path / "foreign.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(foreign)
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(whole[: len(whole) // 2])
    spoiled = tmp_path / "spoiled.parquet"
    spoiled.write_bytes(whole[:200] + bytes(100) + whole[300:])
    for bad, word in (
        (foreign, "not one that talion wrote"),
        (damaged, "damaged"),
        (tmp_path / "none", "There is no file"),
    ):
        with pytest.raises(BadFile, match=word):
            read(bad)
    with pytest.raises(BadFile):
        read(spoiled)
