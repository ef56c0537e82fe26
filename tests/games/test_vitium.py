"""Vitium: what scenarios cannot say."""

import tomllib
from collections import Counter
from typing import Any

import pytest

from talion import bots, games
from talion.games.vitium import rules
from talion.kernel import BadCards, BadOption, Card, Chance, Content, Match
from talion.kernel.content import lay_over

GAME = games.find("vitium")
assert GAME.folder
CONTENT = GAME.content()
TABLES = tomllib.loads((GAME.folder / "cards.toml").read_text("utf-8"))
DECKS = [deck["name"] for deck in TABLES["deck"]]


def laid_over(**changes: Any) -> Content:
    return GAME.printed(lay_over(TABLES, changes, "test"), "test")


def with_card(**card: Any) -> Content:
    """The set with one card more."""
    fields = {
        "name": "Test Card",
        "kind": "location",
        "house": "Drauth",
        "requirement": 0,
        "cost": 100,
        **card,
    }
    return laid_over(card=[fields])


def begun(seats: int = 2, seed: int | str = 0, **options: Any) -> Match:
    """A match after set-up, everybody having picked the first cards."""
    match = Match.new(GAME, seats, seed, options)
    while match.t.turns == 0:
        seat = min(match.pending)
        match.answer(seat, match.options(seat)[0])
    return match


def employ(match: Match, seat: int, name: str) -> Card:
    """Puts an asset into play out of nothing."""
    card: Card = match.t.create(CONTENT.named[name], match.t.bosses[seat].assets)
    rules.reckon(match.t)
    return card


# Tables --------------------------------------------------------------------------------------------------------------


def test_the_sabotage_table():
    """VT-4.3 VT-B1 VT-B2: bands six wide, and 3 for an event without progress."""
    progress = (0, 1, 5, 6, 10, 11, 12, 17, 18, 23, 24, 40)
    assert [rules.threshold_at(p, 7) for p in progress] == [3, 8, 8, 7, 7, 7, 6, 6, 5, 5, 4, 4]
    assert rules.threshold_at(11, 6) == 6


def test_the_risk_table():
    """VT-8.1: by total Influence."""
    match = begun()
    pawn = employ(match, 0, "Street Bruiser")
    found = []
    for total in (0, 2, 3, 4, 5, 7):
        match.t.bosses[0].influence.update(dict.fromkeys(rules.HOUSES, 0), Drauth=total)
        found.append(rules.risk(match.t, 0, pawn))
    assert found == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("pawn", "dealt"),
    [
        ("Breacher Squad", [4, 2, 2]),
        ("Lane Runner", [1, 1, 0]),
        ("Junior Splicer", [1, 0, 1]),
        ("Void Corsair", [1, 3, 1]),
        ("Blockade Gunship", [4, 4, 2]),
        ("Ghost Process", [1, 1, 2]),
        ("Mirror Daemon", [3, 3, 3]),
    ],
)
def test_the_domain_table(pawn: str, dealt: list[int]):
    """VT-14.2 to VT-14.10: combat damage to Planetary, Stellar and Ethereal assets."""
    match = begun()
    card = employ(match, 0, pawn)
    foes = [employ(match, 1, name) for name in ("Ledger Clerk", "Drift Harbor", "Buried Server")]
    assert [rules.combat_damage(match.t, card, foe) for foe in foes] == dealt


@pytest.mark.parametrize(
    ("pawn", "mark", "said"),
    [
        ("Trench Marksman", "Breacher Squad", "3 damage."),
        ("Breacher Squad", "Trench Marksman", "4 damage, dies; 3 back."),
        ("Breacher Squad", "Drift Harbor", "2 damage."),
        ("Breacher Squad", "Breacher Squad", "4 damage; 4 back."),
    ],
)
def test_an_attack_says_on_its_mark_what_it_does(pawn: str, mark: str, said: str):
    """VT-7.12, and VT-15.5: nothing comes back to a Long-Ranged attacker."""
    match = begun()
    cards = employ(match, 0, pawn), employ(match, 1, mark)
    assert GAME.means and GAME.means(match.t, 0, ("attack", *cards)) == said


# Set-up --------------------------------------------------------------------------------------------------------------


