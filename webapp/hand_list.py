"""The list of a browser's confirmed hands: what was asked for in the address, and one page of the answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from webapp.errors import Refusal
from webapp.fans import english_names
from webapp.language import current, gettext
from webapp.ledger import Entry, HandSearch, current_ledger
from webapp.owner import current_owner

MOST_HANDS = 200
"""The most hands of one page."""


@dataclass(frozen=True)
class HandPage:
    """Hands, newest first, and before which number the next page begins; None on the last page."""

    entries: tuple[Entry, ...]
    following: int | None


def asked_search(asked: Mapping[str, str]) -> HandSearch:
    """The search in the arguments of an address: `player`, `fan`, `points`, `until` and `removed`.

    Only hands of this browser are found. Raises Refusal.
    """
    return HandSearch(
        owner=current_owner(),
        player=asked.get("player", "").strip(),
        fans=fans_called(asked["fan"]) if asked.get("fan", "").strip() else None,
        least_points=_whole(asked, "points"),
        until=_day(asked.get("until")),
        removed=_switch(asked, "removed"),
    )


def asked_page(asked: Mapping[str, str], size: int = MOST_HANDS) -> HandPage:
    """The page of hands that an address asks for with a search, `limit` and `before`. Raises Refusal."""
    limit = _whole(asked, "limit")
    limit = size if limit is None else min(limit, MOST_HANDS)
    search, before = asked_search(asked), _whole(asked, "before")
    if limit == 0:
        return HandPage((), None)
    # One more than asked for says whether there is another page.
    found = current_ledger().entries(limit + 1, before=before, search=search)
    return HandPage(tuple(found[:limit]), found[limit - 1].id if len(found) > limit else None)


def fans_called(text: str) -> tuple[str, ...]:
    """The names of the fans whose Chinese name, as the page writes it, or English name contains `text`."""
    wanted, written = text.strip().casefold(), current().chinese
    return tuple(
        name
        for name, english in english_names().items()
        if wanted in f"{name} {written(name)} {english}".casefold()
    )


def _whole(asked: Mapping[str, str], name: str) -> int | None:
    text = asked.get(name)
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,9}", text):
        if name == "limit":
            raise Refusal(400, "bad_limit", gettext("The limit must be a whole number, 0 or more."))
        raise Refusal(400, "bad_search", gettext("Points and pages are whole numbers, 0 or more."))
    return int(text)


def _switch(asked: Mapping[str, str], name: str) -> bool:
    if asked.get(name, "0") not in ("0", "1"):
        raise Refusal(400, "bad_search", gettext("A switch is 0 or 1."))
    return asked.get(name) == "1"


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Refusal(400, "bad_search", gettext("Write the day like 2026-12-31.")) from error
