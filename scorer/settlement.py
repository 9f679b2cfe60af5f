"""Who pays whom, in whole points that sum to zero.

>>> points_paid(8, winner=0, discarder=2)
(32, -8, -16, -8)
>>> points_paid(8, winner=0, self_drawn=True)
(48, -16, -16, -16)
"""

from __future__ import annotations

from typing import Final

from scorer.errors import HandError
from scorer.profiles import DEFAULT
from scorer.scoring import Score

Payments = tuple[int, int, int, int]
"""What each of the four seats gains, in seat order (E, S, W, N); the sum is zero."""

BASE: Final = DEFAULT.base
"""底分: what every loser pays in addition to the points, by the default profile."""


def _seat(seat: int, what: str) -> int:
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat <= 3:
        raise HandError("bad_seat", f"{what} must be a seat 0 to 3, not {seat!r}")
    return seat


def points_paid(
    points: int, *, winner: int, discarder: int | None = None, self_drawn: bool = False, base: int = BASE
) -> Payments:
    """Payments for a win of ``points`` (flowers included); ``winner`` and ``discarder`` are seats 0-3.

    If the win was self-drawn, each of the others pays ``base + points``. Otherwise ``discarder``, who
    discarded the tile or whose kong was robbed, pays ``base + points``, and the other two pay ``base``.
    Raises :class:`HandError` ``bad_seat``. The rule is in ``docs/rules.md``.
    """
    _seat(winner, "the winner")
    gains = [-base] * 4
    if self_drawn:
        if discarder is not None:
            raise HandError("bad_seat", "a self-drawn hand has no discarder; leave it out")
        gains = [-base - points] * 4
    else:
        if discarder is None:
            raise HandError("bad_seat", "a hand won on a discard needs the seat of the discarder")
        if _seat(discarder, "the discarder") == winner:
            raise HandError("bad_seat", "the discarder cannot be the winner")
        gains[discarder] -= points
    gains[winner] = 0
    gains[winner] = -sum(gains)
    return gains[0], gains[1], gains[2], gains[3]


def settle(
    score: Score, *, winner: int, discarder: int | None = None, self_drawn: bool | None = None
) -> Payments:
    """Payments for a scored hand; ``self_drawn`` defaults to the circumstances of the hand.

    Raises :class:`HandError` ``bad_seat``, or ``below_minimum`` if the hand is not a legal win: to declare it
    is a false win, see :func:`false_win`.
    """
    if not score.legal:
        raise HandError(
            "below_minimum",
            f"{score.qualifying} points are under the minimum of {score.minimum}; settle it as a false win",
        )
    drawn = score.circumstances.self_drawn if self_drawn is None else self_drawn
    return points_paid(
        score.total, winner=winner, discarder=discarder, self_drawn=drawn, base=score.engine.profile.base
    )


def penalty(seat: int, points: int) -> Payments:
    """罚分: ``seat`` loses ``points``, which the other three share; the referee decides how many.

    ``points`` must be a multiple of three. Raises :class:`HandError` ``bad_seat`` or ``bad_penalty``.
    """
    _seat(seat, "the penalised player")
    _not_negative(points)
    if points % 3:
        raise HandError(
            "bad_penalty", f"three players share a penalty, so it must be a multiple of 3, not {points}"
        )
    gains = [points // 3] * 4
    gains[seat] = -points
    return gains[0], gains[1], gains[2], gains[3]


def _not_negative(points: int) -> None:
    if points < 0:
        raise HandError(
            "bad_penalty", f"a penalty is the number of points lost and cannot be negative, not {points}"
        )


def false_win(seat: int, each: int) -> Payments:
    """诈和: ``seat`` pays ``each`` to every other player; the referee decides how much.

    >>> false_win(1, 10)
    (10, -30, 10, 10)
    """
    _not_negative(each)
    return penalty(seat, 3 * each)
