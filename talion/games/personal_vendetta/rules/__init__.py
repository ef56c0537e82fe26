"""The rules of Personal Vendetta, by chapter of the rulebook. Steps are found here by name."""

from .actions import PASS, activated, carry_out, react, resolve
from .cards import add, bury, draw, pick_from, pick_to_bury, top_card, turn_up
from .life import gain, look_for_deaths, lose, opponent, standing
from .showing import grave, means, phase, picture
from .table import CHOICES, HAND_SIZE, Vendetta, build
from .triggers import settle
from .turn import begin_turn, discard_down, end_phase, late_ticks, main_phase, next_turn, setup

__all__ = [
    "CHOICES",
    "HAND_SIZE",
    "PASS",
    "Vendetta",
    "activated",
    "add",
    "begin_turn",
    "build",
    "bury",
    "carry_out",
    "discard_down",
    "draw",
    "end_phase",
    "gain",
    "grave",
    "late_ticks",
    "look_for_deaths",
    "lose",
    "main_phase",
    "means",
    "next_turn",
    "opponent",
    "phase",
    "pick_from",
    "pick_to_bury",
    "picture",
    "react",
    "resolve",
    "settle",
    "setup",
    "standing",
    "top_card",
    "turn_up",
]
