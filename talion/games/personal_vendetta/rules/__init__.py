"""The rules of Personal Vendetta, by chapter of the rulebook. Steps are found here by name."""

from .actions import PASS, react, resolve
from .cards import add, bury, draw, pick_from, pick_to_bury, top_card, turn_up
from .checks import problems
from .life import gain, look_for_deaths, lose, opponent, standing
from .resolving import carry_out, settle
from .table import CHOICES, HAND_SIZE, Vendetta, build
from .turn import begin_turn, discard_down, end_phase, late_ticks, main_phase, next_turn, setup

__all__ = [
    "CHOICES",
    "HAND_SIZE",
    "PASS",
    "Vendetta",
    "add",
    "begin_turn",
    "build",
    "bury",
    "carry_out",
    "discard_down",
    "draw",
    "end_phase",
    "gain",
    "late_ticks",
    "look_for_deaths",
    "lose",
    "main_phase",
    "next_turn",
    "opponent",
    "pick_from",
    "pick_to_bury",
    "problems",
    "react",
    "resolve",
    "settle",
    "setup",
    "standing",
    "top_card",
    "turn_up",
]
