"""The command `talion`: thin over the rest.

It ends with 0 if all went well, 1 if what was checked is wrong, 2 with one clear sentence if what was typed cannot be
used, and 130 if somebody interrupted it.
"""

from __future__ import annotations

import gc

gc.set_threshold(
    50_000
)  # starting makes many objects and no garbage: looking for it takes a quarter of the time

import dataclasses  # noqa: E402
import errno  # noqa: E402
import io  # noqa: E402
import json as json_  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
from collections.abc import Iterable, Sequence  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import TYPE_CHECKING, Annotated, Any, NoReturn  # noqa: E402

import typer  # noqa: E402
from typer.exceptions import TyperException  # noqa: E402

from talion.lab import BadInput  # noqa: E402
from talion.table import commands as hosting  # noqa: E402

if TYPE_CHECKING:
    from rich.console import Console

    from talion.kernel import Game, Match
    from talion.kernel.content import Content
    from talion.lab.playing import Job
    from talion.terminal import Chair

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


def keys_of_games(incomplete: str) -> list[str]:
    """For the shell, which completes what somebody types."""
    from talion.games import keys

    return [key for key in keys() if key.startswith(incomplete)]


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game's key, or the path of a game.", autocompletion=keys_of_games),
]
Plain = Annotated[bool, typer.Option("--plain", help="No colours, no escape codes.")]
CardFile = Annotated[
    Path | None, typer.Option("--cards", metavar="FILE", help="Lay these cards over the game's.")
]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON, for programs.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="A variant of the rules.")
]


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
        if not isinstance(problem, expected()):
            raise
        refuse(str(problem))
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


# Reading -----------------------------------------------------------------------------------------------------------


@app.command()
def games(json: AsJson = False, plain: Plain = False) -> None:
    """List the games."""
    from talion.games import glance, keys

    if json:
        say_json([game._asdict() for game in map(glance, keys())])
        return
    out = console(plain)
    for game in map(glance, keys()):
        say(out, game.key, "bold")
        facts = [f"{span(game.seats)} seats", game.length, game.designer and f"by {game.designer}"]
        say(out, f"  {game.title}: {', '.join(fact for fact in facts if fact)}.")
        say(out, f"  {game.about}")


@app.command()
def rules(
    game: GameName,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="A rule's id, or words that stand in it.")
    ] = None,
    rulings: Annotated[
        bool, typer.Option("--rulings", help="Only the rulings, each with the option it has.")
    ] = False,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Show a game's rules."""
    played = find(game)
    book = played.rulebook
    wanted = " ".join(words or [])
    found = book.rulings() if rulings else book.find(wanted) if wanted else list(book.rules.values())
    if wanted and rulings:
        found = [rule for rule in book.find(wanted) if rule in found]
    if not found:
        raise BadInput(
            f"{played.title} has no rule with “{wanted}”." if wanted else f"{played.title} has none."
        )
    flags = {choice.rule: choice for choice in played.choices}
    if json:
        named = {rule: choice.name for rule, choice in flags.items()}
        say_json([dataclasses.asdict(rule) | {"option": named.get(rule.id)} for rule in found])
        return
    out = console(plain)
    chapter = None
    for rule in found:
        if rule.chapter not in ("", chapter):
            say(out, rule.chapter, "bold")
            chapter = rule.chapter
        say(out, f"{rule.id} {rule.text}")
        if choice := flags.get(rule.id):
            values = "|".join(str(value) for value in choice.values)
            say(out, f"  --option {choice.name}={values} (usually {choice.default}): {choice.text}")


@app.command()
def cards(
    game: GameName,
    name: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="A card's name, or part of it.")
    ] = None,
    file: CardFile = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Show a game's cards as they read."""
    from talion.kernel.tables import nearest
    from talion.picture import card, printed

    played = find(game)
    wanted = " ".join(name or [])
    content = played.content(file)
    found = list(printed(content, wanted))
    if not found and wanted:
        raise BadInput(f"{played.title} prints nothing called “{wanted}”{nearest(wanted, content.named)}.")
    if not found:
        raise BadInput(f"{played.title} has no cards.")
    if json:
        say_json(found)
        return
    out = console(plain)
    for face in found:
        title, *lines = card(face)
        say(out, title, "bold")
        for line in lines:
            say(out, line)


