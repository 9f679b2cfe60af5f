"""Photos leave the tray on time, whether or not a request comes."""

import time

from webapp.pending_photos import MAX_PHOTOS, Tray


def test_keeps_and_forgets() -> None:
    tray = Tray(lifetime_s=60)
    token = tray.put(b"photo", {"tiles": []})
    kept = tray.get(token)
    assert kept is not None
    assert kept.jpeg == b"photo"
    assert tray.get("other") is None
    assert tray.take(token) is kept
    assert tray.get(token) is None
    tray.close()


def test_tokens_cannot_be_guessed() -> None:
    tray = Tray(lifetime_s=60)
    tokens = {tray.put(b"", {}) for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 22
    tray.close()


def test_expires_without_a_request() -> None:
    tray = Tray(lifetime_s=0.05)
    first = tray.put(b"1", {})
    deadline = time.monotonic() + 10
    while len(tray) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(tray) == 0
    assert tray.get(first) is None
    second = tray.put(b"2", {})
    while len(tray) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert tray.get(second) is None
    assert len(tray) == 0
    tray.close()


def test_the_oldest_goes_when_there_are_too_many() -> None:
    tray = Tray(lifetime_s=60)
    tokens = [tray.put(b"", {}) for _ in range(MAX_PHOTOS + 1)]
    assert tray.get(tokens[0]) is None
    assert tray.get(tokens[1]) is not None
    tray.close()
