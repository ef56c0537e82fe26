"""The command `talion`: thin over the rest.

It ends with 0 if all went well, 1 if what was checked is wrong, 2 with one clear sentence if what was typed cannot be
used, and 130 if somebody interrupted it.
"""

from __future__ import annotations

import gc

# Starting makes many objects and no garbage, and looking for it takes a quarter of the time.
gc.set_threshold(50_000)

import errno  # noqa: E402
import io  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Annotated, Any, NoReturn  # noqa: E402

import typer  # noqa: E402
from typer.exceptions import TyperException  # noqa: E402

from talion.table import commands as hosting  # noqa: E402
from talion.workshop import commands as sets  # noqa: E402

from . import lab, playing, reading, writing  # noqa: E402
from .shared import BadInput  # noqa: E402

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
for room in (reading, playing, lab, writing):
    app.add_typer(room.app)
app.command()(hosting.serve)
app.add_typer(hosting.app, name="house")
app.add_typer(sets.app, name="sets")


def main() -> None:
    """Runs the command; every refusal is one sentence on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # not every terminal can show every letter
    try:
        status = command()(prog_name="talion", standalone_mode=False)
        sys.stdout.flush()
    except TyperException as problem:
        refuse(problem.format_message() if hasattr(problem, "format_message") else str(problem))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        silence()
        sys.exit(1)
    except OSError as problem:
        if problem.errno != errno.ENOSPC:
            raise
        silence()
        refuse("What this command says could not be written: no space is left there.")
    except Exception as problem:
        if isinstance(problem, expected()):
            refuse(str(problem))
        from talion.kernel.faults import in_words, is_of_a_game

        if not is_of_a_game(problem):
            raise
        refuse(f"The game fails: {in_words(problem)}.")
    sys.exit(status)


def command() -> Any:
    """All commands, whose help says NUMBER and FILE rather than how Python calls them."""
    whole = typer.main.get_command(app)
    waiting: list[Any] = [whole]
    while waiting:
        one = waiting.pop()
        waiting += getattr(one, "commands", {}).values()
        for parameter in one.params:
            if parameter.param_type_name == "argument":
                parameter.display_type_rich = lambda ctx: None
            elif parameter.metavar is None:
                parameter.metavar = KINDS.get(parameter.type_descriptor.annotation, "WORDS")
    return whole


KINDS = {int: "NUMBER", float: "NUMBER", Path: "FILE"}


def expected() -> tuple[type[Exception], ...]:
    """Refusals of the other rooms: bad input, not bugs."""
    from talion.beginning import BadName
    from talion.bots import UnknownBot
    from talion.games import NoSuchGame
    from talion.kernel import BadCards, BadOption, BadRecord, Illegal
    from talion.testing import BadScenario

    return (
        BadInput,
        BadName,
        UnknownBot,
        NoSuchGame,
        BadCards,
        BadOption,
        BadRecord,
        Illegal,
        BadScenario,
    )


def silence() -> None:
    """Nothing more is written: what stands in the buffer would fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refuse(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(2)


@app.callback(invoke_without_command=True)
def talion(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is, and where it keeps its data.")
    ] = False,
) -> None:
    """Five games of revenge: play them, read their rules and cards, check and simulate them."""
    if version:
        import talion as package
        from talion.table.paths import data_folder

        print(
            f"talion {package.__version__}, Python {sys.version.split()[0]}, {Path(package.__file__).parent}"
        )
        print(f"Tables are kept in {data_folder()}.")
    elif context.invoked_subcommand is None:
        print(context.get_help())
