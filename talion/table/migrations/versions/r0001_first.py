"""The first release: tables, seats, links, entries, snapshots, chat."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def of_table(**more: Any) -> sa.Column[Any]:
    """A column that names a table, and goes when the table goes."""
    key = sa.ForeignKey("tables.id", ondelete="CASCADE")
    return sa.Column("table_id", sa.String(24), key, nullable=False, **more)


def of_seat(**more: Any) -> sa.Column[Any]:
    """A column that names a seat, and goes when the seat goes."""
    return sa.Column("seat_id", sa.String(32), sa.ForeignKey("seats.id", ondelete="CASCADE"), **more)


def upgrade() -> None:
    op.create_table(
        "house",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(200), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("status", sa.String(12), nullable=False, index=True),
        sa.Column("clock", sa.JSON, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("start", sa.Text),
        sa.Column("result", sa.JSON),
        sa.Column("made", sa.Double, nullable=False),
        sa.Column("ended", sa.Double),
        sa.Column("due", sa.Double, index=True),
        sa.Column("lease_by", sa.String(40)),
        sa.Column("lease_until", sa.Double),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.String(32), primary_key=True),
        of_table(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40)),
        sa.Column("bot", sa.String(40)),
        sa.Column("host", sa.Boolean, nullable=False),
        sa.Column("muted", sa.Boolean, nullable=False),
        sa.Column("orders", sa.JSON, nullable=False),
        sa.UniqueConstraint("table_id", "number"),
    )
    op.create_table(
        "holders",
        of_seat(primary_key=True),
        sa.Column("token_hash", sa.String(64), primary_key=True, index=True),
    )
    op.create_table(
        "links",
        sa.Column("hash", sa.String(64), primary_key=True),
        of_table(index=True),
        of_seat(),
    )
    op.create_table(
        "entries",
        of_table(primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("body", sa.JSON),
        sa.Column("key", sa.String(64)),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("numbers", sa.JSON, nullable=False),
        sa.Column("clocks", sa.JSON),
        sa.UniqueConstraint("table_id", "seat", "key"),
    )
    op.create_table(
        "snapshots",
        of_table(primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("match", sa.Text, nullable=False),
    )
    op.create_table(
        "chat",
        of_table(primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("room", sa.String(10), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
