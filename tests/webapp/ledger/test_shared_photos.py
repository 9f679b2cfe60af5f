"""Pending photos, in memory and in PostgreSQL: dropped on time, request or not, and nobody's by another client."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from vision.isolation.service import BusyError
from webapp import pending_photos
from webapp.app import close, create_app
from webapp.ledger import Ledger, shared_photos
from webapp.ledger.shared_photos import MOST_PER_CLIENT
from webapp.pending_photos import PendingPhotos

SAMPLE = Path(pending_photos.__file__).parents[1] / "vision" / "samples" / "three-chows.jpg"
Make = Callable[..., PendingPhotos]


@pytest.fixture
def make(open_ledger: Callable[[], Ledger]) -> Iterator[Make]:
    """Makes pending photos beside an SQLite ledger, in memory, and beside a PostgreSQL one, in the database."""
    made: list[PendingPhotos] = []

    def make_it(lifetime_s: float = 60) -> PendingPhotos:
        made.append(PendingPhotos(lifetime_s, open_ledger()))
        return made[-1]

    yield make_it
    for photos in made:
        photos.close()


def test_keeps_and_forgets(make: Make) -> None:
    photos = make()
    token = photos.put(b"photo", {"tiles": []})
    kept = photos.get(token)
    assert kept is not None
    assert (kept.jpeg, kept.recognition) == (b"photo", {"tiles": []})
    assert photos.get("other") is photos.get("\ud800") is None
    assert photos.take(token) == kept
    assert photos.get(token) is photos.take(token) is None


def test_tokens_cannot_be_guessed(make: Make) -> None:
    photos = make()
    tokens = {photos.put(b"", {}) for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 22


def test_expires_without_a_request(make: Make) -> None:
    photos = make(lifetime_s=0.05)
    for number in range(2):
        token = photos.put(b"%d" % number, {})
        deadline = time.monotonic() + 10
        while len(photos) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(photos) == 0
        assert photos.get(token) is None


def test_a_client_s_oldest_goes_when_it_has_too_many_and_nobody_else_s(make: Make) -> None:
    photos = make()
    other = photos.put(b"other", {}, "192.168.1.7")
    tokens = [photos.put(b"", {}, "192.168.1.8") for _ in range(MOST_PER_CLIENT + 1)]
    assert photos.get(tokens[0]) is None
    assert photos.get(tokens[1]) is not None
    assert photos.get(other) is not None


def test_when_there_is_no_room_a_client_loses_its_own_or_waits(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (pending_photos, shared_photos):
        monkeypatch.setattr(module, "MOST_BYTES", 100)
    photos = make()
    first = photos.put(bytes(60), {}, "a")
    with pytest.raises(BusyError):
        photos.put(bytes(60), {}, "b")
    assert photos.get(first) is not None
    second = photos.put(bytes(60), {}, "a")
    assert photos.get(first) is None
    assert photos.get(second) is not None


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
def test_a_photo_taken_through_one_server_is_confirmed_through_another(
    address: Any, hand: dict[str, Any]
) -> None:
    apps = [create_app({"DATABASE": address}) for _ in range(2)]
    one, two = (app.test_client() for app in apps)
    with SAMPLE.open("rb") as photo:
        read = one.post("/api/v1/recognise", data={"photo": photo}).json
    token = read["page"].rsplit("/", 1)[1]
    assert two.get(read["photo"]).data == one.get(read["photo"]).data
    assert two.get(read["page"]).status_code == 200
    confirmed = two.post("/api/v1/hands", json=hand | {"discarder": "S", "photos": [token]})
    assert confirmed.status_code == 201
    assert one.get(read["photo"]).status_code == two.get(read["photo"]).status_code == 404
    close(apps[0])
    assert len(apps[1].extensions["pending_photos"]) == 0
    close(apps[1])


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
def test_photos_of_a_server_that_ended_are_still_dropped(address: Any) -> None:
    ledgers = [Ledger(address), Ledger(address)]
    first = PendingPhotos(0.01, ledgers[0])
    first.close()
    token = first.put(b"x", {})
    time.sleep(0.05)
    assert first.get(token) is None
    second = PendingPhotos(60, ledgers[1])
    with ledgers[1].database.reading() as session:
        assert not session.scalars(shared_photos.select(shared_photos._PhotoRow)).all()
    second.close()
    for ledger in ledgers:
        ledger.close()
