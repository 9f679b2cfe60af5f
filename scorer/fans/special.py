"""特殊: fans that belong to no other family."""

from __future__ import annotations

from scorer.fans.model import Family, Frame, HandShape, PlainCounts, ShapeKind, fan


@fan(4, "九莲宝灯", "Nine Gates", 88, Family.SPECIAL, HandShape,
     "门清的一种花色1112345678999,和本花色任何一张", drops="清一色 不求人 门前清 无字",
     example="1112345678999m5m", near_miss="1123455678999m5m")  # fmt: skip
def nine_gates(shape: HandShape) -> int:
    """Concealed 1112345678999 of one suit and any tile of it."""
    return shape.nine_gates


@fan(7, "十三幺", "Thirteen Orphans", 88, Family.SPECIAL, HandShape,
     "三种花色的1、9及七种字牌各一张,其中一种成对", drops="混幺九 五门齐 不求人 门前清 单钓将",
     example="19m19p19sESWNCFP9s", near_miss="1199m1199p1199sEE")  # fmt: skip
def thirteen_orphans(shape: HandShape) -> int:
    """The 1 and 9 of each suit and the seven honours, one of them doubled."""
    return shape.kind is ShapeKind.THIRTEEN_ORPHANS


@fan(43, "无番和", "Chicken Hand", 8, Family.SPECIAL, PlainCounts, "除花牌外没有任何番种",
     example="34567p678sEE[234m]5p", near_miss="23467p678sEE[234m]8p")  # fmt: skip
def chicken_hand(_: PlainCounts) -> int:
    """No other fan at all, flowers aside."""
    # Only the search knows whether nothing else counts.
    return 0


@fan(63, "平和", "All Chows", 2, Family.SPECIAL, Frame, "四副顺子及序数牌作将", drops="无字",
     example="34567p67899s[123m]5p", near_miss="44567p67899s[123m]4p")  # fmt: skip
def all_chows(frame: Frame) -> int:
    """Four chows and a pair of suit tiles."""
    return frame.suit_pair and frame.chows == (1 if frame.knitted else 4)


@fan(64, "四归一", "Tile Hog", 2, Family.SPECIAL, PlainCounts, "四张相同的牌,不作杠", repeats=True,
     made_of="fours",
     example="567m345p2399s[555m]4s", near_miss="678m345p2399s[555m]4s")  # fmt: skip
def tile_hog(counts: PlainCounts) -> int:
    """Four alike in the hand that are not a kong."""
    return counts.hogs


@fan(81, "花牌", "Flower Tiles", 1, Family.SPECIAL, PlainCounts, "每张花牌一分,不计入起和分", repeats=True,
     made_of="flowers",
     example="456m678p78sEE[123m]9s|EE0000|2", near_miss="456m678p78sEE[123m]9s")  # fmt: skip
def flower_tiles(counts: PlainCounts) -> int:
    """One point each, outside the minimum."""
    return counts.flowers
