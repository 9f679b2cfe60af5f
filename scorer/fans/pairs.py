"""七对: fans of seven pairs."""

from __future__ import annotations

from scorer.fans.model import Family, HandShape, ShapeKind, fan


@fan(6, "连七对", "Seven Shifted Pairs", 88, Family.PAIRS, HandShape, "一种花色序数相连的七个对子",
     drops="七对 清一色 不求人 门前清 无字 单钓将",
     example="2233445566778p8p", near_miss="2233445566778p2p")  # fmt: skip
def seven_shifted_pairs(shape: HandShape) -> int:
    """Seven pairs of one suit, of consecutive ranks."""
    return shape.consecutive_pairs


@fan(19, "七对", "Seven Pairs", 24, Family.PAIRS, HandShape, "七个对子,四张相同的可作两对",
     drops="不求人 门前清 单钓将",
     example="1133m5577p2288sEE", near_miss="112233m1112pEEE3p")  # fmt: skip
def seven_pairs(shape: HandShape) -> int:
    """Seven pairs; four alike may be two pairs."""
    return shape.kind is ShapeKind.SEVEN_PAIRS
