"""Who holds a seat may be here: when they last had a stream open."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("holders", sa.Column("here", sa.Double))
