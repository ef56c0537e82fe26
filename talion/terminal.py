"""A match in the terminal: people and bots at any seats, in plain lines that can be read aloud."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from talion.bots import Bot, Seen, choice
from talion.bots.advice import advise
from talion.kernel import Illegal, Line, Match
from talion.kernel.tables import nearest
from talion.kernel.view import Offer
from talion.picture import card, picture, printed, sentence
from talion.saying import say

HELP = """\
Type the number or the name of an option. Besides:
table           show the table again
why             the rule behind the last thing that happened
why NAME        why you cannot choose something; `why not` lists all that is closed to you
rule WORDS      look up rules by id or words
card NAME       read a card
log             all that happened
hint            what a bot would do and why, and what it thinks of each option
undo            take your last answer back
save FILE       write the match down; `talion play FILE` goes on with it
quit            leave the match"""


@dataclass
class Chair:
    """Who sits at a seat: a person, or a bot."""

    name: str
    bot: Bot | None = None
    about: str = ""
    """Who a bot is, in a sentence."""


class Quit(Exception):  # noqa: N818
    """A person leaves the match."""


class Terminal:
    """Plays one match. `read` asks for a line; everything else goes to the console."""

    def __init__(
        self,
        match: Match,
        chairs: Sequence[Chair],
        console: Console,
        read: Callable[[str], str],
        found_as: str = "",
    ) -> None:
        self.match = match
        self.chairs = chairs
        self.console = console
        self.read = read
        self.found_as = found_as or match.game.key
        """The game's key, or the path of a game that lies elsewhere: a saved match must find it again."""
        self.names = [chair.name for chair in chairs]
        self.people = [seat for seat, chair in enumerate(chairs) if chair.bot is None]
        self.looked = [0] * (len(chairs) + 1)
        """How many lines of the log each seat has read; the last is a watcher's."""
        self.chose: list[list[int]] = [[] for _ in chairs]
        """Where in the record each person's own choices stand."""
        for number, entry in enumerate(match.record or ()):
            self.chose[entry[1]].append(number)
        self.facing: int | None = None
        """The person who looks at the screen, where several share it."""

    # The loop --------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """To the end of the match, or until somebody quits."""
        self.say(f"{self.match.game.title}. {', '.join(self.names)}.", style="bold")
        for about in filter(None, (chair.about for chair in self.chairs)):
            self.say(about)
        if self.people:
            self.say("Type help to see what you can type.")
        while not self.match.over:
            self.one_decision()
        self.ending()

    def one_decision(self) -> None:
        """Bots answer first: where several are asked at once, nobody waits for them."""
        match = self.match
        seat = min(match.pending, key=lambda seat: (self.chairs[seat].bot is None, seat))
        bot = self.chairs[seat].bot
        if bot is None:
            self.turn(seat)
        else:
            match.answer(seat, choice(bot, match, seat))
        if not self.people:
            self.news(None)

    def turn(self, seat: int) -> None:
        """One person is shown the table and asked until an option is chosen."""
        self.pass_to(seat)
        self.news(seat)
        view = self.match.view(seat)
        offers, besides = view.offers(), view.standing_offers()
        if len(offers) == 1 and len(self.people) == 1:
            self.only_choice(seat, offers[0])
            return
        self.show_table(seat)
        self.show_offers(seat, offers, besides)
        only = offers[0].name if len(offers) == 1 else ""
        while not self.obey(seat, self.prompt(seat) or only, [*offers, *besides]):
            pass

    def only_choice(self, seat: int, offer: Offer) -> None:
        """One person among bots is spared a choice of one, but sees what the answer before it brought to light."""
        record = self.match.record
        if record and record[-1][1] == seat:
            self.show_table(seat)
        self.say(f"You can only {offer.name}.")
        self.match.answer(seat, offer.option)

    def pass_to(self, seat: int) -> None:
        """Where several people share the screen, one's hand is gone before the next looks."""
        if len(self.people) > 1 and self.facing != seat:
            self.hide()
            self.read(f"{self.names[seat]} is to choose. Press Enter when only {self.names[seat]} looks. ")
            self.hide()
        self.facing = seat

    def hide(self) -> None:
        if self.console.is_terminal:
            self.console.clear()
        else:
            self.say("\n" * shutil.get_terminal_size().lines)

    def prompt(self, seat: int) -> str:
        try:
            return " ".join(self.read(f"{self.names[seat]}> ").split())
        except EOFError:
            raise Quit from None

    # Showing ---------------------------------------------------------------------------------------------------------

    def say(self, text: str = "", style: str | None = None) -> None:
        """Prints a line, with names for the seats in it."""
        say(self.console, Line("", text).named(self.names), style)

    def news(self, seat: int | None) -> None:
        """What happened since this seat last looked."""
        lines = self.match.log(seat)
        place = len(self.chairs) if seat is None else seat
        for line in lines[min(self.looked[place], len(lines)) :]:
            self.say(sentence(line, self.names))
        self.looked[place] = len(lines)

    def show_table(self, seat: int) -> None:
        self.say()
        for line in picture(self.match.view(seat), self.names):
            self.say(line)

    def show_offers(self, seat: int, offers: Sequence[Offer], besides: Sequence[Offer]) -> None:
        ask = self.match.pending[seat]
        self.say()
        self.say(f"{ask.prompt} [{ask.rule}]" if ask.rule else ask.prompt, style="bold")
        for number, offer in enumerate([*offers, *besides], 1):
            always = "At any time: " if number > len(offers) else ""
            means = f": {offer.means}" if offer.means else ""
            self.say(f"{number}. {always}{offer.name}{means}")
        if len(offers) == 1:
            self.say("Or press Enter.")

    def ending(self) -> None:
        seat = self.people[0] if len(self.people) == 1 else None
        self.news(seat)
        result = self.match.result
        assert result is not None
        winners = " and ".join(self.names[winner] for winner in result.winners)
        self.say(
            f"{winners} won." if len(result.winners) < len(self.names) and winners else "The match is over.",
            "bold",
        )
        if result.scores:
            self.say(
                "; ".join(f"{name} {score:g}" for name, score in zip(self.names, result.scores, strict=True))
            )

    # Obeying -----------------------------------------------------------------------------------------------------------

    def obey(self, seat: int, words: str, offers: Sequence[Offer]) -> bool:
        """Does what a person typed. True if the turn is over or begins anew."""
        verb, _, rest = words.partition(" ")
        offer = chosen(words, offers)
        if offer is not None:
            return self.answer(seat, offer)
        commands: dict[str, Callable[[int, str], bool | None]] = {
            "help": lambda seat, rest: self.say(HELP),
            "table": lambda seat, rest: self.show_table(seat),
            "why": self.why,
            "rule": lambda seat, rest: self.rule(rest),
            "card": lambda seat, rest: self.card(rest),
            "log": lambda seat, rest: self.log(seat),
            "hint": lambda seat, rest: self.hint(seat),
            "undo": lambda seat, rest: self.undo(seat),
            "save": lambda seat, rest: self.save(rest),
            "quit": self.quit,
        }
        if verb.lower() in commands:
            return bool(commands[verb.lower()](seat, rest))
        if words:
            self.refuse(seat, words)
        return False

    def answer(self, seat: int, offer: Offer) -> bool:
        if offer.grave and not self.agrees(f"{offer.grave} Do it? (yes or no) "):
            return False
        number = self.match.number
        try:
            self.match.answer(seat, offer.option)
        except Illegal as refusal:
            self.say(f"{refusal.why} [{refusal.rule}]" if refusal.rule else refusal.why)
            return False
        self.chose[seat].append(number)
        return True

    def agrees(self, question: str) -> bool:
        return self.read(question).strip().lower() in ("y", "yes")

    def refuse(self, seat: int, words: str) -> None:
        """Says by which rule something cannot be chosen, or that it is nothing."""
        for name, rule, why in self.closed(seat):
            if words.lower() == name.lower():
                self.say(f"{why} [{rule}]")
                return
        self.say(f"“{words}” is not one of your options. Type a number, or help.")

    def closed(self, seat: int) -> list[tuple[str, str, str]]:
        """The name, rule and reason of everything this seat cannot choose."""
        match = self.match
        return [
            (match.game.name_of(match.t, seat, option), rule, why)
            for option, rule, why in match.why_not(seat)
        ]

    def why(self, seat: int, words: str) -> None:
        if not words:
            lines = [line for line in self.match.log(seat) if line.rule]
            if not lines:
                self.say("Nothing has happened yet.")
            else:
                self.say(sentence(lines[-1], self.names))
                self.rule(lines[-1].rule)
            return
        found = [
            one for one in self.closed(seat) if words.lower() == "not" or words.lower() in one[0].lower()
        ]
        for name, rule, why in found:
            self.say(f"{name}: {why} [{rule}]")
        if not found:
            self.say(
                "Nothing is closed to you now."
                if words == "not"
                else f"Nothing called “{words}” is closed to you."
            )

    def hint(self, seat: int) -> None:
        """A bot's advice; it sees no more than the person does."""
        found = advise(Seen(self.match, seat))
        for piece in found.considered:
            self.say(str(piece))
        for words in found.sentences():
            self.say(words)

    def rule(self, words: str) -> None:
        found = self.match.game.rulebook.find(words) if words else []
        for rule in found:
            self.say(f"{rule.id} {rule.text}")
        if not found:
            self.say(
                f"No rule has “{words}”."
                if words
                else "Say which rule: `rule EV-5.1`, or words that stand in it."
            )

    def card(self, words: str) -> None:
        faces = list(printed(self.match.t.content, words)) if words else []
        for face in faces:
            for line in card(face):
                self.say(line)
        if not faces:
            near = nearest(words, self.match.t.content.named)
            self.say(f"No card is called “{words}”{near}." if words else "Say which card: `card NAME`.")

    def log(self, seat: int) -> None:
        for line in self.match.log(seat):
            self.say(sentence(line, self.names))

    def undo(self, seat: int) -> bool:
        """Free while nothing was revealed, rolled or decided by another since; beyond that the other people agree."""
        match = self.match
        if not self.chose[seat]:
            self.say("You have nothing to take back.")
            return False
        if not match.free_undo(seat):
            for other in self.people:
                if other != seat and not self.agrees(
                    f"{self.names[other]}, may this be taken back? (yes or no) "
                ):
                    self.say(f"{self.names[other]} does not agree.")
                    return False
        last = self.chose[seat].pop()
        while match.number > last:
            match.undo()
        self.chose = [[number for number in numbers if number < last] for numbers in self.chose]
        self.say("Taken back.")
        return True

    def save(self, name: str) -> None:
        path = Path(name or f"{self.match.game.key}.talion")
        try:
            head = f"game: {self.match.game.key}\n"
            path.write_text(self.match.save().replace(head, f"game: {self.found_as}\n", 1), "utf-8")
            self.say(f"Saved. Go on with: talion play {path}")
        except OSError as problem:
            self.say(f"{path} cannot be written: {problem.strerror}.")

    def quit(self, seat: int, rest: str) -> bool:
        raise Quit


def chosen(words: str, offers: Sequence[Offer]) -> Offer | None:
    """The option that a number or a name means; also the beginning of a name, if it is the only one."""
    if words.isdigit():
        return offers[int(words) - 1] if 0 < int(words) <= len(offers) else None
    wanted = words.lower()
    exact = [offer for offer in offers if offer.name.lower() == wanted]
    begun = [offer for offer in offers if wanted and offer.name.lower().startswith(wanted)]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None
