"""A confirmed hand as a value: what a person agreed to, with everything that is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from scorer import hand_from_json
from scorer.errors import FanlensError

SEATS = frozenset("ESWN")


class AlreadyConfirmedError(FanlensError):
    """Another hand was confirmed under the same key; `entry` is that hand."""

    def __init__(self, entry: "Entry") -> None:
        """Keep the hand that used the key first."""
        super().__init__("already_confirmed", f"hand {entry.id} was confirmed under this key")
        self.entry = entry


class HandChangedError(FanlensError):
    """A hand was corrected elsewhere since its sender saw it; `entry` is the hand as it is now."""

    def __init__(self, entry: "Entry") -> None:
        """Keep the hand as it is."""
        super().__init__("hand_changed", f"hand {entry.id} was corrected in the meantime")
        self.entry = entry


@dataclass(frozen=True, kw_only=True)
class ConfirmedHand:
    """What a person confirmed.

    The database row and the API's object take their fields from here. No field has a default, so that nothing which
    writes a hand can forget one. `hand` and `score` are the
    JSON objects of the command line; `payments` maps the seats E, S, W, N to points won or lost and sums to
    zero; `discarder` is None for a self-drawn win; `players` maps seats to names as far as they are known.
    Raises ValueError or HandError for values that no page could show.
    """

    hand: Mapping[str, Any]
    score: Mapping[str, Any]
    payments: Mapping[str, int]
    discarder: str | None
    players: Mapping[str, str]

    def __post_init__(self) -> None:
        """Check every value."""
        hand_from_json(self.hand)
        if not isinstance(self.score, Mapping) or not isinstance(self.payments, Mapping):
            raise ValueError("score and payments must be objects")
        awards = self.score.get("awards")
        complete = isinstance(awards, list) and all(
            isinstance(award, Mapping) and {"fan", "english", "count"} <= award.keys() for award in awards
        )
        if not complete or not isinstance(self.score.get("total"), int):
            raise ValueError("the score lacks its total or its fans")
        points = list(self.payments.values())
        whole = all(isinstance(one, int) for one in points)
        if self.payments.keys() != SEATS or not whole or sum(points) != 0:
            raise ValueError("payments must give points to the four seats and sum to zero")
        if not isinstance(self.players, Mapping) or not all(
            seat in SEATS and isinstance(name, str) for seat, name in self.players.items()
        ):
            raise ValueError("players must map seats to names")


#: The names of the fields above, in the order in which the API gives them.
CONFIRMED_FIELDS = tuple(one.name for one in fields(ConfirmedHand))
#: What a version says that was replaced before these fields were there.
ABSENT: Mapping[str, Any] = {"discarder": None, "players": {}}


@dataclass(frozen=True, kw_only=True)
class Entry(ConfirmedHand):
    """A hand in the ledger: its number, when it was confirmed (aware, in UTC), and whether it was removed.

    `versions` counts what it has said: 1, and one more for each correction.
    """

    id: int
    confirmed_at: datetime
    removed: bool = False
    versions: int = 1

    def to_json(self) -> dict[str, Any]:
        """The entry as the API gives it."""
        confirmed = {name: getattr(self, name) for name in CONFIRMED_FIELDS}
        return {
            "id": self.id,
            "confirmed_at": self.confirmed_at.isoformat(timespec="seconds"),
            **{
                name: dict(value) if isinstance(value, Mapping) else value
                for name, value in confirmed.items()
            },
            "removed": self.removed,
            "versions": self.versions,
        }


@dataclass(frozen=True, kw_only=True)
class EarlierVersion(ConfirmedHand):
    """What a hand said until it was corrected at `replaced_at` (aware, in UTC)."""

    replaced_at: datetime

    def to_json(self) -> dict[str, Any]:
        """The version as the API gives it."""
        confirmed = {name: getattr(self, name) for name in CONFIRMED_FIELDS}
        return {**confirmed, "replaced_at": self.replaced_at.isoformat(timespec="seconds")}
