"""Fans of a platform's list that the printed table does not have.

Definitions follow the list if it gives one. Fanlens decides what the list leaves open: any call or kong rules
out an opening win; 天胡 involves no draw, so that 自摸, 不求人 and the waits do not count; one pung can be both
the seat and the prevalent wind of 四方大发财; 季花 counts in addition to 花牌, and not towards the minimum.
"""

from __future__ import annotations

from scorer.fans.model import Chows, Family, Honours, Pair, PlainCounts, Pungs, Win, fan

GREEN_DRAGON = 1 << 32
HONOUR_FACES = 0b1111111 << 27


@fan(101, "天胡", "Heavenly Win", 168, Family.WINNING, Win, "庄家起手十四张即和牌",
     drops="自摸 不求人 边张 坎张 单钓将",
     example="123456m234p45s55p6s|EE1000", opening="heavenly")  # fmt: skip
def heavenly_win(win: Win) -> int:
    """The dealer wins with the dealt hand."""
    return win.opening == "heavenly"


@fan(102, "地胡", "Earthly Win", 158, Family.WINNING, Win, "南家和庄家打出的第一张牌,或第一次摸牌即和",
     example="123456m234p45s55p6s|ES0000", opening="earthly")  # fmt: skip
def earthly_win(win: Win) -> int:
    """South wins on the dealer's first discard or on the first draw, with no call or kong before."""
    return win.opening == "earthly"


@fan(103, "人胡", "Human Win", 108, Family.WINNING, Win, "西家或北家和庄家打出的第一张牌,或第一次摸牌即和",
     example="123456m234p45s55p6s|EW0000", opening="human")  # fmt: skip
def human_win(win: Win) -> int:
    """West or North wins on the dealer's first discard or on the first draw, with no call or kong before."""
    return win.opening == "human"


@fan(104, "四方大发财", "Fortune from All Sides", 168, Family.HONOURS, Honours,
     "字一色,有圈风刻、门风刻和发的刻子(杠)",
     drops="字一色 圈风刻 门风刻 箭刻 混幺九 碰碰和 全带幺 幺九刻", absorbs=True,
     example="EEESSSFFFPPPCC|ES1000", near_miss="EEESSSPPPCCCFF|ES1000")  # fmt: skip
def fortune_from_all_sides(honours: Honours) -> int:
    """Only honours, with pungs or kongs of the seat wind, the prevalent wind and the green dragon."""
    only = honours.pungs.bit_count() == 4 and honours.pungs & ~HONOUR_FACES == 0 and honours.pair
    wanted = honours.seat | honours.prevalent | GREEN_DRAGON
    return wanted if only and honours.pungs & wanted == wanted else 0


def _suits(sets: tuple[tuple[int, int], ...]) -> int:
    return len({suit for suit, _ in sets})


def _up_one(sets: tuple[tuple[int, int], ...]) -> bool:
    ranks = sorted(rank for _, rank in sets)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


@fan(105, "混四节", "Four Mixed Shifted Pungs", 6, Family.PUNGS, Pungs,
     "两种或三种花色四副依次递增一位的刻子(杠)", drops="混三节", size=4,
     example="22mEE[333p][444m][555p]2m", near_miss="22mEE[333p][444m][666p]2m")  # fmt: skip
def four_mixed_shifted_pungs(view: Pungs) -> int:
    """Four pungs or kongs of consecutive ranks in two or three suits."""
    return _suits(view.pungs) > 1 and _up_one(view.pungs)


@fan(106, "混三节", "Two-Suited Shifted Pungs", 4, Family.PUNGS, Pungs,
     "两种花色三副依次递增一位的刻子(杠)", size=3,
     example="222m333p444m789sEE", near_miss="222m333p444s789sEE")  # fmt: skip
def two_suited_shifted_pungs(view: Pungs) -> int:
    """Three pungs or kongs of consecutive ranks in exactly two suits."""
    return _suits(view.pungs) == 2 and _up_one(view.pungs)


@fan(107, "混四步", "Four Mixed Shifted Chows", 4, Family.RANKS, Chows,
     "两种或三种花色四副依次递增一位的顺子", drops="混三步", size=4,
     example="23mEE[345p][456m][567p]4m", near_miss="23mEE[345p][456m][678p]4m")  # fmt: skip
def four_mixed_shifted_chows(view: Chows) -> int:
    """Four chows, each one up, in two or three suits."""
    return _suits(view.chows) > 1 and _up_one(view.chows)


@fan(108, "混三步", "Two-Suited Shifted Chows", 2, Family.RANKS, Chows,
     "两种花色三副依次递增一位的顺子", size=3,
     example="234m345p456m789sEE", near_miss="234m345p456s789sEE")  # fmt: skip
def two_suited_shifted_chows(view: Chows) -> int:
    """Three chows, each one up, in exactly two suits."""
    return _suits(view.chows) == 2 and _up_one(view.chows)


@fan(109, "二五八将", "Pair of 2, 5 or 8", 1, Family.SPECIAL, Pair, "序数牌2、5、8作将", made_of="pair",
     example="123m456m789p345s55p", near_miss="123m456m789p345s66p")  # fmt: skip
def pair_of_two_five_eight(pair: Pair) -> int:
    """The pair is a suit 2, 5 or 8."""
    return pair.suit < 3 and pair.rank in (2, 5, 8)


@fan(110, "幺九头", "Pair of Terminals", 1, Family.SPECIAL, Pair, "序数牌1、9作将", made_of="pair",
     example="123m456m789p345s99p", near_miss="123m456m789p345s88p")  # fmt: skip
def pair_of_terminals(pair: Pair) -> int:
    """The pair is a suit 1 or 9."""
    return pair.suit < 3 and pair.rank in (1, 9)


@fan(111, "季花", "Seasonal Flower", 1, Family.SPECIAL, PlainCounts, "与门风相应的花牌", repeats=True,
     made_of="seasonal",
     example="123m456m789p345s99p|EE0000|ae", near_miss="123m456m789p345s99p|EE0000|bf")  # fmt: skip
def seasonal_flower(counts: PlainCounts) -> int:
    """A flower that matches the seat: spring and plum East, summer and orchid South, and so on."""
    return counts.seasonal
