"""EV-1 to EV-11: set-up, the turn, exhausting, winning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Asking,
    Card,
    Counter,
    Face,
    No,
    Option,
    Part,
    PerCard,
    Play,
    Said,
    Seat,
    Seats,
    Standing,
    State,
    Step,
    Word,
    Zone,
    listed,
    shown,
)

Next = Step | tuple[Step, tuple[int, ...]]

ACTS = 3
GOAL = 4
HAND = 2
LONGEST_ACT = 120
PILES = ("Discard", "Evidence", "Bodycount")
ROLES = ("Vigilante", "Detective")


class Side(Part):
    seat: int
    deck = Zone(seen_by=NOBODY)
    hand = Zone(seen_by=OWNER)
    area = Zone(seen_by=EVERYONE, in_force=True)
    discard = Zone(seen_by=EVERYONE)
    wins = Counter(high=ACTS)
    """Acts this player was credited with."""


class Desk(State):
    sides = Seats(Side)
    evidence = Zone(seen_by=EVERYONE)
    bodycount = Zone(seen_by=EVERYONE)
    act = Counter(1, low=1, high=ACTS)
    vigilante = Seat(0)
    turn = Seat(0)
    turns = Counter(high=LONGEST_ACT)
    """Turns begun in this Act."""
    stage = Word("")

    rotation = PerCard(0)
    """In degrees, of a card in an area. A card's face is the end that is up."""
    used = PerCard(False)
    """Whether its action was used this turn."""

    @property
    def active(self) -> Side:
        """The side whose turn it is."""
        return self.sides[self.turn]

    @shown
    def roles(self) -> tuple[str, ...]:
        return ROLES if self.vigilante == 0 else ROLES[::-1]


# Cards ---------------------------------------------------------------------------------------------------------------


def name(t: Desk, card: Card) -> str:
    """EV-R27 A card is called by the end that is up."""
    return t.face(card).name


def other_end(face: Face) -> Face | None:
    """EV-1.9 What is printed on the other end, or None: most cards have one."""
    return face.get("other") if face.front is face else face.front


def is_active(t: Desk, card: Card) -> bool:
    """EV-3.1 Upright or at 90 degrees."""
    return bool(t.rotation[card] < 180)


def active_cards(t: Desk, *sides: Side) -> list[Card]:
    """The active cards in the areas of these sides, or of both."""
    rotation = t.rotation
    return [card for side in sides or t.sides for card in side.area if rotation[card] < 180]


def in_areas(t: Desk) -> list[Card]:
    return [card for side in t.sides for card in side.area]


def holder(t: Desk, card: Card) -> int:
    """The seat in whose area a card lies."""
    return t.pile_of(card).place.owner or 0


# Turning a card ------------------------------------------------------------------------------------------------------


def rotate(t: Desk, card: Card, by: int) -> None:
    """EV-3.2 Ninety degrees clockwise, never beyond 180."""
    t.rotation[card] = min(180, t.rotation[card] + 90)
    t.log("EV-3.2", "{card} turns to {degrees} degrees.", card=card, degrees=t.rotation[card])


def unrotate(t: Desk, card: Card, by: int) -> None:
    """EV-R1 Ninety degrees back, never past upright."""
    if t.rotation[card]:
        t.rotation[card] -= 90
        t.log("EV-R1", "{card} turns back to {degrees} degrees.", card=card, degrees=t.rotation[card])


def reset(t: Desk, card: Card, by: int) -> Asking:
    """EV-3.6 Upright again. Whoever resets a card with two ends chooses which is up (EV-3.7)."""
    if t.rotation[card]:
        t.rotation[card] = 0
        t.log("EV-3.6", "{card} is reset.", card=card)
    face = t.face(card)
    other = other_end(face)
    if other is None:
        return
    ends = [("up", face.name), ("up", other.name)]
    _, chosen = yield t.ask(by, ends, "Which end is up?", "EV-3.7", default=ends[0], minor=True)
    if chosen == other.name:
        t.log("EV-3.7", "{card} is turned to {end}.", card=card, end=chosen)
        t.turn_to(card, other)


# Set-up --------------------------------------------------------------------------------------------------------------


def build(t: Desk) -> None:
    t.create_all(t.box)


