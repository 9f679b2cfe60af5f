"""Fans over single pungs, and the two exceptions in how 幺九刻 counts.

A pung of a 1, a 9 or an honour is 幺九刻, but not if another fan already has the pung (``Fan.absorbs``), and
nine gates (九莲宝灯) always hold one that is not counted beside them. See ``docs/rules.md``.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.fans import ORPHAN_PUNG
from scorer.fans.model import Fan, Honours


class HonourFans:
    """The fans of a profile that see :class:`Honours`."""

    def __init__(self, fans: Sequence[Fan]) -> None:
        """Take the fans in the order of a score."""
        self._fans = fans
        self._orphan_pung = next((fan for fan in fans if fan.name == ORPHAN_PUNG), None)

    def pungs_by_fan(self, pungs: int, pair: int, winds: int, *, nine_gates: bool) -> dict[str, int]:
        """The fans that are present, each with a mask of the pungs that make it.

        ``pungs`` is a mask over faces; ``pair`` is the face of an honour, or -1; ``winds`` is the seat wind
        + 4 * the prevalent wind, both 0-3.
        """
        view = Honours(pungs, 1 << pair if pair >= 0 else 0, 1 << 27 + (winds & 3), 1 << 27 + (winds >> 2))
        found = {fan.name: fan.holds(view) for fan in self._fans}
        if self._orphan_pung is not None:
            left = found[ORPHAN_PUNG]
            for fan in self._fans:
                if fan.absorbs:
                    left &= ~found[fan.name]
            found[ORPHAN_PUNG] = left & (left - 1) if nine_gates else left
        return {name: faces for name, faces in found.items() if faces}

    def orphan_pungs(self, pungs: int) -> int:
        """Those of ``pungs`` that would be 幺九刻 if no other fan had them."""
        return self._orphan_pung.holds(Honours(pungs, 0, 0, 0)) if self._orphan_pung else 0
