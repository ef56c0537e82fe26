"""The printed cards of a game, ready to be drawn: each face as a sheet with its words, the rules they touch, its front.

A front is drawn once for a face, by the game's `views/card.html` or ours: everything that is printed on the card. Where it lies and
what lies on it is the table's business.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from talion.drawing import emblems
from talion.drawing.emblems import Emblems, motifs_of, pictures
from talion.drawing.plans import laid_out
from talion.kernel import Content, Face, Game

HERE = Path(__file__).parent
_NOT_SHOWN = frozenset({"name", "count", "flavour", "id"})
LONGEST_WORD = 8
"""A name with longer words is set smaller, never broken."""


def slug(name: str) -> str:
    """A name as a file or a class would write it: `Virág` is `virag`."""
    name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def worded(name: Any) -> str:
    return str(name).replace("_", " ")


@lru_cache(maxsize=32)
def sheets(game: Game, sprite: str = "", content: Content | None = None) -> dict[str, dict[str, Any]]:
    """Every face of a game by its name, or of some `content` of it. `sprite` is where a page finds the emblems; see `sprites`."""
    return {face.name: sheet(game, face, sprite) for face in (content or game.content()).faces}


def sheet(game: Game, face: Face, sprite: str = "") -> dict[str, Any]:
    """One face, which need not be among the game's own."""
    by, own, draw = _drawing(game)
    kind = _kind(face, by)
    drawn = _sheet(game, face, kind)
    drawn["emblem"] = Markup(own.draw(face.name, drawn["slug"], kind))
    drawn["in_sprite"] = face.name in game.content().named
    drawn["front"] = Markup(draw.render(s=drawn, f=drawn["fields"], sprite=sprite).strip())
    return drawn


@lru_cache(maxsize=32)
def _drawing(game: Game) -> tuple[list[str], Emblems, jinja2.Template]:
    """By which fields a game's cards have their kind, its emblems, and how its fronts are drawn."""
    folder = game.folder / "views" if game.folder else None
    by = motifs_of(folder)["by"]
    own = Emblems(folder, ((face.name, slug(face.name), _kind(face, by)) for face in game.content().faces))
    return by, own, environment(folder).get_template("card.html")


def _kind(face: Face, by: list[str]) -> str:
    return " ".join(str(face.get(field) or face.front.get(field) or "") for field in by).strip()


def environment(folder: Path | None) -> jinja2.Environment:
    """Where fronts are drawn: a game's own templates, and ours."""
    folders = [*([folder] if folder else []), HERE]
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["sign"] = sign
    made.filters |= {"worded": worded, "slug": slug, "laid_out": laid_out}
    return made


@lru_cache(maxsize=1024)
def sign(name: str, classes: str = "") -> Markup:
    """A small sign: a heart for the body, a clock for a tick. Dozens are on a page, which brings the drawings once: see `signs`."""
    if name not in emblems.signs():
        raise KeyError(f"there is no sign {name!r}; there are {', '.join(emblems.signs())}")
    return Markup(f'<svg class="sign {classes}" aria-hidden="true"><use href="#s-{name}"/></svg>')


@lru_cache(maxsize=1)
def signs() -> Markup:
    """The drawings of all signs, for a page that shows some."""
    drawn = (
        f'<symbol id="s-{name}" viewBox="0 0 24 24">{inside}</symbol>'
        for name, inside in emblems.signs().items()
    )
    return Markup(f'<svg class="signs" aria-hidden="true">{"".join(drawn)}</svg>')


def portrait(motif: str, classes: str = "face") -> Markup:
    """A motif as somebody's face, or as a crest."""
    drawn = pictures(HERE / "motifs")[motif]
    return Markup(
        f'<svg class="{classes}" viewBox="0 0 100 100" aria-hidden="true" focusable="false">{drawn}</svg>'
    )


@lru_cache(maxsize=32)
def sprites(game: Game) -> str:
    """All emblems of a game in one picture, and what else it draws: pages show a part of it by its name."""
    drawn = dict(pictures(game.folder / "views" / "emblems")) if game.folder else {}
    drawn |= {sheet["slug"]: sheet["emblem"] for sheet in sheets(game).values()}
    symbols = "".join(
        f'<symbol id="e-{name}" viewBox="0 0 100 100">{inside}</symbol>' for name, inside in drawn.items()
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def _sheet(game: Game, face: Face, kind: str) -> dict[str, Any]:
    plain = [
        (worded(name), _said(value))
        for name, value in face.fields.items()
        if name not in _NOT_SHOWN and name not in game.texts and _said(value)
    ]
    lines = [_line(game, field, said) for field, sentences in face.said.items() for said in sentences]
    longest = max(map(len, face.name.split()), default=0)
    return {
        "name": face.name,
        "slug": slug(face.name),
        "kind": kind,
        "kind_slug": slug(kind),
        "plain": plain,
        "fields": {name: value for name, value in face.fields.items() if not isinstance(value, Face)},
        "other": _other_end(face),
        "lines": lines,
        "texts": [text for field in game.texts for text in _texts(face.get(field))],
        "flavour": face.flavour,
        "narrow": min(longest, 14) if longest > LONGEST_WORD else 0,
    }


def _other_end(face: Face) -> str:
    """The name printed on the other end of the card, if there is one."""
    if face.front is not face:
        return face.front.name
    return next((value.name for value in face.fields.values() if isinstance(value, Face)), "")


def _said(value: Any) -> str:
    """A plain field as it is printed; lists too."""
    if isinstance(value, bool) or value is None:
        return "yes" if value else ""
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, (list, tuple)) and all(isinstance(item, (str, int, float)) for item in value):
        return ", ".join(map(str, value))
    return ""


def _texts(value: Any) -> list[str]:
    """The sentences of a field, in the words and capitals of the file."""
    if not value:
        return []
    return [str(value)] if isinstance(value, str) else [str(item) for item in value if isinstance(item, str)]


def _line(game: Game, field: str, said: Any) -> dict[str, Any]:
    """A sentence as it reads, and what the rules say about its words."""
    rules = game.rulebook.rules
    touched = dict.fromkeys(part.phrase.rule for part in said.below() if part.phrase.rule in rules)
    text = re.sub(r"(?:^|\. )\w", lambda begins: begins[0].upper(), said.text)
    return {
        "field": worded(field),
        "text": f"{text}.",
        "rules": [(rule, rules[rule].text) for rule in touched],
    }
