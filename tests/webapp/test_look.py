"""The live camera's frames over HTTP: what they show together, what is refused, and that nothing of them stays."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image, ImageDraw

import vision
from vision.isolation.service import BusyError, PhotoService
from vision.tracking.frame import MAX_FRAME_BYTES
from vision.tracking.hints import Hint, Side
from webapp.api.look import BUSY_MS, PATIENCE, hint_in_words, label

SAMPLES = Path(vision.__file__).parent / "samples"
Json = dict[str, Any]


def frame(
    name: str = "three-chows", *, size: tuple[int, int] = (1024, 768), hide: float = 0.0, kind: str = "JPEG"
) -> bytes:
    """A sample photo as a frame; `hide` is the share of its width that is covered from the right."""
    file = io.BytesIO()
    with Image.open(SAMPLES / f"{name}.jpg") as photo:
        small = photo.resize(size)
        if hide:
            ImageDraw.Draw(small).rectangle((size[0] * (1 - hide), 0, *size), fill=(34, 104, 66))
        small.save(file, kind, quality=85)
    return file.getvalue()


def form(jpeg: bytes, **fields: object) -> bytes:
    """A frame and its fields as `multipart/form-data` with the boundary `cut`."""
    parts = [(f'name="{name}"', str(value).encode()) for name, value in fields.items()]
    parts.append(('name="photo"; filename="f.jpg"', jpeg))
    heads = [(f"--cut\r\nContent-Disposition: form-data; {head}\r\n\r\n", value) for head, value in parts]
    return b"".join(head.encode() + value + b"\r\n" for head, value in heads) + b"--cut--\r\n"


FORM = "multipart/form-data; boundary=cut"


def send(client: FlaskClient, jpeg: bytes, number: object = 1, language: str = "en", **fields: object) -> Any:
    body = form(jpeg, **({"frame": number} | fields))
    headers = {"Accept-Language": language}
    return client.post("/api/v1/look", data=body, content_type=FORM, headers=headers)


def recognised(client: FlaskClient, photo: bytes, **fields: str) -> Any:
    return client.post("/api/v1/recognise", data={"photo": (io.BytesIO(photo), "a.jpg"), **fields})


def looks(client: FlaskClient, *frames: bytes, **fields: Any) -> list[Json]:
    answers: list[Json] = []
    evidence = ""
    for number, jpeg in enumerate(frames, 1):
        answer = send(client, jpeg, number, evidence=evidence, **fields)
        assert answer.status_code == 200, answer.json
        answers.append(answer.json)
        evidence = answer.json["seen"]["evidence"]
    return answers


def test_three_frames_settle_a_hand(client: FlaskClient) -> None:
    answers = looks(client, *[frame()] * 3)
    seen = [answer["seen"] for answer in answers]
    assert [one["settled"] for one in seen] == [False, False, True]
    assert [answer["frame"] for answer in answers] == [1, 2, 3]
    assert seen[0]["hint"]["text"] == "Hold the phone still."
    assert seen[2]["hint"] is None
    truth = json.loads((SAMPLES / "three-chows.json").read_text(encoding="utf-8"))
    hand = [tile for tile in seen[2]["tiles"] if tile["role"] != "stray"]
    assert sorted(tile["face"] for tile in hand) == sorted(
        tile["face"] for tile in truth["tiles"] if tile["role"] != "stray"
    )
    assert all(tile["sure"] for tile in hand)
    assert {tile["number"] for tile in seen[2]["tiles"]} == {tile["number"] for tile in seen[0]["tiles"]}


def test_the_total_is_that_of_the_photo(client: FlaskClient) -> None:
    (seen,) = (answer["seen"] for answer in looks(client, frame()))
    assert recognised(client, frame()).json["score"]["total"] == seen["total"]
    assert seen["verdict"]["text"]


def test_the_rules_and_the_prevalent_wind_are_the_persons(client: FlaskClient) -> None:
    east, south = (
        looks(client, frame("east-kong"), prevalent_wind=wind)[0]["seen"]["total"] for wind in "ES"
    )
    assert east > south
    assert looks(client, frame(), profile="wmo2006")[0]["seen"]["total"] is not None


def test_a_tile_that_is_missing_is_said_and_comes_in(client: FlaskClient) -> None:
    covered, whole = frame(hide=0.16), frame()
    first, *_, last = looks(client, covered, covered, *[whole] * 4)
    assert re.fullmatch(r"\d more tiles?\.|.*(right|last).*", first["seen"]["hint"]["text"])
    assert first["seen"]["hint"]["code"] in {"missing", "cut_off"}
    assert last["seen"]["settled"]


def test_hints_come_in_the_language_of_the_request(client: FlaskClient) -> None:
    dark = io.BytesIO()
    Image.new("RGB", (640, 480), (9, 9, 9)).save(dark, "JPEG")
    said = {
        tag: send(client, dark.getvalue(), language=tag).json["seen"]["hint"]["text"]
        for tag in ("en", "zh-Hans", "zh-Hant")
    }
    assert len(set(said.values())) == 3


@pytest.mark.parametrize("hint", list(Hint))
def test_every_hint_has_a_sentence_of_its_own(app: Flask, hint: Hint) -> None:
    # a hand goes on beyond some side
    sides = list(Side) if hint is Hint.CUT_OFF else [None, *Side]
    with app.test_request_context():
        others = {
            hint_in_words(other.value, "left", number)
            for other in Hint
            if other is not hint
            for number in (1, 3)
        }
        for side in sides:
            for number in (0, 1, 2, 5):
                text = hint_in_words(hint.value, None if side is None else side.value, number)
                assert text
                assert "%(" not in text
                assert text not in others


@pytest.mark.parametrize(
    ("tag", "labels"),
    [
        ("en", ["3C", "9B", "1D", "E", "Gr", "F5", "?"]),
        ("zh-Hans", ["3万", "9条", "1饼", "东", "发", "梅", "?"]),
    ],
)
def test_labels_are_short(app: Flask, tag: str, labels: list[str]) -> None:
    with app.test_request_context(headers={"Accept-Language": tag}):
        assert [label(face) for face in ("3m", "9s", "1p", "1z", "6z", "5f", "back")] == labels


def test_a_photo_keeps_what_the_frames_said(client: FlaskClient) -> None:
    """The photo hides two tiles of its row; the frames before it showed them."""
    evidence = looks(client, *[frame()] * 3)[-1]["seen"]["evidence"]
    hidden = frame(hide=0.16)

    alone = recognised(client, hidden).json
    together = recognised(client, hidden, evidence=evidence).json
    assert alone["hand"] is None or alone["score"] is None
    assert together["score"] is not None


@pytest.mark.parametrize(
    ("jpeg", "fields", "status", "code"),
    [
        (frame(kind="PNG"), {}, 400, "not_a_frame"),
        (b"hello", {}, 400, "not_a_frame"),
        (frame(size=(1400, 1050)), {}, 413, "frame_too_large"),
        (b"\xff\xd8\xff" + bytes(MAX_FRAME_BYTES), {}, 413, "frame_too_large"),
        (b"\xff\xd8\xff" + bytes(3 * MAX_FRAME_BYTES), {}, 413, "frame_too_large"),
        (frame()[:2000], {}, 422, "damaged"),
        (frame(), {"frame": "0"}, 400, "bad_frame_number"),
        (frame(), {"frame": "-1"}, 400, "bad_frame_number"),
        (frame(), {"frame": "1.5"}, 400, "bad_frame_number"),
        (frame(), {"frame": "²"}, 400, "bad_frame_number"),
        (frame(), {"frame": "9" * 40}, 400, "bad_frame_number"),
        (frame(), {"evidence": "nonsense"}, 400, "bad_evidence"),
        (frame(), {"profile": "nobody's"}, 422, "unknown_profile"),
        (frame(), {"prevalent_wind": "EAST"}, 422, "bad_wind"),
        (frame(), {"tileset": "nobody's"}, 422, "bad_name"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_a_frame_is_refused(
    client: FlaskClient, jpeg: bytes, fields: Json, status: int, code: str
) -> None:
    answer = send(client, jpeg, **fields)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert answer.json["error"]["message"]


def test_a_photo_with_evidence_that_is_none_is_refused(client: FlaskClient) -> None:
    answer = recognised(client, frame(), evidence="nonsense")
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_evidence")


def test_an_answer_out_of_order_changes_nothing(client: FlaskClient) -> None:
    second = looks(client, *[frame()] * 2)[-1]["seen"]["evidence"]
    late = send(client, frame("dragons"), 1, evidence=second).json
    assert late["seen"]["evidence"] == second


def test_nothing_is_kept(client: FlaskClient, app: Flask) -> None:
    looks(client, *[frame()] * 2)
    assert len(app.extensions["pending_photos"]) == 0
    hands: Any = client.get("/api/v1/hands").json
    assert hands["hands"] == []


def test_a_busy_server_says_when_to_come_back(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Busy:
        def look(self, _: object) -> None:
            raise BusyError(1)

    monkeypatch.setitem(app.extensions, "photo_service", Busy())
    answer = send(client, frame(), 4)
    assert answer.status_code == 200
    assert answer.json == {"frame": 4, "next_ms": BUSY_MS, "seen": None}


def test_who_had_to_wait_pauses_longer(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    service: PhotoService = app.extensions["photo_service"]

    class Slow:
        """The service as it is when another camera's frame comes first."""

        def look(self, request: Any) -> Any:
            time.sleep(0.3)
            return service.look(request)

    looks(client, frame())  # the networks are open
    monkeypatch.setitem(app.extensions, "photo_service", Slow())
    assert send(client, frame(), 1).json["next_ms"] >= PATIENCE * 300


