"""The rules of A Chapter of Resonance, by chapter. Steps are found here by name."""

from .actions import act, draws, race, reveal
from .ending import standing
from .resolution import arrive, clear_a_type, delayed, demon_acts, resolve, spells
from .setup import build, deal, draft, set_up
from .solo import solo_card
from .table import Coven, sources
from .words import card_name, means, phase, words

__all__ = [
    "Coven",
    "act",
    "arrive",
    "build",
    "card_name",
    "clear_a_type",
    "deal",
    "delayed",
    "demon_acts",
    "draft",
    "draws",
    "means",
    "phase",
    "race",
    "resolve",
    "reveal",
    "set_up",
    "solo_card",
    "sources",
    "spells",
    "standing",
    "words",
]
