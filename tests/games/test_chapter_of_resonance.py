"""A Chapter of Resonance: what scenarios cannot say."""

import copy
import dataclasses
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from talion import bots, games
from talion.kernel import BadCards, BadOption, Chance, Content, Illegal, Match
from talion.testing import check

GAME = games.find("chapter-of-resonance")
CONTENT = GAME.content()
TABLES = tomllib.loads((GAME.folder / "cards.toml").read_text("utf-8")) if GAME.folder else {}


def of(kind: str) -> list[Any]:
    return [face for face in CONTENT.faces if face.kind == kind]


def printed(name: str, **fields: Any) -> Content:
    """The set with other things printed on one card."""
    other = copy.deepcopy(TABLES)
    next(card for card in other["card"] if card["name"] == name).update(fields)
    return GAME.printed(other, "test")


def spell(*sentences: str) -> Content:
    return printed("Spells of Zinnia", texts=[" ".join(sentences), "Draw 1 Herb."])


# The set ----------------------------------------------------------------------------------------------------------------


def test_the_box_holds_what_the_booklet_counts() -> None:
    """CR-2.1 CR-1.6 CR-15.1 CR-15.3 CR-A11: also three types, four Gates, four Vengeances, and a line of flavour each."""
    counts = Counter(
        {kind: sum(face.count for face in of(kind)) for kind in {face.kind for face in CONTENT.faces}}
    )
    assert counts == {
        "ritual": 66, "transient": 18, "artifact": 13, "incantation": 13, "witch": 6, "spell": 6, "demon": 3,
        "solo": 6, "gate": 4, "vengeance": 4,
    }  # fmt: skip
    assert {face.type: face.count for face in of("ritual")} == {"Herb": 26, "Mineral": 22, "Potion": 18}
    assert {face.type: face.count for face in of("transient")} == {"Herb": 7, "Mineral": 6, "Potion": 5}
    assert [face.number for face in of("gate")] == [1, 3, 5, 7]
    assert [face.number for face in of("vengeance")] == [2, 4, 6, 8]
    assert all(face.flavour.endswith((".", "?", "!")) for face in CONTENT.faces)


def test_artifacts_and_incantations_have_thirteen_values() -> None:
    """CR-2.4 CR-2.5"""
    for kind in ("artifact", "incantation"):
        assert sorted(face.value for face in of(kind)) == list(range(1, 14))


def test_six_witches_with_three_vengeances_and_two_gates() -> None:
    """CR-1.4 CR-2.2 CR-A12 CR-A35: Iskra is the sixth; no objective needs more tokens than there are seats."""
    gates = {face.number for face in of("gate")}
    for face in of("witch"):
        assert len(set(face.objectives)) == 5
        assert len(gates.intersection(face.objectives)) == 2
    assert {face.witch for face in of("spell")} == {face.name for face in of("witch")}
    assert "Iskra" in {face.name for face in of("witch")}
    assert max(GAME.seats) == 4


def test_there_is_one_demon_and_no_help_card() -> None:
    """CR-1.3 CR-3.1: the token is a place on the ring that belongs to nobody; nothing else lies before a player."""
    assert not [face for face in CONTENT.faces if "help" in face.kind]
    t = Match.new(GAME, 4, 1).t
    assert t.demon == 1
    assert not hasattr(t.witches[0], "demon")


@pytest.mark.parametrize(
    ("name", "fields", "rule"),
    [
        ("Herb", {"count": 25}, "CR-2.1"),
        ("Spells of Iskra", {"witch": "Zinnia"}, "CR-2.2"),
        ("Gate of Bells", {"number": 7}, "CR-2.3"),
        ("Artifact 9", {"value": 8}, "CR-2.4"),
        ("Incantation 9", {"value": 8}, "CR-2.4"),
        ("Iskra", {"objectives": [1, 2, 3, 4, 5]}, "CR-1.4"),
        ("Spells of Iskra", {"spells": ["One"]}, "CR-6.9"),
        ("Gate of Bells", {"arrows": {"Herb": 6, "Mineral": 3}}, "CR-A55"),
        ("Gate of Bells", {"arrows": {"Herb": 5, "Mineral": 3, "Potion": 1}}, "CR-A55"),
        ("Gate of Bells", {"activated_by": []}, "CR-A55"),
    ],
)
def test_a_set_that_does_not_add_up_is_refused(name: str, fields: dict[str, Any], rule: str) -> None:
    """CR-2.1 CR-2.2 CR-2.3 CR-2.4 CR-2.5 CR-1.4 CR-A55"""
    with pytest.raises(BadCards, match=rule):
        printed(name, **fields)


