"""Photos on their way to the server: what is refused, what is shrunk, slow networks, drop and paste."""

import base64
import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.browser import DESKTOP, Person
from tests.e2e.conftest import sample

pytestmark = pytest.mark.e2e


def encoded(kind: str, size: tuple[int, int] = (640, 480), **options: Any) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "seagreen").save(file, kind, **options)
    return file.getvalue()


def huge_png() -> bytes:
    """The head of a PNG of 400 megapixels, which a browser cannot open and so does not shrink."""
    head = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return start + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))


@pytest.mark.parametrize(
    ("content", "mime", "code", "english", "chinese"),
    [
        (b"", "image/jpeg", "empty", "The file is empty", "文件是空的"),
        (b"just some text", "image/jpeg", "not_a_photo", "not a photo", "不是照片"),
        (encoded("GIF"), "image/gif", "unsupported_format", "cannot be read", "不支持这种图片"),
        (encoded("JPEG")[:900], "image/jpeg", "damaged", "damaged or incomplete", "已损坏"),
        (encoded("PNG", (16, 16)), "image/png", "too_small", "too small", "照片太小"),
        (encoded("JPEG"), "image/jpeg", "no_tiles", "No tiles were found", "没有找到牌"),
        (
            encoded("WEBP", save_all=True, append_images=[Image.new("RGB", (640, 480), "red")]),
            "image/webp",
            "animated",
            "an animation",
            "动图",
        ),
        (huge_png(), "image/png", "too_many_pixels", "more than 64 megapixels", "像素"),
    ],
    ids=["empty", "text", "gif", "damaged", "tiny", "no-tiles", "animated", "huge"],
)
def test_photo_door_errors_in_words(
    new_person: Callable[..., Person], content: bytes, mime: str, code: str, english: str, chinese: str
) -> None:
    for locale, words in (("en-GB", english), ("zh-CN", chinese)):
        someone = new_person(locale=locale)
        someone.choose({"name": "photo", "mimeType": mime, "buffer": content})
        error = someone.page.locator("#error")
        expect(error).to_be_visible(timeout=30_000)
        expect(error).to_have_attribute("data-code", code)
        expect(error).to_contain_text(words)
        # The way on is still there.
        expect(someone.page.locator('label[for="gallery"]')).to_be_visible()


def test_too_large_a_file_is_refused_before_it_travels(
    new_person: Callable[..., Person], tmp_path: Path
) -> None:
    large = tmp_path / "large.heic"
    with large.open("wb") as file:
        file.truncate(41_000_000)
    someone = new_person(locale="zh-CN")
    sent: list[str] = []
    someone.page.on("request", lambda request: sent.append(request.url))
    someone.choose(large)
    expect(someone.page.locator("#error")).to_have_attribute("data-code", "too_large")
    expect(someone.page.locator("#error")).to_contain_text("40 MB")
    assert not [url for url in sent if url.endswith("/recognise")]


def test_slow_network_shows_progress_and_can_be_cancelled(new_person: Callable[..., Person]) -> None:
    someone = new_person()
    someone.open("/")
    network = someone.page.context.new_cdp_session(someone.page)
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 50, "downloadThroughput": 200_000, "uploadThroughput": 60_000},
    )
    someone.page.set_input_files("#gallery", sample("three-chows")[0])
    expect(someone.page.locator("#stage")).to_have_text("Sending the photo…")
    someone.page.wait_for_function("() => document.getElementById('bar').value > 0.05", timeout=30_000)
    assert 0 < someone.page.evaluate("document.getElementById('bar').value") < 1
    someone.tap("#cancel")
    expect(someone.page.locator("#error")).to_have_attribute("data-code", "cancelled")
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    someone.page.set_input_files("#gallery", sample("three-chows")[0])
    expect(someone.page.locator("#error")).to_have_attribute("data-code", "offline")


def test_huge_photo_is_shrunk_before_it_travels(
    new_person: Callable[..., Person], served: tuple[str, Any]
) -> None:
    path, _ = sample("seven-pairs-dim")
    file = io.BytesIO()
    with Image.open(path) as image:
        exif = image.getexif()
        exif[0x0112] = 6  # taken with the phone turned: the pixels lie on their side
        large = image.rotate(90, expand=True).resize((image.height * 4, image.width * 4))
        large.save(file, "JPEG", quality=80, exif=exif)
    someone = new_person()
    sizes: list[int] = []
    someone.page.on(
        "request",
        lambda request: (
            sizes.append(
                int(request.headers.get("content-length", 0)) or len(request.post_data_buffer or b"")
            )
            if request.url.endswith("/recognise")
            else None
        ),
    )
    someone.send_photo({"name": "IMG.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()})
    draft = someone.draft()
    assert [(one["width"], one["height"]) for one in draft["photos"]] == [(4000, 3000)]
    assert len([one for one in draft["tiles"] if one["role"] != "stray"]) >= 10


def test_photo_dropped_and_pasted_on_a_desktop(new_person: Callable[..., Person]) -> None:
    path, _ = sample("three-chows")
    for event in ("drop", "paste"):
        someone = new_person(DESKTOP)
        someone.open("/")
        someone.page.evaluate(
            """async ([event, encoded]) => {
                const data = new DataTransfer();
                const bytes = Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0));
                data.items.add(new File([bytes], "hand.jpg", { type: "image/jpeg" }));
                document.dispatchEvent(
                    event === "drop"
                        ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
                        : new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
            }""",
            [event, base64.b64encode(path.read_bytes()).decode()],
        )
        someone.page.wait_for_url("**/photo/*", timeout=30_000)
        expect(someone.page.locator("#board .tile").first).to_be_visible()
