"""VT-7, VT-8: actions and risk: what may be declared, what it costs, and declaring it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from talion.kernel import Asking, Card, No, Option, Play

from .harm import deal, exhaust, pay, settle_action
from .table import (
    Ability,
    Action,
    Boss,
    Printed,
    Table,
    all_assets,
    all_events,
    all_printed,
    boss_of,
    damage_total,
    is_asset_in_play,
    is_underway,
    look,
    reference,
    referred,
)

Obstacle = tuple[str, str]
"""The rule that closes an option, and why."""

NEGOTIATING = 200
FULL_HAND = 10


# What may be declared ------------------------------------------------------------------------------------------------


def action_options(t: Table, seat: int) -> list[Any]:
    """VT-6.5 Every action that is allowed now, and the end of the turn."""
    boss = t.bosses[seat]
    options = negotiations(t, boss)
    for card in different(t, boss.hand):
        face = look(t, card)
        if face.is_asset:
            options += purchases(t, boss, card, face)
        if face.may_lie_underway:
            options.append(("underway", card))
    for card in boss.underway:
        face = look(t, card)
        options += purchases(t, boss, card, face) if face.is_asset else completions(t, boss, card, face)
    options += pawn_actions(t, boss)
    options += abilities(t, boss, in_window=False)
    options.append(("end",))
    return options


def different(t: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """One of each, the last drawn first."""
    return t.distinct(cards[::-1])


def negotiations(t: Table, boss: Boss) -> list[Any]:
    """VT-7.1 Pay 200Ç and draw a card; VT-7.4 not without deck or money."""
    if boss.deck and boss.wealth >= NEGOTIATING:
        return [("negotiate",)]
    why = "Your deck is empty." if not boss.deck else f"It takes {NEGOTIATING}Ç."
    return [No(("negotiate",), "VT-7.4", why)] if t.explaining else []


def meets(boss: Boss, face: Printed) -> bool:
    """VT-1.6 Influence with its House, or with one it is sworn to (VT-15.16)."""
    needs = face.requirement
    return needs == 0 or any(boss.influence[house] >= needs for house in face.houses)


def price(t: Table, seat: int, face: Printed) -> int:
    """VT-7.5 The printed cost as cards in force change it, never below nothing."""
    return max(0, t.modified("price", face.cost, seat=seat, types=face.types))


def hosts(t: Table, face: Printed) -> list[Card]:
    """VT-B58 Whatever is of a type or class that the card alters."""
    return [card for card in all_assets(t) if not face.alters.isdisjoint(look(t, card).types)]


def purchases(t: Table, boss: Boss, card: Card, face: Printed, in_window: bool = False) -> list[Any]:
    """VT-7.5 An asset one can pay for and whose requirement is met; on a host, if it alters."""
    if obstacle := wrong_time(face, in_window) or too_dear(t, boss, face):
        return closed(t, ("purchase", card), obstacle)
    if not face.alters:
        return [("purchase", card)]
    found = [("purchase", card, host) for host in hosts(t, face)]
    return found or closed(t, ("purchase", card), no_host(face))


def completions(t: Table, boss: Boss, card: Card, face: Printed, in_window: bool = False) -> list[Any]:
    """VT-7.18 An underway event with its requirement met and progress enough."""
    obstacle = wrong_time(face, in_window) or unfinished(t, boss, card, face)
    return closed(t, ("complete", card), obstacle) if obstacle else [("complete", card)]


def closed(t: Table, option: Option, obstacle: Obstacle) -> list[Any]:
    """Why an option is closed, for whoever asks."""
    return [No(option, *obstacle)] if t.explaining else []


def wrong_time(face: Printed, in_window: bool) -> Obstacle | None:
    """VT-12.3 Only cards with Maneuver are maneuvers; VT-B77 an event that speaks of the action is nothing else."""
    if in_window and not face.maneuver:
        return "VT-12.3", f"{face.name} has not the keyword Maneuver."
    if not in_window and face.is_event and face.maneuver and face.speaks_of_the_action:
        return "VT-B77", f"{face.name} speaks of an action: it is a maneuver only."
    return None


def too_dear(t: Table, boss: Boss, face: Printed) -> Obstacle | None:
    if not meets(boss, face):
        return "VT-1.6", requirement(face)
    cost = price(t, boss.seat, face)
    return ("VT-1.3", f"{face.name} costs {cost}Ç.") if cost > boss.wealth else None


def unfinished(t: Table, boss: Boss, card: Card, face: Printed) -> Obstacle | None:
    if t.progress[card] < face.needs:
        return "VT-7.18", f"{face.name} needs {face.needs} progress and has {t.progress[card]}."
    if not meets(boss, face):
        return "VT-1.6", requirement(face)
    return no_host(face) if face.alters and not hosts(t, face) else None


def no_host(face: Printed) -> Obstacle:
    return "VT-11.4", f"There is no {' or '.join(sorted(face.alters))} in play to alter."


def requirement(face: Printed) -> str:
    houses = " or ".join(face.houses)
    return f"{face.name} requires {face.requirement} Influence with House {houses}."


def pawn_actions(t: Table, boss: Boss) -> list[Any]:
    """VT-7.10 Attack, work and sabotage with every unexhausted pawn."""
    options: list[Any] = []
    pawns = [card for card in boss.assets if look(t, card).is_pawn]
    ready = [pawn for pawn in pawns if not t.exhausted[pawn] and "act" not in t.barred[pawn]]
    if not ready and not t.explaining:
        return options
    marks = [(card, elusive(t, card)) for card in all_assets(t)]
    workable = [("work", reference(t, boss.seat, card)) for card in events_to_work_on(t, boss)]
    breakable = [("sabotage", reference(t, boss.seat, card)) for card in all_events(t)]
    for pawn in ready:
        barred = t.barred[pawn]
        cunning = t.cunning_now[pawn] or 0
        if "attack" not in barred:
            options += [("attack", pawn, mark) for mark, needs in marks if cunning > needs and mark != pawn]
        options += [(kind, pawn, event) for kind, event in workable + breakable if kind not in barred]
    if t.explaining:
        options += closed_pawn_actions(t, pawns, marks, workable + breakable)
    return options


def closed_pawn_actions(
    t: Table, pawns: list[Card], marks: list[tuple[Card, int]], on_events: list[Option]
) -> Iterator[No]:
    """VT-7.10 What each pawn may not do, and why."""
    for pawn in pawns:
        actions = [("attack", mark, needs) for mark, needs in marks if mark != pawn]
        actions += [(kind, event, -1) for kind, event in on_events]
        for kind, mark, needs in actions:
            if obstacle := held_back(t, pawn, kind, mark, needs):
                yield No((kind, pawn, mark), *obstacle)


def held_back(t: Table, pawn: Card, kind: str, mark: Any, needs: int) -> Obstacle | None:
    """VT-7.8 VT-15.15 Why a pawn may not attack, work or sabotage."""
    name, barred = look(t, pawn).name, t.barred[pawn]
    if t.exhausted[pawn]:
        return "VT-7.8", f"{name} is exhausted."
    if "act" in barred or kind in barred:
        return "VT-7.10", f"{name} cannot {'act' if 'act' in barred else kind}."
    if (t.cunning_now[pawn] or 0) <= needs:
        return "VT-15.15", f"{look(t, mark).name} is Elusive: {name} has not the Cunning."
    return None


def elusive(t: Table, card: Card) -> int:
    """VT-15.15 What an attacker's Cunning must exceed: an Elusive asset's Stealth."""
    return (t.stealth_now[card] or 0) if "Elusive" in t.keywords[card] else -1


def events_to_work_on(t: Table, boss: Boss) -> list[Card]:
    """VT-7.15 Underway events whose boss consents, or has not refused yet this turn."""
    return [
        card
        for other in t.bosses
        for card in other.underway
        if other.seat == boss.seat or not t.consent_refused[card]
    ]


def abilities(t: Table, boss: Boss, in_window: bool) -> list[Any]:
    """VT-7.20 Activated abilities in one's employ."""
    options: list[Any] = []
    faces, numbers = all_printed(t.content), t.faces
    only_maneuvers = in_window and not t.explaining
    for zone in (boss.assets, boss.altering, boss.ongoing, boss.underway):
        for card in zone:
            face = faces[numbers[card]]
            for line in face.maneuvers if only_maneuvers else face.activated:
                if line.sneak == (zone is boss.underway):
                    options += uses(t, boss, card, face, line, in_window)
    return options


