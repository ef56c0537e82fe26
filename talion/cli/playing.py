"""Commands to play with: a match in the terminal, one that was saved, and advice."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .shared import (
    AsJson,
    BadInput,
    CardFile,
    GameName,
    Options,
    Plain,
    console,
    find,
    is_record,
    keys_of_games,
    load,
    read_options,
    say,
    say_json,
    usual_seats,
    written_game,
)

if TYPE_CHECKING:
    from talion.kernel import Game, Match
    from talion.terminal import Chair

app = typer.Typer()


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

    seed = seed or str(secrets.randbits(128))
    if is_record(game):
        match, found_as = load(Path(game), cards), written_game(Path(game))
        chairs = seated(seats, match.game, match.seats, seed)
        if len(chairs) != match.seats:
            raise BadInput(f"This match has {match.seats} seats, and --seats names {len(chairs)}.")
    else:
        played = find(game)
        chairs = seated(seats, played, usual_seats(played), seed)
        match = Match.new(played, len(chairs), seed, read_options(played, option), cards=cards)
        found_as = game if game == played.key else str(Path(game).resolve())
    at_the_terminal(match, chairs, found_as, plain)


def sit_down(match: Match, seats: str, game: str, seed: str, plain: bool) -> None:
    """Play a match on that was found here."""
    found_as = game if game == match.game.key else str(Path(game).resolve())
    at_the_terminal(match, seated(seats, match.game, match.seats, seed), found_as, plain)


def at_the_terminal(match: Match, chairs: list[Chair], found_as: str, plain: bool) -> None:
    """Play, if there is a terminal for those who play."""
    from talion.terminal import Quit, Terminal

    if any(chair.bot is None for chair in chairs) and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("There is no terminal to play in: a person needs a keyboard and a screen.")
    try:
        Terminal(match, chairs, console(plain), input, found_as).play()
    except (Quit, KeyboardInterrupt):
        print("You left the match.")


@app.command("try")
def try_(
    game: GameName,
    card: Annotated[list[str], typer.Argument(metavar="CARD", help="The name of a card.")],
    cards: CardFile = None,
    position: Annotated[
        int, typer.Option(min=1, help="Another number is another position; the same one is the same.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the position down as a match to go on with, and do not play."
        ),
    ] = None,
    bot: Annotated[str, typer.Option(help="Who plays against you.")] = "easy",
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Play on from a position in which you have a card and can pay for it, found in a match between bots."""
    from talion.lab.position import position as find_position

    played = find(game)
    there = find_position(played, played.content(cards), " ".join(card), f"position {position}")
    if out is not None:
        out.write_text(there.text(), "utf-8")
    if json:
        say_json({"seat": there.seat, "playable": there.playable, "file": str(out) if out else None, "view": there.match.view(there.seat).data()})  # fmt: skip
    elif out is not None:
        say(console(plain), f"The position is in {out}: you sit at seat {there.seat}.")
    else:
        names = ["me" if seat == there.seat else bot for seat in range(there.match.seats)]
        sit_down(there.match, ",".join(names), game, str(position), plain)


def seated(text: str | None, game: Game, seats: int, seed: str) -> list[Chair]:
    """The chairs that `--seats` describes: by default a person and greedy bots."""
    from talion import bots
    from talion.bots.personas import personas
    from talion.terminal import Chair

    known = personas(game)
    words = [word.strip() for word in text.split(",")] if text else ["me"] + ["greedy"] * (seats - 1)
    chairs = []
    for number, word in enumerate(words):
        if word == "me" or word[:1].isupper():
            chairs.append(Chair("Player" if word == "me" else word))
        elif word in known or word.startswith("search:"):
            bot = bots.make(word, f"{seed}:{number}")
            persona = known.get(word)
            name = persona.name([chair.name for chair in chairs]) if persona else word.capitalize()
            chairs.append(Chair(name, bot, persona.about(name) if persona else ""))
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
    from talion.bots.advice import advise
    from talion.kernel import Line

    match = load(file, cards)
    if match.over:
        raise BadInput("This match is over.")
    asked = min(match.pending) if seat is None else seat
    if asked not in match.pending:
        raise BadInput(f"Seat {asked} is not asked anything now.")
    found = advise(Seen(match, asked), bot, seed)
    if json:
        say_json(found.data())
        return
    out = console(plain)
    for piece in found.considered:
        say(out, str(piece))
    for sentence in found.sentences():
        say(out, Line("", sentence).named([f"seat {number}" for number in range(match.seats)]))
