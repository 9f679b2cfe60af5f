"""Photographs the pages for the README: `python -m tests.e2e.take_pictures [FOLDER [NAME…]]`.

A real Chromium opens the real server with the real models on bundled samples, as in the tests here.
"""

import io
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pypdfium2
from PIL import Image

from scorer import hand_to_json, parse_hand
from tests.e2e import match_poses
from tests.e2e.browser import DESKTOP, PHONE, Person, person, running_chromium, running_server
from tests.e2e.conftest import sample
from tests.e2e.correcting import put_right, set_conditions

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
TABLET = (768, 1024)
COLOURS = 128
DOUBTFUL = "three-chows"
MELDS = "east-kong"
HAND = "234567p9s[EEE][999m]9s|EE1000|eb"


def start(someone: Person) -> None:
    """The start page."""
    someone.open("/")


def check(someone: Person) -> None:
    """A photo just read."""
    someone.send_photo(sample(DOUBTFUL)[0])


def choose(someone: Person) -> None:
    """The sheet of a tile of a photo."""
    check(someone)
    someone.tap("#board .concealed .tile >> nth=2")


def agreed(someone: Person) -> None:
    """A photo put right, with its score."""
    photo, truth = sample(MELDS)
    someone.send_photo(photo)
    put_right(someone, truth)
    set_conditions(someone, truth["hand"])
    someone.page.evaluate("() => scrollTo(0, 0)")


def score(someone: Person) -> None:
    """The score of a hand, one fan touched."""
    someone.read_notation(HAND)
    someone.tap(".fanrow >> nth=0")
    someone.page.locator("#score").scroll_into_view_if_needed()
    someone.page.evaluate("document.getElementById('score').scrollIntoView()")


def keyboard(someone: Person) -> None:
    """A hand half typed."""
    someone.open("/hand")
    someone.type("234567p11z")


def catalogue(someone: Person) -> None:
    """The fans."""
    someone.open("/fans")


PLAN: dict[str, tuple[Callable[[Person], None], tuple[int, int], str, bool]] = {
    "start-phone": (start, PHONE, "en-GB", False),
    "start-phone-zh-dark": (start, PHONE, "zh-CN", True),
    "check-phone": (check, PHONE, "en-GB", False),
    "choose-phone": (choose, PHONE, "en-GB", False),
    "score-phone": (score, PHONE, "en-GB", False),
    "score-phone-zh-dark": (score, PHONE, "zh-CN", True),
    "keyboard-phone": (keyboard, PHONE, "zh-CN", False),
    "catalogue-phone": (catalogue, PHONE, "zh-CN", False),
    "match-new-phone": (match_poses.new_match, PHONE, "en-GB", False),
    "match-phone": (match_poses.seats, PHONE, "en-GB", False),
    "match-phone-zh-dark": (match_poses.seats, PHONE, "zh-CN", True),
    "match-hand-phone": (match_poses.hand_in_match, PHONE, "en-GB", False),
    "match-penalty-phone": (match_poses.penalty, PHONE, "en-GB", False),
    "match-sheet-phone": (match_poses.sheet, PHONE, "en-GB", False),
    "match-entry-phone": (match_poses.entry, PHONE, "en-GB", False),
    "match-needed-phone-zh": (match_poses.needed, PHONE, "zh-CN", False),
    "match-end-phone": (match_poses.end, PHONE, "en-GB", False),
    "match-history-phone": (match_poses.history, PHONE, "en-GB", False),
    "match-link-phone": (match_poses.link, PHONE, "en-GB", False),
    "match-desktop-zh-dark": (match_poses.sheet, DESKTOP, "zh-CN", True),
    "statistics-desktop": (match_poses.statistics, DESKTOP, "en-GB", False),
    "agreed-phone": (agreed, PHONE, "en-GB", False),
    "agreed-phone-zh-dark": (agreed, PHONE, "zh-CN", True),
    "agreed-tablet": (agreed, TABLET, "en-GB", False),
    "agreed-tablet-zh-dark": (agreed, TABLET, "zh-CN", True),
    "agreed-desktop": (agreed, DESKTOP, "en-GB", False),
    "agreed-desktop-zh-dark": (agreed, DESKTOP, "zh-CN", True),
}


def shared(folder: Path) -> None:
    """The picture that the page shares, with names, as the server draws it."""
    body = hand_to_json(*parse_hand(HAND)) | {"players": {"E": "Anna", "S": "林", "W": "Zoë", "N": "Mei"}}
    with tempfile.TemporaryDirectory() as ledger, running_server(Path(ledger)) as (_, app):
        answer = app.test_client().post("/api/v1/picture", json=body)
    _small(Image.open(io.BytesIO(answer.data)), folder / "shared.png")


def on_paper(folder: Path) -> None:
    """The score sheet to print and the result to share of a match, as the server draws them."""
    with tempfile.TemporaryDirectory() as ledger, running_server(Path(ledger)) as (_, app):
        client = app.test_client()
        begun = client.post("/api/v1/matches", json={"players": match_poses.NAMES, "title": "Friday"}).json
        match = f"/api/v1/matches/{begun['keys']['enter']}"
        for after, step in enumerate(match_poses.EVENING):
            client.post(f"{match}/entries", json={"after": after, **step})
        document = pypdfium2.PdfDocument(client.get(f"{match}/export.pdf").data)
        _small(document[0].render(scale=1.4).to_pil(), folder / "score-sheet.png")
        document.close()
        _small(Image.open(io.BytesIO(client.get(f"{match}/export.png").data)), folder / "match-shared.png")


def _small(picture: Image.Image, path: Path) -> None:
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path} {path.stat().st_size // 1000} kB")


def main(folder: Path, *only: str) -> None:
    """Writes the pictures of PLAN, or `only` those named, and those of `shared` and `on_paper` as small PNGs."""
    folder.mkdir(parents=True, exist_ok=True)
    with running_chromium() as chromium, tempfile.TemporaryDirectory() as ledger:
        for number, name in enumerate(only or PLAN):
            pose, size, locale, dark = PLAN[name]
            with (
                running_server(Path(ledger, str(number))) as (address, _),
                person(chromium, address, size, locale=locale, dark=dark) as someone,
            ):
                pose(someone)
                someone.page.wait_for_timeout(300)
                path = folder / f"{name}.png"
                someone.page.screenshot(path=path)
            with Image.open(path) as picture:
                picture.load()
            _small(picture, path)
    shared(folder)
    on_paper(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES, *sys.argv[2:])
