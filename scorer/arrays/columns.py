"""Hands as columns, checked on the way in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.arrays.codes import (
    BAD_MELD,
    BAD_TILE,
    CODE_OF_MELD,
    KONGS,
    MELD_OF,
    MELDS,
    NO_TILE,
    MeldKeys,
    TileKeys,
)
from scorer.arrays.lookup import Numbers
from scorer.circumstances import Circumstances, Opening, check_together
from scorer.errors import HandError, ImpossibleHand
from scorer.hand import Hand, Meld
from scorer.tiles import FACE_INDEX, FLOWERS, WINDS
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE

Codes = NDArray[np.uint8]
GivenMeld = tuple[str, tuple[str, ...]]
"""A meld as its kind and its tiles."""
GivenHow = tuple[Any, ...]
"""Circumstances in the order of :class:`Circumstances`, with or without the opening win."""

_TO_SIXTEEN: Final = np.uint64(sum(11 << 5 * digit for digit in range(12)))
_SIXTEENS: Final = np.uint64(sum(16 << 5 * digit for digit in range(12)))
_FULL_ROW: Final = 39
"""Characters of thirteen tiles with a comma after each."""


Source = Callable[[int], tuple[Hand, Circumstances]]
"""Builds one of the hands anew, or raises the error that names its fault."""


@dataclass(frozen=True, eq=False)
class HandColumns:
    """Many hands, one column of each array for each hand.

    Build it with :func:`from_hands`, :func:`from_faces` or :func:`from_codes`. ``sound`` says which hands are possible;
    :meth:`hand` builds one, or raises the error that says what is wrong with it.
    """

    tiles: Codes
    """13 rows of concealed tiles and one of winning tiles, as places in ``SUIT_AND_HONOUR_FACES``; 34: no tile."""
    melds: Codes
    """Four rows; see :data:`scorer.arrays.codes.FIRST_CODE`. The rows of no meld (0) are the last ones."""
    flowers: Codes
    """How many flowers there are."""
    seasonal: Codes
    """How many of them match each seat: two bits for each, East in the lowest. Only faces of flowers say so."""
    how: Numbers
    """Packed circumstances (see :class:`Circumstances`), or -1 if they are impossible."""
    source: Source = field(repr=False)
    sound: NDArray[np.bool_] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find the hands that are possible."""
        tiles, melds, how = self.tiles, self.melds, self.how
        number = len(how)
        if tiles.shape != (14, number) or melds.shape != (4, number) or len(self.flowers) != number:
            raise ValueError(
                "a column of hands needs 14 rows of tiles, four of melds, and one number each of the rest"
            )
        sound = (tiles[:14].max(0, initial=0) <= NO_TILE) & (tiles[13] < NO_TILE) & (how >= 0)
        melds = np.minimum(melds, BAD_MELD)
        sound &= MeldKeys.known.take(melds).all(0) & (self.flowers <= 8)
        sound &= (tiles[:13] != NO_TILE).sum(0) + 3 * (melds != 0).sum(0) == 13
        for meld in range(3):
            sound &= (melds[meld] != 0) | (melds[meld + 1] == 0)
        safe = np.minimum(tiles, BAD_TILE)
        for tile_words, meld_words in zip(TileKeys.words, MeldKeys.words, strict=True):
            total = tile_words.take(safe).sum(0, dtype=np.uint64) + meld_words.take(melds).sum(
                0, dtype=np.uint64
            )
            sound &= (total + _TO_SIXTEEN) & _SIXTEENS == 0
        object.__setattr__(self, "sound", sound & self._together(safe, melds))

    def _together(self, tiles: Codes, melds: Codes) -> NDArray[np.bool_]:
        """Whether each hand can have been won in its circumstances, as :func:`check_together` has it."""
        fits = np.ones(len(self.how), bool)
        at = np.flatnonzero(self.how & 0b11_0000_1100)
        how, winning = self.how[at], tiles[13, at]
        others = (tiles[:13, at] == winning).sum(0)
        sets = MeldKeys.sets.take(melds[:, at]).sum(0)
        shown = MeldKeys.shows[melds[:, at], np.minimum(winning, 33)].sum(0)
        replaced, robbed = how & 5 == 5, how & 5 == 4
        wrong = replaced & (sets >> KONGS & 63 == 0)
        wrong |= robbed & (others + shown > 0)
        wrong |= (how & 8 > 0) & (others > 0)
        wrong |= (how >> 8 > 0) & (sets >> MELDS & 7 > 0)
        fits[at[wrong]] = False
        return fits

    def __len__(self) -> int:
        """The number of hands."""
        return len(self.how)

    def hand(self, place: int) -> tuple[Hand, Circumstances]:
        """The hand at a place, or the error that says why it is impossible."""
        hand, circumstances = self.source(place)
        check_together(hand, circumstances)
        return hand, circumstances


