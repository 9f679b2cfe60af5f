"""F3, F4: idle, half-open and stalled connections, over HTTP and HTTPS: `python -m tests.attack.connections`."""

from __future__ import annotations

import ssl
import time

from tests.attack.harness import SAMPLE, Target, ask, serving, upload
from tests.webapp.slow_clients import HALF_A_HEAD, closed, half_an_upload, held, status_of


def slowest_ms(target: Target, tls: ssl.SSLContext | None = None) -> float:
    """The slowest of ten answers to an honest client on new connections."""
    waits = []
    for _ in range(10):
        begun = time.perf_counter()
        assert status_of(target.port, tls=tls) == 200
        waits.append((time.perf_counter() - begun) * 1000)
    return max(waits)


def attack(target: Target, tls: ssl.SSLContext | None, name: str) -> None:
    """Every kind of slow client, from the honest client's own address and from another."""
    kinds = {
        "1,000 idle": (1000, b""),
        "200 half-open": (200, HALF_A_HEAD),
        "60 stalled uploads": (60, half_an_upload(39_000_000, 1_000_000)),
    }
    before = target.memory_mb()
    for kind, (number, first) in kinds.items():
        for source in ("127.0.0.1", "127.0.0.2"):
            with held(target.port, number, first, source=source, tls=tls) as connections:
                wait, memory = slowest_ms(target, tls), target.memory_mb()
                line = f"{name}, {kind} from {source}: slowest honest answer {wait:.0f} ms"
                line += f", memory {before} to {memory} MB"
                if kind.endswith("uploads") and tls is None:
                    time.sleep(1.1)
                    begun = time.perf_counter()
                    assert upload(target.port, SAMPLE.read_bytes()) == 201
                    line += f"; an honest upload {(time.perf_counter() - begun) * 1000:.0f} ms"
                print(line, flush=True)
                if kind == "200 half-open":
                    begun = time.monotonic()
                    assert all(closed(connection, 60) for connection in connections[-5:])
                    print(f"  closed after {time.monotonic() - begun:.0f} s")


def main() -> None:
    """Attack a server over HTTP, then one over HTTPS."""
    with serving() as target:
        assert upload(target.port, SAMPLE.read_bytes()) == 201
        attack(target, None, "HTTP")
        assert ask(target.port)[0] == 200
    with serving("--https") as target:
        tls = ssl.create_default_context(cafile=target.folder / "fanlens-authority.pem")
        attack(target, tls, "HTTPS")
        with held(target.port, 300):  # a handshake that never comes
            print(f"HTTPS, 300 without a handshake: slowest honest answer {slowest_ms(target, tls):.0f} ms")


if __name__ == "__main__":
    main()
