"""Errors of the family travel between processes: batch workers and Dask pickle them."""

import pickle

import pytest

from scorer import AmbiguousHand, FanlensError, HandError, NotationError, NotWinning
from scorer.errors import ImpossibleHand

AT_FIVE = ImpossibleHand("bad_wind", "no such wind")
AT_FIVE.position = 5


@pytest.mark.parametrize(
    "error",
    [
        FanlensError("code", "what to do"),
        HandError("bad_profile", "line 3"),
        NotationError("no tile", 4),
        AmbiguousHand("two hands", 7),
        NotWinning(2),
        AT_FIVE,
    ],
)
def test_an_error_that_was_pickled_says_the_same(error: FanlensError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 our own
    assert type(again) is type(error)
    assert str(again) == str(error) == again.message
    assert vars(again) == vars(error)
