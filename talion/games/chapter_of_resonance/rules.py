"""A Chapter of Resonance: set-up, the three phases of a round, the ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from talion.kernel import (
    EVERYONE,
    NOBODY,
    OWNER,
    TOP,
    Ask,
    Asking,
    Card,
    Chance,
    Content,
    Counter,
    Face,
    First,
    Flag,
    Game,
    No,
    Option,
    Part,
    Parts,
    PerCard,
    Pile,
    Play,
    Seats,
    Source,
    Standing,
    State,
    Together,
    Value,
    Word,
    Zone,
    default_of,
    listed,
    shown,
)
from talion.kernel.asks import Options

Next = Any
"""The step that comes next, with its arguments."""

TYPES = ("Herb", "Mineral", "Potion")
PILES = {
    "Herb": "herbs",
    "Mineral": "minerals",
    "Potion": "potions",
    "Artifact": "artifacts",
    "Incantation": "incantations",
}
TIE_RANK = {"Herb": 1, "Mineral": 2, "Potion": 3}
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII")
CHAINS = 3
OBJECTIVES = 5
RIVAL = -1
"""How the Rival of the solo mode is named where a seat would be."""
SPENT = ("Incantation", 0)
"""What an Incantation stands for once it has cast a Spell that did not transform it."""
END = "the end of the round"


class Witch(Part):
    """What lies before a player, and what she holds."""

    seat: int
    witch = Zone(seen_by=EVERYONE)
    spell = Zone(seen_by=EVERYONE)
    tokens = Value(())
    """The ring numbers of the objectives she has activated."""
    hand = Zone(seen_by=OWNER)
    offer = Zone(seen_by=OWNER)
    """The two Spell cards she chooses from at the beginning."""
    played = Zone(seen_by=OWNER)
    """Her card in the centre while it lies face down."""
    draws = Word("")
    """What she chose to draw this round and has not drawn yet."""
    acted = Flag()
    to_take = Counter(0, high=2)
    taken = Value(())
    """In a race: how many Ritual Objects she still takes, and the types she took."""
    laying = Flag()
    """In a race: she lays down a card, and has not said which."""
    conceded = Flag()


class Rival(Part):
    """The opponent in the solo mode: objectives and tokens, nothing else."""

    witch = Zone(seen_by=EVERYONE)
    tokens = Value(())


class Coven(State):
    witches = Seats(Witch)
    rival = Parts(Rival, 1)
    ring = Zone(seen_by=EVERYONE)
    demon = Counter(1, low=1, high=8)
    """The number of the ring card the Demon stands on."""
    demon_card = Zone(seen_by=EVERYONE, in_force=True)
    chains = Counter(CHAINS, high=CHAINS)
    round = Counter()
    stage = Word("draft")
    centre = Zone(seen_by=EVERYONE)
    herbs = Zone(seen_by=EVERYONE)
    minerals = Zone(seen_by=EVERYONE)
    potions = Zone(seen_by=EVERYONE)
    artifacts = Zone(seen_by=TOP)
    incantations = Zone(seen_by=TOP)
    transients = Zone(seen_by=NOBODY)
    spell_deck = Zone(seen_by=NOBODY)
    reserve = Zone(seen_by=EVERYONE)
    unused = Zone(seen_by=EVERYONE)
    """Witch and Demon cards that nobody has chosen."""
    removed = Zone(seen_by=EVERYONE)
    solo_deck = Zone(seen_by=NOBODY)
    solo_discards = Zone(seen_by=EVERYONE)
    solo_unseen = Zone(seen_by=NOBODY)
    """Solo cards discarded without being turned up."""
    quarry = Word("")

    by = PerCard(None)
    """Whose card this is, in the centre."""
    shape = PerCard(None)
    """What a card in the centre was transformed into: a sort and a number."""

    @classmethod
    def begin(
        cls, game: Game, content: Content, seats: int, chance: Chance, options: dict[str, Any]
    ) -> Coven:
        """CR-A15 The two shuffled piles lie face up, or face down if the match was set up so."""
        t = super().begin(game, content, seats, chance, options)
        if options["open_piles"] == "no":
            t.artifacts.place.seen_by = t.incantations.place.seen_by = NOBODY
        return t

    @property
    def solo(self) -> bool:
        return self.seats_taken == 1

    @shown
    def first(self) -> int:
        """CR-A13 The seat with which the order of this round begins."""
        return (self.round - 1) % self.seats_taken if self.round else 0

    def in_order(self) -> list[Witch]:
        """CR-A13 The players, in the order that holds this round."""
        first = self.first()
        return [*self.witches[first:], *self.witches[:first]]

    def everyone(self) -> list[Witch | Rival]:
        """Players in this round's order, and the Rival last."""
        return [*self.in_order(), *(self.rival if self.solo else ())]


