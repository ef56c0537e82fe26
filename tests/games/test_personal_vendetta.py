"""Personal Vendetta: what scenarios cannot say."""

import copy
import io
import math
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from talion import bots, games
from talion.kernel import BadCards, BadOption, Content, Match
from talion.terminal import Chair, Terminal
from talion.testing import check

GAME = games.find("personal-vendetta")
CONTENT = GAME.content()
TABLES = tomllib.loads((GAME.folder / "cards.toml").read_text("utf-8")) if GAME.folder else {}


def printed(**card: Any) -> Content:
    """The set with one card more."""
    fields = {"name": "Test Card", "discipline": "mental", "type": "attack", "cost": "1 tick", **card}
    return GAME.printed({"card": [*TABLES["card"], fields]}, "test")


# The set --------------------------------------------------------------------------------------------------------


def test_every_card_has_all_that_a_card_has():
    """PV-3.1 PV-3.3 PV-3.4 PV-3.5: name, one discipline, one type, a cost, an effect, a line of flavour."""
    for face in CONTENT.faces:
        assert face.name and face.flavour.endswith((".", "?"))
        assert face.discipline in ("physical", "mental")
        assert face.type in ("attack", "reaction", "state")
        assert face.said["cost"]
        assert any(face.said.get(part) for part in ("benefit", "penalty", "abilities", "afflictions"))


def test_the_set_is_fifty_cards_in_the_numbers_it_declares():
    """PV-3.2: no two cards share a name. Half are physical, half mental."""
    assert len({face.name for face in CONTENT.faces}) == len(CONTENT.faces) == 50
    assert Counter(face.type for face in CONTENT.faces) == {"attack": 22, "reaction": 12, "state": 16}
    assert Counter(face.discipline for face in CONTENT.faces) == {"physical": 25, "mental": 25}


def test_most_cards_cost_one_tick():
    """PV-4.13: a few cost two, some none; reactions never cost one here."""
    ticks = Counter(
        next((word for word in ("2 ticks", "1 tick") if face.cost.startswith(word)), "none")
        for face in CONTENT.faces
        if face.type != "reaction"
    )
    assert ticks == {"1 tick": 35, "2 ticks": 2, "none": 1}
    assert not any("tick" in face.cost for face in CONTENT.faces if face.type == "reaction")


