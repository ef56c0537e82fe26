"""VG-7, VG-8, VG-9: the Montage turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from talion.kernel import Asking, Card, Option, Play, Together

from .actions import take_action
from .attributes import current
from .grudges import breather, decide, draw_vengeance, has_free_acts
from .printed import printed
from .table import ACTIONS, DIE_OF, MIND_FACES, PLACES, POINTS_OF_DIE, Hero, Vengeance
from .turns import begins, next_turn


@begins("Montage")
def montage(t: Vengeance) -> Any:
    """VG-6.1 Dice Draft, Preparation, Player Order."""
    for hero in t.heroes:
        clear_dice(hero)
        hero.speed = 0
    return before_draft, 0


def clear_dice(hero: Hero) -> None:
    hero.dice.update(dict.fromkeys(MIND_FACES, 0))
    hero.boosts.update(dict.fromkeys(PLACES, 0))
    hero.quota = 0
    hero.swapped = False


def before_draft(t: Vengeance, place: int) -> Asking:
    """VG-10.1 Before the dice are rolled everybody may put cards in play."""
    if place == t.seats_taken:
        return roll_minds
    yield from breather(t, t.order[place])
    return before_draft, place + 1


# ---- VG-7: the Dice Draft ----


def roll_minds(t: Vengeance) -> Any:
    """VG-7.1 All roll into one pool."""
    for hero in t.heroes:
        hero.quota = current(t, hero, "Mind").value
        for face in roll_mind_dice(t, hero):
            t.pool[face] += 1
    t.log("VG-7.1", "The pool: {dice}.", dice=[f"{n} {face}" for face, n in t.pool.items() if n])
    return claim, 0


def roll_mind_dice(t: Vengeance, hero: Hero) -> list[str]:
    """VG-3.2 As many dice as the Mind value."""
    faces = printed(t.content).dice["Mind"]
    return [t.chance.pick(faces) for _ in range(current(t, hero, "Mind").value)]


def claim(t: Vengeance, place: int) -> Asking:
    """VG-7.2, VG-7.3 One die after the other in player order; nobody claims more than she rolled."""
    if not any(t.pool.values()):
        return tune, 0
    seat = t.order[place]
    hero = t.heroes[seat]
    if sum(hero.dice.values()) < hero.quota:
        answer = yield from decide(t, seat, _claim_options, "Claim a die", "VG-7.2")
        while answer[0] == "swap":
            swap(hero, answer[1], answer[2])
            answer = yield from decide(t, seat, _claim_options, "Claim a die", "VG-7.2")
        t.pool[answer[1]] -= 1
        hero.dice[answer[1]] += 1
        t.log("VG-7.2", "{who} claims {die}.", who=hero, die=answer[1])
    return claim, (place + 1) % t.seats_taken


def _claim_options(t: Vengeance, seat: int) -> Iterator[Option]:
    yield from (("claim", face) for face in MIND_FACES if t.pool[face])
    yield from swaps(t, seat)


def swaps(t: Vengeance, seat: int) -> Iterator[Option]:
    """VG-7.9, VG-Q20 Once, a claimed die, while the current Mind position bears S."""
    hero = t.heroes[seat]
    if not hero.swapped and "S" in current(t, hero, "Mind").marks:
        for old in MIND_FACES:
            if hero.dice[old]:
                yield from (("swap", old, new) for new in MIND_FACES if new != old)


def swap(hero: Hero, old: str, new: str) -> None:
    hero.dice[old] -= 1
    hero.dice[new] += 1
    hero.swapped = True


def tune(t: Vengeance, place: int) -> Asking:
    """VG-7.10, VG-8.7 A last swap; WILD dice may draw Vengeance cards."""
    if place == t.seats_taken:
        return commit
    seat = t.order[place]
    while has_free_acts(t, seat) or any(tunings(t, seat)):
        answer = yield from decide(t, seat, _tune_options, "Before the cards are laid", "VG-7.10")
        if answer[0] == "swap":
            swap(t.heroes[seat], answer[1], answer[2])
        elif answer == ("draw", "WILD"):
            t.heroes[seat].dice["WILD"] -= 1
            draw_vengeance(t, seat)
        else:
            break
    return tune, place + 1


def tunings(t: Vengeance, seat: int) -> Iterator[Option]:
    yield from swaps(t, seat)
    if t.heroes[seat].dice["WILD"] and t.vengeance_deck:
        yield ("draw", "WILD")


def _tune_options(t: Vengeance, seat: int) -> list[Option]:
    return [("go on",), *tunings(t, seat)]


# ---- VG-8: Preparation ----


def commit(t: Vengeance) -> Asking:
    """VG-8.4, VG-Q75 All lay three cards at once, face down."""
    laid = yield Together(lay_cards, t.order, reveals=False)
    for seat, cards in laid.items():
        for place, card in zip(PLACES, cards, strict=True):
            t.move(card, t.heroes[seat].laid(place))
    return boost


def lay_cards(t: Vengeance, seat: int) -> Asking:
    cards: list[Card] = []
    for place in PLACES:
        left = [("lay", card) for card in t.heroes[seat].montage if card not in cards]
        answer = yield t.ask(seat, left, f"Lay a Montage card at {place}", "VG-8.4", secret=True)
        cards.append(answer[1])
    return cards


def boost(t: Vengeance) -> Asking:
    """VG-8.6, VG-8.9, VG-Q75 Wilds are laid on the cards, by all at once; WILD dice that are not are lost."""
    laid = yield Together(lay_wilds, [seat for seat in t.order if wilds(t.heroes[seat])])
    for seat, places in laid.items():
        hero = t.heroes[seat]
        for place in places:
            hero.boosts[place] += 1
        hero.wild -= max(0, len(places) - hero.dice["WILD"])  # dice go first
        hero.dice["WILD"] = 0
        if places:
            t.log("VG-8.6", "{who} boosts {places}.", who=hero, places=places)
    return reveal, 0


def wilds(hero: Hero) -> int:
    """VG-20.2 A wild token serves as a WILD die."""
    return hero.dice["WILD"] + hero.wild


def lay_wilds(t: Vengeance, seat: int) -> Asking:
    places: list[str] = []
    options = [("enough",), *(("boost", place) for place in PLACES)]
    while len(places) < wilds(t.heroes[seat]):
        answer = yield t.ask(seat, options, "Lay a wild on a card", "VG-8.6", secret=True)
        if answer == ("enough",):
            break
        places.append(answer[1])
    return places


def reveal(t: Vengeance, index: int) -> Any:
    """VG-8.10, VG-8.14 The cards of one place are shown together."""
    if index == len(PLACES):
        return leftovers, 0
    for seat in t.order:
        hero = t.heroes[seat]
        card = t.draw(hero.laid(PLACES[index]), hero.shown)
        assert card is not None
        hero.speed += t.face(card).speed
        t.log("VG-8.10", "{who} reveals {card} at {place}.", who=hero, card=card, place=PLACES[index])
    return prepare, index, 0


def prepare(t: Vengeance, index: int, place: int) -> Asking:
    """VG-8.10, VG-8.15, VG-Q71b In player order: the Special, then the card's actions."""
    if place == t.seats_taken:
        return reveal, index + 1
    seat = t.order[place]
    hero = t.heroes[seat]
    card = hero.shown.top
    face = t.face(card)
    yield from Play(t, seat, card, face).carry_out(face.said.get("special", ()))
    yield from add_place(t, seat, card, int(PLACES[index]) + hero.boosts[PLACES[index]])
    for action in ACTIONS:
        if action in actions_on(t, card) or hero.points[action]:
            yield from add_dice(t, seat, action)
            points, hero.points[action] = hero.points[action], 0
            yield from take_action(t, seat, action, points, decide)
    return prepare, index, place + 1


