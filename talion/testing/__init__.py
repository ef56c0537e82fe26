"""Shipped: scenario files, and the conformance suite that every game passes by existing."""

from .conformance import Report, check
from .scenarios import BadScenario, Scenario, load_scenarios, run_scenario
from .trial import Tried, try_cards

__all__ = [
    "BadScenario",
    "Report",
    "Scenario",
    "Tried",
    "check",
    "load_scenarios",
    "run_scenario",
    "try_cards",
]
