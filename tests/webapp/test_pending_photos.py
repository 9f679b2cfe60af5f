"""Pending photos are dropped on time, whether or not a request comes."""

import time

from webapp.pending_photos import MAX_PHOTOS, PendingPhotos


def test_keeps_and_forgets() -> None:
    photos = PendingPhotos(lifetime_s=60)
    token = photos.put(b"photo", {"tiles": []})
    kept = photos.get(token)
    assert kept is not None
    assert kept.jpeg == b"photo"
    assert photos.get("other") is None
    assert photos.take(token) is kept
    assert photos.get(token) is None
    photos.close()


def test_tokens_cannot_be_guessed() -> None:
    photos = PendingPhotos(lifetime_s=60)
    tokens = {photos.put(b"", {}) for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 22
    photos.close()


def test_expires_without_a_request() -> None:
    photos = PendingPhotos(lifetime_s=0.05)
    first = photos.put(b"1", {})
    deadline = time.monotonic() + 10
    while len(photos) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(photos) == 0
    assert photos.get(first) is None
    second = photos.put(b"2", {})
    while len(photos) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert photos.get(second) is None
    assert len(photos) == 0
    photos.close()


def test_the_oldest_goes_when_there_are_too_many() -> None:
    photos = PendingPhotos(lifetime_s=60)
    tokens = [photos.put(b"", {}) for _ in range(MAX_PHOTOS + 1)]
    assert photos.get(tokens[0]) is None
    assert photos.get(tokens[1]) is not None
    photos.close()
