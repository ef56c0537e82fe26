"""Set-up, the steps in the order of play, and what they share: paying, losing, adding cards, dying.

A resource is named by the field of a clone that holds it: a number (`ticks`, `corpus`, `cerebrium`) or a zone of cards
(`hand`, `states`, `forgotten`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Ask,
    Asking,
    Bag,
    Card,
    Choice,
    Counter,
    Face,
    First,
    Flag,
    No,
    Option,
    Part,
    Play,
    Said,
    Seat,
    Seats,
    Standing,
    State,
    Value,
    Word,
    Zone,
    shown,
)

LIFE = ("corpus", "cerebrium")
NUMBERS = ("ticks", *LIFE)
ZONES = ("hand", "states", "forgotten")
RESOURCES = (*NUMBERS, *ZONES)

STARTING_LIFE = {2: 20, 3: 15, 4: 10}
HEADSPACE = 4
HAND_SIZE = 4
TRIGGERS_IN_A_ROW = 200

PASS = ("pass",)
WASTE = ("lose the ticks left",)


class Clone(Part):
    """PV-1.1 One player."""

    corpus = Counter(low=None)
    cerebrium = Counter(low=None)
    ticks = Counter()
    alive = Flag(True)
    gives_up = Flag()
    hand = Zone(seen_by=OWNER)
    states = Zone(seen_by=EVERYONE, ordered=False, in_force=True)
    forgotten = Zone(seen_by=EVERYONE, ordered=False)
    aside = Zone(seen_by=NOBODY)
    spared = Bag()
    """PV-R15 What reactions still take off this clone's losses from the action in progress."""
    shielded = Bag()
    """What states have already taken off them."""


class Vendetta(State):
    head = Zone(seen_by=NOBODY)
    headspace = Zone(seen_by=EVERYONE, ordered=False)
    table = Zone(seen_by=EVERYONE)
    """Cards being played: the action's, and on top of it a reaction's."""
    removed = Zone(seen_by=EVERYONE, ordered=False)
    clones = Seats(Clone)
    active = Seat(0)
    turn = Counter(1)
    phase = Word()
    action = Word()
    """`take`, `play` or `activate`, while one is in progress."""
    subject = Value()
    """The card that is taken, played or activated."""
    ability = Value()
    """Which activated ability of the state, from 1, where it has several."""
    x = Value()
    """The number chosen for X."""
    negated = Value(())
    """What reactions have called off: the `action`, its `benefit`, its `penalty`."""
    aimed = Value(())
    """PV-R14 Victims named on announcement, with the sentence each is for."""
    reactor = Value()
    """The seat whose reaction is on the table."""
    window = Flag()
    """Whether the clones are being asked to react."""
    resolving = Flag()
    """Whether a sentence is being carried out."""

    @shown
    def hand_sizes(self) -> list[int]:
        return [hand_size(self, seat) for seat in self.seat_numbers]

    @shown
    def to_come(self) -> list[str]:
        """What cards have laid down for later, and for whom: everybody saw it."""
        said = [(dict(frame)["you"], self.content.line(path).text) for _, path, frame in self.lasting]
        return [f"@{seat}: {text[0].upper()}{text[1:]}." for seat, text in said]


def build(t: Vendetta) -> None:
    t.create_all(t.head)


CHOICES = (
    Choice(
        "beginning_order",
        "gain_then_triggers",
        ("gain_then_triggers", "triggers_then_gain"),
        "Whether ticks come before or after the beginning triggers",
        "PV-R1",
    ),
    Choice(
        "first_clone",
        None,
        text="The seat that begins, instead of drawing lots",
        rule="PV-R2",
        check=lambda value, content, seats: (
            None
            if value is None or value in range(seats)
            else f"there is no seat {value} at a table of {seats}."
        ),
    ),
    Choice(
        "life_cap",
        None,
        text="The most corpus, and the most cerebrium, a clone can have",
        rule="PV-R6",
        check=lambda value, content, seats: (
            None if value is None or (isinstance(value, int) and value > 0) else "must be a number above 0."
        ),
    ),
    Choice(
        "reaction_order",
        "opponents_first",
        ("opponents_first", "active_first", "first_to_speak"),
        "Who is asked first to react",
        "PV-R11",
    ),
    Choice("targets_on_announce", False, (False, True), "Name the victim with the attack", "PV-R14"),
    Choice("leech_gain", "printed", ("printed", "actual"), "What a leech yields", "PV-R16"),
    Choice("allow_lethal_payment", True, (True, False), "Whether the last point may be paid", "PV-R19"),
    Choice(
        "turn_limit",
        300,
        text="After how many turns the match is a draw",
        rule="PV-R40",
        check=lambda value, content, seats: (
            None if isinstance(value, int) and 0 < value <= 1000 else "must be a number from 1 to 1000."
        ),
    ),
)


# Set-up and the turn ----------------------------------------------------------------------------------------------


