"""`talion sets`: the sets of a served workshop, from the command line."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from talion.lab import BadInput
from talion.table.commands import AsJson, Database, ago, politely

if TYPE_CHECKING:
    from talion.kernel import Game
    from talion.workshop.sets import CardSet, Sets

T = TypeVar("T")
WHO = "the command line"
"""Who saved what a command saves."""

app = typer.Typer()


@app.callback(invoke_without_command=True)
def sets(context: typer.Context) -> None:
    """Sets of changed cards that a workshop keeps: list, show, history, export, import, back, rename, copy, remove."""
    if context.invoked_subcommand is None:
        print(context.get_help())


SetName = Annotated[
    str, typer.Argument(metavar="SET", help="A set's address, or the last part of it, which `list` shows.")
]
Revision = Annotated[
    int | None, typer.Option("--revision", min=1, help="As it was then; by default as it is now.")
]


@app.command("list")
def list_sets(
    game: Annotated[str, typer.Option(help="Only those of this game.")] = "",
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """List all sets, the newest first."""
    from talion.games import find

    game = find(game).key if game else ""
    found = [one for one in asked(database, lambda sets: sets.every()) if game in ("", one.game)]
    if as_json:
        print(json.dumps([summary(one) for one in found]))
        return
    for one in found:
        print(
            f"{one.id}  {one.game:22} {one.name}: {counted(one)}, revision {one.number}, saved {ago(one.at)}"
        )
    print(f"{len(found)} set{'s' if len(found) != 1 else ''}.")


@app.command()
def show(name: SetName, revision: Revision = None, database: Database = "", as_json: AsJson = False) -> None:
    """Show what a set changes."""
    found = at(asked(database, lambda sets: sets.all_of(plain(name))), revision)
    changes = found.content(game_of(found)).changes()
    if as_json:
        words = [line for change in changes for line in change.words()]
        print(json.dumps({**summary(found), "rows": found.cards, "draft_rows": found.drafts, "words": words}))
        return
    print(f"{found.name}, of {found.game}: revision {found.number}, by {found.by}.")
    for change in changes:
        print("\n".join(change.words()))
    for draft in found.drafts:
        print(f"{draft}: a draft, which cannot be read yet and is not played.")


@app.command()
def history(name: SetName, database: Database = "", as_json: AsJson = False) -> None:
    """List the revisions of a set, the latest first."""
    found = asked(database, lambda sets: sets.all_of(plain(name)))
    if as_json:
        print(json.dumps([summary(one) for one in found]))
        return
    for one in found:
        print(f"{one.number:5}  {one.what}, by {one.by}, {ago(one.at)}")


@app.command()
def export(
    name: SetName,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a .toml or .csv; by default TOML is printed.")
    ] = None,
    revision: Revision = None,
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Write a set as the card file that --cards reads: TOML, or a spreadsheet of all cards."""
    found = at(asked(database, lambda sets: sets.all_of(plain(name))), revision)
    text = found.csv(game_of(found)) if out is not None and out.suffix == ".csv" else found.toml()
    if out is None:
        print(json.dumps({**summary(found), "toml": text}) if as_json else text, end="\n" if as_json else "")
        return
    from talion.lab.commands import can_write

    can_write(out)
    out.write_text(text, "utf-8")
    print(json.dumps({**summary(found), "file": str(out)}) if as_json else f"{found.name} is in {out}.")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A card file, .toml or .csv.")],
    game: Annotated[str, typer.Option(help="The game whose cards these are, for a new set.")] = "",
    name: Annotated[str, typer.Option(help="What the new set is called, by default as the file.")] = "",
    into: Annotated[
        str, typer.Option(metavar="SET", help="Save it as the next revision of this set instead.")
    ] = "",
    number: Annotated[
        int | None, typer.Option("--after", min=1, help="With --into: refuse if it is past this revision.")
    ] = None,
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Read a card file into a new set, or into one that is there."""
    from talion.games import find

    if bool(game) == bool(into):
        raise BadInput("Say either of which --game the new set is, or --into which set the file goes.")
    text = read(file)

    async def work(sets: Sets) -> CardSet:
        if game:
            whose = find(game)
            made = await sets.make(whose.key, name or file.stem, ("", WHO), rows(whose, text), time.time(), what="read from a file")  # fmt: skip
            return await sets.find(made)
        there = await sets.find(plain(into))
        new = replace(there, cards=rows(game_of(there), text), number=number or there.number)
        return await saved(sets, new, "read from a file")

    told(asked(database, work), as_json)


@app.command()
def back(
    name: SetName,
    revision: Annotated[int, typer.Argument(metavar="REVISION", min=1)],
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Take up an earlier revision as a new one; nothing in between is lost."""

    async def work(sets: Sets) -> CardSet:
        revisions = await sets.all_of(plain(name))
        new = replace(at(revisions, revision), number=revisions[0].number)
        return await saved(sets, new, f"back to revision {revision}")

    told(asked(database, work), as_json)