# Cards -----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def sort_of(face: Face) -> str:
    """What kind of card a face is, for drawing, playing and discarding: a type, Artifact, or Incantation."""
    return face.get("type") or face.kind.capitalize()


def stands_for(t: Coven, card: Card) -> tuple[str, int]:
    """CR-9.1 What a card in the centre counts as now: a sort, and how many of it."""
    return t.shape[card] or (sort_of(t.face(card)), 1)


def pile(t: Coven, sort: str) -> Pile:
    return getattr(t, PILES[sort])


def distinct(t: Coven, cards: Iterable[Card]) -> list[Card]:
    """One card for each face: two of the same are the same."""
    faces = {}
    for card in cards:
        faces.setdefault(t.faces[card], card)
    return [faces[face] for face in sorted(faces)]


def held(t: Coven, witch: Witch, sorts: Sequence[str]) -> list[Card]:
    """The different cards of these sorts in a hand."""
    return [card for card in distinct(t, witch.hand) if sort_of(t.face(card)) in sorts]


def remove(t: Coven, card: Card) -> None:
    """CR-8.7 Out of the game."""
    t.move(card, t.removed)


def ring_face(t: Coven, number: int) -> Face:
    return t.face(t.ring[number - 1])


def objectives(t: Coven, witch: Witch | Rival) -> list[int]:
    """CR-1.4 The five ring cards this Witch wants."""
    return t.face(witch.witch[0]).objectives


def witch_at(t: Coven, who: int) -> Witch | Rival:
    return t.rival[0] if who == RIVAL else t.witches[who]


def witch_name(t: Coven, witch: Witch | Rival) -> str:
    return t.face(witch.witch[0]).name


def sources(t: Coven) -> Iterator[Source]:
    """CR-11.2 The Gates that bear a player's token are in force for her."""
    for witch in t.witches:
        for number in witch.tokens:
            card = t.ring[number - 1]
            face = t.face(card)
            if face.said:
                yield Source(card, face, witch.seat)


# Asking ----------------------------------------------------------------------------------------------------------------


def put(
    t: Coven,
    witch: Witch,
    options: Options,
    prompt: str,
    rule: str,
    default: Option | None = None,
    *,
    minor: bool = False,
) -> Asking:
    """CR-A44 Asks a player; for one who has conceded the plainest choice is made."""
    ask = t.ask(witch, options, prompt, rule, default, minor=minor)
    return default_of(ask, t) if witch.conceded else (yield ask)


def serve(t: Coven) -> Asking:
    """Carries out what cards had been watching for."""
    while t.queue:
        yield from t.resolve(t.queue[0])


# Set-up ----------------------------------------------------------------------------------------------------------------


def build(t: Coven) -> None:
    """CR-3.2 The ring, the piles, and what is shuffled in a moment."""
    homes = {
        "transient": t.transients,
        "artifact": t.artifacts,
        "incantation": t.incantations,
        "witch": t.unused,
        "demon": t.unused,
        "spell": t.spell_deck,
        "solo": t.solo_deck,
        "gate": t.ring,
        "vengeance": t.ring,
    }
    for face in sorted(t.content.faces, key=lambda face: face.get("number", 0)):
        home = pile(t, face.type) if face.kind == "ritual" else homes[face.kind]
        for _ in range(face.count):
            t.create(face, home)


def set_up(t: Coven) -> Next:
    """CR-3.5 The stacks are shuffled and the Demon is chosen."""
    for stack in (t.artifacts, t.incantations, t.transients, t.spell_deck):
        t.shuffle(stack)
    choose_demon(t)
    return draft, 0


def choose_demon(t: Coven) -> None:
    """CR-4.1 One of the Demon cards, at random or as the match was set up."""
    wanted = t.options["demon"]
    demons = [card for card in t.unused if t.face(card).kind == "demon"]
    if wanted == "none":
        return
    if wanted != "random":
        demons = [card for card in demons if t.face(card).name.split()[0] == wanted]
    card = t.move(t.chance.pick(demons), t.demon_card)
    t.log("CR-4.1", "The Demon is {card}.", card=card)


