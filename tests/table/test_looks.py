"""Layout facts, in a real Chromium: at phone and desktop size nothing is cut off, and what matters is in sight."""

from __future__ import annotations

from typing import Any

import pytest

from talion import games

from .serving import Served
from .test_browser import chromium, server, starts, takes_the_widest_name  # noqa: F401 - fixtures

SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
BIGGEST = 300_000


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", games.keys())
def test_a_table_fits(chromium: Any, server: Served, key: str, size: str) -> None:  # noqa: F811
    wide, high = SIZES[size]
    context = chromium.new_context(
        base_url=server.url, viewport={"width": wide, "height": high}, bypass_csp=True
    )
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto("/")
    starts(page, games.find(key).title)
    page.wait_for_selector("#table[data-asked=yes]")
    page.evaluate("document.querySelectorAll('.guide').forEach(guide => { guide.open = false; })")
    assert len(page.content().encode()) < BIGGEST
    assert page.evaluate("document.documentElement.scrollWidth") <= wide, "the page is wider than the screen"
    asked = page.locator(".asked").bounding_box()
    assert asked["y"] + asked["height"] <= high + 1, "what is asked is not in sight"
    for hand in page.locator(".asked .hand").all():
        assert hand.bounding_box()["y"] < high, "the hand is not in sight"
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.card .name, .asked .what, .seat-head')]
            .filter(words => words.scrollWidth > words.clientWidth + 1 && getComputedStyle(words).display !== 'inline')
            .map(words => words.textContent)"""
    )
    assert cut == [], "words are cut off"
    context.close()


def test_no_page_scrolls_sideways_on_a_small_phone(chromium: Any, server: Served) -> None:  # noqa: F811
    """With the widest name and title that there can be."""
    context = chromium.new_context(base_url=server.url, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto("/")
    takes_the_widest_name(page)
    page.goto("/tables/new?game=sealed")
    page.get_by_label("Title").fill("W" * 60)
    page.get_by_label("Seat 2").select_option("random")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/seats/*")
    seat = page.url.removeprefix(server.url)
    pages = ["/", "/mine", "/watch", "/api", "/nowhere", seat]
    pages += [f"{seat}/{more}" for more in ("why", "hint", "since")]
    pages += [f"/{of}{key}" for key in games.keys() for of in ("tables/new?game=", "rules/")]  # noqa: SIM118
    wide = {path: page.goto(path) and page.evaluate("document.documentElement.scrollWidth") for path in pages}
    assert {path: width for path, width in wide.items() if width > 360} == {}
    context.close()


@pytest.mark.parametrize("key", games.keys())
def test_no_two_cards_of_a_game_have_the_same_emblem(key: str) -> None:
    from talion.table.printed import sheets

    emblems = [sheet["emblem"] for sheet in sheets(games.find(key)).values()]
    assert len(set(emblems)) == len(emblems)


@pytest.mark.parametrize("key", games.keys())
def test_a_game_has_at_least_twelve_motifs(key: str) -> None:
    from talion.table.emblems import MOTIFS, motifs_of

    game = games.find(key)
    assert game.folder
    told = motifs_of(game.folder / "views")
    named = {motif for kind in told["kinds"].values() for motif in kind} | set(told["other"])
    assert len(named) >= 12
    assert named <= set(MOTIFS)
