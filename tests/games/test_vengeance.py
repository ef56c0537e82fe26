"""Vengeance: what scenarios cannot say."""

import tomllib
from collections import Counter
from itertools import combinations_with_replacement
from typing import Any

import pytest

from talion import bots, games
from talion.bots import Seen
from talion.games.vengeance import bot
from talion.games.vengeance.bot import arena_for, arena_of
from talion.games.vengeance.rules.attributes import current
from talion.games.vengeance.rules.fight import named
from talion.games.vengeance.rules.printed import trait
from talion.kernel import BadCards, BadOption, Chance, Content, Match
from talion.kernel.content import lay_over
from talion.picture import picture

GAME = games.find("vengeance")
assert GAME.folder is not None
CONTENT = GAME.content()
TABLES = tomllib.loads((GAME.folder / "cards.toml").read_text("utf-8"))
REGULAR = {2: 12, 3: 12, 4: 16}


def names(match: Match, cards: Any) -> list[str]:
    return [match.t.face(card).name for card in cards]


def printed(table: str = "card", **row: Any) -> Content:
    """The set with one thing changed, or one more."""
    rows = [{**old, **row} if old["name"] == row["name"] else old for old in TABLES[table]]
    if all(old["name"] != row["name"] for old in TABLES[table]):
        rows.append(row)
    return GAME.printed({**TABLES, table: rows}, "test")


# Setting up ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", GAME.seats)
def test_big_bosses_lie_in_the_lower_half(seats: int):
    """VG-1.18 VG-1.19 VG-1.20: the upper half, of which six are on dens, holds regular bosses only."""
    for seed in range(8):
        t = Match.new(GAME, seats, seed).t
        deck = [t.face(den.hidden.top) for den in t.dens] + [t.face(card) for card in reversed(t.boss_deck)]
        half = REGULAR[seats] // 2
        assert not any(face.get("big") for face in deck[:half])
        assert sum(bool(face.get("big")) for face in deck[half:]) == max(3, seats)
        assert len(deck) == REGULAR[seats] + max(3, seats)


def test_an_odd_boss_goes_to_the_lower_half():
    """VG-Q5"""
    content = printed(name="Batoman", count=3)
    t = Match.new(GAME, 4, 0, content=content).t
    told = [card for card in range(len(t.faces)) if ("regular",) in t.know.told.get(card, ())]
    assert len(told) == 17 // 2


@pytest.mark.parametrize("seats", GAME.seats)
def test_everybody_knows_that_the_upper_half_is_regular(seats: int):
    """VG-1.19: a redeal puts no Big Boss on a den, though any regular boss may lie there."""
    match = Match.new(GAME, seats, 1)
    chance = Chance.of("redeal")
    seen = set()
    for _ in range(12):
        world = match.redeal(0, chance)
        hidden = [world.t.face(den.hidden.top) for den in world.t.dens]
        assert not any(face.get("big") for face in hidden)
        seen |= {face.name for face in hidden}
    assert len(seen) > 6


def test_dens_of_three_lie_on_dens_of_four():
    """VG-1.16: eight of one above six of the other, both shuffled."""
    piles = set()
    for seed in range(5):
        t = Match.new(GAME, 2, seed).t
        pile = [t.face(card) for card in reversed(t.den_pile)]
        assert [face.vp for face in pile] == [3] * 8 + [4] * 6
        piles.add(tuple(face.name for face in pile))
    assert len(piles) == 5


def test_two_piles_of_upgrades():
    """VG-1.6: Abilities and Items are shuffled apart."""
    boards = set()
    for seed in range(5):
        match = Match.new(GAME, 2, seed)
        t = match.t
        assert {t.face(card).kind for card in (*t.abilities, *t.ability_pile)} == {"ability"}
        assert {t.face(card).kind for card in (*t.items, *t.item_pile)} == {"item"}
        boards.add(tuple(names(match, (*t.abilities, *t.items))))
    assert len(boards) == 5


