"""The languages of the page: which one a request gets, and the words in it.

The catalogues are gettext `.po` files read once per process; nothing has to be compiled before a run.
English is the language of the source, so it has no catalogue; traditional Chinese is made from simplified.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po
from flask import Request, g, request

from webapp.traditional import traditional

TRANSLATIONS = Path(__file__).parent / "translations"
COOKIE = "language"

_TRADITIONAL_PLACES = frozenset({"hant", "tw", "hk", "mo"})


@dataclass(frozen=True)
class Language:
    """One language of the page.

    `code` is gettext's name and the folder of the catalogue, `tag` the BCP 47 tag written into HTML, `name`
    what its readers call it. `messages` maps an English message to its forms here: one for Chinese, none for
    English itself. `page_messages` is the part of it that the scripts in the browser use.
    """

    code: str
    tag: str
    name: str
    messages: Mapping[str, tuple[str, ...]] = field(repr=False, default_factory=dict)
    page_messages: Mapping[str, tuple[str, ...]] = field(repr=False, default_factory=dict)

    @property
    def is_chinese(self) -> bool:
        """Whether fans and rules are shown by their Chinese names first."""
        return self.tag.startswith("zh")

    def chinese(self, text: str) -> str:
        """Chinese text of the rules in the characters of this language."""
        return traditional(text) if self.tag == "zh-Hant" else text

    def gettext(self, message: str) -> str:
        """`message` in this language; unchanged where the catalogue lacks it."""
        forms = self.messages.get(message)
        return forms[0] if forms else message

    def ngettext(self, one: str, many: str, number: int) -> str:
        """`one` or `many` in this language, by `number`."""
        forms = self.messages.get(one)
        if forms is None:
            return one if number == 1 else many
        return forms[0] if number == 1 else forms[-1]


def _read(code: str, tag: str, name: str) -> Language:
    with (TRANSLATIONS / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    messages: dict[str, tuple[str, ...]] = {}
    page_messages: dict[str, tuple[str, ...]] = {}
    for message in catalogue:
        key = message.id if isinstance(message.id, str) else message.id[0]
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        if not key or not all(forms):
            continue
        messages[key] = forms
        if any(place.endswith(".js") for place, _ in message.locations):
            page_messages[key] = forms
    return Language(code, tag, name, messages, page_messages)


def _in_traditional(simplified: Language) -> Language:
    def turned(messages: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {message: tuple(map(traditional, forms)) for message, forms in messages.items()}

    return Language(
        "zh_Hant", "zh-Hant", "繁體中文", turned(simplified.messages), turned(simplified.page_messages)
    )


@cache
def languages() -> tuple[Language, ...]:
    """Every language of the page; the first is the one for browsers that ask for none of them."""
    simplified = _read("zh_Hans", "zh-Hans", "简体中文")
    return (Language("en", "en", "English"), simplified, _in_traditional(simplified))


def by_tag(tag: str | None) -> Language | None:
    """The language with this BCP 47 tag, or None."""
    return next((language for language in languages() if language.tag == tag), None)


def choose(incoming: Request) -> Language:
    """The language of a request: the one picked by hand (a cookie), else the browser's, else English."""
    picked = by_tag(incoming.cookies.get(COOKIE))
    if picked is not None:
        return picked
    for tag, _ in incoming.accept_languages:
        parts = tag.lower().split("-")
        if parts[0] == "en":
            return languages()[0]
        if parts[0] == "zh":
            return languages()[2 if _TRADITIONAL_PLACES.intersection(parts) else 1]
    return languages()[0]


def current() -> Language:
    """The language of the request being answered."""
    if "language" not in g:
        g.language = choose(request)
    chosen: Language = g.language
    return chosen


def gettext(message: str) -> str:
    """`message` in the language of the request being answered."""
    return current().gettext(message)


def ngettext(one: str, many: str, number: int) -> str:
    """`one` or `many`, by `number`, in the language of the request being answered."""
    return current().ngettext(one, many, number)


def later(message: str) -> str:
    """Marks `message` for translation where it is written down; `gettext` translates it where it is said."""
    return message
