"""What stands on the cards: the fields of a card file."""

from talion.kernel.tables import ANY_TEXT, NUMBER, TEXT, TEXTS, cards, list_of, maybe, one_of, table_of

from .rules.table import TYPES

TYPE = one_of(*TYPES)
WORDS = maybe(ANY_TEXT)
RING = {"number": NUMBER, "activated_by": list_of(TYPE), "arrows": table_of(NUMBER)}

prints = {
    "card": cards(
        {},
        by="kind",
        sorts={
            "ritual": {"type": TYPE},
            "transient": {"type": TYPE},
            "artifact": {"value": NUMBER},
            "incantation": {"value": NUMBER},
            "witch": {"epithet": WORDS, "objectives": list_of(NUMBER)},
            "spell": {"witch": TEXT, "spells": TEXTS, "texts": list_of(TEXT, least=1)},
            "demon": {"text": TEXT},
            "solo": {"text": TEXT},
            "gate": {**RING, "arrival": WORDS, "passive": WORDS},
            "vengeance": RING,
        },
    )
}
