"""VG-13, VG-27: scoring a Fight, and the match."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterator
from typing import Any

from talion.kernel import Asking, Card, Option, Play

from .grudges import draw_vengeance
from .setup import open_den
from .table import Hero, Vengeance
from .turns import begins, tail


def score(t: Vengeance) -> Asking:
    """VG-13.1, VG-Q34, VG-Q35 After a Fight: one scoring, or none."""
    earned = 0
    if any(scorings(t)):
        answer = yield t.ask(t.active, score_options, "Score", "VG-13.1")
        if answer[0] == "score":
            cards = own_cards(t, answer[1])[: answer[2] if len(answer) > 2 else 1]
            earned = worth(t, answer)
            t.move_all(cards, t.hero.scored)
            t.hero.vp += earned
            t.log("VG-13.1", "{who} hands in {cards} for {vp} VP.", who=t.hero, cards=cards, vp=earned)
    return upkeep, earned


def cleared_of_minions(t: Vengeance) -> bool:
    """VG-13.11 Whether nobody but the boss is left."""
    boss = t.face(t.den.boss.top).name
    return all(enemy.name == boss for enemy in t.enemies)


def own_cards(t: Vengeance, boss: str) -> list[Card]:
    """Cards in play that name a boss."""
    return [card for card in t.hero.wrongs if t.face(card).boss == boss]


def scorings(t: Vengeance) -> Iterator[Option]:
    """VG-13.2 to VG-13.17 `("score", boss, copies)` for the boss killed, `("score", boss)` for the minions alone."""
    boss = t.face(t.den.boss.top)
    if t.boss_killed:
        most = 2 if boss.get("big") else 3  # VG-13.3
        cards = own_cards(t, boss.name)
        copies = min(len(cards), most, len(t.face(cards[0]).vp)) if cards else 0
        yield from (("score", boss.name, n) for n in range(1, copies + 1))
    if cleared_of_minions(t):
        gang = {t.face(card).boss for card in t.hero.wrongs if t.face(card).gang == boss.gang}
        if t.boss_killed:
            gang.discard(boss.name)  # the same cards pay for both (VG-13.14)
        yield from (("score", name) for name in sorted(gang))


def score_options(t: Vengeance, seat: int) -> list[Option]:
    return [*scorings(t), ("keep all",)]


def worth(t: Vengeance, scoring: Option) -> int:
    """VG-13.5, VG-13.12, VG-13.14"""
    den = t.face(t.den.board.top).vp if cleared_of_minions(t) else 0
    if len(scoring) == 2:
        return int(den)
    _, boss, copies = scoring
    return int(den + t.face(own_cards(t, boss)[0]).vp[copies - 1])


def upkeep(t: Vengeance, earned: int) -> Any:
    """VG-13.7, VG-13.8, VG-13.9, VG-Q30 A dead boss joins the wall and his den is replaced; a living one stays."""
    den = t.den
    t.enemies = t.dice = ()
    t.zone = t.window = ""
    t.coming = 0
    if t.boss_killed:
        t.draw(den.boss, t.wall)
        t.draw(den.board, t.den_discard)
        den.wild.update(dict.fromkeys(den.wild, 0))
        if t.den_pile and t.boss_deck:
            open_den(t, den, t.den_pile.top)
            t.log("VG-13.8", "{den} opens in its place.", den=den.board.top)
    return console, earned


def console(t: Vengeance, earned: int) -> Asking:
    """VG-13.19, VG-Q36 Who scored nothing may draw a card."""
    t.attacked = None
    if not earned and t.vengeance_deck:
        answer = yield t.ask(t.active, [("draw",), ("decline",)], "Draw a consolation card?", "VG-13.19")
        if answer == ("draw",):
            draw_vengeance(t, t.active)
    return tail


# ---- VG-27: the end of the match ----


@begins("End")
def final_scoring(t: Vengeance) -> Any:
    """VG-27.1 to VG-27.7 Missions; then most VP, fewest cubes, fewest brown cubes."""
    for mission in (face for face in t.content.faces if face.kind == "mission" and face.count):
        for line in mission.said["goal"]:
            line.read(Play(t, 0, None, mission))
    ranks = [(hero.vp, -cubes(hero), -sum(hero.brown.values())) for hero in t.heroes]
    best = max(ranks)
    winners = [seat for seat, rank in enumerate(ranks) if rank == best]
    t.over(winners, reason(ranks, best), "VG-27.4", [hero.vp for hero in t.heroes])


def reason(ranks: list[tuple[int, int, int]], best: tuple[int, int, int]) -> str:
    """VG-27.4 to VG-27.7 What decided it."""
    if ranks.count(best) > 1:
        return "A shared victory: the same VP, the same wounds."
    if sum(rank[:2] == best[:2] for rank in ranks) > 1:
        return "Fewer brown cubes, after a tie in VP and in cubes."
    if sum(rank[0] == best[0] for rank in ranks) > 1:
        return "Fewer damage cubes, after a tie in VP."
    return "The most Vengeance Points."


def cubes(hero: Hero) -> int:
    return sum(hero.red.values()) + sum(hero.brown.values())


def award(t: Vengeance, mission: str, seat: int, vp: int) -> None:
    """VG-13.20 Missions pay at the end."""
    if vp:
        t.heroes[seat].vp += vp
        t.log("VG-13.20", "{mission}: {vp} VP for {who}.", mission=mission, vp=vp, who=t.heroes[seat])


def best_gang(t: Vengeance, hero: Hero) -> int:
    """VG-27.1 The gang of which a hero has scored most cards: how many."""
    gangs = Count(t.face(card).gang for card in hero.scored)
    return max(gangs.values(), default=0)
