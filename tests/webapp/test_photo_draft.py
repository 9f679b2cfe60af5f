"""What the page starts with after a photo: which draft, which notices, which rival reading."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import vision
from scorer import hand_from_json
from webapp.assessment import assess
from webapp.photo_draft import CLOSE_READING, difference, draft_of, empty_draft, lay, starting_point

SAMPLES = Path(vision.__file__).parent / "samples"
Json = dict[str, Any]


@pytest.fixture(autouse=True)
def request_in_english(app: Flask) -> Any:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        yield


def recognition(name: str, **changes: Any) -> Json:
    """A sample photo as if every tile of it had been read rightly."""
    truth = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    tiles = [
        {key: one[key] for key in ("face", "quad", "group", "role", "sideways")}
        | {"confidence": 0.99, "alternatives": []}
        for one in truth["tiles"]
    ]
    read = {"width": truth["width"], "height": truth["height"], "tiles": tiles, "hand": truth["hand"]}
    return read | {"readings": [{"hand": truth["hand"], "probability": 0.9}], "problems": []} | changes


def as_asked(draft: Json) -> Json:
    """The body in which the page asks about a draft."""
    tiles = [one | {"doubt": (one["doubt"] or "face") if one["unsure"] else None} for one in draft["tiles"]]
    asked = {"tiles": tiles, "hidden": draft["hidden"], "added": None}
    return {"draft": asked, **draft["conditions"], "discarder": draft["discarder"]}


def same_hand(one: Json, other: Json) -> bool:
    (first, how), (second, other_how) = hand_from_json(one), hand_from_json(other)
    # A photo does not show who won.
    how, other_how = (replace(circumstances, seat_wind="E") for circumstances in (how, other_how))
    melds = [sorted((meld.kind, meld.tiles) for meld in hand.melds) for hand in (first, second)]
    return (first.concealed, first.winning_tile, first.flowers, melds[0], how) == (
        second.concealed, second.winning_tile, second.flowers, melds[1], other_how
    )  # fmt: skip


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_draft_of_a_photo_is_its_hand(path: Path) -> None:
    read = recognition(path.stem)
    answer = assess(as_asked(draft_of(read, "/photos/x.jpg")))
    assert same_hand(answer["draft"]["hand"], read["hand"])


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_rows_run_as_they_lie_in_the_photo(path: Path) -> None:
    rows: dict[Any, list[float]] = {}
    for tile in draft_of(recognition(path.stem), "")["tiles"]:
        rows.setdefault((tile["role"], tile["group"]), []).append(tile["quad"][0][0])
    assert all(row[0] <= row[-1] for row in rows.values())


def test_last_of_its_face_has_won_when_no_tile_lies_apart() -> None:
    read = recognition("three-chows")
    face = read["hand"]["winning_tile"]
    for tile in read["tiles"]:
        if tile["role"] == "winning":
            tile["role"] = "concealed"
    won = [tile for tile in draft_of(read, "")["tiles"] if tile["role"] == "winning"]
    assert [tile["face"] for tile in won] == [face]
    without = draft_of(read | {"hand": None}, "")
    assert [tile for tile in without["tiles"] if tile["role"] == "winning"] == []


def test_face_down_tiles_of_a_kong_take_the_face_that_it_shows() -> None:
    read = recognition("all-green-across")
    kong = [tile for tile in read["tiles"] if tile["face"] == "back" and tile["role"] == "meld"]
    assert kong  # the sample has a concealed kong
    draft = draft_of(read, "")
    [group] = draft["hidden"]
    members = [tile for tile in draft["tiles"] if tile["group"] == group]
    assert len({tile["face"] for tile in members} - {"back"}) == 1
    assert len(members) == 4
    assert "back" not in {tile["face"] for tile in members}
    assert "back" in {tile["seen"] for tile in members}


def test_doubts_come_with_their_tiles_except_of_strays() -> None:
    read = recognition("three-chows")
    read["tiles"][2]["role"] = "stray"
    read["problems"] = [
        {"code": "doubtful_tile", "message": "", "tile": number, "doubt": doubt}
        for number, doubt in ((1, "rival"), (2, "role"))
    ]
    tiles = {tile["id"]: tile for tile in draft_of(read, "")["tiles"]}
    assert [(tiles[number]["unsure"], tiles[number]["doubt"]) for number in (0, 1, 2)] == [
        (False, None),
        (True, "rival"),
        (False, "role"),
    ]


def test_place_of_a_tile_is_its_centre_and_width() -> None:
    read = recognition("three-chows")
    read["tiles"] = read["tiles"][:1]
    read["tiles"][0]["quad"] = [[10, 20], [40, 60], [0, 90], [-30, 50]]
    [tile] = draft_of(read | {"hand": None}, "")["tiles"]
    assert tile["at"] == [5, 55, 50]


def test_only_notices_that_people_must_know_are_shown() -> None:
    problems = [
        {"code": "winning_tile_unknown", "message": "as vision says it"},
        {"code": "below_minimum", "message": ""},
        {"code": "not_a_hand", "message": ""},
    ]
    notices = starting_point(recognition("three-chows", problems=problems), "")["notices"]
    assert [notice["code"] for notice in notices] == ["not_a_hand"]
    assert all(notice["text"] and notice["text"] != "as vision says it" for notice in notices)


def test_who_won_is_never_assumed() -> None:
    for draft in (empty_draft(), draft_of(recognition("three-chows"), "")):
        assert (draft["conditions"]["seat_wind"], draft["discarder"]) == (None, None)


@pytest.mark.parametrize("known", [True, False])
def test_winning_tile_that_nobody_could_see_is_a_guess(known: bool) -> None:
    problems = [] if known else [{"code": "winning_tile_unknown", "message": ""}]
    tiles = draft_of(recognition("three-chows", problems=problems), "")["tiles"]
    guessed = [tile["role"] for tile in tiles if tile.get("guessed")]
    assert guessed == ([] if known else ["winning"])


def test_empty_draft_is_accepted_as_it_is() -> None:
    assert assess(as_asked(empty_draft()))["problem"]["code"] == "no_tiles"


def misread(hand: Json, face: str, other: str) -> Json:
    return hand | {"concealed": [other if one == face else one for one in hand["concealed"]]}


@pytest.mark.parametrize(("share", "offered"), [(CLOSE_READING + 0.01, 2), (CLOSE_READING - 0.01, 0)])
def test_second_reading_is_offered_if_it_is_close(share: float, offered: int) -> None:
    read = recognition("three-chows")
    second = misread(read["hand"], "5p", "9p")
    read["readings"] = [
        {"hand": read["hand"], "probability": 0.6},
        {"hand": second, "probability": 0.6 * share},
    ]
    readings = starting_point(read, "")["readings"]
    assert len(readings) == offered
    if offered:
        assert readings[0]["percent"] == 60
        assert readings[0]["key"] != readings[1]["key"]


def laid_hand(draft: Json, laid: Json) -> Json:
    """The hand of a draft after a reading is laid over it, as the page does it."""
    places = {tile["id"]: tile for tile in laid["tiles"]}
    tiles = [tile | places.get(tile["id"], {}) for tile in draft["tiles"]]
    answer = assess(as_asked(draft | {"tiles": tiles, "hidden": laid["hidden"]}))
    hand: Json = answer["draft"]["hand"]
    return hand


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_first_reading_laid_over_its_own_draft_changes_nothing(path: Path) -> None:
    read = recognition(path.stem)
    draft = draft_of(read, "")
    assert same_hand(laid_hand(draft, lay(read["hand"], draft["tiles"])), read["hand"])


def test_other_reading_gives_its_face_to_the_likeliest_tile() -> None:
    read = recognition("three-chows")
    fives = [tile for tile in read["tiles"] if tile["face"] == "5p"]
    fives[-1]["alternatives"] = [["9p", 0.3]]
    draft = draft_of(read, "")
    second = misread(read["hand"], "5p", "9p")
    assert same_hand(laid_hand(draft, lay(second, draft["tiles"])), second)


def test_kong_of_the_other_kind_settles_its_doubt() -> None:
    read = recognition("east-kong")
    kong = next(meld for meld in read["hand"]["melds"] if meld["tiles"] == ["1z"] * 4)
    other = "concealed_kong" if kong["kind"] == "melded_kong" else "melded_kong"
    melds = [meld | {"kind": other} if meld is kong else meld for meld in read["hand"]["melds"]]
    second = read["hand"] | {"melds": melds}
    doubtful = next(number for number, tile in enumerate(read["tiles"]) if tile["face"] == "1z")
    read["problems"] = [{"code": "doubtful_tile", "message": "", "tile": doubtful, "doubt": "kong"}]
    draft = draft_of(read, "")
    laid = lay(second, draft["tiles"])
    assert same_hand(laid_hand(draft, laid), second)
    assert not any(tile["unsure"] for tile in laid["tiles"])
    names = {"melded_kong": "Melded kong: ", "concealed_kong": "Concealed kong: "}
    assert difference(read["hand"], second).startswith(names[kong["kind"]])
    assert difference(second, read["hand"]).startswith(names[other])


def test_difference_of_readings() -> None:
    hand = recognition("three-chows")["hand"]
    assert difference(misread(hand, "5p", "9p"), hand).count(",") == hand["concealed"].count("5p") - 1
    other = hand | {
        "concealed": sorted([*hand["concealed"][1:], hand["winning_tile"]]),
        "winning_tile": hand["concealed"][0],
    }
    assert difference(hand, other).startswith("won with ")
    assert difference(hand, hand) == f"{len(hand['melds'])} melds"


@pytest.mark.parametrize(
    ("differs", "words"), [("winning_tile", "which tile won"), ("flower", "which flowers")]
)
def test_the_range_of_likely_totals_is_a_notice(differs: str, words: str) -> None:
    totals = {"lowest": 11, "highest": 33, "differs": [differs], "text": "-"}
    (notice,) = starting_point(recognition("dragons", totals=totals), "/photos/x.jpg")["notices"]
    assert notice["code"] == "likely_totals"
    assert "11 to 33 points" in notice["text"]
    assert words in notice["text"]


@pytest.mark.parametrize("totals", [None, {"lowest": 8, "highest": 8, "differs": [], "text": None}])
def test_one_likely_total_needs_no_notice(totals: Json | None) -> None:
    assert starting_point(recognition("dragons", totals=totals), "/photos/x.jpg")["notices"] == []
