"""The tables of the ledger as SQLAlchemy sees them; `migrations` creates them."""

from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, DateTime, ForeignKey, Integer, String, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedSQLExpression, column_property, mapped_column


class Base(DeclarativeBase):
    """The base of the tables."""


class HandRow(Base):
    """A hand confirmed on its own, outside any match."""

    __tablename__ = "hands"

    id: Mapped[int] = mapped_column(primary_key=True)
    confirmed_at: Mapped[datetime] = mapped_column(DateTime)
    removed_at: Mapped[datetime | None] = mapped_column(DateTime)
    discarder: Mapped[str | None] = mapped_column(String(1))
    hand: Mapped[dict[str, Any]] = mapped_column(JSON)
    score: Mapped[dict[str, Any]] = mapped_column(JSON)
    payments: Mapped[dict[str, int]] = mapped_column(JSON)
    players: Mapped[dict[str, str] | None] = mapped_column(JSON)
    key: Mapped[str | None] = mapped_column(String(64))
    owner: Mapped[str | None] = mapped_column(String(64))
    match_id: Mapped[int | None] = mapped_column(Integer)
    corrections: ClassVar[MappedSQLExpression[int]]


class HandVersionRow(Base):
    """What a hand said before it was corrected; `confirmed` holds the fields of a `ConfirmedHand`."""

    __tablename__ = "hand_versions"

    hand_id: Mapped[int] = mapped_column(ForeignKey("hands.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    replaced_at: Mapped[datetime] = mapped_column(DateTime)
    confirmed: Mapped[dict[str, Any]] = mapped_column(JSON)


HandRow.corrections = column_property(  # how often the hand was corrected
    select(func.count(HandVersionRow.version))
    .where(HandVersionRow.hand_id == HandRow.id)
    .correlate_except(HandVersionRow)
    .scalar_subquery()
)


class MatchRow(Base):
    """A match: its settings, and the keys to look, to enter and to own it."""

    __tablename__ = "matches"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(100))
    started_at: Mapped[datetime] = mapped_column(DateTime)
    ended_at: Mapped[datetime | None] = mapped_column(DateTime)
    removed_at: Mapped[datetime | None] = mapped_column(DateTime)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)
    look_key: Mapped[str] = mapped_column(String(64))
    enter_key: Mapped[str] = mapped_column(String(64))
    owner_key: Mapped[str] = mapped_column(String(64))


class PlayerRow(Base):
    """A player of a match, numbered 0 to 3 by the seat drawn, with the total so far."""

    __tablename__ = "match_players"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    player: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    total: Mapped[int] = mapped_column(Integer)


class EventRow(Base):
    """An event of a match and what it changed in the totals; rows are only ever added."""

    __tablename__ = "events"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    entered_at: Mapped[datetime] = mapped_column(DateTime)
    event: Mapped[dict[str, Any]] = mapped_column(JSON)
    hand: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    score: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    gain_0: Mapped[int] = mapped_column(Integer)
    gain_1: Mapped[int] = mapped_column(Integer)
    gain_2: Mapped[int] = mapped_column(Integer)
    gain_3: Mapped[int] = mapped_column(Integer)
    gain_table: Mapped[int] = mapped_column(Integer)
    key: Mapped[str | None] = mapped_column(String(64))


class WinRow(Base):
    """A hand of a match as it was won, after corrections; derived from the events, for lists and statistics."""

    __tablename__ = "wins"

    match_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    hand_number: Mapped[int] = mapped_column(Integer)
    winner: Mapped[int] = mapped_column(Integer)
    discarder: Mapped[int | None] = mapped_column(Integer)
    points: Mapped[int] = mapped_column(Integer)


class WinFanRow(Base):
    """A fan of such a hand, and how often it counts."""

    __tablename__ = "win_fans"

    match_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    fan: Mapped[str] = mapped_column(String(20), primary_key=True)
    count: Mapped[int] = mapped_column(Integer)


def now() -> datetime:
    """The present moment in UTC, as the tables keep it."""
    return datetime.now(UTC).replace(tzinfo=None)
