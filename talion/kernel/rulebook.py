"""A game's rules in our words: `rules.md`, every rule under its id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_RULE = re.compile(r"^(?:[-*] )?\*\*([A-Z]{2,}-[A-Z]?\w+(?:\.\w+)*)\*\*\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    text: str
    chapter: str


class Rulebook:
    """All rules by id, in the order of the book."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.rules: dict[str, Rule] = {}
        chapter = ""
        for paragraph in re.split(r"\n(?:\s*\n|(?=#))", text):
            if paragraph.startswith("#"):
                heading, _, paragraph = paragraph.partition("\n")
                chapter = heading.lstrip("#").strip()
            if match := _RULE.match(" ".join(paragraph.split())):
                self.rules[match[1]] = Rule(match[1], match[2], chapter)

    @classmethod
    @lru_cache(maxsize=32)
    def load(cls, path: Path) -> Rulebook:
        return cls(path.read_text(encoding="utf-8") if path.exists() else "")

    def find(self, wanted: str) -> list[Rule]:
        """A rule by its id, a chapter by its beginning, or every rule with these words."""
        exact = self.rules.get(wanted.upper())
        if exact:
            return [exact]
        chapter = [rule for rule in self.rules.values() if rule.id.startswith(f"{wanted.upper()}.")]
        words = wanted.lower().split()
        return chapter or [
            rule
            for rule in self.rules.values()
            if all(word in f"{rule.text} {rule.chapter}".lower() for word in words)
        ]

    def rulings(self) -> list[Rule]:
        return [rule for rule in self.rules.values() if rule.chapter.lower().startswith("ruling")]
