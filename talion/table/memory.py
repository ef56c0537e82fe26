"""What this process holds: that which was loaded at the start is never looked through for garbage again, the tables seldom, and
what tables needed that have left is given back to the machine."""

from __future__ import annotations

import ctypes
import gc
import sys

LOOKED_THROUGH = 10_000, 20, 20
"""So many more things than before, and whatever is new is looked through for garbage; after so many times more. What a match
remembers grows with every answer and hardly any of it is garbage: by Python's usual 700 a third of all time went into looking."""


def settle() -> None:
    """All that is here now stays for good: games, cards, routes. To look through it costs a tenth of a second each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*LOOKED_THROUGH)


def give_back() -> None:
    """Free what nothing leads to any more, and hand free memory back to the machine."""
    gc.collect()
    if sys.platform.startswith("linux"):
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
