"""`talion new my-game`: a small complete game to start from."""

from __future__ import annotations

import re
from pathlib import Path

_TEMPLATE = Path(__file__).parent / "template"


class BadName(Exception):  # noqa: N818
    """A name no game can have, or a folder that is taken."""


def begin(name: str, within: Path) -> Path:
    """Writes the game into a folder of its own, which passes `talion check`."""
    words = re.findall(r"[A-Za-z0-9]+", name)
    if not words or not words[0][0].isalpha():
        raise BadName(f"“{name}” is no name for a game: write a few words, such as my-game.")
    folder = within / "_".join(words).lower()
    if folder.exists():
        raise BadName(f"{folder} is there already.")
    initials = "".join(word[0] for word in words).upper()
    changes = {
        "my-game": "-".join(words).lower(),
        "My Game": " ".join(word.capitalize() for word in words),
        "MG-": f"{initials if len(initials) > 1 else words[0][:2].upper()}-",
    }
    for source in sorted(_TEMPLATE.rglob("*")):
        if source.is_file() and "__pycache__" not in source.parts:
            target = folder / source.relative_to(_TEMPLATE)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_changed(source.read_text("utf-8"), changes), "utf-8")
    return folder


def _changed(text: str, changes: dict[str, str]) -> str:
    longest_first = sorted(changes, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), lambda found: changes[found[0]], text)