def setup(t: Vendetta) -> Any:
    """PV-2.1 One head for all, four cards beside it, life by the number of clones."""
    t.shuffle(t.head)
    turn_up(t, HEADSPACE)
    for clone in t.clones:
        clone.corpus = clone.cerebrium = STARTING_LIFE[t.seats_taken]
    first = t.options["first_clone"]
    t.active = t.chance.below(t.seats_taken) if first is None else first
    return begin_turn


def begin_turn(t: Vendetta) -> Any:
    """PV-8.1 The beginning phase: gain ticks, then resolve what triggers."""
    t.phase = "beginning"
    t.log("PV-8.1", "Turn {turn}: {clone}.", turn=t.turn, clone=active(t))
    if t.options["beginning_order"] == "triggers_then_gain":
        gather(t, "beginning")
        return settled(t, late_ticks)
    gain_ticks(t)
    gather(t, "beginning")
    return settled(t, main_phase)


def late_ticks(t: Vendetta) -> Any:
    """PV-R1 The other order of the beginning phase."""
    gain_ticks(t)
    return main_phase


def gain_ticks(t: Vendetta) -> None:
    """PV-8.2 Two ticks; one in the very first turn."""
    first = t.turn == 1
    ticks = max(0, t.rule("ticks gained", 1 if first else 2, seat=t.active))
    active(t).ticks += ticks
    t.log("PV-8.3" if first else "PV-8.2", "{clone} gains {n}.", clone=active(t), n=amount(ticks, "ticks"))


def gather(t: Vendetta, edge: str) -> None:
    """PV-R28 Everything that triggers at this edge of the turn, gathered at once."""
    t.happened("turn", edge=edge, seat=t.active)
    if edge == "beginning":
        due = t.due("your next turn", t.active)
        t.queue = (*t.queue, *((path, frame) for _, path, frame in due))
        t.end("your next turn", t.active)


def main_phase(t: Vendetta) -> Any:
    """PV-9.1 Act until no tick is left."""
    t.phase = "main"
    t.action, t.subject = "", None
    if active(t).ticks == 0:
        return end_phase
    chosen = yield t.ask(t.active, actions, "Take, play or activate", "PV-9.1")
    if chosen == WASTE:
        t.log("PV-R9", "{clone} can do nothing with the ticks left.", clone=active(t))
        active(t).ticks = 0
        return end_phase
    yield from announce(t, chosen)
    return react


def end_phase(t: Vendetta) -> Any:
    """PV-10.1 What triggers at the end of the turn comes before the discard."""
    t.phase = "end"
    gather(t, "end")
    return settled(t, discard_down)


def discard_down(t: Vendetta) -> Any:
    """PV-10.2 Discard down to the hand size."""
    clone = active(t)
    excess = len(clone.hand) - hand_size(t, t.active)
    if excess > 0:
        cards = yield from pick(t, clone, "hand", excess, "PV-10.2")
        part_with(t, clone, "hand", cards)
    return settled(t, next_turn)


def next_turn(t: Vendetta) -> Any:
    """PV-8.7 The next living clone clockwise."""
    t.action, t.subject, t.window, t.resolving, t.queue = "", None, False, False, ()
    t.end("this turn")
    t.lasting = tuple(entry for entry in t.lasting if not served(t, entry))
    if t.turn >= t.options["turn_limit"]:
        t.over([], f"{t.turn} turns have gone by and more than one clone lives: a draw.", "PV-R40")
    t.turn += 1
    t.active = next(seat for seat in t.after(t.active) if t.clones[seat].alive)
    return begin_turn


def served(t: Vendetta, entry: tuple[Any, ...]) -> bool:
    """Whether something put on the active clone for its next turn has had that turn."""
    frame = dict(entry[2])
    return entry[0] == "their next turn" and frame["you"] == t.active and frame["since"] < t.turn


# Actions ----------------------------------------------------------------------------------------------------------


def actions(t: Vendetta, seat: int) -> list[Any]:
    """PV-5.1 Take, play, activate: whatever can be paid for."""
    found: list[Any] = []
    closed: list[No] = []
    duty = False
    for option, price, why_not in plays_and_activations(t, seat):
        bill = bill_of(t, seat, price)
        if why_not is None and affordable(t, seat, bill, option):
            found.append(option)
            duty = duty or "ticks" in bill
        elif t.explaining:
            closed.append(why_not or No(option, "PV-4.8", f"You cannot pay {bill_in_words(bill)}."))
    takes = [("take", card) for card in t.headspace]
    if duty and not t.rule("may take", True, seat=seat):
        why = "This turn you must play or activate while you can spend a tick on it."
        closed += [No(take, "PV-R35", why) for take in takes]
    elif affordable(t, seat, bill := take_bill(t, seat)):
        found = takes + found
    elif t.explaining:
        closed += [No(take, "PV-4.8", f"You cannot pay {bill_in_words(bill)}.") for take in takes]
    return (found or [WASTE]) + (closed if t.explaining else [])


