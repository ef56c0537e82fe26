"""What stands on the cards: the fields of a card file."""

from talion.kernel.tables import NUMBER, TEXT, TEXTS, cards, maybe, one_of, table_of, things

from .rules.table import HOUSES, STATS

LINES = {"keywords": maybe(TEXTS), "abilities": maybe(TEXTS)}
ASSET = {"cost": NUMBER, "class": maybe(TEXT), **dict.fromkeys(STATS, maybe(NUMBER)), **LINES}

prints = {
    "character": things(
        {
            "house": one_of(*HOUSES),
            **dict.fromkeys(("chosen", "drawn", "wealth", "income"), NUMBER),
            "influence": table_of(NUMBER),
        }
    ),
    "deck": things({"character": TEXT, "cards": table_of(NUMBER)}),
    "card": cards(
        {"house": one_of(*HOUSES), "requirement": NUMBER},
        by="kind",
        sorts={
            "pawn": {**ASSET, **dict.fromkeys(STATS, NUMBER)},
            "location": ASSET,
            "device": ASSET,
            "job": {"progress": NUMBER, "influence": NUMBER, "cint": NUMBER, **LINES},
            "gambit": {"progress": NUMBER, **LINES},
        },
    ),
}
