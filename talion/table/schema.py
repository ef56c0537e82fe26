"""What is kept. The entries are the truth; everything else is about who sits where and what they said.

A column that a later release adds comes last in its table and has a default: older backups go without it.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData()

# Values the server itself needs from one start to the next: the signing key.
house = Table(
    "house",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(200), nullable=False),
    Column("options", JSON, nullable=False),
    Column("title", String(80), nullable=False),
    Column("open", Boolean, nullable=False),  # listed for everyone; otherwise by invitation only
    Column("status", String(12), nullable=False, index=True),  # seating, running, over, aborted, closed
    Column("clock", JSON, nullable=False),  # {"kind": "none" | "live" | "days", …}
    Column("seed", Text, nullable=False),  # secret until the match is over
    Column("start", Text),  # the match file as it began; none while people are still taking seats
    Column("result", JSON),
    Column("made", Double, nullable=False),
    Column("ended", Double),
    # When the server itself must next do something here (a bot's turn, a clock), and who has claimed it.
    Column("due", Double, index=True),
    Column("lease_by", String(40)),
    Column("lease_until", Double),
    Column("invites", Integer, nullable=False, server_default="0"),  # how often the invitation was made anew
    Column("content", String(40), index=True),  # the fingerprint of the cards it is played with
    Column("version", Integer),  # of the rules by which it began
    Column("card_set", String(80), nullable=False, server_default=""),  # none: the game's printed cards
    Column("turned_away", JSON),  # the hashes of the tokens of those whom the host removed
)

# What is played with, each once, for as long as a table names it. `made` is when it was last wanted for a new table.
contents = Table(
    "contents",
    metadata,
    Column("fingerprint", String(40), primary_key=True),
    Column("game", String(200), nullable=False),
    Column("text", Text, nullable=False),
    Column("made", Double, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("table_id", String(24), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("name", String(40)),  # none: nobody sits here yet
    Column("bot", String(40)),  # a strength: a bot plays this seat
    Column("host", Boolean, nullable=False),
    Column("muted", Boolean, nullable=False),
    Column("orders", JSON, nullable=False),  # standing orders for reaction windows
    Column(
        "conceded", Boolean, nullable=False, server_default=false()
    ),  # for good: a bot plays it to the end
    UniqueConstraint("table_id", "number"),
)

# Whose tokens open a seat: only their hashes are kept.
holders = Table(
    "holders",
    metadata,
    Column("seat_id", String(32), ForeignKey("seats.id", ondelete="CASCADE"), primary_key=True),
    Column("token_hash", String(64), primary_key=True, index=True),
    Column("here", Double),  # when they last had a stream open
)

# Invite links (to a table) and private links (to a seat, for another device): only their hashes are kept.
links = Table(
    "links",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("table_id", String(24), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("seat_id", String(32), ForeignKey("seats.id", ondelete="CASCADE")),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(24), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(12), nullable=False),  # answer, default, undo, and what befell the seats
    Column("seat", Integer),
    Column("body", JSON),
    Column("key", String(64)),  # the submission's idempotency key
    Column("at", Double, nullable=False),
    Column("numbers", JSON, nullable=False),  # how often each audience has seen the match change, so far
    Column("clocks", JSON),  # the seconds left to each seat
    UniqueConstraint("table_id", "seat", "key"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", String(24), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("match", Text, nullable=False),
)

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(24), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("room", String(10), nullable=False),  # table, watchers
    Column("seat", Integer),
    Column("name", String(40), nullable=False),
    Column("words", Text, nullable=False),
    Column("at", Double, nullable=False),
)

# Who is kept out: `person` and the hash of a token, or `address` and an address or a network.
bans = Table(
    "bans",
    metadata,
    Column("whom", String(80), primary_key=True),
    Column("why", String(200), nullable=False),
    Column("made", Double, nullable=False),
)

# What players told the host of the house.
reports = Table(
    "reports",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("table_id", String(24), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("seat", Integer, nullable=False),  # of who tells it
    Column("about", Integer),  # the seat it is about, if it is about one
    Column("words", Text, nullable=False),
    Column("at", Double, nullable=False),
)

# The workshop's sets of changed cards. Whoever has a set's id, which cannot be guessed, can open it.
card_sets = Table(
    "card_sets",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(200), nullable=False),
    Column("name", String(80), nullable=False),
    Column("made_by", String(64), nullable=False, index=True),  # the hash of somebody's token
    Column("made", Double, nullable=False),
)

# Every state a set was saved in. A number is given once, so nobody writes over what another has saved.
revisions = Table(
    "revisions",
    metadata,
    Column("set_id", String(24), ForeignKey("card_sets.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("cards", JSON, nullable=False),  # the rows of a card file
    Column("drafts", JSON, nullable=False),  # rows that cannot be read yet, by the name of their card
    Column("what", String(200), nullable=False),  # what was done, in words
    Column("name", String(40), nullable=False),  # of who saved it
    Column("at", Double, nullable=False),
)

# The latest run of each kind with a set: matches in pairs, or matches to break it.
runs = Table(
    "runs",
    metadata,
    Column("set_id", String(24), ForeignKey("card_sets.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(12), primary_key=True),  # compare, break
    Column("id", String(24), nullable=False),  # whoever plays it writes only while it is still this one
    Column("number", Integer, nullable=False),  # the revision that is tried
    Column("wanted", Integer, nullable=False),  # pairs of matches, or seconds
    Column("state", String(12), nullable=False),  # waiting, running, done, stopped, failed
    Column("found", JSON, nullable=False),
    Column("at", Double, nullable=False),  # when its server last gave a sign of life
)