def test_names_flavour_and_layout_change_nothing():
    """PV-3.2 PV-3.9 PV-3.10: the same match with other names, other flavour, other order on the card."""
    other = copy.deepcopy(TABLES)
    for number, card in enumerate(other["card"]):
        card |= {"name": f"Card {number}", "flavour": ""}
    other["card"] = [dict(reversed(card.items())) for card in other["card"]]
    endings = []
    for content in (CONTENT, GAME.printed(other, "test")):
        match = Match.new(GAME, 3, "layout", content=content, fast=True)
        decisions = match.play_out(lambda options: options[len(options) // 2])
        endings.append((decisions, match.result, match.t.write()["fields"]))
    assert endings[0] == endings[1]


def test_the_phrasebook_serves_many_cards():
    """At most two patterns in five serve a single card."""
    uses = CONTENT.uses()
    single = [pattern for pattern, cards in uses.items() if len(cards) == 1]
    assert len(single) <= 0.4 * len(uses), single


# Cards nobody has seen ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "card",
    [
        {"benefit": "Inflict 2 ticks. Inflict X forgotten cards. Leech 1 tick.", "cost": "1 tick, X states"},
        {"benefit": "Choose a clone. That clone draws 2 cards. That clone discards X+1 cards.", "cost": "X ticks"},
        {"benefit": "Each clone draws 1 card. Each opponent discards 2 cards. Each clone loses 1 state."},
        {"benefit": "Put 2 cards from your forgotten pile on the bottom of your head. Push 2. Pop X.", "cost": "1 tick, X cards"},
        {"benefit": "Add a mental card from your forgotten pile to your hand. Add 2 attacks from your forgotten pile to your hand."},
        {"benefit": "Add an action card from your forgotten pile to your hand.", "penalty": "The active clone loses 1 corpus."},
        {"benefit": "Your hand size is 7 this turn. Takes cost opponents 1 additional corpus this turn."},
        {"benefit": "At the beginning of your next turn, inflict 2 corpus."},
        {"type": "reaction", "reacts_to": "an opponent's take", "benefit": "Push 1. Negate that action."},
        {"type": "reaction", "reacts_to": "your own activated ability", "benefit": "Gain 1 tick."},
        {"type": "reaction", "reacts_to": "an action card", "benefit": "Lose X corpus fewer than printed.", "cost": "X cards"},
        {"type": "attack", "benefit": "Choose a clone. On their next turn, that clone gains 1 fewer ticks. Draw 1 cards."},
        {"type": "state", "abilities": ["Takes cost opponents 1 additional cerebrium."]},
        {"type": "state", "abilities": ["2 forgotten cards, 1 card: Inflict 2 corpus. Draw 1 card."]},
        {"type": "state", "afflictions": ["[double] Whenever a clone activates an ability, that clone loses 1 state."]},
        {"type": "state", "abilities": ["[up] At the end of each opponent's turn, that clone discards 1 card. Pop 1."]},
        {"type": "state", "abilities": ["[up] Whenever an opponent plays a card, leech 1 cerebrium."]},
    ],
    ids=lambda card: str(card.get("benefit") or card.get("abilities") or card.get("afflictions"))[:40],
)  # fmt: skip
def test_a_new_card_in_known_words_is_read_and_played(card: dict[str, Any]):
    """Any card in the words of the phrasebook plays without a line of code."""
    content = printed(count=12, **card)
    for seats in GAME.seats:
        match = Match.new(GAME, seats, "new card", content=content, fast=True)
        chance = match.t.chance.fork()
        match.play_out(chance.pick)
        assert match.over


@pytest.mark.parametrize(
    ("card", "problem"),
    [
        ({"name": "Hush"}, "two faces are named Hush"),
        ({"discipline": "moral"}, "must be one of physical, mental"),
        ({"type": "action"}, "must be one of attack, reaction, state"),
        ({"type": "reaction", "benefit": "Draw 1 card."}, "a reaction needs reacts_to"),
        ({"text": "Draw 1 card."}, "an attack has no text"),
        ({"cost": "1 tick. 2 ticks"}, "only one sentence can stand here"),
        ({"benefit": "That clone loses 1 corpus."}, "Choose a clone"),
        ({"benefit": "Add it to your hand."}, "no card was set aside"),
        ({"benefit": "Set aside the top card of your head."}, "never says what becomes of it"),
        ({"benefit": "Negate that action."}, "where it can be said: reaction."),
        ({"benefit": "Resolve the benefit of that attack."}, "where it can be said: reaction."),
        ({"benefit": "Inflict X corpus."}, "its cost must have an X"),
        (
            {
                "type": "state",
                "cost": "X ticks",
                "abilities": ["[down] At the end of your turn, gain X corpus."],
            },
            "its cost must have an X",
        ),
        (
            {"benefit": "At the beginning of your next turn, negate that action."},
            "where it can be said: reaction.",
        ),
        (
            {"benefit": "You gain 1 additional tick at the start of your turn this turn."},
            "where it can be said: state.",
        ),
        ({"benefit": "Leech 1 card."}, "says nothing the phrasebook knows"),
        ({"benefit": "Inflict three corpus."}, "says nothing the phrasebook knows"),
        ({"benefit": "Draw 01 card."}, "reads back as"),
        ({"type": "state", "abilities": [": Draw 1 card."]}, "says nothing the phrasebook knows"),
        (
            {"type": "state", "abilities": ["That clone gains 1 fewer tick."]},
            "where it can be said: their next turn.",
        ),
        (
            {"type": "state", "abilities": ["[up] At the beginning of your turn, draw 1 card."]},
            "wants the arrow [down]",
        ),
        (
            {"type": "state", "abilities": ["[down] Whenever an opponent takes a card, draw 1 card."]},
            "wants the arrow [up]",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_card_that_makes_no_sense_is_refused(card: dict[str, Any], problem: str):
    """PV-3.2 PV-3.3 PV-3.4 PV-6.12 PV-7.5 PV-13.2 PV-13.4 PV-R16 PV-R40: in one clear sentence."""
    with pytest.raises(BadCards) as refusal:
        printed(**card)
    assert problem in str(refusal.value)


def test_changed_cards_are_laid_over(tmp_path: Path):
    """`--cards FILE`: a card is changed by its name, a new one is added, and both are in play."""
    path = tmp_path / "mine.toml"
    path.write_text(
        '[[card]]\nname = "Bone Lathe"\nbenefit = "Inflict 19 corpus."\n'
        '[[card]]\nname = "Nail"\ndiscipline = "physical"\ntype = "attack"\ncost = "1 tick"\nbenefit = "Inflict 1 corpus."\n',
        "utf-8",
    )
    content = GAME.content(path)
    assert len(content.faces) == 51
    assert content.named["Bone Lathe"].said["benefit"][0].text == "inflict 19 corpus"
    assert Match.new(GAME, 2, 1, cards=path).t.content is content


# Options, undo ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [("first_clone", 2), ("life_cap", 0), ("turn_limit", 0), ("reaction_order", "loudest"), ("speed", 1)],
)
def test_an_option_that_cannot_be_is_refused(option: str, value: Any):
    """PV-R2 PV-R6 PV-R11 PV-R40: the sentence names the option."""
    with pytest.raises(BadOption, match=option):
        Match.new(GAME, 2, 1, {option: value})


@pytest.mark.parametrize(
    "options",
    [
        {"beginning_order": "triggers_then_gain", "leech_gain": "actual"},
        {"reaction_order": "active_first", "targets_on_announce": True},
        {"reaction_order": "first_to_speak", "allow_lethal_payment": False, "life_cap": 20},
    ],
    ids=str,
)
def test_matches_end_under_every_option(options: dict[str, Any]):
    """PV-R1 PV-R6 PV-R11 PV-R14 PV-R16 PV-R19: each ruling may be turned."""
    for seats in GAME.seats:
        for seed in range(10):
            match = Match.new(GAME, seats, f"options:{seed}", options, fast=True)
            match.play_out(match.t.chance.fork().pick)
            assert match.over


def test_without_lethal_payment_nobody_pays_the_last_point():
    """PV-R19: forbidden, not only discouraged."""
    for seed in range(30):
        match = Match.new(GAME, 2, f"lethal:{seed}", {"allow_lethal_payment": False})
        chance = match.t.chance.fork()
        while not match.over:
            seat = min(match.pending)
            for offer in match.view(seat).offers():
                assert offer.grave is None
            match.answer(seat, chance.pick(match.options(seat)))


def test_nothing_is_taken_back_across_hidden_information():
    """PV-R44: a take can be taken back until somebody has answered it; a refreshed headspace never."""
    match = Match.new(GAME, 2, 5, {"first_clone": 0})
    match.answer(0, match.options(0)[0])
    assert match.free_undo(0)
    match.answer(1, ("pass",))
    assert not match.free_undo(0)


@pytest.mark.deep
@pytest.mark.parametrize(
    "options",
    [
        {"reaction_order": "first_to_speak", "targets_on_announce": True},
        {"reaction_order": "active_first", "beginning_order": "triggers_then_gain", "life_cap": 12},
    ],
    ids=str,
)
def test_nothing_leaks_under_the_options_either(options: dict[str, Any]):
    """PV-R36: the whole conformance suite, with other defaults."""
    choices = tuple(replace(one, default=options.get(one.name, one.default)) for one in GAME.choices)
    report = check(replace(GAME, choices=choices), matches=20)
    assert report.ok, "\n".join(report.lines())


# In the terminal ----------------------------------------------------------------------------------------------------


def test_a_deadly_payment_is_warned_of():
    """PV-R19: the option says beforehand that it kills, and the terminal asks again."""
    match = Match.new(GAME, 2, 3, {"first_clone": 0})
    t = match.t
    card = next(card for card in t.head if t.face(card).name == "Bone Lathe")
    t.move(card, t.clones[0].hand)
    t.clones[0].corpus = 1
    match.pending[0].refresh()
    offer = next(offer for offer in match.view(0).offers() if offer.name == "play Bone Lathe")
    assert offer.grave == "Paying 1 corpus kills you before anything else happens."
    answers = iter(["play Bone Lathe", "no", offer.name, "yes"])
    chairs = [Chair("Ann"), Chair("Random", bots.make("random", 1))]
    Terminal(match, chairs, Console(file=io.StringIO()), lambda prompt: next(answers)).play()
    assert match.result is not None
    assert match.result.winners == (1,)


# Balance ----------------------------------------------------------------------------------------------------------


def duel(names: list[str], seed: str) -> Match:
    match = Match.new(GAME, len(names), seed)
    players = [bots.make(name, f"{seed}:{seat}") for seat, name in enumerate(names)]
    while not match.over:
        seat = min(match.pending)
        match.answer(seat, players[seat].choose(bots.Seen(match, seat)))
    return match


def interval(share: float, n: int) -> float:
    """Half the width of the 95 % interval."""
    return 1.96 * math.sqrt(share * (1 - share) / n)


@pytest.mark.deep
def test_greedy_beats_random():
    """In at least 90 % of 400 two-seat matches, half of them from each seat."""
    won = sum(
        duel(
            ["greedy", "random"] if number % 2 else ["random", "greedy"], f"strength:{number}"
        ).result.winners  # type: ignore[union-attr]
        == (1 - number % 2,)
        for number in range(400)
    )
    print(f"greedy beats random in {won / 400:.3f} ± {interval(won / 400, 400):.3f} of 400")
    assert won >= 360


@pytest.mark.deep
def test_greedy_against_itself_is_even_and_neither_short_nor_long():
    """Median of 12 to 25 turns, and each seat wins 43 to 57 %."""
    matches = [duel(["greedy", "greedy"], f"balance:{number}") for number in range(400)]
    turns = sorted(match.t.turn for match in matches)
    share = sum(match.result.winners == (0,) for match in matches) / 400  # type: ignore[union-attr]
    print(f"median {turns[200]} turns; seat 0 wins {share:.3f} ± {interval(share, 400):.3f} of 400")
    assert 12 <= turns[200] <= 25
    assert 0.43 <= share <= 0.57
