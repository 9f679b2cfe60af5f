"""The catalogue of fans as the page and the API list it."""

from functools import cache
from typing import Any

from scorer import CATALOGUE, PROFILES, Profile, parse_hand
from scorer.fans.examples import EXAMPLES

_BY_NUMBER = {fan.number: fan.name for fan in CATALOGUE}

# Hands for the fans that only the list of the platform has; an opening win is said beside the notation.
PLATFORM_EXAMPLES: dict[str, tuple[str, str | None]] = {
    "天胡": ("123456m234p45s55p6s|EE1000", "heavenly"),
    "地胡": ("123456m234p45s55p6s|ES0000", "earthly"),
    "人胡": ("123456m234p45s55p6s|EW0000", "human"),
    "四方大发财": ("EEESSSFFFPPPCC|ES1000", None),
    "混四节": ("22mEE[333p][444m][555p]2m", None),
    "混三节": ("222m333p444m789sEE", None),
    "混四步": ("23mEE[345p][456m][567p]4m", None),
    "混三步": ("234m345p456m789sEE", None),
    "二五八将": ("123m456m789p345s55p", None),
    "幺九头": ("123m456m789p345s99p", None),
    "季花": ("123m456m789p345s99p|EE0000|ae", None),
}


@cache
def english_names() -> dict[str, str]:
    """The English name of every fan of every built-in rules, by its Chinese one."""
    return {fan.name: fan.english for profile in PROFILES.values() for fan in profile.fans}


def _example(name: str, number: int) -> dict[str, Any]:
    if number in _BY_NUMBER:
        notation, opening = EXAMPLES[_BY_NUMBER[number]][0], None
    else:
        notation, opening = PLATFORM_EXAMPLES[name]
    hand, _ = parse_hand(notation)
    melds = [list(meld.tiles) for meld in hand.melds]
    return {
        "notation": notation,
        "opening": opening,
        "melds": melds,
        "concealed": list(hand.concealed),
        "winning": hand.winning_tile,
    }


def catalogue(profile: Profile) -> list[dict[str, Any]]:
    """Every fan of the rules, highest first.

    Each has `name`, `english`, `points`, `family`, `rule`, `rule_english`, `not_counted` (names of the fans
    not counted beside it), `repeats`, and `example`: a hand that counts it, as `notation` (with the `opening`
    win, if it is one) and as tiles.
    """
    fans = [
        {
            "name": fan.name,
            "english": fan.english,
            "points": fan.points,
            "family": fan.family.value,
            "rule": fan.rule,
            "rule_english": fan.rule_english,
            "not_counted": list(fan.drops),
            "repeats": fan.repeats,
            "example": _example(fan.name, fan.number),
        }
        for fan in profile.fans
    ]
    return sorted(fans, key=lambda fan: -int(str(fan["points"])))
