"""Which confirmed hands to list: by owner, player, fan, points and date."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, String, case, cast, false, func, or_

from webapp.ledger.tables import HandRow

_SEATS: Final = "ESWN"


@dataclass(frozen=True, kw_only=True)
class HandSearch:
    """Which hands to list; what is None or empty does not restrict the list.

    `owner` is a hash of `webapp.owner`; `player` is part of a name; one of the `fans` (Chinese names) must count;
    `until` is the last day, in UTC. `removed` lists the removed hands instead of the others.
    """

    owner: str | None = None
    player: str = ""
    fans: tuple[str, ...] | None = None
    least_points: int | None = None
    until: date | None = None
    removed: bool = False

    def conditions(self, *, sqlite: bool) -> Iterator[ColumnElement[bool]]:
        """What a row must fulfil, in SQLite or in PostgreSQL."""
        yield HandRow.removed_at.is_not(None) if self.removed else HandRow.removed_at.is_(None)
        if self.owner is not None:
            yield HandRow.owner == self.owner
        if self.player:
            yield or_(*(_named(seat, self.player, sqlite) for seat in _SEATS))
        if self.fans is not None:
            yield or_(false(), *map(_counted, self.fans))
        if self.least_points is not None:
            enough = HandRow.score["total"].as_integer() >= self.least_points
            yield _where_valid(HandRow.score, enough, sqlite)
        if self.until is not None and self.until < date.max:
            yield HandRow.confirmed_at < datetime.combine(self.until + timedelta(days=1), time())


def _counted(fan: str) -> ColumnElement[bool]:
    # Older versions of SQLite do not find a key that is written with escapes. No other text of a score names fans.
    text = cast(HandRow.score, String)
    return or_(
        *(text.contains(json.dumps(fan, ensure_ascii=escaped), autoescape=True) for escaped in (True, False))
    )


def _named(seat: str, player: str, sqlite: bool) -> ColumnElement[bool]:
    name = func.lower(HandRow.players[seat].as_string())
    return _where_valid(HandRow.players, name.contains(player.lower(), autoescape=True), sqlite)


def _where_valid(column: Any, condition: ColumnElement[bool], sqlite: bool) -> ColumnElement[bool]:
    """`condition`, but false where SQLite holds JSON that another program damaged: reading it would end the query."""
    if not sqlite:
        return condition
    return case((func.json_valid(column) == 1, condition), else_=False)
