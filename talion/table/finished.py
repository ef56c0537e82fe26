"""Matches that were played to their end here, as whole records without anybody's name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import select

from talion.table import database
from talion.table.play import MATCH_KINDS, Find, ServedMatch
from talion.table.refusal import Refusal
from talion.table.rows import read_content, read_entries
from talion.table.schema import seats, tables


@dataclass(frozen=True)
class Finished:
    """One such match: its players by seat, a bot's name or "person", and its match file; none if it was played by
    other rules or cards than those here."""

    players: list[str]
    file: str | None


def finished(where: str, game: str, find: Find) -> Iterator[Finished]:
    """Every match of a game that came to its end, in the order they began."""
    with database.visited(where) as engine, engine.connect() as connection:
        kept = select(tables.c.id, tables.c.start, tables.c.content)
        query = kept.where(tables.c.game == game, tables.c.status == "over")
        for table, start, content in connection.execute(query.order_by(tables.c.made)).all():
            sat = select(seats.c.bot).where(seats.c.table_id == table).order_by(seats.c.number)
            players = [bot or "person" for (bot,) in connection.execute(sat)]
            try:
                play = ServedMatch.resume(start, find, read_content(connection, content))
            except Refusal:
                yield Finished(players, None)
                continue
            for entry in read_entries(connection, table):
                if entry.kind in MATCH_KINDS:
                    play.apply(entry.kind, entry.seat, entry.body)
            if play.over:
                yield Finished(players, play.file())
