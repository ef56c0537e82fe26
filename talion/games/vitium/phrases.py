"""What the cards' sentences mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from talion.kernel import About, Add, Asking, Card, Face, Option, Phrasebook, Play, Said

from . import rules
from .rules import ASSETS, CLASSES, EVENTS, HOUSES, STATS, Change, Table, look

OF_PAWNS = ("Long-Ranged", "Interceptor", "Body Guard", "Patrol Guard", "Political Immunity")
OF_ASSETS = (
    "Notorious", "Tormenting", "Hardened", "Elusive",
    "Stowaway", "Hacker", "Starborn", "Starworthy", "Etherial", "Low Etherial",
)  # fmt: skip
IN_PROGRESS = ("underway event", "event")
SPELT = {"Ethereal": "Etherial", "Low Ethereal": "Low Etherial"}
KEYWORDS = (*OF_PAWNS, *OF_ASSETS, "Unique", "Ongoing", "Maneuver")
TAGS = ("Act", "Exhaust", "Seduce", "Deploy", "Turn", "Sabotage", "Maneuver", "Sneak")

book = Phrasebook()
book.words("tag", {tag: tag.lower() for tag in TAGS})
book.words("pawn_word", OF_PAWNS)
book.words("asset_word", {**{word: word for word in (*OF_ASSETS, "Unique")}, **SPELT})
book.words("event_word", ("Ongoing",))
book.words("any_word", ("Maneuver",))
book.words("trait", {**{word: word for word in (*OF_PAWNS, *OF_ASSETS)}, **SPELT})
book.words(
    "host", {**{kind.title(): kind for kind in (*ASSETS, "asset")}, **{name: name for name in CLASSES}}
)
book.words("named_house", {f"House {house}": house for house in HOUSES})
book.words("stat", {stat.title(): stat for stat in STATS})
book.words("sign", {"+": 1, "-": -1})
book.words("type", (*ASSETS, "asset", *IN_PROGRESS))
book.words("self", ("pawn", "card", "asset", "location", "device"))
book.words(
    "adjective", {"opposing": "opposing", "exhausted": True, "unexhausted": False, **{c: c for c in CLASSES}}
)
book.words("bound", {"less": -1, "more": 1})
book.words("gain", {"gain": 1, "lose": -1})
book.words("gains", {"gains": 1, "loses": -1})
book.words("tire", {"exhaust": True, "unexhaust": False})
book.words("damage", {"damage": "phys", "phys-damage": "phys", "psych-damage": "psych"})
book.words("counter", {"progress": "progress", "sabotage damage": "sabotage"})
book.words("kind", (*ASSETS, "asset", "job", "gambit", "event"))
book.words("pile", ("deck", "junkyard"))
book.words("wares", {"Pawns": "pawn", "Assets": "asset", "Locations": "location", "Devices": "device"})
book.words("buyer", {"you": "you", "other players": "others"})
book.words("dearer", {"less": -1, "more": 1})
book.words("verb", ("attack", "work", "sabotage", "act"))
book.synonyms(
    "Ç credit money coin gold",
    "pawn minion character",
    "boss player",
    "employ control",
    "junkyard discard graveyard",
)


# Keywords, tags, lines -------------------------------------------------------------------------------------------------


@book.phrase("keyword", "{word:pawn_word}", said_in=("pawn",))
@book.phrase("keyword", "{word:asset_word}", said_in=ASSETS)
@book.phrase("keyword", "{word:event_word}", said_in=EVENTS)
@book.phrase("keyword", "{word:any_word}")
def keyword(play: Play, word: str) -> tuple[str, str]:
    """VT-15.18 A keyword."""
    return "word", word


@book.phrase("keyword", "Alter {what:host}", "Alters {what:host}", said_in=(*ASSETS, "gambit"))
def alter(play: Play, what: str) -> tuple[str, str]:
    """VT-11.4 It is played on a card of that type or class."""
    return "alter", what


@book.phrase("keyword", "Sworn to {house:named_house}")
def sworn(play: Play, house: str) -> tuple[str, str]:
    """VT-15.16 Influence with that House serves as well."""
    return "sworn", house


def for_nothing(said: Said) -> str | None:
    """VT-16.3 What costs nothing would be done without end, so nothing lets it be done."""
    return None if said.constant["n"] else "is no cost; an ability that is used needs one."


@book.phrase("tag", "{n:number}Ç", wrong=for_nothing)
def money(play: Play, n: int) -> int:
    """VT-16.3 A cost in Ç."""
    return n


IN_PLAY = "while the card is in play"
UNDERWAY = "behind Sneak alone"
COMPLETED = "on an event that is completed"
TAGGED = "behind a tag such as Exhaust or Deploy"


def said_in(face: Face, field: str) -> tuple[str, ...]:
    """VT-2.1 The kind of card; for its lines, also whether it is an event that stays in play."""
    keywords = face.get("keywords", ()) if field == "abilities" else ()
    stays = any(word == "Ongoing" or word.startswith("Alter") for word in keywords)
    return (face.kind, IN_PLAY) if stays else (face.kind,)


def when_said(line: Said, card: tuple[str, ...]) -> tuple[str, ...]:
    """VT-16.14 When the sentences of a line are said: as its tags have it."""
    tags = [tag.text for tag in line.filled.get("tags", ())]
    if tags:
        return (UNDERWAY,) if tags == ["Sneak"] else (TAGGED,)
    return (IN_PLAY,) if card[0] in ASSETS else (COMPLETED, *card[1:])


@book.phrase("line", '{tags:tag+", "}: {then:ability+". "}', '{then:ability+". "}', opens=when_said)
def line(play: Play, then: list[Said], tags: Sequence[Any] = ()) -> None:
    """VT-16.14 Tags, and the sentences behind them, each of which is carried out by itself."""


@book.ability("{do:effect}", said_in=(COMPLETED, TAGGED))
def once(play: Play, do: Said) -> None:
    """VT-7.20 Something done when the line is used, happens, or is completed."""


@book.ability("{holds:static}", said_in=(IN_PLAY, UNDERWAY))
def lasting(play: Play, holds: Said) -> None:
    """VT-B37 A rule that holds while its card is in play (or underway, if it sneaks)."""


@book.ability("whenever {when:trigger}, {then:effect}", said_in=(IN_PLAY, UNDERWAY))
def whenever(play: Play, when: Said, then: Said) -> Asking:
    """VT-B80 Something that follows an event."""
    yield from then.run(play)


def of_assets(said: Said) -> str | None:
    """Events have neither stats nor damage."""
    return "speaks of an event; only assets can be meant." if types_in(said) & set(IN_PROGRESS) else None


def of_events(said: Said) -> str | None:
    """Assets have neither progress nor sabotage damage."""
    return "speaks of an asset; only events can be meant." if types_in(said) - set(IN_PROGRESS) else None


def types_in(said: Said) -> set[str]:
    """The types of card that the phrases inside name."""
    return {part.filled["type"].value for part in said.below() if "type" in part.filled}


# Which cards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class What:
    """A description of cards in play."""

    type: str
    adjectives: tuple[Any, ...] = ()
    employed: bool = False
    stat: str = ""
    limit: int = 0
    bound: int = 0

    def fits(self, play: Play, card: Card) -> bool:
        t = play.t
        return (
            (not self.employed or rules.boss_of(t, card) == play.you)
            and all(described_as(play, card, word) for word in self.adjectives)
            and (not self.stat or within(getattr(t, f"{self.stat}_now")[card], self))
        )

    def found(self, play: Play) -> list[Card]:
        """The cards in play that fit. Altering cards are never among them."""
        t = play.t
        if self.type == "underway event":
            cards = [card for boss in t.bosses for card in boss.underway]
        elif self.type == "event":
            cards = rules.all_events(t)
        else:
            cards = [card for card in rules.all_assets(t) if self.type in look(t, card).types]
        return [card for card in cards if self.fits(play, card)]


def described_as(play: Play, card: Card, word: Any) -> bool:
    if word == "opposing":
        return rules.boss_of(play.t, card) != play.you
    if isinstance(word, bool):
        return play.t.exhausted[card] == word
    return word in look(play.t, card).types


def within(value: int | None, what: What) -> bool:
    if value is None:
        if what.stat == "resolve":
            return False
        value = 0
    return value * what.bound >= what.limit * what.bound


@book.phrase("sort", "{type:type}", '{words:adjective+" "} {type:type}')
def sort(play: Play, type: str, words: Sequence[Any] = ()) -> What:  # noqa: A002 - the word of the pattern
    """VT-2.1 A type of card, with what distinguishes it."""
    return What(type, tuple(words))


@book.phrase("described", "{sort:sort}")
def any_boss(play: Play, sort: What) -> What:
    """VT-B28 Whoever's it is."""
    return sort