def plays_and_activations(t: Vendetta, seat: int) -> Iterator[tuple[Option, Said | None, No | None]]:
    """Every card in hand and every activated ability, with its price."""
    clone = t.clones[seat]
    for card in clone.hand:
        face = t.face(card)
        option: Option = ("play", card)
        if "reacts_to" not in face.said:
            yield option, price_of(face), None
        elif t.explaining:
            no = No(option, "PV-5.6", "A reaction is never played as an action; it answers one.")
            yield option, price_of(face), no
    for card in clone.states:
        abilities = activated(t.face(card))
        for number, ability in enumerate(abilities):
            option = ("activate", card) if len(abilities) == 1 else ("activate", card, number + 1)
            yield option, ability.filled["price"], None


@lru_cache(maxsize=1024)
def activated(face: Face) -> list[Said]:
    """PV-7.3 The abilities of the form `cost: effect`."""
    lines = [*face.said.get("abilities", ()), *face.said.get("afflictions", ())]
    return [line for line in lines if "price" in line.filled]


def activated_line(t: Vendetta) -> Said:
    """The ability that is being activated."""
    return activated(t.face(t.subject))[(t.ability or 1) - 1]


def price_of(face: Face) -> Said | None:
    lines = face.said.get("cost")
    return lines[0] if lines else None


def announce(t: Vendetta, chosen: Option) -> Asking:
    """PV-5.12 Point at the card or lay it down, and pay."""
    t.action, t.subject = chosen[:2]
    t.ability = chosen[2] if len(chosen) > 2 else None
    t.x, t.negated, t.aimed = None, (), ()
    for clone in t.clones:
        clone.spared, clone.shielded = {}, {}
    clone = active(t)
    face = t.face(t.subject)
    if t.action == "take":
        bill = take_bill(t, t.active)
        words = bill_in_words(bill)
        t.log("PV-5.3", "{clone} spends {bill} on {card}.", clone=clone, bill=words, card=t.subject)
    elif t.action == "play":
        t.move(t.subject, t.table)
        t.log("PV-5.4", "{clone} plays {card}.", clone=clone, card=t.subject)
        bill, t.x = yield from bill_with_x(t, t.active, price_of(face))
        yield from aim(t, [*face.said.get("benefit", ()), *face.said.get("penalty", ())])
    else:
        t.log("PV-5.5", "{clone} activates {card}.", clone=clone, card=t.subject)
        line = activated_line(t)
        bill, t.x = yield from bill_with_x(t, t.active, line.filled["price"])
        yield from aim(t, line.filled["does"])
    yield from pay(t, clone, bill)


def aim(t: Vendetta, sentences: Iterable[Said]) -> Asking:
    """PV-R14 As an option, victims are named with the action."""
    if t.options["targets_on_announce"]:
        for said in sentences:
            if said.phrase.hints.get("chooses"):
                victim = yield from opponent(Play(t, t.active))
                t.aimed = (*t.aimed, (said.path, victim))


# Reactions --------------------------------------------------------------------------------------------------------


def react(t: Vendetta) -> Any:
    """PV-6.2 Everybody is asked; a reaction starts the asking again."""
    t.window, t.reactor = True, None
    waiting = reactors(t)
    deed = f"{t.action} of {t.face(t.subject).name}, or pass"
    while waiting:
        if t.options["reaction_order"] == "first_to_speak":
            seat, answer = yield First([reaction_ask(t, seat, deed) for seat in waiting])
        else:
            seat = waiting[0]
            answer = yield reaction_ask(t, seat, deed)
        if answer != PASS:
            yield from play_reaction(t, seat, answer[1])
            return react
        waiting.remove(seat)
    t.window = False
    return resolve


def reactors(t: Vendetta) -> list[int]:
    """PV-R11 Who may react, in the order of asking: from the active clone's left, the active clone last."""
    living = [seat for seat in t.after(t.active) if t.clones[seat].alive]
    seats = [seat for seat in living if seat == t.active or t.rule("may react", True, seat=seat)]
    if t.options["reaction_order"] == "active_first":
        seats.sort(key=lambda seat: seat != t.active)
    return seats


def reaction_ask(t: Vendetta, seat: int, deed: str) -> Ask:
    whose = "your own" if seat == t.active else f"@{t.active}’s"
    return t.ask(seat, reactions, f"React to {whose} {deed}", "PV-6.2", default=PASS, window=True)


def reactions(t: Vendetta, seat: int) -> list[Any]:
    """PV-6.7 Every reaction that can be paid for, whether or not its condition fits."""
    found: list[Any] = [PASS]
    for card in t.clones[seat].hand:
        face = t.face(card)
        option = ("react", card)
        if "reacts_to" in face.said:
            bill = bill_of(t, seat, price_of(face), reaction=True)
            if affordable(t, seat, bill, option):
                found.append(option)
            elif t.explaining:
                found.append(No(option, "PV-4.8", f"You cannot pay {bill_in_words(bill)}."))
        elif t.explaining:
            rule = "PV-5.7" if face.type == "attack" else "PV-5.4"
            found.append(
                No(option, rule, f"{face.type.capitalize()}s are played only in your own turn, as an action.")
            )
    return found


