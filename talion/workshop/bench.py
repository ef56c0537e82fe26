"""One card on the bench: its fields as a form has them, what was read of them, and its face."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jinja2

from talion.drawing import cards as printed
from talion.kernel import Content, Game, Said, spreadsheet
from talion.kernel.completing import Completion
from talion.kernel.tables import Kind, undeclared

Row = dict[str, Any]
MOST_NEXT = 8
MOST_PHRASES = 3
MOST_CARDS = 8
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
    table = game.prints.get("card") or undeclared(game.texts)
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
        sample = value if value is not None else _sample(game, name)
        sort = spreadsheet.sort_of(sample)
        yield CardField(
            f"{within}{name}", sort, spreadsheet.written(value, sort), kind.wanted, name in game.texts
        )


def _sample(game: Game, name: str) -> Any:
    """What stands in such a field on some printed card."""
    return next((row[name] for row in game.content().tables.get("card", ()) if name in row), "")


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
class Looked:
    """A card as somebody is writing it: its face, and for each field what was read or is wrong."""

    front: str
    kind: str
    problems: list[str]
    lines: list[dict[str, Any]]
    touches: list[dict[str, Any]]
    """What its words share with other cards."""

    def data(self) -> dict[str, Any]:
        return vars(self)


def look(game: Game, content: Content, row: Mapping[str, Any], sprite: str) -> Looked:
    """Draw a card and read its sentences, without making all the others anew."""
    table = game.prints.get("card") or undeclared(game.texts)
    shape = table.problem(row)
    problems = [f"{row['name']}{shape}"] if shape else []
    ends = [row, *(value for value in row.values() if isinstance(value, dict) and "name" in value)]
    fronts, lines, kind = [], [], ""
    said: list[Said] = []
    for end in ends if not shape else [row]:
        face, wrong = content.draft({key: value for key, value in end.items() if value not in ("", [])})
        said += face.lines()
        problems += [_short(problem) for found in wrong.values() for problem in found]
        try:
            sheet = printed.sheet(game, face, sprite)
        except (jinja2.TemplateError, TypeError, ValueError, KeyError, AttributeError):
            continue  # what is missing is among the problems
        kind = kind or sheet["kind_slug"]
        fronts.append(str(sheet["front"]))
        lines += sheet["lines"]
    return Looked(
        "".join(f'<div class="card kind-{kind}">{front}</div>' for front in fronts),
        kind,
        problems,
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
    spoken = [pattern for pattern in patterns if re.search(r"[a-z]{3}", re.sub(r"\{[^}]*\}", "", pattern))]
    alike = {pattern: [one for one in uses.get(pattern, ()) if one != name] for pattern in spoken}
    telling = [pattern for pattern in alike if 0 < len(alike[pattern]) <= COMMON]
    for pattern in sorted(telling, key=lambda pattern: len(alike[pattern]))[:MOST_PHRASES]:
        cards = alike[pattern]
        yield {"what": f"“{worded(pattern)}”", "cards": cards[:MOST_CARDS], "more": len(cards[MOST_CARDS:])}


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


def _short(problem: str) -> str:
    """A refusal without the file it speaks of, for here there is one card, and with phrases as people say them."""
    return worded(problem.split("”, ", 1)[-1])


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
            {"words": found.text[span.start : span.end], "phrase": worded(span.phrase.pattern), "rule": span.phrase.rule,
             "says": rules[span.phrase.rule].text if span.phrase.rule in rules else ""}
            for span in found.read
        ],
        "place": start + found.place,
        "next": [{"words": one, "insert": one.split("…")[0]} for one in ways[:MOST_NEXT]],
        "ends": found.ends,
        "problem": found.problem,
        "unfinished": not text[caret:end].strip(" .") and any(one.lower().startswith(typed.rstrip().lower()) for one in ways),
        "column": start + found.column,
        "phrases": _nearest(found),
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


def _nearest(found: Completion) -> list[dict[str, str]]:
    if not found.problem:
        return []
    return [
        {"phrase": worded(one.phrase.pattern), "example": one.example.sentence if one.example else "", "card": one.example.card if one.example else ""}
        for one in found.phrases[:MOST_PHRASES]
    ]  # fmt: skip
