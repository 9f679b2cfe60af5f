"""The five winning shapes: whether a hand has one, and how many tiles it is away from one."""

from scorer.winning.distance import tiles_away
from scorer.winning.shape import is_winning

__all__ = ["is_winning", "tiles_away"]
