"""The workshop's pages: the sets, the shelf, the bench, a run. All of it works without script; with it, while one types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from talion.drawing import cards as printed
from talion.kernel import BadCards, Content, Game
from talion.lab import BadInput
from talion.lab.balance import Contract
from talion.table import acts
from talion.table.asking import Asked, asker, house_of, person_of
from talion.table.pages import go, page, read_form
from talion.table.refusal import Refusal
from talion.table.tokens import cleaned
from talion.workshop import bench
from talion.workshop.runs import Runs
from talion.workshop.sets import NAME_LENGTH, CardSet, Sets, read_file

LONGEST = 4000
"""The most letters of a field that are read while somebody types."""


class Writing(msgspec.Struct, forbid_unknown_fields=True):
    """A card while somebody writes it: all fields of the form, and where the caret is."""

    name: Annotated[str, msgspec.Meta(max_length=80)]
    fields: dict[str, Annotated[str, msgspec.Meta(max_length=LONGEST)]]
    like: Annotated[str, msgspec.Meta(max_length=80)] = ""
    field: Annotated[str, msgspec.Meta(max_length=80)] = ""
    caret: int = 0


@dataclass(frozen=True)
class OpenSet:
    """A set that somebody has before them."""

    set: CardSet
    game: Game
    content: Content

    @property
    def path(self) -> str:
        return f"/workshop/sets/{self.set.id}"

    def own(self, name: str) -> Mapping[str, Any] | None:
        """A card as the game prints it; none if it is new."""
        rows = self.game.content().tables.get("card", [])
        return next((row for row in rows if row["name"] == name), None)

    def whole(self, name: str, like: str = "") -> dict[str, Any]:
        """A card with the changes of the set; a new one begins as a copy of another."""
        own, row = self.own(name), self.set.row(name)
        if own is None and row is None:
            row = {**self.whole(like), "name": name} if like else None
        if own is None and row is None:
            raise Refusal(f"There is no card “{name}” in this set.", status=404)
        return bench.laid_over(own, row)

    def sprite(self, prefix: str) -> str:
        return f"{prefix}/emblems/{self.game.key}.svg"


def router(runs: Runs) -> Router:
    """All routes of the workshop."""
    handlers = [front, make, shelf, export, card, save, write, back, try_it, show_run, run_data, run, stop]
    return Router("/workshop", route_handlers=handlers, include_in_schema=False, opt={"runs": runs})


def _sets(request: Asked) -> Sets:
    return Sets(house_of(request).store)


def _runs(request: Asked) -> Runs:
    runs: Runs = request.route_handler.opt["runs"]
    return runs


def _prefix(request: Asked) -> str:
    prefix: str = request.app.state.pages.prefix
    return prefix


async def _open(request: Asked, set_id: str) -> OpenSet:
    found = await _sets(request).find(set_id)
    return _opened(request, found)


def _opened(request: Asked, found: CardSet) -> OpenSet:
    game = house_of(request).catalogue.find(found.game)
    try:
        return OpenSet(found, game, found.content(game))
    except BadCards as problem:
        raise Refusal(
            f"This set cannot be read by the rules as they are now: {problem}", status=409
        ) from None


# ---------------------------------------------------------------------- sets


@get("/")
async def front(request: Asked) -> Response[str]:
    """Somebody's sets, and a new one."""
    catalogue = house_of(request).catalogue
    games = [game for game in catalogue if game.content().tables.get("card")]
    mine = [one for one in await _sets(request).of(person_of(request).hash) if catalogue.serves(one.game)]
    titles = {game.key: game.title for game in catalogue}
    return page(request, "workshop/front.html", games=games, sets=mine, titles=titles)


@post("/sets")
async def make(request: Asked) -> Redirect:
    """Begin a set, empty or from a card file."""
    form, who = await read_form(request), asker(request)
    who.hold_back("table")
    game = who.house.catalogue.find(form.get("game", ""))
    cards = read_file(game, form["toml"]) if form.get("toml", "").strip() else {}
    person = who.person.hash, who.person.name
    made = await _sets(request).make(game, form.get("name", ""), person, cards, who.house.now())
    return go(request, f"/workshop/sets/{made}")


