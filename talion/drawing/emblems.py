"""Every card has an emblem of its own: a motif that its kind suggests, on a ground.

Motifs, grounds and signs are pictures of 100 by 100, each an `.svg` file in the colour of the text around it, so that they
work on any paper. A motif may have several pictures: `blade.svg`, `blade-2.svg`. A game says in `views/emblems.toml` by
which fields its cards fall into kinds and which motifs each kind may have, and may bring pictures of its own in
`views/emblems/`.
"""

from __future__ import annotations

import re
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def inside(file: Path) -> str:
    """What an `.svg` file draws, without the file's own frame."""
    found = re.search(r"<svg[^>]*>(.*)</svg>", file.read_text("utf-8"), re.S)
    if found is None:
        raise ValueError(f"{file} is not an svg picture")
    return found[1].strip()


@lru_cache(maxsize=64)
def pictures(folder: Path) -> dict[str, str]:
    """The pictures in a folder, by name."""
    return {file.stem: inside(file) for file in sorted(folder.glob("*.svg"))}


def signs() -> dict[str, str]:
    """Small signs for prices, stats and verbs."""
    return pictures(HERE / "signs")


@lru_cache(maxsize=64)
def motifs_of(folder: Path | None) -> dict[str, Any]:
    """Which motifs a game's kinds of card may have; all of them for a game that does not say."""
    file = folder / "emblems.toml" if folder else None
    told = tomllib.loads(file.read_text("utf-8")) if file and file.is_file() else {}
    own = pictures(folder / "emblems") if folder else {}
    drawn = {**pictures(HERE / "motifs"), **own}
    return {"by": ["kind"], "kinds": {}, "other": sorted(families(drawn)), **told, "pictures": drawn}


def families(names: Any) -> dict[str, list[str]]:
    """The pictures of each motif: `blade` has blade, blade-2 and blade-3."""
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        found.setdefault(re.sub(r"-\d+$", "", name), []).append(name)
    return found


class Emblems:
    """Gives the cards of one game their emblems: no two printed ones the same, and a new one has its by its name alone, so that it
    looks the same on every page. A card's own picture comes first: one that has its name."""

    def __init__(self, folder: Path | None, printed: Iterable[tuple[str, str, str]] = ()) -> None:
        self._told = motifs_of(folder)
        self._families = families(self._told["pictures"])
        self._grounds = pictures(HERE / "grounds")
        self._taken: set[tuple[str, str]] = set()
        self._printed: dict[tuple[str, str], tuple[str, str]] = {}
        """By name and kind: picture and ground."""
        turns: Counter[str] = Counter()
        for name, slug, kind in printed:
            if slug in self._told["pictures"]:
                continue
            chosen = self._printed[name, kind] = self._choice(name, kind, turns[kind])
            self._taken.add(chosen)
            turns[kind] += 1

    def draw(self, name: str, slug: str, kind: str) -> str:
        """The inside of an SVG of 100 by 100."""
        if slug in self._told["pictures"]:
            return str(self._told["pictures"][slug])
        chosen = self._printed.get((name, kind)) or self._choice(name, kind, zlib.crc32(name.encode()))
        picture, ground = chosen
        return f'<g opacity=".32">{self._grounds[ground]}</g>{self._told["pictures"][picture]}'

    def _choice(self, name: str, kind: str, turn: int) -> tuple[str, str]:
        """A picture of this kind, and a ground that no printed card has with it, the one wished for if it can be."""
        motifs = self._told["kinds"].get(kind, self._told["other"])
        wanted = [picture for motif in motifs for picture in self._families[motif][:1]]
        wanted += [picture for motif in motifs for picture in self._families[motif][1:]]
        picture, wish, grounds = wanted[turn % len(wanted)], zlib.crc32(name.encode()), sorted(self._grounds)
        turned = [grounds[(wish + step) % len(grounds)] for step in range(len(grounds))]
        return picture, next((one for one in turned if (picture, one) not in self._taken), turned[-1])


@lru_cache(maxsize=32)
def cover(folder: Path | None) -> list[str]:
    """The motifs on a game's cover, drawn large."""
    told = motifs_of(folder)
    chosen = told.get("cover") or sorted(told["pictures"])[:3]
    return [told["pictures"][motif] for motif in chosen]
