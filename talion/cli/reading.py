"""Commands to read with: the games, their rules, cards and phrases."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .shared import AsJson, BadInput, CardFile, GameName, Plain, console, find, say, say_json, span

if TYPE_CHECKING:
    from rich.console import Console

    from talion.kernel import Game
    from talion.kernel.content import Content

app = typer.Typer()


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
    csv: Annotated[
        bool, typer.Option("--csv", help="All cards as a spreadsheet, a row each; --cards reads it again.")
    ] = False,
    read: Annotated[
        bool,
        typer.Option("--read", help="Each sentence with its rules, and the other cards that it touches."),
    ] = False,
    json: AsJson = False,
    plain: Plain = False,
) -> None:
    """Show a game's cards as they read."""
    from talion.kernel.spreadsheet import to_csv
    from talion.kernel.tables import nearest
    from talion.picture import card, printed

    played = find(game)
    wanted = " ".join(name or [])
    content = played.content(file)
    if csv:
        rows = content.tables.get("card", [])
        print(to_csv([row for row in rows if wanted.lower() in row["name"].lower()]), end="")
        return
    found = list(printed(content, wanted))
    if not found and wanted:
        raise BadInput(f"{played.title} prints nothing called “{wanted}”{nearest(wanted, content.named)}.")
    if not found:
        raise BadInput(f"{played.title} has no cards.")
    out = console(plain)
    if read:
        rows = [row for row in content.tables["card"] if wanted.lower() in row["name"].lower()]
        show_readings(played, content, rows, json, out)
        return
    if json:
        say_json(found)
        return
    for face in found:
        title, *lines = card(face)
        say(out, title, "bold")
        for line in lines:
            say(out, line)


def show_readings(
    game: Game[Any], content: Content, rows: Sequence[dict[str, Any]], as_json: bool, out: Console
) -> None:
    """What was read of some cards, and what they touch: as the workshop's bench shows it."""
    from talion.workshop.bench import look

    readings = [(row["name"], look(game, content, row, "")) for row in rows]
    if as_json:
        say_json([{"name": name, "lines": one.lines, "touches": one.touches} for name, one in readings])
        return
    for name, one in readings:
        say(out, name, "bold")
        for line in one.lines:
            say(out, f"  {line['text']} {' '.join(rule for rule, _ in line['rules'])}")
        for shared in one.touches:
            more = f" and {shared['more']} more" if shared["more"] else ""
            say(out, f"  Touches {shared['what']}: {', '.join(shared['cards'])}{more}.")


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
