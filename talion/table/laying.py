"""What every stage is laid with: plates, cards in rows, piles, and the ribbon with the one question. A game's `table.html` has
it as `s` and writes rows of these; see docs/adding-a-game.md. Written out, not as templates: a table is drawn at every move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup, escape

from talion.drawing.cards import portrait
from talion.table import clocks
from talion.table.stage import Names, Stage

MOST_BACKS = 12
MOST_LATELY = 3
Card = dict[str, Any]


class Laying:
    """Draws what lies on one table, for one audience."""

    def __init__(
        self, stage: Stage, match: dict[str, Any], table: dict[str, Any], names: Names, prefix: str
    ) -> None:
        self._stage, self._match, self._table, self._names, self._prefix = stage, match, table, names, prefix
        self._instead: Markup | None = None

    # ------------------------------------------------------------------ people

    def plate(
        self, number: int, note: str = "", classes: str = "", bust: str = "", *, caller: Callable[[], Markup]
    ) -> Markup:
        """Who somebody is and how they stand; the game says how, inside. One plate for each seat, always in sight. `bust` is a
        picture of the game's emblems: who they play."""
        table, place = self._table, self._table["seats"][number]
        name = escape(self._names.of(number))
        mine = " mine" if number == table["you"] else ""
        acts = " acts" if self._stage.acts(number) else ""
        picture = self._picture("bust", bust) if bust else ""
        face = portrait(place["face"]) if place["face"] else ""
        beside = (
            " <small>away</small>" if place["absent"] else f" <small>{escape(note)}</small>" if note else ""
        )
        return Markup(
            f'<section class="plate seat-{number}{mine}{acts} {escape(classes)}" data-thing="seat:{number}" data-says="{name}" aria-label="{name}">\n'
            f'  <h3>{picture}<span class="who" title="{name}">{face}{name}</span>{beside}{self._clock(number)}</h3>\n'
            f"  {caller()}\n</section>"
        )

    def _picture(self, classes: str, emblem: str) -> str:
        sprite = f"{self._prefix}/emblems/{self._table['game']}.svg"
        return (
            f'<svg class="{classes}" viewBox="0 0 100 100" aria-hidden="true" focusable="false">'
            f'<use href="{escape(sprite)}#e-{escape(emblem)}"/></svg>'
        )

    def _clock(self, number: int) -> str:
        clock = self._table["clock"]
        if not clock["left"]:
            return ""
        left, runs = clock["left"][number], " data-runs" if clock["runs"][number] else ""
        words = escape(clocks.worded(left))
        return f' <small class="clock"><span data-left="{left}"{runs}>{words}</span></small>'

    def number(self, value: Any, of: str, classes: str = "") -> Markup:
        """A number that is seen to change. `of` names it on this page: "0 corpus"."""
        return Markup(f'<b class="number {escape(classes)}" data-n="{escape(of)}">{escape(value)}</b>')

    def tokens(self, value: int, most: int, words: str) -> Markup:
        """A few of something, as so many tokens, and in words for those who cannot see them."""
        all_of_them = '<i class="full"></i>' * value + "<i></i>" * (most - value)
        label = f"{value} {escape(words)}"
        return Markup(f'<span class="tokens" role="img" aria-label="{label}">{all_of_them}</span>')

    def known(self, names: list[str]) -> Markup:
        """What is known to be in somebody's hand: each name once, with its number."""
        told = ((escape(name), names.count(name)) for name in dict.fromkeys(names))
        return Markup(", ".join(f"{n} × {name}" if n > 1 else name for name, n in told))

    def beneath(self, names: list[str]) -> Markup:
        """The same, as cards: they are shown whole when one looks at the plate this stands on."""
        if not names:
            return Markup("")
        lie = (
            self._stage.card({"face": name, "name": name}, acts=False, moves=False)
            for name in dict.fromkeys(names)
        )
        return Markup(f'<div class="beneath" hidden>{"".join(lie)}</div>')

    # ------------------------------------------------------------------ cards

    def cards(self, cards: list[Card], label: str, classes: str = "") -> Markup:
        """Cards in a row, as large as the row allows. Of "fan", they are slimmer where they are many."""
        return self._row(label, classes, len(cards), "".join(map(self._stage.card, cards)))

    def sheaves(self, cards: list[Card], label: str, classes: str = "") -> Markup:
        """A hand in which the same card comes many times: those of one face lie in a sheaf, with their number on the first."""
        sheaves = self._stage.sheaves(cards)
        return self._row(label, classes, len(sheaves), "".join(self._sheaf(*sheaf) for sheaf in sheaves))

    def _sheaf(self, first: Card, more: list[Card]) -> str:
        if not more:
            return self._stage.card(first)
        under = "".join(self._stage.card(c, "under") for c in more)
        return f'<div class="sheaf">{under}{self._stage.card(first, "", [f"× {len(more) + 1}"])}</div>'

    def _row(self, label: str, classes: str, count: int, cards: str) -> Markup:
        return Markup(
            f'<div class="cards {escape(classes)} n-{max(count, 1)}" role="group" aria-label="{escape(label)}">{cards}</div>'
        )

    def backs(self, count: int, label: str) -> Markup:
        """Backs of cards whose faces nobody here may see: a hand of somebody else."""
        shown = min(count, MOST_BACKS)
        backs = '<i class="card back"></i>' * shown
        return Markup(
            f'<div class="backs n-{max(shown, 1)}" role="img" aria-label="{escape(label)}: {count}">{backs}</div>'
        )

    # ------------------------------------------------------------------ piles

    def pile(
        self, zone: dict[str, Any], title: str, named: str, classes: str = "", thing: str = ""
    ) -> Markup:
        """A pile: its top, its name, its number. One that can be looked through opens over the table. `named` names it there."""
        facts = zone, title, named, classes, thing
        return self._stage.keep("a pile", facts, lambda: self._pile(*facts))

    def _pile(self, zone: dict[str, Any], title: str, named: str, classes: str, thing: str) -> Markup:
        seen, count = zone.get("cards", ()), zone["count"]
        said, name = escape(title), escape(named)
        empty = "" if count else " empty"
        acts = f' data-thing="{escape(thing)}" data-says="{said}"' if thing else ""
        opens = f' data-opens="pile-{name}"' if seen else ""
        if seen:
            top: str = self._stage.card(seen[-1], acts=False)
        else:
            top = f'<div class="card {"back" if count else "none"}"></div>'
        many = f'{said} <b data-n="{name} pile">{count}</b>'
        if seen:
            grid = "".join(self._stage.card(c, moves=False) for c in reversed(seen))
            look = (
                f'<button type="button" class="look" popovertarget="pile-{name}" aria-label="{said}: look through {count}">{many}</button>\n'
                f'  <div popover id="pile-{name}" class="gallery" role="dialog" aria-label="{said}"><h3>{said} <small>{count}</small>'
                f' <button type="button" popovertarget="pile-{name}" popovertargetaction="hide" aria-label="Close">×</button></h3>\n'
                f'    <div class="grid">{grid}</div></div>\n'
            )
        else:
            look = f'<span class="look">{many}</span>'
        return Markup(
            f'<div class="pile {escape(classes)}{empty}"{acts}{opens}>\n  <div class="cards n-1">{top}</div>\n{look}</div>'
        )

    def gallery(self, cards: list[Card], title: str, named: str) -> Markup:
        """Many cards to choose from, laid over the table while they are asked for."""
        grid, said = "".join(map(self._stage.card, self._stage.by_kind(cards))), escape(title)
        return Markup(
            f'<div popover="manual" id="pile-{escape(named)}" class="gallery" data-draft role="dialog" aria-label="{said}">'
            f'<h3>{said} <small>{len(cards)}</small></h3>\n  <div class="grid">{grid}</div></div>'
        )

    # ------------------------------------------------------------------ the ribbon

    def doing(self, title: str, text: str = "", card: Card | None = None) -> Markup:
        """What is being done while others may do something about it: the ribbon begins with it, so that it covers nothing. The card
        is small there, and whole when one looks at it; where it lies it is marked, see `stage.marks_out`."""
        shown = self._stage.card(card, acts=False, moves=False) if card else ""
        lying = f'<div class="cards n-1">{shown}</div>' if card else ""
        words = f"<p>{escape(text)}</p>" if text else ""
        return Markup(
            f'<section class="doing" aria-label="What is being done" aria-live="polite">\n{lying}'
            f"  <div><h3>{escape(title)}</h3>{words}</div>\n</section>"
        )

    def tells(self, instead: Markup) -> str:
        """Let something else stand where the question would: what happened, or the way through past moments."""
        self._instead = instead
        return ""

    def telling(self, lines: list[str], by: int | None) -> Markup:
        """What happened, in the ribbon's place."""
        whose = "" if by is None else f" by-{by}"
        words = "".join(f"{escape(self._names(line))} " for line in lines)
        return Markup(
            f'<section class="ribbon telling{whose}" id="ribbon" aria-label="What happens">'
            f'<div class="question"><h2>{words}</h2></div></section>'
        )

    def ribbon(self, doing: str = "") -> Markup:
        """The one question. What is on the table is clicked there; what has no place is a button here. Without script, everything is."""
        if self._instead is not None:
            return self._instead
        ask = self._match.get("ask")
        kind = self._others() if not ask else " window" if ask["window"] else ""
        options = "".join(self._stage.option(offer, self._names) for offer in self._stage.offers)
        return Markup(
            f'<section class="ribbon{kind}" id="ribbon" aria-label="What you are asked">\n'
            f'  {doing}\n  <div class="question" aria-live="polite">\n{self._question(ask)}  </div>\n'
            f'  <div class="acts" id="options" role="group" aria-label="What you can do">{options}</div>\n'
            f'  <div class="held" id="held" hidden></div>\n</section>\n'
        )

    def _question(self, ask: dict[str, Any] | None) -> str:
        if ask:
            rule = f" {self.rule_link(ask['rule'])}" if ask["rule"] else ""
            return f"<h2>{escape(self._names(ask['prompt']))}</h2>{rule}"
        if self._match["over"]:
            return "<h2>The match is over</h2>"
        return f'{self._faces()}<div><h2 class="waited">{self._who_chooses()}</h2></div>\n{self._lately()}'

    def _others(self) -> str:
        """While others choose, the ribbon is theirs: in its colour one sees from afar that nothing is asked of oneself."""
        waiting = self._match["waiting_for"]
        whose = f" by-{waiting[0]}" if len(waiting) == 1 else ""
        return "" if self._match["over"] else f" theirs{whose}"

    def _faces(self) -> str:
        """Who is thinking, as one sees them; only bots have faces."""
        places = (self._table["seats"][seat] for seat in self._match["waiting_for"])
        return "".join(portrait(place["face"], "thinks") for place in places if place["face"])

    def _lately(self) -> str:
        """What happened last, the latest last: something to read while others choose. The log says it to those who cannot see it."""
        latest = self._match.get("log", {}).get("latest", ())[-MOST_LATELY:]
        told = "".join(f"<li>{escape(self._names(text))}</li>" for _, text in latest)
        return f'  <ol class="lately" aria-hidden="true">{told}</ol>\n' if told else ""

    def _who_chooses(self) -> str:
        waiting = self._match["waiting_for"]
        others = [self._names.of(seat) for seat in waiting if seat != self._table["you"]]
        if others:
            return f"{escape(', '.join(others))} {'chooses' if len(others) == 1 else 'choose'}"
        return "You choose" if waiting else "Nobody is asked anything"

    def rule_link(self, rule: str) -> Markup:
        """To a rule, which opens over the table."""
        rules = escape(f"{self._prefix}/rules/{self._table['game']}")
        return Markup(f'<a class="rule" href="{rules}#{escape(rule)}" data-over>{escape(rule)}</a>')
