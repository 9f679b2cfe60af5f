"""What the page asks before a hand has its score, and the buttons that settle it."""

from typing import Any

import pytest
from flask import Flask

from scorer import hand_from_json, score
from tests.webapp.drafts import draft, tile
from webapp.actions import actions_for, room_in
from webapp.checks import checks, doubt_checks
from webapp.controls import START
from webapp.count_checks import FAR_OFF, NEAR_TILE_WIDTHS, nearest_stray
from webapp.draft import read_draft

COMPLETE = draft("123456789m12s55z", winning="3s")


@pytest.fixture(autouse=True)
def request_in_english(app: Flask) -> Any:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        yield


def doubtful(laid: dict[str, Any], number: int, doubt: str) -> dict[str, Any]:
    tiles = [one | ({"doubt": doubt} if one["id"] == number else {}) for one in laid["tiles"]]
    return laid | {"tiles": tiles}


def asked(laid: dict[str, Any], **conditions: Any) -> list[dict[str, Any]]:
    draft, known = read_draft(laid).resolved(), START | conditions
    return checks(draft, doubt_checks(draft, known), known)


def doubts(laid: dict[str, Any], **conditions: Any) -> list[dict[str, Any]]:
    return doubt_checks(read_draft(laid).resolved(), START | conditions)


def changes(check: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["key"]: one["do"] for one in check["answers"]}


def test_nothing_is_asked_about_a_complete_hand() -> None:
    assert asked(COMPLETE) == []
    assert asked(draft()) == []


def test_doubtful_face_is_asked_with_how_many_there_are() -> None:
    [check] = asked(doubtful(COMPLETE, 3, "rival"))
    assert (check["kind"], check["tile"], check["answers"]) == ("face", 3, [])
    assert check["text"] == "1 tile is uncertain. Which is it?"
    [check] = asked(doubtful(doubtful(COMPLETE, 3, "rival"), 5, "unclear"))
    assert (check["tile"], check["text"]) == (3, "2 tiles are uncertain. Which is this?")


def test_kong_of_doubtful_kind() -> None:
    [check] = asked(doubtful(draft("123m456m55s12p", ("1111z",), "3p"), 0, "kong"))
    assert check["text"] == "None of this kong's tiles lies sideways. Was it melded or concealed?"
    assert changes(check) == {
        "check-melded": {"name": "hide", "group": 0, "concealed": False},
        "check-concealed": {"name": "hide", "group": 0, "concealed": True},
    }


def test_a_tile_that_may_be_of_a_meld_or_have_won() -> None:
    [check] = asked(doubtful(draft("123m456m55s12p", ("111z",), "3p"), 3, "role"))
    assert check["text"] == "This tile may belong to a meld, or be the winning tile."
    assert changes(check) == {
        "check-agree": {"name": "agree", "tile": 3},
        "check-chow-1m2m3m": {"name": "meld", "tiles": [3, 4, 5], "concealed": False},
        "check-win": {"name": "win", "tile": 3},
    }
    assert [one["label"] for one in check["answers"]] == ["It is concealed", "Chow 123", "Winning tile"]


def test_a_flower_that_lies_away() -> None:
    [check] = asked(doubtful(draft("123m456m55s12p", ("111z",), "3p", "1f"), 14, "role"))
    assert check["text"] == "This tile lies away from the hand and may not be one of its flowers."
    assert changes(check) == {
        "check-agree": {"name": "agree", "tile": 14},
        "check-out": {"name": "out", "tile": 14},
    }


def test_melds_that_may_be_concealed_are_asked_about_once() -> None:
    laid = draft("55s12p", ("123m", "1111z", "456m"), "3p")
    for number in (0, 3, 7):
        laid = doubtful(laid, number, "role")
    [check] = doubts(laid)
    assert check["text"] == "Were these 3 sets called, or are they part of the concealed tiles?"
    called, concealed = check["answers"]
    assert (called["label"], concealed["label"]) == ("They were called", "They were concealed")
    agreed = [{"name": "agree", "tile": number} for number in (0, 3, 7)]
    assert called["do"] == {"name": "each", "changes": agreed}
    assert concealed["do"]["changes"] == [
        {"name": "dissolve", "group": 0},
        {"name": "hide", "group": 1, "concealed": True},
        {"name": "dissolve", "group": 2},
    ]
    [check] = doubts(doubtful(draft("55s12p456p", ("123m",), "3p"), 0, "role"))
    assert check["text"] == "Was this set called, or is it part of the concealed tiles?"


GUESSED = draft("12345678m11z999p", winning="9m")
"""The winning tile changes the total: 9 Characters is one of three, East none."""