def test_a_ring_card_that_nothing_leads_to_is_refused() -> None:
    """CR-A55"""
    other = copy.deepcopy(TABLES)
    for card in other["card"]:
        arrows = card.get("arrows", {})
        arrows.update({sort: 5 for sort, to in arrows.items() if to == 2 and card["number"] != 5})
    with pytest.raises(BadCards, match="CR-A55"):
        GAME.printed(other, "test")


# Cards nobody has seen --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Transform this card into 1 Herb or 2 Minerals or 3 Potions.",
        "Transform this card into an Artifact or 2 Herbs.",
        "Choose a Witch. That Witch draws 2 Artifacts. That Witch discards 1 Incantation.",
        "You may choose another Witch. That Witch draws 2 Potions.",
        "You may draw 1 Incantation. At the end of the round, you may change your Spell card.",
        "Play up to 3 Herbs from your hand. Remove up to 2 cards from the center.",
        "Remove 1 Mineral from the center. The Demon moves 2 cards counterclockwise.",
        "The Demon loses 1 Chain. Each Witch draws 1 Potion. Each other Witch discards 2 cards.",
        "Each Witch with the fewest tokens draws 1 card. You discard 1 Artifact.",
        "At the end of the round, the Demon moves 1 card clockwise. Draw 1 card.",
    ],
)
def test_new_spells_in_the_words_of_the_phrasebook_play(text: str) -> None:
    """CR-7.7: every sentence runs, at the tables of random matches."""
    content = spell(text)
    cast = 0

    def pick(options: list[Any]) -> Any:
        nonlocal cast
        new = ("cast", "Painful End")
        cast += new in options
        return new if new in options else chance.pick(options)

    for seed in range(20):
        chance = Chance.of(seed)
        match = Match.new(GAME, 3, seed, content=content, fast=True)
        match.play_out(pick)
        assert match.over
    assert cast > 10


@pytest.mark.parametrize(
    "text",
    [
        "Whenever you draw a Mineral, draw 1 additional Mineral.",
        "Whenever the Demon loses a Chain, each Witch discards 1 card.",
        "If no Ritual Object prevails, the Demon recovers 1 Chain.",
        "Ties are broken in the order Mineral, Herb, Potion.",
    ],
)
def test_new_demons_in_the_words_of_the_phrasebook_play(text: str) -> None:
    """CR-15.2"""
    content = printed("Velketh the Usurer", text=text)
    for seed in range(10):
        match = Match.new(GAME, 2, seed, {"demon": "Velketh"}, content=content, fast=True)
        match.play_out(Chance.of(seed).pick)
        assert match.over


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Draw 2 Frogs.", "nothing the phrasebook knows"),
        ("That Witch draws 1 Herb.", "nobody has chosen"),
        ("Whenever you draw a Herb, draw 1 additional Herb.", "where it can be said: Demon, passive"),
        ("Transform this card into 2 Frogs.", "Frogs"),
        ("Draw 1 Transient Object.", "nothing the phrasebook knows"),
    ],
)
def test_what_a_spell_cannot_say_is_explained(text: str, why: str) -> None:
    with pytest.raises(BadCards, match=why):
        spell(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Draw 1 Herb.", "where it can be said: Spell, Solo card, arrival"),
        ("Ties are broken in the order Potion, Potion, Mineral.", "must name each type once"),
    ],
)
def test_what_a_demon_cannot_say_is_explained(text: str, why: str) -> None:
    with pytest.raises(BadCards, match=why):
        printed("Velketh the Usurer", text=text)


def test_a_card_file_is_laid_over_the_game(tmp_path: Path) -> None:
    """A changed Spell is what the match casts."""
    file = tmp_path / "cards.toml"
    file.write_text(
        '[[card]]\nname = "Spells of Zinnia"\nspells = ["Flood", "Ebb"]\n'
        'texts = ["Transform this card into 9 Potions.", "Draw 1 Mineral."]\n',
        "utf-8",
    )
    face = GAME.content(file).named["Spells of Zinnia"]
    assert face.spells == ["Flood", "Ebb"]
    assert [line.text for line in face.said["texts"]] == [
        "transform this card into 9 Potions",
        "draw 1 Mineral",
    ]
    match = Match.new(GAME, 2, 1, cards=file)
    assert GAME.content(file).fingerprint in match.save()


