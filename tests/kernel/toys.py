"""Small games, each of one mechanism that the real ones need; and broken ones that a check must catch."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from talion.kernel import (
    CANNOT,
    EVERYONE,
    NOBODY,
    OWNER,
    PREVENT,
    About,
    Add,
    Asking,
    Card,
    Counter,
    First,
    Game,
    No,
    Option,
    Part,
    PerCard,
    Phrasebook,
    Play,
    Seat,
    Seats,
    Set,
    Source,
    Standing,
    State,
    Together,
    Value,
    Zone,
)


class Hand(Part):
    hand = Zone(seen_by=OWNER)
    row = Zone(seen_by=OWNER, ordered=True)
    played = Zone(seen_by=EVERYONE)
    life = Counter(5, low=None)
    money = Counter(3)


class Toy(State):
    sides = Seats(Hand)
    deck = Zone(seen_by=NOBODY)
    open = Zone(seen_by=EVERYONE)
    turn = Seat(0)
    turns = Counter()
    action = Value(None)
    passed = Counter()
    marks = PerCard(0)


def build(t: Toy) -> None:
    t.create_all(t.deck)


def deal(t: Toy, number: int = 3) -> None:
    t.shuffle(t.deck)
    for side in t.sides:
        for _ in range(number):
            t.draw(t.deck, side.hand)


def next_turn(t: Toy, turn: Callable[..., Any], longest: int = 12) -> Any:
    t.turns += 1
    if t.turns >= longest:
        best = max(side.life for side in t.sides)
        t.over([s for s in t.seat_numbers if t.sides[s].life == best], "The time is over.", "T-9")
    t.turn = (t.turn + 1) % t.seats_taken
    return turn


def from_hand(t: Toy, seat: int) -> Iterable[Option]:
    return [("play", card) for card in t.sides[seat].hand]


def or_pass(t: Toy, seat: int) -> Iterable[Option]:
    return [*from_hand(t, seat), ("pass",)]


# A reaction window with restart -----------------------------------------------------------------------------------


def window_start(t: Toy) -> Any:
    deal(t)
    return window_turn


def window_turn(t: Toy) -> Asking:
    """T-1 Strike, or draw a card; everybody may react before it counts."""
    t.passed = 0
    (t.action,) = yield t.ask(t.turn, [("strike",), ("draw",)], "Strike or draw", "T-1")
    t.log("T-1", "{who} will {action}.", who=t.turn, action=t.action)
    return window_react


def reactions(t: Toy, seat: int) -> Iterator[Option | No]:
    yield ("pass",)
    for card in t.sides[seat].hand:
        if t.face(card).name == "Parry":
            yield ("parry", card)
        elif t.explaining:
            yield No(("parry", card), "T-2", "Only a Parry parries.")


def window_react(t: Toy) -> Asking:
    """T-2 One seat after another may react; a reaction starts the asking again."""
    if t.passed == t.seats_taken:
        return window_resolve
    seat = t.after(t.turn)[t.passed]
    option = yield t.ask(seat, reactions, "React?", "T-2", default=("pass",), window=True)
    if option[0] == "pass":
        t.passed += 1
        return window_react
    t.log("T-2", "{who} plays {card}.", who=seat, card=option[1])
    t.move(option[1], t.open)
    t.log("T-2", "{who} played {card}.", who=seat, card=option[1])
    t.action, t.passed = "nothing", 0
    return window_react


def window_resolve(t: Toy) -> Any:
    if t.action == "strike":
        t.sides[t.after(t.turn)[0]].life -= 1
    elif t.action == "draw":
        t.draw(t.deck, t.sides[t.turn].hand)
    return next_turn(t, window_turn)


# Sealed rows of unequal length --------------------------------------------------------------------------------------


def sealed_start(t: Toy) -> Any:
    deal(t)
    return sealed_turn


def sealed_row(t: Toy, seat: int) -> Asking:
    """Some choose a card and then a seat, some only pass."""
    option = yield t.ask(seat, or_pass, "Play a card or pass", "T-1")
    if option[0] == "pass":
        return None
    _, whom = yield t.ask(seat, [("at", s) for s in t.seat_numbers if s != seat], "At whom?", "T-1")
    return option[1], whom


def sealed_turn(t: Toy) -> Asking:
    chosen = yield Together(sealed_row, t.seat_numbers)
    for seat in t.seat_numbers:
        if chosen[seat]:
            card, whom = chosen[seat]
            t.move(card, t.sides[seat].played)
            t.sides[whom].life -= 1
            t.log("T-1", "{who} plays {card} at {whom}.", who=seat, card=card, whom=whom)
    return next_turn(t, sealed_turn, 5)


# A draft with passed hands ---------------------------------------------------------------------------------------------


def draft_start(t: Toy) -> Any:
    deal(t, 4)
    return draft_pick


def draft_row(t: Toy, seat: int) -> Asking:
    _, card = yield t.ask(seat, from_hand, "Keep one", "T-1")
    return card


def draft_pick(t: Toy) -> Asking:
    """T-1 Everybody keeps one card face down and passes the rest to the left."""
    kept = yield Together(draft_row, t.seat_numbers, reveals=False)
    for seat, card in kept.items():
        t.move(card, t.sides[seat].row)
    t.exchange((side.hand, t.sides[t.after(seat)[0]].hand) for seat, side in enumerate(t.sides))
    if t.sides[0].hand:
        return draft_pick
    return draft_end


def draft_end(t: Toy) -> None:
    scores = [sum(t.face(card).worth for card in side.row) for side in t.sides]
    for side in t.sides:
        t.reveal(side.row)
    t.over(
        [s for s in t.seat_numbers if scores[s] == max(scores)], "The best collection wins.", "T-9", scores
    )


# A face-down play from a partly known hand, cards under a deck in a secret order, dice in the middle of a step ----------


def hide_start(t: Toy) -> Any:
    deal(t, 2)
    for _ in range(3):
        t.draw(t.deck, t.open)
    return hide_turn


def hide_turn(t: Toy) -> Asking:
    """T-1 Take an open card into the hand, lay one face down, or put two open cards under the deck."""
    side = t.sides[t.turn]
    options: list[Option] = [("take", card) for card in t.open]
    if side.hand:
        options.append(("hide",))
    if len(t.open) > 1:
        options.append(("bury",))
    if side.row:
        options.append(("roll",))
    option = yield t.ask(t.turn, options or [("rest",)], "Take, hide, bury or roll", "T-1")
    t.log("T-1", "{who} chooses to {what}.", who=t.turn, what=option[0])
    if option[0] == "take":
        t.move(option[1], side.hand)
    elif option[0] == "hide":
        _, card = yield t.ask(t.turn, from_hand, "Lay which card face down?", "T-1", secret=True)
        t.marks[card] = t.turns
        t.move(card, side.row)
    elif option[0] == "bury":
        _, low = yield t.ask(
            t.turn, [("lower", card) for card in t.open[:2]], "Which lies lower?", "T-1", secret=True
        )
        t.bury([card for card in t.open[:2] if card != low] + [low], t.deck, by=t.turn)
    elif option[0] == "roll":
        yield from roll_for(t, t.roll(6))
    while t.deck and len(t.open) < 2:
        t.draw(t.deck, t.open)
    return next_turn(t, hide_turn, 14)


def roll_for(t: Toy, rolled: int) -> Asking:
    """T-3 The dice fall in the middle of a step; then somebody chooses."""
    t.log("T-3", "{who} rolls {rolled}.", who=t.turn, rolled=rolled)
    again = yield t.ask(t.turn, [("keep",), ("again",)], f"You rolled {rolled}", "T-3", default=("keep",))
    if again == ("again",):
        rolled = t.roll(6)
        t.log("T-3", "{who} rolls {rolled}.", who=t.turn, rolled=rolled)
    if rolled > 3:
        card = t.sides[t.turn].row[0]
        t.move(card, t.sides[t.turn].played)
        t.log("T-3", "{who} turns up {card}.", who=t.turn, card=card)
    else:
        t.sides[t.turn].life -= 1


# A race ----------------------------------------------------------------------------------------------------------------


def race_start(t: Toy) -> Any:
    deal(t, 2)
    return race_turn


def grabs(t: Toy, seat: int) -> Iterable[Option]:
    return [("grab", number) for number in range(1, min(3, len(t.deck)) + 1)]


def race_turn(t: Toy) -> Asking:
    """T-1 Whoever is first draws; the pile runs out."""
    seat, (_, number) = yield First(t.ask(seat, grabs, "Grab cards", "T-1") for seat in t.seat_numbers)
    for _ in range(number):
        t.draw(t.deck, t.sides[seat].hand)
    t.log("T-1", "{who} grabs {number}.", who=seat, number=number)
    if t.deck:
        return race_turn
    sizes = [len(side.hand) for side in t.sides]
    t.over([s for s in t.seat_numbers if sizes[s] == max(sizes)], "The most cards win.", "T-9", sizes)


# A gift at any time, and a death that leaves from depth -----------------------------------------------------------------


def gifts(t: Toy) -> Iterable[Standing]:
    for seat in t.seat_numbers:
        whom = t.after(seat)[0]
        options = [("give", number, whom) for number in range(1, t.sides[seat].money + 1)]
        yield Standing(t.ask(seat, options, "Give money", "T-5"), give)


def give(t: Toy, seat: int, option: Option) -> Asking:
    """T-5 A gift may be refused."""
    _, number, whom = option
    (answer,) = yield t.ask(whom, [("accept",), ("refuse",)], "Take the money?", "T-5", default=("refuse",))
    if answer == "accept":
        t.sides[seat].money -= number
        t.sides[whom].money += number
    t.log(
        "T-5",
        "{whom} chooses to {answer} {number} from {who}.",
        whom=whom,
        who=seat,
        number=number,
        answer=answer,
    )


def gift_start(t: Toy) -> Any:
    deal(t, 2)
    return gift_turn


def prices(t: Toy, seat: int) -> Iterable[Option]:
    yield from (("bid", number) for number in range(t.sides[seat].money + 1))


def gift_turn(t: Toy) -> Asking:
    """T-1 Pay to hurt the others; who has nothing left dies, wherever we are."""
    _, number = yield t.ask(t.turn, prices, "Pay for harm", "T-1")
    t.sides[t.turn].money -= number
    t.action = ("harm", number)
    yield from hurt_all(t, number)
    return next_turn(t, gift_turn)


def hurt_all(t: Toy, number: int) -> Asking:
    for seat in t.after(t.turn)[:-1]:
        for _ in range(number + 1):
            _, where = yield t.ask(seat, [("hit", "arm"), ("hit", "leg")], "Where?", "T-2")
            t.log("T-2", "{who} is hit in the {where}.", who=seat, where=where)
            lose(t, seat)


def lose(t: Toy, seat: int) -> None:
    t.sides[seat].life -= 1
    if t.sides[seat].life <= 0:
        t.go(death, seat)


def death(t: Toy, seat: int) -> None:
    """T-8 From any depth."""
    t.over([s for s in t.seat_numbers if s != seat], f"@{seat} is dead.", "T-8")


# Words: statics, triggers, replacements, effects that wait ---------------------------------------------------------------

book = Phrasebook()
book.words("stat", ("life", "money"))


@book.target("another player")
def another(play: Play) -> list[int]:
    return [seat for seat in play.t.seat_numbers if seat != play.you]


@book.effect("{who:target} loses {n:amount} {what:stat}")
def loses(play: Play, who: int, n: int, what: str) -> Asking:
    """T-2 A loss that may be replaced."""
    change = yield from play.t.would("loss", play.you, lambda c: ("as", c["n"]), seat=who, n=n, what=what)
    if change:
        side = play.t.sides[change.seat]
        setattr(side, change.what, max(0, getattr(side, change.what) - change.n))
        play.t.happened("loss", seat=change.seat)


@book.effect("gain {n:amount} {what:stat}")
def gains(play: Play, n: int, what: str) -> None:
    """T-3 A gain."""
    side = play.t.sides[play.you]
    setattr(side, what, getattr(side, what) + n)


@book.effect("at the start of your next turn, {then:effect}")
def at_next_turn(play: Play, then: Any) -> None:
    """T-4 An effect that waits."""
    play.t.later("your next turn", then, play)


@book.effect("until your next turn, {rule:static}")
def until_next_turn(play: Play, rule: Any) -> None:
    """T-4 A rule that holds for a while."""
    play.t.later("until your next turn", rule, play)


@book.ability("{rule:static}", "{rule:replacement}")
def holds(play: Play, rule: Any) -> None:
    """T-5 A rule while the card lies there."""


@book.ability("{when:trigger}, {then:effect}")
def triggered(play: Play, when: Any, then: Any) -> Asking:
    yield from then.run(play)


@book.static("you may play {n:amount} card(s) a turn", question="plays")
def plays_a_turn(play: Play, n: int, about: About) -> object:
    return Set(n) if about.seat == play.you else None


@book.static("you may play {n:amount} more card(s) a turn", question="plays")
def more_plays(play: Play, n: int, about: About) -> object:
    return Add(n) if about.seat == play.you else None


@book.static("nobody can play cards", question="plays")
def no_plays(play: Play, about: About) -> object:
    return CANNOT


@book.trigger("whenever another player loses something", event="loss")
def others_lose(play: Play, about: About) -> bool:
    return bool(about.seat != play.you)


@book.replacement("you lose {n:amount} less", event="loss")
def lose_less(play: Play, n: int, about: About) -> object:
    if about.seat != play.you:
        return None
    return {"n": about.n - n} if about.n > n else PREVENT


def in_play(t: Toy) -> Iterable[Source]:
    for side in t.sides:
        yield Source(side.played, side.seat or 0)


def words_start(t: Toy) -> Any:
    deal(t, 4)
    return words_begin


def words_begin(t: Toy) -> Asking:
    t.expire("until your next turn", t.turn)
    for entry in t.due("your next turn", t.turn):
        yield from t.fulfil(entry)
    return words_turn, 0


def words_turn(t: Toy, played: int) -> Asking:
    """T-1 Play as many cards as you may."""
    most = t.modified("plays", 1, seat=t.turn)
    if most is False or played >= most or not t.sides[t.turn].hand:
        return next_turn(t, words_begin)
    _, card = yield t.ask(t.turn, from_hand, "Play a card", "T-1")
    t.move(card, t.sides[t.turn].played)
    t.log("T-1", "{who} plays {card}.", who=t.turn, card=card)
    yield from Play(t, t.turn, card, t.face(card)).carry_out(t.face(card).said.get("text", ()))
    while t.queue:
        yield from t.resolve(t.queue[0])
    return words_turn, played + 1


WORDS = (
    {"name": "Cut", "count": 3, "text": "Another player loses 2 life."},
    {"name": "Purse", "count": 2, "text": "Another player loses 1 money. Gain 1 money."},
    {"name": "Seed", "count": 2, "text": "At the start of your next turn, gain 2 life."},
    {"name": "Rush", "count": 1, "text": "Until your next turn, you may play 2 more cards a turn."},
    {"name": "Haste", "count": 1, "lines": ["You may play 2 cards a turn."]},
    {"name": "Leech", "count": 1, "lines": ["Whenever another player loses something, gain 1 life."]},
    {"name": "Shield", "count": 1, "lines": ["You lose 1 less."]},
    {"name": "Curfew", "count": 1, "lines": ["Nobody can play cards."]},
)

ENDLESS = (
    {
        "name": "Spiral",
        "count": 4,
        "lines": ["Whenever another player loses something, another player loses 1 life."],
    },
    {"name": "Cut", "count": 4, "text": "Another player loses 1 life."},
)

PLAIN = tuple(
    {"name": name, "count": 2, "worth": worth} for worth, name in enumerate(["Ash", "Bone", "Coal", "Dusk"])
)
PARRIES = ({"name": "Parry", "count": 2}, {"name": "Straw", "count": 8})


def toy(key: str, start: Callable[..., Any], cards: Iterable[dict[str, Any]] = PLAIN, **more: Any) -> Game:
    return Game(
        key=key,
        title=key.capitalize(),
        seats=more.pop("seats", (2,)),
        state=more.pop("state", Toy),
        start=start,
        rules=sys.modules[__name__],
        build=build,
        longest=more.pop("longest", 200),
        hidden="hands and deck",
        tables={"card": list(cards)},
        value=more.pop("value", lambda view, seat: view.sides[seat].life / 10),
        **more,
    )


TOYS = {
    game.key: game
    for game in (
        toy("window", window_start, PARRIES, seats=(2, 3)),
        toy("sealed", sealed_start, [*PLAIN, {"name": "Elm", "count": 4}], seats=(2, 3)),
        toy("draft", draft_start, [{**card, "count": 3} for card in PLAIN], seats=(2, 3)),
        toy("hide", hide_start, [{**card, "count": 3} for card in PLAIN]),
        toy("race", race_start),
        toy("gift", gift_start, standing=gifts, seats=(2, 3)),
        toy(
            "words",
            words_start,
            WORDS,
            book=book,
            texts={"text": "effect", "lines": "ability"},
            sources=in_play,
        ),
    )
}

# Broken games ------------------------------------------------------------------------------------------------------------


class Leaky(Toy):
    leak = Value(())


def leaks_a_hand(t: Any) -> Any:
    deal(t)
    t.leak = tuple(t.face(card).name for card in t.sides[0].hand)
    return broken_turn


def broken_turn(t: Toy) -> Asking:
    option = yield t.ask(t.turn, or_pass, "Play or pass", "T-1")
    if option[0] == "play":
        t.move(option[1], t.sides[t.turn].played)
    return next_turn(t, broken_turn)


def follows_by_number(t: Toy) -> Any:
    """The log gives the number of a card that is drawn unseen."""
    deal(t)
    return numbered_turn


def numbered_turn(t: Toy) -> Asking:
    card = t.draw(t.deck, t.sides[t.turn].hand)
    t.log("T-1", "{who} draws card number {number}.", who=t.turn, number=str(card))
    option = yield t.ask(t.turn, or_pass, "Play or pass", "T-1")
    if option[0] == "play":
        t.move(option[1], t.sides[t.turn].played)
    return next_turn(t, numbered_turn, 3)


def names_hidden_cards(t: Toy) -> Asking:
    """An option names cards whose face the seat does not see."""
    deal(t)
    other = t.sides[t.after(t.turn)[0]]
    yield t.ask(t.turn, [("point", card) for card in other.hand], "Point at a card", "T-1")
    t.over([0], "The end.", "T-9")


def skips_a_prompt(t: Toy) -> Any:
    deal(t)
    return skipping_turn


def skipping_turn(t: Toy) -> Asking:
    """Asks for a reaction only who holds one."""
    yield t.ask(t.turn, [("strike",)], "Strike", "T-1")
    other = t.after(t.turn)[0]
    if any(t.face(card).name == "Parry" for card in t.sides[other].hand):
        option = yield t.ask(other, reactions, "React?", "T-2")
        if option[0] == "parry":
            t.move(option[1], t.open)
    return next_turn(t, skipping_turn)


def loses_a_card(t: Toy) -> Any:
    deal(t)
    t.deck.pop()
    return broken_turn


class Numbering(Toy):
    number = Value(None, of_cards=False)


def numbers_a_card(t: Numbering) -> Any:
    deal(t)
    t.number = ("top", t.deck.top)
    return broken_turn


def reads_a_clock(t: Toy) -> Any:
    deal(t)
    return clock_turn


def clock_turn(t: Toy) -> Asking:
    t.sides[0].life = time.monotonic_ns() % 1_000_003
    yield t.ask(t.turn, [("wait",), ("go",)], "Wait or go", "T-1")
    return next_turn(t, clock_turn)


def repeats_options(t: Toy) -> Asking:
    yield t.ask(t.turn, [("go",), ("go",)], "Go", "T-1")
    t.over([0], "The end.", "T-9")


def goes_in_circles(t: Toy) -> Asking:
    yield t.ask(t.turn, [("again",)], "Again", "T-1")
    return goes_in_circles


def below_zero(t: Toy) -> Asking:
    t.sides[0].money = -1
    yield t.ask(t.turn, [("go",)], "Go", "T-1")
    t.over([0], "The end.", "T-9")


def has_no_option(t: Toy) -> Asking:
    yield t.ask(t.turn, [], "Nothing", "T-1")


def unsealed_row(t: Toy, seat: int) -> Asking:
    """A row that changes something others see."""
    _, number = yield t.ask(seat, [("bid", number) for number in range(4)], "Bid", "T-1")
    t.sides[seat].money = number
    yield t.ask(seat, [("sure",)], "Sure?", "T-1")
    return number


def tells_the_pace(t: Toy) -> Asking:
    yield Together(unsealed_row, t.seat_numbers)
    t.over([0], "The end.", "T-9")


def keeps_faces(t: Toy) -> Asking:
    """The step keeps a hidden face in a variable, and acts on it after a redeal would have changed it."""
    deal(t)
    other = t.sides[t.after(t.turn)[0]]
    option = yield t.ask(
        t.turn, lambda t, s: [("guess", t.face(c).name) for c in other.hand[:1]] + [("pass",)], "Guess", "T-1"
    )
    t.over([0] if option[0] == "guess" else [1], "The end.", "T-9")


BROKEN: dict[str, tuple[Game, str]] = {
    "leaks a hand": (toy("leaky", leaks_a_hand, PARRIES, state=Leaky), "tell two worlds apart by view leak"),
    "a card followed by its number": (toy("numbers", follows_by_number), "card numbers show"),
    "a hidden card named by an option": (
        toy("names", names_hidden_cards),
        "names a card the seat does not know",
    ),
    "a prompt skipped": (toy("skips", skips_a_prompt, PARRIES), "two worlds apart"),
    "a card lost": (toy("loses", loses_a_card), "lies nowhere"),
    "a card where none is declared": (
        toy("none of cards", numbers_a_card, state=Numbering),
        "names a card, though",
    ),
    "a clock read": (toy("clock", reads_a_clock), "a copy is not the same"),
    "options repeated": (toy("repeats", repeats_options), "is offered twice"),
    "a circle": (toy("circle", goes_in_circles), "the same state and ask came before"),
    "a counter out of bounds": (toy("below", below_zero), "below 0"),
    "no option": (toy("none", has_no_option), "offers seat 0 nothing for “Nothing”"),
    "a pace told": (toy("pace", tells_the_pace), "two worlds apart"),
    "an effect without end": (
        toy(
            "endless",
            words_start,
            ENDLESS,
            book=book,
            texts={"text": "effect", "lines": "ability"},
            sources=in_play,
            longest=5000,
        ),
        "Spiral goes on without end",
    ),
    "options made from hidden faces": (toy("faces", keeps_faces), "changes what seat"),
}

__all__ = ["BROKEN", "TOYS", "Card"]
