"""VG-16, VG-17: the Skill dice of a fight round."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Sequence

from talion.kernel import Asking, Play

from .printed import printed
from .table import ACTIVATIONS, Die, Vengeance

Part = tuple[int, Sequence[str]]
"""`2 HIT or SHOT`: a number of dice, and the faces each of them may show."""


def roll(t: Vengeance, kind: str) -> Die:
    return t.chance.pick(printed(t.content).dice[kind]), kind


def set_dice(t: Vengeance, dice: Iterable[Die]) -> None:
    t.dice = tuple(sorted(dice))


def count(t: Vengeance, *faces: str) -> int:
    return sum(face in faces for face, _ in t.dice)


def spend_die(t: Vengeance, face: str) -> None:
    """VG-17.1 A spent die is locked: it leaves the dice that can be spent."""
    dice = list(t.dice)
    dice.remove(next(die for die in dice if die[0] == face))
    set_dice(t, dice)


def gain_dice(t: Vengeance, face: str, n: int) -> None:
    """Extra dice of this round. They cannot be rolled again."""
    set_dice(t, (*t.dice, *[(face, "gained")] * n))


def purse(play: Play) -> Count[str]:
    """VG-Q42 The dice an upgrade may use: after the activation only some may touch ENEMY and BOSS."""
    t: Vengeance = play.t
    late = t.window == "After activation" and play["when"] == "Action"
    return Count(face for face, _ in t.dice if not (late and face in ACTIVATIONS))


def payments(dice: Count[str], parts: Sequence[Part]) -> Iterator[tuple[str, ...]]:
    """Every way to pay: the faces of the dice it takes, in order."""
    if not parts:
        yield ()
        return
    (n, faces), rest = parts[0], parts[1:]
    for chosen in _picks(n, list(dict.fromkeys(faces)), dice):
        yield from (tuple(sorted(chosen + more)) for more in payments(dice - Count(chosen), rest))


def _picks(n: int, faces: list[str], dice: Count[str]) -> Iterator[tuple[str, ...]]:
    """Every way to take so many of these dice."""
    if not faces:
        yield from [()] if not n else []
        return
    for first in range(min(n, dice[faces[0]]), -1, -1):
        yield from ((faces[0],) * first + more for more in _picks(n - first, faces[1:], dice))


def affordable(play: Play, parts: Sequence[Part]) -> bool:
    return any(True for _ in payments(purse(play), parts))


def pay(play: Play, parts: Sequence[Part]) -> Asking:
    """VG-17.11 Spends dice; the player chooses which where a card leaves it open."""
    ways = sorted(set(payments(purse(play), parts)))
    chosen = ways[0]
    if len(ways) > 1:
        answer = yield play.t.ask(
            play.you, [("spend", *way) for way in ways], "Which dice?", "VG-17.11", minor=True
        )
        chosen = answer[1:]
    for face in chosen:
        spend_die(play.t, face)
