"""Sets of changed cards, as they are kept: every save is a revision with a number of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, true, update

from talion.kernel import BadCards, Content, Game
from talion.kernel.content import lay_over, toml_of
from talion.kernel.spreadsheet import BadSheet, from_csv, to_csv
from talion.table import database
from talion.table.refusal import Refusal
from talion.table.schema import card_sets, revisions, runs
from talion.table.store import Store
from talion.table.tokens import cleaned, new_id

Row = Mapping[str, Any]
NAME_LENGTH = 60
MOST_SETS = 200


@dataclass(frozen=True)
class CardSet:
    """A set as it was saved last, or at some time before."""

    id: str
    game: str
    name: str
    number: int
    cards: dict[str, list[dict[str, Any]]]
    """The rows of a card file, all of which can be read."""
    drafts: dict[str, dict[str, Any]]
    """Rows that cannot be read yet, by the name of their card."""
    what: str
    by: str
    at: float

    def content(self, game: Game) -> Content:
        """What is played: the game's cards with those of the set laid over. Drafts are not among them."""
        if not self.cards:
            return game.content()
        tables = lay_over(game.content().tables, self.cards, self.name)
        text = json.dumps(tables, ensure_ascii=False, separators=(",", ":"), default=str)
        return game.content_of(text)

    def row(self, name: str) -> dict[str, Any] | None:
        """How a card was changed: its draft, if there is one."""
        return self.drafts.get(name) or next(
            (row for row in self.cards.get("card", ()) if row["name"] == name), None
        )

    def saved(self, game: Game, row: dict[str, Any]) -> tuple[CardSet, str]:
        """The set with one card written anew, and why it is only a draft; empty if it can be played."""
        name = row["name"]
        others = [one for one in self.cards.get("card", []) if one["name"] != name]
        drafts = {one: draft for one, draft in self.drafts.items() if one != name}
        own = any(face.name == name for face in game.content().faces)
        rows = others if own and len(row) == 1 else [*others, row]
        tried = replace(self, cards=_filled({**self.cards, "card": rows}), drafts=drafts)
        try:
            tried.content(game)
        except BadCards as problem:
            return replace(self, drafts={**drafts, name: row}), _plainly(problem)
        return tried, ""

    def renamed(self, game: Game, old: str, new: str) -> tuple[CardSet, str]:
        """The set in which a card has another name. One that the game prints is replaced: there are none of it any more."""
        printed = next((row for row in game.content().tables.get("card", ()) if row["name"] == old), None)
        whole = {**(printed or {}), **(self.row(old) or {}), "name": new}
        rows = [row for row in self.cards.get("card", []) if row["name"] != old]
        gone = [{"name": old, "count": 0}] if printed else []
        drafts = {name: row for name, row in self.drafts.items() if name != old}
        cards = _filled({**self.cards, "card": [*rows, *gone]})
        return replace(self, cards=cards, drafts=drafts).saved(game, whole)

    def csv(self, game: Game) -> str:
        """All cards of the game with the set laid over, for a spreadsheet: a row each."""
        return to_csv(self.content(game).tables.get("card", []))

    def toml(self) -> str:
        """The card file that `--cards` reads. Drafts stand in it as remarks."""
        head = [f"# {self.name}, revision {self.number}: cards to lay over those of {self.game}."]
        rows = [_table(f"[{key}]", row) for key, rows in self.cards.items() for row in rows]
        drafts = [
            f"# Not readable yet, so not played: {json.dumps(row, ensure_ascii=False)}"
            for row in self.drafts.values()
        ]
        return "\n\n".join([*head, *rows, *drafts]) + "\n"


def _plainly(problem: BadCards) -> str:
    return str(problem).removeprefix("the cards of this match").lstrip(":, ")


def _filled(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    return {key: rows for key, rows in tables.items() if rows}


def _table(head: str, row: Row) -> str:
    """A row of a card file; the other end of a card is a table below it."""
    plain = [f"{key} = {_value(value)}" for key, value in row.items() if not isinstance(value, dict)]
    ends = [
        _table(f"{head.strip('[]')}.{key}", value) for key, value in row.items() if isinstance(value, dict)
    ]
    return "\n".join([f"[{head}]", *plain, *ends])


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(item)}" for key, item in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def read_file(game: Game, text: str) -> dict[str, list[dict[str, Any]]]:
    """The rows of a card file or of a spreadsheet (in which no line begins with two brackets), if the game can be played with
    them."""
    tables, text = game.content().tables, text.removeprefix("\ufeff")
    if "\0" in text or "\\u0000" in text:
        raise Refusal("There is a sign in this file that cannot be kept (NUL).", status=400)
    try:
        toml = re.search(r"^\s*\[\[", text, re.MULTILINE)
        rows = (
            toml_of(text, "This file")
            if toml
            else {"card": from_csv(text, tables.get("card", []), game.card_table)}
        )
        game.printed(lay_over(tables, rows, "This file"), "This file")
    except BadSheet as problem:
        raise Refusal(
            f"This is neither a card file nor a spreadsheet of cards: {problem}.", status=400
        ) from None
    except BadCards as problem:
        raise Refusal(str(problem), status=400) from None
    return rows