@pytest.mark.parametrize("doubt", ["winning", "role"])
def test_which_tile_won_is_asked_with_the_total_of_each(doubt: str) -> None:
    laid = doubtful(GUESSED, 13, doubt)
    [check] = asked(laid)
    assert (check["kind"], check["tile"]) == ("won", None)
    assert check["text"] == "Which tile won? The total depends on it."
    totals = {}
    for one in check["answers"]:
        face = one["key"].removeprefix("won-")
        hand = {"concealed": [*GUESSED_FACES], "winning_tile": face}
        hand["concealed"].remove(face)
        totals[face] = score(*hand_from_json(hand)).total
        assert one["label"].endswith(f" · {totals[face]} points")
    assert len(set(totals.values())) > 1
    assert set(totals) == set(GUESSED_FACES)
    # The tile that was taken is only agreed with.
    done = changes(check)
    assert done["won-9m"] == {"name": "agree", "tile": 13}
    assert done["won-1z"] == {"name": "win", "tile": 9}


GUESSED_FACES = [*(f"{rank}m" for rank in range(1, 10)), "1z", "1z", "9p", "9p", "9p"]


def test_which_tile_won_is_not_asked_where_it_changes_nothing() -> None:
    seven_pairs = draft("1133m5577p2288s1z", winning="1z")
    assert asked(doubtful(seven_pairs, 13, "winning")) == []
    # Nor before the hand wins at all.
    assert doubts(doubtful(draft("123456789m12s55z", winning="7s"), 13, "winning")) == []


def test_a_face_down_tile_cannot_have_won() -> None:
    laid = draft("123456789m12s5z3s")
    laid["tiles"].append(tile(13, "back"))
    [check] = asked(laid)
    assert changes(check) == {"fix-win": {"name": "win", "tile": 12}}
    assert asked({"tiles": [tile(number, "back") for number in range(14)]}) == []


def test_every_doubt_is_a_question_of_its_own() -> None:
    laid = doubtful(doubtful(doubtful(COMPLETE, 3, "rival"), 5, "unclear"), 8, "role")
    assert [check["tile"] for check in doubts(laid)] == [3, 5, 8]
    assert [check["tile"] for check in asked(laid)] == [3]


def test_strays_are_not_asked_about() -> None:
    laid = {"tiles": [*COMPLETE["tiles"], tile(40, "7m", "stray", doubt="role")]}
    assert asked(laid) == []


@pytest.mark.parametrize(
    ("face", "at", "near"),
    [
        ("3s", (100 + 40 * NEAR_TILE_WIDTHS - 1, 100), True),
        ("3s", (100 + 40 * NEAR_TILE_WIDTHS + 1, 100), False),
        ("back", (150, 100), False),
    ],
)
def test_near_stray_is_offered_for_a_missing_tile(face: str, at: tuple[float, float], near: bool) -> None:
    laid = draft("12345678m12s55z", winning="9m")
    laid["tiles"][0] |= {"photo": 0, "at": [100, 100, 40]}
    laid["tiles"].append(tile(50, face, "stray", photo=0, at=[*at, 40]))
    [check] = asked(laid)
    assert check["text"] == "1 tile is missing."
    taken = {"fix-take": {"name": "role", "tile": 50, "role": "concealed"}} if near else {}
    assert changes(check) == taken | {"fix-add": {"name": "show_keyboard"}}


def test_nearest_stray_is_the_nearest_of_the_same_photo() -> None:
    tiles = [
        tile(0, "1m", photo=0, at=[100, 100, 40]),
        tile(1, "2m", photo=1, at=[100, 100, 40]),
        tile(2, "3m", "stray", photo=0, at=[180, 100, 40]),
        tile(3, "4f", "stray", photo=0, at=[160, 100, 40]),
        tile(4, "5m", "stray", photo=2, at=[101, 100, 40]),
        tile(5, "6m", "stray"),
    ]
    found = nearest_stray(read_draft({"tiles": tiles}))
    assert found is not None
    assert found.face == "4f"
    assert nearest_stray(read_draft({"tiles": tiles[:2]})) is None


def test_flower_that_lies_near_goes_to_the_flowers() -> None:
    laid = draft("12345678m12s55z")
    laid["tiles"][0] |= {"photo": 0, "at": [9, 9, 9]}
    laid["tiles"].append(tile(50, "2f", "stray", photo=0, at=[9, 9, 9]))
    [check] = asked(laid)
    assert changes(check)["fix-take"] == {"name": "role", "tile": 50, "role": "flower"}


def test_one_tile_too_many_may_be_a_kong_or_the_least_clear_tile() -> None:
    laid = draft("111123m55p789s", ("444z",), "3s")
    for one in laid["tiles"]:
        one["confidence"] = 0.7 if one["face"] == "8s" else 0.99
    [check] = asked(laid)
    assert check["text"] == "1 tile too many. Leave one out, or mark a kong."
    assert changes(check) == {
        "fix-melded_kong-1m": {"name": "meld", "tiles": [3, 4, 5, 6], "concealed": False},
        "fix-concealed_kong-1m": {"name": "meld", "tiles": [3, 4, 5, 6], "concealed": True},
        "fix-out": {"name": "out", "tile": 12},
    }
    labels = [one["label"] for one in check["answers"]]
    assert labels[0].startswith("Kong: ")
    assert labels[2].startswith("Leave ")


