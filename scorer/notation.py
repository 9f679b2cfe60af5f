"""Hands as text.

Canonical is the notation of the MCR community's GB-Mahjong library::

    concealed tiles [melds] winning tile | winds and flags | flowers
    345s3p55p5567p[7777s]4p|EE0100|cbagh

* tiles: ranks then suit (``2333m``; ``m`` characters, ``p`` dots, ``s`` bamboo), honours ``ESWN CFP``
  (East South West North, red green white); the last tile outside brackets is the winning tile;
* melds in brackets: ``[123m]``, ``[EEE]``, ``[7777s]`` a concealed kong, ``[7777s,1]`` a melded one. The
  number after the comma says whose tile was claimed (1-3, 5-7 for a kong added to a pung); it marks a
  melded kong and is otherwise read and dropped;
* ``|`` prevalent wind, seat wind, and four digits 0 or 1: self-drawn, 和绝张, last tile, kong;
* ``|`` flowers: a count, or letters ``a-h`` for 梅兰竹菊春夏秋冬.

Also read: MPSZ honours and flowers (``1234567z``, ``1f``), Unicode tiles (🀇 …; 🀫 for the outer tiles of a
concealed kong), full-width letters and digits, blanks between tiles, and ``+`` before the winning tile.

>>> hand, circumstances = parse_hand("77m 234p [777z] [3333s,1] 45s +6s")
>>> format_hand(hand, circumstances)
'77m234p45s[PPP][3333s,1]6s|EE0000'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, NoReturn

from scorer.circumstances import Circumstances, check_together
from scorer.errors import AmbiguousHand, HandError, ImpossibleHand, NotationError
from scorer.hand import Hand, Meld, MeldKind
from scorer.tiles import BACK, FACE_OF_UNICODE, FLOWERS, chinese

_HONOUR_LETTERS: Final = "ESWNCFP"
_FLOWER_LETTERS: Final = dict(zip("abcdefgh", ("5f", "6f", "7f", "8f", "1f", "2f", "3f", "4f"), strict=True))
_LETTER_OF_FLOWER: Final = {face: letter for letter, face in _FLOWER_LETTERS.items()}
_RUN = re.compile(r"([1-9]+)([mpszf])")
_FLAGS = re.compile(r"([ESWN])([ESWN])([01]{4})")
_BACK_CHARACTER = "\U0001f02b"
_VARIATION_SELECTORS = "︎️"


_NARROW: Final = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Full-width forms, as Chinese keyboards type them, to ASCII."""

_FLOWERS_ARE: Final = "flowers are a count 0-8 or letters a-h"
_SET_OF_TILES: Final = 144
_MOST_MELDS: Final = 4


class _Tile(NamedTuple):
    face: str
    position: int


class _Bracket(NamedTuple):
    tiles: list[_Tile]
    source: str
    position: int


def _fail(message: str, position: int) -> NoReturn:
    raise NotationError(f"{message} (at character {position + 1})", position)


def _scan_tiles(text: str, start: int, stop: int) -> tuple[list[_Tile], int]:
    """Tiles from ``start`` on, until something that is no tile; the place where that is."""
    tiles: list[_Tile] = []
    place = start
    while place < stop:
        char = text[place]
        if char.isspace() or char in _VARIATION_SELECTORS:
            place += 1
        elif char in _HONOUR_LETTERS:
            tiles.append(_Tile(f"{_HONOUR_LETTERS.index(char) + 1}z", place))
            place += 1
        elif char in _FLOWER_LETTERS:
            tiles.append(_Tile(_FLOWER_LETTERS[char], place))
            place += 1
        elif char in FACE_OF_UNICODE:
            tiles.append(_Tile(FACE_OF_UNICODE[char], place))
            place += 1
        elif char == _BACK_CHARACTER:
            tiles.append(_Tile(BACK, place))
            place += 1
        elif char.isascii() and char.isdigit():
            run = _RUN.match(text, place, stop)
            if run is None:
                _fail("ranks 1-9 must be followed by their suit, m p s or z", place)
            for offset, rank in enumerate(run[1]):
                if rank + run[2] in ("8z", "9z", "9f"):
                    _fail(f"there is no tile {rank}{run[2]}", place + offset)
                tiles.append(_Tile(rank + run[2], place + offset))
            place = run.end()
        else:
            break
    return tiles, place


def _scan_bracket(text: str, start: int, stop: int) -> tuple[_Bracket, int]:
    tiles, place = _scan_tiles(text, start + 1, stop)
    source = ""
    if place < stop and text[place] == ",":
        source = text[place + 1 : place + 2]
        if source not in ("1", "2", "3", "5", "6", "7"):
            _fail("after the comma stands whose tile was claimed: 1, 2, 3 (or 5, 6, 7)", place + 1)
        place += 2
    if place >= stop or text[place] != "]":
        _fail("this bracket is not closed after the tiles of one meld", start)
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
        raise _placed(error, bracket.position) from None