def draft(t: Coven, seat: int) -> Asking:
    """CR-4.4 Look at two Spell cards, keep one, put the other under the deck."""
    witch = t.witches[seat]
    if seat == 3:
        t.shuffle(t.spell_deck)
    for _ in range(2):
        t.draw(t.spell_deck, witch.offer)
    offer = list(witch.offer)
    option = yield from put(t, witch, [("keep", card) for card in offer], "Keep one Spell card", "CR-4.4")
    kept = option[1]
    t.move(kept, witch.spell)
    t.move(witch.offer[0], t.spell_deck, bottom=True)
    t.move(witch_card(t, kept), witch.witch)
    t.log("CR-4.6", "{who} is {name}.", who=witch, name=witch_name(t, witch))
    if seat + 1 < t.seats_taken:
        return draft, seat + 1
    return choose_rival if t.solo else deal


def witch_card(t: Coven, spell: Card) -> Card:
    """CR-2.2 The Witch card that belongs to a Spell card."""
    name = t.face(spell).witch
    return next(card for card in t.unused if t.face(card).name == name)


def choose_rival(t: Coven) -> Next:
    """CR-16.1 The Witch of the top Spell card is the Rival; that card is set aside."""
    t.shuffle(t.spell_deck)
    t.shuffle(t.solo_deck)
    spell = t.spell_deck[-1]
    t.reveal((spell,))
    t.move(witch_card(t, spell), t.rival[0].witch)
    t.move(spell, t.removed)
    t.log("CR-16.1", "Your Rival is {name}.", name=witch_name(t, t.rival[0]))
    return deal


def deal(t: Coven) -> Next:
    """CR-4.7 The reserve is laid open, and everybody gets five cards."""
    t.move_all(t.spell_deck, t.reserve)
    for witch in t.witches:
        log_draw(t, witch, [take(t, witch, sort) for sort in PILES], "CR-4.9")
    return reveal(t)


# Drawing and discarding ------------------------------------------------------------------------------------------------


def take(t: Coven, witch: Witch, sort: str) -> Card:
    """CR-6.19 The top card of a pile goes to the hand."""
    return t.move(pile(t, sort).top, witch.hand)


def log_draw(t: Coven, witch: Witch, cards: Sequence[Card], rule: str) -> None:
    """CR-A15 Open piles make a draw public."""
    t.log(rule, "{who} draws {cards}.", who=witch, cards=cards)


def open_piles(t: Coven, sorts: Sequence[str]) -> list[str]:
    return [sort for sort in sorts if pile(t, sort)]


def takes(sorts: Sequence[str]) -> Options:
    """CR-6.13 Any pile of these sorts that is not empty."""

    def options(t: Coven, seat: int) -> Iterator[Option | No]:
        for sort in sorts:
            if pile(t, sort):
                yield ("take", sort)
            elif t.explaining:
                yield No(("take", sort), "CR-6.13", f"No {sort} is left.")

    return options


def fullest(t: Coven, sorts: Sequence[str]) -> Option:
    return ("take", max(sorts, key=lambda sort: len(pile(t, sort))))


def draw(t: Coven, witch: Witch, number: int, sorts: Sequence[str], rule: str = "CR-14.12") -> Asking:
    """CR-14.12 So many cards of these sorts, and what the Gates add to the draw."""
    taken = yield from draw_plainly(t, witch, number, sorts, rule)
    yield from gates_add(t, witch, taken)


def draw_plainly(t: Coven, witch: Witch, number: int, sorts: Sequence[str], rule: str) -> Asking:
    """CR-6.12 One card at a time, of a sort she chooses; what the piles lack is lost."""
    taken, cards = [], []
    for _ in range(number):
        if not open_piles(t, sorts):
            break
        sort = sorts[0]
        if len(sorts) > 1:
            option = yield from put(
                t, witch, takes(sorts), "Draw a card", rule, fullest(t, sorts), minor=True
            )
            sort = option[1]
        taken.append(sort)
        cards.append(take(t, witch, sort))
    if cards:
        log_draw(t, witch, cards, rule)
    else:
        t.log("CR-14.13", "Nothing is left for {who} to draw.", who=witch)
    return taken


def gates_add(t: Coven, witch: Witch, taken: Sequence[str]) -> Asking:
    """CR-A26 The Gates' additions come once for each draw."""
    if taken:
        t.happened("draw", seat=witch.seat, taken=taken)
        yield from serve(t)