def test_fourth_tile_may_join_its_pung() -> None:
    laid = draft("1234m567p789s5s", ("111m",), "5s")
    [check] = asked(laid)
    assert changes(check)["fix-melded_kong-1m"] == {"name": "join", "tile": 3, "group": 0}


def test_winning_tile_is_asked_for_once_the_number_is_right() -> None:
    [check] = asked(draft("12345678m11z999p9m"))
    assert check["text"] == "Which tile won? The total depends on it."
    assert changes(check)["won-9m"] == {"name": "win", "tile": 13}
    # Where it changes nothing, or the hand does not win yet, the last one is offered.
    for text in ("1133m5577p2288s11z", "123456789m12s55z7s"):
        [check] = asked(draft(text))
        assert check["text"] == "Which tile won? Tap it, or choose the last one."
        assert changes(check) == {"fix-win": {"name": "win", "tile": 13}}


def in_photo(number: int, strays: int = 0) -> dict[str, Any]:
    tiles = [tile(n, f"{n % 9 + 1}{'mps'[n % 3]}", photo=0, at=[n * 40, 9, 40]) for n in range(number)]
    tiles += [tile(100 + n, "1z", "stray", photo=0, at=[n * 40, 400, 40]) for n in range(strays)]
    return {"tiles": tiles}


def test_a_photo_that_was_misunderstood_is_no_matter_of_single_tiles() -> None:
    [check] = asked(in_photo(14 + FAR_OFF + 1, strays=14))
    assert check["text"] == "32 tiles found: choose the hand in the photo, or take it again."
    assert changes(check) == {"fix-choose": {"name": "choose_hand"}, "fix-retake": {"name": "retake"}}
    [check] = asked(in_photo(14 - FAR_OFF - 1, strays=5))
    assert [one["label"] for one in check["answers"]] == ["Choose the hand", "Take it again", "Add a tile"]
    [check] = asked(in_photo(14 + FAR_OFF))
    assert check["text"].startswith("3 tiles too many.")
    # Typed tiles are no photo.
    [check] = asked(draft("123m"))
    assert check["text"] == "11 tiles are missing."


def keys(laid: dict[str, Any], number: int) -> list[str]:
    read = read_draft(laid).resolved()
    return [one["key"] for one in actions_for(read, read.tiles[number])]


def test_actions_of_a_concealed_tile() -> None:
    laid = draft("11123m567p789s5s", ("111m",), "5s")
    assert keys(laid, 3) == ["win", "pung", "chow-1m2m3m", "melded_kong-0", "remove"]
    assert keys(laid, 7) == ["win", "chow-1m2m3m", "remove"]


@pytest.mark.parametrize(
    ("hand", "number", "chows"),
    [
        ("12345m", 2, ["chow-1m2m3m", "chow-2m3m4m", "chow-3m4m5m"]),
        ("789m", 2, ["chow-7m8m9m"]),
        ("891m", 1, []),
        ("123z", 0, []),
    ],
)
def test_chows_are_three_in_a_row_of_a_suit(hand: str, number: int, chows: list[str]) -> None:
    assert [key for key in keys(draft(hand), number) if key.startswith("chow")] == chows


def test_actions_of_other_tiles() -> None:
    laid = draft("234m", ("1111z", "456p"), "5z", "1f") | {"hidden": [0]}
    laid["tiles"].append(tile(30, "7m", "stray", photo=0, at=[1, 1, 1]))
    laid["tiles"].append(tile(31, "2f", "stray", photo=0, at=[1, 1, 1]))
    assert keys(laid, 0) == ["hide", "dissolve", "win", "remove"]
    assert keys(laid, 4) == ["dissolve", "win", "remove"]
    assert keys(laid, 10) == ["unwin", "remove"]
    assert keys(laid, 11) == ["remove"]
    assert keys(laid, 12) == ["take", "win", "remove"]
    assert keys(laid, 13) == ["take", "remove"]


def test_tile_of_the_photo_can_be_left_out() -> None:
    assert keys({"tiles": [tile(0, "1m", photo=0)]}, 0) == ["win", "stray", "remove"]


def test_meld_takes_the_nearest_of_equal_tiles() -> None:
    read = read_draft(draft("1m9p1m1m1m"))
    pung = next(one for one in actions_for(read, read.tiles[4]) if one["key"] == "pung")
    assert pung["do"]["tiles"] == [4, 3, 2]


@pytest.mark.parametrize(
    ("laid", "tiles"),
    [
        (draft(), 14),
        (draft("123m", ("1111z",)), 8),
        (COMPLETE, 0),
        (draft("123456789m12s55z3s"), None),  # a kong may still be marked in it
        (draft("123456789m123s55z", winning="3s"), 0),
    ],
)
def test_room_for_more_tiles(laid: dict[str, Any], tiles: int | None) -> None:
    assert room_in(read_draft(laid))["tiles"] == tiles
