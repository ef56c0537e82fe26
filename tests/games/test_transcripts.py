"""A match of every game in the terminal, word for word, as a person would have played it.

If a change is meant, run this file: it writes the screens down anew. Then read them.
"""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from talion import bots, games
from talion.bots import Bot, Seen
from talion.kernel import Match, Option
from talion.kernel.content import lay_over
from talion.terminal import Chair, Terminal

GOLDEN = Path(__file__).parent / "golden"


class Still:
    """Always takes the first option there is."""

    def choose(self, seen: Seen) -> Option:
        return seen.options[0]


def a_demon_soon_free() -> tuple[Match, Bot]:
    """A Chapter of Resonance on a ring of one object a card: the Demon is free after a few rounds."""
    game = games.find("chapter-of-resonance")
    ring = [card for card in game.own_tables()["card"] if "activated_by" in card]
    plain = [
        {
            "name": card["name"],
            "activated_by": card["activated_by"][:1],
            **({"arrival": card["arrival"].split(". ")[0].rstrip(".") + "."} if "arrival" in card else {}),
        }
        for card in ring
    ]
    content = game.printed(lay_over(game.own_tables(), {"card": plain}, "test"), "test")
    return Match.new(game, 2, 161, content=content), bots.make("random", 161)


def two_acts_given_up() -> tuple[Match, Bot]:
    """Engines of Vengeance: a few turns, and both Acts given up."""
    return Match.new(games.find("engines-of-vengeance"), 2, 5), bots.make("random", 5)


def a_short_vendetta() -> tuple[Match, Bot]:
    return Match.new(games.find("personal-vendetta"), 2, 40), bots.make("random", 40)


def a_last_fight() -> tuple[Match, Bot]:
    """Vengeance: the last Combat turn of a match in which both sat at home before."""
    options = {"heroes": "Kaja, Reverend Gray", "quickstart": True}
    match = Match.new(games.find("vengeance"), 2, 8, options)
    while match.t.turn < 8:
        seat = min(match.pending)
        match.answer(seat, match.options(seat)[0])
    return match, Still()


def bosses_who_have_nearly_won() -> tuple[Match, Bot]:
    """Vitium, from the last steps of it."""
    game = games.find("vitium")
    nearly = [
        {"name": "Brannoch Vale", "influence": {"Drauth": 5, "Tannhaus": 2}, "wealth": 1500},
        {"name": "Sable Lysander", "influence": {"Ysmere": 4, "Noxley": 1}},
    ]
    content = game.printed(lay_over(game.own_tables(), {"character": nearly}, "test"), "test")
    return Match.new(game, 2, "short", content=content), bots.make("random", 5)


PLAYED: dict[str, tuple[Callable[[], tuple[Match, Bot]], str]] = {
    "chapter-of-resonance": (
        a_demon_soon_free,
        "keep Spells of Myosotis|why not|play Potion|draw Artifact|why|take Herb|card Spells of Myosotis|play Incantation 9"
        "|cast Bramble Surge|play Incantation 3|cast Call of the Forest|rule CR-13.1|play Mineral|take Potion",
    ),
    "engines-of-vengeance": (
        two_acts_given_up,
        "1|1|why not|end actions|1|end actions|2|why|concede the Act|no|concede the Act|yes|1|concede the Act"
        "|yes",
    ),
    "personal-vendetta": (
        a_short_vendetta,
        "take Turn the Blade|card Memory Siphon|take Memory Siphon|pass|why not|pass|pass"
        "|take Old Tunnel Tricks|pass|play Turn the Blade|take Shear Line|pass|pass|pass|play Shear Line|pass"
        "|play Old Tunnel Tricks|why|pass|pass|pass|take Rehearsal|pass|take Furnace Embrace|pass|pass|pass"
        "|rule PV-R15|play Furnace Embrace|react Turn the Blade",
    ),
    "vengeance": (
        a_last_fight,
        "scout Pigeon Loft|why scout Pigeon Loft|lift Run and Gun|onto Steady Nerves"
        "|play Chains McGraw: the links|lift Last Gasp|onto Veteran|done|attack Pigeon Loft|run C"
        "|use Iron Skin|double hit Grunt in C|run D|double hit Chains McGraw in D|hit Blocker in D"
        "|use Run and Gun|move B|shoot Grunt in A|use Last Gasp|hit Gunman in B|stay|why|move A"
        "|shoot Grunt in B|score 2 Chains McGraw|done",
    ),
    "vitium": (
        bosses_who_have_nearly_won,
        "pick Break the Strike|pick Company Auditor|why not|get Break the Strike underway"
        "|purchase Company Auditor|purchase Foundry Drone|complete Break the Strike"
        "|Company Auditor works on Break the Strike|why|Foundry Drone works on Break the Strike"
        "|complete Break the Strike|keep 1",
    ),
}
"""For every game how a match begins and against whom, and what Ann types."""


def on_the_screen(key: str) -> str:
    begin, typing = PLAYED[key]
    match, opponent = begin()
    screen = io.StringIO()
    typed = iter(typing.split("|"))

    def read(prompt: str) -> str:
        line = next(typed)
        screen.write(f"{prompt}{line}\n")
        return line

    console = Console(file=screen, force_terminal=False, width=118)
    name = "Still" if isinstance(opponent, Still) else "Random"
    Terminal(match, [Chair("Ann"), Chair(name, opponent)], console, read).play()
    return screen.getvalue()


@pytest.mark.parametrize("key", games.keys())
def test_a_match_reads_as_it_did(key: str) -> None:
    assert on_the_screen(key) == (GOLDEN / f"{key}.txt").read_text("utf-8")


if __name__ == "__main__":
    for key in PLAYED:
        (GOLDEN / f"{key}.txt").write_text(on_the_screen(key), "utf-8")