def play_reaction(t: Vendetta, seat: int, card: Card) -> Asking:
    """PV-6.5 Pay, hold the condition against the action, resolve, forget."""
    clone = t.clones[seat]
    face = t.face(card)
    t.reactor = seat
    t.move(card, t.table)
    t.log("PV-6.1", "{clone} reacts with {card}.", clone=clone, card=card)
    bill, x = yield from bill_with_x(t, seat, price_of(face), reaction=True)
    yield from pay(t, clone, bill)
    if clone.alive:
        t.happened("deed", deed="reaction", seat=seat)
        play = Play(t, seat, card, face, X=x)
        if face.said["reacts_to"][0].read(play):
            yield from effect(play)
        else:
            t.log("PV-6.8", "{card} does not fit this action and does nothing.", card=card)
    if clone.alive:
        t.move(card, clone.forgotten)


# Resolving --------------------------------------------------------------------------------------------------------


def resolve(t: Vendetta) -> Any:
    """PV-6.11 The action resolves, as the reactions have left it."""
    clone, card = active(t), t.subject
    off = "action" in t.negated
    if off:
        t.log("PV-R34", "The action is negated.")
    if t.action == "take":
        if not off:
            take(t, clone, card)
    elif t.action == "activate":
        t.happened("deed", deed="ability", seat=t.active)
        if not off:
            play = Play(t, t.active, card, t.face(card), X=t.x, action=True)
            yield from carry_out(play, activated_line(t).filled["does"])
    elif t.face(card).type == "state":
        t.happened("deed", deed="state", seat=t.active)
        t.move(card, clone.forgotten if off else clone.states)
        if not off:
            t.log("PV-4.12", "{card} lies before {clone}.", card=card, clone=clone)
    else:
        t.happened("deed", deed="attack", seat=t.active)
        if not off:
            yield from effect(Play(t, t.active, card, t.face(card), X=t.x, action=True, attack=True))
        t.move(card, clone.forgotten)
    return settled(t, main_phase)


def take(t: Vendetta, clone: Clone, card: Card) -> None:
    """PV-5.3 The card comes to the hand, if it is still there."""
    if card in t.headspace:
        add(t, clone, card)
        t.happened("deed", deed="take", seat=clone.seat)
        t.log("PV-5.3", "{clone} takes {card}.", clone=clone, card=card)
    else:
        t.log("PV-R47", "Nothing is taken: {card} has left headspace.", card=card)


def effect(play: Play) -> Asking:
    """PV-R26 Benefit, then penalty, unless one of them is called off."""
    t, said = play.t, play.face.said  # type: ignore[union-attr]
    attack = bool(play["attack"])
    if not (attack and "benefit" in t.negated):
        yield from carry_out(play, said.get("benefit", ()))
    if attack and ("penalty" in t.negated or not t.rule("penalties", True, seat=play.you)):
        if said.get("penalty"):
            t.log("PV-3.7", "The penalty of {card} is left out.", card=play.this)
        return
    yield from carry_out(play, said.get("penalty", ()))


def carry_out(play: Play, sentences: Iterable[Said]) -> Asking:
    """PV-14.1 Sentence by sentence, with a look for the dead after each."""
    t = play.t
    for said in sentences:
        if not t.clones[play.you].alive:
            return
        t.resolving = True
        play["aimed"] = dict(t.aimed).get(said.path) if play["action"] else None
        yield from said.run(play)
        t.resolving = False
        look_for_deaths(t)


def settled(t: Vendetta, then: Callable[..., Any]) -> Any:
    """The step to go on with: at once if nothing has triggered and headspace has cards, else by way of `settle`."""
    return (settle, then.__name__) if t.queue or not t.headspace else then


def settle(t: Vendetta, then: str, resolved: int = 0) -> Any:
    """PV-R27 What has triggered resolves, one by one; then headspace is refreshed."""
    t.queue = tuple(waiting for waiting in t.queue if stands(t, waiting))
    if t.queue and resolved < TRIGGERS_IN_A_ROW:
        waiting = yield from next_trigger(t)
        t.log("PV-7.2", "{card} triggers.", card=dict(waiting[1])["this"])
        t.resolving = True
        yield from t.resolve(waiting)
        t.resolving = False
        look_for_deaths(t)
        return settle, then, resolved + 1
    if t.queue:
        t.log("PV-R40", "Triggers set each other off without end: the rest are dropped.")
        t.queue = ()
    if not t.headspace:
        t.log("PV-11.2", "Headspace is empty and is refreshed.")
        turn_up(t, HEADSPACE)
    return t.game.step(then)


