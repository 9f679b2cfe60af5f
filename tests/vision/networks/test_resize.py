import cv2
import numpy as np
import pytest

from vision.networks.resize import shrink


@pytest.mark.parametrize("size", [(640, 480), (501, 377), (252, 188), (1008, 756)])
def test_shrinking_averages_as_one_step_would(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    small = rng.integers(0, 256, (38, 51, 3), np.uint8)
    photo = np.asarray(cv2.resize(small, (2017, 1513), interpolation=cv2.INTER_CUBIC), np.uint8)
    ours, shown = shrink(photo, *size)
    theirs = cv2.resize(photo[: shown[1], : shown[0]], size, interpolation=cv2.INTER_AREA)
    assert ours.shape == theirs.shape
    # the colours change by six from one pixel of the photo to the next
    assert np.abs(ours.astype(int) - theirs.astype(int)).mean() < 2.5


def test_a_picture_of_the_size_asked_for_stays_as_it_is() -> None:
    photo = np.random.default_rng(6).integers(0, 256, (40, 60, 3), np.uint8)
    assert np.array_equal(shrink(photo, 60, 40)[0], photo)


def test_thin_pictures_keep_at_least_a_pixel() -> None:
    assert shrink(np.full((1, 900, 3), 7, np.uint8), 100, 1)[0].shape == (1, 100, 3)


def test_what_is_shown_tells_where_a_line_lies() -> None:
    photo = np.zeros((64, 7999, 3), np.uint8)
    photo[:, 7701:7704] = 255
    ours, shown = shrink(photo, 448, 4)
    assert shown == (7984, 64)
    line = np.average(np.arange(448) + 0.5, weights=ours[0, :, 0])
    assert line * shown[0] / 448 == pytest.approx(7702.5, abs=2)