def test_heroes_are_random_and_never_the_same_twice():
    """VG-1.10: each with the Montage cards of that hero."""
    seen = set()
    for seed in range(10):
        t = Match.new(GAME, 4, seed).t
        heroes = [hero.name for hero in t.heroes]
        assert len(set(heroes)) == 4
        for hero in t.heroes:
            assert [t.face(card).hero for card in hero.montage] == [hero.name] * 7
        seen |= set(heroes)
    assert len(seen) == 6


def test_heroes_and_the_gang_left_out_can_be_chosen():
    """VG-1.10 VG-Q3"""
    t = Match.new(GAME, 2, 0, {"heroes": "Wren Okafor, Kaja", "without": "Lordz"}).t
    assert [hero.name for hero in t.heroes] == ["Wren Okafor", "Kaja"]
    left = [t.face(card) for card in (*t.boss_deck, *(card for hero in t.heroes for card in hero.draft))]
    assert {face.gang for face in left} == {"Tengu-Kai", "Zuce Clan", "Hell Riders"}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"heroes": "Batman"}, "there is no hero Batman"),
        ({"heroes": "Kaja, Kaja"}, "no hero is played twice"),
        ({"heroes": "Kaja, Wren Okafor, Ilse Kord"}, "too many for 2 seats"),
        ({"without": "Sharks"}, "there is no gang Sharks"),
    ],
)
def test_bad_options_are_refused_in_a_sentence(options: dict[str, Any], why: str):
    with pytest.raises(BadOption, match=why):
        Match.new(GAME, 2, 0, options)


def test_ties_of_the_first_order_are_broken_by_chance():
    """VG-2.13 VG-Q8: two heroes with the same Mind begin in either order."""
    firsts = set()
    for seed in range(60):
        t = Match.new(GAME, 2, seed, {"heroes": "Kaja, Dusk Moreno", "quickstart": True}).t
        minds = {current(t, hero, "Mind").value for hero in t.heroes}
        if len(minds) == 1:
            firsts.add(t.order[0])
    assert firsts == {0, 1}


# What is hidden -------------------------------------------------------------------------------------------------------


def scouted() -> Match:
    """A match in which seat 0 has just scouted a den."""
    match = Match.new(GAME, 2, 4, {"quickstart": True})
    chance = Chance.of("scout")
    while not match.over:
        seat = min(match.pending)
        options = match.options(seat)
        scouting = [option for option in options if option[0] == "scout"]
        match.answer(seat, scouting[0] if scouting else chance.pick(options))
        if scouting:
            return match
    raise AssertionError("nobody scouted")


def test_only_the_scout_knows_the_boss():
    """VG-11.4 VG-11.5 VG-Q68: nobody else's view changes, and nothing can be shown."""
    match = scouted()
    den = next(den for den in match.t.dens if den.scouts)
    (scout,) = den.scouts
    boss = match.t.face(den.hidden.top).name
    number = match.t.dens.index(den)
    assert match.view(scout).dens[number].hidden.cards[0].name == boss
    for other in (1 - scout, None):
        assert match.view(other).dens[number].hidden.cards[0].face is None
        assert match.log(other)[-1].text == f"@{scout} scouts {match.t.face(den.board.top).name}."
    assert not any("show" in option[0] for option in match.options(scout))


def test_search_bots_are_dealt_what_the_scout_knows():
    """VG-11.4: in every world the scout imagines that boss is there; others imagine others."""
    match = scouted()
    den = next(den for den in match.t.dens if den.scouts)
    (scout,) = den.scouts
    number = match.t.dens.index(den)
    chance = Chance.of("worlds")
    bosses = {
        seat: {
            world.t.face(world.t.dens[number].hidden.top).name
            for world in (match.redeal(seat, chance) for _ in range(12))
        }
        for seat in (scout, 1 - scout)
    }
    assert bosses[scout] == {match.t.face(den.hidden.top).name}
    assert len(bosses[1 - scout]) > 1


