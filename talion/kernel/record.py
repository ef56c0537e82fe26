"""A match written down: a head, then one entry a line with its words as a comment.

    talion match 2
    game: tic-tac-toe
    version: 1
    cards: 01e7b720ff566d534a1c
    content: c-n=K%}&&D2>-l@…
    seats: 2
    options: {}
    seed: 1234
    ---
    answer 0 ["mark", 4]    # mark cell 5
    undo

`cards` is the fingerprint of the content that is played with, and the file brings that content: in `content` the printed
cards, packed, and in `overlay` what is changed or new in this match, if anything is (`printed` is then the fingerprint of what
lies below). Whoever keeps contents by their fingerprints writes neither. Every 20th entry is followed by a digest of the
state, so that a load that goes another way names the line. A match of format 1 brought no cards and named faces by numbers.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .content import BadCards, Content, lay_over
from .fields import read_plain, write_plain
from .game import Game
from .past import Entry, Origin
from .tables import quoted

if TYPE_CHECKING:
    from .match import Match
    from .state import State

FORMAT = 2
DIGEST_EVERY = 20
_NEEDED = ("game", "version", "cards", "seats", "options")
_MOST = 20_000_000
"""No packed content is longer than this when it is unpacked."""

Known = Callable[[str], str | None]
"""The text of a content by its fingerprint, from whoever keeps contents; None if it is not there."""


class BadRecord(Exception):  # noqa: N818
    """A record that cannot be read, and why."""


class Outdated(BadRecord):
    """A record in order, of a match that cannot go on here: its cards or its rules are others. The text says which."""


def digest(t: State) -> str:
    """A short hash of the whole state."""
    return _hashed(t.write())


def _hashed(written: dict[str, Any]) -> str:
    text = json.dumps(written, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


# Writing -----------------------------------------------------------------------------------------------------------


def head(match: Match, log: Any, *, content: bool) -> list[str]:
    """The lines above the entries."""
    origin = match.origin
    assert origin is not None
    lines = [
        f"talion match {FORMAT}",
        f"game: {match.game.key}",
        f"version: {match.game.version}",
        f"cards: {match.content.fingerprint}",
        *(_brought(match.content, match.game.content()) if content else ()),
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


def _brought(content: Content, printed: Content) -> list[str]:
    """The lines by which a file brings its cards."""
    overlay = None if content is printed else content.overlay(printed)
    if not overlay:
        return [f"content: {packed(content.text)}"]
    return [
        f"printed: {printed.fingerprint}",
        f"overlay: {json.dumps(overlay, ensure_ascii=False)}",
        f"content: {packed(printed.text)}",
    ]


@lru_cache(maxsize=16)
def packed(text: str) -> str:
    return base64.b85encode(zlib.compress(text.encode(), 9)).decode()


def unpacked(text: str) -> str:
    plain = zlib.decompressobj()
    made = plain.decompress(base64.b85decode(text), _MOST)
    if not plain.eof:
        raise ValueError("its content is cut off or far too long")
    return made.decode()


def line_of(entry: Entry) -> str:
    """The line of an entry, without its words."""
    return "undo" if entry[0] == "undo" else f"{entry[0]} {entry[1]} {json.dumps(write_plain(entry[2]))}"


# Reading -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Written:
    """A record as it is written, its head taken apart: what can be said of a match without playing it."""

    format: int
    game: str
    version: int
    cards: str
    """The fingerprint of its content; in format 1 of all that was printed."""
    head: dict[str, str]
    lines: list[str]
    """What stands below the head."""
    begins: int
    """The number of the first of them."""

    def origin(self, content: Content) -> Origin:
        """Where the match begins."""
        head = self.head
        state = _of(dict, "state", head) if "state" in head else None
        step = _step(json.loads(head["step"])) if "step" in head else None
        if self.format == 1 and state is not None:
            state, step = _by_name(state, content), _by_name(step, content)
        return Origin(
            seats=int(head["seats"]),
            options=_of(dict, "options", head),
            seed=_of((int, str), "seed", head) if "seed" in head else None,
            state=state,
            step=step,
            log=_of(list, "log", head) if "log" in head else [],
        )

    def digest(self, t: State) -> str:
        """What its digest lines say of a state."""
        return digest(t) if self.format > 1 else _hashed(_by_number(t.write(), t.content))


def parse(text: str) -> Written:
    """Takes a record apart."""
    lines = text.splitlines()
    if not lines or not lines[0].startswith("talion match "):
        raise BadRecord("This is not a saved match: it does not begin with “talion match”.")
    if lines[0] not in ("talion match 1", f"talion match {FORMAT}"):
        raise BadRecord(
            f"This match is written in another format ({lines[0]}); this one reads formats 1 to {FORMAT}."
        )
    if "---" not in lines:
        raise BadRecord("This match is damaged: the line --- after its head is missing.")
    middle = lines.index("---")
    head = dict(line.split(": ", 1) for line in lines[1:middle] if ": " in line)
    missing = [key for key in _NEEDED if key not in head]
    if missing or not ({"seed"} <= head.keys() or {"state", "step"} <= head.keys()):
        raise BadRecord(f"This match is damaged: its head lacks {', '.join(missing) or 'a seed or a state'}.")
    if not head["version"].isdigit():
        raise BadRecord(
            f"The head of this match is damaged: its version cannot be {quoted(head['version'])}."
        )
    number, version = int(lines[0].split()[-1]), int(head["version"])
    return Written(number, head["game"], version, head["cards"], head, lines[middle + 1 :], middle + 2)


def content_of(written: Written, game: Game, installed: Content, known: Known | None) -> Content:
    """The content a record was played with: installed, or known by its fingerprint, or brought by the file."""
    print_of = first_fingerprint if written.format == 1 else _fingerprint
    for content in (installed, game.content()):
        if print_of(content) == written.cards:
            return content
    try:
        text = known(written.cards) if known else None
        content = game.content_of(text) if text is not None else _from_file(written, game)
    except BadCards as problem:
        raise Outdated(
            f"{game.title} as it is here cannot read the cards this match was played with: {problem}"
        ) from None
    if print_of(content) != written.cards:
        raise BadRecord("This match is damaged: the cards it brings are not those it was played with.")
    return content


def _from_file(written: Written, game: Game) -> Content:
    head = written.head
    below = game.content()
    try:
        if "content" in head and below.fingerprint != head.get("printed"):
            below = game.content_of(unpacked(head["content"]))
        elif "overlay" not in head:
            raise Outdated(
                f"This match was played with other cards ({written.cards}, here are {below.fingerprint}) and does not bring them; "
                "name the card file it was played with."
            )
        if "overlay" not in head:
            return below
        overlay = _of(dict, "overlay", head)
    except (ValueError, zlib.error) as problem:
        raise BadRecord(f"The head of this match is damaged: {str(problem).rstrip('.')}.") from None
    return game.printed(lay_over(below.tables, overlay, "the cards of this match"), "the cards of this match")


def _fingerprint(content: Content) -> str:
    return content.fingerprint


def _of(kind: type | tuple[type, ...], name: str, head: dict[str, str]) -> Any:
    """A value of the head, which must be of this kind."""
    value = json.loads(head[name])
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"its {name} cannot be {quoted(value)}")
    return value


def _step(written: list[Any]) -> tuple[str, tuple[Any, ...]]:
    return written[0], read_plain(written[1:])


def entry_of(line: str) -> Entry:
    """An entry from its line: `answer 0 ["play", {"card": 3}]`."""
    if line == "undo":
        return ("undo", None, None)
    kind, seat, option = line.split(" ", 2)
    if kind not in ("answer", "default", "standing", "redeal"):
        raise ValueError(f"“{kind}” is no kind of entry")
    return (kind, int(seat), read_plain(json.loads(option)))


# Format 1 ----------------------------------------------------------------------------------------------------------


def first_fingerprint(content: Content) -> str:
    """The fingerprint of format 1: a hash of everything printed, flavour too."""
    text = json.dumps(content.tables, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _by_name(value: Any, content: Content) -> Any:
    """A state of format 1, in which faces and places of phrases were named by the number of the face."""
    if isinstance(value, dict):
        if value.keys() >= {"fields", "faces", "chance", "know"}:
            faces: dict[str, list[int]] = {}
            for card, face in enumerate(value["faces"]):
                faces.setdefault(content.faces[face].name, []).append(card)
            return {**value, "fields": _by_name(value["fields"], content), "faces": faces}
        return {key: _by_name(item, content) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        if _names_face(value, content, int):
            at = 1 if value[0] == "face" else 0
            value = [*value[:at], content.faces[value[at]].name, *value[at + 1 :]]
        return type(value)(_by_name(item, content) for item in value)
    return value


def _by_number(value: Any, content: Content) -> Any:
    """The reverse, for the digests of format 1."""
    if isinstance(value, dict):
        if value.keys() >= {"fields", "faces", "chance", "know"}:
            faces = {card: content.named[name].id for name, cards in value["faces"].items() for card in cards}
            fields = _by_number(value["fields"], content)
            return {**value, "fields": fields, "faces": [faces[card] for card in range(len(faces))]}
        return {key: _by_number(item, content) for key, item in value.items()}
    if isinstance(value, list):
        if _names_face(value, content, str):
            at = 1 if value[0] == "face" else 0
            value = [*value[:at], content.named[value[at]].id, *value[at + 1 :]]
        return [_by_number(item, content) for item in value]
    return value


def _names_face(value: Any, content: Content, kind: type) -> bool:
    """Whether this is where a phrase stands (face, field, line, …), or the face of a frame."""
    if len(value) == 2 and value[0] == "face":
        return type(value[1]) is kind and (kind is int or value[1] in content.named)
    return (
        len(value) >= 3
        and type(value[0]) is kind
        and value[1] in content.texts
        and type(value[2]) is int
        and (kind is int or value[0] in content.named)
    )
