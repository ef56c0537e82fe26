"""What was found out about a set is kept beside it, so that every server process can tell."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column(
            "set_id", sa.String(24), sa.ForeignKey("card_sets.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("kind", sa.String(12), primary_key=True),
        sa.Column("id", sa.String(24), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("wanted", sa.Integer, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("found", sa.JSON, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
