"""Writing hands in the canonical notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scorer.circumstances import Circumstances
from scorer.hand import Hand, Meld, MeldKind
from scorer.notation.scan import FLOWER_LETTERS, HONOUR_LETTERS

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


def format_hand(hand: Hand, circumstances: Circumstances) -> str:
    """The canonical text of a hand, which :func:`parse_hand` reads back.

    The notation has no place for an opening win, so the text leaves it out.
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
    melds = "".join(map(format_meld, hand.melds))
    return (
        f"{format_tiles(hand.concealed)}{melds}{format_tiles([hand.winning_tile])}|{winds}{digits}{flowers}"
    )
