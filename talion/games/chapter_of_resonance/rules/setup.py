"""CR-3 and CR-4: the table is laid out, and everybody chooses a Witch."""

from __future__ import annotations

from talion.kernel import Card

from .table import Coven, pile


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


def witch_card(t: Coven, spell: Card) -> Card:
    """CR-2.2 The Witch card that belongs to a Spell card."""
    name = t.face(spell).witch
    return next(card for card in t.box if t.face(card).name == name)