def test_the_phrasebook_serves_many_cards() -> None:
    """At most two patterns in five serve a single card."""
    uses = CONTENT.uses()
    single = [pattern for pattern, cards in uses.items() if len(cards) == 1]
    assert len(single) <= 0.4 * len(uses), single


# Options, results, refusals -----------------------------------------------------------------------------------------------


def test_a_demon_that_is_not_printed_is_refused() -> None:
    """CR-A36"""
    with pytest.raises(BadOption, match="there is no Demon Bob"):
        Match.new(GAME, 2, 1, {"demon": "Bob"})


def test_without_a_winner_nobody_is_placed_before_anybody() -> None:
    """CR-A48"""
    match = next(match for match in (finished(2, seed) for seed in range(50)) if not match.result.winners)
    assert match.result.places == (1, 1)


def finished(seats: int, seed: int) -> Any:
    match = Match.new(GAME, seats, seed, fast=True)
    match.play_out(Chance.of(seed).pick)
    return match


def in_round_one(seats: int = 2, **options: str) -> Match:
    match = Match.new(GAME, seats, 1, options)
    while not match.t.round:
        match.default(min(match.pending))
    return match


@pytest.mark.parametrize(
    ("option", "rule"),
    [
        (("pass",), "CR-6.3"),
        (("draw", "Incantation"), "CR-6.18"),
        (("play", "Artifact"), "CR-6.8"),
        (("draw", "Artifact"), "CR-6.16"),
        (("draw", "Ritual Objects"), "CR-6.14"),
    ],
)
def test_an_action_that_is_closed_is_refused_by_its_rule(option: tuple[str, ...], rule: str) -> None:
    """Five refusals: the answer changes nothing and names its rule."""
    match = in_round_one()
    t = match.t
    for card in [card for card in t.witches[0].hand if t.face(card).kind == "artifact"]:
        t.move(card, t.removed)
    for pile in (t.herbs, t.minerals, t.potions, t.artifacts):
        t.move_all(pile, t.removed)
    match.pending[0].refresh()
    before = match.save()
    with pytest.raises(Illegal) as refusal:
        match.answer(0, option)
    assert refusal.value.rule == rule
    assert match.save() == before


def test_nobody_sees_who_has_chosen_before_all_have() -> None:
    """CR-6.1 CR-A16: a sealed choice changes nothing for anybody else."""
    match = in_round_one(3)
    before = [match.view(seat).data() for seat in (1, 2, None)]
    for option in match.options(0):
        twin = match.copy()
        twin.answer(0, option)
        assert [twin.view(seat).data() for seat in (1, 2, None)] == before


# The game under other options ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("actions", "race"), ("open_piles", "no"), ("tiebreak", "hand")])
def test_the_game_conforms_with_an_option(name: str, value: str) -> None:
    """CR-A14 CR-A15 CR-A5: the same checks as for the game as it stands."""
    choices = tuple(dataclasses.replace(c, default=value) if c.name == name else c for c in GAME.choices)
    report = check(dataclasses.replace(GAME, choices=choices, _contents={}), matches=2, seconds=10, seats=2)
    problems = [problem for problem in report.problems if "pairs of worlds" not in problem]
    assert not problems, problems


# Bots and the rules -------------------------------------------------------------------------------------------------------


def looked_at(*centre: str, place: int = 1, **options: Any) -> Any:
    """What seat 0 sees in the third round when the Spells are over and these cards lie in the centre."""
    match = Match.new(GAME, 2, "look", {"demon": "none", **options})
    while match.t.round < 3:
        for seat in list(match.pending):
            match.default(seat)
    match.default(0)  # it has chosen, and waits for the other
    t = match.t
    t.move_all(t.centre, t.removed)
    t.stage, t.demon, t.chains = "artifacts", place, 2
    for name in centre:
        pile = {"Herb": t.herbs, "Mineral": t.minerals, "Potion": t.potions}[name]
        t.move(pile[-1], t.centre)
    return match.view(0)


def prospect(*centre: str, **options: Any) -> float:
    return float(GAME.value(looked_at(*centre, **options), 0)) if GAME.value else 0.0


def test_a_bot_breaks_ties_as_the_demon_does():
    """CR-9.4 CR-15.2: level types count as the one that prevails, with Nachtama the other one."""
    herb, potion = prospect("Herb", place=2), prospect("Potion", place=2)
    assert herb != potion
    assert prospect("Herb", "Potion", place=2) == potion
    assert prospect("Herb", "Potion", place=2, demon="Nachtama") == herb


