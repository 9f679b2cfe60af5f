"""What a request says about the matches it wants: the keys that open them, and what to search for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from webapp.errors import Refusal
from webapp.fans import english_names
from webapp.language import gettext
from webapp.ledger import Search
from webapp.traditional import Wording, traditional

MOST_KEYS: Final = 500
LONGEST_KEY: Final = 64


def keys_in(body: Mapping[str, Any]) -> Sequence[str]:
    """The `keys` of matches that the client holds. Raises Refusal `bad_keys`."""
    keys = body.get("keys")
    if isinstance(keys, list) and len(keys) <= MOST_KEYS and all(map(_is_key, keys)):
        return keys
    raise Refusal(400, "bad_keys", gettext("“keys” must be a list of at most 500 keys of matches."))


def _is_key(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_KEY


def search_in(body: Mapping[str, Any]) -> Search:
    """`player`, `fan`, `points` and `since` of the body, each of which may be missing or null. Raises Refusal."""
    fan = _text(body, "fan")
    return Search(
        player=_text(body, "player"),
        fans=() if fan is None else _names().get(fan.casefold(), (fan,)),
        least_points=whole_number_in(body, "points"),
        since=_since(body),
    )


def whole_number_in(body: Mapping[str, Any], name: str) -> int | None:
    """The number of that name, or None. Raises Refusal."""
    value = body.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31):
        return value
    raise Refusal(400, f"bad_{name}", gettext("“%(name)s” must be a whole number.") % {"name": name})


def _text(body: Mapping[str, Any], name: str) -> str | None:
    value = body.get(name)
    if value is None or isinstance(value, str):
        return (value or "").strip() or None
    raise Refusal(400, f"bad_{name}", gettext("“%(name)s” must be text.") % {"name": name})


def _since(body: Mapping[str, Any]) -> datetime | None:
    text = _text(body, "since")
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        words = gettext("“since” must be a date such as 2026-12-31.")
        raise Refusal(400, "bad_since", words) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@cache
def _names() -> dict[str, tuple[str, ...]]:
    """The names in scores for each name that a person may write: Chinese, simplified or traditional, or English."""
    found: dict[str, tuple[str, ...]] = {}
    for fan, english in english_names().items():
        for written in {fan, traditional(fan, Wording.RULES), english.casefold()}:
            found[written] = (*found.get(written, ()), fan)
    return found
