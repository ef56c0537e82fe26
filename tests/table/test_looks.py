"""How pages and cards look: no page is wider than a small phone, and no two cards of a game look alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from talion import games

from .serving import Browser, Served
from .test_browser import server, takes_the_widest_name  # noqa: F401 - fixtures


def test_no_page_scrolls_sideways_on_a_small_phone(chromium: Any, server: Served) -> None:  # noqa: F811
    """With the widest name and title that there can be."""
    context = chromium.new_context(base_url=server.url, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto("/")
    takes_the_widest_name(page)
    page.goto("/tables/new?game=sealed")
    page.get_by_label("Title").fill("W" * 80)
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


def test_a_room_says_which_types_lead_the_demon_there(server: Served) -> None:  # noqa: F811
    browser = Browser(server.url)
    page = browser.posts("/tables", game="chapter-of-resonance", seat0="me", seat1="random").text
    rooms = [part.split("</section>")[0] for part in page.split('<section class="stone ')[1:]]
    told = {}
    for room in rooms:
        number = int(re.match(r"at-(\d)", room)[1])  # type: ignore[index]
        leads = room.partition('class="leads"')[2].partition("</p>")[0]
        told |= {sort.capitalize(): number for sort in re.findall(r'class="of-(\w+)"', leads)}
    faces = games.find("chapter-of-resonance").content().faces
    ring = {face.number: face.arrows for face in faces if face.get("arrows")}
    [here] = [int(room[3]) for room in rooms if 'class="demon-here"' in room]
    assert told == dict(ring[here])


@pytest.mark.parametrize("key", games.keys())
def test_no_two_cards_of_a_game_have_the_same_emblem(key: str) -> None:
    from talion.drawing.cards import sheets

    emblems = [sheet["emblem"] for sheet in sheets(games.find(key)).values()]
    assert len(set(emblems)) == len(emblems)


def test_a_card_looks_the_same_wherever_it_is_drawn(tmp_path: Path) -> None:
    """Whatever was drawn before it, and whatever cards are new beside it."""
    from talion.drawing.cards import sheet, sheets

    game, cards = games.find("personal-vendetta"), tmp_path / "mine.toml"
    row = next(row for row in game.content().tables["card"] if row["name"] == "Bone Lathe")
    words = "\n".join(f"{key} = {value!r}" for key, value in row.items() if key != "name")
    cards.write_text(f'[[card]]\nname = "Bone Saw"\n{words}\n', "utf-8")
    content = game.content(cards)
    mine, own = sheets(game, "", content), sheets(game)
    assert [mine[name]["emblem"] for name in own] == [one["emblem"] for one in own.values()]
    saw = sheet(game, content.named["Bone Saw"])["emblem"]
    assert saw == mine["Bone Saw"]["emblem"] and saw not in {one["emblem"] for one in own.values()}


@pytest.mark.parametrize("key", games.keys())
def test_a_game_has_at_least_twelve_motifs(key: str) -> None:
    from talion.drawing.emblems import families, motifs_of

    game = games.find(key)
    assert game.folder
    told = motifs_of(game.folder / "views")
    named = {motif for kind in told["kinds"].values() for motif in kind} | set(told["other"])
    assert len(named) >= 12
    assert named <= set(families(told["pictures"]))
