"""The workshop: change a sentence on a card, and see whether it reads, how it looks, how it plays and what it does.

Served by the table's server as a room of the house. A set is a named overlay of a game's cards, kept with all its revisions; what
cannot be read yet is kept as a draft, which no match ever sees.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talion.table.house import House
    from talion.table.rooms import Room


def room(house: House) -> Room:
    """The workshop of a house."""
    from talion.table.rooms import Room
    from talion.workshop import pages
    from talion.workshop.runs import Runs

    runs = Runs(house.store, house.now)
    return Room("Workshop", "/workshop", pages.router(runs), Path(__file__).parent, runs.stop)
