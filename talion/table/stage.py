"""The stage: what a table is laid with, from a view's data alone.

An option is a movement: a path of things on the table. `["work", card 5, card 9]` is: take up card 5, put it down on card 9.
A thing has a name, `card:5`, `place:underway,1,0`, `seat:1`; cards and places are found in the option by themselves, and a game names
things of its own in `views/stage.toml`:

    [things]
    run = ["room:{1}"]              # of ["run", "B"]
    hit = ["die:HIT", "who:{1:}"]   # of ["hit", "Grunt", "B"]: who:Grunt,B
    split = ["seat:{*}"]            # of ["split", 1, 0, 2]: seat:0 seat:2 seat:2, one for each that is given, in any order

A thing's name has no spaces: `die:DOUBLE-HIT`. Whatever the templates draw with `data-thing` of that name is then what one clicks. An option without a thing is a button.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from talion.table.kept import Kept, encoded

MOST_DRAWN = 200
"""So many drawings of a face are kept: each for other facts about it, such as its numbers now."""

EACH = "{*}"
"""In the name of a thing: whoever is given something, once for each."""


@lru_cache(maxsize=64)
def told_by(folder: Path | None) -> dict[str, Any]:
    """What a game says in its `views/stage.toml`: its things, and which lines of the log begin a turn."""
    file = folder / "views" / "stage.toml" if folder else None
    told = tomllib.loads(file.read_text("utf-8")) if file and file.is_file() else {}
    return {"things": {}, "turns": [], "won": "", **told}


def thing(part: Any) -> str:
    """The name of a card or a place as a thing; nothing for what is none."""
    if isinstance(part, dict) and isinstance(part.get("card"), int):
        return f"card:{part['card']}"
    if isinstance(part, list):
        return "place:" + ",".join(map(str, part))
    return ""


def _thing_in(part: Any, says: str) -> str:
    """What a part of an option names that lies on the table without being told: a card, a place, a seat that its words name too, or a
    part of the state by its name. If there is no such part, nothing is drawn under that name."""
    if type(part) is int:
        return f"seat:{part}" if re.search(rf"@{part}(?!\d)", says) else ""
    return f"part:{part.replace(' ', '-')}" if isinstance(part, str) and part else thing(part)


def path_of(option: list[Any], patterns: dict[str, list[str]], says: str = "") -> list[str]:
    """The things an option touches, in the order in which one takes them up; `says` is its name, with seats as `@0`."""
    mine = patterns.get(f"{option[0]} {len(option) - 1}", patterns.get(str(option[0])))
    if mine is None:
        found = [name for part in option[:1] if (name := thing(part))]
        found += [name for part in option[1:] if (name := _thing_in(part, says))]
        # A number alone may be a place on a board that lies as a list; if there is none, nothing is drawn under that name.
        return found or [f"item:{part}" for part in option[1:] if type(part) is int][:1]

    def part(found: re.Match[str]) -> str:
        at = int(found[1])
        meant = option[at:] if found[2] else option[at : at + 1]
        return ",".join(thing(one) or str(one).replace(" ", "-") for one in meant)

    given = [str(i) for i, n in enumerate(option[1:]) if isinstance(n, int) for _ in range(n)]
    return [
        re.sub(r"\{(\d+)(:?)\}", part, pattern).replace(EACH, one)
        for pattern in mine
        for one in (given if EACH in pattern else [""])
    ]


def in_any_order(option: list[Any], patterns: dict[str, list[str]]) -> bool:
    """Whether it makes no difference which of an option's things is taken up first."""
    return any(EACH in pattern for pattern in patterns.get(str(option[0]), ()))


class Names:
    """What the people at a table are called on it. Those of one name are told apart."""

    def __init__(self, seats: list[dict[str, Any]]) -> None:
        given = [seat["name"] or f"Seat {seat['number'] + 1}" for seat in seats]
        self.names = [
            f"{name} {given[:i].count(name) + 1}" if given.count(name) > 1 else name
            for i, name in enumerate(given)
        ]

    def __call__(self, text: str) -> str:
        """A text with the people's names where it says `@0`."""
        return called(text, self.names) if "@" in text else text

    def of(self, number: int) -> str:
        return _name_of(number, self.names)


def _name_of(number: int, people: Sequence[str]) -> str:
    return people[number] if number < len(people) else f"Seat {number + 1}"


