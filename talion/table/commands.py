"""The commands for hosts, as the command line shows them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from talion.processes import all_cores
from talion.table.refusal import Unusable

Database = Annotated[str, typer.Option(help="An SQLite file, or a PostgreSQL URL.", envvar="TALION_DATABASE")]

app = typer.Typer()


@app.callback(invoke_without_command=True)
def house(context: typer.Context) -> None:
    """Look after a served house: list, backup, restore, close, mute, forget, ban, reports, load."""
    if context.invoked_subcommand is None:
        print(context.get_help())


AsJson = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]


def politely(work: Callable[[], Any]) -> Any:
    """What cannot be is said in one sentence."""
    try:
        return work()
    except Unusable as problem:
        print(problem, file=sys.stderr)
        raise typer.Exit(2) from None


def serve(
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 for the whole house.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    database: Database = "",
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Server processes; several need PostgreSQL.")
    ] = 1,
    bots: Annotated[
        int,
        typer.Option(
            min=0,
            max=64,
            help="Processes in which bots think; 0: as many as there are cores, shared among the workers.",
        ),
    ] = 0,
    browser: Annotated[bool, typer.Option("--browser", help="Open the browser.")] = False,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let phones in the house join: listen outward, show a QR code.")
    ] = False,
    sub_path: Annotated[str, typer.Option(help="The path a proxy serves us under.")] = "",
    url: Annotated[str, typer.Option(help="Where the world finds this house: links begin with it.")] = "",
    trust: Annotated[
        list[str] | None, typer.Option(help="A proxy whose forwarded headers are believed.")
    ] = None,
    secure: Annotated[bool, typer.Option("--secure", help="Cookies for https only.")] = False,
    keep_days: Annotated[float, typer.Option(min=1, help="How long finished tables are kept.")] = 365.0,
    idle_days: Annotated[
        float, typer.Option(min=1, help="How long unfinished tables are kept at which nothing happens.")
    ] = 60.0,
    pace: Annotated[float, typer.Option(min=0, help="Seconds a bot's move takes at least.")] = 1.0,
    beat: Annotated[
        float,
        typer.Option(min=0, max=30, help="Seconds a reaction window is open; 0: until all have answered."),
    ] = 2.0,
    game: Annotated[list[str] | None, typer.Option(help="A further game, by path.")] = None,
    cards: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="A set of changed cards to play with; GAME=FILE if it fits several."
        ),
    ] = None,
    workshop: Annotated[
        bool,
        typer.Option("--workshop", help="Open the workshop to everybody; on this machine alone it is open."),
    ] = False,
    log_level: Annotated[str, typer.Option(help="DEBUG, INFO, WARNING or ERROR.")] = "WARNING",
) -> None:
    """Serve tables to browsers."""
    from talion.table.paths import default_database
    from talion.table.serve import Launch
    from talion.table.serve import serve as run
    from talion.table.settings import Settings

    settings = Settings(
        database=database or default_database(),
        root_path=f"/{sub_path.strip('/')}".rstrip("/"),
        url=url,
        trusted=tuple(trust or ()),
        secure=secure,
        bot_workers=bots or max(1, all_cores() // workers),
        keep_days=keep_days,
        idle_days=idle_days,
        pace=pace,
        beat=beat,
        games=tuple(game or ()),
        cards=tuple(cards or ()),
    )
    place = Launch("0.0.0.0" if lan else host, port, workers, browser, lan, log_level.upper(), workshop)
    try:
        politely(lambda: run(settings, place))
    except KeyboardInterrupt:
        print("\nThe table is closed; what was played is kept.")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Write everything into one file; the server may go on."""
    from talion.table import admin
    from talion.table.paths import default_database

    rows = politely(lambda: admin.backup(database or default_database(), file, force))
    print(json.dumps({"rows": rows}) if as_json else f"{rows} rows are in {file}.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE")], database: Database = "", as_json: AsJson = False
) -> None:
    """Read a backup into an empty database, of either kind."""
    from talion.table import admin
    from talion.table.paths import default_database

    rows = politely(lambda: admin.restore(file, database or default_database()))
    print(json.dumps({"rows": rows}) if as_json else f"{rows} rows were restored.")


Status = Annotated[str, typer.Option(help="seating, running, over, aborted or closed.")]
OfGame = Annotated[str, typer.Option("--game", help="Only tables of this game.")]
Idle = Annotated[float, typer.Option(min=0, help="Only tables at which nothing happened for so many days.")]


