"""Which tile of a row stands out of it, as a winning tile does: sideways, pushed out, or a space away.

Pure geometry; whether the tile won is for `vision.layout.partition` to weigh.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.layout.rows import Frames, principal, spaces

_RAISED = 0.38  # a tile standing out of its row by this share of its height is set apart
_END_GAP = 0.2  # so is the last tile of a row after a step longer by this share of a tile than the usual one
_END_GAP_CLEAR = 0.12  # and longer by this than any other in the row


def standing_out(row_tiles: Sequence[int], frame: Frames) -> list[int]:
    """The one tile of a row that lies sideways or is pushed out of the line; none where the row is untidy."""
    members = list(row_tiles)
    sideways = [index for index in members if frame.sideways[index]]
    if sideways:
        return sideways if len(sideways) == 1 < len(members) else []
    if len(members) < 5:
        return []
    centres = frame.centres[members].tolist()
    heights = np.hypot(*frame.across[members].T).tolist()
    raised = []
    for place, index in enumerate(members[1:-1], 1):
        # The line without this tile, from the two tiles on either side.
        start = min(max(place - 2, 0), len(members) - 5)
        near = [centres[other] for other in range(start, start + 5) if other != place]
        across = _off_line(centres[place], near)
        if across > _RAISED * heights[place]:
            raised.append((across / heights[place], index))
    # A tile pushed out bends the line of its neighbours too: it must stand out clearly more than they do.
    raised.sort(reverse=True)
    return [raised[0][1]] if raised and all(more[0] < 0.7 * raised[0][0] for more in raised[1:]) else []


def _off_line(point: Sequence[float], others: Sequence[Sequence[float]]) -> float:
    """How far a point lies from the straight line that fits others best."""
    x, y = principal(others)
    away_x = point[0] - sum([other[0] for other in others]) / len(others)
    away_y = point[1] - sum([other[1] for other in others]) / len(others)
    return abs(away_x * y - away_y * x)


def end_apart(members: Sequence[int], frame: Frames) -> list[int]:
    """The tile at an end of the row, where the space before it is clearly the widest though no gap."""
    if len(members) < 5:
        return []
    found = spaces(members, frame)
    for end, tile in ((-1, members[-1]), (0, members[0])):
        others = sorted(found[:-1] if end else found[1:])
        usual = others[len(others) // 2]
        if found[end] > usual + _END_GAP and found[end] > others[-1] + _END_GAP_CLEAR:
            return [tile]
    return []
