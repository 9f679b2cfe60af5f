"""Frames add up: what one of them shows badly another one tells."""

import numpy as np
import pytest

from tests.vision.conftest import Table
from vision.recognition import interpret
from vision.tiles import CLASS_INDEX, CLASSES, NONE, Tiles
from vision.tracking.evidence import Evidence, follow
from vision.tracking.limits import EVIDENCE

SIZE = (1200, 1200)
FACES = "1m 2m 3m 5p 5p 6p 7p 8p 2s 2s 2s 5z 5z 6p"


def frames(*tables: Tiles) -> Evidence:
    evidence = Evidence.none()
    for number, tiles in enumerate(tables, 1):
        evidence = follow(evidence, tiles, SIZE, number)
    return evidence


def with_rows(tiles: Tiles, **faces: float) -> Tiles:
    """The tiles with the last one read as these faces, by their probabilities."""
    probabilities = tiles.probabilities.copy()
    left = 1 - sum(faces.values())
    probabilities[-1] = left / (len(CLASSES) - len(faces))
    for face, probability in faces.items():
        probabilities[-1, CLASS_INDEX[face.strip("_")]] = probability
    return Tiles(tiles.quads, probabilities, tiles.scores)


@pytest.fixture
def hand(table: Table) -> Tiles:
    table.row(FACES, 0, 0)
    return table.tiles()


def test_one_frame_says_what_its_tiles_say(hand: Tiles) -> None:
    evidence = frames(hand)
    assert evidence.tiles().faces == hand.faces
    assert (evidence.tiles().quads == hand.quads).all()
    assert evidence.numbers.tolist() == list(range(1, 15))


def test_glare_in_one_frame_and_sharp_in_the_next_is_sure(hand: Tiles) -> None:
    glare = with_rows(hand, _7z=0.9, _6p=0.02)
    sharp = with_rows(hand, _6p=0.999)
    for order in ((glare, sharp, sharp), (sharp, glare, sharp), (sharp, sharp, glare)):
        tiles = frames(*order).tiles()
        assert tiles.faces[-1] == "6p"
        assert tiles.confidences[-1] > 0.97


def test_frames_that_share_a_doubt_keep_it(hand: Tiles) -> None:
    doubtful = with_rows(hand, _6p=0.6, _9p=0.39)
    tiles = frames(*[doubtful] * 20).tiles()
    assert tiles.faces[-1] == "6p"
    assert tiles.confidences[-1] < 0.9


def test_many_frames_agree_no_surer_than_a_few(hand: Tiles) -> None:
    doubtful = with_rows(hand, _6p=0.7, _9p=0.29)
    few, many = (frames(*[doubtful] * count).tiles().confidences[-1] for count in (4, 40))
    assert few == pytest.approx(many, abs=0.02)


def test_a_tile_keeps_its_number_through_the_motion(table: Table) -> None:
    table.row(FACES, 0, 0)
    evidence = frames(*(table.tiles(turn=turn, zoom=1 + turn / 50, jitter=0.5) for turn in range(8)))
    assert evidence.numbers.tolist() == list(range(1, 15))
    assert evidence.tiles().faces == table.tiles().faces
    assert (evidence.seen > 5).all()


def test_tiles_come_and_go(hand: Tiles) -> None:
    without = hand.select(np.arange(13))
    evidence = frames(without, without, hand)
    assert len(evidence.counted()) == 14
    # missed once: it is still there
    once = follow(evidence, without, SIZE, 4)
    assert len(once.counted()) == 14
    gone = once
    for number in range(5, 8):
        gone = follow(gone, without, SIZE, number)
    assert len(gone.counted()) == 13
    # it is still followed, and comes back under its number
    back = gone
    for number in range(8, 14):
        back = follow(back, hand, SIZE, number)
    assert back.counted().numbers.tolist() == list(range(1, 15))


def test_a_find_of_one_frame_is_forgotten(hand: Tiles) -> None:
    stray = Tiles(
        np.concatenate([hand.quads, hand.quads[:1] + 200]),
        np.concatenate([hand.probabilities, hand.probabilities[:1]]),
        np.append(hand.scores, 0.4),
    )
    evidence = frames(hand, stray, *[hand] * 30)
    assert len(evidence) == 14


