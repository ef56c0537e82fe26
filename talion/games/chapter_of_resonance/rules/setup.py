"""CR-3 and CR-4: the table is laid out, and everybody chooses a Witch."""

from __future__ import annotations

from talion.kernel import Asking, Card

from .actions import reveal
from .drawing import log_draw, take
from .solo import choose_rival
from .table import PILES, Coven, Next, pile, put, witch_name


def build(t: Coven) -> None:
    """CR-3.2 The ring, the piles, and what is shuffled in a moment."""
    homes = {
        "transient": t.transients,
        "artifact": t.artifacts,
        "incantation": t.incantations,
        "witch": t.box,
        "demon": t.box,
        "spell": t.spell_deck,
        "solo": t.solo_deck if t.solo else t.box,
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
    demons = [card for card in t.box if t.face(card).kind == "demon"]
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
    if t.solo:
        choose_rival(t)
    return deal(t)


def witch_card(t: Coven, spell: Card) -> Card:
    """CR-2.2 The Witch card that belongs to a Spell card."""
    name = t.face(spell).witch
    return next(card for card in t.box if t.face(card).name == name)


def deal(t: Coven) -> Next:
    """CR-4.7 The reserve is laid open, and everybody gets five cards."""
    t.move_all(t.spell_deck, t.reserve)
    for witch in t.witches:
        log_draw(t, witch, [take(t, witch, sort) for sort in PILES], "CR-4.9")
    return reveal(t)
