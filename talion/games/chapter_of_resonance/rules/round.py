"""CR-3 to CR-13: the steps of a match, in the order of play, from set-up to the end of a round."""

from __future__ import annotations

from talion.kernel import Asking, First, Play, Together, default_of

from .actions import act_in_race, begin_action, end_of_taking, race_ask, sealed
from .drawing import draw, log_draw, some_left, take
from .resolution import (
    activate,
    arrival,
    artifacts,
    clear,
    clears,
    counts,
    incantations,
    present,
    prevailing,
    rival_clears,
)
from .setup import choose_demon, witch_card
from .solo import choose_rival, find_quarry, top_solo_card
from .table import (
    END,
    PILES,
    RIVAL,
    ROMAN,
    SPENT,
    TYPES,
    WAITING,
    Coven,
    Next,
    put,
    remove,
    ring_face,
    serve,
    stands_for,
    witch_name,
)

# The beginning -----------------------------------------------------------------------------------------------------


def set_up(t: Coven) -> Next:
    """CR-3.5 The stacks are shuffled and the Demon is chosen."""
    for stack in (t.artifacts, t.incantations, t.transients, t.spell_deck):
        t.shuffle(stack)
    choose_demon(t)
    return draft, 0


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
    if t.solo:
        choose_rival(t)
    return deal(t)


def deal(t: Coven) -> Next:
    """CR-4.7 The reserve is laid open, and everybody gets five cards."""
    t.move_all(t.spell_deck, t.reserve)
    for witch in t.witches:
        log_draw(t, witch, [take(t, witch, sort) for sort in PILES], "CR-4.9")
    return reveal(t)


# The reveal, and actions -------------------------------------------------------------------------------------------


def reveal(t: Coven) -> Next:
    """CR-5.2 A Transient Object is turned up in the centre."""
    t.round += 1
    t.priority = (t.round - 1) % t.seats_taken
    t.stage = "actions"
    card = t.draw(t.transients, t.centre)
    t.log("CR-5.2", "Round {round}: {card}.", round=t.round, card=card)
    if t.options["actions"] == "sealed":
        return act
    for witch in t.witches:
        witch.acted = False
    return race


def act(t: Coven) -> Asking:
    """CR-6.1 Everybody chooses at once; what is played lies face down until all is turned up."""
    chosen = yield Together(sealed, t.seat_numbers)
    for witch in t.witches:
        begin_action(t, witch, chosen[witch.seat])
    return draws if any(witch.draws for witch in t.witches) else end_of_actions(t)


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


def race(t: Coven) -> Asking:
    """CR-A14 Actions count in the order in which people act."""
    for witch in t.witches:
        if witch.taking is not None and not some_left(t, TYPES):
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


def end_of_actions(t: Coven) -> Next:
    return solo_card if t.solo else turn_up(t)


def solo_card(t: Coven) -> Asking:
    """CR-16.3 The top Solo card is turned up and done."""
    top_solo_card(t)
    card = t.move(t.solo_deck.top, t.solo_discards)
    t.quarry = find_quarry(t)
    t.log("CR-16.3", "{card}: {does}", card=card, does=t.face(card).text)
    yield from Play(t, 0, card, t.face(card)).carry_out(t.face(card).said["text"])
    return turn_up(t)


# Everything is turned up and has its turn --------------------------------------------------------------------------


def turn_up(t: Coven) -> Next:
    """CR-7.1 Every card in the centre is turned up."""
    for witch in t.witches:
        for card in list(witch.played):
            t.move(card, t.centre)
            t.log("CR-7.1", "{who} has played {card}.", who=witch, card=card)
    return resolve(t)


def resolve(t: Coven) -> Next:
    """CR-7.2 All Incantations, then all Artifacts, then the Demon."""
    lying = [stands_for(t, card) for card in t.centre]
    t.stage = "spells" if WAITING in lying else "artifacts"
    if t.stage == "spells":
        return spells
    return clear_a_type if any(sort == "Artifact" for sort, _ in lying) else demon_acts


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


def demon_acts(t: Coven) -> Asking:
    """CR-10.11 The Demon moves, the card it left is activated, and it arrives."""
    t.stage = "demon"
    sort = prevailing(counts(t), t.tie_order)
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


def arrive(t: Coven) -> Asking:
    """CR-12.1 The Gate the Demon arrives on has its effect."""
    yield from arrival(t)
    return round_end(t)


# The end of the round ----------------------------------------------------------------------------------------------


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
