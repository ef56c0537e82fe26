"""In a real Chromium: from the front page to the end, two people, a reconnect, a phone, the keyboard alone, axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from talion import games

from .pointer import MEASURE, Pointer
from .serving import Player, Process, Served, served, wait_for

HOUSE = "talion.test"
"""This machine by a name that browsers do not trust: over plain http, as a phone in the house sees it."""
BUTTONS = "#options button[name=option]"
SERIOUS = ("serious", "critical")
NUMBER = "Number(document.getElementById('table').dataset.number)"
IS_ASKED = "document.getElementById('table').dataset.asked === 'yes'"
SHOWN = """number => document.querySelector('.at-table #ribbon') && !document.body.matches('.playing-out, .moving')
    && Number(document.getElementById('table').dataset.number) > number"""
"""Whether a later page than that one is shown, and nothing is being played out any more."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(str(tmp_path_factory.mktemp("house") / "x.sqlite3")) as running:
        yield running


@pytest.fixture
def page(chromium: Any, server: Served) -> Iterator[Any]:
    yield from new_page(chromium, server.url)


def new_page(chromium: Any, url: str, **more: Any) -> Iterator[Any]:
    """A browser window of somebody's own; anything the page complains of fails the test."""
    context = chromium.new_context(base_url=url, **{"reduced_motion": "reduce", **more})
    page = context.new_page()
    page.set_default_timeout(30_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
    page.goto("/")
    yield page
    context.close()
    assert not complaints, complaints


def is_complaint(said: Any) -> bool:
    """Broken connections are what a reconnect is about; everything else is not to be."""
    expected = (
        "net::ERR",
        "status of 4",
        "status of 502",
        "Cross-Origin-Opener-Policy header has been ignored",
    )
    return said.type == "error" and not any(words in said.text for words in expected)


def takes_the_widest_name(page: Any) -> None:
    page.get_by_label("Your name").fill("W" * 24)
    page.get_by_role("button", name="Keep it").click()


def starts(page: Any, title: str) -> None:
    """From the front page into a match against a bot: one click."""
    page.locator(".game", has=page.get_by_role("heading", name=title, exact=True)).get_by_role(
        "button", name=re.compile("Play now")
    ).click()
    page.wait_for_url(re.compile("/seats/"))


ANSWERED = """number => document.getElementById("table")?.dataset.number !== number || document.querySelector("#over[open]")"""


def clicks(page: Any, most: int) -> int:
    """Click what is offered, until the match is over or so many clicks are done."""
    done = 0
    while done < most:
        page.wait_for_selector(f"{BUTTONS}, .ending, #over[open] button[name=confirmed]", state="attached")
        if page.locator(".ending").count():
            break
        if page.locator("#over[open] button[name=confirmed]").count():
            page.locator("#over button[name=confirmed]").click()
            page.wait_for_selector("#over", state="hidden")
            continue
        done += clicks_once(page, done)
    return done


def clicks_once(page: Any, turn: int = 0) -> bool:
    """Do one of the things that are offered at this moment, if any are, where it lies, and see that it counts."""
    now = page.evaluate(MEASURE)
    if not now["options"]:
        return False
    pointer = Pointer(page)
    try:
        pointer.does(now["options"][turn % len(now["options"])])
    except Exception:
        if not pointer.is_past(now["number"]):  # a window that closed under the hand was answered too
            raise
    return True


def takes_up(page: Any) -> str:
    """Take up the first thing that is lit; its name. One click on it more is an answer."""
    page.wait_for_selector("#stage .lit[data-thing]")
    thing = str(page.locator("#stage .lit[data-thing]").first.get_attribute("data-thing"))
    Pointer(page).points_at(thing)
    page.wait_for_selector(".match.holding")
    return thing


def calls_off(page: Any) -> None:
    unfold(page)
    page.get_by_role("button", name="Call the match off").click()
    page.get_by_role("button", name="Call it off").click()
    page.wait_for_selector(".ending")


def unfold(page: Any) -> None:
    """What may be done at the table besides playing."""
    page.evaluate(
        "document.querySelectorAll('#people, #people details').forEach(fold => { fold.open = true; })"
    )


@pytest.mark.parametrize("key", games.keys())
def test_a_match_against_a_bot(page: Any, key: str) -> None:
    """Three clicks from the front page one is in it; long ones are called off after a while."""
    starts(page, games.find(key).title)
    for _ in range(4):
        assert clicks(page, 3) > 0
        if page.locator(".ending").count():
            return
    calls_off(page)


def test_a_choice_stays_open_while_a_card_of_it_is_held(page: Any) -> None:
    """News come between two clicks: the card is still there for the second."""
    starts(page, "Vitium")
    page.wait_for_selector("#stage .gallery:popover-open")
    number = page.locator("#table").get_attribute("data-number")
    name = takes_up(page)
    tab = page.context.new_page()
    tab.goto(page.url)
    unfold(tab)
    tab.get_by_label("Say", exact=True).fill("Take your time")
    tab.get_by_label("Say", exact=True).press("Enter")
    page.get_by_text("Take your time").wait_for(state="attached")
    assert page.locator("#stage .gallery:popover-open .taken").count() == 1
    Pointer(page).points_again(name)
    page.wait_for_function(ANSWERED, arg=number)


def test_what_one_does_stays_while_the_table_changes(page: Any) -> None:
    """The others play on; what I typed, unfolded and have in focus is still under my hand."""
    starts(page, "Sealed")
    page.wait_for_selector(BUTTONS, state="attached")
    unfold(page)
    page.get_by_label("Say", exact=True).fill("One moment")
    page.evaluate("window.field = document.querySelector('input[name=words]')")
    tab = page.context.new_page()  # a real click would take the focus with it
    tab.goto(page.url)
    number = page.locator("#table").get_attribute("data-number")
    clicks(tab, 2)
    page.wait_for_function(ANSWERED, arg=number)
    assert page.evaluate("document.activeElement === window.field")
    assert page.get_by_label("Say", exact=True).input_value() == "One moment"
    assert page.evaluate("[...document.querySelectorAll('#people details')].every(fold => fold.open)")
    page.get_by_label("Say", exact=True).press("Enter")
    page.get_by_text("One moment").wait_for()
    assert page.get_by_label("Say", exact=True).input_value() == ""


def test_a_click_that_cannot_be_taken_back_is_asked_twice(page: Any) -> None:
    starts(page, "Sealed")
    for sure in (False, True):
        page.wait_for_selector(BUTTONS, state="attached")
        unfold(page)
        page.locator("#people").get_by_role("button", name="Concede").click()
        page.get_by_text("Give this match up?").wait_for()
        assert not page.locator(".ending").count()
        over = page.locator("#over")
        over.get_by_role("button" if sure else "link", name="Concede" if sure else "No, back").click()
    page.wait_for_selector(".ending")


def test_a_grave_option_is_asked_twice(page: Any) -> None:
    """By mouse and by keyboard: what asks has the focus."""
    starts(page, "Engines of Vengeance")
    page.wait_for_selector(BUTTONS, state="attached")
    number = page.locator("#table").get_attribute("data-number")
    unfold(page)
    page.locator("button.grave", has_text="Concede").click()
    page.get_by_text("The other player is credited with this Act.").wait_for()
    assert page.evaluate("document.activeElement.name") == "confirmed"
    page.keyboard.press("Enter")
    page.wait_for_selector("#over", state="hidden")
    page.wait_for_function(ANSWERED, arg=number)


def test_a_click_that_comes_too_fast_is_said_and_can_be_clicked_again(
    page: Any, server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts(page, "Sealed")
    page.wait_for_selector(BUTTONS, state="attached")
    waits = iter([2.0])
    monkeypatch.setattr(
        server.house.gate, "wait", lambda what, *who: next(waits, 0.0) if what == "answer" else 0.0
    )
    Pointer(page).points_again(takes_up(page))
    page.get_by_text("That was too fast; try again").wait_for()
    assert clicks_once(page)
    page.get_by_text("That was too fast").wait_for(state="hidden")


def test_a_late_click_is_said_to_be(page: Any) -> None:
    """As from a second tab that has not heard of the answer given in the first."""
    starts(page, "Tic-tac-toe")
    clicks(page, 1)
    page.wait_for_selector("#table[data-asked=yes]")  # from here on nothing changes until it is clicked
    cell = takes_up(page)
    page.evaluate("document.querySelector('#answer [name=number]').value = 0")
    page.clock.install()
    Pointer(page).points_again(cell)
    page.get_by_text("Too late: the table had gone on").wait_for()
    page.clock.fast_forward(20_000)
    page.get_by_text("Too late").wait_for(state="hidden")


def test_clocks_run_on_the_page(page: Any) -> None:
    page.goto("/tables/new?game=sealed")
    page.get_by_label("Seat 2").select_option("random")
    page.get_by_label("Clock").select_option("live")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#table[data-asked=yes]")
    page.wait_for_function(
        """() => {
            const clock = document.querySelector("[data-runs]");
            const [minutes, seconds] = clock.textContent.split(":").map(Number);
            return minutes * 60 + seconds < Number(clock.dataset.left);
        }"""
    )


@pytest.mark.deep
@pytest.mark.parametrize("key", games.keys())
def test_a_whole_match_against_a_bot(page: Any, key: str) -> None:
    starts(page, games.find(key).title)
    clicks(page, 100_000)
    assert page.locator(".ending").count()


def test_two_people_with_hidden_hands(chromium: Any, server: Served) -> None:
    ann, bob = (new_page(chromium, server.url) for _ in range(2))
    one, two = next(ann), next(bob)
    one.goto("/tables/new?game=sealed")
    one.get_by_role("button", name=re.compile("Open the table")).click()
    one.wait_for_url(re.compile("/seats/"))
    link = one.locator("a[href*='/join/']").first.get_attribute("href")
    two.goto(link)
    assert two.url.endswith("/join")
    two.get_by_role("button", name=re.compile("Take a seat")).click()
    two.wait_for_url(re.compile("/seats/"))
    one.get_by_role("button", name=re.compile("Begin")).click()
    for window in (one, two):
        window.wait_for_selector(BUTTONS, state="attached")  # without a reload: the stream told it
    while not one.locator(".ending").count():
        for window in (one, two):
            clicks_once(window)
    two.wait_for_selector(".ending")
    for window in (ann, bob):
        next(window, None)


def falls_silent(asked: dict[Any, list[str]]) -> dict[Any, list[str]]:
    """What pages have asked for, when they have asked for nothing more for a while; from now on it is counted anew."""
    before: dict[Any, list[str]] | None = None
    while before != asked:
        before = {page: list(requests) for page, requests in asked.items()}
        next(iter(asked)).wait_for_timeout(500)
    for requests in asked.values():
        requests.clear()
    return before


def test_a_move_is_one_request_for_each(chromium: Any, server: Served) -> None:
    """Whoever moves is shown what comes of it in the reply, and asks for nothing more; the others ask once, and pictures are there."""
    opened = [new_page(chromium, server.url, reduced_motion="no-preference") for _ in range(2)]
    one, two = map(next, opened)
    one.goto("/tables/new?game=personal-vendetta")
    one.get_by_role("button", name=re.compile("Open the table")).click()
    one.wait_for_url(re.compile("/seats/"))
    two.goto(one.locator("a[href*='/join/']").first.get_attribute("href"))
    two.get_by_role("button", name=re.compile("Take a seat")).click()
    two.wait_for_url(re.compile("/seats/"))
    one.get_by_role("button", name=re.compile("Begin")).click()
    asked: dict[Any, list[str]] = {one: [], two: []}
    for page, requests in asked.items():
        page.on("request", lambda request, seen=requests: seen.append(request.method))
        page.wait_for_function(SHOWN, arg=-1)
    for _ in range(3):
        falls_silent(asked)
        mover, other = (one, two) if one.evaluate(IS_ASKED) else (two, one)
        before = {page: page.evaluate(NUMBER) for page in asked}
        mover.evaluate("document.querySelector('#options button').click()")
        mover.wait_for_function(SHOWN, arg=before[mover])
        seen = falls_silent(asked)
        saw_it = other.evaluate(NUMBER) > before[other]
        assert (seen[mover], seen[other]) == (["POST"], ["GET"] if saw_it else [])
    for window in opened:
        next(window, None)


def test_a_page_comes_back_when_the_server_does(chromium: Any, tmp_path: Path) -> None:
    server = Process(str(tmp_path / "x.sqlite3"), tmp_path / "one")
    pages = new_page(chromium, server.url)
    page = next(pages)
    starts(page, "Sealed")
    clicks(page, 2)
    server.kill()
    page.get_by_text("The table cannot be reached").wait_for()
    server.start()
    # The bot moves on the new server, and the page hears of it by itself.
    page.get_by_text("The table cannot be reached").wait_for(state="hidden")
    page.wait_for_selector(BUTTONS, state="attached")
    assert clicks(page, 3) == 3
    next(pages, None)


def test_on_a_phone(chromium: Any, server: Served) -> None:
    pages = new_page(
        chromium, server.url, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )
    page = next(pages)
    takes_the_widest_name(page)
    for key in games.keys():  # noqa: SIM118 - a function of the registry
        page.goto("/")
        starts(page, games.find(key).title)
        page.wait_for_selector(BUTTONS, state="attached")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, f"{key} is too wide"
    next(pages, None)


def test_by_keyboard_alone(page: Any) -> None:
    """Tab to Play now, Enter; then several moves of a card game, each by Tab to what is meant."""
    page.evaluate("localStorage.setItem('talion spare', 'no')")  # every question is answered by hand
    reach(page, lambda focus: "Play now" in focus and "Engines" in focus)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/seats/"))
    for _ in range(4):
        page.wait_for_selector("#table[data-asked=yes]")
        Pointer(page).types(page.evaluate(MEASURE)["options"][0])


def invited_by(page: Any, server: Served, game: str) -> Player:
    """The page takes a seat at somebody's table."""
    ann = Player(server.url)
    opened = ann.opens(game, ["me", "open"])
    page.goto(f"/join/{opened['invite']}")
    page.get_by_role("button", name="Take a seat").click()
    page.wait_for_url(re.compile("/seats/"))
    return ann


def test_the_tab_says_when_it_is_my_turn(page: Any, server: Served) -> None:
    ann = invited_by(page, server, "tic-tac-toe")
    ann.post(f"/api/seats/{ann.seat}/start")
    page.wait_for_selector("#table[data-asked=no] #stage")
    assert not page.title().startswith("Your turn")
    ann.moves()
    page.wait_for_function("() => document.title.startsWith('Your turn: ')")


@pytest.mark.parametrize("wanted", ["no-preference", "reduce"])
def test_cards_move_unless_that_is_not_wanted(page: Any, wanted: str) -> None:
    page.emulate_media(reduced_motion=wanted)
    starts(page, "Sealed")
    page.wait_for_selector(BUTTONS, state="attached")
    page.evaluate(
        """() => {
            window.moved = 0;
            const start = document.startViewTransition.bind(document);
            document.startViewTransition = (change) => { window.moved += 1; return start(change); };
        }"""
    )
    clicks(page, 2)
    assert bool(page.evaluate("window.moved")) == (wanted == "no-preference")
    still = page.evaluate("getComputedStyle(document.querySelector('.card')).animationName")
    assert wanted == "no-preference" or still == "none"


def reach(page: Any, found: Any, most: int = 80) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            """() => {
                const focus = document.activeElement;
                const kind = focus.matches("[data-thing]") ? "thing" : `name=${focus.name}`;
                return `${kind} ${focus.textContent.replace(/\\s+/g, ' ')}`;
            }"""
        )
        if found(focus):
            return
    raise AssertionError("the keyboard does not get there")


def test_ten_tabs_of_one_browser_stay_live_on_one_stream(chromium: Any, server: Served) -> None:
    """Over plain http in the house, where a browser has no locks, and as everywhere six connections to a host."""
    context = chromium.new_context(base_url=f"http://{HOUSE}:{server.port}", reduced_motion="reduce")
    tabs = [context.new_page() for _ in range(10)]
    for tab in tabs:
        tab.goto("/")
        starts(tab, "Sealed")
        tab.wait_for_selector(BUTTONS, state="attached")
    assert not tabs[0].evaluate("isSecureContext")
    for tab in tabs:
        clicks(tab, 3)
        tab.wait_for_selector(f"{BUTTONS}, .ending", state="attached")
    assert wait_for(lambda: len(server.house.hub) == 1, "one stream for the whole browser")
    assert not tabs[0].get_by_label("Notify me").is_visible()
    context.close()


def test_when_the_tab_that_keeps_the_stream_goes_another_does(chromium: Any, server: Served) -> None:
    """Those who watch are told too, though the new keeper of the stream never heard what they watch."""
    ann = Player(server.url)
    tables = [ann.opens("tic-tac-toe", ["me", "me"])["table"] for _ in range(3)]
    context = chromium.new_context(base_url=server.url)
    tabs = [context.new_page() for _ in tables]
    for tab, table in zip(tabs, tables, strict=True):
        tab.goto(f"/tables/{table}")
        wait_for(partial(server.house.hub.watched, table), "the table to be watched")
    tabs[0].close()
    wait_for(lambda: not server.house.hub.watched(tables[0]), "the first stream to end")
    wait_for(lambda: all(map(server.house.hub.watched, tables[1:])), "the rest to be watched by one of them")
    context.close()


def test_a_stream_comes_back_after_a_reply_that_is_none(page: Any) -> None:
    """As from a proxy while the server behind it is started again."""
    broken = iter([True])
    page.route(
        "**/api/events*",
        lambda route: route.fulfill(status=502) if next(broken, False) else route.continue_(),
    )
    starts(page, "Sealed")
    page.get_by_text("The table cannot be reached").wait_for()
    page.get_by_text("The table cannot be reached").wait_for(state="hidden")
    assert clicks(page, 2) == 2


def test_who_is_removed_is_told(page: Any, server: Served) -> None:
    ann = invited_by(page, server, "sealed")
    wait_for(lambda: len(server.house.hub), "the stream")
    assert ann.post(f"/api/seats/{ann.seat}/remove", json={"other": 1}).status_code == 200
    page.get_by_text("This seat is not yours, or no longer.").wait_for()


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("key", ["", *games.keys()])
def test_axe_finds_nothing_serious(page: Any, key: str, light: str) -> None:
    """Contrast included, by day and by night."""
    page.emulate_media(color_scheme=light)
    if key:
        starts(page, games.find(key).title)
        page.wait_for_selector(BUTTONS, state="attached")
    assert not serious(page)


@pytest.mark.parametrize("light", ["light", "dark"])
def test_axe_finds_nothing_serious_before_a_match(page: Any, light: str) -> None:
    """Where a table is opened, and where one waits for others."""
    page.emulate_media(color_scheme=light)
    page.goto("/tables/new?game=chapter-of-resonance")
    assert not serious(page)
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Begin the match").wait_for()
    assert not serious(page)


def serious(page: Any) -> list[Any]:
    """What axe complains of: the rule, and where it is broken."""
    from axe_playwright_python.sync_playwright import Axe

    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in SERIOUS]
    return [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found]
