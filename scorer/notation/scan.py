"""Scanning: from characters to tiles, melds and fields, each with its place in the text."""

from __future__ import annotations

import re
from typing import Final

from scorer.errors import AmbiguousHand
from scorer.notation.dialects import DIGITS, NAME, RUN, SUITS, face_named
from scorer.notation.model import MOST_MELDS, Body, Bracket, Fields, PlacedTile, check_size, fail, meld_of
from scorer.tiles import BACK, FACE_OF_UNICODE, chinese

HONOUR_LETTERS: Final = "ESWNCFP"
"""The letters of 1z-7z."""
FLOWER_LETTERS: Final = dict(zip("abcdefgh", ("5f", "6f", "7f", "8f", "1f", "2f", "3f", "4f"), strict=True))

_BACK_CHARACTER: Final = "\U0001f02b"
_VARIATION_SELECTORS: Final = "︎️"
_RED_FIVE: Final = re.compile(r"[0-9]*0[0-9]*[mps]")


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
        if char in DIGITS or char == "0":
            run, place = _scan_run(text, place, stop)
            tiles += run
            continue
        name = NAME.match(text, place, stop)
        if name is not None:
            tiles.append(PlacedTile(face_named(name[0]), place))
            place = name.end()
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
    run = RUN.match(text, start, stop)
    if run is None and _RED_FIVE.match(text, start, stop):
        fail(
            "0 is a red five in riichi tools: write 5. Such tools also have 5z for 白 and 7z for 中, which here are 7z "
            "and 5z: are the dragons of this hand in that order?",
            start,
        )
    if run is None:
        fail("expected ranks 1-9 and then their suit: m, p, s or z; also w b t, or 万 饼 条", start)
    suit = SUITS[run[2]]
    tiles = [PlacedTile(f"{DIGITS[rank]}{suit}", start + offset) for offset, rank in enumerate(run[1])]
    for tile in tiles:
        if tile.face in ("8z", "9z", "9f"):
            fail(f"there is no tile {tile.face}; honours are 1z-7z, flowers 1f-8f", tile.position)
    return tiles, run.end()


def scan_body(text: str, stop: int) -> Body:
    """The tiles and melds of ``text`` up to ``stop``."""
    loose: list[PlacedTile] = []
    brackets: list[Bracket] = []
    place, marked = 0, -1
    ends_with_meld = False
    while place < stop:
        tiles, place = scan_tiles(text, place, stop)
        loose += tiles
        ends_with_meld = ends_with_meld and not tiles
        if place >= stop:
            break
        if text[place] in "[(":
            bracket, place = _scan_bracket(text, place, stop)
            brackets.append(bracket)
            ends_with_meld = True
        elif text[place] == "+" and marked < 0:
            marked = len(loose)
            place += 1
        else:
            fail(
                f"{text[place]!r} is not part of the notation; expected a tile, a meld as in [123m], or |"
                f"{_capital_hint(text[place])}",
                place,
            )
    _check_letters(text[:stop])
    if marked >= 0 and marked != len(loose) - 1:
        fail("expected one tile after +, the winning tile", text.index("+"))
    if not loose and not brackets:
        fail("there are no tiles; expected a hand such as 123m456m789p12s99s3s", 0)
    melds = tuple(map(meld_of, brackets[: MOST_MELDS + 1]))
    check_size(loose, brackets)
    return Body(loose, melds, [tile for each in brackets for tile in each.tiles], ends_with_meld)


def _scan_bracket(text: str, start: int, stop: int) -> tuple[Bracket, int]:
    tiles, place = scan_tiles(text, start + 1, stop)
    source = ""
    if place < stop and text[place] == ",":
        source = text[place + 1 : place + 2]
        if source not in ("1", "2", "3", "5", "6", "7"):
            fail("expected whose tile was claimed after the comma: 1, 2 or 3, or 5, 6 or 7", place + 1)
        place += 2
    if place >= stop or text[place] not in "])":
        fail("this bracket is not closed; expected ] after the tiles of one meld", start)
    return Bracket(tiles, source, start), place + 1


def _capital_hint(char: str) -> str:
    """What to write for an honour that somebody typed as a small letter."""
    capital = char.upper()
    if char == capital or capital not in HONOUR_LETTERS:
        return ""
    face = f"{HONOUR_LETTERS.index(capital) + 1}z"
    return f"; {chinese(face)} is written with a capital letter, {capital}"


def _check_letters(text: str) -> None:
    """Refuse ``b`` as a suit where nothing says whose letter it is."""
    letter = re.search(r"[1-9]b", text)
    if letter is not None and not re.search(r"[1-9][wt]", text):
        place = letter.end() - 1
        raise AmbiguousHand(
            "b may be dots (饼, beside w and t) or bamboo (beside c and d): write p for dots or s for bamboo "
            f"(at character {place + 1})",
            place,
        )
