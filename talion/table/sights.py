"""What each audience of a match sees, and how often that has changed. Audiences are counted from the watchers: 0 for them, 1 + n
for seat n."""

from __future__ import annotations

import msgspec

from talion.table.play import ServedMatch


class Sight(msgspec.Struct, frozen=True, gc=False):
    """What one audience sees of the match: the bytes, and how often they have changed. Of a seat also what is asked of
    it. All of it is on the disk: the match itself is one answer ahead while that is being written."""

    number: int
    body: bytes
    asked: bool
    awaited: bool = False
    """Whether the others see it choosing."""
    beats: int = 0
    """For how many beats the window is open in which it is asked to react; 0 if it is not."""


def look(
    play: ServedMatch, numbers: list[int], before: list[Sight] | None = None, by: int | None = None
) -> list[Sight]:
    """What every audience sees now, under these numbers; they are as the record has them, or those of what was seen before. Such
    a number grows only if that audience sees a change, since how many answers others gave in secret is a secret too; and for
    seat `by`, whose answer it was, though it be asked the same again."""
    asked, awaited, windows, beats = play.asked, play.awaited, play.windows, play.beats
    sights = []
    for audience, number in enumerate(numbers):
        seat = audience - 1 if audience else None
        body = play.seen(seat)
        if before and (body != before[audience].body or (by is not None and seat == by)):
            number += 1
        sights.append(Sight(number, body, seat in asked, seat in awaited, beats if seat in windows else 0))
    return sights
