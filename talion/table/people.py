"""The people around a match: who sits where and who is away, what they say, and what needs everybody's consent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from talion.bots.personas import personas
from talion.table import clocks, pace, past
from talion.table.refusal import CONCEDED, Refusal
from talion.table.rows import ChatLine, SeatRow
from talion.table.tokens import cleaned, hashed
from talion.table.workers import STRENGTHS

if TYPE_CHECKING:
    from talion.table.live import Live

PRESENT = 90.0  # seconds within which every stream says that it is open
PATIENCE = {"none": 180.0, "live": 180.0, "days": 3 * clocks.DAY}

# ---------------------------------------------------------------------- coming, staying, going


def absent(live: Live, seat: int) -> bool:
    """Whether a seat has let the others wait for too long, or its clock run out; of several who choose in secret,
    whether any may have, since who of them is done must not be told."""
    if not live.seen or live.row.status != "running" or live.seats[seat].bot is not None:
        return False
    waited = live.house.now() - live.course.public_at > patience(live)
    return seat in live.course.shown_late or (waited and live.stands(seat).awaited)


def patience(live: Live) -> float:
    """For how long a seat may let the others wait before a bot may play it, in seconds."""
    return float(live.row.clock.get("patience") or PATIENCE[live.row.clock["kind"]])


async def leave(live: Live, seat: SeatRow) -> None:
    """Before the match the seat is free again; later a bot plays it to the end. Its tokens are worthless. A host who leaves
    makes the next person host; the last one closes the table."""
    async with live.lock:
        if live.ended:
            return
        seat = live.seats[seat.number]
        others = [other for other in live.seats if other.holders and other.id != seat.id]
        if seat.host and others:
            await live.change(others[0], host=True)
        left: dict[str, Any] = {"bot": stand_in(live)}
        if live.row.status == "seating":
            left = {"name": None, "bot": None}
        await live.change(seat, forget=True, host=False, **left)
        if seat.host and not others:
            await live.call_off()


async def hand_over(live: Live, seat: SeatRow, bot: str | None) -> None:
    """Let a bot play one's seat, or play again oneself: as long as the match is still one's own."""
    async with live.lock:
        seat = live.seats.still_held(seat.number)
        if live.ended:
            raise Refusal("The match is over.")
        if seat.conceded:
            raise Refusal(CONCEDED)
        await live.change(seat, bot=bot)


async def substitute(live: Live, by: SeatRow, seat: SeatRow, bot: str | None) -> None:
    """A bot for somebody else's seat: the host seats them before the match; in a match those who wait may."""
    async with live.lock:
        await _substitute(live, live.seats[by.number], live.seats[seat.number], bot)


async def _substitute(live: Live, by: SeatRow, seat: SeatRow, bot: str | None) -> None:
    if live.row.status == "seating":
        if not by.host or seat.holders:
            raise Refusal("Only the host seats bots, and only where nobody sits.", status=403)
        here = [other.name for other in live.seats if other is not seat]
        own = personas(live.house.catalogue.find(live.row.game))
        await live.change(seat, bot=bot, name=own[bot].name(here) if bot else None)
    elif bot is None:
        raise Refusal("Only they can take their seat back.", status=403)
    elif not absent(live, seat.number) or await _is_here(live, seat):
        raise Refusal("They have not been away for long enough.")
    elif STRENGTHS.index(bot) < STRENGTHS.index(stand_in(live)):
        raise Refusal(
            f"A bot for somebody else is no weaker than {stand_in(live)} at this table.", status=400
        )
    else:
        await live.change(seat, bot=bot)


def stand_in(live: Live) -> str:
    """The bot that plays for somebody at this table: the strongest that plays here already, or the house's own."""
    here = [seat.bot for seat in live.seats if seat.bot in STRENGTHS]
    return max([*here, live.house.settings.stand_in], key=STRENGTHS.index)