def test_set_up_follows_the_characters():
    """VT-5.1 VT-5.3 VT-5.4 VT-5.5 VT-5.7: picks and draws, wealth, Influence; nothing is in play."""
    match = Match.new(GAME, 3, "set-up")
    characters = {character["name"]: character for character in TABLES["character"]}
    picked: dict[int, list[str]] = {0: [], 1: [], 2: []}
    while match.t.turns == 0:
        seat = min(match.pending)
        option = match.options(seat)[-1]
        picked[seat].append(match.t.face(option[1]).name)
        match.answer(seat, option)
    for boss in match.t.bosses:
        character = characters[boss.character]
        assert len(picked[boss.seat]) == character["chosen"]
        hand = Counter(match.t.face(card).name for card in boss.hand)
        assert not Counter(picked[boss.seat]) - hand
        assert len(boss.hand) == character["chosen"] + character["drawn"]
        assert len(boss.hand) + len(boss.deck) == 40
        income = character["income"] if boss.seat == match.t.active else 0
        assert boss.wealth == character["wealth"] + income
        assert {house: n for house, n in boss.influence.items() if n} == character["influence"]
        assert not (boss.assets or boss.underway or boss.ongoing or boss.junkyard)


def test_decks_are_shuffled_after_the_picks():
    """VT-5.6: the same picks, another order of the rest."""
    orders = {
        tuple(begun(seed=seed).t.faces[card] for card in begun(seed=seed).t.bosses[0].deck)
        for seed in range(4)
    }
    assert len(orders) == 4


def test_nobody_else_sees_the_picks():
    """VT-5.3: others know no card of the hand, and not what was picked."""
    match = begun()
    assert match.view(1).bosses[0].hand.known == []
    assert not any(match.t.knows(1, card) for card in match.t.bosses[0].hand)


def test_the_turn_order_is_drawn_and_stays():
    """VT-5.2 VT-B16: every order turns up; it does not change later."""
    assert len({begun(3, seed).t.order for seed in range(40)}) == 6
    match = begun(3)
    order = match.t.order
    for seat in (*order, *order):
        match.answer(seat, ("end",))
    assert match.t.order == order


def test_decks_and_characters_are_chosen_by_option():
    """VT-5.1 VT-B18: any character leads any deck."""
    match = begun(decks="Star and Static,Star and Static", characters="Viktor Nacht,Odile Harrow")
    assert [boss.character for boss in match.t.bosses] == ["Viktor Nacht", "Odile Harrow"]
    for boss in match.t.bosses:
        houses = {match.t.face(card).house for card in (*boss.hand, *boss.deck)}
        assert houses == {"Corvane", "Quillon"}


def test_an_unknown_deck_is_refused():
    with pytest.raises(BadOption, match="no deck Rust"):
        Match.new(GAME, 2, 0, {"decks": "Rust,Iron and Gold"})
    with pytest.raises(BadOption, match="one deck for each"):
        Match.new(GAME, 3, 0, {"decks": "Iron and Gold"})


def test_later_seats_may_start_richer():
    """VT-B72: by option, each later seat has more than the one before."""
    even, richer = begun(3, "b72"), begun(3, "b72", later_seats_wealth=300)
    more = [richer.t.bosses[seat].wealth - even.t.bosses[seat].wealth for seat in even.t.order]
    assert more == [0, 300, 600]


def own_deck(**cards: int) -> dict[str, Any]:
    base = dict(TABLES["deck"][0]["cards"])
    return {"name": "Mine", "character": "Odile Harrow", "cards": {**base, **cards}}


def test_own_decks_are_checked():
    """VT-B17: forty cards, three of a name, one of a Unique name, and cards there are."""
    good = own_deck(**{"Debt Collector": 3, "Foundry Drone": 1})
    match = Match.new(GAME, 2, 0, {"decks": "Mine,Iron and Gold"}, content=laid_over(deck=[good]))
    assert match.t.bosses[0].character == "Odile Harrow"
    for cards, problem in (
        ({"Debt Collector": 3}, "41 cards"),
        ({"Debt Collector": 4, "Foundry Drone": 0}, "4 of Debt Collector"),
        ({"Warlord Kesh Odrane": 2, "Foundry Drone": 1}, "2 of Warlord Kesh Odrane"),
        ({"Nobody": 1}, "Nobody, which is no card"),
    ):
        with pytest.raises(BadCards, match=problem):
            laid_over(deck=[own_deck(**cards)])


# Politics -------------------------------------------------------------------------------------------------------------

