"""Photos whose hand is not confirmed yet: kept for an hour at most, where every server of the club reaches them.

One server with an SQLite file keeps them in memory, never on the disk. Servers that share a PostgreSQL database keep
them there (`webapp.ledger.shared_photos`). No client's photos push out those of another.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Mapping
from typing import Any, Protocol

from flask import current_app, request

from vision.isolation.service import BusyError
from webapp.ledger import Ledger, LedgerError
from webapp.ledger.shared_photos import MOST_BYTES, MOST_PER_CLIENT, PendingPhoto, SharedPhotos
from webapp.network import network_of

RETRY_AFTER_S = 60
_LOOK_S = 60.0


class Store(Protocol):
    """Where pending photos are kept."""

    def __len__(self) -> int: ...  # noqa: D105

    def put(self, jpeg: bytes, recognition: Mapping[str, Any], client: str = "") -> str | None:
        """Keep a photo of this client and return its token; None if the photos of others take all the room."""

    def get(self, token: str) -> PendingPhoto | None:
        """The photo with this token, or None if it is unknown or has expired."""

    def take(self, token: str) -> PendingPhoto | None:
        """Remove and return the photo with this token, or return None."""

    def drop_expired(self) -> None:
        """Remove photos whose time is over."""


class PhotosInMemory:
    """Pending photos, each under an unguessable token. Safe to share between threads."""

    def __init__(self, lifetime_s: float) -> None:
        """Start empty."""
        self._lifetime_s = lifetime_s
        self._lock = threading.Lock()
        # Each with its client and the end of its time. The dictionary keeps the order of arrival.
        self._photos: dict[str, tuple[PendingPhoto, str, float]] = {}

    def __len__(self) -> int:
        """The number of photos."""
        with self._lock:
            return len(self._photos)

    def put(self, jpeg: bytes, recognition: Mapping[str, Any], client: str = "") -> str | None:
        """Keep a photo of this client and return its token; None if the photos of others take all the room."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            own = [each for each, (_, whose, _) in self._photos.items() if whose == client]
            taken = sum(len(photo.jpeg) for photo, _, _ in self._photos.values())
            while own and (len(own) >= MOST_PER_CLIENT or taken + len(jpeg) > MOST_BYTES):
                taken -= len(self._photos.pop(own.pop(0))[0].jpeg)
            if taken + len(jpeg) > MOST_BYTES:
                return None
            end = time.monotonic() + self._lifetime_s
            self._photos[token] = (PendingPhoto(jpeg, recognition), client, end)
        return token

    def get(self, token: str) -> PendingPhoto | None:
        """The photo with this token, or None if it is unknown or has expired."""
        with self._lock:
            photo, _, end = self._photos.get(token, (None, "", 0.0))
        return photo if end > time.monotonic() else None

    def take(self, token: str) -> PendingPhoto | None:
        """Remove and return the photo with this token, or return None."""
        with self._lock:
            photo, _, _ = self._photos.pop(token, (None, "", 0.0))
        return photo

    def drop_expired(self) -> None:
        """Remove photos whose time is over."""
        with self._lock:
            for token in [token for token, (_, _, end) in self._photos.items() if end <= time.monotonic()]:
                del self._photos[token]


class PendingPhotos:
    """The pending photos of an application; expired ones are dropped even if no request comes."""

    def __init__(self, lifetime_s: float, ledger: Ledger | None = None) -> None:
        """Keep photos in the ledger's database if servers can share it, else in memory."""
        shared = ledger is not None and ledger.database.is_postgresql
        self._store: Store = (
            SharedPhotos(ledger.database, lifetime_s) if ledger and shared else PhotosInMemory(lifetime_s)
        )
        self._look_s = min(_LOOK_S, lifetime_s)
        self._lock = threading.Lock()
        self._looking = threading.Lock()
        self._timer: threading.Timer | None = None
        self._closed = False
        if shared:
            self._drop_expired()  # those of a server that has ended

    def __len__(self) -> int:
        """The number of photos."""
        return len(self._store)

    def put(self, jpeg: bytes, recognition: Mapping[str, Any], client: str = "") -> str:
        """Keep a photo of this client and return its token. Raises BusyError if others' photos take all the room."""
        token = self._store.put(jpeg, recognition, client)
        if token is None:
            raise BusyError(RETRY_AFTER_S)
        self._look_later()
        return token

    def get(self, token: str) -> PendingPhoto | None:
        """The photo with this token, or None if it is unknown or has expired."""
        return self._store.get(token)

    def take(self, token: str) -> PendingPhoto | None:
        """Remove and return the photo with this token, or return None."""
        return self._store.take(token)

    def close(self) -> None:
        """Stop the timer. Photos in memory are gone with it; other servers still have those in the database."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
        with self._looking:
            pass  # a look that has begun ends before the database's connections are closed

    def _look_later(self) -> None:
        with self._lock:
            if self._timer is None and not self._closed:
                self._timer = threading.Timer(self._look_s, self._drop_expired)
                self._timer.daemon = True
                self._timer.start()

    def _drop_expired(self) -> None:
        with self._looking:
            with self._lock:
                self._timer = None
                if self._closed:
                    return
            with contextlib.suppress(LedgerError):  # whoever asks for a photo is told
                self._store.drop_expired()
                if not len(self._store):
                    return
        self._look_later()


def current_photos() -> PendingPhotos:
    """The pending photos of the application that answers this request."""
    photos: PendingPhotos = current_app.extensions["pending_photos"]
    return photos


def current_client() -> str:
    """Who sends this request, as far as the network tells."""
    return network_of(request.remote_addr or "")
