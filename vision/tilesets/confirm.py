"""Turn what a person says about a photo into confirmed tiles: faces in order, or a whole hand.

The faces always come from the person. The reader only decides which tile is which of the faces that the person named.
Where it cannot decide, the tile is left out or the photo is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scorer import FACES, SUIT_AND_HONOUR_FACES, Hand, MeldKind
from vision.layout.arrange import arrange
from vision.layout.doubles import distinct
from vision.layout.frames import frames
from vision.layout.roles import Role
from vision.layout.rows import find_rows
from vision.tiles import BACK, CLASS_INDEX, CLASSES, NONE, Tiles, name_of
from vision.tilesets.assignment import best_assignment
from vision.tilesets.errors import TileSetError
from vision.tilesets.references import LEARNABLE, LIMITS, Quad
from vision.tilesets.thresholds import ConfirmThresholds

THRESHOLDS: Final = ConfirmThresholds()

_IMPOSSIBLE = -1e6  # log-odds of an assignment that must not be chosen


@dataclass(frozen=True)
class Surprise:
    """A confirmed tile that the reader takes for another face: the person should check it.

    number: of the tile, from 1, in the order confirmed. told, read: the faces that the person and the reader give.
    probability: the reader's, of the face that it read.
    """

    number: int
    told: str
    read: str
    probability: float


@dataclass(frozen=True)
class Confirmed:
    """Tiles that a person has named, (face, quad) each.

    surprises: those that the reader takes for other faces. left_out: faces of tiles that could not be distinguished.
    """

    tiles: tuple[tuple[str, Quad], ...]
    surprises: tuple[Surprise, ...] = ()
    left_out: tuple[str, ...] = ()


def parse_faces(text: str) -> tuple[str, ...]:
    """Face codes and ranges of them, separated by spaces or commas.

    Raises TileSetError: unknown_face, too_many.

    >>> parse_faces("7-9m 1z, 5f")
    ('7m', '8m', '9m', '1z', '5f')
    """
    faces: list[str] = []
    for word in re.split(r"[\s,]+", text.strip()):
        found = re.fullmatch(r"([1-9])(?:-([1-9]))?([mpszf])", word)
        first, last, suit = found.groups() if found else ("9", "1", "")
        named = [f"{rank}{suit}" for rank in range(int(first), int(last or first) + 1)]
        if word == BACK:
            named = [BACK]
        if not named or not set(named) <= set(LEARNABLE):
            raise TileSetError(
                "unknown_face", f"{word!r} does not name any faces: write them as in '1-9m 5z 1f'"
            )
        faces += named
        if len(faces) > LIMITS.most_tiles:
            raise TileSetError("too_many", f"more than {LIMITS.most_tiles} faces are named")
    return tuple(faces)


def places(tiles: Tiles) -> Tiles:
    """The tiles found, each place once, including those that the reader takes for no tile."""
    odds = np.array(tiles.probabilities)
    odds[:, CLASS_INDEX[NONE]] = 0
    odds[odds.sum(axis=1) <= 0] = 1
    named = Tiles(tiles.quads, odds / odds.sum(axis=1, keepdims=True), tiles.scores)
    return tiles.select(distinct(named))


def in_order(tiles: Tiles, faces: Sequence[str] | None = None, *, sure: bool = False) -> Confirmed:
    """Name tiles that lie in rows, in the order of `faces`; the photo may be taken from any side.

    tiles: each place once (`places`). Tiles that the reader takes for no tile or for face down count if their number
        fits then, because a strange set may look like that to it.
    faces: by default all 42, or the 34 without flowers, whichever fits the number of tiles.
    sure: the person insists, so only the number must fit.

    Raises TileSetError: no_tiles, wrong_count, implausible.
    """
    wanted = {len(faces)} if faces is not None else {len(FACES), len(SUIT_AND_HONOUR_FACES)}
    tiles = _fitting(tiles, wanted)
    if not len(tiles):
        raise TileSetError(
            "no_tiles", "no tile was found: photograph the tiles from above, close and in good light"
        )
    rows = _rows(tiles)
    if len(tiles) not in wanted:
        lengths = ", ".join(str(len(row)) for row in rows)
        raise TileSetError(
            "wrong_count",
            f"{len(tiles)} tiles were found, in rows of {lengths}, but {' or '.join(map(str, sorted(wanted)))} are "
            "expected: lay out only those, in straight rows a little apart, or name the tiles with --faces",
        )
    named = tuple(faces or (FACES if len(tiles) == len(FACES) else SUIT_AND_HONOUR_FACES))
    evidence = _evidence(tiles)
    columns = [CLASS_INDEX[face] for face in named]
    forwards = [index for row in rows for index in row]
    order = max((forwards, forwards[::-1]), key=lambda each: float(evidence[each, columns].sum()))
    confirmed = _confirmed(tiles.select(np.array(order)), named)
    if not sure:
        _check_plausible(confirmed)
    return confirmed


def by_hand(tiles: Tiles, size: tuple[int, int], hand: Hand, *, sure: bool = False) -> Confirmed:
    """Decide which tile of a photo is which tile of a confirmed hand; the tiles may lie in any order.

    tiles: each place once (`places`). size: width and height of the photo in pixels.
    sure: the person insists, so the tiles need not look like the hand.

    Tiles that could be exchanged for another tile of the hand are left out, and so are strays and face-down tiles.

    Raises TileSetError: no_tiles, wrong_count, implausible.
    """
    tiles = tiles.select(distinct(tiles))
    shown, face_down = _tiles_of_hand(tiles, size, hand)
    faces = _named_faces(hand)
    kongs = {meld.tiles[0] for meld in hand.melds if meld.kind is MeldKind.CONCEALED_KONG}
    _check_number(len(faces), len(shown), face_down, hidden=4 * len(kongs))
    tiles = tiles.select(shown)
    gains = _evidence(tiles)[:, [CLASS_INDEX[face] for face in faces]]
    chosen = best_assignment(gains)
    named = [faces[column] for column in chosen]
    if not sure:
        _check_plausible(_confirmed(tiles, named))
    clear = _clear(gains, faces, chosen)
    unseen = {face for column, face in enumerate(faces) if column not in set(chosen)}
    if not unseen <= kongs or not clear.any():
        raise TileSetError(
            "implausible",
            "Fanlens cannot decide which tile is which of that hand: name the tiles in a JSON beside the photo",
        )
    confirmed = _confirmed(
        tiles.select(clear), [face for face, is_clear in zip(named, clear, strict=True) if is_clear]
    )
    left_out = {face for face, is_clear in zip(named, clear, strict=True) if not is_clear}
    return replace(confirmed, left_out=tuple(sorted(left_out, key=CLASSES.index)))


def _fitting(tiles: Tiles, wanted: set[int]) -> Tiles:
    """The tiles that count: all, without face-down ones, or even those taken for no tile, as the number fits."""
    real = tiles.probabilities[:, CLASS_INDEX[NONE]] < THRESHOLDS.read_so
    shown = real & (tiles.probabilities[:, CLASS_INDEX[BACK]] < THRESHOLDS.read_so)
    fitting = [each for each in (real, shown, np.ones_like(real)) if int(each.sum()) in wanted]
    return tiles.select(fitting[0] if fitting else real)


def _tiles_of_hand(tiles: Tiles, size: tuple[int, int], hand: Hand) -> tuple[NDArray[np.intp], int]:
    """The indices of the hand's face-up tiles, and the number of its face-down tiles."""
    roles = arrange(tiles, *size).roles
    only_counted = isinstance(hand.flowers, int) and hand.flowers > 0  # then no face of a flower is known
    ignored = {Role.STRAY, Role.FLOWER} if only_counted else {Role.STRAY}
    of_hand = np.array([role not in ignored for role in roles], dtype=bool)
    face_down = tiles.probabilities[:, CLASS_INDEX[BACK]] >= THRESHOLDS.read_so
    return np.flatnonzero(of_hand & ~face_down), int((of_hand & face_down).sum())


