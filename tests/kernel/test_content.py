"""A match carries its content: it goes on with the cards it began with, whatever is installed meanwhile."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.kernel import BadCards, BadRecord, Chance, Content, Game, Match, Outdated
from talion.kernel.record import digest, parse

RECORDS = Path(__file__).parent / "records"
KEYS = games.keys()
Tables = dict[str, Any]


def with_tables(game: Game, tables: Tables, version: int | None = None) -> Game:
    """The same game in a release that prints other cards."""
    return replace(
        game,
        folder=None,
        tables=tables,
        version=version or game.version,
        _contents={},
    )


def half_played(game: Game, content: Content | None = None, seed: int = 3, answers: int = 40) -> Match:
    match = Match.new(game, game.seats[-1], seed, content=content)
    match.play_out(Chance.of(seed).pick, answers)
    assert not match.over
    return match


# Changed releases ----------------------------------------------------------------------------------------------------


def added(tables: Tables, at: int) -> None:
    """Another card at the top, like one that is there."""
    row = copy.deepcopy(tables["card"][at])
    row["name"] = "A Newcomer"
    for value in row.values():
        if isinstance(value, dict) and "name" in value:
            value["name"] = "A Newcomer's Other End"
    tables["card"].insert(0, row)


def removed(tables: Tables, at: int) -> None:
    del tables["card"][at]


def renamed(tables: Tables, at: int) -> None:
    """A card has another name, wherever it is named."""
    name = tables["card"][at]["name"]
    text = json.dumps(tables, ensure_ascii=False).replace(json.dumps(name, ensure_ascii=False), '"Otherwise"')
    tables.update(json.loads(text))


def repriced(tables: Tables, at: int) -> None:
    """A number on a card is another, or there is one more copy of it."""
    row = tables["card"][at]
    number = next(
        (key for key, value in row.items() if type(value) is int and key in ("cost", "value", "count")), None
    )
    if number:
        row[number] += 1
    elif "cost" in row:
        row["cost"] = "5 ticks"
    else:
        row["count"] = 7


def other_release(game: Game, change: Callable[[Tables, int], None]) -> Game:
    """A release of the game whose printed cards are changed, and whose rules take any."""
    for at in range(len(game.own_tables()["card"])):
        tables = copy.deepcopy(game.own_tables())
        change(tables, at)
        other = with_tables(replace(game, validate=None), tables)
        try:
            other.content()
        except BadCards:  # another card speaks of this one
            continue
        return other
    raise AssertionError("no card of this game can be changed so")


@pytest.mark.parametrize("change", [added, removed, renamed, repriced])
@pytest.mark.parametrize("key", KEYS)
def test_a_match_goes_on_under_other_printed_cards(key: str, change: Callable[[Tables, int], None]) -> None:
    game = games.find(key)
    match = half_played(game)
    release = other_release(game, change)
    assert release.content().fingerprint != game.content().fingerprint
    kept = {match.content.fingerprint: match.content.text}
    for written_out in (False, True):
        brought = Match.load(match.save(written_out=written_out), lambda key: release)
        text = match.save(written_out=written_out, content=False)
        known = Match.load(text, lambda key: release, known=kept.get)
        for again in (brought, known):
            assert again.content.fingerprint == match.content.fingerprint
            assert again.t.write() == match.t.write()
            for seat in (*range(match.seats), None):
                assert again.view(seat).data() == match.view(seat).data()
                assert again.log(seat) == match.log(seat)
            again.play_out(Chance.of(5).pick, 30)
        with pytest.raises(Outdated, match="other cards"):
            Match.load(text, lambda key: release)


@pytest.mark.parametrize("key", KEYS)
def test_under_other_rules_a_match_goes_on_from_its_state(key: str) -> None:
    game = games.find(key)
    match = half_played(game)
    newer = replace(game, version=game.version + 1, _contents={})
    with pytest.raises(Outdated, match=f"version {game.version} of"):
        Match.load(match.save(), lambda key: newer)
    again = Match.load(match.save(written_out=True), lambda key: newer)
    assert again.t.write() == match.t.write()
    assert again.play_out(Chance.of(1).pick, 20)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda head: head["state"]["fields"].update(gone=1),
        lambda head: head["state"]["fields"].update(box=[]),
        lambda head: head["step"].__setitem__(0, "no_step_at_all"),
    ],
    ids=["a field is gone", "a card has no place", "a step is gone"],
)
@pytest.mark.parametrize("key", KEYS)
def test_a_state_that_other_rules_cannot_read_is_outdated(key: str, spoil: Callable[[Any], None]) -> None:
    game = games.find(key)
    newer = replace(game, version=game.version + 1, _contents={})
    match = half_played(game)
    if not match.state_at_step().box:
        match.t.create(match.content.faces[0], match.t.box)
        match = Match.at(match.t, *match.step)
    lines = match.save(written_out=True).splitlines()
    head = {name: json.loads(line.split(": ", 1)[1]) for line in lines for name in ("state", "step") if line.startswith(f"{name}: ")}  # fmt: skip
    spoil(head)
    spoilt = [next((f"{n}: {json.dumps(v)}" for n, v in head.items() if line.startswith(f"{n}: ")), line) for line in lines]  # fmt: skip
    with pytest.raises(Outdated, match="cannot go on with it"):
        Match.load("\n".join(spoilt), lambda key: newer)


# Fingerprints --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_flavour_is_outside_the_fingerprint_and_every_other_field_inside(key: str) -> None:
    game = games.find(key)
    tables = copy.deepcopy(game.own_tables())
    row = tables["card"][0]
    row["flavour"] = "Another mood."
    content = with_tables(game, tables).content()
    assert content.fingerprint == game.content().fingerprint and content.text != game.content().text
    assert content.changes(game.content()) == []
    repriced(tables, 0)
    assert (
        with_tables(replace(game, validate=None), tables).content().fingerprint != game.content().fingerprint
    )


@pytest.mark.parametrize("key", KEYS)
def test_content_is_a_text(key: str) -> None:
    game = games.find(key)
    content = game.content()
    again = replace(game, tables={}, folder=None, _contents={None: content}).content_of(content.text + " ")
    assert again.fingerprint == content.fingerprint and again is not content
    assert [face.name for face in again.faces] == [face.name for face in content.faces]
    assert game.content_of(content.text) is content


def test_a_text_that_is_no_content_is_refused() -> None:
    for text in ("", "{", "[]", '{"card": 3}', '{"card": [{"cost": 3}]}'):
        with pytest.raises(BadCards):
            games.find(KEYS[0]).content_of(text)


# Changed cards -------------------------------------------------------------------------------------------------------

CHANGES = """
[[card]]
name = "{0}"
{1}
[[card]]
name = "Spiteful Aunt"
{2}
"""


def changed_vendetta(folder: Path) -> tuple[Game, Path, str]:
    game = games.find("personal-vendetta")
    face = next(face for face in game.content().faces if face.type == "attack" and face.get("cost"))
    file = folder / "mine.toml"
    new = 'discipline = "mental"\ntype = "attack"\ncost = "1 tick"\nbenefit = "Inflict 2 corpus."'
    file.write_text(CHANGES.format(face.name, 'cost = "3 ticks"', new), encoding="utf-8")
    return game, file, face.name


def test_a_file_brings_changed_cards_and_stays_small(tmp_path: Path) -> None:
    game, file, name = changed_vendetta(tmp_path)
    match = half_played(game, game.content(file))
    text = match.save()
    assert len(text) - len(half_played(game).save()) < 1500
    file.unlink()
    again = Match.load(text, games.find)
    assert again.content.named[name].cost == "3 ticks" and "Spiteful Aunt" in again.content.named
    assert again.view(0).data() == match.view(0).data()


def test_changes_are_said_in_words(tmp_path: Path) -> None:
    game, file, name = changed_vendetta(tmp_path)
    was = game.content().named[name].cost
    changed, new = game.content(file).changes()
    assert changed.words() == [f'{name}: cost was "{was}", is "3 ticks".']
    assert (new.name, new.before, new.words()) == ("Spiteful Aunt", None, ["Spiteful Aunt is new."])
    assert [one.words() for one in game.content().changes(game.content(file))][-1] == [
        "Spiteful Aunt is gone."
    ]


def test_a_card_file_that_was_edited_is_read_again(tmp_path: Path) -> None:
    game, file, name = changed_vendetta(tmp_path)
    before = game.content(file)
    assert game.content(file) is before
    file.write_text(file.read_text("utf-8").replace("3 ticks", "4 ticks"), encoding="utf-8")
    assert game.content(file).named[name].cost == "4 ticks"


def test_damaged_content_is_one_sentence() -> None:
    game = games.find("personal-vendetta")
    other = other_release(game, removed)
    lines = half_played(game).save().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("content: "))
    for damaged in ("content: xyz", lines[at][:-40], "content: "):
        with pytest.raises(BadRecord, match="damaged"):
            Match.load("\n".join([*lines[:at], damaged, *lines[at + 1 :]]), lambda key: other)
    elsewhere = half_played(other).save().splitlines()
    foreign = next(line for line in elsewhere if line.startswith("content: "))
    with pytest.raises(BadRecord, match="not those it was played with"):
        Match.load("\n".join([*lines[:at], foreign, *lines[at + 1 :]]), lambda key: other)


# Format 1 ------------------------------------------------------------------------------------------------------------


def test_a_match_of_format_1_is_replayed_with_its_digests() -> None:
    text = (RECORDS / "leduc.match").read_text("utf-8")
    game = games.find(str(Path(__file__).parents[2] / "examples" / "leduc.py"))
    match = Match.load(text, lambda key: game)
    assert match.over and parse(text).format == 1 and "digest" in text
    with pytest.raises(BadRecord, match="another way"):
        Match.load(text.replace("digest ", "digest 0"), lambda key: game)


@pytest.mark.parametrize("key", KEYS)
def test_a_running_match_of_format_1_goes_on(key: str) -> None:
    """Its cards are kept under the fingerprint it names. If this fails, the game's rules have changed: raise its version."""
    text = (RECORDS / f"{key}.state").read_text("utf-8")
    cards = (RECORDS / f"{key}.cards.json").read_text("utf-8").strip()
    try:
        match = Match.load(text, games.find, known=lambda fingerprint: cards)
    except Outdated:
        assert games.find(key).version > 1
        return
    assert '"faces": [' in text and '"faces": {' in match.save(written_out=True)
    again = Match.load(match.save(written_out=True), games.find)
    assert digest(again.t) == digest(match.t)
    assert match.play_out(Chance.of(1).pick, 50)
