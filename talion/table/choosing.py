"""Opening a table: what is chosen from pictures, each with a sentence.

A game says in `views/choices.toml` which of its choices are pictures, and where they are printed:

    [demon]
    from = "card"                 # the table of its card file
    where = { kind = "demon" }    # of which only these
    says = "text"                 # the field with the sentence
    value = "first word"          # what is chosen by: the name, or its first word
    per_seat = true               # one for each seat
    title = "The Demon"           # what is chosen, if the option does not say it well
    words = { none = "No card." } # a sentence for each choice that is not printed
"""

from __future__ import annotations

import tomllib
from typing import Any

from talion.drawing.cards import slug
from talion.kernel import Game


def pictured(game: Game) -> dict[str, dict[str, Any]]:
    """The choices of a game that are made from pictures: what there is to choose, each with its name and its sentence."""
    file = game.folder / "views" / "choices.toml" if game.folder else None
    told = tomllib.loads(file.read_text("utf-8")) if file and file.is_file() else {}
    return {
        name: {"per_seat": False, "title": "", "words": {}, **choice, "values": _values(game, choice)}
        for name, choice in told.items()
    }


def _values(game: Game, choice: dict[str, Any]) -> list[dict[str, str]]:
    rows = game.content().tables.get(choice["from"], [])
    wanted = choice.get("where", {}).items()
    return [
        {
            "value": row["name"].split()[0] if choice.get("value") == "first word" else row["name"],
            "name": row["name"],
            "slug": slug(row["name"]),
            "says": str(row.get(choice.get("says", "flavour"), "")),
        }
        for row in rows
        if all(row.get(field) == value for field, value in wanted)
    ]


def chosen(form: dict[str, str]) -> dict[str, str]:
    """The options a form names: `option.demon`, or `option.heroes.0` and so on, one for each seat, joined by commas."""
    options: dict[str, str] = {}
    for name, value in form.items():
        if not name.startswith("option.") or value == "":
            continue
        key = name.removeprefix("option.").split(".")[0]
        options[key] = f"{options[key]}, {value}" if key in options else value
    return options