def uses(t: Table, boss: Boss, card: Card, face: Printed, line: Ability, in_window: bool) -> list[Any]:
    """VT-16.14 One option for each first mark an ability may have; one without, if it needs none."""
    use = (line.verb, card, line.index)
    if obstacle := unusable(t, boss, card, face, line, in_window):
        return closed(t, use, obstacle)
    if line.seduce:
        marks = [mark for mark in all_assets(t) if seducible(t, card, mark)]
        nobody = ("VT-16.4", f"{face.name} finds nobody to seduce.")
        return [(*use, mark) for mark in marks] or closed(t, use, nobody)
    if not line.targets:
        return [use]
    marks = line.targets[0].candidates(Play(t, boss.seat, card, t.face(card)))
    if not marks and len(line.effects) == 1:
        return closed(t, use, ("VT-7.22", f"{face.name}: there is nothing to mark."))
    return [(*use, reference(t, boss.seat, mark)) for mark in marks] or [use]


def unusable(
    t: Table, boss: Boss, card: Card, face: Printed, line: Ability, in_window: bool
) -> Obstacle | None:
    if in_window and not line.maneuver:
        return "VT-12.3", f"{face.name}: that ability has not the tag Maneuver."
    if not in_window and line.maneuver and line.speaks_of_the_action:
        return "VT-B77", f"{face.name}: that ability speaks of an action: it is a maneuver only."
    if t.exhausted[card] and (line.exhausts or line.by_pawn):
        return "VT-16.2", f"{face.name} is exhausted."
    if line.by_pawn and (not is_asset_in_play(t, card) or "act" in t.barred[card]):
        return "VT-11.6", f"{face.name} cannot act."
    if line.price > boss.wealth:
        return "VT-1.3", f"{face.name}: that ability costs {line.price}Ç."
    return None


