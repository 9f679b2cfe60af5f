"""不靠: fans of knitted tiles (147, 258 and 369, one group in each suit)."""

from __future__ import annotations

from scorer.fans.model import Family, HandShape, ShapeKind, fan


@fan(20, "七星不靠", "Greater Honors and Knitted Tiles", 24, Family.KNITTED, HandShape,
     "七张字牌各一张及七张不同的组合龙牌", drops="全不靠 五门齐 不求人 门前清 单钓将",
     example="147m58p36sESWNCFP", near_miss="147m58p369sESWNCF")  # fmt: skip
def greater_honours_and_knitted(shape: HandShape) -> int:
    """Each of the seven honours and seven different knitted tiles."""
    return shape.kind is ShapeKind.UNRELATED and shape.honours == 7


@fan(34, "全不靠", "Lesser Honors and Knitted Tiles", 12, Family.KNITTED, HandShape,
     "十四张互不相同的字牌和组合龙牌", drops="五门齐 不求人 门前清 单钓将",
     example="147m258p36sESWNCF", near_miss="11247m258p369sEE3m")  # fmt: skip
def lesser_honours_and_knitted(shape: HandShape) -> int:
    """Fourteen different tiles out of the honours and the knitted tiles."""
    return shape.kind is ShapeKind.UNRELATED


@fan(35, "组合龙", "Knitted Straight", 12, Family.KNITTED, HandShape, "三种花色的147、258、369九张牌",
     made_of="knitted",
     example="11247m258p36999s3m", near_miss="147m258p36sESWNCF")  # fmt: skip
def knitted_straight(shape: HandShape) -> int:
    """147, 258 and 369, each in another suit."""
    return shape.knitted == 9