class Sets:
    """The sets in the house's database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def make(
        self,
        game: str,
        name: str,
        person: tuple[str, str],
        cards: dict[str, Any],
        at: float,
        drafts: dict[str, Any] | None = None,
        what: str = "begun",
    ) -> str:
        """A new set; `person` is who makes it: the hash of their token (none for a command), and their name."""
        name = cleaned(name, NAME_LENGTH) or "My cards"
        new = new_id()

        def work(connection: Connection) -> None:
            if person[0]:
                _has_room(connection, person[0])
            values = {"id": new, "game": game, "name": name, "made_by": person[0], "made": at}
            connection.execute(insert(card_sets).values(values))
            connection.execute(
                insert(revisions).values(_values(new, 1, cards, drafts or {}, what, person[1], at))
            )

        await self._store.write("", work)
        return new

    async def of(self, token_hash: str) -> list[CardSet]:
        """Somebody's sets, the newest first."""
        return await self._latest(card_sets.c.made_by == token_hash)

    async def every(self) -> list[CardSet]:
        """All sets of the house, the newest first."""
        return await self._latest(true())

    async def _latest(self, which: ColumnElement[bool]) -> list[CardSet]:
        newer = revisions.alias()
        numbers = select(func.max(newer.c.number)).where(newer.c.set_id == card_sets.c.id)
        latest = numbers.correlate(card_sets).scalar_subquery()
        query = _sets().where(which, revisions.c.number == latest).order_by(card_sets.c.made.desc())
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return [CardSet(*row) for row in rows]

    async def copy(self, set_id: str, person: tuple[str, str], at: float) -> CardSet:
        """A set of somebody's own that begins as a copy of another."""
        old = await self.find(set_id)
        name, what = f"Copy of {old.name}", f"copied from {old.name}, revision {old.number}"
        return await self.find(
            await self.make(old.game, name, person, old.cards, at, drafts=old.drafts, what=what)
        )

    async def remove(self, set_id: str) -> None:
        """Take a set away, with its revisions and runs. Tables that play it have their cards themselves."""

        def work(connection: Connection) -> None:
            for table in (runs, revisions):
                connection.execute(delete(table).where(table.c.set_id == set_id))
            connection.execute(delete(card_sets).where(card_sets.c.id == set_id))

        await self._store.write("", work)

    async def made_by(self, set_id: str, token_hash: str) -> bool:
        """Whether somebody began this set."""
        query = select(card_sets.c.made_by).where(card_sets.c.id == set_id)
        return await self._store.read(lambda connection: connection.execute(query).scalar()) == token_hash

    async def all_of(self, set_id: str) -> list[CardSet]:
        """Every revision of a set, the latest first."""
        query = _sets().where(card_sets.c.id == set_id).order_by(revisions.c.number.desc())
        rows = (
            await self._store.read(lambda connection: connection.execute(query).all())
            if set_id.isalnum()
            else []
        )
        if not rows:
            raise Refusal("There is no such set of cards.", status=404)
        return [CardSet(*row) for row in rows]

    async def find(self, set_id: str) -> CardSet:
        return (await self.all_of(set_id))[0]

    async def rename(self, set_id: str, name: str) -> None:
        """Call a set otherwise."""
        name = cleaned(name, NAME_LENGTH)
        if not name:
            raise Refusal("A set needs a name.", status=400)
        change = update(card_sets).where(card_sets.c.id == set_id).values(name=name)
        await self._store.write("", lambda connection: connection.execute(change))

    async def save(self, new: CardSet, what: str, by: str, at: float) -> bool:
        """Save what was made of revision `new.number`. False if somebody has saved another since: then nothing is done."""

        def work(connection: Connection) -> bool:
            connection.execute(select(card_sets.c.id).where(card_sets.c.id == new.id).with_for_update())
            latest = select(func.max(revisions.c.number)).where(revisions.c.set_id == new.id)
            if connection.execute(latest).scalar() != new.number:
                return False
            values = _values(new.id, new.number + 1, new.cards, new.drafts, what, by, at)
            connection.execute(insert(revisions).values(values))
            return True

        return await self._store.write("", work)


def _has_room(connection: Connection, person: str) -> None:
    """Whoever counts here is alone: of many sets asked for at once none is counted too late."""
    database.alone(connection, f"sets of {person}")
    mine = select(func.count()).select_from(card_sets).where(card_sets.c.made_by == person)
    if connection.execute(mine).scalar_one() >= MOST_SETS:
        raise Refusal(
            f"You have {MOST_SETS} sets, the most one person can have: remove one first.", status=429
        )


def _sets() -> Any:
    columns = (
        revisions.c.number,
        revisions.c.cards,
        revisions.c.drafts,
        revisions.c.what,
        revisions.c.name,
        revisions.c.at,
    )
    return select(card_sets.c.id, card_sets.c.game, card_sets.c.name, *columns).join(revisions)


def _values(
    set_id: str, number: int, cards: Any, drafts: Any, what: str, by: str, at: float
) -> dict[str, Any]:
    return {
        "set_id": set_id, "number": number, "cards": cards, "drafts": drafts, "what": what[:200], "name": by or "Guest", "at": at,
    }  # fmt: skip
