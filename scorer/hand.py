"""A declared hand and how it was won. Everything here is frozen and valid once built.

>>> hand = Hand(("1m", "1m", "2p", "3p", "4p", "5s", "6s"), (Meld.pung("7z"), Meld.chow("2m")), "7s")
>>> hand.size, hand.melds[1].tiles
(14, ('2m', '3m', '4m'))
>>> Hand(("1m",) * 4, (Meld.pung("1m"), Meld.pung("2m"), Meld.pung("3m")), "5s")
Traceback (most recent call last):
    ...
scorer.errors.ImpossibleHand: 1m appears 7 times; a set of tiles has four of each face
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from reprlib import repr as shown

from scorer.bitboard import Packed, pack
from scorer.errors import ImpossibleHand
from scorer.tiles import BACK, FACE_INDEX, FACES, FLOWERS, WINDS, in_order


class MeldKind(StrEnum):
    """The four ways tiles are laid down beside a hand."""

    CHOW = "chow"
    PUNG = "pung"
    MELDED_KONG = "melded_kong"
    CONCEALED_KONG = "concealed_kong"

    def __repr__(self) -> str:
        """The name as Python reads it."""
        return f"MeldKind.{self.name}"


def _face_index(face: object) -> int:
    """Index of a playing tile, or the named refusal."""
    index = FACE_INDEX.get(face) if isinstance(face, str) else None
    if index is None:
        if face == BACK:
            raise ImpossibleHand("face_down_tile", "a face-down tile must be named before the hand is scored")
        raise ImpossibleHand(
            "unknown_face", f"{shown(face)} is not a tile; faces are 1m-9m 1p-9p 1s-9s 1z-7z"
        )
    if index >= 34:
        raise ImpossibleHand(
            "flower_in_hand", f"{face} is a flower; flowers are laid aside, not kept in the hand"
        )
    return index


def _indices(faces: Sequence[str]) -> list[int]:
    """Indices of playing tiles, ascending, or the named refusal of the first that is none."""
    try:
        indices = sorted([FACE_INDEX[face] for face in faces])
    except (KeyError, TypeError):
        indices = [_face_index(face) for face in faces]
    if indices and indices[-1] >= 34:
        _face_index(FACES[indices[-1]])
    return indices


@dataclass(frozen=True, slots=True)
class Meld:
    """A chow, pung or kong outside the concealed tiles; ``tiles`` are kept in rank order.

    Raises :class:`ImpossibleHand` with ``unknown_meld_kind``, ``not_a_chow``, ``not_a_pung``,
    ``not_a_kong``, ``unknown_face`` or ``flower_in_hand``.
    """

    kind: MeldKind
    tiles: tuple[str, ...]

    def __post_init__(self) -> None:
        """Check the tiles and put them in order."""
        try:
            kind = MeldKind(self.kind)
        except ValueError:
            known = ", ".join(MeldKind)
            raise ImpossibleHand(
                "unknown_meld_kind", f"{shown(self.kind)} is no meld; use one of {known}"
            ) from None
        indices = _indices(self.tiles)
        tiles = tuple(FACES[index] for index in indices)
        # A list as long as a wall is counted, not repeated.
        told = " ".join(tiles) if 0 < len(tiles) < 6 else f"a meld of {len(tiles) or 'no'} tiles"
        if kind is MeldKind.CHOW:
            low = indices[0] if indices else 27
            if indices != [low, low + 1, low + 2] or low >= 27 or low % 9 > 6:
                raise ImpossibleHand(
                    "not_a_chow", f"{told} is not a chow: three consecutive ranks of one suit"
                )
        elif kind is MeldKind.PUNG:
            if len(indices) != 3 or indices[0] != indices[2]:
                raise ImpossibleHand("not_a_pung", f"{told} is not a pung: three tiles of one face")
        elif len(indices) != 4 or indices[0] != indices[3]:
            raise ImpossibleHand("not_a_kong", f"{told} is not a kong: four tiles of one face")
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "tiles", tiles)

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


def _check_counts(tiles: Sequence[str]) -> None:
    for face in set(tiles):
        if tiles.count(face) > 4:
            raise ImpossibleHand(
                "too_many_of_a_face",
                f"{face} appears {tiles.count(face)} times; a set of tiles has four of each face",
            )


def _check_flowers(flowers: int | Sequence[str]) -> int | tuple[str, ...]:
    if isinstance(flowers, int) and not isinstance(flowers, bool):
        if not 0 <= flowers <= 8:
            raise ImpossibleHand("bad_flower_count", f"{flowers} flowers; a set of tiles has eight")
        return flowers
    if isinstance(flowers, (str, bool)):
        raise ImpossibleHand("not_a_flower", f"flowers are a count or a list of 1f-8f, not {shown(flowers)}")
    for face in flowers:
        if face not in FLOWERS:
            raise ImpossibleHand("not_a_flower", f"{shown(face)} is not a flower; flowers are 1f-8f")
    if len(set(flowers)) != len(flowers):
        raise ImpossibleHand("two_of_one_flower", "the same flower twice; a set of tiles has one of each")
    return in_order(tuple(flowers)) or 0


@dataclass(frozen=True, slots=True)
class Hand:
    """Fourteen tiles (one more for each kong) with the winning tile told apart.

    ``concealed`` never holds the winning tile and is kept in the order of ``FACES``; ``melds`` are the
    melds and kongs in the order given; ``flowers`` is a count or the flower faces. Equal hands compare
    equal whatever order their tiles came in.

    Raises :class:`ImpossibleHand` with ``too_many_melds``, ``unknown_face``, ``flower_in_hand``,
    ``face_down_tile``, ``wrong_tile_count``, ``winning_tile_exhausted``, ``too_many_of_a_face``,
    ``bad_flower_count``, ``not_a_flower`` or ``two_of_one_flower``.
    """

    concealed: tuple[str, ...]
    melds: tuple[Meld, ...]
    winning_tile: str
    flowers: int | tuple[str, ...] = 0
    packed: Packed = field(init=False, repr=False, compare=False)
    """The same hand as the search sees it; derived, for the engine."""

    def __post_init__(self) -> None:
        """Check the hand, put it in order and pack it."""
        melds = tuple(self.melds)
        if len(melds) > 4:
            raise ImpossibleHand("too_many_melds", f"{len(melds)} melds; a hand has at most four")
        indices = _indices(self.concealed)
        winning = _face_index(self.winning_tile)
        if len(indices) + 3 * len(melds) != 13:
            raise ImpossibleHand(
                "wrong_tile_count",
                f"{len(indices)} concealed tiles beside {len(melds)} melds and the winning tile; "
                f"there must be {13 - 3 * len(melds)}",
            )
        chows: list[int] = []
        pungs: list[int] = []
        melded_kongs: list[int] = []
        concealed_kongs: list[int] = []
        counts = [0] * 34
        for meld in melds:
            face = FACE_INDEX[meld.tiles[0]]
            if meld.kind is MeldKind.CHOW:
                chows.append(face)
                counts[face] += 1
                counts[face + 1] += 1
                counts[face + 2] += 1
            elif meld.kind is MeldKind.PUNG:
                pungs.append(face)
                counts[face] += 3
            else:
                (melded_kongs if meld.kind is MeldKind.MELDED_KONG else concealed_kongs).append(face)
                counts[face] += 4
        if counts[winning] >= 4:
            raise ImpossibleHand(
                "winning_tile_exhausted",
                f"the melds hold all four {self.winning_tile}; it cannot be the winning tile",
            )
        for index in indices:
            counts[index] += 1
        counts[winning] += 1
        if max(counts) > 4:
            _check_counts(self.tiles)
        set_field = object.__setattr__
        set_field(self, "concealed", tuple([FACES[index] for index in indices]))
        set_field(self, "melds", melds)
        set_field(self, "flowers", _check_flowers(self.flowers))
        set_field(
            self,
            "packed",
            pack(
                indices,
                winning,
                chows=chows,
                pungs=pungs,
                melded_kongs=melded_kongs,
                concealed_kongs=concealed_kongs,
            ),
        )

    @property
    def tiles(self) -> tuple[str, ...]:
        """Every playing tile: concealed, melds in order, winning tile last."""
        return (*self.concealed, *(face for meld in self.melds for face in meld.tiles), self.winning_tile)

    @property
    def size(self) -> int:
        """How many playing tiles there are: 14 and one for each kong."""
        return len(self.tiles)

    @property
    def flower_count(self) -> int:
        """How many flowers were laid aside."""
        return self.flowers if isinstance(self.flowers, int) else len(self.flowers)

    @property
    def is_concealed(self) -> bool:
        """No melds; a concealed kong does not open a hand."""
        return all(meld.kind is MeldKind.CONCEALED_KONG for meld in self.melds)


class Opening(StrEnum):
    """A win before the first go-around; counted by the ``platform`` profile only."""

    HEAVENLY = "heavenly"
    EARTHLY = "earthly"
    HUMAN = "human"

    def __repr__(self) -> str:
        """The name as Python reads it."""
        return f"Opening.{self.name}"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How and when the hand was won.

    ``last_tile`` is 妙手回春 when self-drawn and 海底捞月 otherwise; ``kong`` is 杠上开花 when self-drawn
    and 抢杠和 otherwise; ``fourth_tile`` is 和绝张 as the table shows it (the other three lie open).
    Winds are ``E S W N``. Raises :class:`ImpossibleHand` with ``bad_wind``, ``bad_flag``,
    ``robbed_kong_on_last_tile``, ``bad_opening`` or ``opening_conflict``.
    """

    self_drawn: bool = False
    last_tile: bool = False
    kong: bool = False
    fourth_tile: bool = False
    seat_wind: str = "E"
    prevalent_wind: str = "E"
    opening: Opening | None = None
    packed: int = field(init=False, repr=False, compare=False)
    """The four flags as bits 0-3, winds in bits 4-7, opening in bits 8-9; derived, for the engine."""

    def __post_init__(self) -> None:
        """Check the circumstances and pack them."""
        bits = 0
        for place, name in enumerate(("self_drawn", "last_tile", "kong", "fourth_tile")):
            flag = getattr(self, name)
            if flag is True:
                bits |= 1 << place
            elif flag is not False:
                raise ImpossibleHand("bad_flag", f"{name} must be true or false, not {shown(flag)}")
        for place, name in ((4, "seat_wind"), (6, "prevalent_wind")):
            wind = getattr(self, name)
            if not isinstance(wind, str) or len(wind) != 1 or wind not in WINDS:
                raise ImpossibleHand("bad_wind", f"{name} must be one of E, S, W, N, not {shown(wind)}")
            bits |= WINDS.index(wind) << place
        if self.kong and self.last_tile and not self.self_drawn:
            raise ImpossibleHand(
                "robbed_kong_on_last_tile",
                "a robbed kong and the last discard together: with the wall empty no kong may be declared",
            )
        if self.opening is not None:
            bits |= self._check_opening() << 8
        object.__setattr__(self, "packed", bits)

    def _check_opening(self) -> int:
        """Number of the opening win, 1-3, once it fits the rest."""
        try:
            opening = Opening(self.opening) if self.opening is not None else None
        except ValueError:
            opening = None
        if opening is None:
            known = ", ".join(Opening)
            raise ImpossibleHand("bad_opening", f"opening must be one of {known}, not {shown(self.opening)}")
        object.__setattr__(self, "opening", opening)
        seats = {Opening.HEAVENLY: "E", Opening.EARTHLY: "S", Opening.HUMAN: "WN"}[opening]
        if self.last_tile or self.kong or self.fourth_tile:
            raise ImpossibleHand(
                "opening_conflict", f"{opening} wins before any kong, and far from the last tile"
            )
        if opening is Opening.HEAVENLY and not self.self_drawn:
            raise ImpossibleHand(
                "opening_conflict", "天胡 is won on the dealt hand, not on a discard: self-drawn"
            )
        if self.seat_wind not in seats:
            raise ImpossibleHand(
                "opening_conflict",
                f"{opening} is won from seat {' or '.join(seats)}, not {self.seat_wind}; set the seat wind",
            )
        return list(Opening).index(opening) + 1


def check_together(hand: Hand, circumstances: Circumstances) -> None:
    """Refuse circumstances that this hand cannot have been won in.

    Raises :class:`ImpossibleHand` with ``replacement_without_kong``, ``robbed_tile_in_hand``,
    ``fourth_tile_in_hand`` or ``opening_conflict``.
    """
    if circumstances.packed & 12 == 0 and circumstances.opening is None:
        return
    winning = hand.winning_tile
    if circumstances.kong and circumstances.self_drawn and hand.packed.kongs == 0:
        raise ImpossibleHand("replacement_without_kong", "杠上开花 needs a kong in the hand; there is none")
    if circumstances.kong and not circumstances.self_drawn and hand.tiles.count(winning) > 1:
        raise ImpossibleHand(
            "robbed_tile_in_hand",
            f"a robbed kong holds the other three {winning}; the hand cannot hold one as well",
        )
    if circumstances.fourth_tile and winning in hand.concealed:
        raise ImpossibleHand(
            "fourth_tile_in_hand",
            f"和绝张 means the other three {winning} lie open; the concealed hand holds one",
        )
    if circumstances.opening is not None and hand.melds:
        raise ImpossibleHand("opening_conflict", f"{circumstances.opening} is won before any call or kong")
