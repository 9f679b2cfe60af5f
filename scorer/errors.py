"""Named reasons for which a hand is refused.

Every refusal carries a ``code`` (one key of :data:`REASONS`, stable, for programs) and a ``message``
(for people: what is wrong and what to do). Four kinds are told apart: text that is not the notation,
a hand no table can produce, a text that names more than one hand, and a sound hand that does not win.
"""

from __future__ import annotations

from typing import Any, Final

REASONS: Final[dict[str, str]] = {
    # hand
    "unknown_face": "a tile code that is none of the 42 faces",
    "wrong_tile_count": "concealed tiles, three for each meld and the winning tile do not make 14",
    "too_many_of_a_face": "five or more tiles of one face",
    "winning_tile_exhausted": "the melds alone already hold all four tiles of the winning face",
    "flower_in_hand": "a flower among the concealed tiles, in a meld or as the winning tile",
    "face_down_tile": "a face-down tile whose face is not known",
    "too_many_melds": "more than four melds",
    # melds
    "unknown_meld_kind": "a meld that is neither chow, pung, melded_kong nor concealed_kong",
    "not_a_chow": "a chow whose tiles are not three consecutive ranks of one suit",
    "not_a_pung": "a pung whose tiles are not three of one face",
    "not_a_kong": "a kong whose tiles are not four of one face",
    # flowers
    "two_of_one_flower": "the same flower twice",
    "bad_flower_count": "a number of flowers outside 0 to 8",
    "not_a_flower": "a face among the flowers that is no flower",
    # circumstances
    "bad_wind": "a wind that is none of E, S, W, N",
    "bad_flag": "a circumstance that is neither true nor false",
    "robbed_kong_on_last_tile": "a robbed kong with the wall empty: no kong may be declared then",
    "replacement_without_kong": "杠上开花 (self-drawn, kong) in a hand without a kong",
    "robbed_tile_in_hand": "抢杠和 (discard, kong) while the hand holds another copy of the robbed tile",
    "fourth_tile_in_hand": "和绝张 while the concealed hand holds another copy of the winning tile",
    "bad_opening": "an opening win that is none of heavenly, earthly, human",
    "opening_conflict": "an opening win (天胡, 地胡, 人胡) that contradicts the other circumstances",
    # form of the input
    "not_the_notation": "text that does not follow the notation",
    "not_json": "a line that is not a JSON object",
    "missing_field": "a hand object without a field it needs",
    "bad_field": "a field of a hand object that has the wrong type",
    "ambiguous_hand": "text that can be read as more than one hand",
    # outcome
    "not_winning": "a sound hand that is not a winning shape",
    # profiles and settlement
    "unknown_profile": "a profile name that does not exist",
    "bad_profile": "a profile file with an error",
    "needs_jokers": "混杠: a fan of jokers, which no rule text at hand defines",
    "unknown_fan": "a fan name that does not exist",
    "bad_seat": "a seat outside 0 to 3, or a discarder who is the winner",
    "below_minimum": "a win under the minimum: it cannot be settled as a win",
    "bad_penalty": "a penalty that is negative or cannot be shared",
    "bad_match": "an event that does not fit what happened in the match before it",
    "bad_event": "an event of a match with a value that cannot be",
}
"""Every named reason with one line of explanation; the codes are part of the public API."""


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
    """A hand, a profile or a settlement is refused; ``code`` is a key of :data:`REASONS`."""

    def __init__(self, code: str, message: str) -> None:
        """Refuse with a published ``code``."""
        if code not in REASONS:
            raise LookupError(f"{code!r} is not a published reason")
        super().__init__(code, message)


class NotationError(HandError):
    """Text that is not the notation; ``position`` counts characters from 0."""

    def __init__(self, message: str, position: int, code: str = "not_the_notation") -> None:
        """Refuse text at ``position``."""
        super().__init__(code, message)
        self.position = position


class ImpossibleHand(HandError):  # noqa: N818 - the public name says what is wrong
    """A hand or circumstances no table can produce.

    ``position`` is the place in the text where the fault lies, where the hand came from text.
    """

    position: int | None = None


class AmbiguousHand(HandError):  # noqa: N818
    """Text that can be read as more than one hand; ``position`` is where the readings part."""

    def __init__(self, message: str, position: int) -> None:
        """Refuse text whose readings part at ``position``."""
        super().__init__("ambiguous_hand", message)
        self.position = position


class NotWinning(HandError):  # noqa: N818
    """A sound hand that does not win; ``tiles_away`` is how many tiles must still be exchanged."""

    def __init__(self, tiles_away: int) -> None:
        """Refuse a hand that lacks ``tiles_away`` tiles."""
        tiles = "one tile" if tiles_away == 1 else f"{tiles_away} tiles"
        super().__init__(
            "not_winning",
            f"the hand is not a winning shape: {tiles} away from one. Check the tiles and the winning tile.",
        )
        self.tiles_away = tiles_away
