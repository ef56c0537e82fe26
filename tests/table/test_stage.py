"""The stage, by a real pointer: it fits, nothing is covered or cut, and every option can be carried out where it lies."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from talion import games
from talion.kernel import Match

from .pointer import GONE_ON, MEASURE, Hand, looks_right, plays
from .serving import Served, at_play
from .test_browser import server  # noqa: F401 - fixtures

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES = [
    (1280, 720),
    (1366, 768),
    (1440, 900),
    (1920, 1080),
    (2560, 1440),
    (1024, 768),
    (768, 1024),
    (390, 844),
    (360, 740),
    (844, 390),
]
KEYS = games.keys()


def asked_to(verb: str, seat: int) -> Callable[[Match], bool]:
    """Whether a seat may do this now."""
    return lambda match: seat in match.pending and any(option[0] == verb for option in match.options(seat))


def late(seat: int, seed: int) -> Callable[[Match], bool]:
    """Whether most of a match that goes on by this seed is over, or 150 answers are given, and a seat is asked."""
    given = count()
    wanted: list[int] = []

    def enough(match: Match) -> bool:
        if not wanted:
            wanted.append(_length(match.copy(), seed, 150) * 3 // 4)
        return next(given) >= wanted[0] and seat in match.pending

    return enough


def _length(match: Match, seed: int, most: int) -> int:
    """How many answers a match takes by this seed; no more than `most` are tried."""
    chance = random.Random(seed)
    for made in range(most):
        if match.over:
            return made
        asked = min(match.pending)
        match.answer(asked, chance.choice(match.options(asked)))
    return most


@pytest.mark.parametrize("key", KEYS)
def test_the_first_decisions(chromium: Any, server: Served, key: str) -> None:  # noqa: F811
    hand = Hand(chromium, server, key, games.find(key).seats[-1], 7, **DESKTOP)
    assert plays(hand, 6, every=3) > 0
    hand.close()


@pytest.mark.parametrize(("seats", "window"), [(3, "desktop"), (1, "phone")])
def test_from_a_draft_to_the_first_round(
    chromium: Any,
    server: Served,  # noqa: F811
    seats: int,
    window: str,
) -> None:
    """When a match has begun there are piles that were not there before: they have room, and move nobody."""
    small = window == "phone"
    hand = Hand(chromium, server, "chapter-of-resonance", seats, 3, **(PHONE if small else DESKTOP))
    assert plays(hand, 6, every=6, small=small) > 0
    hand.close()


@pytest.mark.parametrize("key", KEYS)
def test_in_the_middle_on_a_phone(chromium: Any, server: Served, key: str) -> None:  # noqa: F811
    turns = count(1)
    hand = Hand(chromium, server, key, games.find(key).seats[-1], 7, lambda _: next(turns) > 60, **PHONE)
    assert plays(hand, 6, every=3, small=True) > 0
    hand.close()


@pytest.mark.parametrize(
    ("key", "verb", "window"),
    [("vengeance", "end", "desktop"), ("vengeance", "run", "phone")],
)
def test_at_a_moment_of_its_own(
    chromium: Any,
    server: Served,  # noqa: F811
    key: str,
    verb: str,
    window: str,
) -> None:
    """What only comes late in a match, and looks like nothing before: a Fight, a Montage."""
    small = window == "phone"
    hand = Hand(chromium, server, key, 2, 3, asked_to(verb, 1), **(PHONE if small else DESKTOP))
    assert plays(hand, 4, every=2, small=small) > 0
    hand.close()


@pytest.mark.parametrize(
    ("key", "seats"),
    [(key, n) for key in KEYS for n in sorted({2, max(n for n in games.find(key).seats if n <= 4)})],
)
def test_late_at_every_size(chromium: Any, server: Served, key: str, seats: int) -> None:  # noqa: F811
    """A late moment of a match, when hands and plates are full, at all the sizes windows have, with the widest names."""
    hand = Hand(chromium, server, key, seats, 3, late(1, 3), name="W" * 24, **DESKTOP)
    assert hand.asked()
    seen = {}
    for wide, high in SIZES:
        hand.page.set_viewport_size({"width": wide, "height": high})
        hand.page.evaluate("fits()")
        seen[wide, high] = looks_right(hand, None, small=min(wide, high) < 700)
    # With the last card of a hand no plate goes anywhere.
    hand.page.evaluate(
        "() => document.querySelectorAll('#stage .hand').forEach(hand => hand.replaceChildren())"
    )
    for wide, high in ((844, 390), (390, 844), (1280, 720)):
        hand.page.set_viewport_size({"width": wide, "height": high})
        hand.page.evaluate("fits()")
        looks_right(hand, seen[wide, high], small=min(wide, high) < 700)
    hand.close()


def test_in_a_hand_of_many_no_card_lies_over_another(chromium: Any, server: Served) -> None:  # noqa: F811
    """As many cards as a hand may hold keep their names and prices in sight, and lie side by side."""

    def full(match: Match) -> bool:
        held = match.view(1).data()["table"]["witches"][1]["hand"].get("cards", [])
        return len({card["face"] for card in held}) >= 8 and 1 in match.pending

    hand = Hand(chromium, server, "chapter-of-resonance", 2, 2, full, **DESKTOP)
    assert hand.asked()
    for wide, high in ((1280, 720), (1920, 1080), (844, 390)):
        hand.page.set_viewport_size({"width": wide, "height": high})
        hand.page.evaluate("fits()")
        looks_right(hand, None, small=high < 700)
    hand.close()


def test_two_piles_share_a_place(chromium: Any, server: Served) -> None:  # noqa: F811
    """On a phone there is one place for a clone's piles."""

    def aside(match: Match) -> bool:
        clones = match.view(1).data()["table"]["clones"]
        return 1 in match.pending and any(one["aside"]["count"] for one in clones)

    hand = Hand(chromium, server, "personal-vendetta", 2, 2, aside, **PHONE)
    assert hand.asked()
    looks_right(hand, None, small=True)
    hand.close()


