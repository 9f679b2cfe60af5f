"""Errors of Fanlens, and the reasons for which the scorer refuses a hand.

Every error carries a ``code``, which is stable and meant for programs, and a ``message``, which tells people
what is wrong and what to do. The scorer has four kinds of error about hands: text that is not the notation,
a hand that no table can produce, text that can mean more than one hand, and a possible hand that does not
win.
"""

from __future__ import annotations

from typing import Any, Final

REASONS: Final[dict[str, str]] = {
    # hand
    "unknown_face": "a tile code that is not one of the 42 faces",
    "wrong_tile_count": "the concealed tiles, three for each meld and the winning tile do not add up to 14",
    "too_many_of_a_face": "five or more tiles of one face",
    "winning_tile_exhausted": "the melds already hold all four tiles of the winning face",
    "flower_in_hand": "a flower among the concealed tiles, in a meld or as the winning tile",
    "face_down_tile": "a face-down tile, whose face is unknown",
    "too_many_melds": "more than four melds",
    # melds
    "unknown_meld_kind": "a meld that is not a chow, pung, melded_kong or concealed_kong",
    "not_a_chow": "a chow that is not three consecutive ranks of one suit",
    "not_a_pung": "a pung that is not three equal tiles",
    "not_a_kong": "a kong that is not four equal tiles",
    # flowers
    "two_of_one_flower": "the same flower twice",
    "bad_flower_count": "a number of flowers that is not 0 to 8",
    "not_a_flower": "a face among the flowers that is not a flower",
    # circumstances
    "bad_wind": "a wind that is not E, S, W or N",
    "bad_flag": "a circumstance that must be true or false and is not",
    "robbed_kong_on_last_tile": "a robbed kong on the last tile, when nobody may declare a kong",
    "replacement_without_kong": "杠上开花 (self-drawn, kong) in a hand without a kong",
    "robbed_tile_in_hand": "抢杠和 (discard, kong) while the hand holds another copy of the robbed tile",
    "fourth_tile_in_hand": "和绝张 while the concealed hand holds another copy of the winning tile",
    "bad_opening": "an opening win that is not heavenly, earthly or human",
    "opening_conflict": "an opening win (天胡, 地胡, 人胡) that contradicts the other circumstances",
    # form of the input
    "not_the_notation": "text that does not follow the notation",
    "not_json": "a line that is not a JSON object",
    "missing_field": "a hand object without a required field",
    "bad_field": "a field of a hand object with a wrong type or value",
    "ambiguous_hand": "text that can mean more than one hand",
    # outcome
    "not_winning": "a possible hand that does not have a winning shape",
    # profiles and settlement
    "unknown_profile": "a profile name that does not exist, or a profile file that cannot be read",
    "bad_profile": "a profile file with an error",
    "needs_jokers": "混杠, a fan of jokers that no rule text we know defines",
    "unknown_fan": "a fan name that does not exist",
    "bad_seat": "a seat that is not 0 to 3, or a discarder who is also the winner",
    "below_minimum": "a win under the minimum, which cannot be settled as a win",
    "bad_penalty": "a penalty that is negative or that three players cannot share",
    "bad_match": "an event that does not fit what happened in the match before it",
    "bad_event": "an event of a match with a value that cannot be",
}
"""Every code with one line of explanation; the codes are part of the public API."""


class FanlensError(Exception):
    """Base of every error that Fanlens raises on purpose.

    ``code`` is a stable name for programs; ``message`` tells people what is wrong and what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        """Keep the ``code``, and the ``message`` as the exception's text."""
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        """Make every error of the family pickle, whatever its constructor takes: they travel between processes."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[FanlensError], args: tuple[object, ...], fields: dict[str, object]) -> FanlensError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error


class HandError(FanlensError, ValueError):
    """A hand, a profile or a settlement that Fanlens refuses; ``code`` is a key of :data:`REASONS`.

    ``fields`` names the fields of a JSON object that are missing or wrong.
    """

    def __init__(self, code: str, message: str, fields: tuple[str, ...] = ()) -> None:
        """Refuse with a published ``code``."""
        if code not in REASONS:
            raise LookupError(f"{code!r} is not a published reason")
        super().__init__(code, message)
        self.fields = fields


class NotationError(HandError):
    """Text that is not the notation; ``position`` is where, in characters from 0."""

    def __init__(self, message: str, position: int, code: str = "not_the_notation") -> None:
        """Refuse text at ``position``."""
        super().__init__(code, message)
        self.position = position


class ImpossibleHand(HandError):  # noqa: N818 - the public name says what is wrong
    """A hand or circumstances that no table can produce.

    ``position`` is where in the text the fault lies, in characters from 0; None if there was no text.
    """

    position: int | None = None


class AmbiguousHand(HandError):  # noqa: N818
    """Text that can mean more than one hand; ``position`` is where, in characters from 0."""

    def __init__(self, message: str, position: int) -> None:
        """Refuse text that is ambiguous at ``position``."""
        super().__init__("ambiguous_hand", message)
        self.position = position


class NotWinning(HandError):  # noqa: N818
    """A possible hand that does not win; ``tiles_away`` is how many tiles it must still exchange."""

    def __init__(self, tiles_away: int) -> None:
        """Refuse a hand that lacks ``tiles_away`` tiles."""
        tiles = "one tile" if tiles_away == 1 else f"{tiles_away} tiles"
        super().__init__(
            "not_winning",
            f"the hand does not win: it is {tiles} away from a winning shape; check the tiles and the winning tile",
        )
        self.tiles_away = tiles_away
