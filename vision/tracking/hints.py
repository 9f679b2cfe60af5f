"""What a person who points a camera at a hand can do to make it surer: hints that speak of the tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decoding.doubts import NOT_ABOUT_THE_FACE
from vision.layout.roles import HAND, Role
from vision.photo import Photo
from vision.recognition import Recognition, SeenTile
from vision.tiles import Floats
from vision.tracking.limits import HINTS, HintLimits


class Hint(StrEnum):
    """What to do, or what is missing."""

    NO_TILES = "no_tiles"
    DARK = "dark"
    CUT_OFF = "cut_off"
    MOVING = "moving"
    GLARE = "glare"
    CLOSER = "closer"
    UNSURE = "unsure"
    MISSING = "missing"
    TOO_MANY = "too_many"
    FACE_DOWN = "face_down"
    NOT_WINNING = "not_winning"


class Side(StrEnum):
    """A side of the picture, or an end of the hand."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"


@dataclass(frozen=True)
class Advice:
    """A hint, with how many tiles it is about, and the side on which they lie if they all lie on one.

    tiles: rows of `Recognition.tiles`, from left to right.
    """

    hint: Hint
    tiles: tuple[int, ...] = ()
    number: int = 0
    side: Side | None = None


def advice_on(
    frame: Photo, recognition: Recognition, travelled: float, limits: HintLimits = HINTS
) -> Advice | None:
    """Return the most useful hint about a frame, or None if the hand is read.

    travelled: how far the tiles moved since the frame before, in sizes of a tile.
    """
    return next(_advice(frame, recognition, travelled, limits), None)


def _advice(frame: Photo, recognition: Recognition, travelled: float, limits: HintLimits) -> Iterator[Advice]:
    tiles = recognition.tiles
    hand = [row for row, tile in enumerate(tiles) if tile.role is not Role.STRAY]
    dark = float(frame.glance.mean()) < limits.dark
    if not hand:
        yield Advice(Hint.DARK if dark else Hint.NO_TILES)
        return
    hand.sort(key=lambda row: _middle(tiles[row])[0])
    count = _count(tiles)
    unsure = [row for row in hand if _face_in_doubt(tiles[row])]
    cut = _cut_off(tiles, hand, frame, limits)
    if cut is not None and (count != HAND or unsure):
        yield Advice(Hint.CUT_OFF, side=cut)
    if unsure:
        yield _why_unsure(frame, tiles, hand, unsure, dark=dark, travelled=travelled, limits=limits)
    if count < HAND and _glare_beside(frame, _quads(tiles, hand), limits):
        yield Advice(Hint.GLARE, number=HAND - count)
    if count != HAND:
        if _size_px(tiles, hand) < limits.small_px:
            yield Advice(Hint.CLOSER, number=abs(HAND - count))
        yield Advice(Hint.MISSING if count < HAND else Hint.TOO_MANY, number=abs(HAND - count))
    hidden = [row for row in hand if tiles[row].doubt is not None and tiles[row].face == "back"]
    if hidden:
        yield Advice(Hint.FACE_DOWN, tuple(hidden), len(hidden))
    if recognition.score is None:
        yield Advice(Hint.NOT_WINNING)


def _why_unsure(
    frame: Photo,
    tiles: Sequence[SeenTile],
    hand: list[int],
    unsure: list[int],
    *,
    dark: bool,
    travelled: float,
    limits: HintLimits,
) -> Advice:
    """What keeps the faces of tiles in doubt."""
    side = _end(hand, unsure)
    if dark:
        return Advice(Hint.DARK)
    shining = _in_glare(frame, tiles, hand, unsure, limits)
    if shining:
        return Advice(Hint.GLARE, tuple(shining), len(shining), _end(hand, shining))
    if travelled > limits.moving:
        return Advice(Hint.MOVING, tuple(unsure), len(unsure), side)
    if _size_px(tiles, unsure) < limits.small_px:
        return Advice(Hint.CLOSER, tuple(unsure), len(unsure), side)
    return Advice(Hint.UNSURE, tuple(unsure), len(unsure), side)


