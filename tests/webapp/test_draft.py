"""The draft that the page sends: which hand it stands for, how many tiles it has, which tile won."""

from typing import Any

import pytest
from flask import Flask

from tests.webapp.drafts import draft, faces_of, tile
from webapp.draft import hand_key, read_draft
from webapp.errors import Refusal

TYPED = "123456789m12s55z3s"


def typed(faces: list[str], **more: Any) -> dict[str, Any]:
    """Tiles added one after the other; the last one was added last."""
    tiles = [tile(number, face) for number, face in enumerate(faces)]
    return {"tiles": tiles, "added": len(faces) - 1} | more


def test_hand_of_a_draft() -> None:
    laid = read_draft(draft("234567p9s", ("111z", "4444z"), "9s", "31f") | {"hidden": [1]})
    assert laid.hand() == {
        "concealed": ["2p", "3p", "4p", "5p", "6p", "7p", "9s"],
        "melds": [
            {"kind": "pung", "tile": "1z", "tiles": ["1z"] * 3},
            {"kind": "concealed_kong", "tile": "4z", "tiles": ["4z"] * 4},
        ],
        "winning_tile": "9s",
        "flowers": ["1f", "3f"],
    }
    assert (laid.held, laid.expected) == (15, 15)


@pytest.mark.parametrize(
    ("meld", "hidden", "kind"),
    [
        ("321m", [], "chow"),
        ("111m", [], "pung"),
        ("1111m", [], "melded_kong"),
        ("1111m", [0], "concealed_kong"),
        ("124m", [], "chow"),  # the scorer says what is wrong with it
        ("111m", [0], "pung"),
    ],
)
def test_kind_of_a_meld_follows_from_its_tiles(meld: str, hidden: list[int], kind: str) -> None:
    assert read_draft(draft("", (meld,)) | {"hidden": hidden}).kind_of(0) == kind


def test_tile_that_completes_the_hand_has_won() -> None:
    faces = faces_of(TYPED)
    assert read_draft(typed(faces[:13])).winning is None
    whole = read_draft(typed(faces)).resolved()
    assert whole.winning is not None
    assert (whole.winning.face, whole.winning.completed) == ("3s", 14)
    assert whole.hand()["winning_tile"] == "3s"
    # Nothing says so when the hand became complete otherwise, or when the tile added last is a flower.
    assert read_draft(typed(faces) | {"added": None}).winning is None
    assert read_draft(draft(TYPED, flowers="1f") | {"added": 14}).winning is None


def test_marked_winning_tile_stays() -> None:
    laid = draft("123456789m12s55z", winning="3s")
    laid["tiles"].append(tile(20, "9p"))
    assert read_draft(laid | {"added": 20}).winning == read_draft(laid).winning
    assert read_draft(laid).winning.face == "3s"  # type: ignore[union-attr]


def test_chosen_winning_tile_stays_until_a_kong_is_made() -> None:
    chosen = draft("55p555z67s", ("111p", "234p"), "8s")
    chosen["tiles"][-1]["completed"] = 14
    assert read_draft(chosen).winning.face == "8s"  # type: ignore[union-attr]
    # A tile less: the others are still there, so the tile that completed them has won.
    fewer = chosen | {"tiles": chosen["tiles"][1:]}
    assert read_draft(fewer).winning.face == "8s"  # type: ignore[union-attr]
    kong = draft("55s67s", ("111p", "234p", "5555z"), "8s")
    kong["tiles"][-1]["completed"] = 14
    loosened = read_draft(kong).resolved()
    assert (loosened.winning, loosened.held, loosened.expected) == (None, 15, 15)
    assert "winning_tile" not in loosened.hand()
    assert loosened.hand()["concealed"] == ["5s", "5s", "6s", "7s", "8s"]


def test_copies_left_in_the_set() -> None:
    laid = draft("111m", flowers="3f")
    laid["tiles"] += [tile(30, "2m", "stray"), tile(31, "back")]
    left = read_draft(laid).copies_left()
    assert (left["1m"], left["2m"], left["3f"], left["4f"]) == (1, 4, 0, 1)
    assert "back" not in left


def test_key_is_equal_for_equal_tiles_only() -> None:
    one = read_draft(draft("123m", ("444z", "555z"), "1p")).hand()
    other = read_draft(draft("312m", ("555z", "444z"), "1p")).hand()
    assert hand_key(one) == hand_key(other)
    assert hand_key(one) != hand_key(read_draft(draft("123m", ("444z", "555z"), "2p")).hand())
    kong = draft("1m", ("4444z",))
    assert hand_key(read_draft(kong).hand()) != hand_key(read_draft(kong | {"hidden": [0]}).hand())


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"tiles": {}},
        {"tiles": [[]]},
        {"tiles": [{"face": "1m", "role": "concealed"}]},
        {"tiles": [tile(0, "0m")]},
        {"tiles": [tile(0, "1m", "discard")]},
        {"tiles": [tile(0, "1m", "meld")]},
        {"tiles": [tile(0, "1m", group="a")]},
        {"tiles": [tile(0, "1m", confidence=2)]},
        {"tiles": [tile(0, "1m", at=[1, 2])]},
        {"tiles": [tile(0, "1m", at=[1, 2, 0])]},
        {"tiles": [tile(0, "1m", at=[1, 2, "3"])]},
        {"tiles": [tile(0, "1m", doubt=3)]},
        {"tiles": [tile(True, "1m")]},
        {"tiles": [], "hidden": 3},
        {"tiles": [], "hidden": ["a"]},
        {"tiles": [], "added": "a"},
        {"tiles": [tile(0, "1m")] * 601},
    ],
)
def test_what_is_no_draft_is_refused(app: Flask, body: object) -> None:
    with app.test_request_context(), pytest.raises(Refusal, match="a list of tiles") as refused:
        read_draft(body)
    assert (refused.value.status, refused.value.code) == (400, "bad_draft")
