"""The score as a picture: every part is on it, in the page's language, whatever the server has for fonts."""

import io
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image, ImageChops

from scorer import CATALOGUE, PROFILES, parse_hand, score
from webapp.fonts import drawable, typeface
from webapp.language import languages
from webapp.picture import WIDTH, score_picture
from webapp.traditional import Wording, traditional

PAYMENTS = {"E": 45, "S": -29, "W": -8, "N": -8}


def drawn(app: Flask, text: str, language: str = "en", **more: Any) -> Image.Image:
    with app.test_request_context(headers={"Accept-Language": language}):
        picture = Image.open(io.BytesIO(score_picture(score(*parse_hand(text)), **more)))
        picture.load()
        return picture


def differs(one: Image.Image, other: Image.Image) -> bool:
    return one.size != other.size or ImageChops.difference(one, other).getbbox() is not None


def test_is_a_png_as_high_as_what_is_on_it(app: Flask) -> None:
    short = drawn(app, "345m567s78s11p[CCC]9s")
    assert (short.format, short.width) == ("PNG", WIDTH)
    longer = drawn(app, "123456789m12sCC3s|EE0000|3", payments=PAYMENTS, discarder="S")
    kongs = drawn(app, "9p[1111m][2222p,1][5555s][EEEE,1]9p|EE0000|abcdefgh", payments=PAYMENTS)
    assert short.height < longer.height
    assert kongs.height > short.height
    # Nothing is cut off at the foot: the last rows are plain paper.
    for picture in (short, longer, kongs):
        assert picture.crop((0, picture.height - 8, WIDTH, picture.height)).getcolors() == [
            (8 * WIDTH, (0xF5, 0xF4, 0xEF))
        ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"language": "zh"}),
        ({"language": "zh"}, {"language": "zh-TW"}),
        ({"payments": PAYMENTS}, {"payments": PAYMENTS | {"S": -8, "W": -29}}),
        ({"payments": PAYMENTS}, {"payments": PAYMENTS, "players": {"W": "Anna"}}),
        ({"discarder": "S"}, {"discarder": "W"}),
    ],
    ids=["language", "script", "payments", "names", "discarder"],
)
def test_shows_what_it_is_told(app: Flask, one: dict[str, Any], other: dict[str, Any]) -> None:
    assert differs(drawn(app, "123456789m12sCC3s", **one), drawn(app, "123456789m12sCC3s", **other))


def test_the_hand_decides_the_tiles(app: Flask) -> None:
    assert differs(drawn(app, "123456789m12sCC3s"), drawn(app, "123456789m12sFF3s"))
    # The outer tiles of a concealed kong lie face down.
    assert differs(drawn(app, "[EEEE]234567p9s[NNN]9s|EE0000"), drawn(app, "[EEEE,1]234567p9s[NNN]9s|EE0000"))


def test_every_word_on_it_can_be_drawn() -> None:
    names = {fan.name for profile in PROFILES.values() for fan in profile.fans}
    said = "".join("".join(forms) for language in languages() for forms in language.messages.values())
    english = "".join(fan.english for fan in CATALOGUE)
    for text in ("".join(names), traditional("".join(names), Wording.RULES), english):
        assert drawable(text) == " ".join(text.split())
        for character in set(text):
            box = typeface(32, bold=True).getmask(character)
            missing = typeface(32, bold=True).getmask("\uffff")
            assert character.isspace() or bytes(box) != bytes(missing), character
    assert drawable(said) == " ".join(said.split())


def test_a_name_keeps_what_the_typeface_has(app: Flask) -> None:
    assert drawable("张三丰 劉備 Zoë Иван ゆき") == "张三丰 劉備 Zoë Иван ゆき"
    assert drawable("🀄\u200b한") == ""
    nobody = drawn(app, "123456789m12sCC3s", payments=PAYMENTS)
    assert not differs(nobody, drawn(app, "123456789m12sCC3s", payments=PAYMENTS, players={"E": "🀄"}))


def test_is_answered_for_a_hand(client: FlaskClient, hand: dict[str, Any]) -> None:
    body = hand | {"discarder": "S", "players": {"E": "Lin", "S": "x" * 40}}
    answer = client.post("/api/v1/picture", json=body)
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert answer.headers["Cache-Control"] == "no-store"
    assert Image.open(io.BytesIO(answer.data)).width == WIDTH
    refused = client.post("/api/v1/picture", json=hand | {"winning_tile": "7z"})
    assert (refused.status_code, refused.json["error"]["code"]) == (422, "not_winning")
