"""Scanning: from characters to tiles, melds and fields, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

from scorer.errors import ImpossibleHand, NotationError
from scorer.hand import Meld, MeldKind
from scorer.tiles import BACK, FACE_OF_UNICODE

HONOUR_LETTERS: Final = "ESWNCFP"
"""The letters of 1z-7z."""
FLOWER_LETTERS: Final = dict(zip("abcdefgh", ("5f", "6f", "7f", "8f", "1f", "2f", "3f", "4f"), strict=True))
NARROW: Final = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Full-width characters, as Chinese keyboards type them, to ASCII."""

_RUN: Final = re.compile(r"([1-9]+)([mpszf])")
_BACK_CHARACTER: Final = "\U0001f02b"
_VARIATION_SELECTORS: Final = "︎️"
_SET_OF_TILES: Final = 144
_MOST_MELDS: Final = 4


class PlacedTile(NamedTuple):
    """A tile and where it stands in the text, in characters from 0."""

    face: str
    position: int


class _Bracket(NamedTuple):
    tiles: list[PlacedTile]
    source: str
    position: int


@dataclass(frozen=True, slots=True)
class Body:
    """The tiles of a text, without winds, flags and flowers."""

    loose: list[PlacedTile]
    """The tiles outside brackets."""
    melds: tuple[Meld, ...]
    meld_tiles: list[PlacedTile]
    ends_with_meld: bool


class Fields(NamedTuple):
    """The parts of a text that ``|`` separates, and where they start; None if a part is missing."""

    end_of_tiles: int
    flags: str | None
    flags_at: int
    flowers: str | None
    flowers_at: int


def fail(message: str, position: int) -> NoReturn:
    """Refuse text that is not the notation."""
    raise NotationError(f"{message} (at character {position + 1})", position)


def placed(error: ImpossibleHand, position: int) -> ImpossibleHand:
    """The same error with its place in the text."""
    copy = ImpossibleHand(error.code, f"{error.message} (at character {position + 1})")
    copy.position = position
    return copy


def scan_fields(text: str) -> Fields:
    """Split a text at ``|``."""
    bars = [place for place, char in enumerate(text) if char == "|"]
    if len(bars) > 2:
        fail("a third |; a hand has at most two: one before winds and flags, one before flowers", bars[2])
    stop = bars[0] if bars else len(text)
    flags = text[bars[0] + 1 : bars[1] if len(bars) > 1 else len(text)] if bars else None
    flowers = text[bars[1] + 1 :] if len(bars) > 1 else None
    return Fields(stop, flags, stop + 1, flowers, bars[1] + 1 if len(bars) > 1 else len(text))


def scan_tiles(text: str, start: int, stop: int) -> tuple[list[PlacedTile], int]:
    """The tiles from ``start`` on, and the place of the first character that is not part of a tile."""
    tiles: list[PlacedTile] = []
    place = start
    while place < stop:
        char = text[place]
        if char.isascii() and char.isdigit():
            run, place = _scan_run(text, place, stop)
            tiles += run
            continue
        if char in HONOUR_LETTERS:
            tiles.append(PlacedTile(f"{HONOUR_LETTERS.index(char) + 1}z", place))
        elif char in FLOWER_LETTERS:
            tiles.append(PlacedTile(FLOWER_LETTERS[char], place))
        elif char in FACE_OF_UNICODE:
            tiles.append(PlacedTile(FACE_OF_UNICODE[char], place))
        elif char == _BACK_CHARACTER:
            tiles.append(PlacedTile(BACK, place))
        elif not char.isspace() and char not in _VARIATION_SELECTORS:
            break
        place += 1
    return tiles, place


def _scan_run(text: str, start: int, stop: int) -> tuple[list[PlacedTile], int]:
    """The tiles of ranks with their suit, and the place after them."""
    run = _RUN.match(text, start, stop)
    if run is None:
        fail("expected ranks 1-9 and then their suit: m, p, s or z", start)
    tiles = [PlacedTile(rank + run[2], start + offset) for offset, rank in enumerate(run[1])]
    for tile in tiles:
        if tile.face in ("8z", "9z", "9f"):
            fail(f"there is no tile {tile.face}; honours are 1z-7z, flowers 1f-8f", tile.position)
    return tiles, run.end()


def scan_body(text: str, stop: int) -> Body:
    """The tiles and melds of ``text`` up to ``stop``."""
    loose: list[PlacedTile] = []
    brackets: list[_Bracket] = []
    place, marked = 0, -1
    ends_with_meld = False
    while place < stop:
        tiles, place = scan_tiles(text, place, stop)
        loose += tiles
        ends_with_meld = ends_with_meld and not tiles
        if place >= stop:
            break
        if text[place] == "[":
            bracket, place = _scan_bracket(text, place, stop)
            brackets.append(bracket)
            ends_with_meld = True
        elif text[place] == "+" and marked < 0:
            marked = len(loose)
            place += 1
        else:
            fail(
                f"{text[place]!r} is not part of the notation; expected a tile, a meld as in [123m], or |",
                place,
            )
    if marked >= 0 and marked != len(loose) - 1:
        fail("expected one tile after +, the winning tile", text.index("+"))
    if not loose and not brackets:
        fail("there are no tiles; expected a hand such as 123m456m789p12s99s3s", 0)
    melds = tuple(map(_meld, brackets[: _MOST_MELDS + 1]))
    _check_size(loose, brackets)
    return Body(loose, melds, [tile for each in brackets for tile in each.tiles], ends_with_meld)


def _scan_bracket(text: str, start: int, stop: int) -> tuple[_Bracket, int]:
    tiles, place = scan_tiles(text, start + 1, stop)
    source = ""
    if place < stop and text[place] == ",":
        source = text[place + 1 : place + 2]
        if source not in ("1", "2", "3", "5", "6", "7"):
            fail("expected whose tile was claimed after the comma: 1, 2 or 3, or 5, 6 or 7", place + 1)
        place += 2
    if place >= stop or text[place] != "]":
        fail("this bracket is not closed; expected ] after the tiles of one meld", start)
    return _Bracket(tiles, source, start), place + 1


def _meld(bracket: _Bracket) -> Meld:
    faces = [tile.face for tile in bracket.tiles]
    known = [face for face in faces if face != BACK]
    if BACK in faces and len(faces) == 4 and known and len(set(known)) == 1:
        faces = [known[0]] * 4
    if len(faces) == 4:
        kind = MeldKind.MELDED_KONG if bracket.source else MeldKind.CONCEALED_KONG
    else:
        kind = MeldKind.PUNG if len(set(faces)) == 1 else MeldKind.CHOW
    try:
        return Meld(kind, tuple(faces))
    except ImpossibleHand as error:
        raise placed(error, bracket.position) from None


def _check_size(loose: Sequence[PlacedTile], brackets: Sequence[_Bracket]) -> None:
    """Refuse far too many tiles before anything looks at them more closely."""
    if len(brackets) > _MOST_MELDS:
        error = ImpossibleHand("too_many_melds", f"{len(brackets)} melds; a hand has at most four")
        raise placed(error, brackets[_MOST_MELDS].position)
    if len(loose) > _SET_OF_TILES:
        message = f"{len(loose)} tiles; a hand has 13 or 14, a whole set {_SET_OF_TILES}"
        raise placed(ImpossibleHand("wrong_tile_count", message), loose[_SET_OF_TILES].position)
