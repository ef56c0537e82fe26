"""Where things are kept on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Where what people play is kept, unless they say otherwise."""
    home = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_DATA_HOME")
    return Path(home or Path("~/.local/share").expanduser()) / "talion"


def default_database() -> str:
    """One file in the user's data folder."""
    return str(data_folder() / "tables.sqlite3")