def from_codes(
    tiles: ArrayLike,
    melds: ArrayLike | None = None,
    *,
    how: ArrayLike | None = None,
    flowers: ArrayLike | None = None,
    seasonal: ArrayLike | None = None,
) -> HandColumns:
    """Hands that are held as numbers already; see :class:`HandColumns` for the codes."""
    faces = np.asarray(tiles, np.uint8)
    number = faces.shape[-1]
    none = np.zeros(number, np.uint8)
    sets = np.zeros((4, number), np.uint8) if melds is None else np.asarray(melds, np.uint8)
    packed = np.zeros(number, np.int64) if how is None else np.asarray(how, np.int64)
    counts = none if flowers is None else np.asarray(flowers, np.uint8)

    def source(place: int) -> tuple[Hand, Circumstances]:
        codes = faces[:, place].tolist()
        named = [FACE[code] if code < NO_TILE else f"tile {code}" for code in codes]
        concealed = tuple(name for name, code in zip(named[:13], codes[:13], strict=True) if code != NO_TILE)
        found = []
        for code in sets[:, place].tolist():
            if code and code not in MELD_OF:
                raise ImpossibleHand("unknown_meld_kind", f"{code} is not the code of a meld")
            found += [MELD_OF[code]] if code else []
        return Hand(concealed, found, named[13], int(counts[place])), _unpacked(int(packed[place]))

    own = none if seasonal is None else np.asarray(seasonal, np.uint8)
    return HandColumns(faces, sets, counts, own, packed, source)


def _unpacked(packed: int) -> Circumstances:
    if not 0 <= packed < 1 << 10:
        raise HandError("bad_field", f"{packed} is not a packed form of circumstances")
    drawn, last, kong, fourth = (bool(packed >> bit & 1) for bit in range(4))
    opening = list(Opening)[(packed >> 8) - 1] if packed >> 8 else None
    return Circumstances(drawn, last, kong, fourth, WINDS[packed >> 4 & 3], WINDS[packed >> 6 & 3], opening)


def from_hands(hands: Iterable[tuple[Hand, Circumstances]]) -> HandColumns:
    """Hands that are built already."""
    rows = list(hands)
    tiles = np.full((len(rows), 14), NO_TILE, np.uint8)
    melds = np.zeros((len(rows), 4), np.uint8)
    index = FACE_INDEX.__getitem__
    for place, (hand, _) in enumerate(rows):
        own = [*map(index, hand.given)]
        tiles[place, : len(own)] = own
        tiles[place, 13] = hand.packed.winning
        if hand.melds:
            melds[place, : len(hand.melds)] = [CODE_OF_MELD[meld] for meld in hand.melds]
    flowers = [hand.flowers for hand, _ in rows]
    how = np.array([circumstances.packed for _, circumstances in rows], np.int64)
    return HandColumns(
        np.ascontiguousarray(tiles.T),
        np.ascontiguousarray(melds.T),
        *_flowers(flowers),
        how,
        rows.__getitem__,
    )


def from_faces(
    concealed: Sequence[Sequence[str]],
    winning_tiles: Sequence[str],
    melds: Sequence[Sequence[GivenMeld]] | None = None,
    *,
    how: Sequence[GivenHow] | None = None,
    flowers: Sequence[int | Sequence[str]] | None = None,
) -> HandColumns:
    """Hands as the names of their tiles, in columns of Python's own lists and tuples.

    >>> hands = from_faces(["1m 2m 3m 4m 5m 6m 7p 8p 9p 1s 2s 9s 9s".split()] * 2, ["3s", "1z"])
    >>> hands.sound.tolist(), hands.hand(0)[0].winning_tile
    ([True, True], '3s')
    """
    number = len(concealed)
    sets = [()] * number if melds is None else melds
    circumstances = [()] * number if how is None else how
    counts = [0] * number if flowers is None else flowers

    def source(place: int) -> tuple[Hand, Circumstances]:
        found = tuple(Meld(kind, tiles) for kind, tiles in sets[place])
        hand = Hand(tuple(concealed[place]), found, winning_tiles[place], counts[place])
        return hand, Circumstances(*circumstances[place])

    return HandColumns(
        _tiles(concealed, winning_tiles), _melds(sets), *_flowers(counts), _packed(circumstances), source
    )


def _tiles(concealed: Sequence[Sequence[str]], winning_tiles: Sequence[str]) -> Codes:
    """Tile codes of hands, 35 for what is not a tile."""
    number = len(concealed)
    if len(winning_tiles) != number:
        raise ValueError(f"{number} hands and {len(winning_tiles)} winning tiles")
    try:
        rows = list(map(",".join, concealed))
    except TypeError:
        rows = [_row(tiles) for tiles in concealed]
    sizes = np.fromiter(map(len, concealed), np.int64, number)
    return tile_codes(rows, sizes, winning_tiles)


