"""A drop-in for PyMahjongGB: the same calls, arguments and answers, for bots written for Botzone.

Change ``from MahjongGB import MahjongFanCalculator, MahjongShanten`` to ``from scorer.botzone import …`` and nothing
else. Tiles are ``W1``-``W9`` characters, ``B1``-``B9`` dots, ``T1``-``T9`` bamboo, ``F1``-``F4`` winds, and
``J1``-``J3`` the red, green and white dragon. A pack is ``(kind, tile, offer)``: ``CHI`` with its middle tile,
``PENG`` or ``GANG``; offer 0 stands for a concealed kong.

>>> hand = ("W1", "W2", "W3", "W4", "W5", "W6", "B7", "B8", "T1", "T1", "F1", "F1", "F1")
>>> MahjongFanCalculator((), hand, "B9", 0, True, False, False, False, 0, 0)
((4, '不求人'), (2, '圈风刻'), (2, '门风刻'), (1, '连六'))
>>> MahjongShanten((), hand)
0
"""

# The names of the functions and of their parameters are PyMahjongGB's.
# ruff: noqa: N802, N803

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, overload

from scorer.circumstances import Circumstances
from scorer.errors import FanlensError, HandError, NotWinning
from scorer.hand import Hand, Meld, MeldKind
from scorer.scoring import score
from scorer.tiles import FACE_INDEX, SUIT_AND_HONOUR_FACES, WINDS
from scorer.winning.distance import missing_by_shape

__all__ = ["BotzoneError", "MahjongFanCalculator", "MahjongShanten", "face_of", "tile_of"]

Pack = tuple[str, str, int]

_LETTERS: Final = {"m": "W", "p": "B", "s": "T"}


def tile_of(face: str) -> str:
    """The Botzone code of a face: ``5z`` is ``J1``, ``3p`` is ``B3``."""
    rank = int(face[0])
    if face[1] == "z":
        return f"F{rank}" if rank <= 4 else f"J{rank - 4}"
    return f"{_LETTERS[face[1]]}{rank}"


_FACES: Final[Mapping[str, str]] = {tile_of(face): face for face in SUIT_AND_HONOUR_FACES}

#: PyMahjongGB's names for what it calls otherwise, with its English.
_NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "边张": ("独听・边张", "Edge Wait"),
    "坎张": ("独听・嵌张", "Closed Wait"),
    "单钓将": ("独听・单钓", "Single Wait"),
    "明暗杠": ("明暗杠", "Concealed Kong and Melded Kong"),
    "双箭刻": ("双箭刻", "Two Dragons Pungs"),
    "抢杠和": ("抢杠和", "Robbing The Kong"),
    "全带五": ("全带五", "All Five"),
}


class BotzoneError(FanlensError, TypeError):
    """An argument PyMahjongGB refuses: ``str()`` gives its code, ``message`` says what is wrong.

    Bots compare the text with ``ERROR_NOT_WIN``, so the text is the code alone.
    """

    def __str__(self) -> str:
        """PyMahjongGB's code."""
        return self.code


def face_of(tile: str) -> str:
    """The face of a Botzone code. Raises :class:`BotzoneError` ``ERROE_WRONG_TILE_CODE``, spelt as there."""
    try:
        return _FACES[tile]
    except (KeyError, TypeError):
        raise BotzoneError(
            "ERROE_WRONG_TILE_CODE", f"{tile!r} is not one of W1-W9, B1-B9, T1-T9, F1-F4, J1-J3"
        ) from None


@lru_cache(maxsize=1024)
def _meld(kind: str, tile: str, offer: int) -> Meld:
    face = face_of(tile)
    if not 0 <= offer <= 3:
        raise BotzoneError("ERROE_WRONG_OFFER_CODE", f"an offer is 0, 1, 2 or 3, not {offer!r}")
    match kind:
        case "PENG":
            return Meld(MeldKind.PUNG, (face,) * 3)
        case "GANG":
            return Meld(MeldKind.MELDED_KONG if offer else MeldKind.CONCEALED_KONG, (face,) * 4)
        case "CHI" if face[1] != "z" and "2" <= face[0] <= "8":
            middle = int(face[0])
            return Meld(MeldKind.CHOW, tuple(f"{rank}{face[1]}" for rank in (middle - 1, middle, middle + 1)))
        case "CHI":
            raise BotzoneError("ERROE_WRONG_TILE_CODE", f"{tile} cannot be the middle of a chow")
    raise BotzoneError("ERROE_WRONG_PACK_CODE", f"{kind!r} is not one of CHI, PENG, GANG")


def _tuple(value: object, name: str) -> None:
    if not isinstance(value, tuple):
        raise BotzoneError(
            f"Param `{name}` must be a tuple!", f"{name} is a {type(value).__name__}, not a tuple"
        )


