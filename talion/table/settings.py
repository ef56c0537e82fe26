"""How a server is set up. All of it has a good default."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """What one person, one address or the whole house may use. Past it they get an answer, not silence."""

    tables: int = 5000  # not yet over, in the whole house
    tables_per_person: int = 40  # not yet over, that one person has opened or sits at
    listed_per_person: int = 200
    body: int = 64 * 1024
    answers_per_second: float = 20.0
    requests_per_second: float = 50.0
    tables_per_minute: float = 20.0
    tables_per_day: float = 300.0  # also those that are over: their records are kept
    words_per_minute: float = 30.0
    acts_per_minute: float = (
        60.0  # what is written down and plays nothing on: offers, orders, bots for people
    )
    lines: int = 500  # of what was said at a table, kept
    hints_per_minute: float = 30.0
    words: int = 500
    heavy_per_minute: float = 60.0  # reading a match to look back at it, match files, playing on
    moments_per_second: float = 6.0  # of a match that was read: it runs, at three a second
    streams_per_person: int = 4
    streams_per_address: int = 100
    live_tables: int = 2000


@dataclass(frozen=True)
class Settings:
    """One server process."""

    database: str = "talion.sqlite3"
    root_path: str = ""  # the sub-path a proxy serves us under
    trusted: tuple[str, ...] = ()  # proxies whose forwarded headers are believed
    local: bool = True  # only browsers on this machine can reach us
    url: str = ""  # where the world finds us, for links; else what the browser asked for
    reached_at: str = ""  # host and port by which other machines in the house reach us
    secure: bool = False  # cookies for https only; also whenever a trusted proxy says https
    bot_workers: int = 1
    stand_in: str = "greedy"  # the bot that plays on for somebody who left
    pace: float = 1.0  # seconds a bot's move takes at least; 0 for tests
    beat: float = 2.0  # seconds a reaction window is open, unless the table says; 0: it waits for people
    rest: float = 600.0  # seconds after which a table that nobody looks at leaves memory
    keep_days: float = 365.0  # finished tables are kept this long
    idle_days: float = 60.0  # unfinished tables at which nothing happens
    untouched_days: float = 1.0  # tables at which no person ever answered
    games: tuple[str, ...] = ()  # further games, by path
    cards: tuple[str, ...] = ()  # sets of changed cards: a card file each, or game=file
    rooms: tuple[str, ...] = ()  # further rooms of the house, by the name of their module; see `app.Room`
    metrics: str | None = None  # a folder shared by the workers
    limits: Limits = field(default_factory=Limits)

    @property
    def behind_a_proxy(self) -> bool:
        """Whether the world reaches us though we listen on this machine alone."""
        return bool(self.trusted or self.url or self.root_path)
