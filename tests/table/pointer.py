"""A hand at the table: a browser that plays with real mouse moves (or touches), looks before it clicks, and never forces anything.

Everybody else at the table is played over the API, at random by a seed, so that a match depends on nothing but its seed. Where a
match at random would take for ever, every other choice of everybody is what a greedy bot would do: the match comes to its end.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from talion.bots import Seen
from talion.bots.greedy import Greedy
from talion.kernel import Match
from talion.table.sights import look

from .serving import Player, Served, wait_for

# Everything the checks need to know about the page, measured in one go.
MEASURE = """() => {
    const stage = document.getElementById("stage");
    const box = (el) => { const r = el.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom].map(Math.round); };
    const inside = (r) => r[0] >= -1 && r[1] >= -1 && r[2] <= innerWidth + 1 && r[3] <= innerHeight + 1;
    const shown = (el) => el.checkVisibility() && !el.closest("[popover]:not(:popover-open)");
    const swiped = (el) => { for (let p = el.parentElement; p && p !== stage; p = p.parentElement) if (p.scrollWidth > p.clientWidth + 1 && getComputedStyle(p).overflowX === "auto") return true; return false; };
    const leafed = (el) => { const p = el.closest("[popover]"); return !!p && p.scrollHeight > p.clientHeight + 1; };  // one leafs through what opened over the table
    const hit = (el) => { const r = el.getBoundingClientRect(); const at = document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2); return !!at && (el === at || el.contains(at)); };
    const on = (el) => { const r = el.getBoundingClientRect(); const at = document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2); return at ? `${at.tagName} ${at.className}` : "nothing"; };
    const words = (el) => (el.dataset.says || el.textContent || "").trim().replace(/\\s+/g, " ").slice(0, 60);
    const cut = (el) => getComputedStyle(el).display !== "inline" && el.clientHeight && (el.scrollWidth > el.clientWidth + 1 || (el.scrollHeight > el.clientHeight + 2 && !el.matches(".name")));
    const lit = [...document.querySelectorAll("#stage .lit[data-thing]")].filter(shown);
    const overlap = (list) => list.map((el) => [words(el), box(el)]).flatMap(([one, a], i, all) => all.slice(i + 1).filter(([, b]) => Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > 2 && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 2).map(([two]) => `${one} and ${two}`));
    return {
        overlap: [...document.querySelectorAll("#stage .hand")].filter(shown).flatMap((hand) => overlap([...hand.children])).concat(overlap([...document.querySelectorAll("#stage .pile")].filter(shown))),
        spills: [...stage.querySelectorAll("*")].filter((el) => shown(el) && !el.closest("[popover], .gallery")).filter((el) => { const r = el.getBoundingClientRect(), s = stage.getBoundingClientRect(); return r.bottom > s.bottom + 1 || r.right > s.right + 1; }).slice(0, 3).map((el) => el.className?.baseVal ?? el.className),
        scrolls: stage.scrollHeight > stage.clientHeight + 1 || stage.scrollWidth > stage.clientWidth + 1 || document.documentElement.scrollHeight > innerHeight + 1 || document.documentElement.scrollWidth > innerWidth + 1,
        plates: [...document.querySelectorAll(".plate")].map((el) => ({ says: words(el), box: box(el), seen: shown(el) && inside(box(el)) })),
        ribbon: (() => { const el = document.getElementById("ribbon"); return { says: words(el), seen: shown(el) && inside(box(el)), cut: cut(el) || [...el.querySelectorAll("h2, .question, .act")].filter(shown).some(cut) }; })(),
        lit: lit.map((el) => ({ thing: el.dataset.thing, says: words(el), box: box(el), inside: inside(box(el)), swiped: swiped(el), leafed: leafed(el), hit: hit(el), on: on(el) })),
        cut: [...document.querySelectorAll("#stage .card, #stage .plate, #stage .doing, .card .name, #stage .look")].filter(shown).filter(cut).map((el) => `${el.className}: ${words(el)}`),
        options: [...document.querySelectorAll("#options .act")].map((el) => ({ value: el.value, path: el.dataset.path, placed: el.matches(".placed"), name: words(el) })),
        number: document.getElementById("table")?.dataset.number,
        window: !!document.querySelector(".ribbon.window"),
    };
}"""

WHERE = """(name) => {
    const shown = (el) => el.checkVisibility() && !el.closest("[popover]:not(:popover-open)");
    const all = [...document.querySelectorAll("#stage [data-thing]")].filter((el) => el.dataset.thing === name);
    const el = all.find(shown);
    if (!el) {
        const pile = all[0]?.closest("[popover]");
        const opener = pile && document.querySelector(`#stage [data-opens="${pile.id}"]`);
        if (!opener) return null;
        const r = opener.getBoundingClientRect();
        return { opens: true, x: (r.left + r.right) / 2, y: (r.top + r.bottom) / 2, lit: opener.matches(".lit") };
    }
    const r = el.getBoundingClientRect();
    const [x, y] = [(r.left + r.right) / 2, (r.top + r.bottom) / 2];
    const at = document.elementFromPoint(x, y);
    const hit = !!at && (el === at || el.contains(at));
    return { x, y, hit, lit: el.matches(".lit"), on: at ? `${at.className} ${at.textContent.trim().slice(0, 40)}` : "nothing" };
}"""


CHANGED = "n => !document.getElementById('table') || document.getElementById('table').dataset.number !== n || document.querySelector('#over[open] [name=confirmed]')"
GONE_ON = "n => document.getElementById('table')?.dataset.number !== n"


def _deals_by(server: Served, table: str, seed: str) -> None:
    """The same deal in every run: what a hand meets depends on its seed alone."""

    async def lay_down() -> None:
        live = await server.house.table(table)
        live.row = replace(live.row, seed=seed)

    server.in_loop(lay_down)


def goes_on(server: Served, table: str, seed: int, enough: Callable[[Match], bool]) -> None:
    """The match goes on at random, in no time, until it is far enough: a hand can look at any moment of a match."""

    async def play() -> None:
        live = await server.house.table(table)
        chance = random.Random(seed)
        assert live.play is not None
        match = live.play.match
        while not (match.over or enough(match)):
            seat = min(match.pending)
            match.answer(seat, chance.choice(match.options(seat)))
        assert not match.over, "this match never comes to such a moment"
        live.seen = look(live.play, [sight.number for sight in live.seen], live.seen)

    server.in_loop(play)


class Pointer:
    """A mouse, or a finger, over a table in a browser window."""

    def __init__(self, page: Any, touch: bool = False) -> None:
        self.page, self.touch = page, touch

    def _waits_until_still(self) -> None:
        """Nobody aims at what is still travelling."""
        self.page.wait_for_function("() => !document.body.matches('.moving, .playing-out')")

    # ------------------------------------------------------------------ pointing

    def points_at(self, name: str) -> None:
        """Click a thing in its middle, if it is lit, in sight and under nothing."""
        for _ in range(3):
            self._waits_until_still()
            found = self.page.evaluate(WHERE, name)
            assert found, f"{name} is not on the table"
            if found.get("opens"):
                assert found["lit"], f"the pile with {name} in it is not lit"
                self._click(found)
                self.page.wait_for_timeout(60)
                continue
            if not self._in_window(found) or not found["hit"]:
                self._swipe(name)
                found = self.page.evaluate(WHERE, name)
            assert found["lit"], f"{name} is not lit"
            assert self._in_window(found), f"{name} is outside the window"
            assert found["hit"], f"{name} lies under {found['on']}"
            self._click(found)
            return
        raise AssertionError(f"the pile with {name} in it does not open")

    def _click(self, at: dict[str, Any]) -> None:
        if self.touch:
            self.page.touchscreen.tap(at["x"], at["y"])
        else:
            self.page.mouse.move(at["x"], at["y"])
            self.page.mouse.down()
            self.page.mouse.up()

    def _in_window(self, at: dict[str, Any]) -> bool:
        size = self.page.viewport_size
        return bool(0 <= at["x"] < size["width"] and 0 <= at["y"] < size["height"])

    def _swipe(self, name: str) -> None:
        """Turn the wheel over the row, or swipe it, until the thing is there; only rows on small screens move."""
        row = self.page.evaluate(
            """(name) => {
                const el = [...document.querySelectorAll('#stage [data-thing]')].find(el => el.dataset.thing === name && el.checkVisibility() && !el.closest('[popover]:not(:popover-open)'));
                for (let p = el?.parentElement; p && p.id !== 'stage'; p = p.parentElement) {
                    const style = getComputedStyle(p);
                    const across = p.scrollWidth > p.clientWidth + 1 && style.overflowX === 'auto';
                    const down = p.scrollHeight > p.clientHeight + 1 && style.overflowY === 'auto' && p.closest('[popover]');
                    if (!across && !down) continue;
                    const [r, e] = [p.getBoundingClientRect(), el.getBoundingClientRect()];
                    return { x: (r.left + r.right) / 2, y: (r.top + r.bottom) / 2, across: across ? (e.left + e.right) / 2 - (r.left + r.right) / 2 : 0, down: down ? (e.top + e.bottom) / 2 - (r.top + r.bottom) / 2 : 0 };
                }
                return null;
            }""",
            name,
        )
        if row:
            self.page.mouse.move(row["x"], row["y"])
            self.page.mouse.wheel(row["across"], row["down"])
            self.page.wait_for_timeout(250)

    def is_past(self, number: str) -> bool:
        """Whether the table has gone on since this number."""
        return bool(self.page.locator("#table").get_attribute("data-number") != number)

    # ------------------------------------------------------------------ carrying an option out

    def carries(self, option: dict[str, Any]) -> None:
        """Take an option up to its last click, and put it back."""
        if option["placed"]:
            for name in self._path(option)[:-1]:
                self.points_at(name)
            last = self._path(option)[-1]
            found = self.page.evaluate(WHERE, last)
            if found and found.get("opens"):
                self._click(found)
                self.page.wait_for_timeout(60)
                found = self.page.evaluate(WHERE, last)
            if found and (not self._in_window(found) or not found.get("hit")):
                self._swipe(last)
                found = self.page.evaluate(WHERE, last)
            assert found, f"{option['name']}: {last} is nowhere"
            assert found["lit"] and found["hit"] and self._in_window(found), (option["name"], last, found)
        else:
            self._button(option)
        self.page.keyboard.press("Escape")
        assert not self.page.locator(".match.holding").count(), "Escape does not put it back"

    def does(self, option: dict[str, Any]) -> None:
        """Do it, by as many clicks as it takes, and see that it counts."""
        number = self.page.locator("#table").get_attribute("data-number")
        if option["placed"]:
            path = self._path(option)
            for name in path:
                self.points_at(name)
            if self._waits(number) and self.page.locator(".menu:popover-open").count():
                self._menu(option)
            elif self._waits(number) and len(path) == 1:
                if not self.page.locator(".menu:popover-open").count() and not self._here(option):
                    self.points_again(path[-1])
            elif self._waits(number):
                self._here(option)
        else:
            at = self._button(option)
            self._click(at)
        self._sure(number)

    # ------------------------------------------------------------------ dragging, and the keyboard alone

    def drags(self, option: dict[str, Any]) -> None:
        """Carry the first of two things to the second with the button held down."""
        number = self.page.locator("#table").get_attribute("data-number")
        first, second = (self.page.evaluate(WHERE, name) for name in self._path(option))
        assert first["hit"] and second["hit"], (first, second)
        self.page.mouse.move(first["x"], first["y"])
        self.page.mouse.down()
        self.page.mouse.move(second["x"], second["y"], steps=6)
        self.page.mouse.up()
        self._sure(number)

    def types(self, option: dict[str, Any]) -> None:
        """Do it without a pointer: Tab to what is meant, Enter."""
        number = self.page.locator("#table").get_attribute("data-number")
        for name in self._path(option) if option["placed"] else ():
            self._opens_by_keys(name)
            self._tabs_to("(at, name) => at.dataset.thing === name && at.matches('.lit')", name)
            self.page.keyboard.press("Enter")
        if not option["placed"]:
            self._tabs_to("(at, value) => at.name === 'option' && at.value === value", option["value"])
            self.page.keyboard.press("Enter")
        elif self._waits(number):
            words = "(at, name) => at.matches('.menu .act, #held .act') && at.querySelector('.what')?.textContent.toLowerCase() === name"
            if not self.page.locator(".menu:popover-open, #held .act:not(.back-again)").count():
                words = "(at, name) => at.matches('.taken')"
            elif not self.page.locator(".menu:popover-open").count():
                words = "(at, name) => at.matches('#held .act:not(.back-again)')"
            self._tabs_to(words, self._name(option).lower())
            self.page.keyboard.press("Enter")
        self._sure_by_keys(number)

    def _name(self, option: dict[str, Any]) -> str:
        return str(
            self.page.evaluate(
                "value => [...document.querySelectorAll('#options .act')].find(el => el.value === value).querySelector('.what').textContent",
                option["value"],
            )
        )

    def _opens_by_keys(self, name: str) -> None:
        found = self.page.evaluate(WHERE, name)
        assert found, f"{name} is not on the table"
        if found.get("opens"):
            self._tabs_to(
                """(at, name) => {
                    const thing = [...document.querySelectorAll('#stage [data-thing]')].find(el => el.dataset.thing === name);
                    return at.matches('button[popovertarget]') && at.getAttribute('popovertarget') === thing.closest('[popover]').id;
                }""",
                name,
            )
            self.page.keyboard.press("Enter")

    def _tabs_to(self, found: str, what: str) -> None:
        """Press Tab until the focus is on it; it may be on it already."""
        for _ in range(250):
            if self.page.evaluate(f"what => ({found})(document.activeElement, what)", what):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not get to {what}")

    def _sure_by_keys(self, number: str) -> None:
        self.page.wait_for_function(CHANGED, arg=number)
        if self.page.locator("#over[open] [name=confirmed]").count():
            assert self.page.evaluate("document.activeElement.name") == "confirmed"
            self.page.keyboard.press("Enter")
            self.page.wait_for_function(GONE_ON, arg=number)

    def points_again(self, name: str) -> None:
        self._waits_until_still()
        found = self.page.evaluate(WHERE, name)
        assert found and found["hit"], (name, found)
        self._click(found)

    def _waits(self, number: str) -> bool:
        self.page.wait_for_timeout(40)
        return bool(
            self.page.evaluate(
                "n => document.getElementById('table')?.dataset.number === n && !document.querySelector('#over[open]') && (!!document.querySelector('.match.holding') || !!document.querySelector('.menu:popover-open'))",
                number,
            )
        )

    def _menu(self, option: dict[str, Any]) -> None:
        words = option["name"]
        box = self.page.evaluate(
            """([value, words]) => {
                const name = [...document.querySelectorAll('#options .act')].find(el => el.value === value).querySelector('.what').textContent;
                const el = [...document.querySelectorAll('.menu .act')].find(el => el.querySelector('.what').textContent.toLowerCase() === name.toLowerCase());
                if (!el) return null;
                const r = el.getBoundingClientRect();
                const [x, y] = [(r.left + r.right) / 2, (r.top + r.bottom) / 2];
                const at = document.elementFromPoint(x, y);
                return { x, y, hit: !!at && el.contains(at) };
            }""",
            [option["value"], words],
        )
        assert box and box["hit"] and self._in_window(box), f"the menu does not offer {words}: {box}"
        self._click(box)

    def _here(self, option: dict[str, Any]) -> bool:
        """Among several things that can be done with what is held, the one that is done right here is a button."""
        box = self.page.evaluate(
            """(value) => {
                const name = [...document.querySelectorAll('#options .act')].find(el => el.value === value).querySelector('.what').textContent.toLowerCase();
                const all = [...document.querySelectorAll('#held .act:not(.back-again)')];
                if (all.length < 2 && !document.querySelector('#stage .lit[data-thing]:not(.taken)')) return null;
                const el = all.find(el => el.querySelector('.what').textContent.toLowerCase() === name) ?? (all.length === 1 ? all[0] : null);
                if (!el) return null;
                const r = el.getBoundingClientRect();
                const [x, y] = [(r.left + r.right) / 2, (r.top + r.bottom) / 2];
                return { x, y, hit: el.contains(document.elementFromPoint(x, y)) };
            }""",
            option["value"],
        )
        if not box:
            return False
        assert box["hit"] and self._in_window(box), (option["name"], box)
        self._click(box)
        return True

    def _sure(self, number: str) -> None:
        """What is grave is asked twice; the second click is on the question."""
        self.page.wait_for_function(CHANGED, arg=number)
        if self.page.locator("#over[open] [name=confirmed]").count():
            self.page.locator("#over [name=confirmed]").click()
            self.page.wait_for_function(GONE_ON, arg=number)

    def _button(self, option: dict[str, Any]) -> dict[str, Any]:
        """Where the button of an option without a place is, once nothing travels: in the window, under nothing."""
        found = self.page.wait_for_function(
            """(value) => {
                if (document.body.matches('.moving, .playing-out')) return null;
                const el = [...document.querySelectorAll('#options .act')].find(el => el.value === value);
                el.scrollIntoView({ block: 'nearest', inline: 'nearest' });
                const r = el.getBoundingClientRect();
                const [x, y] = [(r.left + r.right) / 2, (r.top + r.bottom) / 2];
                const at = document.elementFromPoint(x, y);
                return { x, y, hit: !!at && el.contains(at), on: at ? at.className : "nothing" };
            }""",
            arg=option["value"],
        ).json_value()
        assert self._in_window(found) and found["hit"], (option["name"], found)
        return dict(found)

    def _path(self, option: dict[str, Any]) -> list[str]:
        drawn = set(
            self.page.evaluate(
                "() => [...document.querySelectorAll('#stage [data-thing]')].map(el => el.dataset.thing)"
            )
        )
        return [name for name in option["path"].split(" ") if name in drawn]


class Hand(Pointer):
    """One seat of a table, played in a browser window; the others are played by programs."""

    def __init__(
        self,
        chromium: Any,
        server: Served,
        game: str,
        seats: int,
        seed: int,
        enough: Callable[[Match], bool] | None = None,
        wants_to_win: bool = False,
        name: str = "",
        **window: Any,
    ) -> None:
        # What happens is not played out here: a test of its own looks at that.
        self.context = chromium.new_context(base_url=server.url, reduced_motion="reduce", **window)
        self.context.add_init_script(
            "localStorage.setItem('talion spare', 'no')"
        )  # every question is clicked
        super().__init__(self.context.new_page(), touch=bool(window.get("has_touch")))
        self.page.set_default_timeout(30_000)
        self.chance = random.Random(seed)
        self.bot = Greedy(seed) if wants_to_win and seats > 1 else None
        self.server, self.game, self.seats = server, game, seats
        first = Player(server.url)
        opened = first.opens(game, ["me", *(["open"] * (seats - 1))], name=name) if seats > 1 else {}
        self.others = [first] if seats > 1 else []
        for _ in range(seats - 2):
            other = Player(server.url)
            other.sits(opened["table"], opened["invite"], name)
            self.others.append(other)
        if name:
            self.page.goto("/")
            self.page.get_by_label("Your name").fill(name)
            self.page.get_by_role("button", name="Keep it").click()
        if seats == 1:
            self.page.goto(f"/tables/new?game={game}")
            self.page.get_by_label("Seat 2").select_option("")
            self.page.get_by_role("button", name="Open the table").click()
        else:
            self.page.goto(f"/join/{opened['invite']}")
            self.page.get_by_role("button", name="Take a seat").click()
        self.page.wait_for_url(re.compile("/seats/"))
        if seats > 1:
            _deals_by(server, opened["table"], f"{game} {seed}")
            assert first.post(f"/api/seats/{first.seat}/start").status_code == 200
        self.page.wait_for_selector("body.at-table #stage")
        if enough is not None:
            goes_on(server, opened["table"], seed, enough)
            self.page.reload()
        self._wants_to_be_asked()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _wants_to_be_asked(self) -> None:
        """No window is passed for this seat while it looks around."""
        guard = self.page.locator("meta[name=guard]").get_attribute("content")
        path = self.page.evaluate("location.pathname")
        reply = self.page.request.post(f"{path}/orders", form={"guard": guard, "windows": "ask"})
        assert reply.ok, reply.text()

    def close(self) -> None:
        self.context.close()
        assert not self.complaints, self.complaints

    # ------------------------------------------------------------------ choosing

    def chooses(self, options: list[dict[str, Any]]) -> dict[str, Any]:
        """One of the options on the page."""
        return self._chosen(self._id(), options, [json.loads(option["value"]) for option in options])

    def _plays_for(self, other: Player) -> Any:
        return other.moves(lambda offers: self._chosen(other.seat, offers, [one["option"] for one in offers]))

    def _chosen(self, seat: str, options: list[dict[str, Any]], wires: list[Any]) -> dict[str, Any]:
        if self.bot is None or len(options) == 1 or self.chance.random() < 0.5:
            return self.chance.choice(options)
        best = self.server.in_loop(lambda: self._best(seat))
        return options[wires.index(best)] if best in wires else self.chance.choice(options)

    async def _best(self, seat: str) -> Any:
        """What the greedy bot would do for a seat, as it goes over the wire."""
        live = await self.server.house.table(seat.split("-")[0])
        number = next(place.number for place in live.seats if place.id == seat)
        assert live.play is not None and self.bot is not None
        match = live.play.match
        return (
            match.view(number).wire(self.bot.choose(Seen(match, number))) if number in match.pending else None
        )

    # ------------------------------------------------------------------ waiting for one's turn

    def asked(self) -> bool:
        """Others play until this seat is asked; whether it is, or the match is over."""

        def settled() -> str:
            moved = [self._plays_for(other) for other in self.others]
            if any(moved):
                return ""
            state, number = self.page.evaluate(
                """() => {
                    const table = document.querySelector('#table');
                    return [document.querySelector('.ending') ? 'over' : table?.dataset.asked, Number(table?.dataset.number)];
                }"""
            )
            up_to_date = state == "over" or number == self._number_there()
            return state if state in ("yes", "over") and up_to_date else ""

        done = wait_for(settled, "this seat to be asked", 60)
        self.page.evaluate("() => document.fonts.ready.then(() => true)")
        self._waits_until_still()
        return bool(done == "yes")

    def _number_there(self) -> int:
        """How far the server is, for this seat: a page that is behind will change under the hand."""
        seat = self._id()
        live = self.server.in_loop(lambda: self.server.house.table(seat.split("-")[0]))
        place = next(place for place in live.seats if place.id == seat)
        return int(live.seen[place.number + 1].number)

    def _id(self) -> str:
        """The seat played here, by its id."""
        return str(self.page.url.rsplit("/", 1)[-1].split("?")[0])


def looks_right(hand: Hand, before: dict[str, Any] | None, small: bool) -> dict[str, Any]:
    """The facts of a stage at one decision; gives what was measured, to be compared with the next."""
    hand.page.mouse.move(2, 2)
    now: dict[str, Any] = hand.page.evaluate(MEASURE)
    size = hand.page.viewport_size
    where = f"{size['width']} x {size['height']}, {hand.game} for {hand.seats}, at {now['number']}, {now['ribbon']['says']}"
    assert not now["scrolls"], f"the stage scrolls by {now['spills']}: {where}"
    assert len(now["plates"]) >= hand.seats, f"a seat has no plate: {where}"
    hidden = [plate["says"] for plate in now["plates"] if not plate["seen"]]
    assert not hidden, f"plates out of sight: {hidden}; {where}"
    assert now["ribbon"]["seen"], f"the question is out of sight: {where}"
    assert not now["ribbon"]["cut"], f"the question is cut: {where}"
    outside = [
        one["says"] for one in now["lit"] if not (one["inside"] or one["leafed"] or (small and one["swiped"]))
    ]
    assert not outside, f"lit, and outside the window: {outside}; {where}"
    covered = [
        (one["says"], one["on"])
        for one in now["lit"]
        if one["inside"] and not (one["hit"] or one["leafed"] or (small and one["swiped"]))
    ]
    assert not covered, f"lit, and under something: {covered}; {where}"
    assert not now["overlap"], f"one lies over the other: {now['overlap'][:5]}; {where}"
    assert not now["cut"], f"text is cut: {now['cut'][:5]}; {where}"
    if before and len(before["plates"]) == len(now["plates"]):
        for old, new in zip(before["plates"], now["plates"], strict=True):
            moved = max(abs(a - b) for a, b in zip(old["box"][:2], new["box"][:2], strict=True))
            assert moved <= 4, f"the plate {new['says']} moved by {moved} px: {where}"
    return now


def plays(hand: Hand, decisions: int, every: int = 1, small: bool = False) -> int:
    """Play so many decisions; at every so many-th, each option is carried to its last click first. Gives how many were made."""
    before = None
    for made in range(decisions):
        if not hand.asked():
            return made
        before = looks_right(hand, before, small)
        options = before["options"]
        if not options:  # the server passed for this seat in the meantime
            continue
        option: dict[str, Any] = {}
        try:
            if made % every == 0:
                for option in options if len(options) <= 12 else hand.chance.sample(options, 12):
                    hand.carries(option)
            option = hand.chooses(options)
            hand.does(option)
        except Exception as problem:
            if before["window"] and hand.is_past(before["number"]):
                continue  # a window closes by itself after its beat, whatever the hand is doing; nothing else does
            problem.add_note(f"decision {made}, {before['ribbon']['says']}, option {option}")
            raise
    return decisions


__all__ = ["MEASURE", "Hand", "Pointer", "looks_right", "plays"]
