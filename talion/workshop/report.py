"""A report worth sending: what a run found, with the cards before and after as they look, in one file that needs nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from talion import drawing, table
from talion.drawing import cards as printed
from talion.kernel import Content, Game

HERE = Path(__file__).parent


def report(game: Game, title: str, before: Content, after: Content, found: Mapping[str, Any]) -> str:
    """The page of a run, with everything it needs inside."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["slug"] = printed.slug
    return environment.get_template("workshop/report.html").render(
        game=game,
        title=title,
        found=found,
        faces=list(faces(game, before, after, "")),
        style=Markup(_style(game)),
        drawings=Markup(printed.sprites(game)) + printed.signs(),
    )


def faces(game: Game, before: Content, after: Content, sprite: str) -> Iterator[dict[str, Any]]:
    """The cards that changed, before and after: as they look, and in words. Things that are no cards have words only."""
    for change in after.changes(before):
        yield {
            "name": change.name,
            "words": list(change.words()),
            "before": _front(game, before, change.name, sprite),
            "after": _front(game, after, change.name, sprite),
        }


def _front(game: Game, content: Content, name: str, sprite: str) -> Markup | None:
    """All ends of a card as they look; None if there is no such card, or none of it."""
    face = content.named.get(name)
    if face is None or not face.count:
        return None
    ends = [one for one in content.faces if one.front is face.front]
    sheets = [printed.sheet(game, one, sprite) for one in ends]
    return Markup("").join(
        Markup('<div class="card kind-{}">{}</div>').format(sheet["kind_slug"], sheet["front"])
        for sheet in sheets
    )


def _style(game: Game) -> str:
    """How the table and the workshop look, with the typefaces that they use inside."""
    own = game.folder / "views" / "table.css" if game.folder else None
    static = Path(table.__file__).parent / "static"
    files = [static / "talion.css", static / "stage.css", own, HERE / "static" / "workshop.css"]
    text = "\n".join(file.read_text("utf-8") for file in files if file and file.is_file())
    said = TYPEFACE.sub("", text)

    def kept(found: re.Match[str]) -> str:
        return found[0].replace(found["file"], _as_data(found["file"])) if found["family"] in said else ""

    return TYPEFACE.sub(kept, text).replace("</", "<\\/")


TYPEFACE = re.compile(
    r'@font-face \{[^}]*font-family: "(?P<family>[^"]+)"[^}]*url\("(?P<file>[^"]+)"\)[^}]*\}\n?'
)


def _as_data(file: str) -> str:
    """A typeface of the house as an address that holds it whole."""
    typeface = Path(drawing.__file__).parent / "fonts" / Path(file).name
    return f"data:font/woff2;base64,{b64encode(typeface.read_bytes()).decode()}"