@pytest.mark.deep  # a quarter of a minute of cards that travel, and a hand that waits for them
def test_what_happens_is_played_out(chromium: Any, server: Served) -> None:  # noqa: F811
    """One thing after the other, each with its sentence; then comes the question."""
    hand = Hand(chromium, server, "personal-vendetta", 2, 5, **DESKTOP)
    assert hand.asked()
    hand.page.emulate_media(reduced_motion="no-preference")
    hand.page.evaluate(
        """() => {
            window.told = [];
            new MutationObserver(() => {
                const says = document.querySelector(".ribbon.telling h2")?.textContent.trim();
                if (says && window.told.at(-1) !== says) window.told.push(says);
            }).observe(document.getElementById("table"), { subtree: true, childList: true, attributes: true, characterData: true });
        }"""
    )
    for _ in range(4):
        hand.does(hand.chance.choice(hand.page.evaluate(MEASURE)["options"]))
        assert hand.asked()
    told = hand.page.evaluate("window.told")
    assert any("Guest takes" in says or "Guest spends" in says for says in told), told
    assert "Guest" not in hand.page.locator("#ribbon h2").text_content(), "the question stands at the end"
    hand.close()


def test_where_all_lies_as_it_lies_now_only_the_words_are_sent(chromium: Any, server: Served) -> None:  # noqa: F811
    """Of what happened last in Vengeance the stage is often the one that stands there then: it is told over that one."""
    hand = Hand(chromium, server, "vengeance", 2, 3, asked_to("claim", 0), **DESKTOP)
    hand.page.emulate_media(reduced_motion="no-preference")
    hand.page.evaluate(
        """() => {
            window.seen = [];
            new MutationObserver(() => {
                const says = document.querySelector("#stage .ribbon.telling h2")?.textContent.trim();
                const plates = document.querySelectorAll("#stage .plate").length;
                if (says) window.seen.push([says, plates, document.querySelectorAll("#ribbon").length]);
            }).observe(document.getElementById("table"), { subtree: true, childList: true, attributes: true, characterData: true });
        }"""
    )
    replies: list[str] = []
    hand.page.on("response", lambda reply: replies.append(reply.text()) if "since=" in reply.url else None)
    for _ in range(8):
        hand.others[0].moves()
        hand.page.wait_for_timeout(300)
        hand.page.wait_for_function("() => !document.body.matches('.playing-out, .moving')")
        if any(reply.count("<template") >= reply.count('id="stage"') for reply in replies):
            break
    else:
        raise AssertionError("every frame brought a stage")
    hand.page.wait_for_function("() => window.seen.length && !document.body.matches('.playing-out, .moving')")
    assert {(plates, ribbons) for _, plates, ribbons in hand.page.evaluate("window.seen")} == {(2, 1)}
    hand.close()


