"""VT-1.8, VT-3, VT-4, VT-13, VT-14: Influence and victory; damage and death; sabotage; lines that happen of themselves."""

from __future__ import annotations

from collections.abc import Iterable

from talion.kernel import Asking, Card, Pile, Play

from .table import (
    DOMAIN_OF,
    FULL_DAMAGE_TO,
    HOUSES,
    Ability,
    Boss,
    Table,
    all_assets,
    alterers_of,
    boss_of,
    damage_total,
    domain,
    from_active,
    is_event_in_play,
    lasting_words,
    look,
    order,
    reckon,
    works_underway,
)

Blow = tuple[Card, int, str, Card | None]
"""Who takes how much of which kind of damage, and from what."""
Killers = dict[Card, tuple[Card, int] | None]
"""For each victim its killer, and the killer's boss at that time."""

VICTORY = 8


# Influence -------------------------------------------------------------------------------------------------------------


def gain_influence(
    t: Table, gains: Iterable[tuple[int, str, int]], rule: str, job_boss: int | None = None
) -> None:
    """VT-1.8 Influence is gained, by several at once if need be; whoever then has eight wins at that instant."""
    for seat, house, points in gains:
        if points:
            t.bosses[seat].influence[house] += points
            t.log(
                rule,
                "{who} gains {n} Influence with House {house}.",
                who=t.bosses[seat],
                n=points,
                house=house,
            )
    there = [seat for seat in order(t) if t.bosses[seat].total() >= VICTORY]
    if there:
        winners = decide(t, there, job_boss)
        names = " and ".join(f"@{seat}" for seat in winners)
        t.over(winners, f"{names} reached {VICTORY} Influence.", "VT-1.8", scores(t))


def decide(t: Table, there: list[int], job_boss: int | None) -> list[int]:
    """VT-B51 Several who reach eight by one allotment win together, unless the match's options say otherwise."""
    way = t.options["joint_victory"]
    if len(there) == 1 or way == "joint":
        return there
    if way == "boss" and job_boss in there:
        return [job_boss]
    most = max(t.bosses[seat].total() for seat in there)
    return [seat for seat in there if t.bosses[seat].total() == most]


def scores(t: Table) -> list[int]:
    return [boss.total() for boss in t.bosses]


def choose_house(t: Table, seat: int, prompt: str, rule: str) -> Asking:
    """VT-B33 A House of one's choice; left to itself a seat takes the one it knows best."""
    influence = t.bosses[seat].influence
    best = max(HOUSES, key=lambda house: influence[house])
    _, house = yield t.ask(
        seat, [("house", house) for house in HOUSES], prompt, rule, default=("house", best), minor=True
    )
    return house


def reward(t: Table, seat: int, rule: str, why: str) -> Asking:
    """VT-4.5 One point of Influence with a House of one's choice."""
    house = yield from choose_house(t, seat, f"{why}: gain 1 Influence with which House?", rule)
    gain_influence(t, [(seat, house, 1)], rule)


# Damage ----------------------------------------------------------------------------------------------------------------


def combat_damage(t: Table, card: Card, foe: Card) -> int:
    """VT-14.2 Its Force, halved against another domain unless a keyword says full."""
    force = t.force_now[card] or 0
    there = domain(t, foe)
    words = t.keywords[card]
    if domain(t, card) == there or any(there in FULL_DAMAGE_TO.get(word, ()) for word in words):
        return force
    if any(DOMAIN_OF.get(word) == there for word in words):
        return force
    return (force + 1) // 2 if t.options["halves"] == "up" else force // 2


def blow(t: Table, card: Card, foe: Card) -> Blow:
    """VT-15.7 What one asset deals another in combat: how much, of which kind."""
    kind = "psych" if "Tormenting" in t.keywords[card] else "phys"
    return (foe, combat_damage(t, card, foe), kind, card)


def attack_blows(t: Table, pawn: Card, mark: Card) -> list[Blow]:
    """VT-7.12 Both deal their Force at the same time; VT-15.5 a Long-Ranged attacker takes nothing from a pawn."""
    blows = [blow(t, pawn, mark)]
    out_of_reach = "Long-Ranged" in t.keywords[pawn] and look(t, mark).is_pawn
    if t.force_now[mark] is not None and not out_of_reach:
        blows.append(blow(t, mark, pawn))
    return blows