@get("/sets/{set_id:str}")
async def shelf(
    request: Asked, set_id: FromPath[str], word: FromQuery[str] = "", changed: FromQuery[str] = ""
) -> Response[str]:
    """All cards of the game with the set laid over, as they look."""
    revisions = await _sets(request).all_of(set_id)
    at = _opened(request, revisions[0])
    altered = {change.name for change in at.content.changes()}
    sheets = printed.sheets(at.game, at.sprite(_prefix(request)), at.content)
    faces = [face for face in at.content.faces if face.front is face]
    shown = [
        sheets[face.name]
        for face in faces
        if (not changed or face.name in altered or face.name in at.set.drafts)
        and _says(sheets[face.name], word)
    ]
    unseen = [name for name in at.set.drafts if name not in sheets]
    return page(
        request, "workshop/shelf.html", opened=at, shown=shown, altered=altered, total=len(faces), word=word, changed=changed,
        revisions=revisions, unseen=unseen, run=_runs(request).of(set_id), link=lambda name: urlencode({"name": name}),
    )  # fmt: skip


def _says(sheet: dict[str, Any], word: str) -> bool:
    """Whether a word stands on a card: in its name, its sentences, or what else is printed."""
    printed_on = [
        sheet["name"],
        sheet["kind"],
        *sheet["texts"],
        *(f"{name} {value}" for name, value in sheet["plain"]),
    ]
    return word.lower().strip() in " ".join(printed_on).lower()


@get("/sets/{set_id:str}/cards.toml")
async def export(request: Asked, set_id: FromPath[str]) -> Response[str]:
    """The card file that `--cards` reads."""
    found = await _sets(request).find(set_id)
    name = f"{printed.slug(found.name) or 'cards'}.toml"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(found.toml(), media_type="application/toml", headers=headers)


@post("/sets/{set_id:str}/back")
async def back(request: Asked, set_id: FromPath[str]) -> Redirect:
    """Go back to an earlier revision: it is saved again, and nothing in between is lost."""
    form, who = await read_form(request), asker(request)
    revisions = await _sets(request).all_of(set_id)
    wanted = next((one for one in revisions if str(one.number) == form.get("to")), None)
    if wanted is None:
        raise Refusal("There is no such revision.", status=404)
    new = replace(wanted, number=_number(form))
    if not await _sets(request).save(
        new, f"back to revision {wanted.number}", who.person.name, who.house.now()
    ):
        raise Refusal(
            f"Somebody has saved revision {revisions[0].number} meanwhile; look at it first.", status=409
        )
    return go(request, f"/workshop/sets/{set_id}")


# ---------------------------------------------------------------------- the bench


def _number(form: Mapping[str, str]) -> int:
    number = form.get("number", "")
    return int(number) if number.isdecimal() and len(number) < 9 else 0


def _bench(
    request: Asked, at: OpenSet, row: dict[str, Any], like: str = "", status: int = 200, **more: Any
) -> Response[str]:
    """The form of a card and its face."""
    looked = bench.look(at.game, at.content, row, at.sprite(_prefix(request)))
    own = at.own(row["name"])
    values = {
        "opened": at, "row": row, "fields": bench.fields(at.game, row), "looked": looked, "own": own, "like": like,
        "draft": row["name"] in at.set.drafts, "was": own and bench.fields(at.game, own), "notice": "", "link": lambda name: urlencode({"name": name}),
    }  # fmt: skip
    return page(request, "workshop/bench.html", status, **(values | more))


@get("/sets/{set_id:str}/card")
async def card(
    request: Asked, set_id: FromPath[str], name: FromQuery[str] = "", like: FromQuery[str] = ""
) -> Response[str]:
    """One card; `like` begins a new one as a copy of another."""
    at = await _open(request, set_id)
    name = cleaned(name, NAME_LENGTH)
    if like and (not name or name in at.content.named):
        raise Refusal("A new card needs a name that no other card has.", status=400)
    return _bench(request, at, at.whole(name, like), like)


@post("/sets/{set_id:str}/card")
async def save(request: Asked, set_id: FromPath[str]) -> Response[Any]:
    """Check or save what was written. A save that another one came before is refused, and nothing typed is lost."""
    form, who = await read_form(request), asker(request)
    at = await _open(request, set_id)
    name, like = cleaned(form.get("name", ""), NAME_LENGTH), form.get("like", "")
    own, whole = at.own(name), at.whole(name, like)
    row = bench.written(at.game, own, name, form, whole)
    if form.get("do") == "restore":
        row = {"name": name}
    typed = bench.laid_over(own, row)
    if form.get("do") == "check":
        new, why = at.set.saved(at.game, row)
        return _bench(request, at, typed, like, notice=why or "All of it can be read and played.")
    new, why = at.set.saved(at.game, row)
    if form.get("do") == "restore" and own is None:
        new = _without(at.set, name)
    what = f"{name}{' as a draft' if why else ''}"
    new = replace(new, number=_number(form))
    if not await _sets(request).save(new, what, who.person.name, who.house.now()):
        there = await _open(request, set_id)
        said = f"{there.set.by} has saved revision {there.set.number} ({there.set.what}) meanwhile, so yours is not saved. What you typed stands below: save again to lay it over."
        return _bench(request, there, typed, like, status=409, notice=said)
    if form.get("do") == "restore" and own is None:
        return go(request, at.path)
    return go(request, f"{at.path}/card?{urlencode({'name': name})}")


