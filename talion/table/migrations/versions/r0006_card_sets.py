"""The workshop keeps sets of changed cards, each in all the states it was saved in."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "card_sets",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(200), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("made_by", sa.String(64), nullable=False),
        sa.Column("made", sa.Double, nullable=False),
    )
    op.create_index("ix_card_sets_made_by", "card_sets", ["made_by"])
    op.create_table(
        "revisions",
        sa.Column(
            "set_id", sa.String(24), sa.ForeignKey("card_sets.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("cards", sa.JSON, nullable=False),
        sa.Column("drafts", sa.JSON, nullable=False),
        sa.Column("what", sa.String(200), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