def fight(t: Table, one: Card, other: Card) -> Asking:
    """VT-15.14 Each deals its Force to the other, at the same time."""
    yield from deal(t, [blow(t, one, other), blow(t, other, one)], "VT-15.14")


def deal(t: Table, blows: Iterable[Blow], rule: str) -> Asking:
    """VT-13.1 Damage is dealt all at once; then deaths are looked for."""
    killers: Killers = {}
    for card, amount, kind, source in blows:
        if amount > 0:
            getattr(t, kind)[card] += amount
            killers[card] = None if source is None else (source, boss_of(t, source))
            t.log(rule, "{card} takes {n} {kind}-damage.", card=card, n=amount, kind=kind)
    if killers:
        yield from deaths(t, killers)


def heal(t: Table, card: Card, amount: int, rule: str) -> None:
    """VT-B61 Phys-damage first, then psych-damage."""
    for kind in (t.phys, t.psych):
        healed = min(amount, kind[card])
        kind[card] -= healed
        amount -= healed
    t.log(rule, "{card} is healed.", card=card)


def settle(t: Table) -> Asking:
    """VT-3.3 What is in play, or in force, has changed: assets are reckoned up, and die if their Resolve fell too low."""
    reckon(t)
    yield from deaths(t, {})


def deaths(t: Table, killers: Killers) -> Asking:
    """VT-3.3 Every asset whose damage reaches its Resolve dies, all at once, until none is left to die."""
    while dead := [
        card
        for card in all_assets(t)
        if t.resolve_now[card] is not None and damage_total(t, card) >= t.resolve_now[card]
    ]:
        yield from die(t, {card: killers.get(card) for card in dead})
        killers = {}


def settle_action(t: Table) -> Asking:
    """VT-B81 Another action is going on, which lasting lines may speak of."""
    if "acting" in lasting_words(t.content):
        yield from settle(t)


def exhaust(t: Table, cards: Iterable[Card], so: bool = True) -> Asking:
    """VT-3.1 Cards are exhausted or unexhausted, which lasting lines may look at."""
    for card in cards:
        t.exhausted[card] = so
    if not lasting_words(t.content).isdisjoint(("exhausted", "unexhausted")):
        yield from settle(t)


def die(t: Table, victims: Killers) -> Asking:
    """VT-3.4 Dead assets go to their original bosses' junkyards; then killers are rewarded, the active player first."""
    rewards = []
    for card, killer in victims.items():
        boss = boss_of(t, card)
        face = look(t, card)
        t.log("VT-3.4", "{card} of {who} dies.", card=card, who=t.bosses[boss])
        if killer and "Notorious" in t.keywords[card] and killer[1] != boss:
            rewards.append((killer[1], face.name))
        if face.is_pawn:
            t.happened("dies", boss=boss)
            if killer:
                t.happened("kills", card=killer[0])
    for card in victims:
        leave(t, card)
    reckon(t)
    seats = from_active(t)
    for seat, name in sorted(rewards, key=lambda one: seats.index(one[0])):
        yield from reward(t, seat, "VT-15.3", f"{name} was Notorious")
    yield from serve_triggers(t)


def kill(t: Table, cards: Iterable[Card], source: Card | None) -> Asking:
    """VT-B32 An effect kills, and its card is the killer."""
    killer = None if source is None else (source, boss_of(t, source))
    yield from die(t, dict.fromkeys(cards, killer))
    yield from deaths(t, {})


def leave(t: Table, card: Card, to: Pile | None = None) -> None:
    """VT-11.5 A card leaves play for its original boss's junkyard (or hand); what altered it is discarded."""
    owner = original_boss(t, card)
    clear(t, card)
    t.alters = tuple(pair for pair in t.alters if pair[0] != card)
    t.move(card, owner.junkyard if to is None else to)
    t.original_boss[card] = None
    for altering in alterers_of(t, card):
        t.log("VT-11.5", "{card} is discarded with what it altered.", card=altering)
        leave(t, altering)


def original_boss(t: Table, card: Card) -> Boss:
    seat = t.original_boss[card]
    return t.bosses[boss_of(t, card) if seat is None else seat]