def stands(t: Vendetta, waiting: tuple[Any, ...]) -> bool:
    """Whether a waiting trigger still counts: its state in play, its controller alive."""
    path, frame = waiting
    names = dict(frame)
    clone = t.clones[names["you"]]
    return clone.alive and (t.content.at(path).kind != "ability" or names["this"] in clone.states)


def next_trigger(t: Vendetta) -> Asking:
    """PV-8.5 The active clone decides which waiting trigger resolves next."""
    options: dict[Option, Any] = {}
    for waiting in dict.fromkeys(t.queue):
        card = dict(waiting[1])["this"]
        option: Option = ("trigger", card)
        while option in options:
            option = ("trigger", card, option[2] + 1 if len(option) > 2 else 2)
        options[option] = waiting
    if len(options) == 1:
        return t.queue[0]
    answer = yield t.ask(t.active, list(options), "Which trigger resolves next?", "PV-8.5", minor=True)
    return options[answer]


# Costs ------------------------------------------------------------------------------------------------------------

Bill = dict[str, int]
"""How much of which resource is to be paid."""


@lru_cache(maxsize=4096)
def shares(price: Said, x: int) -> tuple[tuple[str, int], ...]:
    """PV-4.9 A printed price, read with a value for X."""
    totals: Bill = {}
    for what, n in price.read(Play(None, 0, X=x)):
        totals[what] = totals.get(what, 0) + n
    return tuple(totals.items())


@lru_cache(maxsize=4096)
def has_x(price: Said) -> bool:
    return any(said.phrase.hints.get("x") for said in price.below())


def bill_of(t: Vendetta, seat: int, price: Said | None, x: int = 0, *, reaction: bool = False) -> Bill:
    """What a price comes to for this seat."""
    bill = dict(shares(price, x)) if price else {}
    if reaction:
        for what, n in bill.items():
            bill[what] = max(0, t.rule("reaction cost", n, seat=seat, what=what))
    return bill


TAKE: Bill = {"ticks": 1}


def take_bill(t: Vendetta, seat: int) -> Bill:
    """PV-R5 A take costs 1 tick, whatever the card."""
    bill = dict(TAKE)
    if t.lasting or ("static", "take cost") in t.content.watchers:
        for what in RESOURCES:
            bill[what] = bill.get(what, 0) + t.rule("take cost", 0, seat=seat, what=what)
    return bill


def affordable(t: Vendetta, seat: int, bill: Bill, option: Option = ()) -> bool:
    """PV-4.8 Whether all of it is there. A card that is still in hand cannot pay for itself."""
    clone = t.clones[seat]
    for what, n in bill.items():
        have = getattr(clone, what)
        if what in ZONES:
            have = len(have) - (what == "hand" and option[:1] in (("play",), ("react",)))
        if have < n:
            return False
        if n and n == have and what in LIFE and not t.options["allow_lethal_payment"]:
            return False
    return True


def bill_with_x(t: Vendetta, seat: int, price: Said | None, *, reaction: bool = False) -> Asking:
    """PV-4.10 The bill and the number chosen for X. The card itself is on the table by now."""
    if price is None or not has_x(price):
        return bill_of(t, seat, price, reaction=reaction), None
    most = 0
    while affordable(t, seat, bill_of(t, seat, price, most + 1, reaction=reaction)) and most < 99:
        most += 1
    chosen = yield t.ask(
        seat, [("X", n) for n in range(most + 1)], "Choose a number for X", "PV-4.10", minor=True
    )
    x = chosen[1]
    t.log("PV-4.10", "{clone} chooses {x} for X.", clone=t.clones[seat], x=x)
    return bill_of(t, seat, price, x, reaction=reaction), x


def pay(t: Vendetta, clone: Clone, bill: Bill) -> Asking:
    """PV-4.3 One payment: the choices first, in the order written, then all of it at once."""
    chosen = {}
    for what, n in bill.items():
        if what in ZONES:
            chosen[what] = yield from pick(t, clone, what, n, PAID_BY[what])
    if any(bill.values()) and not (t.action == "take" and t.reactor is None):
        t.log("PV-4.3", "{clone} pays {bill}.", clone=clone, bill=bill_in_words(bill))
    for what, n in bill.items():
        if what in NUMBERS:
            setattr(clone, what, getattr(clone, what) - n)
    for what, cards in chosen.items():
        part_with(t, clone, what, cards)
    look_for_deaths(t)


PAID_BY = {"hand": "PV-4.5", "states": "PV-4.6", "forgotten": "PV-4.7"}


# Gaining and losing -----------------------------------------------------------------------------------------------


def lose(play: Play, victim: int, what: str, n: int) -> Asking:
    """PV-12.1 Lose that much, less what reactions and states spare; returns what was really lost."""
    t: Vendetta = play.t
    clone = t.clones[victim]
    if play["action"]:
        n -= spared(t, play, clone, what, n)
    if what in ZONES:
        cards = yield from pick(t, clone, what, n, "PV-R17")
        part_with(t, clone, what, cards)
        return len(cards)
    if what == "ticks":
        n = min(n, clone.ticks)
    setattr(clone, what, getattr(clone, what) - n)
    t.log(
        "PV-1.3", "{clone} loses {n}, {left} left.", clone=clone, n=amount(n, what), left=getattr(clone, what)
    )
    return n


