import cv2
import numpy as np
import pytest

from vision.shrink import shrink


@pytest.mark.parametrize("size", [(640, 480), (501, 377), (252, 188), (1008, 756)])
def test_shrinking_averages_as_one_step_would(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    small = rng.integers(0, 256, (38, 51, 3), np.uint8)
    photo = np.asarray(cv2.resize(small, (2017, 1513), interpolation=cv2.INTER_CUBIC), np.uint8)
    ours = shrink(photo, *size)
    theirs = cv2.resize(photo, size, interpolation=cv2.INTER_AREA)
    assert ours.shape == theirs.shape
    # the colours change by six from one pixel of the photo to the next
    assert np.abs(ours.astype(int) - theirs.astype(int)).mean() < 2.5


def test_a_picture_of_the_size_asked_for_stays_as_it_is() -> None:
    photo = np.random.default_rng(6).integers(0, 256, (40, 60, 3), np.uint8)
    assert np.array_equal(shrink(photo, 60, 40), photo)


def test_thin_pictures_keep_at_least_a_pixel() -> None:
    assert shrink(np.full((1, 900, 3), 7, np.uint8), 100, 1).shape == (1, 100, 3)
