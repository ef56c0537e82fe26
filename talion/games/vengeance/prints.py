"""What stands on the cards: the fields of a card file."""

from talion.kernel.tables import (
    ANY_TEXT,
    FLAG,
    LINE,
    NUMBER,
    TEXT,
    TEXTS,
    Kind,
    cards,
    list_of,
    maybe,
    number,
    one_of,
    table_of,
    things,
)

from .rules.table import MIND_FACES, SKILL_FACES, TRACK_OF


def faces(*words: str) -> dict[str, Kind]:
    return {"faces": list_of(one_of(*words), least=1)}


COSTS = {"heal": NUMBER, "severe": NUMBER}
DOOR = Kind("two letters, such as AB", lambda value: isinstance(value, str) and len(value) == 2)
TRACK = list_of(TEXT, least=1)
TILE = {"cost": NUMBER, "text": LINE}
WORDS = maybe(ANY_TEXT)

prints = {
    "die": things(
        {}, "name", {"Mind": faces(*MIND_FACES), "Skill": faces(*SKILL_FACES), "Bonus": faces(*SKILL_FACES)}
    ),
    "damage": things(
        {}, "name", {name: {"track": one_of(track), **COSTS} for name, track in TRACK_OF.items()}
    ),
    "hero": things({"mind": TRACK, "skill": TRACK, "health": number(1)}),
    "card": cards(
        {},
        by="kind",
        sorts={
            "minion": {"health": number(1), "power": WORDS},
            "gang": {"power": WORDS},
            "mission": {"goal": TEXT},
            "boss": {
                "gang": TEXT,
                "health": number(1),
                "entourage": TEXTS,
                "big": maybe(FLAG),
                "power": WORDS,
            },
            "vengeance": {"boss": TEXT, "gang": TEXT, "vp": list_of(NUMBER, least=1), "suffer": TEXT},
            "den": {
                "vp": NUMBER,
                "entry": TEXT,
                "boss_zone": TEXT,
                "doors": list_of(DOOR),
                "zones": table_of(TEXTS),
                "wild": maybe(table_of(NUMBER)),
            },
            "ability": TILE,
            "item": TILE,
            "montage": {
                "hero": TEXT,
                "upgrade": maybe(NUMBER),
                "speed": NUMBER,
                "heal": maybe(NUMBER),
                "recon": maybe(NUMBER),
                "special": WORDS,
            },
        },
    ),
}