def spared(t: Vendetta, play: Play, clone: Clone, what: str, n: int) -> int:
    """PV-R15 What is taken off a loss from the action in progress, and used up by that."""
    by_reaction = min(n, clone.spared.get(what, 0))
    if by_reaction:
        clone.spared[what] -= by_reaction
    by_state = 0
    if play["attack"] and clone.seat != t.active:
        used = clone.shielded.get(what, 0)
        left = t.rule("shield", 0, seat=clone.seat, what=what) - used
        by_state = min(n - by_reaction, max(0, left))
        clone.shielded[what] = used + by_state
    if by_reaction + by_state:
        saved = amount(by_reaction + by_state, what)
        t.log("PV-R15", "{clone} is spared {n}.", clone=clone, n=saved)
    return by_reaction + by_state


def gain(t: Vendetta, seat: int, what: str, n: int) -> None:
    """PV-R6 Gain, up to the cap if the match has one."""
    clone = t.clones[seat]
    had = getattr(clone, what)
    cap = t.options["life_cap"]
    now = had + n if what not in LIFE or cap is None else max(had, min(cap, had + n))
    setattr(clone, what, now)
    t.log("PV-R6", "{clone} gains {n}.", clone=clone, n=amount(now - had, what))


def pick(t: Vendetta, clone: Clone, what: str, n: int, rule: str) -> Asking:
    """PV-R17 The clone chooses which of its cards go."""
    pile = getattr(clone, what)
    if what == "forgotten":
        return (yield from pick_to_bury(t, clone, pile, n, "bury", rule))
    return (yield from pick_from(t, clone, pile, n, "discard", rule))


def pick_from(t: Vendetta, clone: Clone, cards: Iterable[Card], n: int, verb: str, rule: str) -> Asking:
    """PV-R49 A row of asks for n cards; none where only one answer is possible."""
    left: list[Card] = list(cards)
    if n >= len(left):
        return left
    chosen: list[Card] = []
    while len(chosen) < n:
        prompt = f"Choose a card to {verb}" + (f" ({len(chosen) + 1} of {n})" if n > 1 else "")
        answer = yield t.ask(clone, [(verb, card) for card in left], prompt, rule, minor=True)
        left.remove(answer[1])
        chosen.append(answer[1])
    return chosen


def pick_to_bury(t: Vendetta, clone: Clone, cards: Iterable[Card], n: int, verb: str, rule: str) -> Asking:
    """PV-R36 Everybody sees which cards go under the head; their order is the chooser's secret."""
    left = yield from pick_from(t, clone, cards, n, verb, rule)
    ordered: list[Card] = []
    while len(left) > 1:
        options = [("next", card) for card in left]
        answer = yield t.ask(clone, options, "Which goes under the head next?", rule, secret=True, minor=True)
        left.remove(answer[1])
        ordered.append(answer[1])
    return ordered + left


def part_with(t: Vendetta, clone: Clone, what: str, cards: list[Card]) -> None:
    """PV-4.5 Cards and states go to the forgotten pile, forgotten cards under the head."""
    if not cards:
        return
    if what == "forgotten":
        bury(t, clone, cards)
        return
    t.move_all(cards, clone.forgotten)
    t.log(PAID_BY[what], "{clone} discards {cards}.", clone=clone, cards=cards)
    if what == "hand":
        for _ in cards:
            t.happened("deed", deed="discard", seat=clone.seat)


def bury(t: Vendetta, clone: Clone, cards: list[Card]) -> None:
    """PV-R36 Under the head, in an order that only this clone knows."""
    by_name = sorted(cards, key=lambda card: t.face(card).name)
    t.log("PV-4.7", "{clone} puts {cards} under the head.", clone=clone, cards=by_name)
    t.bury(cards, t.head, by=clone.seat)  # type: ignore[arg-type]


def opponent(play: Play) -> Asking:
    """PV-13.4 Choose an opponent; with one left there is nothing to choose."""
    t: Vendetta = play.t
    if play["aimed"] is not None and t.clones[play["aimed"]].alive:
        return play["aimed"]
    others = [seat for seat in t.after(play.you) if t.clones[seat].alive and seat != play.you]
    if len(others) < 2:
        return others[0] if others else None
    answer = yield t.ask(
        play.you, [("choose", seat) for seat in others], "Choose a clone", "PV-13.4", minor=True
    )
    return answer[1]


# Cards ------------------------------------------------------------------------------------------------------------