def called(text: str, people: Sequence[str]) -> str:
    """A text with the people's names where it says `@0`."""
    return re.sub(r"@(\d+)", lambda found: _name_of(int(found[1]), people), text)


def named(text: str, seats: list[dict[str, Any]]) -> str:
    """A text with the people's names where it says `@0`."""
    return Names(seats)(text)


class Stage:
    """Draws the cards of one page, and knows where its options lie."""

    def __init__(
        self, match: dict[str, Any], sheets: dict[str, dict[str, Any]], folder: Path | None, kept: Kept
    ) -> None:
        self._sheets, self._kept = sheets, kept
        self._match = match
        told = told_by(folder)
        self.turns = frozenset(told["turns"])
        offers = match.get("ask", {}).get("options", [])
        for offer in (*offers, *match.get("standing", ())):
            offer["path"] = path_of(offer["option"], told["things"], offer["name"])
            offer["any_order"] = in_any_order(offer["option"], told["things"])
        self.offers = offers
        self.touched = {name for offer in offers for name in offer["path"]}
        """The things that are part of an option now."""
        self._marked: set[int] = set()

    def marks_out(self, *cards: dict[str, Any] | None) -> None:
        """These cards are what is being done: they are marked wherever they are drawn from now on."""
        self._marked = {c["card"] for c in cards if c and isinstance(c.get("card"), int)}

    def card(
        self,
        c: dict[str, Any],
        classes: str = "",
        marks: Any = (),
        front: Any = None,
        acts: bool = True,
        moves: bool = True,
    ) -> Markup:
        """A card where it lies: its front or its back, and what lies on it. A second picture of a card neither acts nor
        moves: the top of a pile moves and does not act, the same card in the open pile acts and does not move."""
        sheet = self._sheets.get(c.get("face", ""))
        inside = front if front is not None else sheet["front"] if sheet else ""
        said = "".join(f'<span class="mark">{escape(mark)}</span>' for mark in (*marks, *c.get("told", ())))
        kind = f"kind-{sheet['kind_slug']}" if sheet else "back"
        if c.get("card") in self._marked:
            kind += " marked"
        what = f' data-thing="{thing(c) or thing(c.get("place"))}"' if acts else ""
        way = f' data-card="{c["card"]}"' if moves and isinstance(c.get("card"), int) else ""
        name = escape(c.get("name") or "a card face down")
        lying = f'<span class="marks">{said}</span>' if said else ""
        return Markup(
            f'<div class="card {kind} {classes}"{what}{way} data-says="{name}">{inside}{lying}</div>'
        )

    def option(self, offer: dict[str, Any], names: Names, classes: str = "") -> Markup:
        """An option as a button: by which things one gets to it, what it is called, and what it means."""
        means = escape(names(offer.get("means") or ""))
        told = f' data-means="{means}"' if means else ""
        below = f'<span class="means">{means}</span>' if means else ""
        grave = " grave" if "grave" in offer else ""
        order = " data-any" if offer["any_order"] else ""
        return Markup(
            f'<button form="answer" name="option" value="{escape(wire(offer["option"]))}" data-path="{escape(" ".join(offer["path"]))}"'
            f' data-verb="{escape(offer["option"][0])}" class="act {classes}{grave}"{order}{told}>'
            f'<span class="what">{escape(names(offer["name"]))}</span>{below}</button>'
        )

    def once(self, face: str, macro: Callable[..., Markup], *facts: Hashable) -> Markup:
        """What a macro draws for a face and such facts, drawn once: it may look at nothing but them and what is printed."""
        kept: dict[Hashable, Markup] = self._sheets[face].setdefault("drawn", {})
        key = (macro.name, facts)  # type: ignore[attr-defined]
        if key not in kept:
            if len(kept) >= MOST_DRAWN:
                kept.clear()
            kept[key] = macro(face, *facts)
        return kept[key]

    def kept(self, macro: Callable[..., Markup], *facts: Any) -> Markup:
        """What a macro draws of such facts, kept while they and all around the match stay as they are. Besides them it may look
        at `table`, `names`, and at what is printed; not at the match, nor at what may be done in it."""
        return self.keep(macro.name, facts, lambda: macro(*facts))  # type: ignore[attr-defined]

    def keep(self, name: str, facts: tuple[Any, ...], draw: Callable[[], Markup]) -> Markup:
        """The same for whatever draws, by a name of its own. A card among the facts may be marked."""
        made_of = encoded(facts)
        marked = frozenset(card for card in self._marked if b'"card":%d,' % card in made_of)
        return self._kept.part((name, made_of, marked), draw)

    def acts(self, seat: int) -> bool:
        """Whether a seat is waited for."""
        return seat in self._match["waiting_for"] and not self._match["over"]

    def holds(self, cards: list[dict[str, Any]]) -> bool:
        """Whether any of these cards is part of an option now."""
        return any(thing(c) in self.touched for c in cards)

    def sheaves(self, cards: list[dict[str, Any]]) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Cards by their faces, in the order in which each face comes first: one of each, the one that is asked for if any is,
        and the others of its face."""
        by_face: dict[str, list[dict[str, Any]]] = {}
        for c in cards:
            by_face.setdefault(c.get("face", ""), []).append(c)
        for same in by_face.values():
            same.sort(key=lambda c: thing(c) not in self.touched)
        return [(same[0], same[1:]) for same in by_face.values()]

    def by_kind(self, cards: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Cards in the order in which one looks through many: kind by kind, then by name."""

        def place(c: dict[str, Any]) -> tuple[str, str]:
            sheet = self._sheets.get(c.get("face", ""))
            return (sheet["kind"] if sheet else "", c.get("name", ""))

        return sorted(cards, key=place)


