"""What somebody may do at a table, each act once: what it is given, how often it may be done, what is asked first, and
what it does. The API and the pages are two skins over this room."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import msgspec

from talion.kernel import Content
from talion.table import people
from talion.table.clocks import Clock
from talion.table.house import House, WantedTable
from talion.table.live import Live, Reply
from talion.table.refusal import Refusal, TooFast
from talion.table.rows import SeatRow
from talion.table.tokens import TITLE_LENGTH, Person, clean_name, cleaned, hashed
from talion.table.workers import STRENGTHS

# ---------------------------------------------------------------------- who does it, and where


@dataclass(frozen=True)
class Asker:
    """Whoever sent a request: a person if it carried a token, and in any case somebody at an address."""

    house: House
    person: Person
    known: bool
    address: str
    began: float = field(default_factory=time.perf_counter)

    def hold_back(self, *limits: str) -> None:
        """Answer politely that this is too fast, for this person or for all at their address."""
        person = self.person.hash if self.known else None
        for what in limits:
            if wait := self.house.gate.wait(what, person, self.address):
                if what == "answer":
                    self.house.metrics.answered("limited", time.perf_counter() - self.began)
                raise TooFast(wait)

    def must_be_known(self) -> Person:
        """A request without a token has no seats."""
        if not self.known:
            raise Refusal("Send your token: Authorization: Bearer …", status=401)
        return self.person

    def called(self, name: str) -> Asker:
        """The same person by another name, if there is one."""
        name = clean_name(name)
        return replace(self, person=Person(self.person.token, name)) if name else self

    async def at(self, seat: str) -> At:
        """At one of their seats."""
        live, place = await self.house.seat(seat, self.must_be_known())
        return At(self, live, place)


@dataclass(frozen=True)
class At:
    """Somebody at their seat of a table."""

    who: Asker
    live: Live
    place: SeatRow

    @property
    def house(self) -> House:
        return self.who.house

    def other(self, number: int) -> SeatRow:
        """Another seat of the table, by its number."""
        if number >= len(self.live.seats):
            raise Refusal("There is no such seat.", status=400)
        return self.live.seats[number]


# ---------------------------------------------------------------------- what the acts are given

LONGEST_REPORT = 500
NEW_TABLE = ("table", "tables in a day")
WRITES = ("act",)
"""The limit of what is written down and plays nothing on."""
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
Name = Annotated[str, msgspec.Meta(max_length=60)]
Number = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=20)]
Strength = Annotated[str, msgspec.Meta(max_length=40)]
Secret = Annotated[str, msgspec.Meta(max_length=64)]


class Given(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody sends with an act."""


class NewTable(Given):
    """A table to be opened. Each seat is "me", "open" for somebody to come, or a bot's strength. Its cards are those the
    game prints, or a set of changed ones by its name."""

    game: Annotated[str, msgspec.Meta(max_length=80)]
    seats: Annotated[list[Strength], msgspec.Meta(min_length=1, max_length=10)]
    options: dict[str, Any] = {}
    clock: Clock = msgspec.field(default_factory=Clock)
    title: Annotated[str, msgspec.Meta(max_length=TITLE_LENGTH)] = ""
    open: bool = False
    name: Name = ""
    cards: Annotated[str, msgspec.Meta(max_length=80)] = ""


class Sit(Given):
    """Take a free seat: with the invite's secret, or without one at a table that is open to all. Who sits there already
    keeps their seat, unless they name another by its number."""

    seat: SeatNumber | None = None
    invite: Secret = ""
    name: Name = ""


class Saying(Given):
    """Something to say at the table."""

    words: Words


class Answer(Given):
    """An answer: to what the seat was asked at `number`. Send it again under the same key if no reply came."""

    key: Key
    number: Number
    option: list[Any]


class Proposal(Given):
    """What all people at the table must agree to, unless nobody else is concerned. It speaks of how the seat stands at
    `number`; send it again under the same key if no reply came."""

    key: Key
    number: Number
    what: Literal["undo", "abort"]


class Consent(Given):
    """Yes or no to what somebody proposed: to this offer, by its id, and to no other."""

    offer: Annotated[str, msgspec.Meta(max_length=40)]
    yes: bool


class HandOver(Given):
    """The strength of the bot that plays on for you; none: you play again."""

    bot: Strength | None = None


class Substitute(Given):
    """Which other seat, and the strength of the bot to play it; none frees it or gives it back."""

    other: SeatNumber
    bot: Strength | None = None


class Other(Given):
    """Which other seat."""

    other: SeatNumber


class Mute(Given):
    """Which other seat may speak no more, or may again."""

    other: SeatNumber
    muted: bool


