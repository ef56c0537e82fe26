"""The workshop over HTTP: sets and their revisions, the shelf, the bench, matches and trials."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from talion import games
from talion.kernel import BadCards, Match
from talion.kernel.spreadsheet import to_csv
from talion.table import rendering, schema
from talion.table import serve as serving
from talion.table.refusal import Refusal
from talion.table.settings import Limits, Settings
from talion.table.store import Store
from talion.workshop import bench, finding, runs
from talion.workshop.sets import Sets, read_file
from tests.table.serving import NO_LIMITS, Browser, Served, clean_up, served, wait_for

GAME = "personal-vendetta"
CARD = "Bone Lathe"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(str(tmp_path / "x.sqlite3"), rooms=("talion.workshop",)) as found:
        yield found
    clean_up()


def begins(browser: Browser, game: str = GAME, **more: str) -> str:
    """A new set; the path of its shelf."""
    browser.go("/workshop")
    browser.posts("/workshop/sets", game=game, name="Mine", **more)
    assert browser.page.status_code == 200, browser.page.text
    return browser.page.url.path


def number(browser: Browser) -> str:
    found = re.search(r'name="number" value="(\d+)"', browser.page.text)
    assert found
    return found[1]


def saves(
    browser: Browser, path: str, card: str = CARD, do: str = "save", then: str = "", **fields: str
) -> str:
    """Open a card on the bench, write into its fields and press a button; the page after it."""
    browser.go(f"{path}/card?name={card}")
    form = {f"field.{name}": value for name, value in fields.items()}
    form |= {"name": card, "number": number(browser), "do": do, "then": then}
    return unescape(browser.posts(f"{path}/card", **form).text)


def file_of(browser: Browser, path: str) -> dict[str, Any]:
    return tomllib.loads(browser.get(f"{path}/cards.toml").text)


def test_a_changed_sentence_is_kept_shown_and_exported(server: Served, tmp_path: Path) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 4 corpus.")
    assert file_of(browser, path) == {"card": [{"name": CARD, "benefit": "Inflict 4 corpus."}]}
    assert "Inflict 4 corpus." in browser.go(f"{path}?changed=yes").text
    assert "1 of 50 cards, 1 changed" in browser.page.text
    written = tmp_path / "mine.toml"
    written.write_text(browser.get(f"{path}/cards.toml").text, "utf-8")
    assert games.find(GAME).content(written).named[CARD].benefit == "Inflict 4 corpus."
    again = begins(browser, file=written.read_text("utf-8"))
    assert file_of(browser, again) == file_of(browser, path)


def test_how_many_there_are_of_a_card_is_changed_and_comes_back_from_a_spreadsheet(server: Served) -> None:
    """In a game that prints it on no card."""
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, count="3")
    assert file_of(browser, path) == {"card": [{"name": CARD, "count": 3}]}
    sheet = browser.get(f"{path}/cards.csv").text
    saves(browser, path, do="restore")
    browser.go(path)
    browser.posts(f"{path}/lay", number=number(browser), file=sheet)
    assert file_of(browser, path) == {"card": [{"name": CARD, "count": 3}]}


def test_each_fault_is_said_at_its_field(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    page = saves(
        browser, path, cost="1 tick, 3 foo", benefit="Inflikt 2 corpus. Draw 1 card. Fly up.", count="x"
    )
    said = dict(re.findall(r'data-of="(\w+)" role="status">(.*?)</div>', page, re.DOTALL))
    assert {field: text.count("<pre>") for field, text in said.items() if text} == {
        "cost": 1,
        "benefit": 2,
        "count": 1,
    }
    assert "1 tick, 3 <mark>foo</mark>" in said["cost"] and "must be a whole number" in said["count"].lower()
    assert "<mark>Inflikt 2 corpus</mark>" in said["benefit"] and "(amount)" in said["benefit"]
    assert "{" not in "".join(said.values()), "phrases are said as people say them"
    assert len(re.findall(r'name="field.(?:cost|benefit|count)"[^>]*aria-invalid="true"', page)) == 3


def test_on_the_other_end_of_a_card_too(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser, "engines-of-vengeance")
    row = next(
        row
        for row in games.find("engines-of-vengeance").content().tables["card"]
        if "action" in row.get("other", {})
    )
    page = saves(browser, path, row["name"], **{"other.action": "Fly up."})
    said = dict(re.findall(r'data-of="([\w.]+)" role="status">(.*?)</div>', page, re.DOTALL))
    assert [field for field, text in said.items() if text] == ["other.action"]
    assert "<mark>Fly up</mark>" in said["other.action"]


def test_what_is_wrong_beside_other_cards_is_said_too(server: Served) -> None:
    """A card may be in order by itself and yet break the game: two faces of one name, as here."""
    browser = Browser(server.url)
    path = begins(browser, "engines-of-vengeance")
    row = next(row for row in games.find("engines-of-vengeance").content().tables["card"] if "other" in row)
    page = saves(browser, path, row["name"], **{"other.name": "WRATH"})
    assert "saved as a draft" in page and "two faces are named WRATH" in page


def test_a_word_of_a_few_is_chosen_among_them(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    page = browser.go(f"{path}/card?name={CARD}").text
    (words,) = re.findall(r'<select[^>]*name="field.discipline".*?</select>', page)
    assert re.findall(r"<option( selected)?>(\w*)</option>", words) == [
        (" selected", "physical"),
        ("", "mental"),
    ]
    page = saves(browser, path, discipline="wooden")
    assert "<option selected>wooden</option>" in page, "what stands there is not lost"


def test_a_long_text_is_read_when_it_is_saved(server: Served) -> None:
    """While one types it would take too long; it can be saved all the same."""
    browser = Browser(server.url)
    path = begins(browser)
    long = "Fly up high. " * 400
    body = {"name": CARD, "fields": {"benefit": long}, "field": "benefit", "caret": 3}
    (fault,) = browser.post(f"{path}/read", json=body).json()["faults"]
    assert fault["field"] == "benefit" and "longer than 4000 letters" in fault["why"]
    body["fields"] = {"benefit": long[:3900]}
    assert len(browser.post(f"{path}/read", json=body).json()["faults"]) == 300
    assert "saved as a draft" in saves(browser, path, benefit=long)
    assert long.strip() in browser.page.text


def test_what_is_put_back_as_printed_changes_nothing(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 4 corpus.")
    saves(browser, path, benefit="Inflict 3 corpus.")
    assert file_of(browser, path) == {}
    saves(browser, path, benefit="Inflict 4 corpus.")
    saves(browser, path, do="restore")
    assert file_of(browser, path) == {}


def test_a_card_with_another_flavour_is_changed_though_nobody_plays_it_otherwise(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, flavour="It turns.")
    assert "1 of 50 cards, 1 changed" in browser.go(f"{path}?changed=yes").text
    assert "nothing to compare" in browser.posts(f"{path}/run").text


def test_the_shelf_finds_cards_by_a_word(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    assert f'aria-label="{CARD}"' in browser.go(f"{path}?word=lathe").text
    assert "1 of 50 cards" in browser.page.text


def two_at_one_card(server: Served) -> tuple[Browser, Browser, str, dict[str, str]]:
    """Two people have a card open; one has saved it, and the form is what the other is about to save."""
    ann, bob = Browser(server.url), Browser(server.url)
    path = begins(ann)
    bob.go(f"{path}/card?name={CARD}")
    form = {"name": CARD, "number": number(bob), "do": "save", "field.benefit": "Inflict 9 corpus."}
    saves(ann, path, benefit="Inflict 4 corpus.")
    return ann, bob, path, form


def test_a_later_save_never_writes_over_another(server: Served) -> None:
    """Two people open one set by its address; the second save is refused, and nothing typed is lost."""
    ann, bob, path, form = two_at_one_card(server)
    refused = bob.posts(f"{path}/card", **form)
    assert refused.status_code == 409
    assert "Inflict 9 corpus." in refused.text and "saved revision 2" in refused.text
    assert file_of(ann, path)["card"][0]["benefit"] == "Inflict 4 corpus."
    bob.posts(f"{path}/card", **{**form, "number": number(bob)})
    assert file_of(ann, path)["card"][0]["benefit"] == "Inflict 9 corpus."


def test_who_writes_another_card_is_in_nobodys_way(server: Served) -> None:
    """Of two people at one set each may save a card of their own; what the other wrote stays."""
    ann, bob, path, form = two_at_one_card(server)
    assert bob.posts(f"{path}/card", **{**form, "name": "Shear Line"}).status_code == 200
    rows = {row["name"]: row["benefit"] for row in file_of(ann, path)["card"]}
    assert rows == {CARD: "Inflict 4 corpus.", "Shear Line": "Inflict 9 corpus."}
    assert bob.posts(f"{path}/card", **form).status_code == 409, "but not over what another wrote"
    unknown = {**form, "name": "Hundred Cuts", "number": "0"}
    assert bob.posts(f"{path}/card", **unknown).status_code == 409, "nor without saying over what"


def test_who_writes_hears_at_once_that_another_saved_this_card(server: Served) -> None:
    ann, _, path, _ = two_at_one_card(server)

    def heard(card: str, number: int) -> Any:
        body = {"name": card, "fields": {"benefit": "Inflict 9 corpus."}, "number": number}
        return ann.post(f"{path}/read", json=body).json()["meanwhile"]

    assert heard(CARD, 1) == (
        f"Guest has saved revision 2 ({CARD}) meanwhile; when you save, you see what it says."
    )
    assert heard(CARD, 2) == "" == heard("Shear Line", 1)


def test_what_is_typed_goes_along_with_a_copy_and_with_a_new_name(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    browser.go(f"{path}/card?name={CARD}")
    form = {"name": CARD, "number": number(browser), "field.benefit": "Inflict 7 corpus."}
    for deed in ("copy", "rename"):
        for new, why in (("Shear Line", "There is a card named Shear Line already"), ("", "needs a name")):
            refused = browser.posts(f"{path}/card/{deed}", **form, new=new)
            assert refused.status_code == 400 and why in refused.text and "Inflict 7 corpus." in refused.text
            assert number(browser) == "1"
    page = browser.posts(f"{path}/card/copy", **form, new="Bone Saw").text
    assert "Inflict 7 corpus." in page and "a new card, not saved yet" in page and 'name="new"' not in page
    assert file_of(browser, path) == {}
    browser.posts(f"{path}/card/rename", **form, new="Bone Wheel")
    rows = {row["name"]: row for row in file_of(browser, path)["card"]}
    assert rows["Bone Wheel"]["benefit"] == "Inflict 7 corpus." and rows[CARD] == {"name": CARD, "count": 0}
    refused = browser.posts(f"{path}/card/rename", **form, new="Bone Cart")
    assert refused.status_code == 409 and "so the name is as it was" in refused.text


def test_who_is_refused_sees_what_the_other_wrote(server: Served) -> None:
    ann, bob, path, form = two_at_one_card(server)
    assert "It says there: benefit “Inflict 4 corpus.”<" in unescape(bob.posts(f"{path}/card", **form).text)
    copied = {**form, "name": "Bone Saw", "like": CARD, "number": "2"}
    ann.posts(f"{path}/card", **{**copied, "field.benefit": "Inflict 2 corpus."})
    refused = bob.posts(f"{path}/card", **copied)
    assert refused.status_code == 409, "somebody else made a card of this name"
    assert "It says there: benefit “Inflict 2 corpus.”<" in unescape(refused.text)
    ann.posts(f"{path}/card", **{**copied, "number": "3", "do": "restore"})
    refused = bob.posts(f"{path}/card", **{**copied, "number": "3"})
    assert refused.status_code == 409 and "It says there" not in refused.text, "and took it away again"


@pytest.mark.parametrize(
    "then", ["match", *[pytest.param(one, marks=pytest.mark.deep) for one in ("try", "run", "break")]]
)
def test_what_is_asked_of_a_card_that_is_not_saved_is_asked_of_what_was_typed(
    server: Served, then: str
) -> None:
    """It is saved first, and what was asked for follows at once; of a draft it cannot."""
    browser = Browser(server.url)
    path = begins(browser)
    said = saves(browser, path, benefit="Inflikt 4 corpus.", then=then)
    assert browser.page.url.path == f"{path}/card" and "saved as a draft" in said
    assert "so nothing is played with it" in said
    saves(browser, path, benefit="Inflict 4 corpus.", then=then)
    assert file_of(browser, path)["card"] == [{"name": CARD, "benefit": "Inflict 4 corpus."}]
    if then in ("run", "break"):
        assert browser.page.url.path == f"{path}/{then}"
        kind = "compare" if then == "run" else "break"
        assert browser.get(f"{path}/run.json?kind={kind}").json()["revision"] == 3
        return
    (live,) = server.house._tables.values()
    assert live.play and live.play.content.named[CARD].benefit == "Inflict 4 corpus."
    assert (live.row.title == "Mine") == (then == "match")


def test_a_file_that_cannot_be_read_stays_in_its_box(server: Served) -> None:
    browser = Browser(server.url)
    browser.go("/workshop")
    text = '[[card]]\nname = "Bone Lathe"\nbenefit = "Fly up."'
    page = unescape(browser.posts("/workshop/sets", game="vitium", name="Odd", file=text).text)
    assert "Nothing was begun." in page and text in page and 'value="Odd"' in page
    (why,) = re.findall(r'<div class="faults"><pre>(.*?)</pre>', page, re.DOTALL)
    assert "kind: must be one of pawn" in why
    assert re.search(r'value="vitium" selected', page)
    path = begins(browser)
    refused = browser.posts(f"{path}/lay", number="1", file=text)
    page = unescape(refused.text)
    assert refused.status_code == 400 and "The set is as it was." in page and text in page
    assert "\n    Fly up\n    ^\n" in page and "{" not in page.split("<pre>")[1].split("</pre>")[0]
    assert (
        browser.posts(f"{path}/lay", number="9", file=text.replace("Fly up", "Inflict 1 corpus")).status_code
        == 409
    )
    assert "Inflict 1 corpus" in browser.page.text and file_of(browser, path) == {}


def test_a_refusal_leads_back_to_the_set(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    refused = browser.posts(f"{path}/run")
    assert "nothing to compare" in refused.text and f'href="{path}">Back to the set<' in refused.text


def test_one_goes_back_to_an_earlier_revision(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 4 corpus.")
    saves(browser, path, benefit="Inflict 5 corpus.")
    browser.go(path)
    browser.posts(f"{path}/back", to="2", number="3")
    assert file_of(browser, path)["card"][0]["benefit"] == "Inflict 4 corpus."
    assert browser.posts(f"{path}/back", to="3", number="3").status_code == 409


def test_a_sentence_that_cannot_be_read_is_a_draft_and_is_not_played(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 4 corpus.")
    said = saves(browser, path, benefit="Inflikt 4 corpus.")
    assert "draft: it cannot be read yet, and no match sees it" in said
    assert "Inflikt 4 corpus." in said
    assert file_of(browser, path)["card"][0]["benefit"] == "Inflict 4 corpus."
    browser.go(path)
    browser.posts(f"{path}/try")
    live = next(iter(server.house._tables.values()))
    assert live.play is not None
    assert live.play.content.named[CARD].benefit == "Inflict 4 corpus."
    assert "draft" not in saves(browser, path, benefit="Inflict 6 corpus.").split("<h1>")[1].split("</h1>")[0]


def test_check_says_what_is_wrong_and_saves_nothing(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    assert "All of it can be read and played." in saves(
        browser, path, do="check", benefit="Inflict 4 corpus."
    )
    assert "physical, mental" in saves(browser, path, do="check", discipline="wooden")
    assert file_of(browser, path) == {}
    saves(Browser(server.url), path, benefit="Inflict 4 corpus.")
    form = {"name": CARD, "number": "1", "field.benefit": "Inflict 9 corpus."}
    browser.posts(f"{path}/card", do="check", **form)
    assert number(browser) == "1", "what another saved meanwhile would be overwritten unasked"


@pytest.mark.parametrize(
    ("field", "text", "first", "calm"),
    [
        ("benefit", "", "Pop", True),
        ("benefit", "Infl", "Inflict ", True),
        ("benefit", "infl", "inflict ", True),
        ("benefit", "Inflict ", " 1", True),
        ("benefit", "Draw 1 card. inf", "inflict ", True),
        ("benefit", "Inflict 4 corpse.", " corpus", False),
        ("reacts_to", "", "a ", True),
        ("cost", "1 tick, ", " 1", True),
    ],
)
def test_what_comes_next_is_written_as_one_would_write_it(
    field: str, text: str, first: str, calm: bool
) -> None:
    """What is typed stays as it is, a sentence begins with a capital, a word with a blank behind it is finished; and nobody is
    told off in the middle of a sentence."""
    game = games.find(GAME)
    found = bench.completed(game, game.content(), field, text, len(text))
    ways = [one["insert"] for one in found["next"]]
    assert ways[0] == first and len(set(ways)) == len(ways)
    assert found["unfinished"] == calm


def test_in_the_middle_of_a_text_the_sentence_at_the_caret_is_meant() -> None:
    """And of several lines the one it is in; what follows the caret stays as it is."""
    game = games.find(GAME)

    def at(field: str, text: str) -> dict[str, Any]:
        return bench.completed(game, game.content(), field, text.replace("|", ""), text.index("|"))

    first = at("benefit", "Inflict 4 |corpus. Draw 1 card.")
    assert next(one["words"] for one in first["read"]) == "Inflict 4" and not first["unfinished"]
    assert first["place"] == len("Inflict 4") and " corpus" in [one["insert"] for one in first["next"]]
    second = at("benefit", "Inflict 4 corpus. Draw 1 c|")
    assert second["place"] > len("Inflict 4 corpus.")
    assert any("card" in one["insert"] for one in second["next"]) and second["unfinished"]
    lines = at("abilities", "1 tick: Draw 1 |\n2 cerebrium: Gain 1 corpus.")
    assert any("card" in one["insert"] for one in lines["next"]) and lines["unfinished"]
    below = at("abilities", "1 tick: Draw 1 card.\n2 cerebrium: Gain 1 |")
    assert below["place"] > len("1 tick: Draw 1 card.\n2 cerebrium:") and below["unfinished"]
    assert any("corpus" in one["insert"] for one in below["next"])


def test_a_card_is_read_while_it_is_written(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)

    def read(text: str) -> dict[str, Any]:
        body = {"name": CARD, "fields": {"benefit": text}, "field": "benefit", "caret": len(text)}
        reply = browser.post(f"{path}/read", json=body)
        assert reply.status_code == 200, reply.text
        found: dict[str, Any] = reply.json()
        return found

    whole = read("Inflict 4 corpus.")
    assert not whole["faults"] and "Inflict 4 corpus." in whole["front"]
    assert next(one["rule"] for one in whole["at"]["read"]).startswith("PV-")
    begun = read("Inflict 4 cor")
    assert any(one["words"].strip().startswith("corpus") for one in begun["at"]["next"])
    wrong = read("Inflikt 4 corpus.")
    (fault,) = wrong["faults"]
    assert (
        fault["field"] == "benefit" and fault["wrong"] == "Inflikt 4 corpus" and "“Inflict" in fault["more"]
    )
    assert file_of(browser, path) == {}


def test_a_new_card_begins_as_a_copy(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    browser.go(f"{path}/card?like={CARD}&name=Bone Saw")
    form = {"name": "Bone Saw", "like": CARD, "number": number(browser), "do": "save"}
    browser.posts(f"{path}/card", **form, **{"field.benefit": "Inflict 2 corpus."})
    assert file_of(browser, path)["card"][0]["name"] == "Bone Saw"
    assert browser.go(f"{path}/card?like={CARD}&name=Bone Saw").status_code == 400


@pytest.mark.parametrize("game", [game.key for game in games.every()])
def test_every_card_of_every_game_lies_on_the_bench(server: Served, game: str) -> None:
    """Opened and saved untouched, it is as it was; its face is the one the table shows."""
    browser = Browser(server.url)
    path = begins(browser, game)
    content = games.find(game).content()
    assert f"of {len([face for face in content.faces if face.front is face])} cards" in browser.page.text
    for row in content.tables["card"][::7]:
        page = browser.go(f"{path}/card?name={row['name'].replace('&', '%26').replace('#', '%23')}").text
        assert "<pre>" not in page, row["name"]
        fields = re.findall(r'name="(field\.[^"]+)"[^>]*?(?:value="([^"]*)"|>([^<]*)</textarea>)', page)
        form = {name: unescape(value or text) for name, value, text in fields}
        browser.posts(f"{path}/card", name=row["name"], number=number(browser), do="save", **form)
        assert file_of(browser, path) == {}, row["name"]


def test_the_shelf_shows_one_type_one_phrase(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    some = re.search(r"(\d+) of 50 cards", browser.go(f"{path}?kind=mental attack").text)
    assert some and 0 < int(some[1]) < 50
    pattern, cards = min(
        (one for one in games.find(GAME).content().uses().items() if one[1]), key=lambda one: len(one[1])
    )
    browser.page = browser.get(path, params={"phrase": pattern})
    assert (
        f"{len(cards)} of 50 cards" in browser.page.text and f'aria-label="{cards[0]}"' in browser.page.text
    )


def test_a_set_goes_into_a_spreadsheet_and_comes_back(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 14 corpus.")
    sheet = browser.get(f"{path}/cards.csv").text
    assert len(sheet.splitlines()) >= 51
    changed = sheet.replace("Inflict 14 corpus.", "Inflict 5 corpus.")
    browser.go(path)
    browser.posts(f"{path}/lay", number=number(browser), file=changed)
    assert file_of(browser, path) == {"card": [{"name": CARD, "benefit": "Inflict 5 corpus."}]}
    assert browser.posts(f"{path}/lay", number=number(browser), file="a,b\n1,2").status_code == 400


def test_sets_and_cards_are_renamed_and_copied(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    browser.posts(f"{path}/rename", name="Sharper")
    assert "Sharper" in browser.page.text
    browser.go(f"{path}/card?like={CARD}&name=Bone Saw")
    browser.posts(f"{path}/card", name="Bone Saw", like=CARD, number=number(browser), do="save")
    browser.posts(f"{path}/card/rename", name="Bone Saw", new="Rib Saw", number=number(browser))
    assert [row["name"] for row in file_of(browser, path)["card"]] == ["Rib Saw"]
    browser.posts(f"{path}/card/rename", name=CARD, new="Bone Wheel", number=number(browser))
    rows = {row["name"]: row for row in file_of(browser, path)["card"]}
    assert rows[CARD] == {"name": CARD, "count": 0} and rows["Bone Wheel"]["benefit"] == "Inflict 3 corpus."
    browser.go(path)
    browser.posts(f"{path}/copy")
    assert browser.page.url.path != path and "Copy of Sharper" in browser.page.text
    assert file_of(browser, browser.page.url.path) == file_of(browser, path)


def test_only_who_began_a_set_removes_it_and_tables_keep_its_cards(server: Served) -> None:
    ann, bob = Browser(server.url), Browser(server.url)
    path = begins(ann)
    saves(ann, path, benefit="Inflict 4 corpus.")
    ann.go(path)
    ann.posts(f"{path}/try")
    table = ann.page.url.path
    bob.go(path)
    assert "/remove" not in bob.page.text
    assert bob.posts(f"{path}/remove", sure="Mine").status_code == 403
    ann.go(path)
    assert ann.posts(f"{path}/remove", sure="yes").status_code == 400
    ann.go(path)
    ann.posts(f"{path}/remove", sure="Mine")
    assert ann.page.url.path == "/workshop" and path not in ann.page.text
    assert bob.go(path).status_code == 404
    assert ann.go(table).status_code == 200 and "Mine" in ann.page.text
    (live,) = server.house._tables.values()
    assert live.play and live.play.match.content.named[CARD].benefit == "Inflict 4 corpus."


def test_the_bench_shows_what_a_card_touches(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    page = unescape(browser.go(f"{path}/card?name={CARD}").text)
    assert "“inflict (amount) (resource)”" in page and ">Shear Line</a>" in page.split("What it touches")[1]


def test_one_sits_down_with_the_card_and_can_play_it(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 4 corpus.")
    browser.go(f"{path}/card?name={CARD}")
    browser.posts(f"{path}/try", name=CARD, position="3")
    assert browser.page.status_code == 200, browser.page.text
    live = next(iter(server.house._tables.values()))
    seat = next(seat.number for seat in live.seats if seat.bot is None)
    assert live.play is not None
    assert any(CARD in offer.name for offer in live.play.match.view(seat).offers())
    assert live.play.content.named[CARD].benefit == "Inflict 4 corpus."
    said = browser.posts(f"{path}/try", name="No such card")
    assert said.status_code == 404


def test_the_same_number_is_the_same_position(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    seen = []
    for position in ("3", "3", "4"):
        browser.go(f"{path}/card?name={CARD}")
        browser.posts(f"{path}/try", name=CARD, position=position)
        table = browser.page.url.path.split("/")[2].split("-")[0]
        live = server.house._tables[table]
        assert live.play is not None
        seen.append([live.play.match.view(seat).data()["table"] for seat in (None, 0, 1)])
    assert seen[0] == seen[1] != seen[2]


def test_a_run_is_seen_and_stopped_from_any_process(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of what each server process has one of, over one database."""
    browser = Browser(server.url)
    path = begins(browser)
    set_id = path.rsplit("/", 1)[1]

    async def endless(job: dict[str, Any], toml: str) -> AsyncIterator[dict[str, Any]]:
        yield {"done": 1}
        await asyncio.Event().wait()

    monkeypatch.setattr(runs, "told", endless)
    monkeypatch.setattr(runs, "BEAT", 0.05)

    async def work() -> None:
        one, two = (runs.Runs(server.house.store, server.house.now) for _ in range(2))
        await one.start(set_id, "compare", 1, 5, {}, "")
        while not (found := await two.of(set_id, "compare")) or not found.found:
            await asyncio.sleep(0.01)
        assert found.going and found.found == {"done": 1}
        await two.halt(set_id, "compare")
        while one._tasks:
            await asyncio.sleep(0.01)
        stopped = await one.of(set_id, "compare")
        assert stopped and stopped.state == "stopped" and stopped.found == {"done": 1}
        await one.start(set_id, "compare", 1, 5, {}, "")
        monkeypatch.setattr(runs, "SILENT", -1.0)  # as if its server were gone
        gone = await two.of(set_id, "compare")
        assert gone and gone.state == "stopped"
        await one.stop()

    asyncio.run(asyncio.wait_for(work(), 60))


