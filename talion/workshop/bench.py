"""One card on the bench: its fields as a form has them, what was read of them, and its face."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jinja2

from talion.drawing import cards as printed
from talion.kernel import Content, Game, Said, spreadsheet
from talion.kernel.tables import Kind

Row = dict[str, Any]
MOST_NEXT = 8
MOST_PHRASES = 3
MOST_CARDS = 8
LONGEST = 4000
"""The most letters of a field that are read while somebody types."""
TOO_LONG = f"This is longer than {LONGEST} letters, so it is read only when it is saved."
COMMON = 16
"""A phrase on more cards than this says nothing about them."""


@dataclass(frozen=True)
class CardField:
    """A field of a card as one writes it."""

    path: str
    """Its name; on the other end of the card with the end's name before it: `other.action`."""
    sort: str
    """What one writes there: text, lines, number, flag, or json."""
    value: str
    wanted: str
    """What may stand there, in words."""
    said: bool
    """Whether it is read as sentences."""
    words: tuple[str, ...] = ()
    """If only these can stand there: all of them, and what stands there now."""

    @property
    def shape(self) -> str:
        """How it lies on the bench: short ones side by side, then sentences, then what nobody reads."""
        if self.path.endswith("flavour"):
            return "flavour"
        return "said" if self.said or self.sort in ("lines", "json") else "short"

    @property
    def label(self) -> str:
        return self.path.replace(".", ", ").replace("_", " ")


def fields(game: Game, row: Mapping[str, Any]) -> list[CardField]:
    """Every field that this card has or could have."""
    table = game.card_table
    kinds = {**table.fields, **table.sorts.get(row.get(table.by, ""), {})}
    others = {name: Kind("", lambda value: True) for name in row if name not in kinds}
    return [field for field in _fields(game, {**kinds, **others}, row, "") if field.path != "name"]


def _fields(
    game: Game, kinds: Mapping[str, Kind], row: Mapping[str, Any], within: str
) -> Iterator[CardField]:
    for name, kind in kinds.items():
        value = row.get(name)
        if kind.within:
            if isinstance(value, dict):
                yield from _fields(game, kind.within, value, f"{within}{name}.")
            continue
        sort = spreadsheet.sort_for(kind, value, _sample(game, name))
        text = spreadsheet.written(value, sort)
        none = () if kind.needed else ("",)
        few = ("true", "false") if sort == "flag" else kind.words
        words = tuple(dict.fromkeys([*none, *few, text])) if few else ()
        yield CardField(f"{within}{name}", sort, text, kind.wanted, name in game.texts, words)


def _sample(game: Game, name: str) -> Any:
    """What stands in such a field on some printed card."""
    return next((row[name] for row in game.content().tables.get("card", ()) if name in row), None)


def written(
    game: Game, own: Mapping[str, Any] | None, name: str, form: Mapping[str, str], whole: Mapping[str, Any]
) -> Row:
    """The row that a form makes: what is different from the printed card `own`; of a new card everything.

    `whole` is the card as it stands with the set, by which the form was made.
    """
    row: Row = {"name": name}
    for field in fields(game, whole):
        value = _read(field, form.get(f"field.{field.path}", field.value))
        here, below = row, own or {}
        *ends, last = field.path.split(".")
        for end in ends:
            below = below.get(end) or {}
            here = here.setdefault(end, {"name": (whole.get(end) or {}).get("name", "")})
        there = below.get(last)
        if value is not None and value != there and not (value == "" and there is None):
            here[last] = value
    return {key: value for key, value in row.items() if not _untouched(value, (own or {}).get(key))}


def _untouched(value: Any, own: Any) -> bool:
    """Whether the other end of a card says nothing new."""
    return isinstance(value, dict) and isinstance(own, dict) and value == {"name": own.get("name")}


def _read(field: CardField, text: str) -> Any:
    """What somebody wrote into a field; an empty one that was empty stays so."""
    value = spreadsheet.read(text, field.sort)
    return "" if value == [] and not field.value else value


