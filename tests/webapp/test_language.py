"""The catalogues are complete, and every code of the packages below has a sentence."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from flask import Flask

from scorer import FACES, PROFILES, REASONS
from scorer.tiles import chinese, english
from vision.errors import PHOTO_REASONS
from vision.recognition import PROBLEMS
from vision.tilesets.errors import TILESET_REASONS
from webapp import errors, names
from webapp.language import Language, languages
from webapp.ledger import LEDGER_REASONS
from webapp.messages import DOUBT_SENTENCES, SENTENCES, TILESET_SENTENCES, sentence_for_problem
from webapp.names import tile_name
from webapp.traditional import Wording, traditional
from webapp.translations.update import TRANSLATIONS, template, update

CATALOGUE = Path("zh_Hans/LC_MESSAGES/messages.po")
FACE_IN_DOUBT = {
    "en": "Check this tile: it may be misread.",
    "zh-CN": "请核对这张牌：可能认错了。",
}


@pytest.fixture(scope="module")
def marked() -> dict[str, str | None]:
    """Every string that the sources mark for translation, with its plural."""
    return {
        one: many
        for one, many in (
            message.id if isinstance(message.id, tuple) else (message.id, None) for message in template()
        )
        if one
    }


def test_the_catalogue_is_what_make_messages_writes(tmp_path: Path) -> None:
    path = tmp_path / CATALOGUE
    path.parent.mkdir(parents=True)
    shutil.copy(TRANSLATIONS / CATALOGUE, path)
    update(tmp_path)
    # A missing `#:` line would keep a message from the scripts of the page, a missing plural from the counts.
    assert path.read_text() == (TRANSLATIONS / CATALOGUE).read_text(), "run: make messages, then translate"


def test_every_message_is_translated() -> None:
    with (TRANSLATIONS / CATALOGUE).open("rb") as file:
        catalogue = read_po(file, locale="zh_Hans")
    assert len(catalogue) > 150
    untranslated = [
        message.id
        for message in catalogue
        if message.id and (message.fuzzy or not all(message.string or [""]))
    ]
    assert untranslated == []


@pytest.mark.parametrize(
    "table",
    [
        SENTENCES,
        TILESET_SENTENCES,
        DOUBT_SENTENCES,
        errors.STATUS_MESSAGES,
        names._WINDS,
    ],
    ids=["sentences", "tile sets", "doubts", "statuses", "winds"],
)
def test_tables_hold_only_marked_messages(table: Mapping[Any, str], marked: dict[str, str | None]) -> None:
    # A string without `later` is not extracted, and Chinese readers would get it in English.
    assert set(table.values()) - marked.keys() == set()


@pytest.mark.parametrize("language", languages()[1:], ids=lambda language: language.tag)
def test_translations_keep_their_placeholders(language: Language) -> None:
    def placeholders(text: str) -> set[str]:
        return {part.split(")s")[0] for part in text.split("%(")[1:]}

    for message, forms in language.messages.items():
        for form in forms:
            assert placeholders(form) == placeholders(message), message


def test_scripts_get_their_messages_and_no_others() -> None:
    simplified = languages()[1]
    assert simplified.page_messages["Undo"] == ("撤销",)
    assert "Skip to content" not in simplified.page_messages


def test_plurals(marked: dict[str, str | None]) -> None:
    english, simplified = languages()[:2]
    plurals = {one: many for one, many in marked.items() if many is not None}
    assert len(plurals) > 10
    for one, many in plurals.items():
        assert [english.ngettext(one, many, number) for number in (0, 1, 2)] == [many, one, many]
        assert simplified.ngettext(one, many, 2) == simplified.messages[one][0]
    # English nouns and verbs change with the number; only "and 3 more" does not.
    assert [one for one, many in plurals.items() if one == many] == ["and %(number)s more"]


@pytest.mark.parametrize(("away", "sentence"), [(1, "1 tile away"), (2, "2 tiles away")])
def test_an_english_plural_on_the_page(client: Any, hand: dict[str, Any], away: int, sentence: str) -> None:
    concealed = ["7z", "6z"][:away] + hand["concealed"][away:]
    problem = client.post("/api/v1/assess", json=hand | {"concealed": concealed}).json["problem"]
    assert problem["message"] == f"Not a winning hand yet: {sentence}."


def test_every_code_has_a_sentence() -> None:
    for codes in (REASONS, PROBLEMS, PHOTO_REASONS, LEDGER_REASONS):
        assert codes.keys() - SENTENCES.keys() == set()
    assert TILESET_REASONS.keys() - TILESET_SENTENCES.keys() == set()


def test_traditional_chinese_leaves_no_simplified_character() -> None:
    language = languages()[2]
    assert language.tag == "zh-Hant"
    fans = [fan for profile in PROFILES.values() for fan in profile.fans]
    text = "".join("".join(forms) for forms in language.messages.values())
    text += "".join(language.chinese(fan.name + fan.rule) for fan in fans)
    assert len(text) > 3000
    # Big5, the encoding for traditional characters, has no simplified ones.
    for character in set(text):
        if "\u4e00" <= character <= "\u9fff":
            character.encode("big5")
    assert language.messages["Undo"] == ("撤銷",)


@pytest.mark.parametrize(
    ("simplified", "expected"),
    [
        ("国标", "國標"),
        ("牌头织参画", "牌頭織參畫"),
        ("复制并恢复", "複製並恢復"),
        ("发财", "發財"),
        ("九莲宝灯、单钓将、杠上开花", "九蓮寶燈、單釣將、槓上開花"),
        ("平台扩展规则", "平臺擴展規則"),
    ],
)
def test_traditional_by_phrases(simplified: str, expected: str) -> None:
    assert traditional(simplified, Wording.RULES) == expected


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "None of this kong's tiles lies sideways. Was it melded or concealed?"),
        ("zh-CN", "这个杠没有横放的牌。是明杠还是暗杠？"),
    ],
)
def test_a_doubt_about_a_kong_is_not_called_a_misread(app: Flask, language: str, sentence: str) -> None:
    about_face = {"code": "doubtful_tile", "message": "", "tile": 2, "doubt": "rival"}
    with app.test_request_context(headers={"Accept-Language": language}):
        assert sentence_for_problem(about_face | {"doubt": "kong"}) == sentence
        assert sentence_for_problem(about_face) == FACE_IN_DOUBT[language]


def test_tiles_have_the_scorers_names(app: Flask) -> None:
    with app.test_request_context():
        assert [tile_name(face) for face in FACES] == [english(face) for face in FACES]
        assert tile_name("back") == "face-down tile"
    with app.test_request_context(headers={"Accept-Language": "zh-CN"}):
        assert [tile_name(face) for face in FACES] == [chinese(face) for face in FACES]
    with app.test_request_context(headers={"Accept-Language": "zh-TW"}):
        assert [tile_name(face) for face in ("3m", "6z", "1z")] == ["三萬", "發", "東"]