@book.phrase("described", "{sort:sort} in your employ")
def employed(play: Play, sort: What) -> What:
    """VT-1.1 In your employ."""
    return What(sort.type, sort.adjectives, employed=True)


@book.phrase("described", "{sort:sort} with {stat:stat} {n:amount} or {bound:bound}", looks_at_a_stat=1)
def limited(play: Play, sort: What, stat: str, n: int, bound: int) -> What:
    """VT-B30 A stat within a limit; no Resolve is not a low one."""
    return What(sort.type, sort.adjectives, False, stat, n, bound)


@book.phrase(
    "described",
    "{sort:sort} in your employ with {stat:stat} {n:amount} or {bound:bound}",
    looks_at_a_stat=1,
)
def employed_and_limited(play: Play, sort: What, stat: str, n: int, bound: int) -> What:
    """VT-1.1 In your employ, and a stat within a limit."""
    return What(sort.type, sort.adjectives, True, stat, n, bound)


@book.target("a(n) {what:described}")
def mark(play: Play, what: What) -> list[Card]:
    """VT-7.21 One card, marked."""
    return what.found(play)


@book.target("another {what:described}")
def another_mark(play: Play, what: What) -> list[Card]:
    """VT-7.21 One card other than this one, marked."""
    return [card for card in what.found(play) if card != play.this]


