"""The conditions that the page offers, and what each choice changes."""

from typing import Any

import pytest
from flask import Flask

from scorer import PROFILES, Opening
from webapp.controls import START, changes, conditions_in, controls

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def request_in_english(app: Flask) -> Any:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        yield


def choice(now: Json, name: str) -> Json | None:
    return next((one for one in controls(now)["choices"] if one["name"] == name), None)


def values(now: Json, name: str) -> list[Any]:
    found = choice(now, name)
    return [] if found is None else [option["value"] for option in found["options"]]


def test_missing_conditions_are_those_of_the_start() -> None:
    assert conditions_in({"seat_wind": "W", "concealed": []}) == START | {"seat_wind": "W"}


@pytest.mark.parametrize(
    ("now", "name", "value", "changed"),
    [
        ({}, "last_tile", True, {"last_tile": True}),
        # A robbed kong is no replacement tile.
        ({"kong": True}, "self_drawn", True, {"self_drawn": True, "kong": False}),
        ({"kong": True, "self_drawn": True}, "self_drawn", True, {"self_drawn": True}),
        # Who won did not discard.
        ({"discarder": "S"}, "seat_wind", "S", {"seat_wind": "S", "discarder": None}),
        ({"discarder": "S"}, "seat_wind", "W", {"seat_wind": "W"}),
        # Only the platform counts wins on the first tile.
        ({"opening": "heavenly"}, "profile", "guobiao", {"profile": "guobiao", "opening": None}),
        ({"opening": "heavenly"}, "profile", "platform", {"profile": "platform"}),
        ({}, "profile", "wmo2006", {"profile": "wmo2006"}),
    ],
)
def test_what_a_choice_changes(now: Json, name: str, value: object, changed: Json) -> None:
    assert changes(START | now, name, value) == changed


def test_every_profile_is_offered() -> None:
    assert values(START, "profile") == list(PROFILES)
    assert choice(START, "profile")["options"][1]["label"] == "1998"  # type: ignore[index]


def test_winner_is_asked_and_the_others_are_whom_it_may_be_from() -> None:
    open_now = START | {"seat_wind": None}
    assert values(open_now, "winner") == ["E", "S", "W", "N"]
    assert values(open_now, "from") == ["self_drawn", "E", "S", "W", "N"]
    for name in ("winner", "from"):
        assert not any(option["on"] for option in choice(open_now, name)["options"])  # type: ignore[index]
    assert values(START | {"seat_wind": "W"}, "from") == ["self_drawn", "E", "S", "N"]


def test_from_whom_sets_the_way_of_winning() -> None:
    robbed = choice(START | {"kong": True, "discarder": "S"}, "from")["options"]  # type: ignore[index]
    assert robbed[0]["set"] == {"self_drawn": True, "discarder": None, "kong": False}
    assert robbed[2]["set"] == {"self_drawn": False, "discarder": "W"}
    drawn = choice(START | {"kong": True, "self_drawn": True}, "from")["options"]  # type: ignore[index]
    assert [option["on"] for option in drawn] == [True, False, False, False]
    assert drawn[1]["set"] == {"self_drawn": False, "discarder": "S", "kong": False}


def test_opening_wins_are_offered_where_the_rules_count_them() -> None:
    assert choice(START, "opening") is None
    assert values(START | {"profile": "platform"}, "opening") == [None, *map(str, Opening)]
    assert choice(START | {"profile": "nobody's"}, "opening") is None


@pytest.mark.parametrize(("drawn", "label"), [(False, "Robbed kong"), (True, "After a kong")])
def test_labels_follow_the_way_of_winning(drawn: bool, label: str) -> None:
    toggles = {one["name"]: one for one in controls(START | {"self_drawn": drawn, "kong": True})["toggles"]}
    assert toggles["kong"]["label"] == label
    assert (toggles["kong"]["on"], toggles["kong"]["set"]) == (True, {"kong": False})
    assert list(toggles) == ["last_tile", "kong", "fourth_tile"]


def test_chosen_value_is_marked() -> None:
    on = [
        option["value"] for option in choice(START | {"seat_wind": "N"}, "winner")["options"] if option["on"]
    ]  # type: ignore[index]
    assert on == ["N"]