KINDS = {
    "negotiate", "purchase", "underway", "attack", "work", "sabotage", "seduce", "act", "use", "complete", "end", "pass",
    "intercept", "consent", "refuse", "accept", "split", "house", "discard", "choose", "player", "take", "take nothing",
    "pay", "skip", "do it", "leave it", "turn ability", "pick",
}  # fmt: skip


def test_there_is_no_way_to_show_give_or_promise_a_card():
    """VT-9.1 VT-9.2 VT-9.3 VT-10.6 VT-B55 VT-B57: talk is talk; the only gift is money."""
    for seed in range(3):
        match = Match.new(GAME, 3, seed)
        chance = Chance.of(seed)
        for _ in range(400):
            if match.over:
                break
            for standing in match.standing.values():
                assert {option[0] for one in standing for option in one.ask.open(match.t)} == {"give"}
            seat = min(match.pending)
            assert {option[0] for option in match.options(seat)} <= KINDS
            match.answer(seat, chance.pick(match.options(seat)))


def test_the_same_receiver_is_not_pressed_for_ever():
    """VT-B54: three refusals, and the next decision opens the offers again."""
    match = begun()
    giver, active = 1 - match.t.active, match.t.active
    for _ in range(3):
        match.answer(giver, ("give", active))
        match.answer(giver, ("amount", 50))
        match.answer(active, ("refuse",))
    assert giver not in match.standing
    match.answer(active, ("end",))
    assert giver in match.standing


@pytest.mark.parametrize(
    ("wealth", "amount"),
    [(1, 1), (2, 1), (21, 20), (37, 19), (1234, 1), (1234, 137), (1999, 1998), (54321, 12345)],
)
def test_any_amount_can_be_given_by_a_few_short_questions(wealth: int, amount: int):
    """VT-10.1 VT-B54: at most a score of options at a time, and every Ç from 1 to all one has."""
    match = begun()
    giver, active = 1 - match.t.active, match.t.active
    match.t.bosses[giver].wealth, before = wealth, match.t.bosses[active].wealth
    match.answer(giver, ("give", active))
    while match.t.bosses[giver].wealth == wealth and giver in match.pending:
        options = match.options(giver)
        assert len(options) <= 22
        ranges = [one for one in options if one[0] == "between" and one[1] <= amount <= one[2]]
        here = ("amount", amount)
        match.answer(giver, here if here in options else ranges[0] if ranges else ("another amount",))
    match.answer(active, ("accept",))
    assert match.t.bosses[active].wealth == before + amount
    assert match.t.bosses[giver].wealth == wealth - amount


def test_a_seat_that_is_gone_agrees_to_nothing():
    """VT-B70: it ends its turns, passes, refuses consent, gifts and Influence."""
    match = begun()
    active, other = match.t.active, 1 - match.t.active
    match.answer(active, ("give", other))
    match.answer(active, ("amount", 50))
    wealth = match.t.bosses[other].wealth
    match.default(other)
    assert match.t.bosses[other].wealth == wealth
    match.default(active)
    assert match.t.active == other


def test_what_is_open_to_all():
    """VT-B71: wealth, Influence, sizes of hands and decks, junkyards; hands and underway cards are not."""
    match = begun(seed="open")
    t = match.t
    card = t.bosses[0].hand[0]
    t.move(card, t.bosses[0].junkyard)
    boss = match.view(None).bosses[0]
    assert boss.wealth == t.bosses[0].wealth
    assert boss.influence == t.bosses[0].influence
    assert (len(boss.hand), len(boss.deck)) == (len(t.bosses[0].hand), len(t.bosses[0].deck))
    assert [card.name for card in boss.junkyard] == [t.face(card).name]
    assert not boss.hand.cards


def test_two_to_six_players():
    """VT-B68."""
    assert GAME.seats == (2, 3, 4, 5, 6)


# Cards ----------------------------------------------------------------------------------------------------------------


def test_all_amounts_are_multiples_of_fifty():
    """VT-B73: costs, rewards, wealth, income."""
    amounts = [face.get(field, 0) for face in CONTENT.faces for field in ("cost", "cint")]
    amounts += [character[field] for character in TABLES["character"] for field in ("wealth", "income")]
    assert all(amount % 50 == 0 for amount in amounts)


def test_every_printed_ability_exhausts_or_happens_of_itself():
    """VT-B76: so none can be used without end."""
    for face in CONTENT.faces:
        for line in rules.printed(face).activated:
            assert line.exhausts or line.by_pawn


