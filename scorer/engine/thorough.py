"""The search for rules that somebody changed.

By the built-in rules the combinations of sets with the most points are also those with which the whole hand is worth
most; the tests compare this with a scorer that tries them all. Other points and other exclusions may break it: a
combination may exclude a fan that is worth more. So for such rules every claim is tried.
"""

from __future__ import annotations

from scorer.bitboard import CHOW_FIELD, PAIR_SHIFT, PUNG_FIELD, PUNG_SHIFT, Packed
from scorer.engine.search import Candidate, Claims, Engine, Entries, pung_key
from scorer.engine.tables import chow_sets, pung_sets, ranked
from scorer.fans.model import ShapeKind
from scorer.profiles import PROFILES, Profile


class ThoroughEngine(Engine):
    """Tries every claim of every reading."""

    def _value(
        self,
        packed: Packed,
        how: int,
        base: int,
        hogs: int,
        reading: int,
        sole: bool | None,
        gates: bool,
        kind: ShapeKind = ShapeKind.STANDARD,
        entries: Entries | None = None,
    ) -> Candidate:
        """The value of one reading by the best of its claims."""
        whole = reading + packed.fixed
        pair = (whole >> PAIR_SHIFT) - 1
        pungs = whole >> PUNG_SHIFT & PUNG_FIELD
        key = pung_key(pungs, pair, how, gates)
        chows = chow_sets(whole & CHOW_FIELD)
        tables = self.tables
        found = []
        for by_pungs in tables.pung_linker.every(pung_sets(pungs), None):
            pung_entry = tables.pung_entry(key, tables.linked(by_pungs))
            for by_chows in tables.chow_linker.every(chows, ranked(pair) if pair < 27 else None):
                entries = (tables.chow_entry(by_chows), pung_entry)
                candidate = super()._value(packed, how, base, hogs, reading, sole, gates, kind, entries)
                found.append(candidate._replace(claims=Claims(by_chows, by_pungs)))
        return max(found, key=self.preference)


def engine_of(profile: Profile) -> Engine:
    """A new engine for ``profile``: a thorough one unless its fans are those of a built-in profile."""
    known = any(profile.fans == built_in.fans for built_in in PROFILES.values())
    return Engine(profile) if known else ThoroughEngine(profile)
