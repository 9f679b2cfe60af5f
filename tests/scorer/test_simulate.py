"""Random winning hands: the same for the same seed, possible, and distributed as the module says."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer import PROFILES, Opening, score
from scorer.engine.search import ShapeKind
from scorer.scoring import engine_for
from scorer.simulate import PATTERNED, PLAIN, Mix, winning_hands


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("mix", [PLAIN, PATTERNED], ids=["plain", "patterned"])
def test_every_hand_wins_and_the_seed_decides(profile: str, mix: Mix) -> None:
    first = list(winning_hands(300, seed=5, mix=mix, profile=profile))
    assert first == list(winning_hands(300, seed=5, mix=mix, profile=profile))
    assert first != list(winning_hands(300, seed=6, mix=mix, profile=profile))
    assert all(score(*won, profile).total > 0 for won in first)


def shapes(mix: Mix, number: int) -> tuple[Counter[str], float]:
    """How often each shape is drawn, and the share of hands with several readings."""
    engine = engine_for("guobiao")
    found = [engine.candidates(*won) for won in winning_hands(number, seed=7, mix=mix)]
    # A hand of seven pairs may be read as sets too; it was drawn as either.
    kinds = Counter(max(each, key=engine.preference).kind for each in found)
    return Counter({str(kind): count for kind, count in kinds.items()}), sum(
        len(each) > 1 for each in found
    ) / number


def test_shares_of_plain_hands() -> None:
    counts, several = shapes(PLAIN, 4000)
    assert 3800 < counts[ShapeKind.STANDARD] < 3960
    assert 50 < counts[ShapeKind.SEVEN_PAIRS] < 110
    assert sum(counts.values()) - counts[ShapeKind.STANDARD] - counts[ShapeKind.SEVEN_PAIRS] < 90
    assert several < 0.03


def test_shares_of_patterned_hands() -> None:
    counts, several = shapes(PATTERNED, 4000)
    assert 2700 < counts[ShapeKind.STANDARD] < 3300
    assert 60 < counts[ShapeKind.THIRTEEN_ORPHANS] < 260
    assert 100 < counts[ShapeKind.UNRELATED] < 320
    assert 100 < counts[ShapeKind.KNITTED_STRAIGHT] < 360
    assert several > 0.08


def test_circumstances() -> None:
    wins = list(winning_hands(4000, seed=8))
    assert 0.46 < sum(how.self_drawn for _, how in wins) / 4000 < 0.54
    assert {how.seat_wind for _, how in wins} == set("ESWN")
    assert 0.06 < sum(hand.flower_count > 0 for hand, _ in wins) / 4000 < 0.12
    assert all(isinstance(hand.flowers, int) and how.opening is None for hand, how in wins)


def test_platform_rules_have_opening_wins_and_faces_of_flowers() -> None:
    wins = list(winning_hands(3000, seed=9, profile="platform"))
    assert {how.opening for _, how in wins} == {None, *Opening}
    assert all(not hand.melds for hand, how in wins if how.opening)
    assert any(isinstance(hand.flowers, tuple) for hand, _ in wins)
    assert any("季花" in score(*won, "platform").counts for won in wins)