def discards(t: Coven, witch: Witch, sorts: Sequence[str]) -> Options:
    """CR-14.14 Any card of these sorts; nothing, if she holds none."""

    def options(t: Coven, seat: int) -> Iterator[Option | No]:
        cards = held(t, witch, sorts)
        yield from (("discard", card) for card in cards)
        if not cards:
            yield ("discard", "nothing")
        if t.explaining:
            for card in distinct(t, witch.hand):
                if card not in cards:
                    yield No(("discard", card), "CR-14.17", f"{t.face(card).name} is no Ritual Object.")

    return options


def discard(t: Coven, witch: Witch, number: int, sorts: Sequence[str], rule: str = "CR-14.14") -> Asking:
    """CR-14.14 She chooses which cards; with too few the rest is lost."""
    for _ in range(min(number, len(witch.hand))):
        option = yield from put(t, witch, discards(t, witch, sorts), "Discard a card", rule, minor=True)
        if option[1] == "nothing":
            t.log("CR-14.16", "{who} has nothing to discard.", who=witch)
            return
        remove(t, option[1])
        t.log("CR-14.15", "{who} discards {card}.", who=witch, card=option[1])


def change_spell(t: Coven, witch: Witch) -> Asking:
    """CR-14.10 A Spell card of her own choice from the reserve; the old one takes its place there."""
    if not t.reserve:
        return
    option = yield from put(
        t,
        witch,
        [("change to", card) for card in t.reserve],
        "Choose a new Spell card",
        "CR-14.10",
        minor=True,
    )
    t.move(witch.spell[0], t.reserve)
    t.move(option[1], witch.spell)
    t.log("CR-14.11", "{who} changes to {card}.", who=witch, card=option[1])


def play_from_hand(t: Coven, witch: Witch, least: int, most: int, sorts: Sequence[str]) -> Asking:
    """CR-14.5 Cards from the hand, laid open in the centre at once; never an Incantation."""
    sorts = [sort for sort in sorts if sort != "Incantation"]
    for i in range(min(most, len(witch.hand))):

        def options(t: Coven, seat: int, may_stop: bool = i >= least) -> Iterator[Option | No]:
            cards = held(t, witch, sorts)
            yield from (("play", card) for card in cards)
            if may_stop or not cards:
                yield ("play", "nothing")

        option = yield from put(t, witch, options, "Play a card from your hand", "CR-14.5")
        if option[1] == "nothing":
            return
        lay(t, witch, option[1], t.centre)
        t.log("CR-14.6", "{who} plays {card}.", who=witch, card=option[1])


def lay(t: Coven, witch: Witch, card: Card, where: Pile) -> None:
    t.by[card] = witch.seat
    t.move(card, where)


# Phase I ---------------------------------------------------------------------------------------------------------------


def reveal(t: Coven) -> Next:
    """CR-5.2 A Transient Object is turned up in the centre."""
    t.round += 1
    t.stage = "actions"
    for witch in t.witches:
        witch.acted = False
    card = t.draw(t.transients, t.centre)
    t.log("CR-5.2", "Round {round}: {card}.", round=t.round, card=card)
    return race if t.options["actions"] == "race" else act


# Phase II --------------------------------------------------------------------------------------------------------------


def open_actions(t: Coven, seat: int) -> list[Option]:
    """CR-6.4 One of five actions; the plainest comes first."""
    found = [("draw", "Ritual Objects")] if open_piles(t, TYPES) else []
    if t.artifacts:
        found.append(("draw", "Artifact"))
    found += plays(t, seat)
    return found or [("pass",)]


def actions(t: Coven, seat: int) -> Iterator[Option | No]:
    yield from open_actions(t, seat)
    if t.explaining:
        yield from closed_actions(t, t.witches[seat])


def closed_actions(t: Coven, witch: Witch) -> Iterator[No]:
    """Why an action is not there."""
    if open_actions(t, witch.seat) != [("pass",)]:
        yield No(("pass",), "CR-6.3", "An action is compulsory as long as there is one.")
    if not open_piles(t, TYPES):
        yield No(("draw", "Ritual Objects"), "CR-6.14", "No Ritual Object is left.")
    if not t.artifacts:
        yield No(("draw", "Artifact"), "CR-6.16", "No Artifact is left.")
    yield No(("draw", "Incantation"), "CR-6.18", "Incantations come with a Vengeance, not by an action.")
    for kind, rule in (("Ritual Object", "CR-6.7"), ("Artifact", "CR-6.8"), ("Incantation", "CR-6.9")):
        if not held(t, witch, TYPES if kind == "Ritual Object" else (kind,)):
            yield No(("play", kind), rule, f"You hold no {kind}.")