def test_a_bot_imagines_the_blows_that_the_rules_allow():
    """VG-17.5 VG-17.6 VG-17.7 VG-17.8 VG-17.10 VG-24.2 VG-26.2: every die, wherever a fight has led, whatever is ignored."""
    compared = 0
    for seed in range(4):
        match = Match.new(GAME, 3, f"blows:{seed}")
        chance = Chance.of(f"blows:{seed}")
        while not match.over:
            seat = min(match.pending)
            if match.pending[seat].prompt == "Spend a die":
                for ignored in ((), ("Blockers",), ("Bodyguards",), ("Grunts",)):
                    match.t.ignored = ignored
                    match.pending[seat].refresh()
                    assert imagined(match, seat) == allowed(match, seat)
                    compared += 1
                match.t.ignored = ()
                match.pending[seat].refresh()
            match.answer(seat, chance.pick(match.options(seat)))
    assert compared > 200


def test_what_a_bot_expects_of_a_fight_does_not_hang_on_what_it_was_asked_before(monkeypatch):
    """The same seed gives the same match, whatever else was played in the same process."""
    monkeypatch.setattr(bot, "REMEMBERED", 20)
    match, chance = Match.new(GAME, 2, "asked"), Chance.of("asked")
    while all(ask.prompt != "Spend a die" for ask in match.pending.values()):
        seat = min(match.pending)
        match.answer(seat, chance.pick(match.options(seat)))
    view = match.view(match.t.active)
    fight = view, view.heroes[match.t.active], view.dens[view.attacked]
    rolls = [*combinations_with_replacement(("DOUBLE HIT", "HIT", "MOVE", "SHOT"), 4)]
    answers: list[dict[Any, float]] = []
    for asked in (rolls, rolls[::-1]):
        arena_for.cache_clear()
        arena = arena_of(*fight)
        answers.append({roll: arena.best(view.zone, view.enemies, roll, ()) for roll in asked})
    assert answers[0] == answers[1]


def imagined(match: Match, seat: int) -> set[Any]:
    """Where the hero and the enemies may be after one die, as the bot thinks."""
    view = match.view(seat)
    hero = view.heroes[seat]
    arena = arena_of(view, hero, view.dens[view.attacked])
    dice = tuple(sorted(face for face, _ in view.dice))
    return {(zone, enemies) for zone, enemies, *_ in arena.spent(view.zone, view.enemies, dice, ())}


def allowed(match: Match, seat: int) -> set[Any]:
    """The same by the rules: every option that spends a die, with the enemies it leaves."""
    t, found = match.t, set()
    for verb, *what in match.options(seat):
        if verb == "move":
            found.add((what[0], t.enemies))
        elif verb in ("hit", "double", "shoot"):
            struck = next(enemy for enemy in t.enemies if named(enemy) == tuple(what))
            others = list(t.enemies)
            others.remove(struck)
            damage = struck.damage + (2 if verb == "double" else 1)
            left = damage < trait(t, struck.name).health
            found.add((t.zone, tuple(sorted([*others, struck._replace(damage=damage)] if left else others))))
    return found


def test_ending_is_grave_only_while_a_die_can_be_spent():
    """VG-17.2: nobody is asked twice where End is all that is left."""
    seen = set()
    match = Match.new(GAME, 2, "grave", {"quickstart": True})
    chance = match.t.chance.fork()
    while not match.over and len(seen) < 2:
        seat = min(match.pending)
        offers = {offer.option: offer for offer in match.view(seat).offers()}
        if ("end",) in offers and match.t.dice:
            spent = any(verb in ("move", "hit", "double", "shoot") for verb, *_ in offers)
            assert bool(offers["end",].grave) == spent
            seen.add(spent)
        attacks = [option for option in offers if option[0] == "attack"]
        match.answer(seat, chance.pick(attacks or list(offers)))
    assert len(seen) == 2


def test_montage_sets_are_known_but_not_what_is_laid():
    """VG-8.1 VG-Q85 VG-8.4: all see the seven cards of every hero, until three of them lie face down."""
    match = Match.new(GAME, 2, 2)
    own = sorted(names(match, match.t.heroes[0].montage))
    assert match.view(1).heroes[0].montage.known == own
    assert match.view(None).heroes[0].montage.known == own
    chance = Chance.of("lay")
    while not match.t.heroes[0].plus_two:
        seat = min(match.pending)
        match.answer(seat, chance.pick(match.options(seat)))
    assert match.view(1).heroes[0].montage.known == []
    assert match.view(1).heroes[0].plus_two.known == []