def actions_on(t: Vengeance, card: Card) -> dict[str, int]:
    """VG-8.2 The actions on a Montage card and their points."""
    face = t.face(card)
    return {action: face.get(action.lower()) for action in ACTIONS if face.get(action.lower()) is not None}


def add_place(t: Vengeance, seat: int, card: Card, bonus: int) -> Asking:
    """VG-8.5, VG-Q21 Place and wilds add to one action, chosen if the card has two."""
    hero = t.heroes[seat]
    actions = actions_on(t, card)
    favoured = next(iter(actions))
    if len(actions) > 1 and bonus:
        answer = yield from decide(
            t, seat, partial(_favours, tuple(actions)), f"Which action gets +{bonus}?", "VG-Q21"
        )
        favoured = answer[1]
    for action, points in actions.items():
        hero.points[action] += points
    hero.points[favoured] += bonus


def _favours(actions: tuple[str, ...], t: Vengeance, seat: int) -> list[Option]:
    return [("favour", action) for action in actions]


def add_dice(t: Vengeance, seat: int, action: str) -> Asking:
    """VG-8.12, VG-8.13 The player adds as many matching dice as she likes."""
    hero = t.heroes[seat]
    die = DIE_OF[action]
    if hero.dice[die]:
        answer = yield from decide(t, seat, partial(_numbers, die), f"Add {die} dice to {action}?", "VG-8.13")
        hero.dice[die] -= answer[1]
        hero.points[action] += POINTS_OF_DIE[die] * answer[1]


def _numbers(die: str, t: Vengeance, seat: int) -> list[Option]:
    return [("add", n) for n in range(t.heroes[seat].dice[die], -1, -1)]


def leftovers(t: Vengeance, place: int) -> Asking:
    """VG-8.16, VG-8.17 Dice that were held back: one action for each kind."""
    if place == t.seats_taken:
        return after_montage, 0
    seat = t.order[place]
    hero = t.heroes[seat]
    for action, die in DIE_OF.items():
        if hero.dice[die]:
            points = hero.dice[die] * POINTS_OF_DIE[die]
            hero.dice[die] = 0
            yield from take_action(t, seat, action, points, decide)
    return leftovers, place + 1


def after_montage(t: Vengeance, place: int) -> Asking:
    """VG-10.1 When all is prepared everybody may put cards in play."""
    if place == t.seats_taken:
        return new_order
    yield from breather(t, t.order[place])
    return after_montage, place + 1


# ---- VG-9: player order ----


def new_order(t: Vengeance) -> Any:
    """VG-9.1 to VG-9.4, VG-8.19 Highest speed, then fewest VP, then as before. All cards are back in hand."""
    for hero in t.heroes:
        hero.speed += hero.dice["SPEED"]
        clear_dice(hero)
        t.move_all(hero.shown, hero.montage)
    t.order = tuple(sorted(t.order, key=lambda seat: (-t.heroes[seat].speed, t.heroes[seat].vp)))
    t.log("VG-9.2", "The order is {order}.", order=[t.heroes[seat] for seat in t.order])
    return next_turn
