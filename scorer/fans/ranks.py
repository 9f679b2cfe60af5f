"""序数牌: fans of chows and of ranges of rank."""

from __future__ import annotations

from itertools import pairwise

from scorer.fans.model import Chows, Family, Palette, fan


def _lows(view: Chows) -> list[int]:
    return [low for _, low in view.chows]


def _suits(view: Chows) -> list[int]:
    return [suit for suit, _ in view.chows]


def _one_suit(view: Chows) -> bool:
    return len(set(_suits(view))) == 1


def _three_suits(view: Chows) -> bool:
    return set(_suits(view)) == {0, 1, 2}


def _steps(view: Chows) -> set[int]:
    lows = sorted(_lows(view))
    return {after - before for before, after in pairwise(lows)}


def _only(palette: Palette, low: int, high: int) -> bool:
    """Only suit tiles, of ranks ``low`` to ``high``."""
    allowed = (1 << high) - (1 << (low - 1))
    return palette.suits > 0 and not (palette.winds or palette.dragons) and palette.ranks & ~allowed == 0


@fan(13, "一色双龙会", "Pure Terminal Chows", 64, Family.RANKS, Chows, "一种花色的两副老少副,5为将",
     drops="七对 清一色 平和 一般高 老少副 无字", size=4, needs_pair=True,
     example="1122335577889m9m", near_miss="1122334477889m9m")  # fmt: skip
def pure_terminal_chows(view: Chows) -> int:
    """Two 123 and two 789 of one suit and a pair of its 5."""
    return _one_suit(view) and sorted(_lows(view)) == [1, 1, 7, 7] and view.pair == (view.chows[0][0], 5)


@fan(14, "一色四同顺", "Quadruple Chow", 48, Family.RANKS, Chows, "一种花色四副序数相同的顺子",
     drops="一色三同顺 一色三节高 七对 四归一 一般高", size=4,
     example="22334p99s[234p][234p]4p", near_miss="22334p99s[234p][234p]1p")  # fmt: skip
def quadruple_chow(view: Chows) -> int:
    """Four identical chows."""
    return len(set(view.chows)) == 1


@fan(16, "一色四步高", "Four Pure Shifted Chows", 32, Family.RANKS, Chows,
     "一种花色四副依次递增一位或依次递增两位的顺子", drops="一色三步高 连六 老少副", size=4,
     example="34455m99s[123m][234m]6m", near_miss="34455m99s[123m][234m]3m")  # fmt: skip
def four_pure_shifted_chows(view: Chows) -> int:
    """Four chows of one suit, each one up or each two up."""
    return _one_suit(view) and _steps(view) in ({1}, {2})


@fan(23, "一色三同顺", "Pure Triple Chow", 24, Family.RANKS, Chows, "一种花色三副序数相同的顺子",
     drops="一色三节高 一般高", size=3,
     example="78p334455sCC[345s]9p", near_miss="78p344556sCC[345s]9p")  # fmt: skip
def pure_triple_chow(view: Chows) -> int:
    """Three identical chows."""
    return len(set(view.chows)) == 1


@fan(25, "全大", "Upper Tiles", 24, Family.RANKS, Palette, "全部由序数牌7、8、9组成",
     drops="大于五 无字",
     example="78m77799p888s[789m]9m", near_miss="78m77799p888s[789m]6m")  # fmt: skip
def upper_tiles(palette: Palette) -> int:
    """Only 7, 8 and 9."""
    return _only(palette, 7, 9)


@fan(26, "全中", "Middle Tiles", 24, Family.RANKS, Palette, "全部由序数牌4、5、6组成",
     drops="断幺 无字",
     example="45666p44455s[456m]5s", near_miss="45666p44455s[456m]3p")  # fmt: skip
def middle_tiles(palette: Palette) -> int:
    """Only 4, 5 and 6."""
    return _only(palette, 4, 6)


@fan(27, "全小", "Lower Tiles", 24, Family.RANKS, Palette, "全部由序数牌1、2、3组成",
     drops="小于五 无字",
     example="12m11133p222s[123m]3m", near_miss="24m11133p222s[123m]3m")  # fmt: skip
def lower_tiles(palette: Palette) -> int:
    """Only 1, 2 and 3."""
    return _only(palette, 1, 3)


@fan(28, "清龙", "Pure Straight", 16, Family.RANKS, Chows, "一种花色的123、456、789三副顺子",
     size=3,
     example="456789m66p45s[123m]6s", near_miss="567789m66p45s[123m]6s")  # fmt: skip
def pure_straight(view: Chows) -> int:
    """123, 456 and 789 of one suit."""
    return _one_suit(view) and sorted(_lows(view)) == [1, 4, 7]