@app.command()
def phrases(
    game: GameName,
    beginning: Annotated[
        list[str] | None,
        typer.Argument(metavar="BEGINNING", help="The beginning of a sentence, to be completed."),
    ] = None,
    file: CardFile = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """List the phrases a game's cards are written in, with how many cards use each; or complete a sentence."""
    content = find(game).content(file)
    out = console(plain)
    if beginning:
        completed = completions(content, " ".join(beginning))
        if json:
            say_json(completed)
            return
        for one in completed:
            say(out, f"{', '.join(one['fields'])}: {one['beginning']}", "bold")
            for line in one["lines"]:
                say(out, f"  {line}")
        return
    uses, examples = content.uses(), content.reader.examples
    if json:
        say_json(
            [
                {"kind": kind, "phrase": phrase.pattern, "uses": len(uses[phrase.pattern])}
                | {"said_in": list(phrase.said_in)}
                | {"example": next((one.sentence for one in examples.get(phrase, [])), None)}
                for kind in sorted(content.reader.kinds())
                for phrase in content.reader.phrases(kind)
            ]
        )
        return
    for kind in sorted(content.reader.kinds(), key=lambda kind: kind not in content.texts.values()):
        fields = [field for field, read in content.texts.items() if read == kind]
        say(out, f"{kind} ({', '.join(fields)})" if fields else kind, "bold")
        for phrase in content.reader.phrases(kind):
            say(out, f"{len(uses[phrase.pattern]):4} {phrase.pattern}")
            if phrase.said_in:
                say(out, f"       said in: {', '.join(phrase.said_in)}")
            for example in examples.get(phrase, [])[:1]:
                say(out, f"       “{example.sentence}” ({example.card})")
        if words := content.reader.words(kind):
            say(out, f"     {', '.join(words)}")


def completions(content: Content, beginning: str) -> list[dict[str, Any]]:
    """What a sentence that begins so can say, in the fields where it says most."""
    found = {
        kind: content.reader.complete(beginning, len(beginning), kind)
        for kind in dict.fromkeys(content.texts.values())
    }
    most = max(completion.near for completion in found.values())
    return [
        {
            "fields": [field for field, read in content.texts.items() if read == kind],
            "beginning": completion.text,
            "lines": list(completion.lines()),
        }
        for kind, completion in found.items()
        if completion.near == most
    ]


# Playing -----------------------------------------------------------------------------------------------------------


@app.command()
def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="A game, or a saved match to go on with.", autocompletion=keys_of_games
        ),
    ],
    seats: Annotated[
        str | None,
        typer.Option(
            help="Who plays, in order: `me`, people by name (with a capital), bots. Such as Ann,Bob,greedy."
        ),
    ] = None,
    option: Options = None,
    seed: Annotated[str | None, typer.Option(help="The same seed gives the same match.")] = None,
    cards: CardFile = None,
    plain: Plain = False,
) -> None:
    """Play in the terminal. `me,greedy` is you against a bot; type help during the match."""
    import secrets

    from talion.kernel import Match
    from talion.terminal import Quit, Terminal

    seed = seed or str(secrets.randbits(128))
    if is_record(game):
        match, found_as = load(Path(game), cards), written_game(Path(game))
        chairs = seated(seats, match.seats, seed)
        if len(chairs) != match.seats:
            raise BadInput(f"This match has {match.seats} seats, and --seats names {len(chairs)}.")
    else:
        played = find(game)
        chairs = seated(seats, usual_seats(played), seed)
        match = Match.new(played, len(chairs), seed, read_options(played, option), cards=cards)
        found_as = game if game == played.key else str(Path(game).resolve())
    if any(chair.bot is None for chair in chairs) and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("There is no terminal to play in: a person needs a keyboard and a screen.")
    try:
        Terminal(match, chairs, console(plain), input, found_as).play()
    except (Quit, KeyboardInterrupt):
        print("You left the match.")


