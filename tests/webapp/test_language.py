"""The catalogues are complete, and every named reason of the packages below has words."""

from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg

import webapp
from scorer import CATALOGUE, REASONS
from vision.errors import PHOTO_REASONS
from vision.recognition import PROBLEMS
from webapp.language import Language, languages
from webapp.messages import WORDS, sentence_for_problem
from webapp.traditional import traditional

SOURCE = Path(webapp.__file__).parent
WORDS_OF_A_FACE = {
    "en": "Look at this tile: it may be misread.",
    "zh-CN": "请看这张牌：可能看错了。",
}
KEYWORDS = {"_": None, "gettext": None, "later": None, "ngettext": (1, 2)}


def messages() -> set[tuple[str, ...]]:
    with (SOURCE / "translations" / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    found = extract_from_dir(SOURCE, methods, options, keywords=KEYWORDS)
    return {message if isinstance(message, tuple) else (message,) for _, _, message, _, _ in found if message}


@pytest.mark.parametrize("language", languages()[1:], ids=lambda language: language.tag)
def test_every_message_is_translated_and_none_is_left_over(language: Language) -> None:
    used = {message[0] for message in messages()}
    assert len(used) > 150
    assert used - language.messages.keys() == set()
    assert language.messages.keys() - used == set()


@pytest.mark.parametrize("language", languages()[1:], ids=lambda language: language.tag)
def test_translations_keep_the_blanks_to_fill(language: Language) -> None:
    def blanks(text: str) -> set[str]:
        return {part.split(")s")[0] for part in text.split("%(")[1:]}

    for message, forms in language.messages.items():
        for form in forms:
            assert blanks(form) == blanks(message), message


def test_scripts_get_their_words_and_only_theirs() -> None:
    chinese = languages()[1]
    assert chinese.page_messages["Undo"] == ("撤销",)
    assert "Skip to the content" not in chinese.page_messages


def test_plural_forms() -> None:
    english, chinese = languages()[:2]
    one, many = "%(number)s tile", "%(number)s tiles"
    assert [english.ngettext(one, many, number) for number in (0, 1, 2)] == [many, one, many]
    assert chinese.ngettext(one, many, 2) == "%(number)s 张"


def test_every_reason_has_words() -> None:
    assert REASONS.keys() - WORDS.keys() == set()
    assert PROBLEMS.keys() - WORDS.keys() == set()
    assert PHOTO_REASONS.keys() - WORDS.keys() == set()


def test_traditional_chinese_leaves_no_simplified_character() -> None:
    turned = languages()[2]
    assert turned.tag == "zh-Hant"
    said = "".join("".join(forms) for forms in turned.messages.values())
    said += "".join(traditional(fan.name + fan.rule) for fan in CATALOGUE)
    assert traditional(said) == said
    # The encoding made for traditional characters has no room for simplified ones.
    for character in set(said):
        if "\u4e00" <= character <= "\u9fff":
            character.encode("big5hkscs")
    assert turned.messages["Undo"] == ("撤銷",)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "No tile of this kong lies sideways: was it melded or concealed?"),
        ("zh-CN", "这副杠没有横放的牌：是明杠还是暗杠？"),
    ],
)
def test_a_doubt_about_a_kong_is_not_said_to_be_misread(app: Any, language: str, said: str) -> None:
    about_face = {"code": "doubtful_tile", "message": "", "tile": 2, "doubt": "rival"}
    with app.test_request_context(headers={"Accept-Language": language}):
        assert sentence_for_problem(about_face | {"doubt": "kong"}) == said
        assert sentence_for_problem(about_face) == WORDS_OF_A_FACE[language]
