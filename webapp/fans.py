"""The catalogue of fans as the page and the API list it."""

from functools import cache
from typing import Any

from scorer import PROFILES, Fan, Profile, parse_hand


@cache
def english_names() -> dict[str, str]:
    """The English name of every fan of the built-in rules, by its Chinese name."""
    return {fan.name: fan.english for profile in PROFILES.values() for fan in profile.fans}


def _example(fan: Fan) -> dict[str, Any]:
    hand, _ = parse_hand(fan.example)
    return {
        "notation": fan.example,
        "opening": fan.opening,
        "melds": [list(meld.tiles) for meld in hand.melds],
        "concealed": list(hand.concealed),
        "winning": hand.winning_tile,
    }


def catalogue(profile: Profile) -> list[dict[str, Any]]:
    """Every fan of the rules, highest first.

    Each has `name`, `english`, `points`, `family`, `rule`, `rule_english`, `not_counted` (names of the fans not
    counted with it), `repeats`, and `example`: a hand that counts it, as `notation` (with its `opening` win, if
    any) and as tiles.
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
            "example": _example(fan),
        }
        for fan in profile.fans
    ]
    return sorted(fans, key=lambda fan: -int(str(fan["points"])))
