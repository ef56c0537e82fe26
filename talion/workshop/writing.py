"""The bench: one card, read while somebody writes it, checked and saved."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from talion.table.asking import Asked, asker
from talion.table.forms import read_form
from talion.table.refusal import Refusal
from talion.table.rendering import go, page
from talion.table.tokens import cleaned
from talion.workshop import bench
from talion.workshop.opened import OpenSet, number_in, open_set, prefix_of, sets_of
from talion.workshop.sets import NAME_LENGTH, CardSet

THEN = {"try": "/try", "match": "/try?whole=yes", "run": "/run", "break": "/break"}
"""What one asked for with something typed that was not saved yet: it is saved, and this follows at once."""
WRONG = "It cannot be played yet; what is wrong stands where it is. You can save it as a draft."
"""What *Check* says then."""


class Writing(msgspec.Struct, forbid_unknown_fields=True):
    """A card while somebody writes it: all fields of the form, and where the caret is."""

    name: Annotated[str, msgspec.Meta(max_length=80)]
    fields: dict[str, str]
    like: Annotated[str, msgspec.Meta(max_length=80)] = ""
    field: Annotated[str, msgspec.Meta(max_length=80)] = ""
    caret: int = 0


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
        "draft": draft, "notice": "", "saved": False, "typed": typed, "number": at.set.number,
    }  # fmt: skip
    return page(request, "workshop/bench.html", status, **(values | more))


@get("/sets/{set_id:str}/card")
async def card(
    request: Asked,
    set_id: FromPath[str],
    name: FromQuery[str] = "",
    like: FromQuery[str] = "",
    saved: FromQuery[str] = "",
) -> Response[str]:
    """One card; `like` begins a new one as a copy of another, `saved` is the revision that was saved just now."""
    at = await open_set(request, set_id)
    name = cleaned(name, NAME_LENGTH)
    if like and (not name or name in at.content.named):
        raise Refusal("A new card needs a name that no other card has.", status=400)
    return _bench(request, at, at.whole(name, like), like, saved=saved == str(at.set.number))


@post("/sets/{set_id:str}/card")
async def save(request: Asked, set_id: FromPath[str]) -> Response[Any]:
    """Check or save what was written. A save that another one came before is refused, and nothing typed is lost."""
    form, who = await read_form(request), asker(request)
    at = await open_set(request, set_id)
    name, like = cleaned(form.get("name", ""), NAME_LENGTH), form.get("like", "")
    own, whole = at.own(name), at.whole(name, like)
    row = bench.written(at.game, own, name, form, whole)
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
    new = replace(new, number=number_in(form))
    if not await sets_of(request).save(new, what, who.person.name, who.house.now()):
        there = await open_set(request, set_id)
        said = f"{there.set.by} has saved revision {there.set.number} ({there.set.what}) meanwhile, so yours is not saved. {_theirs(there, typed)}What you typed stands below: save again to lay it over."
        return _bench(request, there, typed, like, status=409, notice=said, typed=True)
    if form.get("do") == "restore" and own is None:
        return go(request, at.path)
    if not why and (then := THEN.get(form.get("then", ""))):
        return Redirect(
            f"{prefix_of(request)}{at.path}{then}", status_code=307
        )  # with all that the form says
    return go(request, f"{at.link(name)}&saved={new.number + 1}")


def _theirs(there: OpenSet, typed: dict[str, Any]) -> str:
    """What the card says now where one typed something else."""
    name = typed["name"]
    if there.own(name) is None and there.set.row(name) is None:
        return ""
    mine = {one.path: one.value for one in bench.fields(there.game, typed)}
    theirs = bench.fields(there.game, there.whole(name))
    words = [f"{one.label} “{one.value}”" for one in theirs if mine.get(one.path, one.value) != one.value]
    return f"It says there: {', '.join(words)}. " if words else ""


@post("/sets/{set_id:str}/card/rename")
async def rename_card(request: Asked, set_id: FromPath[str]) -> Response[Any]:
    """Give a card another name."""
    form, who = await read_form(request), asker(request)
    at, old = await open_set(request, set_id), form.get("name", "")
    new_name = cleaned(form.get("new", ""), NAME_LENGTH)
    at.whole(old)
    if not new_name or new_name in at.content.named or new_name in at.set.drafts:
        raise Refusal("A card needs a name that no other card has.", status=400)
    new, _ = at.set.renamed(at.game, old, new_name)
    what = f"{old} is called {new_name}"
    if not await sets_of(request).save(
        replace(new, number=number_in(form)), what, who.person.name, who.house.now()
    ):
        raise Refusal("Somebody has saved another revision meanwhile; look at it first.", status=409)
    return go(request, at.link(new_name))


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
    reply["set"] = {"number": at.set.number, "by": at.set.by, "what": at.set.what}
    if data.field.split(".")[-1] in at.game.texts:
        text = data.fields.get(data.field, "")
        reply["at"] = bench.completed(
            at.game, at.content, data.field, text, max(0, min(data.caret, len(text)))
        )
    return reply


HANDLERS = [card, save, rename_card, write]
