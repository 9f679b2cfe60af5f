"""Evidence travels with the phone as text, and comes back as it was; other text is refused."""

import base64
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.conftest import Table
from vision.tracking.errors import FrameError
from vision.tracking.evidence import Evidence, follow
from vision.tracking.travel import from_text, to_text

FIELDS = ("numbers", "quads", "seen", "missed", "scores", "turns")


def evidence(frames: int = 3) -> Evidence:
    table = Table()
    table.row("1m 2m 3m 5p 5p 6p 7p 8p 2s 2s 2s 5z 5z 6p", 0, 0)
    found = Evidence.none()
    for number in range(1, frames + 1):
        found = follow(found, table.tiles(turn=number, jitter=0.4, seed=number), (1152, 864), number)
    return found


def test_it_comes_back_as_it_was() -> None:
    sent = evidence()
    back = from_text(to_text(sent))
    assert (back.frame, back.size, back.next_number) == (sent.frame, sent.size, sent.next_number)
    for name in FIELDS:
        assert (getattr(back, name) == getattr(sent, name)).all()
    assert np.allclose(back.logs, sent.logs, rtol=2e-3)
    assert back.tiles().faces == sent.tiles().faces


def test_the_next_frame_does_not_mind_the_journey() -> None:
    table = Table()
    table.row("1m 2m 3m 5p 5p 6p 7p 8p 2s 2s 2s 5z 5z 6p", 0, 0)
    near, far = (
        follow(one, table.tiles(turn=5), (1152, 864), 4)
        for one in (evidence(), from_text(to_text(evidence())))
    )
    assert near.numbers.tolist() == far.numbers.tolist()
    assert np.allclose(near.tiles().probabilities, far.tiles().probabilities, atol=1e-3)


def test_it_is_short() -> None:
    assert len(to_text(evidence())) < 6000


def test_nothing_is_no_frame() -> None:
    assert len(from_text("")) == 0
    assert len(from_text(to_text(Evidence.none()))) == 0


@given(st.text(max_size=200))
def test_other_text_is_refused(text: str) -> None:
    if text:
        with pytest.raises(FrameError, match="send this frame without it"):
            from_text(text)


@given(st.binary(max_size=600))
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(FrameError):
        from_text(base64.urlsafe_b64encode(zlib.compress(data)).decode())


def test_a_bomb_is_not_unpacked() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(bytes(10**8), 9)).decode()
    with pytest.raises(FrameError):
        from_text(bomb)


def test_cut_short_or_of_another_version_it_is_refused() -> None:
    text = to_text(evidence())
    data = bytearray(zlib.decompress(base64.urlsafe_b64decode(text)))
    for spoilt in (data[:-1], data[:10], b"\x02" + data[1:]):
        with pytest.raises(FrameError):
            from_text(base64.urlsafe_b64encode(zlib.compress(spoilt)).decode())
    with pytest.raises(FrameError):
        from_text(text[: len(text) // 2])


def test_impossible_numbers_are_refused() -> None:
    good = evidence()
    spoilt: dict[str, Any] = {
        "quads": np.flip(good.quads, axis=1),
        "logs": good.logs + 50,
        "seen": np.zeros_like(good.seen),
        "missed": good.missed - 1,
        "scores": good.scores + 1,
        "turns": np.full_like(good.turns, np.nan),
        "numbers": np.ones_like(good.numbers),
    }
    for name, values in spoilt.items():
        with pytest.raises(FrameError):
            from_text(to_text(replace(good, **{name: values})))
