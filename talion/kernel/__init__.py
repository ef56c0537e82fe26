"""The rules machine. It knows no game and no card."""

from .asks import (
    Ask,
    Asking,
    Card,
    First,
    Illegal,
    No,
    Option,
    Result,
    Standing,
    Step,
    Together,
    Window,
    default_of,
)
from .chance import Chance
from .changes import Change
from .content import BadCards, Content, Face
from .dealing import Hidden
from .fields import (
    EVERYONE,
    NOBODY,
    OWNER,
    TOP,
    Bag,
    Counter,
    Counters,
    Flag,
    Named,
    Part,
    PartList,
    Parts,
    PerCard,
    Pile,
    Seat,
    Seats,
    Value,
    Word,
    Zone,
    shown,
)
from .game import BadOption, Choice, Game, Strength, winners_payoff
from .listening import Listener, Moment, Moments
from .log import Line, listed, who
from .match import Match
from .phrases import Phrasebook, Said
from .plays import CANNOT, PREVENT, About, Add, Floor, Play, Set, Source
from .reading import Unreadable
from .record import BadRecord, Outdated
from .state import State
from .view import CardView, HiddenCard, View, ZoneView

__all__ = [
    "CANNOT", "EVERYONE", "NOBODY", "OWNER", "PREVENT", "TOP", "About", "Add", "Ask", "Asking", "BadCards", "BadOption",
    "BadRecord", "Bag", "Card", "CardView", "Chance", "Change", "Choice", "Content", "Counter", "Counters", "Face", "First", "Flag",
    "Floor", "Game", "Hidden", "HiddenCard", "Illegal", "Line", "Listener", "Match", "Moment", "Moments", "Named", "No", "Option", "Outdated", "Part", "PartList", "Parts", "PerCard", "Phrasebook",
    "Pile", "Play", "Result", "Said", "Seat", "Seats", "Set", "Source", "Standing", "State", "Step", "Strength", "Together", "Unreadable",
    "Value", "View", "Window", "Word", "Zone", "ZoneView", "default_of", "listed", "shown", "who", "winners_payoff",
]  # fmt: skip
