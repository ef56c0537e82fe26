"""The bench: one card, read while somebody writes it, checked and saved."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from talion.table.asking import Asked, asker
from talion.table.forms import read_form
from talion.table.rendering import go, page
from talion.table.tokens import cleaned
from talion.workshop import bench
from talion.workshop.opened import OpenSet, number_in, open_set, prefix_of, sets_of
from talion.workshop.sets import NAME_LENGTH, CardSet

THEN = {"try": "/try", "match": "/try?whole=yes", "run": "/run", "break": "/break"}
"""What one asked for with something typed that was not saved yet: it is saved, and this follows at once."""
WRONG = "It cannot be played yet; what is wrong stands where it is. You can save it as a draft."
"""What *Check* says then."""
NOT_PLAYED = "It cannot be read yet, so nothing is played with it: what is wrong stands where it is."
"""What one is told who asked for a match with a draft."""


class Writing(msgspec.Struct, forbid_unknown_fields=True):
    """A card while somebody writes it: all fields of the form, and where the caret is."""

    name: Annotated[str, msgspec.Meta(max_length=80)]
    fields: dict[str, str]
    like: Annotated[str, msgspec.Meta(max_length=80)] = ""
    field: Annotated[str, msgspec.Meta(max_length=80)] = ""
    caret: int = 0
    number: int = 0
    """The revision over which it is written."""


def _bench(
    request: Asked,
    at: OpenSet,
    row: dict[str, Any],
    like: str = "",
    status: int = 200,
    *,
    typed: bool = False,
    **more: Any,
) -> Response[str]:
    """The form of a card and its face."""
    looked = bench.look(at.game, at.content, row, at.sprite(prefix_of(request)))
    own, draft = at.own(row["name"]), row["name"] in at.set.drafts
    if (draft or typed) and not looked.faults and (why := at.set.saved(at.game, row)[1]):
        looked.faults.append(bench.Fault("", why))  # nothing is wrong with the card but beside the others
    values = {
        "opened": at, "row": row, "fields": bench.fields(at.game, row), "looked": looked, "own": own, "like": like,
        "draft": draft, "notice": "", "saved": False, "was": "", "typed": typed, "number": at.set.number,
        "new": own is None and at.set.row(row["name"]) is None,
    }  # fmt: skip
    return page(request, "workshop/bench.html", status, **(values | more))


@get("/sets/{set_id:str}/card")
async def card(
    request: Asked,
    set_id: FromPath[str],
    name: FromQuery[str] = "",
    like: FromQuery[str] = "",
    saved: FromQuery[str] = "",
    was: FromQuery[str] = "",
    asked: FromQuery[str] = "",
) -> Response[str]:
    """One card; `like` begins a new one as a copy of another, `saved` is the revision that was saved just now, `was` the name
    that the card had until now, and `asked` says that somebody wanted to play with it."""
    at = await open_set(request, set_id)
    name = cleaned(name, NAME_LENGTH)
    if like and (why := _no_name(at, name)):
        return _bench(request, at, at.whole(like), status=400, notice=why)
    notice = NOT_PLAYED if asked and name in at.set.drafts else ""
    just_now = saved == str(at.set.number)
    return _bench(request, at, at.whole(name, like), like, saved=just_now, was=was, notice=notice)


def _no_name(at: OpenSet, name: str) -> str:
    """Why a card cannot be called so; empty if it can."""
    if not name:
        return "A card needs a name: write one."
    taken = name in at.content.named or name in at.set.drafts
    return f"There is a card named {name} already; choose another name." if taken else ""


@post("/sets/{set_id:str}/card")
async def save(request: Asked, set_id: FromPath[str]) -> Response[Any]:
    """Check or save what was written. If somebody else has saved this card meanwhile it is refused, and nothing typed is lost."""
    form, who = await read_form(request), asker(request)
    at = await open_set(request, set_id)
    name, like = cleaned(form.get("name", ""), NAME_LENGTH), form.get("like", "")
    own, row = at.own(name), _typed(at, form)
    if form.get("do") == "restore":
        row = {"name": name}
    typed = bench.laid_over(own, row)
    if form.get("do") == "check":
        new, why = at.set.saved(at.game, row)
        notice = WRONG if why else "All of it can be read and played."
        return _bench(request, at, typed, like, notice=notice, typed=True, number=number_in(form))
    new, why = at.set.saved(at.game, row)
    if form.get("do") == "restore" and own is None:
        new = _without(at.set, name)
    what = f"{name}{' as a draft' if why else ''}"
    since = at.changed_since(name, number_in(form))
    if since or not await sets_of(request).save(new, what, who.person.name, who.house.now()):
        there = await open_set(request, set_id)
        said = f"{_meanwhile(since or there.set)}, so yours is not saved. What you typed stands below: save again to lay it over.{_theirs(there, typed)}"
        return _bench(request, there, typed, like, status=409, notice=said, typed=True)
    if form.get("do") == "restore" and own is None:
        return go(request, at.path)
    then = THEN.get(form.get("then", ""), "")
    if then and not why:
        return Redirect(
            f"{prefix_of(request)}{at.path}{then}", status_code=307
        )  # with all that the form says
    return go(request, f"{at.link(name)}&saved={new.number + 1}{'&asked=yes' if then else ''}")


def _meanwhile(later: CardSet) -> str:
    return f"{later.by} has saved revision {later.number} ({later.what}) meanwhile"


def _theirs(there: OpenSet, typed: dict[str, Any]) -> str:
    """What the card says now where one typed something else."""
    name = typed["name"]
    if there.own(name) is None and there.set.row(name) is None:
        return ""
    mine = {one.path: one.value for one in bench.fields(there.game, typed)}
    theirs = bench.fields(there.game, there.whole(name))
    words = [f"{one.label} “{one.value}”" for one in theirs if mine.get(one.path, one.value) != one.value]
    return f" It says there: {', '.join(words)}" if words else ""


def _typed(at: OpenSet, form: dict[str, str]) -> dict[str, Any]:
    """What a form says of a card; where it has no fields, the card says what it said."""
    name = cleaned(form.get("name", ""), NAME_LENGTH)
    return bench.written(at.game, at.own(name), name, form, at.whole(name, form.get("like", "")))


@post("/sets/{set_id:str}/card/copy")
async def copy_card(request: Asked, set_id: FromPath[str]) -> Response[Any]:
    """A new card that begins as what this one says, or as what is typed of it."""
    form, at = await read_form(request), await open_set(request, set_id)
    row, new = _typed(at, form), cleaned(form.get("new", ""), NAME_LENGTH)
    old, typed = row["name"], any(name.startswith("field.") for name in form)
    card = bench.laid_over(at.own(old), row)
    if why := _no_name(at, new):
        return _bench(request, at, card, status=400, notice=why, typed=typed, number=number_in(form))
    if not typed:
        return go(request, f"{at.path}/card?{urlencode({'like': old, 'name': new})}")
    return _bench(request, at, {**card, "name": new}, old, typed=True)


@post("/sets/{set_id:str}/card/rename")
async def rename_card(request: Asked, set_id: FromPath[str]) -> Response[Any]:
    """Give a card another name, with what is typed of it."""
    form, who = await read_form(request), asker(request)
    at, new = await open_set(request, set_id), cleaned(form.get("new", ""), NAME_LENGTH)
    row, typed = _typed(at, form), any(name.startswith("field.") for name in form)
    old = row["name"]
    card = bench.laid_over(at.own(old), row)
    if why := _no_name(at, new):
        return _bench(request, at, card, status=400, notice=why, typed=typed, number=number_in(form))
    renamed, _ = at.set.saved(at.game, row)[0].renamed(at.game, old, new)
    said = f"{old} is called {new}", who.person.name, who.house.now()
    since = at.changed_since(old, number_in(form))
    if not since and await sets_of(request).save(renamed, *said):
        return go(request, f"{at.link(new)}&{urlencode({'was': old})}")
    there = await open_set(request, set_id)
    why = f"{_meanwhile(since or there.set)}, so the name is as it was: look at it first, or rename it again."
    return _bench(request, there, card, status=409, notice=why, typed=typed)


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
    at = await open_set(request, set_id)
    whole = at.whole(data.name, data.like)
    form = {f"field.{path}": value for path, value in data.fields.items()}
    row = bench.laid_over(
        at.own(data.name), bench.written(at.game, at.own(data.name), data.name, form, whole)
    )
    reply = bench.look(at.game, at.content, row, at.sprite(prefix_of(request))).data()
    since = at.changed_since(data.name, data.number) if data.number else None
    reply["meanwhile"] = f"{_meanwhile(since)}; when you save, you see what it says." if since else ""
    if data.field.split(".")[-1] in at.game.texts:
        text = data.fields.get(data.field, "")
        reply["at"] = bench.completed(
            at.game, at.content, data.field, text, max(0, min(data.caret, len(text)))
        )
    return reply


HANDLERS = [card, save, copy_card, rename_card, write]