def test_what_is_told_is_told_once_whatever_comes_meanwhile(chromium: Any, server: Served) -> None:  # noqa: F811
    """News that comes while something is told is told after it, and that is not told once more."""
    ann, bob = at_play(server.url, "tic-tac-toe")
    page = chromium.new_context(base_url=server.url, viewport=DESKTOP["viewport"]).new_page()
    page.goto(f"/tables/{ann.table}")
    page.wait_for_selector("#ribbon")
    page.evaluate(
        """() => {
            window.told = [];
            new MutationObserver(() => {
                const says = document.querySelector(".ribbon.telling h2")?.textContent.trim();
                if (says && window.told.at(-1) !== says) window.told.push(says);
            }).observe(document.getElementById("table"), { subtree: true, childList: true, attributes: true, characterData: true });
        }"""
    )
    for number in range(7):
        if number == 5:
            page.wait_for_function("() => window.told.length > 1")
        (ann, bob)[number % 2].moves()
    page.wait_for_selector(".ended")
    page.wait_for_function("() => !document.body.matches('.playing-out, .moving')")
    told = page.evaluate("window.told")
    cells = re.findall(r"marks cell (\d)", " ".join(told))
    assert cells == sorted(set(cells)) and len(cells) > 1, told
    page.context.close()


def kill_after_a_run(match: Match) -> tuple[list[str], list[str]] | None:
    """How seat 1 runs into a room now and kills a Grunt there with what it rolls, if it does."""
    for run in match.options(1) if 1 in match.pending else ():
        if run[0] != "run":
            continue
        then = match.copy()
        then.answer(1, run)
        for hit in then.options(1) if 1 in then.pending else ():
            if hit[:2] in (("hit", "Grunt"), ("shoot", "Grunt")):
                return list(run), list(hit)
    return None


def test_dice_roll_and_who_is_killed_falls(chromium: Any, server: Served) -> None:  # noqa: F811
    moment: list[list[str]] = []

    def found(match: Match) -> bool:
        moment[:] = kill_after_a_run(match) or ()
        return bool(moment)

    hand = Hand(chromium, server, "vengeance", 2, 11, found, **DESKTOP)
    assert hand.asked()
    hand.page.emulate_media(reduced_motion="no-preference")
    hand.page.evaluate(
        """() => {
            window.moved = new Set();
            new MutationObserver(() => {
                for (const one of document.querySelectorAll(".rolls, .falls")) for (const way of one.getAnimations()) moved.add(way.animationName);
            }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
        }"""
    )
    for wanted, motion in zip(moment, ("rolls", "falls"), strict=True):
        assert hand.asked()
        options = hand.page.evaluate(MEASURE)["options"]
        hand.does(next(option for option in options if json.loads(option["value"]) == wanted))
        hand.page.wait_for_function("motion => moved.has(motion)", arg=motion)
    hand.close()


def test_the_only_answer_is_not_clicked_by_people(chromium: Any, server: Served) -> None:  # noqa: F811
    """It is given by itself; where another person looks on, after as long as one thinks."""

    def only_one(match: Match) -> bool:
        return 1 in match.pending and not match.pending[1].window and len(match.options(1)) == 1

    hand = Hand(chromium, server, "engines-of-vengeance", 2, 5, only_one, **DESKTOP)
    assert hand.asked()
    number = hand.page.locator("#table").get_attribute("data-number")
    assert len(hand.page.evaluate(MEASURE)["options"]) == 1
    hand.page.evaluate("localStorage.removeItem('talion spare'); thoughts.splice(0, 9, 700); laid()")
    assert hand.page.locator(".ribbon.sparing").count()
    hand.page.wait_for_function(GONE_ON, arg=number)
    hand.close()