def set_up(t: Desk) -> Step:
    """EV-2.10 All cards go back to their owners' decks, owner's icon up; each player draws two; the Vigilante begins."""
    t.vigilante = (t.act + 1) % 2
    t.turn, t.turns, t.stage = t.vigilante, 0, "set up"
    decks = {role: side.deck for role, side in zip(t.roles(), t.sides, strict=True)}
    cards = [card for pile in t.piles for card in pile]
    t.reveal(cards)  # sorting the cards, both players see whose they are
    for card in cards:
        face = t.face(card)
        if face.front is not face:
            t.turn_to(card, face.front)
        t.move(card, decks[face.front.owner])
    t.rotation, t.used = [0] * len(t.rotation), [False] * len(t.used)
    if t.act == 2 and t.options["act2_variant"]:
        turn_some_ends(t)
    for side in t.sides:
        t.shuffle(side.deck)
    if t.act == 3 and t.options["act3_variant"]:
        swap_unseen_cards(t)
    t.log("EV-2.4", "Act {act}: {who} is the Vigilante, {other} the Detective.", act=t.act, who=t.active,
          other=t.sides[1 - t.turn])  # fmt: skip
    for side in t.sides:
        draw_up_to(t, side, HAND)
    return play_phase


def turn_some_ends(t: Desk) -> None:
    """EV-V1 Half of the copies of a card with two ends, and a single one too, begin with the other end up."""
    for side in t.sides:
        copies: dict[Face, list[Card]] = {}
        for card in side.deck:
            if other := other_end(t.face(card)):
                copies.setdefault(other, []).append(card)
        for other, cards in copies.items():
            for card in cards[: max(1, len(cards) // 2)]:
                t.turn_to(card, other)
    t.log("EV-V1", "Some cards begin with their other end up.")


def swap_unseen_cards(t: Desk) -> None:
    """EV-V2 An unseen card of each deck goes to the other; cards that take cards are put aside meanwhile."""
    aside = [(card, side.deck) for side in t.sides for card in side.deck if takes(t.face(card))]
    for card, _ in aside:
        t.move(card, t.box)
    first, second = [side.deck for side in t.sides]
    mine, yours = first[-1:], second[-1:]
    t.move_all(mine, second)
    t.move_all(yours, first)
    for card, deck in aside:
        t.move(card, deck)
    for side in t.sides:
        t.shuffle(side.deck)
    t.log("EV-V2", "One unseen card of each deck goes to the other.")


def takes(face: Face) -> bool:
    return any("takes" in said.phrase.hints for line in face.lines() for said in line.below())


# Playing and drawing -------------------------------------------------------------------------------------------------


def play_phase(t: Desk) -> Asking:
    """EV-5.1 Play one card from the hand, the end up with which it was drawn (EV-5.2), and do what it says (EV-5.3)."""
    t.stage = "play"
    t.turns += 1
    side = t.sides[t.turn]
    if not side.hand:
        t.log("EV-R10", "{who} has no card to play.", who=side)
        return draw_phase(t)
    _, card = yield t.ask(side, to_play, "Play one card", "EV-5.1")
    t.move(card, side.area)
    t.log("EV-5.1", "{who} plays {card}.", who=side, card=card)
    face = t.face(card)
    if enter := face.said.get("enter"):
        yield from Play(t, side.seat, card, face).carry_out(enter)
    return draw_phase(t)


def to_play(t: Desk, seat: int) -> list[Option | No]:
    """EV-5.1 Any card of the hand; of two that show the same, one."""
    found: list[Option | No] = [("play", card) for card in t.distinct(t.sides[seat].hand)]
    if t.explaining:
        found.append(No(("end",), "EV-5.1", "A card must be played first."))
        for may in permissions(t):
            found.append(No(may.option, "EV-R14", "That can be done only while you use actions."))
    return found


def draw_phase(t: Desk) -> Step:
    """EV-6.1 Draw one card, or as the chosen ruling says (EV-R11)."""
    side = t.sides[t.turn]
    if t.options["draw_rule"] == "refill_to_two":
        draw_up_to(t, side, HAND)
        t.log("EV-R11", "{who} draws up to {hand} cards.", who=side, hand=HAND)
    elif draw_one(t, side):
        t.log("EV-6.1", "{who} draws a card.", who=side)
    else:
        t.log("EV-R9", "{who} has nothing to draw.", who=side)
    t.used = [False] * len(t.used)
    return action_phase


def draw_up_to(t: Desk, side: Side, size: int) -> None:
    while len(side.hand) < size and draw_one(t, side):
        pass


def draw_one(t: Desk, side: Side) -> bool:
    """EV-6.2 An empty deck takes in the discard pile first. Whether a card was drawn: EV-R9."""
    if not side.deck and side.discard:
        t.move_all(side.discard, side.deck)
        t.shuffle(side.deck)
        t.log("EV-6.2", "{who} shuffles the discard pile into the deck.", who=side)
    return t.draw(side.deck, side.hand) is not None


# Actions -------------------------------------------------------------------------------------------------------------


def action_phase(t: Desk) -> Asking:
    """EV-7.1 Use actions and permissions, one at a time, as long as you like."""
    t.stage = "actions"
    side = t.sides[t.turn]
    verb, *what = yield t.ask(
        side, actions, "Use an action, or end the step", "EV-7.1", default=("end",), minor=True
    )
    if verb == "end":
        return rotate_phase(t)
    if verb == "send":
        yield from pay_and_send(t, side.seat, *what)
    else:
        yield from use(t, side.seat, *what)
    return action_phase


def actions(t: Desk, seat: int) -> list[Option | No]:
    """EV-7.1 The actions of one's own cards, on every card they may be used on; permissions; the end."""
    found: list[Option | No] = []
    rotation, used = t.rotation, t.used
    ready = [card for card in t.sides[seat].area if not used[card] and rotation[card] < 180]
    for card in t.distinct(ready) if len(ready) > 1 else ready:
        face = t.face(card)
        if action := face.said.get("action"):
            found += uses(t, seat, card, face, action)
    if t.in_force("ability", "actions"):
        found += permitted(t, seat)
    found.append(("end",))
    return [*found, *closed(t, seat)] if t.explaining else found


def uses(t: Desk, seat: int, card: Card, face: Face, action: list[Said]) -> list[Option]:
    """EV-7.3 One option for each card that the action can be used on; cards that lie alike are one."""
    play = Play(t, seat, card, face)
    targets = action[0].targets()
    candidates = targets[0].candidates(play) if targets else []
    if not candidates:
        anyway = not targets or any(line.aimable(play) for line in action[1:])
        return [("use", card)] if anyway else []
    if len(candidates) == 1:
        return [("use", card, candidates[0])]
    return [("use", card, target) for target in t.distinct(candidates, apart=card)]


def closed(t: Desk, seat: int) -> Iterator[No]:
    """What a player cannot do in the action step, and why."""
    for card in t.sides[seat].area:
        if action := t.face(card).said.get("action"):
            if t.used[card]:
                yield No(("use", card), "EV-7.2", f"{name(t, card)} has been used this turn.")
            elif not is_active(t, card):
                yield No(("use", card), "EV-1.7", f"{name(t, card)} is exhausted.")
            else:
                yield from out_of_reach(t, seat, card, action)
    for card in t.sides[1 - seat].area:
        if t.face(card).said.get("action"):
            yield No(("use", card), "EV-7.1", f"{name(t, card)} does not lie in your area.")
    for card in t.sides[seat].hand:
        yield No(("play", card), "EV-5.1", "One card is played each turn, and this turn's has been.")
    for may in permissions(t):
        have = len(payable(t, seat, may))
        if t.roles()[seat] != may.role:
            yield No(may.option, "EV-11.4", f"Only the {may.role} may do that.")
        elif have < may.many:
            yield No(may.option, "EV-R16", f"That costs {may.many} {may.price}; you can pay with {have}.")


def out_of_reach(t: Desk, seat: int, card: Card, action: list[Said]) -> Iterator[No]:
    """The cards on which an action cannot be used, and why."""
    play = Play(t, seat, card, t.face(card))
    if not uses(t, seat, card, t.face(card), action):
        yield No(("use", card), "EV-7.3", f"There is no card on which {name(t, card)} can be used.")
    for phrase in action[0].targets()[:1]:
        candidates, reach = phrase.candidates(play), phrase.read(play)
        for target in in_areas(t):
            if not is_active(t, target):
                yield No(("use", card, target), "EV-R12", f"{name(t, target)} is exhausted.")
            elif target not in reach:
                yield No(
                    ("use", card, target), "EV-7.3", f"{name(t, card)} does not reach {name(t, target)}."
                )
            elif target not in candidates:
                rule, why = action[0].phrase.hints["idle"]
                yield No(("use", card, target), rule, f"{name(t, target)} {why}.")


def use(t: Desk, seat: int, card: Card, target: Card | None = None) -> Asking:
    """EV-7.2 A card's action, once a turn."""
    t.used[card] = True
    t.log("EV-7.1", "{who} uses {card}.", who=t.sides[seat], card=card)
    face = t.face(card)
    action = face.said["action"]
    play = Play(t, seat, card, face)
    if target is not None:
        play.aimed[action[0].targets()[0].path] = target
    return play.carry_out(action)


class Permission(NamedTuple):
    """What a card lets a player do: who may discard how many of what, to send which card where."""

    role: str
    many: int
    price: str
    target: Card
    pile: str

    @property
    def option(self) -> Option:
        return ("send", self.target, self.pile, self.many, self.price)


def permissions(t: Desk) -> list[Permission]:
    """EV-R15 What cards in either area let the players do."""
    found = []
    for play, _, said in t.in_force("ability", "actions"):
        assert play.this is not None, "a permission is printed on a card"
        role, many, price, pile = said.read(play)
        found.append(Permission(role, many, price, play.this, pile))
    return found


def permitted(t: Desk, seat: int) -> list[Option]:
    """EV-11.4 What this player is allowed and can pay for; of cards that lie alike, one is sent."""
    role = t.roles()[seat]
    mays = [may for may in permissions(t) if may.role == role and len(payable(t, seat, may)) >= may.many]
    if len(mays) > 1:
        sent = t.distinct(list(dict.fromkeys(may.target for may in mays)))
        mays = [may for may in mays if may.target in sent]
    return list(dict.fromkeys([may.option for may in mays]))


def payable(t: Desk, seat: int, may: Permission) -> list[Card]:
    """EV-R16 What can pay: cards of the name in hand, and active ones in one's own area; not the card that is sent."""
    cards = (*t.sides[seat].hand, *active_cards(t, t.sides[seat]))
    return [card for card in cards if card != may.target and name(t, card) == may.price]


def pay_and_send(t: Desk, seat: int, *terms: Any) -> Asking:
    """EV-11.4 Discard the price and send the card away. It does not exhaust (EV-R15)."""
    may = next(may for may in permissions(t) if may.option[1:] == terms)

    def payments(t: Desk, seat: int) -> list[Option]:
        """Cards that lie alike are one payment."""
        return [("discard", card) for card in t.distinct(payable(t, seat, may))]

    for _ in range(may.many):
        _, card = yield t.ask(seat, payments, f"Discard {may.price}", "EV-R16", minor=True)
        send(t, card, "Discard", seat, "EV-R16")
    send(t, may.target, may.pile, holder(t, may.target), "EV-11.4")


# Rotating and exhausting ---------------------------------------------------------------------------------------------


def rotate_phase(t: Desk) -> Step:
    """EV-8.1 Every card in your own area turns, and no other (EV-8.2)."""
    t.stage = "rotate"
    side, rotation = t.sides[t.turn], t.rotation
    for card in side.area:
        if rotation[card] < 180:
            rotation[card] += 90
    if side.area:
        t.log("EV-8.1", "{who} turns {cards}.", who=side, cards=side.area)
    return exhaust_phase


def exhaust_phase(t: Desk) -> Asking:
    """EV-9.1 Every card upside down, in either area, leaves it. The turn's player chooses the order (EV-R4)."""
    t.stage = "exhaust"
    while waiting := exhausted(t, t.turn):
        _, card = waiting[0]
        if len(waiting) > 1:
            _, card = yield t.ask(t.turn, exhausted, "Which exhausted card leaves next?", "EV-R4", minor=True)
        yield from exhaust(t, card)
    return win_check(t)


def exhausted(t: Desk, seat: int) -> list[Option]:
    """The exhausted cards; of several that lie alike, one."""
    rotation, gone = t.rotation, []
    for side in t.sides:
        for card in side.area:
            if rotation[card] == 180:
                gone.append(card)
    if len(gone) > 1:
        gone = t.distinct(gone)
    return [("exhaust", card) for card in gone] if gone else []


def exhaust(t: Desk, card: Card) -> Asking:
    """EV-R28 The printed line, then the card's own condition, then what other cards say; then what follows."""
    you, face = holder(t, card), t.face(card)
    to, end = face.said["exhaust"][0].read(Play(t, you, card, face))

    def offer(change: dict[str, Any]) -> Option:
        return ("send", card, change["to"])

    goes = yield from t.would("gate", t.turn, offer, of=card, to=to, end=end)
    goes = yield from t.would(
        "redirect", t.turn, offer, card=card, to=goes.to, end=goes.end, redirected=False
    )
    t.happened("exhausted", of=card)
    t.log("EV-9.1", "{card} is exhausted.", card=card)
    if goes.end:
        t.turn_to(card, t.content.named[goes.end])
    send(t, card, goes.to, you, "EV-9.2")
    while t.queue:
        yield from t.resolve(t.queue[0])


def send(t: Desk, card: Card, pile: str, seat: int, rule: str) -> None:
    """EV-1.2 A card leaves its area for a pile. Discard is the pile of the player in whose area it lay (EV-9.5)."""
    t.rotation[card], t.used[card] = 0, False
    if pile == "Discard":
        t.move(card, t.sides[seat].discard)
        t.log(rule, "{card} goes to the discard pile of {who}.", card=card, who=t.sides[seat])
    else:
        t.move(card, t.evidence if pile == "Evidence" else t.bodycount)
        t.log(rule, "{card} goes to {pile}.", card=card, pile=pile)


# Winning -------------------------------------------------------------------------------------------------------------


def win_check(t: Desk) -> Next:
    """EV-10.3 At the end of a turn, and only then, see whose goal is met."""
    t.stage = "check"
    met = goals_met(t)
    if met and t.act == 3:
        if t.turn == t.vigilante:
            t.log(
                "EV-R6",
                "A goal is met. {who} has the turn that completes the round.",
                who=t.sides[1 - t.turn],
            )
            return next_turn(t)
        if len(met) == 2:
            t.over(met, "Both goals were met in the same round: the players win together.", "EV-10.5")
    if met:
        return act_end, credited(t, met)
    if t.turns >= LONGEST_ACT:
        return act_end, larger_pile(t)
    return next_turn(t)


def next_turn(t: Desk) -> Step:
    """EV-4.1 It is the other player's turn."""
    t.turn = 1 - t.turn
    return play_phase


def goals_met(t: Desk) -> tuple[int, ...]:
    """EV-R19 The seats whose pile holds four cards or more: EV-10.1, EV-10.2."""
    bodies = (t.vigilante,) if len(t.bodycount) >= GOAL else ()
    return (*bodies, 1 - t.vigilante) if len(t.evidence) >= GOAL else bodies


def credited(t: Desk, met: tuple[int, ...]) -> tuple[int, ...]:
    """EV-R5 Who is credited when both goals are met in one turn: by the chosen ruling."""
    if len(met) == 1:
        return met
    return {"both": met, "turn_player": (t.turn,), "nobody": ()}[t.options["double_goal"]]


def larger_pile(t: Desk) -> tuple[int, ...]:
    """EV-R26 An endless Act goes to the larger pile."""
    if len(t.bodycount) > len(t.evidence):
        return (t.vigilante,)
    return (1 - t.vigilante,) if len(t.evidence) > len(t.bodycount) else ()


def act_end(t: Desk, winners: tuple[int, ...]) -> Step:
    """EV-10.4 Two Acts win the match (EV-R7); otherwise the roles change and the next Act begins (EV-2.4)."""
    for seat in winners:
        t.sides[seat].wins += 1
    names = listed([f"@{seat}" for seat in winners]) if winners else "Nobody"
    t.log("EV-10.4", "{names} won Act {act}.", names=names, act=t.act)
    ahead = [side for side in t.sides if side.wins >= 2]
    decided = len(ahead) == 2 or (ahead and not t.options["always_play_act3"])
    if decided or t.act == ACTS:
        return match_end
    t.act += 1
    return set_up


def match_end(t: Desk) -> NoReturn:
    """EV-10.4 The player with more Acts has won; with two each both have (EV-R5); otherwise nobody has (EV-R26)."""
    wins = [side.wins for side in t.sides]
    best = [side.seat for side in t.sides if side.wins == max(wins)]
    if len(best) == 1:
        t.over(best, f"@{best[0]} won {max(wins)} Acts to {min(wins)}.", "EV-10.4", wins)
    if min(wins) >= 2:
        t.over(best, "Both players won two Acts: they win together.", "EV-R5", wins)
    t.over([], "Neither player won more Acts: the match is drawn.", "EV-R26", wins)


def standing(t: Desk) -> Iterator[Standing]:
    """EV-D6 Either player may give the Act up at any time."""
    for seat in t.seat_numbers:
        yield Standing(t.ask(seat, [("concede",)], "Give up", "EV-D6"), concede)


def concede(t: Desk, seat: int, option: Option) -> NoReturn:
    t.log("EV-D6", "{who} gives up the Act.", who=t.sides[seat])
    t.go(act_end, (1 - seat,))