def tile_codes(rows: list[str], sizes: Numbers, winning_tiles: Sequence[str]) -> Codes:
    """Tile codes of hands whose concealed tiles, so many of them, are joined by commas."""
    number = len(rows)
    lengths = np.fromiter(map(len, rows), np.int64, number)
    # A row of so many tiles that is just long enough, and whose every third character ends a tile, has no tile of
    # another length: there would be fewer commas.
    odd = np.flatnonzero((lengths != 3 * sizes - 1) | (sizes > 13))
    for place in odd.tolist():
        rows[place] = "??"
    text = "".join([row.ljust(_FULL_ROW) for row in rows])
    tiles = np.empty((14, number), np.uint8)
    tiles[:13] = _faces(text).reshape(number, 13).T
    tiles[12, odd] = BAD_TILE
    tiles[12, np.flatnonzero((tiles[:13] != NO_TILE).sum(0) != sizes)] = BAD_TILE
    winning = [face if face.__class__ is str and len(face) == 2 else "??" for face in winning_tiles]
    tiles[13] = _faces(",".join([*winning, ""]))
    return tiles


def _row(tiles: object) -> str:
    try:
        return ",".join(tiles)  # type: ignore[arg-type]
    except TypeError:
        return "??"


_FACE_OF_TWO: Final = np.full(1 << 16, BAD_TILE, np.uint8)
"""Two characters as one number to their face."""
for _face, _name in (*enumerate(FACE), (NO_TILE, "  ")):
    _FACE_OF_TWO[ord(_name[0]) | ord(_name[1]) << 8] = _face


def _faces(text: str) -> Codes:
    """The faces in a text of two characters and one more for each."""
    characters = np.frombuffer(text.encode("latin-1", "replace"), np.uint8).reshape(-1, 3)
    return _FACE_OF_TWO.take(characters[:, 0] | characters[:, 1].astype(np.uint16) << 8)


def _melds(melds: Sequence[Sequence[GivenMeld]]) -> Codes:
    codes = np.zeros((4, len(melds)), np.uint8)
    numbers = np.fromiter(map(len, melds), np.int64, len(melds))
    owner = np.repeat(np.arange(len(melds)), numbers)
    row = np.arange(len(owner)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    given = np.array([_meld_code(meld) for each in melds for meld in each], np.uint8)
    fits = row < 4
    codes[row[fits], owner[fits]] = given[fits]
    codes[:, numbers > 4] = BAD_MELD
    return codes


class _MeldCodes(dict[GivenMeld, int]):
    """The code of a meld by its kind, as an enum or as text, and its tiles in rank order."""

    def __missing__(self, meld: GivenMeld) -> int:
        try:
            return CODE_OF_MELD[Meld(*meld)]
        except (HandError, TypeError):
            return BAD_MELD


def _meld_code(meld: GivenMeld) -> int:
    try:
        return _MELD_CODES[meld]
    except TypeError:
        # Lists have no hash.
        return _MELD_CODES.__missing__(meld)


_MELD_CODES: Final = _MeldCodes()
for _code, _meld in MELD_OF.items():
    _MELD_CODES[_meld.kind, _meld.tiles] = _MELD_CODES[_meld.kind.value, _meld.tiles] = _code


def _flowers(flowers: Sequence[int | Sequence[str]]) -> tuple[Codes, Codes]:
    """Counts of flowers, 9 for an impossible count, and how many match each seat."""
    if set(map(type, flowers)) <= {int}:
        counts = np.clip(np.array(flowers, np.int64), -1, 9) % 10
        return counts.astype(np.uint8), np.zeros(len(flowers), np.uint8)
    pairs = [_own_flowers(each) for each in flowers]
    return np.array([count for count, _ in pairs], np.uint8), np.array([own for _, own in pairs], np.uint8)


def _own_flowers(flowers: int | Sequence[str]) -> tuple[int, int]:
    if flowers.__class__ is int:
        return (flowers, 0) if 0 <= flowers <= 8 else (9, 0)
    if not isinstance(flowers, (tuple, list)) or len(set(map(str, flowers))) != len(flowers):
        return 9, 0
    if not all(isinstance(face, str) and face in FLOWERS for face in flowers):
        return 9, 0
    return len(flowers), sum(1 << 2 * ((int(face[0]) - 1) % 4) for face in flowers)


_HOW: Final[dict[GivenHow, int]] = {}
"""Packed circumstances by what says them, filled as they come."""


def _packed(how: Sequence[GivenHow]) -> Numbers:
    """Packed circumstances, -1 for impossible ones."""
    try:
        codes = list(map(_HOW.get, how))
        # 1 equals True, but it is no flag.
        flags = [set(map(type, column)) for column in list(zip(*how, strict=True))[:4]]
    except (TypeError, ValueError):
        return np.array([_packed_one(row) for row in how], np.int64)
    if None in codes or any(kinds != {bool} for kinds in flags):
        return np.array([_packed_one(row) for row in how], np.int64)
    return np.array(codes, np.int64)


def _packed_one(row: GivenHow) -> int:
    try:
        packed = Circumstances(*row).packed
    except (HandError, TypeError):
        return -1
    if len(row) > 3:
        _HOW[row] = packed
    return packed
