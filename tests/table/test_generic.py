"""A table that no game has drawn: seats by name, zones that can be read, a board one clicks, at six seats and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.kernel import Match
from talion.table.arranging import arranged
from talion.table.stage import path_of

from .serving import Served, served

HERE = Path(__file__).parent
EVERYTHING = str(HERE / "everything.py")
SIZES = {"desktop": {"width": 1280, "height": 720}, "phone": {"width": 390, "height": 844}}
UNREADABLE = """() => {
    const cut = (box) => box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().height < 9;
    const outside = (box) => { const at = box.getBoundingClientRect(); return at.left < 0 || at.right > innerWidth + 1 || at.bottom > innerHeight + 1 || !at.width; };
    const names = [...document.querySelectorAll(".plate .who")].filter((name) => cut(name) || outside(name)).map((name) => name.textContent);
    const zones = [...document.querySelectorAll(".zone")].filter((zone) => {
        const words = zone.querySelector(".listed"), card = zone.querySelector(".card");
        return words.checkVisibility() ? cut(words) || outside(words) : card.getBoundingClientRect().height < 40 || outside(card);
    }).map((zone) => zone.closest(".seat")?.textContent.trim().slice(0, 20));
    const cells = [...document.querySelectorAll(".cell")].filter(outside).length;
    const acts = document.querySelector("#options");
    return { names, zones, cells, hidden: acts.scrollHeight - acts.clientHeight > 1 || acts.scrollWidth - acts.clientWidth > 1 };
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    database = str(tmp_path_factory.mktemp("house") / "x.sqlite3")
    with served(database, games=(EVERYTHING,)) as running:
        yield running


def seated(chromium: Any, server: Served, seats: int, window: str) -> Any:
    """The page of somebody who begins, at a table with bots."""
    context = chromium.new_context(
        base_url=server.url, viewport=SIZES[window], reduced_motion="reduce", has_touch=window == "phone"
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto("/tables/new?game=everything")
    for number in range(2, 7):
        page.get_by_label(f"Seat {number}").select_option("random" if number <= seats else "")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/seats/*")
    page.wait_for_selector("#options .act", state="attached")
    return page


@pytest.mark.parametrize("window", SIZES)
def test_at_six_seats_all_is_read_and_nothing_is_cut(chromium: Any, server: Served, window: str) -> None:
    page = seated(chromium, server, 6, window)
    assert page.evaluate(UNREADABLE) == {"names": [], "zones": [], "cells": 0, "hidden": False}
    assert page.locator(".plate").count() == 6
    page.context.close()


def test_what_an_option_names_is_clicked_where_it_lies(chromium: Any, server: Served) -> None:
    """A place of a board, and a plate: without a stage.toml."""
    page = seated(chromium, server, 2, "desktop")
    for thing, says in (("part:b2", "puts a stone on b2"), ("seat:1", "robs Random bot")):
        page.wait_for_selector(f'[data-thing="{thing}"].lit')
        page.click(f'[data-thing="{thing}"]')
        page.click(f'[data-thing="{thing}"]')
        page.wait_for_function(
            "words => document.querySelector('.told').textContent.includes(words)", arg=says
        )
    assert page.locator(".cell", has_text="b2").locator("[data-n]").text_content() != "0"
    assert page.locator(".plate.seat-1 .roles", has_text="victim").count() == 1
    page.context.close()


def test_seats_are_named_and_only_numbers_are_counted() -> None:
    """The number of a seat is no number that grows, and places of a board are told apart."""
    match = Match.new(games.find(EVERYTHING), 6, "1")
    match.answer(0, ("rob", 3))
    drawn = arranged(match.view(0).data(), 0, match.game.state)
    assert drawn["roles"] == {1: ["active"], 3: ["victim"]}
    assert drawn["part"]["values"] == [("turns", "1", True)]
    [board] = drawn["part"]["boards"]
    assert [[cell["title"] for cell in row] for row in board["rows"]] == [
        ["a1", "b1", "c1"],
        ["a2", "b2", "c2"],
    ]
    assert len({cell["key"] for row in board["rows"] for cell in row}) == 6


def test_a_seat_is_a_thing_where_the_words_name_it() -> None:
    assert path_of(["rob", 1], {}, "rob @1") == ["seat:1"]
    assert path_of(["rob", 1], {}, "rob @12") == ["item:1"]
    assert path_of(["take", 1], {}, "take 1 coin") == ["item:1"]
    assert path_of(["give", {"card": 7}, 2], {}, "give Duke to @2") == ["card:7", "seat:2"]
    assert path_of(["move", "a1", "b 2"], {}) == ["part:a1", "part:b-2"]