def laid_over(own: Mapping[str, Any] | None, row: Mapping[str, Any] | None) -> Row:
    """A card with its changes."""
    merged = {**(own or {}), **(row or {})}
    for key, value in (row or {}).items():
        if isinstance(value, dict) and isinstance((own or {}).get(key), dict):
            merged[key] = {**(own or {})[key], **value}
    return merged


@dataclass(frozen=True)
class Fault:
    """Something on a card that cannot be played."""

    field: str
    """Where it is: the path of a field; empty if it is the card as a whole."""
    why: str
    read: str = ""
    """The sentence it is in, as far as it was read."""
    wrong: str = ""
    """And where it cannot be read any more."""
    more: str = ""
    """What could stand there, and the nearest phrases."""


@dataclass(frozen=True)
class Looked:
    """A card as somebody is writing it: its face, and for each field what was read or is wrong."""

    front: str
    kind: str
    faults: list[Fault]
    lines: list[dict[str, Any]]
    touches: list[dict[str, Any]]
    """What its words share with other cards."""

    def data(self) -> dict[str, Any]:
        return {**vars(self), "faults": [vars(fault) for fault in self.faults]}


def look(game: Game, content: Content, row: Mapping[str, Any], sprite: str) -> Looked:
    """Draw a card and read its sentences, without making all the others anew."""
    table = game.card_table
    shape = table.problem(row)
    faults = [_misshapen(shape)] if shape else []
    ends = {f"{key}.": value for key, value in row.items() if isinstance(value, dict) and "name" in value}
    fronts, lines, kind = [], [], ""
    said: list[Said] = []
    for within, end in {"": row, **({} if shape else ends)}.items():
        long = [key for key in game.texts if len(str(end.get(key, ""))) > LONGEST]
        faults += [Fault(within + key, TOO_LONG) for key in long]
        face, wrong = content.draft(
            {key: value for key, value in end.items() if value not in ("", []) and key not in long}
        )
        said += face.lines()
        faults += [_unreadable(within + field, problem) for field in wrong for problem in wrong[field]]
        try:
            sheet = printed.sheet(game, face, sprite)
        except (jinja2.TemplateError, TypeError, ValueError, KeyError, AttributeError):
            continue  # what is missing is among the faults
        kind = kind or sheet["kind_slug"]
        fronts.append(str(sheet["front"]))
        lines += sheet["lines"]
    return Looked(
        "".join(f'<div class="card kind-{kind}">{front}</div>' for front in fronts),
        kind,
        faults,
        lines,
        list(_touches(content, row["name"], said)),
    )


def _touches(content: Content, name: str, said: Sequence[Said]) -> Iterator[dict[str, Any]]:
    """The cards that speak of this one, and for each of its rarer phrases the cards that say it too."""
    uses, naming = _shared(content)
    if others := [one for one in naming.get(name, ()) if one != name]:
        yield {
            "what": f"cards that speak of {name}",
            "cards": others[:MOST_CARDS],
            "more": len(others[MOST_CARDS:]),
        }
    patterns = dict.fromkeys(part.phrase.pattern for line in said for part in line.below())
    alike = {
        pattern: [one for one in uses.get(pattern, ()) if one != name]
        for pattern in patterns
        if spoken(pattern)
    }
    telling = [pattern for pattern in alike if 0 < len(alike[pattern]) <= COMMON]
    for pattern in sorted(telling, key=lambda pattern: len(alike[pattern]))[:MOST_PHRASES]:
        cards = alike[pattern]
        yield {"what": f"“{worded(pattern)}”", "cards": cards[:MOST_CARDS], "more": len(cards[MOST_CARDS:])}


def spoken(pattern: str) -> bool:
    """Whether a phrase has words of its own: of one that is all holes nobody learns anything."""
    return bool(re.search(r"[a-z]{3}", re.sub(r"\{[^}]*\}", "", pattern)))


