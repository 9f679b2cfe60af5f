"""Every fan: a hand that counts it, and a near miss that wins without it."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from scorer import CATALOGUE, PROFILES, Family, Fan, Opening, Profile, parse_hand, score
from scorer.fans import BY_NAME, PLATFORM_FANS, printed_place
from tests.scorer.naive import DROPS, VALUE

FANS = pytest.mark.parametrize("fan", CATALOGUE, ids=lambda fan: fan.name)


def test_the_catalogue_is_the_printed_table() -> None:
    assert sorted(fan.number for fan in CATALOGUE) == list(range(1, 83))
    assert {fan.name: fan.points for fan in CATALOGUE} == VALUE
    assert {fan.name: set(fan.drops) for fan in CATALOGUE if fan.drops} == DROPS
    assert {fan.family for fan in CATALOGUE} == set(Family)


def test_every_fan_has_a_hand_and_a_near_miss() -> None:
    assert all(fan.example and fan.near_miss for fan in CATALOGUE)
    assert all(fan.example != fan.near_miss for fan in CATALOGUE)


@FANS
def test_the_hand_counts_it(fan: Fan) -> None:
    result = score(*parse_hand(fan.example))
    award = next(award for award in result.fans if award.fan.name == fan.name)
    assert award.points == award.count * fan.points


@FANS
def test_the_near_miss_wins_without_it(fan: Fan) -> None:
    result = score(*parse_hand(fan.near_miss))
    assert fan.name not in result.counts
    assert result.total > 0


def test_no_number_is_given_twice() -> None:
    numbers = sorted(fan.number for fan in (*CATALOGUE, *PLATFORM_FANS))
    assert len(set(numbers)) == len(numbers)
    assert min(fan.number for fan in PLATFORM_FANS) == 101


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_every_profile_excludes_only_fans_that_it_has(profile: Profile) -> None:
    for fan in profile.fans:
        unknown = set(fan.drops) - set(profile.by_name) - {"明暗杠"}  # which text1998 leaves out
        assert not unknown, f"{fan.name} excludes {unknown}, which {profile.name} does not have"
        assert fan.rule
        assert fan.rule_english.endswith(".")


def test_the_platform_plays_by_the_rules_of_the_default_profile() -> None:
    platform, default = PROFILES["platform"], PROFILES["guobiao"]
    changed = {
        each.name for each in fields(Profile) if getattr(platform, each.name) != getattr(default, each.name)
    }
    assert changed == {"name", "title", "title_english", "fans"}


@pytest.mark.parametrize("fan", PLATFORM_FANS, ids=lambda fan: fan.name)
def test_the_near_miss_wins_without_it_on_the_platform(fan: Fan) -> None:
    assert bool(fan.near_miss) != bool(fan.opening)  # no hand shows an opening win
    result = score(*parse_hand(fan.near_miss or fan.example), "platform")
    assert fan.name not in result.counts
    assert result.total > 0


@pytest.mark.parametrize("fan", PROFILES["platform"].fans, ids=lambda fan: fan.name)
def test_the_example_counts_it_on_the_platform(fan: Fan) -> None:
    hand, how = parse_hand(fan.example)
    opening = Opening(fan.opening) if fan.opening else None
    assert fan.name in score(hand, replace(how, opening=opening), "platform").counts


@FANS
def test_exclusions_name_known_fans(fan: Fan) -> None:
    assert set(fan.drops) <= set(BY_NAME)
    assert fan.name not in fan.drops
    assert fan.rule
    assert fan.rule_english.endswith(".")


def test_what_drops_a_fan_comes_before_it() -> None:
    for fan in CATALOGUE:
        for name in fan.drops:
            mutual = fan.name in BY_NAME[name].drops
            assert mutual or printed_place(fan) < printed_place(BY_NAME[name])


def test_only_the_named_fans_repeat() -> None:
    repeating = {fan.name for fan in CATALOGUE if fan.repeats}
    assert repeating == {
        "箭刻", "四归一", "双同刻", "一般高", "喜相逢", "连六", "老少副", "幺九刻", "花牌",
    }  # fmt: skip


def test_platform_fans_stay_out_of_the_table() -> None:
    assert {fan.name for fan in PLATFORM_FANS} == {
        "天胡", "地胡", "人胡", "四方大发财", "混四节", "混三节", "混四步", "混三步",
        "二五八将", "幺九头", "季花",
    }  # fmt: skip
    assert not {fan.name for fan in PLATFORM_FANS} & set(BY_NAME)