def test_what_broke_is_a_match_one_can_watch(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[dict[str, Any]] = []

    def page(*about: Any, **values: Any) -> Any:
        drawn.append(values)
        return rendering.page(*about, **values)

    monkeypatch.setattr(finding, "page", page)
    browser = Browser(server.url)
    path = begins(browser)
    match = Match.new(games.find(GAME), 2, 7)
    match.play_out(lambda options: options[0], 40)
    found = {
        "matches": 1,
        "done": 1,
        "over": True,
        "findings": [{"what": "It goes round.", "match": match.save(), "seat": 1}],
    }
    was_run(server, path, "break", 1, found)
    assert "It goes round." in browser.go(f"{path}/break").text
    assert f"{path}/broken/0?seat=1" in browser.page.text
    assert "Moment 40 of 40" in browser.go(f"{path}/broken/0").text
    assert "Moment 3 of 40" in browser.go(f"{path}/broken/0?at=3&seat=1").text
    assert not {"ask", "standing"} & {name for one in drawn for name in one.get("match", ())}, (
        "nobody is asked"
    )
    assert browser.get(f"{path}/broken/0/file").text.startswith("talion match")
    assert browser.go(f"{path}/broken/1").status_code == 404


def test_a_finding_runs_to_its_end_where_looking_back_has_a_limit(tmp_path: Path) -> None:
    """To read its match counts, and then it runs, seen by who is best asked what went wrong."""
    limits = Limits(**{**vars(NO_LIMITS), "heavy_per_minute": 3})
    match = Match.new(games.find(GAME), 2, 7)
    match.play_out(lambda options: options[0], 9)
    found = {"matches": 1, "findings": [{"what": "It goes round.", "match": match.save(), "seat": 1}]}
    with served(str(tmp_path / "x.sqlite3"), rooms=("talion.workshop",), limits=limits) as server:
        browser = Browser(server.url)
        path = begins(browser)
        was_run(server, path, "break", 1, found)
        for at in range(10):
            assert f"Moment {at} of 9" in browser.go(f"{path}/broken/0?at={at}&seat=1").text
        assert "It goes round. Seen by Bot 2." in browser.page.text
    clean_up()


def was_run(server: Served, path: str, kind: str, revision: int, found: dict[str, Any]) -> None:
    """As if a revision of a set had been tried, and this found."""
    row = {"set_id": path.rsplit("/", 1)[1], "kind": kind, "id": kind, "number": revision, "wanted": 1, "state": "done", "found": found, "at": 0.0}  # fmt: skip
    with server.house.store.engine.begin() as connection:
        connection.execute(insert(schema.runs).values(row))


def test_what_was_found_of_a_revision_is_shown_not_played_again(server: Served) -> None:
    """To ask what a set does is no way to lose what is known of it."""
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 4 corpus.")
    was_run(server, path, "compare", 2, {"pairs": 1, "done": 2, "verdict": ["It does wonders."]})
    was_run(server, path, "break", 2, {"matches": 9, "done": 1, "findings": []})
    browser.go(path)
    assert "It does wonders." in browser.posts(f"{path}/run").text
    assert "Again, up to 2 pairs" in browser.page.text
    assert "9 matches" in browser.posts(f"{path}/break").text


def test_a_report_shows_the_cards_of_the_revision_that_was_played(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 4 corpus.")
    was_run(server, path, "compare", 2, {"pairs": 1, "done": 2, "verdict": ["It does wonders."]})
    saves(browser, path, benefit="Inflict 5 corpus.")
    for where in ("run", "report.html"):
        page = browser.get(f"{path}/{where}").text
        assert "Inflict 4 corpus." in page and "Inflict 5 corpus." not in page, where
    drawn, wanted = (set(re.findall(rf'{what}="#?([es]-[^"]+)"', page)) for what in ("id", "href"))
    assert {"e-bone-lathe", "s-tick", "s-body"} <= wanted <= drawn, "the report brings every drawing it shows"


def test_a_trial_says_what_changed_and_can_be_stopped(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    assert browser.posts(f"{path}/run").status_code == 400  # nothing was changed yet
    saves(browser, path, benefit="Inflict 20 corpus.")
    browser.posts(f"{path}/run", pairs="6")
    assert f"{CARD}: benefit was" in unescape(browser.page.text)
    found = wait_for(lambda: _over(browser, path), "the trial", 400)
    assert found["state"] == "done" and found["found"]["pairs"] == 6
    assert found["found"]["touched"] == [CARD] and found["found"]["verdict"] and found["found"]["promises"]
    assert "played" in browser.go(f"{path}?word=lathe").text.split('class="shelf')[1]
    page = unescape(browser.get(f"{path}/report.html").text)
    assert "Inflict 3 corpus." in page and "Inflict 20 corpus." in page and "6 pairs of matches" in page
    assert not re.search(r"(?:src|href)=\"(?!#)|url\((?!\"?(?:#|data:))", page), (
        "it needs something from elsewhere"
    )
    faces = re.findall(r'@font-face \{ font-family: "([^"]+)"; src: url\("data:font/woff2;base64,', page)
    assert set(faces) == {"Inter", "Vollkorn"}, "the typefaces of this game, and no others"
    browser.go(path)
    browser.posts(f"{path}/run", pairs="5000", again="yes")
    browser.posts(f"{path}/stop")
    assert browser.get(f"{path}/run.json").json()["state"] == "stopped"
    assert not server.house._tables


def _over(browser: Browser, path: str) -> dict[str, Any] | None:
    found: dict[str, Any] = browser.get(f"{path}/run.json").json()
    return None if found["going"] else found


def test_a_run_ends_with_its_server(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3"), rooms=("talion.workshop",)) as server:
        browser = Browser(server.url)
        path = begins(browser)
        saves(browser, path, benefit="Inflict 20 corpus.")
        browser.posts(f"{path}/run", pairs="5000")
        wait_for(lambda: browser.get(f"{path}/run.json").json()["state"] == "running", "the run")
        mine = wait_for(_running, "the run's process")
        wait_for(lambda: all(map(_gives_way, mine)), "it to give way to tables")
        clean_up()
    wait_for(lambda: not mine & _running(), "the run's process to end")


def _gives_way(process: str) -> bool:
    """Whether a process works only when this one has nothing to do."""
    mine, its = (os.getpriority(os.PRIO_PROCESS, number) for number in (0, int(process)))
    return its == min(mine + 15, 19)


def _running() -> set[str]:
    """The processes that run a trial for this one."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text().split("\0")
            parent = re.search(r"PPid:\s(\d+)", (folder / "status").read_text())
        except OSError:
            continue
        if "talion.workshop.running" in words and parent and parent[1] == str(os.getpid()):
            found.add(folder.name)
    return found


def test_bad_files_and_unknown_sets_are_refused_in_a_sentence(server: Served) -> None:
    browser = Browser(server.url)
    browser.go("/workshop")
    assert "not valid TOML" in browser.posts("/workshop/sets", game=GAME, file="[[card").text
    browser.go("/workshop")
    bad = '[[card]]\nname = "Bone Lathe"\nbenefit = "Fly."'
    assert browser.posts("/workshop/sets", game=GAME, file=bad).status_code == 400
    assert browser.go("/workshop/sets/tnothing").status_code == 404


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[card]]\nname = 'Bone Lathe'\nx = " + "[" * 5000 + "]" * 5000, "a list in it is too deep"),
        ("[[card]]\nname = 'Bone Lathe'\ncount = " + "9" * 5000, "a number too long"),
        (f"[[card]]\nname = '{'x' * 81}'", "one line of at most 80 letters"),
        ('[[card]]\nname = "a\\nb"', "one line of at most 80 letters"),
        ('[[card]]\nname = "Bone Lathe"\nflavour = "\\u0000"', "a sign in this file that cannot be kept"),
        ("name,benefit,benefit\nBone Lathe,x,y\n", "names benefit twice"),
        ("name,other,other.name\nBone Lathe,x,y\n", "other cannot have both"),
        ('name,benefit\nBone Lathe,"Inflict', "line 1 cannot be read"),
    ],
)
def test_an_odd_file_is_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        read_file(games.find(GAME), text)


def test_a_spreadsheet_is_read_as_programs_write_it_and_reckons_with_nothing() -> None:
    """With a mark at its beginning, semicolons, two brackets within a text; what looks like a formula is a text again."""
    game, row = games.find(GAME), {"name": CARD, "flavour": "=1+1 [[now]]"}
    assert read_file(game, f"\ufeffname;flavour\r\n{CARD};=1+1 [[now]]\r\n") == {"card": [row]}
    written = to_csv([row])
    assert ",'=1+1" in written
    assert read_file(game, written) == {"card": [row]}


def test_sets_and_drafts_outlive_their_server(tmp_path: Path) -> None:
    database = str(tmp_path / "x.sqlite3")
    with served(database, rooms=("talion.workshop",)) as server:
        browser = Browser(server.url)
        path = begins(browser)
        saves(browser, path, benefit="Inflict 4 corpus.")
        saves(browser, path, "Shear Line", benefit="Gnaw the moon.")
        clean_up()
    with served(database, rooms=("talion.workshop",)) as server:
        browser = Browser(server.url)
        assert "Gnaw the moon." in browser.go(f"{path}/card?name=Shear Line").text
        assert "draft: it cannot be read yet" in browser.page.text
        assert file_of(browser, path) == {"card": [{"name": CARD, "benefit": "Inflict 4 corpus."}]}
        clean_up()


@pytest.mark.parametrize(
    ("host", "opened", "behind", "there"),
    [
        ("127.0.0.1", False, (), True),
        ("127.0.0.1", False, ("127.0.0.1",), False),
        ("127.0.0.1", True, ("127.0.0.1",), True),
        ("0.0.0.0", False, (), False),
        ("0.0.0.0", True, (), True),
    ],
)
def test_others_have_the_workshop_only_if_one_opens_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    opened: bool,
    behind: tuple[str, ...],
    there: bool,
) -> None:
    """On this machine alone it is there; who is behind a proxy, or listens outward, opens it with --workshop."""
    rooms: list[tuple[str, ...]] = []

    def run(settings: Settings, level: str, listening: socket.socket) -> None:
        rooms.append(settings.rooms)
        listening.close()

    monkeypatch.setattr(serving, "run_worker", run)
    settings = Settings(database=str(tmp_path / "x.sqlite3"), trusted=behind)
    serving.serve(settings, serving.Launch(host, port=8765, workshop=opened))
    assert rooms == [("talion.workshop",) if there else ()]


def test_without_the_room_there_is_no_workshop(tmp_path: Path) -> None:
    with served(str(tmp_path / "x.sqlite3")) as server:
        browser = Browser(server.url)
        assert browser.go("/workshop").status_code == 404
        assert ">Workshop<" not in browser.go("/").text
    clean_up()


def test_every_game_keeps_a_contract() -> None:
    from talion.lab.balance import Contract

    for game in games.every():
        assert Contract.of(game).promises, game.key


def test_where_one_sentence_can_stand_a_second_is_a_fault() -> None:
    content = games.find(GAME).content()
    row = next(row for row in content.tables["card"] if row.get("reacts_to"))
    _, problems = content.draft({**row, "reacts_to": f"{row['reacts_to']}. {row['reacts_to']}."})
    (problem,) = problems["reacts_to"]
    assert "only one sentence can stand here" in problem


def test_a_draft_reads_what_it_can() -> None:
    content = games.find(GAME).content()
    row = next(row for row in content.tables["card"] if row["name"] == CARD)
    face, problems = content.draft({**row, "benefit": "Inflict 1 corpus. Fly."})
    assert [said.text for said in face.said["benefit"]] == ["inflict 1 corpus"]
    assert list(problems) == ["benefit"]
    with pytest.raises(BadCards):
        games.find(GAME).printed({"card": [{**row, "benefit": "Fly."}]}, "x")


def test_one_run_is_played_at_a_time_and_goes_with_its_set(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one waits until the first has ended."""
    browser = Browser(server.url)
    first, second = (begins(browser).rsplit("/", 1)[1] for _ in range(2))

    async def endless(job: dict[str, Any], toml: str) -> AsyncIterator[dict[str, Any]]:
        yield {"done": 1}
        await asyncio.Event().wait()

    monkeypatch.setattr(runs, "told", endless)

    async def work() -> None:
        playing = runs.Runs(server.house.store, server.house.now)

        async def stands(set_id: str, state: str) -> None:
            while (await playing.of(set_id, "compare")).state != state:  # type: ignore[union-attr]
                await asyncio.sleep(0.01)

        await playing.start(first, "compare", 1, 5, {}, "")
        await stands(first, "running")
        await playing.start(second, "compare", 1, 5, {}, "")
        for _ in range(20):
            await asyncio.sleep(0.01)
            assert (await playing.of(second, "compare")).state == "waiting"  # type: ignore[union-attr]
        await playing.halt(first, "compare")
        await stands(second, "running")
        await playing.stop()

    asyncio.run(asyncio.wait_for(work(), 60))


def test_there_is_a_number_of_sets_that_one_person_can_have(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("talion.workshop.sets.MOST_SETS", 1)
    browser, other = Browser(server.url), Browser(server.url)
    begins(browser)
    browser.go("/workshop")
    refused = browser.posts("/workshop/sets", game=GAME)
    assert refused.status_code == 429 and "remove one first" in refused.text
    begins(other)


def test_nor_more_by_asking_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talion.workshop.sets.MOST_SETS", 3)
    store = Store(str(tmp_path / "x.sqlite3"))
    sets = Sets(store)

    async def work() -> list[Any]:
        asked = [sets.make(GAME, "mine", ("somebody", "Ann"), {}, 0.0) for _ in range(8)]
        return await asyncio.gather(*asked, return_exceptions=True)

    made = asyncio.run(work())
    store.close()
    assert len([one for one in made if isinstance(one, str)]) == 3
    assert len([one for one in made if isinstance(one, Refusal)]) == 5


def test_a_run_ends_with_its_set(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, not only when it looks after itself."""
    ended: list[str] = []

    async def endless(job: dict[str, Any], toml: str) -> AsyncIterator[dict[str, Any]]:
        try:
            yield {"done": 1}
            await asyncio.Event().wait()
        finally:
            ended.append(job["do"])

    monkeypatch.setattr(runs, "told", endless)
    monkeypatch.setattr(runs, "BEAT", 600.0)
    browser = Browser(server.url)
    path = begins(browser)
    saves(browser, path, benefit="Inflict 4 corpus.")
    browser.posts(f"{path}/run")
    wait_for(lambda: browser.get(f"{path}/run.json").json().get("found"), "the run")
    browser.go(path)
    browser.posts(f"{path}/remove", sure="Mine")
    assert ended == ["compare"] and browser.go(path).status_code == 404


@pytest.mark.deep
def test_what_plays_a_run_ends_when_nobody_listens_any_more(tmp_path: Path) -> None:
    """As when its server was killed, which could not end it."""
    cards = tmp_path / "set.toml"
    cards.write_text('[[card]]\nname = "Bone Lathe"\nbenefit = "Inflict 9 corpus."\n', "utf-8")
    job = {"do": "compare", "game": GAME, "seats": 2, "seed": "1", "wanted": 5000, "cards": str(cards)}
    command = [sys.executable, "-m", "talion.workshop.running"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdin and process.stdout
            print(json.dumps(job), file=process.stdin, flush=True)
            assert json.loads(process.stdout.readline())["over"] is False
            process.stdin.close()
            assert process.wait(30) == 0
        finally:
            process.kill()


def test_a_new_card_that_cannot_be_read_is_not_tried(server: Served) -> None:
    browser = Browser(server.url)
    path = begins(browser)
    browser.go(f"{path}/card?like={CARD}&name=Bone Saw")
    form = {"name": "Bone Saw", "like": CARD, "number": number(browser), "do": "save"}
    browser.posts(f"{path}/card", **form, **{"field.benefit": "Inflikt 2 corpus."})
    refused = browser.posts(f"{path}/try", name="Bone Saw")
    assert refused.status_code == 409 and "Bone Saw is a draft" in refused.text


@pytest.mark.parametrize(
    "text",
    [
        "Add 1 card at random from that clone’s hand to your hand.",
        "Choose a clone.\nInflict\n3 corpus.",
        " Inflict  3\u00a0corpus .",
    ],
)
def test_what_phones_and_word_processors_make_of_a_sentence_is_read(text: str) -> None:
    """Round apostrophes, new lines, spaces that do not break: and what comes next is offered after them too."""
    game = games.find(GAME)
    row = next(row for row in game.content().tables["card"] if row["name"] == CARD)
    _, problems = game.content().draft({**row, "benefit": text})
    assert not problems
    begun = "Add 1 card at random from that clone’s ha"
    found = bench.completed(game, game.content(), "benefit", begun, len(begun))
    assert found["next"] and found["unfinished"]