def _without(card_set: CardSet, name: str) -> CardSet:
    """A set without one of its own cards."""
    rows = [row for row in card_set.cards.get("card", []) if row["name"] != name]
    cards = {**card_set.cards, "card": rows}
    drafts = {one: row for one, row in card_set.drafts.items() if one != name}
    return replace(card_set, cards={key: value for key, value in cards.items() if value}, drafts=drafts)


@post("/sets/{set_id:str}/read", status_code=200)
async def write(request: Asked, set_id: FromPath[str]) -> dict[str, Any]:
    """What a card reads and looks like while somebody types. Nothing is kept."""
    data = msgspec.json.decode(await request.body(), type=Writing)
    at = await _open(request, set_id)
    whole = at.whole(data.name, data.like)
    form = {f"field.{path}": value for path, value in data.fields.items()}
    row = bench.laid_over(
        at.own(data.name), bench.written(at.game, at.own(data.name), data.name, form, whole)
    )
    reply = bench.look(at.game, at.content, row, at.sprite(_prefix(request))).data()
    if data.field.split(".")[-1] in at.game.texts:
        text = data.fields.get(data.field, "")
        reply["at"] = bench.completed(
            at.game, at.content, data.field, text, max(0, min(data.caret, len(text)))
        )
    return reply


# ---------------------------------------------------------------------- trying it


@post("/sets/{set_id:str}/try")
async def try_it(request: Asked, set_id: FromPath[str]) -> Redirect:
    """Sit down at a whole match with the set, against bots."""
    await read_form(request)
    who, at = asker(request), await _open(request, set_id)
    plan = acts.NewTable(game=at.game.key, seats=["me", *["easy"] * (_seats(at.game) - 1)], title=at.set.name)
    live = await acts.open_table(who, plan, content=at.content)
    return go(request, f"/seats/{live.seats_of(who.person.hash)[0].id}")


def _seats(game: Game) -> int:
    """Two, if the game can be played by two; else as few as it takes."""
    return 2 if 2 in game.seats else game.seats[0]


@get("/sets/{set_id:str}/run")
async def show_run(request: Asked, set_id: FromPath[str]) -> Response[str]:
    """What the set does, as far as it is known."""
    at = await _open(request, set_id)
    found = _runs(request).of(set_id)
    return page(
        request,
        "workshop/run.html",
        opened=at,
        run=found and found.data(),
        promises=_promises(at.game),
        changes=at.content.changes(),
    )


def _promises(game: Game) -> tuple[str, ...]:
    try:
        return Contract.of(game).promises
    except BadInput:
        return ()


@get("/sets/{set_id:str}/run.json")
async def run_data(request: Asked, set_id: FromPath[str]) -> Response[Any]:
    """The same for the page's script."""
    await _sets(request).find(set_id)
    found = _runs(request).of(set_id)
    return Response(found.data() if found else {"state": "none"}, media_type=MediaType.JSON)


@post("/sets/{set_id:str}/run")
async def run(request: Asked, set_id: FromPath[str]) -> Redirect:
    """Start paired matches with and without the set."""
    form, who = await read_form(request), asker(request)
    who.hold_back("heavy")
    at = await _open(request, set_id)
    if not at.content.changes():
        raise Refusal("This set changes nothing yet, so there is nothing to compare.", status=400)
    job = {
        "game": who.house.catalogue.address(at.game.key),
        "seats": _seats(at.game),
        "seed": f"{set_id}:{at.set.number}",
    }
    pairs = int(form["pairs"]) if form.get("pairs", "").isdecimal() else 0
    await _runs(request).start(
        set_id, at.set.number, at.set.toml(), job, **({"pairs": max(1, min(pairs, 5000))} if pairs else {})
    )
    return go(request, f"{at.path}/run")


@post("/sets/{set_id:str}/stop")
async def stop(request: Asked, set_id: FromPath[str]) -> Redirect:
    await read_form(request)
    await _runs(request).halt(set_id)
    return go(request, f"/workshop/sets/{set_id}/run")