async def _is_here(live: Live, seat: SeatRow) -> bool:
    """Whether somebody who holds a seat has a stream open, with this process or another."""
    if not seat.holders.isdisjoint(live.house.hub.people):
        return True
    return await live.house.store.seating.lately_here(seat.id, live.house.now() - PRESENT)


async def remove(live: Live, by: SeatRow, seat: SeatRow) -> None:
    """The host sends somebody away: their tokens open nothing any more, nor does the invitation they came by."""
    async with live.lock:
        seat = live.seats[seat.number]
        if live.ended:
            raise Refusal("The match is over; nobody can be removed now.")
        if seat.id == by.id or not seat.holders:
            raise Refusal("There is nobody to remove there.")
        await live.house.store.seating.turn_away(live.row.id, seat.holders)
        if live.row.status == "seating":
            await live.house.store.seating.renew_invitation(live.row.id)
            await live.change(seat, forget=True, name=None)
        else:
            await live.change(seat, forget=True, bot=stand_in(live))


async def mute(live: Live, seat: SeatRow, muted: bool) -> None:
    async with live.lock:
        await live.change(live.seats[seat.number], muted=muted)


# ---------------------------------------------------------------------- standing orders


async def give_order(live: Live, seat: SeatRow, order: str) -> None:
    async with live.lock:
        await _order(live, live.seats.still_held(seat.number), order)


async def _order(live: Live, seat: SeatRow, order: str) -> None:
    await live.change(seat, orders={**seat.orders, "windows": order})


def fulfilled(live: Live) -> list[SeatRow]:
    """Seats that wanted to pass until their turn, whose turn it now is."""
    waiting = [seat for seat in live.seats if seat.order == "until my turn"]
    sights = live.seen[1:] if waiting else []
    return [
        seat for seat in waiting if sights and sights[seat.number].asked and not sights[seat.number].beats
    ]


async def end_orders(live: Live) -> None:
    """What was ordered until somebody's turn is over with it; what they ordered since is not."""
    async with live.lock:
        for seat in fulfilled(live):
            await _order(live, seat, "auto")


async def hold(live: Live, seat: int) -> None:
    """Ask for more time in a reaction window. Anybody who plays may, whatever they hold; once in each."""
    async with live.lock:
        live.under_way(seat)
        if pace.window_ends(live, live.seen) is None:
            raise Refusal("There is no reaction window open now.")
        if seat in live.course.asked_for_time:
            raise Refusal("You have asked for more time already.")
        await live.record("hold", seat, None)


async def go_on(live: Live, seat: int) -> None:
    """Say that one needs no more time in a reaction window; when all who play have, it ends."""
    async with live.lock:
        live.under_way(seat)
        if pace.window_ends(live, live.seen) is None:
            raise Refusal("There is no reaction window open now.")
        if seat not in live.course.gone:
            await live.record("go on", seat, None)


# ---------------------------------------------------------------------- what is said


async def say(live: Live, name: str, seat: SeatRow | None, words: str) -> ChatLine:
    """Chat: the people at the table among themselves, and those who watch among themselves."""
    words = cleaned(words, live.house.settings.limits.words)
    if not words:
        raise Refusal("There are no words in that.", status=400)
    if seat is not None and seat.muted:
        raise Refusal("The host has muted you.", status=403)
    room = "watchers" if seat is None else "table"
    line = ChatLine(0, room, seat.number if seat else None, name, words, live.house.now())
    async with live.lock:  # else whoever reads the table again just now, from before this, would forget it
        line = await live.house.store.say(live.row.id, line, live.house.settings.limits.lines)
        live.hear(line)
    return line


# ---------------------------------------------------------------------- what needs everybody's consent


def offer_id(live: Live) -> str:
    """What the present offer is called. It tells nothing of how much happened before it."""
    assert live.course.offer is not None
    return hashed(f"{live.row.seed} offer {live.course.offer.number}")[:16]