# The course of a match --------------------------------------------------------------------------------------------------


def test_a_montage_has_its_parts_in_order():
    """VG-6.1 VG-6.2: dice are claimed, cards are laid, actions follow, then the order is new."""
    match = Match.new(GAME, 2, 3)
    chance = Chance.of("parts")
    while match.t.turn < 2:
        seat = min(match.pending)
        match.answer(seat, chance.pick(match.options(seat)))
    rules = [line.rule for line in match.log(None)]
    first = {rule: rules.index(rule) for rule in ("VG-7.1", "VG-7.2", "VG-8.10", "VG-6.2", "VG-9.2")}
    assert list(first) == sorted(first, key=lambda rule: first[rule])
    said = {line.text.split(": ")[1].split()[0] for line in match.log(None) if line.rule == "VG-6.2"}
    assert said <= {"Heal", "Upgrade", "Recon"}


@pytest.mark.parametrize("seats", GAME.seats)
def test_matches_end_and_nothing_is_lost(seats: int):
    """VG-Q62: fifty random matches end in time; VP are never lost, every player has six Recon Tokens."""
    for seed in range(50):
        match = Match.new(GAME, seats, f"end {seed}", fast=True)
        decisions = match.play_out(Chance.of(seed).pick)
        assert decisions <= GAME.longest
        t = match.t
        for seat, hero in enumerate(t.heroes):
            placed = sum(seat in den.scouts for den in t.dens)
            assert hero.recon + hero.supply + placed == 6
        assert all(bool(den.board) == (len(den.hidden) + len(den.boss) == 1) for den in t.dens)


@pytest.mark.deep
def test_greedy_beats_random():
    """In nine of ten matches, seats changing."""
    won = 0.0
    for seed in range(200):
        kinds = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
        match = Match.new(GAME, 2, f"duel {seed}")
        players = [bots.make(kind, f"{seed}:{kind}") for kind in kinds]
        while not match.over:
            seat = min(match.pending)
            match.answer(seat, players[seat].choose(Seen(match, seat)))
        assert match.result is not None
        winners = match.result.winners
        won += (kinds.index("greedy") in winners) / len(winners)
    assert won >= 180


# Cards ------------------------------------------------------------------------------------------------------------------


def test_the_set_has_the_numbers_that_the_rulebook_wants():
    """VG-2.2 VG-13.3: nine Vengeance cards a gang, four regular Boss cards and a Big Boss."""
    cards: Counter[tuple[str, str]] = Counter()
    for face in CONTENT.faces:
        if face.kind in ("vengeance", "boss"):
            cards[face.gang, face.kind] += face.count
    assert set(cards.values()) == {9, 5}
    assert Counter(face.vp for face in CONTENT.faces if face.kind == "den") == {2: 6, 3: 8, 4: 6}


def test_the_phrasebook_serves_many_cards():
    """At most two patterns in five serve a single card."""
    uses = CONTENT.uses()
    single = [pattern for pattern, cards in uses.items() if len(cards) == 1]
    assert len(single) <= 0.4 * len(uses), single


@pytest.mark.parametrize(
    "text",
    [
        "Action: deal 1 damage to 1 minion in your zone as a HIT.",
        "Deal 2 damage to 1 enemy in your zone ignoring Bodyguards.",
        "Spend 1 HIT or SHOT and 1 MOVE: deal 1 damage to 1 enemy in your zone or an adjacent zone as a SHOT ignoring Grunts ignoring Bodyguards.",
        "Deal 1 damage to each minion in your zone.",
        "Deal 1 damage to each minion in 1 adjacent zone.",
        "Spend 1 BOSS: gain 1 HIT or SHOT.",
        "Move up to 3 zones, then gain 1 HIT.",
        "Move to an adjacent zone ignoring Blockers.",
        "Before roll: ignore Grunts this round, then ignore Bodyguards this round.",
        "After roll: spend 1 SHOT: reroll up to 3 activation dice.",
        "Cancel 2 BOSS dice.",
        "Cancel all ENEMY die.",
        "Push up to 1 minions from your zone to 1 adjacent zone.",
        "Ready: draw 2 Vengeance cards, then gain 1 wild token.",
        "Ready: gain 2 recon tokens.",
        "Heal 1 Broken, then heal 1 Crazy.",
        "Reaction: prevent up to 2 Hurt, then deal 1 damage to 1 enemy in your zone.",
        "After activation: convert 2 ENEMY or BOSS into 1 DOUBLE HIT.",
    ],
)
def test_a_new_upgrade_in_known_words_is_read_and_played(text: str):
    """Any tile in the words of the phrasebook plays without a line of code."""
    kinds = ("ability",) if text.startswith("After activation") else ("ability", "item")  # VG-Q42
    for kind in kinds:
        content = printed(name="Test Tile", kind=kind, cost=0, count=40, text=text)
        for seed in range(3):
            match = Match.new(GAME, 2, seed, content=content, fast=True)
            match.play_out(Chance.of(seed).pick)
            assert match.over


