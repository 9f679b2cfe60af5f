"""Names by seat, and a key under which a hand is confirmed only once (Fanlens 0.2 to 0.4)."""

import sqlalchemy as sa
from alembic import op

revision = "v2"
down_revision = "v1"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("hands", sa.Column("players", sa.JSON))
    op.add_column("hands", sa.Column("key", sa.String(64)))
    op.create_index("hands_key", "hands", ["key"], unique=True)