def _melds(pack: tuple[Pack, ...]) -> tuple[Meld, ...]:
    _tuple(pack, "pack")
    try:
        return tuple(_meld(kind, tile, offer) for kind, tile, offer in pack)
    except (TypeError, ValueError) as error:
        if isinstance(error, BotzoneError):
            raise
        raise BotzoneError(
            "ERROE_WRONG_PACK_CODE", "a pack is a tuple of a kind, a tile and an offer"
        ) from error


def _checked(pack: tuple[Pack, ...], hand: tuple[str, ...], code: str) -> tuple[Meld, ...]:
    """The melds, once both arguments are tuples that make 13 tiles together; else `BotzoneError` with ``code``."""
    melds = _melds(pack)
    _tuple(hand, "hand")
    if len(hand) + 3 * len(melds) != 13:
        raise BotzoneError(code, f"{len(melds)} packs need {13 - 3 * len(melds)} tiles, not {len(hand)}")
    return melds


@overload
def MahjongFanCalculator(
    pack: tuple[Pack, ...],
    hand: tuple[str, ...],
    winTile: str,
    flowerCount: int,
    isSelfDrawn: bool,
    is4thTile: bool,
    isAboutKong: bool,
    isWallLast: bool,
    seatWind: int,
    prevalentWind: int,
    verbose: Literal[False] = False,
) -> tuple[tuple[int, str], ...]: ...
@overload
def MahjongFanCalculator(
    pack: tuple[Pack, ...],
    hand: tuple[str, ...],
    winTile: str,
    flowerCount: int,
    isSelfDrawn: bool,
    is4thTile: bool,
    isAboutKong: bool,
    isWallLast: bool,
    seatWind: int,
    prevalentWind: int,
    verbose: Literal[True],
) -> tuple[tuple[int, int, str, str], ...]: ...
def MahjongFanCalculator(
    pack: tuple[Pack, ...],
    hand: tuple[str, ...],
    winTile: str,
    flowerCount: int,
    isSelfDrawn: bool,
    is4thTile: bool,
    isAboutKong: bool,
    isWallLast: bool,
    seatWind: int,
    prevalentWind: int,
    verbose: bool = False,
) -> tuple[tuple[int, str], ...] | tuple[tuple[int, int, str, str], ...]:
    """The fans of a winning hand as ``(points, name)``, or ``(points of one, count, name, English)`` if ``verbose``.

    Winds are 0 to 3 for East, South, West and North. Where two readings have equal totals, PyMahjongGB may list the
    other one. Like PyMahjongGB this ignores ``isAboutKong`` for a self-drawn win without a kong.

    Raises :class:`BotzoneError`: ``ERROR_NOT_WIN``, ``ERROR_WRONG_TILES_COUNT`` or another code of PyMahjongGB, and
    ``ERROR_IMPOSSIBLE`` for a win no table can produce, which PyMahjongGB may score.
    """
    melds = _checked(pack, hand, "ERROR_WRONG_TILES_COUNT")
    kong = bool(isAboutKong) and (not isSelfDrawn or any(meld.is_kong for meld in melds))
    try:
        declared = Hand(tuple([face_of(tile) for tile in hand]), melds, face_of(winTile), flowerCount)
        circumstances = Circumstances(
            self_drawn=bool(isSelfDrawn),
            last_tile=bool(isWallLast),
            kong=kong,
            fourth_tile=bool(is4thTile),
            seat_wind=WINDS[seatWind],
            prevalent_wind=WINDS[prevalentWind],
        )
        result = score(declared, circumstances)
    except NotWinning as error:
        raise BotzoneError("ERROR_NOT_WIN", error.message) from error
    except IndexError as error:
        raise BotzoneError("ERROR_IMPOSSIBLE", "winds are 0 to 3 for East, South, West and North") from error
    except HandError as error:
        raise BotzoneError("ERROR_IMPOSSIBLE", error.message) from error
    # PyMahjongGB lists the fan it knows beyond the 81 last; sorting is stable.
    found = sorted(((fan.fan, fan.count) for fan in result.fans), key=lambda award: award[0].name == "明暗杠")
    if verbose:
        return tuple(
            (fan.points, count, *_NAMES.get(fan.name, (fan.name, fan.english))) for fan, count in found
        )
    return tuple((fan.points * count, _NAMES.get(fan.name, (fan.name,))[0]) for fan, count in found)


def MahjongShanten(pack: tuple[Pack, ...], hand: tuple[str, ...]) -> int:
    """How many tiles 13 tiles are from being ready: 0 when one more tile wins.

    Copies that lie in packs or are used up are not counted, as in PyMahjongGB; :func:`scorer.tiles_from_ready`
    counts them. Raises :class:`BotzoneError` ``ERROR_INVALID_HAND_OR_PACK``.
    """
    melds = _checked(pack, hand, "ERROR_INVALID_HAND_OR_PACK")
    counts = [0] * 34
    for tile in hand:
        counts[FACE_INDEX[face_of(tile)]] += 1
    return min(missing_by_shape(counts, [14] * 34, len(melds)).values()) - 1