def seducible(t: Table, seducer: Card, mark: Card) -> bool:
    """VT-16.4 Another Human pawn with no more Cunning."""
    face = look(t, mark)
    return (
        mark != seducer
        and face.is_pawn
        and "Human" in face.types
        and (t.cunning_now[mark] or 0) <= (t.cunning_now[seducer] or 0)
    )


# Declaring and paying --------------------------------------------------------------------------------------------------


def consents(t: Table, option: Option) -> Asking:
    """VT-7.16 Another's event is worked on only if its boss agrees; refused once, it is not asked again this turn."""
    _, pawn, mark = option
    event = referred(t, mark)
    owner = boss_of(t, event)
    if owner == t.active:
        return True
    prompt = f"@{t.active} wants {look(t, pawn).name} to work on {look(t, event).name}"
    answer = yield t.ask(owner, [("consent",), ("refuse",)], prompt, "VT-7.16", default=("refuse",))
    if answer == ("consent",):
        return True
    t.consent_refused[event] = True
    t.log("VT-7.16", "{who} refuses the work of {pawn}.", who=t.bosses[owner], pawn=pawn)
    return False


def declare(t: Table, seat: int, option: Option) -> Asking:
    """VT-7.21 An action is declared with its marks and paid for."""
    kind, *rest = option
    action = Action.new(kind=kind, by=seat, asked=t.active)
    boss = t.bosses[seat]
    match kind:
        case "negotiate":
            boss.wealth -= NEGOTIATING
            action.discard_first = len(boss.hand) >= FULL_HAND
            t.log("VT-7.1", "{who} pays {n}Ç to negotiate.", who=boss, n=NEGOTIATING)
        case "purchase":
            declare_purchase(t, boss, action, *rest)
        case "underway":
            t.log("VT-7.6", "{who} gets {card} underway.", who=boss, card=rest[0])
            t.move(rest[0], boss.declared)
            t.tell(rest[0], "may lie underway")
        case "complete":
            action.card = rest[0]
            tell_completable(t, boss, rest[0])
            t.log("VT-7.18", "{who} completes {card}.", who=boss, card=rest[0])
        case "intercept":
            action.card = rest[0]
            t.log("VT-15.10", "{card} of {who} intercepts.", who=boss, card=rest[0])
            yield from exhaust(t, [rest[0]])
        case "attack" | "work" | "sabotage":
            action.card, action.mark = rest[0], referred(t, rest[1])
            t.log(
                RULE_OF[kind],
                f"{{pawn}} of {{who}} {VERB_OF[kind]} {{mark}} of {{other}}.",
                who=boss,
                pawn=rest[0],
                mark=action.mark,
                other=t.bosses[boss_of(t, action.mark)],
            )
            yield from pay_for_pawn(t, action)
        case _:
            yield from declare_ability(t, boss, action, *rest)
    t.actions.append(action)
    yield from settle_action(t)