def test_the_decks_use_every_card_and_keep_the_rules():
    """VT-B17: three decks of forty, seventy-eight cards, each with a line of flavour."""
    used = {name for deck in TABLES["deck"] for name in deck["cards"]}
    assert used == {face.name for face in CONTENT.faces}
    assert len(used) == 78
    assert all(sum(deck["cards"].values()) == 40 for deck in TABLES["deck"])
    assert all(face.flavour.endswith((".", "?")) for face in CONTENT.faces)


def test_every_keyword_tag_and_domain_is_printed():
    from talion.games.vitium.phrases import KEYWORDS, TAGS

    keywords = {word for face in CONTENT.faces for word in face.get("keywords", ())}
    tags = {
        tag
        for face in CONTENT.faces
        for text in face.get("abilities", ())
        if ":" in text
        for tag in text.split(":")[0].split(", ")
    }
    assert set(KEYWORDS) <= keywords
    assert set(TAGS) <= tags


def test_few_patterns_serve_a_single_card():
    uses = [len(cards) for cards in CONTENT.uses().values()]
    assert uses.count(1) <= 0.4 * len(uses)


@pytest.mark.parametrize(
    "text",
    [
        "Deploy: Each player draws 2 cards.",
        "Deploy: Each other player discards 1 card.",
        "Exhaust: You draw 2 cards. You discard 1 card. You gain 50Ç. You lose 100Ç.",
        "Exhaust: You gain 1 Influence with House Noxley. You lose 1 Influence with a House of your choice.",
        "Turn: Lose 100Ç. Another player gains 100Ç.",
        "Exhaust: Steal 50Ç from another player. Look at another player's hand.",
        "Exhaust: If you have 6 or more total Influence, gain 1 Influence with House Noxley.",
        "Turn: If you have 2 or fewer cards in hand, draw 3 cards.",
        "Exhaust, 150Ç: Put 4 sabotage damage on an opposing event.",
        "Exhaust: Remove 2 sabotage damage from an underway event in your employ.",
        "Exhaust: Remove 3 progress from an opposing underway event.",
        "Maneuver, Exhaust: The acting pawn gets -2 Stealth until the end of the turn.",
        "Deploy: Deal 1 psych-damage to each opposing exhausted Human pawn.",
        "Turn, 100Ç: You may unexhaust a device in your employ.",
        "Sneak: Each opposing pawn can't sabotage.",
        "Each unexhausted Robot pawn in your employ gets +1 Force and +1 Resolve.",
        "Devices you purchase cost 50Ç less. Locations other players purchase cost 150Ç more.",
        "Whenever a pawn in your employ dies, draw 1 card.",
        "Exhaust: Kill an opposing unexhausted pawn with Stealth 1 or less.",
        "Exhaust: Heal 3 damage from another asset in your employ with Resolve 5 or more.",
        "Exhaust: A pawn in your employ and an opposing pawn fight.",
        "Exhaust: Take a gambit from your junkyard.",
        "Exhaust: Return an opposing device to its original boss's hand. If that device dies, lose 50Ç.",
        "Exhaust: Hire an opposing Human pawn until the end of the turn. Unexhaust that pawn.",
        "Each Ship pawn in your employ gains Low Ethereal.",
    ],
)
def test_cards_nobody_has_seen_are_read(text: str):
    """In the words of the phrasebook, and played without a hitch."""
    content = with_card(abilities=[text], resolve=4)
    assert content.named["Test Card"].said["abilities"][0].text.lower() == text.removesuffix(".").lower()
    match = Match.new(GAME, 2, text, content=content)
    chance = Chance.of(text)
    while match.t.turns == 0:
        seat = min(match.pending)
        match.answer(seat, match.options(seat)[0])
    for seat in (0, 1):
        match.t.create(content.named["Test Card"], match.t.bosses[seat].assets)
        match.t.create(content.named["Test Card"], match.t.bosses[seat].hand)
    rules.reckon(match.t)
    for _ in range(250):
        if match.over:
            break
        seat = min(match.pending)
        match.answer(seat, chance.pick(match.options(seat)))


