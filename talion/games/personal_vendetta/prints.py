"""PV-3 What stands on the cards: the fields of a card file."""

from dataclasses import replace

from talion.kernel.tables import ANY_TEXT, LINE, TEXTS, cards, maybe, one_of

WORDS = maybe(ANY_TEXT)

prints = {
    "card": cards(
        {"discipline": one_of("physical", "mental"), "cost": replace(WORDS, single=True)},
        by="type",
        sorts={
            "attack": {"benefit": WORDS, "penalty": WORDS},
            "reaction": {"reacts_to": LINE, "benefit": WORDS, "penalty": WORDS},
            "state": {"abilities": maybe(TEXTS), "afflictions": maybe(TEXTS)},
        },
    )
}