@book.phrase("cards", "{one:target}")
def marked(play: Play, one: Card) -> list[Card]:
    """VT-7.21 What was marked, from now on `that` one."""
    play["that"] = one
    return [one]


@book.phrase("cards", "each {what:described}")
def each(play: Play, what: What) -> list[Card]:
    """VT-B79 All that fit, without marking any."""
    return what.found(play)


@book.phrase("cards", "each other {what:described}")
def each_other(play: Play, what: What) -> list[Card]:
    """VT-B79 All that fit, but not this one."""
    return [card for card in what.found(play) if card != play.this]


@book.phrase("cards", "this {kind:self}")
def this(play: Play, kind: str) -> list[Card]:
    """VT-1.1 The card itself."""
    return still_in_play(play, play.this)


@book.phrase("cards", "the acting pawn", of_the_action=1)
def acting(play: Play) -> list[Card]:
    """VT-16.8 The pawn whose action is going on, if there is one."""
    return still_in_play(play, rules.acting_pawn(play.t, play.this))


@book.phrase("cards", "the seduced pawn", of_a_seduction=1)
def seduced(play: Play) -> list[Card]:
    """VT-16.5 The mark of the seduction."""
    return still_in_play(play, play["seduced"])


@book.phrase("cards", "the altered card", of_a_host=1)
def altered(play: Play) -> list[Card]:
    """VT-11.2 The card that this one alters."""
    return [] if play.this is None else still_in_play(play, rules.host_of(play.t, play.this))


@book.phrase("cards", "that {type:type}", of_a_mark=1)
def that(play: Play, type: str) -> list[Card]:  # noqa: A002 - the word of the pattern
    """VT-7.21 The last mark of this ability."""
    return still_in_play(play, play["that"])


def still_in_play(play: Play, card: Card | None) -> list[Card]:
    return [] if card is None or not rules.is_in_play(play.t, card) else [card]


