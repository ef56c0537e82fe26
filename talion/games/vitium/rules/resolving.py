"""VT-7: carrying out what was declared."""

from __future__ import annotations

from talion.kernel import Asking, Card, Option, Play

from . import declaring
from .harm import (
    attack_blows,
    clear,
    deal,
    die,
    fight,
    happen,
    leave,
    sabotage,
    serve_triggers,
    settle,
    tell_work,
)
from .politics import share_out
from .table import (
    PAWN_ACTIONS,
    Action,
    Boss,
    Printed,
    Table,
    all_assets,
    boss_of,
    is_asset_in_play,
    is_event_in_play,
    is_underway,
    look,
)


def acting_pawn(t: Table, speaker: Card | None) -> Card | None:
    """VT-16.8 The pawn of the pawn action that is going on, if it is still in play.

    A pawn that acts as a maneuver does not speak of itself, but of the one it answers.
    """
    for depth, action in reversed(list(enumerate(t.actions))):
        if action.kind in PAWN_ACTIONS and not (depth and action.card == speaker):
            return action.card if is_asset_in_play(t, action.card) else None
    return None


def prevent(t: Table) -> None:
    """VT-12.7 The action that the present maneuver answers does not resolve."""
    if len(t.actions) > 1:
        t.actions[-2].prevented = True


def carry_out(t: Table, action: Action) -> Asking:
    """VT-7.22 What was declared is done, unless it was prevented or the acting pawn is gone."""
    if action.prevented:
        t.log("VT-12.7", "The action is prevented.")
        t.move_all(t.bosses[action.by].declared, t.bosses[action.by].hand)
    elif action.kind in PAWN_ACTIONS and not is_asset_in_play(t, action.card):
        t.log("VT-7.22", "The acting pawn is gone, and its action with it.")
    else:
        yield from DO[action.kind](t, action)
    if action.owed and is_asset_in_play(t, action.card):
        yield from deal(t, [(action.card, action.owed, "phys", None)], "VT-8.1")


# Cards and money --------------------------------------------------------------------------------------------------------


def negotiate(t: Table, action: Action) -> Asking:
    """VT-7.2 With ten cards in hand at declaration, discard one; then draw."""
    boss = t.bosses[action.by]
    if action.discard_first:
        yield from discard(t, boss, "VT-7.2")
    draw(t, boss, 1, "VT-7.1")


def discard(t: Table, boss: Boss, rule: str) -> Asking:
    """A card of one's choice from the hand, seen by all once it lies in the junkyard."""
    if not boss.hand:
        return
    _, card = yield t.ask(boss, to_discard, "Discard a card", rule, minor=True)
    t.move(card, boss.junkyard)
    t.log(rule, "{who} discards {card}.", who=boss, card=card)


def to_discard(t: Table, seat: int) -> list[Option]:
    cards = sorted(declaring.different(t, t.bosses[seat].hand), key=lambda card: look(t, card).cost)
    return [("discard", card) for card in cards]


def draw(t: Table, boss: Boss, number: int, rule: str) -> None:
    """VT-B19 Draws from an empty deck do nothing."""
    number = min(number, len(boss.deck))
    drawn = [card for _ in range(number) if (card := t.draw(boss.deck, boss.hand)) is not None]
    if drawn:
        t.log(rule, "{who} draws {cards}.", who=boss, cards=drawn)


def purchase(t: Table, action: Action) -> Asking:
    """VT-7.5 The asset enters play; VT-11.4 or begins to alter its host."""
    boss, card, host = t.bosses[action.by], action.card, action.mark
    face = look(t, card)
    if card not in boss.hand and card not in boss.underway:
        t.log("VT-7.22", "{card} is gone, and its purchase with it.", card=card)
        return
    if host is not None and not is_asset_in_play(t, host):
        t.log("VT-B58", "What {card} was to alter is gone.", card=card)
        leave(t, card)
        return
    t.log("VT-7.5", "{card} enters the employ of {who}.", card=card, who=boss)
    yield from enter(t, boss, card, host)
    if face.unique:
        yield from only_one(t, card, face)
    for line in face.happening("deploy"):
        yield from happen(t, boss.seat, card, line)


def enter(t: Table, boss: Boss, card: Card, host: Card | None) -> Asking:
    """VT-3.1 Unexhausted, without a mark of what it was before."""
    clear(t, card)
    if t.original_boss[card] is None:
        t.original_boss[card] = boss.seat
    if host is None:
        t.move(card, boss.assets)
    else:
        t.move(card, boss.altering)
        t.alters = (*t.alters, (card, host))
    yield from settle(t)


def only_one(t: Table, card: Card, face: Printed) -> Asking:
    """VT-15.1 All other assets of a Unique name are killed, by nobody."""
    others = [other for other in all_assets(t) if other != card and look(t, other).name == face.name]
    yield from die(t, dict.fromkeys(others))
    for boss in t.bosses:
        for other in [c for c in boss.altering if c != card and look(t, c).name == face.name]:
            leave(t, other)
    yield from settle(t)