async def propose(live: Live, seat: int, key: str, number: int, what: str) -> None:
    """Undo something, or call the match off: at once if it needs nobody's consent, else by consent of all. One that is sent
    twice is one."""
    async with live.lock:
        if (seat, key) in live.course.keys:
            return
        if live.halted:
            await _end_halted(live, seat, what)
            return
        play = live.under_way(seat)
        if what == "undo" and number != live.stands(seat).number:
            raise Refusal("The table had gone on before that; look again.")
        if what == "undo" and not play.steps_back(seat):
            live.play = await past.whole_match(live) or live.play
            play = live.under_way(seat)
        if what == "undo" and not play.steps_back(seat):
            raise Refusal("There is nothing of yours to take back.")
        if (what == "undo" and play.free_undo(seat)) or live.seats.concerned <= live.seats.spoken_for(seat):
            await _carry_out(live, seat, what, key)
        else:
            await live.record("offer", seat, what, key)


async def _end_halted(live: Live, seat: int, what: str) -> None:
    """A match that cannot go on here can only be called off, by the host alone: nobody loses anything."""
    if live.row.status != "running" or what != "abort":
        raise Refusal(live.halted)
    if not live.seats[seat].host:
        raise Refusal("Only the host may call off a match that stands still.", status=403)
    ended: dict[str, Any] = {"status": "aborted", "ended": live.house.now(), "due": None}
    await live.record("abort", seat, None, **ended)


async def consent(live: Live, seat: int, offer: str, yes: bool) -> None:
    """Agree to what somebody proposed, or decline it: this offer, and none that came since."""
    async with live.lock:
        live.under_way(seat)
        if live.course.offer is None or offer != offer_id(live):
            raise Refusal("That is not proposed any more.")
        if not yes:
            await live.record("decline", seat, None)
        elif live.seats.concerned <= live.course.agreed | live.seats.spoken_for(seat):
            by = live.course.offer.seat if live.course.offer.seat is not None else seat
            await _carry_out(live, by, live.course.offer.body)
        else:
            await live.record("agree", seat, None)


async def _carry_out(live: Live, seat: int, what: str, key: str | None = None) -> None:
    if what == "undo":
        await live.record("undo", seat, live.under_way(seat).taken_back(seat), key)
    else:
        ended: dict[str, Any] = {"status": "aborted", "ended": live.house.now(), "due": None}
        await live.record("abort", seat, None, key, **ended)


async def concede(live: Live, seat: int) -> None:
    """Alone: nobody wins. Two at a table: the other wins. More: the match goes on, and a bot plays the seat to its
    end."""
    async with live.lock:
        live.under_way(seat)
        if len(live.seats) > 2:
            await live.change(live.seats[seat], bot=stand_in(live), conceded=True)
            return
        others = [other.number for other in live.seats if other.number != seat]
        result = {"winners": others, "why": f"@{seat} conceded."}
        ended: dict[str, Any] = {"status": "over", "result": result, "ended": live.house.now(), "due": None}
        await live.record("concede", seat, None, **ended)


def ranked(result: dict[str, Any], given_up: set[int]) -> dict[str, Any]:
    """A result in which whoever gave the match up has not won it, however well a bot went on: they come last, and the best
    of the others win."""
    if not given_up:
        return result
    places = {seat: place for seat, place in enumerate(result["places"]) if seat not in given_up}
    best = min(places.values(), default=0)
    order = [(seat in given_up, place) for seat, place in enumerate(result["places"])]
    return result | {
        "winners": [seat for seat, place in places.items() if place == best],
        "places": [1 + sum(other < mine for other in order) for mine in order],
        "conceded": sorted(given_up),
    }


async def moved_on(live: Live, seat: int, table: str) -> str:
    """A rematch is at another table. Whoever asks second is led to the first one's."""
    async with live.lock:
        if live.course.next_table is None:
            await live.record("rematch", seat, table)
        return live.course.next_table or table
