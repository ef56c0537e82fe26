"""What may be chosen for a match: heroes, a gang left out, the quickstart. Each check says what is wrong."""

from __future__ import annotations

from talion.kernel import Choice, Content

from .rules.setup import chosen_heroes


def check_heroes(value: str, content: Content, seats: int) -> str | None:
    """VG-1.10"""
    known = [hero["name"] for hero in content.other_things("hero")]
    chosen = chosen_heroes(value)
    if strangers := [name for name in chosen if name not in known]:
        return f"there is no hero {strangers[0]}; there are {', '.join(known)}."
    if len(set(chosen)) < len(chosen):
        return "no hero is played twice."
    if len(chosen) > seats:
        return f"{len(chosen)} heroes are too many for {seats} seats."
    return None


def check_gang(value: str, content: Content, seats: int) -> str | None:
    """VG-Q3"""
    gangs = [face.name for face in content.faces if face.kind == "gang"]
    return None if value in ("", *gangs) else f"there is no gang {value}; there are {', '.join(gangs)}."


CHOICES = (
    Choice(
        "heroes",
        "",
        (),
        "The heroes of the first seats, such as “Kaja, Wren Okafor”; the others are random.",
        "VG-1.10",
        check_heroes,
    ),
    Choice(
        "without",
        "",
        (),
        "The gang that two or three players leave out; otherwise a random one.",
        "VG-Q3",
        check_gang,
    ),
    Choice("quickstart", False, (False, True), "Skip the Wronging: cards are handed out.", "VG-Q70"),
)
