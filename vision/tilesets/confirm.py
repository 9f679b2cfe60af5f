"""From what a person says of a photo to confirmed tiles: in order, by the hand, or by a JSON beside the photo.

Nothing here trusts the reader: it only tells which tile is which of those the person named, and where that cannot be
told the tile is left out or the photo refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer import FACES, SUIT_AND_HONOUR_FACES, Hand, MeldKind
from vision.layout.arrange import arrange
from vision.layout.doubles import distinct
from vision.layout.frames import frames
from vision.layout.roles import Role
from vision.layout.rows import find_rows
from vision.tiles import BACK, CLASS_INDEX, CLASSES, NONE, Tiles
from vision.tilesets.assignment import best_assignment
from vision.tilesets.errors import TileSetError
from vision.tilesets.references import LEARNABLE, MOST_TILES, Quad

_LEAST_ALIKE = 0.4  # so many of the tiles must read as they were named; chance gives one in forty
_SURE = 0.8
_CLEAR = float(np.log(20))  # the assignment must be so many times likelier than the best other one
_LEAST = 1e-5  # no reading speaks stronger than this against a face
_READ_SO = 0.5  # as what a tile is most likely


@dataclass(frozen=True)
class Surprise:
    """A confirmed tile that the reader takes for another face: worth a second look by the person.

    number: of the tile, from 1, in the order confirmed. probability: the reader's of the face it read.
    """

    number: int
    told: str
    read: str
    probability: float


@dataclass(frozen=True)
class Confirmed:
    """Tiles a person has named: (face, quad) each; what the reader takes for something else; what was left out."""

    tiles: tuple[tuple[str, Quad], ...]
    surprises: tuple[Surprise, ...] = ()
    left_out: tuple[str, ...] = ()


def parse_faces(text: str) -> tuple[str, ...]:
    """Face codes and runs of them, separated by blanks or commas.

    Raises TileSetError `unknown_face`.

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
            raise TileSetError("unknown_face", f"{word!r} names no faces: write them as in '1-9m 5z 1f'")
        faces += named
        if len(faces) > MOST_TILES:
            raise TileSetError("too_many", f"more than {MOST_TILES} faces are named")
    return tuple(faces)


def places(tiles: Tiles) -> Tiles:
    """The tiles found, each place once, whatever the reader made of them: even what it takes for no tile."""
    odds = np.array(tiles.probabilities)
    odds[:, CLASS_INDEX[NONE]] = 0
    odds[odds.sum(axis=1) <= 0] = 1
    named = Tiles(tiles.quads, odds / odds.sum(axis=1, keepdims=True), tiles.scores)
    return tiles.select(distinct(named))


def in_order(tiles: Tiles, faces: Sequence[str] | None = None, *, sure: bool = False) -> Confirmed:
    """Name tiles that lie in rows, in the order of `faces`; which way up the photo is does not matter.

    tiles: each place once (`places`); what the reader takes for no tile or for face down counts where the number fits
        so, a strange set may look like that to it. faces: by default all 42, or the 34 without flowers, whichever
    fits the number of tiles. sure: the person insists, so that only the number must fit.

    Raises TileSetError: no_tiles, wrong_count, implausible.
    """
    wanted = {len(faces)} if faces is not None else {len(FACES), len(SUIT_AND_HONOUR_FACES)}
    real = tiles.probabilities[:, CLASS_INDEX[NONE]] < _READ_SO
    shown = real & (tiles.probabilities[:, CLASS_INDEX[BACK]] < _READ_SO)
    fitting = [each for each in (real, shown, np.ones_like(real)) if int(each.sum()) in wanted]
    tiles = tiles.select(fitting[0] if fitting else real)
    if not len(tiles):
        raise TileSetError(
            "no_tiles", "no tile was found: photograph the tiles from above, close and in good light"
        )
    rows = _rows(tiles)
    if len(tiles) not in wanted:
        lengths = ", ".join(str(len(row)) for row in rows)
        raise TileSetError(
            "wrong_count",
            f"{len(tiles)} tiles were found, in rows of {lengths}, but {' or '.join(map(str, sorted(wanted)))} "
            "are to be named: lay out just those, in straight rows a little apart, or name what lies there with "
            "--faces",
        )
    named = tuple(faces or (FACES if len(tiles) == len(FACES) else SUIT_AND_HONOUR_FACES))
    evidence = _evidence(tiles)
    columns = [CLASS_INDEX[face] for face in named]
    forth = [index for row in rows for index in row]
    order = max((forth, forth[::-1]), key=lambda each: float(evidence[each, columns].sum()))
    confirmed = _confirmed(tiles.select(np.array(order)), named)
    if not sure:
        _check_plausible(confirmed)
    return confirmed


