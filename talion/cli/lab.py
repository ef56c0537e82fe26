"""Commands of the lab: many matches, and what they tell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from talion.table import commands as hosting

from .shared import (
    AsJson,
    BadInput,
    CardFile,
    GameName,
    Options,
    Plain,
    console,
    find,
    read_options,
    say,
    say_json,
    usual_seats,
)

if TYPE_CHECKING:
    from talion.lab.playing import Job

app = typer.Typer()

Seed = Annotated[str, typer.Option(help="The same seed gives the same matches.")]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Processes to play on; without a number, one for each core.")
]
Minutes = Annotated[
    float | None, typer.Option(min=0, help="Stop after this time, and judge by what was played.")
]


@app.command()
def simulate(
    game: GameName,
    bots: Annotated[str, typer.Option(help="Who plays, such as normal,greedy. They change seats.")] = "",
    games: Annotated[int, typer.Option(min=1, help="How many matches.")] = 100,
    seed: Seed = "0",
    option: Options = None,
    cards: CardFile = None,
    workers: Workers = None,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on a Dask cluster instead.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the results in this file: .parquet or .csv.")
    ] = None,
    positions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep positions too, for talion learn, in this file: .parquet."),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play each match with these cards too, and say what they change."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --against: write what was found as a page, the cards before and after with it.",
        ),
    ] = None,
    minutes: Minutes = None,
    json: Annotated[bool, typer.Option("--json", help="One match a line, as JSON.")] = False,
    plain: Plain = False,
) -> None:
    """Let bots play many matches, and say who won how often."""
    from talion.bots import listed
    from talion.lab.commands import against as compare
    from talion.lab.commands import can_write, save
    from talion.lab.commands import simulate as run

    played = find(game)
    players = listed(bots) if bots else ["greedy" if against else "random"] * usual_seats(played)
    given = read_options(played, option)
    if against is not None:
        if out is not None or dask is not None or positions is not None:
            raise BadInput(
                "--against says what changed; it writes no file and plays here: leave --out, --positions and --dask out."
            )
        job = lab_job(game, players, seed, given, cards)
        if page is not None:
            can_write(page, against)
        found = compare(job, against, games, minutes, workers, json, console(plain))
        if page is not None:
            from talion.workshop.report import report as whole

            after = played.content(against)
            save(page, whole(played, against.stem, job.content(), after, {**found, "bot": players[0]}), json)
        return
    if page is not None:
        raise BadInput("--page is for --against: what --out keeps becomes a page by talion report.")
    if minutes is not None:
        raise BadInput("--minutes is for --against; of a plain simulation --games says how long it is.")
    run(game, players, games, seed, given, cards, workers, dask, out, positions, json, console(plain))


@app.command()
def report(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Result files; two are compared.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the page goes.")] = Path("report.html"),
    json: Annotated[
        bool, typer.Option("--json", help="Of two files: what changed, as JSON, and no page.")
    ] = False,
) -> None:
    """Make one page of result files: who wins, how long matches run, which cards are played; of two, what changed."""
    from talion.lab.commands import report as run
    from talion.workshop.report import report as compared

    run(files, out, compared, json)


@app.command()
def ladder(
    game: GameName,
    games: Annotated[int, typer.Option(min=2, help="Matches on each rung.")] = 100,
    minutes: Annotated[float, typer.Option(min=0, help="Stop after this time; the next run goes on.")] = 18,
    top: Annotated[
        int | None, typer.Option(min=16, help="Iterations of the strongest bot, by default those of hard.")
    ] = None,
    seed: Seed = "0",
    workers: Workers = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where matches are kept, by default ladder-GAME.jsonl."),
    ] = None,
    page: Annotated[Path | None, typer.Option(metavar="FILE", help="Make a page with a chart too.")] = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Measure how often a bot beats one that thinks half as long."""
    from talion.lab.commands import ladder as run

    run(game, games, minutes, top, seed, workers, keep, page, json, console(plain))


@app.command()
def duel(
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="A", help="A bot, such as hard or search:300,sweeps=2.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The bot it is measured against.")],
    pairs: Annotated[
        int, typer.Option(min=1, help="The most pairs (with more seats: rounds) of matches to play.")
    ] = 400,
    margin: Annotated[
        float, typer.Option(min=1, help="The difference, in Elo, that it must be able to tell.")
    ] = 20,
    seats: Annotated[int, typer.Option(min=2, help="How many sit at the table; A has one of the seats.")] = 2,
    seed: Seed = "0",
    option: Options = None,
    cards: CardFile = None,
    workers: Workers = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where matches are kept, to go on from there.")
    ] = None,
    tenth_first: Annotated[
        bool, typer.Option("--tenth-first", help="Try a tenth of the budgets first; go on if A won.")
    ] = False,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Find out which of two bots is the stronger, with as few matches as it takes."""
    from dataclasses import replace

    from talion.lab.commands import duel as run

    players = [first, *[second] * (seats - 1)]
    job = replace(lab_job(game, players, seed, read_options(find(game), option), cards), one_deal=True)
    run(job, pairs, margin, workers, keep, tenth_first, json, console(plain))


@app.command()
def calibrate(
    game: GameName,
    bots: Annotated[str, typer.Option(help="Who plays, one for each seat.")] = "search:60,search:60",
    games: Annotated[int, typer.Option(min=1, help="How many matches to play.")] = 60,
    seed: Seed = "0",
    option: Options = None,
    cards: CardFile = None,
    workers: Workers = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Compare what a game's bots think of a position with what comes of it."""
    from talion.bots import listed
    from talion.lab.commands import calibrate as run

    played = find(game)
    if played.value is None:
        raise BadInput(f"{played.title} has no judgement of positions to compare with their ends.")
    job = lab_job(game, listed(bots), seed, read_options(played, option), cards)
    run(job, games, workers, json, console(plain))


