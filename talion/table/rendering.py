"""How a page is made: templates, ours and each game's own, and what they are given."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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
from talion.table import clocks, stage
from talion.table.asking import Asked, house_of, person_of
from talion.table.catalogue import Catalogue
from talion.table.live import Live
from talion.table.rooms import Room
from talion.table.settings import Settings
from talion.table.workers import STRENGTHS

HERE = Path(__file__).parent


class Quick(jinja2.Environment):
    """Templates read data more than anything else: `one.hand` is looked for among a dictionary's keys first. Ours have no key
    that is also the name of a method they call."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


class Pages:
    """Our templates, and each game's own under its key."""

    def __init__(self, settings: Settings, catalogue: Catalogue, rooms: Sequence[Room] = ()) -> None:
        of_games = {key: jinja2.FileSystemLoader(folder) for key, folder in catalogue.views().items()}
        self._environment = Quick(
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
        self.own = frozenset(self._environment.list_templates())
        prefix = settings.root_path.rstrip("/")
        self._environment.globals |= {
            "at": lambda path: prefix + path,
            "sign": printed.sign,
            "portrait": printed.portrait,
            "rooms": rooms,
        }
        self._environment.filters |= {
            "with_article": stage.with_article,
            "wire": stage.wire,
            "arranged": stage.arranged,
            "clock": clocks.worded,
            "in_words": clocks.in_words,
            "feed": stage.feed,
            "seat_in": stage.seat_in,
            "laid_out": plans.laid_out,
            "marks": stage.marks,
            "named": stage.named,
            "slug": printed.slug,
            "plain_number": lambda value: f"{value:g}",
        }
        self.prefix = prefix
        self._drawn = Drawn()

    def forget(self) -> None:
        """Draw everything anew, as after a move."""
        self._drawn = Drawn()

    def lying(self, live: Live, **values: Any) -> dict[str, Markup]:
        """The stage and the feed of a table for one audience. Clocks run, so a table that has them is drawn every time."""
        table = values["table"]

        def draw() -> dict[str, Markup]:
            return {
                name: Markup(self._environment.get_template(f"{name}.html").render(values))
                for name in ("lying", "told")
            }

        if table["clock"]["left"]:
            return draw()
        you = table["you"]
        body = live.seen[0 if you is None else you + 1].body
        return self._drawn.get((live.row.id, you), (body, live.row.status, table["seats"]), draw)

    def page(self, request: Asked, template: str, status: int = 200, **values: Any) -> Response[str]:
        person = person_of(request)
        guard = house_of(request).signer.guard(person)
        values = {"person": person, "guard": guard, "notice": "", **values}
        html = self._environment.get_template(template).render(values)
        return Response(html, status_code=status, media_type=MediaType.HTML)


class Drawn:
    """What was last drawn of each table for each audience; those who may see the same share it."""

    def __init__(self, most: int = 512) -> None:
        self._kept: dict[tuple[str, int | None], tuple[Any, dict[str, Markup]]] = {}
        self._most = most

    def get(
        self, of: tuple[str, int | None], state: Any, draw: Callable[[], dict[str, Markup]]
    ) -> dict[str, Markup]:
        """What is drawn of a table for an audience in this state, drawn now if it was not yet."""
        kept = self._kept.pop(of, None)
        if kept is None or kept[0] != state:
            kept = state, draw()
        self._kept[of] = kept  # the ones looked at last stay
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return kept[1]


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


def laid(request: Asked, live: Live, table: dict[str, Any], match: dict[str, Any] | None) -> dict[str, Any]:
    """What a template needs to lay a game's table, with the cards of this match, whatever is printed now."""
    game = house_of(request).catalogue.find(live.row.game)
    content = live.play.content if live.play else game.content()
    return laid_out(request, game, content, table["seats"], match)


def laid_out(
    request: Asked, game: Game, content: Content, seats: list[dict[str, Any]], match: dict[str, Any] | None
) -> dict[str, Any]:
    """The same for a match that is at no table."""
    pages: Pages = request.app.state.pages
    sheets = printed.sheets(game, f"{pages.prefix}/emblems/{game.key}.svg", content)
    return {
        "sheets": sheets,
        "stage": stage.Stage(match, sheets, game.folder) if match else None,
        "arranges": f"{game.key}/table.html" not in pages.own,
        "names": stage.Names(seats),
        "printed": content.tables,
        "verdict": stage.told_by(game.folder),
        "stronger": list(pairwise(STRENGTHS)),
    }
