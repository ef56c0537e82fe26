"""Echo: a game for the table's tests that asks the same thing twice."""

import sys

from talion.kernel import Game, State


class Nothing(State):
    pass


def ask_twice(t):
    """EC-1 Say it, and say it again."""
    yield t.ask(0, [("say",), ("shout",)], "Say something", "EC-1")
    yield t.ask(0, [("say",), ("shout",)], "Say something", "EC-1")
    t.over([0], "It was said.", "EC-2")


game = Game(
    key="echo",
    title="Echo",
    about="Say it twice.",
    seats=(2,),
    state=Nothing,
    start=ask_twice,
    rules=sys.modules[__name__],
    longest=2,
)
