"""Which tile of a row stands out of it, as a winning tile does: sideways, pushed out, or a space away.

Pure geometry; `vision.layout.partition` weighs whether the tile won.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.layout.rows import principal, spaces
from vision.layout.table import Table

_WINDOW = 5  # a tile and two on either side of it: fewer do not tell what stands out


def standing_out(row_tiles: Sequence[int], table: Table) -> list[int]:
    """The one tile of a row that lies sideways or is pushed out of the line; no tile if the row is untidy."""
    frame, places = table.frames, table.settings.winning
    members = list(row_tiles)
    sideways = [index for index in members if frame.sideways[index]]
    if sideways:
        return sideways if len(sideways) == 1 < len(members) else []
    if len(members) < _WINDOW:
        return []
    centres = frame.centres[members].tolist()
    heights = np.hypot(*frame.across[members].T).tolist()
    raised = []
    for place, index in enumerate(members[1:-1], 1):
        # The line without this tile, from the two tiles on either side.
        start = min(max(place - 2, 0), len(members) - _WINDOW)
        near = [centres[other] for other in range(start, start + _WINDOW) if other != place]
        across = _off_line(centres[place], near)
        if across > places.raised * heights[place]:
            raised.append((across / heights[place], index))
    # A tile pushed out bends the line of its neighbours too: it must stand out clearly more than they do.
    raised.sort(reverse=True)
    alone = raised and all(more[0] < places.raised_alone * raised[0][0] for more in raised[1:])
    return [raised[0][1]] if alone else []


def _off_line(point: Sequence[float], others: Sequence[Sequence[float]]) -> float:
    """How far a point lies from the straight line that fits others best."""
    x, y = principal(others)
    away_x = point[0] - sum([other[0] for other in others]) / len(others)
    away_y = point[1] - sum([other[1] for other in others]) / len(others)
    return abs(away_x * y - away_y * x)


def end_apart(members: Sequence[int], table: Table) -> list[int]:
    """The tile at an end of the row, if the space before it is clearly the widest though no gap."""
    places = table.settings.winning
    if len(members) < _WINDOW:
        return []
    found = spaces(members, table.frames)
    for end, tile in ((-1, members[-1]), (0, members[0])):
        others = sorted(found[:-1] if end else found[1:])
        usual = others[len(others) // 2]
        if found[end] > usual + places.end_gap and found[end] > others[-1] + places.end_gap_clear:
            return [tile]
    return []