@pytest.mark.parametrize(
    ("card", "problem"),
    [
        ({"abilities": ["Exhaust: Unexhaust that pawn."]}, "before any was marked"),
        ({"abilities": ["Exhaust: Hire the seduced pawn."]}, "without Seduce"),
        ({"abilities": ["The altered card gets +1 Force."]}, "without Alter"),
        ({"abilities": ["A pawn in your employ gets +1 Force."]}, "a lasting rule cannot"),
        ({"abilities": ["Act: Draw 1 card."]}, "only pawns act"),
        (
            {"abilities": ["Draw 1 card."]},
            "while the card is in play.; where it can be said: .* behind a tag",
        ),
        ({"abilities": ["Sneak: Draw 1 card."]}, "behind Sneak alone.; where it can be said"),
        (
            {"abilities": ["Exhaust: Each pawn gets +1 Force."]},
            "behind a tag .*; where it can be said: while",
        ),
        ({"abilities": ["Sabotage: Draw 1 card."]}, "and assets that sneak"),
        ({"abilities": ["Deploy, Maneuver: Draw 1 card."]}, "neither acted nor a maneuver"),
        ({"abilities": ["Sneak, Deploy: Draw 1 card."]}, "neither acts nor is deployed"),
        ({"abilities": ["Exhaust: Deal 2 damage to an event."]}, "only assets can be meant"),
        ({"abilities": ["Exhaust: Put 2 progress on a pawn."]}, "only events can be meant"),
        ({"abilities": ["Each pawn in your employ gains Unique."]}, "nothing the phrasebook knows"),
        ({"keywords": ["Body Guard"]}, "here .location.; where it can be said: pawn"),
        ({"keywords": ["Ongoing"]}, "where it can be said: job, gambit"),
        ({"abilities": ["Exhaust: Draw a bath."]}, "nothing the phrasebook knows"),
        ({"house": "Borgia"}, "house: must be one of"),
        ({"kind": "ship"}, "kind: must be one of"),
        ({"cost": "much"}, "cost: must be a whole number"),
    ],
)
def test_bad_cards_are_refused_in_words(card: dict[str, Any], problem: str):
    with pytest.raises(BadCards, match=problem):
        with_card(**card)


@pytest.mark.parametrize(
    ("card", "problem"),
    [
        ({"abilities": ["Each pawn gets +1 Force."]}, "on an event that is completed.; where it can be said"),
        ({"abilities": ["Exhaust: Draw 1 card."]}, "only those that are Ongoing stay"),
        ({"abilities": ["Turn: Draw 1 card."]}, "only those that are Ongoing stay"),
        ({"abilities": ["Deploy: Draw 1 card."]}, "only assets are, when they are purchased"),
        ({"abilities": ["Sneak, Turn: Draw 1 card."]}, "only assets sneak"),
        ({"keywords": ["Interceptor"]}, "where it can be said: pawn"),
        ({"keywords": ["Alter Pawn"], "kind": "job", "influence": 1, "cint": 100}, "here .job"),
    ],
)
def test_bad_events_are_refused_in_words(card: dict[str, Any], problem: str):
    """Nothing is accepted that never happens."""
    event = {
        "name": "Test Event",
        "kind": "gambit",
        "house": "Drauth",
        "requirement": 0,
        "progress": 3,
    }
    with pytest.raises(BadCards, match=problem):
        laid_over(card=[{**event, **card}])


def test_every_unplayable_card_in_hand_names_its_rule():
    """What cannot be purchased or completed says why, whoever asks."""
    match = begun(seed="why not")
    seat = match.t.active
    match.t.bosses[seat].wealth = 0
    open_to_me = {option[1] for option in match.options(seat) if len(option) > 1}
    closed = {option[1]: rule for option, rule, _ in match.why_not(seat) if option[0] == "purchase"}
    names = {match.t.face(card).name for card in (*open_to_me, *closed)}
    assert names >= {match.t.face(card).name for card in match.t.bosses[seat].hand}
    assert set(closed.values()) <= {"VT-1.3", "VT-1.6", "VT-11.4", "VT-B77"}


# Options that change the rules ------------------------------------------------------------------------------------------


def test_nested_maneuvers_play_to_the_end():
    """VT-B43: each maneuver has a maneuvering step of its own, and matches still end."""
    for seed in range(3):
        match = Match.new(GAME, 3, seed, {"nested": True}, fast=True)
        match.play_out(Chance.of(seed).pick)
        assert match.over


# Bots -----------------------------------------------------------------------------------------------------------------


