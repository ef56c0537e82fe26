"""How a page is made: templates, ours and each game's own, and what they are given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import jinja2
from litestar import MediaType, Response
from litestar.response import Redirect
from markupsafe import Markup

from talion.drawing import cards as printed
from talion.drawing import plans
from talion.kernel import Content, Game
from talion.table import arranging, clocks, stage
from talion.table.asking import Asked, house_of, person_of
from talion.table.catalogue import Catalogue
from talion.table.kept import Kept
from talion.table.laying import Laying
from talion.table.lean import Environment
from talion.table.live import Live
from talion.table.rooms import Room
from talion.table.settings import Settings
from talion.table.workers import STRENGTHS

HERE = Path(__file__).parent


class Pages:
    """Our templates, and each game's own under its key."""

    def __init__(self, settings: Settings, catalogue: Catalogue, rooms: Sequence[Room] = ()) -> None:
        of_games = {key: jinja2.FileSystemLoader(folder) for key, folder in catalogue.views().items()}
        self._environment = Environment(
            loader=jinja2.ChoiceLoader(
                [
                    jinja2.FileSystemLoader(
                        [HERE / "templates", *(room.folder / "templates" for room in rooms)]
                    ),
                    jinja2.PrefixLoader(of_games),
                ]
            ),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        prefix = settings.root_path.rstrip("/")
        self._environment.globals |= {
            "at": lambda path: prefix + path,
            "sign": printed.sign,
            "signs": printed.signs,
            "portrait": printed.portrait,
            "rooms": rooms,
        }
        self._environment.filters |= {
            "with_article": stage.with_article,
            "wire": stage.wire,
            "arranged": arranging.arranged,
            "clock": clocks.worded,
            "in_words": clocks.in_words,
            "feed": stage.feed,
            "seat_in": stage.seat_in,
            "laid_out": plans.laid_out,
            "marks": arranging.marks,
            "named": stage.named,
            "slug": printed.slug,
            "plain_number": lambda value: f"{value:g}",
        }
        self.prefix = prefix
        self._drawn = Drawn()

    def forget(self) -> None:
        """Draw everything anew, as after a move."""
        self._drawn = Drawn()

    def drawn(self, template: str, **values: Any) -> Markup:
        """A part of a page."""
        return Markup(self._environment.get_template(template).render(values))

    def lying(self, **values: Any) -> Markup:
        """The stage of a table for one audience."""
        return self.drawn("lying.html", **values)

    def lies(self, **values: Any) -> dict[str, Markup]:
        """The stage and the feed."""
        return {"lying": self.lying(**values), "told": self.drawn("told.html", **values)}

    def around(
        self, request: Asked, kept: Kept, lies: dict[str, str], lay: dict[str, Any], **facts: Any
    ) -> Response[str]:
        """The page of a table. Around what changes with every move it stays as it is while these facts do; `lay` is made of them
        and of what is printed."""
        person = person_of(request)
        facts["guard"] = house_of(request).signer.guard(person)

        def draw() -> list[str]:
            game = house_of(request).catalogue.described(facts["table"]["game"])
            values = {**lay, **facts, **HOLES, "person": person, "game": game, "strengths": STRENGTHS}
            return _HOLE.split(self._environment.get_template("table.html").render(values))

        pieces = kept.beside(person.hash, facts, draw)
        html = "".join([lies[piece] if i % 2 else piece for i, piece in enumerate(pieces)])
        return Response(html, status_code=200, media_type=MediaType.HTML)

    def kept(self, table: dict[str, Any]) -> Kept:
        """What is kept of a table for one audience; `table` as it is staged."""
        return self._drawn.of(table)

    def page(self, request: Asked, template: str, status: int = 200, **values: Any) -> Response[str]:
        person = person_of(request)
        guard = house_of(request).signer.guard(person)
        values = {"person": person, "guard": guard, "notice": "", **values}
        html = self._environment.get_template(template).render(values)
        return Response(html, status_code=status, media_type=MediaType.HTML)


HOLES = {name: Markup(f"\0{name}\0") for name in ("lying", "told", "frames", "number")}
"""Where a table's page changes with every move. No text has such a character: what people write is printable."""
_HOLE = re.compile("\0(lying|told|frames|number)\0")
STAGED = ("id", "game", "you", "seats", "clock")


def staged(table: dict[str, Any]) -> dict[str, Any]:
    """Of what is around a match that which a stage is laid with. It stays as it is while nobody comes or goes and no clock runs."""
    return {name: table[name] for name in STAGED}


class Drawn:
    """What was last drawn of each table for each audience. Those who may see the same share it, and nobody else."""

    def __init__(self, most: int = 512) -> None:
        self._kept: dict[tuple[str, int | None], Kept] = {}
        self._most = most

    def of(self, table: dict[str, Any]) -> Kept:
        """What is kept of a table for one audience, while all around the match is as it was."""
        audience = table["id"], table["you"]
        kept = self._kept.pop(audience, None)
        if kept is None or kept.around != table:
            kept = Kept(table)
        self._kept[audience] = kept  # the ones looked at last stay
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return kept


def page(request: Asked, template: str, status: int = 200, **values: Any) -> Response[str]:
    pages: Pages = request.app.state.pages
    return pages.page(request, template, status, **values)


def problem(request: Asked, status: int, why: str, rule: str) -> Response[Any]:
    """A refusal, as a page that leads back to where something was done that cannot be."""
    found = re.match(r"/(?:seats|tables|workshop/sets)/[\w-]+(?=/)", request.scope["path"])
    back = found[0] if found and status != 404 else ""
    return page(request, "problem.html", status, why=why, rule=rule, back=back)


def go(request: Asked, path: str) -> Redirect:
    pages: Pages = request.app.state.pages
    return Redirect(pages.prefix + path, status_code=303)


def laid(
    request: Asked, live: Live, table: dict[str, Any], match: dict[str, Any] | None, kept: Kept | None = None
) -> dict[str, Any]:
    """What a template needs to lay a game's table, with the cards of this match, whatever is printed now."""
    game = house_of(request).catalogue.find(live.row.game)
    content = live.play.content if live.play else game.content()
    return laid_out(request, game, content, table, match, kept)


def laid_out(
    request: Asked,
    game: Game,
    content: Content,
    table: dict[str, Any],
    match: dict[str, Any] | None,
    kept: Kept | None = None,
) -> dict[str, Any]:
    """The same for a match that is at no table."""
    pages: Pages = request.app.state.pages
    sheets = printed.sheets(game, f"{pages.prefix}/emblems/{game.key}.svg", content)
    names = stage.Names(table["seats"])
    laid = stage.Stage(match, sheets, game.folder, kept or Kept()) if match else None
    return {
        "sheets": sheets,
        "stage": laid,
        "s": Laying(laid, match, table, names, pages.prefix) if laid and match else None,
        "state": game.state,
        "names": names,
        "printed": content.tables,
        "verdict": stage.told_by(game.folder),
        "stronger": list(pairwise(STRENGTHS)),
    }
