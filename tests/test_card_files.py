"""Card files that people write: what is wrong with one is said in a sentence, whatever it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talion import games
from talion.kernel import BadCards, Content, Game, Match
from talion.kernel.content import lay_over

ODD: tuple[Any, ...] = (
    5,
    -1,
    1.5,
    10**12,
    "xyz",
    "",
    ".",
    True,
    [5],
    ["xyz"],
    [],
    {},
    {"name": 3},
    {"name": "Other"},
)


OWN = {game.key: game.own_tables() for game in games.every()}


def laid(game: Game, **tables: Any) -> Content:
    return game.printed(lay_over(OWN[game.key], tables, "mine.toml"), "mine.toml")


def misprints(game: Game) -> Iterator[tuple[str, dict[str, Any]]]:
    """One row of each sort with a field changed, one left out, and one that is nothing but a name."""
    sorts = {
        (table, row.get("kind", row.get("type"))): row
        for table, rows in OWN[game.key].items()
        for row in rows
    }
    for (table, _), row in sorts.items():
        for name in row:
            yield table, {**{key: value for key, value in row.items() if key != name}, "name": "New"}
            yield from ((table, {"name": row["name"], name: odd}) for odd in ODD)
        yield table, {"name": "New"}


@pytest.mark.parametrize("key", games.keys())
def test_any_misprint_is_refused_in_a_sentence_or_can_be_played(key: str):
    game = games.find(key)
    refused = 0
    for table, row in misprints(game):
        try:
            content = laid(game, **{table: [row]})
        except BadCards:
            refused += 1
            continue
        match = Match.new(game, 2, 0, content=content, fast=True)
        match.play_out(match.t.chance.fork().pick, 60)
    assert refused > 30


FIXER = {"owner": "Vigilante", "exhaust": "Discard."}


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        ({"card": {"name": "WRATH"}}, "write [[card]], in two brackets, above each card"),
        ({"crad": []}, "[[crad]] is nothing this game prints; it has [[card]]"),
        ({"card": [3]}, "a card has no name"),
        ({"card": [{"name": "WRATH", "count": 1}, {"name": "WRATH"}]}, "card “WRATH” stands there twice"),
        (
            {"card": [{"name": "TURNCOAT", **FIXER}]},
            "two faces are named TURNCOAT: the other end of FIXER and a card",
        ),
        (
            {"card": [{"name": "WRATH", "enter": "Reset all active WRATHS."}]},
            "no card is called WRATHS (did you mean WRATH?)",
        ),
        ({"card": [{"name": "WRATH", "enter": "Reset all NEW ONE."}]}, "no card is called NEW ONE\n"),
        ({"card": [{"name": "WRATH", "action": "."}]}, "card “WRATH”, action: there is no sentence"),
        (
            {"card": [{"name": "SUBVRT", "action": "Take one card."}]},
            "card “SUBVRT” (did you mean SUBVERT?): it needs owner",
        ),
        ({"card": [{"name": "Subvert", "exhaust": "Evidence."}]}, "“Subvert” (did you mean SUBVERT?)"),
        ({"card": [{"name": "ALIBI", "exhaust": "Evidence."}]}, "card “ALIBI”: it needs owner"),
    ],
)
def test_a_file_that_is_no_card_file_is_refused(tables: dict[str, Any], why: str):
    with pytest.raises(BadCards) as refused:
        laid(games.find("engines-of-vengeance"), **tables)
    assert why in str(refused.value)


def test_what_is_left_out_stays_as_it_is_on_the_other_end_too():
    game = games.find("engines-of-vengeance")
    before = game.content().named["TURNCOAT"]
    after = laid(game, card=[{"name": "FIXER", "other": {"exhaust": "Discard."}}]).named["TURNCOAT"]
    assert before.exhaust != after.exhaust == "Discard."
    assert after.fields == {**before.fields, "exhaust": "Discard."}


def test_an_empty_text_takes_a_line_away():
    game = games.find("engines-of-vengeance")
    assert "action" in game.content().named["SUBVERT"].said
    content = laid(game, card=[{"name": "SUBVERT", "action": ""}])
    assert "action" not in content.named["SUBVERT"].said
    Match.new(game, 2, 0, content=content).play_out(lambda options: options[-1], 200)


def test_a_full_stop_in_a_name_ends_no_sentence(tmp_path: Path):
    game = games.find("engines-of-vengeance")
    card = {"name": "NO. 9", "owner": "Vigilante", "exhaust": "Discard."}
    card["enter"] = "Reset all active NO. 9. Rotate one card."
    said = laid(game, card=[card]).named["NO. 9"].said["enter"]
    assert [line.text for line in said] == ["reset all active NO. 9", "rotate one card"]
