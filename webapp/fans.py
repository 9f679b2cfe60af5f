"""The catalogue of fans as the page and the API list it."""

from typing import Any

from scorer.fans import CATALOGUE


def catalogue() -> list[dict[str, Any]]:
    """Every fan of the default rules, highest first.

    Each has `name`, `english`, `points`, `family`, `rule`, `rule_english`, `not_counted` (names of the fans
    not counted beside it) and `repeats`.
    """
    return [
        {
            "name": fan.name,
            "english": fan.english,
            "points": fan.points,
            "family": fan.family.value,
            "rule": fan.rule,
            "rule_english": fan.rule_english,
            "not_counted": list(fan.drops),
            "repeats": fan.repeats,
        }
        for fan in CATALOGUE
    ]
