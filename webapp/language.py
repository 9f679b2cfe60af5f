"""The languages of the page: which one a request gets, and its messages.

The catalogues are gettext `.po` files, read once per process, so nothing has to be compiled before a run.
English is the language of the sources and has no catalogue; traditional Chinese is made from simplified Chinese.
`make messages` brings the catalogue in line with the sources.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NewType

from babel.messages.pofile import read_po
from flask import Request, g, request

from webapp.traditional import Wording, traditional

TRANSLATIONS = Path(__file__).parent / "translations"
COOKIE = "language"

_TRADITIONAL_PLACES = frozenset({"hant", "tw", "hk", "mo"})


@dataclass(frozen=True)
class Language:
    """One language of the page.

    `code` is gettext's name and the folder of the catalogue, `tag` the BCP 47 tag in the HTML, `name` the
    language's own name. `messages` maps an English message to its plural forms in this language: one form in
    Chinese; the mapping of English is empty. `page_messages` holds the messages that the browser's scripts use.
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
        return traditional(text, Wording.RULES) if self.tag == "zh-Hant" else text

    def gettext(self, message: str) -> str:
        """`message` in this language, or unchanged if the catalogue lacks it."""
        forms = self.messages.get(message)
        return forms[0] if forms else message

    def ngettext(self, one: str, many: str, number: int) -> str:
        """`one` or `many` in this language, depending on `number`."""
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
    def converted(messages: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        return {
            message: tuple(traditional(form, Wording.PAGE) for form in forms)
            for message, forms in messages.items()
        }

    return Language(
        "zh_Hant", "zh-Hant", "繁體中文", converted(simplified.messages), converted(simplified.page_messages)
    )


@cache
def languages() -> tuple[Language, ...]:
    """Every language of the page; a browser that asks for none of them gets the first."""
    simplified = _read("zh_Hans", "zh-Hans", "简体中文")
    return (Language("en", "en", "English"), simplified, _in_traditional(simplified))


def by_tag(tag: str | None) -> Language | None:
    """The language with this BCP 47 tag, or None."""
    return next((language for language in languages() if language.tag == tag), None)


def choose(incoming: Request) -> Language:
    """The language of a request: the person's choice (a cookie), else the browser's, else English."""
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
    """`one` or `many`, depending on `number`, in the language of the request being answered."""
    return current().ngettext(one, many, number)


#: A string marked by `later`. A table of such strings cannot hold an unmarked one: mypy refuses it.
Message = NewType("Message", str)


def later(message: str) -> Message:
    """Marks a string for translation where it is defined; `gettext` translates it where it is used."""
    return Message(message)
