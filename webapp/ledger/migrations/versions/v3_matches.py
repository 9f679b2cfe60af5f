"""Matches, their players and events; owners and versions of single hands (Fanlens 0.5).

Events are only ever added and every one sums to zero: the database refuses anything else.
"""

import sqlalchemy as sa
from alembic import op

revision = "v3"
down_revision = "v2"

_NEVER_CHANGED = {
    "sqlite": (
        "CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events "
        "BEGIN SELECT RAISE(ABORT, 'events are only ever added'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION refuse_changed_event() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'events are only ever added'; END $$",
        "CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events "
        "FOR EACH ROW EXECUTE FUNCTION refuse_changed_event()",
    ),
}


def upgrade() -> None:
    """Create the tables of matches and the columns of owners and versions."""
    _create_matches()
    _create_events()
    _create_wins()
    _keep_versions_of_hands()


def _create_matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("title", sa.String(100), nullable=False),
        sa.Column("started_at", sa.DateTime, nullable=False, index=True),
        sa.Column("ended_at", sa.DateTime),
        sa.Column("removed_at", sa.DateTime),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("look_key", sa.String(64), nullable=False, unique=True),
        sa.Column("enter_key", sa.String(64), nullable=False, unique=True),
        sa.Column("owner_key", sa.String(64), nullable=False, unique=True),
    )
    op.create_table(
        "match_players",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False, index=True),
        sa.Column("total", sa.Integer, nullable=False),
    )


def _create_events() -> None:
    op.create_table(
        "events",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("entered_at", sa.DateTime, nullable=False),
        sa.Column("event", sa.JSON, nullable=False),
        sa.Column("hand", sa.JSON),
        sa.Column("score", sa.JSON),
        sa.Column("gain_0", sa.Integer, nullable=False),
        sa.Column("gain_1", sa.Integer, nullable=False),
        sa.Column("gain_2", sa.Integer, nullable=False),
        sa.Column("gain_3", sa.Integer, nullable=False),
        sa.Column("gain_table", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64)),
        sa.CheckConstraint("gain_0 + gain_1 + gain_2 + gain_3 + gain_table = 0", name="events_sum_to_zero"),
        sa.UniqueConstraint("match_id", "key", name="events_key"),
    )
    for statement in _NEVER_CHANGED[op.get_bind().dialect.name]:
        op.execute(statement)


def _create_wins() -> None:
    op.create_table(
        "wins",
        sa.Column("match_id", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("hand_number", sa.Integer, nullable=False),
        sa.Column("winner", sa.Integer, nullable=False),
        sa.Column("discarder", sa.Integer),
        sa.Column("points", sa.Integer, nullable=False, index=True),
        sa.ForeignKeyConstraint(
            ["match_id", "number"], ["events.match_id", "events.number"], ondelete="CASCADE"
        ),
    )
    op.create_table(
        "win_fans",
        sa.Column("match_id", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("fan", sa.String(20), primary_key=True, index=True),
        sa.Column("count", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["match_id", "number"], ["wins.match_id", "wins.number"], ondelete="CASCADE"),
    )


def _keep_versions_of_hands() -> None:
    op.create_table(
        "hand_versions",
        sa.Column("hand_id", sa.Integer, sa.ForeignKey("hands.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("replaced_at", sa.DateTime, nullable=False),
        sa.Column("confirmed", sa.JSON, nullable=False),
    )
    op.add_column("hands", sa.Column("owner", sa.String(64)))
    op.add_column("hands", sa.Column("match_id", sa.Integer))
    op.create_index("hands_owner", "hands", ["owner"])
