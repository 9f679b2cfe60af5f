"""Writing hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

from scorer.circumstances import Circumstances
from scorer.hand import Hand, Meld, MeldKind
from scorer.notation.dialects import BOTZONE, TRADITIONAL
from scorer.notation.scan import FLOWER_LETTERS, HONOUR_LETTERS
from scorer.tiles import chinese, unicode_tile

_LETTER_OF_FLOWER: Final = {face: letter for letter, face in FLOWER_LETTERS.items()}


def format_tiles(faces: Sequence[str]) -> str:
    """Faces as text in the order given, the ranks of one suit together.

    >>> format_tiles(["1m", "2m", "1z", "7z", "5f"])
    '12mEPa'
    """
    text = ""
    for place, face in enumerate(faces):
        if face in _LETTER_OF_FLOWER:
            text += _LETTER_OF_FLOWER[face]
        elif face[1] == "z":
            text += HONOUR_LETTERS[int(face[0]) - 1]
        else:
            more = place + 1 < len(faces) and faces[place + 1][1] == face[1]
            text += face[0] if more else face
    return text


def format_meld(meld: Meld) -> str:
    """A meld as text; ``,1`` marks a melded kong."""
    return f"[{format_tiles(meld.tiles)}{',1' if meld.kind is MeldKind.MELDED_KONG else ''}]"


class Notation(StrEnum):
    """The notations that :func:`format_hand` writes."""

    CANONICAL = "canonical"
    MPSZ = "mpsz"
    WBT = "wbt"
    """``1w 2b 3t``, honours as letters; a hand of dots and honours only is written the canonical way."""
    CHINESE = "chinese"
    TRADITIONAL = "traditional"
    UNICODE = "unicode"
    BOTZONE = "botzone"


def format_hand(
    hand: Hand, circumstances: Circumstances, notation: Notation | str = Notation.CANONICAL
) -> str:
    """The text of a hand, which :func:`parse_hand` reads back.

    Winds, flags and flowers are always written the canonical way. The notation has no place for an opening win, so the
    text leaves it out. Raises ValueError for an unknown ``notation``.

    >>> from scorer.notation import parse_hand
    >>> won = parse_hand("77m45s[PPP][3333s,1]234p6s")
    >>> for notation in Notation: print(format_hand(*won, notation).partition("|")[0])
    77m234p45s[PPP][3333s,1]6s
    77m234p45s[777z][3333s,1]6s
    77w234b45t[PPP][3333t,1]6t
    七万七万二饼三饼四饼四条五条[白白白][三条三条三条三条,1]六条
    七萬七萬二餅三餅四餅四條五條[白白白][三條三條三條三條,1]六條
    🀍🀍🀚🀛🀜🀓🀔[🀆🀆🀆][🀒🀒🀒🀒,1]🀕
    PENG J3 1 GANG T3 1 W7 W7 B2 B3 B4 T4 T5 T6
    """
    flags = (
        circumstances.self_drawn,
        circumstances.fourth_tile,
        circumstances.last_tile,
        circumstances.kong,
    )
    digits = "".join(str(int(flag)) for flag in flags)
    winds = circumstances.prevalent_wind + circumstances.seat_wind
    flowers = ""
    if hand.flowers:
        flowers = f"|{hand.flowers if isinstance(hand.flowers, int) else format_tiles(hand.flowers)}"
    return f"{_tiles_of(hand, Notation(notation))}|{winds}{digits}{flowers}"


def _tiles_of(hand: Hand, notation: Notation) -> str:
    """Concealed tiles, melds and the winning tile."""
    if notation is Notation.BOTZONE:
        codes = [BOTZONE[face] for face in (*hand.concealed, hand.winning_tile)]
        return " ".join([*map(_pack, hand.melds), *codes])
    if notation is Notation.WBT and all(face[1] in "pz" for face in hand.tiles):
        # A b means dots only beside w or t.
        notation = Notation.CANONICAL
    written = _WRITERS[notation]
    melds = [
        f"[{written(meld.tiles)}{',1' if meld.kind is MeldKind.MELDED_KONG else ''}]" for meld in hand.melds
    ]
    return f"{written(hand.concealed)}{''.join(melds)}{written([hand.winning_tile])}"


def _pack(meld: Meld) -> str:
    if meld.kind is MeldKind.CHOW:
        return f"CHI {BOTZONE[meld.tiles[1]]} 1"
    if meld.kind is MeldKind.PUNG:
        return f"PENG {BOTZONE[meld.tiles[0]]} 1"
    return f"GANG {BOTZONE[meld.tiles[0]]} {int(meld.kind is MeldKind.MELDED_KONG)}"


def _mpsz(faces: Sequence[str]) -> str:
    """Faces with every suit and the honours as digits and a letter."""
    return "".join(
        face[0] if place + 1 < len(faces) and faces[place + 1][1] == face[1] else face
        for place, face in enumerate(faces)
    )


def _named(faces: Sequence[str]) -> str:
    return "".join(map(chinese, faces))


_WRITERS: Final[dict[Notation, Callable[[Sequence[str]], str]]] = {
    Notation.CANONICAL: format_tiles,
    Notation.MPSZ: _mpsz,
    Notation.WBT: lambda faces: format_tiles(faces).translate(str.maketrans("mps", "wbt")),
    Notation.CHINESE: _named,
    Notation.TRADITIONAL: lambda faces: _named(faces).translate(TRADITIONAL),
    Notation.UNICODE: lambda faces: "".join(map(unicode_tile, faces)),
}
"""How each notation writes some faces."""
