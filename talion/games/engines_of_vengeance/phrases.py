"""What the cards' sentences mean."""

from talion.kernel import Phrasebook

from . import rules

book = Phrasebook()
book.words("pile", ("Discard", "Evidence", "Bodycount"))
book.words("role", ("Vigilante", "Detective"))
book.words("turn", {"rotate": rules.rotate, "unrotate": rules.unrotate, "reset": rules.reset})


# Which card ------------------------------------------------------------------------------------------------------


@book.target("one card")
def one_card(play):
    """EV-7.3 Any active card, in either area."""
    return rules.active_cards(play.t, play.t.seat_numbers)


@book.target("one card in your area", "one active card in your area")
def one_card_of_yours(play):
    """EV-7.3 An active card in the area where this card lies."""
    return rules.active_cards(play.t, [play.you])


@book.target("one card in the other player's area", "one card from the other player's area")
def one_card_of_theirs(play):
    """EV-7.3 An active card in the other area."""
    return rules.active_cards(play.t, [1 - play.you])


# Lines carried out when a card is played, and actions ----------------------------------------------------------------


def changes(play, card, turn):
    """EV-R1 A turn that would change nothing is not offered."""
    t = play.t
    if turn is rules.rotate:
        return True
    return t.rotation[card] == 90 or (turn is rules.reset and rules.other_end(t, card) is not None)


@book.effect("{turn:turn} {card:target}", fits=changes)
def turn_one(play, turn, card):
    """EV-3.2 Turn one card."""
    yield from turn(play.t, card, play.you)


@book.effect("{turn:turn} all {name:name}", "{turn:turn} all active {name:name}")
def turn_all(play, turn, name):
    """EV-5.4 Turn every active card of a name, in both areas."""
    t = play.t
    for card in rules.active_cards(t, t.after(1 - play.you)):
        if rules.card_name(t, card) == name:
            yield from turn(t, card, play.you)


@book.effect("take {card:target}")
def take(play, card):
    """EV-R17 The card changes areas as it is."""
    t = play.t
    t.log("EV-11.6", "{who} takes {card}.", who=t.sides[play.you], card=card)
    t.move(card, t.sides[play.you].area)


@book.effect("look at the other player's hand")
def look(play):
    """EV-R31 A private look."""
    t = play.t
    t.look(play.you, t.sides[1 - play.you].hand)
    t.log("EV-R31", "{who} looks at the hand of {other}.", who=t.sides[play.you], other=t.sides[1 - play.you])


@book.effect("{card:target} also goes to {pile:pile}")
def also_goes(play, card, pile):
    """EV-R25 The card is moved; it does not exhaust."""
    rules.send(play.t, card, pile, play.you, "EV-11.3")


# Special rules -----------------------------------------------------------------------------------------------------


@book.ability("{rule:replacement}")
def changed_exhaust(play, rule):
    """EV-9.3 A rule that changes where exhausted cards go."""


@book.ability("{permission:permission}")
def permitted(play, permission):
    """EV-R20 Something a side may do in its action step."""


@book.ability("{when:trigger}, {then:effect}")
def triggered(play, when, then):
    """EV-11.3 Something that happens when a card exhausts."""
    yield from then.run(play)


@book.replacement("if no {needed:name} is active in your area, {name:name} is discarded when it exhausts", event="gate")
def gate(play, needed, name, about):
    """EV-R28 Without its tool, the card is discarded."""
    t = play.t
    if about.card != play.this or rules.card_name(t, about.card) != name:
        return None
    met = any(rules.card_name(t, card) == needed for card in rules.active_cards(t, [play.you]))
    return None if met else {"to": "Discard", "shows": None}


@book.replacement("while {name:name} is active, each other card that exhausts goes to {pile:pile}", event="redirect")
def redirect_others(play, name, pile, about):
    """EV-9.3 Every other card goes there."""
    if about.card == play.this or not rules.shows_active(play.t, play.this, name):
        return None
    return {"to": pile, "shows": None}


@book.replacement(
    'while {name:name} is active, each {names:name+" or "} that exhausts goes to {pile:pile}', event="redirect"
)
def redirect_named(play, name, names, pile, about):
    """EV-9.3 Every card of these names goes there."""
    if rules.card_name(play.t, about.card) not in names or not rules.shows_active(play.t, play.this, name):
        return None
    return {"to": pile, "shows": None}


@book.trigger("when {name:name} exhausts", event="exhausted")
def exhausts(play, name, about):
    """EV-11.3 This very card exhausts."""
    return about.card == play.this and rules.card_name(play.t, about.card) == name


@book.phrase(
    "permission",
    "{role:role} may discard {count:numeral} {price:name} from hand or own area to send {name:name} to {pile:pile}",
)
def may_discard(play, role, count, price, name, pile):
    """EV-11.4 What it costs, and what it does."""
    return role, count, price, name, pile


# Where an exhausted card goes ------------------------------------------------------------------------------------------


@book.phrase("destination", "{pile:pile}")
def goes_to(play, pile):
    """EV-9.2 To a pile."""
    return pile, None


@book.phrase("destination", "discard as {name:name}")
def discarded_as(play, name):
    """EV-9.4 To the discard pile, with the other end up."""
    return "Discard", name


# What a set of cards must keep -----------------------------------------------------------------------------------------


def validate(content):
    for face in content.faces:
        ends = {face.name, *(f.name for f in content.faces if f.get("other") is face)}
        if other := face.get("other"):
            ends.add(other.name)
        if not face.said.get("exhaust"):
            yield f"{face.name} has no exhaust line; every card says where it goes when exhausted."
        for line in face.lines():
            for said in line.below():
                if said.phrase.does is discarded_as and said.filled["name"].text not in ends - {face.name}:
                    yield f"{face.name}: “{said.text}” must name the card's own other end."
                if said.phrase.does in (redirect_others, redirect_named) and said.filled["name"].text != face.name:
                    yield f"{face.name}: “While … is active” must name the card itself."
        if face.count and face.get("owner") not in ("Vigilante", "Detective"):
            yield f"{face.name}: owner must be \"Vigilante\" or \"Detective\"."
