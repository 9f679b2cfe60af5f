"""A declared hand and its melds: frozen, and valid once built.

>>> hand = Hand(("1m", "1m", "2p", "3p", "4p", "5s", "6s"), (Meld.pung("7z"), Meld.chow("2m")), "7s")
>>> hand.size, hand.melds[1].tiles
(14, ('2m', '3m', '4m'))
>>> Hand(("1m",) * 4, (Meld.pung("1m"), Meld.pung("2m"), Meld.pung("3m")), "5s")
Traceback (most recent call last):
    ...
scorer.errors.ImpossibleHand: 1m appears 7 times; a set of tiles has four of each face
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from reprlib import repr as shown
from typing import Any, Final, NoReturn

from scorer.bitboard import (
    ONE,
    SIXTEENS,
    TILE,
    TO_SIXTEEN,
    Packed,
    PackedMeld,
    chow_value,
    palette_of,
    pung_value,
)
from scorer.errors import ImpossibleHand
from scorer.tiles import BACK, FACE_INDEX, FACES, FLOWERS, in_order

_TILE: Final = TILE.__getitem__


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural where it needs to be.

    >>> counted(1, "meld"), counted(0, "meld")
    ('1 meld', '0 melds')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class MeldKind(StrEnum):
    """The four kinds of sets laid down beside a hand."""

    CHOW = "chow"
    PUNG = "pung"
    MELDED_KONG = "melded_kong"
    CONCEALED_KONG = "concealed_kong"

    def __repr__(self) -> str:
        """The name as Python reads it."""
        return f"MeldKind.{self.name}"


def _face_index(face: object) -> int:
    """The index 0-33 of a tile; refuses flowers, face-down tiles and everything that is not a tile."""
    index = FACE_INDEX.get(face) if isinstance(face, str) else None
    if index is None:
        if face == BACK:
            raise ImpossibleHand("face_down_tile", "the hand has a face-down tile; say which tile it is")
        raise ImpossibleHand(
            "unknown_face", f"{shown(face)} is not a tile; faces are 1m-9m 1p-9p 1s-9s 1z-7z"
        )
    if index >= 34:
        raise ImpossibleHand(
            "flower_in_hand", f"{face} is a flower; flowers are laid aside and do not belong to the hand"
        )
    return index


def _indices(faces: Sequence[str]) -> list[int]:
    """The indices 0-33 of tiles, ascending; refuses the first that :func:`_face_index` refuses."""
    try:
        indices = sorted([FACE_INDEX[face] for face in faces])
    except (KeyError, TypeError):
        indices = [_face_index(face) for face in faces]
    if indices and indices[-1] >= 34:
        _face_index(FACES[indices[-1]])
    return indices


@dataclass(frozen=True, slots=True, init=False)
class Meld:
    """A chow, pung or kong laid down beside the concealed tiles; ``tiles`` are in rank order.

    Raises :class:`ImpossibleHand` with ``unknown_meld_kind``, ``not_a_chow``, ``not_a_pung``,
    ``not_a_kong``, ``unknown_face`` or ``flower_in_hand``. There are 123 melds, so equal ones are one object.
    """

    kind: MeldKind
    tiles: tuple[str, ...]
    packed: PackedMeld = field(init=False, repr=False, compare=False)
    """The same as integers, for the engine."""

    def __new__(cls, kind: MeldKind | str, tiles: Sequence[str]) -> Meld:
        """The one object for this meld, checked when it is first asked for."""
        try:
            return _KNOWN[kind, tiles]  # type: ignore[index]
        except (KeyError, TypeError):
            return _checked_meld(kind, tiles)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles ask for the same meld again."""
        return Meld, (self.kind, self.tiles)

    @classmethod
    def chow(cls, low: str) -> Meld:
        """The chow whose lowest tile is ``low``."""
        return cls(MeldKind.CHOW, tuple(f"{int(low[0]) + step}{low[1:]}" for step in range(3)))

    @classmethod
    def pung(cls, face: str) -> Meld:
        """A melded pung of ``face``."""
        return cls(MeldKind.PUNG, (face,) * 3)

    @classmethod
    def kong(cls, face: str, *, concealed: bool = False) -> Meld:
        """A kong of ``face``, melded unless ``concealed``."""
        return cls(MeldKind.CONCEALED_KONG if concealed else MeldKind.MELDED_KONG, (face,) * 4)

    @property
    def is_kong(self) -> bool:
        """Whether it is a kong of either kind."""
        return len(self.tiles) == 4