@pytest.mark.parametrize(
    "special", ["Add 2 Speed.", "Gain 2 Upgrade points, then heal 1 Hurt.", "Gain 2 recon tokens."]
)
def test_a_new_special_is_read_and_played(special: str):
    """VG-8.15"""
    content = printed(name="Blade Drills", special=special)
    match = Match.new(GAME, 2, 0, {"heroes": "Kaja"}, content=content, fast=True)
    match.play_out(Chance.of(0).pick)
    assert match.over


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"name": "Veteran", "text": "Convert 1 MOVE into 1 KICK."}, "Veteran"),
        ({"name": "Veteran", "text": "Win the match."}, "says nothing the phrasebook knows"),
        ({"name": "Batoman: the bat", "vp": [9]}, "must show the same VP"),
        ({"name": "Batoman: the bat", "boss": "Joker"}, "there is no boss Joker"),
        ({"name": "Batoman", "gang": "Sharks"}, "there is no gang Sharks"),
        ({"name": "Batoman", "entourage": ["Ninja"]}, "there is no minion Ninja"),
        ({"name": "Back Alley", "doors": ["AB"]}, "some zones cannot be reached"),
        ({"name": "Back Alley", "entry": "Z"}, "there is no zone Z"),
        ({"name": "Back Alley", "vp": 3}, "there must be 6 dens worth 2 VP"),
        ({"name": "Blade Drills", "hero": "Nobody"}, "there is no hero Nobody"),
        ({"name": "Batoman: the bat", "count": 1}, "9 Vengeance cards each"),
        ({"name": "New", "kind": "spell"}, "kind: must be one of"),
    ],
)
def test_a_bad_card_is_refused_in_a_sentence(row: dict[str, Any], why: str):
    with pytest.raises(BadCards, match=why):
        printed(**row)


def test_a_bad_track_is_refused_in_a_sentence():
    with pytest.raises(BadCards, match="is no position of a track"):
        printed("hero", name="Kaja", mind=["4X"])


# The terminal -------------------------------------------------------------------------------------------------------------


def test_a_den_is_drawn():
    """The zones stand from the entry to the boss, with who is there, the hero and the doors."""
    match = Match.new(GAME, 2, 3, {"quickstart": True})
    chance = Chance.of("draw")
    while not (match.t.zone and match.t.round == 1):
        seat = min(match.pending)
        match.answer(seat, chance.pick(match.options(seat)))
    drawn = "\n".join(picture(match.view(0), ["Anna", "Ben"]))
    t = match.t
    den = t.face(t.den.board.top)
    boss = t.face(t.den.boss.top)
    assert f"{den.name}, round 1 of 3." in drawn
    assert f"-- {den.entry} entry" in drawn and f"-- {den.boss_zone} boss" in drawn
    assert f"> {('Anna', 'Ben')[t.active]}" in drawn
    assert f"{boss.name} {boss.health} of {boss.health}" in drawn


