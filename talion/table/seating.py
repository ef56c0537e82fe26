"""Who holds which seat, and the links that lead there, on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, and_, bindparam, delete, func, select, update

from talion.table import database
from talion.table.database import insert_into
from talion.table.refusal import Refusal
from talion.table.rows import SeatRow, read_seats
from talion.table.schema import holders, links, seats, tables

if TYPE_CHECKING:
    from talion.table.store import Store

MOST_DEVICES = 20
"""That one seat may be open on."""


class Seating:
    """The seats of all tables."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def take(self, table: str, token_hash: str, name: str, number: int | None = None) -> str | None:
        """Sit down at a free seat: the first, or the one of that number. Who holds one here already is led to it,
        unless they name another. None: there is none to be had."""

        def work(connection: Connection) -> str | None:
            # The table's row is held until this is written: whoever asks twice at once does not get two seats.
            row = select(tables.c.status, tables.c.turned_away).where(tables.c.id == table).with_for_update()
            status, turned_away = connection.execute(row).first() or (None, None)
            if token_hash in (turned_away or ()):
                raise Refusal("The host has sent you away from this table.", status=403)
            seating = status == "seating"
            places = [p for p in read_seats(connection, table) if number in (None, p.number)]
            if held := [place.id for place in places if token_hash in place.holders]:
                return held[0]
            for place in places if seating else ():
                free = and_(seats.c.id == place.id, seats.c.name.is_(None), seats.c.bot.is_(None))
                fresh = {"name": name or f"Guest {place.number + 1}", "muted": False, "orders": {}}
                if connection.execute(update(seats).where(free).values(fresh)).rowcount:
                    _hold(connection, table, place.id, token_hash)
                    return place.id
            return None

        return await self._store.write(table, work)

    async def hold(self, table: str, seat: str, token_hash: str) -> None:
        """Let another device of the same person open the seat."""

        def work(connection: Connection) -> None:
            connection.execute(select(tables.c.id).where(tables.c.id == table).with_for_update())
            query = select(holders.c.token_hash).where(holders.c.seat_id == seat)
            known = connection.execute(query).scalars().all()
            if token_hash not in known and len(known) >= MOST_DEVICES:
                raise Refusal(
                    f"This seat is open on {MOST_DEVICES} devices, the most there may be: use one of them.",
                    status=429,
                )
            _hold(connection, table, seat, token_hash)

        await self._store.write(table, work)

    async def change(
        self, table: str, status: str, seat: SeatRow, forget: bool = False, **values: Any
    ) -> bool:
        """Change a seat; `forget` makes every token and private link to it worthless. False, and nothing is changed, if the
        table or the seat is not as it was known: somebody has sat down or the match has begun meanwhile."""

        def work(connection: Connection) -> bool:
            row = select(tables.c.status).where(tables.c.id == table).with_for_update()
            if connection.execute(row).scalar() != status or seat not in read_seats(connection, table):
                return False
            connection.execute(update(seats).where(seats.c.id == seat.id).values(values))
            if forget:
                connection.execute(delete(holders).where(holders.c.seat_id == seat.id))
                connection.execute(delete(links).where(links.c.seat_id == seat.id))
            database.notify(connection, table, 0)
            return True

        return await self._store.write(table, work)

    async def turn_away(self, table: str, people: frozenset[str]) -> None:
        """These people cannot sit down here any more."""

        def work(connection: Connection) -> None:
            mine = tables.c.id == table
            known = connection.execute(select(tables.c.turned_away).where(mine).with_for_update()).scalar()
            all_of_them = sorted({*(known or ()), *people})
            connection.execute(update(tables).where(mine).values(turned_away=all_of_them))

        await self._store.write(table, work)

    async def seats_of(self, token_hash: str, limit: int = 100) -> list[tuple[str, str]]:
        """The tables, newest first, and seats that a token opens."""
        query = (
            select(seats.c.table_id, seats.c.id)
            .join(holders, holders.c.seat_id == seats.c.id)
            .join(tables, tables.c.id == seats.c.table_id)
            .where(holders.c.token_hash == token_hash)
            .order_by(tables.c.made.desc(), seats.c.number)
            .limit(limit)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        return [(row[0], row[1]) for row in rows]

    async def holders_of(self, table: str) -> set[str]:
        """The hashes of the tokens that open a seat of a table."""
        query = select(holders.c.token_hash).join(seats, seats.c.id == holders.c.seat_id)
        mine = query.where(seats.c.table_id == table)
        return set(await self._store.read(lambda connection: connection.execute(mine).scalars().all()))

    async def are_here(self, people: set[str], now: float) -> None:
        """Note that these people have streams open."""
        noted = update(holders).where(holders.c.token_hash == bindparam("person")).values(here=now)
        rows = [{"person": person} for person in sorted(people)]
        if rows:
            await self._store.write("", lambda connection: connection.execute(noted, rows))

    async def lately_here(self, seat: str, since: float) -> bool:
        """Whether anybody who holds a seat has had a stream open since then."""
        query = select(holders.c.seat_id).where(holders.c.seat_id == seat, holders.c.here >= since)
        return await self._store.read(lambda connection: connection.execute(query).first()) is not None

    async def add_links(
        self, table: str, seat: str, token_hash: str, secrets_of_links: dict[str, str | None], invites: int
    ) -> bool:
        """Links for whoever holds a seat; the hash of a link's secret leads to a seat, or to the table. False, and there are
        none, if they do not hold it any more, or if the invitation has been renewed more often than so."""

        def work(connection: Connection) -> bool:
            row = select(tables.c.invites).where(tables.c.id == table).with_for_update()
            holds = and_(holders.c.seat_id == seat, holders.c.token_hash == token_hash)
            renewed = connection.execute(row).scalar() != invites
            if renewed or connection.execute(select(holders).where(holds)).first() is None:
                return False
            for link, of_seat in secrets_of_links.items():
                values = {"hash": link, "table_id": table, "seat_id": of_seat}
                connection.execute(insert_into(connection, links).values(values).on_conflict_do_nothing())
            return True

        return await self._store.write(table, work)

    async def link(self, secret_hash: str) -> tuple[str, str | None] | None:
        """The table, and the seat if it is a private link, that a link opens."""
        query = select(links.c.table_id, links.c.seat_id).where(links.c.hash == secret_hash)
        row = await self._store.read(lambda connection: connection.execute(query).first())
        return (row[0], row[1]) if row else None

    async def renew_invitation(self, table: str) -> None:
        """The links that invited to a table lead nowhere any more; the next one shown is another."""

        def work(connection: Connection) -> None:
            connection.execute(delete(links).where(links.c.table_id == table, links.c.seat_id.is_(None)))
            more = {"invites": tables.c.invites + 1}
            connection.execute(update(tables).where(tables.c.id == table).values(more))
            database.notify(connection, table, 0)

        await self._store.write(table, work)


def held_by(connection: Connection, token_hash: str) -> int:
    """How many unfinished tables somebody sits at."""
    query = (
        select(func.count(func.distinct(tables.c.id)))
        .select_from(tables.join(seats, seats.c.table_id == tables.c.id).join(holders))
        .where(holders.c.token_hash == token_hash, tables.c.ended.is_(None))
    )
    return connection.execute(query).scalar_one()


def _hold(connection: Connection, table: str, seat: str, token_hash: str) -> None:
    values = {"seat_id": seat, "token_hash": token_hash}
    connection.execute(insert_into(connection, holders).values(values).on_conflict_do_nothing())
    database.notify(connection, table, 0)
