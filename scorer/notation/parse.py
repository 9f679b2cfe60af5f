"""Reading hands in the notation."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from scorer.circumstances import Circumstances, check_together
from scorer.errors import AmbiguousHand, HandError, ImpossibleHand, NotationError
from scorer.hand import Hand, Meld, counted
from scorer.notation.botzone import scan_botzone
from scorer.notation.dialects import NARROW, is_botzone
from scorer.notation.model import Body, fail, placed
from scorer.notation.scan import HONOUR_LETTERS, scan_body, scan_fields, scan_tiles
from scorer.notation.write import format_tiles
from scorer.tiles import BACK, FLOWERS, chinese

_FLAGS: Final = re.compile(r"([ESWN])([ESWN])([01]{4})")
_FLOWERS_EXPECTED: Final = "expected flowers as a count 0-8 or as letters a-h"


def parse_hand(text: str) -> tuple[Hand, Circumstances]:
    """Read a hand of 14 tiles, and one more for each kong, with the winning tile last.

    Raises :class:`NotationError`, :class:`AmbiguousHand` or :class:`ImpossibleHand`, each with its
    ``position``.
    """
    text = text.translate(NARROW)
    fields = scan_fields(text)
    body = _scanned(text, fields.end_of_tiles)
    _check_no_flower(body, text)
    _check_unambiguous(body, fields.end_of_tiles)
    circumstances = _circumstances(fields.flags, fields.flags_at)
    flowers = parse_flowers(fields.flowers, fields.flowers_at)
    faces = [tile.face for tile in body.loose]
    try:
        if not faces:
            raise ImpossibleHand("wrong_tile_count", "the hand has only melds; the pair is missing")
        hand = Hand(tuple(faces[:-1]), body.melds, faces[-1], flowers)
        check_together(hand, circumstances)
    except ImpossibleHand as error:
        of_flowers = error.code in ("bad_flower_count", "two_of_one_flower")
        at = fields.flowers_at if of_flowers else _position_of(error, body, fields.end_of_tiles)
        if error.code == "wrong_tile_count" and len(faces) + 3 * len(body.melds) == 13:
            words = "these 13 tiles have no winning tile yet; `fanlens waits` lists what they wait for"
            error = ImpossibleHand(error.code, words)
        raise placed(error, at) from None
    return hand, circumstances


def _scanned(text: str, stop: int) -> Body:
    return scan_botzone(text, stop) if is_botzone(text[:stop]) else scan_body(text, stop)


def says_winds(text: str) -> bool:
    """Whether a text says the winds.

    >>> says_winds("123m456m789p12s99s3s"), says_winds("123m456m789p12s99s3s|ES0000")
    (False, True)
    """
    return bool((scan_fields(text.translate(NARROW)).flags or "").strip())


def numbers_a_dragon(text: str) -> bool:
    """Whether a text has the red or the white dragon by number, which riichi tools have the other way round.

    >>> numbers_a_dragon("12355z"), numbers_a_dragon("123m6z"), numbers_a_dragon("123mCC")
    (True, False, False)
    """
    fields = scan_fields(text.translate(NARROW))
    return bool(re.search(r"[1-7]*[57][1-7]*[zZ]", text.translate(NARROW)[: fields.end_of_tiles]))


def parse_tiles(text: str) -> tuple[tuple[str, ...], tuple[Meld, ...], int | tuple[str, ...], Circumstances]:
    """Read concealed tiles, melds, flowers and circumstances of a hand that has not won.

    The notation is the same, but no tile is the winning tile, and any number of tiles will do. Raises
    :class:`NotationError` or :class:`ImpossibleHand`.
    """
    text = text.translate(NARROW)
    fields = scan_fields(text)
    body = _scanned(text, fields.end_of_tiles)
    faces = tuple(tile.face for tile in body.loose)
    flowers = parse_flowers(fields.flowers, fields.flowers_at)
    return faces, body.melds, flowers, _circumstances(fields.flags, fields.flags_at)


def parse_flowers(text: str | None, position: int = 0) -> int | tuple[str, ...]:
    """Read flowers as a count or as letters; ``position`` is where the text starts in a longer one.

    Raises :class:`NotationError`, or :class:`ImpossibleHand` ``bad_flower_count``. :class:`Hand` checks that
    no flower appears twice.
    """
    text = (text or "").translate(NARROW)
    position += len(text) - len(text.lstrip())
    stripped = text.strip()
    if not stripped:
        return 0
    if stripped.isascii() and stripped.isdigit():
        count = stripped.lstrip("0") or "0"
        if count > "8" or len(count) > 1:
            shown = count if len(count) < 6 else f"{count[:3]}… ({len(count)} digits)"
            message = f"the number of flowers must be 0 to 8, not {shown}"
            raise placed(ImpossibleHand("bad_flower_count", message), position)
        return int(count)
    try:
        tiles, end = scan_tiles(stripped, 0, len(stripped))
    except NotationError as error:
        fail(_FLOWERS_EXPECTED, position + error.position)
    foreign = [tile.position for tile in tiles if tile.face not in FLOWERS]
    if foreign or end < len(stripped):
        fail(_FLOWERS_EXPECTED, position + min([*foreign, end]))
    return tuple(tile.face for tile in tiles)


def _circumstances(text: str | None, position: int) -> Circumstances:
    if text is None or not text.strip():
        return Circumstances()
    flags = _FLAGS.fullmatch(text.strip())
    if flags is None:
        fail(
            "expected prevalent wind, seat wind (E, S, W or N) and four digits 0 or 1 after |, as in |EE0000",
            position,
        )
    self_drawn, fourth, last, kong = (digit == "1" for digit in flags[3])
    try:
        return Circumstances(self_drawn, last, kong, fourth, flags[2], flags[1])
    except ImpossibleHand as error:
        raise placed(error, position) from None


def _position_of(error: HandError, body: Body, stop: int) -> int:
    """Where in the text the fault of an impossible hand lies; ``stop`` if in no tile."""
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


def _check_no_flower(body: Body, text: str) -> None:
    """Refuse a flower among the tiles; the message names the letter typed, not the face it stands for."""
    for tile in body.loose:
        if tile.face in FLOWERS:
            typed = text[tile.position]
            capital = typed.upper()
            honour = ""
            if typed != capital and capital in HONOUR_LETTERS:
                face = f"{HONOUR_LETTERS.index(capital) + 1}z"
                honour = f"; {chinese(face)} is written with a capital letter, {capital}"
            error = ImpossibleHand(
                "flower_in_hand",
                f"{tile.face if typed.isdigit() else typed} is the flower {chinese(tile.face)}; write flowers "
                f"after the second |, as in |EE0000|ab{honour}",
            )
            raise placed(error, tile.position)


def _check_unambiguous(body: Body, stop: int) -> None:
    """Refuse text that does not say which tile is the winning tile, or which tiles are a kong."""
    surplus = len(body.loose) + 3 * len(body.melds) - 14
    if surplus > 0:
        faces = [tile.face for tile in body.loose]
        kongs = sorted(face for face, count in Counter(faces).items() if count == 4)
        if 0 < surplus <= len(kongs):
            position = body.loose[faces.index(kongs[0])].position
            kong = format_tiles((kongs[0],) * 4)
            raise AmbiguousHand(
                f"{counted(surplus, 'tile')} too many: write each kong in brackets, [{kong}] if concealed, "
                f"[{kong},1] if melded (at character {position + 1})",
                position,
            )
    if body.ends_with_meld and surplus == 0:
        raise AmbiguousHand(
            f"a meld stands last, so the winning tile is unknown; write it last (at character {stop + 1})",
            stop,
        )