def seated(text: str | None, seats: int, seed: str) -> list[Chair]:
    """The chairs that `--seats` describes: by default a person and greedy bots."""
    from talion import bots
    from talion.terminal import Chair

    words = [word.strip() for word in text.split(",")] if text else ["me"] + ["greedy"] * (seats - 1)
    chairs = []
    for number, word in enumerate(words):
        if word == "me" or word[:1].isupper():
            chairs.append(Chair("Player" if word == "me" else word))
        elif word in bots.names() or word.startswith("search:"):
            chairs.append(Chair(word.capitalize(), bots.make(word, f"{seed}:{number}")))
        else:
            raise BadInput(
                f"“{word}” can sit at no seat: say me, a name with a capital letter, or a bot ({', '.join(bots.names())})."
            )
    for number, chair in enumerate(chairs):
        before = [other.name for other in chairs[:number]]
        if chair.name in before:
            chair.name = f"{chair.name} {number + 1}"
    return chairs


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved match.")],
    seat: Annotated[int | None, typer.Option(help="As this seat saw it; without one, as a watcher.")] = None,
    to: Annotated[int | None, typer.Option(help="Up to this many answers.")] = None,
    cards: CardFile = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Rebuild any moment of a saved match."""
    from talion.picture import picture, sentence

    match = load(file, cards)
    if seat is not None and seat not in range(match.seats):
        raise BadInput(f"This match has the seats 0 to {match.seats - 1}, and no seat {seat}.")
    if to is not None:
        if to not in range(match.number + 1):
            raise BadInput(f"This match has {match.number} answers: --to takes 0 to {match.number}.")
        match = match.before(to)
    names = [f"Seat {number}" for number in range(match.seats)]
    if json:
        log = [sentence(line, names) for line in match.log(seat)]
        say_json({"log": log, "view": match.view(seat).data()})
        return
    out = console(plain)
    for line in match.log(seat):
        say(out, sentence(line, names))
    say(out, "")
    for text in picture(match.view(seat), names):
        say(out, text)


# Trying out --------------------------------------------------------------------------------------------------------


@app.command()
def simulate(
    game: GameName,
    bots: Annotated[str, typer.Option(help="Who plays, such as normal,greedy. They change seats.")] = "",
    games: Annotated[int, typer.Option(min=1, help="How many matches.")] = 100,
    seed: Annotated[str, typer.Option(help="The same seed gives the same matches.")] = "0",
    option: Options = None,
    cards: CardFile = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes to play on; without a number, one for each core.")
    ] = None,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on a Dask cluster instead.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the results in this file: .parquet or .csv.")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play each match with these cards too, and say what they change."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One match a line, as JSON.")] = False,
    plain: Plain = False,
) -> None:
    """Let bots play many matches, and say who won how often."""
    from talion.bots import listed
    from talion.lab.commands import against as compare
    from talion.lab.commands import simulate as run

    played = find(game)
    players = listed(bots) if bots else ["greedy" if against else "random"] * usual_seats(played)
    given = read_options(played, option)
    if against is not None:
        if out is not None or dask is not None:
            raise BadInput(
                "--against says what changed; it writes no file and plays here: leave --out and --dask out."
            )
        compare(lab_job(game, players, seed, given, cards), against, games, workers, json, console(plain))
        return
    run(game, players, games, seed, given, cards, workers, dask, out, json, console(plain))


@app.command()
def report(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Result files; two are compared.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the page goes.")] = Path("report.html"),
) -> None:
    """Make one page of result files: who wins, how long matches run, which cards are played."""
    from talion.lab.commands import report as run

    run(files, out)


@app.command()
def ladder(
    game: GameName,
    games: Annotated[int, typer.Option(min=2, help="Matches on each rung.")] = 100,
    minutes: Annotated[float, typer.Option(min=0, help="Stop after this time; the next run goes on.")] = 18,
    top: Annotated[
        int | None, typer.Option(min=16, help="Iterations of the strongest bot, by default those of hard.")
    ] = None,
    seed: Annotated[str, typer.Option(help="The same seed gives the same matches.")] = "0",
    workers: Annotated[int | None, typer.Option(min=1, help="Processes to play on.")] = None,
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
    seed: Annotated[str, typer.Option(help="The same seed gives the same matches.")] = "0",
    option: Options = None,
    cards: CardFile = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes to play on.")] = None,
    keep: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where matches are kept, to go on from there.")
    ] = None,
    tenth_first: Annotated[
        bool, typer.Option("--tenth-first", help="Try a tenth of the budgets first; go on if A won.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="The answer as JSON.")] = False,
    plain: Plain = False,
) -> None:
    """Find out which of two bots is the stronger, with as few matches as it takes."""
    from dataclasses import replace

    from talion.lab.commands import duel as run

    players = [first, *[second] * (seats - 1)]
    job = replace(lab_job(game, players, seed, read_options(find(game), option), cards), one_deal=True)
    run(job, pairs, margin, workers, keep, tenth_first, json, console(plain))


def lab_job(game: str, players: Sequence[str], seed: str, options: dict[str, Any], cards: Path | None) -> Job:
    """What the lab is to play."""
    from talion.lab.commands import anywhere
    from talion.lab.playing import Job

    return Job(anywhere(game), tuple(players), seed, options, cards.resolve() if cards else None)


@app.command()
def balance(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many matches to judge by.")] = 200,
    bots: Annotated[str, typer.Option(help="Who plays, by default whom balance.toml names.")] = "",
    seats: Annotated[int | None, typer.Option(min=1, help="How many sit at the table.")] = None,
    seed: Annotated[str, typer.Option(help="The same seed gives the same matches.")] = "0",
    option: Options = None,
    cards: CardFile = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes to play on.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False,
    plain: Plain = False,
) -> None:
    """Say of each promise a game makes of its balance whether it holds."""
    from talion.bots import listed
    from talion.lab.balance import Contract
    from talion.lab.commands import balance as run

    played = find(game)
    contract = Contract.of(played)
    players = listed(bots) if bots else [contract.bots] * (seats or usual_seats(played))
    job = lab_job(game, players, seed, read_options(played, option), cards)
    if not run(job, contract, games, workers, json, console(plain)):
        raise typer.Exit(1)


@app.command("break")
def break_(
    game: GameName,
    minutes: Annotated[float, typer.Option(min=0, help="How long to try.")] = 2,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where matches that show something go.")
    ] = Path(),
    seed: Annotated[str, typer.Option(help="The same seed tries the same.")] = "0",
    option: Options = None,
    cards: CardFile = None,
    json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False,
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
def hint(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved match.")],
    seat: Annotated[
        int | None, typer.Option(help="The seat that wants to know, by default who is asked.")
    ] = None,
    bot: Annotated[
        str, typer.Option(help="Who is asked for advice: easy, normal, hard, search:N.")
    ] = "normal",
    seed: Annotated[str, typer.Option(help="The same seed thinks the same.")] = "0",
    cards: CardFile = None,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Say what a bot would do in a saved match, seeing no more than the seat does."""
    from talion.bots import Seen
    from talion.bots.advice import advice

    match = load(file, cards)
    if match.over:
        raise BadInput("This match is over.")
    asked = min(match.pending) if seat is None else seat
    if asked not in match.pending:
        raise BadInput(f"Seat {asked} is not asked anything now.")
    found = list(advice(Seen(match, asked), bot, seed))
    if json:
        say_json([vars(piece) for piece in found])
        return
    out = console(plain)
    for piece in found:
        say(out, str(piece))


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
        for line in report.lines():
            say(out, line)
        well &= report.ok
        found[-1] |= {"counts": report.counts, "endings": report.endings, "problems": report.problems}
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