# ---------------------------------------------------------------------- the log, as a feed


GAINS = re.compile(r"\b(gains?|heals?|receives?|draws?|recovers?|wins?|scores?)\b")
LOSSES = re.compile(r"\b(loses?|dies|is killed|suffers?|takes \d+|is discarded|discards?|pays?|dead)\b")


def feed(lines: list[list[str]], first: int, turns: frozenset[str], names: Names, rules: str) -> Markup:
    """The latest lines of a log, grouped by turn, newest first, in their seats' colours; `rules` is where rules are read."""
    people = tuple(names.names)
    groups: list[tuple[str, list[str]]] = []
    for number, (rule, text) in enumerate(lines, first):
        if rule in turns or not groups:
            groups.append((_group(number, text.rstrip(".") if rule in turns else "", people), []))
            if rule in turns:
                continue
        groups[-1][1].append(_line(text, rule, rules, people))
    return Markup("".join(f"{title}{''.join(reversed(told))}</section>" for title, told in reversed(groups)))


@lru_cache(maxsize=1024)
def _group(number: int, title: str, people: tuple[str, ...]) -> str:
    head = f"<h4>{escape(called(title, people))}</h4>" if title else ""
    return f'<section id="turn-{number}" class="{_by(title)}">{head}'


@lru_cache(maxsize=8192)
def _line(text: str, rule: str, rules: str, people: tuple[str, ...]) -> str:
    """A line, with whose deed it tells of and whether somebody gained or lost. Lines are told again and again."""
    link = (
        f' <a class="rule" href="{escape(rules)}#{escape(rule)}" data-over>{escape(rule)}</a>' if rule else ""
    )
    return f'<p class="{_by(text)} {_mark(text)}">{escape(called(text, people))}{link}</p>\n'


def _by(text: str) -> str:
    seat = seat_in(text)
    return "" if seat is None else f"by-{seat}"


def seat_in(text: str) -> int | None:
    """Whose deed a line tells of: the first it names."""
    found = re.search(r"@(\d+)", text)
    return int(found[1]) if found else None


GRAVE = re.compile(r"\b(dies|dead|killed|scores?|wins?|knocked out)\b")
PAYING = re.compile(r"\bpays?\b")


def gravity(text: str) -> tuple[int, int]:
    """How much a line tells of: a death more than a loss, a loss more than a gain, then by the number in it. What is paid is
    no loss."""
    sort = (
        3 if GRAVE.search(text) else 0 if PAYING.search(text) else {"loss": 2, "gain": 1, "": 0}[_mark(text)]
    )
    first = re.search(r"(?<!@)\b\d+\b", text)
    return sort, int(first[0]) if first else 0


def _mark(text: str) -> str:
    return "loss" if LOSSES.search(text) else "gain" if GAINS.search(text) else ""


def wire(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def with_article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