def _placed(error: ImpossibleHand, position: int) -> ImpossibleHand:
    placed = ImpossibleHand(error.code, f"{error.message} (at character {position + 1})")
    placed.position = position
    return placed


class _Body(NamedTuple):
    loose: list[_Tile]
    melds: tuple[Meld, ...]
    meld_tiles: list[_Tile]
    ends_with_meld: bool


def _scan_body(text: str, stop: int) -> _Body:
    loose: list[_Tile] = []
    brackets: list[_Bracket] = []
    place, marked = 0, -1
    ends_with_meld = False
    while place < stop:
        tiles, after = _scan_tiles(text, place, stop)
        loose += tiles
        ends_with_meld = ends_with_meld and not tiles
        place = after
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
            _fail(f"{text[place]!r} is no part of the notation", place)
    if marked >= 0 and marked != len(loose) - 1:
        _fail("exactly one tile, the winning tile, stands after +", text.index("+"))
    melds = tuple(map(_meld, brackets[: _MOST_MELDS + 1]))
    _check_size(loose, brackets)
    return _Body(loose, melds, [tile for each in brackets for tile in each.tiles], ends_with_meld)


def _check_size(loose: Sequence[_Tile], brackets: Sequence[_Bracket]) -> None:
    """Refuse what is far too much for a hand before it is looked at more closely."""
    if len(brackets) > _MOST_MELDS:
        raise _placed(
            ImpossibleHand("too_many_melds", f"{len(brackets)} melds; a hand has at most four"),
            brackets[_MOST_MELDS].position,
        )
    if len(loose) > _SET_OF_TILES:
        raise _placed(
            ImpossibleHand(
                "wrong_tile_count", f"{len(loose)} tiles; a whole set has {_SET_OF_TILES}, a hand 13 or 14"
            ),
            loose[_SET_OF_TILES].position,
        )


def _scan_fields(text: str) -> tuple[int, str | None, int, str | None, int]:
    """Where the tiles end; the flags and their place; the flowers and their place."""
    bars = [place for place, char in enumerate(text) if char == "|"]
    if len(bars) > 2:
        _fail("at most two | : winds and flags, then flowers", bars[2])
    stop = bars[0] if bars else len(text)
    flags = text[bars[0] + 1 : bars[1] if len(bars) > 1 else len(text)] if bars else None
    flowers = text[bars[1] + 1 :] if len(bars) > 1 else None
    return stop, flags, stop + 1, flowers, bars[1] + 1 if len(bars) > 1 else len(text)


def parse_flowers(text: str | None, position: int = 0) -> int | tuple[str, ...]:
    """Flowers as a count or letters; ``position`` is where the text stands in a longer one.

    Raises :class:`NotationError`, or :class:`ImpossibleHand` ``bad_flower_count``. Whether the letters can
    be there together is for the hand to say.
    """
    text = (text or "").translate(_NARROW)
    position += len(text) - len(text.lstrip())
    stripped = text.strip()
    if not stripped:
        return 0
    if stripped.isascii() and stripped.isdigit():
        count = stripped.lstrip("0") or "0"
        if count > "8" or len(count) > 1:
            told = count if len(count) < 6 else f"{count[:3]}… ({len(count)} digits)"
            raise _placed(
                ImpossibleHand("bad_flower_count", f"{told} flowers; a set of tiles has eight"), position
            )
        return int(count)
    try:
        tiles, end = _scan_tiles(stripped, 0, len(stripped))
    except NotationError as error:
        _fail(_FLOWERS_ARE, position + error.position)
    foreign = [tile.position for tile in tiles if tile.face not in FLOWERS]
    if foreign or end < len(stripped):
        _fail(_FLOWERS_ARE, position + min([*foreign, end]))
    return tuple(tile.face for tile in tiles)


def _circumstances(text: str | None, position: int) -> Circumstances:
    if text is None or not text.strip():
        return Circumstances()
    flags = _FLAGS.fullmatch(text.strip())
    if flags is None:
        _fail("after | stand prevalent wind, seat wind and four digits 0 or 1, as in EE0000", position)
    self_drawn, fourth, last, kong = (digit == "1" for digit in flags[3])
    try:
        return Circumstances(self_drawn, last, kong, fourth, flags[2], flags[1])
    except ImpossibleHand as error:
        raise _placed(error, position) from None


def _position_of(error: HandError, body: _Body, stop: int) -> int:
    """Where in the text the fault of an impossible hand lies."""
    tiles = sorted([*body.loose, *body.meld_tiles], key=lambda tile: tile.position)
    if error.code == "too_many_of_a_face":
        seen: Counter[str] = Counter()
        for tile in tiles:
            seen[tile.face] += 1
            if seen[tile.face] == 5:
                return tile.position
    if error.code in ("flower_in_hand", "face_down_tile"):
        return next(tile.position for tile in tiles if tile.face in FLOWERS or tile.face == BACK)
    if error.code in ("winning_tile_exhausted", "robbed_tile_in_hand", "fourth_tile_in_hand") and body.loose:
        return body.loose[-1].position
    return stop


