"""The catalogue by rules: every fan with a hand that counts it there."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from scorer import PROFILES, hand_from_json, hand_to_json, parse_hand, score
from webapp.fans import catalogue, english_names

RULES = pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)


@RULES
def test_every_example_counts_its_fan(profile: Any) -> None:
    for fan in catalogue(profile):
        example = fan["example"]
        hand = hand_to_json(*parse_hand(example["notation"])) | {"opening": example["opening"]}
        assert fan["name"] in score(*hand_from_json(hand), profile).counts, fan["name"]
        laid = [*example["melds"], example["concealed"], [example["winning"]]]
        assert sum(map(len, laid)) >= 14


@RULES
def test_the_page_and_the_api_list_the_fans_of_these_rules(client: FlaskClient, profile: Any) -> None:
    listed = client.get(f"/api/v1/fans?profile={profile.name}").json
    assert listed["profile"] == profile.name
    assert {fan["name"] for fan in listed["fans"]} == {fan.name for fan in profile.fans}
    points = [fan["points"] for fan in listed["fans"]]
    assert points == sorted(points, reverse=True)
    page = client.get(f"/fans?profile={profile.name}").text
    assert page.count('<details class="fan"') == len(profile.fans)
    assert f'profile={profile.name}" aria-current="page"' in page


def test_rules_differ_where_they_differ(client: FlaskClient) -> None:
    def points(profile: str, name: str) -> int:
        fans = client.get(f"/api/v1/fans?profile={profile}").json["fans"]
        return int(next(fan["points"] for fan in fans if fan["name"] == name))

    assert (points("guobiao", "双暗杠"), points("wmo2006", "双暗杠")) == (6, 8)
    assert "天胡" in client.get("/fans?profile=platform").text
    assert "天胡" not in client.get("/fans").text
    chinese = client.get("/fans?profile=platform", headers={"Accept-Language": "zh-TW"}).text
    assert "青龍" in chinese
    assert english_names()["青龙"] == english_names()["清龙"] == "Pure Straight"


def test_rules_that_are_none(client: FlaskClient) -> None:
    assert client.get("/fans?profile=x").status_code == 404
    refused = client.get("/api/v1/fans?profile=x")
    assert (refused.status_code, refused.json["error"]["code"]) == (422, "unknown_profile")