# Which players and Houses -----------------------------------------------------------------------------------------------


@book.phrase("players", "each player")
def each_player(play: Play) -> list[int]:
    """VT-12.2 All, in turn order."""
    return list(rules.from_active(play.t))


@book.phrase("players", "each other player")
def each_other_player(play: Play) -> list[int]:
    """VT-12.2 All but you, in turn order."""
    return [seat for seat in rules.from_active(play.t) if seat != play.you]


@book.phrase("players", "another player")
def another_player(play: Play) -> Asking:
    """VT-7.21 One other player, chosen once and the same in all sentences of the ability."""
    if play["another player"] is None:
        others = [seat for seat in rules.from_active(play.t) if seat != play.you]
        if len(others) == 1:
            play["another player"] = others[0]
        else:
            answer = yield play.t.ask(
                play.you, [("player", seat) for seat in others], "Which player?", "VT-7.21", minor=True
            )
            play["another player"] = answer[1]
    return [play["another player"]]


@book.phrase("players", "the acting pawn's boss", of_the_action=1)
def acting_boss(play: Play) -> list[int]:
    """VT-16.8 The boss of the pawn whose action is going on, if there is one."""
    pawn = rules.acting_pawn(play.t, play.this)
    return [] if pawn is None else [rules.boss_of(play.t, pawn)]


@book.phrase("house", "{house:named_house}")
def that_house(play: Play, house: str) -> str:
    """VT-1.4 A House by its name."""
    return house


@book.phrase("house", "a House of your choice")
def any_house(play: Play) -> Asking:
    """VT-B33 A House that you name."""
    return (yield from rules.choose_house(play.t, play.you, "Which House?", "VT-B33"))


# Cards and money ---------------------------------------------------------------------------------------------------------


@book.effect("draw {n:amount} card(s)", "you draw {n:amount} card(s)", in_any_order=1)
def you_draw(play: Play, n: int) -> None:
    """VT-B20 You draw."""
    rules.draw(play.t, play.t.bosses[play.you], n, "VT-B20")


@book.effect("{who:players} draws {n:amount} card(s)")
def they_draw(play: Play, who: list[int], n: int) -> None:
    """VT-B20 They draw."""
    for seat in who:
        rules.draw(play.t, play.t.bosses[seat], n, "VT-B20")


@book.effect("{who:players} discards {n:amount} card(s)")
def they_discard(play: Play, who: list[int], n: int) -> Asking:
    """VT-B71 Who discards chooses; all see it then."""
    for seat in who:
        for _ in range(min(n, len(play.t.bosses[seat].hand))):
            yield from rules.discard(play.t, play.t.bosses[seat], "VT-B71")


@book.effect("you discard {n:amount} card(s)")
def you_discard(play: Play, n: int) -> Asking:
    """VT-B71 You choose; all see it then."""
    return they_discard(play, [play.you], n)


@book.effect("{way:gain} {n:amount}Ç", "you {way:gain} {n:amount}Ç", in_any_order=1)
def you_gain(play: Play, way: int, n: int) -> None:
    """VT-1.2 Your wealth changes, never below nothing."""
    change_wealth(play.t, play.you, way * n)


@book.effect("{who:players} {way:gains} {n:amount}Ç")
def they_gain(play: Play, who: list[int], way: int, n: int) -> None:
    """VT-1.2 Their wealth changes, never below nothing."""
    for seat in who:
        change_wealth(play.t, seat, way * n)


def change_wealth(t: Table, seat: int, amount: int) -> None:
    boss = t.bosses[seat]
    before, boss.wealth = boss.wealth, max(0, boss.wealth + amount)
    verb = "gains" if amount > 0 else "loses"
    t.log("VT-1.2", f"{{who}} {verb} {{n}}Ç.", who=boss, n=abs(boss.wealth - before))


@book.effect("steal {n:amount}Ç from {who:players}")
def steal(play: Play, n: int, who: list[int]) -> None:
    """VT-1.2 What they have, up to so much, becomes yours."""
    t = play.t
    for seat in who:
        taken = min(n, t.bosses[seat].wealth)
        change_wealth(t, seat, -taken)
        change_wealth(t, play.you, taken)