def _check_no_flower(body: _Body, text: str) -> None:
    """Refuse a flower among the tiles by the letter that was typed, not by the face it stands for."""
    for tile in body.loose:
        if tile.face in FLOWERS:
            typed = text[tile.position]
            raise _placed(
                ImpossibleHand(
                    "flower_in_hand",
                    f"{tile.face if typed.isdigit() else typed} is the flower {chinese(tile.face)}; flowers "
                    "are laid aside: they stand after the second |, as in |EE0000|ab",
                ),
                tile.position,
            )


def _check_told(body: _Body, stop: int) -> None:
    """Refuse a text that leaves the winning tile or a kong open."""
    surplus = len(body.loose) + 3 * len(body.melds) - 14
    if surplus > 0:
        faces = [tile.face for tile in body.loose]
        kongs = sorted(face for face, count in Counter(faces).items() if count == 4)
        if 0 < surplus <= len(kongs):
            position = body.loose[faces.index(kongs[0])].position
            kong = format_tiles((kongs[0],) * 4)
            raise AmbiguousHand(
                f"{surplus} tile(s) too many: write each kong in brackets, [{kong}] if concealed, "
                f"[{kong},1] if melded (at character {position + 1})",
                position,
            )
    if body.ends_with_meld and surplus == 0:
        raise AmbiguousHand(
            f"a meld stands last, so the winning tile is not told; write it last (at character {stop + 1})",
            stop,
        )


def parse_hand(text: str) -> tuple[Hand, Circumstances]:
    """Read a hand of 14 tiles (and one for each kong), winning tile last.

    Raises :class:`NotationError`, :class:`AmbiguousHand` or :class:`ImpossibleHand`, each with
    ``position``.
    """
    text = text.translate(_NARROW)
    stop, flags, flags_at, flowers, flowers_at = _scan_fields(text)
    body = _scan_body(text, stop)
    if not body.loose and not body.melds:
        _fail("there are no tiles", 0)
    _check_no_flower(body, text)
    _check_told(body, stop)
    circumstances = _circumstances(flags, flags_at)
    aside = parse_flowers(flowers, flowers_at)
    faces = [tile.face for tile in body.loose]
    try:
        if not faces:
            raise ImpossibleHand("wrong_tile_count", "only melds; the pair is missing")
        hand = Hand(tuple(faces[:-1]), body.melds, faces[-1], aside)
        check_together(hand, circumstances)
    except ImpossibleHand as error:
        at = flowers_at if error.code in ("bad_flower_count", "two_of_one_flower") else stop
        raise _placed(error, _position_of(error, body, at)) from None
    return hand, circumstances


def parse_tiles(text: str) -> tuple[tuple[str, ...], tuple[Meld, ...], int | tuple[str, ...], Circumstances]:
    """Concealed tiles, melds, flowers and circumstances of any number of tiles, for hands not yet won.

    The same notation without a winning tile. Raises :class:`NotationError` or :class:`ImpossibleHand`.
    """
    text = text.translate(_NARROW)
    stop, flags, flags_at, flowers, flowers_at = _scan_fields(text)
    body = _scan_body(text, stop)
    if not body.loose and not body.melds:
        _fail("there are no tiles", 0)
    faces = tuple(tile.face for tile in body.loose)
    return faces, body.melds, parse_flowers(flowers, flowers_at), _circumstances(flags, flags_at)


def format_tiles(faces: Sequence[str]) -> str:
    """Faces as text in the order given, ranks of one suit drawn together.

    >>> format_tiles(["1m", "2m", "1z", "7z", "5f"])
    '12mEPa'
    """
    text = ""
    for place, face in enumerate(faces):
        if face in _LETTER_OF_FLOWER:
            text += _LETTER_OF_FLOWER[face]
        elif face[1] == "z":
            text += _HONOUR_LETTERS[int(face[0]) - 1]
        else:
            more = place + 1 < len(faces) and faces[place + 1][1] == face[1]
            text += face[0] if more else face
    return text


def format_meld(meld: Meld) -> str:
    """A meld as text, a melded kong told apart by ``,1``."""
    return f"[{format_tiles(meld.tiles)}{',1' if meld.kind is MeldKind.MELDED_KONG else ''}]"


def format_hand(hand: Hand, circumstances: Circumstances) -> str:
    """The canonical text; :func:`parse_hand` reads it back. An opening win has no place in it."""
    flags = "".join(
        str(int(flag))
        for flag in (
            circumstances.self_drawn,
            circumstances.fourth_tile,
            circumstances.last_tile,
            circumstances.kong,
        )
    )
    winds = circumstances.prevalent_wind + circumstances.seat_wind
    flowers = ""
    if hand.flowers:
        flowers = f"|{hand.flowers if isinstance(hand.flowers, int) else format_tiles(hand.flowers)}"
    melds = "".join(map(format_meld, hand.melds))
    return f"{format_tiles(hand.concealed)}{melds}{format_tiles([hand.winning_tile])}|{winds}{flags}{flowers}"