def _named_faces(hand: Hand) -> tuple[str, ...]:
    """Every face of a hand that is known."""
    flowers = hand.flowers if isinstance(hand.flowers, tuple) else ()
    melded = [face for meld in hand.melds for face in meld.tiles]
    return (*flowers, *melded, *hand.concealed, hand.winning_tile)


def _check_number(named: int, face_up: int, face_down: int, *, hidden: int) -> None:
    """Raise TileSetError if the photo cannot show the hand, of which so many tiles may lie face down."""
    if not face_up:
        raise TileSetError(
            "no_tiles", "no tile of a hand was found: photograph the hand close and in good light"
        )
    if not 0 <= named - face_up <= min(face_down, hidden):
        beside = f" and {face_down} face down" if face_down else ""
        raise TileSetError(
            "wrong_count",
            f"the hand has {named} tiles, but the photo shows {face_up} face up{beside}: photograph just that hand, "
            "or name the tiles in a JSON beside the photo",
        )


def _evidence(tiles: Tiles) -> NDArray[np.float64]:
    """Log-probability of each class, N×44, with a lower bound so that one wild reading outweighs nothing."""
    probabilities = tiles.probabilities.astype(np.float64)
    logs: NDArray[np.float64] = np.log(np.maximum(probabilities, THRESHOLDS.least_probability))
    return logs


