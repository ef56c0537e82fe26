"""Engines of Vengeance: set-up, the turn, exhausting, winning."""

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    Counter,
    No,
    Part,
    PerCard,
    Play,
    Seat,
    Seats,
    Source,
    Standing,
    State,
    Value,
    Word,
    Zone,
    listed,
    shown,
)

GOAL = 4
HAND = 2
LONGEST_ACT = 120


class Side(Part):
    deck = Zone(seen_by=NOBODY)
    hand = Zone(seen_by=OWNER)
    area = Zone(seen_by=EVERYONE)
    discard = Zone(seen_by=EVERYONE)
    wins = Counter()


class Desk(State):
    sides = Seats(Side)
    evidence = Zone(seen_by=EVERYONE)
    bodycount = Zone(seen_by=EVERYONE)
    act = Counter(1, low=1, high=3)
    vigilante = Seat(0)
    turn = Seat(0)
    turns = Counter()
    last_turn = Value(False)
    """Act 3: a goal was met in the Vigilante's turn, and the Detective completes the round."""
    stage = Word("")

    rotation = PerCard(0)
    used = PerCard(False)
    up = PerCard(0, travels=True)
    """Which end of a double-ended card is up: 0 its first, 1 its other."""

    @property
    def active(self):
        return self.sides[self.turn]

    @shown
    def roles(self):
        return tuple("Vigilante" if seat == self.vigilante else "Detective" for seat in self.seat_numbers)


# Cards -----------------------------------------------------------------------------------------------------------


def end(t, card):
    """EV-R27 The face that is up now."""
    face = t.face(card)
    return face.other if t.up[card] else face


def card_name(t, card):
    return end(t, card).name


def other_end(t, card):
    """The end that is not up, of a double-ended card."""
    face = t.face(card)
    other = face.get("other")
    return None if other is None else (face if t.up[card] else other)


def is_active(t, card):
    """EV-3.1 Not exhausted."""
    return t.rotation[card] < 180


def active_cards(t, seats):
    return [card for seat in seats for card in t.sides[seat].area if is_active(t, card)]


def shows_active(t, card, name):
    return is_active(t, card) and card_name(t, card) == name


def controller(t, card):
    return t.pile_of(card).place.owner


def sources(t):
    """Every card lying in an area: its special rules may be in force."""
    for side in t.sides:
        for card in side.area:
            yield Source(card, end(t, card), side.seat)


def owner_seat(t, role):
    return t.vigilante if role == "Vigilante" else 1 - t.vigilante


# Turning -----------------------------------------------------------------------------------------------------------


def rotate(t, card, by):
    """EV-3.2 Ninety degrees clockwise, never beyond 180."""
    t.rotation[card] = min(180, t.rotation[card] + 90)
    t.log("EV-3.2", "{card} turns to {degrees} degrees.", card=card, degrees=t.rotation[card])
    return
    yield


def unrotate(t, card, by):
    """EV-R1 Ninety degrees back, never past the start."""
    if t.rotation[card]:
        t.rotation[card] -= 90
        t.log("EV-R1", "{card} turns back to {degrees} degrees.", card=card, degrees=t.rotation[card])
    return
    yield


def reset(t, card, by):
    """EV-3.6 Back to the start; who resets a double-ended card chooses its end."""
    t.rotation[card] = 0
    other = other_end(t, card)
    if other:
        _, name = yield t.ask(by, [("up", card_name(t, card)), ("up", other.name)], "Which end is up?", "EV-3.7")
        if name == other.name:
            t.up[card] = 1 - t.up[card]
    t.log("EV-3.6", "{card} is reset.", card=card)


# Set-up --------------------------------------------------------------------------------------------------------------


def build(t):
    t.create_all(t.box)


def set_up_act(t):
    """EV-2.5 Cards go to their owners' decks; both are shuffled; each draws two; the Vigilante begins."""
    t.stage = "set up"
    t.vigilante = 0 if t.act != 2 else 1
    t.turn, t.turns, t.last_turn = t.vigilante, 0, False
    for pile in t.piles:
        for card in list(pile):
            t.rotation[card], t.up[card], t.used[card] = 0, 0, False
            t.move(card, t.sides[owner_seat(t, t.face(card).owner)].deck)
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


