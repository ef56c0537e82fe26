"""What a position is worth, for bots. The unit is 100Ç; a point of Influence is worth ten of them."""

from __future__ import annotations

import math
from typing import Any

from talion.kernel import CardView, Option

from .rules import printed, threshold_at

INFLUENCE = 10.0
NEAR_VICTORY = 2.5
"""What each point beyond the fourth is worth besides."""
MONEY = 0.008
CUNNING, FORCE, STEALTH, RESOLVE = 1.3, 0.75, 0.65, 0.4
GUARD = 1.0
IN_HAND = 1.4
JOBS_AT_ONCE = 3
JUST_STARTED = 1.6
ONGOING, ALTERING = 2.0, 1.5
UNFINISHED = 0.75
"""How much of its reward a job is worth while it is not completed."""
A_LEAD = 25.0
"""Points that make a match likely won."""
GUARDS = ("Interceptor", "Body Guard", "Patrol Guard")


def value(view: Any, seat: int) -> float:
    """From 0 (lost) to 1 (won): my strength against the strongest of the others, and a little against all."""
    if view.over:
        winners = view.result.winners
        return float(seat in winners) if winners else 0.5
    strengths = [strength(boss) for boss in view.bosses]
    mine = strengths.pop(seat)
    lead = mine - 0.7 * max(strengths) - 0.3 * sum(strengths) / len(strengths)
    return (1 + math.tanh(lead / A_LEAD / 2)) / 2  # as 1 / (1 + exp(-lead)), but no lead is too large for it


def strength(boss: Any) -> float:
    """Influence, money, assets, events underway and cards in hand."""
    total = boss.total
    score = INFLUENCE * total + NEAR_VICTORY * max(0, total - 4) + MONEY * boss.wealth
    score += sum(asset_worth(card) for card in boss.assets)
    score += ONGOING * len(boss.ongoing) + ALTERING * len(boss.altering)
    influence = boss.influence
    jobs = sorted((event_worth(card, influence) for card in boss.underway), reverse=True)
    score += sum(jobs[:JOBS_AT_ONCE])
    return score + hand_worth(boss, influence)


def asset_worth(card: Any) -> float:
    """What an asset can do, less the damage on it."""
    face = printed(card.face)
    if not face.is_pawn:
        worth = 1.25 * face.cost / 100
    else:
        worth = CUNNING * (card.cunning_now or 0) + FORCE * (card.force_now or 0)
        worth += STEALTH * (card.stealth_now or 0) + RESOLVE * (card.resolve_now or 0)
        worth += GUARD if any(word in GUARDS for word in card.keywords) else 0
        worth += 1.0 if face.lines else 0
    resolve = card.resolve_now
    if resolve:
        worth *= 1 - 0.75 * min(1.0, (card.phys + card.psych) / resolve)
    return worth


def event_worth(card: Any, influence: dict[str, int]) -> float:
    """A job by its reward and how near it is; what lies hidden is taken for a job of its progress."""
    safety = 1 - 0.5 * min(1.0, card.sabotage / threshold_at(card.progress, 7))
    if not isinstance(card, CardView):
        return safety * (JUST_STARTED + 0.9 * card.progress)
    face = printed(card.face)
    if face.is_asset:
        return JUST_STARTED
    reward = INFLUENCE * card.face.influence + MONEY * card.face.cint if face.kind == "job" else 4.0
    reward *= UNFINISHED if reachable(face, influence) else 0.4
    return safety * (JUST_STARTED + (reward - JUST_STARTED) * min(1.0, card.progress / max(1, face.needs)))


def reachable(face: Any, influence: dict[str, int]) -> bool:
    return any(influence[house] >= face.requirement for house in face.houses)


def hand_worth(boss: Any, influence: dict[str, int]) -> float:
    """Cards in hand, those one can play above all; many are worth less each."""
    known = [card for card in boss.hand if isinstance(card, CardView)]
    worths = [IN_HAND if reachable(printed(card.face), influence) else 0.6 * IN_HAND for card in known]
    worths += [IN_HAND] * (len(boss.hand) - len(known))
    return sum(
        worth * (1.3 if n < 3 else 1.0 if n < 7 else 0.3)
        for n, worth in enumerate(sorted(worths, reverse=True))
    )


# Hints ------------------------------------------------------------------------------------------------------------------

LEADER = 5
"""Influence from which a player is to be feared."""
GIFT = 100
NO = -1.0
RICH, POOR = 600, 400


def hint(view: Any, option: Option) -> float:
    """What looking one decision ahead does not see; -1 for what is not worth looking at."""
    match option:
        case ("pass",):
            return 0.004
        case ("end",):
            return -0.01
        case ("attack" | "work" | "sabotage" | "purchase", *_):
            return NO if pointless(view.bosses[view.viewer], *option) else 0.0
        case ("seduce", seducer, _, mark):
            return NO if pointless(view.bosses[view.viewer], "seduce", seducer, mark) else 0.0
        case ("split", *shares):
            return -0.1 * (sum(shares) - shares[view.viewer])
        case ("give", receiver):
            return 1.0 if worth_a_gift(view, receiver) else NO
        case ("amount", amount):
            return 0.1 if amount == GIFT else NO
        case ("another amount",):
            return NO
    return 0.0


def pointless(me: Any, kind: str, card: int, mark: Any = None) -> bool:
    """Harming what is one's own, helping what is another's, striking without strength, waking who is awake."""
    own = {asset.number: asset for asset in me.assets}
    match kind:
        case "attack":
            return mark in own or not own[card].force_now
        case "work":
            return isinstance(mark, tuple)
        case "seduce":
            # Two of a kind could wake each other for ever.
            return mark in own and (not own[mark].exhausted or own[mark].name == own[card].name)
        case "sabotage":
            return not own[card].stealth_now or mark in [
                event.number for event in (*me.underway, *me.ongoing)
            ]
    return mark is not None and mark not in own


def worth_a_gift(view: Any, receiver: int) -> bool:
    """A rich player helps a poor one against a leader, if the poor one is far from winning."""
    me, other = view.bosses[view.viewer], view.bosses[receiver]
    leaders = [boss for boss in view.bosses if boss.seat not in (me.seat, receiver) and boss.total >= LEADER]
    return (
        bool(leaders)
        and leaders[0].total >= other.total + 2
        and me.wealth >= RICH
        and other.wealth < POOR
        and not could_win_next_turn(other)
        and not view.refusals
    )


def could_win_next_turn(boss: Any) -> bool:
    """Counting each event underway as the best of jobs, and a sabotage or two."""
    return bool(boss.total + 3 * len(boss.underway) + 2 >= 8)
