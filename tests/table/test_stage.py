"""The stage, by a real pointer: it fits, nothing is covered or cut, and every option can be carried out where it lies."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from talion import games
from talion.kernel import Match

from .pointer import MEASURE, Hand, looks_right, plays
from .serving import Served
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


@pytest.mark.parametrize("key", KEYS)
def test_the_first_decisions(chromium: Any, server: Served, key: str) -> None:  # noqa: F811
    hand = Hand(chromium, server, key, games.find(key).seats[-1], 7, **DESKTOP)
    assert plays(hand, 6, every=3) > 0
    hand.close()


@pytest.mark.parametrize("key", KEYS)
def test_in_the_middle_on_a_phone(chromium: Any, server: Served, key: str) -> None:  # noqa: F811
    turns = count(1)
    hand = Hand(chromium, server, key, games.find(key).seats[-1], 7, lambda _: next(turns) > 60, **PHONE)
    assert plays(hand, 6, every=3, small=True) > 0
    hand.close()


@pytest.mark.parametrize(
    ("key", "verb", "window"),
    [("vengeance", "end", "desktop"), ("vengeance", "run", "phone"), ("vengeance", "lay", "desktop")],
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


@pytest.mark.parametrize("key", KEYS)
def test_at_every_size(chromium: Any, server: Served, key: str) -> None:  # noqa: F811
    """The same moment of a match, at all the sizes windows have."""
    hand = Hand(chromium, server, key, max(n for n in games.find(key).seats if n <= 4), 3, **DESKTOP)
    plays(hand, 4, every=9)
    if hand.asked():
        for wide, high in SIZES:
            hand.page.set_viewport_size({"width": wide, "height": high})
            hand.page.wait_for_timeout(300)
            looks_right(hand, None, small=min(wide, high) < 700)
    hand.close()


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


@pytest.mark.deep
@pytest.mark.parametrize("window", ["desktop", "phone"])
@pytest.mark.parametrize(("key", "seats"), [(key, n) for key in KEYS for n in games.find(key).seats])
def test_a_whole_match(chromium: Any, server: Served, key: str, seats: int, window: str) -> None:  # noqa: F811
    small = window == "phone"
    hand = Hand(chromium, server, key, seats, seats, **(PHONE if small else DESKTOP))
    plays(hand, 10_000, every=4, small=small)
    hand.close()
