"""The workshop in a real Chromium: what one types, takes by Tab, undoes, saves and tries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.table.serving import Served, served
from tests.table.test_browser import SERIOUS, new_page

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("house")
    with served(str(folder / "x.sqlite3"), rooms=("talion.workshop",)) as running:
        yield running


@pytest.fixture
def page(chromium: Any, server: Served) -> Iterator[Any]:
    yield from new_page(chromium, server.url)


def begins(page: Any) -> str:
    """A new set of Personal Vendetta; where it is."""
    page.goto("/workshop")
    page.get_by_label("Cards of").select_option("personal-vendetta")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/workshop/sets/*")
    return str(page.url)


def serious_problems(page: Any) -> list[Any]:
    """What axe finds."""
    from axe_playwright_python.sync_playwright import Axe

    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS]
    return [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found]


def test_a_sentence_is_written_with_tab_undone_and_tried(page: Any) -> None:
    path = begins(page)
    page.goto(f"{path}/card?name=Bone+Lathe")
    benefit = page.get_by_label("benefit")
    benefit.fill("Inflict 6 cor")
    page.locator(".choices button", has_text="corpus").first.wait_for()
    benefit.press("Tab")
    page.locator(".looks", has_text="Inflict 6 corpus").wait_for()
    assert benefit.input_value() == "Inflict 6 corpus"
    page.get_by_role("button", name="Undo").click()
    assert benefit.input_value() == "Inflict 6 cor"
    page.get_by_role("button", name="Redo").click()
    assert benefit.input_value() == "Inflict 6 corpus"
    benefit.fill("Inflikt 6 corpus.")
    page.locator(".problems mark").wait_for()
    page.reload()
    assert benefit.input_value() == "Inflikt 6 corpus."
    benefit.fill("Inflict 6 corpus.")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("revision 2").wait_for()
    assert not serious_problems(page)
    page.get_by_role("button", name="Try it").click()
    page.locator("#stage .card", has_text="Inflict 6 corpus").first.wait_for(timeout=90_000)


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)], ids=["desk", "phone"])
def test_the_pages_fit_and_can_be_read_by_everybody(page: Any, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    path = begins(page)
    for where in ("/workshop", path, f"{path}/card?name=Bone+Lathe", f"{path}/run", f"{path}/break"):
        page.goto(where)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], where
        assert not serious_problems(page), where