@app.command()
def rename(
    name: SetName,
    new: Annotated[str, typer.Argument(metavar="NAME")],
    database: Database = "",
    as_json: AsJson = False,
) -> None:
    """Call a set otherwise."""

    async def work(sets: Sets) -> CardSet:
        there = await sets.find(plain(name))
        await sets.rename(there.id, new)
        return await sets.find(there.id)

    told(asked(database, work), as_json)


@app.command()
def copy(name: SetName, database: Database = "", as_json: AsJson = False) -> None:
    """Make a copy of a set."""
    told(asked(database, lambda sets: sets.copy(plain(name), ("", WHO), time.time())), as_json)


@app.command()
def remove(name: SetName, database: Database = "", as_json: AsJson = False) -> None:
    """Remove a set with all its revisions. Tables that play it keep their cards."""

    async def work(sets: Sets) -> CardSet:
        there = await sets.find(plain(name))
        await sets.remove(there.id)
        return there

    gone = asked(database, work)
    print(json.dumps(summary(gone)) if as_json else f"{gone.name} is removed.")


# What they share ----------------------------------------------------------------------------------------------------------


def asked(database: str, work: Callable[[Sets], Awaitable[T]]) -> T:
    """Ask the sets of a database, beside a server that may be running."""
    from talion.table.database import address
    from talion.table.paths import default_database
    from talion.table.refusal import Refusal
    from talion.table.store import Store
    from talion.workshop.sets import Sets

    where = database or default_database()
    if politely(lambda: address(where)).drivername == "sqlite" and not Path(where.removeprefix("sqlite:///")).is_file():  # fmt: skip
        raise BadInput(
            f"There is no database at {where}: `talion serve` begins one, and --database names another."
        )
    store = politely(lambda: Store(where, serving=False))

    async def run() -> T:
        return await work(Sets(store))

    try:
        return asyncio.run(run())
    except Refusal as problem:
        hint = " `talion sets list` shows those there are." if problem.status == 404 else ""
        raise BadInput(problem.why + hint) from None
    finally:
        store.close()


def plain(name: str) -> str:
    """A set's name in the database, of its address or as it is."""
    return name.partition("?")[0].rstrip("/").rpartition("/")[2]


def at(revisions: list[CardSet], number: int | None) -> CardSet:
    """One of the revisions of a set, which come with the latest first."""
    found = next((one for one in revisions if number in (None, one.number)), None)
    if found is None:
        raise BadInput(f"{revisions[0].name} has no revision {number}; the latest is {revisions[0].number}.")
    return found


async def saved(sets: Sets, new: CardSet, what: str) -> CardSet:
    """Save what was made of revision `new.number`; refused if there is a later one."""
    if not await sets.save(new, what, WHO, time.time()):
        latest = await sets.find(new.id)
        raise BadInput(f"{latest.by} has saved revision {latest.number} meanwhile; look at it first.")
    return await sets.find(new.id)


def read(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not in UTF-8"
        raise BadInput(f"{file} cannot be read: {why}.") from None


def rows(game: Game, text: str) -> dict[str, Any]:
    from talion.workshop.sets import read_file

    return read_file(game, text)


def game_of(found: CardSet) -> Game:
    from talion.games import find

    return find(found.game)


def counted(one: CardSet) -> str:
    count, drafts = len(one.cards.get("card", ())), len(one.drafts)
    words = f"{count} card{'s' if count != 1 else ''} changed"
    return f"{words}, {drafts} draft{'s' if drafts != 1 else ''}" if drafts else words


def summary(one: CardSet) -> dict[str, Any]:
    """A revision for programs."""
    return {
        "set": one.id, "game": one.game, "name": one.name, "revision": one.number, "what": one.what, "by": one.by, "at": one.at,
        "changed": [row["name"] for rows in one.cards.values() for row in rows], "drafts": list(one.drafts),
    }  # fmt: skip


def told(found: CardSet, as_json: bool) -> None:
    where = f"/workshop/sets/{found.id}"
    print(json.dumps(summary(found)) if as_json else f"{found.name}: {counted(found)}, revision {found.number}, at {where}.")  # fmt: skip