RULE_OF = {"attack": "VT-7.11", "work": "VT-7.15", "sabotage": "VT-7.17"}
VERB_OF = {"attack": "attacks", "work": "works on", "sabotage": "sabotages"}


def declare_purchase(t: Table, boss: Boss, action: Action, card: Card, host: Card | None = None) -> None:
    """VT-7.5 The card is shown and paid for."""
    cost = price(t, boss.seat, look(t, card))
    t.reveal([card])
    action.card, action.mark = card, host
    boss.wealth -= cost
    t.log("VT-7.5", "{who} pays {n}Ç for {card}.", who=boss, n=cost, card=card)


def tell_completable(t: Table, boss: Boss, card: Card) -> None:
    """VT-B25 Others learn no more than that this card may be completed now."""
    influence = ", ".join(f"{house} {n}" for house, n in boss.influence.items() if n)
    kinds = ", ".join(sorted({word for mark in all_assets(t) for word in look(t, mark).types}))
    t.tell(card, "may be completed", t.progress[card], influence, kinds)


def declare_ability(t: Table, boss: Boss, action: Action, card: Card, index: int, mark: Any = None) -> Asking:
    """VT-7.20 An ability is announced with its marks, and its tags are paid."""
    line = look(t, card).lines[index]
    action.card, action.line = card, index
    if mark is not None:
        action.mark = referred(t, mark)
    if is_underway(t, card):
        t.tell(card, "can do:", line.text)
    t.log("VT-7.20", "{who} uses {card}: {says}", who=boss, card=card, says=line.text)
    play = Play(t, boss.seat, card, t.face(card))
    further = line.targets if line.seduce else line.targets[1:]
    for target in further:
        if target.candidates(play):
            chosen = yield from play.choose_target(target)
            action.aimed = (*action.aimed, (target.path, chosen))
    yield from pay(t, boss.seat, card, line)
    if line.by_pawn:
        yield from pay_for_pawn(t, action)


def pay_for_pawn(t: Table, action: Action) -> Asking:
    """VT-7.9 The pawn exhausts and takes its risk damage."""
    yield from exhaust(t, [action.card])
    if not is_asset_in_play(t, action.card):
        return
    amount = risk(t, action.by, action.card, action.mark if action.kind == "attack" else None)
    if amount and not t.options["actor_must_live"] and lethal(t, action.card, amount):
        action.owed = amount
        return
    yield from deal(t, [(action.card, amount, "phys", None)], "VT-8.1")


def risk(t: Table, seat: int, pawn: Card, attacked: Card | None = None) -> int:
    """VT-8.1 By the boss's total Influence; VT-7.14 none against a mark that has a Force; VT-8.5 none if immune."""
    if "Political Immunity" in t.keywords[pawn] or (
        attacked is not None and t.force_now[attacked] is not None
    ):
        return 0
    boss = t.bosses[seat]
    level = boss.total() if t.options["risk_by"] == "total" else boss.influence[look(t, pawn).house]
    return 0 if level <= 2 else 1 if level <= 4 else 2


def lethal(t: Table, card: Card, amount: int) -> bool:
    return t.resolve_now[card] is not None and damage_total(t, card) + amount >= t.resolve_now[card]