def played(seed: int | str, names: list[str], **options: Any) -> tuple[Match, Counter[str]]:
    """A match between bots, and how often each kind of answer was given."""
    match = Match.new(GAME, len(names), seed, options)
    players = [bots.make(name, f"{seed}:{seat}") for seat, name in enumerate(names)]
    answers: Counter[str] = Counter()
    while not match.over:
        seat = min(match.pending)
        option = players[seat].choose(bots.Seen(match, seat))
        answers[option[0]] += 1
        match.answer(seat, option)
    return match, answers


@pytest.mark.deep
def test_greedy_beats_random():
    """Four matches, two from each seat."""
    won = 0
    for seed in range(4):
        names = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
        match, _ = played(f"greedy {seed}", names)
        assert match.result is not None
        won += [names[seat] for seat in match.result.winners] == ["greedy"]
    assert won >= 3


def test_bots_give_only_to_those_who_cannot_win_with_it():
    from talion.games.vitium.bot import worth_a_gift

    match = begun(3, "gift")
    t = match.t
    giver, receiver, leader = 0, 1, 2
    t.bosses[leader].influence["Drauth"] = 6
    t.bosses[giver].wealth, t.bosses[receiver].wealth = 1000, 0
    assert worth_a_gift(match.view(giver), receiver)
    assert not worth_a_gift(match.view(giver), leader)
    t.bosses[receiver].influence["Drauth"] = 7
    assert not worth_a_gift(match.view(giver), receiver)


# Large numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.deep
def test_greedy_beats_random_in_85_of_100():
    won = 0
    for seed in range(200):
        names = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
        match, _ = played(f"deep {seed}", names, decks=",".join([DECKS[seed % 3], DECKS[(seed + 1) % 3]]))
        assert match.result is not None
        won += [names[seat] for seat in match.result.winners] == ["greedy"]
    assert won >= 170


@pytest.mark.deep
@pytest.mark.parametrize("pair", [(0, 1), (0, 2), (1, 2)])
def test_no_deck_is_much_stronger_than_another(pair: tuple[int, int]):
    """Between 40 and 60 of 100, seats changed about."""
    won = 0.0
    for seed in range(400):
        decks = [DECKS[pair[seed % 2]], DECKS[pair[1 - seed % 2]]]
        match, _ = played(f"decks {seed}", ["greedy"] * 2, decks=",".join(decks))
        assert match.result is not None
        winners = [decks[seat] for seat in match.result.winners]
        won += winners.count(DECKS[pair[0]]) / len(winners)
    assert 160 <= won <= 240


@pytest.mark.deep
def test_three_decks_at_one_table():
    """No deck below half or above one and a half of its fair share; gifts or splits are accepted in three of ten."""
    wins: Counter[str] = Counter()
    accepted = 0
    for seed in range(300):
        decks = DECKS[seed % 3 :] + DECKS[: seed % 3]
        match, answers = played(f"three {seed}", ["greedy"] * 3, decks=",".join(decks))
        assert match.result is not None
        wins.update(decks[seat] for seat in match.result.winners)
        accepted += answers["accept"] > 0
    assert all(50 <= wins[deck] <= 150 for deck in DECKS)
    assert accepted >= 90


def test_bots_do_not_let_two_courtesans_wake_each_other_for_ever():
    """VT-16.4 allows it; nothing comes of it."""
    match = begun()
    seat = match.t.active
    one, other, squad = (
        employ(match, seat, name) for name in ("Gilded Courtesan", "Gilded Courtesan", "Breacher Squad")
    )
    match.t.exhausted[other] = match.t.exhausted[squad] = True
    ways = {option[3]: option for option in match.options(seat) if option[:2] == ("seduce", one)}
    assert GAME.hint
    hints = {mark: GAME.hint(match.view(seat), ways[mark]) for mark in (other, squad)}
    assert hints == {other: -1.0, squad: 0.0}


def test_an_ability_that_costs_nothing_is_refused() -> None:
    """VT-16.3 It could be used without end, so it would never be offered."""
    pawn = next(row for row in TABLES["card"] if row["kind"] == "pawn")
    tables = lay_over(TABLES, {"card": [{**pawn, "abilities": ["0Ç: Gain 100Ç."]}]}, "mine.toml")
    with pytest.raises(BadCards, match="“0Ç” is no cost"):
        GAME.printed(tables, "mine.toml")