@book.effect(
    "gain {n:amount} Influence with {house:house}", "you gain {n:amount} Influence with {house:house}"
)
def you_gain_influence(play: Play, n: int, house: str) -> None:
    """VT-10.5 Influence from an effect is not split."""
    rules.gain_influence(play.t, [(play.you, house, n)], "VT-10.5")


@book.effect("{who:players} loses {n:amount} Influence with {house:house}")
def they_lose_influence(play: Play, who: list[int], n: int, house: str) -> None:
    """VT-B53 A loss stops at 0."""
    t = play.t
    for seat in who:
        lost = min(n, t.bosses[seat].influence[house])
        t.bosses[seat].influence[house] -= lost
        t.log(
            "VT-B53", "{who} loses {n} Influence with House {house}.", who=t.bosses[seat], n=lost, house=house
        )


@book.effect("you lose {n:amount} Influence with {house:house}")
def you_lose_influence(play: Play, n: int, house: str) -> None:
    """VT-B53 A loss stops at 0."""
    they_lose_influence(play, [play.you], n, house)


@book.effect("take a(n) {kind:kind} from your {pile:pile}")
def take(play: Play, kind: str, pile: str) -> Asking:
    """VT-B19 A card of that kind is shown and taken into hand; a deck is shuffled afterwards."""
    t, boss = play.t, play.t.bosses[play.you]
    cards = getattr(boss, pile)
    names = sorted({look(t, card).name for card in cards if kind in look(t, card).types})
    if pile == "deck":
        t.look(boss.seat, cards)
    options: list[Option] = [("take", name) for name in names] or [("take nothing",)]
    answer = yield t.ask(boss, options, f"Take which {kind}?", "VT-B19", minor=True)
    if len(answer) == 2:
        card = next(card for card in cards if look(t, card).name == answer[1])
        t.reveal([card])
        t.move(card, boss.hand)
        t.log("VT-B19", "{who} takes {card}.", who=boss, card=card)
    if pile == "deck":
        t.shuffle(boss.deck)


@book.effect("look at {cards:cards}")
def look_at(play: Play, cards: list[Card]) -> None:
    """VT-B56 For your eyes alone."""
    t = play.t
    t.look(play.you, cards)
    for card in cards:
        t.log(
            "VT-B56",
            "{who} looks at {card} of {other}.",
            who=t.bosses[play.you],
            card=card,
            other=t.bosses[rules.boss_of(t, card)],
        )


@book.effect("look at {who:players}'s hand")
def look_at_hand(play: Play, who: list[int]) -> None:
    """VT-B56 For your eyes alone."""
    t = play.t
    for seat in who:
        t.look(play.you, t.bosses[seat].hand)
        t.log("VT-B56", "{who} looks at the hand of {other}.", who=t.bosses[play.you], other=t.bosses[seat])


# Harm and help ------------------------------------------------------------------------------------------------------------


@book.effect("deal {n:amount} {kind:damage} to {cards:cards}", wrong=of_assets)
def deal(play: Play, n: int, kind: str, cards: list[Card]) -> Asking:
    """VT-14.11 Damage from an effect is never halved."""
    hit = [card for card in cards if rules.is_asset_in_play(play.t, card)]
    yield from rules.deal(play.t, [(card, n, kind, play.this) for card in hit], "VT-13.1")


@book.effect("heal {n:amount} damage from {cards:cards}", wrong=of_assets)
def heal(play: Play, n: int, cards: list[Card]) -> None:
    """VT-B61 Phys-damage first."""
    for card in cards:
        rules.heal(play.t, card, n, "VT-B61")


@book.effect("kill {cards:cards}", wrong=of_assets)
def kill(play: Play, cards: list[Card]) -> Asking:
    """VT-B32 Dead, whatever its damage, and this card killed it."""
    yield from rules.kill(play.t, [card for card in cards if rules.is_asset_in_play(play.t, card)], play.this)


