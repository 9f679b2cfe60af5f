"""The built-in profiles and their rulings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer import (
    PROFILES,
    Circumstances,
    HandError,
    Opening,
    parse_hand,
    parse_profile,
    score,
)
from scorer.profiles import UNDEFINED_NAMES


def counts(text: str, profile: str, **changes: object) -> dict[str, int]:
    hand, how = parse_hand(text)
    return score(hand, replace(how, **changes), profile).counts  # type: ignore[arg-type]


MIXED_KONGS = "34m99p678s[2222m,1][7777p]5m"
TWO_KONGS = "34m99p678s[2222m][7777p]5m"


def test_values_of_two_kongs() -> None:
    named = {name: counts(MIXED_KONGS, name) for name in PROFILES}
    assert named["guobiao"]["明暗杠"] == 1
    assert "明暗杠" not in named["text1998"]
    assert (named["text1998"]["明杠"], named["text1998"]["暗杠"]) == (1, 1)
    points = {name: profile.by_name.get("明暗杠") for name, profile in PROFILES.items()}
    assert {name: fan and fan.points for name, fan in points.items()} == {
        "guobiao": 5,
        "text1998": None,
        "wmo2006": 6,
        "wmo2014": 6,
        "platform": 5,
    }
    assert [PROFILES[name].by_name["双暗杠"].points for name in ("guobiao", "text1998", "wmo2006")] == [
        6,
        6,
        8,
    ]
    assert score(*parse_hand(TWO_KONGS), "wmo2006").total == score(*parse_hand(TWO_KONGS)).total + 2


SELF_DRAWN = {
    "九莲宝灯": "1112345678999m5m|EE1000",
    "四暗刻": "222333m555p77s88s7s|EE1000",
    "连七对": "2233445566778p8p|EE1000",
    "十三幺": "19m19p19sESWNCFP9s|EE1000",
    "七对": "1133m5577p2288sEE|EE1000",
    "七星不靠": "147m58p36sESWNCFP|EE1000",
    "全不靠": "147m258p36sESWNC+F|EE1000",
}


@pytest.mark.parametrize(
    ("profile", "keeping"),
    [
        ("guobiao", set()),
        ("text1998", {"九莲宝灯", "四暗刻"}),
        ("wmo2006", {"九莲宝灯", "四暗刻", "连七对", "十三幺", "七对", "七星不靠", "全不靠"}),
        ("wmo2014", {"九莲宝灯", "四暗刻", "连七对", "十三幺", "七对", "七星不靠", "全不靠"}),
    ],
)
def test_fully_concealed_beside_concealed_shapes(profile: str, keeping: set[str]) -> None:
    for fan, text in SELF_DRAWN.items():
        found = counts(text, profile)
        assert fan in found
        assert ("不求人" in found) == (fan in keeping), fan
        assert ("自摸" in found) != ("不求人" in found)


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        # guobiao, wmo2006, wmo2014: the examples of docs/rules.md
        ("147m25p36sESWNCFP|EE1000", (25, 28, 28)),
        ("147m258p36sESWNC+F|EE1000", (13, 16, 16)),
        ("[234s][666s]22888sFF+F", (90, 96, 96)),
        ("2222s4466s88sFFFF", (116, 122, 120)),
        ("1199m1199p111199s", (90, 90, 88)),
    ],
)
def test_totals_of_the_green_book(text: str, totals: tuple[int, ...]) -> None:
    hand, how = parse_hand(text)
    assert tuple(score(hand, how, name).total for name in ("guobiao", "wmo2006", "wmo2014")) == totals


def test_the_hog_that_counts_has_its_tiles() -> None:
    result = score(*parse_hand("2222s4466s88sFFFF"), "wmo2014")
    (hog,) = (award for award in result.fans if award.fan.name == "四归一")
    assert (hog.count, len(hog.tiles)) == (1, 1)


def test_waits_on_the_knitted_straight() -> None:
    text = "258m23469p147s88s+3p"
    assert "坎张" in counts(text, "guobiao")
    assert "坎张" not in counts(text, "wmo2006")


def test_seven_pairs_of_terminals() -> None:
    text = "1199m1199p1199sEE"
    assert "混幺九" in counts(text, "guobiao")
    assert "混幺九" not in counts(text, "text1998")
    assert "字一色" in counts("EESSWWNNCCFFPP", "guobiao")
    assert "字一色" not in counts("EESSWWNNCCFFPP", "text1998")
    assert "混幺九" in counts("111s99pEE[111m][999m]E", "text1998")


def test_triple_pung_of_terminals() -> None:
    text = "111m111p111s999m9p9p"
    assert "三同刻" in counts(text, "guobiao")
    assert "三同刻" not in counts(text, "text1998")


def test_the_exhausted_wait_is_a_ruling() -> None:
    text = "1234444m678m456p+1m|NE1000"
    assert "单钓将" not in counts(text, "guobiao")
    rules = parse_profile("[rulings]\nexhausted_wait = false")
    assert "单钓将" in score(*parse_hand(text), rules).counts
    in_kong = "1222566778p[3333p,1]+1p"
    assert "单钓将" not in counts(in_kong, "guobiao")
    assert "单钓将" in score(*parse_hand(in_kong), rules).counts


class TestPlatform:
    def test_renamed_fans(self) -> None:
        found = counts("[123m]456m789m66p45s6s", "platform")
        assert "青龙" in found
        assert "清龙" not in found
        assert "断幺九" in counts("[234m]567p678s55s34p5p", "platform")
        assert "单钓" in counts("[345m]567p789s123mEE", "platform")

    def test_middle_tiles_drop_no_honours(self) -> None:
        assert "无字" in PROFILES["platform"].by_name["全中"].drops

    @pytest.mark.parametrize(
        ("fan", "points", "opening", "seat"),
        [
            ("天胡", 168, Opening.HEAVENLY, "E"),
            ("地胡", 158, Opening.EARTHLY, "S"),
            ("人胡", 108, Opening.HUMAN, "W"),
        ],
    )
    def test_opening_wins(self, fan: str, points: int, opening: Opening, seat: str) -> None:
        hand, _ = parse_hand("123m456p678s55s34m5m")
        how = Circumstances(self_drawn=True, seat_wind=seat, opening=opening)
        found = score(hand, how, "platform")
        assert found.counts[fan] == 1
        assert PROFILES["platform"].by_name[fan].points == points
        if fan == "天胡":
            assert not {"自摸", "不求人", "边张", "坎张", "单钓"} & set(found.counts)
        assert fan not in score(hand, how).counts

    def test_fortune_from_all_sides(self) -> None:
        found = counts("WWWPP[EEE][FFF]SS+S", "platform", prevalent_wind="S")
        assert found["四方大发财"] == 1
        assert not {"字一色", "圈风刻", "门风刻", "箭刻", "碰碰和"} & set(found)
        one_wind = counts("WWWPP[EEE][FFF]SS+S", "platform")
        assert one_wind["四方大发财"] == 1
        assert "四方大发财" not in counts("WWWPP[EEE][CCC]SS+S", "platform")

    def test_mixed_shifted_sets(self) -> None:
        assert counts("[222m][333p]444m555p9s9s", "platform")["混四节"] == 1
        assert counts("[222m][333p]444m888s9s9s", "platform")["混三节"] == 1
        assert counts("[123m][234p]345m456p9s9s", "platform")["混四步"] == 1
        assert counts("[123m][234p]345m789s9s9s", "platform")["混三步"] == 1
        higher = counts("[222m][333p]444s555p9s9s", "platform")
        assert "三色三节高" in higher
        assert "混四节" not in higher

    def test_pairs(self) -> None:
        assert counts("[123m]456m678p789s5s5s", "platform")["二五八将"] == 1
        assert counts("[123m]456m678p789s9s9s", "platform")["幺九头"] == 1
        assert not {"二五八将", "幺九头"} & set(counts("1133m5577p2288s99p", "platform"))

    def test_seasonal_flowers(self) -> None:
        hand, how = parse_hand("[123m]456m678p78sEE9s|ES0000|abf")
        found = score(hand, how, "platform")
        assert (found.counts["花牌"], found.counts["季花"]) == (3, 2)
        assert found.total == found.qualifying + 5
        assert found.fans[-1].count == 2
        assert "季花" not in score(hand, how).counts

    def test_jokers_are_refused(self) -> None:
        with pytest.raises(HandError, match="jokers"):
            PROFILES["platform"].fan("混杠")

    def test_undefined_names_are_not_fans(self) -> None:
        assert len(UNDEFINED_NAMES) == 15
        assert not set(UNDEFINED_NAMES) & set(PROFILES["platform"].by_name)


def test_rulings_are_told() -> None:
    for profile in PROFILES.values():
        lines = "\n".join(profile.rulings())
        assert f"minimum: {profile.minimum}" in lines
        assert "knitted_body_wait" in lines
    assert "did you mean 清龙" in PROFILES["guobiao"].unknown_fan("清龍清龙")
    assert "Pure Straight" in PROFILES["guobiao"].unknown_fan("pure")
    assert "did you mean" not in PROFILES["guobiao"].unknown_fan("")
