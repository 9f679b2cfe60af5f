"""Profile files: what they change, and the line of every error."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from scorer import (
    PROFILES,
    HandError,
    parse_hand,
    parse_profile,
    profile_named,
    score,
    waits,
)
from scorer.fans import BY_NAME
from tests.scorer.test_profile_patterns import OWN_FAN


class TestProfileFiles:
    def test_a_whole_profile(self) -> None:
        rules = parse_profile(
            'name = "club"\nstart = "wmo2006"\ntitle = "Club"\nminimum = 6\nbase = 4\n'
            'off = ["花牌", "无番和"]\n[points]\n"清龙" = 20\n[rulings]\nknitted_body_wait = true\n'
        )
        result = score(*parse_hand("[123m]456m789m66p45s6s|EE0000|3"), rules)
        assert (result.profile, result.total, result.flowers) == ("club", 23, 0)
        assert result.counts == {"清龙": 1, "平和": 1, "喜相逢": 1}
        assert (rules.minimum, rules.base, rules.knitted_body_wait) == (6, 4, True)
        assert rules.by_name["双暗杠"].points == 8

    def test_a_hand_with_no_fan_at_all(self) -> None:
        rules = parse_profile('off = ["无番和"]')
        result = score(*parse_hand("34567p678sEE[234m]5p"), rules)
        assert (result.total, result.counts, result.legal) == (0, {}, False)

    def test_a_cheap_fan_still_drops_what_it_implies(self) -> None:
        rules = parse_profile('[points]\n"双箭刻" = 1')
        found = score(*parse_hand(BY_NAME["双箭刻"].example), rules).counts
        assert found["双箭刻"] == 1
        assert "箭刻" not in found
        without = parse_profile('off = ["双箭刻"]')
        assert score(*parse_hand(BY_NAME["双箭刻"].example), without).counts["箭刻"] == 2

    def test_a_cheap_combination_gives_way(self) -> None:
        rules = parse_profile('[points]\n"一色四步高" = 1')
        found = score(*parse_hand(BY_NAME["一色四步高"].example), rules).counts
        assert found["一色三步高"] == 1
        assert "一色四步高" not in found

    @pytest.mark.parametrize(
        ("text", "line", "word"),
        [
            ("name = ", 1, "line 1"),
            ('name = "a"\n\ncolour = 1', 3, "colour"),
            ('name = "guobiao"', 1, "built-in"),
            ('# x\nstart = "riichi"', 2, "riichi"),
            ("start = 3", 1, "quotes"),
            ('off = "花牌"', 1, "list"),
            ('name = "a"\noff = ["花牌",\n "没有"]', 3, "没有"),
            ('[points]\n"清龙" = "many"', 2, "whole number"),
            ('[points]\n"清龙" = -1', 2, "whole number"),
            ('[points]\n"青龙" = 1', 2, "青龙"),
            ("points = 3", 1, "table"),
            ("[rulings]\nwind = true", 2, "wind"),
            ("[rulings]\nexhausted_wait = 1", 2, "true or false"),
            ("minimum = true", 1, "whole number"),
            ("minimum = 10_000", 1, "from 0 to 9999"),
            ("base = 1\nminimum = 0x" + "f" * 5000, 2, "from 0 to 9999"),
            ("base = 1\nminimum = " + "9" * 5000, 2, "the number is too long"),
            ("off = [1]", 1, "write fan names in quotes, not 1"),
        ],
    )
    def test_errors_name_the_line(self, text: str, line: int, word: str) -> None:
        with pytest.raises(HandError) as caught:
            parse_profile(text, "club.toml")
        assert caught.value.code == "bad_profile"
        assert f"line {line}" in caught.value.message
        assert word in caught.value.message
        assert "club.toml" in caught.value.message

    @pytest.mark.parametrize(
        "text",
        [
            "off = " + "[" * 15_000,
            "off = " + "{a=" * 6_000,
            "minimum" + ".a" * 5_000 + " = 1",
            "off = [{" + "a." * 5_000 + "a = 1}]",
            "[points]\n'清龙'" + ".a" * 5_000 + " = 1",
            "#" * 20_001,
        ],
        ids=["lists", "tables", "keys", "keys in a list", "keys of a fan", "length"],
    )
    def test_size_and_depth_are_refused(self, text: str) -> None:
        with pytest.raises(HandError) as caught:
            parse_profile(text, "club.toml")
        assert caught.value.code == "bad_profile"
        assert caught.value.message.startswith("club.toml")
        assert len(caught.value.message) < 200

    def test_a_pipe_is_no_profile(self, tmp_path: Path) -> None:
        path = tmp_path / "club.toml"
        os.mkfifo(path)
        with pytest.raises(HandError, match="is not a file") as caught:
            profile_named(str(path))
        assert caught.value.code == "unknown_profile"

    def test_files(self, tmp_path: Path) -> None:
        path = tmp_path / "club.toml"
        path.write_text('minimum = 6\n[points]\n"清龙" = 20\n', encoding="utf-8")
        rules = profile_named(str(path))
        assert rules.by_name["清龙"].points == 20
        assert profile_named(path) is rules
        assert profile_named("guobiao") is PROFILES["guobiao"]
        for wrong in ("riichi", str(tmp_path / "none.toml"), str(tmp_path)):
            with pytest.raises(HandError) as caught:
                profile_named(wrong)
            assert caught.value.code == "unknown_profile"
        path.write_bytes(b"\xff\xfe")
        with pytest.raises(HandError, match="UTF-8"):
            profile_named(str(path))

    def test_a_path_goes_wherever_a_name_goes(self, tmp_path: Path) -> None:
        path = tmp_path / "club.toml"
        hand, how = parse_hand("[123m]456m678p78sEE9s|EE1000")
        concealed = (*hand.concealed,)
        for minimum, legal in ((1, True), (3, False)):
            path.write_text(f"minimum = {minimum}\n", encoding="utf-8")
            result = score(hand, how, str(path))
            assert (result.minimum, result.legal) == (minimum, legal)
            (wait,) = [w for w in waits(concealed, hand.melds, how, profile=str(path)) if w.tile == "9s"]
            assert wait.self_drawn is not None
            assert wait.self_drawn.legal == legal

    def test_a_name_from_the_network_opens_no_file(self, tmp_path: Path) -> None:
        path = tmp_path / "club.toml"
        path.write_text("minimum = 6\n", encoding="utf-8")
        assert profile_named("wmo2006", files=False) is PROFILES["wmo2006"]
        with pytest.raises(HandError) as caught:
            profile_named(str(path), files=False)
        assert caught.value.code == "unknown_profile"


def test_every_change_changes_the_key() -> None:
    texts = [
        "",
        'name = "club"',
        'title = "Our club"',
        'start = "wmo2006"',
        "minimum = 6",
        "base = 6",
        'off = ["花牌"]',
        'off = ["无番和"]',
        '[points]\n"清龙" = 20',
        '[points]\n"花龙" = 20',
        "[rulings]\nknitted_body_wait = false",
        "[rulings]\nexhausted_wait = false",
        "[rulings]\npairs_are_sets = false",
        "[rulings]\nunavoidable_hog = false",
        'on = ["天胡"]',
        '[exclusions.add]\n"组合龙" = ["五门齐"]',
        '[exclusions.remove]\n"七对" = ["不求人"]',
        OWN_FAN,
        OWN_FAN.replace("steps = 2", "steps = [1, 2]"),
        OWN_FAN.replace("pungs", "chows"),
    ]
    keys = [profile.key for profile in (*PROFILES.values(), *map(parse_profile, texts))]
    assert len(set(keys)) == len(keys)
    assert parse_profile("minimum = 6 # comment").key == parse_profile("minimum=6").key
    assert replace(PROFILES["guobiao"]).key == PROFILES["guobiao"].key
    assert all(len(key) == 64 for key in keys)