@book.effect("{way:tire} {cards:cards}")
def tire(play: Play, way: bool, cards: list[Card]) -> Asking:
    """VT-3.1 Exhausted or not."""
    for card in cards:
        play.t.log("VT-3.1", "{card} is {how}.", card=card, how="exhausted" if way else "unexhausted")
    yield from rules.exhaust(play.t, cards, way)


@book.effect("{one:cards} and {other:cards} fight", wrong=of_assets)
def fight(play: Play, one: list[Card], other: list[Card]) -> Asking:
    """VT-15.14 They deal each other their Force."""
    pairs = [(a, b) for a in one for b in other if a != b]
    for a, b in pairs:
        if rules.is_asset_in_play(play.t, a) and rules.is_asset_in_play(play.t, b):
            yield from rules.fight(play.t, a, b)


@book.effect("put {n:amount} {what:counter} on {cards:cards}", wrong=of_events)
def put(play: Play, n: int, what: str, cards: list[Card]) -> Asking:
    """VT-B5 Progress, or sabotage damage whose saboteur you are."""
    for card in cards:
        if what == "progress":
            rules.put_progress(play.t, card, n)
        else:
            yield from rules.sabotage(play.t, card, n, play.you)


@book.effect("remove {n:amount} {what:counter} from {cards:cards}", wrong=of_events)
def remove(play: Play, n: int, what: str, cards: list[Card]) -> None:
    """VT-B3 Fewer counters, never below none."""
    counters = getattr(play.t, what)
    for card in cards:
        counters[card] = max(0, counters[card] - n)
        play.t.log("VT-B3", "{card} loses {what}.", card=card, what=what)


@book.effect("hire {cards:cards}")
def hire(play: Play, cards: list[Card]) -> Asking:
    """VT-B60 It changes its boss for good."""
    for card in cards:
        take_on(play, card, None)
    yield from rules.settle(play.t)


@book.effect("hire {cards:cards} until the end of the turn")
def hire_for_the_turn(play: Play, cards: list[Card]) -> Asking:
    """VT-B60 It changes its boss, and goes back when the turn ends."""
    for card in cards:
        back = play.t.returns_to[card]
        take_on(play, card, rules.boss_of(play.t, card) if back is None else back)
    yield from rules.settle(play.t)


def take_on(play: Play, card: Card, back: int | None) -> None:
    """Into your employ for good, or until it goes back; one that is there stays for good if it is hired for good."""
    t = play.t
    if rules.boss_of(t, card) != play.you:
        t.log("VT-B60", "{who} hires {card}.", who=t.bosses[play.you], card=card)
        rules.change_boss(t, card, play.you, back)
    elif back is None:
        t.returns_to[card] = None


@book.effect("return {cards:cards} to its original boss's hand")
def send_home(play: Play, cards: list[Card]) -> Asking:
    """VT-B60 Out of play, into the hand it came from."""
    t = play.t
    for card in cards:
        home = rules.original_boss(t, card)
        t.log("VT-B60", "{card} returns to the hand of {who}.", card=card, who=home)
        rules.leave(t, card, home.hand)
    yield from rules.settle(t)


@book.effect("prevent the action", of_the_action=1)
def prevent(play: Play) -> None:
    """VT-12.7 It does not resolve."""
    rules.prevent(play.t)


# Stats and keywords, for the turn or as long as the card is there -------------------------------------------------------


@book.phrase("mod", "{sign:sign}{n:number} {stat:stat}")
def mod(play: Play, sign: int, n: int, stat: str) -> tuple[str, int]:
    """VT-11.2 More or less of a stat."""
    return stat, sign * n


@book.effect('{cards:cards} gets {mods:mod+" and "} until the end of the turn', wrong=of_assets)
def gets_for_the_turn(play: Play, cards: list[Card], mods: list[tuple[str, int]]) -> Asking:
    """VT-6.8 Until the end of the turn."""
    yield from until_end(play, cards, mods)