# Shared ------------------------------------------------------------------------------------------------------------


def find(key: str) -> Game:
    from talion.games import find as find_game

    return find_game(key)


def say_json(found: Any) -> None:
    """A result for programs: one JSON text."""
    print(json_.dumps(found, ensure_ascii=False, default=list))


def is_record(name: str) -> bool:
    """Whether a path is a saved match rather than a game."""
    path = Path(name)
    return path.is_file() and path.suffix != ".py"


def load(path: Path, cards: Path | None) -> Match:
    from talion.kernel import Match

    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError):
        raise BadInput(f"{path} cannot be read as a saved match.") from None
    return Match.load(text, find, cards)


def written_game(record: Path) -> str:
    """By which name or path a record finds its game."""
    lines = record.read_text("utf-8").splitlines()
    return next(line.removeprefix("game: ") for line in lines if line.startswith("game: "))


def read_options(game: Game, words: Iterable[str] | None) -> dict[str, Any]:
    """`--option name=value`, each value read as the game's choice reads it."""
    choices = {choice.name: choice for choice in game.choices}
    chosen: dict[str, Any] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise BadInput(f"“{word}” is no option: write --option name=value.")
        chosen[name] = choices[name].read(value) if name in choices else value
    return chosen


def console(plain: bool, silent: bool = False) -> Console:
    from rich.console import Console

    return Console(no_color=True, force_terminal=False, quiet=silent) if plain or silent else Console()


def say(out: Console, text: str, style: str | None = None) -> None:
    out.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def usual_seats(game: Game) -> int:
    """Two where a game can be played by two, else its fewest."""
    return 2 if 2 in game.seats else game.seats[0]


def span(numbers: Sequence[int]) -> str:
    """`2`, or `2 to 5`."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


# Serving -----------------------------------------------------------------------------------------------------------

app.command()(hosting.serve)
app.add_typer(hosting.app, name="house")


if __name__ == "__main__":
    main()
