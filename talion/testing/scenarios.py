"""Scenarios: readable files that say given, when, then. See docs/writing-cards.md."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from talion.kernel import (
    NOBODY,
    TOP,
    BadCards,
    BadOption,
    Card,
    CardView,
    Chance,
    Content,
    Game,
    Illegal,
    Match,
    Part,
    Pile,
    Seat,
    State,
    ZoneView,
)
from talion.kernel.chance import LaidDown, Unfit, seeded
from talion.kernel.content import lay_over, read_cards
from talion.kernel.faults import in_words
from talion.kernel.fields import Named, Parts, Seats, read_plain
from talion.kernel.knowledge import Knowledge
from talion.kernel.tables import (
    ANY_TEXT,
    FLAG,
    NUMBER,
    SAID,
    TEXT,
    TEXTS,
    CardTable,
    Kind,
    list_of,
    maybe,
    nearest,
    quoted,
    table_of,
)

Find = Callable[[str], Game]


class BadScenario(Exception):  # noqa: N818
    """A scenario file that cannot be run, and why."""


class Differs(Exception):  # noqa: N818
    """What a scenario says and what happens are not the same."""


@dataclass(frozen=True)
class Scenario:
    path: Path
    title: str
    rules: tuple[str, ...]
    game: str
    text: Mapping[str, Any] = field(repr=False)


_TABLE = Kind("a table", lambda value: isinstance(value, dict))
_LIST = Kind("a list", lambda value: isinstance(value, list))
_SEATS = list_of(NUMBER)
_CARD = Kind(
    'the name of a card or { card = "…" }',
    lambda value: TEXT.fits(value.get("card") if isinstance(value, dict) else value),
)
_CARDS = list_of(_CARD)
_PILE = Kind(
    f"the number of its cards, or {_CARDS.wanted}",
    lambda value: (
        NUMBER.fits(value) or _CARDS.fits(value.get("any_order") if isinstance(value, dict) else value)
    ),
)
_FILE = CardTable(
    {
        "title": TEXT,
        "rule": SAID,
        "game": TEXT,
        "seats": maybe(NUMBER),
        "options": maybe(_TABLE),
        "seed": maybe(Kind("a number or a text", lambda value: isinstance(value, int | str))),
        "at": maybe(TEXT),
        "card": maybe(Kind("[[card]] tables", lambda value: isinstance(value, list))),
        "given": maybe(_TABLE),
        "when": maybe(replace(list_of(_TABLE), wanted="[[when]] tables")),
        "then": maybe(_TABLE),
        "note": maybe(ANY_TEXT),
    }
)
_THEN = CardTable(
    {
        "over": maybe(FLAG),
        "winners": maybe(_SEATS),
        "scores": maybe(_LIST),
        "why": maybe(ANY_TEXT),
        "asked": maybe(_SEATS),
        "log": maybe(TEXTS),
        "any_order": maybe(_TABLE),
    },
    closed=False,
)
"""Beyond these, the fields of the game's state."""
_WHEN = CardTable(
    {
        "seat": maybe(NUMBER),
        "answer": maybe(TEXT),
        "answers": maybe(TEXTS),
        "offered": maybe(TEXTS),
        "not_offered": maybe(TEXTS),
        "refused": maybe(TEXT),
        "try": maybe(TEXT),
        "asked": maybe(_SEATS),
        "by": maybe(TEXT),
        "then": maybe(_TABLE),
        "note": maybe(ANY_TEXT),
    }
)


def load_scenarios(path: Path) -> list[Scenario]:
    """The scenarios of a file, or of all files below a folder."""
    files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return [_load(file) for file in files]


