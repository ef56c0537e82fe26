"""The lab's part of the command line: simulate, report, ladder and export, with their progress and their words."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talion import bots, games
from talion.bots.levels import Thinker
from talion.bots.named import scaled
from talion.kernel import Content, Game, Match
from talion.processes import all_cores
from talion.saying import say

from . import BadInput
from .balance import BROKEN, Contract, Evidence
from .compare import pairs_of
from .duel import Duel
from .playing import Job
from .simulate import Interrupted, summary
from .simulate import simulate as play

SECONDS_BETWEEN_LINES = 10

if TYPE_CHECKING:
    from rich.console import Console


def simulate(
    game: str,
    players: Sequence[str],
    matches: int,
    seed: str,
    options: Mapping[str, Any],
    cards: Path | None,
    workers: int | None,
    dask: str | None,
    out: Path | None,
    positions: Path | None,
    as_json: bool,
    console: Console,
) -> None:
    """Plays, keeps the results if a file is named, and says what came of it. An interrupt keeps what was played."""
    path = cards.resolve() if cards else None
    job = Job(anywhere(game), tuple(players), seed, options, path, positions=positions is not None)
    ready(job)
    if out is not None:
        can_write_results(out)
    if positions is not None:
        need("polars")
        can_write(positions, *[out] if out else [])
    workers = workers or min(all_cores(), matches)
    try:
        with progress(console, matches, as_json) as tell:
            played = play(job, matches, workers=workers, dask=dask, tell=tell)
    except Interrupted as interrupt:
        played = interrupt.played
        say(console, f"Interrupted: {len(played)} of {matches} matches are kept.")
    if out is not None:
        from .files import ResultHead, write

        write(out, ResultHead.of(job), [one.row for one in played])
    if positions is not None:
        from .learning import write as keep

        keep(positions, job, played)
    if as_json:
        for one in played:
            print(json.dumps(one.row))
        return
    for line in summary(job, played):
        say(console, line)
    for path in [path for path in (out, positions) if path is not None]:
        say(console, f"Kept in {path}.")


def anywhere(game: str) -> str:
    """A game's key, or its whole path: workers may stand in another folder."""
    path = Path(game)
    return str(path.resolve()) if path.exists() else game


def ready(job: Job) -> None:
    """Refuses, before any work is shared out, what cannot be played."""
    for bot in [bots.make(name) for name in dict.fromkeys(job.bots)]:
        if isinstance(bot, Thinker):
            bot.get_ready(games.find(job.game), job.content())
    Match.new(games.find(job.game), len(job.bots), 0, job.options_of(0), cards=job.cards, fast=True)


