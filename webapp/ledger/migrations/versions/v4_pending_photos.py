"""Photos whose hand is not confirmed yet, where several servers share a PostgreSQL database (Fanlens 0.5).

SQLite has no such table: its one server keeps these photos in memory. The table is not logged, so a photo leaves no
trace in the write-ahead log, and a crash of the database forgets them.
"""

import sqlalchemy as sa
from alembic import op

revision = "v4"
down_revision = "v3"


def upgrade() -> None:
    """Create the table in PostgreSQL."""
    if op.get_bind().dialect.name != "postgresql":
        return
    op.create_table(
        "pending_photos",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("client", sa.String(64), nullable=False, index=True),
        sa.Column("expires_at", sa.DateTime, nullable=False, index=True),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("jpeg", sa.LargeBinary, nullable=False),
        sa.Column("recognition", sa.JSON, nullable=False),
        prefixes=["UNLOGGED"],
    )
