"""Many matches at once."""

from .simulate import Outcome, play_match, simulate, summary, wilson

__all__ = ["Outcome", "play_match", "simulate", "summary", "wilson"]