@app.command("list")
def list_tables(
    status: Status = "",
    game: OfGame = "",
    idle_days: Idle = 0.0,
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """List tables, the largest first, with their ages and sizes."""
    from talion.table import admin
    from talion.table.paths import default_database

    wanted = admin.Wanted(status, game, idle_days)
    found = politely(lambda: admin.listed(database or default_database(), wanted))
    if as_json:
        print(json.dumps(found))
        return
    for one in found:
        print(
            f"{one['table']}  {one['status']:8} {one['game']:22} {one['days_old']:7} days old, idle {one['days_idle']:7}, "
            f"{one['entries']:6} entries, {one['bytes'] // 1024:6} kB"
        )
    print(f"{len(found)} tables.")


@app.command()
def close(
    table: Annotated[list[str] | None, typer.Argument(metavar="TABLE…")] = None,
    status: Status = "",
    game: OfGame = "",
    idle_days: Idle = 0.0,
    database: Database = "",
) -> None:
    """End tables, whatever their state: those named, or all that fit the options."""
    from talion.table import admin
    from talion.table.paths import default_database

    where, wanted = database or default_database(), admin.Wanted(status, game, idle_days)
    for one in table or ():
        politely(partial(admin.close, where, one))
        print(f"Table {one} is closed.")
    if not table:
        if wanted == admin.Wanted():
            raise typer.BadParameter("Name tables, or say which by --status, --game or --idle-days.")
        print(f"{politely(lambda: admin.close_all(where, wanted))} tables are closed.")


@app.command()
def mute(
    table: Annotated[str, typer.Argument(metavar="TABLE")],
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=1, help="Counted from 1.")],
    again: Annotated[bool, typer.Option("--unmute", help="Let them speak again.")] = False,
    database: Database = "",
) -> None:
    """Silence a seat at a table."""
    from talion.table import admin
    from talion.table.paths import default_database

    politely(lambda: admin.mute(database or default_database(), table, seat, not again))
    print(f"Seat {seat} {'may speak again' if again else 'is muted'}.")


@app.command()
def forget(
    days: Annotated[float, typer.Argument(metavar="DAYS", min=0)],
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also those that did not end, if idle for as long.")
    ] = False,
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Remove tables that ended more than so many days ago."""
    from talion.table import admin
    from talion.table.paths import default_database

    removed = politely(lambda: admin.forget(database or default_database(), days, unfinished))
    print(json.dumps({"tables": removed}) if as_json else f"{removed} tables were removed.")


@app.command()
def ban(
    whom: Annotated[str, typer.Argument(metavar="WHOM", help="An address, a network, or a table.")],
    seat: Annotated[
        int | None, typer.Argument(metavar="[SEAT]", min=1, help="Of that table, counted from 1.")
    ] = None,
    why: Annotated[str, typer.Option(help="What they are told.")] = "",
    database: Database = "",
) -> None:
    """Keep somebody out: an address, or whoever holds a seat of a table."""
    from talion.table import admin
    from talion.table.paths import default_database

    for name in politely(lambda: admin.ban(database or default_database(), whom, seat, why)):
        print(f"Kept out: {name[:24]}")


@app.command()
def unban(whom: Annotated[str, typer.Argument(metavar="WHOM")], database: Database = "") -> None:
    """Let somebody in again, by their address or the first signs that `bans` shows."""
    from talion.table import admin
    from talion.table.paths import default_database

    print(f"Let in again: {politely(lambda: admin.unban(database or default_database(), whom))}.")


@app.command()
def bans(database: Database = "", as_json: AsJson = False) -> None:
    """List who is kept out."""
    from talion.table import admin
    from talion.table.paths import default_database

    found = politely(lambda: admin.banned(database or default_database()))
    if as_json:
        print(json.dumps(found))
        return
    for one in found:
        print(f"{one['whom'][:24]:24}  {ago(one['at'])}  {one['why']}")
    print(f"{len(found)} kept out.")


@app.command()
def reports(
    table: Annotated[str, typer.Option(help="Only of this table.")] = "",
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """List what players reported."""
    from talion.table import admin
    from talion.table.paths import default_database

    found = politely(lambda: admin.reported(database or default_database(), table))
    if as_json:
        print(json.dumps(found))
        return
    for one in found:
        about = "the table" if one["about"] is None else f"seat {one['about']}"
        print(f"{one['table']}  {ago(one['at'])}  seat {one['seat']} about {about}: {one['words']}")
    print(f"{len(found)} reports.")


def ago(at: float) -> str:
    """How long ago, in hours."""
    return f"{(time.time() - at) / 3600:.1f} h ago"


@app.command()
def load(
    address: Annotated[
        str,
        typer.Argument(metavar="[ADDRESS]", help="Of the house; without one, a server is started for it."),
    ] = "",
    tables: Annotated[int, typer.Option(min=1, max=5000, help="Tables played at once.")] = 200,
    rate: Annotated[
        float, typer.Option(min=0, help="Answers a second at each table; 0: as fast as it goes.")
    ] = 1.0,
    minutes: Annotated[float, typer.Option(min=0.01, help="For how long.")] = 2.0,
    game: Annotated[list[str] | None, typer.Option(help="Only this game; all, if none is named.")] = None,
    bot: Annotated[str, typer.Option(help="The strength of a bot in every second seat.")] = "",
    browsers: Annotated[
        bool, typer.Option("--browsers", help="Fetch pages as browsers do, not states by the API.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes of a server started for it.")] = 1,
    database: Annotated[
        str, typer.Option(help="Of a server started for it; a new file that is removed, if none is named.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Play many real matches on a house at once, and say how it bears it. Not on one where people play: it opens tables."""
    from talion.table import loading

    plan = loading.Load(tables, rate, minutes, tuple(game or ()), bot, browsers)
    found = politely(lambda: loading.loaded(address, plan, loading.Own(workers, database)))
    print(json.dumps(found) if as_json else loading.worded(found))
    if found["errors"]:
        raise typer.Exit(1)
