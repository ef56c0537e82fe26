"""The workshop in a real Chromium: what one types, takes by Tab, undoes, saves and tries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert

from talion.table import schema
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
    page.locator(".faults mark").wait_for()
    page.reload()
    assert benefit.input_value() == "Inflikt 6 corpus."
    benefit.fill("Inflict 6 corpus.")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("saved as revision 2").wait_for()
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


def test_tab_goes_from_field_to_field_and_completes_only_what_is_being_typed(page: Any) -> None:
    from playwright.sync_api import expect

    path = begins(page)
    page.goto(f"{path}/card?name=Shear+Line")
    before = [one.input_value() for one in page.locator("textarea").all()]
    with page.expect_response("**/read"):
        page.get_by_label("cost").focus()
    for label in ("benefit", "penalty"):
        with page.expect_response("**/read"):
            page.keyboard.press("Tab")
        expect(page.get_by_label(label)).to_be_focused()
    assert [one.input_value() for one in page.locator("textarea").all()] == before
    penalty = page.get_by_label("penalty")
    penalty.fill("")
    page.keyboard.type("Lo")
    page.keyboard.press("Tab")
    expect(penalty).to_have_value("Lose ")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_label("flavour")).to_be_focused()


def test_what_is_typed_is_saved_before_it_is_tried(page: Any) -> None:
    """And who comes back finds it saved, and is not in their own way."""
    from playwright.sync_api import expect

    path = begins(page)
    page.goto(f"{path}/card?name=Bone+Lathe")
    benefit = page.get_by_label("benefit")
    for corpus, button in ((6, "Try it"), (7, "Play a match"), (8, "What does it do?")):
        benefit.fill(f"Inflict {corpus} corpus.")
        page.get_by_role("button", name=button).click()
        page.wait_for_url("**/seats/**" if corpus < 8 else "**/run")
        page.go_back()
        expect(benefit).to_have_value(f"Inflict {corpus} corpus.")
        expect(page.get_by_text("Not saved yet")).to_be_hidden()
        expect(page.locator("form.writing input[name=number]")).to_have_value(str(corpus - 4))
    page.goto(f"{path}/run")
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("stopped:").wait_for()


def test_what_is_typed_goes_along_under_another_name(page: Any) -> None:
    """And of a card that has a new name nothing is kept under the old one."""
    from playwright.sync_api import expect

    path = begins(page)
    page.goto(f"{path}/card?name=Bone+Lathe")
    benefit, names = page.get_by_label("benefit"), page.locator(".copy input[name=new]")
    benefit.fill("Inflict 7 corpus.")
    names.first.fill("Bone Saw")
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("a new card, not saved yet").wait_for()
    expect(benefit).to_have_value("Inflict 7 corpus.")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("saved as revision 2").wait_for()
    benefit.fill("Inflict 8 corpus.")
    names.last.fill("Rib Saw")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("heading", name="Rib Saw").wait_for()
    expect(benefit).to_have_value("Inflict 8 corpus.")
    expect(page.get_by_text("Not saved yet")).to_be_hidden()
    page.goto(f"{path}/card?name=Bone+Lathe")
    expect(benefit).to_have_value("Inflict 7 corpus.")
    page.get_by_text("Not saved yet").wait_for()


def test_a_run_that_goes_on_leaves_open_what_one_opened_and_says_when_nobody_answers(
    page: Any, server: Served
) -> None:
    from playwright.sync_api import expect

    path = begins(page)
    figure = {"name": "Shear Line wins when held", "group": "cards", "about": "Shear Line", "unit": "points", "before": 0.5, "after": 0.5}  # fmt: skip
    found = {"done": 2, "pairs": 1, "figures": [{**figure, "verdict": "unknown", "low": None, "needed": 9}]}
    is_running(server, path, {**found, "verdict": ["One."]})
    page.goto(f"{path}/run")
    fold = page.locator(".live-figures details")
    fold.locator("summary").click()
    is_running(server, path, {**found, "verdict": ["Two."]})
    page.get_by_text("Two.").wait_for()
    expect(fold).to_have_attribute("open", "")
    away = page.get_by_text("The server does not answer just now")
    expect(away).to_be_hidden()
    page.context.set_offline(True)
    expect(away).to_be_visible()
    page.context.set_offline(False)
    expect(away).to_be_hidden()


def is_running(server: Served, path: str, found: dict[str, Any]) -> None:
    """As if a run were under way that has found this."""
    row = {"set_id": path.rsplit("/", 1)[1], "kind": "compare", "id": "x", "number": 1, "wanted": 9, "state": "running", "found": found, "at": server.house.now() + 600}  # fmt: skip
    with server.house.store.engine.begin() as connection:
        connection.execute(delete(schema.runs).where(schema.runs.c.set_id == row["set_id"]))
        connection.execute(insert(schema.runs).values(row))


def test_what_is_typed_outlives_a_lost_connection_and_what_others_save(page: Any) -> None:
    from playwright.sync_api import expect

    path = begins(page)
    page.goto(f"{path}/card?name=Bone+Lathe")
    benefit = page.get_by_label("benefit")
    page.context.set_offline(True)
    benefit.fill("Inflict 7 corpus.")
    page.get_by_text("The server does not answer").wait_for()
    page.get_by_role("button", name="Save").click()
    expect(benefit).to_have_value("Inflict 7 corpus.")
    page.context.set_offline(False)
    page.locator(".looks", has_text="Inflict 7 corpus").wait_for()
    expect(page.get_by_text("The server does not answer")).to_be_hidden()
    other = page.context.new_page()
    other.goto(f"{path}/card?name=Bone+Lathe")
    other.get_by_label("benefit").fill("Inflict 6 corpus.")
    other.get_by_role("button", name="Save").click()
    other.wait_for_url("**saved=2")
    benefit.fill("Inflict 8 corpus.")
    page.get_by_text("has saved revision 2 (Bone Lathe) meanwhile").wait_for()
    page.reload()
    expect(benefit).to_have_value("Inflict 8 corpus.")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("yours is not saved").wait_for()
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**saved=3")
    expect(page.get_by_text("Not saved yet")).to_be_hidden()
    expect(benefit).to_have_value("Inflict 8 corpus.")
