"""The workshop's pages: the sets and the shelf. All of it works without script."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from litestar import Response, Router, get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from talion.drawing import cards as printed
from talion.drawing import emblems
from talion.kernel.changes import changes
from talion.table.asking import Asked, asker, house_of, person_of
from talion.table.forms import read_form
from talion.table.refusal import Refusal
from talion.table.rendering import go, page
from talion.workshop import bench, finding, writing
from talion.workshop.opened import OpenSet, number_in, open_set, opened, prefix_of, runs_of, sets_of
from talion.workshop.runs import KINDS, Runs
from talion.workshop.sets import read_file


def router(runs: Runs) -> Router:
    """All routes of the workshop."""
    own = [front, make, shelf, as_toml, as_csv, lay, rename, copy, remove, back]
    handlers = [*own, *writing.HANDLERS, *finding.HANDLERS]
    return Router(
        "/workshop", route_handlers=handlers, include_in_schema=False, opt={"runs": lambda: runs}
    )  # what is in opt is copied, but no function is


@get("/")
async def front(request: Asked) -> Response[str]:
    """Somebody's sets, and a new one."""
    return await _front(request, {})


async def _front(
    request: Asked, typed: dict[str, str], notice: str = "", problem: Refusal | None = None
) -> Response[str]:
    """With what somebody typed who was refused, and why."""
    catalogue = house_of(request).catalogue
    games = [game for game in catalogue if game.content().tables.get("card")]
    mine = [one for one in await sets_of(request).of(person_of(request).hash) if catalogue.serves(one.game)]
    titles = {game.key: game.title for game in catalogue}
    covers = {game.key: emblems.cover(game.folder / "views" if game.folder else None) for game in catalogue}
    return page(
        request, "workshop/front.html", problem.status if problem else 200, games=games, sets=mine, titles=titles, covers=covers,
        notice=notice, why=_why(problem),
        typed={"game": "", "name": "", "file": "", **typed},
    )  # fmt: skip


def _why(problem: Refusal | None) -> str:
    """Why a file was refused, line by line, with phrases as people say them."""
    return bench.worded(problem.why) if problem else ""


LARGEST_FILE = 256 * 1024
"""Bytes of a form with a card file in it: some thousand cards."""


@post("/sets", request_max_body_size=LARGEST_FILE)
async def make(request: Asked) -> Response[Any]:
    """Begin a set, empty or from a card file. One that cannot be read stays in its box."""
    form, who = await read_form(request), asker(request)
    who.hold_back("table")
    game = who.house.catalogue.find(form.get("game", ""))
    try:
        cards = await asyncio.to_thread(read_file, game, form["file"]) if form.get("file", "").strip() else {}
    except Refusal as problem:
        return await _front(request, form, "Nothing was begun.", problem)
    person, what = (who.person.hash, who.person.name), "read from a file" if cards else "begun"
    name, now = form.get("name", ""), who.house.now()
    made = await sets_of(request).make(game.key, name, person, cards, now, what=what)
    return go(request, f"/workshop/sets/{made}")


@post("/sets/{set_id:str}/copy")
async def copy(request: Asked, set_id: FromPath[str]) -> Redirect:
    """A set of one's own that begins as a copy of this one."""
    await read_form(request)
    who = asker(request)
    who.hold_back("table")
    made = await sets_of(request).copy(set_id, (who.person.hash, who.person.name), who.house.now())
    return go(request, f"/workshop/sets/{made.id}")


@post("/sets/{set_id:str}/remove")
async def remove(request: Asked, set_id: FromPath[str]) -> Redirect:
    """Take a set away. Whoever has its address may change it, but only who began it may do this."""
    form, who = await read_form(request), asker(request)
    there = await sets_of(request).find(set_id)
    if not await sets_of(request).made_by(set_id, who.person.hash):
        raise Refusal("Only who began a set can remove it.", status=403)
    if form.get("sure") != there.name:
        raise Refusal(f"Write the set's name, {there.name}, to remove it with all its revisions.", status=400)
    for kind in KINDS:
        await runs_of(request).halt(set_id, kind)
    await sets_of(request).remove(set_id)
    return go(request, "/workshop")


@post("/sets/{set_id:str}/rename")
async def rename(request: Asked, set_id: FromPath[str]) -> Redirect:
    form, at = await read_form(request), await open_set(request, set_id)
    await sets_of(request).rename(at.set.id, form.get("name", ""))
    return go(request, at.path)


@get("/sets/{set_id:str}")
async def shelf(
    request: Asked,
    set_id: FromPath[str],
    word: FromQuery[str] = "",
    kind: FromQuery[str] = "",
    phrase: FromQuery[str] = "",
    changed: FromQuery[str] = "",
) -> Response[str]:
    """All cards of the game with the set laid over, as they look."""
    return await _shelf(request, set_id, word, kind, phrase, changed)


