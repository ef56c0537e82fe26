"""What was hinted before it was said that nobody turns another's card to one's own harm. It was judged as it is now."""

from __future__ import annotations

from typing import Any

from talion.games.engines_of_vengeance.bot import RESTRAINT
from talion.games.engines_of_vengeance.bot import value as value
from talion.kernel import Option


def hint(view: Any, option: Option) -> float:
    """Ending the step is the better of two things that come to the same."""
    return RESTRAINT if option == ("end",) else 0.0