def _face_in_doubt(tile: SeenTile) -> bool:
    return tile.doubt is not None and tile.face != "back" and tile.doubt.code not in NOT_ABOUT_THE_FACE


def _count(tiles: Sequence[SeenTile]) -> int:
    """Tiles of the hand with every meld counted as three."""
    loose = sum(1 for tile in tiles if tile.role in (Role.CONCEALED, Role.WINNING))
    return loose + 3 * len({tile.group for tile in tiles if tile.role is Role.MELD})


def _quads(tiles: Sequence[SeenTile], rows: Sequence[int]) -> Floats:
    return np.array([tiles[row].quad for row in rows], np.float32)


def _middle(tile: SeenTile) -> tuple[float, float]:
    (x, y) = np.mean(tile.quad, axis=0)
    return float(x), float(y)


def _size_px(tiles: Sequence[SeenTile], rows: Sequence[int]) -> float:
    """The median size of tiles, the square root of their area."""
    return float(np.median([abs(cv2.contourArea(quad)) ** 0.5 for quad in _quads(tiles, rows)]))


def _end(hand: Sequence[int], rows: Sequence[int]) -> Side | None:
    """The end of the hand at which these tiles lie, if they are not more than half of it."""
    if not rows or 2 * len(rows) > len(hand):
        return None
    if list(hand[: len(rows)]) == list(rows):
        return Side.LEFT
    if list(hand[-len(rows) :]) == list(rows):
        return Side.RIGHT
    return None


def _cut_off(tiles: Sequence[SeenTile], hand: Sequence[int], frame: Photo, limits: HintLimits) -> Side | None:
    """The side of the picture beyond which the hand goes on, if it reaches one."""
    corners = _quads(tiles, hand).reshape(-1, 2)
    room = limits.edge * _size_px(tiles, hand)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    reaches = {
        Side.LEFT: left,
        Side.RIGHT: frame.width - right,
        Side.TOP: top,
        Side.BOTTOM: frame.height - bottom,
    }
    nearest = min(reaches, key=lambda side: float(reaches[side]))
    return nearest if reaches[nearest] < room else None


def _in_glare(
    frame: Photo, tiles: Sequence[SeenTile], hand: Sequence[int], unsure: Sequence[int], limits: HintLimits
) -> list[int]:
    """The doubtful tiles that are white over more of their face than tiles which are read well.

    White tiles are white all over the hand, so that only what a tile has more of it than the others is glare.
    """
    white = dict(zip(hand, _white_shares(frame, _quads(tiles, hand), limits), strict=True))
    sure = [white[row] for row in hand if row not in unsure]
    usual = float(np.median(sure)) if sure else 0.0
    return [row for row in unsure if white[row] > usual + limits.glare]


def _glare_beside(frame: Photo, quads: Floats, limits: HintLimits) -> bool:
    """Whether a reflection among the tiles or beside them may hide others: white, but not as far as one can see."""
    size = float(np.median([abs(cv2.contourArea(quad)) ** 0.5 for quad in quads]))
    scale = frame.glance.shape[1] / frame.width
    around, found = (np.zeros(frame.glance.shape[:2], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(around, cv2.convexHull((quads * scale).reshape(-1, 2).astype(np.int32)), 1)
    reach = max(1, round(limits.beside * size * scale))
    wider = cv2.dilate(around, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    cv2.fillPoly(found, list((quads * scale).astype(np.int32)), 1)
    table = (wider > 0) & (found == 0)
    white = table & (frame.glance.min(axis=2) >= limits.white)
    return bool(
        white.sum() > limits.hides * (size * scale) ** 2 and white.sum() < limits.white_table * table.sum()
    )


def _white_shares(frame: Photo, quads: Floats, limits: HintLimits) -> NDArray[np.float64]:
    """For each tile the share of its face that is as white as only a reflection or white paint is."""
    side = 24
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    scale = frame.glance.shape[1] / frame.width
    shares = []
    for quad in quads:
        matrix = cv2.getPerspectiveTransform(quad * np.float32(scale), square)
        face = cv2.warpPerspective(frame.glance, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
        shares.append(float((face.min(axis=2) >= limits.white).mean()))
    return np.array(shares)
