"""Photos whose hand is not confirmed yet: kept in memory, never on disk, and for an hour at most."""

import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import current_app

MAX_PHOTOS = 64


@dataclass(frozen=True)
class PendingPhoto:
    """A photo to confirm: `jpeg` is upright and without metadata, `recognition` is the `photo --json` object."""

    jpeg: bytes = field(repr=False)
    recognition: Mapping[str, Any] = field(repr=False)
    expires: float  # seconds on the monotonic clock


class PendingPhotos:
    """Pending photos, each under an unguessable token. Safe to share between threads.

    A photo is dropped when it is taken, when `lifetime_s` seconds have passed (a timer drops it even if no
    request comes), or when `MAX_PHOTOS` newer photos have arrived.
    """

    def __init__(self, lifetime_s: float) -> None:
        """Start empty."""
        self._lifetime_s = lifetime_s
        self._lock = threading.Lock()
        self._photos: dict[str, PendingPhoto] = {}
        self._timer: threading.Timer | None = None

    def __len__(self) -> int:
        """The number of photos."""
        with self._lock:
            return len(self._photos)

    def put(self, jpeg: bytes, recognition: Mapping[str, Any]) -> str:
        """Keeps a photo with its recognition and returns its token."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._photos[token] = PendingPhoto(jpeg, recognition, time.monotonic() + self._lifetime_s)
            while len(self._photos) > MAX_PHOTOS:
                del self._photos[next(iter(self._photos))]
            self._start_timer()
        return token

    def get(self, token: str) -> PendingPhoto | None:
        """The photo with this token, or None if it is unknown or has expired."""
        with self._lock:
            pending = self._photos.get(token)
        return pending if pending is not None and pending.expires > time.monotonic() else None

    def take(self, token: str) -> PendingPhoto | None:
        """Removes and returns the photo with this token, or returns None."""
        with self._lock:
            return self._photos.pop(token, None)

    def close(self) -> None:
        """Drops every photo and stops the timer."""
        with self._lock:
            self._photos.clear()
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _start_timer(self) -> None:
        # The dictionary keeps the order of arrival, so its first photo is the next to expire.
        if self._timer is None and self._photos:
            first = next(iter(self._photos.values()))
            self._timer = threading.Timer(max(0.0, first.expires - time.monotonic()), self._drop_expired)
            self._timer.daemon = True
            self._timer.start()

    def _drop_expired(self) -> None:
        with self._lock:
            now = time.monotonic()
            for token in [token for token, pending in self._photos.items() if pending.expires <= now]:
                del self._photos[token]
            self._timer = None
            self._start_timer()


def current_photos() -> PendingPhotos:
    """The pending photos of the application that answers this request."""
    photos: PendingPhotos = current_app.extensions["pending_photos"]
    return photos
