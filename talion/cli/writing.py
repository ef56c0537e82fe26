"""Commands for those who write games and cards: check what was written, and begin a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .shared import AsJson, BadInput, CardFile, Plain, console, find, say, say_json

if TYPE_CHECKING:
    from rich.console import Console

    from talion.kernel import Game

app = typer.Typer()


@app.command()
def check(
    what: Annotated[
        list[str], typer.Argument(metavar="GAME|FILE…", help="Games, or scenario files or folders.")
    ],
    seconds: Annotated[
        float, typer.Option(min=0.1, help="About how long to play random matches of a game.")
    ] = 50,
    deep: Annotated[
        bool, typer.Option("--deep", help="10,000 matches at each seat count, however long it takes.")
    ] = False,
    cards: CardFile = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Run scenarios, and random matches in which every decision is verified. Exit code 1 if anything is wrong."""
    from talion.games import keys
    from talion.testing import check as verify
    from talion.testing.elsewhere import differs

    out = console(plain, silent=json)
    well = True
    found: list[dict[str, Any]] = []
    for name in what:
        path = Path(name)
        if path.suffix == ".toml" or (path.is_dir() and not (path / "__init__.py").exists()):
            found.append({"checked": name, "scenarios": scenarios(out, path, cards)})
            well &= not found[-1]["scenarios"]["differ"]
            continue
        game = find(name)
        game.content(cards)  # cards that cannot be read are bad input, not a problem of the game
        found.append({"checked": name})
        if game.folder and (game.folder / "scenarios").is_dir():
            found[-1]["scenarios"] = scenarios(out, game.folder / "scenarios", cards)
            well &= not found[-1]["scenarios"]["differ"]
        elif name in keys():
            say(out, f"The scenarios of {game.title} are in a clone of Talion, and not here.")
        matches, limit = (10_000, 1e9) if deep else (50, seconds)
        if cards is not None:
            found[-1]["cards"] = tried(out, game, cards, seconds)
            well &= not found[-1]["cards"]["problems"]
        report = verify(game, matches=matches, seconds=limit, cards=cards)
        if report.ok and (problem := differs(name)):
            report.problems.append(problem)
        for line in report.lines():
            say(out, line)
        well &= report.ok
        found[-1] |= {"counts": report.counts, "endings": report.endings, "problems": report.problems}
        found[-1]["notes"] = list(report.notes.values())
    if json:
        say_json(found)
    if not well:
        raise typer.Exit(1)


def tried(out: Console, game: Game, cards: Path, seconds: float) -> dict[str, Any]:
    """Plays every card of a file, and says what came of it."""
    from talion.testing import try_cards

    found = []
    for card in try_cards(game, cards, seconds=seconds):
        say(out, card.words())
        found.append(card)
    return {
        "played": [card.name for card in found if card.ok],
        "problems": [c.words() for c in found if not c.ok],
    }


def scenarios(out: Console, path: Path, cards: Path | None) -> dict[str, Any]:
    """Runs scenario files, with changed cards if there are any, and says line by line what differs."""
    from talion.testing import load_scenarios, run_scenario

    found = load_scenarios(path)
    if not found:
        raise BadInput(f"There are no scenarios in {path}.")
    failed: dict[str, list[str]] = {}
    for scenario in found:
        if differs := run_scenario(scenario, find, cards):
            failed[str(scenario.path)] = differs
            say(out, f"{scenario.path}: {scenario.title}", "bold")
            for line in differs:
                say(out, f"  {line}")
    changed = f" with the cards of {cards}" if cards else ""
    say(out, f"{len(found) - len(failed)} of {len(found)} scenarios pass{changed}.")
    return {"run": len(found), "differ": failed}


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="What the game is called, such as my-game.")],
    plain: Plain = False,
) -> None:
    """Write a small complete game to start from, into a folder of its own."""
    from talion.beginning import begin

    folder = begin(name, Path())
    out = console(plain)
    say(out, f"{folder} is a game: its rules, cards, phrases, a bot and a scenario.")
    say(out, f"Play it with: talion play {folder}")
    say(out, f"Check it with: talion check {folder}")
