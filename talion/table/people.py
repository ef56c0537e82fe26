"""The people around a match: who sits where and who is away, what they say, and what needs everybody's consent."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from talion.table import clocks
from talion.table.refusal import CONCEDED, No
from talion.table.store import Line, SeatRow
from talion.table.tokens import cleaned

if TYPE_CHECKING:
    from talion.table.live import Live

PATIENCE = {"none": 180.0, "live": 180.0, "days": 3 * clocks.DAY}

# ---------------------------------------------------------------------- coming, staying, going


def absent(live: Live, seat: int) -> bool:
    """Whether a seat has let the others wait for too long, or its clock run out; of several who choose in secret,
    whether any may have, since who of them is done must not be told."""
    if live.play is None or live.row.status != "running" or live.seats[seat].bot is not None:
        return False
    patience = float(live.row.clock.get("patience") or PATIENCE[live.row.clock["kind"]])
    waited = time.time() - live.public_at > patience
    return seat in live.shown_late or (waited and seat in live.play.awaited)


async def leave(live: Live, seat: SeatRow) -> None:
    """Before the match the seat is free again; later a bot plays it to the end. Its tokens are worthless."""
    if live.row.status == "seating":
        await _hand_host_on(live, seat)
        await live.change(seat, forget=True, name=None, bot=None, host=False)
    elif live.row.status == "running":
        await _hand_host_on(live, seat)
        await live.change(seat, forget=True, bot=live.house.settings.stand_in, host=False)


async def _hand_host_on(live: Live, seat: SeatRow) -> None:
    """A host who leaves makes the next person host; the last one closes the table."""
    if not seat.host:
        return
    others = [other for other in live.seats if other.holders and other.id != seat.id]
    if others:
        await live.change(others[0], host=True)
    else:
        await live.house.store.change_table(live.row.id, status="aborted", ended=time.time(), due=None)


async def hand_over(live: Live, seat: SeatRow, bot: str | None) -> None:
    """Let a bot play one's seat, or play again oneself: as long as the match is still one's own."""
    if live.ended:
        raise No("The match is over.")
    if seat.conceded:
        raise No(CONCEDED)
    await live.change(seat, bot=bot)


async def substitute(live: Live, by: SeatRow, seat: SeatRow, bot: str | None) -> None:
    """A bot for somebody else's seat: the host seats them before the match; in a match those who wait may."""
    if live.row.status == "seating":
        if not by.host or seat.holders:
            raise No("Only the host seats bots, and only where nobody sits.", status=403)
        await live.change(seat, bot=bot, name=f"{bot.capitalize()} bot" if bot else None)
    elif bot is None:
        raise No("Only they can take their seat back.", status=403)
    elif not absent(live, seat.number):
        raise No("They have not been away for long enough.")
    else:
        await live.change(seat, bot=bot)


async def remove(live: Live, by: SeatRow, seat: SeatRow) -> None:
    """The host sends somebody away: their tokens open nothing any more, nor does the invitation they came by."""
    if live.ended:
        raise No("The match is over; nobody can be removed now.")
    if seat.id == by.id or not seat.holders:
        raise No("There is nobody to remove there.")
    if live.row.status == "seating":
        await live.house.store.renew_invitation(live.row.id)
        await live.change(seat, forget=True, name=None)
    else:
        await live.change(seat, forget=True, bot=live.house.settings.stand_in)


# ---------------------------------------------------------------------- standing orders


async def give_order(live: Live, seat: SeatRow, order: str) -> None:
    await live.change(seat, orders={**seat.orders, "windows": order})


def fulfilled(live: Live) -> list[SeatRow]:
    """Seats that wanted to pass until their turn, whose turn it now is."""
    play = live.play
    if play is None:
        return []
    return [seat for seat in live.seats if seat.order == "until my turn" and play.has_turn(seat.number)]


# ---------------------------------------------------------------------- what is said


async def say(live: Live, name: str, seat: SeatRow | None, words: str) -> Line:
    """Chat: the people at the table among themselves, and those who watch among themselves."""
    words = cleaned(words, live.house.settings.limits.words)
    if not words:
        raise No("There are no words in that.", status=400)
    if seat is not None and seat.muted:
        raise No("The host has muted you.", status=403)
    room = "watchers" if seat is None else "table"
    line = Line(0, room, seat.number if seat else None, name, words, time.time())
    line = await live.house.store.say(live.row.id, line)
    live.hear(line)
    return line


# ---------------------------------------------------------------------- what needs everybody's consent


def playing(live: Live) -> set[int]:
    """The seats that people play."""
    return {seat.number for seat in live.seats if seat.bot is None and seat.name is not None}


async def propose(live: Live, seat: int, what: str) -> None:
    """Undo something, or call the match off: at once if it needs nobody's consent, else by consent of all."""
    async with live.lock:
        play = live.under_way(seat)
        if what == "undo" and not play.steps_back(seat):
            raise No("There is nothing of yours to take back.")
        if (what == "undo" and play.free_undo(seat)) or playing(live) <= {seat}:
            await _carry_out(live, seat, what)
        else:
            await live.record("offer", seat, what)


async def consent(live: Live, seat: int, yes: bool) -> None:
    """Agree to what somebody proposed, or decline it."""
    async with live.lock:
        live.under_way(seat)
        if live.offer is None:
            raise No("There is nothing to agree to.")
        if not yes:
            await live.record("decline", seat, None)
        elif playing(live) <= live.agreed | {seat}:
            await _carry_out(live, live.offer.seat if live.offer.seat is not None else seat, live.offer.body)
        else:
            await live.record("agree", seat, None)


async def _carry_out(live: Live, seat: int, what: str) -> None:
    if what == "undo":
        await live.record("undo", seat, live.under_way(seat).steps_back(seat))
    else:
        ended: dict[str, Any] = {"status": "aborted", "ended": time.time(), "due": None}
        await live.record("abort", seat, None, **ended)


async def concede(live: Live, seat: int) -> None:
    """Alone: nobody wins. Two at a table: the other wins. More: the match goes on, and a bot plays the seat to its
    end."""
    live.under_way(seat)
    if len(live.seats) > 2:
        await live.change(live.seats[seat], bot=live.house.settings.stand_in, conceded=True)
        return
    async with live.lock:
        live.under_way(seat)
        others = [other.number for other in live.seats if other.number != seat]
        result = {"winners": others, "why": f"@{seat} conceded."}
        ended: dict[str, Any] = {"status": "over", "result": result, "ended": time.time(), "due": None}
        await live.record("concede", seat, None, **ended)


async def moved_on(live: Live, seat: int, table: str) -> str:
    """A rematch is at another table. Whoever asks second is led to the first one's."""
    async with live.lock:
        if live.next_table is None:
            await live.record("rematch", seat, table)
        return live.next_table or table
