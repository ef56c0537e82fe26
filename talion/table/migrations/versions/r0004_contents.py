"""A table names its content and its rules' version; each content is kept once, by its fingerprint.

Tables of the first releases named their cards by another fingerprint and did not bring them. What those releases printed
is in `first_contents.json.gz`, so that their matches go on with the cards they began with.
"""

import gzip
import json
import time
from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

FIRST = Path(__file__).parent.parent / "first_contents.json.gz"


def upgrade() -> None:
    contents = op.create_table(
        "contents",
        sa.Column("fingerprint", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(200), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("made", sa.Double, nullable=False),
    )
    op.add_column("tables", sa.Column("content", sa.String(40)))
    op.add_column("tables", sa.Column("version", sa.Integer))
    op.add_column("tables", sa.Column("card_set", sa.String(80), nullable=False, server_default=""))
    op.create_index("ix_tables_content", "tables", ["content"])
    _name_what_is_played(op.get_bind(), contents)


def _name_what_is_played(connection: sa.Connection, contents: sa.Table) -> None:
    """The content and version of every match that has begun, from the head of its latest state."""
    first = {row["first"]: row for row in json.loads(gzip.decompress(FIRST.read_bytes()))}
    tables = sa.table("tables", *map(sa.column, ("id", "start", "content", "version")))
    snapshots = sa.table("snapshots", *map(sa.column, ("table_id", "number", "match")))
    kept: set[str] = set()
    for table, start in connection.execute(
        sa.select(tables.c.id, tables.c.start).where(tables.c.start.is_not(None))
    ).all():
        mine = sa.select(snapshots.c.match).where(snapshots.c.table_id == table)
        latest = connection.execute(mine.order_by(snapshots.c.number.desc()).limit(1)).scalar()
        head = _head(latest or start)
        found = first.get(head.get("cards", ""))
        values = {"version": int(head.get("version", "0")), "content": found and found["fingerprint"]}
        connection.execute(tables.update().where(tables.c.id == table).values(values))
        if found and found["fingerprint"] not in kept:
            kept.add(found["fingerprint"])
            row = {name: found[name] for name in ("fingerprint", "game", "text")}
            connection.execute(contents.insert().values(**row, made=time.time()))


def _head(match: str) -> dict[str, str]:
    lines = match.partition("\n---\n")[0].splitlines()
    return dict(line.split(": ", 1) for line in lines if ": " in line)