def by_hand(tiles: Tiles, size: tuple[int, int], hand: Hand, *, sure: bool = False) -> Confirmed:
    """Tell which tile of a photo of this width and height is which of a confirmed hand, in whatever order they lie.

    tiles: each place once (`places`); what the reader takes for no tile is none.

    Tiles that could as well be another of the hand are left out, as are strays and face-down tiles.

    Raises TileSetError: no_tiles, wrong_count, implausible.
    """
    tiles = tiles.select(distinct(tiles))
    layout = arrange(tiles, *size)
    flowers = hand.flowers if isinstance(hand.flowers, tuple) else ()
    unnamed = {Role.STRAY} if flowers or not hand.flowers else {Role.STRAY, Role.FLOWER}
    lying = [index for index, role in enumerate(layout.roles) if role not in unnamed]
    backs = [index for index in lying if tiles.probabilities[index, CLASS_INDEX[BACK]] >= _READ_SO]
    shown = [index for index in lying if index not in set(backs)]
    faces = [
        *flowers,
        *(face for meld in hand.melds for face in meld.tiles),
        *hand.concealed,
        hand.winning_tile,
    ]
    hidden = len(faces) - len(shown)
    kongs = {meld.tiles[0] for meld in hand.melds if meld.kind is MeldKind.CONCEALED_KONG}
    if not shown:
        raise TileSetError(
            "no_tiles", "no tile of a hand was found: photograph the hand close and in good light"
        )
    if hidden < 0 or hidden > min(len(backs), 4 * len(kongs)):
        raise TileSetError(
            "wrong_count",
            f"the hand has {len(faces)} tiles, the photo shows {len(shown)} face up"
            + (f" and {len(backs)} face down" if backs else "")
            + ": photograph just that hand, or name the tiles in a JSON beside the photo",
        )
    table = tiles.select(np.array(shown))
    gains = _evidence(table)[:, [CLASS_INDEX[face] for face in faces]]
    chosen = best_assignment(gains)
    total = float(gains[np.arange(len(chosen)), chosen].sum())
    clear = [
        i for i in range(len(shown)) if total - _best_without(gains, faces, i, faces[chosen[i]]) > _CLEAR
    ]
    everything = _confirmed(table, [faces[column] for column in chosen])
    left = set(range(len(faces))) - set(chosen)
    if not sure:
        _check_plausible(everything)
    if any(faces[column] not in kongs for column in left) or not clear:
        raise TileSetError(
            "implausible",
            "which tile is which of that hand cannot be told: name the tiles in a JSON beside the photo",
        )
    confirmed = _confirmed(table.select(np.array(clear)), [faces[chosen[i]] for i in clear])
    unclear = sorted({faces[chosen[i]] for i in range(len(shown)) if i not in set(clear)}, key=CLASSES.index)
    return Confirmed(confirmed.tiles, confirmed.surprises, tuple(unclear))