def sealed(t: Coven, seat: int) -> Asking:
    """CR-6.1 One player's choice, which nobody sees."""
    return (yield from put(t, t.witches[seat], actions, "Choose your action", "CR-6.4"))


def act(t: Coven) -> Asking:
    """CR-6.1 Everybody chooses at once; what is played lies face down until all is turned up."""
    chosen = yield Together(sealed, t.seat_numbers)
    for witch in t.witches:
        begin_action(t, witch, chosen[witch.seat])
    return draws if any(witch.draws for witch in t.witches) else end_of_actions(t)


def begin_action(t: Coven, witch: Witch, option: Option) -> None:
    """CR-6.5 A card is laid face down; a draw is announced."""
    witch.acted = True
    if option[0] == "play":
        lay(t, witch, option[1], witch.played)
        t.log("CR-6.5", "{who} plays {card} face down.", who=witch, card=option[1])
    elif option[0] == "draw":
        witch.draws = option[1]
    else:
        t.log("CR-A17", "{who} can do nothing.", who=witch)


def draws(t: Coven) -> Asking:
    """CR-A13 Those who draw do so in this round's order, each completely."""
    for witch in t.in_order():
        if witch.draws:
            artifact = witch.draws == "Artifact" and t.artifacts
            witch.draws = ""
            if artifact:
                yield from draw(t, witch, 1, ("Artifact",), "CR-6.15")
            else:
                yield from draw(t, witch, 2, TYPES, "CR-6.12")
            return draws
    return end_of_actions(t)


def end_of_actions(t: Coven) -> Next:
    return solo_card if t.solo else turn_up(t)


def race(t: Coven) -> Asking:
    """CR-A14 Actions count in the order in which people act."""
    for witch in t.witches:
        if witch.to_take and not open_piles(t, TYPES):
            yield from end_of_taking(t, witch)
    racing = [witch for witch in t.witches if not witch.acted]
    if not racing:
        return end_of_actions(t)
    gone = next((witch for witch in racing if witch.conceded), None)
    if gone:
        yield from act_in_race(t, gone, default_of(race_ask(t, gone), t))
        return race
    seat, option = yield First([race_ask(t, witch) for witch in racing])
    yield from act_in_race(t, t.witches[seat], option)
    return race


def race_ask(t: Coven, witch: Witch) -> Ask:
    """CR-A14 An action, of which everybody sees the kind; then the cards of a draw, or in secret the card laid down."""
    if witch.to_take:
        return t.ask(witch, takes(TYPES), "Draw a card", "CR-6.12", fullest(t, TYPES))
    if witch.laying:
        return t.ask(witch, plays, "Lay down a card", "CR-6.5", secret=True)
    return t.ask(witch, race_actions, "Choose your action, quickly", "CR-A14")


def race_actions(t: Coven, seat: int) -> Iterator[Option | No]:
    """CR-A14 That a card is laid down is seen, not which."""
    seen = [("lay", "a card") if option[0] == "play" else option for option in open_actions(t, seat)]
    yield from dict.fromkeys(seen)
    if t.explaining:
        yield from closed_actions(t, t.witches[seat])


def plays(t: Coven, seat: int) -> list[Option]:
    return [("play", card) for card in distinct(t, t.witches[seat].hand)]


def act_in_race(t: Coven, witch: Witch, option: Option) -> Asking:
    """CR-A14 A draw is made at once and in the open."""
    if option[0] == "lay":
        witch.laying = True
    elif option[0] == "take":
        log_draw(t, witch, [take(t, witch, option[1])], "CR-A14")
        witch.taken = (*witch.taken, option[1])
        witch.to_take -= 1
        if not witch.to_take:
            yield from end_of_taking(t, witch)
    elif option == ("draw", "Ritual Objects"):
        witch.to_take = 2
    elif option == ("draw", "Artifact"):
        witch.acted = True
        yield from draw(t, witch, 1, ("Artifact",), "CR-6.15")
    else:
        witch.laying = False
        begin_action(t, witch, option)


def end_of_taking(t: Coven, witch: Witch) -> Asking:
    taken, witch.taken, witch.to_take, witch.acted = witch.taken, (), 0, True
    yield from gates_add(t, witch, taken)


# Playing alone -----------------------------------------------------------------------------------------------------------


def solo_card(t: Coven) -> Asking:
    """CR-16.3 The top Solo card is turned up and done."""
    top_solo_card(t)
    card = t.move(t.solo_deck.top, t.solo_discards)
    t.quarry = find_quarry(t)
    t.log("CR-16.3", "{card}: {does}", card=card, does=t.face(card).text)
    yield from Play(t, 0, card, t.face(card)).carry_out(t.face(card).said["text"])
    return turn_up(t)