def test_a_thing_is_dragged_to_its_target(chromium: Any, server: Served) -> None:  # noqa: F811
    """A die of a Fight, carried to a room or to somebody in it."""

    def two_things(match: Match) -> bool:
        return 1 in match.pending and any(
            option[0] in ("move", "hit", "double", "shoot") for option in match.options(1)
        )

    hand = Hand(chromium, server, "vengeance", 2, 7, two_things, **DESKTOP)
    assert hand.asked()
    options = hand.page.evaluate(MEASURE)["options"]
    hand.drags(next(option for option in options if option["path"].startswith("die:")))
    hand.close()


def test_one_click_plays_if_that_is_wanted(chromium: Any, server: Served) -> None:  # noqa: F811
    """And what there is no choice about takes as long as a choice, where another person looks on."""
    hand = Hand(chromium, server, "engines-of-vengeance", 2, 5, **DESKTOP)
    page = hand.page
    assert hand.asked()
    assert page.locator("#table").get_attribute("data-alone") == "no"
    assert page.evaluate("thoughts.length = 0, thoughts.push(1234), spareAfter()") == 1234
    shared = "{ path: ['seat:0', 'seat:2', 'seat:2'], any: true }"
    assert page.evaluate(f"rest({shared}, ['seat:2', 'seat:0'])") == ["seat:2"], "in any order"
    assert page.evaluate(f"rest({shared}, ['seat:0', 'seat:0'])") is None
    page.evaluate("document.getElementById('table').dataset.alone = 'yes'")
    assert page.evaluate("spareAfter()") < 1000
    page.get_by_text("Comfort").click()
    page.get_by_label("One click plays").check()
    page.keyboard.press("Escape")
    page.get_by_text("Comfort").click()
    number = page.locator("#table").get_attribute("data-number")
    options = page.evaluate(MEASURE)["options"]
    paths = [option["path"] for option in options]
    alone = next(o for o in options if o["placed"] and " " not in o["path"] and paths.count(o["path"]) == 1)
    hand.points_at(alone["path"])
    page.wait_for_function("n => document.getElementById('table').dataset.number !== n", arg=number)
    hand.close()


@pytest.mark.deep
@pytest.mark.parametrize("key", KEYS)
def test_a_whole_match_by_keyboard(chromium: Any, server: Served, key: str) -> None:  # noqa: F811
    hand = Hand(chromium, server, key, 2, 6, wants_to_win=True, **DESKTOP)
    types_on(hand, 10_000)
    hand.close()


@pytest.mark.parametrize("key", ["vengeance"])
def test_a_stretch_by_keyboard(chromium: Any, server: Served, key: str) -> None:  # noqa: F811
    turns = count(1)
    hand = Hand(chromium, server, key, 2, 6, lambda _: next(turns) > 120, **DESKTOP)
    assert types_on(hand, 3) == 3
    hand.close()


def types_on(hand: Hand, decisions: int) -> int:
    """Play so many decisions without a pointer; how many were made."""
    for made in range(decisions):
        if not hand.asked():
            return made
        options = hand.page.evaluate(MEASURE)["options"]
        option = hand.chooses(options)
        try:
            hand.types(option)
        except Exception as problem:
            problem.add_note(f"decision {made}, option {option}")
            raise
    return decisions


@pytest.mark.deep
@pytest.mark.parametrize("window", ["desktop", "phone"])
@pytest.mark.parametrize(("key", "seats"), [(key, n) for key in KEYS for n in games.find(key).seats])
def test_a_whole_match(chromium: Any, server: Served, key: str, seats: int, window: str) -> None:  # noqa: F811
    """To its end. Every decision's looks are checked, and at every fourth all that is offered is carried to its last click. Of the
    choices every other is a greedy bot's: at random, Vitium for six takes more than a thousand decisions of each."""
    small = window == "phone"
    hand = Hand(chromium, server, key, seats, seats, wants_to_win=True, **(PHONE if small else DESKTOP))
    assert plays(hand, 10_000, every=4, small=small) < 10_000
    hand.close()
