"""The bundled photos, from file to score, through the networks that ship."""

from pathlib import Path

import pytest

from scorer import hand_from_json
from tests.vision.samples import NAMES, truth_of
from vision import Recognition
from vision.evaluation.labels import LabelledPhoto, LabelledTile
from vision.evaluation.measure import compare


def test_there_are_samples() -> None:
    assert len(NAMES) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_the_hand_of_a_sample_is_read(seen: dict[str, Recognition], name: str) -> None:
    hand, _ = hand_from_json(truth_of(name)["hand"])
    found = seen[name].hand
    assert found is not None, [problem.message for problem in seen[name].problems]
    assert (found.concealed, found.winning_tile) == (hand.concealed, hand.winning_tile)
    assert sorted(found.melds, key=str) == sorted(hand.melds, key=str)
    assert found.flowers == hand.flowers
    assert seen[name].score is not None


@pytest.mark.parametrize("name", NAMES)
def test_each_tile_of_the_hand_has_its_place_and_role(seen: dict[str, Recognition], name: str) -> None:
    tiles = [tile for tile in truth_of(name)["tiles"] if tile["role"] != "stray"]
    label = LabelledPhoto(Path(name), tuple(LabelledTile(tile["face"], tuple(tile["box"])) for tile in tiles))
    result = compare(label, seen[name])
    assert None not in result.matches
    found = [seen[name].tiles[index] for index in result.matches if index is not None]
    assert [tile.role.value for tile in found] == [tile["role"] for tile in tiles]
    assert [tile.sideways for tile in found] == [tile["sideways"] for tile in tiles]
    assert result.exact