def _load(path: Path) -> Scenario:
    try:
        text = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadScenario(f"{path} cannot be read: {problem.strerror or problem}.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadScenario(f"{path} is not valid TOML: {problem}.") from None
    for wrong in _problems(text):
        raise BadScenario(f"{path}{wrong}")
    rules = text["rule"] if isinstance(text["rule"], list) else [text["rule"]]
    return Scenario(path, text["title"], tuple(rules), text["game"], text)


def _problems(text: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the shape of a scenario, as it reads after the name of its file."""
    if problem := _FILE.problem(text):
        yield problem
        return
    for number, when in enumerate(text.get("when", []), 1):
        if problem := _WHEN.problem(when) or _THEN.problem(when.get("then", {})):
            yield f", when {number}{problem}"
    if problem := _THEN.problem(text.get("then", {})):
        yield f", then{problem}"


def run_scenario(scenario: Scenario, find: Find, cards: Path | None = None) -> list[str]:
    """What differs from the scenario, line by line; nothing if all is as it says. Changed cards can be laid over."""
    game = find(game_of(scenario))
    try:
        ScenarioRun(scenario, game, cards).all()
    except (Differs, Unfit) as difference:
        return str(difference).splitlines()
    except (BadScenario, BadOption, Illegal) as problem:
        raise BadScenario(f"{scenario.path}: {problem}") from None
    except BadCards:
        raise
    except Exception as problem:  # a fault of the game, told to its author
        return [f"the game fails: {in_words(problem)}"]
    return []


def game_of(scenario: Scenario) -> str:
    """The key of its game, or a path; one that begins with a dot is meant from where the scenario lies."""
    key = scenario.game
    return str((scenario.path.parent / key).resolve()) if key.startswith(".") else key


@lru_cache(maxsize=8)
def as_printed(game: Game, cards: Path | None) -> Content:
    """The cards of a file, as many of each as the game prints.

    What a scenario counts is a pile of the game's own: a new card is known, but lies in none.
    """
    if cards is None:
        return game.content()
    own = game.own_tables()
    changes = read_cards(cards, own, game.card_table)
    counts = {row["name"]: row.get("count", 1) for row in own.get("card", [])}
    rows = [{**row, "count": counts.get(row["name"], 0)} for row in changes.get("card", [])]
    try:
        return game.printed(lay_over(own, {**changes, "card": rows}, str(cards)), str(cards))
    except BadCards:  # there must be so many of them
        return game.content(cards)


class ScenarioRun:
    """One scenario being played."""

    def __init__(self, scenario: Scenario, game: Game, cards: Path | None) -> None:
        self.scenario = scenario
        self.text = scenario.text
        self.game = game
        self.content = self._content(cards)
        self.match = self._begin()

    def _content(self, cards: Path | None) -> Any:
        """The game's cards, over them those of the file, over them those that the scenario brings."""
        below, own = as_printed(self.game, cards), self.text.get("card", [])
        if not own:
            return below
        source = str(self.scenario.path)
        return self.game.printed(lay_over(below.tables, {"card": own}, source), source)

    # Given -------------------------------------------------------------------------------------------------------

    def _begin(self) -> Match:
        seats = self.text.get("seats", self.game.seats[0])
        options = self.text.get("options", {})
        given = dict(self.text.get("given", {}))
        rolls = given.pop("rolls", [])
        _must(_LIST, rolls, "given: rolls")
        seed = self.text.get("seed", 0)
        if "at" not in self.text:
            if given:
                raise BadScenario('A scenario with [given] needs at = "the step to start in".')
            return Match.new(self.game, seats, seed, options, content=self.content)
        chosen = self.game.chosen(options, self.content, seats)
        t = self.game.state.begin(self.game, self.content, seats, Chance(seeded(seed)), chosen)
        t.know = Knowledge(seats + 1)
        if self.game.build:
            self.game.build(t)
        self._lay_out(t, given)
        if self.game.reckon:
            self.game.reckon(t)
        t.chance = LaidDown(t.chance.state, rolls) if rolls else t.chance
        step, *args = str(self.text["at"]).split()
        try:
            found = self.game.step(step)
        except KeyError as problem:
            raise BadScenario(str(problem.args[0])) from None
        return Match.at(t, found, tuple(int(arg) if arg.lstrip("-").isdigit() else arg for arg in args))

    def _lay_out(self, t: State, given: dict[str, Any]) -> None:
        """Puts everything where it is given; cards not named stay out of sight, in the box."""
        known = given.pop("known", {})
        _must(table_of(TEXTS), known, "given: known")
        for pile in t.piles:
            if pile is not t.box:
                t.move_all(pile, t.box)
        self._set(t, t, given)
        for problem in t.problems():
            raise BadScenario(f"given: {problem}.")
        _begin_knowing(t)
        for seat, names in known.items():
            for name in names:
                t.look(int(seat.removeprefix("seat ")), [self._known_card(t, name)])

    def _known_card(self, t: State, name: str) -> Card:
        for pile in t.piles:
            for card in pile:
                if pile is not t.box and t.game.card_name(t, card) == name:
                    return card
        raise BadScenario(f"known: no card {name} lies on the table.")

    def _set(self, t: State, part: Part, values: Any) -> None:
        _must(_TABLE, values, f"given: {type(part).__name__}")
        for name, value in values.items():
            below = _part_named(part, name)
            if below is not None:
                self._set(t, below, value)
                continue
            declared = type(part).fields.get(name)
            if declared is None:
                have = ", ".join(type(part).fields)
                raise BadScenario(f"given: {type(part).__name__} has no {name}; it has {have}.")
            current = getattr(part, name)
            if isinstance(current, Pile):
                self._fill(t, current, value)
            elif isinstance(declared, Parts):
                self._set_parts(t, part, name, declared, value)
            else:
                _must(_like(current), value, f"given: {name}")
                if isinstance(declared, Seat) and value not in t.seat_numbers:
                    raise BadScenario(f"given: {name} must be a seat, not {quoted(value)}.")
                declared.read(self._with_cards(t, value), part, name)

    def _set_parts(
        self, t: State, part: Part, name: str, declared: Any, values: list[Mapping[str, Any]]
    ) -> None:
        parts = getattr(part, name)
        if declared.comes_and_goes:
            parts[:] = [declared.kind.new() for _ in values]
        for one, inner in zip(parts, values, strict=False):
            self._set(t, one, inner)

    def _with_cards(self, t: State, value: Any) -> Any:
        """A plain value; `{card = "NAME"}` in it means a card that lies on the table."""
        if isinstance(value, dict) and value.keys() == {"card"} and isinstance(value["card"], str):
            return {"card": int(self._known_card(t, value["card"]))}
        if isinstance(value, list):
            return [self._with_cards(t, item) for item in value]
        return value

    def _fill(self, t: State, pile: Pile, cards: Any) -> None:
        _must(_CARDS, cards, f"given: {pile.place.name}")
        for card in _deck_order(pile, cards):
            fields = {"card": card} if isinstance(card, str) else dict(card)
            found = self._take(t, fields.pop("card"))
            t.move(found, pile)
            for name, value in fields.items():
                column = getattr(t, name, None)
                if not isinstance(column, list):
                    raise BadScenario(f"given: cards have no {name}.")
                _must(_like(column[found]), value, f"given: {name}")
                column[found] = read_plain(self._with_cards(t, value))

    def _take(self, t: State, name: str) -> Card:
        """A card of this name from the box; if all are out, one more is made."""
        face = self.content.named.get(name)
        if face is None:
            raise BadScenario(f"given: there is no card {name}{nearest(name, self.content.named)}.")
        card = next((card for card in t.box if t.face(card).front is face.front), None)
        if card is None:
            card = t.create(face.front, t.box)
        t.turn_to(card, face)
        return card

    # When --------------------------------------------------------------------------------------------------------

    def all(self) -> None:
        for number, when in enumerate(self.text.get("when", []), 1):
            self._when(when, f"when {number}")
        self._then(self.text.get("then", {}), "then")

    def _when(self, when: Mapping[str, Any], where: str) -> None:
        seat = when.get("seat")
        if "asked" in when:
            asked = sorted(self.match.pending)
            _same(sorted(when["asked"]), asked, f"{where}: asked")
        if "by" in when:
            ask = None if seat is None else self.match.pending.get(seat)
            _same(when["by"], ask.rule if ask else "nothing", f"{where}: by")
        if "offered" in when or "not_offered" in when:
            while seat not in self.match.pending and self._pass_by(seat):
                pass
            names = [offer.name for offer in self._offers(seat, where)]
            for name in when.get("offered", ()):
                if name not in names:
                    raise Differs(f"{where}: “{name}” is not offered; offered: {', '.join(names)}")
            for name in when.get("not_offered", ()):
                if name in names:
                    raise Differs(f"{where}: “{name}” is offered")
        if "refused" in when:
            self._refused(seat, when, where)
        answers = when.get("answers", [when["answer"]] if "answer" in when and "refused" not in when else [])
        for name in answers:
            self._answer(seat, name, where)
        if "then" in when:
            self._then(when["then"], f"{where}, then")

    def _offers(self, seat: Any, where: str) -> list[Any]:
        if seat is None:
            raise BadScenario(f"{where}: needs seat = …")
        view = self.match.view(seat)
        return view.offers() + view.standing_offers()

    def _answer(self, seat: Any, name: str, where: str) -> None:
        offers = self._offers(seat, where)
        for offer in offers:
            if offer.name == name:
                self.match.answer(seat, offer.option)
                return
        if self._pass_by(seat):
            self._answer(seat, name, where)
            return
        names = ", ".join(offer.name for offer in offers) or "nothing"
        raise Differs(f"{where}: seat {seat} cannot answer “{name}”; offered: {names}")

    def _pass_by(self, seat: Any) -> bool:
        """Gives the only answer there is to an ask that no line speaks of."""
        for other in sorted(self.match.pending, key=lambda other: other == seat):
            options = self.match.options(other)
            if len(options) == 1:
                self.match.answer(other, options[0])
                return True
        return False

    def _settle(self) -> None:
        """Inside a step, a choice without a choice is made before anything is compared."""
        while self.match.entries or any(ask.minor for ask in self.match.pending.values()):
            if not self._pass_by(None):
                return

    def _refused(self, seat: Any, when: Mapping[str, Any], where: str) -> None:
        """The option with this name is closed, by this rule."""
        wanted, rule = when.get("try", when.get("answer")), when["refused"]
        t = self.match.t
        closed = [
            (self.game.name_of(t, seat, option), by, why) for option, by, why in self.match.why_not(seat)
        ]
        rules = [by for name, by, _ in closed if name == wanted]
        if any(offer.name == wanted for offer in self._offers(seat, where)):
            raise Differs(f"{where}: “{wanted}” is not refused")
        if rule not in rules:
            have = "; ".join(f"{name} ({by})" for name, by, _ in closed) or "nothing"
            raise Differs(f"{where}: “{wanted}” is not refused by {rule}; closed: {have}")

    # Then --------------------------------------------------------------------------------------------------------

    def _then(self, then: Mapping[str, Any], where: str) -> None:
        match = self.match
        if "asked" not in then:
            self._settle()
        for name, value in then.items():
            here = f"{where}: {name}"
            if name == "over":
                _same(value, match.over, here)
            elif name == "winners":
                _same(sorted(value), sorted(match.result.winners) if match.result else None, here)
            elif name == "scores":
                _same(list(value), list(match.result.scores) if match.result else None, here)
            elif name == "why":
                _same(value, match.result.why if match.result else None, here)
            elif name == "asked":
                _same(sorted(value), sorted(match.pending), here)
            elif name == "log":
                self._log(value, here)
            elif name == "any_order":
                self._then(_unordered(value), where)
            elif name.startswith("view "):
                who = name.removeprefix("view ")
                self._view(match.view(None if who == "watcher" else int(who)), value, here)
            else:
                self._then_field(match.t, name, value, where)

    def _log(self, lines: list[str], where: str) -> None:
        names = [f"seat {seat}" for seat in range(self.match.seats)]
        said = [line.named(names) for line in self.match.log(None)]
        for line in lines:
            if not any(line in text for text in said):
                raise Differs(f"{where}: “{line}” is not in the log; it ends: {' / '.join(said[-5:])}")

    def _then_field(self, part: Part, name: str, value: Any, where: str) -> None:
        below = _part_named(part, name)
        if below is not None:
            _must(_TABLE, value, f"{where}: {name}")
            for inner, wanted in value.items():
                self._then_field(below, inner, wanted, f"{where}: {name}")
            return
        here = f"{where}: {name}"
        if name in type(part).derived:
            _same(value, _plain(type(part).derived[name](part)), here)
            return
        if name not in type(part).fields:
            raise BadScenario(f"{here}: {type(part).__name__} has no such field.")
        current = getattr(part, name)
        declared = type(part).fields[name]
        if isinstance(current, Pile):
            self._then_pile(current, value, here)
        elif isinstance(declared, Parts):
            _same(len(value), len(current), f"{here}: how many")
            for i, (one, inner) in enumerate(zip(current, value, strict=True)):
                for key, wanted in inner.items():
                    self._then_field(one, key, wanted, f"{here} {i}")
        elif isinstance(value, dict) and isinstance(current, dict):
            for key, number in value.items():
                _same(number, current.get(key, 0), f"{here}: {key}")
        else:
            _same(value, _plain(current, self.match.t), here)

    def _then_pile(self, pile: Pile, wanted: Any, where: str) -> None:
        t = self.match.t
        _must(_PILE, wanted, where)
        if isinstance(wanted, int):
            _same(wanted, len(pile), f"{where}: how many cards")
            return
        loose = isinstance(wanted, dict)
        wanted = wanted["any_order"] if loose else wanted
        cards = list(_deck_order(pile, list(pile)))
        names = [t.game.card_name(t, card) for card in cards]
        wanted_names = [card if isinstance(card, str) else card["card"] for card in wanted]
        if loose or not pile.place.ordered:
            _same(sorted(wanted_names), sorted(names), where)
        else:
            _same(wanted_names, names, where)
        left = list(cards)
        for card in wanted:
            fields = {} if isinstance(card, str) else {k: v for k, v in card.items() if k != "card"}
            name = card if isinstance(card, str) else card["card"]
            fitting = [c for c in left if t.game.card_name(t, c) == name and _has(t, c, fields)]
            if not fitting:
                have = [{k: getattr(t, k)[c] for k in fields} for c in left if t.game.card_name(t, c) == name]
                raise Differs(f"{where}: no {name} with {fields}; there is {have}")
            left.remove(fitting[0])

    def _view(self, view: Any, wanted: Mapping[str, Any], where: str) -> None:
        """What a seat sees: faces it knows by name, others only by number."""
        _must(_TABLE, wanted, where)
        for name, value in wanted.items():
            here = f"{where}: {name}"
            try:
                seen = _view_of(view, name)
            except AttributeError:
                raise BadScenario(f"{here} is nothing that can be seen.") from None
            if isinstance(value, dict):
                self._view(seen, value, here)
            elif isinstance(seen, ZoneView):
                names = sorted(c.name for c in seen.cards if isinstance(c, CardView)) or seen.known
                _same(
                    value if isinstance(value, int) else sorted(value),
                    seen.count if isinstance(value, int) else names,
                    here,
                )
            else:
                _same(value, _plain(seen, self.match.t), here)


def _view_of(view: Any, name: str) -> Any:
    if name.startswith("seat "):
        return view.side_of(int(name.removeprefix("seat ")))
    return getattr(view, name)


def _part_named(part: Part, name: str) -> Part | None:
    """`seat 0`, or `dens 2` for one of several parts, or `expeditions red` for one with a name."""
    word, _, number = name.rpartition(" ")
    for key, declared in type(part).fields.items():
        if word == key and isinstance(declared, Named) and number in declared.names:
            named: Part = getattr(part, key)[number]
            return named
        if not number.isdigit():
            continue
        if (word == "seat" and isinstance(declared, Seats)) or (word == key and isinstance(declared, Parts)):
            parts: list[Part] = getattr(part, key)
            if int(number) >= len(parts):
                raise BadScenario(f"there is no {name}.")
            return parts[int(number)]
    return None


def _must(kind: Kind, value: Any, where: str) -> None:
    if not kind.fits(value):
        raise BadScenario(f"{where} must be {kind.wanted}, not {quoted(value)}.")


def _like(current: Any) -> Kind:
    """A plain value is changed into one of its own kind; whatever else there is, is read by its field."""
    wanted = {int: "a whole number", bool: "true or false", str: "a text"}.get(type(current), "")
    return Kind(wanted, lambda value: not wanted or type(value) is type(current))


def _deck_order(pile: Pile, cards: list[Any]) -> Iterator[Any]:
    """Decks are listed with their top first."""
    return reversed(cards) if pile.place.seen_by in (NOBODY, TOP) and pile.place.ordered else iter(cards)


def _begin_knowing(t: State) -> None:
    """Everybody knows what lies open to them; all else is one pool, as after a shuffle of everything hidden."""
    assert t.know is not None
    for observer in range(t.seats_taken + 1):
        hidden = [card for pile in t.piles if not pile.place.shows(observer) for card in pile]
        t.know.join(observer, hidden)
    for pile in t.piles:
        if pile.place.seen_by is TOP and pile:
            t.reveal([pile[-1]])


def _has(t: State, card: Card, fields: Mapping[str, Any]) -> bool:
    return all(getattr(t, name)[card] == value for name, value in fields.items())


def _plain(value: Any, t: State | None = None) -> Any:
    if isinstance(value, Card) and t is not None:
        return t.game.card_name(t, value)
    if isinstance(value, CardView):
        return value.name
    if isinstance(value, tuple | list):
        return [_plain(item, t) for item in _without_defaults(value)]
    return value


def _without_defaults(value: Any) -> Any:
    """A named tuple without the last parts that are as usual: as short as it may be given."""
    usual = getattr(value, "_field_defaults", {})
    names = list(getattr(value, "_fields", ()))
    while names and names[-1] in usual and getattr(value, names[-1]) == usual[names[-1]]:
        names.pop()
    return value[: len(names)] if usual else value


def _unordered(value: Any) -> Any:
    return {
        key: {"any_order": cards} if isinstance(cards, list) else _unordered(cards)
        for key, cards in value.items()
    }


def _same(wanted: Any, found: Any, where: str) -> None:
    if wanted != found:
        if (
            isinstance(wanted, list)
            and isinstance(found, list)
            and all(isinstance(x, str) for x in wanted + found)
        ):
            missing, extra = Counter(wanted) - Counter(found), Counter(found) - Counter(wanted)
            if missing or extra:
                raise Differs(
                    f"{where}: missing {sorted(missing.elements())}, unexpected {sorted(extra.elements())}; is {found}"
                )
        raise Differs(f"{where}: should be {wanted!r}, is {found!r}")
