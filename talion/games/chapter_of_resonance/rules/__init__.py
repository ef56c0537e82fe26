"""The rules of A Chapter of Resonance, by chapter. Steps are found here by name."""

from .ending import standing
from .round import (
    act,
    arrive,
    clear_a_type,
    deal,
    delayed,
    demon_acts,
    draft,
    draws,
    race,
    resolve,
    reveal,
    set_up,
    solo_card,
    spells,
)
from .setup import build
from .table import Coven, sources

__all__ = [
    "Coven",
    "act",
    "arrive",
    "build",
    "clear_a_type",
    "deal",
    "delayed",
    "demon_acts",
    "draft",
    "draws",
    "race",
    "resolve",
    "reveal",
    "set_up",
    "solo_card",
    "sources",
    "spells",
    "standing",
]
