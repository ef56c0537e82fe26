"""CR-13: victory, and giving up."""

from __future__ import annotations

from collections.abc import Iterator

from talion.kernel import Asking, Option, Standing, listed

from .table import OBJECTIVES, TYPES, Coven, Witch, sort_of, witch_name


def victory(t: Coven) -> None:
    """CR-13.2 Five tokens win at once."""
    winners = [witch for witch in t.witches if len(witch.tokens) == OBJECTIVES and not witch.conceded]
    if len(winners) > 1 and t.options["tiebreak"] == "hand":
        best = max(in_hand(t, witch) for witch in winners)
        winners = [witch for witch in winners if in_hand(t, witch) == best]
    if winners:
        names = listed([witch_name(t, witch) for witch in winners])
        why = f"{names} {'has' if len(winners) == 1 else 'have'} completed all five objectives."
        t.over([witch.seat for witch in winners], why, "CR-13.2" if len(winners) == 1 else "CR-13.5")
    for rival in t.rival:
        if len(rival.tokens) == OBJECTIVES:
            t.over((), f"The Rival {rival.witch} has completed all five objectives.", "CR-16.9")


def in_hand(t: Coven, witch: Witch) -> tuple[int, int, int]:
    """CR-A5 Incantations, then Artifacts, then Ritual Objects."""
    sorts = [sort_of(t.face(card)) for card in witch.hand]
    return sorts.count("Incantation"), sorts.count("Artifact"), sum(sort in TYPES for sort in sorts)


def standing(t: Coven) -> Iterator[Standing]:
    """CR-A44 Anybody may concede at any time."""
    for witch in t.witches:
        if not witch.conceded:
            yield Standing(t.ask(witch, [("concede",)], "Concede", "CR-A44"), concede)


def concede(t: Coven, seat: int, option: Option) -> Asking:
    """CR-A44 The others play on; she cannot win."""
    t.witches[seat].conceded = True
    t.log("CR-A44", "{who} concedes.", who=t.witches[seat])
    if all(witch.conceded for witch in t.witches):
        t.over((), "Everybody has conceded.", "CR-A44")
    yield from ()