def worded(pattern: str) -> str:
    """A phrase for people: `inflict {n:amount} {what:resource}` is inflict (amount) (resource)."""
    return re.sub(r"\{(?:\w+:)?(\w+)[^}]*\}", r"(\1)", pattern)


@lru_cache(maxsize=16)
def _shared(content: Content) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """For each phrase the cards that say it, and for each card those whose sentences name it."""
    sentences = [(card, sentence) for sentence, card, _ in content.printed()]
    naming = {
        name: list(dict.fromkeys(card for card, sentence in sentences if name in sentence))
        for name in content.named
    }
    return content.uses(), naming


_AT = re.compile(r"(?P<why>[^\n]*)\n    (?P<sentence>[^\n]*)\n    (?P<before> *)\^\n?(?P<more>.*)", re.DOTALL)
_OF_A_FIELD = re.compile(r", (?P<path>\w+(?:, \w+)*): (?P<why>.*)", re.DOTALL)


def _unreadable(field: str, problem: str) -> Fault:
    """A refusal as it is said at its field: without the card and the file it speaks of, and with phrases as people say them."""
    said = worded(problem.split("”, ", 1)[-1].split(": ", 1)[-1])
    found = _AT.fullmatch(said)
    if not found:
        return Fault(field, _sentence(said))
    at = len(found["before"])
    more = textwrap.dedent(found["more"])
    return Fault(field, _sentence(found["why"]), found["sentence"][:at], found["sentence"][at:] or "…", more)


def _misshapen(problem: str) -> Fault:
    """What the declaration of a card says against it, at its field if it names one."""
    found = _OF_A_FIELD.fullmatch(problem)
    path, why = (found["path"].replace(", ", "."), found["why"]) if found else ("", problem.lstrip(":, "))
    return Fault(path, _sentence(why))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:].rstrip(".") + "."


def completed(game: Game, content: Content, field: str, text: str, caret: int) -> dict[str, Any]:
    """What was read of a field, phrase by phrase; what could stand at the caret, and what is wrong."""
    name = field.split(".")[-1]
    start = text.rfind("\n", 0, caret) + 1
    end = (text.find("\n", start) + len(text) + 1) % (len(text) + 1) if "\n" in text[start:] else len(text)
    found = content.complete(text[start:end], caret - start, name)
    rules = game.rulebook.rules
    typed = text[start + found.place : caret]
    begins = not found.text[: found.place].rstrip(" .") or found.text[: found.place].rstrip().endswith(".")
    words = dict.fromkeys(one.words for one in sorted(found.next, key=lambda one: one.kind != "number"))
    ways = [_written(one, typed, begins and _capital(content, name)) for one in words]
    return {
        "read": [
            {"words": found.text[span.start : span.end], "phrase": worded(span.phrase.pattern) if spoken(span.phrase.pattern) else "",
             "rule": span.phrase.rule, "says": rules[span.phrase.rule].text if span.phrase.rule in rules else ""}
            for span in found.read
            if spoken(span.phrase.pattern) or span.phrase.rule
        ],
        "place": start + found.place,
        "next": [{"words": one, "insert": one.split("…")[0]} for one in ways[:MOST_NEXT]],
        "ends": found.ends,
        "unfinished": not text[caret:end].strip(" .") and any(one.lower().startswith(typed.rstrip().lower()) for one in ways),
    }  # fmt: skip


def _written(words: str, typed: str, capital: bool) -> str:
    """Words to go on with, as one would write them here: letters that are typed stay, and a sentence begins with a capital."""
    if typed and words.lower().startswith(typed.lower()):
        return typed + words[len(typed) :]
    return words[:1].upper() + words[1:] if capital else words


@lru_cache(maxsize=64)
def _capital(content: Content, field: str) -> bool:
    """Whether the sentences of a field begin with a capital, as they are printed."""
    said = (text for face in content.faces if (text := face.fields.get(field)))
    first = [text[0] for texts in said for text in ([texts] if isinstance(texts, str) else texts) if text]
    return not any(letter.islower() for letter in first)