def can_write(path: Path, *kept: Path) -> None:
    """Refuses, before any work is done for it, a file that cannot be written, or that is one of those to be kept."""
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a file to write.")
    if not path.parent.is_dir():
        raise BadInput(f"There is no folder {path.parent} to write {path.name} to: make it, or name another.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInput(f"{path} cannot be written: permission denied.")
    if any(path.resolve() == other.resolve() for other in kept):
        raise BadInput(f"{path} would be overwritten by what is made of it; name another file.")


def can_write_results(path: Path, *kept: Path) -> None:
    """Refuses what cannot become a result file, too: its ending says of which kind it is."""
    can_write(path, *kept)
    if path.suffix not in (".parquet", ".csv"):
        raise BadInput(f"{path} should end in .parquet, which `talion report` reads, or in .csv.")
    if path.suffix == ".parquet":
        need("polars")


def need(*modules: str, extra: str = "lab") -> None:
    """Refuses, saying how to get it, if an extra is not installed."""
    from importlib.util import find_spec

    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        clone = (Path(__file__).parents[2] / "Makefile").is_file()
        how = (
            f"make {extra}"
            if clone and extra == "lab"
            else f"{sys.executable} -m pip install 'talion[{extra}]'"
        )
        raise BadInput(f"Not everything is installed for this ({', '.join(missing)}): run `{how}`.")


@contextmanager
def progress(console: Console, total: int, silent: bool = False) -> Iterator[Callable[[int], None]]:
    """On a terminal a bar with an estimate of the time left; elsewhere a line now and then, beside the results."""
    if silent:
        yield lambda done: None
        return
    if not console.is_terminal:
        yield _lines_of_progress(total)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("matches,"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, completed=done)


def _lines_of_progress(total: int) -> Callable[[int], None]:
    told = time.monotonic()

    def tell(done: int) -> None:
        nonlocal told
        if time.monotonic() > told + SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            print(f"{done} of {total} matches", file=sys.stderr, flush=True)

    return tell


Compared = Callable[[Game, str, Content, Content, Mapping[str, Any]], str]
"""Makes a page of what was found out about changed cards: the game, a title, the cards before and after, and the findings."""


def report(paths: Sequence[Path], out: Path, compared: Compared, as_json: bool) -> None:
    """Writes the page of some result files. Two of the same shuffles are compared as a trial is, pair by pair."""
    need("polars", "altair", "vl_convert")
    from .files import in_pairs, read
    from .report import report as page

    if not as_json:
        can_write(out, *paths)
    found = [read(path) for path in paths]
    comparison = in_pairs(*found) if len(found) == 2 else None
    if as_json:
        if comparison is None:
            raise BadInput(
                "--json compares two result files of the same game, bots, options and --seed; name two such files."
            )
        print(json.dumps(comparison.data()))
        return
    game = next((game for game in games.every() if game.key == found[0].about.game), None)
    if comparison is None or game is None:
        save(out, page(found))
        return
    before, after = (one.printed(game) for one in found)
    data = {**comparison.data(), "bot": ", ".join(found[0].about.bots)}
    save(out, compared(game, found[1].path.stem, before, after, data))


def save(out: Path, text: str, silent: bool = False) -> None:
    """Writes a page and says so."""
    try:
        out.write_text(text, "utf-8")
    except OSError as problem:
        raise BadInput(f"{out} cannot be written: {problem.strerror}.") from None
    if not silent:
        print(f"The page is {out}.")


def ladder(
    game: str,
    matches: int,
    minutes: float,
    top: int | None,
    seed: str,
    workers: int | None,
    kept: Path | None,
    page: Path | None,
    as_json: bool,
    console: Console,
) -> None:
    """Measures how much longer thinking helps; what was played is kept and taken up again the next time."""
    from .ladder import Ladder, rungs

    key = games.find(game).key
    steps = rungs(anywhere(game), seed, top)
    if not steps:
        raise BadInput("A ladder needs a top of at least 16 iterations.")
    kept = kept or Path(f"ladder-{key}.jsonl")
    can_write(kept)
    if page is not None:
        need("altair", "vl_convert")
        can_write(page, kept)
    climbing = Ladder(steps, matches, kept)
    with progress(console, matches * len(steps), as_json) as tell:
        climbing.climb(workers or all_cores(), minutes, tell)
    if as_json:
        for budget, share in climbing.shares():
            print(json.dumps({"iterations": budget, "won": share.count, "of": share.total}))
    else:
        for line in climbing.lines():
            say(console, line)
    if page is not None:
        from . import charts
        from .page import figure, table
        from .page import page as whole
        from .report import share_row

        found = list(climbing.shares())
        rows = (share_row(str(budget), share) for budget, share in found)
        title = f"{games.find(game).title}: does thinking twice as long help?"
        parts = [
            figure(
                charts.rungs(title, found), "How often each budget beats half of it, as in the table below."
            ),
            table(["iterations", "won against half", "of", "share", "95 % interval"], rows),
        ]
        save(page, whole(title, parts))


def export(game: str, played: Sequence[tuple[Sequence[str], str]], out: Path) -> int:
    """Writes served matches, each as its players and its match file, into a result file. Gives how many."""
    if not played:
        raise BadInput(f"No match of {games.find(game).title} was served and finished here.")
    from .export import row_of_file
    from .files import ResultHead, write

    rows = [
        row_of_file(number, players, text, lambda key: games.find(game))
        for number, (players, text) in enumerate(played)
    ]
    kinds = tuple(sorted({player for players, _ in played for player in players}))
    write(out, ResultHead.of(Job(game, kinds, "served")), rows)
    return len(rows)


def duel(
    job: Job,
    rounds: int,
    margin: float,
    workers: int | None,
    kept: Path | None,
    tenth_first: bool,
    as_json: bool,
    console: Console,
) -> None:
    """Finds out which of two bots is the stronger; what was played is kept and taken up again the next time."""
    jobs = [job]
    if tenth_first:
        less = replace(job, bots=tuple(scaled(name, 0.1) for name in job.bots))
        if less == job:
            raise BadInput(
                f"Neither {job.bots[0]} nor {job.bots[-1]} has a budget of which a tenth could be tried."
            )
        jobs = [less, job]
    for one in jobs:
        path = kept if kept and one is job else duel_file(one)
        ready(one)
        can_write(path)
        fight = Duel(one, margin, rounds, path)
        with line(console, silent=as_json) as tell:
            fight.fight(workers or all_cores(), tell)
        if as_json:
            print(json.dumps(fight.data()))
        else:
            for words in fight.lines():
                say(console, words)
        if fight.verdict <= 0 and one is not job:
            return


def calibrate(job: Job, matches: int, workers: int | None, as_json: bool, console: Console) -> None:
    """What a game's judgement said, against what came of it."""
    from .calibrate import calibrate as compare

    ready(job)
    with progress(console, matches, as_json) as tell:
        found = compare(job, matches, workers=workers or all_cores(), tell=tell)
    if as_json:
        print(json.dumps(found.data()))
        return
    for words in found.lines():
        say(console, words)


def doubts(job: Job, matches: int, share: float, turns: int, as_json: bool, console: Console) -> None:
    """How far first sight is off, by what is chosen."""
    from .doubts import doubts as look

    ready(job)
    with progress(console, matches, as_json) as tell:
        found = look(job, matches, share, turns, tell)
    if as_json:
        print(json.dumps(found.data()))
        return
    for words in found.lines():
        say(console, words)


def learn(game: Game, file: Path, out: Path, most: int, as_json: bool, console: Console) -> None:
    """Learns weights from positions that were kept, and writes them."""
    need("polars", "numpy")
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # more wait for each other wherever something else is busy
    from .learning import Positions
    from .learning import learn as fit

    can_write(out, file)
    positions = Positions.read(file)
    if positions.head.game != game.key:
        raise BadInput(f"{file} holds positions of {positions.head.game}, not of {game.key}.")
    lesson = fit(positions, most)
    save(out, lesson.weights.text(), silent=True)
    if as_json:
        print(json.dumps(lesson.data()))
        return
    for words in (*lesson.lines(), f"Kept in {out}: a bot judges so that is called search:60,value={out}."):
        say(console, words)


def duel_file(job: Job) -> Path:
    """Where a duel is kept if nobody says otherwise."""
    words = [games.find(job.game).key, job.bots[0], "against", job.bots[-1], f"at-{len(job.bots)}"]
    return Path(f"duel-{re.sub(r'[^a-zA-Z0-9.*=,-]+', '_', '-'.join(words))}.jsonl")


@contextmanager
def line(console: Console, *, silent: bool = False) -> Iterator[Callable[[str], None]]:
    """One line that changes, on a terminal; elsewhere a line now and then."""
    if silent:
        yield lambda words: None
    elif console.is_terminal:
        with console.status("Playing the first pair …") as status:
            yield status.update
    else:
        at = time.monotonic()

        def now_and_then(words: str) -> None:
            nonlocal at
            if time.monotonic() > at + 60:
                at = time.monotonic()
                say(console, words)

        yield now_and_then


def ending_after(minutes: float | None, tell: Callable[[int], None]) -> Callable[[int], None]:
    """Time that is up is as good as an interrupt at the keyboard: what was played counts."""
    until = time.monotonic() + 60 * minutes if minutes is not None else float("inf")

    def heard(done: int) -> None:
        tell(done)
        if time.monotonic() > until:
            raise KeyboardInterrupt

    return heard


def against(
    job: Job,
    cards: Path,
    pairs: int,
    minutes: float | None,
    workers: int | None,
    as_json: bool,
    console: Console,
) -> dict[str, Any]:
    """Plays the same matches with two sets of cards, says what the change does, and gives it as data."""
    from .trial import Trial

    trial = Trial.of(job, cards)
    ready(trial.before)
    ready(trial.after)
    if not trial.changes:
        raise BadInput(
            f"{cards} changes nothing that is printed, so there is nothing to compare: change a card in it."
        )
    with progress(console, 2 * pairs, as_json) as tell, suppress(KeyboardInterrupt):
        trial.run(pairs, workers=workers or all_cores(), tell=ending_after(minutes, tell))
    found = trial.comparison
    if as_json:
        print(json.dumps(found.data()))
        return found.data()
    _say(
        console,
        f"{pairs_of(len(found.pairs))}, before and after. Changed cards: {'; '.join(found.touched)}.",
        *found.verdict(),
    )
    return found.data()


def balance(
    job: Job,
    contract: Contract,
    matches: int,
    minutes: float | None,
    workers: int | None,
    kept: Path | None,
    as_json: bool,
    console: Console,
) -> bool:
    """Says of each promise of a game's balance whether it holds. Whether none is broken."""
    ready(job)
    if kept is not None:
        can_write(kept, *[job.cards] if job.cards else [])
    evidence = Evidence(job, kept)
    began = time.monotonic()
    with progress(console, matches, as_json) as tell:
        new = evidence.gather(matches, workers or all_cores(), ending_after(minutes, tell))
    pace = (time.monotonic() - began) / new if new else 0.0
    rows = evidence.rows
    findings = contract.judged(rows) if rows else []
    if as_json:
        print(json.dumps({"matches": len(rows), "promises": [finding.data() for finding in findings]}))
    else:
        title = games.find(job.game).title
        _say(
            console,
            f"{title}: {len(rows)} match{'es' if len(rows) != 1 else ''} of {', '.join(job.bots)}.",
            *(finding.words(pace) for finding in findings),
        )
    return all(finding.verdict != BROKEN for finding in findings)


def break_it(job: Job, minutes: float, folder: Path, as_json: bool, console: Console) -> bool:
    """Lets bots try to break a game, for so long, and keeps the matches that show how. Whether nothing broke."""
    from .breaking import Breaker, keep

    ready(job)
    can_write(folder / "broken-1.talion")
    breaker = Breaker(job)
    until = time.monotonic() + 60 * minutes
    with line(console, silent=as_json) as tell, suppress(KeyboardInterrupt):
        while time.monotonic() < until:
            breaker.play(breaker.matches)
            tell(f"{breaker.matches} matches, {len(breaker.findings)} of them broke something.")
    findings = list(breaker.all())
    shown = list(zip(findings, keep(findings, folder), strict=True))
    if as_json:
        data = [{"what": one.what, "seat": one.seat, "match": str(path)} for one, path in shown]
        print(json.dumps({"matches": breaker.matches, "findings": data}))
    else:
        words = [f"{one.what} See it: talion replay {path}" for one, path in shown]
        _say(
            console, f"{breaker.matches} matches were played to break it.", *(words or ["Nothing was found."])
        )
    return not findings


def _say(console: Console, *lines: str) -> None:
    for words in lines:
        say(console, words)