@app.command()
def doubts(
    game: GameName,
    bots: Annotated[str, typer.Option(help="Who plays, one for each seat.")] = "greedy,greedy",
    games: Annotated[int, typer.Option(min=1, help="How many matches to play.")] = 10,
    share: Annotated[float, typer.Option(min=0, max=1, help="Which share of decisions to look into.")] = 0.1,
    turns: Annotated[
        int, typer.Option(min=4, help="How often each option's turn is played to its end.")
    ] = 24,
    seed: Seed = "0",
    option: Options = None,
    cards: CardFile = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Find out how far options are from what they look like, and what thinking in turns brings."""
    from talion.bots import listed
    from talion.lab.commands import doubts as run

    played = find(game)
    if played.value is None:
        raise BadInput(f"{played.title} has no judgement of positions to doubt.")
    job = lab_job(game, listed(bots), seed, read_options(played, option), cards)
    run(job, games, share, turns, json, console(plain))


@app.command()
def learn(
    game: GameName,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Positions that talion simulate --positions kept.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the weights go.")] = Path("weights.json"),
    features: Annotated[int, typer.Option(min=1, help="How many features to weigh at most.")] = 12,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Learn how to judge positions from matches that bots played."""
    from talion.lab.commands import learn as run

    run(find(game), file, out, features, json, console(plain))


@app.command()
def strengths(
    duels: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Files that talion duel kept, or folders of them.")
    ],
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Print a table of duels: who won how often, with intervals, and how long each thought."""
    from talion.lab.strengths import fought, lines

    if json:
        say_json(fought(duels))
        return
    out = console(plain)
    for words in lines(duels):
        say(out, words)


def lab_job(game: str, players: Sequence[str], seed: str, options: dict[str, Any], cards: Path | None) -> Job:
    """What the lab is to play."""
    from talion.lab.commands import anywhere
    from talion.lab.playing import Job

    return Job(anywhere(game), tuple(players), seed, options, cards.resolve() if cards else None)


@app.command()
def balance(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many matches to judge by.")] = 200,
    minutes: Minutes = None,
    bots: Annotated[
        str,
        typer.Option(
            help="Who plays: one for every seat, or one for all; by default whom balance.toml names."
        ),
    ] = "",
    seats: Annotated[int | None, typer.Option(min=1, help="How many sit at the table.")] = None,
    seed: Seed = "0",
    option: Options = None,
    cards: CardFile = None,
    workers: Workers = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where matches are kept, to go on from there.")
    ] = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Say of each promise a game makes of its balance whether it holds."""
    from talion.bots import listed
    from talion.lab.balance import Contract
    from talion.lab.commands import balance as run

    played = find(game)
    contract = Contract.of(played)
    players = listed(bots or contract.bots)
    if len(players) == 1:  # whoever it is sits at every seat
        players *= seats or usual_seats(played)
    job = lab_job(game, players, seed, {**contract.options, **read_options(played, option)}, cards)
    if not run(job, contract, games, minutes, workers, keep, json, console(plain)):
        raise typer.Exit(1)


@app.command("break")
def break_(
    game: GameName,
    minutes: Annotated[float, typer.Option(min=0, help="How long to try.")] = 2,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where matches that show something go.")
    ] = Path(),
    seed: Seed = "0",
    option: Options = None,
    cards: CardFile = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Let bots play to break a game: matches that never end, quick wins, dead cards, numbers without bound."""
    from talion.lab.commands import break_it as run

    played = find(game)
    players = ["random"] * usual_seats(played)
    if not run(
        lab_job(game, players, seed, read_options(played, option), cards), minutes, out, json, console(plain)
    ):
        raise typer.Exit(1)


@app.command()
def export(
    game: GameName,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write: .parquet or .csv.")],
    database: hosting.Database = "",
    json: AsJson = False,
) -> None:
    """Write matches that were served and finished into a result file, without anybody's name."""
    from talion.lab.commands import can_write_results
    from talion.lab.commands import export as run
    from talion.table.finished import finished
    from talion.table.paths import default_database

    where, meant = database or default_database(), find(game)
    if "://" not in where and not Path(where).is_file():
        raise BadInput(f"There is no database file {where}.")
    can_write_results(out, Path(where))
    played = hosting.politely(lambda: list(finished(where, meant.key, lambda key: meant)))
    foreign = sum(one.file is None for one in played)
    kept = run(game, [(one.players, one.file) for one in played if one.file is not None], out)
    if json:
        say_json({"matches": kept, "left_out": foreign, "file": str(out)})
        return
    say(console(True), f"{kept} match{'es' if kept != 1 else ''} in {out}.")
    if foreign:
        say(console(True), f"Left out, for they were played by other rules or cards: {foreign}.")
