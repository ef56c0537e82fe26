"""CR-6: actions, sealed or as a race."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talion.kernel import Ask, Asking, No, Option

from .drawing import draw, fullest, gates_add, lay, log_draw, some_left, take, takes
from .table import TYPES, Coven, Witch, distinct, held, put


def open_actions(t: Coven, seat: int) -> list[Any]:
    """CR-6.4 One of five actions; the plainest comes first."""
    found = [("draw", "Ritual Objects")] if some_left(t, TYPES) else []
    if t.artifacts:
        found.append(("draw", "Artifact"))
    found += plays(t, seat)
    return found or [("pass",)]


def actions(t: Coven, seat: int) -> list[Option | No]:
    found: list[Option | No] = open_actions(t, seat)
    return found + [*closed_actions(t, t.witches[seat])] if t.explaining else found


def closed_actions(t: Coven, witch: Witch) -> Iterator[No]:
    """Why an action is not there."""
    if open_actions(t, witch.seat) != [("pass",)]:
        yield No(("pass",), "CR-6.3", "An action is compulsory as long as there is one.")
    if not some_left(t, TYPES):
        yield No(("draw", "Ritual Objects"), "CR-6.14", "No Ritual Object is left.")
    if not t.artifacts:
        yield No(("draw", "Artifact"), "CR-6.16", "No Artifact is left.")
    yield No(("draw", "Incantation"), "CR-6.18", "Incantations come with a Vengeance, not by an action.")
    for kind, rule in (("Ritual Object", "CR-6.7"), ("Artifact", "CR-6.8"), ("Incantation", "CR-6.9")):
        if not held(t, witch, TYPES if kind == "Ritual Object" else (kind,)):
            yield No(("play", kind), rule, f"You hold no {kind}.")


def sealed(t: Coven, seat: int) -> Asking:
    """CR-6.1 One player's choice, which nobody sees."""
    return put(t, t.witches[seat], actions, "Choose your action", "CR-6.4")


def begin_action(t: Coven, witch: Witch, option: Option) -> None:
    """CR-6.5 A card is laid face down; a draw is announced."""
    if option[0] == "play":
        lay(t, witch, option[1], witch.played)
        t.log("CR-6.5", "{who} plays {card} face down.", who=witch, card=option[1])
    elif option[0] == "draw":
        witch.draws = option[1]
    else:
        t.log("CR-A17", "{who} can do nothing.", who=witch)


def race_ask(t: Coven, witch: Witch) -> Ask:
    """CR-A14 An action, of which everybody sees the kind; then the cards of a draw, or in secret the card laid down."""
    if witch.taking is not None:
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
        witch.taking = (*witch.taking, option[1])
        if len(witch.taking) == 2:
            yield from end_of_taking(t, witch)
    elif option == ("draw", "Ritual Objects"):
        witch.taking = ()
    elif option == ("draw", "Artifact"):
        witch.acted = True
        yield from draw(t, witch, 1, ("Artifact",), "CR-6.15")
    else:
        witch.laying, witch.acted = False, True
        begin_action(t, witch, option)


def end_of_taking(t: Coven, witch: Witch) -> Asking:
    taken, witch.taking, witch.acted = witch.taking, None, True
    yield from gates_add(t, witch, taken)