def top_solo_card(t: Coven) -> None:
    """CR-16.2 With none left all six are shuffled again."""
    if not t.solo_deck:
        t.move_all(t.solo_discards, t.solo_deck)
        t.move_all(t.solo_unseen, t.solo_deck)
        t.shuffle(t.solo_deck)


def find_quarry(t: Coven) -> str:
    """CR-16.4 What serves the Rival: here, else one step ahead, else the Transient Object's type."""
    rival = t.rival[0]
    lacking = [number for number in objectives(t, rival) if number not in rival.tokens]
    here = ring_face(t, t.demon)
    if t.demon in lacking:
        return here.activated_by[0]
    ahead = [sort for sort in reversed(TYPES) if here.arrows[sort] in lacking]
    if ahead:
        return ahead[0]
    return next(t.face(card).type for card in t.centre if t.face(card).kind == "transient")


def rival_plays(t: Coven, number: int, what: str) -> None:
    """CR-16.5 Cards from the piles, laid open for the Rival."""
    if what == "Artifact" and not t.artifacts:
        number, what = 1, t.quarry
    source = pile(t, "Artifact" if what == "Artifact" else t.quarry)
    for _ in range(min(number, len(source))):
        card = t.move(source.top, t.centre)
        t.by[card] = RIVAL
        t.log("CR-16.5", "The Rival plays {card}.", card=card)


def rival_pays(t: Coven, play: Play) -> None:
    """CR-16.7 What she would discard or change costs her the top Solo card, once for each Spell."""
    if not play["the Rival has paid"]:
        play["the Rival has paid"] = True
        top_solo_card(t)
        t.draw(t.solo_deck, t.solo_unseen)
        t.log("CR-16.7", "The Rival loses the top Solo card, unseen.")


# Phase III -------------------------------------------------------------------------------------------------------------


def turn_up(t: Coven) -> Next:
    """CR-7.1 Every card in the centre is turned up."""
    for witch in t.witches:
        for card in list(witch.played):
            t.move(card, t.centre)
            t.log("CR-7.1", "{who} has played {card}.", who=witch, card=card)
    return resolve(t)


def resolve(t: Coven) -> Next:
    """CR-7.2 All Incantations, then all Artifacts, then the Demon."""
    if incantations(t):
        t.stage = "spells"
        return spells
    t.stage = "artifacts"
    return clear_a_type if artifacts(t) else demon_acts


def incantations(t: Coven) -> list[Card]:
    """Those that have not had their turn."""
    return [card for card in t.centre if stands_for(t, card) == ("Incantation", 1)]


def artifacts(t: Coven) -> list[Card]:
    """CR-14.4 Printed ones and transformed ones that have not had their turn."""
    return [card for card in t.centre if stands_for(t, card)[0] == "Artifact"]


def spells(t: Coven) -> Asking:
    """CR-7.3 The highest Incantation casts one of its owner's Spells."""
    card = max(incantations(t), key=lambda card: t.face(card).value)
    witch = t.witches[t.by[card]]
    face = t.face(witch.spell[0])
    option = yield from put(t, witch, [("cast", name) for name in face.spells], "Announce a Spell", "CR-7.4")
    t.shape[card] = SPENT
    t.log("CR-7.4", "{who} casts {spell}.", who=witch, spell=option[1])
    line = face.said["texts"][face.spells.index(option[1])]
    yield from line.run(Play(t, witch.seat, card, face))
    return resolve(t)


def clear_a_type(t: Coven) -> Asking:
    """CR-8.1 The highest Artifact removes a type of Ritual Object; printed ones before transformed ones."""
    card = max(artifacts(t), key=lambda card: (t.face(card).value, t.shape[card] is None))
    owner = t.by[card]
    remove(t, card)
    if not present(t):
        t.log("CR-8.4", "{card} finds nothing to remove.", card=card)
    elif owner == RIVAL:
        rival_clears(t, card)
    else:
        option = yield from put(t, t.witches[owner], clears, "Remove all cards of one type", "CR-8.2")
        clear(t, card, option[1])
    return resolve(t)


def present(t: Coven) -> list[str]:
    """The types that lie in the centre."""
    lying = {stands_for(t, card)[0] for card in t.centre}
    return [sort for sort in TYPES if sort in lying]