def read_sidecar(path: Path, size: tuple[int, int]) -> tuple[Confirmed | None, Mapping[str, Any] | None]:
    """What the JSON beside a photo of this width and height says: its named tiles, or else the object of its hand.

    The object of `photo --json`, looked through and corrected by a person, is one; so is
    {"tiles": [{"face": "1m", "quad": [[x, y], …]}, …]}, or {"hand": {…}}. Strays of the table are left out: nobody
    corrects those. Raises TileSetError `bad_sidecar`.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise TileSetError(
            "bad_sidecar",
            f"nothing says what the tiles are: lay out all of them and say --in-order, or write {path.name} beside "
            "the photo",
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise TileSetError("bad_sidecar", f"{path} cannot be read as JSON ({error})") from error
    if not isinstance(found, dict):
        raise TileSetError("bad_sidecar", f'{path} is no object: write {{"tiles": [{{"face", "quad"}}, …]}}')
    told = (found.get("width", size[0]), found.get("height", size[1]))
    if told != size:
        raise TileSetError(
            "bad_sidecar",
            f"{path} is about a photo of {told[0]}×{told[1]} pixels, this one has {size[0]}×{size[1]}: its "
            "corners would be in the wrong places",
        )
    tiles = found.get("tiles")
    if isinstance(tiles, list) and tiles:
        named = []
        for number, tile in enumerate(tiles, 1):
            if not isinstance(tile, dict) or not {"face", "quad"} <= set(tile):
                raise TileSetError("bad_sidecar", f"{path}: tile {number} needs a face and a quad")
            if tile.get("role") != Role.STRAY.value:
                named.append((tile["face"], tile["quad"]))
        return Confirmed(tuple(named)), None
    hand = found.get("hand")
    if isinstance(hand, dict):
        return None, hand
    raise TileSetError("bad_sidecar", f"{path} names neither tiles nor a hand")


def _evidence(tiles: Tiles) -> NDArray[np.float64]:
    """Log of the odds of each class, bounded below so that one wild reading outweighs nothing."""
    logs: NDArray[np.float64] = np.log(np.maximum(tiles.probabilities.astype(np.float64), _LEAST))
    return logs


def _rows(tiles: Tiles) -> list[list[int]]:
    """The rows from top to bottom, each in reading order, as most of the tiles were read."""
    frame = frames(tiles.quads)
    found = [row.members for row in find_rows(frame)]
    # One direction for all: the longest row's; a short row may have been read on its head.
    longest = max(found, key=len)
    heading = frame.centres[longest[-1]] - frame.centres[longest[0]]
    if len(longest) == 1:
        heading = frame.along[longest[0]]
    down = np.array([-heading[1], heading[0]])
    rows = [sorted(row, key=lambda index: float(frame.centres[index] @ heading)) for row in found]
    return sorted(rows, key=lambda row: float(frame.centres[row].mean(axis=0) @ down))


def _best_without(gains: NDArray[np.float64], faces: Sequence[str], row: int, face: str) -> float:
    """The most that an assignment gains in which this row bears another face."""
    others = gains.copy()
    others[row, [column for column, each in enumerate(faces) if each == face]] = -1e6
    chosen = best_assignment(others)
    return float(others[np.arange(len(chosen)), chosen].sum())


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
    """Raise TileSetError where far too little reads as told, or two tiles in a row read as each other."""
    count, odd = len(confirmed.tiles), confirmed.surprises
    if count - len(odd) < _LEAST_ALIKE * count:
        raise TileSetError(
            "implausible",
            f"only {count - len(odd)} of {count} tiles read as they were named: is that their order? Say --sure if it "
            "is",
        )
    for one, two in pairwise(odd):
        exchanged = one.number + 1 == two.number and (one.told, one.read) == (two.read, two.told)
        if exchanged and min(one.probability, two.probability) > _SURE:
            raise TileSetError(
                "implausible",
                f"tiles {one.number} and {two.number} were named {one.told} and {two.told} but read as {one.read} and "
                f"{two.read}: are they exchanged? Say --sure if they are not",
            )
