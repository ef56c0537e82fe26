"""A match written down: a head, then one entry a line with its words as a comment.

    talion match 1
    game: tic-tac-toe
    version: 1
    cards: 01e7b720ff566d53
    seats: 2
    options: {}
    seed: 1234
    ---
    answer 0 ["mark", 4]    # mark cell 5
    undo

Every 20th entry is followed by a digest of the state, so that a load that goes another way names the line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .asks import Illegal
from .fields import read_plain, write_plain
from .game import BadOption, Game
from .match import Entry, Match, Origin
from .tables import shown

FORMAT = 1
_DIGEST_EVERY = 20
_FIRST_LINE = f"talion match {FORMAT}"


class BadRecord(Exception):  # noqa: N818
    """A record that cannot be read, and why."""


def digest(match: Match) -> str:
    """A short hash of the whole state."""
    text = json.dumps(match.t.write(), sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def write_out(match: Match) -> str:
    """The match with its state written out and its log so far: quick to write and to load, whatever its length."""
    short = match.rebased()
    lines = _head(short, [[[line.rule, line.text] for line in seen] for seen in match.before_step()])
    assert short.record is not None
    lines += [line_of(entry) for entry in short.record]
    return "\n".join(lines) + "\n"


def write(match: Match) -> str:
    if match.origin is None or match.record is None:
        raise RuntimeError("a match without a past cannot be written down")
    lines = _head(match, match.origin.log)
    again = match.origin.begin(match.game, match.cards, match.t.content)
    for number, entry in enumerate(match.record, 1):
        kind, seat, option = entry
        words = (
            "dealt anew" if kind == "redeal" else match.game.name_of(again.t, seat, option).replace("\n", " ")
        )
        lines.append(f"{kind} {seat} {json.dumps(write_plain(option))}    # {words}")
        again.apply(entry)
        if number % _DIGEST_EVERY == 0:
            lines.append(f"digest {digest(again)}")
    return "\n".join(lines) + "\n"


def _head(match: Match, log: Any) -> list[str]:
    origin = match.origin
    assert origin is not None
    lines = [
        _FIRST_LINE,
        f"game: {match.game.key}",
        f"version: {match.game.version}",
        f"cards: {match.t.content.fingerprint()}",
        f"seats: {origin.seats}",
        f"options: {json.dumps(origin.options, sort_keys=True)}",
    ]
    if origin.seed is not None:
        lines.append(f"seed: {json.dumps(origin.seed)}")
    else:
        assert origin.step is not None
        lines.append(f"step: {json.dumps([origin.step[0], *map(write_plain, origin.step[1])])}")
        lines.append(f"state: {json.dumps(origin.state, sort_keys=True)}")
    if log:
        lines.append(f"log: {json.dumps(log)}")
    return [*lines, "---"]


def read(text: str, find: Callable[[str], Game], cards: Path | None = None) -> Match:
    """The match that a record describes."""
    head, body, begins = _split(text)
    game = find(head["game"])
    try:
        if int(head["version"]) != game.version and "seed" in head:
            raise BadRecord(
                f"This match was played by version {head['version']} of {game.title}; here is version {game.version}."
            )
        origin = Origin(
            seats=int(head["seats"]),
            options=_of(dict, "options", head),
            seed=_of((int, str), "seed", head) if "seed" in head else None,
            state=_of(dict, "state", head) if "state" in head else None,
            step=_step(json.loads(head["step"])) if "step" in head else None,
            log=_of(list, "log", head) if "log" in head else [],
        )
        fingerprint = game.content(cards).fingerprint()
        if fingerprint != head["cards"] and "seed" in head:
            raise BadRecord(
                f"This match was played with other cards ({head['cards']}, here are {fingerprint}); "
                "name the card file it was played with."
            )
        match = origin.begin(game, cards)
    except (ValueError, LookupError, TypeError, AttributeError, Illegal, BadOption) as problem:
        raise BadRecord(f"The head of this match is damaged: {str(problem).rstrip('.')}.") from None
    for number, line in enumerate(body, begins):
        match = _play(match, line, number)
    return match


def _split(text: str) -> tuple[dict[str, str], list[str], int]:
    lines = text.splitlines()
    if not lines or not lines[0].startswith("talion match "):
        raise BadRecord("This is not a saved match: it does not begin with “talion match”.")
    if lines[0] != _FIRST_LINE:
        raise BadRecord(
            f"This match is written in another format ({lines[0]}); this one reads format {FORMAT}."
        )
    if "---" not in lines:
        raise BadRecord("This match is damaged: the line --- after its head is missing.")
    middle = lines.index("---")
    head = dict(line.split(": ", 1) for line in lines[1:middle] if ": " in line)
    missing = [key for key in ("game", "version", "cards", "seats", "options") if key not in head]
    if missing or not ({"seed"} <= head.keys() or {"state", "step"} <= head.keys()):
        raise BadRecord(f"This match is damaged: its head lacks {', '.join(missing) or 'a seed or a state'}.")
    return head, lines[middle + 1 :], middle + 2


def _of(kind: type | tuple[type, ...], name: str, head: dict[str, str]) -> Any:
    """A value of the head, which must be of this kind."""
    value = json.loads(head[name])
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"its {name} cannot be {shown(value)}")
    return value


def _step(written: list[Any]) -> tuple[str, tuple[Any, ...]]:
    return written[0], read_plain(written[1:])


def _play(match: Match, line: str, number: int) -> Match:
    """Plays one line of a record."""
    words = line.split("    # ", 1)[0].strip()
    if not words or words.startswith("#"):
        return match
    if words.startswith("digest "):
        if words.split()[1] != digest(match):
            raise BadRecord(f"Line {number}: the match goes another way than when it was saved.")
        return match
    try:
        entry = entry_of(words)
        if entry[0] == "standing" or entry[0] == "answer":
            match.answer(entry[1], entry[2])
        elif entry[0] == "default" and entry[2] not in match.options(entry[1]):
            raise Illegal("that is not one of the options")
        else:
            match.apply(entry)
    except (ValueError, IndexError) as problem:
        raise BadRecord(f"Line {number} cannot be read: {problem}.") from None
    except Illegal as refusal:
        raise BadRecord(f"Line {number} is not possible: {refusal.why}") from None
    return match


def entry_of(line: str) -> Entry:
    """An entry from its line: `answer 0 ["play", {"card": 3}]`."""
    if line == "undo":
        return ("undo", None, None)
    kind, seat, option = line.split(" ", 2)
    if kind not in ("answer", "default", "standing", "redeal"):
        raise ValueError(f"“{kind}” is no kind of entry")
    return (kind, int(seat), read_plain(json.loads(option)))


def line_of(entry: Entry) -> str:
    """The line of an entry, without its words."""
    return "undo" if entry[0] == "undo" else f"{entry[0]} {entry[1]} {json.dumps(write_plain(entry[2]))}"