def test_a_tile_that_is_exchanged_becomes_the_new_one(hand: Tiles) -> None:
    old, new = with_rows(hand, _6p=0.999), with_rows(hand, _9s=0.999)
    evidence = frames(*[old] * 10, *[new] * 15)
    assert evidence.tiles().faces[-1] == "9s"
    assert evidence.tiles().confidences[-1] > 0.9


def test_a_frame_out_of_order_changes_nothing(hand: Tiles) -> None:
    evidence = frames(hand, hand, hand)
    assert follow(evidence, hand, SIZE, 3) is evidence
    assert follow(evidence, hand, SIZE, 1) is evidence
    assert follow(evidence, hand, SIZE, 7).frame == 7


def test_a_blurred_frame_loses_nothing(hand: Tiles) -> None:
    evidence = frames(hand, hand, Tiles.empty(), hand.select(np.arange(3)), hand)
    assert evidence.counted().numbers.tolist() == list(range(1, 15))


def test_another_hand_begins_anew(hand: Tiles) -> None:
    other = Table()
    other.row("1z 1z 1z 2z 2z 2z 3z 3z 3z 4z 4z 4z 7z 7z", 0, 0)
    evidence = frames(hand, hand, other.tiles(turn=80))
    assert evidence.tiles().faces == other.tiles().faces
    assert evidence.numbers.tolist() == list(range(15, 29))


def test_a_tile_keeps_its_way_up_if_one_frame_turns_it(hand: Tiles) -> None:
    turned = hand.quads.copy()
    turned[4] = np.roll(turned[4], 2, axis=0)
    upside_down = Tiles(turned, hand.probabilities, hand.scores)
    evidence = frames(hand, upside_down, hand)
    assert np.abs(evidence.tiles().quads - hand.quads).max() < 1e-3
    mostly = frames(hand, upside_down, upside_down, upside_down)
    assert np.abs(mostly.tiles().quads - turned).max() < 1e-3


def test_a_photo_of_another_size_is_a_frame_like_any_other(table: Table) -> None:
    table.row(FACES, 0, 0)
    small, large = table.tiles(zoom=0.6), table.tiles(zoom=2.4)
    evidence = follow(frames(small, small), with_rows(large, _6p=0.5, _9p=0.49), (4800, 3600), 3)
    assert evidence.size == (4800, 3600)
    assert evidence.numbers.tolist() == list(range(1, 15))
    assert evidence.tiles().faces[-1] == "6p"
    assert evidence.tiles().confidences[-1] > 0.97
    assert (evidence.quads == large.quads).all()


def test_its_values_are_frozen(hand: Tiles) -> None:
    evidence = frames(hand, hand)
    for name in ("numbers", "quads", "logs", "seen", "missed", "scores", "turns", "motion"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(evidence, name)[0] = 1


def test_at_most_so_many_tiles_are_followed() -> None:
    rng = np.random.default_rng(1)
    middles = np.stack(np.meshgrid(np.arange(20), np.arange(20)), -1).reshape(-1, 1, 2) * 40.0
    quads = middles + [[0, 0], [30, 0], [30, 36], [0, 36]]
    probabilities = rng.dirichlet(np.ones(len(CLASSES)), len(quads))
    many = Tiles(quads, probabilities, rng.uniform(0, 1, len(quads)))
    evidence = frames(many, many)
    assert len(evidence) == EVIDENCE.most_tiles


def test_the_combined_tiles_are_laid_out_and_decoded(hand: Tiles) -> None:
    """Each frame hides another tile; no frame makes a hand, all of them together do."""
    seen = []
    for hidden in (2, 6, 11):
        probabilities = hand.probabilities.copy()
        probabilities[hidden] = 1e-4
        probabilities[hidden, CLASS_INDEX[NONE]] = 1 - 1e-4 * (len(CLASSES) - 1)
        seen.append(Tiles(hand.quads, probabilities, hand.scores))
    assert all(interpret(tiles, SIZE).hand is None for tiles in seen)
    hand_read = interpret(frames(*seen).tiles(), SIZE).hand
    assert hand_read is not None
    assert sorted((*hand_read.concealed, hand_read.winning_tile)) == sorted(FACES.split())
