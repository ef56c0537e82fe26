"""A table may get a new invitation; a seat remembers that its person gave the match up."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("invites", sa.Integer, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("conceded", sa.Boolean, nullable=False, server_default=sa.false()))
