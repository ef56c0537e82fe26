"""Shipped: scenario files, and the conformance suite that every game passes by existing."""

from .conformance import Report, check
from .scenarios import BadScenario, Scenario, load_scenarios, run_scenario
from .trial import CardOutcome, try_cards

__all__ = [
    "BadScenario",
    "CardOutcome",
    "Report",
    "Scenario",
    "check",
    "load_scenarios",
    "run_scenario",
    "try_cards",
]