def get_underway(t: Table, action: Action) -> Asking:
    """VT-4.1 Face down, without progress or sabotage."""
    boss = t.bosses[action.by]
    for card in list(boss.declared):
        clear(t, card)
        if t.original_boss[card] is None:
            t.original_boss[card] = boss.seat
        t.move(card, boss.underway)
        t.tell(card, "may lie underway")
        tell_work(t, card, "")
    yield from settle(t)


# Pawn actions ---------------------------------------------------------------------------------------------------------


def attack(t: Table, action: Action) -> Asking:
    """VT-7.12 The two fight, if the mark is still within reach."""
    pawn, mark = action.card, action.mark
    if not is_asset_in_play(t, mark) or (t.cunning_now[pawn] or 0) <= declaring.elusive(t, mark):
        t.log("VT-7.22", "The attack finds no mark.")
        return
    yield from deal(t, attack_blows(t, pawn, mark), "VT-7.12")


def work(t: Table, action: Action) -> Asking:
    """VT-7.15 Progress equal to the worker's Cunning."""
    if is_underway(t, action.mark):
        put_progress(t, action.mark, t.cunning_now[action.card] or 0)
    return
    yield


def put_progress(t: Table, card: Card, amount: int) -> None:
    t.progress[card] = max(0, t.progress[card] + amount)
    t.log(
        "VT-7.15",
        "{card} of {who} is at progress {n}.",
        card=card,
        who=t.bosses[boss_of(t, card)],
        n=t.progress[card],
    )


def sabotage_event(t: Table, action: Action) -> Asking:
    """VT-7.17 Sabotage damage equal to the pawn's Stealth."""
    if is_event_in_play(t, action.mark):
        yield from sabotage(t, action.mark, t.stealth_now[action.card] or 0, boss_of(t, action.card))


def seduce(t: Table, action: Action) -> Asking:
    """VT-16.4 The ability resolves, if the mark is still one."""
    if is_asset_in_play(t, action.mark) and declaring.seducible(t, action.card, action.mark):
        yield from use_ability(t, action)


def use_ability(t: Table, action: Action) -> Asking:
    """VT-7.20 The sentences of an ability, with the marks that were declared."""
    line = look(t, action.card).lines[action.line]
    play = Play(t, action.by, action.card, t.face(action.card))
    play.aimed = dict(action.aimed)
    if line.seduce:
        play["seduced"] = action.mark
    elif line.targets and action.mark is not None:
        play.aimed[line.targets[0].path] = action.mark
    yield from play.carry_out(line.effects)


def intercept(t: Table, action: Action) -> Asking:
    """VT-15.10 The action is prevented, and the acting pawn and the interceptor fight."""
    pawn = t.actions[-2].card
    prevent(t)
    if is_asset_in_play(t, pawn) and is_asset_in_play(t, action.card):
        t.happened("intercepts", card=action.card)
        yield from fight(t, pawn, action.card)
        yield from serve_triggers(t)


# Completing -----------------------------------------------------------------------------------------------------------


def complete(t: Table, action: Action) -> Asking:
    """VT-7.18 The event is turned up and takes effect; VT-B80 a job then pays."""
    boss, card = t.bosses[action.by], action.card
    face, printed = t.face(card), look(t, card)
    still = is_underway(t, card) and boss_of(t, card) == boss.seat
    if not still or declaring.unfinished(t, boss, card, printed):
        t.log("VT-7.22", "It can be completed no more.")
        return
    t.move(card, boss.resolving)
    t.log("VT-7.18", "{card} is turned up.", card=card)
    play = Play(t, boss.seat, card, face)
    if printed.alters:
        yield from begin_altering(t, boss, card, printed, play)
    for line in printed.lines:
        if line.plain:
            yield from play.carry_out(line.effects)
    put_away(t, boss, card, printed)
    yield from settle(t)
    if printed.kind == "job":
        boss.wealth += face.cint
        t.log("VT-7.19", "{who} collects {n}Ç.", who=boss, n=face.cint)
        if face.influence:
            yield from share_out(t, boss.seat, face.house, face.influence)
        t.happened("completes", seat=boss.seat)
        yield from serve_triggers(t)


def begin_altering(t: Table, boss: Boss, card: Card, printed: Printed, play: Play) -> Asking:
    """VT-11.4 An event that alters marks its host when it is turned up."""
    found = declaring.hosts(t, printed)
    if found:
        host = yield from t.choose(boss, f"What does {printed.name} alter?", found, "VT-11.4")
        t.move(card, boss.altering)
        t.alters = (*t.alters, (card, host))
        play["that"] = host
        t.log("VT-11.4", "{card} alters {host}.", card=card, host=host)
        yield from settle(t)


def put_away(t: Table, boss: Boss, card: Card, printed: Printed) -> None:
    """VT-2.4 A completed event is discarded; VT-15.9 an Ongoing one stays."""
    if card not in boss.resolving:
        return
    if printed.ongoing and not printed.alters:
        t.move(card, boss.ongoing)
    else:
        leave(t, card)


DO = {
    "negotiate": negotiate,
    "purchase": purchase,
    "underway": get_underway,
    "attack": attack,
    "work": work,
    "sabotage": sabotage_event,
    "seduce": seduce,
    "act": use_ability,
    "use": use_ability,
    "intercept": intercept,
    "complete": complete,
}