def said_on(**fields: Any) -> str:
    """What is wrong with a card that says this; nothing, if it can be played."""
    row = {"name": "Odd One", **({"cost": 1} if "text" in fields else {}), **fields}
    try:
        GAME.printed(lay_over(TABLES, {"card": [row]}, "mine.toml"), "mine.toml")
    except BadCards as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize(
    ("fields", "said", "here", "there"),
    [
        ({"text": "Prevent up to 2 Hurt."}, "prevent up to 2 Hurt", "an upgrade, Action", "Reaction"),
        ({"text": "Before roll: gain 1 HIT."}, "gain 1 HIT", "Before roll", "After roll, Action, After activation"),
        ({"text": "Reaction: spend 1 MOVE: heal 1 Hurt."}, "1 MOVE", "Reaction", "After roll, Action, After activation"),
        ({"text": "Ready: deal 1 damage to 1 enemy in your zone."}, "deal 1 damage to 1 enemy in your zone", "Ready", "Before roll, After roll, Action, After activation, Reaction"),
        ({"text": "Add 2 Speed."}, "add 2 Speed", "an upgrade, Action", "Montage"),
        ({"text": "After roll: ignore Run damage this round."}, "ignore Run damage this round", "After roll", "Before roll"),
        ({"text": "Heal 1 Hurt, then suffer 1 Hurt."}, "suffer 1 Hurt", "an upgrade, Action", "a Vengeance card"),
    ],
)  # fmt: skip
def test_an_upgrade_says_what_fits_its_moment(fields: dict[str, str], said: str, here: str, there: str):
    problem = said_on(kind="ability", **fields)
    assert problem.endswith(f"text: “{said}” cannot be said here ({here}); where it can be said: {there}.")


@pytest.mark.parametrize(
    "words", ["Deal 1 damage to 1 enemy in your zone.", "Gain 1 HIT.", "Ready: gain 1 wild token."]
)
def test_a_montage_card_speaks_of_nothing_outside_its_montage(words: str):
    montage = {"kind": "montage", "hero": "Kaja", "speed": 1, "heal": 1, "special": words}
    assert "special: " in said_on(**montage) and "cannot be said here (Montage)" in said_on(**montage)


def test_a_vengeance_card_makes_suffer_and_nothing_else():
    card = {"kind": "vengeance", "boss": "Batoman", "gang": "Tengu-Kai", "vp": [2, 3, 5]}
    assert not said_on(**card, suffer="Suffer 1 Hurt.")
    assert "cannot be said here (a Vengeance card)" in said_on(**card, suffer="Gain 1 HIT.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Cancel all MOVE dice.", "this says nothing the phrasebook knows"),
        ("Gain 21 HIT.", "no number on a card is larger than 20"),
        ("Deal 1 damage to each enemy 2 to 1 zones away.", "“2 to 1 zones away” names the farthest first; write 1 to 2."),
    ],
)  # fmt: skip
def test_what_no_upgrade_can_say(text: str, why: str):
    assert why in said_on(kind="ability", text=text)


def test_an_item_has_no_moment_after_the_activation():
    assert said_on(kind="item", text="After activation: gain 1 HIT.").endswith("(VG-Q42).")
    assert not said_on(kind="ability", text="After activation: gain 1 HIT.")


def test_a_den_without_wild_tokens_is_opened():
    den = {
        "name": "Attic",
        "kind": "den",
        "vp": 2,
        "entry": "A",
        "boss_zone": "A",
        "doors": [],
        "zones": {"A": []},
    }
    row = {"name": "Back Alley", "count": 0}
    tables = lay_over(TABLES, {"card": [den, row]}, "mine.toml")
    match = Match.new(GAME, 2, 0, content=GAME.printed(tables, "mine.toml"), fast=True)
    match.play_out(Chance.of(0).pick)
    assert match.over


@pytest.mark.parametrize(
    ("kind", "power", "there"),
    [
        ("minion", "When killed: deals 2 damage to the hero.", "boss"),
        ("minion", "Items cannot be used in its zone.", "boss"),
        ("gang", "Deals 2 damage when activated.", "minion, boss"),
    ],
)
def test_an_enemy_says_what_is_true_of_its_kind(kind: str, power: str, there: str):
    health = {"health": 1} if kind == "minion" else {}
    assert said_on(kind=kind, power=power, **health).endswith(f"where it can be said: {there}.")
