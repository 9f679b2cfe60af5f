"""The catalogue of fans as the page and the API list it."""

from typing import Any

from scorer import parse_hand
from scorer.fans import CATALOGUE
from scorer.fans.examples import EXAMPLES


def _example(notation: str) -> dict[str, Any]:
    hand, _ = parse_hand(notation)
    melds = [list(meld.tiles) for meld in hand.melds]
    return {
        "notation": notation,
        "melds": melds,
        "concealed": list(hand.concealed),
        "winning": hand.winning_tile,
    }


def catalogue() -> list[dict[str, Any]]:
    """Every fan of the default rules, highest first.

    Each has `name`, `english`, `points`, `family`, `rule`, `rule_english`, `not_counted` (names of the fans
    not counted beside it), `repeats`, and `example`: a hand that counts it, as `notation` and as tiles.
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
            "example": _example(EXAMPLES[fan.name][0]),
        }
        for fan in CATALOGUE
    ]