def top_card(t: Vendetta) -> Card | None:
    """PV-11.3 The next card of the head; out of all forgotten piles comes a new head when it has run out."""
    if not t.head:
        for clone in t.clones:
            t.move_all(clone.forgotten, t.head)
        if t.head:
            t.shuffle(t.head)
            t.log("PV-11.3", "The head is empty: the forgotten piles are shuffled into a new one.")
    return t.head[-1] if t.head else None


def turn_up(t: Vendetta, n: int) -> None:
    """PV-12.3 Cards from the head into headspace."""
    cards = []
    for _ in range(n):
        card = top_card(t)
        if card is not None:
            cards.append(t.move(card, t.headspace))
    if cards:
        t.log("PV-12.3", "New in headspace: {cards}.", cards=cards)


def draw(t: Vendetta, seat: int, n: int) -> None:
    """PV-13.6 From the top of the head to the hand."""
    clone = t.clones[seat]
    for _ in range(n):
        card = top_card(t)
        if card is not None:
            add(t, clone, card)
            t.happened("deed", deed="draw", seat=seat)
            t.log("PV-13.6", "{clone} draws {card}.", clone=clone, card=card)


def add(t: Vendetta, clone: Clone, card: Card) -> None:
    """PV-13.5 Wherever it comes from, a card is added to a hand."""
    t.move(card, clone.hand)
    t.happened("deed", deed="add", seat=clone.seat)


def hand_size(t: Vendetta, seat: int) -> int:
    """PV-10.3 Four, unless a state says otherwise."""
    return int(t.rule("hand size", HAND_SIZE, seat=seat))


# Death ------------------------------------------------------------------------------------------------------------


def look_for_deaths(t: Vendetta) -> None:
    """PV-1.4 Whoever has no corpus or no cerebrium left dies now, and all of them together."""
    dying = [c for c in t.clones if c.alive and (c.corpus <= 0 or c.cerebrium <= 0 or c.gives_up)]
    if not dying:
        return
    for clone in dying:
        clone.alive = False
        t.log("PV-1.4", "{clone} dies.", clone=clone)
    living = [clone for clone in t.clones if clone.alive]
    if len(living) == 1:
        t.over([living[0].seat], "Only one clone is left alive.", "PV-1.9")  # type: ignore[list-item]
    if not living:
        t.over([], "The last clones died together: a draw.", "PV-R25")
    for clone in dying:
        remove(t, clone)
    if not active(t).alive:
        t.go(next_turn)


def remove(t: Vendetta, clone: Clone) -> None:
    """PV-1.8 What a dead clone had leaves the game, and what was still to come for it with it."""
    for pile in (clone.hand, clone.states, clone.forgotten, clone.aside):
        t.move_all(pile, t.removed)
    for card in list(t.table):
        owner = t.active if card == t.subject else t.reactor
        if owner == clone.seat:
            t.move(card, t.removed)
        elif clone.seat == t.active:
            t.move(card, t.clones[owner].forgotten)
    t.lasting = tuple(e for e in t.lasting if dict(e[2])["you"] != clone.seat)


def standing(t: Vendetta) -> Iterator[Standing]:
    """Whoever lives may give up at any time."""
    for clone in t.clones:
        if clone.alive and not clone.gives_up:
            ask = t.ask(clone, [("concede",)], "Give up", "PV-1.4")
            yield Standing(ask, concede)


def concede(t: Any, seat: int, option: Option) -> Any:
    """PV-1.4 Dies at once; in the middle of a sentence, when the sentence is done."""
    t.clones[seat].gives_up = True
    t.log("PV-1.4", "{clone} gives up.", clone=t.clones[seat])
    if not t.resolving:
        look_for_deaths(t)
        if t.window and t.reactor in (None, seat):
            t.go(react)


# Words ------------------------------------------------------------------------------------------------------------


def active(t: Vendetta) -> Clone:
    return t.clones[t.active]


WORDS = {
    "ticks": "tick",
    "corpus": "corpus",
    "cerebrium": "cerebrium",
    "hand": "card",
    "states": "state",
    "forgotten": "forgotten card",
}
ICONS = {"ticks": "◷", "corpus": "♥", "cerebrium": "✦", "hand": "▯", "states": "▣", "forgotten": "▽"}


def amount(n: int, what: str) -> str:
    """`2 ticks`, `1 corpus`."""
    return f"{n} {WORDS[what]}" if n == 1 or what in LIFE else f"{n} {WORDS[what]}s"


def bill_in_words(bill: Bill) -> str:
    """`◷ 1 tick, ♥ 2 corpus`: icons for the eye, words for everybody."""
    return ", ".join(f"{ICONS[what]} {amount(n, what)}" for what, n in bill.items() if n) or "nothing"


def phase(t: Vendetta) -> list[tuple[str, bool]]:
    """PV-8.1 Where in the turn we are."""
    return [(name, t.phase == name) for name in ("beginning", "main", "end")]


