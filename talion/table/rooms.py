"""Further rooms that the house serves beside its tables. A module that offers one has `room(house)`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from litestar import Router


@dataclass(frozen=True)
class Room:
    """What a room brings: its pages, and the folder in which its `templates` and `static` files lie."""

    name: str
    path: str
    router: Router
    folder: Path
    stop: Callable[[], Awaitable[None]]
    """Ends what it has under way, when the house closes."""
