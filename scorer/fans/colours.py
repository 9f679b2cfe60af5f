"""花色组合: fans of which suits and which look of tiles there are."""

from __future__ import annotations

from scorer.fans.model import Family, Palette, fan


@fan(3, "绿一色", "All Green", 88, Family.COLOURS, Palette, "全部由2、3、4、6、8条及发组成",
     drops="混一色",
     example="23466688sFF[234s]8s", near_miss="34566688sFF[234s]8s")  # fmt: skip
def all_green(palette: Palette) -> int:
    """Only 2 3 4 6 8 bamboo and green dragons."""
    return palette.green


@fan(22, "清一色", "Full Flush", 24, Family.COLOURS, Palette, "全部由一种花色的序数牌组成",
     drops="无字",
     example="1245556678p[123p]3p", near_miss="1245556678p[111m]3p")  # fmt: skip
def full_flush(palette: Palette) -> int:
    """One suit only and no honours."""
    return palette.suits == 1 and not (palette.winds or palette.dragons)


@fan(40, "推不倒", "Reversible Tiles", 8, Family.COLOURS, Palette, "全部由1234589饼、245689条及白组成",
     drops="缺一门",
     example="345p2255888s[123p]5s", near_miss="456p2255888s[123p]5s")  # fmt: skip
def reversible_tiles(palette: Palette) -> int:
    """Only 1 2 3 4 5 8 9 dots, 2 4 5 6 8 9 bamboo and white dragons."""
    return palette.reversible


@fan(49, "混一色", "Half Flush", 6, Family.COLOURS, Palette, "由一种花色的序数牌和字牌组成",
     example="2356799pCCC[123p]4p", near_miss="2356799pCCC[111m]4p")  # fmt: skip
def half_flush(palette: Palette) -> int:
    """One suit and honours."""
    return palette.suits == 1 and (palette.winds or palette.dragons)


@fan(51, "五门齐", "All Types", 6, Family.COLOURS, Palette, "三种花色、风牌、箭牌齐全",
     example="789p555sEEPP[123m]P", near_miss="789p555sEEPP[111p]P")  # fmt: skip
def all_types(palette: Palette) -> int:
    """All three suits, a wind and a dragon."""
    return palette.suits == 3 and palette.winds and palette.dragons


@fan(75, "缺一门", "One Voided Suit", 1, Family.COLOURS, Palette, "缺少一种花色的序数牌",
     example="567m34678pEE[123m]5p", near_miss="567m34678pEE[111s]5p")  # fmt: skip
def one_voided_suit(palette: Palette) -> int:
    """Exactly two suits present."""
    return palette.suits == 2


@fan(76, "无字", "No Honors", 1, Family.COLOURS, Palette, "没有字牌",
     example="456m67p55678s[111m]8p", near_miss="456m67p55678s[EEE]8p")  # fmt: skip
def no_honours(palette: Palette) -> int:
    """No honours."""
    return not (palette.winds or palette.dragons)