class Complaint(Given):
    """What is wrong, for whoever keeps the house; about another seat, if it is about one."""

    words: Words
    about: SeatNumber | None = None


class Orders(Given):
    """What the server does for you in reaction windows, whatever you hold: pass when the beat is over (auto), never
    (ask), pass always (pass), or until you are asked something else (until my turn)."""

    windows: Literal["auto", "ask", "pass", "until my turn"]


def checked_bot(strength: str | None) -> str | None:
    """A bot that there is."""
    if strength is not None and strength not in STRENGTHS:
        raise Refusal(f"There is no bot {strength!r}; there are {', '.join(STRENGTHS)}.", status=400)
    return strength


# ---------------------------------------------------------------------- coming to a table


async def open_table(
    who: Asker, given: NewTable, start: str | None = None, content: Content | None = None
) -> Live:
    """Open the table; if nobody is to come, begin at once: with a deal, or with a match that goes on, which has cards of
    its own."""
    who.hold_back(*NEW_TABLE)
    house = who.house
    house.catalogue.checked(given.game, len(given.seats), given.options, given.cards)
    for seated in given.seats:
        if seated not in ("me", "open"):
            checked_bot(seated)
    title = cleaned(given.title, TITLE_LENGTH)
    plan = WantedTable(
        given.game, given.seats, given.options, given.clock, title, given.open, given.cards, content
    )
    live = await house.make(who.called(given.name).person, plan)
    if all(seat.taken for seat in live.seats):
        await live.begin(start)
    return live


async def sit(who: Asker, live: Live, given: Sit) -> SeatRow:
    """Take a seat: by invitation, or because the table is open to all."""
    if not live.row.open:
        found = await who.house.store.seating.link(hashed(given.invite)) if given.invite else None
        if found != (live.row.id, None):
            raise Refusal("This table is by invitation, and that is not its invitation.", status=403)
    return await who.house.sit(live, who.called(given.name).person, given.seat)


async def say_watching(who: Asker, live: Live, given: Saying) -> None:
    """Say something among those who watch."""
    who.must_be_known()
    who.hold_back("words")
    await people.say(live, who.person.name or "A watcher", None, given.words)


# ---------------------------------------------------------------------- the acts of a seat


class Confirm(Exception):  # noqa: N818 - a question, not an error
    """Something that kills or cannot be taken back: a person at a page is asked first."""

    def __init__(self, label: str, why: str) -> None:
        super().__init__(why)
        self.label = label
        self.why = why


Question = tuple[str, str]  # what the button says that does it, and why to think twice


@dataclass(frozen=True)
class Act:
    """Something a seat may do."""

    name: str
    path: str  # its name in the API's addresses
    summary: str
    given: type[Given] | None
    does: Callable[[At, Any], Awaitable[Any]]
    limits: tuple[str, ...]  # on rates that it counts against
    host: bool  # only the host may
    sure: Callable[[At, Any], Question | None] | None

    async def do(self, at: At, given: Given | None = None, confirmed: bool = True) -> Any:
        """Do it, if it may be done; whoever did not confirm is asked first, where that is due."""
        if self.host and not at.place.host:
            raise Refusal("Only the host may do that.", status=403)
        if not confirmed and self.sure and (question := self.sure(at, given)):
            raise Confirm(*question)
        at.who.hold_back(*self.limits)
        return await self.does(at, given)


ACTS: dict[str, Act] = {}


def act(
    path: str,
    summary: str,
    given: type[Given] | None = None,
    *,
    limits: tuple[str, ...] = (),
    host: bool = False,
    sure: Callable[[At, Any], Question | None] | None = None,
) -> Callable[[Callable[[At, Any], Awaitable[Any]]], Act]:
    """Enter an act, under its function's name."""

    def enter(does: Callable[[At, Any], Awaitable[Any]]) -> Act:
        found = ACTS[does.__name__] = Act(does.__name__, path, summary, given, does, limits, host, sure)
        return found

    return enter


def _grave(at: At, given: Answer) -> Question | None:
    return at.live.play.grave(at.place.number, given.option) if at.live.play else None


@act("answers", "Answer what your seat is asked", Answer, limits=("answer",), sure=_grave)
async def answer(at: At, given: Answer) -> Reply:
    """Submit an answer; counted by what became of it, with the time since its arrival."""
    kind = "failed"
    try:
        reply = await at.live.submit(at.place.number, given.key, given.number, given.option)
        kind = reply.kind
        return reply
    finally:
        at.house.metrics.answered(kind, time.perf_counter() - at.who.began)