def test_a_frame_does_not_wait_behind_a_photo(client: FlaskClient, app: Flask) -> None:
    service: PhotoService = app.extensions["photo_service"]
    looks(client, frame())
    with service._reading:
        assert send(client, frame(), 2).json["seen"] is None
    assert send(client, frame(), 3).json["seen"] is not None


OPENED = re.compile(r'(?:open|openat|creat)\((?:AT_FDCWD, )?"([^"]+)", ([A-Z_|]+)')


@contextlib.contextmanager
def watched_server(folder: Path) -> Iterator[tuple[str, Path]]:
    """`fanlens serve` in a folder of its own under strace: its address, and the log of every file opened."""
    log = folder / "strace.log"
    command = [
        *("strace", "-f", "-qq", "-e", "trace=open,openat,creat,memfd_create,mknod", "-o", str(log)),
        *(sys.executable, "-m", "webapp.cli", "serve", "--host", "127.0.0.1", "--port", "0"),
        *("--database", str(folder / "ledger.sqlite3")),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as run:
        try:
            assert run.stdout
            lines = iter(run.stdout.readline, "")
            address = next(found[0] for line in lines if (found := re.search(r"http://127\S+:\d+/", line)))
            yield address, log
        finally:
            os.killpg(run.pid, signal.SIGKILL)  # strace and everything that it started


def post(address: str, jpeg: bytes, number: int, evidence: str) -> Json:
    body = form(jpeg, frame=number, evidence=evidence)
    request = urllib.request.Request(f"{address}api/v1/look", body, {"Content-Type": FORM})  # noqa: S310
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 our own server
        found: Json = json.loads(answer.read())
        return found


def opened_for_writing(log: Path) -> list[str]:
    """Every file that was opened to be written, or made without a name, in order."""
    found = []
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        match = OPENED.search(line)
        if match and re.search("O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE", match[2]):
            found.append(match[1])
        elif re.search(r"\b(memfd_create|mknod)\(", line):
            found.append(line)
    return [path for path in found if not path.startswith(("/dev/", "/proc/"))]


def test_no_frame_is_written_to_disk(tmp_path: Path) -> None:
    """From the second frame on, no process of the server opens any file to write it, under any name or none."""
    jpeg = frame("dragons", size=(1152, 864))
    with watched_server(tmp_path) as (address, log):
        evidence = post(address, jpeg, 1, "")["seen"]["evidence"]
        before = len(opened_for_writing(log))
        assert before > 0  # the watch works: the ledger was opened
        for number in range(2, 12):
            seen = post(address, jpeg, number, evidence)["seen"]
            evidence = evidence if seen is None else seen["evidence"]
        assert opened_for_writing(log)[before:] == []
    for path in tmp_path.rglob("*"):
        assert path == log or b"\xff\xd8\xff" not in path.read_bytes()
