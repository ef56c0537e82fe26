"""Whoever imports this has read all that a server reads when it starts: processes forked from there start sooner, and so do
their bots'."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from talion import processes
from talion.table.app import build
from talion.table.memory import settle
from talion.table.settings import Settings

from .serving import GAMES

processes.STARTED_BY = "forkserver"  # the bots' processes of such a server start from here too

with tempfile.TemporaryDirectory() as folder:
    app: Any = build(Settings(str(Path(folder) / "warm.sqlite3"), games=GAMES))
    app._house.store.close()
settle()