@act("hint", "What a bot would do that knows what you know", limits=("hint",))
async def hint(at: At, _: None) -> dict[str, Any]:
    """An option as a bot would choose it, for the wire, with its name, what it considered besides, and why, in sentences."""
    live, seat = at.live, at.place.number
    if await live.settled() is None or not live.stands(seat).asked:
        raise Refusal("You are not asked anything now.")
    number = live.stands(seat).number
    weighed = await at.house.keeper.hint(live, seat)
    play = await live.settled()
    if play is None or live.stands(seat).number != number:
        raise Refusal("The match has moved on.")
    best = [
        {
            "option": play.wire(seat, body),
            "name": play.name(seat, body),
            "value": round(value, 3),
            "tried": tried,
        }
        for body, value, tried in weighed["considered"]
    ]
    return {**best[0], "considered": best, "says": weighed["says"]}


@act("start", "Begin the match; the host does", host=True)
async def start(at: At, _: None) -> None:
    await at.live.begin()


def _sure_to_propose(at: At, given: Proposal) -> Question | None:
    if given.what == "undo":
        return None
    return "Call it off", "Call the match off? If others play too, they have to agree."


@act("proposals", "Propose to undo, or to call the match off", Proposal, sure=_sure_to_propose, limits=WRITES)
async def propose(at: At, given: Proposal) -> None:
    await people.propose(at.live, at.place.number, given.key, given.number, given.what)


@act("consent", "Agree or not to what was proposed", Consent, limits=WRITES)
async def consent(at: At, given: Consent) -> None:
    await people.consent(at.live, at.place.number, given.offer, given.yes)


def _sure_to_concede(at: At, _: None) -> Question:
    two = len(at.live.seats) == 2
    return "Concede", f"Give this match up? {'The other wins.' if two else 'A bot plays on for you.'}"


@act("concede", "Give the match up", sure=_sure_to_concede)
async def concede(at: At, _: None) -> None:
    await people.concede(at.live, at.place.number)


def _sure_to_leave(at: At, _: None) -> Question:
    return "Leave", "Leave the table? Your seat will not be yours any more."


@act("leave", "Leave: the seat is free again, or a bot plays it on", sure=_sure_to_leave)
async def leave(at: At, _: None) -> None:
    await people.leave(at.live, at.place)


@act("bot", "Let a bot play for you, or play again yourself", HandOver, limits=WRITES)
async def bot(at: At, given: HandOver) -> None:
    await people.hand_over(at.live, at.place, checked_bot(given.bot))


@act(
    "substitute",
    "Seat a bot for somebody else: the host before the match, anybody when they are gone too long",
    Substitute,
    limits=WRITES,
)
async def substitute(at: At, given: Substitute) -> None:
    await people.substitute(at.live, at.place, at.other(given.other), checked_bot(given.bot))


@act("orders", "Your standing order for reaction windows", Orders, limits=WRITES)
async def orders(at: At, given: Orders) -> None:
    await people.give_order(at.live, at.place, given.windows)


@act("hold", "Ask for more time in a reaction window; anybody may, with nothing in hand too")
async def hold(at: At, _: None) -> None:
    await people.hold(at.live, at.place.number)


@act("go-on", "Say that you need no more time in a reaction window; when all have, it ends")
async def go_on(at: At, _: None) -> None:
    await people.go_on(at.live, at.place.number)


def _sure_to_remove(at: At, given: Other) -> Question:
    return "Take the seat", f"Take the seat from @{at.other(given.other).number}?"


@act("remove", "Take a seat from somebody; the host does", Other, host=True, sure=_sure_to_remove)
async def remove(at: At, given: Other) -> None:
    await people.remove(at.live, at.place, at.other(given.other))


@act("mute", "Mute somebody; the host does", Mute, host=True, limits=WRITES)
async def mute(at: At, given: Mute) -> None:
    await people.mute(at.live, at.other(given.other), given.muted)


@act("chat", "Say something at the table", Saying, limits=("words",))
async def chat(at: At, given: Saying) -> None:
    await people.say(at.live, at.place.name or "Guest", at.place, given.words)


@act("report", "Tell whoever keeps the house that something is wrong here", Complaint, limits=("words",))
async def report(at: At, given: Complaint) -> None:
    """Only the host of the house reads it."""
    about = None if given.about is None else at.other(given.about).number
    words = cleaned(given.words, LONGEST_REPORT)
    if not words:
        raise Refusal("Say what is wrong.", status=400)
    await at.house.store.report(at.live.row.id, at.place.number, about, words, at.house.now())


@act("rematch", "The same again, at a new table", limits=NEW_TABLE)
async def rematch(at: At, _: None) -> str:
    """The new table's id."""
    return await at.house.rematch(at.live, at.place, at.who.person)
