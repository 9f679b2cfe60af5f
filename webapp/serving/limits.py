"""How much of the server one client, and all of them together, may take."""

from dataclasses import dataclass
from typing import Final

MEGABYTE: Final = 10**6


@dataclass(frozen=True)
class Limits:
    """Limits of connections, uploads and waiting requests. Who waits the longest for its client goes first.

    connections, connections_per_address: beyond these, the connection that has waited longest for its client is closed.
    handshake_s: the longest a TLS handshake may take.
    head_s: how long a connection may wait for the whole head of a request, from its beginning or the last answer on.
    stall_s: how long an upload may pause, or an answer remain unread.
    upload_s: the longest an upload may take.
    uploads, uploads_per_address: photos and other large bodies that arrive, wait or are read; more get 503.
    slow_bytes_s, slow_after_s: an upload slower than this, after that many seconds, gives its place to another.
    body_bytes: memory for all uploads together, by the length they announce.
    small_bytes: a body up to this length needs no place among the uploads, unless it brings a photo.
    photo_threads, ledger_threads, watch_threads, threads: how many requests each lane answers at once.
    queue: how many requests may wait in a lane.
    """

    connections: int = 2000
    connections_per_address: int = 256
    handshake_s: float = 5.0
    head_s: float = 10.0
    stall_s: float = 15.0
    upload_s: float = 120.0
    uploads: int = 10
    uploads_per_address: int = 6
    slow_bytes_s: int = 10_000
    slow_after_s: float = 1.0
    body_bytes: int = 160 * MEGABYTE
    small_bytes: int = 1 * MEGABYTE
    photo_threads: int = 2
    ledger_threads: int = 6
    watch_threads: int = 2
    threads: int = 8
    queue: int = 64


LIMITS: Final = Limits()