@fan(29, "三色双龙会", "Three-Suited Terminal Chows", 16, Family.RANKS, Chows,
     "两种花色的老少副,第三种花色的5为将", drops="平和 喜相逢 老少副 无字", size=4,
     needs_pair=True,
     example="789m12378p55s[123m]9p", near_miss="789m12378p55s[123m]6p")  # fmt: skip
def three_suited_terminal_chows(view: Chows) -> int:
    """123 and 789 in two suits and a pair of 5 in the third."""
    suits = sorted(set(_suits(view)))
    wanted = [(suit, low) for suit in suits for low in (1, 7)]
    return len(suits) == 2 and list(view.chows) == wanted and view.pair == (3 - sum(suits), 5)


@fan(30, "一色三步高", "Pure Shifted Chows", 16, Family.RANKS, Chows,
     "一种花色三副依次递增一位或依次递增两位的顺子", size=3,
     example="345567m23p99s[123m]4p", near_miss="455667m23p99s[123m]4p")  # fmt: skip
def pure_shifted_chows(view: Chows) -> int:
    """Three chows of one suit, each one up or each two up."""
    return _one_suit(view) and _steps(view) in ({1}, {2})


@fan(36, "大于五", "Upper Four", 12, Family.RANKS, Palette, "全部由序数牌6至9组成",
     drops="无字",
     example="66m78999p678s[678m]9p", near_miss="66m78999p567s[678m]9p")  # fmt: skip
def upper_four(palette: Palette) -> int:
    """Only 6, 7, 8 and 9."""
    return _only(palette, 6, 9)


@fan(37, "小于五", "Lower Four", 12, Family.RANKS, Palette, "全部由序数牌1至4组成",
     drops="无字",
     example="33m234p12444s[123m]3s", near_miss="33m345p12444s[123m]3s")  # fmt: skip
def lower_four(palette: Palette) -> int:
    """Only 1, 2, 3 and 4."""
    return _only(palette, 1, 4)


@fan(39, "花龙", "Mixed Straight", 8, Family.RANKS, Chows, "三种花色的123、456、789三副顺子",
     size=3,
     example="23m45699p789s[123m]4m", near_miss="23m56799p789s[123m]4m")  # fmt: skip
def mixed_straight(view: Chows) -> int:
    """123, 456 and 789, each in another suit."""
    return _three_suits(view) and sorted(_lows(view)) == [1, 4, 7]


@fan(41, "三色三同顺", "Mixed Triple Chow", 8, Family.RANKS, Chows, "三种花色三副序数相同的顺子",
     size=3,
     example="78m34599p345s[345m]9m", near_miss="78m45699p345s[345m]9m")  # fmt: skip
def mixed_triple_chow(view: Chows) -> int:
    """The same chow in all three suits."""
    return _three_suits(view) and len(set(_lows(view))) == 1


@fan(50, "三色三步高", "Mixed Shifted Chows", 6, Family.RANKS, Chows, "三种花色三副依次递增一位的顺子",
     size=3,
     example="78m23499p345s[123m]9m", near_miss="78m34599p345s[123m]9m")  # fmt: skip
def mixed_shifted_chows(view: Chows) -> int:
    """Three chows in three suits, each one up."""
    return _three_suits(view) and _steps(view) == {1}


@fan(69, "一般高", "Pure Double Chow", 1, Family.RANKS, Chows, "一种花色两副相同的顺子", size=2,
     repeats=True,
     example="234m67p678sEE[234m]8p", near_miss="345m67p678sEE[234m]8p")  # fmt: skip
def pure_double_chow(view: Chows) -> int:
    """Two identical chows."""
    return view.chows[0] == view.chows[1]


@fan(70, "喜相逢", "Mixed Double Chow", 1, Family.RANKS, Chows, "两种花色两副序数相同的顺子", size=2,
     repeats=True,
     example="23467p678sEE[234m]8p", near_miss="34567p678sEE[234m]5p")  # fmt: skip
def mixed_double_chow(view: Chows) -> int:
    """The same chow in two suits."""
    (suit, low), (other_suit, other_low) = view.chows
    return suit != other_suit and low == other_low


@fan(71, "连六", "Short Straight", 1, Family.RANKS, Chows, "一种花色六张相连的两副顺子", size=2,
     repeats=True,
     example="456m67p678sEE[123m]8p", near_miss="567m67p678sEE[123m]8p")  # fmt: skip
def short_straight(view: Chows) -> int:
    """Two chows of one suit that make six in a row."""
    return _one_suit(view) and _steps(view) == {3}


@fan(72, "老少副", "Two Terminal Chows", 1, Family.RANKS, Chows, "一种花色的123、789两副顺子", size=2,
     repeats=True,
     example="789m67p345sEE[123m]8p", near_miss="678m67p345sEE[123m]8p")  # fmt: skip
def two_terminal_chows(view: Chows) -> int:
    """123 and 789 of one suit."""
    return _one_suit(view) and sorted(_lows(view)) == [1, 7]