def picture(view: Any, names: Sequence[str]) -> Iterator[str]:
    """The table in a few lines, for the terminal."""
    yield f"Turn {view.turn}, {names[view.active]}: {view.phase or 'beginning'} phase."
    yield f"Headspace: {cards_in_words(view.headspace)}. Head: {amount(len(view.head), 'hand')}."
    if view.table.count:
        yield f"Being played: {cards_in_words(view.table)}."
    for clone in view.clones:
        yield from clone_in_words(view, clone, names)
    yield from (name_seats(line, names) for line in view.to_come)


def clone_in_words(view: Any, clone: Any, names: Sequence[str]) -> Iterator[str]:
    name = names[clone.seat] + (" (you)" if clone.seat == view.viewer else "")
    if not clone.alive:
        yield f"{name}: dead."
        return
    life = ", ".join(f"{ICONS[what]} {amount(getattr(clone, what), what)}" for what in (*LIFE, "ticks"))
    yield f"{name}: {life}"
    yield f"  hand, up to {view.hand_sizes[clone.seat]}: {cards_in_words(clone.hand)}"
    for card in clone.states:
        yield f"  state {card.name}: {effect_of(card.face)}"
    if clone.forgotten.count:
        yield f"  forgotten: {cards_in_words(clone.forgotten)}"
    if clone.aside.count:
        yield f"  set aside: {amount(len(clone.aside), 'hand')}"


def cards_in_words(zone: Any) -> str:
    if zone.seen:
        return ", ".join(card.name for card in zone.cards) or "none"
    known = f", among them {', '.join(zone.known)}" if zone.known else ""
    return amount(zone.count, "hand") + known


def name_seats(text: str, names: Sequence[str]) -> str:
    for seat, name in enumerate(names):
        text = text.replace(f"@{seat}", name)
    return text


def means(t: Vendetta, seat: int, option: Option) -> str:
    """What an option would do."""
    verb, *rest = option
    if verb == "take":
        extra = bill_of_option(t, seat, option)
        dearer = "" if extra == TAKE else f"Costs {bill_in_words(extra)}. "
        return dearer + text_of(t.face(rest[0]))
    if verb == "play":
        return text_of(t.face(rest[0]))
    if verb == "react":
        face = t.face(rest[0])
        fits = face.said["reacts_to"][0].read(Play(t, seat, rest[0], face))
        doing = effect_of(face) if fits else "Does not fit this action and would do nothing."
        return f"Pay {bill_in_words(bill_of_option(t, seat, option))}. {doing}"
    if verb == "activate":
        return activated(t.face(rest[0]))[rest[1] - 1 if len(rest) > 1 else 0].text + "."
    if verb == "choose":
        clone = t.clones[rest[0]]
        held = amount(len(clone.hand), "hand")
        return f"@{rest[0]}: ♥ {clone.corpus} corpus, ✦ {clone.cerebrium} cerebrium, {held}."
    return ""


def text_of(face: Face) -> str:
    """A card as it reads."""
    price = price_of(face)
    words = printed_price(price) if price else "free"
    condition = f"If reacting to {face.reacts_to}: " if face.type == "reaction" else ""
    return f"{face.discipline.capitalize()} {face.type}, {words}. {condition}{effect_of(face)}"


def printed_price(price: Said) -> str:
    """The cost as printed, with icons."""
    return ", ".join(f"{ICONS[part.filled['what'].value]} {part.text}" for part in price.filled["shares"])


def effect_of(face: Face) -> str:
    """PV-3.6 Benefit and penalty."""
    benefit = [face.get("benefit", ""), *face.get("abilities", ())]
    penalty = [face.get("penalty", ""), *face.get("afflictions", ())]
    parts = [*benefit, "Penalty:", *penalty] if any(penalty) else benefit
    text = " ".join(part for part in parts if part)
    for arrow, sign in (("[down]", "↓"), ("[up]", "↑"), ("[double]", "↕")):
        text = text.replace(arrow, sign)
    return text


def grave(t: Vendetta, seat: int, option: Option) -> str | None:
    """PV-R19 Paying for this would kill."""
    bill = bill_of_option(t, seat, option)
    for what in LIFE:
        if bill.get(what, 0) >= getattr(t.clones[seat], what):
            return f"Paying {amount(bill[what], what)} kills you before anything else happens."
    return None


def bill_of_option(t: Vendetta, seat: int, option: Option) -> Bill:
    """What choosing an option costs."""
    if option[0] == "take":
        return take_bill(t, seat)
    if option[0] == "react":
        return bill_of(t, seat, price_of(t.face(option[1])), reaction=True)
    if option[0] in ("play", "activate"):
        price = next(price for known, price, _ in plays_and_activations(t, seat) if known == option)
        return bill_of(t, seat, price)
    if option[0] == "X":
        reaction = t.reactor == seat
        price = activated_line(t).filled["price"] if t.action == "activate" and not reaction else None
        price = price or price_of(t.face(t.table[-1]))
        return bill_of(t, seat, price, option[1], reaction=reaction)
    return {}
