"""What stands on the cards: the fields of a card file."""

from talion.kernel.tables import ANY_TEXT, LINE, TEXTS, cards, end, maybe, one_of

from .rules import ROLES

SENTENCES = {"enter": maybe(ANY_TEXT), "action": maybe(ANY_TEXT), "special": maybe(TEXTS), "exhaust": LINE}
prints = {"card": cards({"owner": one_of(*ROLES), **SENTENCES, "other": maybe(end(SENTENCES))})}
