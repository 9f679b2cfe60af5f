"""Profile files: exclusions, platform fans switched on, and fans of one's own."""

from __future__ import annotations

import re

import pytest

from scorer import (
    Circumstances,
    HandError,
    Opening,
    explain,
    parse_hand,
    parse_profile,
    score,
)
from scorer.profile_file import SAMPLE
from scorer.scoring import engine_for

OWN_FAN = """[[fans]]
name = "三隔刻"
points = 9
sets = "pungs"
number = 3
suits = 1
steps = 2
excludes = ["缺一门"]
"""


def own_fan(**changes: str) -> str:
    """The file with some lines of the fan changed; an empty value takes the line away."""
    text = OWN_FAN
    for key, value in changes.items():
        text = re.sub(rf"{key} = .*\n", f"{key} = {value}\n" if value else "", text)
    return text


class TestOwnFans:
    def test_a_pattern_over_pungs(self) -> None:
        rules = parse_profile(OWN_FAN)
        result = score(*parse_hand("[222m][444m]666m567p9p9p"), rules)
        assert result.counts == {"三隔刻": 1, "无字": 1, "单钓将": 1}
        (award,) = (each for each in result.fans if each.fan.name == "三隔刻")
        assert award.tiles == (("2m",) * 3 + ("4m",) * 3 + ("6m",) * 3,)
        assert "三隔刻" not in score(*parse_hand("[222m][444p]666m567p9p9p"), rules).counts
        assert "三隔刻" not in score(*parse_hand("[222m][333m]666m567p9p9p"), rules).counts

    def test_choices_of_suits_and_steps(self) -> None:
        rules = parse_profile(own_fan(sets='"chows"', suits="[2, 3]", steps="[0, 4]", number="2"))
        fan = rules.by_name["三隔刻"]
        assert fan.repeats
        assert fan.rule_english == "Two chows in two or three suits, each 0 or 4 above the one before."
        assert score(*parse_hand("[123m]567p678s999sE+E"), rules).counts["三隔刻"] == 1
        assert "三隔刻" not in score(*parse_hand("[123m]567m678s999sE+E"), rules).counts

    def test_an_own_fan_obeys_the_principles(self) -> None:
        rules = parse_profile(own_fan(number="2", points="1", excludes=""))
        result = score(*parse_hand("[222m][444m]666m567p9p9p"), rules)
        # 222 with 444, then 666 with 444; not 222 with 666, which are joined by then.
        assert result.counts["三隔刻"] == 2
        assert "三隔刻" in str(explain(result).text())

    @pytest.mark.parametrize("profile", [OWN_FAN, own_fan(sets='"chows"', steps="4", number="2"), SAMPLE])
    def test_the_example_has_the_pattern(self, profile: str) -> None:
        rules = parse_profile(profile)
        fan = rules.fans[[fan.number > 200 for fan in rules.fans].index(True)]
        engine = engine_for(rules)
        (candidate, *_) = engine.candidates(*parse_hand(fan.example))
        assert candidate.present & engine.tables.bit[fan.name]

    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            (own_fan(name=""), 1, "needs a name"),
            (own_fan(name='"清龙"'), 2, "there is a fan '清龙' already"),
            (own_fan(points='"many"'), 3, "points must be a whole number"),
            (own_fan(sets='"kongs"'), 4, 'sets must be "chows" or "pungs"'),
            (own_fan(number="5"), 5, "number must be 2, 3 or 4, not 5"),
            (own_fan(suits="4"), 6, "suits must be a number from 1 to 3"),
            (own_fan(suits="[]"), 6, "suits must be a number from 1 to 3"),
            (own_fan(steps="[1, 9]"), 7, "steps must be a number from 0 to 8"),
            (own_fan(steps=""), 2, "has no steps"),
            (own_fan(steps="0"), 2, "no hand can have the fan"),
            (own_fan(steps="2\nsuit = 3"), 8, "did you mean suits?"),
            (own_fan(excludes='["和牌"]'), 8, "和牌"),
            (own_fan(excludes='["清龙"]'), 2, "let 清龙 exclude 三隔刻 instead"),
            (
                "minimum = 1\n" + own_fan(english="3\npoints = 3", points="3\nenglish = 3"),
                5,
                "english must be text",
            ),
            ("fans = 3", 1, "[[fans]]"),
            (OWN_FAN + OWN_FAN, 2, "there is a fan '三隔刻' already"),
        ],
    )
    def test_errors_name_the_line(self, text: str, line: int, words: str) -> None:
        with pytest.raises(HandError) as caught:
            parse_profile(text, "club.toml")
        assert words in caught.value.message
        assert caught.value.message.startswith(f"club.toml, line {line}: ")


class TestExclusions:
    def test_add_and_remove(self) -> None:
        text = "1133m5577p2288sEE|EE1000"
        assert "不求人" not in score(*parse_hand(text)).counts
        rules = parse_profile(
            '[exclusions.remove]\n"七对" = ["不求人"]\n[exclusions.add]\n"七对" = ["四归一"]'
        )
        assert "不求人" in score(*parse_hand(text), rules).counts
        hog = "1111m5577p2288sEE|EE1000"
        assert "四归一" in score(*parse_hand(hog)).counts
        assert "四归一" not in score(*parse_hand(hog), rules).counts

    def test_a_fan_of_ones_own_may_be_excluded(self) -> None:
        rules = parse_profile(own_fan(excludes="") + '[exclusions.add]\n"清一色" = ["三隔刻"]')
        text = "[222m][444m]666m567m9m9m"
        assert "三隔刻" not in score(*parse_hand(text), rules).counts

    def test_opening_wins_in_another_profile(self) -> None:
        hand, _ = parse_hand("123m456p678s55s34m5m")
        how = Circumstances(self_drawn=True, opening=Opening.HEAVENLY)
        rules = parse_profile('on = ["天胡"]\n[points]\n"天胡" = 88')
        assert score(hand, how, rules).counts["天胡"] == 1
        assert not {"自摸", "不求人"} & set(score(hand, how, rules).counts)
        assert rules.by_name["天胡"].points == 88
        assert "地胡" not in rules.by_name

    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ('on = ["天和"]', 1, "no fan '天和' to switch on"),
            ('on = ["清龙"]', 1, "counts already"),
            ('start = "platform"\non = ["天胡"]', 2, "counts already"),
            ("on = 3", 1, "list of fan names"),
            ('[exclusions.ad]\n"七对" = []', 1, "did you mean add?"),
            ('[exclusions.add]\n"七隊" = []', 2, "no fan '七隊'"),
            ('[exclusions.add]\n"七对" = "不求人"', 2, "list of fan names"),
            ('[exclusions.add]\n"自摸" = ["七对"]', 2, "let 七对 exclude 自摸 instead"),
            ('[exclusions.add]\n"七对" = ["七对"]', 2, "cannot exclude"),
            ('[points]\n"七对" = 3\n[exclusions.remove]\n"七对" = ["自摸"]', 4, "nothing to remove"),
            ("exclusions = 3", 1, "[exclusions]"),
            ("[exclusions]\nadd = 3", 2, "[exclusions.add]"),
        ],
    )
    def test_errors_name_the_line(self, text: str, line: int, words: str) -> None:
        with pytest.raises(HandError) as caught:
            parse_profile(text, "club.toml")
        assert words in caught.value.message
        assert caught.value.message.startswith(f"club.toml, line {line}: ")