def test_a_bot_knows_that_the_demon_may_walk_by_itself():
    """CR-10.3 CR-15.2: where nothing prevails Ormazhul goes on by one card, and arrives there."""
    here, there = prospect(place=8), prospect(place=1)
    assert here != there
    assert prospect(place=8, demon="Ormazhul") != here
    there = looked_at(place=1)
    there.match.t.chains = 3
    walked = looked_at(place=8, demon="Ormazhul")
    assert GAME.value is not None
    assert GAME.value(walked, 0) == GAME.value(there, 0)


def test_a_bot_looks_where_the_card_is_activated():
    """CR-A1: the card left, or the card reached."""
    origin = [prospect(sort, place=place) for sort in ("Herb", "Mineral", "Potion") for place in (1, 4, 8)]
    other = [
        prospect(sort, place=place, activation_site="destination")
        for sort in ("Herb", "Mineral", "Potion")
        for place in (1, 4, 8)
    ]
    assert origin != other


# Bots -------------------------------------------------------------------------------------------------------------------


def duel(names: list[str], seed: str) -> Match:
    match = Match.new(GAME, len(names), seed)
    players = [bots.make(name, f"{seed}:{seat}") for seat, name in enumerate(names)]
    while not match.over:
        seat = min(match.pending)
        match.answer(seat, players[seat].choose(bots.Seen(match, seat)))
    return match


def winners(match: Match) -> tuple[int, ...]:
    assert match.result is not None
    return match.result.winners


def strength(matches: int) -> tuple[float, float]:
    """What greedy and random win of so many two-seat matches, half from each seat; a shared victory is half."""
    won = [0.0, 0.0]
    for number in range(matches):
        names = ["greedy", "random"] if number % 2 else ["random", "greedy"]
        match = duel(names, f"strength {number}")
        for seat in winners(match):
            won[names[seat] == "random"] += 1 / len(winners(match))
    return won[0], won[1]


def test_greedy_wins_what_is_decided_against_random() -> None:
    """Eight matches: about half end without a winner, hardly one is lost."""
    greedy, random = strength(8)
    assert greedy >= 2
    assert greedy > 2 * random


@pytest.mark.deep
def test_greedy_beats_random() -> None:
    """In at least 65 % of what is decided in 400 matches."""
    greedy, random = strength(400)
    print(f"of 400 matches greedy wins {greedy}, random {random}")
    assert greedy >= 0.65 * (greedy + random)


@pytest.mark.deep
@pytest.mark.parametrize(("seats", "matches"), [(1, 200), (2, 200), (3, 100), (4, 60)])
def test_no_ending_is_nearly_certain(seats: int, matches: int) -> None:
    """Greedy play: victory, a freed Demon, out of rounds, the Rival: none above 90 %."""
    kinds = {"CR-13.5": "CR-13.2", "CR-13.6": "CR-13.1"}
    played = [duel(["greedy"] * seats, f"ending {number}") for number in range(matches)]
    rules = [match.result.rule for match in played if match.result]
    endings = Counter(kinds.get(rule, rule) for rule in rules)
    print(f"{seats} seats, {matches} matches: {dict(endings)}")
    assert max(endings.values()) <= 0.9 * matches


@pytest.mark.deep
def test_every_witch_has_her_share() -> None:
    """600 two-seat matches of greedy bots, to whom all Witches are even: nobody below 60 % or above 150 % of a fair share."""
    won: dict[str, float] = dict.fromkeys((face.name for face in of("witch")), 0.0)
    seen = Counter[str]()
    for number in range(600):
        match = duel(["greedy"] * 2, f"witches {number}")
        names = [match.t.face(witch.witch[0]).name for witch in match.t.witches]
        seen.update(names)
        for seat in winners(match):
            won[names[seat]] += 1 / len(winners(match))
    fair = sum(won.values()) / sum(seen.values())
    shares = {name: won[name] / seen[name] / fair for name in seen}
    print(f"of the fair share: {shares}")
    assert all(0.6 <= share <= 1.5 for share in shares.values())


def test_a_gate_to_which_the_demon_always_returns_ends() -> None:
    """CR-10.3 The effect is dropped when it goes on without end."""
    content = printed("Gate of Cinders", arrival="The Demon moves 8 cards clockwise.")
    for seed in range(5):
        match = Match.new(GAME, 2, seed, content=content, fast=True)
        match.play_out(Chance.of(seed).pick)
        assert match.over
