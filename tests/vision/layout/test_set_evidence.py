"""Evidence for sets: the sum over everything three or four tiles could be."""

from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.layout import set_evidence
from vision.layout.set_evidence import chow_evidence, pung_or_kong_evidence
from vision.layout.weights import LAYOUT
from vision.tiles import CLASS_INDEX, CLASSES

meld_evidence = partial(set_evidence.meld_evidence, least=LAYOUT.weights.least_evidence)


def rows(*faces: str) -> NDArray[np.float64]:
    return np.eye(len(CLASSES))[[CLASS_INDEX[face] for face in faces]]


def test_sure_sets_have_no_log_odds_against_them() -> None:
    for faces in (("3p", "3p", "3p"), ("7z",) * 4, ("1m", "2m", "3m"), ("3m", "1m", "2m"), ("back",) * 4):
        assert meld_evidence(rows(*faces)) == pytest.approx(0, abs=0.01), faces


def test_what_is_no_set() -> None:
    for faces in (("8m", "9m", "1p"), ("1z", "2z", "3z"), ("1m", "1m", "2m"), ("back",) * 3, ("1f",) * 3):
        assert meld_evidence(rows(*faces)) < -6, faces


@pytest.mark.parametrize("count", [1, 2, 5])
def test_other_numbers_of_tiles_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"three or four tiles, not {count}"):
        meld_evidence(rows(*["1m"] * count))


def test_backs_stand_for_any_face_of_a_kong_but_not_of_a_pung() -> None:
    assert meld_evidence(rows("back", "6s", "6s", "back")) == pytest.approx(0, abs=0.01)
    assert meld_evidence(rows("back", "6s", "7s", "back")) < -6
    assert pung_or_kong_evidence(rows("back", "6s", "6s", "back")).argmax() == CLASS_INDEX["6s"]


def test_doubtful_tiles_weigh_what_they_are_worth() -> None:
    doubtful = rows("5p", "5p", "6p")
    doubtful[2] *= 0.7
    doubtful[2, CLASS_INDEX["5p"]] = 0.3
    assert meld_evidence(doubtful) == pytest.approx(np.log(0.3), abs=0.01)
    assert chow_evidence(rows("5p", "7p", "6p")).sum() == pytest.approx(1)


def test_groups_are_looked_at_all_at_once() -> None:
    groups = np.stack([rows("1m", "1m", "1m"), rows("1m", "1m", "2m"), rows("1m", "2m", "3m")])
    assert np.exp(meld_evidence(groups)) == pytest.approx([1, 0, 1], abs=1e-4)
    assert meld_evidence(groups[:0]).shape == (0,)
