"""Photos that wait for a person's confirmation: held in memory, never on disk, and for an hour at most."""

import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_PHOTOS = 64


@dataclass(frozen=True)
class Pending:
    """A photo on the tray: `jpeg` without metadata, upright; `recognition` as the `photo --json` object."""

    jpeg: bytes = field(repr=False)
    recognition: Mapping[str, Any] = field(repr=False)
    expires: float  # seconds on the monotonic clock


class Tray:
    """Pending photos by an unguessable token. Safe to share between threads.

    A photo leaves when it is taken, when `lifetime_s` seconds have passed (a timer sees to it even if no
    request comes), or when `MAX_PHOTOS` newer ones came in.
    """

    def __init__(self, lifetime_s: float) -> None:
        """Start empty."""
        self._lifetime_s = lifetime_s
        self._lock = threading.Lock()
        self._photos: dict[str, Pending] = {}
        self._timer: threading.Timer | None = None

    def __len__(self) -> int:
        """How many photos are held."""
        with self._lock:
            return len(self._photos)

    def put(self, jpeg: bytes, recognition: Mapping[str, Any]) -> str:
        """Keeps a photo and what was read on it; its token."""
        token = secrets.token_urlsafe(16)
        with self._lock:
            self._photos[token] = Pending(jpeg, recognition, time.monotonic() + self._lifetime_s)
            while len(self._photos) > MAX_PHOTOS:
                del self._photos[next(iter(self._photos))]
            self._arm()
        return token

    def get(self, token: str) -> Pending | None:
        """The photo with this token, or None if it never was or is gone."""
        with self._lock:
            pending = self._photos.get(token)
        return pending if pending is not None and pending.expires > time.monotonic() else None

    def take(self, token: str) -> Pending | None:
        """Removes and returns the photo with this token, or None."""
        with self._lock:
            return self._photos.pop(token, None)

    def close(self) -> None:
        """Forgets every photo and stops the timer."""
        with self._lock:
            self._photos.clear()
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _arm(self) -> None:
        # Photos are kept in the order they came, so the first one is the next to expire.
        if self._timer is None and self._photos:
            first = next(iter(self._photos.values()))
            self._timer = threading.Timer(max(0.0, first.expires - time.monotonic()), self._expire)
            self._timer.daemon = True
            self._timer.start()

    def _expire(self) -> None:
        with self._lock:
            now = time.monotonic()
            for token in [token for token, pending in self._photos.items() if pending.expires <= now]:
                del self._photos[token]
            self._timer = None
            self._arm()
