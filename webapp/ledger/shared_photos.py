"""Pending photos in PostgreSQL: a photo that was taken through one server is confirmed through another."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import JSON, BigInteger, LargeBinary, String, delete, func, select, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from webapp.ledger.database import Database
from webapp.ledger.tables import now

MOST_PER_CLIENT: Final = 32
"""Photos of one client; a newer one pushes out its oldest."""
MOST_BYTES: Final = 200_000_000
"""Photos of all clients; a client that has none gets no place beyond that."""

_LOCK: Final = 0x70686F74


@dataclass(frozen=True)
class PendingPhoto:
    """A photo to confirm: `jpeg` is upright and without metadata, `recognition` is the `photo --json` object."""

    jpeg: bytes = field(repr=False)
    recognition: Mapping[str, Any] = field(repr=False)


class _Base(DeclarativeBase):
    """Apart from the ledger's tables: SQLite has none of these."""


class _PhotoRow(_Base):
    """A photo; `token` is the SHA-256 of its token."""

    __tablename__ = "pending_photos"

    number: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    token: Mapped[str] = mapped_column(String(64))
    client: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[datetime]
    size: Mapped[int]
    jpeg: Mapped[bytes] = mapped_column(LargeBinary)
    recognition: Mapped[dict[str, Any]] = mapped_column(JSON)


def _hash_of(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class SharedPhotos:
    """Pending photos of all servers on `database`. Every method raises `LedgerError` if that does not answer."""

    def __init__(self, database: Database, lifetime_s: float) -> None:
        """Use the database of the ledger; a photo is kept for `lifetime_s` seconds at most."""
        self._database = database
        self._lifetime = timedelta(seconds=lifetime_s)

    def __len__(self) -> int:
        """The number of photos."""
        with self._database.reading() as session:
            return session.scalars(select(func.count()).where(_PhotoRow.expires_at > now())).one()

    def put(self, jpeg: bytes, recognition: Mapping[str, Any], client: str = "") -> str | None:
        """Keep a photo and return its token; None if the photos of others take all the room."""
        token = secrets.token_urlsafe(16)
        with self._database.writing() as session:
            session.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            session.execute(delete(_PhotoRow).where(_PhotoRow.expires_at <= now()))
            if not _make_room(session, client, len(jpeg)):
                return None
            session.add(
                _PhotoRow(
                    token=_hash_of(token),
                    client=client,
                    expires_at=now() + self._lifetime,
                    size=len(jpeg),
                    jpeg=jpeg,
                    recognition=dict(recognition),
                )
            )
        return token

    def get(self, token: str) -> PendingPhoto | None:
        """The photo with this token, or None if it is unknown or has expired."""
        found = select(_PhotoRow).where(_PhotoRow.token == _hash_of(token), _PhotoRow.expires_at > now())
        with self._database.reading() as session:
            row = session.scalars(found).one_or_none()
            return None if row is None else PendingPhoto(row.jpeg, row.recognition)

    def take(self, token: str) -> PendingPhoto | None:
        """Remove and return the photo with this token, or return None."""
        photo = self.get(token)
        with self._database.writing() as session:
            session.execute(delete(_PhotoRow).where(_PhotoRow.token == _hash_of(token)))
        return photo

    def drop_expired(self) -> None:
        """Remove photos whose time is over, those of servers that have ended included."""
        with self._database.writing() as session:
            session.execute(delete(_PhotoRow).where(_PhotoRow.expires_at <= now()))


def _make_room(session: Session, client: str, size: int) -> bool:
    """Remove the client's oldest photos until another fits; False if that is not enough."""
    own = session.execute(
        select(_PhotoRow.number, _PhotoRow.size).where(_PhotoRow.client == client).order_by(_PhotoRow.number)
    ).all()
    taken: int = session.scalars(select(func.coalesce(func.sum(_PhotoRow.size), 0))).one()
    going: list[int] = []
    for number, its_size in own:
        if len(own) - len(going) < MOST_PER_CLIENT and taken + size <= MOST_BYTES:
            break
        going.append(number)
        taken -= its_size
    session.execute(delete(_PhotoRow).where(_PhotoRow.number.in_(going)))
    return taken + size <= MOST_BYTES