def clears(t: Coven, seat: int) -> Iterator[Option | No]:
    """CR-8.3 A type that is there."""
    there = present(t)
    for sort in TYPES:
        if sort in there:
            yield ("clear", sort)
        elif t.explaining:
            yield No(("clear", sort), "CR-8.3", f"There is no {sort} in the centre.")


def clear(t: Coven, card: Card, sort: str) -> None:
    """CR-8.2 Every card of the type leaves the centre."""
    for lying in list(t.centre):
        if stands_for(t, lying)[0] == sort:
            remove(t, lying)
    t.log("CR-8.2", "{card} removes all {sort}s.", card=card, sort=sort)


def rival_clears(t: Coven, card: Card) -> None:
    """CR-16.6 The most numerous type but her Quarry; nothing, if only that is there."""
    total = counts(t)
    others = [sort for sort in present(t) if sort != t.quarry]
    if others:
        clear(t, card, max(others, key=lambda sort: (total[sort], TIE_RANK[sort])))
    else:
        t.log("CR-16.6", "{card} spares the Rival's Quarry.", card=card)


def counts(t: Coven) -> dict[str, int]:
    """CR-9.1 How many Ritual Objects of each type the centre holds."""
    total = dict.fromkeys(TYPES, 0)
    for card in t.centre:
        sort, number = stands_for(t, card)
        if sort in total:
            total[sort] += number
    return total


def prevailing(t: Coven) -> str | None:
    """CR-9.2 The most numerous type; Potion before Mineral before Herb, unless a card says otherwise."""
    total = counts(t)
    most = max(total.values())
    if not most:
        return None
    level = [sort for sort in TYPES if total[sort] == most]
    if len(level) == 1:
        return level[0]
    return max(level, key=lambda sort: t.rule("tie rank", TIE_RANK[sort], sort=sort))


def demon_acts(t: Coven) -> Asking:
    """CR-10.11 The Demon moves, the card it left is activated, and it arrives."""
    t.stage = "demon"
    sort = prevailing(t)
    if sort is None:
        t.log("CR-9.6", "No Ritual Object remains.")
        t.happened("occasion", name="nothing prevails", seat=None)
        yield from serve(t)
        return round_end(t)
    origin = t.demon
    t.demon = ring_face(t, origin).arrows[sort]
    t.log(
        "CR-10.1",
        "{sort} prevails; the Demon goes from {a} to {b}.",
        sort=sort,
        a=ROMAN[origin],
        b=ROMAN[t.demon],
    )
    site = origin if t.options["activation_site"] == "origin" else t.demon
    if sort in ring_face(t, site).activated_by:
        yield from activate(t, site)
    return arrive if ring_face(t, t.demon).said.get("arrival") else round_end(t)


def activate(t: Coven, number: int) -> Asking:
    """CR-10.5 Tokens, then victory, then the Chain, then Incantations."""
    face = ring_face(t, number)
    owners = [witch for witch in t.everyone() if number in objectives(t, witch)]
    new = [witch for witch in owners if number not in witch.tokens]
    for witch in new:
        witch.tokens = tuple(sorted((*witch.tokens, number)))
    names = listed([witch_name(t, witch) for witch in new]) if new else "nobody"
    t.log(
        "CR-10.5",
        "{number} {face} is activated, for {names}.",
        number=ROMAN[number],
        face=face.name,
        names=names,
    )
    victory(t)
    if {"always": True, "owned": bool(owners), "new": bool(new)}[t.options["chain_loss"]]:
        yield from lose_chains(t, 1)
    if face.kind == "vengeance":
        for witch in new:
            if isinstance(witch, Witch):
                yield from draw(t, witch, 1, ("Incantation",), "CR-10.8")
                t.happened("occasion", name="vengeance", seat=witch.seat)
                yield from serve(t)


def lose_chains(t: Coven, number: int) -> Asking:
    """CR-10.6 The Demon loses Chains, as far as it has any."""
    for _ in range(min(number, t.chains)):
        t.chains -= 1
        t.log("CR-10.6", "The Demon loses a Chain and has {left}.", left=t.chains)
        t.happened("occasion", name="chain", seat=None)
        yield from serve(t)


def recover_chains(t: Coven, number: int) -> None:
    """CR-12.4 Lost Chains come back, three at most are on the card."""
    before, t.chains = t.chains, min(CHAINS, t.chains + number)
    if t.chains > before:
        t.log("CR-12.4", "The Demon recovers a Chain and has {now}.", now=t.chains)


