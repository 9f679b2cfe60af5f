"""Confirmed hands, as Fanlens 0.1 kept them."""

import sqlalchemy as sa
from alembic import op

revision = "v1"
down_revision = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "hands",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("confirmed_at", sa.DateTime, nullable=False),
        sa.Column("removed_at", sa.DateTime),
        sa.Column("discarder", sa.String(1)),
        sa.Column("hand", sa.JSON, nullable=False),
        sa.Column("score", sa.JSON, nullable=False),
        sa.Column("payments", sa.JSON, nullable=False),
    )
