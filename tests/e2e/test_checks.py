"""What the page asks and says about a photo before its hand is confirmed: notices, doubts, rival readings."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import Person
from tests.e2e.conftest import laid_out

pytestmark = pytest.mark.e2e
#: What `vision` says of a hand none of whose tiles lies apart; the page has its own words for it.
NOT_APART = {"code": "winning_tile_unknown", "message": "no tile lies apart: the last was taken"}


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        (
            "en-GB",
            "No tile lies apart, so the last of the row is taken as the winning tile. "
            "If it was another, tap that one.",
        ),
        ("zh-CN", "没有单独摆放的牌，暂以最后一张为和牌张。如果不是，请点正确的那张。"),
    ],
    ids=["english", "chinese"],
)
def test_a_notice_is_said_in_words(
    new_person: Callable[..., Person], served: tuple[str, Any], locale: str, said: str
) -> None:
    someone = new_person(locale=locale)
    someone.open(laid_out(served, "three-chows", problems=[NOT_APART]))
    expect(someone.page.locator("#notice")).to_have_text(said)
    assert "[object" not in someone.page.locator("#board").inner_text()