_KNOWN: Final[dict[tuple[MeldKind, tuple[str, ...]], Meld]] = {}


def _checked_meld(given: MeldKind | str, faces: Sequence[str]) -> Meld:
    """A meld, checked and with its tiles in order."""
    try:
        kind = MeldKind(given)
    except ValueError:
        known = ", ".join(MeldKind)
        raise ImpossibleHand(
            "unknown_meld_kind", f"{shown(given)} is not a kind of meld; use one of {known}"
        ) from None
    indices = _indices(faces)
    tiles = tuple(FACES[index] for index in indices)
    # The message counts a long list of tiles instead of repeating it.
    tiles_in_words = " ".join(tiles) if 0 < len(tiles) < 6 else f"a meld of {len(tiles) or 'no'} tiles"
    low = indices[0] if indices else 27
    if kind is MeldKind.CHOW:
        if indices != [low, low + 1, low + 2] or low >= 27 or low % 9 > 6:
            raise ImpossibleHand(
                "not_a_chow",
                f"{tiles_in_words} is not a chow, which is three consecutive ranks of one suit",
            )
    elif kind is MeldKind.PUNG:
        if len(indices) != 3 or indices[0] != indices[2]:
            raise ImpossibleHand("not_a_pung", f"{tiles_in_words} is not a pung, which is three equal tiles")
    elif len(indices) != 4 or indices[0] != indices[3]:
        raise ImpossibleHand("not_a_kong", f"{tiles_in_words} is not a kong, which is four equal tiles")
    made = object.__new__(Meld)
    for name, value in (("kind", kind), ("tiles", tiles), ("packed", _packed_meld(kind, indices))):
        object.__setattr__(made, name, value)
    return _KNOWN.setdefault((kind, tiles), made)


