"""What is said about a score."""

from __future__ import annotations

import json

import pytest

from scorer import Principle, explain, parse_hand, score


def reasons(text: str) -> dict[str, set[tuple[Principle, tuple[str, ...]]]]:
    found: dict[str, set[tuple[Principle, tuple[str, ...]]]] = {}
    for each in explain(score(*parse_hand(text))).dropped:
        found.setdefault(each.fan.name, set()).add((each.principle, each.by))
    return found


@pytest.mark.parametrize(
    ("text", "fan", "principle", "by"),
    [
        ("[111m][222m][444m]333m5p+5p", "碰碰和", Principle.NON_REPEAT, ("一色四节高",)),
        ("[123m][345m]567m789m9p+9p", "老少副", Principle.NON_REPEAT, ("一色四步高",)),
        ("123456789m123p5s+5s", "连六", Principle.NON_SEPARATION, ("清龙",)),
        ("567m456p345s678s9m+9m", "三色三步高", Principle.NON_IDENTICAL, ("三色三步高", "连六")),
        ("123456m789p123s99s", "连六", Principle.ACCOUNT_ONCE, ("花龙", "喜相逢")),
        ("12345p99s[EEE][SSS]6p|EN0000", "幺九刻", Principle.NON_REPEAT, ("圈风刻",)),
        ("1112345678999m1m", "幺九刻", Principle.NON_REPEAT, ("九莲宝灯",)),
        ("1133m5577p2288sEE|EE1000", "不求人", Principle.NON_REPEAT, ("七对",)),
    ],
)
def test_why_a_fan_does_not_count(text: str, fan: str, principle: Principle, by: tuple[str, ...]) -> None:
    assert (principle, by) in reasons(text)[fan]


def test_a_fan_that_does_not_count_shows_all_four_tiles_of_a_kong() -> None:
    dropped = explain(score(*parse_hand("SCCC[PPPP][EEEE,1][9999m]S|WS1000"))).dropped
    pungs = {each.tiles for each in dropped if each.fan.name == "幺九刻"}
    assert {("5z",) * 3, ("7z",) * 4} <= pungs


def test_the_runner_up() -> None:
    told = explain(score(*parse_hand("555666777p5556s7s|EE1000")))
    assert [other.total for other in told.runners_up] == [47]
    assert told.runners_up[0].counts["三暗刻"] == 1
    assert told.score.total == 48


def test_data_first() -> None:
    told = explain(score(*parse_hand("123m789m123s78s55p+9s|EE0000|1")))
    data = json.loads(json.dumps(told.to_json(), ensure_ascii=False))
    assert data["total"] == told.score.total
    assert data["counted"][0]["rule"] == {
        "zh": "两种花色的老少副,第三种花色的5为将",
        "en": "123 and 789 in two suits and a pair of 5 in the third.",
    }
    dropped = {each["fan"]: each for each in data["not_counted"]}
    assert dropped["平和"]["by"] == ["三色双龙会"]
    assert dropped["平和"]["reason"] == {"zh": "已包含在三色双龙会中", "en": "already implied by 三色双龙会"}
    assert data["runners_up"] == []


def test_text_in_two_languages() -> None:
    told = explain(score(*parse_hand("[123m]456m678p78sEE9s")))
    assert "under the minimum of 8" in told.text("en")
    assert "不足8分起和" in told.text("zh")
    assert "Short Straight" in told.text("en")
    assert "Short" not in told.text("zh")
    other = explain(score(*parse_hand("555666777p5556s7s|EE1000")))
    assert "other reading: 47" in other.text("en")
    assert "另一种拆法 47" in other.text("zh")


@pytest.mark.parametrize(
    ("text", "fan", "words"),
    [
        ("12345p678sEE[234m]+3p|EE0000", "边张", "not the only wait: 3p 6p would win"),
        ("56789m123p456s55p+7m", "边张", "not the only wait: 4m 7m would win"),
        ("1234444m678m456p+1m|NE1000", "单钓将", "the hand holds all four 4m, which still counts as a wait"),
    ],
)
def test_a_wait_that_is_not_the_only_one(text: str, fan: str, words: str) -> None:
    explanation = explain(score(*parse_hand(text)))
    waits = [each for each in explanation.absent if each.fan.name != "无番和"]
    assert [each.fan.name for each in waits] == [fan]
    assert words in waits[0].reason()
    assert waits[0].reason("zh").startswith("不是独听")
    assert words in explanation.text()
    assert fan in {each["fan"] for each in explanation.to_json()["not_present"]}


def test_a_sole_wait_needs_no_excuse() -> None:
    assert explain(score(*parse_hand("1233m567p789s[345p]3m"))).absent[:-1] == ()


def test_why_the_chicken_hand_does_not_count() -> None:
    explanation = explain(score(*parse_hand("34567p678sEE[234m]5p|EE1000")))
    (chicken,) = explanation.absent
    assert (chicken.fan.name, chicken.reason()) == (
        "无番和",
        "自摸 counts, and it needs a hand without any other fan",
    )
    assert explain(score(*parse_hand("34567p678sEE[234m]5p|EE0000"))).absent == ()
