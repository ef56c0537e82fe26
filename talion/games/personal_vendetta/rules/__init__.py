"""The rules of Personal Vendetta, by chapter of the rulebook. Steps are found here by name."""

from .actions import PASS
from .cards import add, bury, draw, pick_from, pick_to_bury, top_card, turn_up
from .life import gain, look_for_deaths, lose, opponent
from .resolving import carry_out
from .table import HAND_SIZE, Vendetta, build
from .turn import (
    action_triggers,
    begin_turn,
    beginning_triggers,
    discard_down,
    end_phase,
    end_triggers,
    last_triggers,
    main_phase,
    next_turn,
    react,
    ready,
    resolve,
    set_up,
    standing,
)

__all__ = [
    "HAND_SIZE",
    "PASS",
    "Vendetta",
    "action_triggers",
    "add",
    "begin_turn",
    "beginning_triggers",
    "build",
    "bury",
    "carry_out",
    "discard_down",
    "draw",
    "end_phase",
    "end_triggers",
    "gain",
    "last_triggers",
    "look_for_deaths",
    "lose",
    "main_phase",
    "next_turn",
    "opponent",
    "pick_from",
    "pick_to_bury",
    "react",
    "ready",
    "resolve",
    "set_up",
    "standing",
    "top_card",
    "turn_up",
]
