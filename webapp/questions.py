"""The questions that are open before a hand can be confirmed: Confirm leads to the first of them."""

from collections.abc import Sequence
from typing import Any

from webapp.controls import Conditions
from webapp.language import gettext, ngettext

Question = dict[str, str]


def open_questions(doubts: Sequence[dict[str, Any]], now: Conditions) -> list[Question]:
    """What is not known yet: doubtful tiles (see `webapp.checks`), who won, and from whom.

    A question is `{"name", "text", "hint"}`. `name` is "check" for the first of the checks on the page, or the name of
    a choice of `webapp.controls`; `hint` says where to answer.
    """
    found = [{"name": "check", "text": doubt["text"], "hint": doubt["text"]} for doubt in doubts]
    if now["seat_wind"] is None:
        found.append(
            {"name": "winner", "text": gettext("Who won?"), "hint": gettext("Who won? Choose above.")}
        )
    if not now["self_drawn"] and now["discarder"] in (None, now["seat_wind"]):
        hint = gettext("From whom? Choose above to see the payments.")
        found.append({"name": "from", "text": gettext("From whom?"), "hint": hint})
    return found


def how_many(questions: Sequence[Question]) -> str:
    """The number of open questions in words, for the bar."""
    number = len(questions)
    return ngettext("%(number)s question open", "%(number)s questions open", number) % {"number": number}
