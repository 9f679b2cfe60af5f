"""Rendered pictures without a tile."""

import numpy as np
import pytest

from models.rendering.untiled import KINDS, render_untiled


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_picture(kind: str) -> None:
    one, two, other = (render_untiled(seed, size=(400, 300), kind=kind) for seed in (5, 5, 6))
    assert one.shape == (300, 400, 3)
    assert one.dtype == np.uint8
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)
    assert one.std() > 2  # something is in it


def test_a_seed_decides_what_is_shown() -> None:
    pictures = [render_untiled(seed, size=(200, 150)) for seed in range(8)]
    assert len({picture.tobytes() for picture in pictures}) == 8


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ValueError, match="no pictures of the kind unicorns: choose from keyboard"):
        render_untiled(1, kind="unicorns")