def turn_some_ends(t):
    """EV-D2 Single double-ended cards and half of the others begin with their other end up."""
    for side in t.sides:
        copies = {}
        for card in side.deck:
            if t.face(card).get("other"):
                copies.setdefault(t.faces[card], []).append(card)
        for cards in copies.values():
            for card in cards[: max(1, len(cards) // 2)]:
                t.up[card] = 1


def swap_unseen_cards(t):
    """EV-D3 Two unseen cards change decks, the cards that take being put aside meanwhile."""
    aside = []
    for side in t.sides:
        takers = [card for card in side.deck if any(said.phrase.pattern.startswith("take ") for said in end(t, card).lines())]
        aside += [(card, side) for card in takers]
    for card, _ in aside:
        t.move(card, t.box)
    tops = [side.deck[-1] for side in t.sides]
    for card, side in zip(tops, reversed(t.sides), strict=True):
        t.move(card, side.deck)
    for card, side in aside:
        t.move(card, side.deck)
    for side in t.sides:
        t.shuffle(side.deck)
    t.log("EV-D3", "One unseen card of each deck goes to the other.")


# The turn ------------------------------------------------------------------------------------------------------------


def to_play(t, seat):
    """EV-5.1 Either card of the hand; two of the same are the same."""
    names = {}
    for card in t.sides[seat].hand:
        names.setdefault(card_name(t, card), ("play", card))
    return list(names.values())


def play_phase(t):
    """EV-5.1 Play one card."""
    t.stage = "play"
    t.turns += 1
    side = t.active
    if not side.hand:
        t.log("EV-R10", "{who} has no card to play.", who=side)
        return draw_phase
    _, card = yield t.ask(side, to_play, "Play one card", "EV-5.1")
    t.rotation[card], t.used[card] = 0, False
    t.move(card, side.area)
    t.log("EV-5.1", "{who} plays {card}.", who=side, card=card)
    yield from Play(t, side.seat, card, end(t, card)).carry_out(end(t, card).said.get("enter", ()))
    return draw_phase


def draw_up_to(t, side, size):
    while len(side.hand) < size:
        if not draw_one(t, side):
            return


def draw_one(t, side):
    """EV-6.2 An empty deck takes the discard pile in first."""
    if not side.deck and side.discard:
        t.move_all(side.discard, side.deck)
        t.shuffle(side.deck)
        t.log("EV-6.2", "{who} shuffles the discard pile into the deck.", who=side)
    return t.draw(side.deck, side.hand) is not None


def draw_phase(t):
    """EV-6.1 Draw a replacement."""
    side = t.active
    if t.options["draw_rule"] == "one":
        if draw_one(t, side):
            t.log("EV-6.1", "{who} draws a card.", who=side)
        else:
            t.log("EV-R9", "{who} has nothing to draw.", who=side)
    else:
        draw_up_to(t, side, HAND)
        t.log("EV-R11", "{who} draws up to {hand} cards.", who=side, hand=HAND)
    for both in t.sides:
        for card in both.area:
            t.used[card] = False
    return action_phase


def actions(t, seat):
    """EV-7.1 The unused actions of one's active cards, on each card they may turn or take; permissions; the end."""
    side = t.sides[seat]
    for card in side.area:
        for line in end(t, card).said.get("action", ()):
            if t.used[card]:
                if t.explaining:
                    yield No(("use", card), "EV-7.2", f"{card_name(t, card)} has been used this turn.")
            elif not is_active(t, card):
                if t.explaining:
                    yield No(("use", card), "EV-1.7", f"{card_name(t, card)} is exhausted.")
            else:
                yield from uses(t, seat, card, line)
    if t.explaining:
        yield from unplayable(t, seat)
    yield from (("kill", target) for target, _ in permissions(t, seat))
    yield ("end",)


def unplayable(t, seat):
    for card in t.sides[seat].hand:
        yield No(("play", card), "EV-5.1", "One card is played each turn, and this turn's has been.")
    for card in t.sides[1 - seat].area:
        if end(t, card).said.get("action"):
            yield No(("use", card), "EV-7.1", f"{card_name(t, card)} does not lie in your area.")


def uses(t, seat, card, line):
    """One option for each target an action may have; one without a target, if it needs none."""
    play = Play(t, seat, card, end(t, card))
    targets = line.targets()
    if not targets:
        yield ("use", card)
        return
    candidates = targets[0].candidates(play)
    yield from (("use", card, target) for target in candidates)
    if t.explaining and not candidates:
        yield No(("use", card), "EV-R12", "No active card would be changed by it.")


def permissions(t, seat):
    """EV-11.4 Cards in either area that this seat may send away, and what it would pay."""
    role = t.roles()[seat]
    for side in t.sides:
        for card in side.area:
            for line in end(t, card).said.get("special", ()):
                if "permission" in line.filled:
                    terms = line.filled["permission"].read(Play(t, seat, card, end(t, card)))
                    if terms[0] == role and len(prices(t, seat, terms[2])) >= terms[1]:
                        if card_name(t, card) == terms[3]:
                            yield card, terms


def prices(t, seat, name):
    """EV-R16 What can pay: in hand, or active in one's own area."""
    side = t.sides[seat]
    return [card for card in side.hand if card_name(t, card) == name] + [
        card for card in side.area if shows_active(t, card, name)
    ]


def action_phase(t):
    """EV-7.1 Use actions, one at a time, until you end the step."""
    t.stage = "actions"
    side = t.active
    option = yield t.ask(side, actions, "Use an action, or end the step", "EV-7.1", default=("end",))
    if option[0] == "end":
        return rotate_phase
    if option[0] == "kill":
        yield from pay_and_send(t, side.seat, option[1])
        return action_phase
    card = option[1]
    t.used[card] = True
    t.log("EV-7.1", "{who} uses {card}.", who=side, card=card)
    play = Play(t, side.seat, card, end(t, card))
    for line in end(t, card).said["action"]:
        for target in line.targets():
            play.aimed[target.path] = option[2]
        yield from line.run(play)
    return action_phase


def pay_and_send(t, seat, target):
    """EV-11.4 Discard the price, from hand or own area, and send the card away."""
    terms = next(terms for card, terms in permissions(t, seat) if card == target)
    _, count, price, _, pile = terms
    for _ in range(count):
        _, card = yield t.ask(seat, lambda t, seat: payments(t, seat, price), f"Discard {price}", "EV-R16")
        t.log("EV-R16", "{who} discards {card}.", who=t.sides[seat], card=card)
        t.move(card, t.sides[seat].discard)
    send(t, target, pile, controller(t, target), "EV-11.4")


def payments(t, seat, price):
    """One from the hand and one from the area stand for all of theirs, unless they lie differently."""
    ways = {}
    for card in prices(t, seat, price):
        hand = card in t.sides[seat].hand
        ways.setdefault((hand, 0 if hand else t.rotation[card]), ("discard", card))
    return list(ways.values())


def rotate_phase(t):
    """EV-8.1 Every card in your own area turns."""
    t.stage = "rotate"
    for card in t.active.area:
        t.rotation[card] = min(180, t.rotation[card] + 90)
    if t.active.area:
        t.log("EV-8.1", "The cards of {who} turn.", who=t.active)
    return exhaust_phase


def exhausted(t, seat):
    return [("exhaust", card) for side in t.sides for card in side.area if not is_active(t, card)]


def exhaust_phase(t):
    """EV-9.1 Every card upside down leaves its area, in an order the turn's player chooses."""
    t.stage = "exhaust"
    waiting = exhausted(t, t.turn)
    if not waiting:
        return win_check
    option = waiting[0]
    if len(waiting) > 1:
        option = yield t.ask(t.turn, exhausted, "Which exhausted card leaves next?", "EV-R4")
    yield from exhaust(t, option[1])
    return exhaust_phase


def exhaust(t, card):
    """EV-R28 The printed line, then the gate, then what other cards say."""
    you = controller(t, card)
    face = end(t, card)
    to, shows = face.said["exhaust"][0].read(Play(t, you, card, face))

    def offer(change):
        return ("send", card, change["to"])

    goes = yield from t.would("gate", t.turn, offer, card=card, to=to, shows=shows)
    goes = yield from t.would("redirect", t.turn, offer, **vars(goes))
    t.happened("exhausted", card=card)
    if goes.shows and goes.shows != face.name:
        t.up[card] = 1 - t.up[card]
    t.log("EV-9.1", "{card} is exhausted.", card=face.name)
    send(t, card, goes.to, you, "EV-9.2")
    while t.queue:
        yield from t.resolve(t.queue[0])


def send(t, card, pile, seat, rule):
    """A card goes to a pile; Discard is that of the player in whose area it lay."""
    t.rotation[card], t.used[card] = 0, False
    piles = {"Evidence": t.evidence, "Bodycount": t.bodycount, "Discard": t.sides[seat].discard}
    t.move(card, piles[pile])
    t.log(rule, "{card} goes to {pile}.", card=card, pile="the discard pile" if pile == "Discard" else pile)


# Winning ---------------------------------------------------------------------------------------------------------------


def goals_met(t):
    """EV-10.1 The seats whose pile holds four or more."""
    met = []
    if len(t.bodycount) >= GOAL:
        met.append(t.vigilante)
    if len(t.evidence) >= GOAL:
        met.append(1 - t.vigilante)
    return met


def win_check(t):
    """EV-10.3 Only at the end of a turn."""
    t.stage = "check"
    met = goals_met(t)
    if t.act == 3 and met:
        if t.turn == t.vigilante and not t.last_turn:
            t.last_turn = True
            t.log("EV-R6", "A goal is met; {who} still has the turn that completes the round.",
                  who=t.sides[1 - t.turn])  # fmt: skip
            t.turn = 1 - t.turn
            return play_phase
        if len(met) == 2:
            t.over(met, "Both sides reached their goal in the same round: a shared victory.", "EV-10.5")
    if met:
        return act_end, credited(t, met)
    if t.turns >= LONGEST_ACT:
        return act_end, larger_pile(t)
    t.turn = 1 - t.turn
    return play_phase


def credited(t, met):
    """EV-R5 Both goals in one turn: by the chosen ruling."""
    if len(met) == 1:
        return tuple(met)
    return {"both": tuple(met), "turn_player": (t.turn,), "nobody": ()}[t.options["double_goal"]]


def larger_pile(t):
    """EV-R26 An endless Act goes to the larger pile."""
    if len(t.bodycount) == len(t.evidence):
        return ()
    return (t.vigilante,) if len(t.bodycount) > len(t.evidence) else (1 - t.vigilante,)


def act_end(t, winners):
    """EV-10.4 Two Acts win the match; roles swap between Acts."""
    for seat in winners:
        t.sides[seat].wins += 1
    names = listed([f"@{seat}" for seat in winners]) if winners else "Nobody"
    t.log("EV-10.1", "{names} won Act {act}.", names=names, act=t.act)
    two = [side.seat for side in t.sides if side.wins >= 2]
    if t.act == 3 or (two and not t.options["always_play_act3"]) or len(two) == 2:
        return match_end
    t.act += 1
    return set_up_act


def match_end(t):
    """EV-10.4 Who won more Acts."""
    wins = [side.wins for side in t.sides]
    best = [seat for seat, won in enumerate(wins) if won == max(wins)]
    if len(best) == 1:
        t.over(best, f"@{best[0]} won {wins[best[0]]} Acts to {wins[1 - best[0]]}.", "EV-10.4", wins)
    if min(wins) >= 2:
        t.over(best, "Both players won two Acts: a shared victory.", "EV-R5", wins)
    t.over([], "Neither player won more Acts: the match is drawn.", "EV-R26", wins)


def standing(t):
    """EV-D6 Either player may concede the Act at any time."""
    for seat in t.seat_numbers:
        yield Standing(t.ask(seat, [("concede",)], "Concede the Act", "EV-D6"), concede)


def concede(t, seat, option):
    t.log("EV-D6", "{who} concedes the Act.", who=t.sides[seat])
    t.go(act_end, (1 - seat,))


# Words -----------------------------------------------------------------------------------------------------------------


def words(t, seat, option):
    verb, *rest = option
    name = card_name(t, rest[0]) if rest and not isinstance(rest[0], str) else ""
    match verb:
        case "use":
            action = end(t, rest[0]).said["action"][0].text.split()[0].lower()
            return f"{name}: {action}" + (f" {card_name(t, rest[1])}" if len(rest) > 1 else "")
        case "end":
            return "end actions"
        case "kill":
            terms = next(terms for card, terms in permissions(t, seat) if card == rest[0])
            return f"send {name} to {terms[4]}"
        case "choose":
            return f"{name} to Evidence"
        case "send":
            return f"{name} to {rest[1]}"
        case "up":
            return f"{rest[0]} up"
        case "discard":
            return f"discard {name}" + (" from hand" if rest[0] in t.sides[seat].hand else "")
    return None


def means(t, seat, option):
    verb, *rest = option
    match verb:
        case "play":
            face = end(t, rest[0])
            lines = [line.text for line in face.said.get("enter", ())]
            return f"Put {face.name} into your area" + (f": {'; '.join(lines)}." if lines else ".")
        case "use" if len(rest) > 1:
            degrees = t.rotation[rest[1]]
            side = "yours" if controller(t, rest[1]) == seat else "theirs"
            action = end(t, rest[0]).said["action"][0].text
            return f"{action}: {card_name(t, rest[1])}, {side}, now at {degrees} degrees."
        case "kill":
            terms = next(terms for card, terms in permissions(t, seat) if card == rest[0])
            return f"Discard {terms[1]} {terms[2]} and send {terms[3]} to {terms[4]}."
        case "end":
            return "Your cards turn; exhausted ones leave."
    return ""


STAGES = ("play", "actions", "rotate", "exhaust", "check")


def phase(t):
    return [(stage, stage == t.stage) for stage in STAGES]