def clear(t: Table, card: Card) -> None:
    """A card that leaves play keeps nothing of it."""
    t.exhausted[card] = t.consent_refused[card] = False
    t.phys[card] = t.psych[card] = t.progress[card] = t.sabotage[card] = 0
    t.returns_to[card] = None
    t.until_end[card] = t.keywords[card] = t.barred[card] = ()
    t.force_now[card] = t.cunning_now[card] = t.stealth_now[card] = t.resolve_now[card] = None


def serve_triggers(t: Table) -> Asking:
    """What cards do whenever something happens: the active player's first, then in turn order."""
    while t.queue:
        seats = from_active(t)
        first = min(t.queue, key=lambda waiting: seats.index(dict(waiting[1])["you"]))
        yield from t.resolve(first)


# Sabotage ----------------------------------------------------------------------------------------------------------------


def threshold(t: Table, progress: int) -> int:
    return threshold_at(progress, t.options["progress_11_needs"])


def threshold_at(progress: int, at_eleven: int) -> int:
    """VT-4.3 How much sabotage damage is enough at this progress."""
    if progress == 0:
        return 3
    if progress == 11:
        return at_eleven
    bands = ((5, 8), (11, 7), (17, 6), (23, 5))
    return next((enough for last, enough in bands if progress <= last), 4)


def sabotage(t: Table, card: Card, amount: int, saboteur: int) -> Asking:
    """VT-4.2 Sabotage damage is placed; if all of it is enough, the event is completely sabotaged."""
    if amount <= 0 or not is_event_in_play(t, card):
        return
    t.sabotage[card] += amount
    t.log(
        "VT-7.17",
        "{card} of {who} has {n} sabotage damage.",
        card=card,
        who=t.bosses[boss_of(t, card)],
        n=t.sabotage[card],
    )
    if t.sabotage[card] >= threshold(t, t.progress[card]):
        yield from break_up(t, card, saboteur)


def break_up(t: Table, card: Card, saboteur: int) -> Asking:
    """VT-4.4 The card is revealed, its Sabotage abilities happen, it is discarded, and the saboteur may gain."""
    boss = boss_of(t, card)
    face = look(t, card)
    sneaks = face.is_asset
    t.reveal([card])
    t.log("VT-4.4", "{card} of {who} is completely sabotaged.", card=card, who=t.bosses[boss])
    for line in face.happening("sabotage"):
        yield from happen(t, boss, card, line)
    if is_event_in_play(t, card):
        leave(t, card)
        yield from settle(t)
    if boss != saboteur and face.kind == "job":
        yield from reward(t, saboteur, "VT-4.5", f"{face.name} is sabotaged")
    elif boss != saboteur and sneaks and "Notorious" in face.keywords:
        yield from reward(t, saboteur, "VT-15.4", f"{face.name} was Notorious")


# Lines that happen of themselves ---------------------------------------------------------------------------------------


def happen(t: Table, seat: int, card: Card, line: Ability) -> Asking:
    """VT-16.14 A Deploy, Turn or Sabotage line: one with a cost may be paid or skipped."""
    if line.costs:
        if not affordable(t, seat, card, line):
            return
        ways = [("pay",), ("skip",)]
        answer = yield t.ask(
            seat, ways, f"{look(t, card).name}: {line.text}", "VT-16.14", default=("skip",), minor=True
        )
        if answer == ("skip",):
            return
        yield from pay(t, seat, card, line)
    yield from Play(t, seat, card, t.face(card)).carry_out(line.effects)


def affordable(t: Table, seat: int, card: Card, line: Ability) -> bool:
    return not (line.exhausts and t.exhausted[card]) and line.price <= t.bosses[seat].wealth


def pay(t: Table, seat: int, card: Card, line: Ability) -> Asking:
    """VT-16.2 VT-16.3 What an ability's tags cost."""
    if line.price:
        t.bosses[seat].wealth -= line.price
        t.log("VT-16.3", "{who} pays {n}Ç.", who=t.bosses[seat], n=line.price)
    if line.exhausts:
        yield from exhaust(t, [card])


def tell_work(t: Table, card: Card, tag: str) -> None:
    """VT-B37 What a face-down card openly does is seen, though not what it is."""
    t.tell(card, "while it sneaks:", tag, works_underway(t.face(card), tag))