@book.effect("{cards:cards} gains {word:trait} until the end of the turn", wrong=of_assets)
def gains_for_the_turn(play: Play, cards: list[Card], word: str) -> Asking:
    """VT-6.8 Until the end of the turn."""
    yield from until_end(play, cards, [("keyword", word)])


def until_end(play: Play, cards: list[Card], gained: Iterable[tuple[str, Any]]) -> Asking:
    t = play.t
    for card in cards:
        t.until_end[card] = (*t.until_end[card], *gained)
        t.log("VT-6.8", "{card} is changed until the end of the turn.", card=card)
    yield from rules.settle(t)


@book.static('{cards:cards} gets {mods:mod+" and "}', question="what holds", wrong=of_assets)
def gets(play: Play, cards: list[Card], mods: list[tuple[str, int]], about: About) -> list[Change]:
    """VT-11.2 As long as the card is there."""
    return [(card, stat, n) for card in cards for stat, n in mods]


@book.static("{cards:cards} gains {word:trait}", question="what holds", wrong=of_assets)
def gains(play: Play, cards: list[Card], word: str, about: About) -> list[Change]:
    """VT-15.18 As long as the card is there."""
    return [(card, "keyword", word) for card in cards]


@book.static("{cards:cards} can't {verb:verb}", question="what holds", wrong=of_assets)
def cannot(play: Play, cards: list[Card], verb: str, about: About) -> list[Change]:
    """VT-7.10 What a pawn may not do."""
    return [(card, "barred", verb) for card in cards]


@book.static("{wares:wares} {buyer:buyer} purchase cost {n:amount}Ç {way:dearer}", question="price")
def costs(play: Play, wares: str, buyer: str, n: int, way: int, about: About) -> Add | None:
    """VT-7.5 What purchases cost; changes add up."""
    meant = (about.seat == play.you) == (buyer == "you") and wares in about.types
    return Add(way * n) if meant else None


# Conditions and events ----------------------------------------------------------------------------------------------------


@book.effect("you may {then:effect}")
def you_may(play: Play, then: Said) -> Asking:
    """VT-B26 If you wish, and if it can be done."""
    if then.aimable(play):
        ways = [("do it",), ("leave it",)]
        answer = yield play.t.ask(
            play.you, ways, f"You may {then.text}", "VT-B26", default=("do it",), minor=True
        )
        if answer == ("do it",):
            yield from then.run(play)


@book.effect("if {condition:condition}, {then:effect}")
def if_so(play: Play, condition: bool, then: Said) -> Asking:
    """VT-7.21 Only if it is so."""
    if condition:
        yield from then.run(play)


@book.condition("that {type:type} dies", of_a_mark=1)
def has_died(play: Play, type: str) -> bool:  # noqa: A002 - the word of the pattern
    """VT-3.4 The last mark is no longer in play."""
    return play["that"] is not None and not rules.is_in_play(play.t, play["that"])


@book.condition("you have {n:amount} or more total Influence")
def influential(play: Play, n: int) -> bool:
    """VT-1.8 Over all Houses."""
    return play.t.bosses[play.you].total() >= n


@book.condition("you have {n:amount} or fewer cards in hand")
def few_cards(play: Play, n: int) -> bool:
    """VT-B71 The size of your hand."""
    return len(play.t.bosses[play.you].hand) <= n


@book.trigger("this {kind:self} kills a pawn", event="kills")
def kills(play: Play, kind: str, about: About) -> bool:
    """VT-B32 This card is the killer."""
    return about.card == play.this


@book.trigger("a pawn in your employ dies", event="dies")
def dies(play: Play, about: About) -> bool:
    """VT-3.4 A pawn of yours."""
    return about.boss == play.you


@book.trigger("you complete a job", event="completes")
def completes(play: Play, about: About) -> bool:
    """VT-B80 After its rewards."""
    return about.seat == play.you


@book.trigger("this {kind:self} intercepts", event="intercepts")
def intercepts(play: Play, kind: str, about: About) -> bool:
    """VT-15.10 After the fight."""
    return about.card == play.this