def _packed_meld(kind: MeldKind, indices: Sequence[int]) -> PackedMeld:
    low = indices[0]
    palette = 0
    for index in indices:
        palette |= palette_of(index)
    concealed = kind is MeldKind.CONCEALED_KONG
    return PackedMeld(
        chow_value(low // 9, low % 9) if kind is MeldKind.CHOW else pung_value(low),
        sum(ONE[index] for index in indices),
        palette,
        1 | (not concealed) << 4 | (kind is MeldKind.MELDED_KONG) << 8 | concealed << 12,
    )


def _check_flowers(flowers: int | Sequence[str]) -> int | tuple[str, ...]:
    if isinstance(flowers, int) and not isinstance(flowers, bool):
        if not 0 <= flowers <= 8:
            raise ImpossibleHand("bad_flower_count", f"the number of flowers must be 0 to 8, not {flowers}")
        return flowers
    if isinstance(flowers, (str, bool)):
        raise ImpossibleHand(
            "not_a_flower", f"flowers must be a count or a list of 1f-8f, not {shown(flowers)}"
        )
    for face in flowers:
        if face not in FLOWERS:
            raise ImpossibleHand("not_a_flower", f"{shown(face)} is not a flower; flowers are 1f-8f")
    if len(set(flowers)) != len(flowers):
        raise ImpossibleHand("two_of_one_flower", "a flower appears twice; a set of tiles has one of each")
    return in_order(tuple(flowers)) or 0


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Hand:
    """A hand of fourteen tiles, and one more for each kong.

    ``concealed`` excludes the winning tile and is in the order of ``FACES``; ``melds`` holds chows, pungs and
    kongs of both kinds, in the order given; ``flowers`` is a count or the flower faces. Two hands are equal
    if they hold the same tiles, whatever the order of their concealed tiles.

    Raises :class:`ImpossibleHand` with ``too_many_melds``, ``unknown_face``, ``flower_in_hand``,
    ``face_down_tile``, ``wrong_tile_count``, ``winning_tile_exhausted``, ``too_many_of_a_face``,
    ``bad_flower_count``, ``not_a_flower`` or ``two_of_one_flower``.
    """

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    winning_tile: str
    flowers: int | tuple[str, ...]
    packed: Packed = field(init=False, repr=False)
    """The same hand as integers, for the engine."""
    given: tuple[str, ...] = field(init=False, repr=False)
    """The concealed tiles in the order given; they are put in order when somebody asks for them."""

    def __init__(
        self,
        concealed: Sequence[str],
        melds: Sequence[Meld],
        winning_tile: str,
        flowers: int | Sequence[str] = 0,
    ) -> None:
        """Check the hand and pack it."""
        fixed = palette = kinds = 0
        try:
            everything = own = sum(map(_TILE, concealed), TILE[winning_tile])
            for meld in melds:
                sets, tiles, faces, kind = meld.packed
                fixed += sets
                everything += tiles
                palette |= faces
                kinds += kind
            sound = len(concealed) + 3 * len(melds) == 13 and not (everything + TO_SIXTEEN) & SIXTEENS
        except (KeyError, TypeError):
            sound = False
        if not sound:
            _refuse(concealed, melds, winning_tile)
        if flowers.__class__ is not int or flowers:
            flowers = _check_flowers(flowers)
        set_field = object.__setattr__
        set_field(self, "given", tuple(concealed))
        set_field(self, "melds", tuple(melds))
        set_field(self, "winning_tile", winning_tile)
        set_field(self, "flowers", flowers)
        packed = (own, FACE_INDEX[winning_tile], fixed, everything, palette, kinds)
        set_field(self, "packed", tuple.__new__(Packed, packed))

    def __getattr__(self, name: str) -> Any:
        """The concealed tiles in order, when they are first asked for."""
        if name != "concealed":
            raise AttributeError(f"a hand has no {name!r}")
        concealed = in_order(self.given)
        object.__setattr__(self, "concealed", concealed)
        return concealed

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same tiles, the melds in the same order."""
        if not isinstance(other, Hand):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        """Equal hands have equal hashes."""
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return self.packed.own, self.packed.winning, self.melds, self.flowers

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are built anew."""
        return Hand, (self.given, self.melds, self.winning_tile, self.flowers)

    @property
    def tiles(self) -> tuple[str, ...]:
        """Every tile but flowers: the concealed tiles, the melds in order, the winning tile last."""
        return (*self.concealed, *(face for meld in self.melds for face in meld.tiles), self.winning_tile)

    @property
    def size(self) -> int:
        """The number of tiles without flowers: 14, and one more for each kong."""
        return len(self.tiles)

    @property
    def flower_count(self) -> int:
        """The number of flowers laid aside."""
        return self.flowers if isinstance(self.flowers, int) else len(self.flowers)

    @property
    def is_concealed(self) -> bool:
        """Whether the hand has no melds but concealed kongs, which leave it concealed."""
        return self.packed.kinds >> 4 & 15 == 0


def _refuse(concealed: Sequence[str], melds: Sequence[Meld], winning_tile: str) -> NoReturn:
    """Say why a hand is impossible."""
    if len(melds) > 4:
        raise ImpossibleHand("too_many_melds", f"{len(melds)} melds; a hand has at most four")
    indices = _indices(concealed)
    winning = _face_index(winning_tile)
    if len(indices) + 3 * len(melds) != 13:
        raise ImpossibleHand(
            "wrong_tile_count",
            f"{counted(len(indices), 'concealed tile')} besides {counted(len(melds), 'meld')} and the winning "
            f"tile; there must be {13 - 3 * len(melds)}",
        )
    melded = Counter(tile for meld in melds for tile in meld.tiles)
    if melded[winning_tile] >= 4:
        raise ImpossibleHand(
            "winning_tile_exhausted",
            f"the melds hold all four {winning_tile}, so it cannot be the winning tile",
        )
    counts = melded + Counter([*(FACES[index] for index in indices), FACES[winning]])
    name = next(face for face in FACES if counts[face] > 4)
    raise ImpossibleHand(
        "too_many_of_a_face",
        f"{name} appears {counts[name]} times; a set of tiles has four of each face",
    )
