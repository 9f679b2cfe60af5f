"""What must never change a score, and what must change it by a known amount."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import (
    PROFILES,
    Circumstances,
    Hand,
    HandError,
    Meld,
    MeldKind,
    NotWinning,
    explain,
    hand_from_json,
    hand_to_json,
    score,
    tiles_away,
)
from scorer.fans import BY_NAME
from scorer.tiles import SUIT_AND_HONOUR_FACES
from tests.scorer.strategies import wins

Won = tuple[Hand, Circumstances]
NAMES_A_SUIT = {"绿一色", "推不倒", "缺一门"}
"""Fans that look at particular suits, and the one that 推不倒 swallows."""


def relabel(won: Won, rename: dict[str, str]) -> Won:
    """The same hand with its suits renamed."""
    hand, how = won

    def face(tile: str) -> str:
        return tile[0] + rename.get(tile[1], tile[1])

    melds = tuple(Meld(meld.kind, tuple(map(face, meld.tiles))) for meld in hand.melds)
    return Hand(tuple(map(face, hand.concealed)), melds, face(hand.winning_tile), hand.flowers), how


@given(wins(), st.randoms(use_true_random=False))
def test_order_of_tiles_and_melds_never_matters(won: Won, rng: object) -> None:
    hand, how = won
    tiles, melds = list(hand.concealed), list(hand.melds)
    rng.shuffle(tiles)  # type: ignore[attr-defined]
    rng.shuffle(melds)  # type: ignore[attr-defined]
    shuffled = Hand(tuple(tiles), tuple(melds), hand.winning_tile, hand.flowers)
    assert score(shuffled, how).counts == score(hand, how).counts


@given(wins(), st.permutations("mps"))
def test_swapping_suits_changes_only_fans_that_name_a_suit(won: Won, order: list[str]) -> None:
    before = score(*won)
    after = score(*relabel(won, dict(zip("mps", order, strict=True))))
    if not (NAMES_A_SUIT & (set(before.counts) | set(after.counts))):
        assert after.total == before.total
    mirrored = score(*relabel(won, {}))
    assert mirrored.counts == before.counts


@given(wins(), st.integers(0, 8))
def test_flowers_add_a_point_each_and_nothing_else(won: Won, flowers: int) -> None:
    hand, how = won
    bare = score(replace_flowers(hand, 0), how)
    laid = score(replace_flowers(hand, flowers), how)
    assert laid.qualifying == bare.qualifying
    assert laid.total == bare.total + flowers
    assert laid.legal == bare.legal
    named = score(replace_flowers(hand, tuple(f"{n}f" for n in range(1, flowers + 1))), how)
    assert named.counts == laid.counts


def replace_flowers(hand: Hand, flowers: int | tuple[str, ...]) -> Hand:
    return Hand(hand.concealed, hand.melds, hand.winning_tile, flowers)


@given(wins())
def test_the_total_is_the_sum_of_its_fans(won: Won) -> None:
    result = score(*won)
    assert result.total == sum(award.points for award in result.fans)
    assert result.total == result.qualifying + result.flowers
    names = set(result.counts)
    for award in result.fans:
        assert award.count == 1 or award.fan.repeats
        assert award.points == award.count * award.fan.points
        assert not names & set(award.fan.drops)
    if "无番和" in names:
        assert names <= {"无番和", "花牌"}


@given(wins())
def test_fans_are_made_of_tiles_of_the_hand(won: Won) -> None:
    hand, how = won
    result = score(hand, how)
    for award in result.fans:
        for tiles in award.tiles:
            assert tiles
            for tile in tiles:
                assert tile in hand.tiles or (isinstance(hand.flowers, tuple) and tile in hand.flowers)
        if award.fan.repeats and award.fan.name != "花牌":
            assert len(award.tiles) == award.count


@given(wins())
def test_the_reading_holds_exactly_the_tiles(won: Won) -> None:
    hand, how = won
    reading = score(hand, how).reading
    assert sorted(tile for group in reading.groups for tile in group.tiles) == sorted(hand.tiles)
    assert hand.winning_tile in reading.groups[reading.winning_group].tiles


@given(wins())
def test_concealing_a_melded_set_never_loses_a_winning_hand(won: Won) -> None:
    hand, how = won
    for place, meld in enumerate(hand.melds):
        if meld.kind in (MeldKind.CHOW, MeldKind.PUNG) and not how.fourth_tile:
            rest = hand.melds[:place] + hand.melds[place + 1 :]
            closed = Hand((*hand.concealed, *meld.tiles), rest, hand.winning_tile, hand.flowers)
            assert score(closed, how).total >= 1


@given(wins())
def test_a_winning_hand_is_no_tile_away(won: Won) -> None:
    assert tiles_away(won[0]) == 0


@given(wins(), st.integers(0, 12), st.sampled_from(SUIT_AND_HONOUR_FACES))
def test_one_exchanged_tile_is_at_most_one_away(won: Won, place: int, face: str) -> None:
    hand, how = won
    tiles = list(hand.concealed)
    tiles[place % len(tiles)] = face
    try:
        other = Hand(tuple(tiles), hand.melds, hand.winning_tile)
    except HandError:
        return
    away = tiles_away(other)
    assert away <= 1
    plain = replace(how, kong=False, fourth_tile=False)
    if away == 0:
        assert score(other, plain).total > 0
    else:
        with pytest.raises(NotWinning, match="one tile away"):
            score(other, plain)


@given(wins())
def test_json_round_trip(won: Won) -> None:
    assert hand_from_json(hand_to_json(*won)) == won


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["1m", "9z", "E"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["kind", "tiles", "x"]), inner)
    ),
    max_leaves=6,
)
FIELDS = (
    *hand_to_json(Hand(("1m",), tuple(Meld.pung(f"{n}z") for n in range(1, 5)), "1m"), Circumstances()),
    "opening",
)


@given(wins(), st.dictionaries(st.sampled_from(FIELDS), ANYTHING, min_size=1, max_size=2))
def test_any_json_is_a_hand_or_a_named_refusal(won: Won, changes: dict[str, object]) -> None:
    obj = {**hand_to_json(*won), **changes}
    try:
        again = hand_from_json(obj)
    except HandError:
        return
    assert hand_from_json(hand_to_json(*again)) == again


@given(wins(), st.sampled_from(sorted(PROFILES)))
def test_every_profile_scores_every_hand(won: Won, profile: str) -> None:
    result = score(*won, profile)
    assert result.profile == profile
    assert result.total == sum(award.points for award in result.fans)
    assert result.total >= 1


@settings(max_examples=60)
@given(wins(), st.sampled_from(sorted(PROFILES)))
def test_the_explanation_accounts_for_everything(won: Won, profile: str) -> None:
    result = score(*won, profile)
    told = explain(result)
    assert told.counted == result.fans
    assert all(other.total <= result.total for other in told.runners_up)
    counted = set(result.counts)
    for each in told.dropped:
        assert each.by or each.principle.name == "HIGHEST"
        assert set(each.by) <= counted
    for language in ("en", "zh"):
        text = told.text(language)
        assert all(name in text for name in counted)


def test_the_suit_names_are_really_named() -> None:
    assert set(BY_NAME) >= NAMES_A_SUIT