async def _shelf(
    request: Asked, set_id: str, word: str = "", kind: str = "", phrase: str = "", changed: str = "",
    typed: str = "", problem: Refusal | None = None,
) -> Response[str]:  # fmt: skip
    """With the file that somebody brought and that was refused."""
    revisions = await sets_of(request).all_of(set_id)
    at = opened(request, revisions)
    altered = {change.name for change in changes(at.game.content().tables, at.content.tables, ())}
    sheets = printed.sheets(at.game, at.sprite(prefix_of(request)), at.content)
    faces = [face for face in at.content.faces if face.front is face]
    uses = at.content.uses()
    shown = [
        sheets[face.name]
        for face in faces
        if (not changed or face.name in altered or face.name in at.set.drafts)
        and (not kind or sheets[face.name]["kind"] == kind)
        and (not phrase or face.name in uses.get(phrase, ()))
        and _says(sheets[face.name], word)
    ]
    last, broke = [await runs_of(request).of(set_id, kind) for kind in KINDS]
    return page(
        request, "workshop/shelf.html", problem.status if problem else 200, typed=typed, why=_why(problem),
        notice="The set is as it was." if problem else "", opened=at, shown=shown, altered=altered, total=len(faces), word=word, kind=kind, phrase=phrase,
        changed=changed, revisions=revisions, unseen=[name for name in at.set.drafts if name not in sheets],
        kinds=sorted({sheets[face.name]["kind"] for face in faces} - {""}), phrases=_phrases(at),
        counted=last.found.get("cards", {}) if last else {}, run=last, broke=broke, mine=await sets_of(request).made_by(set_id, person_of(request).hash),
    )  # fmt: skip


def _phrases(at: OpenSet) -> list[tuple[str, str, int]]:
    """The phrases that cards say, as people say them, with how many cards do; those of most cards first."""
    uses = {pattern: len(cards) for pattern, cards in at.content.uses().items() if bench.spoken(pattern)}
    found = [(pattern, bench.worded(pattern), count) for pattern, count in uses.items() if count]
    return sorted(found, key=lambda one: (-one[2], one[1]))


def _says(sheet: dict[str, Any], word: str) -> bool:
    """Whether a word stands on a card: in its name, its sentences, or what else is printed."""
    plain = (f"{name} {value}" for name, value in sheet["plain"])
    return word.lower().strip() in " ".join([sheet["name"], sheet["kind"], *sheet["texts"], *plain]).lower()


@get("/sets/{set_id:str}/cards.toml")
async def as_toml(request: Asked, set_id: FromPath[str]) -> Response[str]:
    """The card file that `--cards` reads."""
    found = await sets_of(request).find(set_id)
    return file(f"{printed.slug(found.name) or 'cards'}.toml", found.toml(), "application/toml")


@get("/sets/{set_id:str}/cards.csv")
async def as_csv(request: Asked, set_id: FromPath[str]) -> Response[str]:
    """All cards, one row each, for a spreadsheet."""
    at = await open_set(request, set_id)
    return file(f"{printed.slug(at.set.name) or 'cards'}.csv", at.set.csv(at.game), "text/csv; charset=utf-8")


def file(name: str, text: str, kind: str) -> Response[str]:
    """Something to keep."""
    return Response(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@post("/sets/{set_id:str}/lay", request_max_body_size=LARGEST_FILE)
async def lay(request: Asked, set_id: FromPath[str]) -> Response[Any]:
    """Read the set anew from a card file or a spreadsheet; its drafts stay. One that cannot be read stays in its box."""
    form, who = await read_form(request), asker(request)
    at = await open_set(request, set_id)
    text = form.get("file", "")
    try:
        if not text.strip():
            raise Refusal("There is no card in this file.", status=400)
        cards = await asyncio.to_thread(read_file, at.game, text)
        new = replace(at.set, cards=cards, number=number_in(form))
        if not await sets_of(request).save(new, "read from a file", who.person.name, who.house.now()):
            raise _meanwhile(at.set.number)
    except Refusal as problem:
        return await _shelf(request, set_id, typed=text, problem=problem)
    return go(request, at.path)


@post("/sets/{set_id:str}/back")
async def back(request: Asked, set_id: FromPath[str]) -> Redirect:
    """Go back to an earlier revision: it is saved again, and nothing in between is lost."""
    form, who = await read_form(request), asker(request)
    revisions = await sets_of(request).all_of(set_id)
    wanted = next((one for one in revisions if str(one.number) == form.get("to")), None)
    if wanted is None:
        raise Refusal("There is no such revision.", status=404)
    new, what = replace(wanted, number=number_in(form)), f"back to revision {wanted.number}"
    if not await sets_of(request).save(new, what, who.person.name, who.house.now()):
        raise _meanwhile(revisions[0].number)
    return go(request, f"/workshop/sets/{set_id}")


def _meanwhile(number: int) -> Refusal:
    return Refusal(f"Somebody has saved revision {number} meanwhile; look at it first.", status=409)
