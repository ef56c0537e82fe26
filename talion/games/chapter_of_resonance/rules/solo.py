"""CR-16: playing alone against a Rival."""

from __future__ import annotations

from talion.kernel import Play

from .table import RIVAL, TYPES, Coven, Rival, lacking, pile, ring_face


def choose_rival(t: Coven) -> None:
    """CR-16.1 The Witch of the top Spell card is the Rival; that card is set aside."""
    t.shuffle(t.spell_deck)
    t.shuffle(t.solo_deck)
    spell = t.spell_deck[-1]
    t.reveal((spell,))
    t.move(spell, t.removed)
    t.rival.append(Rival.new(witch=t.face(spell).witch))
    t.log("CR-16.1", "Your Rival is {name}.", name=t.face(spell).witch)


def top_solo_card(t: Coven) -> None:
    """CR-16.2 With none left all six are shuffled again."""
    if not t.solo_deck:
        t.move_all(t.solo_discards, t.solo_deck)
        t.move_all(t.solo_unseen, t.solo_deck)
        t.shuffle(t.solo_deck)


def find_quarry(t: Coven) -> str:
    """CR-16.4 What serves the Rival: here, else one step ahead, else the Transient Object's type."""
    wanted = lacking(t, t.rival[0])
    here = ring_face(t, t.demon)
    if t.demon in wanted:
        return here.activated_by[0]
    ahead = [sort for sort in reversed(TYPES) if here.arrows[sort] in wanted]
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