def _rows(tiles: Tiles) -> list[list[int]]:
    """The rows from top to bottom, each in reading order, as most of the tiles are turned."""
    frame = frames(tiles.quads)
    found = [row.members for row in find_rows(frame)]
    # All rows are read in the direction of the longest one: a short row may have been read upside down.
    longest = max(found, key=len)
    heading = frame.centres[longest[-1]] - frame.centres[longest[0]]
    if len(longest) == 1:
        heading = frame.along[longest[0]]
    down = np.array([-heading[1], heading[0]])
    rows = [sorted(row, key=lambda index: float(frame.centres[index] @ heading)) for row in found]
    return sorted(rows, key=lambda row: float(frame.centres[row].mean(axis=0) @ down))


def _clear(gains: NDArray[np.float64], faces: Sequence[str], chosen: Sequence[int]) -> NDArray[np.bool_]:
    """For each tile whether every assignment that gives it another face is far less likely than the chosen one.

    gains: evidence of each tile (row) for each face of the hand (column). chosen: the column of each row.
    """
    total = float(gains[np.arange(len(chosen)), chosen].sum())
    clear = []
    for row, column in enumerate(chosen):
        others = gains.copy()
        others[row, [other for other, face in enumerate(faces) if face == faces[column]]] = _IMPOSSIBLE
        second = best_assignment(others)
        clear.append(total - float(others[np.arange(len(second)), second].sum()) > THRESHOLDS.clear)
    return np.array(clear, dtype=bool)


def _confirmed(tiles: Tiles, faces: Sequence[str]) -> Confirmed:
    named, surprises = [], []
    for number, (face, quad, odds) in enumerate(zip(faces, tiles.quads, tiles.probabilities, strict=True), 1):
        one, two, three, four = ((float(x), float(y)) for x, y in quad)
        named.append((face, (one, two, three, four)))
        read = CLASSES[int(odds.argmax())]
        if read != face:
            surprises.append(Surprise(number, face, read, float(odds.max())))
    return Confirmed(tuple(named), tuple(surprises))


def _check_plausible(confirmed: Confirmed) -> None:
    """Raise TileSetError if too few tiles read as named, or two neighbours read as each other."""
    count, odd = len(confirmed.tiles), confirmed.surprises
    if count - len(odd) < THRESHOLDS.least_alike * count:
        raise TileSetError(
            "implausible",
            f"only {count - len(odd)} of {count} tiles read as you named them: check their order, and use --sure if "
            "it is right",
        )
    for one, two in pairwise(odd):
        exchanged = one.number + 1 == two.number and (one.told, one.read) == (two.read, two.told)
        if exchanged and min(one.probability, two.probability) > THRESHOLDS.exchanged:
            raise TileSetError(
                "implausible",
                f"you named tiles {one.number} and {two.number} {name_of(one.told)} and {name_of(two.told)}, but they "
                "read the other way round: check whether they are exchanged, and use --sure if they are not",
            )
