"""VG-10, VG-20.3: Vengeance cards coming to hand and into play, and what a player may do at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from talion.kernel import Asking, Card, No, Option, Play

from .table import Vengeance

Options = Callable[[Vengeance, int], Iterable[Option | No]]


def draw_vengeance(t: Vengeance, seat: int) -> None:
    """VG-8.8, VG-Q78 The top card of the Vengeance deck, if there is one, goes to the hand unseen."""
    if t.draw(t.vengeance_deck, t.heroes[seat].hand) is not None:
        t.log("VG-Q78", "{who} draws a Vengeance card.", who=t.heroes[seat])


def put_in_play(t: Vengeance, seat: int, card: Card) -> None:
    """VG-10.1, VG-10.3 Face up, and its damage is suffered at once."""
    hero = t.heroes[seat]
    t.move(card, hero.wrongs)
    face = t.face(card)
    t.log("VG-10.3", "{who} puts {card} in play: {damage}", who=hero, card=card, damage=face.suffer)
    for line in face.said["suffer"]:
        line.read(Play(t, seat, card, face))


def can_buy_card(t: Vengeance, seat: int) -> bool:
    """VG-20.3 A wild token buys a card while there is one."""
    return bool(t.heroes[seat].wild and t.vengeance_deck)


def buy_card(t: Vengeance, seat: int) -> None:
    t.heroes[seat].wild -= 1
    draw_vengeance(t, seat)


# ---- VG-Q25: "at any time" is at each of one's own decisions in a Montage ----


def free_acts(t: Vengeance, seat: int) -> Iterator[Option]:
    yield from (("play", card) for card in t.heroes[seat].hand)
    if can_buy_card(t, seat):
        yield ("draw",)


def has_free_acts(t: Vengeance, seat: int) -> bool:
    """From public facts alone: a hand is a number of cards to the others."""
    return bool(t.heroes[seat].hand) or can_buy_card(t, seat)


def decide(
    t: Vengeance, seat: int, options: Options, prompt: str, rule: str, *, minor: bool = False
) -> Asking:
    """A decision in a Montage. Free acts may come before its answer."""
    while True:
        answer = yield t.ask(seat, partial(_with_free_acts, options), prompt, rule, minor=minor)
        if answer[0] == "play":
            put_in_play(t, seat, answer[1])
        elif answer == ("draw",):
            buy_card(t, seat)
        else:
            return answer


def _with_free_acts(options: Options, t: Vengeance, seat: int) -> Iterator[Option | No]:
    yield from options(t, seat)
    yield from free_acts(t, seat)


def breather(t: Vengeance, seat: int) -> Asking:
    """VG-10.1 A moment for nothing but free acts, if there are any."""
    if has_free_acts(t, seat):
        yield from decide(t, seat, _go_on, "Before going on", "VG-10.1")


def _go_on(t: Vengeance, seat: int) -> list[Option]:
    return [("go on",)]
