"""A table remembers whom its host sent away: they cannot sit down again."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("turned_away", sa.JSON))