def arrive(t: Coven) -> Asking:
    """CR-12.1 The Gate the Demon arrives on has its effect."""
    yield from arrival(t)
    return round_end(t)


def arrival(t: Coven) -> Asking:
    card = t.ring[t.demon - 1]
    face = t.face(card)
    yield from Play(t, t.first(), card, face).carry_out(face.said.get("arrival", ()))


def round_end(t: Coven) -> Next:
    """CR-14.18 Delayed effects come first; then the centre is cleared, and the Chains are looked at."""
    t.stage = "end"
    if t.due(END):
        return delayed
    for card in list(t.centre):
        remove(t, card)
    if not t.chains and not t.transients:
        t.over(
            (), "The last round is over and the Demon has lost its Chains: every Witch has lost.", "CR-13.6"
        )
    if not t.chains:
        t.over((), "The Demon has lost its Chains: every Witch has lost.", "CR-13.1")
    if not t.transients:
        t.over((), "All Transient Objects have been revealed, and no Witch has had her revenge.", "CR-13.3")
    return reveal(t)


def delayed(t: Coven) -> Asking:
    """CR-A47 In the order of casting."""
    yield from t.fulfil(t.due(END)[0])
    return round_end(t)


# The end ---------------------------------------------------------------------------------------------------------------


def victory(t: Coven) -> None:
    """CR-13.2 Five tokens win at once."""
    winners = [witch for witch in t.witches if len(witch.tokens) == OBJECTIVES and not witch.conceded]
    if len(winners) > 1 and t.options["tiebreak"] == "hand":
        best = max(in_hand(t, witch) for witch in winners)
        winners = [witch for witch in winners if in_hand(t, witch) == best]
    if winners:
        names = listed([witch_name(t, witch) for witch in winners])
        why = f"{names} {'has' if len(winners) == 1 else 'have'} completed all five objectives."
        t.over([witch.seat for witch in winners], why, "CR-13.2" if len(winners) == 1 else "CR-13.5")
    if t.solo and len(t.rival[0].tokens) == OBJECTIVES:
        t.over((), f"The Rival {witch_name(t, t.rival[0])} has completed all five objectives.", "CR-16.9")


def in_hand(t: Coven, witch: Witch) -> tuple[int, int, int]:
    """CR-A5 Incantations, then Artifacts, then Ritual Objects."""
    sorts = [sort_of(t.face(card)) for card in witch.hand]
    return sorts.count("Incantation"), sorts.count("Artifact"), sum(sort in TYPES for sort in sorts)


def standing(t: Coven) -> Iterator[Standing]:
    """CR-A44 Anybody may concede at any time."""
    for witch in t.witches:
        if not witch.conceded:
            yield Standing(t.ask(witch, [("concede",)], "Concede", "CR-A44"), concede)


def concede(t: Coven, seat: int, option: Option) -> Asking:
    """CR-A44 The others play on; she cannot win."""
    t.witches[seat].conceded = True
    t.log("CR-A44", "{who} concedes.", who=t.witches[seat])
    if all(witch.conceded for witch in t.witches):
        t.over((), "Everybody has conceded.", "CR-A44")
    yield from ()


# Words -----------------------------------------------------------------------------------------------------------------


def words(t: Coven, seat: int, option: Option) -> str | None:
    match option:
        case ("clear", sort):
            return f"remove {sort}s"
        case ("choose", int(who)):
            return f"choose {witch_name(t, witch_at(t, who))}"
        case ("become", sort, number):
            return "an Artifact" if sort == "Artifact" else f"{number} {sort}{'s' if number > 1 else ''}"
    return None


def means(t: Coven, seat: int, option: Option) -> str:
    """What an option would do, in a sentence."""
    match option:
        case ("keep", card):
            face = t.face(card)
            return f"Be {face.witch}: {', '.join(face.spells)}."
        case ("cast", name):
            face = t.face(t.witches[seat].spell[0])
            return face.texts[face.spells.index(name)]
        case ("change to", card):
            face = t.face(card)
            return " ".join(f"{name}: {text}" for name, text in zip(face.spells, face.texts, strict=True))
        case ("draw", "Ritual Objects"):
            return "Take two Ritual Objects into your hand."
        case ("draw", "Artifact"):
            return "Take the top Artifact into your hand."
        case ("clear", sort):
            return f"Every {sort} leaves the centre."
    return ""


STAGES = ("draft", "actions", "spells", "artifacts", "demon", "end")


def phase(t: Coven) -> list[tuple[str, bool]]:
    return [(stage, stage == t.stage) for stage in STAGES]
